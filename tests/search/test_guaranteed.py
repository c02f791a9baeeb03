"""Wins that are sure: against the definition on random games, and Kriegspiel's mates replayed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from test_hidden import Fog, by_hand_belief, root
from zermelo import CHANCE, BadPosition, Belief, Game, RulesError, belief_of

KRIEGSPIEL = zermelo.load("kriegspiel")


class Won(Fog):
    """Fog with wins and losses, most of them wins."""

    def __init__(self, seed: int, players: int, depth: int, worlds: int = 3) -> None:
        super().__init__(seed, players, depth, worlds)
        self.utility_bounds = (-1.0, 1.0)

    def utility(self, s: tuple[int, ...], p: int) -> float:
        u = 1.0 if self._draw("won", s).random() < 0.7 else -1.0
        return u if p == 0 else -u


def test_it_is_its_definition_on_random_games() -> None:
    sure = 0
    for seed in range(400):
        game = Won(seed, 1 + seed % 2, 1 + seed % 5)
        s, states = root(game)
        expected = by_hand_belief(game, states, 0, True)
        r = zermelo.search(game, s, "guaranteed")
        assert (r.value == 1) == (expected == 1), seed
        if r.value == 1:
            sure += 1
            assert r.exact
            assert r.plan is not None
            assert r.belief is not None
            assert r.plan.replay(r.belief).moves <= r.plan.moves
        else:
            assert r.plan is None
            assert "no guaranteed win" in r.why
    assert 50 < sure < 350


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_the_second_player_too(seed: int, depth: int) -> None:
    game = Won(seed, 2, depth)
    s = (0, 1)
    belief = belief_of(game, s)
    expected = by_hand_belief(game, dict(belief.odds), 1, True)
    r = zermelo.search(game, s, "guaranteed")
    assert (r.value == -1) == (expected == 1)
    if r.plan is not None:
        assert r.plan.replay(belief).ends


class Rooms(Game):
    """Rooms in a ring: one has the prize. One may walk on, or grasp, which ends it; a bell tells of
    room 0. Who cannot hear the bell never knows."""

    players = 1
    utility_bounds = (-1.0, 1.0)

    def __init__(self, size: int, bell: bool) -> None:
        self.size, self.bell = size, bell

    def initial(self) -> Any:
        return ("start",)

    def player(self, s: Any) -> int:
        return CHANCE if s == ("start",) else 0

    def outcomes(self, s: Any) -> list[tuple[int, float]]:
        return [(i, 1 / self.size) for i in range(self.size)]

    def actions(self, s: Any) -> list[Any]:
        return list(range(self.size)) if s == ("start",) else ["walk", "grasp"]

    def result(self, s: Any, a: Any) -> Any:
        if s == ("start",):
            return (a, False)
        return ((s[0] + 1) % self.size, False) if a == "walk" else (s[0], True)

    def is_terminal(self, s: Any) -> bool:
        return len(s) == 2 and bool(s[1])

    def utility(self, s: Any, p: int) -> float:
        return 1.0 if s[0] == self.size - 1 else -1.0

    def observation(self, s: Any, p: int) -> Any:
        return len(s) > 1 and self.bell and s[0] == 0


def test_play_that_may_go_round_for_ever() -> None:
    game = Rooms(5, True)
    states = [(i, False) for i in range(1, 5)]
    r = zermelo.search(game, states[0], "guaranteed", belief=states, depth=20)
    # No bell in 3 steps: it was room 1, and this is the prize. Else 4 more steps, then the hand.
    assert r.value == 1
    assert r.plan is not None
    assert r.plan.replay(Belief(game, 0, dict.fromkeys(states, 1.0))).moves == 8
    r = zermelo.search(game, states[0], "guaranteed", belief=states, depth=7)
    assert r.value == -1
    assert "no guaranteed win within 7 decisions" in r.why
    deaf = Rooms(5, False)
    r = zermelo.search(deaf, states[0], "guaranteed", belief=states)
    assert r.value == -1


def kings(squares: str, men: str) -> Belief:
    """The black king on each of these squares, White to move."""
    return Belief(KRIEGSPIEL, 0, dict.fromkeys(KRIEGSPIEL.somewhere(men, squares.split()), 1.0))


@pytest.mark.parametrize(
    ("squares", "men"),
    [
        ("a1 b1 c1 a2 b2 c2 a3 b3 c3", "8/8/8/3K4/3R4/8/8/8"),
        ("a1 b1 c1 a2 b2 c2 a3 b3 c3", "8/8/8/8/3RK3/8/8/8"),
    ],
)
def test_king_and_rook_mate_a_king_on_any_of_nine_squares(squares: str, men: str) -> None:
    belief = kings(squares, men)
    assert len(belief) == 9
    r = zermelo.search(KRIEGSPIEL, next(iter(belief)), "guaranteed", belief=belief)
    assert (r.value, r.kind) == (1, "exact")
    assert r.plan is not None
    told = r.plan.replay(belief)
    assert told.moves <= r.plan.moves <= 50
    assert told.ends >= 1
    assert told.sets <= len(r.plan)


def test_a_plan_that_does_not_win_is_noticed() -> None:
    belief = kings("a1 b1", "2R5/8/8/8/8/1K6/8/8")
    r = zermelo.search(KRIEGSPIEL, next(iter(belief)), "guaranteed", belief=belief, depth=6)
    assert r.plan is not None
    for states in list(r.plan):
        step = r.plan.steps.pop(states)
        with pytest.raises(BadPosition, match="has no entry"):
            r.plan.replay(belief)
        r.plan.steps[states] = step
    start = next(iter(r.plan))
    r.plan.steps[start] = r.plan.steps[start]._replace(action="c8c1")  # the king may take it
    with pytest.raises(BadPosition, match=r"has no entry|does not win"):
        r.plan.replay(belief)


def test_shortest_within_the_depth_as_plain_belief_search() -> None:
    for squares, men in (
        ("a1 b1", "2R5/8/8/8/8/1K6/8/8"),
        ("a1", "8/8/8/8/8/1K6/7R/8"),
        ("a1 c1", "7R/8/8/8/8/1K6/8/8"),
    ):
        belief = kings(squares, men)
        s = next(iter(belief))
        for depth in (1, 2, 3):
            plain = zermelo.search(
                KRIEGSPIEL, s, "belief", belief=belief, others="hostile", depth=depth
            )
            r = zermelo.search(KRIEGSPIEL, s, "guaranteed", belief=belief, depth=depth)
            assert (r.value == 1) == (plain.value == 1), (squares, men, depth)


def test_limits_and_games_without_bounds() -> None:
    belief = kings("a1 b1 c1 a2 b2 c2 a3 b3 c3", "8/8/8/3K4/3R4/8/8/8")
    r = zermelo.search(KRIEGSPIEL, next(iter(belief)), "guaranteed", belief=belief, nodes=50)
    assert (r.stopped, r.nodes) == ("nodes", 50)
    assert r.plan is None
    game = Fog(1, 2, 3)
    game.utility_bounds = None  # type: ignore[assignment]
    with pytest.raises(RulesError, match="does not declare utility_bounds"):
        zermelo.search(game, (0,), "guaranteed")
