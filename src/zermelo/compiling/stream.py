"""Turning a method that gives actions one by one, or returns them, into one that writes them down.

``yield x``, ``return [x for …]``, ``moves.append(x) … return moves`` all become
``_z_n = _z_put(…, _z_n, x)``: nothing is allocated and no generator is resumed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from . import trees
from .source import Source

# Where the actions go; the odds come first for the outcomes of chance.
SINK = ("_z_out", "_z_n", "_z_cap", "_z_flag")
PUT, PUT_ODDS, CALL = "_z_put", "_z_put_odds", "_z_call"


def is_generator(node: ast.FunctionDef) -> bool:
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node))


class Streamer(ast.NodeTransformer):
    """Rewrites the body of one function; `is_rule` tells calls that can be streamed themselves."""

    def __init__(
        self, source: Source, is_rule: Callable[[ast.expr], bool], with_odds: bool = False
    ) -> None:
        self.source = source
        self.is_rule = is_rule
        self.sink = ("_z_odds", *SINK) if with_odds else SINK
        self.generator = is_generator(source.node)
        self.buffer = None if self.generator else _collecting_list(source.node)
        self.fresh = 0

    def body(self) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in self.source.node.body:
            new = self.visit(statement)
            made += new if isinstance(new, list) else [] if new is None else [new]
        made.append(self._end())
        for statement in made:
            trees.at(statement, self.source.node)
        return made

    def _end(self) -> ast.Return:
        return ast.Return(trees.name("_z_n"))

    def _put(self, value: ast.expr) -> list[ast.stmt]:
        function = PUT if self.sink == SINK else PUT_ODDS
        put = trees.call(function, *map(trees.name, self.sink), value)
        return [trees.assign("_z_n", put)]

    def _put_all(self, values: ast.expr) -> list[ast.stmt]:
        """Every value of an iterable expression."""
        if isinstance(values, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return trees.loops(values.generators, self._put(values.elt))
        if isinstance(values, (ast.List, ast.Tuple)):
            made: list[ast.stmt] = []
            for item in values.elts:
                inner = isinstance(item, ast.Starred)
                made += self._put_all(item.value) if inner else self._put(item)  # type: ignore[attr-defined]
            return made
        if isinstance(values, ast.IfExp):
            yes, no = self._put_all(values.body), self._put_all(values.orelse)
            return [ast.If(values.test, yes or [ast.Pass()], no)]
        if isinstance(values, ast.Call):
            same = isinstance(values.func, ast.Name) and values.func.id in ("list", "tuple", "iter")
            if same and not values.keywords and len(values.args) < 2:
                return self._put_all(values.args[0]) if values.args else []
            if self.is_rule(values.func):
                return [trees.assign("_z_n", trees.call(CALL, values))]
        if isinstance(values, ast.BinOp) and isinstance(values.op, ast.Add):
            return self._put_all(values.left) + self._put_all(values.right)
        self.fresh += 1
        each = f"_z_item{self.fresh}"
        return [ast.For(trees.target(each), values, self._put(trees.name(each)), [], None)]

    def _placed(self, made: list[ast.stmt], where: ast.AST) -> list[ast.stmt]:
        for statement in made:
            trees.at(statement, where)
        return made or [ast.copy_location(ast.Pass(), where)]

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        value = node.value
        if isinstance(value, ast.Yield):
            if value.value is None:
                raise self.source.error(node, "yield without a value", "yield an action")
            return self._placed(self._put(value.value), node)
        if isinstance(value, ast.YieldFrom):
            return self._placed(self._put_all(value.value), node)
        if self.buffer and isinstance(value, ast.Call) and _is_method_of(value, self.buffer):
            attribute = value.func
            assert isinstance(attribute, ast.Attribute)
            put = self._put if attribute.attr == "append" else self._put_all
            return self._placed(put(value.args[0]), node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if self.buffer and starts(node, self.buffer):
            return ast.copy_location(ast.Pass(), node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if self.buffer and starts(node, self.buffer):
            return ast.copy_location(ast.Pass(), node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        if self.buffer and isinstance(node.target, ast.Name) and node.target.id == self.buffer:
            return self._placed(self._put_all(node.value), node)
        return node

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        known = isinstance(node.value, ast.Name) and node.value.id == self.buffer
        if not self.generator and node.value is not None and not known:
            made = self._put_all(node.value)
        return self._placed([*made, self._end()], node)

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        raise self.source.error(node, "the value of a yield is used", "write yield as a statement")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node


def _is_method_of(node: ast.Call, variable: str) -> bool:
    """``variable.append(x)`` or ``variable.extend(xs)``?"""
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in ("append", "extend")
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == variable
        and len(node.args) == 1
    )


def starts(node: ast.Assign | ast.AnnAssign, variable: str) -> bool:
    """``variable = []``?"""
    first = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return (
        isinstance(first, ast.Name)
        and first.id == variable
        and isinstance(node.value, ast.List)
        and not node.value.elts
    )


def _collecting_list(node: ast.FunctionDef) -> str | None:
    """The local list that does nothing but collect what the function returns, if there is one."""
    returned = {
        r.value.id
        for r in ast.walk(node)
        if isinstance(r, ast.Return) and isinstance(r.value, ast.Name)
    }
    for variable in sorted(returned):
        uses = sum(isinstance(n, ast.Name) and n.id == variable for n in ast.walk(node))
        begun = [n for n in node.body if isinstance(n, (ast.Assign, ast.AnnAssign))]
        good = sum(starts(n, variable) for n in begun)
        if good != 1:
            continue
        for n in ast.walk(node):
            if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call):
                good += _is_method_of(n.value, variable)
            elif isinstance(n, ast.Return) and isinstance(n.value, ast.Name):
                good += n.value.id == variable
            elif isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name):
                good += n.target.id == variable and isinstance(n.op, ast.Add)
        if good == uses:
            return variable
    return None
