"""Backgammon's plays beside those of programs that nobody here wrote: OpenSpiel, GNU Backgammon."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

import gnubg
import zermelo
from test_backgammon import GAME, Board, after_plays, positions, turned
from zermelo.games.backgammon import notation
from zermelo.games.native import State

# How many positions are compared; more by hand: BACKGAMMON_POSITIONS=5000 pytest …
COUNT = int(os.environ.get("BACKGAMMON_POSITIONS", "150"))


# -- OpenSpiel ---------------------------------------------------------------------------------
def spiel_board(s: Any, side: int) -> Board:
    """A position of OpenSpiel as `side` sees it. Its X counts from its own point 24 down."""
    points = [[s.board(0, 24 - p) for p in range(1, 25)], [s.board(1, p - 1) for p in range(1, 25)]]
    tail = s.observation_tensor(0)[-8:]
    bars = int(tail[0]), int(tail[3])
    own, other = points[side], points[1 - side]
    return (
        -bars[1 - side],
        *(own[p - 1] - other[24 - p] for p in range(1, 25)),
        bars[side],
    )


def spiel_turns(s: Any, side: int) -> set[tuple[Board, int]]:
    """What a whole turn can lead to, which is two actions after a double; and how many it took."""
    found = set()
    for a in s.legal_actions():
        after = s.child(a)
        if not after.is_terminal() and after.current_player() == side:  # the double's other half
            found |= {(board, n + 1) for board, n in spiel_turns(after, side)}
        else:
            found.add((spiel_board(after, side), 1))
    return found


def pips(board: Board) -> int:
    return sum(p * max(n, 0) for p, n in enumerate(board))


def test_plays_are_those_of_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    rng = random.Random(1)
    game = pyspiel.load_game("backgammon")
    checked = on_bar = bearing_off = 0
    while checked < 3 * COUNT:
        s = game.new_initial_state()
        while not s.is_terminal():
            if s.is_chance_node():
                s.apply_action(rng.choice(s.legal_actions()))
                continue
            side = s.current_player()
            board = spiel_board(s, side)
            dice = sorted((int(d) for d in s.observation_tensor(0)[-2:]), reverse=True)
            if dice[0] != dice[1] or checked % 3 == 0:
                mine = State(GAME, flat(board, (dice[0], dice[1])))
                theirs = {b for b, _ in spiel_turns(s, side)}
                if dice[0] == dice[1]:  # its two halves may use fewer dice than can be used
                    least = min(map(pips, after_plays(mine)))
                    assert min(map(pips, theirs)) >= least
                    theirs = {b for b in theirs if pips(b) == least or b in after_plays(mine)}
                assert set(after_plays(mine)) == theirs, (GAME.format_state(mine), str(s))
                on_bar += board[25] > 0
                bearing_off += max(p for p in range(26) if board[p] > 0) <= 6
            checked += 1
            s.apply_action(rng.choice(s.legal_actions()))
            while not s.is_terminal() and s.current_player() == side:
                s.apply_action(rng.choice(s.legal_actions()))
    assert min(on_bar, bearing_off) > 10


def flat(board: Board, dice: tuple[int, int]) -> bytes:
    own = {p: n for p, n in enumerate(board) if n > 0}
    other = {25 - p: -n for p, n in enumerate(board) if n < 0}
    return GAME.with_checkers(own, other, dice).data


# -- GNU Backgammon ----------------------------------------------------------------------------
SCRIPT = """
import gnubg, json
for command in ("set automatic game off", "set automatic roll off", "set automatic move off",
                "set player 0 human", "set player 1 human", "new session", "set turn 1",
                "set evaluation chequerplay evaluation plies 0"):
    gnubg.command(command)
found = []
for position, dice in json.load(open({asked!r})):
    gnubg.command("set turn 1")
    gnubg.command("set board " + position)
    gnubg.command("set dice %d %d" % tuple(dice))
    try:
        moves = [h["move"] for h in gnubg.hint(9999)["hint"]]
    except Exception:
        moves = None
    found.append([gnubg.positionid(), moves])
json.dump(found, open({told!r}, "w"))
"""


@pytest.mark.skipif(gnubg.MISSING, reason=gnubg.REASON)
def test_plays_are_those_of_gnubg(tmp_path: Path) -> None:
    states = [s for s in positions(COUNT, 11) if len(GAME.codes(s)) > 1]
    ids = [GAME.format_state(s).split(":")[0] for s in states]
    asked = [(i, GAME.dice(s)) for i, s in zip(ids, states, strict=True)]
    answers = gnubg.answers(tmp_path, SCRIPT, asked, 60 + COUNT)
    assert len(answers) == len(states) > COUNT // 2
    for s, position, (theirs, moves) in zip(states, ids, answers, strict=True):
        assert theirs == position
        legal = GAME.codes(s)
        assert moves is not None and len(moves) == len(legal), (position, GAME.dice(s))
        assert {GAME.parse_play(m, s, legal) for m in moves} == set(legal)


def test_a_play_of_another_program_is_told_apart() -> None:
    """The comparisons above can fail: another board is another board."""
    s = GAME.result(GAME.initial(), "3-1")
    boards = after_plays(s)
    assert turned(boards[0]) not in boards and len(set(boards)) == len(notation_of(s))


def notation_of(s: State) -> set[str]:
    return {notation.format_play(code) for code in GAME.codes(s).values()}


def test_gnubg_reads_our_match_ids() -> None:
    """Its own words for White and Black to play 3-1 at the start."""
    assert GAME.parse_state("4HPwATDgc/ABMA:cIkFAAAAAAAA").data[26:29] == bytes((1, 3, 1))
    game: Any = zermelo.load("backgammon:start=roll")
    black = game.result(game.initial(), "black 3-1")
    assert game.dice(game.parse_state("4HPwATDgc/ABMA:cIkFAAAAAAAA")) == game.dice(black)
