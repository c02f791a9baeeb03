"""The table of commands. A module of commands registers its functions here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from .message import SyntaxFailure
from .stones import is_go

if TYPE_CHECKING:
    from .engine import Engine

Run = Callable[["Engine", list[str]], str | None]
F = TypeVar("F", bound=Run)


@dataclass(frozen=True)
class Registered:
    """A command: its function, its arguments, and which games have it."""

    name: str
    run: Run
    arguments: str  # as in "COLOUR VERTEX", "[FILE]", "VERTEX..."
    option: str  # that the game must have; "": none
    go: bool  # for Go alone

    def check(self, given: list[str]) -> None:
        """Refuse a wrong number of arguments.

        Raises:
            SyntaxFailure: The message says which arguments are expected.
        """
        words = self.arguments.split()
        least = sum(not w.startswith("[") for w in words)
        most = len(words) if "..." not in self.arguments else len(given)
        if not least <= len(given) <= most:
            usage = f"{self.name} {self.arguments}".strip()
            raise SyntaxFailure(f"expected {usage}")

    def fits(self, engine: Engine) -> bool:
        """Whether the game of the engine supports it."""
        board = engine.board
        if self.go and not is_go(board.game):
            return False
        return not self.option or board.has_option(self.option)


COMMANDS: dict[str, Registered] = {}


def command(
    name: str, arguments: str = "", *, option: str = "", go: bool = False
) -> Callable[[F], F]:
    """Register a function as a command.

    Args:
        name: As controllers write it.
        arguments: The usage, as in "COLOUR VERTEX"; [X] may be left out, X... repeats.
        option: An option that the game must have.
        go: The command is for Go alone.
    """

    def register(run: F) -> F:
        COMMANDS[name] = Registered(name, run, arguments, option, go)
        return run

    return register


WHOLE = re.compile(r"[+-]?[0-9]{1,9}")


def whole(word: str, what: str, least: int, most: int = 10**9) -> int:
    """A whole number from the arguments."""
    if WHOLE.fullmatch(word) and least <= int(word) <= most:
        return int(word)
    low = f" of at least {least}" if least > -(10**9) else ""
    size = f" from {least} to {most}" if most < 10**9 else low
    raise SyntaxFailure(f"invalid {what} {word[:40]!r}, expected a whole number{size}")


def decimal(word: str, what: str, least: float = -1e9, most: float = 1e9) -> float:
    """A number from the arguments."""
    try:
        value = float(word) if len(word) <= 40 and "_" not in word else float("nan")
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        low = f" of at least {least:g}" if least > -1e9 else ""
        size = f" from {least:.10g} to {most:.10g}" if most < 1e9 else low
        raise SyntaxFailure(f"invalid {what} {word[:40]!r}, expected a number{size}")
    return value
