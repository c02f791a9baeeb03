"""Backgammon with the doubling cube. The rules are core/games/backgammon/cube.hpp.

Before a roll, a player who may double chooses ``"roll"`` or ``"double"``, the opponent answers
``"take"`` or ``"drop"``. The match ID of a position contains the cube; ``roll`` after it means that
only the dice are left to roll.
"""

from __future__ import annotations

from dataclasses import replace

from ... import _core
from ...errors import BadPosition
from ..native import EvaluatedGame, State
from . import Backgammon, ids, notation
from .svg import Cube, Seen

DICE, DECIDE, OFFERED, SETTLED, DROPPED = range(5)  # the pending decision, as in cube.hpp
NOBODY = 2
DOUBLES, OWNER, PHASE = 32, 33, 34  # bytes of a state


class BackgammonWithCube(Backgammon):
    """Backgammon with the doubling cube."""

    rules = staticmethod(_core.backgammon_with_cube)
    possible = (
        "the cube is 1 in the middle, or 2 to 64 and owned by a player; only its owner may double; "
        "dice are 1 to 6, and at least one checker is on the board"
    )

    # -- actions -----------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        if code & notation.CUBE and not code & notation.ROLL:
            return notation.CUBE_ACTIONS[code ^ notation.CUBE]
        return super().decode_action(key, code)

    def parse_action(self, s: State, text: str) -> str:
        if self.data(s)[PHASE] not in (DECIDE, OFFERED):
            return super().parse_action(s, text)
        word = " ".join(text.lower().split())
        move = notation.CUBE_WORDS.get(word, word)
        return str(EvaluatedGame.parse_action(self, s, move if move in self.codes(s) else text))

    # -- positions ---------------------------------------------------------------------------
    def match(self, s: State) -> ids.Match:
        data = self.data(s)
        owner = data[OWNER]
        return replace(
            super().match(s),
            doubles=data[DOUBLES],
            owner=ids.CENTRED if owner == NOBODY else owner,
            offered=data[PHASE] == OFFERED,
            dropped=data[PHASE] == DROPPED,
            no_jacoby=not self.terms[2],
        )

    def read_match(self, text: str) -> ids.Match:
        return ids.read_money_match(text)

    def beside(self, match: ids.Match, opening: bool) -> bytes:
        """The cube; if the mover may double, that decision is pending."""
        owner = NOBODY if match.owner == ids.CENTRED else match.owner
        phase = DICE
        if match.dropped or match.offered:
            phase = DROPPED if match.dropped else OFFERED
        elif match.dice == (0, 0) and not (opening or match.finished):
            free = owner in (NOBODY, match.turn) and match.doubles < ids.MAX_DOUBLES
            phase = DECIDE if free else DICE
        return bytes((match.doubles, owner, phase))

    def format_state(self, s: State) -> str:
        settled = self.data(s)[PHASE] == SETTLED
        return super().format_state(s) + (" roll" if settled else "")

    def parse_state(self, text: str) -> State:
        words = text.split()
        if len(words) < 2 or words[-1].lower() != "roll":
            return super().parse_state(text)
        before = super().parse_state(" ".join(words[:-1])).data
        data = before[:PHASE] + bytes((SETTLED,))
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r}: there is no cube decision before this roll", "omit roll"
            )
        return State(self, data)

    def with_cube(self, s: State, value: int, owner: int | None, offered: bool = False) -> State:
        """The same position with another cube (owner None: in the middle), its mover to decide."""
        data = self.data(s)
        doubles = {1 << n: n for n in range(ids.MAX_DOUBLES + 1)}.get(value)
        if doubles is not None and owner in (None, 0, 1):
            held = ids.CENTRED if owner is None else owner
            match = ids.Match(data[26], self.dice(s), False, doubles, held, offered)
            made = data[:DOUBLES] + self.beside(match, bool(data[29]))
            if self.handle.valid(made):
                return State(self, made)
        raise BadPosition(f"a cube of {value!r} is not possible", self.possible)

    # -- looks -------------------------------------------------------------------------------
    def seen(self, s: State) -> Seen:
        data = self.data(s)
        owner, phase = data[OWNER], data[PHASE]
        choices = tuple(self.codes(s)) if phase in (DECIDE, OFFERED) else ()
        held = None if owner == NOBODY else owner
        cube = Cube(1 << data[DOUBLES], held, phase == OFFERED, phase == DROPPED, choices)
        return replace(super().seen(s), cube=cube)

    def action_squares(self, s: State, a: str) -> list[str]:
        return [a] if a in notation.CUBE_ACTIONS else super().action_squares(s, a)
