"""The same tree with the children of every node in another order: what move ordering is worth."""

from __future__ import annotations

from ..errors import NotSupported, UsageError
from ..game import CHANCE
from ..games.native import State
from .tree import Tree, tree

ORDERS = ("best", "worst")


def reordered(game: Tree, order: str) -> Tree:
    """Sort the children of every node by their value for the player who moves there.

    The value of the tree does not change. Alpha-beta visits the fewest leaves of a complete tree
    if the best child comes first, and prunes little or nothing if it comes last. Chance nodes keep
    their order.

    Args:
        game: An explicit tree with perfect information.
        order: "best" (best child first) or "worst" (best child last).

    Returns:
        The reordered tree. Children without a name are renumbered.

    Raises:
        UsageError: The order is unknown.
        NotSupported: The tree has information sets.

    Example:
        >>> from zermelo import search, tree
        >>> unsorted = tree("max(min(2 4 6) min(14 5 2) min(3 12 8))")
        >>> reordered(unsorted, "best").spec
        'max(min(3 8 12) min(2 4 6) min(2 5 14))'
        >>> search(unsorted, algorithm="alphabeta").leaves
        9
        >>> search(reordered(unsorted, "best"), algorithm="alphabeta").leaves
        5
    """
    if order not in ORDERS:
        raise UsageError(f"invalid order {order!r}", "expected best or worst")
    if game.labels:
        raise NotSupported("a tree with information sets cannot be reordered", "remove the #labels")
    return tree(_text(game, _sorted_children(game, order)))


def _written(value: float) -> str:
    return repr(float(value)).removesuffix(".0")


def _state(game: Tree, node: int) -> State:
    return State(game, node.to_bytes(len(game.initial().data), "little"))


def _sorted_children(game: Tree, order: str) -> list[list[tuple[int, int]]]:
    """By node: its children as (code, node), sorted. Nodes are numbered in preorder."""
    count = len(game._parent)
    values: list[tuple[float, ...]] = [()] * count
    children: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for node in reversed(range(count)):
        s = _state(game, node)
        if game.is_terminal(s):
            values[node] = tuple(game.utility(s, p) for p in range(game.players))
            continue
        player = game.player(s)
        width = int(game._first[node + 1] - game._first[node])
        below = [(code, game.child(node, code)) for code in range(width)]
        if player == CHANCE:
            odds = [p for _, p in game.outcomes(s)]
            values[node] = tuple(
                sum(p * values[c][i] for p, (_, c) in zip(odds, below, strict=True))
                for i in range(game.players)
            )
        else:
            values[node] = max((values[c] for _, c in below), key=lambda v: v[player])
            below.sort(key=lambda b: values[b[1]][player], reverse=order == "best")
        children[node] = below
    return children


def _text(game: Tree, children: list[list[tuple[int, int]]]) -> str:
    """The notation of the tree."""
    scalar = game.players == 1 or (game.players == 2 and game.zero_sum)
    parts: list[str] = []
    todo: list[str | tuple[int, str]] = [(0, "")]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, prefix = item
        s = _state(game, node)
        if game.is_terminal(s):
            numbers = [_written(game.utility(s, p)) for p in range(1 if scalar else game.players)]
            parts.append(prefix + (numbers[0] if scalar else f"({','.join(numbers)})"))
            continue
        player = game.player(s)
        word = "chance" if player == CHANCE else ("max", "min")[player] if scalar else None
        parts.append(f"{prefix}{word or f'p{player + 1}'}(")
        odds = [p for _, p in game.outcomes(s)] if player == CHANCE else []
        if len(set(odds)) == 1:
            odds = []  # equally likely: not written
        todo.append(")")
        for i, (code, child) in reversed(list(enumerate(children[node]))):
            name = game._names.get(child, "")
            label = (f"{_written(odds[code])}:" if odds else "") + (f"{name}=" if name else "")
            todo.append((child, label))
            if i:
                todo.append(" ")
    return "".join(parts)
