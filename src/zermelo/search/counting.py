"""``zermelo.perft``, ``count_positions`` and ``grundy``: counts at native speed."""

from __future__ import annotations

from typing import Any

from .. import _core
from ..checks import check_seconds, check_whole
from ..errors import NotSupported, SearchBudgetExceeded
from ..game import as_game, first_state
from .adapter import adapt


def perft(
    game: Any, state: Any = None, depth: int = 1, *, time: float | None = None
) -> tuple[int, float]:
    """Count the leaves of the move tree, to verify a move generator.

    Args:
        game: The game.
        state: The root; by default the initial state.
        depth: Plies from the root to the leaves.
        time: Time limit in seconds.

    Returns:
        The number of leaves, and the seconds that the count took.

    Raises:
        SearchBudgetExceeded: The time limit was reached.

    Example:
        >>> import zermelo
        >>> zermelo.perft(zermelo.load("chess"), depth=3)[0]
        8902
    """
    depth, time = check_whole("depth", depth, 0, (1 << 20) - 1), check_seconds(time)
    return counted(game, state, lambda h, flat: _core.perft(h, flat, depth, time or 0.0))


def count_positions(game: Any, state: Any = None, *, time: float | None = None) -> int:
    """Count the positions that can be reached from `state`, itself included.

    Args:
        game: The game.
        state: By default the initial state.
        time: Time limit in seconds.

    Returns:
        The number of positions.

    Raises:
        SearchBudgetExceeded: The time limit was reached.

    Example:
        >>> import zermelo
        >>> zermelo.count_positions(zermelo.load("tic-tac-toe"))
        5478
    """
    time = check_seconds(time)
    return counted(game, state, lambda h, flat: _core.count_positions(h, flat, time or 0.0))[0]


def grundy(game: Any, state: Any = None, *, time: float | None = None) -> int:
    """The Sprague-Grundy value of an impartial position in which the last player to move wins.

    Args:
        game: A game that declares ``impartial = True``.
        state: By default the initial state.
        time: Time limit in seconds.

    Returns:
        The value; 0 means that the player to move loses.

    Raises:
        NotSupported: The game does not declare that it is impartial.
        SearchBudgetExceeded: The time limit was reached.

    Example:
        >>> import zermelo
        >>> zermelo.grundy(zermelo.load("nim:piles=1,2,3"))
        0
    """
    the_game, time = as_game(game), check_seconds(time)
    if not the_game.impartial:
        raise NotSupported(
            f"{the_game.name} does not declare impartial = True",
            "Grundy values need a game in which both players have the same moves and the last "
            "player to move wins",
        )
    return counted(the_game, state, lambda h, flat: _core.grundy(h, flat, time or 0.0))[0]


def counted(game: Any, state: Any, count: Any) -> tuple[int, float]:
    """A native count and its seconds."""
    the_game = as_game(game)
    b = adapt(the_game)
    flat = b.flat(first_state(the_game) if state is None else state)
    total, elapsed, stopped = count(b.handle, flat)
    if stopped == "interrupted":  # half a count says nothing
        raise KeyboardInterrupt
    if stopped:
        raise SearchBudgetExceeded(
            f"the count reached its {stopped} limit",
            "raise the limit: time=SECONDS, --time SECONDS",
        )
    return total, elapsed
