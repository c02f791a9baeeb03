"""Runs the work of requests in threads: fair turns for visitors, time limits, interruption.

The studio has two executors: one for searches, one for short work such as views. Each has a fixed
number of threads. Waiting work is taken in turn from every address, and from every visitor of an
address, so that no visitor waits for all requests of another.

Work ends early in three ways:

- Its visitor leaves, or its time limit passes: `stop()` turns true, and if the work still runs
  after `GRACE` seconds, :class:`_Interrupted` is raised in its thread. That ends Python code at the
  next bytecode, so views need no checks of their own. Locks must be held in ``with`` statements.
- Others wait and it has had its turn: `stop()` turns true, and the search answers with what it has.
- The server closes: as when all visitors leave.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue
from time import monotonic
from typing import Any, Generic, TypeVar

from ...errors import ZermeloError
from .limits import Busy
from .visitors import Visitor

T = TypeVar("T")
Stop = Callable[[], bool]

GRACE = 0.3  # seconds between asking work to stop and interrupting it
TICK = 0.25  # seconds between two looks at turns and time limits
LEAST_TURN = 1.0  # seconds of a search that others wait for
RAISE = ctypes.pythonapi.PyThreadState_SetAsyncExc


# Python code of the standard library that takes locks without a `with` statement.
LOCKING = ("<frozen importlib", logging.__file__, threading.__file__)


class _Interrupted(BaseException):
    """Raised inside work that has no time left; no `except Exception` may catch it."""


class TooSlow(ZermeloError):
    """The work of a request did not end in time."""


class _Unraisable:
    """Python's report of errors that cannot be raised, without interruptions.

    An interruption that arrives in a finalizer or a weakref callback is lost there. The next one
    follows within `TICK`.
    """

    def __init__(self, report: Callable[[Any], object]) -> None:
        self.report = report

    def __call__(self, error: Any) -> None:
        if not (error.exc_type and issubclass(error.exc_type, _Interrupted)):
            self.report(error)


def _holds_locks(thread: int) -> bool:
    """Is the thread inside an import, or another function that must not be left halfway?"""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_filename.startswith(LOCKING):
            # every thread begins in threading.py, by _bootstrap and run
            return frame.f_code.co_name not in ("_bootstrap", "_bootstrap_inner", "run")
        frame = frame.f_back
    return False


@dataclass(eq=False, slots=True)
class Work(Generic[T]):
    """One request's work, waiting or running."""

    visitor: Visitor
    function: Callable[[Stop], T]
    answer: asyncio.Future[T]
    stopped: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    thread: int = 0  # the thread that runs it; 0: none
    started: float = 0.0
    cancelled: float = 0.0  # when its visitor left
    too_slow: bool = False
    ended: bool = False

    def run(self) -> tuple[T | None, BaseException | None]:
        """In a worker's thread: the result, or the error."""
        result, error = None, None
        try:
            with self.lock:
                self.thread = threading.get_ident()
            result = self.function(self.stopped.is_set)
        except BaseException as e:
            error = e
        while True:
            try:
                with self.lock:
                    RAISE(ctypes.c_ulong(self.thread), None)  # takes back what has not arrived yet
                    self.thread = 0
                    self.ended = True
                return result, error
            except _Interrupted:
                continue

    def interrupt(self) -> None:
        """Raise `_Interrupted` in the work's thread, unless that could leave a lock held."""
        with self.lock:
            if self.thread and not _holds_locks(self.thread):
                RAISE(ctypes.c_ulong(self.thread), ctypes.py_object(_Interrupted))


class FairQueue:
    """Waiting work: round robin by address, then by visitor, then in order of arrival."""

    def __init__(self) -> None:
        self.addresses: OrderedDict[str, OrderedDict[str, deque[Work[Any]]]] = OrderedDict()
        self.size = 0

    def put(self, work: Work[Any]) -> None:
        visitors = self.addresses.setdefault(work.visitor.address, OrderedDict())
        visitors.setdefault(work.visitor.id, deque()).append(work)
        self.size += 1

    def take(self, allowed: Callable[[Visitor], bool]) -> Work[Any] | None:
        """The next work of a visitor who may run more; its address and visitor go to the end."""
        for address, visitors in list(self.addresses.items()):
            for name, line in list(visitors.items()):
                if allowed(line[0].visitor):
                    work = line[0]
                    self.remove(work)
                    if name in visitors:
                        visitors.move_to_end(name)
                    if address in self.addresses:
                        self.addresses.move_to_end(address)
                    return work
        return None

    def remove(self, work: Work[Any]) -> bool:
        visitors = self.addresses.get(work.visitor.address, OrderedDict())
        line = visitors.get(work.visitor.id, deque())
        if work not in line:
            return False
        line.remove(work)
        self.size -= 1
        if not line:
            del visitors[work.visitor.id]
        if not visitors:
            del self.addresses[work.visitor.address]
        return True

    def newest_of_longest(self) -> Work[Any]:
        """The work to refuse when there is no room: the last of whoever has most waiting."""
        lengths = {a: sum(map(len, lines.values())) for a, lines in self.addresses.items()}
        visitors = self.addresses[max(lengths, key=lambda a: lengths[a])]
        return max(visitors.values(), key=len)[-1]

    def visitors(self) -> list[Visitor]:
        return [line[0].visitor for lines in self.addresses.values() for line in lines.values()]


