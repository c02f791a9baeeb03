"""Matches: fair, counted right, and resumed where they were."""

from __future__ import annotations

import json
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
    with pytest.raises(zermelo.UsageError, match=message):
        zermelo.match(zermelo.load("nim"), players, games=2)


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
