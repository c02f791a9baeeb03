"""Matches: fair, counted right, and resumed where they were."""

from __future__ import annotations

import itertools
import json
import math
import os
import signal
import statistics
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.arena import Match


def test_a_search_beats_chance_from_both_sides() -> None:
    found = zermelo.match(
        zermelo.load("connect-four"), ("engine:nodes=300", "random"), games=20, seed=1
    )
    assert len(found.results) == 20
    assert found.score > 0.9 and found.elo[1] > 0


def test_both_sides_get_each_opening() -> None:
    starts: list[tuple[int, Any]] = []

    def first_of(name: str) -> Any:
        def move(game: zermelo.Game, s: Any) -> Any:
            starts.append((game.player(s), game.format_state(s)))
            return next(iter(game.actions(s)))

        move.__name__ = name
        return move

    game = zermelo.load("tic-tac-toe")
    found = zermelo.match(game, (first_of("a"), first_of("b")), games=2, opening=2)
    # The same moves by the same rule: what one wins from one side the other wins from there too.
    assert found.results[0] == -found.results[1]
    assert starts.count(starts[0]) == 2


def test_the_figures() -> None:
    m = Match("g", ("a", "b"), 0, [1.0, -1.0, 0.0, 1.0, 1.0, 1.0])
    assert (m.wins, m.draws, m.losses) == (4, 1, 1)
    assert m.score == pytest.approx(4.5 / 6)
    pairs = [0.5, 0.75, 1.0]
    spread = sum((p - 0.75) ** 2 for p in pairs) / 2
    assert m.error == pytest.approx(1.96 * (spread / 3) ** 0.5)
    assert m.elo[0] == pytest.approx(190.848, abs=0.01)  # of a score of 3/4
    assert Match("g", ("a", "b"), 0, [1.0, 1.0]).to_json()["elo"][0] is None


def test_intervals_at_the_edge_and_of_games_that_are_alike() -> None:
    won = Match("g", ("a", "b"), 0, [1.0] * 10)
    low, high = won.interval
    # Wilson's at the edge: the score p for which 5 of 5 pairs are 1.96 standard errors away.
    assert (1 - low) / math.sqrt(low * (1 - low) / 5) == pytest.approx(1.96) and high == 1
    assert won.elo[0] == won.elo[2] == math.inf and 0 < won.elo[1] < 60
    assert str(won).endswith("100.0% (56.6% to 100.0%), Elo +inf (+46 to +inf)")
    lost = Match("g", ("a", "b"), 0, [-1.0] * 10)
    assert lost.interval == pytest.approx((1 - high, 1 - low)) and lost.elo[0] == -math.inf
    drawn = Match("g", ("a", "b"), 0, [0.0] * 10)
    assert drawn.interval[0] < 0.3 and "Elo +0 (" in str(drawn) and "-0" not in str(drawn.elo[0])
    nearly = Match("g", ("a", "b"), 0, [1.0] * 99 + [0.0])
    assert nearly.interval[1] < 1 and nearly.score - nearly.interval[0] > nearly.error
    assert nearly.to_json()["interval"] == list(nearly.interval)


def test_intervals_of_shares_hold_the_truth() -> None:
    """Of all ways in which 12 pairs may come out, those count whose interval holds it."""
    for p in (0.1, 0.3, 0.5, 0.8, 0.95):
        held = 0.0
        for k in range(13):
            results = [1.0] * (2 * k) + [-1.0] * (24 - 2 * k)
            low, high = Match("g", ("a", "b"), 0, results).interval
            held += math.comb(12, k) * p**k * (1 - p) ** (12 - k) * (low <= p <= high)
        assert held > 0.88, p


def test_points_a_game_have_students_interval() -> None:
    means = [1.0, 2.0, 3.0, 2.5]
    m = zermelo.ManyMatch("g", ("a", "b", "c"), 0)
    for mean in means:
        for _ in range(3):  # an opening from every seat
            m.take([mean, 0.0, 0.0])
    error = 3.182 * statistics.stdev(means) / 2
    assert m.mean(0) == pytest.approx((statistics.mean(means), error))
    assert m.mean(1) == (0.0, math.inf)  # all alike, and nobody says how much there is to get
    m.bounds = (0.0, 9.0)
    mean, error = m.mean(1)
    assert mean == 0 and 0 < error < 9


def press(after: int) -> Any:
    """A player at random who presses Ctrl-C at its so manieth move."""
    count = itertools.count(1)

    def move(game: Any, s: Any) -> Any:
        if next(count) == after:
            os.kill(os.getpid(), signal.SIGINT)
        return next(iter(game.actions(s)))

    return move


