"""``zermelo.playouts``: random games at native speed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .. import _core
from ..checks import check_seconds, check_seed, check_whole
from ..errors import UsageError
from ..game import as_game, first_state
from .adapter import adapt
from .run import note_interrupt


@dataclass(frozen=True, slots=True)
class Playouts:
    """What random games came to."""

    game: str
    games: int
    values: tuple[float, ...]  # the mean utility of each player
    errors: tuple[float, ...]  # its standard error
    length: float  # mean number of moves per game, including chance moves
    deviation: float  # and the standard deviation
    shortest: int
    longest: int
    moves: int  # of all games together
    elapsed: float  # seconds
    seed: int
    stopped: str = ""  # "", or what ended it early: time | interrupted

    @property
    def speed(self) -> float:
        """Moves per second."""
        return self.moves / self.elapsed if self.elapsed > 0 else 0.0


def playouts(
    game: Any, games: int = 1000, seed: int = 0, *, state: Any = None, time: float | None = None
) -> Playouts:
    """Plays `games` games from `state` in which every legal action is as likely.

    Chance moves are sampled by their probabilities. The same seed plays the same games. Ctrl-C and
    `time` (seconds)
    end it early with the games played so far.

    >>> import zermelo
    >>> p = zermelo.playouts(zermelo.load("tic-tac-toe"), 10_000, seed=1)
    >>> p.shortest, p.longest, round(p.values[0], 1)  # the first player is better off
    (5, 9, 0.3)
    """
    the_game = as_game(game)
    wanted, time = check_whole("games", games), check_seconds(time)
    number = check_seed(seed)
    b = adapt(the_game)
    flat = b.flat(first_state(the_game) if state is None else state)
    if b.handle.to_move(flat) == -2:
        raise UsageError(
            "the game is over: there is nothing to play", "give a state before its end"
        )
    n, moves, squared, shortest, longest, sums, squares, elapsed, stopped = _core.playouts(
        b.handle, flat, wanted, number, time or 0.0
    )
    note_interrupt(stopped)
    means = [s / n + 0.0 if n else 0.0 for s in sums]
    errors = [error(q, m, n) for q, m in zip(squares, means, strict=True)]
    players = b.handle.facts.players
    if len(means) < players:  # what one gains the other loses
        means.append(0.0 - means[0])
        errors = errors * players
    mean = moves / n if n else 0.0
    return Playouts(
        game=the_game.name,
        games=n,
        values=tuple(means),
        errors=tuple(errors),
        length=mean,
        deviation=math.sqrt(max(0.0, squared / n - mean * mean)) if n else 0.0,
        shortest=shortest,
        longest=longest,
        moves=moves,
        elapsed=elapsed,
        seed=number,
        stopped=stopped,
    )


def error(squares: float, mean: float, n: int) -> float:
    """The standard error of a mean."""
    return math.sqrt(max(0.0, squares / n - mean * mean) / (n - 1)) if n > 1 else math.inf
