"""Chess programs as players, with the UCI protocol or the older xboard protocol.

A program that dies or does not answer in time is started again. chess_ladder.py decides what this
means for the game.
"""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
import time

START = 15.0  # seconds a program may take to be ready


class Gone(Exception):
    """The program died or does not answer."""


class Program:
    """A process that exchanges lines."""

    def __init__(self, command: str, options: dict[str, str]) -> None:
        self.command, self.options = command, options
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.close()
        self.process = subprocess.Popen(
            shlex.split(self.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
            errors="replace",
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, args=(self.process, self.lines), daemon=True).start()

    @staticmethod
    def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line.strip())
        lines.put(None)

    def send(self, *lines: str) -> None:
        assert self.process is not None and self.process.stdin is not None
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines))
            self.process.stdin.flush()
        except OSError:
            raise Gone(self.command) from None

    def wait(self, words: tuple[str, ...], seconds: float) -> str:
        """The next line that begins with one of the words."""
        until = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise Gone(self.command) from None
            if line is None:
                raise Gone(self.command)
            if line.startswith(words):
                return line

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


class Uci(Program):
    def new_game(self, opening: list[str]) -> None:
        if self.process is None:
            self.start()
            self.send("uci")
            self.wait(("uciok",), START)
            self.send(*(f"setoption name {k} value {v}" for k, v in self.options.items()))
        self.opening = opening
        self.send("ucinewgame", "isready")
        self.wait(("readyok",), START)

    def move(self, moves: list[str], clocks: tuple[float, float], more: float, mover: int) -> str:
        """The program's move in UCI notation. `clocks`: White's and Black's seconds."""
        white, black = (max(1, round(1000 * c)) for c in clocks)
        inc = round(1000 * more)
        self.send(
            f"position startpos moves {' '.join(self.opening + moves)}",
            f"go wtime {white} btime {black} winc {inc} binc {inc}",
        )
        words = self.wait(("bestmove",), clocks[mover] + START).split()
        return words[1] if len(words) > 1 else ""


class Xboard(Program):
    """Programs of xboard's protocol, version 2: fairymax, phalanx."""

    def new_game(self, opening: list[str]) -> None:
        # A new process for each game: older programs do not always forget the last one.
        self.start()
        self.send("xboard", "protover 2")
        time.sleep(0.3)
        self.send("new", "hard" if self.options.get("ponder") else "easy", "nopost", "force")
        self.send(f"level 0 {self.options['base']} {self.options['more']}", *opening)
        self.told = 0

    def move(self, moves: list[str], clocks: tuple[float, float], more: float, mover: int) -> str:
        own, other = clocks[mover], clocks[1 - mover]
        self.send(f"time {max(1, round(100 * own))}", f"otim {max(1, round(100 * other))}")
        if self.told == len(moves):  # at the start of the game: its turn
            self.send("go")
        else:
            assert len(moves) == self.told + 1
            self.send(moves[-1])
            if self.told == 0:
                self.send("go")
        line = self.wait(("move ", "1-0", "0-1", "1/2", "resign"), own + START)
        words = line.split()
        self.told = len(moves) + 1
        move = words[1] if words[0] == "move" else ""
        castled = {"O-O": "e1g1", "O-O-O": "e1c1"}.get(move, "")
        return castled.replace("1", "18"[mover]) or move
