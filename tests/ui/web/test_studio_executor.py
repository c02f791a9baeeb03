"""The studio's executor: fair turns, refusals, deadlines."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")
from zermelo.ui.web.executor import Executor, Stop, TooSlow
from zermelo.ui.web.limits import Busy
from zermelo.ui.web.visitors import Visitor

ADA, BEN, EVE = Visitor("ada", "1"), Visitor("ben", "2"), Visitor("eve", "3")


def endless(_: Stop) -> None:
    while True:
        pass


def until_stopped(stop: Stop) -> str:
    while not stop():
        time.sleep(0.005)
    return "stopped"


def executor(**more: Any) -> Executor:
    given: dict[str, Any] = {"threads": 1, "waiting": 100, "patience": 30, "seconds": 30} | more
    return Executor(**given)


def test_visitors_take_turns() -> None:
    """Ada asks ten times before Ben and Eve ask once; both come before her second."""
    order: list[str] = []

    async def scene() -> None:
        one = executor()
        go = threading.Event()
        first = asyncio.create_task(one.run(ADA, lambda _: go.wait(10)))
        await asyncio.sleep(0)
        asked = [(ADA, f"ada {i}") for i in range(10)] + [(BEN, "ben"), (EVE, "eve")]
        asked.append((Visitor("another", ADA.address), "another"))
        tasks = [
            asyncio.create_task(one.run(who, lambda _, name=name: order.append(name)))
            for who, name in asked
        ]
        await asyncio.sleep(0.05)
        go.set()
        await asyncio.gather(first, *tasks)
        one.close()

    asyncio.run(scene())
    assert order[:4] == ["ada 0", "ben", "eve", "another"]


def test_whoever_asks_for_most_is_refused_first() -> None:
    async def scene() -> tuple[list[str], object]:
        one = executor(waiting=3)
        go = threading.Event()
        first = asyncio.create_task(one.run(ADA, lambda _: go.wait(10)))
        await asyncio.sleep(0)
        many = [asyncio.create_task(one.run(ADA, lambda _: "done")) for _ in range(3)]
        await asyncio.sleep(0)
        ben = asyncio.create_task(one.run(BEN, lambda _: "ben"))
        await asyncio.sleep(0.05)
        go.set()
        found = await asyncio.gather(*many, return_exceptions=True)
        await first
        one.close()
        return [type(f).__name__ for f in found], await ben

    kinds, ben = asyncio.run(scene())
    assert kinds == ["str", "str", "Busy"] and ben == "ben"


def test_long_searches_make_room_for_others() -> None:
    """Two searches of a minute; those who wait get their turn, and the two answer early."""

    async def scene() -> float:
        two = executor(threads=2, patience=2, seconds=60)
        long = [asyncio.create_task(two.run(who, until_stopped)) for who in (ADA, BEN)]
        await asyncio.sleep(0.05)
        begun = time.monotonic()
        found = await asyncio.gather(*(two.run(Visitor(c, c), str) for c in "abcdef"))
        assert len(found) == 6
        took = time.monotonic() - begun
        assert await long[0] == "stopped"
        long[1].cancel()
        two.close()
        return took

    assert asyncio.run(scene()) < 10


def test_one_visitor_does_not_get_all_threads() -> None:
    async def scene() -> str:
        four = executor(threads=4, per_visitor=2, per_address=3)
        for who in (ADA, Visitor("more", ADA.address), Visitor("still more", ADA.address)):
            for _ in range(4):
                asyncio.create_task(four.run(who, until_stopped))  # noqa: RUF006
        await asyncio.sleep(0.05)
        assert len(four.running) == 3
        found = await asyncio.wait_for(four.run(BEN, lambda _: "ben"), 10)
        four.close()
        return found

    with contextlib.suppress(Busy):
        assert asyncio.run(scene()) == "ben"


def test_work_that_never_ends_is_interrupted() -> None:
    async def scene() -> None:
        one = executor(seconds=0.3)
        with pytest.raises(TooSlow):
            await one.run(ADA, endless)
        left = asyncio.create_task(one.run(ADA, endless))
        await asyncio.sleep(0.05)
        left.cancel()
        assert await asyncio.wait_for(one.run(BEN, lambda _: True), 10)
        for _ in range(50):  # what arrives late must not hit the next work
            with contextlib.suppress(asyncio.TimeoutError, TooSlow):
                await asyncio.wait_for(one.run(ADA, lambda _: sum(range(1000))), 0.0005)
            assert await one.run(BEN, lambda _: sum(range(1000))) == 499500
        one.close()

    asyncio.run(scene())


def test_locks_survive_an_interruption() -> None:
    lock = threading.Lock()

    def work(_: Stop) -> None:
        while True:
            with lock:
                pass

    async def scene() -> None:
        one = executor(seconds=0.05)
        for _ in range(5):
            with pytest.raises(TooSlow):
                await one.run(ADA, work)
            assert lock.acquire(timeout=1)
            lock.release()
        one.close()

    asyncio.run(scene())


def test_no_interruption_inside_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock of a module would stay held, and nobody could import it again."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "slow_module.py").write_text("import time\nfor _ in range(100): time.sleep(0.01)\n")

    def work(_: Stop) -> None:
        importlib.import_module("slow_module")
        endless(_)

    async def scene() -> None:
        one = executor(seconds=0.1)
        with pytest.raises(TooSlow):
            await one.run(ADA, work)
        one.close()

    asyncio.run(scene())
    assert "slow_module" in sys.modules


class SlowToDie:
    def __del__(self) -> None:
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            pass


def test_an_interruption_in_a_finalizer_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python cannot raise it there; the next interruption ends the work."""
    reported: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda error: reported.append(error.exc_type))

    def work(stop: Stop) -> None:
        SlowToDie()
        endless(stop)

    async def scene() -> None:
        one = executor(seconds=0.1)
        with pytest.raises(TooSlow):
            await one.run(ADA, work)
        one.close()

    begun = time.monotonic()
    asyncio.run(scene())
    assert time.monotonic() - begun < 10
    assert reported == []
