"""Chess told to people: mates by their length, what a line brings, changes of mind, arrows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

GAME = zermelo.load("chess")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "zermelo", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


SACRIFICE = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"
MATES = (  # in so many moves, by whom
    ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1, 1),
    ("r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", 1, -1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, 1),
    (SACRIFICE, 2, 1),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, 1),
)


@pytest.mark.parametrize(("fen", "moves", "value"), MATES)
def test_mates(fen: str, moves: int, value: int) -> None:
    r = zermelo.search(GAME, GAME.parse_state(fen), depth=12)
    assert (r.value, r.kind, r.distance) == (value, "exact", 2 * moves - 1)
    assert len(r.pv) == 2 * moves - 1
    sign = "-" if value < 0 else ""
    assert f"value {sign}mate in {moves} for White" in str(r)
    assert f"mate in {moves} (proved)." in r.explain()
    assert r.to_json()["distance"] == 2 * moves - 1


def test_being_mated() -> None:
    s = GAME.parse_state(SACRIFICE)
    r = zermelo.search(GAME, GAME.result(s, "g3g6"), depth=6)
    assert (r.value, r.distance, r.player) == (1, 2, 1)


def test_a_remembered_mate_is_as_far_away() -> None:
    memory = zermelo.Memory(1)
    s = GAME.parse_state(MATES[4][0])
    first = zermelo.search(GAME, s, depth=8, memory=memory)
    for _ in range(3):
        r = zermelo.search(GAME, s, depth=8, memory=memory)
        assert (r.distance, r.value) == (first.distance, 1)


def test_words() -> None:
    r = zermelo.search(GAME, GAME.parse_state(SACRIFICE), depth=12)
    text = r.explain()
    assert "reply is " in text and "At depth 1 the search preferred " in text
    assert r.story[-1][1] == r.action == "g3g6" and r.story[0][0] == 1
    knight = zermelo.search(GAME, GAME.parse_state("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1"), depth=4)
    assert "The main line wins a knight." in knight.explain()


@pytest.mark.parametrize(
    ("line", "gains"),
    [
        ("e4d5 e6d5", ""),
        ("e4d5", "wins a pawn"),
        ("b1c3 d5e4", "loses a pawn"),
        ("b1c3 d5e4 c3e4", ""),
        ("d1h5 g8f6 h5f7 e8f7", "loses a queen for a pawn"),
    ],
)
def test_what_a_line_brings(line: str, gains: str) -> None:
    s = GAME.parse_state("e2e4 e7e6 d2d4 d7d5")
    assert GAME.line_gains(s, line.split()) == gains


def test_arrows(tmp_path: Path) -> None:
    r = zermelo.search(GAME, depth=3, lines=3)
    picture = r._repr_svg_()
    assert picture is not None and picture.count('class="arrow"') == 3
    file = tmp_path / "board.svg"
    done = run("analyze", "chess", "--depth", "3", "--svg", str(file), "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["action"]
    assert file.read_text().count('class="arrow"') == 1
