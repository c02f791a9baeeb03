"""zermelo: adversarial search for Python.

One way to write a game, every algorithm of the field, native speed, and a picture of what the
search did.

>>> import zermelo
>>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6) min(14 5 2))"))
>>> result.value, result.action
(3.0, 1)
"""

from __future__ import annotations

from .arena import Dilemma, ManyMatch, Match, dilemma, match
from .compiling.api import compile
from .equilibrium.matrix import Matrix, matrix
from .equilibrium.nash import Equilibrium, dominated, equilibria, equilibrium
from .equilibrium.policy import Policy
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
from .explicit.efg import to_efg
from .explicit.tree import tree
from .game import CHANCE, TERMINAL, Facts, Game
from .games import load
from .games.bridge import ContractTable, double_dummy
from .hidden.beliefs import Belief, belief_of
from .result import Move, Result
from .search import models
from .search.api import search
from .search.counting import count_positions, grundy, perft
from .search.deepen import deepen
from .search.memory import Memory
from .search.playouts import Playouts, playouts
from .search.solve import solve, solve_all
from .tablebase.build import tablebase
from .tablebase.tables import Tablebase, open_tablebase

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
