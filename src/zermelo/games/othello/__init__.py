"""Othello: notation and drawing. The rules are core/games/othello.

A move is a square ("f5") or "pass". A position is written as the moves played so far ("f5d6c3"), or
as its squares, row by row from a1, and the side to move ("…64 of - X O… X"): X (or *) is Black, O
White, - (or .) empty.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from ... import _core
from ...errors import BadPosition, IllegalAction, UsageError
from ...options import Option
from ..drawing import disc, letter, place, svg, text
from ..native import EncodedGame, EvaluatedGame, State

WEIGHTS = Path(__file__).with_name("othello.weights")  # the last output of zermelo train othello
PASS = "pass"
PASSES = frozenset((PASS, "--", "pa", "ps", "p"))
PASS_CODE = 64
OVER = 2  # in a state's last word: nobody can play
STYLE = """<style>
.felt{fill:#2e7d4f}.grid{stroke:#1d5435;stroke-width:1.5}.black{fill:#16181c}.white{fill:#f4f4ef}
.spot{fill:#1d5435}.may{fill:none;stroke:#bfe3cd;stroke-width:1.5;stroke-dasharray:3 3}
@media(prefers-color-scheme:dark){.felt{fill:#245f3d}.grid{stroke:#143b25}.spot{fill:#143b25}
.white{fill:#dcdcd4}.black{fill:#0a0b0d}}
</style>"""


class Othello(EncodedGame, EvaluatedGame):
    """Flip discs by enclosing them; most discs win."""

    name = "othello"
    options = (Option("size", 8, range(4, 9), "squares per side"),)
    state_space = "about 10^28 positions (Allis 1994)"
    solved = "draw (Takizawa 2023)"

    evaluations = ("patterns",)
    player_names = ("Black", "White")
    estimate_scale = 8.0  # discs
    symmetry = "square"

    def __init__(self, spec: str, size: int, *, portable: bool = False) -> None:
        super().__init__(spec, _core.othello(size, weights() if size == 8 else b"", portable))
        self.size = size
        self.edge = (8 - size) // 2  # smaller boards lie in the middle of the native one

    # -- squares and their native numbers ----------------------------------------------------
    def square(self, code: int) -> str:
        row, column = divmod(code, 8)
        return f"{letter(column - self.edge)}{row - self.edge + 1}"

    def decode_action(self, key: int, code: int) -> str:
        return PASS if code == PASS_CODE else self.square(code)

    def encode_action(self, key: int, action: Any) -> int:
        if not isinstance(action, str):
            raise IllegalAction(f"{action!r} is not a square")
        move = action.strip().lower()
        if move in PASSES:
            return PASS_CODE
        if not re.fullmatch("[a-h][1-8]", move):
            raise IllegalAction(f"{action!r} is not a square")
        column, row = ord(move[0]) - ord("a"), int(move[1]) - 1
        if max(column, row) >= self.size:
            raise IllegalAction(f"{action!r} is not a square of this board")
        return 8 * (row + self.edge) + column + self.edge

    def parse_action(self, s: State, text: str) -> Any:
        move = text.strip().lower()
        return super().parse_action(s, PASS if move in PASSES else move)

    # -- positions ---------------------------------------------------------------------------
    def words(self, s: State) -> tuple[int, int, int]:
        """Black's discs, White's, where the mover can play: as native bits."""
        data = self.data(s)
        own, opp, moves, turn = (int.from_bytes(data[i : i + 8], "little") for i in range(0, 32, 8))
        return (opp, own, moves) if turn & 1 else (own, opp, moves)

    def mover(self, s: State) -> int:
        """The player to move, or who would move if the game were not over."""
        return self.data(s)[24] & 1

    def grid(self, s: State) -> list[list[int]]:
        """Rows from the top: -1 empty, else the player."""
        black, white, _ = self.words(s)
        return [
            [0 if black >> i & 1 else 1 if white >> i & 1 else -1 for i in self.row(r)]
            for r in range(self.size)
        ]

    def row(self, r: int) -> range:
        """The native numbers of a row's squares."""
        first = 8 * (r + self.edge) + self.edge
        return range(first, first + self.size)

    def parse_state(self, text: str) -> State:
        words = text.partition(";")[0].replace("/", " ").split()
        picture = "".join(words)
        if re.fullmatch(r"([a-hA-H][1-8]([a-hA-H][1-8]|--|pass|pa|ps)*)?", picture):
            return self.parse_moves(text, picture)
        squares = self.size * self.size
        if len(words) > 1 and len(words[-1]) == 1:  # the side stands by itself
            return self.parse_squares(text, "".join(words[:-1]), words[-1])
        return self.parse_squares(text, picture[:squares], picture[squares:])

    def parse_moves(self, text: str, moves: str) -> State:
        s = self.initial()
        for number, move in enumerate(re.findall(r"[a-hA-H][1-8]|--|pass|pa|ps", moves), 1):
            if move not in PASSES and self.actions(s) == [PASS]:
                s = self.result(s, PASS)  # transcripts often omit passes
            s = self.play_written(s, text, number, move)
        return s

    def parse_squares(self, text: str, picture: str, side: str) -> State:
        squares = self.size * self.size
        board = picture.upper().replace("*", "X").replace(".", "-")
        side = side.upper().replace("*", "X")
        if len(board) != squares or not set(board) <= set("-XO"):
            raise BadPosition(
                f"position {text!r} is neither a list of moves nor {squares} squares of - X O",
                f"e.g. f5d6c3, or the rows from the top and the side to move: {self.example()!r}",
            )
        if side not in ("X", "O"):
            raise BadPosition(
                f"position {text!r} does not name the side to move",
                "add X (Black) or O (White) after the squares",
            )
        discs = [0, 0]
        codes = [i for r in range(self.size) for i in self.row(r)]
        for code, v in zip(codes, board, strict=True):
            if v != "-":
                discs["XO".index(v)] |= 1 << code
        return self.from_discs(text, discs[0], discs[1], "XO".index(side))

    def from_discs(self, text: str, black: int, white: int, player: int) -> State:
        """The state with these discs, or why it is impossible."""
        if not black | white:
            raise BadPosition(
                f"position {text!r} has no discs", "the four squares in the middle are never empty"
            )
        own, opp = (white, black) if player else (black, white)
        data = _core.othello_state(self.size, own, opp, player)
        if not data:
            raise BadPosition(
                f"position {text!r} is impossible",
                "the four squares in the middle are never empty",
            )
        return State(self, data)

    def example(self) -> str:
        return self.format_state(self.initial())

    def format_state(self, s: State) -> str:
        rows = ("".join("-XO"[v + 1] for v in row) for row in self.grid(s))
        return f"{''.join(rows)} {'XO'[self.mover(s)]}"

    # -- looks -------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        head = "  " + " ".join(letter(c) for c in range(self.size))
        grid = self.grid(s)
        rows = [f"{r + 1} " + " ".join(".XO"[v + 1] for v in row) for r, row in enumerate(grid)]
        counts = [sum(row.count(p) for row in grid) for p in (0, 1)]
        over = "over" if self.is_terminal(s) else f"{'XO'[self.mover(s)]} to move"
        return "\n".join([head, *rows, f"X {counts[0]}  O {counts[1]}  {over}"])

    def svg(self, s: State) -> str:
        cell, left, top = 40, 28, 26
        side = self.size * cell
        parts = [
            STYLE,
            f'<rect class="felt" x="{left}" y="{top}" width="{side}" height="{side}" rx="3"/>',
        ]
        for i in range(self.size + 1):
            at = i * cell
            parts.append(
                f'<path class="grid" fill="none" d="M{left + at} {top}v{side}'
                f'M{left} {top + at}h{side}"/>'
            )
        if self.size == 8:
            for c, r in ((2, 2), (2, 6), (6, 2), (6, 6)):
                parts.append(disc(left + c * cell, top + r * cell, 3.5, "spot"))
        moves = self.words(s)[2]
        for r, row in enumerate(self.grid(s)):
            parts.append(text(left / 2, top + cell * (r + 0.5) + 5, str(r + 1)))
            parts.append(text(left + cell * (r + 0.5), top - 9, letter(r)))
            for c, (v, code) in enumerate(zip(row, self.row(r), strict=True)):
                x, y = left + cell * (c + 0.5), top + cell * (r + 0.5)
                if v >= 0:
                    parts.append(disc(x, y, 16, ("black", "white")[v]))
                elif moves >> code & 1:
                    parts.append(disc(x, y, 6, "may"))
                parts.append(place(self.square(code), x - cell / 2, y - cell / 2, cell, cell))
        return svg(left + side + 12, top + side + 12, "Othello", "".join(parts))


# -- the weights of the evaluation -------------------------------------------------------------
@cache
def weights() -> bytes:
    """The learned weights in the native format; empty if there is no file."""
    return expand(WEIGHTS.read_bytes()) if WEIGHTS.exists() else b""


def expand(packed: bytes) -> bytes:
    """A weights file: one number for each class of patterns becomes one for each pattern."""
    import numpy as np

    classes = shapes()
    size = int(classes.max()) + 1
    try:
        raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(2, -1)
        values = raw.T.copy().view("<i2").reshape(_core.othello_stages, size)
    except (zlib.error, ValueError):
        raise UsageError(
            "the weight file of Othello is damaged or from another version",
            "train weights with: zermelo train othello",
        ) from None
    return bytes(np.ascontiguousarray(values[:, classes]).tobytes())


@cache
def shapes() -> Any:
    """The class of every native pattern: the same for those that mirror each other."""
    import numpy as np

    kinds: list[Any] = []
    for squares, turned in (
        (10, [7, 6, 5, 4, 3, 2, 1, 0, 9, 8]),  # edge: left and right
        (10, list(range(10))),  # block
        (9, [0, 3, 6, 1, 4, 7, 2, 5, 8]),  # corner: across
        *[(n, list(range(n))[::-1]) for n in (8, 8, 8, 8, 7, 6, 5, 4)],  # rows, diagonals
    ):
        digits = np.arange(3**squares)[:, None] // 3 ** np.arange(squares) % 3
        image = (digits[:, turned] * 3 ** np.arange(squares)).sum(axis=1)
        kinds.append(np.minimum(np.arange(3**squares), image))
    kinds += [np.arange(64)] * 4 + [np.arange(2)]
    found, start = [], 0
    for kind in kinds:
        _, classes = np.unique(kind, return_inverse=True)
        found.append(classes + start)
        start += int(classes.max()) + 1
    every = np.concatenate(found)
    assert len(every) == _core.othello_weights
    return every
