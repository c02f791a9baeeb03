"""The engine behind one controller: reads commands, runs them, writes exactly one reply each."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from ...errors import ZermeloError
from .board import Board
from .clock import Clocks
from .commands import COMMANDS
from .input import Lines, Reader
from .message import LONGEST_LINE, Command, failure_text, parse, reply
from .options import Settings
from .searching import Searcher

# Importing a module registers its commands; list_commands lists them in this order.
# isort: off
from . import standard, playing, analysis, extensions  # noqa: F401
# isort: on


class Engine:
    """The state behind the commands.

    Attributes:
        board: The position.
        clocks: The clocks of both players.
        settings: The parameters of the user.
        searcher: Finds moves.
        lines: Where commands come from.
        running: False after ``quit``.
    """

    def __init__(self, board: Board, settings: Settings, lines: Lines, out: IO[bytes]) -> None:
        self.board = board
        self.settings = settings
        self.lines = lines
        self.out = out
        self.clocks = Clocks()
        self.searcher = Searcher(settings)
        self.running = True
        self._streaming = ""  # what the reply of the running command started with
        self._closed = closed_check(out)

    # -- output ------------------------------------------------------------------------------
    def write(self, text: str) -> None:
        self.out.write(text.encode("utf-8", errors="replace"))
        self.out.flush()

    def stream(self, command_id: str) -> None:
        """Start a reply that `write` continues: the analysis commands report as they search."""
        self._streaming = f"={command_id}\n"
        self.write(self._streaming)

    # -- input -------------------------------------------------------------------------------
    def run(self) -> None:
        """Answer commands until ``quit`` or the end of the input."""
        while self.running:
            if self.settings.ponder and not self.lines.waiting():
                self.ponder()
            line = self.lines.get() if self.running else None
            if line is None:
                return
            self.obey(line)

    def ponder(self) -> None:
        """Search until the next line. An error shows again, with a reply, in the next search."""
        with suppress(Exception):
            self.searcher.ponder(self.board, self.lines.waiting)
        self.running = not self.searcher.interrupted

    def obey(self, line: str) -> None:
        """Run the command of a line, if there is one, and reply."""
        command = parse(line)
        if command is None:
            return
        self._streaming = ""
        self.current = command
        try:
            text, success = self.answer(command), True
        except ZermeloError as e:
            text, success = failure_text(e), False
        except (Exception, RecursionError) as e:  # the controller waits for a reply
            text, success = f"{command.name[:40]} failed: {failure_text(e)}", False
        if self._streaming:  # the reply has begun, so that it can only end
            self.write("\n" if success and not text else f"{' '.join(text.split())}\n\n")
        else:
            self.write(reply(command.id, text, success))

    def answer(self, command: Command) -> str:
        """The text of a successful reply."""
        if command.too_long:
            raise ZermeloError(f"the line is too long: at most {LONGEST_LINE:,} characters")
        found = COMMANDS.get(command.name)
        if found is None or not found.fits(self):
            raise ZermeloError("unknown command" if command.name else "there is no command")
        found.check(command.arguments)
        return found.run(self, command.arguments) or ""

    def stop_asked(self) -> bool:
        """Whether the controller asks to end the running command early, or has gone."""
        return self.lines.interrupted() or self._closed()


def closed_check(out: IO[bytes]) -> Callable[[], bool]:
    """A function that says whether nobody can read the output any more."""
    try:
        descriptor = out.fileno()
        poll = select.poll()
    except (OSError, AttributeError):  # not a file, or a system without poll
        return lambda: False
    poll.register(descriptor, 0)
    return lambda: any(events & select.POLLERR for _, events in poll.poll(0))


def main(board: Board, settings: Settings, descriptor: int = 0, out: Any = None) -> None:
    """Speak GTP on stdin and stdout until ``quit`` or the end of the input."""
    Engine(board, settings, Reader(descriptor), out or sys.stdout.buffer).run()
