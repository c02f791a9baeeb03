"""Every line that a search reports can be played."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo.game import facts_of
from zermelo.search.algorithms import Algorithm, algorithms

# They search over beliefs, or refuse a game of scores.
LEFT_OUT = {"proof-number", "guaranteed", "belief", "pimc", "ismcts", "value-iteration"}


def playable(game: Any, s: Any, line: list[Any]) -> bool:
    for action in line:
        if game.is_terminal(s) or action not in game.actions(s):
            return False
        s = game.result(s, action)
    return True


def check_lines(r: zermelo.Result) -> None:
    assert playable(r.game, r.state, r.pv), (r.algorithm, r.game.format_state(r.state), r.pv)
    for m in r.moves:
        assert playable(r.game, r.state, m.pv), (r.algorithm, r.game.format_state(r.state), m.pv)


def options_for(algorithm: Algorithm, deepest: int, rng: random.Random) -> dict[str, Any]:
    chosen: dict[str, Any] = {"nodes": rng.choice((50, 500, 2000))}
    if "deepen" in algorithm.options and rng.random() < 0.6:
        chosen = {"depth": rng.randint(1, deepest)}
    if "table" in algorithm.options:
        chosen["table"] = 1
    if "lines" in algorithm.options and rng.random() < 0.5:
        chosen["lines"] = rng.choice((2, 3))
    return chosen


def random_state(game: Any, plies: int, rng: random.Random) -> Any:
    """A state after some random moves, not the end of a game."""
    s = game.initial()
    for _ in range(rng.randint(0, plies)):
        after = game.result(s, rng.choice(game.actions(s)))
        if game.is_terminal(after):
            break
        s = after
    return s


@pytest.mark.parametrize(
    ("spec", "plies", "deepest", "count"),
    [
        ("othello:size=4", 12, 8, 120),
        ("othello:size=6", 30, 3, 40),
        ("connect-four:width=5,height=4", 16, 5, 20),
        ("checkers", 60, 4, 10),
        ("bridge:tricks=3", 8, 4, 10),
    ],
)
def test_lines_can_be_played(spec: str, plies: int, deepest: int, count: int) -> None:
    game, rng = zermelo.load(spec), random.Random(spec)
    fitting = [a for a in algorithms().values() if a.name not in LEFT_OUT]
    fitting = [a for a in fitting if not a.misfit(facts_of(game))]
    assert len(fitting) >= 8
    for _ in range(count):
        s = random_state(game, plies, rng)
        for a in fitting:
            check_lines(zermelo.search(game, s, a.name, **options_for(a, deepest, rng)))


def test_all_lines_of_small_othello_positions() -> None:
    """Where a pass or the game's own solver ends a line, the line ends too."""
    game, rng = zermelo.load("othello:size=4"), random.Random(4)
    states = [game.parse_state("-XXX-XX-OOOO---X X")]
    states += [random_state(game, 12, rng) for _ in range(150)]
    for s in states:
        for depth in (1, 2, 4, None):
            check_lines(zermelo.search(game, s, "engine", depth=depth, lines=4))
        check_lines(zermelo.solve(game, s))
        check_lines(zermelo.solve(game, s, ties=True))