def test_ctrl_c_keeps_the_games_that_are_finished() -> None:
    game = zermelo.load("tic-tac-toe")
    found = zermelo.match(game, (press(after=40), "random"), games=1000)
    assert found.stopped == "interrupted" and 1 < len(found.results) < 40
    assert f"of {len(found.results)} (interrupted)" in str(found)
    assert found.to_json()["stopped"] == "interrupted"
    assert found.results == zermelo.match(
        game, (press(after=0), "random"), games=len(found.results)
    ).results  # fmt: skip
    three = zermelo.load("nim:players=3")
    assert "(interrupted)" in str(zermelo.match(three, (press(after=40), "random"), games=1000))
    with pytest.raises(KeyboardInterrupt):  # nothing to tell
        zermelo.match(game, (press(after=1), "random"), games=1000)


def test_a_stopped_match_goes_on(tmp_path: Path) -> None:
    game = zermelo.load("tic-tac-toe")
    players = ("engine:nodes=50", "engine:depth=1")
    whole = zermelo.match(game, players, games=8, opening=3, seed=5)
    record = tmp_path / "match.jsonl"
    zermelo.match(game, players, games=3, opening=3, seed=5, record=record)
    with record.open("a") as out:
        out.write('{"game": 3, "uti')  # killed while it wrote
    again = zermelo.match(game, players, games=8, opening=3, seed=5, record=record)
    assert again.results == whole.results
    assert len(record.read_text().splitlines()) == 9
    assert json.loads(record.read_text().splitlines()[-1])["game"] == 7
    with pytest.raises(zermelo.UsageError, match="another match"):
        zermelo.match(game, players, games=8, opening=3, seed=6, record=record)
    record.write_text("no\n")
    with pytest.raises(zermelo.UsageError, match="no record"):
        zermelo.match(game, players, games=8, opening=3, seed=5, record=record)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (("engin:time=1", "random"), "no player"),
        (("engine", "random"), "no limit"),
        (("engine:depth", "random"), "no option"),
        (("random",), "two players"),
    ],
)
def test_wrong_players(players: tuple[str, ...], message: str) -> None:
    with pytest.raises(zermelo.UsageError, match=message) as e:
        zermelo.match(zermelo.load("nim"), players, games=2)
    assert e.value.hint


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players": None}, "players=None"),
        ({"players": 7}, "players=7"),
        ({"players": "random"}, "players='random'"),
        ({"games": None}, "games=None"),
        ({"games": 0}, "games=0"),
        ({"games": 1.5}, "games=1.5"),
        ({"opening": -1}, "opening=-1"),
        ({"opening": None}, "opening=None"),
        ({"on_game": 3}, "on_game=3"),
        ({"record": 3}, "record=3"),
    ],
)
def test_wrong_wishes(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(zermelo.UsageError) as e:
        zermelo.match(zermelo.load("nim"), **{"players": ("random", "random"), "games": 2, **wrong})
    assert message in e.value.message and e.value.hint


def test_depths_one_by_one() -> None:
    game = zermelo.load("connect-four")
    seen = list(zermelo.deepen(game, depth=5))
    assert [r.depth for r in seen] == [1, 2, 3, 4, 5]
    assert seen[-1].value == zermelo.search(game, depth=5).value
    for r in zermelo.deepen(game, time=60):  # leaving the loop ends the search
        if r.depth == 3:
            break
    with pytest.raises(zermelo.UsageError):
        list(zermelo.deepen(game, depth=0))


def test_a_search_can_be_told_to_stop() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 2

    r = zermelo.search(zermelo.load("connect-four"), time=60, stop=stop)
    assert r.stopped == "interrupted" and r.elapsed < 30 and r.action is not None

    def broken() -> bool:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        zermelo.search(zermelo.load("connect-four"), time=60, stop=broken)


def test_an_interrupt_between_two_games_loses_none(tmp_path: Path) -> None:
    def told(m: Any) -> None:
        if len(m.results) == 3:
            raise KeyboardInterrupt

    record = tmp_path / "match.jsonl"
    players = ["random:1", "random:2"]
    m = zermelo.match(zermelo.load("tic-tac-toe"), players, 10, record=record, on_game=told)
    assert m.stopped == "interrupted" and len(m.results) == 3
    again = zermelo.match(zermelo.load("tic-tac-toe"), players, 5, record=record)
    assert not again.stopped and again.results[:3] == m.results and len(again.results) == 5
