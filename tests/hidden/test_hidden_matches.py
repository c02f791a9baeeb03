"""Search plays games that hide something, whole: nobody's choice rests on what it does not see."""

from __future__ import annotations

import random
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import CHANCE, NotSupported
from zermelo.hidden.particles import BeliefPlayer, Particles

WORDS = Path(__file__).parents[1] / "words.txt"
SPECS = [
    "kuhn", "leduc", "leduc:suits=yes", "liars-dice:dice=2", "holdem", "blind-tic-tac-toe",
    "blind-tic-tac-toe:rule=abrupt", "bridge:tricks=4,cards=hidden", "bridge:cards=hidden",
    "battleships:size=6,fleet=3,2", "stratego", "stratego:board=barrage,setup=chance",
    f"scrabble:words={WORDS}", "kriegspiel",
]  # fmt: skip
GAME = zermelo.load("kriegspiel")


def decisions(game: Any, rng: random.Random, most: int = 200) -> list[Any]:
    """The states of a random game in which a player moves."""
    found, s = [], game.initial()
    while not game.is_terminal(s) and len(found) < most:
        if game.player(s) == CHANCE:
            outcomes = list(game.outcomes(s))
            s = game.result(s, rng.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0])
            continue
        found.append(s)
        s = game.result(s, rng.choice(list(game.actions(s))))
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_drawn_does_not_rest_on_what_is_hidden(spec: str) -> None:
    """Another state that looks the same: the same draws, the same choice."""
    game, rng = zermelo.load(spec), random.Random(spec)
    other = 0
    for number in range(6):
        states = decisions(game, rng)
        for s in rng.sample(states, min(3, len(states))):
            p = game.player(s)
            t = game.sample(s, p, rng)
            other += t != s
            seed = rng.getrandbits(32)
            draws = [[game.sample(x, p, r) for _ in range(3)]
                     for x, r in ((s, random.Random(seed)), (t, random.Random(seed)))]  # fmt: skip
            assert draws[0] == draws[1]
            if number:
                continue
            for algorithm in ("pimc", "ismcts"):
                r, q = (zermelo.search(game, x, algorithm, nodes=30, deals=3, seed=seed)
                        for x in (s, t))  # fmt: skip
                assert r.action == q.action
                assert [(m.action, m.value) for m in r.moves] == [
                    (m.action, m.value) for m in q.moves
                ]
    assert other  # else nothing was hidden


def test_kriegspiel_draws_what_fits_all_that_was_said() -> None:
    rng = random.Random(4)
    said: set[str] = set()
    for _ in range(8):
        for s in decisions(GAME, rng, 400)[::7]:
            for p in (0, 1):
                t = GAME.sample(s, p, rng)
                assert GAME.handle.valid(GAME.data(t))
                assert GAME.observation(t, p) == GAME.observation(s, p)
                assert GAME.handle.observation(GAME.data(t), p) == GAME.handle.observation(
                    GAME.data(s), p
                )
                assert GAME.player(t) == GAME.player(s)
            told = GAME.announced(s)
            said |= {*told.checks, *(["taken"] if told.taken else [])}
            said |= {"tries"} if told.tries else {"refused"} if told.refused else set()
    assert {"rank", "file", "taken", "tries", "refused"} <= said


def test_kriegspiel_clocks_are_not_known() -> None:
    a = GAME.parse_state("4k3/8/8/8/8/8/8/R3K3 w - - 3 20")
    b = GAME.parse_state("4k3/8/8/8/8/8/8/R3K3 w - - 77 20")
    assert GAME.observation(a, 0) == GAME.observation(b, 0)
    assert GAME.sample(a, 0, random.Random(1)) == GAME.sample(b, 0, random.Random(1))
    more = GAME.parse_state("4k2r/8/8/8/8/8/8/R3K3 w - - 3 20")  # what was taken is heard
    assert GAME.observation(a, 0) != GAME.observation(more, 0)


def story(white: str, black: str) -> tuple[list[Any], list[Any]]:
    """States and actions of these attempts, by turns."""
    states, actions = [GAME.initial()], []
    for pair in zip(white.split(), [*black.split(), ""], strict=True):
        for a in filter(None, pair):
            actions.append(a)
            states.append(GAME.result(states[-1], a))
    return states, actions


