"""Reads commands and replies; `go` runs in another thread."""

from __future__ import annotations

import os
import random
import sys
import threading
from typing import Any

from ... import __version__
from ...errors import ZermeloError
from ...games.native import State
from ...search.memory import Memory
from .board import Board
from .clock import Lag, read_go
from .options import Settings, described, set_option
from .searching import Thinking

IGNORED = ("debug", "register")  # commands that are ignored


class Engine:
    """The engine behind one client."""

    def __init__(self, out: Any) -> None:
        self._out = out
        self._lock = threading.Lock()
        self.settings = Settings()
        self.board = Board()
        self.rng = random.Random()
        self.lag = Lag()
        self.thinking: Thinking | None = None
        self.memory = Memory(self.settings.hash)
        self.commands = {
            "uci": self.uci,
            "isready": lambda words: self.say("readyok"),
            "setoption": self.setoption,
            "ucinewgame": self.ucinewgame,
            "position": lambda words: self.board.set(words),
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.ponderhit,
            "d": self.show,
        }

    def say(self, text: str) -> None:
        """Whole lines, from either thread."""
        with self._lock:
            try:
                self._out.write(text.encode() + b"\n")
                self._out.flush()
            except (OSError, ValueError):  # the client has gone
                os._exit(0)

    def obey(self, line: str) -> bool:
        """One line of a client; False: it was the last."""
        words = line.split()
        # A word that is not known is skipped, and what comes after it is read.
        while words and words[0] not in self.commands and words[0] not in ("quit", *IGNORED):
            words = words[1:]
        if not words or words[0] in IGNORED:
            return True
        if words[0] == "quit":
            return False
        try:
            self.commands[words[0]](words[1:])
        except ZermeloError as e:
            self.say("info string " + " ".join(f"{e.message}; {e.hint}".split()))
        except Exception as e:  # an error must not end the engine
            self.say(
                f"info string {words[0]} failed: {type(e).__name__} {' '.join(str(e).split())}"
            )
        return True

    def uci(self, words: list[str]) -> None:
        about = [f"id name Zermelo {__version__}", "id author the authors of zermelo"]
        self.say("\n".join([*about, *described(), "uciok"]))

    def setoption(self, words: list[str]) -> None:
        before = self.settings.hash
        option = set_option(self.settings, words)
        if option.name == "UCI_Chess960":
            self.board.set_960(self.settings.chess960)
        elif option.name == "Seed":
            self.rng = random.Random(self.settings.seed or None)
        elif option.name == "Hash" and self.settings.hash != before:
            self.finish()
            try:
                self.memory = Memory(self.settings.hash)
            except (ZermeloError, MemoryError):
                self.settings.hash = before
                raise
        elif option.name == "Clear Hash":
            self.clear()

    def ucinewgame(self, words: list[str]) -> None:
        self.clear()
        self.board.set(["startpos"])

    def clear(self) -> None:
        self.finish()
        self.memory.clear()

    def go(self, words: list[str]) -> None:
        self.finish()
        go = read_go(words)
        if go.unread:
            self.say("info string go: not understood: " + " ".join(go.unread[:8])[:200])
        self.thinking = Thinking(
            self.board, go, self.settings, self.memory, self.lag, self.rng, self.say
        )  # fmt: skip

    def stop(self, words: list[str]) -> None:
        if self.thinking:
            self.thinking.stop()

    def ponderhit(self, words: list[str]) -> None:
        if self.thinking:
            self.thinking.ponderhit()

    def show(self, words: list[str]) -> None:
        game = self.board.game
        self.say(f"{game.board(State(game, self.board.data))}\nFen: {self.board.fen}")

    def finish(self) -> None:
        """A search that is still going on ends with its answer."""
        if self.thinking:
            self.thinking.finish()
            self.thinking = None


def main() -> None:
    """Speaks UCI on stdin and stdout until `quit` or the end of the input."""
    engine = Engine(sys.stdout.buffer)
    try:
        for line in sys.stdin.buffer:
            if not engine.obey(line.decode(errors="replace")):
                break
    except KeyboardInterrupt:
        pass
    finally:
        engine.finish()
