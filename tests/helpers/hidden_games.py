"""Small games with hidden information."""

from __future__ import annotations

from typing import Any

from zermelo import (
    CHANCE,
    Game,
)


class Coin(Game):
    """A coin that nobody has seen, two forced moves, heads wins."""

    def initial(self) -> str:
        return "start"

    def player(self, s: str) -> int:
        return CHANCE if s == "start" else int(s[1])

    def outcomes(self, s: str) -> list[tuple[str, float]]:
        return [("h", 0.5), ("t", 0.5)]

    def actions(self, s: str) -> list[str]:
        return ["on"]

    def result(self, s: str, a: str) -> str:
        return f"{a}0" if s == "start" else f"{s[0]}{int(s[1]) + 1}"

    def is_terminal(self, s: str) -> bool:
        return s[1:] == "2"

    def utility(self, s: str, p: int) -> float:
        return (1.0 if s[0] == "h" else -1.0) * (1 if p == 0 else -1)

    def observation(self, s: str, p: int) -> str:
        return s[1:]


class Doors(Game):
    """Nature hides a prize; player 0 names a door. `doors` gives the legal ones of each world."""

    players = 1
    utility_bounds = (-1.0, 1.0)

    def __init__(self, doors: dict[Any, list[Any]]) -> None:
        self.doors = doors

    def initial(self) -> Any:
        return "start"

    def player(self, s: Any) -> int:
        return CHANCE if s == "start" else 0

    def outcomes(self, s: Any) -> list[tuple[Any, float]]:
        return [(w, 1 / len(self.doors)) for w in self.doors]

    def actions(self, s: Any) -> list[Any]:
        return self.doors[s]

    def result(self, s: Any, a: Any) -> Any:
        return a if s == "start" else ("over", s, a)

    def is_terminal(self, s: Any) -> bool:
        return isinstance(s, tuple)

    def utility(self, s: Any, p: int) -> float:
        return (1.0 if s[1] == s[2] else -1.0) * (1 if p == 0 else -1)

    def observation(self, s: Any, p: int) -> Any:
        return s == "start"
