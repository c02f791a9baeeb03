"""`zermelo play` with a script and in a terminal."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import zermelo

COMMAND = [sys.executable, "-m", "zermelo"]


def test_play_with_a_script(run: Any) -> None:
    done = run(
        "play", "nim:piles=1,2", stdin="help\nmoves\nhint\nnonsense\nundo\nboard\n2-1\n1-1\n"
    )
    assert done.code == 0
    assert "Type a move" in done.out and "no move to take back" in done.out
    assert "'nonsense' is not a legal action here" in done.err and "hint: legal:" in done.err
    assert "you win" in done.out or "you lose" in done.out


def test_play_to_the_end_of_the_input(run: Any) -> None:
    for stdin in ("", "a1\n", "\n\n", "quit\n", "a1\nundo\nquit\n"):
        done = run("play", "tic-tac-toe", "--depth", "2", stdin=stdin)
        assert done.code == 0 and done.out.rstrip().endswith("bye")
    second = run("play", "tic-tac-toe", "--side", "1", "--depth", "9", stdin="")
    assert "X (auto): " in second.out
    over = run("play", "tic-tac-toe", "-p", "XXX/OO./...", stdin="")
    assert over.code == 0 and "you win" in over.out


def test_play_is_repeated_by_its_seed(run: Any) -> None:
    def told(game: str, opponent: str, seed: int) -> str:
        words = ("play", game, "-o", opponent, "-s", "1", "--seed", str(seed))
        done = run(*words, stdin="roll\nroll\nhold\n" * 20 if game == "pig" else "")
        assert done.code == 0
        return str(done.out)

    for opponent in ("random", "expectiminimax:depth=1"):
        assert told("pig", opponent, 4) == told("pig", opponent, 4)
        assert len({told("pig", opponent, seed) for seed in range(4)}) > 1
    assert told("kuhn", "ismcts:nodes=50", 2) == told("kuhn", "ismcts:nodes=50", 2)
    done = run("play", "tic-tac-toe", "--seed", "-1", stdin="")
    assert done.code == 2 and "seed=-1" in done.err and "hint: " in done.err


def test_play_against_chance(run: Any) -> None:
    done = run("play", "backgammon", "--opponent", "random", "--side", "1", stdin="quit\n")
    assert done.code == 0 and done.out.rstrip().endswith("bye")
    game = zermelo.load("tic-tac-toe")
    begun = set()
    for seed in range(40):
        words = ("play", "tic-tac-toe", "-o", f"random:{seed}", "-s", "1", "-d", "2")
        done = run(*words, stdin="hint\n")
        said = next(x for x in done.out.splitlines() if x.startswith(f"X (random:{seed}): "))
        begun.add(said.partition(": ")[2])
        assert "for X" in done.out  # hints are a search's all the same
    assert len(begun) > 6 and begun <= set(game.actions(game.initial()))


def test_play_in_a_terminal() -> None:
    pexpect = pytest.importorskip("pexpect", reason="pexpect is not installed")
    child = pexpect.spawn(
        COMMAND[0], [*COMMAND[1:], "play", "tic-tac-toe", "--depth", "9"], timeout=30
    )
    child.expect("your move: ")
    child.sendline("b2")
    child.expect(r"O \(auto\): ")
    child.expect("your move: ")
    child.sendeof()
    child.expect("bye")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
