"""From a user's method to a function that Numba takes: the same statements, with `self` resolved.

What the object holds becomes constants, methods become functions, and what Numba cannot do
(generator expressions, any, reversed, int.bit_count…) is written in terms of what it can.
"""

from __future__ import annotations

import ast
import builtins
import enum
import math
import operator
import types
from typing import Any

import numpy as np

from ..errors import CompileError
from . import stream, trees
from .layout import is_namedtuple
from .program import ODDS, PLAIN, STREAM, Program
from .source import Source, unwrapped
from .tables import SMALL_ROW

MISSING: Any = object()  # not known before the run
CHANGERS = {"append", "extend", "insert", "pop", "remove", "clear", "add", "discard", "update",
            "setdefault", "popitem", "sort", "reverse", "fill"}  # fmt: skip
MODULES = {"numpy": ("_np", np), "math": ("_math", math), "_operator": ("_operator", operator)}
AGGREGATES = ("any", "all", "sum", "len")


class Rewriter(ast.NodeTransformer):
    def __init__(self, program: Program, source: Source, name: str) -> None:
        self.program = program
        self.source = source
        self.name = name  # of the function being made
        self.fresh = 0

    def error(self, node: ast.AST, message: str, hint: str = "") -> CompileError:
        return self.source.error(node, message, hint)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            made += new if isinstance(new, list) else [] if new is None else [new]
        return made or [ast.Pass()]

    def stream(self, with_odds: bool) -> list[ast.stmt]:
        def is_rule(function: ast.expr) -> bool:
            return self._user_function(self.static(function)) is not None

        self.with_odds = with_odds
        return stream.Streamer(self.source, is_rule, with_odds).body()

    # -- what is known before the run ------------------------------------------------------
    def static(self, node: ast.expr) -> Any:
        """The Python object that an expression stands for whatever the state, or MISSING."""
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
                return len(value) if isinstance(value, (tuple, list, range, np.ndarray)) else MISSING
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
        raise self.error(node, f"the name {node.id!r} is not known")

    def _static_attribute(self, node: ast.Attribute) -> Any:
        inner = node.value
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
            if inner.func.id == "super" and self.source.owner is not None:
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
        if isinstance(value, types.BuiltinFunctionType) or isinstance(value, np.ufunc):
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
            if own and getattr(home, own, None) is value:
                return trees.expression(f"{alias}.{own}")
        if own and getattr(builtins, own, None) is value:
            return trees.name(own)
        raise self.error(node, f"{ast.unparse(node)} is {_kind(value)}", _instead(value))

    # -- names, attributes, items ----------------------------------------------------------
    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return node
        value = self.static(node)
        if value is MISSING:
            return node
        if value is self.source.bound and node.id == self.source.self_name:
            raise self.error(
                node,
                f"{node.id} is passed on as a whole",
                f"call a method ({node.id}.method(s)) or pass the numbers that are needed",
            )
        return trees.at(self.emit(value, node), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            self._refuse_change(node)
            return self.generic_visit(node)
        value = self.static(node)
        if value is not MISSING:
            return trees.at(self.emit(value, node), node)
        found = self._tuple_member(node)
        if isinstance(found, property):
            name = self.program.function(found.fget, None, None)
            self.program.calls[self.name].add(name)
            return trees.at(self._call(name, [self.visit(node.value)]), node)
        return self.generic_visit(node)

    def _tuple_member(self, node: ast.Attribute) -> Any:
        """The method or property of a NamedTuple that ``x.attr`` may mean."""
        if any(node.attr in cls._fields for cls in self.program.tuples):
            return None
        if node.attr in ("_replace", "_asdict", "_make", "_fields"):
            return None
        for cls in self.program.tuples:
            for base in cls.__mro__:
                if node.attr in base.__dict__ and base is not tuple and base is not object:
                    found = base.__dict__[node.attr]
                    if isinstance(found, (property, types.FunctionType)):
                        return found
        return None

    def _refuse_change(self, node: ast.expr) -> None:
        """Assignments to what the game holds."""
        base = node
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            base = base.value
        if isinstance(base, ast.Name) and self.static(base) is not MISSING:
            raise self.error(
                node,
                f"{ast.unparse(node)} is changed",
                "rules change nothing but the state that they return; keep it in the state",
            )

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            self._refuse_change(node)
            return self.generic_visit(node)
        value = self.static(node)
        if value is not MISSING:
            return trees.at(self.emit(value, node), node)
        path = self._table_path(node)
        if path is not None:
            name, table, indices = path
            made = self._table_value(name, table, [self.visit(i) for i in indices])
            return trees.at(made, node)
        base = self.static(node.value)
        if isinstance(base, dict):
            raise self.error(node, f"{ast.unparse(node.value)} is a dict", _instead(base))
        self.generic_visit(node)
        if isinstance(node.slice, (ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp)):
            return node
        return trees.at(trees.call("_rt.at", node.value, node.slice), node)

    def _table_path(self, node: ast.expr) -> tuple[str, Any, list[ast.expr]] | None:
        """A constant table with indices behind it."""
        indices: list[ast.expr] = []
        base = node
        while True:
            value = self.static(base)
            if isinstance(value, (tuple, list)):
                break
            if not isinstance(base, ast.Subscript) or isinstance(base.slice, (ast.Slice, ast.Tuple)):
                return None
            indices.insert(0, base.slice)
            base = base.value
        wish = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "table")
        found = self.program.table(value, wish)
        if found is None or len(indices) > found[1].array.ndim:
            return None
        return found[0], found[1], indices

    def _table_value(self, name: str, table: Any, indices: list[ast.expr]) -> ast.expr:
        if len(indices) == table.array.ndim:
            index = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
            return ast.Subscript(trees.name(name), index, ast.Load())
        rest = table.array.shape[len(indices) :]
        even = table.lengths is None or len(indices) > 1
        if even and len(rest) == 1 and rest[0] <= SMALL_ROW and _simple(indices):
            first = ", ".join(map(ast.unparse, indices))
            return trees.expression(
                f"({', '.join(f'{name}[{first}, {n}]' for n in range(rest[0]))},)"
            )
        row = self.program.row(name, table, len(indices))
        self.program.calls[self.name].add(row)
        return trees.call(row, *indices)

    # -- loops over constants ----------------------------------------------------------------
    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        numbered = self._enumerated(node)
        path = self._table_path(node.iter if numbered is None else numbered[1])
        if path is None:
            node.iter = self.visit(node.iter)
            node.target = self.visit(node.target)
            node.body, node.orelse = self.block(node.body), self._optional(node.orelse)
            return node
        name, table, indices = path
        self.fresh += 1
        made: list[ast.stmt] = []
        fixed: list[ast.expr] = []
        for n, index in enumerate(indices):
            variable = f"_z_at{self.fresh}_{n}"
            made.append(trees.assign(variable, self.visit(index)))
            fixed.append(trees.name(variable))
        count: ast.expr = ast.Constant(table.array.shape[len(indices)])
        if table.lengths is not None and len(indices) == 1:
            lengths = self.program.constant(np.array(table.lengths), f"{name[3:]}_lengths")
            assert lengths is not None
            count = ast.Subscript(lengths, fixed[0], ast.Load())
        step = f"_z_i{self.fresh}"
        first: list[ast.stmt] = [
            ast.Assign([node.target], self._table_value(name, table, [*fixed, trees.name(step)]))
        ]
        if numbered is not None:
            first.insert(0, ast.Assign([numbered[0]], trees.name(step)))
            first[1] = ast.Assign([numbered[2]], first[1].value)  # type: ignore[attr-defined]
        body = [*first, *self.block(node.body)]
        loop = ast.For(
            trees.target(step), trees.call("range", count), body, self._optional(node.orelse), None
        )
        made.append(loop)
        for statement in made:
            trees.at(statement, node)
        return made

    def _enumerated(self, node: ast.For) -> tuple[ast.expr, ast.expr, ast.expr] | None:
        """(index, values, item) of ``for index, item in enumerate(values)``."""
        call, goal = node.iter, node.target
        if (
            isinstance(call, ast.Call)
            and self.static(call.func) is enumerate
            and len(call.args) == 1
            and isinstance(goal, ast.Tuple)
            and len(goal.elts) == 2
        ):
            return goal.elts[0], call.args[0], goal.elts[1]
        return None

    def _optional(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return self.block(statements) if statements else []

    # -- statements ------------------------------------------------------------------------
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        if isinstance(node.value, ast.Constant):
            return None  # a docstring
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))  # type: ignore[no-any-return]

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        # Compiled code cannot tell a message; the driver asks the Python rules for it.
        return trees.at(ast.parse("raise ValueError('rules')").body[0], node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        test = ast.If(self.visit(node.test), [ast.Pass()], ast.parse("raise ValueError('rules')").body)
        return trees.at(test, node)

    def visit_Delete(self, node: ast.Delete) -> ast.AST | None:
        if all(isinstance(t, ast.Name) for t in node.targets):
            return None
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and not isinstance(node.operand, (ast.Compare, ast.UnaryOp)):
            # Numba knows the truth of a list but not its `not`.
            return trees.at(ast.IfExp(node.operand, ast.Constant(False), ast.Constant(True)), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if isinstance(node.op, ast.Add):
            parts = _one_replaced(node)
            if parts is not None:
                made = trees.call("_rt.replaced", *(self.visit(p) for p in parts))
                return trees.at(made, node)
            if self._may_be_list(node):
                made = trees.call("_rt.joined", self.visit(node.left), self.visit(node.right))
                return trees.at(made, node)
        return self.generic_visit(node)

    def _may_be_list(self, node: ast.expr) -> bool:
        """A list may stand in for ``tuple(…)``, and for what is added to one."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._may_be_list(node.left) or self._may_be_list(node.right)
        return isinstance(node, ast.Call) and self.static(node.func) is tuple

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            values = node.comparators[0]
            known = self.static(values) if not isinstance(values, ast.Call) else MISSING
            made: ast.expr | None = None
            if isinstance(known, dict):
                raise self.error(node, f"{ast.unparse(values)} is a dict", _instead(known))
            if isinstance(values, ast.Call) and self._user_function(self.static(values.func)):
                made = trees.call("_rt.contains", self.visit(values), self.visit(node.left))
            elif isinstance(values, (ast.GeneratorExp, ast.ListComp)):
                test = ast.Compare(node.left, [ast.Eq()], [values.elt])
                made = self._lift("any", ast.GeneratorExp(test, values.generators), node)
            if made is not None:
                if isinstance(node.ops[0], ast.NotIn):
                    made = ast.UnaryOp(ast.Not(), made)
                return trees.at(made, node)
        return self.generic_visit(node)

    # -- comprehensions --------------------------------------------------------------------
    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self.visit(ast.copy_location(ast.ListComp(node.elt, node.generators), node))  # type: ignore[no-any-return]

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        if any(self._table_path(part.iter) is not None for part in node.generators):
            return trees.at(self._lift("list", node, node), node)
        return self.generic_visit(node)

    def _lift(self, what: str, node: ast.GeneratorExp | ast.ListComp, where: ast.AST) -> ast.expr:
        """``any(… for …)`` and its like as a call of a function with a loop."""
        element, parts = node.elt, node.generators
        more = ast.parse("_z_r = _z_r + 1").body
        start, end = "_z_r = 0", "_z_r"
        if what == "any":
            more, start, end = [ast.If(element, ast.parse("return True").body, [])], "", "False"
        elif what == "all":
            more, start, end = (
                [ast.If(element, [ast.Pass()], ast.parse("return False").body)], "", "True",
            )  # fmt: skip
        elif what == "sum":
            total = ast.BinOp(trees.name("_z_r"), ast.Add(), element)
            more = [trees.assign("_z_r", total)]
        elif what == "list":
            start = "_z_r = []"
            append = trees.expression("_z_r.append")
            more = [ast.Expr(ast.Call(append, [element], []))]
        body = ast.parse(start).body + trees.loops(parts, more) + ast.parse(f"return {end}").body
        for statement in body:
            trees.at(statement, where)
        free = sorted(trees.names_in(body) & self.source.locals - trees.names_bound(body))
        name = self.program.lifted(self.source, f"{what}_in_{self.name[3:]}", free, body)
        self.program.calls[self.name].add(name)
        return self._call(name, [trees.name(f) for f in free])

    # -- calls -----------------------------------------------------------------------------
    def _call(self, name: str, args: list[ast.expr], sink: tuple[str, ...] = ()) -> ast.Call:
        """A call of a generated function, with the memory for copies and the place for actions."""
        first = ["_z_m"] if self.program.records and not name.startswith("h__") else []
        return trees.call(name, *map(trees.name, (*first, *sink)), *args)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        made = self._special(node)
        if made is not None:
            return trees.at(made, node)
        value = self.static(node.func)
        if is_namedtuple(value):
            return trees.at(self._make(value, node), node)
        name = self._reference(value)
        if name is not None:
            call = self._call(name, [self.visit(a) for a in node.args])
            call.keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
            return trees.at(call, node)
        if isinstance(value, type) and issubclass(value, enum.IntEnum) and len(node.args) == 1:
            return self.visit(node.args[0])  # type: ignore[no-any-return]
        if isinstance(value, type) and value.__module__ not in ("builtins", "numpy"):
            raise self.error(node, f"{value.__name__} is a class", _instead(value))
        return self.generic_visit(node)

    def _special(self, node: ast.Call) -> ast.expr | None:
        """Calls that become something else; None if this is not one."""
        if isinstance(node.func, ast.Name) and node.func.id == stream.CALL:
            inner = node.args[0]
            assert isinstance(inner, ast.Call)
            variant, sink = (ODDS, ("_z_odds", *stream.SINK)) if self.with_odds else (
                STREAM, stream.SINK)  # fmt: skip
            name = self._reference(self.static(inner.func), variant)
            assert name is not None
            call = self._call(name, [self.visit(a) for a in inner.args], sink)
            call.keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in inner.keywords]
            return call
        if isinstance(node.func, ast.Attribute):
            return self._special_method(node, node.func)
        function = self.static(node.func)
        name = getattr(function, "__name__", "")
        if function is MISSING or getattr(builtins, name, MISSING) is not function:
            return None
        return self._builtin(function.__name__, node)

    def _special_method(self, node: ast.Call, function: ast.Attribute) -> ast.expr | None:
        base, attribute = function.value, function.attr
        known = self.static(base)
        if known is not MISSING:
            if attribute in CHANGERS and isinstance(known, (list, dict, set, np.ndarray)):
                self._refuse_change(function)
            if attribute == "count" and isinstance(known, (tuple, list)) and len(node.args) == 1:
                return trees.call("_rt.tally", self.visit(base), self.visit(node.args[0]))
            return None
        if attribute == "bit_count" and not node.args:
            return trees.call("_rt.popcount", self.visit(base))
        if attribute == "bit_length" and not node.args:
            return trees.call("_rt.bit_length", self.visit(base))
        if attribute == "copy" and not node.args and self.program.records:
            return trees.call("_rt.copy", trees.name("_z_m"), self.visit(base))
        if attribute == "count" and len(node.args) == 1:
            ones = isinstance(node.args[0], ast.Constant) and node.args[0].value == "1"
            if ones and isinstance(base, ast.Call) and self.static(base.func) is bin:
                return trees.call("_rt.popcount", self.visit(base.args[0]))
            return trees.call("_rt.tally", self.visit(base), self.visit(node.args[0]))
        if attribute == "_replace" and node.keywords and not node.args:
            return self._replace(node, base)
        found = self._tuple_member(function)
        if isinstance(found, types.FunctionType):
            name = self.program.function(found, None, None)
            self.program.calls[self.name].add(name)
            call = self._call(name, [self.visit(a) for a in (base, *node.args)])
            call.keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
            return call
        return None

    def _make(self, cls: Any, node: ast.Call) -> ast.expr:
        """``State(a, b, turn=c)``, with the defaults of the class filled in."""
        fields = cls._fields
        if any(isinstance(a, ast.Starred) for a in node.args) or len(node.args) > len(fields):
            raise self.error(node, f"{cls.__name__}(*…) is not known field by field")
        values = dict(zip(fields, map(self.visit, node.args), strict=False))
        for keyword in node.keywords:
            if keyword.arg not in fields:
                raise self.error(node, f"{cls.__name__} has no field {keyword.arg!r}")
            values[str(keyword.arg)] = self.visit(keyword.value)
        try:
            return self.program.make(cls, values)
        except CompileError as e:
            raise self.error(node, e.message) from None

    def _replace(self, node: ast.Call, base: ast.expr) -> ast.expr:
        """``x._replace(field=value)`` of the first NamedTuple that has these fields."""
        values = {str(k.arg): self.visit(k.value) for k in node.keywords}
        having = [c for c in self.program.tuples if all(f in c._fields for f in values)]
        if not having:
            raise self.error(node, f"no NamedTuple here has the fields {', '.join(values)}")
        cls = having[0]
        if isinstance(base, ast.Name):
            old = {f: ast.Attribute(self.visit(base), f, ast.Load()) for f in cls._fields}
            return self.program.make(cls, {**old, **values})
        old = {f: trees.expression(f"_z_x.{f}") for f in cls._fields}
        made = self.program.make(cls, {**old, **{f: trees.name(f) for f in values}})
        text = f"def NAME(_z_x, {', '.join(values)}):\n    return {ast.unparse(made)}"
        name = self.program.helper(f"replace_{cls.__name__}", text)
        return trees.call(name, self.visit(base), *values.values())

    def _builtin(self, function: str, node: ast.Call) -> ast.expr | None:
        first = node.args[0] if node.args else None
        alone = len(node.args) == 1 and not node.keywords
        if function == "super" or first is None:
            return None
        if alone and isinstance(first, (ast.GeneratorExp, ast.ListComp)):
            if function in AGGREGATES:
                return self._lift(function, first, node)
            if function in ("list", "tuple"):
                return self.visit(ast.copy_location(ast.ListComp(first.elt, first.generators), node))  # type: ignore[no-any-return]
        if alone and function == "len" and isinstance(first, ast.Call) and len(first.args) == 1:
            if self.static(first.func) in (list, tuple):
                return trees.call("_rt.count", self.visit(first.args[0]))
        if alone and function == "tuple" and isinstance(first, ast.Call):
            if self.static(first.func) not in (list, sorted):
                return trees.call("list", self.visit(first))
        if alone and function in ("any", "all", "reversed", "tuple"):
            runtime = {"any": "any_", "all": "all_", "reversed": "backwards", "tuple": "as_tuple"}
            return trees.call(f"_rt.{runtime[function]}", self.visit(first))
        if alone and function == "float":
            text = isinstance(first, ast.Constant) and isinstance(first.value, str)
            number = self.program.number(float(first.value)) if text else None  # type: ignore[attr-defined]
            return number or trees.call("_np.float64", self.visit(first))
        if function in ("print", "input", "open", "eval", "exec", "setattr", "delattr", "getattr"):
            raise self.error(node, f"{function}() cannot be compiled", "rules only compute")
        return None


class Widener(ast.NodeTransformer):
    """Where uint64 occurs: operators that keep it when the other number is a Python int."""

    NAMES = {
        ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "floordiv", ast.Mod: "mod",
        ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor", ast.LShift: "lshift",
        ast.RShift: "rshift",
    }  # fmt: skip

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = self.NAMES.get(type(node.op))
        if name is None or (
            isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant)
        ):
            return node
        return trees.at(trees.call(f"_rt.{name}", node.left, node.right), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        name = self.NAMES.get(type(node.op))
        simple = not any(isinstance(n, ast.Call) for n in ast.walk(node.target))
        if name is None or not simple:
            return node
        source = ast.parse(ast.unparse(node.target), mode="eval").body
        value = trees.call(f"_rt.{name}", source, node.value)
        for sub in ast.walk(source):
            ast.copy_location(sub, node)
        return trees.at(ast.copy_location(ast.Assign([node.target], value), node), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        other = {"min": "smaller", "max": "larger", "divmod": "quotient"}
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in other and len(node.args) >= 2 and not node.keywords:
            made = node.args[0]
            for argument in node.args[1:]:
                made = trees.call(f"_rt.{other[name]}", made, argument)
            return trees.at(made, node)
        return node


def _one_replaced(node: ast.BinOp) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """(t, i, x) of ``t[:i] + (x,) + t[i + 1:]``, which has no fixed type part by part."""
    left, last = node.left, node.right
    if not isinstance(left, ast.BinOp) or not isinstance(left.op, ast.Add):
        return None
    first, middle = left.left, left.right
    if not isinstance(middle, (ast.Tuple, ast.List)) or len(middle.elts) != 1:
        return None
    if not isinstance(first, ast.Subscript) or not isinstance(last, ast.Subscript):
        return None
    head, tail = first.slice, last.slice
    if not isinstance(head, ast.Slice) or not isinstance(tail, ast.Slice):
        return None
    if head.lower or head.step or tail.upper or tail.step or not head.upper or not tail.lower:
        return None
    if ast.dump(first.value) != ast.dump(last.value):
        return None
    after = ast.dump(trees.expression(f"{ast.unparse(head.upper)} + 1"))
    return (first.value, head.upper, middle.elts[0]) if ast.dump(tail.lower) == after else None


def _simple(nodes: list[ast.expr]) -> bool:
    return all(isinstance(n, (ast.Name, ast.Constant)) for n in nodes)


def _kind(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, types.ModuleType):
        return f"the module {value.__name__}"
    return f"of type {type(value).__name__}"


def _instead(value: Any) -> str:
    """What to write instead of a constant that cannot be compiled."""
    if isinstance(value, dict):
        return "use a tuple or a NumPy array indexed by a small int instead of a dict"
    if isinstance(value, (tuple, list)):
        return "constants are numbers, tuples of numbers (of the same length inside) and NumPy arrays"
    if isinstance(value, type):
        return "values made by rules are ints, floats, tuples and NamedTuples"
    if isinstance(value, (str, bytes)):
        return "use ints"
    if (getattr(value, "__module__", None) or "").startswith("random"):
        return "rules are deterministic: let chance move through outcomes(s)"
    return "only numbers, tuples, NumPy arrays and functions written in Python can be used"
