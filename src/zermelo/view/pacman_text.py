"""Pac-Man in the terminal: the board in colours, redrawn move by move."""

from __future__ import annotations

from time import sleep

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ..arena.pacman import Run
from ..games.pacman import Pacman, Scene

GHOSTS = ("bold red", "bold cyan", "bold magenta", "bold yellow")
LOOKS = {
    "%": ("█", "blue"), ".": ("·", "white"), "o": ("●", "bold white"), " ": (" ", ""),
    "P": ("C", "bold yellow"), "X": ("X", "bold white on red"),
}  # fmt: skip


def coloured(game: Pacman, scene: Scene) -> Text:
    """The board for a terminal, each ghost in its colour."""
    who = {g.place: i for i, g in enumerate(scene.ghosts)}
    text = Text()
    for y, row in enumerate(game.picture(scene)):
        for x, sign in enumerate(row):
            if sign in "GS":
                look = ("W", "bold blue") if sign == "S" else ("M", GHOSTS[who[x, y]])
            else:
                look = LOOKS[sign]
            text.append(*look)
        text.append("\n")
    text.append(game.status(scene))
    return text


class Animation:
    """Shows every state of every game in the same place."""

    def __init__(self, console: Console, game: Pacman, speed: float) -> None:
        self.game = game
        self.pause = 1 / speed
        self.live = Live(console=console, auto_refresh=False)

    def __enter__(self) -> Animation:
        self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def show(self, run: Run) -> None:
        scene = self.game.scene_of(run.states[-1])
        self.live.update(coloured(self.game, scene), refresh=True)
        if scene.turn == 0 or scene.status:  # one pause per round: the ghosts move together
            sleep(self.pause)
