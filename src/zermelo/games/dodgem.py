"""Dodgem: notation and drawing. The rules are core/games/dodgem.hpp.

Columns are a, b, c, … and rows 1, 2, 3, … from the bottom. "a2-b2" drives a car, "c3-off" takes it
off the board. A position is the rows from the top, "A../A../.BB", followed by "second" where the
second player is to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..options import Option
from .drawing import disc, letter, place, svg, text
from .native import EvaluatedGame, State

OFF = 31


class Dodgem(EvaluatedGame):
    """Drive your cars off the board past your opponent's."""

    name = "dodgem"
    options = (Option("n", 3, range(2, 6), "squares per side"),)
    state_space = "1,963 positions (counted)"
    solved = "3x3: first player wins (Berlekamp, Conway and Guy 1982); 4x4: draw (des Jardins 1996)"

    evaluations = ("squares-to-go",)
    player_names = ("A", "B")
    estimate_scale = 3.0

    def __init__(self, spec: str, n: int) -> None:
        super().__init__(spec, _core.dodgem(n))
        self.n = n

    def square(self, number: int) -> str:
        return f"{letter(number % self.n)}{self.n - number // self.n}"

    def number(self, name: str) -> int:
        column, row = ord(name[0]) - ord("a"), self.n - int(name[1:])
        if not (0 <= column < self.n and 0 <= row < self.n):
            raise IllegalAction(f"unknown square {name!r}")
        return row * self.n + column

    def decode_action(self, key: int, code: int) -> str:
        start, to = code >> 5, code & 31
        return f"{self.square(start)}-{'off' if to == OFF else self.square(to)}"

    def encode_action(self, key: int, action: Any) -> int:
        start, to = str(action).split("-")
        return self.number(start) << 5 | (OFF if to == "off" else self.number(to))

    def action_squares(self, s: State, a: Any) -> Sequence[str]:
        return tuple(str(a).split("-"))

    def rows(self, s: State) -> list[str]:
        """Rows from the top, A and B the cars."""
        data = self.data(s)
        first, second = (int.from_bytes(data[i : i + 4], "little") for i in (0, 4))
        signs = [".AB"[(first >> i & 1) + 2 * (second >> i & 1)] for i in range(self.n**2)]
        return ["".join(signs[r * self.n : (r + 1) * self.n]) for r in range(self.n)]

    def format_state(self, s: State) -> str:
        return "/".join(self.rows(s)) + (" second" if self.data(s)[8] else "")

    def parse_state(self, text: str) -> State:
        words = text.split()
        turn = 0
        if len(words) == 2 and words[1] in ("first", "second"):
            turn = int(words.pop() == "second")
        rows = words[0].upper().split("/") if len(words) == 1 else []
        if len(rows) != self.n or any(len(r) != self.n or not set(r) <= set(".AB") for r in rows):
            raise BadPosition(
                f"position {text!r} is not {self.n} rows of {self.n} squares (. A B)",
                "e.g. A../A../.BB, or A../A../.BB second",
            )
        cars = [sum(1 << i for i, v in enumerate("".join(rows)) if v == who) for who in "AB"]
        data = b"".join(x.to_bytes(4, "little") for x in [*cars, turn])
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r} is impossible",
                f"each side has at most {self.n - 1} cars, and the side to move has at least one",
            )
        return State(self, data)

    def board(self, s: State) -> str:
        rows = [f"{self.n - i} {' '.join(r)}" for i, r in enumerate(self.rows(s))]
        return "\n".join([*rows, "  " + " ".join(letter(c) for c in range(self.n))])

    def svg(self, s: State) -> str:
        size = 44
        end = 8 + self.n * size
        parts = []
        for i in range(self.n + 1):
            at = 8 + i * size
            parts.append(f'<path class="line" d="M8 {at}H{end}M{at} 8V{end}"/>')
        for r, row in enumerate(self.rows(s)):
            for c, v in enumerate(row):
                if v != ".":
                    x, y = 8 + size * (c + 0.5), 8 + size * (r + 0.5)
                    parts.append(disc(x, y, 16, "p0" if v == "A" else "p1"))
                parts.append(
                    place(self.square(self.n * r + c), 8 + size * c, 8 + size * r, size, size)
                )
        parts.append(place("off", end, 8, 24, end - 8))
        parts.append(place("off", 8, 0, end - 8, 8))
        for i in range(self.n):
            parts.append(text(8 + size * (i + 0.5), end + 18, letter(i)))
            parts.append(text(end + 12, 13 + size * (i + 0.5), str(self.n - i)))
        return svg(end + 24, end + 28, "dodgem", "".join(parts))
