"""The grader's side of a student's process: it answers calls and records every visit.

The process is not trusted: visits are recorded here, and a line outside the protocol ends it.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import selectors
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from . import runner, supervisor
from .key import ROOT, Exercise

START_SECONDS = 20.0  # for importing the file
END_SECONDS = supervisor.KILL_SECONDS + 5
PATIENCE = 3  # times that it may hang or crash before the rest is not run
MAX_LINE = 1 << 16  # bytes
MAX_VISITS = 50  # times the nodes of the tree; more calls are an endless search
FOREIGN = "its process sent an invalid message"


@dataclass(slots=True)
class Report:
    """What a function did with a tree: its visits, and its answer or its error."""

    visits: list[str] = field(default_factory=list)
    answer: list[Any] = field(default_factory=list)  # numbers, texts and None
    error: str = ""


class _Failed(Exception):
    """The process cannot continue; the message says why."""


class Visits:
    """Answers the calls of one function on one tree and records its visits."""

    def __init__(self, exercise: Exercise) -> None:
        self.nodes = exercise.trace.nodes
        self.visits: list[str] = []
        self.expanded: set[int] = set()
        self.calls = 0

    def note(self, number: int, again: bool = False) -> None:
        self.calls += 1
        if self.calls > MAX_VISITS * len(self.nodes):
            del self.visits[1000:]
            raise _Failed("it visits the same states again and again")
        name = self.nodes[number].label or ROOT
        last = self.visits[-1] if self.visits else ""
        if not again and last != name:  # two calls in a row for a leaf are one visit
            self.visits.append(name)

    def reply(self, rule: Any, number: Any, argument: Any) -> Any:
        """The answer to a question: [value] or {"error": text}."""
        if isinstance(number, bool) or not isinstance(number, int):
            raise _Failed(FOREIGN)
        if not 0 <= number < len(self.nodes):
            raise _Failed(FOREIGN)
        node = self.nodes[number]
        below = {self.nodes[c].label: c for c in node.children}
        state = f"<state {node.label or ROOT}>"
        if rule == "player":
            return [node.player]
        if rule == "is_terminal":
            return [not below]
        if rule == "actions":
            if below:  # calling actions(s) again, as loops over indices do, is not a visit
                self.note(number, again=number in self.expanded)
                self.expanded.add(number)
            return [list(below)]
        if rule == "result":
            if not isinstance(argument, str) or argument not in below:
                return {"error": f"{argument!r} is not an action of {state}"}
            return [[below[argument], argument]]
        if rule != "utility":
            raise _Failed(FOREIGN)
        if below or node.value is None:
            return {"error": f"utility of {state}, which is not terminal"}
        self.note(number)
        return [node.value if argument == 0 else 0.0 - node.value]


class Process:
    """The process of a student's file; `ask` restarts it if it died."""

    def __init__(self, path: Path, name: str, seconds: float, megabytes: int, cases: int) -> None:
        self.command = [sys.executable, "-I", runner.__file__, str(path), name]
        self.seconds, self.megabytes = seconds, megabytes
        self.whole = math.ceil(START_SECONDS + cases * seconds)  # of the processor
        self.killed = 0
        self.running: subprocess.Popen[bytes] | None = None
        self.control = -1  # closing it ends all processes of the file
        self.unread = b""

    def start(self) -> str:
        """ "" once it is ready, else what is wrong with the file."""
        theirs, self.control = os.pipe()
        limits = [str(theirs), str(self.megabytes), str(self.whole)]
        self.running = subprocess.Popen(
            [sys.executable, "-I", supervisor.__file__, *limits, *self.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
            pass_fds=(theirs,),
        )
        os.close(theirs)
        assert self.running.stdin is not None
        os.set_blocking(self.running.stdin.fileno(), False)  # it may not read the reply
        self.unread = b""
        try:
            match self.read(monotonic() + START_SECONDS, START_SECONDS):
                case ["ready"]:
                    return ""
                case ["failed", str(why)]:
                    return _clean(why)
                case _:
                    return f"the file cannot be imported: {FOREIGN}"
        except _Failed as e:
            return f"the file cannot be imported: {e}"

    def ask(self, exercise: Exercise) -> Report:
        """Run the function on a tree."""
        if self.killed >= PATIENCE:
            return Report(error=f"not run: it was stopped {PATIENCE} times before")
        if self.running is None and (failed := self.start()):
            self.stop()
            return Report(error=failed)
        seen = Visits(exercise)
        try:
            return self.run(seen)
        except _Failed as e:
            self.killed += 1
            self.stop()
            return Report(seen.visits, error=str(e))

    def run(self, seen: Visits) -> Report:
        end = monotonic() + self.seconds
        self.write(None)
        while True:
            match self.read(end, self.seconds):
                case ["ask", rule, number, argument]:
                    self.write(seen.reply(rule, number, argument))
                case ["answer", list(items)]:
                    return Report(seen.visits, [plain(x) for x in items[:4]])
                case ["error", str(why)]:
                    return Report(seen.visits, error=_clean(why))
                case _:
                    raise _Failed(FOREIGN)

    def write(self, what: Any) -> None:
        assert self.running is not None and self.running.stdin is not None
        line = json.dumps(what).encode() + b"\n"
        try:
            written = os.write(self.running.stdin.fileno(), line)
        except BlockingIOError:
            written = 0
        except OSError:
            raise _Failed(self.how_it_ended()) from None
        if written < len(line):  # a pipe holds far more than one reply
            raise _Failed(FOREIGN)

    def read(self, end: float, seconds: float) -> Any:
        """The next line."""
        assert self.running is not None and self.running.stdout is not None
        out = self.running.stdout
        with selectors.DefaultSelector() as ready:
            ready.register(out, selectors.EVENT_READ)
            while b"\n" not in self.unread:
                left = end - monotonic()
                if left <= 0 or not ready.select(left):
                    raise _Failed(f"it took more than {seconds:g} s")
                more = os.read(out.fileno(), MAX_LINE)
                if not more:
                    raise _Failed(self.how_it_ended())
                self.unread += more
                if len(self.unread) > 2 * MAX_LINE:
                    raise _Failed(FOREIGN)
        line, _, self.unread = self.unread.partition(b"\n")
        if monotonic() > end:
            raise _Failed(f"it took more than {seconds:g} s")
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            raise _Failed(FOREIGN) from None

    def how_it_ended(self) -> str:
        assert self.running is not None
        try:
            code = self.running.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return "it ended the process"
        number = -code if code < 0 else code - 128
        names = {s.value: s.name for s in signal.Signals}
        return "it ended the process" + (f" ({names[number]})" if number in names else "")

    def stop(self) -> None:
        """End it with all that it started."""
        if self.running is None:
            return
        os.close(self.control)
        for pipe in (self.running.stdin, self.running.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.running.wait(END_SECONDS)
        with contextlib.suppress(OSError):  # if the supervisor itself was killed
            os.killpg(self.running.pid, signal.SIGKILL)
        self.running.wait()
        self.running = None


def _clean(text: str) -> str:
    """The output of a process as valid UTF-8 text."""
    return text[: 2 * runner.SHOWN].encode("utf-8", "replace").decode()


def plain(item: Any) -> float | str | None:
    """One item of the answer of a function."""
    if isinstance(item, str):
        return _clean(item)
    if isinstance(item, bool) or not isinstance(item, (int, float)):
        return None
    try:
        return float(item)
    except OverflowError:
        return math.inf
