"""SGF games by the rules of Go: positions, legality of every variation, and `zermelo sgf`."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.games.go import sgf
from zermelo.games.go.sgf import SgfError, SgfGame

KO = ";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb]"  # White takes the ko at C8


def only(text: str) -> SgfGame:
    (game,) = sgf.read(text)
    return game


def position(text: str) -> str:
    s = sgf.to_state(only(text))
    return str(s.game.format_state(s))


# -- positions -------------------------------------------------------------------------------------
POSITIONS = {
    "(;SZ[3])": ".../.../... black",
    "(;SZ[3];B[aa];W[cc])": "X../.../..O black",
    "(;SZ[3];B[];W[bb])": ".../.O./... black",
    "(;SZ[3]AB[aa]AW[bb];B[ac])": "X../.O./X.. white",
    "(;SZ[3]AB[aa:ba];W[cc];AE[aa]AW[ca])": ".XO/.../..O black",
    "(;SZ[3]HA[2]AB[aa][cc])": "X../.../..X white",
    "(;SZ[3]AB[aa]PL[W])": "X../.../... white",
    "(;SZ[3]AB[aa])": "X../.../... black",
    "(;SZ[3]AB[aa];PL[W];C[x])": "X../.../... white",
    "(;SZ[3];B[aa];B[bb])": "X../.X./... white",
    "(;SZ[3];W[aa];W[])": "O../.../... black pass",
    "(;SZ[3];B[];W[];B[bb];W[];B[])": ".../.X./... white pass pass",
    "(;SZ[2];B[aa];W[ba];B[bb])": "X./.X white",
    "(;SZ[3];B[aa](;W[bb])(;W[cc]))": "X../.O./... black",
}


@pytest.mark.parametrize("text", POSITIONS)
def test_positions_of_files(text: str) -> None:
    assert position(text) == POSITIONS[text]
    assert sgf.check(only(text)) == []


def test_positions_of_nodes() -> None:
    game = only("(;SZ[3];B[aa](;W[bb];B[cc])(;W[cc]))")
    other = game.root.children[0].children[1]
    s = sgf.to_state(game, other)
    assert s.game.format_state(s) == "X../.../..O black"
    s = sgf.to_state(game, game.root)
    assert s == s.game.initial()


def test_moves_of_a_game_give_its_position() -> None:
    """Random games: the file leads to the same state as the moves."""
    rng = random.Random(3)
    for size in (2, 5, 9, 19, 25):
        go: Any = zermelo.load(f"go:size={size},komi=0.5")
        s, moves = go.initial(), []
        while not go.is_terminal(s) and len(moves) < 300:
            moves.append(rng.choice([a for a in go.actions(s) if a != "pass"] or ["pass"]))
            s = go.result(s, moves[-1])
        game = sgf.from_moves(moves, size, 0.5, "Chinese")
        assert sgf.to_state(game).data == s.data
        assert sgf.to_state(sgf.read(sgf.write(game))[0], go=go) == s
        assert sgf.check(game) == []


def test_rules_of_files() -> None:
    for name, rules, superko in (
        ("Japanese", "japanese-like", False), ("AGA", "chinese", True),
        ("NZ", "tromp-taylor", True), ("Chinese", "chinese", True), ("", "chinese", False),
        ("house rules", "chinese", False),
    ):  # fmt: skip
        go = sgf.rules_of(only(f"(;SZ[13]KM[5.5]RU[{name}])"))
        assert (go.size, go.komi, go.rules, go.superko) == (13, 5.5, rules, superko)
    with pytest.raises(zermelo.UsageError, match="komi"):
        sgf.to_state(only("(;SZ[9]KM[5000])"))
    assert sgf.rules_of(only("(;SZ[9]KM[3.75])")).komi == 3.75
    with pytest.raises(zermelo.UsageError, match="size"):
        sgf.to_state(only("(;SZ[1])"))


def test_go_reads_positions_in_sgf() -> None:
    go = zermelo.load("go:size=3")
    s = go.parse_state("(;GM[1]SZ[3];B[bb];W[aa])")
    assert go.format_state(s) == "O../.X./... black"
    for text in ("(;SZ[9])", "(;SZ[3];B[bb];W[bb])", "(;SZ[3]", "(", "(;GM[2])"):
        with pytest.raises(zermelo.BadPosition):
            go.parse_state(text)


# -- legality --------------------------------------------------------------------------------------
ILLEGAL = {
    "(;SZ[9];B[ee];W[ee])": ["white plays E5: the point is occupied"],
    "(;SZ[9]AB[ab][bb][ca]AW[ba];W[aa])": ["white plays A9: suicide"],
    f"(;SZ[9]{KO};B[cb])": ["black plays C8: ko"],
    f"(;SZ[9]RU[Japanese]{KO};B[cb])": ["black plays C8: ko"],
    "(;SZ[9];B[ee](;W[ee];B[aa])(;W[dd](;B[dd])(;B[ee];W[ee])))": [
        "white plays E5", "black plays D6", "black plays E5",
    ],
    "(;SZ[9];B[jj])": ["B: 'jj' is not a point"],
    "(;SZ[9];AB[aa][jj])": ["AB: 'jj' is not a point"],
    "(;SZ[9];B[aa]TR[zz])": ["TR: 'zz' is not a point"],
    "(;SZ[9];B[aa]W[bb])": ["a move of both players"],
    "(;SZ[9];PL[x])": ["PL[x] is not a player"],
    "(;SZ[9]AB[aa]AW[ab][ba])": ["chain without liberties"],
    "(;SZ[9]KM[x]HA[y];B[aa];W[aa])": ["KM[x]", "HA[y]", "white plays A9"],
    "(;SZ[1];B[aa])": ["size"],
}  # fmt: skip


@pytest.mark.parametrize("text", ILLEGAL)
def test_problems_are_reported_with_their_reason(text: str) -> None:
    problems = sgf.check(only(text))
    assert [p.line for p in problems] == [1] * len(ILLEGAL[text])
    for problem, message in zip(problems, ILLEGAL[text], strict=True):
        assert message in problem.message, problem
    columns = [p.column for p in problems]
    assert columns == sorted(columns)
    if "KM" not in text and "TR" not in text:
        with pytest.raises(zermelo.UsageError):
            for node in only(text).nodes():
                sgf.to_state(node.game, node)


def test_values_that_do_not_count_are_problems() -> None:
    game = only("(;SZ[9][13]KM[7]KM[6];B[aa]B[bb];W[cc][dd];B[dd])")
    assert [str(p).partition(": ")[2] for p in sgf.check(game)] == [
        f"{name} has 2 values; only the first counts" for name in ("SZ", "KM", "B", "W")
    ]
    s = sgf.to_state(game)
    assert s.game.format_state(s).startswith("X......../........./..O....../...X.....")


def test_a_collection_is_not_a_game() -> None:
    with pytest.raises(zermelo.UsageError, match="one game, not a list"):
        sgf.to_state(sgf.read("(;SZ[9])"))  # type: ignore[arg-type]


LEGAL = [
    "(;SZ[9]RU[NZ]AB[ab][bb][ca]AW[ba];W[aa])",  # suicide of two stones
    f"(;SZ[9]{KO};B[cb]KO[])",  # a move that is played although it is illegal
    f"(;SZ[9]{KO};B[ii];W[hh];B[cb])",
    "(;SZ[9]KM[5000];B[aa])",  # the komi has no influence on the moves
    "(;SZ[9];B[aa]XX[zz]LB[aa:zz]C[zz])",
    "(;SZ[9];B[tt];W[])",
]


@pytest.mark.parametrize("text", LEGAL)
def test_games_without_problems(text: str) -> None:
    assert sgf.check(only(text)) == []


def test_superko_depends_on_the_rules() -> None:
    """A position that repeats is illegal by Chinese rules, and legal by Japanese rules."""
    go: Any = zermelo.load("go:size=3,rules=japanese-like")
    rng = random.Random(1)
    found = 0
    for _ in range(200):
        s, moves = go.initial(), []
        while not go.is_terminal(s) and len(moves) < 40:
            moves.append(rng.choice([a for a in go.actions(s) if a != "pass"] or ["pass"]))
            s = go.result(s, moves[-1])
        assert sgf.check(sgf.from_moves(moves, 3, 0, "Japanese")) == []
        problems = sgf.check(sgf.from_moves(moves, 3, 0, "Chinese"))
        found += any("superko" in p.message for p in problems)
    assert found > 10


def test_deep_files_are_checked_with_little_memory() -> None:
    """At most a logarithmic number of positions waits, whichever child is the deep one."""
    for branch in ("(;B[](;W[ab])", "(;B[aa](;W[aa])"):
        game = only("(;SZ[19]" + branch * 2000 + ")" * 2001)
        problems = sgf.check(game)
        assert (len(problems) > 0) == ("W[aa]" in branch)
    (comb,) = sgf.read("(;SZ[19]" + "(;B[](;W[])" * 2000 + "(;B[])" + ")" * 2001)
    assert sgf.check(comb) == []


# -- the command -----------------------------------------------------------------------------------
GOOD = (
    "(;GM[1]SZ[9]KM[6.5]RU[Japanese]HA[2]PB[Ann]PW[Ben]RE[W+R]AB[cc][gg];W[ee];B[](;W[ec])(;W[ed]))"
)
BAD = "(;SZ[9]KM[x];B[ee]\n;W[ee])"


def test_the_command(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_text(GOOD)
    done = run("sgf", str(file))
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "1. Ann - Ben  9x9, komi 6.5, Japanese, handicap 2  W+R  3 moves, 1 variation\n"
    )
    file.write_text(GOOD + "\n" + BAD)
    done = run("sgf", str(file))
    assert done.code == 1 and done.out.splitlines()[1] == "2. ? - ?  9x9  ?  2 moves"
    assert done.err.splitlines() == [
        "game 2, line 2, column 2: KM[x] is not a number",
        "game 2, line 3, column 1: white plays E5: the point is occupied",
    ]
    done = run("sgf", str(file), "--json")
    described = json.loads(done.out)
    assert done.code == 1 and [g["moves"] for g in described["games"]] == [3, 2]
    assert described["games"][0] == {
        "line": 1, "black": "Ann", "white": "Ben", "size": 9, "komi": 6.5, "rules": "Japanese",
        "handicap": 2, "result": "W+R", "moves": 3, "variations": 1,
    }  # fmt: skip
    assert [(p["game"], p["line"]) for p in described["problems"]] == [(2, 2), (2, 3)]


def test_the_command_with_unusable_files(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.sgf"
    for text, message in (
        ("no game", "no game found"),
        ("(;GM[1];B[dd]", "line 1, column 14: the file ends within a game"),
        ("(;GM[2])", "Othello"),
        ("(;SZ[9:7])", "not a square board"),
    ):
        file.write_text(text)
        done = run("sgf", str(file))
        assert done.code == 2 and message in done.err and "hint: " in done.err
        assert len(done.err.splitlines()) == 2 and not done.out
    assert run("sgf", str(tmp_path / "none.sgf")).code == 2


def test_the_command_with_many_problems(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.sgf"
    file.write_text("(;SZ[9];B[ee]" + "(;W[ee])" * 30 + ")")
    done = run("sgf", str(file))
    assert done.code == 1 and len(done.err.splitlines()) == 11
    assert done.err.splitlines()[-1] == "game 1: 20 more problems"
    file.write_bytes("(;PB[\x1b[2J\u202e\\]x])".encode())
    assert run("sgf", str(file)).out == "1. \ufffd[2J\ufffd]x - ?  19x19  ?  0 moves\n"


def test_damaged_files_are_checked_or_refused() -> None:
    rng = random.Random(5)
    checked = 0
    for _ in range(600):
        data = bytearray(GOOD.encode() if rng.random() < 0.5 else BAD.encode())
        for _ in range(rng.randint(1, 5)):
            data[rng.randrange(len(data))] = rng.choice(b"abci[];()BWAE: \n\\\xff")
        try:
            games = sgf.read(bytes(data))
        except SgfError:
            continue
        for game in games:
            checked += 1
            for problem in sgf.check(game):
                assert problem.line and problem.message
    assert checked > 100
