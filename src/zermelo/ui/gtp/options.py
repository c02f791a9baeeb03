"""What a user can set: one table for the command line, ``zermelo-param`` and the documentation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import UsageError, suggest
from ...game import Game, facts_of
from ...options import Flag, Option
from ...search.algorithms import Algorithm, choose, named, preferred
from ...search.defaults import MEMORY_MB, MOVE_SECONDS
from ...search.request import LIMIT_NAMES

MAX_SECONDS = 86_400.0

PARAMETERS = (
    Option("algorithm", "auto", None, "search algorithm with its options, e.g. mcts:exploration=2"),
    Option("time", MOVE_SECONDS, (0.001, MAX_SECONDS), "seconds per move without a clock"),
    Option("playouts", 0, range(2**31), "simulations or nodes per move; 0: limited by time alone"),
    Option("threads", 1, range(1, 257), "search threads"),
    Option("memory", MEMORY_MB, range(1, 65537), "megabytes of the tree kept between moves"),
    Option(
        "resign", 0.05, (0.0, 0.5), "resign below this win rate in three moves in a row; 0: off"
    ),
    Option("overhead", 0.1, (0.0, 60.0), "seconds per move kept back from the clock"),
    Option("seed", -1, range(-1, 2**31), "random seed; -1: a different one for each move"),
    Flag("ponder", False, "search during the opponent's turn"),
)
BY_NAME = {option.name: option for option in PARAMETERS}


@dataclass
class Settings:
    """The parameters as the engine reads them."""

    algorithm: str = "auto"
    time: float = MOVE_SECONDS
    playouts: int = 0
    threads: int = 1
    memory: int = MEMORY_MB
    resign: float = 0.05
    overhead: float = 0.1
    seed: int = -1
    ponder: bool = False
    time_given: bool = False  # `time` limits a move even if there is a clock

    def set(self, game: Game, name: str, text: str) -> None:
        """Set a parameter from text.

        Raises:
            UsageError: The parameter is unknown, or its value is not accepted.
        """
        option = BY_NAME.get(name)
        if option is None:
            raise UsageError(f"there is no parameter {name!r}", suggest(name, BY_NAME))
        if option.kind == "flag":
            text = {"1": "yes", "0": "no", "true": "yes", "false": "no"}.get(text.lower(), text)
        value = option.parse(text)
        if name == "algorithm":
            check_algorithm(game, value)
        setattr(self, name, value)
        if name == "time":
            self.time_given = True

    def lines(self) -> list[str]:
        """The parameters with their values, as GoGui's parameter dialogs read them."""
        return [
            f"[{'bool' if o.kind == 'flag' else 'string'}] {o.name} {self.shown(o)}"
            for o in PARAMETERS
        ]

    def shown(self, option: Option) -> str:
        value = getattr(self, option.name)
        return str(int(value)) if option.kind == "flag" else option.format(value)


def algorithm_for(game: Game, text: str) -> tuple[Algorithm, dict[str, Any]]:
    """The algorithm that plays a game, and its options.

    Raises:
        UsageError: The algorithm or an option is unknown.
        NotSupported: The algorithm does not support the game.
    """
    name, given = named(text)
    algorithm, _ = choose(preferred(game, name), facts_of(game))
    return algorithm, given


def check_algorithm(game: Game, text: str) -> None:
    """Refuse an algorithm that does not exist or does not fit the game, and wrong options."""
    algorithm, given = algorithm_for(game, text)
    if limits := [key for key in given if key in LIMIT_NAMES]:
        raise UsageError(
            f"invalid algorithm {text!r}: {limits[0]} is not an option here",
            "use the parameters time and playouts",
        )
    if "threads" in given:
        raise UsageError(f"invalid algorithm {text!r}", "use the parameter threads")
    for key, value in algorithm.canonical(given).items():
        algorithm.options[key].check(value)
