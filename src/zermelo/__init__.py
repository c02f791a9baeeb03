"""zermelo: adversarial search for Python.

One way to write a game, every algorithm of the field, native speed, and a picture of what the
search did.

>>> import zermelo
>>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6) min(14 5 2))"))
>>> result.value, result.action
(3.0, 1)
"""

from __future__ import annotations

from . import models
from .arena import Match, match
from .compile import compile
from .errors import (
    BadPosition,
    CompileError,
    EndlessGame,
    IllegalAction,
    NotSupported,
    RulesError,
    SearchBudgetExceeded,
    TableError,
    TreeSyntaxError,
    UsageError,
    ZermeloError,
)
from .game import CHANCE, TERMINAL, Facts, Game
from .games import load
from .memory import Memory
from .result import Move, Result
from .search import count_positions, grundy, perft, search, solve, solve_all
from .stream import deepen
from .tablebase import Tablebase, open_tablebase, tablebase
from .tree import tree

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "TERMINAL",
    "BadPosition",
    "CompileError",
    "EndlessGame",
    "Facts",
    "Game",
    "IllegalAction",
    "Match",
    "Memory",
    "Move",
    "NotSupported",
    "Result",
    "RulesError",
    "SearchBudgetExceeded",
    "TableError",
    "Tablebase",
    "TreeSyntaxError",
    "UsageError",
    "ZermeloError",
    "compile",
    "count_positions",
    "deepen",
    "grundy",
    "load",
    "match",
    "models",
    "open_tablebase",
    "perft",
    "search",
    "solve",
    "solve_all",
    "tablebase",
    "tree",
]
