"""``zermelo.compile``. The compiler itself is imported on the first call."""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..games.native import NativeGame


def compile(game: Any) -> Game:
    """Compile the Python rules of a game with Numba, so that they run at native speed.

    States are NamedTuples (or tuples) of numbers, or NumPy records; actions are integers or short
    tuples of integers. The class also runs uncompiled. Compiled integers have 64 bits (a field
    annotated ``np.uint64`` is unsigned), and array indices are not checked. Compiling needs Numba:
    ``pip install ".[compile]"``.

    Args:
        game: The game. A native game is returned unchanged.

    Returns:
        The same game with compiled rules.

    Raises:
        CompileError: A line of the rules cannot be compiled; the message names it.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("connect-four")
        >>> zermelo.compile(game) is game  # native rules are already fast
        True
    """
    if isinstance(game, NativeGame):
        return game
    from .compiler import compile_game

    return compile_game(game)
