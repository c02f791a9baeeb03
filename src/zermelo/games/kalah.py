"""Kalah: the rules in Python, compiled by Numba on the first search if it is installed.

A move is the number of a house, counted from its owner's left. A position is written as South's
houses and store, North's houses and store, and the side to move: "4,4,4,4,4,4,0 4,4,4,4,4,4,0 S".
The moves that lead to it are accepted, too: "3 6 2".

Rules: sow counter-clockwise, skipping the opponent's store. If the last seed falls into your own
store, you move again. If it falls into an empty house of yours and the opposite house has seeds,
both go to your store. When all houses of a side are empty, the other side's seeds go to its own
store and the game ends.

A state has one integer per side with 9 bits per house, the store on top. Sides with more than 6
houses do not fit into the 64 bits of a compiled integer; these boards are searched in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..compiling.rules import CompiledRules
from ..errors import BadPosition
from ..options import Option
from .drawing import place, svg, text

if TYPE_CHECKING:
    from ..compiling.game import CompiledGame

SIDES = "SN"
BITS, CELL = 9, 511  # of a house in an integer
STYLE = """<style>
.wood{fill:#c79a63}.pit{fill:#8b5e34}.seeds{font:bold 20px system-ui,sans-serif;fill:#fff;
text-anchor:middle}
@media(prefers-color-scheme:dark){.wood{fill:#7d5f3c}.pit{fill:#4c331c}}
</style>"""
SIZE = 62  # of a house in the picture


class Board(NamedTuple):
    south: int
    north: int
    turn: int = 0


class Kalah(CompiledRules):
    """Sow seeds around the board; most seeds in your store win."""

    name = "kalah"
    player_names = ("South", "North")
    options = (
        Option("houses", 6, range(1, 13), "houses per side"),
        Option("seeds", 4, range(1, 13), "seeds in each house at the start"),
        Option("score", "seeds", ("seeds", "win"), "utility: difference of seeds, or winning"),
    )
    state_space = "about 10^13 positions (van den Herik, Uiterwijk and van Rijswijck 2002)"
    solved = "first player wins (Irving, Donkers and Uiterwijk 2000)"
    evaluations = ("store-difference",)
    estimate_scale = 6.0  # seeds

    def __init__(self, houses: int = 6, seeds: int = 4, score: str = "seeds") -> None:
        self.houses = houses
        self.seeds = seeds
        self.wins = score == "win"
        total = 2.0 * houses * seeds
        self.utility_bounds = (-1.0, 1.0) if self.wins else (-total, total)

    @cached_property
    def compiled(self) -> CompiledGame:
        if self.houses > 6:
            raise AttributeError("more than 6 houses per side do not fit into 64 bits")
        return super().compiled

    # -- rules -------------------------------------------------------------------------------
    def initial(self) -> Board:
        side = sum(self.seeds << BITS * i for i in range(self.houses))
        return Board(side, side)

    def player(self, s: Board) -> int:
        return s.turn

    def actions(self, s: Board) -> Any:
        own = s.south if s.turn == 0 else s.north
        return [i + 1 for i in range(self.houses) if own >> BITS * i & CELL > 0]

    def result(self, s: Board, a: int) -> Board:
        n = self.houses
        own = s.south if s.turn == 0 else s.north
        other = s.north if s.turn == 0 else s.south
        at = a - 1  # 0 to n - 1 are the mover's houses, n its store, n + 1 to 2n the opponent's
        seeds = own >> BITS * at & CELL
        own -= seeds << BITS * at
        while seeds > 0:
            at = at + 1 if at < 2 * n else 0
            if at <= n:
                own += 1 << BITS * at
            else:
                other += 1 << BITS * (at - n - 1)
            seeds -= 1
        turn = s.turn if at == n else 1 - s.turn
        if at < n and own >> BITS * at & CELL == 1:
            opposite = BITS * (n - 1 - at)
            captured = other >> opposite & CELL
            if captured > 0:
                own += (captured + 1 << BITS * n) - (1 << BITS * at)
                other -= captured << opposite
        houses = (1 << BITS * n) - 1
        if own & houses == 0 or other & houses == 0:
            own = self.collected(own)
            other = self.collected(other)
            return Board(own, other) if s.turn == 0 else Board(other, own)
        return Board(own, other, turn) if s.turn == 0 else Board(other, own, turn)

    def collected(self, side: int) -> int:
        """The side with all its seeds in the store."""
        total = 0
        for i in range(self.houses + 1):
            total += side >> BITS * i & CELL
        return total << BITS * self.houses

    def is_terminal(self, s: Board) -> bool:
        return (s.south | s.north) & (1 << BITS * self.houses) - 1 == 0

    def lead(self, s: Board) -> int:
        """Seeds in South's store more than in North's."""
        return (s.south >> BITS * self.houses) - (s.north >> BITS * self.houses)

    def utility(self, s: Board, p: int) -> float:
        lead = self.lead(s) if p == 0 else -self.lead(s)
        if self.wins:
            return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
        return float(lead)

    def evaluate(self, s: Board, p: int) -> float:
        return float(self.lead(s) if p == 0 else -self.lead(s))

    # -- notation ----------------------------------------------------------------------------
    def cells(self, side: int) -> list[int]:
        """The seeds in the houses 1, 2, … of a side, and in its store."""
        return [side >> BITS * i & CELL for i in range(self.houses + 1)]

    def format_state(self, s: Board) -> str:
        sides = (",".join(map(str, self.cells(side))) for side in (s.south, s.north))
        return f"{' '.join(sides)} {SIDES[s.turn]}"

    def parse_state(self, text: str) -> Board:
        words = str(text).upper().split()
        if len(words) != 3 or words[2] not in tuple(SIDES):
            found = super().parse_state(text)
            assert isinstance(found, Board)
            return found
        numbers = [part for word in words[:2] for part in word.split(",")]
        if not all(n.isascii() and n.isdigit() and len(n) < 4 for n in numbers):
            numbers = []
        cells, half = list(map(int, numbers)), self.houses + 1
        if len(cells) != 2 * half or sum(cells) != 2 * self.houses * self.seeds:
            raise BadPosition(
                f"position {text!r} is not a board of kalah with {self.houses} houses per side and "
                f"{2 * self.houses * self.seeds} seeds",
                f"e.g. {self.format_state(self.initial())}",
            )
        south, north = (
            sum(n << BITS * i for i, n in enumerate(part)) for part in (cells[:half], cells[half:])
        )
        if not any(cells[: half - 1]) or not any(cells[half:-1]):  # the game is over
            return Board(self.collected(south), self.collected(north))
        return Board(south, north, SIDES.index(words[2]))

    def board(self, s: Board) -> str:
        n = self.houses
        south, north = self.cells(s.south), self.cells(s.north)
        row = "{:>4}   " + "{:>4}" * n
        return "\n".join([
            row.format("", *range(n, 0, -1)) + "   North",
            row.format("", *north[n - 1 :: -1]),
            f"{north[n]:>4}" + " " * (4 * n + 3) + f"{south[n]:>4}",
            row.format("", *south[:n]),
            row.format("", *range(1, n + 1)) + "   South",
        ])  # fmt: skip

    # -- picture -----------------------------------------------------------------------------
    def action_squares(self, s: Board, a: Any) -> Sequence[str]:
        return (f"{SIDES[s.turn].lower()}{a}",)

    def svg(self, s: Board) -> str:
        n, sides = self.houses, (self.cells(s.south), self.cells(s.north))
        wide = (n + 2) * SIZE
        wood = f'<rect class="wood" x="8" y="22" width="{wide}" height="{2 * SIZE}" rx="22"/>'
        parts = [STYLE, wood]
        for side, x in ((1, 8), (0, 8 + (n + 1) * SIZE)):
            parts.append(_pit(x, 22, 2 * SIZE, sides[side][n]))
        for side, y, label in ((0, 22 + SIZE, 40 + 2 * SIZE), (1, 22, 16)):
            for i in range(n):
                column = i if side == 0 else n - 1 - i
                x = 8 + (column + 1) * SIZE
                parts.append(_pit(x, y, SIZE, sides[side][i]))
                parts.append(text(x + SIZE / 2, label, str(i + 1)))
                parts.append(place(f"{SIDES[side].lower()}{i + 1}", x, y, SIZE, SIZE))
        return svg(wide + 16, 2 * SIZE + 48, "Kalah", "".join(parts))


def _pit(x: float, y: float, height: float, seeds: int) -> str:
    """A house or a store with its number of seeds."""
    middle = y + height / 2 + 7
    return (
        f'<rect class="pit" x="{x + 5:g}" y="{y + 5:g}" width="{SIZE - 10}" '
        f'height="{height - 10:g}" rx="24"/>'
        f'<text class="seeds" x="{x + SIZE / 2:g}" y="{middle:g}">{seeds}</text>'
    )
