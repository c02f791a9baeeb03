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
        self.asked = 0  # searches that run or wait
        self.closing = threading.Event()
        self.threads = ThreadPoolExecutor(limits.searches, "search")  # its queue: who waits

    async def run(self, work: Callable[[Stop], T]) -> T:
        """What `work` returns, done in a thread when it is its turn.

        Cancelled, it tells the work to stop; the turn is given on when the work has really ended.
        """
        if self.asked >= self.limits.searches + self.limits.waiting:
            raise Busy("the server is busy with other searches", "try again in a moment")
        loop, left = asyncio.get_running_loop(), threading.Event()
        try:
            turn = self.threads.submit(work, lambda: left.is_set() or self.closing.is_set())
        except RuntimeError:  # the server is shutting down
            raise Busy("the server is shutting down", "start it again") from None
        self.asked += 1

        def ended(_: Future[T]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.done)

        turn.add_done_callback(ended)
        answer = asyncio.wrap_future(turn)
        try:  # not wait_for: until Python 3.12 it may lose a cancellation
            await asyncio.wait({answer}, timeout=self.limits.patience)
            if not turn.done() and turn.cancel():  # it still waited
                raise Busy(
                    f"no turn came free within {self.limits.patience:g} s", "try again in a moment"
                )
            return await answer
        except asyncio.CancelledError:
            left.set()
            answer.cancel()
            raise

    def done(self) -> None:
        self.asked -= 1

    def close(self) -> None:
        """Every search ends with what it has."""
        self.closing.set()
        self.threads.shutdown(wait=False, cancel_futures=True)
