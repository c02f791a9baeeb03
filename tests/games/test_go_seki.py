"""Seki: groups that live without two eyes are recognized, and no others are called seki."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import zermelo
from zermelo.games.go.chains import neighbours, place
from zermelo.games.go.notation import vertex
from zermelo.games.go.seki import seki_stones

# White has one eye, Black has one, and neither fills the liberty between them.
EYE_EACH = [
    ".X.O.OX",
    "XXOOOOX",
    "OOOXXXX",
    "XXXX.X.",
    "XXXXXXX",
    "OOOOOOO",
    "O.O.O.O",
]
# Two shared liberties and no eyes. If Black fills one and is captured, White lives with four
# points in a row.
TWO_LIBERTIES = [
    "XO.XXX.OX",
    "XOOOOOOOX",
    "XXXXXXXXX",
    ".X.XXXXX.",
    "XXXXXXXXX",
    "OOOOOOOOO",
    "O.O.O.OOO",
    "OOOOOOOOO",
    ".O.O.O.O.",
]
# The same between the border and a group of White's.
BOTTOM = [
    ".X.X.X.X.",
    "XXXXXXXXX",
    "X.XX.XXXX",
    "XXXXXXXXX",
    "OOOOOOOOO",
    "O.O.O.OOO",
    "OOOOOOOOO",
    "OXXXXXXXO",
    "OX.OOO.XO",
]
SEKI = {"eye each": EYE_EACH, "two liberties": TWO_LIBERTIES, "bottom": BOTTOM}
# Positions that look similar. Black gains by moving first: …
NO_SEKI = {
    # … after White captures four stones in a bulky shape, Black kills by a placement inside;
    "bulky five": [
        "XO.X.OXXX",
        "XOXXXOX.X",
        "XOOOOOXXX",
        "XXXXXXXXX",
        "X.X.X.XXX",
        "XXXXXXXXX",
        "OOOOOOOOO",
        ".O.O.O.OO",
        "OOOOOOOOO",
    ],
    # … an eye beats no eye;
    "eye against no eye": [
        ".X.OOOX",
        "XXOOOOX",
        "OOOXXXX",
        "XXXX.X.",
        "XXXXXXX",
        "OOOOOOO",
        "O.O.O.O",
    ],
    # … whoever moves first wins the capturing race.
    "capturing race": [
        "X..XXX.OX",
        "XOOOOOOOX",
        "XXXXXXXXX",
        ".X.XXXXX.",
        "XXXXXXXXX",
        "OOOOOOOOO",
        "O.O.O.OOO",
        "OOOOOOOOO",
        ".O.O.O.O.",
    ],
}


def seki_of(rows: list[str]) -> set[str]:
    return {vertex(i, len(rows)) for i in seki_stones("".join(rows), len(rows))}


def images(rows: list[str]) -> Iterator[list[str]]:
    """The position rotated, reflected and with exchanged colours."""
    swapped = [row.translate(str.maketrans("XO", "OX")) for row in rows]
    for board in (rows, swapped):
        for _ in range(4):
            board = ["".join(column) for column in zip(*board[::-1], strict=True)]
            yield board
            yield [row[::-1] for row in board]


def load(rows: list[str], mover: str, **options: Any) -> tuple[Any, Any]:
    spec = ",".join(f"{name}={value}" for name, value in options.items())
    game = zermelo.load(f"go:size={len(rows)}{',' + spec if spec else ''}")
    return game, game.parse_state(f"{'/'.join(rows)} {mover} pass pass")


@pytest.mark.parametrize(
    "name,black,white",
    [
        ("eye each", "B7 A6 B6", "D7 F7 C6 D6 E6 F6 A5 B5 C5"),
        ("two liberties", "D9 E9 F9", "B9 H9 B8 C8 D8 E8 F8 G8 H8"),
        ("bottom", "B1 H1 B2 C2 D2 E2 F2 G2 H2", "D1 E1 F1"),
    ],
)
@pytest.mark.parametrize("mover", ["black", "white"])
def test_seki_is_recognized(name: str, black: str, white: str, mover: str) -> None:
    game, s = load(SEKI[name], mover)
    status = game.final_status(s)
    assert {v for v, word in status.items() if word == "seki"} == set(f"{black} {white}".split())
    assert set(status.values()) == {"alive", "seki"}
    assert game.dead_stones(s) == [] and game.final_margin(s) == game.margin(s)


@pytest.mark.parametrize("rows", SEKI.values(), ids=SEKI)
def test_seki_looks_the_same_from_all_sides(rows: list[str]) -> None:
    stones = len(seki_of(rows))
    assert stones == 12
    for image in images(rows):
        assert len(seki_of(image)) == stones


@pytest.mark.parametrize("rows", NO_SEKI.values(), ids=NO_SEKI)
def test_what_can_be_captured_is_no_seki(rows: list[str]) -> None:
    for image in images(rows):
        assert seki_of(image) == set()
    game, s = load(rows, "black")
    assert "seki" not in game.final_status(s).values()


def test_the_shared_liberties_belong_to_nobody() -> None:
    game, s = load(TWO_LIBERTIES, "black", komi=0, score="points")
    black = sum(row.count("X") for row in TWO_LIBERTIES) + 3  # stones and eyes
    white = sum(row.count("O") for row in TWO_LIBERTIES) + 3 + 5
    assert black + white == 81 - 2 and game.final_margin(s) == black - white


def test_a_search_finds_that_filling_a_shared_liberty_loses() -> None:
    """Independent of the local search: the whole game, for either player."""
    for mover, sign in (("black", 1), ("white", -1)):
        game, s = load(EYE_EACH, mover, komi=0, score="points")
        s = game.to_play(s, 0 if mover == "black" else 1)
        stays = sign * game.final_margin(s)
        fill = zermelo.search(game, s, "mcts", nodes=3000, among=["C7"], seed=1)
        assert sign * fill.value < stays - 5


def test_a_wall_that_is_dead_is_no_border_of_a_seki() -> None:
    rows = [*TWO_LIBERTIES[:3], ".........", "OOOOOOOOO", ".........", "OOOOOOOOO", *2 * ["." * 9]]
    size = len(rows)
    cells = "".join(rows)
    wall = {i for i in range(3 * size) if cells[i] == "X"} - {3, 4, 5}
    assert seki_stones(cells, size) != set() == seki_stones(cells, size, wall)


def random_game(size: int, rng: random.Random) -> str:
    """The last board of a random game in which nobody fills an own eye."""
    near, cells, mover, passes = neighbours(size), "." * size**2, "X", 0
    ko: int | None = None
    for _ in range(6 * size**2):
        points = [
            p
            for p, content in enumerate(cells)
            if content == "." and p != ko and any(cells[q] != mover for q in near[p])
        ]
        rng.shuffle(points)
        after = next((a for p in points if (a := place(cells, size, p, mover))), None)
        cells, ko = after or (cells, None)
        passes = 0 if after else passes + 1
        mover = "O" if mover == "X" else "X"
        if passes == 2:
            break
    return cells


def test_groups_with_territory_are_never_in_seki() -> None:
    rng = random.Random(7)
    finished = 0
    for number in range(80):
        size = (7, 9, 13)[number % 3] if number < 60 else 9
        cells = random_game(size, rng)
        near = neighbours(size)
        eyes = {
            p for p, c in enumerate(cells) if c == "." and len({cells[q] for q in near[p]}) == 1
        }
        if cells.count(".") == len(eyes):  # every empty point is somebody's territory
            finished += 1
            assert seki_stones(cells, size) == set()
    assert finished >= 50


def test_games_by_search_end_without_seki() -> None:
    """At the end of a game playouts know what lives, except in seki, which is rare."""
    game = zermelo.load("go:size=7")
    found = 0
    for seed in range(50):
        rng = random.Random(seed)
        s = game.initial()
        for ply in range(150):
            if game.is_terminal(s):
                break
            played = zermelo.search(game, s, "mcts", nodes=25, seed=seed) if ply > 3 else None
            s = game.result(s, played.action if played else rng.choice(game.actions(s)[:-1]))
        assert game.is_terminal(s)
        found += "seki" in game.final_status(s).values()
    assert found <= 1


def test_a_seki_from_a_game() -> None:
    """White lives with the eye A6, Black at the top right with G7. Whoever takes G5 is captured."""
    rows = "OOOOOX. .OXOXXX OOXOOX. OXXXOOO X.XXOXX XXXXXXX XX.X.OX"
    seki = seki_stones(rows.replace(" ", ""), 7)
    assert {0, 8, 14, 5, 12, 13, 19} <= seki  # A7, B6, A5; F7, F6, G6, F5


def test_open_boards_have_no_seki() -> None:
    rng = random.Random(3)
    for stones in (0, 10, 40, 80, 120):
        cells = ["."] * 361
        for i in rng.sample(range(361), stones):
            cells[i] = rng.choice("XO")
        if stones <= 40:
            assert seki_stones("".join(cells), 19) == set()
        else:
            seki_stones("".join(cells), 19)  # ends within its limits
