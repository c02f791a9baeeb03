"""Time management of `zermelo gtp`."""

from __future__ import annotations

import itertools
import time

import pytest

from gtp_client import Local
from zermelo.ui.gtp.clock import LEAST, Clock, Clocks, TimeControl, expected_moves, gtp_control


def test_time_settings_as_the_specification_reads_them() -> None:
    assert gtp_control(0, 1, 0).main is None  # no time limit
    assert gtp_control(600, 0, 0) == TimeControl(600.0, 0.0, 1)  # absolute
    assert gtp_control(600, 30, 5) == TimeControl(600.0, 30.0, 5)  # Canadian
    assert gtp_control(0, 0, 0) == TimeControl(0.0, 0.0, 1)
    assert Clock(gtp_control(0, 1, 0)).budget(30, 0.1) is None


@pytest.mark.parametrize("main", [0, 1, 10, 600])
@pytest.mark.parametrize("period", [0, 1, 30])
@pytest.mark.parametrize("stones", [1, 5, 25])
@pytest.mark.parametrize("byoyomi", [True, False])
def test_no_game_is_lost_on_time(main: int, period: int, stones: int, byoyomi: bool) -> None:
    """A referee's clock beside the engine's, over 300 moves that take as long as planned."""
    if byoyomi:
        control = TimeControl(main, period, periods=stones, byoyomi=True)
    else:
        control = TimeControl(main, period, stones)
    clock = Clock(control)
    left, in_period, to_play = float(main), float(period), stones
    for move in range(300):
        used = clock.budget(expected_moves(max(1, 200 - 2 * move)), 0.0)
        assert used is not None and used >= LEAST
        clock.spend(used)
        if not main and not period:
            assert used == LEAST
            continue
        over = max(0.0, used - left)
        left = max(0.0, left - used)
        if over == 0:
            continue
        if not period:
            assert over <= LEAST  # the clock is at 0: a move at once
        elif byoyomi:
            assert over <= period + 1e-9
        else:
            in_period, to_play = in_period - over, to_play - 1
            assert in_period >= -LEAST * stones
            if to_play == 0:
                in_period, to_play = float(period), stones


def test_the_main_time_is_used() -> None:
    """After 60 moves of a 19x19 game with ten minutes, between half and all of it is gone."""
    clock = Clock(gtp_control(600, 0, 0))
    for move in range(120):
        clock.spend(clock.budget(expected_moves(361 - 2 * move), 0.1) or 0)
    assert 0 < clock.main < 300


def test_overtime_is_used_whole() -> None:
    canadian = Clock(gtp_control(0, 30, 10))
    assert canadian.budget(50, 0.0) == pytest.approx(3.0)
    byoyomi = Clock(TimeControl(0, 30, periods=3, byoyomi=True))
    assert byoyomi.budget(50, 0.5) == pytest.approx(29.5)
    byoyomi.left(12, 1)
    assert byoyomi.budget(50, 0.5) == pytest.approx(11.5)
    canadian.left(4, 8)
    assert canadian.budget(50, 0.0) == pytest.approx(0.5)


def test_time_left_overrides_our_own_count() -> None:
    clocks = Clocks()
    clocks.set(gtp_control(600, 0, 0))
    clocks.players[1].left(30, 0)
    white, black = clocks.budget(1, 30, 0.0), clocks.budget(0, 30, 0.0)
    assert white is not None and black is not None and white < 2 < black
    for seconds in (0, -5, -1e9):
        clocks.players[1].left(seconds, 0)
        assert clocks.budget(1, 30, 0.1) == LEAST


def test_a_late_machine_is_remembered_for_a_while() -> None:
    clocks = Clocks()
    clocks.set(gtp_control(600, 0, 0))
    clocks.spend(0, 5.5, 5.0)
    assert clocks.lag == pytest.approx(0.5)
    for _ in range(100):
        clocks.spend(0, 1.0, 1.0)
    assert clocks.lag < 0.001


@pytest.mark.parametrize(
    "settings",
    ["time_settings 0 0 0", "time_left b 0 0", "time_left b -7 0", "time_left b 0 3",
     "time_settings 1 0 0", "kgs-time_settings byoyomi 0 0.1 3", "kgs-time_settings absolute 0"],
)  # fmt: skip
@pytest.mark.parametrize("game", ["hex:size=11", "othello"])
@pytest.mark.parametrize("algorithm", ["auto", "mcts"])
def test_a_legal_move_at_once(settings: str, game: str, algorithm: str) -> None:
    local = Local(game, playouts=0, algorithm=algorithm)
    if settings.startswith("time_left"):
        local.ask("time_settings 600 30 5")
    local.ask(settings)
    legal = local.ask("gogui-rules_legal_moves").split()
    start = time.monotonic()
    assert local.ask("genmove b") in legal
    assert time.monotonic() - start < 5.0


def test_an_empty_clock_still_searches_a_little() -> None:
    local = Local("go:size=9", playouts=0)
    local.ask("time_settings 600 30 5")
    local.ask("time_left b 0 0")
    local.ask("genmove b")
    assert local.engine.searcher.last is not None and local.engine.searcher.last.nodes >= 200


def test_a_game_within_its_time() -> None:
    """Both colours of one engine, without time_left: 2 seconds for each side."""
    local = Local("hex:size=6,swap=no", playouts=0, algorithm="mcts", overhead=0.005)
    local.ask("time_settings 2 0 0")
    used = [0.0, 0.0]
    for player in itertools.cycle((0, 1)):
        if not local.ask("gogui-rules_legal_moves"):
            break
        start = time.monotonic()
        local.ask(f"genmove {'bw'[player]}")
        used[player] += time.monotonic() - start
    assert max(used) < 2.5  # a busy machine may be late
    assert min(used) > 0.2


def test_fixed_time_and_playouts() -> None:
    local = Local("hex:size=9", playouts=0, algorithm="mcts", time=0.3)
    start = time.monotonic()
    local.ask("genmove b")
    assert 0.25 < time.monotonic() - start < 5
    local.ask("zermelo-param playouts 300")
    local.ask("genmove w")
    assert local.engine.searcher.last is not None and local.engine.searcher.last.nodes <= 300


def test_time_per_move_holds_beside_a_clock() -> None:
    local = Local("hex:size=9", playouts=0, algorithm="mcts")
    local.ask("time_settings 6000 0 0")
    local.ask("zermelo-param time 0.1")
    start = time.monotonic()
    local.ask("genmove b")
    assert time.monotonic() - start < 3


def test_a_clear_choice_saves_time() -> None:
    """One legal move needs no search of its share of an hour."""
    local = Local("hex:size=3,swap=no", playouts=0, algorithm="mcts")
    local.ask("time_settings 3600 0 0")
    start = time.monotonic()
    local.sequence("b a1 w b1")
    local.ask("genmove b")  # is proved within moments
    assert time.monotonic() - start < 20


def test_a_fixed_time_is_not_used_when_the_choice_is_clear() -> None:
    """White is about to capture three stones, and Black can capture first."""
    local = Local("go:size=9", playouts=0, time=4.0)
    local.sequence("b e5 w e4 b d4 w d3 b f4 w f3 b a9 w e3 b c3 w j9 b c4 w j8")
    local.ask("genmove b")
    r = local.engine.searcher.last
    assert r is not None and r.stopped != "time" and r.elapsed < 4
