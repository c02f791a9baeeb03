"""Time limits, Ctrl-C, threads, a search inside a search, games without end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import zermelo
from oracle import HashedGame
from zermelo import search

FOUR = zermelo.load("connect-four")


class Counter(zermelo.Game):
    """A game that goes on for ever and never comes back."""

    def initial(self) -> Any:
        return 0

    def player(self, s: Any) -> int:
        return s % 2

    def actions(self, s: Any) -> Any:
        return [1, 2]

    def result(self, s: Any, a: Any) -> Any:
        return s + a

    def is_terminal(self, s: Any) -> bool:
        return False

    def utility(self, s: Any, p: int) -> float:
        return 0.0


@pytest.fixture(autouse=True)
def no_interrupt_before() -> None:
    """A Ctrl-C of the test before does not count as the first of two."""
    sys.modules["zermelo.search.run"]._last_interrupt = -1e9


def run(code: str, *, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=timeout,
    )


@pytest.mark.parametrize("limit", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_time_limits_hold(limit: float, algorithm: str) -> None:
    for game in (FOUR, Counter()):
        took = []
        for _ in range(3):  # a busy machine may be late once, a broken clock is late every time
            start = time.perf_counter()
            r = search(game, algorithm=algorithm, time=limit)
            took.append(time.perf_counter() - start)
            assert r.stopped == "time" and not r.exact
            assert r.action in game.actions(game.initial())
            assert limit * 0.9 <= took[-1]
            if took[-1] < limit + 0.2:
                break
        assert min(took) < limit + 0.5


def test_a_slow_evaluation_is_late_by_one_call_at_most() -> None:
    def slow(s: Any, p: int) -> float:
        time.sleep(0.02)
        return 0.0

    late = []
    for _ in range(3):
        start = time.perf_counter()
        r = search(FOUR, time=0.2, evaluate=slow)
        late.append(time.perf_counter() - start - 0.2)
        assert r.stopped == "time"
    assert min(late) < 0.07


def test_node_limits_hold_exactly() -> None:
    for nodes in (1, 2, 3, 10, 1000):
        r = search(FOUR, algorithm="alphabeta", nodes=nodes)
        assert r.nodes == nodes and r.stopped == "nodes"
        assert r.action in FOUR.actions(FOUR.initial())


def test_an_endless_game_ends_with_the_limits() -> None:
    assert search(Counter(), depth=12, algorithm="alphabeta").kind == "estimate"
    assert search(Counter(), nodes=5000).stopped == "nodes"
    assert search(Counter(), time=0.2).stopped == "time"
    assert search(Counter(), algorithm="alphabeta", deepen=False, time=0.3).stopped == "time"
    with pytest.raises(zermelo.SearchBudgetExceeded):
        zermelo.solve(Counter(), time=0.3)
    with pytest.raises(zermelo.SearchBudgetExceeded):
        zermelo.count_positions(Counter(), time=0.3)


def test_an_endless_game_without_limits_is_refused_promptly() -> None:
    code = """
    import resource, sys
    resource.setrlimit(resource.RLIMIT_CPU, (8, 8))
    sys.path[:0] = ["tests/search", "tests/helpers"]
    import zermelo
    from test_stopping import Counter
    try:
        zermelo.search(Counter(), algorithm="minimax")
    except zermelo.RulesError as e:
        print(e.message)
    """
    done = run(code)
    assert done.returncode == 0, "not within 8 s of CPU time"
    assert "more than a million moves" in done.stdout


def press_ctrl_c(after: float, times: int = 1, gap: float = 0.1) -> threading.Thread:
    def press() -> None:
        time.sleep(after)
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(gap)

    thread = threading.Thread(target=press)
    thread.start()
    return thread


@pytest.mark.parametrize("game", [FOUR, Counter()], ids=["native", "python"])
def test_ctrl_c_returns_the_best_so_far(game: Any) -> None:
    pressing = press_ctrl_c(0.3)
    start = time.perf_counter()
    r = search(game, time=30)
    pressing.join()
    assert time.perf_counter() - start < 5
    assert r.stopped == "interrupted" and not r.exact
    assert r.action in game.actions(game.initial()) and r.depth >= 1


def test_ctrl_c_by_a_timer() -> None:
    old = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        r = search(FOUR, algorithm="minimax", depth=30)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert r.stopped == "interrupted" and r.action in range(1, 8)


def test_a_second_ctrl_c_within_a_second_is_for_the_caller() -> None:
    searches = []
    pressing = press_ctrl_c(0.2, times=2, gap=0.3)
    with pytest.raises(KeyboardInterrupt):
        while True:
            searches.append(search(FOUR, time=5))
    pressing.join()
    assert [r.stopped for r in searches] == ["interrupted"]
    assert search(FOUR, depth=3).value == search(FOUR, depth=3).value


def test_a_second_ctrl_c_during_one_slow_search() -> None:
    def slow(s: Any, p: int) -> float:
        time.sleep(1.5)
        return 0.0

    pressing = press_ctrl_c(0.2, times=2, gap=0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            search(FOUR, depth=1, evaluate=slow)
    finally:
        pressing.join()


def test_two_ctrl_cs_far_apart_end_two_searches() -> None:
    found = []
    for _ in range(2):
        pressing = press_ctrl_c(0.1)
        found.append(search(FOUR, time=5).stopped)
        pressing.join()
        time.sleep(1.0)
    assert found == ["interrupted", "interrupted"]


def test_other_signals_raise_what_their_handler_raises() -> None:
    class Alarm(Exception):
        pass

    def handler(*_: Any) -> None:
        raise Alarm

    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Alarm):
            search(FOUR, time=10)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert search(FOUR, depth=2).action in range(1, 8)


def test_solve_and_counts_when_interrupted() -> None:
    pressing = press_ctrl_c(0.2)
    with pytest.raises(zermelo.SearchBudgetExceeded) as caught:
        zermelo.solve(FOUR)
    pressing.join()
    assert caught.value.result.stopped == "interrupted"
    pressing = press_ctrl_c(0.2)
    with pytest.raises(KeyboardInterrupt):  # half a count says nothing
        zermelo.perft(FOUR, depth=40)
    pressing.join()


def test_ctrl_c_in_a_process_of_its_own() -> None:
    child = subprocess.Popen(
        [sys.executable, "-u", "-c",
         "import zermelo; g = zermelo.load('connect-four'); print('go');"
         "r = zermelo.search(g, time=60); print(r.stopped, r.action in range(1, 8))"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None and child.stdout.readline() == "go\n"
    time.sleep(0.4)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=20)
    assert (out.strip(), err, child.returncode) == ("interrupted True", "", 0)


def test_searches_from_many_threads() -> None:
    games: list[Any] = [FOUR, zermelo.load("tic-tac-toe"), HashedGame(1, 9), HashedGame(2, 9)]
    expected = [search(g, algorithm="alphabeta", depth=6).value for g in games]
    wanted = [(g, v) for g, v in zip(games, expected, strict=True)] * 6

    def one(pair: Any) -> bool:
        return search(pair[0], algorithm="alphabeta", depth=6).value == pair[1]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, wanted))


def test_threads_run_while_a_native_search_does() -> None:
    ticks = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.01):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    search(FOUR, time=0.5)
    done.set()
    thread.join()
    assert len(ticks) > 10


def test_a_search_inside_an_evaluation() -> None:
    inner = zermelo.tree("max(min(3 12 8) min(2 4 6))")

    def evaluate(s: Any, p: int) -> float:
        return search(inner, algorithm="alphabeta").value

    r = search(zermelo.load("tic-tac-toe"), depth=2, evaluate=evaluate)
    assert r.value == 3

    class Nested(HashedGame):
        def evaluate(self, s: Any, p: int) -> float:
            if s[0] >= 6:
                return super().evaluate(s, p)
            value = search(self, s, algorithm="minimax", depth=2).value
            return value if p == 0 else -value

    game = Nested(5, 7)
    assert (
        search(game, depth=2, algorithm="minimax").value
        == search(HashedGame(5, 7), depth=6, algorithm="minimax").value
    )
