"""Small builders of syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def name(identifier: str) -> ast.Name:
    return ast.Name(identifier, ast.Load())


def target(identifier: str) -> ast.Name:
    return ast.Name(identifier, ast.Store())


def call(function: str | ast.expr, *args: ast.expr) -> ast.Call:
    """A call of a global, or of ``module.function``."""
    return ast.Call(expression(function) if isinstance(function, str) else function, list(args), [])


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def assign(identifier: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([target(identifier)], value)


def at(node: ast.AST, where: ast.AST) -> ast.AST:
    """`node`, as if it had been written at `where`; so do parts of it that are new."""
    for sub in ast.walk(node):
        if "lineno" in sub._attributes and not hasattr(sub, "lineno"):
            ast.copy_location(sub, where)
    return node


def function(identifier: str, parameters: Iterable[str], body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    made = ast.FunctionDef(identifier, arguments, body, [], None, None)
    if "type_params" in ast.FunctionDef._fields:
        made.type_params = []  # type: ignore[attr-defined,unused-ignore]
    return made


def loops(generators: list[ast.comprehension], inmost: list[ast.stmt]) -> list[ast.stmt]:
    """The for and if statements that a comprehension abbreviates."""
    body = inmost
    for part in reversed(generators):
        for test in reversed(part.ifs):
            body = [ast.If(test, body, [])]
        body = [ast.For(part.target, part.iter, body, [], None)]
    return body


def names_in(nodes: Iterable[ast.AST]) -> set[str]:
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


def names_bound(nodes: Iterable[ast.AST]) -> set[str]:
    return {
        n.id
        for node in nodes
        for n in ast.walk(node)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
