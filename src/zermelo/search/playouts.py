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
    """The statistics of random games.

    Attributes:
        values: The mean utility of each player; `errors` has the standard errors.
        length: The mean number of moves per game, including chance moves.
        deviation: The standard deviation of the length.
        shortest, longest: The shortest and the longest game.
        stopped: "", or what ended the run early: "time" or "interrupted".

    Example:
        >>> import zermelo
        >>> zermelo.playouts(zermelo.load("tic-tac-toe"), 100, seed=1).games
        100
    """

    game: str
    games: int
    values: tuple[float, ...]  # mean utility of each player
    errors: tuple[float, ...]  # standard errors of the values
    length: float
    deviation: float
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
    """Play random games: all legal actions are equally likely.

    Chance moves are sampled by their probabilities. Ctrl-C and `time` end the run early with the
    games played so far.

    Args:
        game: The game.
        games: The number of games.
        seed: Random seed; same seed, same games.
        state: The start; by default the initial state.
        time: Time limit in seconds.

    Returns:
        The mean utility of each player with its error, and the lengths of the games.

    Raises:
        UsageError: An argument is invalid, or `state` is terminal.

    Example:
        >>> import zermelo
        >>> p = zermelo.playouts(zermelo.load("tic-tac-toe"), 10_000, seed=1)
        >>> p.shortest, p.longest, round(p.values[0], 1)
        (5, 9, 0.3)
    """
    the_game = as_game(game)
    wanted, time = check_whole("games", games), check_seconds(time)
    number = check_seed(seed)
    b = adapt(the_game)
    flat = b.flat(first_state(the_game) if state is None else state)
    if b.handle.to_move(flat) == -2:
        raise UsageError(
            "the game is over: there is nothing to play", "pass a state that is not terminal"
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
