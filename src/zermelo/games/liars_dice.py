"""Liar's dice: notation. The rules are core/games/liars_dice.hpp.

A roll is its faces in ascending order ("1.4"), a bid is a count and a face ("2-6"), and "liar"
challenges the last bid. A position is the rolls and bids in order ("3 5 1-3 2-5 liar"). An
observation has "?" for the opponent's dice.
"""

from __future__ import annotations

import random
from typing import Any

from .. import _core
from ..errors import IllegalAction
from ..naming import bare, default_names, label
from ..options import Option
from .drawing import svg, text
from .native import NativeGame, State

CALL, ROLL, BITS = 63, 1 << 16, 3
HIDDEN = "?"


class LiarsDice(NativeGame):
    """Bid on hidden dice."""

    name = "liars-dice"
    options = (
        Option("dice", 1, range(1, 6), "dice per player"),
        Option("sides", 6, range(2, 7), "faces of a die"),
    )
    state_space = "24,576 information sets (counted)"

    public_actions = True
    player_names = default_names(2)

    def __init__(self, spec: str, dice: int, sides: int) -> None:
        super().__init__(spec, _core.liars_dice(dice, sides))
        self.dice, self.sides = dice, sides

    def decode_action(self, key: int, code: int) -> str:
        if code == CALL:
            return "liar"
        if code >= ROLL:
            return ".".join(str(code - ROLL >> BITS * i & 7) for i in range(self.dice))
        return f"{code // self.sides + 1}-{code % self.sides + 1}"

    def encode_action(self, key: int, action: Any) -> int:
        word = str(action)
        if word == "liar":
            return CALL
        many, dash, face = word.partition("-")
        if dash:
            if not 1 <= int(face) <= self.sides or not 1 <= int(many) <= 2 * self.dice:
                raise IllegalAction(f"{action!r} is not a bid")
            return (int(many) - 1) * self.sides + int(face) - 1
        faces = [int(x) for x in word.split(".")]
        return ROLL + sum((face & 7) << BITS * i for i, face in enumerate(faces[: self.dice]))

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The possible rolls in `s`, with their probabilities."""
        return [(self.decode_action(0, c), p) for c, p in self.handle.outcomes(self.data(s))]

    def words(self, s: State, p: int | None = None) -> list[str]:
        """All rolls and bids, or only those that player `p` sees."""
        data = self.data(s)
        bids = int.from_bytes(data[:8], "little")
        rolls = [int.from_bytes(data[i : i + 2], "little") for i in (8, 10)]
        words = [self.decode_action(0, ROLL + r) if p in (None, q) else HIDDEN
                 for q, r in enumerate(rolls) if r]  # fmt: skip
        words += [self.decode_action(0, b) for b in range(bids.bit_length()) if bids >> b & 1]
        return words + ["liar"] * data[12]

    def format_state(self, s: State) -> str:
        return " ".join(self.words(s))

    def observation(self, s: State, p: int) -> str:
        """What player `p` sees: the opponent's dice are "?"."""
        return " ".join(self.words(s, p))

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A state consistent with what player `p` has observed; all rolls are equally likely."""
        words = self.words(s)
        if len(words) > 1 - p:
            words[1 - p] = ".".join(
                map(str, sorted(rng.randint(1, self.sides) for _ in range(self.dice)))
            )
        found = self.parse_state(" ".join(words))
        assert isinstance(found, State)
        return found

    # -- looks ------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        return self.table(self.words(s))

    def view(self, s: State, p: int) -> str:
        return self.table(self.words(s, p))

    def table(self, words: list[str]) -> str:
        names = self.player_names
        rows = [f"{label(names[p]) + ':':<15}{words[p] if len(words) > p else '-'}" for p in (0, 1)]
        bids = [f"{bare(names[i % 2])} {'calls liar' if word == 'liar' else f'bids {word}'}"
                for i, word in enumerate(words[2:])]  # fmt: skip
        return "\n".join([*rows, ", ".join(bids) or "no bids yet"])

    def svg(self, s: State) -> str:
        return self.draw(self.words(s))

    def observation_svg(self, s: State, p: int) -> str:
        """What player `p` sees: the opponent's dice are hidden."""
        return self.draw(self.words(s, p), p)

    def draw(self, words: list[str], viewer: int | None = None) -> str:
        """The dice and the last bids."""
        parts = []
        for p in (0, 1):
            parts.append(
                text(90, 24 + 62 * p, "You" if p == viewer else label(self.player_names[p]))
            )
            dice = words[p] if len(words) > p else ""
            faces = ["?"] * self.dice if dice == HIDDEN else dice.split(".") if dice else []
            for i, face in enumerate(faces):
                x, y = 140 + 40 * i, 8 + 62 * p
                parts.append(f'<rect class="line" x="{x}" y="{y}" width="32" height="32" rx="6"/>')
                parts.append(text(x + 16, y + 21, face))
        bids = words[2:]
        parts.append(text(180, 140, " ".join(bids[-6:]) or "no bids yet"))
        return svg(360, 160, self.name, "".join(parts))
