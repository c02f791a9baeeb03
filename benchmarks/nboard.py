"""An Othello program that uses the NBoard protocol on its standard input and output."""

from __future__ import annotations

import shlex
import subprocess
import time
from types import TracebackType
from typing import Any


class NBoard:
    """A running program; `command` is started in `folder`."""

    def __init__(self, command: str, folder: str | None, depth: int) -> None:
        self.process = subprocess.Popen(
            shlex.split(command),
            cwd=folder,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.send("nboard 2")
        self.send(f"set depth {depth}")

    def __enter__(self) -> NBoard:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, game: Any, s: Any) -> tuple[str, float | None, float]:
        """Its move, the value for the player to move, and the seconds it took."""
        squares, side = game.format_state(s).replace("X", "*").split()
        self.send(f"set game (;GM[Othello]PC[-]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 {squares} {side}];)")
        self.send("ping 1")
        self.wait("pong")
        start = time.perf_counter()
        self.send("go")
        move, _, rest = self.wait("===").removeprefix("===").strip().partition("/")
        seconds = time.perf_counter() - start
        worth = rest.partition("/")[0].strip()
        return move.strip().lower()[:2], float(worth) if worth else None, seconds

    def wait(self, word: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(word):
                return line
        raise RuntimeError(f"the peer ended before it printed {word!r}")
