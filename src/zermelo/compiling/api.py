"""Python rules at native speed. A door only: what is behind it takes a while to import."""

from __future__ import annotations

from typing import Any

from ..game import Game
from ..games.native import NativeGame


def compile(game: Any) -> Game:
    """The same game at native speed: its Python rules, unchanged, compiled with Numba.

    States are NamedTuples (or tuples) of numbers, or NumPy records; actions are integers or short
    tuples of them. The class still runs uncompiled. Compiled integers are 64 bits wide (a field
    annotated ``np.uint64`` is unsigned), array indices are not checked and ``x // 0`` is 0. Raises
    :class:`CompileError`, which names the line that cannot be compiled. Needs the extra
    ``pip install ".[compile]"`` in a checkout. A native game is returned as it is.
    """
    if isinstance(game, NativeGame):
        return game
    from .compiler import compile_game

    return compile_game(game)
