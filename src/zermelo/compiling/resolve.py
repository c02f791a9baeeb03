"""Resolves expressions at compile time: constants, functions, classes."""

from __future__ import annotations

import ast
import builtins
import math
import operator
import types
from typing import Any

import numpy as np

from ..errors import CompileError
from . import trees
from .layout import is_namedtuple
from .program import PLAIN, Program
from .source import Source, unwrapped

MISSING: Any = object()  # not known before the run
MODULES = {"numpy": ("_np", np), "math": ("_math", math), "_operator": ("_operator", operator)}


class Resolver(ast.NodeTransformer):
    """Resolves names in one function of the user."""

    def __init__(self, program: Program, source: Source, name: str) -> None:
        self.program = program
        self.source = source
        self.name = name  # of the function being made
        self.fresh = 0

    def error(self, node: ast.AST, message: str, hint: str = "") -> CompileError:
        return self.source.error(node, message, hint)

    # -- what is known before the run ------------------------------------------------------
    def static(self, node: ast.expr) -> Any:
        """The Python object that an expression evaluates to in every state, or MISSING."""
        if isinstance(node, ast.Name):
            return self._static_name(node)
        if isinstance(node, ast.Attribute):
            return self._static_attribute(node)
        if isinstance(node, ast.Subscript):
            return self._static_item(node)
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            function = self.static(node.func)
            if function is type and isinstance(node.args[0], ast.Name):
                value = self.static(node.args[0])
                return MISSING if value is MISSING else type(value)
            if function is len:
                value = self.static(node.args[0])
                return (
                    len(value) if isinstance(value, (tuple, list, range, np.ndarray)) else MISSING
                )
        return MISSING

    def _static_name(self, node: ast.Name) -> Any:
        if node.id.startswith("_z_"):
            return MISSING
        if node.id == self.source.self_name:
            return self.source.bound
        if node.id in self.source.locals:
            return MISSING
        if node.id in self.source.scope:
            return self.source.scope[node.id]
        if hasattr(builtins, node.id):
            return getattr(builtins, node.id)
        raise self.error(node, f"unknown name {node.id!r}")

    def _static_attribute(self, node: ast.Attribute) -> Any:
        inner = node.value
        if self.source.owner is not None and _is_super(inner):
            return getattr(super(self.source.owner, self.source.bound), node.attr)
        base = self.static(inner)
        if base is MISSING:
            return MISSING
        if isinstance(base, (int, float, str, tuple, list, dict, set, np.ndarray, np.generic)):
            value = getattr(base, node.attr, MISSING)  # LINES.shape, but not LINES.count(…)
            return MISSING if callable(value) else value
        try:
            return getattr(base, node.attr)
        except AttributeError:
            what = "self" if base is self.source.bound else ast.unparse(inner)
            hint = "set it in __init__" if what == "self" else ""
            raise self.error(node, f"{what}.{node.attr} does not exist", hint) from None

    def _static_item(self, node: ast.Subscript) -> Any:
        base = self.static(node.value)
        if not isinstance(base, (tuple, list, dict)):
            return MISSING
        try:
            key = ast.literal_eval(node.slice)
        except ValueError:
            key = self.static(node.slice) if not isinstance(node.slice, ast.Slice) else MISSING
        try:
            return MISSING if key is MISSING else base[key]
        except (LookupError, TypeError):
            raise self.error(node, f"{ast.unparse(node)} does not exist") from None

    def _user_function(self, value: Any) -> Any:
        """The plain function under `value` if it is one of the user's, else None."""
        if isinstance(value, type) or value is MISSING or not callable(value):
            return None
        if isinstance(value, (types.BuiltinFunctionType, np.ufunc)):
            return None
        function = unwrapped(value)
        if function is None:
            return None
        root = (function.__module__ or "").partition(".")[0]
        return None if root in ("numpy", "math", "builtins", "numba") else function

    def _reference(self, value: Any, variant: str = PLAIN) -> str | None:
        """The generated name of a function of the user's."""
        function = self._user_function(value)
        if function is None:
            return None
        bound = getattr(value, "__self__", None)
        owner = None
        if bound is not None:
            cls = bound if isinstance(bound, type) else type(bound)
            for base in cls.__mro__:
                if unwrapped(base.__dict__.get(function.__name__)) is function:
                    owner = base
                    break
        name = self.program.function(function, bound, owner, variant)
        self.program.calls[self.name].add(name)
        return name

    def emit(self, value: Any, node: ast.expr) -> ast.expr:
        """The text that stands for a known object."""
        wish = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "value")
        try:
            constant = self.program.constant(value, wish)
        except CompileError as e:
            raise self.error(node, e.message, "use numbers of at most 64 bits") from None
        if constant is not None:
            return constant
        function = self._reference(value)
        if function is not None:
            return trees.name(function)
        if is_namedtuple(value):
            return trees.name(self.program.namedtuple(value))
        if value is np.uint64:
            self.program.unsigned = True
        own = getattr(value, "__name__", "")
        module = MODULES.get((getattr(value, "__module__", None) or "").partition(".")[0])
        for alias, home in [module] if module else MODULES.values():
            if own and vars(home).get(own) is value:  # (getattr would warn of old names)
                return trees.expression(f"{alias}.{own}")
        if own and getattr(builtins, own, None) is value:
            return trees.name(own)
        raise self.error(node, f"{ast.unparse(node)} is {_kind(value)}", instead(value))


def _is_super(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def _kind(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    return f"of type {type(value).__name__}"


def instead(value: Any) -> str:
    """What to write instead of a constant that cannot be compiled."""
    if isinstance(value, dict):
        return "use a tuple or a NumPy array indexed by a small int instead of a dict"
    if isinstance(value, (tuple, list)):
        return (
            "constants are numbers, tuples of numbers (of the same length inside) and NumPy arrays"
        )
    if getattr(value, "__module__", None) == "itertools":
        return "replace it by loops"
    if isinstance(value, type):
        return "rules can create ints, floats, tuples and NamedTuples"
    if isinstance(value, (str, bytes)):
        return "use ints"
    if (getattr(value, "__module__", None) or "").startswith("random"):
        return "rules must be deterministic: model chance with outcomes(s)"
    return "only numbers, tuples, NumPy arrays and functions written in Python can be used"
