"""A person plays Pac-Man with the arrow keys or w a s d."""

from __future__ import annotations

import os
import random
import sys
from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.live import Live

from ..arena.pacman import Controller, Run
from ..errors import IllegalAction, UsageError
from ..games.native import State
from ..games.pacman import Pacman
from ..view.pacman_text import coloured

ARROWS = {"A": "north", "B": "south", "C": "east", "D": "west"}
LEAVE = ("q", "\x1b", "\x04")
HELP = "arrow keys or w a s d: move, . or space: stand still, q: quit"


class Keyboard:
    """Reads keys one at a time, and shows the board between them."""

    def __init__(self, game: Pacman) -> None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError(
                "a human player needs a terminal", "use zermelo play pacman and type the moves"
            )
        self.game = game
        self.controller = Controller("human", self.move)
        self.live = Live(console=Console(), auto_refresh=False)
        self.settings: list[Any] | None = None
        self.typed = ""

    def __enter__(self) -> Keyboard:
        try:
            import termios
            import tty
        except ImportError:  # not on every system
            raise UsageError(
                "keys cannot be read from this terminal",
                "use zermelo play pacman and type the moves",
            ) from None
        self.settings = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        import termios

        self.live.stop()
        if self.settings is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self.settings)

    def show(self, run: Run) -> None:
        text = coloured(self.game, self.game.scene_of(run.states[-1]))
        self.live.update(text.append(f"\n{HELP}"), refresh=True)

    def key(self) -> str:
        """The next key; keys typed ahead are kept."""
        if not self.typed:
            self.typed = os.read(sys.stdin.fileno(), 64).decode("ascii", "ignore") or "q"
        size = (
            3 if self.typed.startswith(("\x1b[", "\x1bO")) else 1
        )  # an arrow key sends three characters
        key, self.typed = self.typed[:size], self.typed[size:]
        return key

    def move(self, game: Pacman, s: State, rng: random.Random) -> tuple[str, None]:
        while True:
            key = self.key()
            if key in LEAVE:
                raise KeyboardInterrupt
            word = ARROWS.get(key[-1], "") if len(key) == 3 else "stop" if key == " " else key
            with suppress(IllegalAction):
                return str(game.parse_action(s, word)), None
