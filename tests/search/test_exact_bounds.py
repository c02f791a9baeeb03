"""What the utility bounds of a game allow a search to claim."""

from __future__ import annotations

import random

import pytest

import zermelo


class Listed(zermelo.Game):
    """A graph as lists: the children, the player and the utility of each state."""

    def __init__(self, children: list[list[int]], movers: list[int], worth: list[float]) -> None:
        self.children, self.movers, self.worth = children, movers, worth

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return self.movers[s]

    def actions(self, s: int) -> list[int]:
        return list(range(len(self.children[s])))

    def result(self, s: int, a: int) -> int:
        return self.children[s][a]

    def is_terminal(self, s: int) -> bool:
        return not self.children[s]

    def utility(self, s: int, p: int) -> float:
        return self.worth[s] if p == 0 else -self.worth[s]


def test_a_proved_win_is_a_bound_where_more_than_a_win_is_possible() -> None:
    scores = Listed([[1, 2], [], [3], [4], []], [0] * 5, [0, 1, 0, 0, 5])
    r = zermelo.search(scores, algorithm="proof-number")
    assert (r.value, r.kind) == (1, "lower")
    scores.utility_bounds = (-1, 1)
    with pytest.raises(zermelo.RulesError, match="utility"):
        zermelo.search(scores, algorithm="minimax")
    cycle = Listed([[2, 3, 1], [0, 4], [], [5], [], [6], []], [1, 0, 0, 1, 0, 1, 0],
                   [0, 0, -1, 0, 2, 0, -3])  # fmt: skip
    with pytest.raises(zermelo.ZermeloError):  # true: -3
        zermelo.solve(cycle)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "engine", "expectimax", "mcts"])
def test_one_player_with_any_sum_has_one_value(algorithm: str) -> None:
    alone = Listed([[1, 2], [], []], [0] * 3, [0, 1, 2])
    alone.players, alone.zero_sum = 1, False
    alone.evaluate = lambda s, p: -7.5  # type: ignore[attr-defined]
    r = zermelo.search(alone, algorithm=algorithm)
    assert (r.value, r.values, r.action, r.exact) == (2, (2,), 1, True)


def test_exact_moves_of_alphabeta_with_a_table_have_lines_that_reach_their_value() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        count = 9
        children = [
            sorted(rng.choices(range(s + 1, count), k=rng.randint(1, 3))) if s < count - 3 else []
            for s in range(count)
        ]
        game = Listed(children, [rng.randrange(2) for _ in range(count)],
                      [rng.choice((-1.0, 0.0, 1.0)) for _ in range(count)])  # fmt: skip
        game.utility_bounds = (-1, 1)
        for r in (zermelo.search(game, algorithm="alphabeta", table=1),
                  zermelo.solve(game, ties=True)):  # fmt: skip
            for m in r.moves:
                s = 0
                for action in m.pv:
                    s = game.result(s, action)
                if m.kind == "exact" and game.is_terminal(s):
                    assert game.utility(s, 0) == m.value, (seed, m)
                elif m.kind == "exact":  # the line ends early, but on the way
                    assert least_to_most(game, s) == m.value, (seed, m)


def least_to_most(game: Listed, s: int) -> float:
    """The value of a state by brute force."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    return (max, min)[game.player(s)](least_to_most(game, c) for c in game.children[s])


class Rerolled(zermelo.Game):
    """Chance repeats itself until it ends the game."""

    utility_bounds = (0, 1)

    def initial(self) -> str:
        return "roll"

    def player(self, s: str) -> int:
        return zermelo.CHANCE

    def actions(self, s: str) -> list[str]:
        return ["again", "once more", "end"]

    def outcomes(self, s: str) -> list[tuple[str, float]]:
        return [("again", 0.5), ("once more", 0.375), ("end", 0.125)]

    def result(self, s: str, a: str) -> str:
        return "over" if a == "end" else "roll"

    def is_terminal(self, s: str) -> bool:
        return s == "over"

    def utility(self, s: str, p: int) -> float:
        return 1.0 if p == 0 else -1.0


@pytest.mark.parametrize("algorithm", ["expectiminimax", "maxn", "paranoid"])
def test_chance_that_repeats_costs_depth(algorithm: str) -> None:
    r = zermelo.search(Rerolled(), algorithm=algorithm, depth=3, nodes=100_000)
    assert not r.stopped and r.kind == "estimate" and 0 < r.value < 1
