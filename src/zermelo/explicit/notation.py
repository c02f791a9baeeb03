"""Tree notation: ``max(min(3 12 8) min(2 4 6))``.

``max(…)``, ``min(…)`` and ``chance(…)`` are nodes with children separated by spaces. A child of a
chance node may have a probability, ``1/2:8``; without one, all are equally likely. A leaf is a
number. In a multi-player tree it is a tuple ``(1,2,6)``, and the nodes are ``p1(…)``, ``p2(…)``, …
``a1=min(…)`` names a child. Nodes with the same ``#label`` form an information set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..errors import TreeSyntaxError, suggest
from ..game import CHANCE, TERMINAL

# Parsing takes time linear in the length of the text. Quantifiers are possessive (``++``, ``*+``),
# so they never backtrack. Every character matches some alternative (``wrong`` is the last one), so
# the scanner never searches for a later start.
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


@dataclass(slots=True)
class TreeParts:
    """A tree as flat lists, one entry per node in preorder."""

    text: str
    to_move: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)  # of children of chance nodes; 0: not given
    value: list[float | tuple[float, ...]] = field(default_factory=list)  # of the leaves, in order
    names: dict[int, str] = field(default_factory=dict)
    labels: dict[int, str] = field(default_factory=dict)
    place: list[int] = field(default_factory=list)  # position in the text, for messages

    def leaves(self, text: str, at: int, parent: int) -> None:
        """Add a run of plain whole numbers at once; most leaves are such numbers."""
        values = list(map(float, text.split()))
        self.place += [at + m.start() for m in _WHOLE.finditer(text)]
        self.parent += [parent] * len(values)
        self.odds += [0.0] * len(values)
        self.to_move += [TERMINAL] * len(values)
        self.value += values

    def fail(self, at: int, message: str, hint: str = "") -> TreeSyntaxError:
        """The error, with an excerpt of the text that marks the place."""
        start = max(0, at - 40)
        line = self.text[start : at + 30].replace("\n", " ").replace("\t", " ")
        dots = "…" if start else ""
        picture = f"  {dots}{line}\n  {' ' * (at - start + len(dots))}^"
        return TreeSyntaxError(f"{message} (character {at + 1})\n{picture}", hint, at)


def _number(parts: TreeParts, text: str, at: int) -> float:
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


def _tuple(parts: TreeParts, text: str, at: int) -> tuple[float, ...]:
    words = text.split(",")
    if not all(map(_VALUE.fullmatch, words)):
        raise parts.fail(
            at,
            f"({text}) is not a tuple of numbers",
            "a leaf of a multi-player tree is a tuple, e.g. (1,2,6)",
        )
    return tuple(_number(parts, w.strip(), at) for w in words)


def _wrong_token(parts: TreeParts, at: int) -> TreeSyntaxError:
    """The error for text that does not match any token."""
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


def _ended(parts: TreeParts, at: int) -> TreeSyntaxError:
    return parts.fail(at, "there is text after the end of the tree", "a tree has exactly one root")


def read_tree(text: str) -> TreeParts:
    """Parse tree notation, without recursion: a tree may be a million levels deep."""
    parts = TreeParts(text)
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
        raise _wrong_token(parts, at)
    if not parts.parent:
        raise parts.fail(0, "the tree is empty", "e.g. max(min(3 12 8) min(2 4 6))")
    if open_nodes:
        place = parts.place[open_nodes[-1]]
        raise parts.fail(place, "the bracket of this node is not closed", "add ')'")
    return parts


_HEADS = {"max": 0, "min": 1, "chance": CHANCE}


def _add_node(parts: TreeParts, m: re.Match[str], open_nodes: list[int]) -> None:
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