def test_who_remembers_goes_by_what_it_heard() -> None:
    """White hears the same whatever these moves of Black's were: it thinks and does the same."""
    found, beliefs = set(), []
    for black in ("a7a6 b7b6", "h7h6 g8f6", "b8c6 c6b8"):
        states, actions = story("e2e4 d2d4 g1f3", black)
        del states[-1], actions[-1]
        for algorithm in ("pimc", "ismcts"):

            def ask(s: Any, belief: Any, algorithm: str = algorithm) -> Any:
                assert belief is not None
                beliefs.append(list(belief))
                return zermelo.search(GAME, s, algorithm, nodes=200, belief=belief).action

            found.add(
                (algorithm, BeliefPlayer(GAME, ask, random.Random(5)).choose(states, actions))
            )
    assert len(found) == 2
    assert all(b == beliefs[0] for b in beliefs)
    assert len(beliefs[0]) > 20
    seen = {GAME.observation(s, 0) for s in beliefs[0]}
    assert seen == {GAME.observation(states[-1], 0)}


def test_a_position_that_was_set_up_is_not_looked_at() -> None:
    men = "8/8/8/8/8/2K5/7R/"
    found = []
    for rest in ("k7", "5k2", "4k3"):
        states = [GAME.parse_state(f"{men}{rest} w - - 0 40")]
        belief = Particles().belief("", GAME, states, [], random.Random(2))
        assert belief is not None
        found.append(belief.odds)
    assert found[0] == found[1] == found[2] and len(found[0]) > 5


def test_playing_over_remembers_what_a_position_does_not() -> None:
    """A pawn was taken on d5: a draw knows that a man was, not which."""
    states, actions = story("e2e4 e4d5 a2a3 b2b3", "d7d5 d8d5 c8d7")
    del states[-1], actions[-1]
    belief = Particles().belief("", GAME, states, actions, random.Random(3))
    assert belief is not None
    old = [s for s in belief if GAME.announced(s).men.count("p") == 7]
    assert len(old) > len(belief) / 2


@pytest.mark.parametrize("player", ["pimc:depth=1", "ismcts:simulations=60"])
def test_kriegspiel_is_played_in_matches(player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without belief=; and the same seed gives the same game."""
    monkeypatch.setattr(import_module("zermelo.arena.match"), "MAX_PLIES", 60)
    told: list[list[str]] = []
    for _ in range(2):
        met: list[str] = []
        rng = random.Random(8)

        def other(game: Any, s: Any, met: Any = met, rng: Any = rng) -> Any:
            met.append(game.format_state(s))
            return rng.choice(game.actions(s))

        zermelo.match(GAME, (player, other), games=1, opening=4, seed=2)
        told.append(met)
    assert told[0] == told[1] and len(told[0]) > 10


def test_kriegspiel_beats_random_play() -> None:
    """From here on White has a queen and two rooks more."""

    class Ending(type(GAME)):  # type: ignore[misc]
        def initial(self) -> Any:
            return self.parse_state("4k3/pppp4/8/8/8/8/3PPPPP/3QK2R w - - 0 1")

    m = zermelo.match(Ending("kriegspiel"), ("ismcts:simulations=150", "random"),
                      games=6, opening=0, seed=1)  # fmt: skip
    assert sum(m.results[::2]) >= 2  # as White
    assert min(m.results[::2]) >= 0


def test_a_game_that_cannot_be_drawn_or_listed_is_played_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from trap import Trap

    asked: list[Any] = []

    def ask(s: Any, belief: Any) -> Any:
        if belief is None:
            raise NotSupported("too many histories")
        asked.append(belief)
        return 0

    game = Trap()
    s = game.initial()
    first = next(iter(game.outcomes(s)))[0]
    states = [s, game.result(s, first)]
    assert BeliefPlayer(game, ask, random.Random(1)).choose(states, [first]) == 0
    assert len(asked[0]) > 1


def test_a_leaf_is_judged_as_the_game_asks() -> None:
    def told(spec: str, **asked: Any) -> Any:
        game = zermelo.load(spec)
        s = decisions(game, random.Random(1), 40)[-1]
        r = zermelo.search(game, s, "ismcts", simulations=40, deals=5, seed=1, **asked)
        return [(m.action, m.value) for m in r.moves]

    for spec in ("kriegspiel", "stratego:board=barrage,setup=chance"):
        assert told(spec) == told(spec, rollout="none") != told(spec, rollout="random")
    sea = "battleships:size=6,fleet=3,2"
    assert told(sea) == told(sea, rollout="random") != told(sea, rollout="none")
    assert told(sea, rollout="greedy") != told(sea, rollout="evaluate", cutoff=2)
    with pytest.raises(zermelo.UsageError, match="no evaluation"):
        told("leduc", rollout="none")


def test_an_ending_that_was_set_up_is_drawn_all_over_the_board() -> None:
    s = GAME.parse_state("8/8/8/8/8/1K6/7R/k7 w - - 0 1")
    belief = zermelo.belief_of(GAME, s, deals=200, seed=1)
    assert len(belief) > 20
    r = zermelo.search(GAME, s, "guaranteed", deals=1, nodes=1000)  # one is not all
    assert not r.exact and r.belief is not None and r.belief.drawn == 1
