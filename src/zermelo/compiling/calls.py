"""Calls and comprehensions: what Numba lacks, in terms of what it has."""

from __future__ import annotations

import ast
import builtins
import enum
import types
from typing import Any

import numpy as np

from ..errors import CompileError
from . import stream, trees
from .layout import is_namedtuple
from .program import ODDS, STREAM
from .resolve import MISSING, Resolver, instead

CHANGERS = {"append", "extend", "insert", "pop", "remove", "clear", "add", "discard", "update",
            "setdefault", "popitem", "sort", "reverse", "fill"}  # fmt: skip
AGGREGATES = ("any", "all", "sum", "len")


class Calls(Resolver):
    """The rewriting of calls."""

    with_odds = False  # whether the function writes the outcomes of chance

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
        """Assignments to attributes of the game."""
        base = node
        while isinstance(base, (ast.Attribute, ast.Subscript)):
            base = base.value
        if isinstance(base, ast.Name) and self.static(base) is not MISSING:
            raise self.error(
                node,
                f"{ast.unparse(node)} is changed",
                "rules must not modify anything; keep everything in the state",
            )

    def _table_path(self, node: ast.expr) -> tuple[str, Any, list[ast.expr]] | None:
        """A constant table with indices behind it."""
        indices: list[ast.expr] = []
        base = node
        while True:
            value = self.static(base)
            if isinstance(value, (tuple, list)):
                break
            if not isinstance(base, ast.Subscript) or isinstance(
                base.slice, (ast.Slice, ast.Tuple)
            ):
                return None
            indices.insert(0, base.slice)
            base = base.value
        wish = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "table")
        found = self.program.table(value, wish)
        if found is None or len(indices) > found[1].array.ndim:
            return None
        return found[0], found[1], indices

    # -- comprehensions --------------------------------------------------------------------
    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self.visit(ast.copy_location(ast.ListComp(node.elt, node.generators), node))  # type: ignore[no-any-return]

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        if any(self._table_path(part.iter) is not None for part in node.generators):
            return trees.at(self._lift("list", node, node), node)
        return self.generic_visit(node)

    def _lift(self, what: str, node: ast.GeneratorExp | ast.ListComp, where: ast.AST) -> ast.expr:
        """``any(… for …)`` and similar calls as a call of a function with a loop."""
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
        return trees.call(name, *map(trees.name, (*first, *sink)), *map(_any_int, args))

    def _keywords(self, node: ast.Call) -> list[ast.keyword]:
        return [ast.keyword(k.arg, _any_int(self.visit(k.value))) for k in node.keywords]

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
            call.keywords = self._keywords(node)
            return trees.at(call, node)
        if isinstance(value, type) and issubclass(value, enum.IntEnum) and len(node.args) == 1:
            return self.visit(node.args[0])  # type: ignore[no-any-return]
        if isinstance(value, type) and value.__module__ not in ("builtins", "numpy"):
            raise self.error(node, f"{ast.unparse(node.func)} is a class", instead(value))
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
            call.keywords = self._keywords(inner)
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
            call.keywords = self._keywords(node)
            return call
        return None

    def _make(self, cls: Any, node: ast.Call) -> ast.expr:
        """``State(a, b, turn=c)``, with the defaults of the class filled in."""
        fields = cls._fields
        if any(isinstance(a, ast.Starred) for a in node.args) or len(node.args) > len(fields):
            raise self.error(node, f"the fields of {cls.__name__}(*…) are not known")
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
        old: dict[str, ast.expr]
        if isinstance(base, ast.Name):
            old = {f: ast.Attribute(self.visit(base), f, ast.Load()) for f in cls._fields}
            return self.program.make(cls, {**old, **values})
        old = {f: trees.expression(f"_z_x.{f}") for f in cls._fields}
        made = self.program.make(cls, {**old, **{f: trees.name(f) for f in values}})
        text = f"def NAME(_z_x, {', '.join(values)}):\n    return {ast.unparse(made)}"
        name = self.program.helper(f"replace_{cls.__name__}", text)
        return trees.call(name, self.visit(base), *values.values())

    def _visited(self, node: ast.expr, where: ast.AST) -> ast.expr:
        made: ast.expr = self.visit(ast.copy_location(node, where))
        return made

    def _builtin(self, function: str, node: ast.Call) -> ast.expr | None:
        first = node.args[0] if node.args else None
        alone = len(node.args) == 1 and not node.keywords
        if function == "super" or first is None:
            return None
        if alone and isinstance(first, (ast.GeneratorExp, ast.ListComp)):
            if function in AGGREGATES:
                return self._lift(function, first, node)
            if function in ("list", "tuple"):
                return self._visited(ast.ListComp(first.elt, first.generators), node)
        inner = self.static(first.func) if alone and isinstance(first, ast.Call) else None
        if function == "len" and inner in (list, tuple) and len(first.args) == 1:  # type: ignore[attr-defined]
            return trees.call("_rt.count", self.visit(first.args[0]))  # type: ignore[attr-defined]
        if function == "tuple" and inner not in (None, list, sorted):
            return trees.call("list", self.visit(first))
        if alone and function in ("any", "all", "reversed", "tuple"):
            runtime = {"any": "any_", "all": "all_", "reversed": "backwards", "tuple": "as_tuple"}
            return trees.call(f"_rt.{runtime[function]}", self.visit(first))
        if alone and function == "float":
            text = isinstance(first, ast.Constant) and isinstance(first.value, str)
            number = self.program.number(float(first.value)) if text else None  # type: ignore[attr-defined]
            return number or trees.call("_np.float64", self.visit(first))
        if function in ("print", "input", "open", "eval", "exec", "setattr", "delattr", "getattr"):
            raise self.error(
                node, f"{function}() cannot be compiled", "compiled rules can only compute"
            )
        return None


def _any_int(node: ast.expr) -> ast.expr:
    """A number as an argument, so that Numba does not recompile the function for each number."""
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(value, ast.Constant) and type(value.value) is int and value.value < 2**63:
        return trees.call("_np.int64", node)
    return node
