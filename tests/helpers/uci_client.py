"""A client for the tests: it speaks UCI with a process and never waits for ever."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time

PATIENCE = 20.0  # seconds for an answer on a busy machine


class Client:
    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zermelo", "uci"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.log: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()
        self.send("uci", *(f"setoption name {o}" for o in options))
        self.until("uciok")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, *commands: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(c + "\n" for c in commands))
        self.process.stdin.flush()

    def until(self, word: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the one that begins with `word`."""
        found: list[str] = []
        while True:
            line = self.lines.get(timeout=patience)
            assert line is not None, f"it ended before {word}: {self.log[-5:]}"
            self.log.append(line)
            found.append(line)
            if line.startswith(word):
                return found

    def go(self, what: str, position: str = "") -> list[str]:
        if position:
            self.send(f"position {position}")
        self.send(f"go {what}")
        return self.until("bestmove")

    def nothing(self, seconds: float = 0.15) -> bool:
        """Is it silent?"""
        time.sleep(seconds)
        return self.lines.empty()

    def quit(self) -> None:
        self.send("quit")
        assert self.process.wait(timeout=PATIENCE) == 0
        assert self.process.stderr is not None and self.process.stderr.read() == ""


def best(answer: list[str]) -> str:
    return answer[-1].split()[1]


def after(line: str, word: str) -> list[str]:
    """The words of an info line from `word` on."""
    words = line.split()
    return words[words.index(word) + 1 :] if word in words else []


def last_score(answer: list[str]) -> str:
    line = [x for x in answer if " score " in x][-1]
    return " ".join(after(line, "score")[:2])
