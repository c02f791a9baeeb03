"""2048: notation and drawing. The rules are core/games/game_2048.hpp.

Moves are "up", "right", "down", "left"; chance's outcomes are a square and its tile, "b3=2"
(columns a to d, rows 1 to 4 from the top). A position is the rows from the top and the score,
"2,.,4,./.,.,.,./.,.,.,./.,.,.,. 4", with "+1" behind it where chance is to place a tile.
"""

from __future__ import annotations

import struct
from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..options import Option
from .drawing import letter, svg
from .native import EvaluatedGame, State

WAYS = ("up", "right", "down", "left")
FIRST_OUTCOME = 4  # of the native numbers
_FLAT = struct.Struct("<QII")  # the board, the score, tiles to come
# fill and text of tiles from 2 on: warmer as they grow
COLORS = (
    "#e9e3d8", "#e6d9b8", "#f0b27a", "#f0985f", "#ee7d5b", "#e8603c", "#e8cd6f", "#e6c75b",
    "#e4c148", "#e2bb35", "#dfb421", "#4a7c59", "#3d6b8c", "#5b4b8a", "#2b2b33",
)  # fmt: skip


class Game2048(EvaluatedGame):
    """Slide and merge tiles; chance adds one per move."""

    name = "2048"
    options = (Option("fours", 0.1, (0.0, 1.0), "probability that a new tile is a 4"),)
    state_space = "at most 18^16, about 10^20 boards"

    evaluations = ("order",)

    def __init__(self, spec: str, fours: float) -> None:
        super().__init__(spec, _core.game_2048(fours))

    def decode_action(self, key: int, code: int) -> str:
        if code < FIRST_OUTCOME:
            return WAYS[code]
        square, four = divmod(code - FIRST_OUTCOME, 2)
        return f"{letter(square % 4)}{square // 4 + 1}={4 if four else 2}"

    def encode_action(self, key: int, action: Any) -> int:
        if action in WAYS:
            return WAYS.index(action)
        square, _, tile = str(action).partition("=")
        if len(square) != 2 or square[0] not in "abcd" or square[1] not in "1234":
            raise IllegalAction(f"{action!r} is neither a direction nor a new tile")
        place = "abcd".index(square[0]) + 4 * (int(square[1]) - 1)
        return FIRST_OUTCOME + 2 * place + ("2", "4").index(tile)

    def tiles(self, s: State) -> list[int]:
        """The tiles from the top left, 0 where there is none."""
        board = _FLAT.unpack(self.data(s))[0]
        powers = [board >> 4 * i & 15 for i in range(16)]
        return [1 << p if p else 0 for p in powers]

    def score(self, s: State) -> int:
        return int(_FLAT.unpack(self.data(s))[1])

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The tiles that chance may place, with their odds."""
        data = self.data(s)
        key = self.handle.key(data)
        return [(self.decode_action(key, code), p) for code, p in self.handle.outcomes(data)]

    def format_state(self, s: State) -> str:
        cells = [str(t) if t else "." for t in self.tiles(s)]
        rows = [",".join(cells[i : i + 4]) for i in range(0, 16, 4)]
        coming = _FLAT.unpack(self.data(s))[2]
        return f"{'/'.join(rows)} {self.score(s)}" + (f" +{coming}" if coming else "")

    def parse_state(self, text: str) -> State:
        words = text.split()
        coming = int(words.pop()[1:]) if len(words) == 3 and words[2] in ("+1", "+2") else 0
        rows = [row.split(",") for row in words[0].split("/")] if len(words) == 2 else []
        cells = [c for row in rows for c in row]
        tiles = {".": 0, "0": 0} | {str(1 << p): p for p in range(1, 16)}
        good = [len(r) for r in rows] == [4] * 4 and all(c in tiles for c in cells)
        if not good or not words[1].isdecimal() or len(words[1]) > 9:
            raise BadPosition(
                f"position {text!r} is not four rows of four tiles and the score",
                "e.g. 2,.,4,./.,.,.,./.,.,.,./.,.,.,2 4",
            )
        board = sum(tiles[c] << 4 * i for i, c in enumerate(cells))
        score = int(words[1])
        data = _FLAT.pack(board, min(score, 0xFFFFFFFF), coming)
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r} is impossible",
                "the score does not match the tiles, or there is no empty cell for a new tile",
            )
        return State(self, data)

    def board(self, s: State) -> str:
        cells = [str(t) if t else "." for t in self.tiles(s)]
        rows = [" ".join(f"{c:>5}" for c in cells[i : i + 4]) for i in range(0, 16, 4)]
        return "\n".join([*rows, f"score {self.score(s)}"])

    def svg(self, s: State) -> str:
        size, gap = 64, 6
        end = 4 * (size + gap) + gap
        parts = [f'<rect x="8" y="8" width="{end}" height="{end}" rx="8" fill="#8a7f72"/>']
        for i, tile in enumerate(self.tiles(s)):
            x, y = (8 + gap + (size + gap) * k for k in (i % 4, i // 4))
            fill = COLORS[tile.bit_length() - 2] if tile else "#b5aa9c"
            parts.append(f'<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="5" '
                         f'fill="{fill}"/>')  # fmt: skip
            if tile:
                ink = "#4b443c" if tile < 8 else "#ffffff"
                font = {1: 30, 2: 28, 3: 24, 4: 20, 5: 17}[len(str(tile))]
                parts.append(
                    f'<text x="{x + size / 2}" y="{y + size / 2 + font * 0.36:.1f}" '
                    f'text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" '
                    f'font-size="{font}" fill="{ink}">{tile}</text>'
                )
        parts.append(f'<text class="text" x="{8 + end / 2}" y="{end + 30}">'
                     f"score {self.score(s)}</text>")  # fmt: skip
        return svg(end + 16, end + 42, "2048", "".join(parts))
