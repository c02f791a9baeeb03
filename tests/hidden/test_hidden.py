"""Search over deals, information sets and beliefs, against plain Python that does the same."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from trap import Trap
from zermelo import CHANCE, BadPosition, Game, NotSupported, UsageError


class Fog(Game):
    """A small game of random rules: nature hides a number, then players move by turns.

    Player 0 (or both) sees only part of what happened; every observation keeps what it saw before.
    """

    def __init__(self, seed: int, players: int, depth: int, worlds: int = 3) -> None:
        self.seed, self.players, self.depth, self.worlds = seed, players, depth, worlds
        self.utility_bounds = (-9.0, 9.0)

    def _draw(self, *what: Any) -> random.Random:
        return random.Random(repr((self.seed, what)))

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, s: tuple[int, ...]) -> int:
        if not s:
            return CHANCE
        return (len(s) - 1) % self.players

    def actions(self, s: tuple[int, ...]) -> list[int]:
        return list(range(self.worlds)) if not s else [0, 1]

    def outcomes(self, s: tuple[int, ...]) -> list[tuple[int, float]]:
        weights = [self._draw("odds", w).randint(1, 4) for w in range(self.worlds)]
        return [(w, x / sum(weights)) for w, x in enumerate(weights)]

    def result(self, s: tuple[int, ...], a: int) -> tuple[int, ...]:
        return (*s, a)

    def is_terminal(self, s: tuple[int, ...]) -> bool:
        return len(s) > self.depth

    def utility(self, s: tuple[int, ...], p: int) -> float:
        u = float(self._draw("end", s).randint(-9, 9))
        return u if p == 0 else -u

    def observation(self, s: tuple[int, ...], p: int) -> Any:
        """Own moves, those of others here and there, and now and then a hint of the world."""
        seen: list[Any] = []
        for i, a in enumerate(s[1:], 1):
            own = (i - 1) % self.players == p
            shown = self._draw("shown", i, p, tuple(seen)).random() < 0.5
            seen.append(a if own or shown else "?")
            if self._draw("hint", i, p).random() < 0.3:
                seen.append(self._draw("told", i, p, s[0]).randint(0, 1))
        return tuple(seen)


def by_hand_belief(game: Game, states: dict[Any, float], p: int, hostile: bool) -> float:
    """The value of a belief, written as the definition reads; weights need not add up to 1."""
    best = -1e9
    for a in game.actions(next(iter(states))):
        ends: list[float] = []
        parts: dict[Any, dict[Any, float]] = {}

        def on(s: Any, w: float, ends: Any = ends, parts: Any = parts) -> None:
            if game.is_terminal(s):
                ends.append(game.utility(s, p) * (1 if hostile else w))
            elif game.player(s) == p:
                at = parts.setdefault(game.observation(s, p), {})  # type: ignore[attr-defined]
                at[s] = at.get(s, 0.0) + w
            else:
                moves = list(game.actions(s))
                for b in moves:
                    on(game.result(s, b), w / len(moves))

        for s, w in states.items():
            on(game.result(s, a), w)
        values = ends + [by_hand_belief(game, part, p, hostile) for part in parts.values()]
        best = max(best, min(values) if hostile else sum(values))
    return best


def root(game: Fog) -> tuple[Any, dict[Any, float]]:
    """A first decision of player 0, and what it may be in."""
    s = (0,)
    odds = dict(game.outcomes(()))
    return s, {
        (w,): p for w, p in odds.items() if game.observation((w,), 0) == game.observation(s, 0)
    }


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 2), st.integers(1, 5), st.booleans())
def test_belief_search_is_its_definition(
    seed: int, players: int, depth: int, hostile: bool
) -> None:
    game = Fog(seed, players, depth)
    s, states = root(game)
    total = 1 if hostile else sum(states.values())
    expected = by_hand_belief(game, states, 0, hostile) / total
    r = zermelo.search(game, s, "belief", others="hostile" if hostile else "random")
    assert r.value == pytest.approx(expected)
    assert r.belief is not None
    assert set(r.belief) == set(states)
    assert sum(r.belief.odds.values()) == pytest.approx(1)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 2), st.integers(1, 5))
def test_search_over_deals_is_its_definition(seed: int, players: int, depth: int) -> None:
    game = Fog(seed, players, depth)

    @cache
    def seen(s: Any) -> float:
        if game.is_terminal(s):
            return game.utility(s, 0)
        values = [seen(game.result(s, a)) for a in game.actions(s)]
        return max(values) if game.player(s) == 0 else min(values)

    s, states = root(game)
    total = sum(states.values())
    r = zermelo.search(game, s, "pimc")
    for m in r.moves:
        average = sum(w * seen(game.result(t, m.action)) for t, w in states.items()) / total
        assert m.value == pytest.approx(average)
    assert r.value == max(m.value for m in r.moves)
    # Never less than what can be had, and more only where it warns.
    right = zermelo.search(game, s, "belief").value if players == 1 else r.value
    assert r.value >= right - 1e-9


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_information_set_search_comes_to_the_value(seed: int, depth: int) -> None:
    game = Fog(seed, 1, depth)
    s, _ = root(game)
    right = zermelo.search(game, s, "belief")
    r = zermelo.search(game, s, "ismcts", simulations=40_000, seed=1)
    values = {m.action: m.value for m in right.moves}
    assert values[r.action] == pytest.approx(right.value, abs=0.3)
    assert r.value == pytest.approx(right.value, abs=0.6)


def test_the_roads() -> None:
    game = zermelo.tree(
        "chance(max#roads(A=20 B=max#fork(left=100 right=-1000))"
        " max#roads(A=20 B=max#fork(left=-1000 right=100)))"
    )
    s = game.result(game.initial(), 1)
    over_deals = zermelo.search(game, s, "pimc")
    assert (over_deals.action, over_deals.value) == ("B", 100)
    assert "strategy fusion" in over_deals.why
    for algorithm in ("belief", "ismcts", "auto"):
        assert zermelo.search(game, s, algorithm, nodes=2000).action == "A"
    sure = zermelo.search(game, s, "belief")
    assert sure.exact
    assert {m.action: m.value for m in sure.moves} == {"A": 20, "B": -450}


def test_information_sets_beat_deals_where_fusion_is_punished() -> None:
    game = Trap()
    s = (0,)
    assert zermelo.search(game, s, "pimc").action == 1
    assert zermelo.search(game, s, "ismcts", simulations=5000).action == 0
    assert zermelo.search(game, s, "belief").action == 0

    m = zermelo.match(game, ("ismcts:simulations=300", "pimc:depth=9"), games=200, opening=0)
    assert m.score - m.error > 0.5


def test_no_search_sees_more_than_its_player() -> None:
    """The answer depends on what the mover sees, not on the state that is handed over."""
    for spec, texts in {
        "kuhn": ("Q J", "Q K"),
        "leduc": ("Q J call raise call K", "Q K call raise call K", "Q Q call raise call K"),
    }.items():
        game = zermelo.load(spec)
        for algorithm, limit in {
            "pimc": {},
            "ismcts": {"simulations": 3000},
            "belief": {},
        }.items():
            found = [
                zermelo.search(game, game.parse_state(t), algorithm, seed=3, **limit) for t in texts
            ]
            first = [(m.action, m.value) for m in found[0].moves]
            for r in found[1:]:
                assert [(m.action, m.value) for m in r.moves] == first, (spec, algorithm)
                assert r.belief is not None
                assert r.belief.odds == found[0].belief.odds


def test_drawn_deals_come_near_to_all() -> None:
    game = zermelo.load("leduc")
    s = game.parse_state("Q J call raise call K")
    every = {m.action: m.value for m in zermelo.search(game, s, "pimc").moves}
    drawn = zermelo.search(game, s, "pimc", deals=2000, seed=5)
    for m in drawn.moves:
        assert m.error is not None
        assert abs(m.value - every[m.action]) < 5 * m.error + 1e-9


def test_beliefs_that_cannot_be() -> None:
    game = zermelo.load("kuhn")
    s = game.parse_state("Q J")
    with pytest.raises(BadPosition, match="contradicts what player 0 observes"):
        zermelo.search(game, s, "belief", belief=[s, game.parse_state("K J")])
    with pytest.raises(BadPosition, match="empty"):
        zermelo.search(game, s, "belief", belief=[])
    with pytest.raises(BadPosition, match="another player moves"):
        zermelo.search(game, s, "belief", belief=[s, game.parse_state("Q J pass")])
    with pytest.raises(UsageError, match="does not support `belief`"):
        zermelo.search(zermelo.load("nim"), belief=[1])
    with pytest.raises(UsageError, match="cannot sample states"):
        zermelo.search(Trap(), (0,), "pimc", deals=5)
    with pytest.raises(NotSupported, match="has hidden information"):
        zermelo.solve(game)


def test_a_belief_tells_what_it_was_told() -> None:
    game = zermelo.load("kuhn")
    belief = zermelo.belief_of(game, game.parse_state("Q J"))
    assert {game.format_state(s): p for s, p in belief.odds.items()} == {"Q J": 0.5, "Q K": 0.5}
    after = belief.after("pass")
    assert set(after) == {"Q ? pass bet"}
    ends = belief.ends("pass")
    assert {game.format_state(s) for s, _ in ends} == {"Q J pass pass", "Q K pass pass"}


def test_who_plays_sees_only_its_own_cards(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from zermelo.ui.terminal import play_game

    for seed in range(6):
        words = iter(["pass", "pass", "hint", "quit"])
        monkeypatch.setattr("builtins.input", lambda _, w=words: next(w))
        game = zermelo.load("kuhn")
        play_game(game, game.initial(), "ismcts:simulations=50", 0, None, None, seed=seed)
        told = capsys.readouterr().out
        open_end = told.rfind("\n\n")
        rows = [r for r in told[:open_end].splitlines() if r.startswith("Second player:")]
        assert rows and all(r.split()[2] in "-?" for r in rows)


def test_who_folds_is_shown_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from zermelo.ui.terminal import play_game

    game = zermelo.load("holdem")
    monkeypatch.setattr("builtins.input", lambda _: "fold")
    play_game(game, game.initial(), "ismcts:simulations=20", 0, None, None)
    rows = [r for r in capsys.readouterr().out.splitlines() if r.startswith("Big blind:")]
    assert rows and all("??" in r or r.split()[2] == "-" for r in rows)
    monkeypatch.setattr("builtins.input", lambda _: "call")
    for _ in range(8):
        play_game(game, game.initial(), "ismcts:simulations=20", 0, None, None)
    assert "??" not in capsys.readouterr().out.rsplit("Big blind:", 1)[1].splitlines()[0]


@pytest.mark.parametrize("opponent", ["pimc:deals=-1", "ismcts:depth=3", "pimc:nodes=-1",
                                      "engine", "pimc:inner=nobody"])  # fmt: skip
def test_a_wrong_opponent_is_told_before_the_first_move(
    opponent: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from zermelo.ui.terminal import play_game

    monkeypatch.setattr("builtins.input", lambda _: "quit")
    for spec in ("holdem", "kuhn"):
        game = zermelo.load(spec)
        with pytest.raises(zermelo.ZermeloError):
            play_game(game, game.initial(), opponent, 0, None, None)
    assert capsys.readouterr().out == ""


def test_analysis_shows_the_mover_s_view() -> None:
    from typer.testing import CliRunner

    from zermelo.ui.cli.main import app

    told = CliRunner().invoke(app, ["analyze", "kuhn", "--position", "Q J", "--nodes", "500"])
    assert "Second player: ?" in told.stdout
    assert "50.0%  Q K" in told.stdout


@pytest.mark.parametrize("nodes", [1, 7, 50, 500])
@pytest.mark.parametrize("algorithm", ["pimc", "ismcts", "belief"])
def test_limits_end_it(algorithm: str, nodes: int) -> None:
    game = zermelo.load("leduc")
    s = game.parse_state("Q J")
    r = zermelo.search(game, s, algorithm, nodes=nodes)
    assert r.action in game.actions(s)
    assert r.nodes <= nodes


@pytest.mark.parametrize("algorithm", ["pimc", "ismcts", "belief"])
def test_a_game_that_hides_nothing_is_seen_whole(algorithm: str) -> None:
    game = zermelo.load("tic-tac-toe")
    s = game.parse_state("XX./OO./...")  # whoever is to move wins at once
    r = zermelo.search(game, s, algorithm, nodes=2000)
    assert game.is_terminal(game.result(s, r.action)), r.action
    pig = zermelo.load("pig")  # a turn of the other's has no end
    assert zermelo.search(pig, algorithm=algorithm, nodes=2000).nodes <= 2000
