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
            m.add_row([mean, 0.0, 0.0])
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
    with pytest.raises(zermelo.UsageError, match="not a match record"):
        zermelo.match(game, players, games=8, opening=3, seed=5, record=record)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (("engin:time=1", "random"), "unknown player"),
        (("engine", "random"), "needs a limit"),
        (("engine:depth", "random"), "has no value"),
        (("engine:tiem=1", "random"), "no option 'tiem'\nhint: did you mean 'time'"),
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


def test_perfect_play_loses_no_short_game() -> None:
    """Six random moves would hand tic-tac-toe to the other side before perfect play begins."""
    game = zermelo.load("tic-tac-toe")
    found = zermelo.match(game, ("engine:depth=9", "random:3"), games=100, seed=2)
    assert found.losses == 0 and found.opening is not None and found.opening.plies == 0
    assert str(found).endswith("random opening moves: none (a random game lasts about 9 moves)")
    assert found.to_json()["opening"] == 0
    asked = zermelo.match(game, ("engine:depth=9", "random:3"), games=100, opening=6, seed=2)
    assert asked.losses == 0 and str(asked).endswith("random opening moves: 6")


def tic_tac_toe_value(cells: str, player: str) -> int:
    """What X gets, by brute force over a board of nine characters."""
    rows = [cells[i : i + 3] for i in (0, 3, 6)] + [cells[i::3] for i in range(3)]
    rows += [cells[0::4], cells[2:7:2]]
    if "XXX" in rows or "OOO" in rows:
        return 1 if "XXX" in rows else -1
    free = [i for i, c in enumerate(cells) if c == "."]
    if not free:
        return 0
    after = [tic_tac_toe_value(cells[:i] + player + cells[i + 1 :], "XO"[player == "X"])
             for i in free]  # fmt: skip
    return max(after) if player == "X" else min(after)


@pytest.mark.parametrize("plies", [2, 4, 6])
def test_no_opening_is_decided(plies: int) -> None:
    starts: dict[int, str] = {}
    game = zermelo.load("tic-tac-toe")

    def note(game: zermelo.Game, s: Any) -> Any:
        text = game.format_state(s).split()[0].replace("/", "")
        if text.count("X") + text.count("O") == plies:
            starts[len(starts)] = text
        return next(iter(game.actions(s)))

    zermelo.match(game, (note, note), games=60, opening=plies, seed=plies)
    assert len(starts) == 60 and len(set(starts.values())) > 5
    assert {tic_tac_toe_value(s, "X") for s in starts.values()} == {0}


def test_openings_fit_the_length_of_the_game() -> None:
    def moves(spec: str) -> Any:
        found = zermelo.match(zermelo.load(spec), ("random:1", "random:2"), games=2)
        return None if found.opening is None else found.opening.plies

    assert moves("nim") == moves("nim:players=3") == moves("blind-tic-tac-toe") == 0
    assert moves("backgammon") == moves("kuhn") == moves("leduc") == 0  # chance varies them
    assert moves("othello") == moves("kriegspiel") == 6
    assert 0 < moves("connect-four") < 6


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "blind-tic-tac-toe", "liars-dice", "holdem"])
def test_hidden_games_are_matched_without_options(spec: str) -> None:
    found = zermelo.match(zermelo.load(spec), ("ismcts:simulations=5", "random:2"), games=4)
    assert len(found.results) == 4


def test_decided_openings_of_hidden_games_are_not_played() -> None:
    """After two random moves of this game the coin decides nothing any more."""

    class Settled(zermelo.Game):
        def initial(self) -> Any:
            return ()

        def player(self, s: Any) -> int:
            return len(s) % 2

        def actions(self, s: Any) -> Any:
            return (0, 1)

        def result(self, s: Any, a: Any) -> Any:
            return (*s, a)

        def is_terminal(self, s: Any) -> bool:
            return len(s) == 4

        def utility(self, s: Any, p: int) -> float:
            won = s[0] or s[3]
            return float(1 if won == (p == 0) else -1)

        def observation(self, s: Any, p: int) -> Any:
            return s[p::2], len(s)

    met: list[Any] = []

    def note(game: Any, s: Any) -> Any:
        met.append(s)
        return 0

    zermelo.match(Settled(), (note, note), games=20, opening=1)
    assert {s for s in met if len(s) == 1} == {(0,)}  # after 1 player 0 has won


def test_an_opening_that_ends_every_game_is_refused() -> None:
    with pytest.raises(zermelo.UsageError, match="over after 20 random opening moves"):
        zermelo.match(zermelo.load("tic-tac-toe"), ("random", "random"), games=2, opening=20)
    with pytest.raises(zermelo.UsageError, match="invalid opening='x'"):
        zermelo.match(zermelo.load("tic-tac-toe"), ("random", "random"), games=2, opening="x")
