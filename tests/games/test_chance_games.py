"""Pig and 2048: rules, known values, how well they are played."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import oracle
import zermelo
from zermelo import CHANCE, search, solve
from zermelo.doctor import diagnose


def test_pig_is_openspiels() -> None:
    """Whole random games: the same player, actions, odds, end and returns in every position."""
    spiel = pytest.importorskip("pyspiel")
    game: Any = zermelo.load("pig:target=30")
    other = spiel.load_game("pig(winscore=30,horizon=100000)")
    rng = random.Random(3)
    for _ in range(100):
        s, t = game.initial(), other.new_initial_state()
        while not t.is_terminal():
            assert not game.is_terminal(s)
            chance = t.is_chance_node()
            assert game.player(s) == (CHANCE if chance else t.current_player())
            if chance:
                assert [p for _, p in game.outcomes(s)] == [p for _, p in t.chance_outcomes()]
            names, codes = list(game.actions(s)), t.legal_actions()
            if chance:
                assert names == [c + 1 for c in codes]
            else:
                assert names == [("roll", "hold")[c] for c in codes]
            i = rng.randrange(len(codes))
            s = game.result(s, names[i])
            t.apply_action(codes[i])
        assert game.is_terminal(s)
        assert [game.utility(s, p) for p in (0, 1)] == list(t.returns())


@pytest.mark.parametrize("text", ["0-0", "99-99 pot 0 player 1", "12-3 pot 9 player 0 rolling"])
def test_pig_positions(text: str) -> None:
    game = zermelo.load("pig")
    s = game.parse_state(text)
    assert game.parse_state(game.format_state(s)) == s


@pytest.mark.parametrize(
    "text", ["", "1", "100-100", "5-5 pot 95 player 0 rolling", "100-3 player 0", "70000-1", "-1-2",
             "100-3 pot 4 player 1", "99-3 pot 99 player 0", "1-2 player 2"],
)  # fmt: skip
def test_positions_that_pig_has_not(text: str) -> None:
    with pytest.raises(zermelo.BadPosition):
        zermelo.load("pig").parse_state(text)


def iterated(target: int) -> float:
    """The first player's odds of winning, by value iteration over the turns' equations."""
    odds = {(i, j, k): 0.5 for i in range(target) for j in range(target)
            for k in range(target - i)}  # fmt: skip

    def wins(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else odds[i, j, k]

    change = 1.0
    while change > 1e-12:
        change = 0.0
        for i, j, k in odds:
            roll = (1 - wins(j, i, 0) + sum(wins(i, j, k + f) for f in range(2, 7))) / 6
            best = max(roll, 1 - wins(j, i + k, 0))
            change = max(change, abs(best - odds[i, j, k]))
            odds[i, j, k] = best
    return odds[0, 0, 0]


@pytest.mark.parametrize("target", [1, 5, 10, 20])
def test_pig_is_solved(target: int) -> None:
    r = solve(zermelo.load(f"pig:target={target}"))
    assert r.exact and r.algorithm == "value-iteration" and r.error < 1e-9
    assert (1 + r.value) / 2 == pytest.approx(iterated(target), abs=1e-8)


def test_a_deep_search_of_pig_nears_its_value() -> None:
    game = zermelo.load("pig:target=10")
    true = solve(game).value
    errors = [abs(search(game, depth=d).value - true) for d in (2, 12)]
    assert errors[1] < min(errors[0], 0.02)


def test_value_iteration_agrees_with_expectiminimax() -> None:
    for seed in range(60):
        game = oracle.ChanceGame(seed, 5)
        r = solve(game, algorithm="value-iteration")
        assert r.value == pytest.approx(oracle.expectiminimax(game, game.initial()))
        assert r.exact


def test_value_iteration_refuses_what_it_cannot_do() -> None:
    class Open(oracle.ChanceGame):
        utility_bounds = None

        def __init__(self) -> None:
            super().__init__(1, 3)
            self.utility_bounds = None

    with pytest.raises(zermelo.RulesError, match="bounds"):
        solve(Open(), algorithm="value-iteration")
    with pytest.raises(zermelo.SearchBudgetExceeded):
        solve(zermelo.load("pig"), time=0.05)
    with pytest.raises(zermelo.SearchBudgetExceeded):
        solve(zermelo.load("pig:target=20"), algorithm="value-iteration", nodes=1000)


# -- 2048 -----------------------------------------------------------------------------------------
def slid(row: list[int]) -> tuple[list[int], int]:
    """One row to the left, by the book."""
    tiles = [t for t in row if t]
    out, gain = [], 0
    while tiles:
        t = tiles.pop(0)
        if tiles and tiles[0] == t and t < 32768:
            tiles.pop(0)
            t *= 2
            gain += t
        out.append(t)
    return out + [0] * (4 - len(out)), gain


def moved(tiles: list[int], way: str) -> tuple[list[int], int]:
    rows = [tiles[i : i + 4] for i in range(0, 16, 4)]
    if way in ("up", "down"):
        rows = [list(c) for c in zip(*rows, strict=True)]
    if way in ("right", "down"):
        rows = [row[::-1] for row in rows]
    done = [slid(row) for row in rows]
    rows, gain = [row for row, _ in done], sum(g for _, g in done)
    if way in ("right", "down"):
        rows = [row[::-1] for row in rows]
    if way in ("up", "down"):
        rows = [list(c) for c in zip(*rows, strict=True)]
    return [t for row in rows for t in row], gain


def test_2048_slides_by_the_book() -> None:
    game: Any = zermelo.load("2048")
    rng = random.Random(1)
    for _ in range(400):
        powers = [rng.choice([0, 0, 1, 1, 2, 3, rng.randint(1, 15)]) for _ in range(16)]
        cells = [str(1 << p) if p else "." for p in powers]
        rows = "/".join(",".join(cells[i : i + 4]) for i in range(0, 16, 4))
        s = game.parse_state(f"{rows} 0")
        ways = ("up", "right", "down", "left")
        legal = [w for w in ways if moved(game.tiles(s), w)[0] != game.tiles(s)]
        assert game.actions(s) == legal and game.is_terminal(s) == (not legal)
        for way in legal:
            after = game.result(s, way)
            assert (game.tiles(after), game.score(after)) == moved(game.tiles(s), way)
            empty = game.tiles(after).count(0)
            odds = game.outcomes(after)
            assert len(odds) == 2 * empty and sum(p for _, p in odds) == pytest.approx(1)
            assert {round(p * empty, 9) for _, p in odds} == {0.9, 0.1}


@pytest.mark.parametrize(
    "text",
    ["", "2,2/2,2 0", "3,.,.,./.,.,.,./.,.,.,./.,.,.,. 0", "2,.,.,./.,.,.,./.,.,.,./.,.,.,. 4",
     "2,.,.,./.,.,.,./.,.,.,./.,.,.,. x", "2,2,2,2/2,2,2,2/2,2,2,2/2,2,2,2 0 +1",
     "65536,.,.,./.,.,.,./.,.,.,./.,.,.,. 0", "2,.,.,./.,.,.,./.,.,.,./.,.,.,. 99999999999"],
)  # fmt: skip
def test_positions_that_2048_has_not(text: str) -> None:
    with pytest.raises(zermelo.BadPosition):
        zermelo.load("2048").parse_state(text)


def play_2048(seed: int, until: int, **options: Any) -> tuple[int, int]:
    """The largest tile and the score of one game; it ends when the tile `until` is there."""
    game: Any = zermelo.load("2048")
    rng = random.Random(seed)
    s = game.initial()
    while not game.is_terminal(s) and max(game.tiles(s)) < until:
        if game.player(s) == CHANCE:
            outcomes = game.outcomes(s)
            a = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            a = search(game, s, table=1, **options).action
        s = game.result(s, a)
    return max(game.tiles(s)), game.score(s)


def test_expectimax_plays_2048_well() -> None:
    """Depth 1 already reaches 512 or so; the tile of 2048 is benchmarks/game_2048.py's."""
    assert all(play_2048(seed, 512, depth=2)[0] == 512 for seed in range(2))


