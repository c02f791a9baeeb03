"""Kriegspiel: the umpire against python-chess, what each side may know, mates that are sure."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo import BadPosition, IllegalAction
from zermelo.games.kriegspiel import CHECKS
from zermelo.ui.terminal import play_game

GAME = zermelo.load("kriegspiel")


def fen_of(s: Any) -> str:
    return GAME.format_state(s).split(";")[0]


def attempt_of(board: Any, move: Any) -> str:
    """A move as it is tried: castling is king takes rook."""
    name = str(board.uci(move))
    if not board.is_castling(move):
        return name
    return name[:2] + ("h" if name[2] == "g" else "a") + name[3]


def directions(board: Any) -> set[str]:
    """From where the mover's king is attacked, by python-chess."""
    import chess

    king = board.king(board.turn)
    x, y = chess.square_file(king), chess.square_rank(king)
    found = set()
    for square in board.checkers():
        dx, dy = chess.square_file(square) - x, chess.square_rank(square) - y
        if board.piece_type_at(square) == chess.KNIGHT:
            found.add("knight")
        elif dy == 0:
            found.add("rank")
        elif dx == 0:
            found.add("file")
        else:  # squares on the king's two diagonals
            rising, falling = 7 - abs(x - y), 7 - abs(x + y - 7)
            own, other = (rising, falling) if dx * dy > 0 else (falling, rising)
            found.add("long diagonal" if own >= other else "short diagonal")
    return found


def test_the_umpire_against_python_chess() -> None:
    chess = pytest.importorskip("chess")
    rng = random.Random(1)
    refused = 0
    for _ in range(60):
        s, board = GAME.initial(), chess.Board()
        for _ in range(rng.randrange(20, 160)):
            if GAME.is_terminal(s):
                break
            named = {attempt_of(board, m): m for m in board.legal_moves}
            attempts = GAME.actions(s)
            assert set(named) <= set(attempts) | set(GAME.announced(s).refused)
            a = rng.choice(attempts)
            after = GAME.result(s, a)
            if a not in named:
                refused += 1
                assert GAME.player(after) == GAME.player(s)
                assert GAME.announced(after).refused[-1] == a
                assert fen_of(after) == fen_of(s)
                s = after
                continue
            move = named[a]
            takes, passing = board.is_capture(move), board.is_en_passant(move)
            board.push(move)
            s = after
            said = GAME.announced(s)
            assert fen_of(s).split()[:3] == board.fen(en_passant="legal").split()[:3]
            assert bool(said.taken) == takes
            if takes and not passing:
                assert said.taken == chess.square_name(move.to_square)
            assert set(said.checks) == directions(board)
            tries = sum(
                board.piece_type_at(m.from_square) == chess.PAWN and board.is_capture(m)
                for m in board.legal_moves
            )
            assert said.tries == tries
        if GAME.is_terminal(s) and board.is_checkmate():
            assert GAME.utility(s, 0) == (-1 if board.turn else 1)
    assert refused > 500


def test_a_player_sees_its_own_men_and_hears_the_umpire() -> None:
    a = GAME.parse_state("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    b = GAME.parse_state("6k1/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert GAME.observation(a, 0) == GAME.observation(b, 0)
    assert GAME.observation(a, 1) != GAME.observation(b, 1)
    assert "k" not in GAME.view(a, 0).split("\n  a b")[0]
    checked = GAME.result(a, "a1a8")
    assert GAME.announced(checked).checks == ("rank",)
    assert GAME.observation(checked, 0) != GAME.observation(GAME.result(b, "a1b1"), 0)
    refused = GAME.result(a, "e1e2")
    assert GAME.player(refused) == 1
    king = GAME.parse_state("8/8/8/8/8/4k3/8/R3K3 w - - 0 1")
    told = GAME.result(king, "e1e2")
    assert GAME.announced(told).refused == ("e1e2",)
    assert "e1e2" not in GAME.actions(told)
    # The other does not hear that something was refused.
    assert GAME.observation(told, 1) == GAME.observation(king, 1)


def states(squares: str, rest: str) -> list[Any]:
    """The black king on each of these squares."""
    found = []
    for square in squares.split():
        rows = [list("........") for _ in range(8)]
        for man in [*rest.split(), "k" + square]:
            rows[8 - int(man[2])]["abcdefgh".index(man[1])] = man[0]
        text = "/".join("".join(r) for r in rows)
        for n in range(8, 0, -1):
            text = text.replace("." * n, str(n))
        found.append(GAME.parse_state(f"{text} w - - 0 1"))
    return found


def replay(belief: list[Any], depth: int) -> int:
    """Plays the guaranteed mate against every reply from every state; returns the moves needed."""
    r = zermelo.search(GAME, belief[0], "belief", belief=belief, others="hostile", depth=depth)
    assert r.value == 1 and r.exact
    known = zermelo.Belief(GAME, 0, dict.fromkeys(belief, 1.0))
    assert all(GAME.utility(s, 0) == 1 for s, _ in known.ends(r.action))
    return 1 + max(
        (replay(list(part), depth - 1) for part in known.after(r.action).values()), default=0
    )


def test_guaranteed_mates_hold_in_every_state() -> None:
    # The rook's check on the first rank mates wherever the king is.
    assert replay(states("a1", "Kb3 Rh2"), 1) == 1
    assert replay(states("a1 b1", "Kb3 Rc8"), 4) <= 4


def test_three_kinds_of_mate() -> None:
    sure = states("a1", "Kb3 Rh2")
    r = zermelo.search(GAME, sure[0], "belief", belief=sure, others="hostile", depth=1)
    assert (r.value, r.action) == (1, "h2h1")
    # Mate if the king is on a1, not if it is on f1: by accident.
    perhaps = states("a1 e1", "Kb3 Rh2")
    r = zermelo.search(GAME, perhaps[0], "belief", belief=perhaps, others="hostile", depth=1)
    assert r.value < 1
    r = zermelo.search(GAME, perhaps[0], "belief", belief=perhaps, depth=1)
    assert r.action == "h2h1" and r.value > 0


def test_what_is_refused() -> None:
    for text, why in {
        "8/8/8/8/8/8/8/R3K3 w - - 0 1": "king",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1; mumbles": "unknown announcement",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1; taken z9": "unknown announcement",
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1; refused a1a2": "is impossible",
    }.items():
        with pytest.raises(BadPosition, match=why):
            GAME.parse_state(text)
    with pytest.raises(IllegalAction, match="not a move that your pieces can try"):
        GAME.parse_action(GAME.initial(), "e2e5")
    assert len(CHECKS) == 5


def test_it_is_played_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody lists what Black may be in: it goes by what it heard."""
    words = iter(["e2e4", "d2d4", "undo", "d2d3", "hint", "quit"])
    monkeypatch.setattr("builtins.input", lambda _: next(words))
    game = zermelo.load("kriegspiel")
    play_game(game, game.initial(), "auto:nodes=20", 0, None, None)
    said = capsys.readouterr().out
    assert said.count("Black (auto:nodes=20) has moved") >= 2 and "bye" in said
    boards = [row for row in said.splitlines() if row[:1].isdigit()]
    assert boards and not set("rnbqkp") & set("".join(boards))  # Black's men are not shown
