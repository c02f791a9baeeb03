"""A GTP controller for the tests: a process, or the engine in this process."""

from __future__ import annotations

import io
import queue
import re
import subprocess
import sys
import threading
import time

from zermelo.ui.gtp.board import Board
from zermelo.ui.gtp.engine import Engine
from zermelo.ui.gtp.input import Listed
from zermelo.ui.gtp.options import Settings

PATIENCE = 30.0  # seconds for a reply on a busy machine
REPLY = re.compile(r"([=?])(\d*)(?: (.*)|(\n.*)?)", re.DOTALL)


class Local:
    """The engine in this process, without a thread."""

    def __init__(self, game: str = "hex:size=5,swap=no", **settings: object) -> None:
        self.out = io.BytesIO()
        given = {"playouts": 50, "resign": 0.0, "seed": 1, "time": 60.0} | settings
        self.engine = Engine(Board(game), Settings(**given), Listed([]), self.out)

    def raw(self, line: str) -> str:
        """Everything that is written in answer to a line."""
        self.out.seek(0)
        self.out.truncate()
        self.engine.obey(line)
        return self.out.getvalue().decode()

    def ask(self, line: str) -> str:
        """The text of a successful reply."""
        good, _, text = reply_of(self.raw(line))
        assert good, f"{line}: {text}"
        return text

    def fail(self, line: str) -> str:
        """The text of a failure."""
        good, _, text = reply_of(self.raw(line))
        assert not good, f"{line}: {text}"
        return text

    def sequence(self, text: str) -> None:
        """Play "b a1 w b2"."""
        words = text.split()
        for colour, vertex in zip(words[::2], words[1::2], strict=True):
            self.ask(f"play {colour} {vertex}")


def reply_of(raw: str) -> tuple[bool, str, str]:
    """Success, id and text of exactly one well-formed reply."""
    assert raw.endswith("\n\n") and raw[:1] in "=?", raw
    assert "\n\n" not in raw[:-2], raw
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", raw), raw
    found = REPLY.fullmatch(raw[:-2])
    assert found is not None, raw
    return found[1] == "=", found[2], (found[3] or found[4] or "").strip("\n")


class Client:
    """A process that speaks GTP: `zermelo gtp`, or another program."""

    def __init__(self, *arguments: str, command: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "zermelo", "gtp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.lines.put(None)

    def send(self, data: str | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data if isinstance(data, bytes) else f"{data}\n".encode())
        self.process.stdin.flush()

    def line(self, patience: float = PATIENCE) -> str:
        line = self.lines.get(timeout=patience)
        assert line is not None, "the engine ended"
        return line

    def reply(self) -> str:
        """The next reply, without the empty line that ends it."""
        lines = []
        while (line := self.line()) or not lines:
            if line:
                lines.append(line)
        return "\n".join(lines)

    def ask(self, command: str) -> str:
        self.send(command)
        good, _, text = reply_of(self.reply() + "\n\n")
        assert good, f"{command}: {text}"
        return text

    def silent(self, seconds: float = 0.15) -> bool:
        time.sleep(seconds)
        return self.lines.empty()

    def quit(self) -> None:
        self.ask("quit")
        assert self.process.wait(timeout=PATIENCE) == 0
        assert self.process.stderr is not None and self.process.stderr.read() == b""
