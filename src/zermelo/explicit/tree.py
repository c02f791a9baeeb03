"""Explicit trees: ``zermelo.tree("max(min(3 12 8) min(2 4 6))")`` is a game like any other.

``max(…)``, ``min(…)``, ``chance(…)`` are nodes, children separated by blanks. A chance child may
carry its probability, ``1/2:8``; without one all are equally likely. A leaf is a number, or a tuple
``(1,2,6)`` in a game of many players, whose nodes are ``p1(…)``, ``p2(…)``… A child may be named:
``a1=min(…)``. Nodes with the same ``#label`` look alike to the player who moves there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .. import _core
from ..checks import check_given, check_whole
from ..errors import IllegalAction, TreeSyntaxError, UsageError, suggest
from ..game import CHANCE, TERMINAL
from ..games.native import NativeGame, State

# Reading takes time linear in the text. Quantifiers are possessive (``++``, ``*+``) so that what
# they matched is never given back, and every character matches some alternative (``wrong`` is the
# last one) so that the scanner never looks for a later start.
_NUMBER = r"(?>[-+−]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?)"
_FRACTION = rf"{_NUMBER}(?>/{_NUMBER})?"
_TOKEN = re.compile(
    rf"""(?P<plain>(?:\d{{1,15}}+(?:\s++(?!:)|(?=\)))){{1,2000}}+)|\s*+(?:
      (?:(?P<odds>{_FRACTION})\s*+:\s*+)?
      (?:(?P<name>[A-Za-z_][\w']*+)\s*+=\s*+)?
      (?:(?P<odds2>{_FRACTION})\s*+:\s*+)?
      (?:(?P<head>max|min|chance|p[1-9]\d?)(?:\#(?P<label>\w++))?\s*+\(
        |(?P<number>{_FRACTION})(?=[\s()]|$)
        |\((?P<tuple>[^()]*+)\))
      |(?P<close>\)))\s*+|(?P<wrong>.)""",
    re.VERBOSE | re.DOTALL,
)
_WHOLE = re.compile(r"\d+")
_VALUE = re.compile(rf"\s*+{_FRACTION}\s*+")
_COMMA = re.compile(rf"\s*+(?:{_NUMBER}\s*+)?,")
_WORD = re.compile(r"\s*+([A-Za-z_]\w{0,80})")
MOST_PLAYERS = 64


@dataclass(slots=True)
class _Parts:
    """The tree while it is read, by node in preorder."""

    text: str
    to_move: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)  # of a chance node's child; 0: not given
    value: list[float | tuple[float, ...]] = field(default_factory=list)  # of the leaves, in order
    names: dict[int, str] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)
    place: list[int] = field(default_factory=list)  # where in the text, for messages

    def leaves(self, text: str, at: int, parent: int) -> None:
        """Leaves that are whole numbers and nothing else, as most nodes are: all at once."""
        values = list(map(float, text.split()))
        self.place += [at + m.start() for m in _WHOLE.finditer(text)]
        self.parent += [parent] * len(values)
        self.odds += [0.0] * len(values)
        self.to_move += [TERMINAL] * len(values)
        self.value += values

    def fail(self, at: int, message: str, hint: str = "") -> TreeSyntaxError:
        """The error, with a picture of the place."""
        start = max(0, at - 40)
        line = self.text[start : at + 30].replace("\n", " ").replace("\t", " ")
        dots = "…" if start else ""
        picture = f"  {dots}{line}\n  {' ' * (at - start + len(dots))}^"
        return TreeSyntaxError(f"{message} (character {at + 1})\n{picture}", hint, at)


def _number(parts: _Parts, text: str, at: int) -> float:
    if text.isdecimal() and len(text) < 300:
        return float(text)
    try:
        top, slash, bottom = text.replace("−", "-").partition("/")
        value = float(top) / float(bottom) if slash else float(top)
    except ZeroDivisionError:
        raise parts.fail(at, f"{text} divides by zero", "give a finite number") from None
    if value - value != 0:
        raise parts.fail(at, f"the number {text} is too large", "give a smaller number")
    return value + 0.0


def _tuple(parts: _Parts, text: str, at: int) -> tuple[float, ...]:
    words = text.split(",")
    if not all(map(_VALUE.fullmatch, words)):
        raise parts.fail(
            at,
            f"({text}) is not a tuple of numbers",
            "a leaf of a multi-player tree is a tuple, e.g. (1,2,6)",
        )
    return tuple(_number(parts, w.strip(), at) for w in words)


def _wrong_token(parts: _Parts, at: int, open_nodes: list[int]) -> TreeSyntaxError:
    """Why the text at `at` cannot be read."""
    if not parts.text.strip():
        return parts.fail(0, "the tree is empty", "e.g. max(min(3 12 8) min(2 4 6))")
    comma = _COMMA.match(parts.text, at)
    if comma:
        place = comma.end() - 1
        return parts.fail(place, "there is a comma between children", "separate children by spaces")
    word = _WORD.match(parts.text, at)
    if word:
        near = suggest(word[1].lower(), ["max", "min", "chance"])
        hint = near if near.startswith("did") else ""
        hint = hint or "expected max(…), min(…), chance(…), p1(…), …; name a child with a1=min(…)"
        return parts.fail(at, f"{word[1]!r} is neither a node nor a number", hint)
    sign = parts.text[at:].lstrip()[:1]
    return parts.fail(at, f"{sign!r} is not expected here", "see zermelo tree --help")


def _ended(parts: _Parts, at: int) -> TreeSyntaxError:
    return parts.fail(at, "there is text after the end of the tree", "a tree has exactly one root")


def _read(text: str) -> _Parts:
    """Reads the text into parts, without recursion: a tree may be a million deep."""
    parts = _Parts(text)
    open_nodes: list[int] = []
    at = 0
    for m in _TOKEN.finditer(text):
        if m.lastgroup == "wrong":
            break
        at = m.end()
        if m.lastgroup == "plain" and open_nodes:
            parts.leaves(m["plain"], m.start(), open_nodes[-1])
            continue
        if m.lastgroup == "plain" and not parts.parent:  # a single leaf
            parts.leaves(m["plain"], m.start(), -1)
            if len(parts.parent) > 1:
                raise _ended(parts, parts.place[1])
            continue
        if m["close"]:
            start = m.start("close")
            if not open_nodes:
                raise parts.fail(start, "there is no '(' for this ')'", "remove it")
            node = open_nodes.pop()
            if node == len(parts.parent) - 1:
                raise parts.fail(start, "a node has no children", "e.g. max(3 5)")
            continue
        if parts.parent and not open_nodes:
            raise _ended(parts, m.start())
        _add_node(parts, m, open_nodes)
    if at != len(text):
        raise _wrong_token(parts, at, open_nodes)
    if not parts.parent:
        raise parts.fail(0, "the tree is empty", "e.g. max(min(3 12 8) min(2 4 6))")
    if open_nodes:
        place = parts.place[open_nodes[-1]]
        raise parts.fail(place, "the bracket of this node is not closed", "add ')'")
    return parts


_HEADS = {"max": 0, "min": 1, "chance": CHANCE}


def _add_node(parts: _Parts, m: re.Match[str], open_nodes: list[int]) -> None:
    _, _, name, _, head, label, number, tuple_, _, _ = m.groups()
    odds = m["odds"] or m["odds2"]
    node = len(parts.parent)
    parts.parent.append(open_nodes[-1] if open_nodes else -1)
    parts.place.append(m.start(m.lastgroup or 0) if number is None else m.start("number"))
    if odds is None:
        parts.odds.append(0.0)
    else:
        where = m.start("odds") if m["odds"] else m.start("odds2")
        if not open_nodes or parts.to_move[open_nodes[-1]] != CHANCE:
            raise parts.fail(
                where,
                "only children of chance nodes have probabilities",
                "e.g. chance(1/2:8 1/2:4)",
            )
        p = _number(parts, odds, where)
        if not 0 < p <= 1:
            raise parts.fail(
                where, f"the probability {odds} is not between 0 and 1", "e.g. 1/2:8 or 0.25:8"
            )
        parts.odds.append(p)
    if name is not None:
        parts.names[node] = name
    if head is not None:
        parts.to_move.append(_HEADS[head] if head in _HEADS else int(head[1:]) - 1)
        open_nodes.append(node)
        if label is not None:
            parts.labels[node] = label
        parts.place[node] = m.start("head")
    else:
        parts.to_move.append(TERMINAL)
        if number is not None:
            parts.value.append(_number(parts, number, m.start("number")))
        else:
            parts.value.append(_tuple(parts, tuple_, m.start("tuple")))


def _players(parts: _Parts) -> tuple[int, int, bool]:
    """How many players, numbers a leaf, and whether they add up to zero; all leaves alike."""
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
    if n > MOST_PLAYERS:
        raise parts.fail(
            parts.place[0], f"the leaves have {n} values", f"expected at most {MOST_PLAYERS}"
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


def _check_odds(parts: _Parts, to_move: Any, parent: Any, odds: Any) -> Any:
    """Equal odds where none are given; else they must be complete and add up to 1."""
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


def _check_names(parts: _Parts, first: Any, children: Any) -> None:
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


class Tree(NativeGame):
    """An explicit tree. A state is a node; an action a child's name, or its number from 1."""

    def __init__(self, text: str, parts: _Parts) -> None:
        import numpy as np  # here, since importing it takes longer than the rest of zermelo

        players, width, zero_sum = _players(parts)
        to_move = np.array(parts.to_move, dtype=np.int8)
        parent = np.array(parts.parent, dtype=np.int64)
        count = np.bincount(parent[1:], minlength=len(parent)) if len(parent) > 1 else [0]
        first = np.concatenate(([0], np.cumsum(count))).astype(np.uint32)
        children = (np.argsort(parent[1:], kind="stable") + 1).astype(np.uint32)
        odds = _check_odds(parts, to_move, parent, np.array(parts.odds))
        _check_names(parts, first, children)
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
        self.remake: tuple[Any, ...] = (tree, (text,))  # how pickle makes it again
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
        """The number of the state's node, in reading order."""
        return int.from_bytes(self.data(s), "little")

    def outcomes(self, s: State) -> list[tuple[Any, float]]:
        """What chance may do in `s`, with the odds."""
        node = self.node(s)
        return [(self.decode_action(node, c), p) for c, p in self.handle.outcomes(self.data(s))]

    def observation(self, s: State, p: int) -> str:
        """Equal where player `p` cannot tell states apart: "#I" by the label, else the moves."""
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
        """The tree below `s`, not searched yet."""
        from ..search.adapter import adapt
        from ..search.tracing import drawn_tree
        from ..view.tree_svg import tree_svg

        return tree_svg(drawn_tree(adapt(self), self.data(s)))

    def _repr_svg_(self) -> str:
        return self.svg(self.initial())

    def board(self, s: State) -> str:
        return self.format_state(s) or "(root)"


def tree(text: str) -> Tree:
    """Build a game from tree notation or from the text of an .efg file."""
    if not isinstance(text, str):
        raise UsageError(
            f"a tree must be a string, not {type(text).__name__}", "e.g. max(3 min(2 5))"
        )
    text = text.removeprefix("\ufeff")  # a byte order mark
    if text.lstrip()[:3] == "EFG":
        from .efg import read_efg

        return read_efg(text)
    return Tree(text, _read(text))


def complete(branching: int, depth: int, leaves: Iterable[float], root: str = "max") -> Tree:
    """The complete tree with these leaves, levels in turn MAX and MIN, made without text."""
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
    parts = _Parts(f"complete({branching} {depth} {hash(tuple(values)) & 0xFFFFFFFF:08x})")
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
