"""Operators that keep uint64 when the other number is one of Python's ints."""

from __future__ import annotations

import ast
from typing import ClassVar

from . import trees


class Widener(ast.NodeTransformer):
    """Where uint64 occurs: operators that keep it when the other number is a Python int."""

    NAMES: ClassVar = {
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
