"""Random games compared with GNU Go: legal moves of both sides, boards and captures."""

from __future__ import annotations

import random
import shutil
import subprocess
from typing import Any, NamedTuple

import pytest

import zermelo

GNU_GO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
COLOURS = ("black", "white")

pytestmark = pytest.mark.skipif(GNU_GO is None, reason="GNU Go (gnugo) is not installed")


class Position(NamedTuple):
    """What both programs say about a position."""

    legal: tuple[frozenset[str], frozenset[str]]  # points where Black, White may play
    stones: tuple[frozenset[str], frozenset[str]]
    prisoners: tuple[int, int]


def our_position(game: Any, s: Any) -> Position:
    names = [game.decode_action(0, i) for i in range(game.size**2)]
    cells = "".join(game.rows(s))
    mover = game.mover(s)
    # The opponent may play on the point that ko forbids to the mover.
    sides = [s if p == mover else game.to_play(s, p) for p in (0, 1)]
    return Position(
        legal=tuple(frozenset(game.actions(side)) - {"pass"} for side in sides),
        stones=tuple(
            frozenset(n for n, c in zip(names, cells, strict=True) if c == x) for x in "XO"
        ),
        prisoners=game.prisoners(s),
    )


def random_game(game: Any, rng: random.Random, plies: int) -> tuple[list[str], list[Position]]:
    """The moves of a random game, and the position before each of them."""
    s, moves, positions = game.initial(), [], []
    for _ in range(plies):
        if game.is_terminal(s):  # two passes, or a repeated position
            break
        positions.append(our_position(game, s))
        legal = game.actions(s)
        points = [a for a in legal if a != "pass"]
        # A second pass would end the game early.
        passes = not points or (moves[-1:] != ["pass"] and rng.random() < 0.02)
        moves.append("pass" if passes else rng.choice(points))
        s = game.result(s, moves[-1])
    return moves, positions


def ask_gnu_go(size: int, moves: list[str]) -> list[Position]:
    """The position before each move of a game, by GNU Go."""
    assert GNU_GO is not None
    questions = [f"{q} {c}" for q in ("all_legal", "list_stones", "captures") for c in COLOURS]
    commands = [f"boardsize {size}", "clear_board"]
    for ply, move in enumerate(moves):
        commands += [*questions, f"play {COLOURS[ply % 2]} {move}"]
    run = subprocess.run(
        [GNU_GO, "--mode", "gtp"],
        input="\n".join([*commands, "quit", ""]),
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    answers = run.stdout.replace("\r", "").strip().split("\n\n")[: len(commands)]
    assert len(answers) == len(commands)
    for command, answer in zip(commands, answers, strict=True):
        assert answer.startswith("="), f"{command}: {answer}"
    texts = [answer[1:].strip() for answer in answers[2:]]
    step = len(questions) + 1
    return [read_position(texts[i : i + step]) for i in range(0, len(texts), step)]


def read_position(texts: list[str]) -> Position:
    points = [frozenset(text.split()) for text in texts[:4]]
    return Position(
        legal=(points[0], points[1]),
        stones=(points[2], points[3]),
        prisoners=(int(texts[4]), int(texts[5])),
    )


def compare(size: int, games: int, seed: int) -> int:
    """Compare random games; returns the number of positions."""
    game = zermelo.load(f"go:size={size},ko=simple,score=win")
    rng, compared = random.Random(seed), 0
    for _ in range(games):
        moves, ours = random_game(game, rng, plies=3 * size**2)
        theirs = ask_gnu_go(size, moves)
        for ply, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert one == other, f"{size}x{size} after {' '.join(moves[:ply])}"
        compared += len(ours)
    return compared


@pytest.mark.parametrize(("size", "games"), [(5, 12), (7, 6), (9, 3), (13, 1), (19, 1)])
def test_random_games_as_gnu_go_plays_them(size: int, games: int) -> None:
    assert compare(size, games, seed=size) >= 100
