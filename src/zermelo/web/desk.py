"""Turns at the machine: so many searches at once, some waiting, the rest told "busy"."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from .limits import Busy, Limits

T = TypeVar("T")
Stop = Callable[[], bool]


class Desk:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.free = asyncio.Semaphore(limits.searches)
        self.waiting = 0
        self.closing = threading.Event()
        self.threads = ThreadPoolExecutor(limits.searches, "search")

    async def run(self, work: Callable[[Stop], T]) -> T:
        """What `work` returns, done in a thread when it is its turn.

        Cancelled, it tells the work to stop; the turn is given on when the work has really ended.
        """
        if self.free.locked() and self.waiting >= self.limits.waiting:
            raise Busy("the server is busy with other searches", "try again in a moment")
        self.waiting += 1
        try:
            await asyncio.wait_for(self.free.acquire(), self.limits.patience)
        except TimeoutError:
            raise Busy(
                f"no turn came free within {self.limits.patience:g} s", "try again in a moment"
            ) from None
        finally:
            self.waiting -= 1
        loop, left = asyncio.get_running_loop(), threading.Event()
        try:
            running = self.threads.submit(work, lambda: left.is_set() or self.closing.is_set())
        except RuntimeError:  # the server is shutting down
            self.free.release()
            raise Busy("the server is shutting down", "start it again") from None

        def ended(_: Future[T]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.free.release)

        running.add_done_callback(ended)
        try:
            return await asyncio.wrap_future(running)
        except asyncio.CancelledError:
            left.set()
            raise

    def close(self) -> None:
        """Every search ends with what it has."""
        self.closing.set()
        self.threads.shutdown(wait=False, cancel_futures=True)
