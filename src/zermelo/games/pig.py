"""Pig: notation and drawing. The rules are core/games/pig.hpp.

Moves are "roll" and "hold"; the outcomes of chance are 1 to 6. A position is both scores, the pot
and the number of the player to move: "45-38 pot 12 player 1". "rolling" follows during a roll.

With best play the first player wins 0.5306 of the games to 100 (Neller and Presser, 2004).
"""

from __future__ import annotations

import re
import struct
from typing import Any

from .. import _core
from ..errors import BadPosition
from ..naming import default_names, label
from ..options import Option
from .drawing import svg, text
from .native import EvaluatedGame, State

ACTIONS = ("roll", "hold")
_POSITION = re.compile(
    r"\s*(\d{1,9})-(\d{1,9})(?:\s+pot\s+(\d{1,9}))?(?:\s+player\s+([01]))?(\s+rolling)?\s*"
)
_FLAT = struct.Struct("<HHHBB")  # both scores, the pot, whose turn, rolling


class Pig(EvaluatedGame):
    """Roll or hold; a 1 loses the points of the turn."""

    name = "pig"
    player_names = default_names(2)
    options = (Option("target", 100, range(1, 10_001), "points that win"),)
    state_space = "505,000 positions (Neller and Presser 2004)"
    solved = "first player wins 53% (Neller and Presser 2004)"

    evaluations = ("turns-to-go",)

    def __init__(self, spec: str, target: int) -> None:
        super().__init__(spec, _core.pig(target))
        self.target = target

    def parts(self, s: State) -> tuple[int, int, int, int, int]:
        """Both scores, the pot, the player to move, and whether the die is being rolled."""
        first, second, pot, turn, rolling = _FLAT.unpack(self.data(s))
        return first, second, pot, turn, rolling

    def decode_action(self, key: int, code: int) -> str | int:
        return code if key >> 56 else ACTIONS[code]  # the key is the flat state

    def encode_action(self, key: int, action: Any) -> int:
        return int(action) if key >> 56 else ACTIONS.index(action)

    def outcomes(self, s: State) -> list[tuple[int, float]]:
        """The faces of the die, with their odds."""
        return list(self.handle.outcomes(self.data(s)))

    def format_state(self, s: State) -> str:
        first, second, pot, turn, rolling = self.parts(s)
        return f"{first}-{second} pot {pot} player {turn}" + (" rolling" if rolling else "")

    def parse_state(self, text: str) -> State:
        found = _POSITION.fullmatch(text)
        if not found:
            raise BadPosition(
                f"{text!r} is not a position of pig",
                "expected scores, pot and player to move (0 or 1), e.g. 45-38 pot 12 player 1",
            )
        numbers = [int(n or 0) for n in found.groups()[:4]]
        rolling = int(found[5] is not None)
        if max(numbers) > 0xFFFF or not self.handle.valid(data := _FLAT.pack(*numbers, rolling)):
            raise BadPosition(
                f"position {text!r} is impossible",
                f"scores are below {self.target}, and a pot that reaches {self.target} is held",
            )
        return State(self, data)

    def board(self, s: State) -> str:
        first, second, pot, turn, rolling = self.parts(s)
        marks = ["", ""]
        if not self.is_terminal(s):
            marks[turn] = f"   pot {pot}" + (", rolling" if rolling else "")
        width = len(str(self.target + 5))
        rows = [
            f"{label(name) + ':':<15}{score:>{width}}{mark}"
            for name, score, mark in zip(self.player_names, (first, second), marks, strict=True)
        ]
        return "\n".join([*rows, f"{'Target:':<15}{self.target:>{width}}"])

    def svg(self, s: State) -> str:
        first, second, pot, turn, rolling = self.parts(s)
        parts, wide = [], 320
        for p, score in enumerate((first, second)):
            y = 16 + 50 * p
            mine = pot if p == turn else 0
            bars = ((score, f"p{p}", 1.0), (score + mine, f"p{p}", 0.4))
            parts.append(f'<rect class="stone" opacity="0.25" x="16" y="{y}" width="{wide}" '
                         f'height="22" rx="4"/>')  # fmt: skip
            for end, css, shade in reversed(bars):
                length = wide * min(end, self.target) / self.target
                parts.append(f'<rect class="{css}" opacity="{shade}" stroke="none" x="16" y="{y}" '
                             f'width="{length:.1f}" height="22" rx="4"/>')  # fmt: skip
            caption = f"{label(self.player_names[p])}: {score}"
            if p == turn and not self.is_terminal(s):
                caption += f", pot {pot}" + (", rolling" if rolling else ", to move")
            parts.append(text(16 + wide / 2, y + 38, caption))
        return svg(wide + 32, 116, "pig", "".join(parts))
