"""From a user's method to a function that Numba takes: the same statements, with `self` resolved.

Attributes become constants, methods become functions, and constructs that Numba does not support
(generator expressions, any, reversed, int.bit_count…) are replaced.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from . import stream, trees
from .calls import Calls
from .resolve import MISSING, instead
from .tables import SMALL_ROW


class Rewriter(Calls):
    """Rewrites one function of the user's, statement by statement."""

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
                f"{node.id} is passed to another function",
                f"call a method ({node.id}.method(s)) or pass only the numbers that are needed",
            )
        return trees.at(self.emit(value, node), node)

    def _constant_or_refused(self, node: ast.Attribute | ast.Subscript) -> ast.AST | None:
        """The constant that a node stands for; refuses a change of the game; None: neither."""
        if not isinstance(node.ctx, ast.Load):
            self._refuse_change(node)
            return self.generic_visit(node)
        value = self.static(node)
        return None if value is MISSING else trees.at(self.emit(value, node), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if (done := self._constant_or_refused(node)) is not None:
            return done
        found = self._tuple_member(node)
        if isinstance(found, property):
            name = self.program.function(found.fget, None, None)
            self.program.calls[self.name].add(name)
            return trees.at(self._call(name, [self.visit(node.value)]), node)
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if (done := self._constant_or_refused(node)) is not None:
            return done
        path = self._table_path(node)
        if path is not None:
            name, table, indices = path
            made = self._table_value(name, table, [self.visit(i) for i in indices])
            return trees.at(made, node)
        base = self.static(node.value)
        if isinstance(base, dict):
            raise self.error(node, f"{ast.unparse(node.value)} is a dict", instead(base))
        self.generic_visit(node)
        if isinstance(node.slice, ast.Slice) and not _fixed(node.slice):
            node.value = trees.call("_rt.sliceable", node.value)
            return trees.at(node, node)
        return node

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

    # -- x := … -----------------------------------------------------------------------------
    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        before, node.test = _named(node.test)
        made = ast.If(self.visit(node.test), self.block(node.body), self._optional(node.orelse))
        return [*self._optional(before), ast.copy_location(made, node)]

    def visit_While(self, node: ast.While) -> ast.AST:
        before, test = _named(node.test)
        if before and not node.orelse:
            leave = ast.If(test, [ast.Pass()], [ast.Break()])
            node.body = [*before, leave, *node.body]
            node.test = ast.Constant(True)
            trees.at(node, node)
        return self.generic_visit(node)

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
        # Compiled code cannot return a message; the driver gets it from the Python rules.
        return trees.at(ast.parse("raise ValueError('rules')").body[0], node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        test = ast.If(
            self.visit(node.test), [ast.Pass()], ast.parse("raise ValueError('rules')").body
        )
        return trees.at(test, node)

    def visit_Delete(self, node: ast.Delete) -> ast.AST | None:
        if all(isinstance(t, ast.Name) for t in node.targets):
            return None
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and not isinstance(
            node.operand, (ast.Compare, ast.UnaryOp)
        ):
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

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        """``(*a, x, *b)`` as a sum, since one of the parts may be a list."""
        starred = any(isinstance(e, ast.Starred) for e in node.elts)
        if not isinstance(node.ctx, ast.Load) or not starred:
            return self.generic_visit(node)
        parts: list[ast.expr] = []
        for item in node.elts:
            if isinstance(item, ast.Starred):
                parts.append(item.value)
            elif parts and isinstance(parts[-1], ast.Tuple):
                parts[-1].elts.append(item)
            else:
                parts.append(ast.Tuple([item], ast.Load()))
        total = parts[0]
        for part in parts[1:]:
            total = ast.BinOp(total, ast.Add(), part)
        trees.at(total, node)
        made = _one_replaced(total) if isinstance(total, ast.BinOp) else None
        if made is not None:
            return trees.at(trees.call("_rt.replaced", *(self.visit(p) for p in made)), node)
        joined: ast.expr = self.visit(parts[0])
        for part in parts[1:]:
            joined = trees.call("_rt.joined", joined, self.visit(part))
        return trees.at(joined, node)

    def _may_be_list(self, node: ast.expr) -> bool:
        """A list may stand in for ``tuple(…)``, and for what is added to one."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._may_be_list(node.left) or self._may_be_list(node.right)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return not _fixed(node.slice)
        return isinstance(node, ast.Call) and self.static(node.func) is tuple

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            values = node.comparators[0]
            known = self.static(values) if not isinstance(values, ast.Call) else MISSING
            made: ast.expr | None = None
            if isinstance(known, dict):
                raise self.error(node, f"{ast.unparse(values)} is a dict", instead(known))
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


def _named(test: ast.expr) -> tuple[list[ast.stmt], ast.expr]:
    """``(x := …) > 1`` as an assignment and a test, where nothing is evaluated before."""
    if isinstance(test, ast.NamedExpr):
        return [ast.copy_location(ast.Assign([test.target], test.value), test)], ast.copy_location(
            trees.name(test.target.id), test
        )
    part = {ast.Compare: "left", ast.BinOp: "left", ast.UnaryOp: "operand"}.get(type(test))
    if part is not None:
        before, inner = _named(getattr(test, part))
        setattr(test, part, inner)
        return before, test
    if isinstance(test, ast.BoolOp):
        before, test.values[0] = _named(test.values[0])
        return before, test
    return [], test


def _fixed(node: ast.Slice) -> bool:
    """Are the bounds numbers? Then a part of a tuple has a length that is known."""
    bounds = [b.operand if isinstance(b, ast.UnaryOp) else b for b in (node.lower, node.upper)]
    return all(b is None or isinstance(b, ast.Constant) for b in bounds)


def _simple(nodes: list[ast.expr]) -> bool:
    return all(isinstance(n, (ast.Name, ast.Constant)) for n in nodes)
