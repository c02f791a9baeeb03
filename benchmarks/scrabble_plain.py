"""A Scrabble move generator in plain Python: Appel and Jacobson's algorithm over a trie.

The baseline of scrabble.py. It finds the same plays as the native one, as (cell, down, letters).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

SIZE = 15
Trie = dict[str, Any]
LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def trie_of(words: Iterable[str]) -> Trie:
    """Words in capitals; "." marks an end."""
    root: Trie = {}
    for word in words:
        node = root
        for c in word:
            node = node.setdefault(c, {})
        node["."] = {}
    return root


def plays(trie: Trie, board: str, rack: str) -> Iterator[tuple[int, bool, str]]:
    """All plays on a board of 225 letters (lower case: blanks; ".": free)."""
    rows = [board[SIZE * y : SIZE * (y + 1)] for y in range(SIZE)]
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    for down, lines in ((False, rows), (True, columns)):
        for number in range(SIZE):
            for first, word in Line(trie, lines, number, rack, down).plays():
                cell = first * SIZE + number if down else number * SIZE + first
                yield cell, down, word


class Line:
    """One row (or column) with its cross-checks."""

    def __init__(self, trie: Trie, lines: list[str], number: int, rack: str, down: bool) -> None:
        self.trie, self.down = trie, down
        self.tiles = lines[number]
        self.rack = {c: rack.count(c) for c in rack}
        empty = all(set(line) == {"."} for line in lines)
        self.crossed = [False] * SIZE
        self.allowed = [LETTERS] * SIZE
        self.anchors = []
        for x in range(SIZE):
            if self.tiles[x] != ".":
                continue
            before = after = ""
            y = number
            while y > 0 and lines[y - 1][x] != ".":
                y -= 1
                before = lines[y][x].upper() + before
            y = number
            while y < SIZE - 1 and lines[y + 1][x] != ".":
                y += 1
                after += lines[y][x].upper()
            if before or after:
                self.crossed[x] = True
                self.allowed[x] = frozenset(c for c in LETTERS if self.known(before + c + after))
            beside = self.tiles[max(0, x - 1) : x + 2] != "." * len(
                self.tiles[max(0, x - 1) : x + 2]
            )
            if (x == number == 7) if empty else (beside or self.crossed[x]):
                self.anchors.append(x)
        self.found: list[tuple[int, str]] = []

    def known(self, word: str) -> bool:
        node: Trie | None = self.trie
        for c in word:
            node = node.get(c) if node is not None else None
        return node is not None and "." in node

    def plays(self) -> list[tuple[int, str]]:
        for anchor in self.anchors:
            self.anchor = anchor
            if anchor and self.tiles[anchor - 1] != ".":
                first = anchor
                while first and self.tiles[first - 1] != ".":
                    first -= 1
                node: Trie | None = self.trie
                for c in self.tiles[first:anchor]:
                    node = node.get(c.upper()) if node is not None else None
                if node is not None:
                    self.right(self.tiles[first:anchor], node, anchor, 0)
            else:
                room, x = 0, anchor - 1
                while x >= 0 and self.tiles[x] == "." and x not in self.anchors:
                    room, x = room + 1, x - 1
                self.left("", self.trie, room, 0)
        return self.found

    def left(self, word: str, node: Trie, room: int, laid: int) -> None:
        self.right(word, node, self.anchor, laid)
        if room:
            for c, to in self.letters(node, LETTERS):
                self.left(word + c, to, room - 1, laid + 1)

    def right(self, word: str, node: Trie, x: int, laid: int) -> None:
        free = x == SIZE or self.tiles[x] == "."
        if free and x > self.anchor and "." in node:
            two = self.down and laid == 1 and self.crossed[self.single(word, x)]
            if not two:
                self.found.append((x - len(word), word))
        if x == SIZE:
            return
        if not free:
            c = self.tiles[x]
            if c.upper() in node:
                self.right(word + c, node[c.upper()], x + 1, laid)
            return
        for c, to in self.letters(node, self.allowed[x]):
            self.right(word + c, to, x + 1, laid + 1)

    def single(self, word: str, end: int) -> int:
        """Where the single tile of a play is."""
        return next(x for x in range(end - len(word), end) if self.tiles[x] == ".")

    def letters(self, node: Trie, allowed: frozenset[str]) -> Iterator[tuple[str, Trie]]:
        for c, to in node.items():
            if c not in allowed:
                continue
            for tile, shown in ((c, c), ("?", c.lower())):
                if self.rack.get(tile):
                    self.rack[tile] -= 1
                    yield shown, to
                    self.rack[tile] += 1
