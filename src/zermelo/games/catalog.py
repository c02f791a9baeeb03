"""The catalogue: one line per game.

A game called "connect-four" is the class with ``name = "connect-four"`` in ``connect_four.py`` (or
in the package ``connect_four``). The class declares everything else: summary, options, player
names, what is known about its solution and the size of its state space.
"""

from __future__ import annotations

import importlib
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from ..errors import UsageError, suggest
from ..game import Game, facts_of
from ..options import Option, spelled

GAMES: tuple[str, ...] = (
    "tic-tac-toe",
    "connect-four",
    "backgammon",
    "battleships",
    "blind-tic-tac-toe",
    "bridge",
    "checkers",
    "chess",
    "othello",
    "holdem",
    "kriegspiel",
    "kuhn",
    "leduc",
    "liars-dice",
    "nim",
    "monopoly",
    "dodgem",
    "go",
    "hex",
    "pacman",
    "pig",
    "2048",
    "scrabble",
    "stratego",
    "split-nim",
    "kalah",
)


def names() -> list[str]:
    """The names of the built-in games."""
    return list(GAMES)


@cache
def game_class(name: str) -> type[Game]:
    """The class of a built-in game. Its module is imported only now.

    Raises:
        UsageError: The game is unknown.
    """
    if name not in GAMES:
        raise UsageError(f"unknown game {name!r}", suggest(name, GAMES))
    stem = name.replace("-", "_")
    module = importlib.import_module(
        f".{f'game_{stem}' if stem[0].isdigit() else stem}", __package__
    )
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Game) and vars(value).get("name") == name:
            return value
    raise AssertionError(f"{module.__name__} has no class with name = {name!r}")


@dataclass(frozen=True, slots=True)
class Classification:
    """The textbook classification of a game."""

    players: str  # "2", or "2-6"
    chance: bool
    hidden: bool
    zero_sum: bool

    @property
    def words(self) -> tuple[str, str, str]:
        """Chance, information and sum, in words."""
        return (
            "chance" if self.chance else "deterministic",
            "imperfect" if self.hidden else "perfect",
            "-" if self.players == "1" else "zero-sum" if self.zero_sum else "general-sum",
        )


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The declarations of a built-in game, for tables, forms and documentation."""

    name: str
    summary: str
    options: tuple[Option, ...]
    player_names: tuple[str, ...]
    classification: Classification
    state_space: str
    solved: str

    @property
    def spelled(self) -> str:
        """The options with their defaults: ``"width=7,height=6"``."""
        return spelled(self.options)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "summary": self.summary,
            "options": [o.to_dict() for o in self.options],
            "player_names": list(self.player_names),
            **asdict(self.classification),
            "state_space": self.state_space,
            "solved": self.solved,
        }


def summary(cls: type[Game]) -> str:
    """The first line of the class's docstring, without its full stop."""
    return (cls.__doc__ or "").strip().partition("\n")[0].removesuffix(".")


@cache
def info(name: str) -> GameInfo:
    """The declarations of the game of this name."""
    cls = game_class(name)
    player_names = tuple(cls.player_names) if not isinstance(cls.player_names, property) else ()
    return GameInfo(
        name, summary(cls), cls.options, player_names, _classify(cls), cls.state_space, cls.solved
    )


def _classify(cls: type[Game]) -> Classification:
    """Derived from the facts of the game with default options, and what its class declares."""
    known: dict[str, Any] = dict(cls.classification)
    if set(known) != {"players", "chance", "hidden", "zero_sum"}:
        from .loading import load

        facts = facts_of(load(cls.name))  # type: ignore[arg-type]
        for name in ("players", "chance", "hidden", "zero_sum"):
            known.setdefault(name, getattr(facts, name))
    option = next((o for o in cls.options if o.name == "players"), None)
    if option is not None and isinstance(option.values, range):
        known["players"] = f"{option.values[0]}-{option.values[-1]}"
    return Classification(**known | {"players": str(known["players"])})
