"""Nim: notation and drawing. The rules are core/games/nim.hpp.

"5-3" takes three stones from a pile of five. A position is the piles, "3 4 5", followed by "second"
if the second player is to move (or "third", … with more players).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..naming import ORDINALS, default_names
from ..options import Flag, Option
from .drawing import disc, place, svg, text
from .native import NativeGame, State

PILES = 16


class Nim(NativeGame):
    """Take stones from one pile; 2 to 8 players."""

    name = "nim"
    options = (
        Option("piles", (3, 4, 5), range(65536), "stones in each pile"),
        Option("take", "any", range(1, 65536), "maximum number of stones per move", also=("any",)),
        Flag("misere", False, "taking the last stone loses"),
        Option("players", 2, range(2, 9), "number of players"),
    )
    state_space = "91 positions of piles 3, 4 and 5 (counted)"
    solved = "player to move wins unless the piles XOR to 0 (Bouton 1901)"

    impartial = True

    def __init__(
        self, spec: str, piles: list[int], most: int, misere: bool, players: int = 2
    ) -> None:
        super().__init__(spec, _core.nim(piles, most, misere, players))
        self.impartial = not misere and players == 2
        self.player_names = default_names(players)

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Nim:
        most = 0 if options["take"] == "any" else options["take"]
        return cls(spec, list(options["piles"]), most, options["misere"], options["players"])

    def decode_action(self, key: int, code: int) -> str:
        return f"{code >> 16}-{code & 0xFFFF}"

    def encode_action(self, key: int, action: Any) -> int:
        size, take = (int(word) for word in str(action).split("-"))
        if not 0 < take <= size < 1 << 16:
            raise IllegalAction(f"{action!r} is not a move of nim")
        return size << 16 | take

    def piles(self, s: State) -> tuple[int, ...]:
        """The piles, largest first."""
        data = self.data(s)
        sizes = (int.from_bytes(data[2 * i : 2 * i + 2], "little") for i in range(PILES))
        return tuple(p for p in sizes if p)

    def turn(self, s: State) -> int:
        return int.from_bytes(self.data(s)[2 * PILES :], "little")

    def format_state(self, s: State) -> str:
        return format_piles(self.piles(s), self.turn(s))

    def parse_state(self, text: str) -> State:
        piles, turn = parse_piles(text, self.players)
        if len(piles) > PILES or any(p > 65535 for p in piles):
            raise BadPosition(
                f"position {text!r} is too large", "expected at most 16 piles of up to 65535 stones"
            )
        piles = sorted(piles, reverse=True) + [0] * (PILES - len(piles))
        data = b"".join(p.to_bytes(2, "little") for p in [*piles, turn])
        return State(self, data)

    def board(self, s: State) -> str:
        return board_of(self.piles(s))

    def svg(self, s: State) -> str:
        # a stone stands for taking it and those to its right
        return svg_of(self.piles(s), "nim", lambda pile, j: f"{pile}-{pile - j}")


def format_piles(piles: tuple[int, ...], turn: int) -> str:
    return (" ".join(map(str, piles)) or "0") + (f" {ORDINALS[turn]}" if turn else "")


def parse_piles(text: str, players: int = 2) -> tuple[list[int], int]:
    """The piles without empty ones, and whose turn it is."""
    words = text.replace(",", " ").split()
    turn = 0
    if words and words[-1] in ORDINALS[:players]:
        turn = ORDINALS.index(words.pop())
    if not words or not all(w.isascii() and w.isdigit() and len(w) < 9 for w in words):
        raise BadPosition(f"{text!r} is not a list of piles", "e.g. 3 4 5, or 3 4 5 second")
    return [int(w) for w in words if int(w)], turn


def board_of(piles: tuple[int, ...]) -> str:
    rows = (f"{p:>5}  " + ("o" * p if p <= 60 else "o" * 56 + " …") for p in piles)
    return "\n".join(rows) or "no stones"


def svg_of(piles: tuple[int, ...], title: str, name: Callable[[int, int], str]) -> str:
    """Stones in rows; `name(pile, j)` is the action meant by stone j of a pile, from 0."""
    shown = [min(p, 40) for p in piles]
    parts = [] if piles else [text(46, 25, "no stones")]
    for i, (p, n) in enumerate(zip(piles, shown, strict=True)):
        y = 20 + 26 * i
        parts.append(text(20, y + 5, str(p)))
        parts += [disc(50 + 22 * j, y, 9, "stone") for j in range(n)]
        parts += [place(name(p, j), 39 + 22 * j, y - 11, 22, 22) for j in range(n)]
        if n < p:
            parts.append(text(50 + 22 * n, y + 5, "…"))
    return svg(
        70 + 22 * max(shown, default=1), 40 + 26 * max(len(piles) - 1, 0), title, "".join(parts)
    )
