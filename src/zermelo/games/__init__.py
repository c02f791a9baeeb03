"""The built-in games, and loading games by name."""

from .catalog import GAMES, GameInfo, game_class, info, names
from .loading import canonical, function_of, load, names_file, run_file

__all__ = [
    "GAMES",
    "GameInfo",
    "canonical",
    "function_of",
    "game_class",
    "info",
    "load",
    "names",
    "names_file",
    "run_file",
]
