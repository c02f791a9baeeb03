"""Backgammon opponents: pubeval, a linear evaluation, and GNU Backgammon by its external socket."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import zermelo
from zermelo import _core
from zermelo.games.native import State

Array = npt.NDArray[Any]
GAME: Any = zermelo.load("backgammon")
STATE, OTHER_OFF = 32, 31
GNUBG = "/usr/games/gnubg"


# -- pubeval -----------------------------------------------------------------------------------
def pubeval(folder: Path) -> Callable[[Array], Array]:
    """Tesauro's public player: a weighted sum of 122 numbers, with one set of weights for races and
    one for contact. The position before the play decides which set is used."""
    contact, race = (
        np.array((folder / name).read_text().split(), float) for name in ("WT.cntc", "WT.race")
    )

    def play(states: Array) -> Array:
        _, flat, counts = _core.backgammon_plays(states.tobytes())
        after = np.frombuffer(flat, np.uint8).reshape(-1, STATE)
        ends = np.cumsum(counts)
        racing = np.repeat(is_race(states), counts)
        inputs = pubeval_inputs(after)
        score = np.where(racing, inputs @ race, inputs @ contact)
        score[after[:, OTHER_OFF] == 15] = np.inf
        best = [
            first + int(np.argmax(score[first:end]))
            for first, end in zip(ends - counts, ends, strict=True)
        ]
        return after[best].copy()

    return play


def is_race(states: Array) -> Array:
    board = states[:, :26].view(np.int8)
    places = np.arange(26)
    rear = np.where(board > 0, places, -1).max(axis=1)
    front = np.where(board < 0, places, 26).min(axis=1)
    return np.asarray(rear < front)


def pubeval_inputs(after: Array) -> Array:
    """Inputs of positions after a play, which are stored from the opponent's side."""
    n = -after[:, 1:25].view(np.int8).astype(int)  # from its own point 24 down to 1
    five = [n == -1, n == 1, n >= 2, n == 3, np.where(n >= 4, (n - 3) / 2, 0)]
    points = np.stack([f.astype(float) for f in five], axis=2).reshape(len(after), -1)
    bar = after[:, 25].astype(float)[:, None] / 2  # the opponent's checkers there
    off = after[:, OTHER_OFF].astype(float)[:, None] / 15  # its own
    return np.concatenate([points, bar, off], axis=1)


# -- GNU Backgammon ----------------------------------------------------------------------------
class Gnubg:
    """A process that answers FIBS boards with plays."""

    def __init__(self, plies: int = 0) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [GNUBG, "-t", "-q", "-r"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdin is not None
        settings = [
            "set jacoby off",
            f"set evaluation chequerplay evaluation plies {plies}",
            "set evaluation chequerplay evaluation cubeful off",
            "set evaluation chequerplay evaluation noise 0",
            f"external localhost:{port}",
        ]
        self.process.stdin.write("\n".join(settings) + "\n")
        self.process.stdin.flush()
        self.socket = self.connect(port)
        self.answers = self.socket.makefile("r")

    @staticmethod
    def connect(port: int) -> socket.socket:
        for _ in range(200):
            try:
                return socket.create_connection(("127.0.0.1", port))
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("gnubg does not answer")

    def __enter__(self) -> Gnubg:
        return self

    def __exit__(self, *error: object) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait()

    def ask(self, line: str) -> str:
        self.socket.sendall((line + "\n").encode())
        return self.answers.readline().strip().strip("\0").strip()

    def move(self, s: State) -> str:
        """Its play in its own notation."""
        return self.ask(fibs_board(s))

    def play(self, states: Array) -> Array:
        after = []
        for row in states:
            s = State(GAME, row.tobytes())
            legal = GAME.actions(s)
            action = legal[0] if len(legal) == 1 else GAME.parse_action(s, self.move(s))
            after.append(GAME.result(s, action).data)
        return np.frombuffer(b"".join(after), np.uint8).reshape(-1, STATE).copy()


def fibs_board(s: State) -> str:
    """The position as a FIBS board for the player to move, in money play."""
    data = s.data
    signed = [b - 256 if b > 127 else b for b in data[:26]]
    board = [signed[0], *signed[1:25], signed[25]]
    own_off, other_off = data[30], data[31]
    fields = [
        "You", "Other", 9999, 0, 0, *board, 1, data[27], data[28], 0, 0, 1, 1, 1, 0, 1, -1, 0, 25,
        own_off, other_off, signed[25], -signed[0], 0, 0, 0, 0,
    ]  # fmt: skip
    return "board:" + ":".join(map(str, fields))
