"""Tactical features of Go moves against a slow implementation with sets of points."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import _core
from zermelo.games.go.notation import parse_vertex

SIZE = 7
PASS_GROUP, CAPTURE, ESCAPE, ATARI, SQUEEZE, EXTEND, CONNECT, LINE = _core.go_feature_groups[:8]
SELF_ATARI = ESCAPE + 3
Cells = dict[int, str]


def near(p: int) -> list[int]:
    row, column = divmod(p, SIZE)
    around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
    return [r * SIZE + c for r, c in around if 0 <= r < SIZE and 0 <= c < SIZE]


def chain(cells: Cells, p: int) -> tuple[set[int], set[int]]:
    """The stones and liberties of the chain at p."""
    stones, liberties, todo = {p}, set(), [p]
    while todo:
        for q in near(todo.pop()):
            if cells[q] == ".":
                liberties.add(q)
            elif cells[q] == cells[p] and q not in stones:
                stones.add(q)
                todo.append(q)
    return stones, liberties


def put(cells: Cells, p: int, colour: str) -> Cells | None:
    """The board after a play; None: suicide."""
    after = cells | {p: colour}
    for q in near(p):
        if after[q] not in (".", colour):
            stones, liberties = chain(after, q)
            if not liberties:
                after |= dict.fromkeys(stones, ".")
    return after if chain(after, p)[1] else None


def other(colour: str) -> str:
    return "O" if colour == "X" else "X"


class TooDeep(Exception):
    """A ladder that is not read to its end; with ko it may have none."""


def attack(cells: Cells, prey: int, plies: int = 0) -> bool:
    """Whether ataris capture the chain, the attacker to move."""
    if plies > 24:
        raise TooDeep
    liberties = chain(cells, prey)[1]
    if len(liberties) != 2:
        return len(liberties) < 2
    boards = [put(cells, p, other(cells[prey])) for p in liberties]
    return any(b is not None and not escape(b, prey, plies + 1) for b in boards)


def escape(cells: Cells, prey: int, plies: int = 0) -> bool:
    """Whether the chain in atari is saved, its owner to move."""
    stones, liberties = chain(cells, prey)
    moves = set(liberties)
    for p in stones:
        for q in near(p):
            if cells[q] == other(cells[prey]):
                theirs = chain(cells, q)[1]
                moves |= theirs if len(theirs) == 1 else set()
    for p in moves:
        b = put(cells, p, cells[prey])
        saved = b is not None and len(chain(b, prey)[1]) > 1
        if saved and b is not None and not attack(b, prey, plies + 1):
            return True
    return False


def size_class(stones: int) -> int:
    return (stones > 1) + (stones > 3)


def slow_features(cells: Cells, p: int, colour: str) -> set[int]:
    """The tactical features of a play at p."""
    after = put(cells, p, colour)
    assert after is not None
    own, theirs = (
        {frozenset(chain(cells, q)[0]) for q in near(p) if cells[q] == c}
        for c in (colour, other(colour))
    )
    liberties = {c: len(chain(cells, min(c))[1]) for c in own | theirs}
    found = set()
    captures = [capture_kind(cells, c, colour) for c in theirs if liberties[c] == 1]
    ataris = [(len(c) > 1) + 2 * (not escape(after, min(c))) for c in theirs if liberties[c] == 2]
    squeezes = [size_class(len(c)) for c in theirs if liberties[c] == 3]
    for group, kinds in ((CAPTURE, captures), (ATARI, ataris), (SQUEEZE, squeezes)):
        if kinds:
            found.add(group + max(kinds))
    weak = min(map(liberties.get, own), default=9) <= 2
    if len(own) > 1:
        found.add(CONNECT + weak)
    return found | growth(cells, after, p, own, liberties)


def capture_kind(cells: Cells, captured: frozenset[int], colour: str) -> int:
    saves = any(
        cells[q] == colour and len(chain(cells, q)[1]) == 1 for s in captured for q in near(s)
    )
    return 2 if saves else int(len(captured) > 1)


def growth(cells: Cells, after: Cells, p: int, own: Any, liberties: Any) -> set[int]:
    """Self-atari, escape or extension."""
    stones, gained = chain(after, p)
    joined = 1 + sum(map(len, own))
    assert joined == len(stones)
    if len(gained) == 1:
        return {SELF_ATARI + size_class(joined)}
    if any(liberties[c] == 1 for c in own):
        return {ESCAPE + (1 if len(gained) > 2 else 2 * attack(after, p))}
    if any(liberties[c] == 2 for c in own) and len(gained) > 2:
        return {EXTEND + (len(gained) > 3)}
    return set()


@pytest.mark.parametrize("seed", range(6))
def test_tactical_features_equal_the_slow_ones(seed: int) -> None:
    game: Any = zermelo.load(f"go:size={SIZE}")
    rng = random.Random(seed)
    seen: set[int] = set()
    for _ in range(25):
        s = game.initial()
        for _ in range(rng.randint(8, 40)):
            if not game.is_terminal(s):
                s = game.result(s, rng.choice(game.actions(s)[:-1] or ["pass"]))
        if game.is_terminal(s):
            continue
        cells = dict(enumerate("".join(game.rows(s))))
        colour = "XO"[game.player(s)]
        rows = np.frombuffer(game.native.features(game.data(s)), np.uint16)
        for action, row in zip(
            game.actions(s), rows.reshape(-1, _core.go_features_each), strict=True
        ):
            point = parse_vertex(str(action), SIZE)
            if point is None:
                continue
            found = {int(f) for f in row if CAPTURE <= f < LINE}
            captures_nothing = not any(
                cells[q] == other(colour) and len(chain(cells, q)[1]) == 1 for q in near(point)
            )
            try:
                slow = slow_features(cells, point, colour)
            except TooDeep:
                continue
            if captures_nothing:  # liberties after a capture are estimated
                assert found == slow, (game.board(s), action)
            else:
                assert {f for f in found if f < ESCAPE} == {f for f in slow if f < ESCAPE}
            seen |= found
    assert len(seen) >= 15


def test_a_stone_on_its_way_breaks_a_ladder() -> None:
    """White's stone D4 is in atari. D5 gives it two liberties, and a ladder leads to the corner."""
    game: Any = zermelo.load("go:size=9")
    start = (
        "........./........./........./........./..X....../..XOX..../...X...../........./........."
    )
    for breaker, kind in ((None, 2), (2 * 10 + 6, 0)):  # G7, in rows of 10 characters
        rows = start if breaker is None else start[:breaker] + "O" + start[breaker + 1 :]
        s = game.parse_state(f"{rows} white")
        actions = [str(a) for a in game.actions(s)]
        features = np.frombuffer(game.native.features(game.data(s)), np.uint16)
        row = features.reshape(-1, _core.go_features_each)[actions.index("D5")]
        assert [int(f) - ESCAPE for f in row if ESCAPE <= f < SELF_ATARI] == [kind]
