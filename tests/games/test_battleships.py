"""Battleships: the count of fleets, what a player is told, deals that fit it, the shooter."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import CHANCE, BadPosition, IllegalAction, UsageError, _core
from zermelo.games.native import State
from zermelo.learn.battleships import LESSON, fit

SMALL = "battleships:size=4,fleet=3,2"
ALONE = "battleships:size=4,fleet=3,2,players=1"


def fleets(game: Any) -> list[tuple[frozenset[int], ...]]:
    """Every layout, by trying all."""
    size = game.size
    found = []
    ways = []
    for n in game.fleet:
        rows = [frozenset(y * size + x + i for i in range(n))
                for y in range(size) for x in range(size - n + 1)]  # fmt: skip
        columns = [frozenset((y + i) * size + x for i in range(n))
                   for y in range(size - n + 1) for x in range(size)]  # fmt: skip
        ways.append(sorted(set(rows + columns), key=sorted))
    for fleet in itertools.product(*ways):
        if len(frozenset().union(*fleet)) == sum(game.fleet):
            found.append(fleet)
    return found


def answers_of(game: Any, fleet: tuple[frozenset[int], ...], shots: list[int]) -> list[str]:
    """What a shooter at this fleet hears."""
    left = [set(ship) for ship in fleet]
    told = []
    for cell in shots:
        word = "miss"
        for name, ship in zip(game.ships, left, strict=True):
            if cell in ship:
                ship.remove(cell)
                word = "hit" if ship else name
        told.append(word)
    return told


def laid(game: Any, rng: random.Random) -> Any:
    s = game.initial()
    while game.player(s) == CHANCE:
        pairs = game.outcomes(s)
        s = game.result(s, rng.choices([a for a, _ in pairs], [p for _, p in pairs])[0])
    return s


def test_every_layout_is_as_likely() -> None:
    for spec in (ALONE, "battleships:size=4,fleet=2,1,1,players=1",
                 "battleships:size=3,fleet=2,2,players=1"):  # fmt: skip
        game: Any = zermelo.load(spec)
        paths = {game.initial(): 1.0}
        while any(game.player(s) == CHANCE for s in paths):
            after: dict[Any, float] = {}
            for s, p in paths.items():
                for a, q in game.outcomes(s):
                    t = game.result(s, a)
                    after[t] = after.get(t, 0.0) + p * q
            paths = after
        assert len(paths) == len(fleets(game))
        assert all(p == pytest.approx(1 / len(paths)) for p in paths.values())


def test_the_standard_sea_has_as_many_layouts_as_others_count() -> None:
    """A published count, so that the odds of the first ship have it for their denominator."""
    game: Any = zermelo.load("battleships:players=1")
    total = 30_093_975_536
    odds = [p for _, p in game.outcomes(game.initial())]
    assert len(odds) == 120
    counts = [p * total for p in odds]
    assert all(abs(c - round(c)) < 1e-4 for c in counts)
    assert sum(round(c) for c in counts) == total
    other = [p * (total - 1) for p in odds]
    assert any(abs(c - round(c)) > 1e-3 for c in other)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_heat_is_counted_over_all_fleets_that_fit(seed: int) -> None:
    rng = random.Random(seed)
    few = ("battleships:size=3,fleet=2,2", "battleships:size=4,fleet=2,1,players=1")
    game: Any = zermelo.load(rng.choice((SMALL, ALONE, *few)))
    s = laid(game, rng)
    for _ in range(rng.randrange(2 * game.size**2)):
        if game.is_terminal(s):
            break
        s = game.result(s, rng.choice(game.actions(s)))
    if game.is_terminal(s):
        return
    p = game.player(s)
    shots = list(game.scene(s).shots[p])
    told = [a for _, a in game.answers(s, p)]
    fitting = [f for f in fleets(game) if answers_of(game, f, shots) == told]
    assert fitting
    for cell, odds in game.heat(s).items():
        number = game.cell_number(cell)
        there = sum(any(number in ship for ship in f) for f in fitting)
        assert odds == pytest.approx(float(Fraction(there, len(fitting))))
    seen = {tuple(frozenset(game.placements[i][n]) for i, n in
                  enumerate(game.scene(game.sample(s, p, rng)).fleets[1 - p]))
            for _ in range(min(200, 4 * len(fitting)))}  # fmt: skip
    assert seen <= set(fitting)
    assert len(seen) >= min(len(fitting), 2)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6))
def test_deals_never_contradict_what_was_seen(seed: int) -> None:
    rng = random.Random(seed)
    game: Any = zermelo.load(rng.choice(("battleships", "battleships:players=1", SMALL)))
    s = game.initial()
    for _ in range(rng.randrange(120)):
        if game.is_terminal(s):
            break
        s = game.result(s, rng.choice(game.actions(s)))
    for p in range(game.players):
        other = game.sample(s, p, rng)
        assert game.observation(other, p) == game.observation(s, p)
        assert game.handle.observation(other.data, p) == game.handle.observation(s.data, p)
        assert game.player(other) == game.player(s)
        assert game.parse_state(game.format_state(other)) == other


def test_observations_tell_apart_what_a_player_can() -> None:
    """Native and written observations are equal in the same pairs of states."""
    game: Any = zermelo.load(SMALL)
    rng = random.Random(4)
    states = []
    for _ in range(60):
        s = laid(game, rng)
        for cell in ("a1", "b2", "b1", "c2", "c1"):
            s = game.result(s, cell)
            states.append(s)
    for p in (0, 1):
        pairs = {(game.observation(s, p), game.handle.observation(s.data, p)) for s in states}
        assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


def test_no_search_sees_the_other_fleet() -> None:
    game: Any = zermelo.load(SMALL)
    rng = random.Random(1)
    s = laid(game, rng)
    for cell in ("b2", "b2", "c3", "c3"):
        s = game.result(s, cell)
    others = {game.sample(s, 0, rng) for _ in range(40)}
    assert len(others) > 3
    first = zermelo.search(game, s)
    assert first.algorithm == "expert"
    for t in others:
        assert zermelo.search(game, t).moves == first.moves
        assert zermelo.search(game, t).action == first.action
    # The others work on deals: those of one observation, drawn by the seed.
    r = zermelo.search(game, s, "ismcts", nodes=500, seed=1, deals=30)
    assert r.belief is not None
    assert {game.observation(t, 0) for t in r.belief} == {game.observation(s, 0)}
    assert {game.view(t, 0) for t in others} == {game.view(s, 0)}
    assert {game.svg_view(t, 0, True) for t in others} == {game.svg_view(s, 0, True)}


def test_a_sunk_ship_is_named() -> None:
    game: Any = zermelo.load("battleships:players=1")
    s = game.parse_state("a1-a5 c1-c4 e1-e3 g1-g3 i1-j1 i1 j1 g1 g2 g3 b1")
    assert [a for _, a in game.answers(s, 0)] == [
        "hit", "destroyer", "hit", "hit", "submarine", "miss",
    ]  # fmt: skip
    assert game.observation(s, 0).endswith(
        "? ? ? ? ? i1=hit j1=destroyer g1=hit g2=hit g3=submarine b1=miss"
    )
    heat = game.heat(s)
    assert "i1" not in heat and heat["i2"] < 0.2
    # Two ships side by side: the answer's ship lies on the last shot, not on the other hits.
    s = game.parse_state("a1-a5 c1-c4 e1-e3 g1-g3 h1-h2 g1 h1 h2")
    assert [a for _, a in game.answers(s, 0)] == ["hit", "hit", "destroyer"]
    assert game.heat(s)["g2"] > 0.3


def test_the_end_and_its_utilities() -> None:
    alone: Any = zermelo.load(ALONE)
    s = alone.parse_state("a1-c1 a2-b2 a1 b1 c1 d4 a2 b2")
    assert alone.is_terminal(s) and alone.utility(s, 0) == -6
    two: Any = zermelo.load(SMALL)
    s = two.parse_state("a1-c1 a2-b2 a1-c1 a2-b2 d4 a1 d3 b1 d2 c1 d1 a2 c4 b2")
    assert two.is_terminal(s)
    assert (two.utility(s, 0), two.utility(s, 1)) == (-1, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a1-a4", "is not a placement of the carrier"),
        ("a1-b6", "is not a placement of the carrier"),
        ("a1-a5 a5-d5", "overlaps another ship"),
        ("a1-a5 c1-c4 e1-e3 g1-g3 i1-i2 z9", "'z9' is not a cell"),
        ("a1-a5 c1-c4 e1-e3 g1-g3 i1-i2 b1 b1", "appears twice"),
        ("a1-a5 c1-c4 e1-e3 g1-g3 i1-i2 a1 a2 a3 a4 a5 c1 c2 c3 c4 e1 e2 e3 g1 g2 g3 i1 i2 j9",
         "continues after the last ship"),
    ],
)  # fmt: skip
def test_bad_positions_are_refused(text: str, said: str) -> None:
    game: Any = zermelo.load("battleships:players=1")
    with pytest.raises(BadPosition, match=said) as e:
        game.parse_state(text)
    assert e.value.hint


def test_bad_options_and_moves_are_refused() -> None:
    for spec in ("size=1", "size=12", "fleet=6", "fleet=5,5,5,5,5,5", "players=3", "fleet=x",
                 "size=3,fleet=3,3,3"):  # fmt: skip
        with pytest.raises(UsageError) as e:
            zermelo.load(f"battleships:{spec}")
        assert e.value.hint
    game: Any = zermelo.load(ALONE)
    with pytest.raises(IllegalAction, match="is not a placement"):
        game.result(game.initial(), "a1-b1")
    s = game.parse_state("a1-c1 a2-b2 a1")
    with pytest.raises(IllegalAction):
        game.result(s, "a1")


def test_native_code_refuses_states_that_play_does_not_lead_to() -> None:
    game: Any = zermelo.load(SMALL)
    rng = random.Random(2)
    s = laid(game, rng)
    for _ in range(6):
        s = game.result(s, rng.choice(game.actions(s)))
    right = 0
    for _ in range(3000):
        data = bytearray(s.data)
        data[rng.randrange(len(data))] = rng.randrange(256)
        if game.handle.valid(bytes(data)):
            right += 1
            t = State(game, bytes(data))
            assert game.parse_state(game.format_state(t)) == t
    assert right < 600


def test_shooters_are_in_order_of_what_they_know() -> None:
    """Small, so that it is sure all the same: hundreds of games, differences of many shots."""
    means = {}
    for name in ("random", "hunt", "parity", "fleets"):
        shots = _core.battleships_trial(8, [4, 3, 2], name, 80, 3)
        assert all(9 <= n <= 64 for n in shots)
        assert shots == _core.battleships_trial(8, [4, 3, 2], name, 80, 3)
        means[name] = sum(shots) / len(shots)
    assert means["random"] > means["hunt"] + 5 > means["parity"] + 5
    assert means["parity"] > means["fleets"] + 3


def numbers(row: Any) -> dict[str, Any]:
    """A lesson, by name."""
    return {name: row[name] for name in LESSON.names or ()}


def test_lessons_tell_what_is_left() -> None:
    """The two numbers of each ship, counted again from scratch for a game's first hunt."""
    fleet = [3, 2]
    data = _core.battleships_lessons(6, fleet, [], 40, 7)
    lessons = np.frombuffer(data, LESSON)
    firsts = [numbers(r) for r in lessons if r["afloat"] == 3 and r["known"][0] == 48]
    assert firsts  # nobody has shot yet
    for lesson in firsts:
        assert lesson["known"][1] == 60
        for ship, length in enumerate(fleet):
            lone = lesson["known"][5 + ship]
            assert lone == pytest.approx(lone_misses(6, length), abs=1e-4)
    assert all(r["misses"] >= 0 and r["luck"] == 0 for r in lessons)
    assert {int(r["ship"]) for r in lessons} == {-1, 0, 1}
    with pytest.raises(UsageError, match="invalid weights"):
        _core.battleships_lessons(6, fleet, [1.0], 1, 1)


