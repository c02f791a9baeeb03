"""Explicit trees: ``zermelo.tree("max(min(3 12 8) min(2 4 6))")`` is a game like any other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _core
from ..checks import check_given, check_whole
from ..errors import IllegalAction, UsageError
from ..game import TERMINAL
from ..games.native import NativeGame, State
from .notation import TreeParts, read_tree
from .validation import check_names, checked_odds, count_players


class Tree(NativeGame):
    """An explicit tree. A state is a node; an action is a child's name or its number from 1."""

    def __init__(self, text: str, parts: TreeParts) -> None:
        import numpy as np  # imported late: it takes longer than the rest of zermelo

        players, width, zero_sum = count_players(parts)
        to_move = np.array(parts.to_move, dtype=np.int8)
        parent = np.array(parts.parent, dtype=np.int64)
        count = np.bincount(parent[1:], minlength=len(parent)) if len(parent) > 1 else [0]
        first = np.concatenate(([0], np.cumsum(count))).astype(np.uint32)
        children = (np.argsort(parent[1:], kind="stable") + 1).astype(np.uint32)
        odds = checked_odds(parts, to_move, parent, np.array(parts.odds))
        check_names(parts, first, children)
        numbers = {name: i + 1 for i, name in enumerate(dict.fromkeys(parts.labels.values()))}
        label = np.zeros(len(parent), dtype=np.uint32)
        for node, name in parts.labels.items():
            label[node] = numbers[name]
        payoff_at = np.cumsum(to_move == TERMINAL, dtype=np.uint32)
        payoff_at = ((payoff_at - 1) * width * (to_move == TERMINAL)).astype(np.uint32)
        payoff = np.array(parts.value, dtype=np.float64).reshape(-1)
        arrays = (to_move, first, children, odds, label, payoff_at, payoff)
        handle = _core.tree(players, width, zero_sum, *(a.tobytes() for a in arrays))
        super().__init__(text, handle)
        start = " ".join(text[:200].split())
        self.name = start if len(start) <= 60 and len(text) <= 200 else start[:57] + "..."
        self.remake: tuple[Any, ...] = (tree, (text,))  # how pickle recreates it
        self._names, self.labels = parts.names, parts.labels
        self._parent, self._first, self._children = parent, first, children

    def __reduce__(self) -> tuple[Any, ...]:
        return self.remake

    def child(self, node: int, code: int) -> int:
        return int(self._children[int(self._first[node]) + code])

    def decode_action(self, key: int, code: int) -> str | int:
        if not self._names:
            return code + 1
        return self._names.get(self.child(key, code), code + 1)

    def encode_action(self, key: int, action: Any) -> int:
        width = int(self._first[key + 1] - self._first[key])
        if isinstance(action, int) and not isinstance(action, bool):
            if 1 <= action <= width and self.decode_action(key, action - 1) == action:
                return action - 1
        elif self._names:
            for code in range(width):
                if self.decode_action(key, code) == action:
                    return code
        raise IllegalAction(f"{action!r} is not a child of this node")

    def node(self, s: State) -> int:
        """The number of the state's node, in preorder."""
        return int.from_bytes(self.data(s), "little")

    def outcomes(self, s: State) -> list[tuple[Any, float]]:
        """The outcomes of a chance node with their probabilities."""
        node = self.node(s)
        return [(self.decode_action(node, c), p) for c, p in self.handle.outcomes(self.data(s))]

    def observation(self, s: State, p: int) -> str:
        """The label of the information set, as "#I", or the moves that lead to `s`."""
        node = self.node(s)
        unsure = node in self.labels and self.handle.to_move(self.data(s)) == p
        return f"#{self.labels[node]}" if unsure else self.format_state(s)

    def format_state(self, s: State) -> str:
        path: list[str] = []
        node = self.node(s)
        while node:
            up = int(self._parent[node])
            kids = self._children[int(self._first[up]) : int(self._first[up + 1])]
            path.append(str(self.decode_action(up, int((kids == node).argmax()))))
            node = up
        return " ".join(reversed(path))

    def svg(self, s: State) -> str:
        """The tree below `s` before a search."""
        from ..search.adapter import adapt
        from ..search.tracing import drawn_tree
        from ..view.tree_svg import tree_svg

        return tree_svg(drawn_tree(adapt(self), self.data(s)))

    def _repr_svg_(self) -> str:
        return self.svg(self.initial())

    def board(self, s: State) -> str:
        return self.format_state(s) or "(root)"


def tree(text: str) -> Tree:
    """Build a game from tree notation or from the text of an .efg file.

    Args:
        text: The tree, e.g. ``"max(min(3 12 8) min(2 4 6))"``, or the text of an .efg file.

    Returns:
        The tree as a game.

    Raises:
        TreeSyntaxError: The text is not a tree; `position` is the wrong character.
        UsageError: The text is not a string, or the .efg text is invalid.

    Example:
        >>> import zermelo
        >>> zermelo.solve(zermelo.tree("max(min(3 12 8) min(2 4 6))")).value
        3.0
    """
    if not isinstance(text, str):
        raise UsageError(
            f"a tree must be a string, not {type(text).__name__}", "e.g. max(3 min(2 5))"
        )
    text = text.removeprefix("\ufeff")  # a byte order mark
    if text.lstrip()[:3] == "EFG":
        from .efg import read_efg

        return read_efg(text)
    return Tree(text, read_tree(text))


def complete(branching: int, depth: int, leaves: Iterable[float], root: str = "max") -> Tree:
    """A complete tree with these leaves; levels alternate between MAX and MIN."""
    try:
        values = [float(v) + 0.0 for v in check_given("leaves", leaves)]
    except (TypeError, ValueError):
        raise UsageError("a leaf is not a number", "expected numbers, e.g. [3, 12, 8]") from None
    check_whole("branching", branching, 1, len(values) + 1)
    check_whole("depth", depth, 0, 1_000_000 if branching == 1 else len(values) + 1)
    if len(values) != branching**depth:
        raise UsageError(
            f"a complete tree of branching {branching} and depth {depth} does not have "
            f"{len(values)} leaves",
            f"expected {branching}**{depth} leaves",
        )
    if not all(v - v == 0 for v in values):
        raise UsageError("a leaf is not a finite number", "check for NaN and infinity")
    parts = TreeParts(f"complete({branching} {depth} {hash(tuple(values)) & 0xFFFFFFFF:08x})")
    remaining = [(-1, 0)]
    taken = iter(values)
    while remaining:
        parent, level = remaining.pop()
        node = len(parts.parent)
        parts.parent.append(parent)
        parts.odds.append(0.0)
        if level == depth:
            parts.to_move.append(TERMINAL)
            parts.value.append(next(taken))
        else:
            parts.to_move.append((level + (root == "min")) % 2)
            remaining += [(node, level + 1)] * branching
    made = Tree(parts.text, parts)
    made.remake = (complete, (branching, depth, values, root))
    return made
