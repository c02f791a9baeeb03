"""Endgames of chess: images of a position have one number, and moves undone are all of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from positions import check_predecessors
from zermelo import _core
from zermelo.games.native import State

GAME: Any = zermelo.load("chess")
HANDLE = GAME.handle
CLASSES = [(name, size) for name, size, _ in _core.endgame_classes(HANDLE)]
NUMBERS = {name: number for number, (name, _) in enumerate(CLASSES)}
SMALL = ("KQK", "KRK", "KPK")
EP = 2 * 14 * 1806  # positions of KPKP in which a pawn may be taken in passing, holes included


def some(name: str, count: int, rng: random.Random, last: int = 0) -> list[bytes]:
    """Random positions of a class, or of its last numbers."""
    number, size = NUMBERS[name], CLASSES[NUMBERS[name]][1]
    found: list[bytes] = []
    while len(found) < count:
        data = HANDLE.endgame_position(number, rng.randrange(size - last if last else 0, size))
        if data is not None:
            found.append(data)
    return found


def test_the_classes() -> None:
    """All that can be won of three and four men; captures and promotions lead down."""
    assert len(CLASSES) == 3 + 30 == len(NUMBERS)
    assert [name for name, _ in CLASSES[:3]] == list(SMALL)
    assert {"KBNK", "KQKR", "KRKP", "KPPK", "KPKP", "KNNK"} < set(NUMBERS)
    for name, number in NUMBERS.items():
        lower = [CLASSES[i][0] for i in _core.lower_classes(HANDLE, number)]
        assert all(NUMBERS[x] < number and len(x) <= len(name) for x in lower)
    lower = [CLASSES[i][0] for i in _core.lower_classes(HANDLE, NUMBERS["KRKP"])]
    assert lower == ["KQK", "KRK", "KPK", "KQKR", "KRKR", "KRKB", "KRKN"]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_and_positions_are_inverse(name: str) -> None:
    rng = random.Random(name)
    men = [name[0] + name[1:].split("K")[0], "K" + name[1:].split("K")[1].lower()]
    for data in some(name, 500, rng) + (some(name, 500, rng, EP) if name == "KPKP" else []):
        assert HANDLE.valid(data)
        number, index = HANDLE.endgame_index(data)
        assert number == NUMBERS[name] and HANDLE.endgame_position(number, index) == data
        letters = _core.chess_parts(data)[0].replace(".", "")
        assert sorted(letters.lower()) == sorted("".join(men).lower())
        assert sorted(filter(str.isupper, letters)) == sorted(men[0])


def images(data: bytes, pawns: bool) -> list[tuple[bytes, bool]]:
    """The position turned, mirrored and with the sides changed; whether they are."""
    men, mover, _, ep, *_ = _core.chess_parts(data)
    maps = [lambda r, f: (r, f), lambda r, f: (r, 7 - f)]
    if not pawns:
        maps += [lambda r, f: (7 - r, f), lambda r, f: (7 - r, 7 - f)]
        maps += [lambda r, f, m=m: m(f, r) for m in maps]  # type: ignore[misc]
    found = []
    for to in maps:
        for swapped in (False, True):
            place = ["."] * 64

            def at(square: int, to: Any = to, swapped: bool = swapped) -> int:
                r, f = to(square >> 3, square & 7)
                return 8 * (7 - r if swapped else r) + f

            for square, man in enumerate(men):
                place[at(square)] = man.swapcase() if swapped else man
            other = _core.chess_state("".join(place), mover ^ swapped, 0, at(ep) if ep else 0, 0, 1)
            assert isinstance(other, bytes), other
            found.append((other, swapped))
    return found


@pytest.mark.parametrize("name", NUMBERS)
def test_images_have_one_number(name: str) -> None:
    rng = random.Random(name)
    alike = name[1:].split("K")[0] == name[1:].split("K")[1]  # then each side has its own
    for data in some(name, 60, rng) + (some(name, 60, rng, EP) if name == "KPKP" else []):
        here = HANDLE.endgame_index(data)
        for other, swapped in images(data, "P" in name):
            if not (alike and swapped):
                assert HANDLE.endgame_index(other) == here


def test_what_is_in_no_class() -> None:
    for fen in (
        "startpos",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
        "8/8/8/8/8/8/8/K1kN4 w - - 0 1",
        "8/8/8/8/8/8/8/K1kB4 b - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/2QRK2R w - - 0 1",
    ):
        data = GAME.parse_state(fen).data
        assert HANDLE.endgame_index(data) is None
        with pytest.raises(zermelo.UsageError):
            HANDLE.endgame_before(data)
    castled = GAME.parse_state("4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1").data
    assert HANDLE.endgame_index(castled)[0] == NUMBERS["KRK"]
    late = GAME.parse_state("4k3/8/8/8/8/8/8/4K2R w - - 70 90 moves e1f2 e8d8").data
    assert HANDLE.endgame_index(late) == HANDLE.endgame_index(
        GAME.parse_state("3k4/8/8/8/8/8/5K2/7R w - - 0 1").data
    )


@pytest.mark.parametrize("name", ["KRK", "KPK"])
def test_before_is_what_trying_every_position_finds(name: str) -> None:
    """Whole classes: play every move of every position, and compare."""
    number, size = NUMBERS[name], CLASSES[NUMBERS[name]][1]
    expected: dict[int, set[int]] = {}
    for i in range(size):
        data = HANDLE.endgame_position(number, i)
        if data is None:
            continue
        expected.setdefault(i, set())
        if HANDLE.to_move(data) < 0:
            continue
        for code in HANDLE.actions(data):
            to = HANDLE.endgame_index(HANDLE.play(data, code))
            if to is not None and to[0] == number:
                expected.setdefault(to[1], set()).add(i)
    for i in random.Random(name).sample(sorted(expected), 10_000):
        before = HANDLE.endgame_before(HANDLE.endgame_position(number, i))
        assert {HANDLE.endgame_index(b) for b in before} == {(number, j) for j in expected[i]}


@pytest.mark.parametrize("name", [n for n in NUMBERS if n not in SMALL])
def test_before_and_after_agree_in_larger_classes(name: str) -> None:
    """Samples: what was before leads here, and what follows has this before it."""
    rng = random.Random(name)
    for data in some(name, 40, rng) + (some(name, 300, rng, EP) if name == "KPKP" else []):
        here = check_predecessors(HANDLE, data)
        if HANDLE.to_move(data) < 0:
            continue
        for code in HANDLE.actions(data):
            later = HANDLE.play(data, code)
            to = HANDLE.endgame_index(later)
            if to is None:
                assert HANDLE.to_move(later) == -2  # dead
            elif to[0] == here[0]:
                assert here in [HANDLE.endgame_index(b) for b in HANDLE.endgame_before(later)]
            else:
                assert to[0] in _core.lower_classes(HANDLE, here[0])


def test_pawns_taken_in_passing_are_positions_of_their_own() -> None:
    taken = State(GAME, GAME.parse_state("8/8/8/8/1p6/8/P7/K6k w - - 0 1 moves a2a4").data)
    assert GAME.format_state(taken).split()[3] == "a3"
    plain = GAME.parse_state("8/8/8/8/Pp6/8/8/K6k b - - 0 1")
    assert HANDLE.endgame_index(taken.data)[0] == HANDLE.endgame_index(plain.data)[0]
    assert HANDLE.endgame_index(taken.data) != HANDLE.endgame_index(plain.data)
    before = [GAME.format_state(State(GAME, b)) for b in HANDLE.endgame_before(taken.data)]
    assert before == ["8/8/8/8/1p6/8/P7/K6k w - - 0 1"]
    # Nobody may stay away from the right that was there: both ways lead to the same.
    after = GAME.parse_state("8/8/8/8/Pp6/8/6k1/K7 w - - 0 1")
    fens = {GAME.format_state(State(GAME, b)) for b in HANDLE.endgame_before(after.data)}
    assert {"8/8/8/8/Pp6/8/8/K6k b - - 0 1", "8/8/8/8/Pp6/8/8/K6k b - a3 0 1"} < fens
