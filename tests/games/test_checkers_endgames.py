"""Endgames of checkers are numbered without a gap, and what comes before a position is found."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from positions import check_predecessors
from zermelo import _core
from zermelo.games.native import State

GAME: Any = zermelo.load("checkers")
HANDLE = GAME.handle
CLASSES = [(name, size) for name, size, _ in _core.endgame_classes(HANDLE)]
# Placements of so many pieces, side to move not counted, as published.
PUBLISHED = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774}


def pieces(name: str) -> int:
    return name.count("k") + name.count("m")


def test_sizes_are_the_published_ones() -> None:
    for count, placements in PUBLISHED.items():
        assert sum(size for name, size in CLASSES if pieces(name) == count) == 2 * placements
    assert sum(size for _, size in CLASSES) == 2 * 7_361_090
    for most, placements in ((6, 2_659_661_286), (8, 443_748_401_247)):
        handle: Any = zermelo.load(f"checkers:pieces={most}").handle  # type: ignore[attr-defined]
        assert sum(size for _, size, _ in _core.endgame_classes(handle)) == 2 * placements
    assert len({name for name, _ in CLASSES}) == len(CLASSES)


def indices(number: int, size: int) -> Any:
    """All of a small class, some of a large one."""
    if pieces(CLASSES[number][0]) <= 3 and size < 60_000:
        return range(size)
    rng = random.Random(number)
    return sorted({0, size - 1, *(rng.randrange(size) for _ in range(3000))})


@pytest.mark.parametrize("number", range(len(CLASSES)), ids=lambda n: CLASSES[n][0])
def test_numbers_and_positions_are_inverse(number: int) -> None:
    name, size = CLASSES[number]
    seen = set()
    for i in indices(number, size):
        data = HANDLE.endgame_position(number, i)
        assert HANDLE.valid(data) and HANDLE.endgame_index(data) == (number, i)
        seen.add(data)
    assert len(seen) == len(indices(number, size))
    letters = GAME.pieces(State(GAME, data))[0].values()
    for side, part in zip("bw", name.split("-"), strict=True):
        kings, men = part.count("k"), part.count("m")
        assert (sum(x == side for x in letters), sum(x == side.upper() for x in letters)) == (
            men, kings,
        )  # fmt: skip


def test_every_placement_has_its_number() -> None:
    """From the other end: random placements, and each number is used once."""
    rng = random.Random(9)
    for _ in range(3000):
        squares = rng.sample(range(1, 33), rng.randint(1, 4))
        sides: dict[str, list[str]] = {"W": [], "B": []}
        for square in squares:
            side = rng.choice("WB")
            man = rng.random() < 0.5 and (square < 29 if side == "B" else square > 4)
            sides[side].append(str(square) if man else f"K{square}")
        fen = f"{rng.choice('BW')}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"
        data = GAME.parse_state(fen).data
        number, i = HANDLE.endgame_index(data)
        assert HANDLE.endgame_position(number, i) == data
    assert HANDLE.endgame_index(GAME.initial().data) is None
    five = GAME.parse_state("B:WK1,K2,K3:BK30,K31").data
    assert HANDLE.endgame_index(five) is None
    with pytest.raises(zermelo.UsageError):
        HANDLE.endgame_before(five)
    for wrong in ((-1, 0), (len(CLASSES), 0), (0, CLASSES[0][1])):
        with pytest.raises(zermelo.UsageError):
            HANDLE.endgame_position(*wrong)


def test_moves_lead_to_the_same_or_a_lower_class() -> None:
    rng = random.Random(10)
    for number, (_, size) in enumerate(CLASSES):
        for _ in range(200):
            data = HANDLE.endgame_position(number, rng.randrange(size))
            if HANDLE.to_move(data) >= 0:
                for code in HANDLE.actions(data):
                    assert HANDLE.endgame_index(HANDLE.play(data, code))[0] <= number


@pytest.mark.parametrize("number", [i for i, (n, _) in enumerate(CLASSES) if pieces(n) <= 2])
def test_before_is_what_trying_every_position_finds(number: int) -> None:
    """Whole classes: play every move of every position, and compare."""
    size = CLASSES[number][1]
    expected: dict[int, set[int]] = {i: set() for i in range(size)}
    for i in range(size):
        data = HANDLE.endgame_position(number, i)
        if HANDLE.to_move(data) < 0:
            continue
        for code in HANDLE.actions(data):
            cls, to = HANDLE.endgame_index(HANDLE.play(data, code))
            if cls == number:
                expected[to].add(i)
    for i in range(size):
        found = [
            HANDLE.endgame_index(b)
            for b in HANDLE.endgame_before(HANDLE.endgame_position(number, i))
        ]
        assert len(set(found)) == len(found)
        assert set(found) == {(number, j) for j in expected[i]}


def test_before_and_after_agree_in_larger_classes() -> None:
    """Samples: what was before leads here, and what follows has this before it."""
    rng = random.Random(11)
    for number, (name, size) in enumerate(CLASSES):
        if pieces(name) < 3:
            continue
        for _ in range(60):
            data = HANDLE.endgame_position(number, rng.randrange(size))
            here = check_predecessors(HANDLE, data)
            if HANDLE.to_move(data) < 0:
                continue
            for code in HANDLE.actions(data):
                later = HANDLE.play(data, code)
                if HANDLE.endgame_index(later)[0] == number:
                    earlier_ones = HANDLE.endgame_before(later)
                    assert here in [HANDLE.endgame_index(b) for b in earlier_ones]


def test_near_the_draw_no_table_is_asked() -> None:
    assert HANDLE.endgame_index(GAME.parse_state("W:WK1:BK32:H20").data) is not None
    assert HANDLE.endgame_index(GAME.parse_state("W:WK1:BK32:H21").data) is None