# -- a game in Python --------------------------------------------------------------------------
EXAMPLE = Path(__file__).parents[2] / "examples" / "dice_game.py"
THROWS = [a + b for a in range(1, 7) for b in range(1, 7)]


def thrown(after: Any, total: int) -> Fraction:
    return Fraction(sum(after(total + n) for n in THROWS), len(THROWS))


@cache
def second(total: int, goal: int) -> Fraction:
    """What who throws last gets of a goal, 0 where the first is beyond 21."""
    if total > 21:
        return Fraction(-1 if goal else 0)
    stop = Fraction((total > goal) - (total < goal))
    return max(stop, thrown(lambda t: second(t, goal), total))


@cache
def first(total: int) -> Fraction:
    if total > 21:
        return -second(0, 0)
    return max(-second(0, total), thrown(first, total))


def test_the_example_with_dice_is_worth_what_fractions_say() -> None:
    game = zermelo.load(f"{EXAMPLE}:TwentyOne")
    for total in range(22):
        state = (total, 0, 0, False)
        assert solve(game, state).value == pytest.approx(float(first(total)), abs=1e-12)
    for goal in (0, 15, 21):
        for total in (0, 9, 15, 21):
            value = solve(game, (goal, total, 1, False)).value
            assert -value == pytest.approx(float(second(total, goal)), abs=1e-12)
    assert round(float(first(0)), 4) == -0.1109  # as docs/chance.md says
    assert diagnose(game, time=3).healthy