class Executor:
    """A number of threads that run work in fair turns; used from the event loop only.

    Args:
        threads: Work that runs at the same time.
        waiting: Work that may wait; more is refused as busy.
        patience: Seconds that work may wait.
        seconds: Seconds that work may run.
        per_visitor, per_address: Threads that one visitor, or address, may use; None: all of them,
            and searches of others that have had their turn are stopped instead.
    """

    def __init__(
        self,
        threads: int,
        waiting: int,
        patience: float,
        seconds: float,
        per_visitor: int | None = None,
        per_address: int | None = None,
    ) -> None:
        self.threads, self.waiting, self.patience, self.seconds = (
            threads,
            waiting,
            patience,
            seconds,
        )
        self.per_visitor, self.per_address = per_visitor, per_address
        if not isinstance(sys.unraisablehook, _Unraisable):
            sys.unraisablehook = _Unraisable(sys.unraisablehook)
        self.queue = FairQueue()
        self.running: set[Work[Any]] = set()
        self.inbox: SimpleQueue[tuple[Work[Any], asyncio.AbstractEventLoop]] = SimpleQueue()
        self.started = 0  # threads
        self.closing = False
        self.timer: asyncio.TimerHandle | None = None

    async def run(self, visitor: Visitor, function: Callable[[Stop], T]) -> T:
        """What `function(stop)` returns, run in a thread in the visitor's turn."""
        if self.closing:
            raise Busy("the server is shutting down", "start it again")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        work = Work(visitor, function, answer)
        self.queue.put(work)
        self.dispatch()
        if self.queue.size > self.waiting:
            self.refuse(self.queue.newest_of_longest(), "the server is busy with other requests")
        patience = loop.call_later(
            self.patience, self.refuse, work, f"no turn came free within {self.patience:g} s"
        )
        try:
            return await answer
        except asyncio.CancelledError:
            self.cancel(work)
            raise
        finally:
            patience.cancel()

    def refuse(self, work: Work[Any], reason: str) -> None:
        """If it still waits."""
        if self.queue.remove(work) and not work.answer.done():
            work.answer.set_exception(Busy(reason, "try again in a moment"))

    def cancel(self, work: Work[Any]) -> None:
        """The visitor has left."""
        if not self.queue.remove(work) and not work.cancelled:
            work.cancelled = monotonic()
            work.stopped.set()
            self.watch()

    # -- turns ---------------------------------------------------------------------------------
    def allowed(self, visitor: Visitor) -> bool:
        own = sum(w.visitor == visitor for w in self.running)
        near = sum(w.visitor.address == visitor.address for w in self.running)
        return (self.per_visitor is None or own < self.per_visitor) and (
            self.per_address is None or near < self.per_address
        )

    def dispatch(self) -> None:
        """Starts waiting work while threads are free."""
        loop = asyncio.get_running_loop()
        while len(self.running) < self.threads and not self.closing:
            work = self.queue.take(self.allowed)
            if work is None:
                break
            self.running.add(work)
            work.started = monotonic()
            if self.started < len(self.running):
                self.started += 1
                threading.Thread(target=self.serve, name="zermelo-worker", daemon=True).start()
            self.inbox.put((work, loop))
        if self.running:
            self.watch()

    def serve(self) -> None:
        """A worker's thread."""
        while True:
            work, loop = self.inbox.get()
            result, error = work.run()
            try:
                loop.call_soon_threadsafe(self.finished, work, result, error)
            except RuntimeError:  # the loop is closed
                return

    def finished(self, work: Work[Any], result: Any, error: BaseException | None) -> None:
        self.running.discard(work)
        if not work.answer.done():
            if isinstance(error, _Interrupted) or (error is not None and work.too_slow):
                error = TooSlow(
                    f"the request took longer than {self.seconds:g} s",
                    "use a smaller request, or start the server with a larger --max-time",
                )
            if error is None:
                work.answer.set_result(result)
            else:
                work.answer.set_exception(error)
        self.dispatch()

    def watch(self) -> None:
        if self.timer is None:
            self.timer = asyncio.get_running_loop().call_later(TICK, self.tick)

    def tick(self) -> None:
        """Ends work whose time is over; stops searches that have had their turn."""
        self.timer = None
        now = monotonic()
        for work in self.running:
            if now - work.started > self.seconds:
                work.too_slow = True
                work.stopped.set()
            if now - work.started > self.seconds + GRACE or (
                work.cancelled and now - work.cancelled > GRACE
            ):
                work.interrupt()
        if self.per_visitor is None:
            self.end_turns(now)
        if self.running:
            self.watch()

    def turn(self, others: int) -> float:
        """Seconds of a turn, such that all who wait get one within their patience."""
        return max(LEAST_TURN, self.patience * self.threads / (others + self.threads))

    def end_turns(self, now: float) -> None:
        waiting = self.queue.visitors()
        oldest = sorted((w for w in self.running if not w.cancelled), key=lambda w: w.started)
        ending = 0
        for work in oldest:
            others = sum(v != work.visitor for v in waiting)
            if work.stopped.is_set():
                ending += 1
            elif ending < others and now - work.started > self.turn(others):
                work.stopped.set()
                ending += 1

    @property
    def at_work(self) -> int:
        """Work that runs or waits; also called from other threads after the loop has ended."""
        running = sum(not w.ended for w in list(self.running))
        return running + self.queue.size

    def interrupt(self) -> None:
        for work in list(self.running):
            work.interrupt()

    def close(self) -> None:
        """Ends everything; threads end with the process."""
        self.closing = True
        for visitors in list(self.queue.addresses.values()):
            for line in list(visitors.values()):
                for work in list(line):
                    self.refuse(work, "the server is shutting down")
        for work in self.running:
            work.stopped.set()
            if not work.answer.done():
                work.answer.set_exception(Busy("the server is shutting down", "start it again"))
