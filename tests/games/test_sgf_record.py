"""SGF as game records: what the studio reads and writes."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo.games.go import sgf
from zermelo.games.go.sgf import SgfError

GO: Any = zermelo.load("go")


def end(record: Any, line: int = 0) -> Any:
    game: Any = zermelo.load(record.spec)
    s = game.parse_state(record.position) if record.position else game.initial()
    for move in record.lines[line]:
        s = game.result(s, move)
    return game, s


@pytest.mark.parametrize("spec", [
    "go:size=5", "go:handicap=3", "go:size=13,rules=japanese-like", "go:ko=simple",
    "go:size=7,rules=tromp-taylor,komi=-2.5",
])  # fmt: skip
def test_random_games_round_trip(spec: str) -> None:
    game: Any = zermelo.load(spec)
    rng = random.Random(spec)
    s, moves = game.initial(), []
    while not game.is_terminal(s) and len(moves) < 60:
        moves.append(rng.choice(game.actions(s)))
        s = game.result(s, moves[-1])
    record = game.parse_record(game.format_record("", moves))
    again, there = end(record)
    assert record.lines == [moves]
    assert game.rows(s) == again.rows(there) and game.mover(s) == again.mover(there)
    assert (again.komi, again.rules, again.superko) == (game.komi, game.rules, game.superko)


def test_a_position_in_rows_becomes_set_up_stones() -> None:
    start = "/".join(["XO......."] + ["." * 9] * 8) + " white"
    text = GO.format_record(start, ["E5"])
    assert "AB[aa]" in text and "AW[ba]" in text and "PL[W]" in text and ";W[ee]" in text
    record = GO.parse_record(text)
    assert (record.position, record.lines) == (start, [["E5"]])


def test_moves_of_the_position_are_part_of_the_game() -> None:
    assert GO.parse_record(GO.format_record("E5 E7", ["pass"])).lines == [["E5", "E7", "pass"]]


def test_lines_are_the_main_line_and_the_variations() -> None:
    record = GO.parse_record("(;SZ[9];B[ee](;W[ec];B[cc](;W[dd])(;W[de]))(;W[ee])(;W[gc]))")
    assert record.lines == [["E5", "E7", "C7", "D6"], ["E5", "E7", "C7", "D5"], ["E5", "G7"]]


def test_stones_placed_during_the_game_start_a_new_line() -> None:
    record = GO.parse_record("(;SZ[9];B[ee];W[ec];AB[aa]PL[W];W[gc];B[cc])")
    assert record.lines == [["G7", "C7"]]
    assert record.position.startswith("X......../") and record.position.endswith(" white")
    assert record.position.count("X") == 2 and record.position.count("O") == 1


def test_two_moves_of_one_player_start_a_new_line() -> None:
    record = GO.parse_record("(;SZ[9];B[ee];B[ec];W[gc])")
    assert record.lines == [["E7", "G7"]] and record.position.endswith(" black")


def test_handicap_files_begin_with_their_stones() -> None:
    record = GO.parse_record("(;SZ[9]HA[2]AB[cc][gg];W[ee])")
    assert record.lines == [["E5"]] and record.position.endswith(" white")


@pytest.mark.parametrize(("text", "message"), [
    ("hello", "no game found"), ("(;GM[2])", r"GM\[2\] \(Othello\) is not Go"),
    ("(;SZ[9];B[ee];W[ee])", "white plays E5: the point is occupied"),
    ("(;SZ[40])", "40x40"),
])  # fmt: skip
def test_bad_files_are_explained(text: str, message: str) -> None:
    with pytest.raises(SgfError, match=message):
        GO.parse_record(text)


def test_the_result_is_written_without_dead_stones() -> None:
    game: Any = zermelo.load("go:size=9,komi=0")
    black = ["X.X.X...X", "XXXXX.O.X", "XXXXX...X", "XXXXXXXXX", "XXXXXXXXX"]
    white = ["OOOOOOOOO", "OOOOOOOOO", "O.OOOOOOO", "OO.OO.OOO"]
    start = "/".join([*black, *white]) + " black"
    text = game.format_record(start, ["pass", "pass"])
    s = game.parse_state(start + " pass pass")
    # G8 is dead. As the stones lie, it keeps the eight points around it neutral.
    assert game.margin(s) == -1 and game.final_margin(s) == 45 - 36
    assert sgf.read(text)[0].result == "B+9"


def test_a_game_ended_by_repetition_has_no_result() -> None:
    game: Any = zermelo.load("go:size=5,ko=simple")
    rng, s, moves = random.Random(3), game.initial(), list[str]()
    while not game.ended_by_repetition(s):
        if game.is_terminal(s):
            s, moves = game.initial(), []
        moves.append(rng.choice([a for a in game.actions(s) if a != "pass"] or ["pass"]))
        s = game.result(s, moves[-1])
    assert sgf.read(game.format_record("", moves))[0].result == "Void"


def test_further_games_of_a_file_are_mentioned() -> None:
    first = "(;SZ[9]PB[Ann]PW[Ben]RE[0];B[ee])"
    title = "Ann (Black) - Ben (White), 0"
    assert GO.parse_record(first).title == title
    for other in ("(;SZ[13];B[aa])", "(;GM[2])", "(;B[aa]"):
        assert GO.parse_record(first + other).title == f"{title} (first game of the file)"


def test_the_estimate_of_a_finished_game_is_its_result() -> None:
    game: Any = zermelo.load("go:size=9")
    s = game.parse_state("E5 C3 G4 pass pass")
    assert game.score_estimate(s)[0] == game.final_margin(s)


def test_the_estimate_names_every_point() -> None:
    game: Any = zermelo.load("go:size=9")
    rows = ["....X...."] * 4 + ["XXXXXXXXX", "OOOOOOOOO"] + ["....O...."] * 3
    margin, owners = game.score_estimate(game.parse_state("/".join(rows) + " black"))
    assert len(owners) == 81 and owners["E5"] > 0.9 and owners["E4"] < -0.9
    assert owners["E9"] > 0.9 and owners["E1"] < -0.9
    assert margin == pytest.approx(sum(owners.values()) - game.komi)


def test_a_repetition_has_no_margin() -> None:
    game: Any = zermelo.load("go:size=2,ko=simple,komi=0.5")
    rng = random.Random(3)
    for _ in range(200):
        s = game.initial()
        while not game.is_terminal(s):
            s = game.result(s, rng.choice(game.actions(s)))
        if game.ended_by_repetition(s):
            assert game.score_estimate(s)[0] == 0
            assert game.final_margin(s) == 0 and "repeated" in game.end_reason(s)
            return
    pytest.fail("no game ended by repetition")
