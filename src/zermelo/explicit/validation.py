"""Checks of a parsed tree: players, probabilities and information sets."""

from __future__ import annotations

from typing import Any

from ..game import CHANCE, TERMINAL
from .notation import TreeParts

MAX_PLAYERS = 64


def count_players(parts: TreeParts) -> tuple[int, int, bool]:
    """The number of players, the number of values per leaf, and whether the tree is zero-sum."""
    width = {len(v) if isinstance(v, tuple) else 1 for v in parts.value}
    if len(width) > 1:
        kinds = [len(v) if isinstance(v, tuple) else 1 for v in parts.value]
        odd = next(i for i, k in enumerate(kinds) if k != kinds[0])
        leaf = [i for i, p in enumerate(parts.to_move) if p == TERMINAL][odd]
        raise parts.fail(
            parts.place[leaf],
            "this leaf and the first one have different numbers of values",
            "give one value per player at every leaf, e.g. (1,2,6)",
        )
    movers = max((p for p in parts.to_move if p >= 0), default=0) + 1
    n = width.pop()
    if n == 1:
        if movers > 2:
            node = next(i for i, p in enumerate(parts.to_move) if p >= 2)
            raise parts.fail(
                parts.place[node],
                "a tree with three or more players needs a tuple at every leaf",
                "e.g. (1,2,6)",
            )
        return 2, 1, True
    if n > MAX_PLAYERS:
        raise parts.fail(
            parts.place[0], f"the leaves have {n} values", f"expected at most {MAX_PLAYERS}"
        )
    if movers > n:
        node = next((i for i, p in enumerate(parts.to_move) if p >= n), 0)
        raise parts.fail(
            parts.place[node],
            f"the leaves have {n} values, but there are {movers} players",
            "give one value per player at every leaf, e.g. (1,2,6)",
        )
    sums = (abs(sum(v)) for v in parts.value if isinstance(v, tuple))
    return n, n, n == 2 and all(s < 1e-9 for s in sums)


def checked_odds(parts: TreeParts, to_move: Any, parent: Any, odds: Any) -> Any:
    """The probabilities, equal where none are given; otherwise they must add up to 1."""
    import numpy as np

    below = np.zeros(len(parent), dtype=bool)
    below[1:] = to_move[parent[1:]] == CHANCE
    if not below.any():
        return odds
    count = np.bincount(parent[below], minlength=len(parent))
    given = np.bincount(parent[below], weights=odds[below] > 0, minlength=len(parent))
    total = np.bincount(parent[below], weights=odds[below], minlength=len(parent))
    partly = np.flatnonzero((given > 0) & (given < count))
    if partly.size:
        raise parts.fail(
            parts.place[int(partly[0])],
            "only some children of this chance node have a probability",
            "give all of them a probability, or none",
        )
    wrong = np.flatnonzero((given > 0) & (np.abs(total - 1) > 1e-9))
    if wrong.size:
        node = int(wrong[0])
        raise parts.fail(
            parts.place[node],
            f"the probabilities of this chance node sum to {total[node]:g}, not 1",
            "write fractions, e.g. chance(1/3:2 2/3:5), or omit them all",
        )
    odds = odds.copy()
    even = below & (odds == 0)
    odds[even] = 1.0 / count[parent[even]]
    return odds


def check_names(parts: TreeParts, first: Any, children: Any) -> None:
    """Children of a node have different names; nodes of an information set have the same moves."""
    seen: set[tuple[int, str]] = set()
    for node, name in parts.names.items():
        if (parts.parent[node], name) in seen:
            raise parts.fail(
                parts.place[node], f"two children of a node are called {name!r}", "rename one"
            )
        seen.add((parts.parent[node], name))
    sets: dict[tuple[str, int], tuple[int, list[str]]] = {}
    for node, label in parts.labels.items():
        who = parts.to_move[node]
        kids = children[first[node] : first[node + 1]]
        shape = [parts.names.get(int(c), str(i + 1)) for i, c in enumerate(kids)]
        known = sets.setdefault((label, 0), (who, shape))
        if known != (who, shape):
            raise parts.fail(
                parts.place[node],
                f"the nodes labelled #{label} have different players or moves",
                "all nodes of an information set need the same player and moves",
            )
