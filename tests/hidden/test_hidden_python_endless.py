"""Hidden information in games that are long or never end."""

from __future__ import annotations

import time
from typing import Any

import pytest

import zermelo
from hidden_games import Coin
from zermelo import (
    CHANCE,
    Belief,
    EndlessGame,
    Game,
    RulesError,
)


class Ring(Game):
    """A walk round a ring of rooms that nobody can see; a step in room 0 may end it."""

    players = 1
    utility_bounds = (-1.0, 1.0)

    def __init__(self, exit_: bool) -> None:
        self.exit = exit_

    def initial(self) -> Any:
        return "start"

    def player(self, s: Any) -> int:
        return CHANCE if s == "start" else 0

    def outcomes(self, s: Any) -> list[tuple[int, float]]:
        return [(i, 1 / 3) for i in range(3)]

    def actions(self, s: Any) -> list[str]:
        return ["stop", "walk"] if self.exit else ["walk", "back"]

    def result(self, s: Any, a: Any) -> Any:
        if s == "start":
            return a
        return "over" if a == "stop" else (s + (1 if a == "walk" else 2)) % 3

    def is_terminal(self, s: Any) -> bool:
        return s == "over"

    def utility(self, s: Any, p: int) -> float:
        return 0.0

    def observation(self, s: Any, p: int) -> Any:
        return s == "start"


@pytest.mark.parametrize("exit_", [False, True])
def test_play_without_end_is_noticed_or_ends_at_the_limits(exit_: bool) -> None:
    game, states = Ring(exit_), [0, 1, 2]
    with pytest.raises(EndlessGame, match="same belief"):
        zermelo.search(game, 0, "belief", belief=states)
    r = zermelo.search(game, 0, "belief", belief=states, depth=5)
    assert (r.value, r.depth) == (0, 5)
    for limit in ({"nodes": 500}, {"time": 0.1}):
        assert zermelo.search(game, 0, "belief", belief=states, **limit).action in game.actions(0)
    # What must be guaranteed is never reached by walking on.
    r = zermelo.search(game, 0, "belief", belief=states, others="hostile")
    assert r.value == (0 if exit_ else -1)
    assert zermelo.search(game, 0, "guaranteed", belief=states, depth=10).plan is None
    if not exit_:
        with pytest.raises(RulesError):
            zermelo.search(game, 0, "pimc", belief=states)


class Long(Game):
    """A forced line of `length` moves of the others, then of the player."""

    utility_bounds = (-1.0, 1.0)

    def __init__(self, others: int, own: int) -> None:
        self.others, self.own = others, own

    def initial(self) -> Any:
        return (0, "?")

    def player(self, s: Any) -> int:
        n = s[0]
        return CHANCE if n == 0 else 1 if 2 <= n < 2 + self.others else 0

    def outcomes(self, s: Any) -> list[tuple[Any, float]]:
        return [("h", 0.5), ("t", 0.5)]

    def actions(self, s: Any) -> list[Any]:
        return ["on"]

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + 1, a if s[0] == 0 else s[1])

    def is_terminal(self, s: Any) -> bool:
        return bool(s[0] == 2 + self.others + self.own)

    def utility(self, s: Any, p: int) -> float:
        return (1.0 if s[1] == "h" else -1.0) * (1 if p == 0 else -1)

    def observation(self, s: Any, p: int) -> Any:
        return s[0]


@pytest.mark.parametrize(("others", "own"), [(2000, 1), (1, 3000)])
def test_long_forced_lines_are_searched(others: int, own: int) -> None:
    game, states = Long(others, own), [(1, "h"), (1, "t")]
    assert zermelo.search(game, states[0], "belief", belief=states).value == 0
    assert zermelo.search(game, states[0], "pimc", belief=states).value == 0
    assert len(Belief(game, 0, dict.fromkeys(states, 1.0)).after("on")) == 1


class Turning(Coin):
    """After the first move the other player moves for ever."""

    def result(self, s: str, a: str) -> str:
        return s if s[1:] == "1" else super().result(s, a)


@pytest.mark.parametrize("algorithm", ["belief", "guaranteed"])
def test_others_who_move_for_ever_are_noticed(algorithm: str) -> None:
    game = Turning()
    game.utility_bounds = (-1.0, 1.0)
    with pytest.raises(EndlessGame):
        zermelo.search(game, "h0", algorithm, belief=["h0", "t0"])


def test_others_who_move_for_ever_are_noticed_in_beliefs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.hidden.beliefs.MAX_REPLIES", 1000)
    with pytest.raises(EndlessGame, match="does not get another turn"):
        Belief(Turning(), 0, {"h0": 1.0}).after("on")


def test_listing_the_states_obeys_the_time_limit() -> None:
    """Each question to these rules takes 10 ms; there are more histories than can be listed."""

    class Slow(Coin):
        def result(self, s: str, a: str) -> str:
            time.sleep(0.01)
            return f"{a}0" if s == "start" else s + a

        def actions(self, s: str) -> list[str]:
            return ["h", "t"]

        def is_terminal(self, s: str) -> bool:
            return len(s) > 40

        def player(self, s: str) -> int:
            return CHANCE if s == "start" else len(s) % 2

        def observation(self, s: str, p: int) -> Any:
            return len(s)

    start = time.monotonic()
    with pytest.raises(zermelo.NotSupported, match=r"not all found within 1 s"):
        zermelo.search(Slow(), "h0", "belief", time=0.2)
    assert time.monotonic() - start < 30
