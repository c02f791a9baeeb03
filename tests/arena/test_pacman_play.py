"""Pac-Man played by searches: minds, series, demos, the page, the command line."""

from __future__ import annotations

import json
import math
import random
import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from zermelo import UsageError
from zermelo.arena.pacman import Run, Series, board, controller, play, series
from zermelo.arena.pacman_demos import DEMOS, find
from zermelo.view.pacman_html import pacman_html


# -- minds and games ---------------------------------------------------------------------------
def test_a_series_repeats_itself() -> None:
    a, b, c = (
        series("small", "alphabeta:depth=2", "random", 3, seed=s).to_json() for s in (7, 7, 8)
    )
    assert a == b and a["runs"] != c["runs"]


def test_a_game_is_legal_from_its_first_state_to_its_last() -> None:
    game = board("medium")
    run = play(game, controller("random"), controller("directional", True), random.Random(3))
    assert len(run.states) == len(run.actions) + 1 == len(run.thoughts) + 1
    state: Any = game.initial()
    for data, action in zip(run.states[1:], run.actions, strict=True):
        state = game.result(state, action)
        assert state.data == data
    assert game.is_terminal(state) and run.score == game.utility(state, 0)
    assert (run.won, run.lost).count(True) <= 1


@pytest.mark.parametrize("name", ["random", "directional"])
def test_drawn_ghosts_keep_to_their_odds(name: str) -> None:
    game = board("open")
    other = board("open", name)
    s = game.result(game.initial(), "west")
    for way in ("north", "west", "west"):
        s = game.result(s, way)
        if game.player(s) == 0:
            s = game.result(s, "west")
    odds = dict(zip(other.actions(s_of(other, s)), [p for _, p in other.outcomes(
        s_of(other, s))], strict=True))  # fmt: skip
    rng = random.Random(1)
    who = controller(name, True)
    seen = Counter(who.move(game, s, rng)[0] for _ in range(4000))
    assert len(odds) > 1
    for action, p in odds.items():
        assert abs(seen[action] / 4000 - p) < 4 * math.sqrt(p * (1 - p) / 4000)


def s_of(game: Any, s: Any) -> Any:
    return game.parse_state(s.game.format_state(s))


@pytest.mark.parametrize(
    ("text", "ghost", "message"),
    [
        ("clever:depth=2", False, "unknown player 'clever'"),
        ("minimax", False, "needs a limit"),
        ("minimax:depth", False, "option 'depth' has no value"),
        ("minimax:depth=2,ghosts=kind", False, "ghosts='kind'"),
        ("minimax:depth=2,ties=last", False, "ties='last'"),
        ("directional", False, "unknown player 'directional'"),
        ("random:depth=2", True, "random has no options"),
        ("minimax:depth=0", True, "invalid depth=0"),
        ("minimax:depth=null", False, "invalid depth='null'"),
        ("minimax:depth=true", False, "invalid depth=True"),
        ("minimax:depth=2.5", False, "invalid depth=2.5"),
        ("minimax:depth=two", True, "invalid depth='two'"),
        ("minimax:depth=2,evaluate=hungry", False, "no evaluation 'hungry'"),
        ("minimax:depth=2,speed=3", False, "no option 'speed'"),
    ],
)
def test_wrong_minds(text: str, ghost: bool, message: str) -> None:
    with pytest.raises(UsageError, match=message) as e:
        series("lecture", *(("random", text) if ghost else (text, "random")))
    assert e.value.hint


def test_stopped_it_keeps_the_games_that_are_finished() -> None:
    def stop_in(number: int) -> Any:
        def on_state(run: Run) -> None:
            if run.number == number and len(run.states) > 3:
                raise KeyboardInterrupt

        return on_state

    found = series("lecture", "random", "random", 9, seed=4, on_state=stop_in(3))
    assert len(found.runs) == 2
    assert found.runs == series("lecture", "random", "random", 2, seed=4).runs
    with pytest.raises(KeyboardInterrupt):
        series("lecture", "random", "random", 9, on_state=stop_in(1))


def test_counts_and_intervals() -> None:
    runs = [Run(i, won=i < 3, lost=i >= 3, score=s) for i, s in enumerate((500, 510, 490, -500))]
    found = Series("x", "a", "b", 0, runs)
    assert (found.won, found.lost, found.score) == (3, 1, 250)
    assert found.interval == pytest.approx((0.3006, 0.9544), abs=1e-3)  # Wilson's, of 3 of 4
    spread = math.sqrt(((250**2) + 260**2 + 240**2 + 750**2) / 3)
    assert found.score_error == pytest.approx(1.96 * spread / 2)
    assert Series("x", "a", "b", 0, runs[:1]).to_json()["score_error"] is None


def test_thoughts_are_the_values_of_the_moves() -> None:
    found = series("lecture", "minimax:depth=2", "random", 1, seed=1)
    run = found.runs[0]
    for t, action in zip(run.thoughts[::2], run.actions[::2], strict=False):
        assert t is not None
        best = max(v for _, v, _ in t.moves)
        assert t.value == best and {a: v for a, v, _ in t.moves}[action] == best
    assert run.thoughts[1] is None  # drawn by lot


# -- demos -------------------------------------------------------------------------------------
def test_pac_man_starves_between_two_dots() -> None:
    demo = find("starving", DEMOS)
    rows = list(demo.play())
    assert demo.verdict(rows) == demo.expected
    assert set(rows[0].series.runs[0].actions[:10]) == {"stop"}
    assert rows[1].series.won == 1


