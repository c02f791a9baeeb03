"""The tree of an exercise as text. Numbers stay exactly as written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..errors import UsageError
from ..explicit.numbers import fraction, text_of
from ..game import CHANCE

HEADS = {"max": 0, "min": 1, "chance": CHANCE}
LONGEST_NUMBER = 60  # characters that fit on a line of a sheet
_WORD = re.compile(r"[()=:]|[^()=:\s]+")
_DRAWN = 1000  # largest denominator recognized in a double


@dataclass(slots=True)
class Node:
    """A node of the tree: the player to move, or the numbers of a leaf."""

    player: int = 0
    leaf: tuple[str, ...] = ()
    odds: str = ""  # of a child of a chance node; "": all are equally likely
    children: list[Node] = field(default_factory=list)
    name: str = ""

    def walk(self) -> Iterator[Node]:
        """This node and all nodes below it, in preorder."""
        remaining = [self]
        while remaining:
            node = remaining.pop()
            yield node
            remaining += reversed(node.children)

    @property
    def leaves(self) -> list[Node]:
        """From left to right."""
        return [n for n in self.walk() if not n.children]


def letters(n: int, first: str) -> str:
    """a, b, … z, aa, ab, …"""
    name = ""
    while True:
        n, r = divmod(n, 26)
        name = chr(ord(first) + r) + name
        if n == 0:
            return name
        n -= 1


def read_nodes(text: str) -> Node:
    """The nodes of a text that `zermelo.tree` has accepted, with numbers as written."""
    words = _WORD.findall(text)
    top = Node()
    opened, fresh, at = [top], Node(), 0
    while at < len(words):
        word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
        at += 1
        if word == ")":
            opened.pop()
            continue
        if after in ("=", ":"):
            fresh.name, fresh.odds = (word, fresh.odds) if after == "=" else (fresh.name, word)
            at += 1
            continue
        opened[-1].children.append(fresh)
        if word == "(":  # a tuple: one number per player
            end = words.index(")", at)
            numbers = " ".join(words[at:end]).split(",")
            fresh.leaf = tuple(n.strip() for n in numbers)
            at = end + 1
        elif after == "(":
            head = word.partition("#")[0]
            fresh.player = HEADS[head] if head in HEADS else int(head[1:]) - 1
            opened.append(fresh)
            at += 1
        else:
            fresh.leaf = (word,)
        fresh = Node()
    return top.children[0]


def nodes_of(game: Any) -> Node:
    """The nodes of a tree in another notation (Gambit's .efg)."""
    one_number = game.players == 2 and game.zero_sum

    def node(state: Any, odds: str) -> Node:
        if game.is_terminal(state):
            players = range(1 if one_number else game.players)
            return Node(0, tuple(_double_text(game.utility(state, p)) for p in players), odds)
        mover = game.player(state)
        if mover == CHANCE:
            below = [(game.result(state, a), _double_text(p)) for a, p in game.outcomes(state)]
        else:
            below = [(game.result(state, a), "") for a in game.actions(state)]
        return Node(mover, (), odds, [node(*child) for child in below])

    return node(game.initial(), "")


def _double_text(value: float) -> str:
    """The shortest text that parses to this double: 3, 0.25, 1/3."""
    near = Fraction(value).limit_denominator(_DRAWN)
    return min(text_of(near) if float(near) == value else repr(value), repr(value), key=len)


def written(root: Node) -> str:
    """The tree as text; inner nodes are named A, B, … by level, leaves a, b, …"""
    level, inner = [root], 0
    while level:
        for node in level:
            if node.children and node is not root:
                node.name = letters(inner, "A")
                inner += 1
        level = [c for node in level for c in node.children]
    for i, leaf in enumerate(root.leaves):
        leaf.name = letters(i, "a")
    root.name = ""
    many = max(n.player for n in root.walk() if n.children) >= 2
    heads = {player: head for head, player in HEADS.items()}

    def text(node: Node) -> str:
        start = (f"{node.name}=" if node.name else "") + (f"{node.odds}:" if node.odds else "")
        if not node.children:
            numbers = ",".join(node.leaf)
            return start + (f"({numbers})" if len(node.leaf) > 1 else numbers)
        head = f"p{node.player + 1}" if many and node.player != CHANCE else heads[node.player]
        return start + f"{head}({' '.join(map(text, node.children))})"

    return text(root)


def exact_number(text: str) -> Fraction:
    """The number that `text` writes, or an error that says why an exercise cannot hold it."""
    if len(text) > LONGEST_NUMBER:
        raise UsageError(
            f"the number {text[:20]}… has {len(text)} characters",
            f"numbers of an exercise have up to {LONGEST_NUMBER}",
        )
    try:
        return fraction(text)
    except ValueError as e:
        raise UsageError(f"invalid number in an exercise: {e}", "use fewer digits") from None
