"""Operators of compiled rules that Numba would take for something else than Python does."""

from __future__ import annotations

import ast
from typing import Any, ClassVar

from . import trees


class OperatorRewriter(ast.NodeTransformer):
    """Base class: replaces the operators in `NAMES` by functions of the run-time support."""

    NAMES: ClassVar[dict[type[ast.operator], str]] = {}

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        made = _spelled_out(node) if type(node.op) in self.NAMES else node
        if made is not node:
            return self.visit(made)  # type: ignore[no-any-return]
        self.generic_visit(node)
        return node


class Strict(OperatorRewriter):
    """Powers, shifts and functions of :mod:`math` that raise where Python's do."""

    NAMES: ClassVar[dict[type[ast.operator], str]] = {
        ast.Pow: "power",
        ast.LShift: "lshift",
        ast.RShift: "rshift",
    }

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = self.NAMES.get(type(node.op))
        if name is None:
            return node
        try:
            fixed: Any = ast.literal_eval(node.right)
        except ValueError:
            fixed = None
        if type(fixed) is int and 0 <= fixed < 64:
            return node
        left = node.left
        if name == "power" and type(fixed) is int and fixed < 0:  # Python's result is a float
            left = trees.call("_np.float64", left)
        return trees.at(trees.call(f"_rt.{name}", left, node.right), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func
        if isinstance(called, ast.Name) and called.id == "pow" and len(node.args) == 2:
            return self.visit_BinOp(
                ast.copy_location(ast.BinOp(node.args[0], ast.Pow(), node.args[1]), node)
            )
        if (
            isinstance(called, ast.Attribute)
            and isinstance(called.value, ast.Name)
            and called.value.id == "_math"
        ):
            return trees.at(trees.call("_rt.finite", node), node)
        return node


def _spelled_out(node: ast.AugAssign) -> ast.stmt:
    """``x <<= 1`` as ``x = x << 1``; unchanged if evaluating x twice could matter."""
    if any(isinstance(n, ast.Call) for n in ast.walk(node.target)):
        return node
    source = ast.parse(ast.unparse(node.target), mode="eval").body
    for sub in ast.walk(source):
        ast.copy_location(sub, node)
    value = ast.copy_location(ast.BinOp(source, node.op, node.value), node)
    return ast.copy_location(ast.Assign([node.target], value), node)


class Widener(OperatorRewriter):
    """Where uint64 occurs: operators that keep it when the other number is a Python int."""

    NAMES: ClassVar[dict[type[ast.operator], str]] = {
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
        left = node.left
        if isinstance(node.op, ast.LShift) and isinstance(left, ast.Constant):
            left = trees.call("_np.uint64", left)  # 1 << square is a bit of a board
        return trees.at(trees.call(f"_rt.{name}", left, node.right), node)

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
