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
from .arena import Dilemma, ManyMatch, Match, dilemma, match
from .beliefs import Belief, belief_of
from .compile import compile
from .efg import to_efg
from .equilibria import Equilibrium, dominated, equilibria, equilibrium
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
from .games.bridge import ContractTable, double_dummy
from .matrix import Matrix, matrix
from .memory import Memory
from .playouts import Playouts, playouts
from .policy import Policy
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
    "Belief",
    "CompileError",
    "ContractTable",
    "Dilemma",
    "EndlessGame",
    "Equilibrium",
    "Facts",
    "Game",
    "IllegalAction",
    "ManyMatch",
    "Match",
    "Matrix",
    "Memory",
    "Move",
    "NotSupported",
    "Playouts",
    "Policy",
    "Result",
    "RulesError",
    "SearchBudgetExceeded",
    "TableError",
    "Tablebase",
    "TreeSyntaxError",
    "UsageError",
    "ZermeloError",
    "belief_of",
    "compile",
    "count_positions",
    "deepen",
    "dilemma",
    "dominated",
    "double_dummy",
    "equilibria",
    "equilibrium",
    "grundy",
    "load",
    "match",
    "matrix",
    "models",
    "open_tablebase",
    "perft",
    "playouts",
    "search",
    "solve",
    "solve_all",
    "tablebase",
    "to_efg",
    "tree",
]
