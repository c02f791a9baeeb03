"""Finds the source of the user's functions and locates errors in it."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
import types
from dataclasses import dataclass, field
from typing import Any

from ..errors import CompileError


@dataclass
class Source:
    """A function of the user: its syntax tree, its lines in the file, and its names."""

    name: str
    node: ast.FunctionDef
    file: str
    scope: dict[str, Any]  # globals, and the captured variables of a closure
    bound: Any = None  # the value of `self`, if any
    owner: Any = None  # the class that defines it, for super()
    self_name: str | None = None
    locals: set[str] = field(default_factory=set)

    def error(self, node: ast.AST | None, message: str, hint: str = "") -> CompileError:
        line = getattr(node, "lineno", None) or self.node.lineno
        return CompileError(f"{self.file}, line {line}, in {self.name}: {message}", hint)


def unwrapped(function: Any) -> Any:
    """The plain function under bound methods, functools.cache, numba.njit and the like."""
    while True:
        if isinstance(function, (types.MethodType, staticmethod, classmethod)):
            function = function.__func__
        elif isinstance(function, functools.partial):
            return None
        elif hasattr(function, "py_func"):
            function = function.py_func
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        else:
            return function if isinstance(function, types.FunctionType) else None


def source_of(function: types.FunctionType, bound: Any = None, owner: Any = None) -> Source:
    """The tree of `function`; `bound` is the object or class that its first argument stands for."""
    name = function.__qualname__.replace("<locals>.", "")
    file = function.__code__.co_filename
    try:
        lines, start = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise CompileError(
            f"{file}: the source of {name} cannot be found",
            "define the class in a file or a notebook cell, not at the interactive prompt",
        ) from None
    if function.__name__ == "<lambda>":
        raise CompileError(f"{file}, line {start}: a lambda cannot be compiled", "use a def")
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, start - 1)
    node = tree.body[0]
    if not isinstance(node, ast.FunctionDef):
        raise CompileError(f"{file}, line {start}: {name} is not an ordinary def")
    scope = dict(function.__globals__)
    for variable, cell in zip(
        function.__code__.co_freevars, function.__closure__ or (), strict=True
    ):
        try:
            scope[variable] = cell.cell_contents
        except ValueError:
            scope.pop(variable, None)
    source = Source(name, node, file, scope, bound, owner)
    if bound is not None:
        if not node.args.posonlyargs and not node.args.args:
            raise source.error(node, "a method without self")
        first = (node.args.posonlyargs + node.args.args)[0]
        source.self_name = first.arg
        (node.args.posonlyargs or node.args.args).remove(first)
    _refuse_oddities(source)
    source.locals = local_names(node)
    return source


def _refuse_oddities(source: Source) -> None:
    args = source.node.args
    if args.vararg or args.kwarg:
        raise source.error(
            source.node, "*args and **kwargs have no fixed type", "name the arguments"
        )
    for node in ast.walk(source.node):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            raise source.error(
                node,
                f"{' '.join(node.names)} is modified in a rule",
                "rules must keep everything in the state and modify nothing else",
            )
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            raise source.error(node, "an import inside a method", "import at the top of the file")
        if isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef)):
            raise source.error(node, "async rules cannot be compiled", "write an ordinary def")


def local_names(node: ast.AST) -> set[str]:
    """Every name that is bound somewhere in the function: arguments, targets, inner defs."""
    names: set[str] = set()
    for sub in ast.walk(node):
        if isinstance(sub, ast.arg):
            names.add(sub.arg)
        elif isinstance(sub, ast.Name) and isinstance(sub.ctx, (ast.Store, ast.Del)):
            names.add(sub.id)
        elif (isinstance(sub, (ast.FunctionDef, ast.ClassDef)) and sub is not node) or (
            isinstance(sub, (ast.MatchAs, ast.MatchStar)) and sub.name
        ):
            names.add(str(sub.name))
    return names