def test_a_demo_that_is_interrupted_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first series is cut short by Ctrl-C; the second is not begun."""
    begun = []

    def cut(layout: str, him: str, ghost: str, games: int, **options: Any) -> Any:
        begun.append(him)
        return series(layout, him, ghost, games - 1, **options)

    monkeypatch.setattr("zermelo.arena.pacman_demos.series", cut)
    rows = find("starving", DEMOS).play(games=2)
    assert len(next(rows).series.runs) == 1
    with pytest.raises(KeyboardInterrupt):
        next(rows)
    assert len(begun) == 1


def test_demos_by_wrong_name() -> None:
    with pytest.raises(UsageError, match="unknown demo 'starvin'") as e:
        find("starvin", DEMOS)
    assert "starving" in e.value.hint


# -- the page ----------------------------------------------------------------------------------
class Balanced(HTMLParser):
    """Every element is closed, in order."""

    VOID = frozenset(("meta", "input"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if "id" in found:
            self.ids.append(str(found["id"]))
        self.loads += [str(found[k]) for k in ("src", "href") if k in found]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()


def test_the_page_holds_the_games() -> None:
    game = board("small")
    found = series("small", "alphabeta:depth=2", "random", 3, seed=2)
    page = pacman_html([(game, found)], "a <title> & more")
    parser = Balanced()
    parser.feed(page)
    assert not parser.open and not parser.loads
    assert len(set(parser.ids)) == len(parser.ids)
    script = page.split("<script>\n")[1]
    wanted = set(re.findall(r'\$\("(\w+)"\)', script))
    assert wanted <= set(parser.ids)
    assert "a &lt;title&gt; &amp; more" in page and "http-equiv" in page
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])  # type: ignore[index]
    assert len(data["games"]) == 3
    for shown, run in zip(data["games"], found.runs, strict=True):
        assert len(shown["frames"]) == len(run.states) == len(shown["words"])
        assert shown["frames"][-1][3:5] == [run.score, run.steps]
        eaten = sum(g >= 0 for g in shown["gone"])
        scene = game.scene_of(run.states[-1])
        assert eaten == len(game.layout.things) - scene.things.bit_count()


# -- the command -------------------------------------------------------------------------------
def test_json_of_a_run(run: Any) -> None:
    done = run("pacman", "--layout", "lecture", "--pacman", "minimax:depth=2", "--ghost",
               "minimax:depth=1", "--games", "2", "--seed", "3", "--json")  # fmt: skip
    found = json.loads(done.out)
    assert (found["games"], found["layout"], found["seed"]) == (2, "lecture", 3)
    assert found["won"] + found["caught"] + found["unfinished"] == 2
    assert len(found["runs"]) == 2 and found["runs"][0]["actions"]


def test_plain_text_off_a_terminal(run: Any, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    done = run("pacman", "--layout", "corridor", "--pacman", "minimax:depth=3,evaluate=food",
               "--html", str(page))  # fmt: skip
    assert done.code == 0 and "\x1b" not in done.out
    assert "game 1: won" in done.out and "%%%%" in done.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--layout", "nowhere"), ("--pacman", "clever"), ("--ghost", "minimax"),
        ("--games", "0"), ("--demo", "nothing"), ("--demo", "starving", "--games", "0"),
        ("--speed", "0"), ("--pacman", "human"), ("--steps", "0"), ("--games", "x"),
        ("--html", "/nowhere/at/all.html", "--steps", "2"),
    ],
)  # fmt: skip
def test_wrong_usage(run: Any, arguments: tuple[str, ...]) -> None:
    done = run("pacman", *arguments)
    assert done.code == 2 and done.err.count("error:") == 1 and "hint:" in done.err
    assert "Traceback" not in done.err


def test_a_person_plays_with_the_keys() -> None:
    pexpect = pytest.importorskip("pexpect")
    child = pexpect.spawn(
        sys.executable,
        ["-m", "zermelo", "pacman", "--layout", "corridor", "--pacman", "human"],
        timeout=60,
        encoding="utf-8",
    )
    child.expect("to move")
    child.send("\x1b[D")  # the arrow to the left
    child.expect("score 9, 1 steps")
    child.send("w")  # a wall: nothing happens
    child.send("dd")
    child.expect("game 1: won, score 517, 3 steps")
    child.expect(pexpect.EOF)


def test_on_a_terminal_it_is_an_animation() -> None:
    pexpect = pytest.importorskip("pexpect")
    arguments = ["-m", "zermelo", "pacman", "--layout", "corridor", "--speed", "1000",
                 "--pacman", "minimax:depth=3,evaluate=food"]  # fmt: skip
    for extra, moves in (([], True), (["--no-animation"], False)):
        child = pexpect.spawn(sys.executable, [*arguments, *extra], timeout=60, encoding="utf-8")
        child.expect(pexpect.EOF)
        assert "game 1: won" in child.before
        assert ("\x1b[" in child.before) == moves


def test_a_demo_by_one_command(run: Any) -> None:
    found = json.loads(run("pacman", "--demo", "starving", "--json").out)
    assert "score 0 of 2" in found["verdict"]
    assert [r["label"] for r in found["rows"]] == ["score", "score and distance to food"]
