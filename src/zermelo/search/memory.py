"""``zermelo.Memory``: keeps a transposition table or a tree for the next search."""

from __future__ import annotations

from typing import Any

from .. import _core
from ..errors import NotSupported, UsageError
from ..game import Game
from ..games.native import NativeGame
from ..tablebase.space import available_memory
from .defaults import MEMORY_MB

ASK_MEMORY_MB = 512  # larger tables are checked against the available memory


class Memory:
    """Keeps what one search found for the next one, for example from move to move.

    The engine keeps its transposition table, and mcts its tree: if the new position is in the old
    tree, the search starts with that part of the tree. Only native games are supported.

    Example:
        >>> import zermelo
        >>> game, memory = zermelo.load("othello"), zermelo.Memory(16)
        >>> first = zermelo.search(game, depth=8, memory=memory)
        >>> zermelo.search(game, depth=8, memory=memory).nodes < first.nodes
        True
    """

    def __init__(self, megabytes: int = MEMORY_MB) -> None:
        if isinstance(megabytes, bool) or not isinstance(megabytes, int):
            raise UsageError(f"invalid Memory({megabytes!r})", "expected a number of megabytes")
        if not 1 <= megabytes <= 65536:
            raise UsageError(f"invalid Memory({megabytes})", "expected 1 to 65536 megabytes")
        check_table(megabytes)
        self.native = _core.Memory(megabytes)
        self._of: tuple[Any, ...] = ()

    def clear(self) -> None:
        """Clear the memory."""
        self.native.clear()

    @property
    def fullness(self) -> float:
        """The share of the memory that the last search filled."""
        return self.native.fullness() / 1000

    def serve(self, game: Game, judged: Any) -> None:
        """Prepare for a search: clear the memory if the game or its evaluation has changed."""
        if not isinstance(game, NativeGame):
            raise NotSupported(
                "memory supports only native games",
                "omit memory=",
            )
        of = (game.spec, judged)
        if self._of and self._of != of:
            self.clear()
        self._of = of

    def __repr__(self) -> str:
        return f"Memory({self.native.megabytes})"


def check_table(megabytes: int) -> None:
    """Refuse a table that does not fit in memory, before the machine starts to swap."""
    if megabytes > ASK_MEMORY_MB and megabytes << 20 > available_memory():
        raise UsageError(
            f"a table of {megabytes:,} MB does not fit in memory",
            f"{available_memory() >> 20:,} MB of memory are available",
        )
