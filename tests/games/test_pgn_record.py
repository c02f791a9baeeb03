"""PGN as game records: what the studio reads and writes."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo.errors import UsageError

CHESS: Any = zermelo.load("chess")
START = "7k/8/8/8/8/8/P7/K7 w - - 0 1"


@pytest.mark.parametrize("spec", ["chess", "chess:start=3"])
def test_random_games_round_trip(spec: str) -> None:
    game: Any = zermelo.load(spec)
    rng = random.Random(spec)
    s, moves = game.initial(), []
    while not game.is_terminal(s) and len(moves) < 50:
        moves.append(rng.choice(game.actions(s)))
        s = game.result(s, moves[-1])
    record = game.parse_record(game.format_record("", moves))
    again: Any = zermelo.load(record.spec)
    t = again.parse_state(record.position) if record.position else again.initial()
    for move in record.lines[0]:
        t = again.result(t, move)
    assert record.lines == [moves] and again.format_state(t) == game.format_state(s)


def test_a_position_becomes_a_tag() -> None:
    text = CHESS.format_record(START, ["a2a4"])
    assert f'[FEN "{START}"]' in text and "1. a4" in text
    record = CHESS.parse_record(text)
    assert (record.position, record.lines) == (START, [["a2a4"]])


def test_nested_variations_are_lines() -> None:
    record = CHESS.parse_record("1. e4 (1. d4 d5 (1... Nf6)) 1... e5 2. Nf3 (2. f4) *")
    assert record.lines == [["e2e4", "e7e5", "g1f3"], ["d2d4", "d7d5"], ["d2d4", "g8f6"],
                            ["e2e4", "e7e5", "f2f4"]]  # fmt: skip


def test_the_result_is_written() -> None:
    moves = ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert CHESS.format_record("", moves).strip().endswith("0-1")


def test_moves_may_lack_a_result() -> None:
    assert CHESS.parse_record("1. e4 e5").lines == [["e2e4", "e7e5"]]
    assert CHESS.parse_record('[White "A"]\n\n1. e4 1-0\n').title == "A (White) - Black, 1-0"


@pytest.mark.parametrize("text", ["", "hello", "1. e5 *", "1. e4 e4 *"])
def test_bad_files_are_errors(text: str) -> None:
    with pytest.raises(UsageError):
        CHESS.parse_record(text)
