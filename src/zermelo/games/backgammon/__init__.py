"""Backgammon: notation and drawing. The rules are core/games/backgammon.

A play is written from the mover's side (``"8/5 6/5"``, ``"bar/22"``, ``"13/7*/5"``, ``"6/off(2)"``,
``"pass"``), a roll as ``"6-5"``. A position is GNU Backgammon's position ID, with its match ID for
turn and dice (``"4HPwATDgc/ABMA:cAkAAAAAAAAA"``), or with the dice (``"4HPwATDgc/ABMA 31"``).
"""

from __future__ import annotations

from typing import Any

from ... import _core
from ...errors import BadPosition, IllegalAction, UsageError
from ...options import Flag, Option
from ..native import EvaluatedGame, State
from . import ids, notation
from .svg import Seen, board, picture
from .weights import weights as learned


class Backgammon(EvaluatedGame):
    """A race with dice; optional doubling cube."""

    name = "backgammon"
    options = (
        Option(
            "start",
            "white",
            ("white", "roll"),
            "who moves first: White, or the winner of the opening roll",
        ),
        Option("score", "points", ("points", "win"), "count gammons and backgammons, or only wins"),
        Flag("cube", False, "play with the doubling cube"),
        Flag("jacoby", False, "gammons count only after a double (with the cube)"),
    )
    state_space = "about 10^20 positions (Tesauro 1992)"

    evaluations = ("network", "pips")
    player_names = ("White", "Black")

    rules: Any = staticmethod(_core.backgammon)
    possible = "dice must be 1 to 6, a finished game has no dice, and not all checkers can be off"

    def __init__(self, spec: str, *terms: bool) -> None:
        self.terms = terms  # as the native rules take them
        self.listed: tuple[bytes, dict[str, int]] = b"", {}
        super().__init__(spec, self.rules(*terms, learned()))

    def evaluated(self, name: str) -> _core.Handle:
        made: _core.Handle = self.rules(*self.terms) if name == "pips" else self.handle
        return made

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Backgammon:
        terms = options["start"] == "roll", options["score"] == "points"
        if options["cube"]:
            from .cube import BackgammonWithCube

            return BackgammonWithCube(spec, *terms, options["jacoby"])
        if options["jacoby"]:
            raise UsageError("jacoby=yes needs the cube", "backgammon:cube=yes,jacoby=yes")
        return cls(spec, *terms)

    # -- actions -----------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        roll = code & notation.ROLL
        return notation.format_roll(code) if roll else notation.format_play(code)

    def codes(self, s: State) -> dict[str, int]:
        """The legal actions with their native numbers; those of the last state are remembered."""
        data = self.data(s)
        if self.listed[0] != data:
            over = self.is_terminal(s)
            codes = [] if over else self.handle.actions(data)
            self.listed = data, {self.decode_action(0, code): code for code in codes}
        return self.listed[1]

    def actions(self, s: State) -> list[str]:
        return list(self.codes(s))

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The rolls with their odds."""
        return [(self.decode_action(0, code), p) for code, p in self.handle.outcomes(self.data(s))]

    def result(self, s: State, a: Any) -> State:
        legal = self.codes(s)
        if isinstance(a, str) and a in legal:
            return State(self, self.handle.play(self.data(s), legal[a]))
        if not legal:
            raise IllegalAction(f"{a!r} cannot be played: the game is over", "take back a move")
        raise IllegalAction(f"{a} is not a legal action here", self._legal_hint(list(legal)))

    def parse_action(self, s: State, text: str) -> str:
        legal = self.codes(s)
        wanted = " ".join(str(text).split())
        if wanted not in legal and legal:
            if self.data(s)[27]:
                return self.parse_play(wanted, s, legal)
            words = wanted.lower().replace("-", " ").split()
            dice = "".join(sorted("".join(words[-2:] if len(words) > 1 else words), reverse=True))
            if words and words[0] in notation.SIDES:
                dice = "".join(sorted("".join(words[1:]), reverse=True))
                wanted = f"{words[0]} {dice[:1]}-{dice[1:]}"
            else:
                wanted = f"{dice[:1]}-{dice[1:]}"
        return str(super().parse_action(s, wanted))

    def parse_play(self, text: str, s: State, legal: dict[str, int]) -> str:
        """Plays may be written in any order and with optional intermediate points."""
        data = self.data(s)
        blots = frozenset(p for p in range(1, 25) if data[p] == 255)
        meant = notation.parse_effect(text, blots)
        if meant is not None:
            effects = {a: notation.effect(code) for a, code in legal.items()}
            alike = [a for a, e in effects.items() if e.change == meant.change]
            for a in alike:
                if effects[a].hits == meant.hits or len(alike) == 1:
                    return a
        return str(super().parse_action(s, text))

    # -- positions ---------------------------------------------------------------------------
    def sides(self, s: State) -> tuple[list[int], list[int]]:
        """The mover's checkers and the other's on their own points 1 to 24 and bar."""
        signed = [b - 256 if b > 127 else b for b in self.data(s)[:26]]
        own = [max(n, 0) for n in signed[1:]]
        other = [max(-n, 0) for n in reversed(signed[:25])]
        return own, other

    def dice(self, s: State) -> tuple[int, int]:
        data = self.data(s)
        return data[27], data[28]

    def format_state(self, s: State) -> str:
        data = self.data(s)
        position = ids.write_position(*self.sides(s))
        if data[29] and not data[26]:  # the first roll, White's
            return position
        return f"{position}:{ids.write_match(self.match(s))}"

    def match(self, s: State) -> ids.Match:
        """The fields of a match ID for a position."""
        return ids.Match(self.data(s)[26], self.dice(s), self.is_terminal(s))

    def read_match(self, text: str) -> ids.Match:
        return ids.read_match(text)

    def beside(self, match: ids.Match, opening: bool) -> bytes:
        """The fields of a state besides the board: none."""
        return b""

    def parse_state(self, text: str) -> State:
        words = text.replace(":", " ").split()
        if not 1 <= len(words) <= 2:
            raise BadPosition(
                f"{text!r} is not a position ID",
                f"e.g. {ids.START}, {ids.START}:{ids.write_match(ids.Match(0))} or {ids.START} 31",
            )
        own, other = ids.read_position(words[0])
        opening, match = words[0] == ids.START, ids.Match(0)
        if len(words) == 2:
            opening = False
            dice = words[1].replace("-", "")
            if len(dice) == 2 and dice.isascii() and dice.isdigit():
                match = ids.Match(0, (int(dice[0]), int(dice[1])))
            else:
                match = self.read_match(words[1])
        return self.from_sides(text, own, other, match, opening)

    def from_sides(
        self, text: str, own: list[int], other: list[int], match: ids.Match, opening: bool
    ) -> State:
        """The state in which the mover and the other have these checkers on their points."""
        signed = [0] * 26
        for point, n in enumerate(own, 1):
            signed[point] += n
        for point, n in enumerate(other, 1):
            if n and signed[25 - point] > 0:
                raise BadPosition(
                    f"position {text!r} is impossible: both sides have checkers on the same point",
                    "copy the whole ID",
                )
            signed[25 - point] -= n
        off = [ids.CHECKERS - sum(own), ids.CHECKERS - sum(other)]
        rest = [match.turn, max(match.dice), min(match.dice), int(opening), *off]
        data = bytes(n & 255 for n in signed) + bytes(rest) + self.beside(match, opening)
        if not self.handle.valid(data):
            raise BadPosition(f"position {text!r} is impossible", self.possible)
        return State(self, data)

    def with_checkers(
        self,
        own: dict[int, int],
        other: dict[int, int],
        dice: tuple[int, int] = (0, 0),
        turn: int = 0,
    ) -> State:
        """A position from each side's checkers by its own points (25: the bar); the rest is off."""
        for side in (own, other):
            counts = side.values()
            if not set(side) <= set(range(1, 26)) or not 0 <= sum(counts) <= ids.CHECKERS:
                raise BadPosition(
                    f"{side} is not a valid set of checkers",
                    "expected points 1 to 25 with at most 15 checkers",
                )
        mine, theirs = ([side.get(p, 0) for p in range(1, 26)] for side in (own, other))
        return self.from_sides(f"{own} {other}", mine, theirs, ids.Match(turn, dice), False)

    # -- looks -------------------------------------------------------------------------------
    def seen(self, s: State) -> Seen:
        data = self.data(s)
        turn = data[26]
        white, black = self.sides(s)[:: -1 if turn else 1]
        points = tuple(white[p] - black[23 - p] for p in range(24))
        off = (data[30], data[31])[:: -1 if turn else 1]
        bar = (white[24], black[24])
        return Seen(points, bar, (off[0], off[1]), turn, self.dice(s), self.is_terminal(s))

    def board(self, s: State) -> str:
        return board(self.seen(s))

    def svg(self, s: State) -> str:
        return picture(self.seen(s))

    def action_squares(self, s: State, a: Any) -> list[str]:
        """Each checker's steps from point to point, in any order."""
        code = self.codes(s).get(a, 0)
        if code & notation.ROLL:
            return []
        steps = [["", *map(notation.point, step[:2])] for step in notation.steps(code)]
        return [name for step in steps for name in step][1:]
