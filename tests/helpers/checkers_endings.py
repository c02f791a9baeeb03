"""Checkers endings solved backwards, with rules written here: nothing of zermelo is used.

Squares are 0 to 31, row by row from Black's side, as 1 to 32 in the game's notation. A position is
(side to move, pieces); pieces are (square, side, king), sorted. Black is side 0 and moves down.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

Piece = tuple[int, int, bool]  # square, side, king
Position = tuple[int, tuple[Piece, ...]]


def _step(square: int, down: int, right: int) -> int | None:
    row, column = divmod(square, 4)
    x = 2 * column + (1 if row % 2 == 0 else 0) + right
    row += down
    return row * 4 + x // 2 if 0 <= row < 8 and 0 <= x < 8 else None


DIRECTIONS = [(1, -1), (1, 1), (-1, -1), (-1, 1)]
NEXT = [[_step(s, *d) for d in DIRECTIONS] for s in range(32)]


def _ways(side: int, king: bool) -> range:
    return range(4) if king else range(2) if side == 0 else range(2, 4)


def _crowned(square: int, side: int, king: bool) -> bool:
    return king or square // 4 == (7 if side == 0 else 0)


def _jumps(at: int, side: int, king: bool, others: dict[int, int]) -> Iterator[tuple[int, Any]]:
    """(landing square, squares captured) of every whole capture by one piece."""
    for way in _ways(side, king):
        over = NEXT[at][way]
        landing = None if over is None else NEXT[over][way]
        if over is None or landing is None or others.get(over, side) == side or landing in others:
            continue
        rest = {s: p for s, p in others.items() if s != over}
        # A man that is crowned ends its move.
        further = [] if _crowned(landing, side, king) != king else _jumps(landing, side, king, rest)
        found = False
        for end, taken in further:
            found = True
            yield end, (over, *taken)
        if not found:
            yield landing, (over,)


def successors(position: Position) -> list[Position]:
    """The positions after every legal move; none: the side to move has lost."""
    side, pieces = position
    board = {s: p for s, p, _ in pieces}
    captures, quiet = [], []
    for piece in pieces:
        at, owner, king = piece
        if owner != side:
            continue
        others = {s: p for s, p in board.items() if s != at}
        for end, taken in _jumps(at, side, king, others):
            captures.append((piece, end, taken))
        if captures:
            continue
        for way in _ways(side, king):
            to = NEXT[at][way]
            if to is not None and to not in board:
                quiet.append((piece, to, ()))
    after = []
    for piece, end, taken in captures or quiet:
        left = [p for p in pieces if p != piece and p[0] not in taken]
        left.append((end, side, _crowned(end, side, piece[2])))
        after.append((1 - side, tuple(sorted(left))))
    return after


def placements(black: int, white: int, men: bool) -> Iterator[Position]:
    """All positions of so many pieces, kings only or men too, either side to move."""
    kinds = (False, True) if men else (True,)
    sides = (0,) * black + (1,) * white
    for squares in itertools.permutations(range(32), black + white):
        if list(squares[:black]) != sorted(squares[:black]):
            continue
        if list(squares[black:]) != sorted(squares[black:]):
            continue
        for crowns in itertools.product(kinds, repeat=len(squares)):
            pieces = tuple(sorted(zip(squares, sides, crowns, strict=True)))
            if all(king or not _crowned(s, p, False) for s, p, king in pieces):
                yield from ((0, pieces), (1, pieces))


def solve(positions: Iterable[Position]) -> dict[Position, tuple[int, int]]:
    """Retrograde analysis: (the winner, plies to the end) of all that is won; the rest is drawn.

    The positions must hold all that can be reached from them, up to one side having no piece.
    """
    before: dict[Position, list[Position]] = {}
    left: dict[Position, int] = {}
    found: dict[Position, tuple[int, int]] = {}
    layer: list[Position] = []
    for s in positions:
        after = successors(s)
        left[s] = len(after)
        for t in after:
            if not any(p[1] == t[0] for p in t[1]) and t not in found:  # has no piece left
                found[t] = (1 - t[0], 0)
                layer.append(t)
            before.setdefault(t, []).append(s)
        if not after:
            found[s] = (1 - s[0], 0)
            layer.append(s)
    plies = 0
    while layer:
        plies += 1
        fresh = []
        for t in layer:
            winner = found[t][0]
            for s in before.get(t, ()):
                left[s] -= 1
                if s not in found and (winner == s[0] or left[s] == 0):
                    found[s] = (winner, plies)
                    fresh.append(s)
        layer = fresh
    return found


def text_of(position: Position) -> str:
    """In the notation of checkers: W:WK19:BK9,K17."""
    side, pieces = position
    lists = [
        ",".join(f"{'K' if king else ''}{s + 1}" for s, p, king in pieces if p == owner)
        for owner in (1, 0)
    ]
    return f"{'BW'[side]}:W{lists[0]}:B{lists[1]}"
