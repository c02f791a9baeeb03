"""Programs that nobody here wrote agree: OpenSpiel on the rules, BitBully on exact scores."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo


def columns(code: int) -> Any:
    return code + 1


def cells(code: int) -> Any:
    return f"{'abc'[code % 3]}{code // 3 + 1}"


@pytest.mark.parametrize(
    ("ours", "theirs", "name_of"),
    [("tic-tac-toe", "tic_tac_toe", cells), ("connect-four", "connect_four", columns)],
)
def test_rules_are_openspiels(ours: str, theirs: str, name_of: Any) -> None:
    """Whole random games: the same player, moves, end and returns in every position."""
    spiel = pytest.importorskip("pyspiel")
    game, other = zermelo.load(ours), spiel.load_game(theirs)
    rng = random.Random(3)
    for _ in range(300):
        s, t = game.initial(), other.new_initial_state()
        while not t.is_terminal():
            assert not game.is_terminal(s) and game.player(s) == t.current_player()
            legal = {name_of(code): code for code in t.legal_actions()}
            assert set(game.actions(s)) == set(legal)
            move = rng.choice(sorted(legal, key=str))
            s = game.result(s, move)
            t.apply_action(legal[move])
        assert game.is_terminal(s)
        assert [game.utility(s, p) for p in (0, 1)] == list(t.returns())


def test_nim_is_openspiels() -> None:
    spiel = pytest.importorskip("pyspiel")
    rng = random.Random(4)
    for piles in ((1, 3, 5, 7), (2, 2), (3, 4, 5)):
        for misere in (False, True):
            text = ";".join(map(str, piles))
            other = spiel.load_game(f"nim(pile_sizes={text},is_misere={misere})")
            word = "yes" if misere else "no"
            game = zermelo.load(f"nim:piles={','.join(map(str, piles))},misere={word}")
            for _ in range(50):
                s, t, left = game.initial(), other.new_initial_state(), list(piles)
                while not t.is_terminal():
                    assert game.player(s) == t.current_player()
                    code = rng.choice(t.legal_actions())
                    pile = code % len(piles)
                    take = code // len(piles) + 1
                    s = game.result(s, f"{left[pile]}-{take}")
                    left[pile] -= take
                    t.apply_action(code)
                assert [game.utility(s, p) for p in (0, 1)] == list(t.returns())


def random_positions(count: int, seed: int) -> list[list[int]]:
    """Columns played, none of the games over, some early enough to be hard."""
    game = zermelo.load("connect-four")
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        s, moves = game.initial(), []
        for _ in range(rng.randint(14, 38)):
            if game.is_terminal(s):
                break
            moves.append(rng.choice(game.actions(s)))
            s = game.result(s, moves[-1])
        if not game.is_terminal(s):
            found.append(moves)
    return found


def test_connect_four_scores_are_bitbullys() -> None:
    bitbully = pytest.importorskip("bitbully")
    solver = bitbully.BitBully()
    game = zermelo.load("connect-four:score=distance")
    played = random_positions(150, 5)
    states = [game.parse_state("".join(map(str, moves))) for moves in played]
    solved = zermelo.solve_all(game, states)
    for moves, s, ours in zip(played, states, solved, strict=True):
        board = bitbully.Board([c - 1 for c in moves])
        mover = solver.mtdf(board)
        assert ours.value == (mover if game.player(s) == 0 else -mover), moves
        best = solver.score_all_moves(board)
        assert best[zermelo.solve(game, s).action - 1] == max(best.values()) == mover


def test_solving_many_is_solving_each() -> None:
    for spec in ("tic-tac-toe", "nim:piles=2,3,4", "connect-four:width=4,height=4"):
        game = zermelo.load(spec)
        rng = random.Random(6)
        states = []
        for _ in range(20):
            s = game.initial()
            for _ in range(rng.randint(0, 6)):
                if not game.is_terminal(s):
                    s = game.result(s, rng.choice(list(game.actions(s))))
            states.append(s)
        many = zermelo.solve_all(game, states)
        assert [m.value for m in many] == [zermelo.solve(game, s).value for s in states]
    with pytest.raises(zermelo.SearchBudgetExceeded):
        four = zermelo.load("connect-four")
        zermelo.solve_all(four, [four.initial()], time=0.2)
