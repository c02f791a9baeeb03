"""The controller's lines. A thread reads them, so that a search can notice the next one."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterable
from typing import Protocol

from .message import LONGEST_LINE

CHUNK = 1 << 16
MAX_WAITING = 1000  # lines; the thread then stops reading until they are taken
INTERRUPT = "# interrupt"  # GoGui's request to end the running command early


class Lines(Protocol):
    """Where commands come from."""

    def get(self) -> str | None:
        """The next line; None at the end of the input."""

    def waiting(self) -> bool:
        """Whether `get` would return at once."""

    def wait(self) -> None:
        """Return when a line is waiting."""

    def interrupted(self) -> bool:
        """Whether the controller asks to end the running command."""


class Listed:
    """Lines from a list, for scripts and tests."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)[::-1]

    def get(self) -> str | None:
        return self.lines.pop() if self.lines else None

    def waiting(self) -> bool:
        return True

    def wait(self) -> None:
        pass

    def interrupted(self) -> bool:
        return False


class Reader:
    """Lines from a file descriptor.

    Lines longer than a command may be are cut, so that a client cannot fill the memory.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.queue: queue.Queue[str | None] = queue.Queue(MAX_WAITING)
        self.next: list[str | None] = []  # a line that `wait` took out of the queue
        self.stop = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def get(self) -> str | None:
        line = self.next.pop() if self.next else self.queue.get()
        if line is not None and line.strip() == INTERRUPT:
            self.stop.clear()  # the command that it was meant for has ended
        return line

    def waiting(self) -> bool:
        return bool(self.next) or not self.queue.empty()

    def wait(self) -> None:
        if not self.next:
            self.next.append(self.queue.get())

    def interrupted(self) -> bool:
        return self.stop.is_set()

    def _read(self) -> None:
        # Reads the descriptor itself: a thread that waits inside sys.stdin blocks Python's exit.
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._put(line)
            rest = rest[: LONGEST_LINE + 1]
        if rest:
            self._put(rest)
        self.queue.put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self.descriptor, CHUNK)
        except OSError:
            return b""

    def _put(self, line: bytes) -> None:
        text = line[: LONGEST_LINE + 1].decode(errors="surrogateescape")
        if len(line) > LONGEST_LINE:
            text = text.ljust(LONGEST_LINE + 1)  # stays too long if it has longer characters
        if text.strip() == INTERRUPT:
            self.stop.set()
        self.queue.put(text)
