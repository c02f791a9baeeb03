"""A game that shows what averaging over deals gets wrong; for tests and benchmarks."""

from __future__ import annotations

from zermelo import CHANCE, Game


class Trap(Game):
    """Built to punish strategy fusion: a sure 1, or a guess that looks like a sure 2.

    Player 0 stays (1 for it) or goes on; then player 1 passes, and player 0 names which of three
    coins lies heads: 2 if right, -2 if wrong. In an open deal going on is 2 for sure.
    """

    utility_bounds = (-2.0, 2.0)
    name = "trap"

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, s: tuple[int, ...]) -> int:
        return (CHANCE, 0, 1, 0)[len(s)]

    def actions(self, s: tuple[int, ...]) -> list[int]:
        return ([0, 1, 2], [0, 1], [0, 1], [0, 1, 2])[len(s)]

    def outcomes(self, s: tuple[int, ...]) -> list[tuple[int, float]]:
        return [(a, 1 / 3) for a in range(3)]

    def result(self, s: tuple[int, ...], a: int) -> tuple[int, ...]:
        return (*s, a)

    def is_terminal(self, s: tuple[int, ...]) -> bool:
        return len(s) == 4 or (len(s) == 2 and s[1] == 0)

    def utility(self, s: tuple[int, ...], p: int) -> float:
        u = 1.0 if len(s) == 2 else 2.0 if s[3] == s[0] else -2.0
        return u if p == 0 else -u

    def observation(self, s: tuple[int, ...], p: int) -> tuple[int, ...]:
        return s[1:]