def lone_misses(size: int, length: int) -> float:
    """Misses until a lone ship is hit, always at the first cell with the most placements."""
    ways = [frozenset(y * size + x + i for i in range(length))
            for y in range(size) for x in range(size - length + 1)]  # fmt: skip
    ways += [frozenset((p % size) * size + p // size for p in way) for way in ways]
    left, missed = list(ways), 0
    while left:
        counts = [sum(cell in way for way in left) for cell in range(size * size)]
        cell = counts.index(max(counts))
        left = [way for way in left if cell not in way]
        missed += len(left)
    return missed / len(ways)


def test_luck_has_no_mean() -> None:
    """By weights that are far off too: taking it off does not move the mean."""
    worth = np.zeros((32, 16))
    worth[1:, 0] = 5.0
    worth[:, 1:6] = 0.05
    worth[:, 11:] = 2.0
    data = _core.battleships_lessons(6, [3, 2], [float(w) for w in worth.ravel()], 300, 9)
    luck = np.frombuffer(data, LESSON)["luck"]
    assert luck.std() > 0.5
    assert abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5


def test_weights_are_fitted() -> None:
    """Misses made up from known weights give these back; so do the costs of chasing."""
    rng = np.random.default_rng(1)
    lessons = np.zeros(4000, LESSON)
    lessons["game"] = np.arange(4000)
    lessons["afloat"] = 1
    lessons["known"][:, 0] = rng.integers(1, 40, 4000)
    lessons["known"][:, 5] = rng.uniform(0, 9, 4000)
    lessons["misses"] = 1 + 0.25 * lessons["known"][:, 0] + 0.5 * lessons["known"][:, 5]
    worth = fit(lessons, lessons, [3])
    assert worth[1, [0, 1, 6]] == pytest.approx([1, 0.25, 0.5], rel=0.02)
    lessons["ship"] = 0
    lessons["misses"] = 2.0
    assert fit(lessons, lessons, [3])[1, 11] == pytest.approx(2.0)


def test_a_hunt_is_for_more_than_the_likeliest_cell() -> None:
    """On the standard sea, where weights are known: always a likely cell, not always the first."""
    game: Any = zermelo.load("battleships:players=1")
    s = game.parse_state("a1-a5 c1-c4 e1-e3 g1-g3 j9-j10")
    others = 0
    for _ in range(12):
        odds, best, _, _ = _core.battleships_aim(game.handle, s.data, 0)
        hit = any(a == "hit" for _, a in game.answers(s, 0))
        assert odds[best] >= (0.35 if hit else 0.6) * max(odds)
        others += odds[best] < max(odds) - 0.01
        s = game.result(s, f"{chr(97 + best % 10)}{best // 10 + 1}")
    assert others


def test_the_expert_beats_chance() -> None:
    game = zermelo.load("battleships:size=6,fleet=3,2,2")
    m = zermelo.match(game, ("auto:nodes=1", "random"), games=12, opening=0)
    assert m.score > 0.7
