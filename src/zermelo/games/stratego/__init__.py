"""Stratego: notation and drawing. The rules are core/games/stratego.hpp.

During the setup, an action is the square of the next piece ("c2"). A move is written from square to
square ("c4c5"). Columns are a to j, rows 1 to 10, Red's side at the bottom. A position is the rows
from the top, Red's pieces in capitals (M marshal, G general, C colonel, J major, K captain,
L lieutenant, E sergeant, I miner, T scout, S spy, B bomb, F flag), numbers for empty squares. After
a piece, ' means that it has moved and ! that the opponent has seen it. Then follow the side to move
(r or b), the number of moves since the last attack (or "setup"), and the last move of each side
with the number of turns for which the piece has moved back and forth: "… r 12 a4a5:1 j7j6:1". An
observation has ? for unknown pieces.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from ... import _core
from ...errors import BadPosition, IllegalAction, NotSupported
from ...options import Option
from ..drawing import letter
from ..native import EvaluatedGame, State
from .svg import picture

SIDE, SQUARES, MAX_QUIET = 10, 100, 200
RANK, BLUE, MOVED, SHOWN = 15, 16, 32, 64  # the bits of a piece
LAY = 1 << 14  # added to the square of a placement
LETTERS = ".STIELKJCGMBF"  # by rank
SHORT = ("", "S", "2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "F")
NAMES = (
    "", "spy", "scout", "miner", "sergeant", "lieutenant", "captain", "major", "colonel",
    "general", "marshal", "bomb", "flag",
)  # fmt: skip
LAKES = frozenset(x + SIDE * y for x in (2, 3, 6, 7) for y in (4, 5))
ARMIES = {  # men by rank
    "classic": (0, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1),
    "barrage": (0, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1),
}
MOVE = re.compile(r"([a-j])(10|[1-9])[- ]?([a-j])(10|[1-9])")
SQUARE = re.compile(r"([a-j])(10|[1-9])")


class Stratego(EvaluatedGame):
    """Capture the flag with hidden pieces; also Barrage."""

    name = "stratego"
    options = (
        Option("board", "classic", tuple(ARMIES), "40 pieces each, or 8 (Barrage)"),
        Option("setup", "players", ("players", "chance"), "who places the pieces"),
    )
    state_space = "about 10^115 states (Arts 2010)"

    rollout = "none"  # random games last long
    player_names = ("Red", "Blue")

    def __init__(self, spec: str, board: str, chance: bool) -> None:
        super().__init__(spec, _core.stratego(board == "barrage", chance))
        self.army = ARMIES[board]

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Stratego:
        return cls(spec, options["board"], options["setup"] == "chance")

    # -- moves ----------------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        if code >= LAY:
            return name_of(code - LAY)
        return name_of(code & 127) + name_of(code >> 7)

    def encode_action(self, key: int, action: Any) -> int:
        text = str(action)
        if found := MOVE.fullmatch(text):
            return _number_of(*found.groups()[:2]) | _number_of(*found.groups()[2:]) << 7
        if found := SQUARE.fullmatch(text):
            return LAY + _number_of(*found.groups())
        raise IllegalAction(f"{text!r} is not a move", "e.g. c4c5, or c2 to place a piece")

    def parse_action(self, s: State, text: str) -> str:
        word = "".join(str(text).lower().split()).replace("-", "")
        return str(super().parse_action(s, word))

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The squares for the next piece, with their probabilities."""
        return [(self.decode_action(0, code), p) for code, p in self.handle.outcomes(self.data(s))]

    # -- positions ------------------------------------------------------------------------------
    def men(self, s: State) -> bytes:
        """The squares from a1 on: rank, and bits for side, moved and shown."""
        return self.data(s)[:SQUARES]

    def laying(self, s: State) -> bool:
        return self.data(s)[SQUARES + 2] < sum(self.army)

    def due(self, s: State) -> int:
        """The rank of the piece that is placed next."""
        data = self.data(s)
        return self.order()[data[SQUARES + 1 + data[SQUARES]]]

    def order(self) -> list[int]:
        return [rank for rank in range(12, 0, -1) for _ in range(self.army[rank])]

    def format_state(self, s: State) -> str:
        return self.written(s, [_man_text(m) for m in self.men(s)])

    def written(self, s: State, men: Sequence[str]) -> str:
        """The position as text, with these pieces."""
        data = self.data(s)
        rows = []
        for y in range(SIDE - 1, -1, -1):
            row, free = "", 0
            for man in men[SIDE * y : SIDE * (y + 1)]:
                if man:
                    row += (str(free) if free else "") + man
                    free = 0
                else:
                    free += 1
            rows.append(row + (str(free) if free else ""))
        head = f"{'/'.join(rows)} {'rb'[data[SQUARES]]}"
        if self.laying(s):
            return f"{head} setup"
        return " ".join([head, str(data[SQUARES + 3]), *(last_text(data, p) for p in (0, 1))])

    def parse_state(self, text: str) -> State:
        words = str(text).split()
        if not words or "/" not in words[0]:
            return super().parse_state(text)  # type: ignore[no-any-return]
        men = parse_rows(words[0])
        side, quiet, *last = (*words[1:], "r", "0")[: max(2, len(words) - 1)]
        lying = quiet in ("setup", "lay")
        if side not in ("r", "b") or len(last) > 2 or (lying and last):
            raise BadPosition(
                f"position {text!r}: invalid side, number of quiet moves or last moves",
                "e.g. … r 12 a4a5:1 -, or … r setup",
            )
        if not lying and not (re.fullmatch("[0-9]{1,9}", quiet) and int(quiet) <= MAX_QUIET):
            raise BadPosition(
                f"position {text!r}: {quiet!r} is not a number of moves", "expected 0 to 200"
            )
        count = [sum(1 for m in men if m and bool(m & BLUE) == p) for p in (False, True)]
        full = sum(self.army)
        laid = count if lying else [full, full]
        moved = [parse_last(text, w) for w in (*last, "-", "-")[:2]]
        tail = [*moved[0][:2], *moved[1][:2], moved[0][2], moved[1][2]]
        data = bytes(men) + bytes([side == "b", *laid, 0 if lying else int(quiet), *tail])
        if not self.handle.valid(data):
            raise BadPosition(f"position {text!r} is impossible", self.fault(men, lying))
        return State(self, data)

    def fault(self, men: Sequence[int], lying: bool) -> str:
        """Why a position is impossible."""
        for p in (0, 1):
            own = [m for m in men if m and bool(m & BLUE) == bool(p)]
            for rank in range(1, 13):
                if sum(m & RANK == rank for m in own) > self.army[rank]:
                    excess = f"{NAMES[rank]} (at most {self.army[rank]})"
                    return f"{self.player_names[p]} has too many pieces: {excess}"
        for square, m in enumerate(men):
            if m and square in LAKES:
                return f"{name_of(square)} is a lake"
            home = (square >= 60) if m & BLUE else (square < 40)
            if m and not m & MOVED and not home:
                return f"the piece on {name_of(square)} has moved: add '"
            if m & RANK > 10 and m & MOVED:
                return f"the {NAMES[m & RANK]} on {name_of(square)} cannot have moved: remove '"
            if m & RANK == 12 and m & SHOWN:
                return "a flag that was seen was captured: remove !"
        if lying:
            order = "".join(LETTERS[r] for r in self.order())
            return f"pieces are placed in this order, all of Red's first: {order}"
        return "each side needs its flag, and the last moves must be straight"

    # -- what a player knows --------------------------------------------------------------------
    def seen(self, s: State, p: int) -> list[int]:
        """The pieces as player `p` sees them; an unknown piece has rank 0."""
        lying = self.laying(s)
        found = []
        for m in self.men(s):
            if m and bool(m & BLUE) != bool(p) and not m & SHOWN:
                m = 0 if lying else (m & ~RANK) | 128
            found.append(m)
        return found

    def left(self, s: State, p: int) -> list[int]:
        """The number of pieces of each rank that player `p` has."""
        own = [m & RANK for m in self.men(s) if m and bool(m & BLUE) == bool(p)]
        return [own.count(rank) for rank in range(13)]

    def observation(self, s: State, p: int) -> str:
        """What player `p` sees: the board, and which pieces of the opponent are left."""
        data = self.data(s)
        text = self.written(s, [_man_text(m) for m in self.seen(s, p)])
        if self.laying(s):
            return f"{text}; placed {data[SQUARES + 1]} {data[SQUARES + 2]}"
        left = "".join(LETTERS[r] * n for r, n in enumerate(self.left(s, 1 - p)) if n)
        over = "; over" if self.is_terminal(s) else ""
        return f"{text}; left {left}{over}"

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A state consistent with what player `p` has observed: new hidden ranks."""
        found = self.handle.deal(self.data(s), p, rng.getrandbits(64))
        if not isinstance(found, bytes):
            raise NotSupported(
                f"no setup consistent with what {self.player_names[p]} has observed was found",
                "pass the possible positions as belief=",
            )
        return State(self, found)

    def belief_text(self, s: State) -> str:
        """What the player to move knows about the hidden pieces."""
        if self.is_terminal(s) or self.laying(s):
            return ""
        p = self.viewer(s)
        men = [m for m in self.men(s) if m and bool(m & BLUE) != bool(p) and not m & SHOWN]
        moved = sum(bool(m & MOVED) for m in men)
        counts = [[m & RANK for m in men].count(rank) for rank in range(13)]
        words = [f"{NAMES[r]} {n}" for r, n in enumerate(counts) if n]
        fixed = counts[11] + counts[12]
        still = len(men) - moved
        odds = f"a hidden piece that has not moved is a bomb or the flag: {fixed / still:.0%}"
        lines = [f"hidden pieces of {self.player_names[1 - p]}: {', '.join(words) or 'none'}"]
        return "\n".join([*lines, *([odds] if still else [])])

    # -- looks ----------------------------------------------------------------------------------
    def viewer(self, s: State) -> int:
        """The player whose view is shown."""
        return self.data(s)[SQUARES]

    def board(self, s: State) -> str:
        return self.rows(s, list(self.men(s)))

    def view(self, s: State, p: int) -> str:
        return self.rows(s, self.seen(s, p))

    def observation_text(self, s: State, p: int) -> str:
        """What the studio shows player `p`."""
        return self.view(s, p)

    def rows(self, s: State, men: Sequence[int]) -> str:
        lines = []
        for y in range(SIDE - 1, -1, -1):
            row = [_cell_text(x + SIDE * y, men[x + SIDE * y]) for x in range(SIDE)]
            lines.append(f"{y + 1:>2}" + "".join(f"{c:>5}" for c in row))
        lines.append("  " + "".join(f"{letter(x):>5}" for x in range(SIDE)))
        return "\n".join([*lines, *self.words(s)])

    def words(self, s: State) -> list[str]:
        """The state of the game in words."""
        data = self.data(s)
        if self.is_terminal(s):
            return ["the game is over: " + self.end_reason(s)]
        name = self.player_names[data[SQUARES]]
        if self.laying(s):
            return [f"{name}: place a {NAMES[self.due(s)]}"]
        quiet = f"; {data[SQUARES + 3]} moves without an attack" if data[SQUARES + 3] else ""
        return [f"{name} to move{quiet}"]

    def end_reason(self, s: State) -> str:
        """How the game ended."""
        u = self.utility(s, 0)
        if u == 0:
            return "a draw"
        winner = 0 if u > 0 else 1
        how = "cannot move" if self.left(s, 1 - winner)[12] else "has lost the flag"
        return f"{self.player_names[winner]} wins: {self.player_names[1 - winner]} {how}"

    def svg(self, s: State) -> str:
        return self.svg_with(s, ())

    def svg_with(self, s: State, actions: Sequence[Any]) -> str:
        return self.drawn(s, list(self.men(s)), actions, 0)

    def svg_for(self, s: State, p: int) -> str:
        return self.drawn(s, list(self.men(s)), (), p)

    def observation_svg(self, s: State, p: int) -> str:
        """What player `p` sees, from its side of the board."""
        return self.drawn(s, self.seen(s, p), (), p)

    def drawn(self, s: State, men: Sequence[int], actions: Sequence[Any], below: int) -> str:
        data = self.data(s)
        last = data[SQUARES + 4 + 2 * (1 - data[SQUARES]) :][:2]
        shown = [code for code in (self.encode_action(0, a) for a in actions) if code < LAY]
        arrows = [(code & 127, code >> 7) for code in shown]
        return picture(self.name, men, [n - 1 for n in last if n], arrows, self.words(s), below)

    def action_squares(self, s: State, a: Any) -> Sequence[str]:
        found = MOVE.fullmatch(a)
        return (found[1] + found[2], found[3] + found[4]) if found else (a,)


def name_of(square: int) -> str:
    return f"{letter(square % SIDE)}{square // SIDE + 1}"


def _number_of(column: str, row: str) -> int:
    return ord(column) - ord("a") + SIDE * (int(row) - 1)


def _man_text(man: int) -> str:
    """A piece in the notation of positions; "" for none."""
    if not man:
        return ""
    name = LETTERS[man & RANK] if man & RANK else "?"
    name = name.lower() if man & BLUE else name
    return name + ("'" if man & MOVED else "") + ("!" if man & SHOWN else "")


def _cell_text(square: int, man: int) -> str:
    """A square of the board for the terminal."""
    if not man:
        return "~~" if square in LAKES else "."
    mark = "!" if man & SHOWN else "'" if man & MOVED else ""
    return ("b" if man & BLUE else "r") + (SHORT[man & RANK] or "?") + mark


def last_text(data: bytes, p: int) -> str:
    start, end = data[SQUARES + 4 + 2 * p : SQUARES + 6 + 2 * p]
    return f"{name_of(start - 1)}{name_of(end - 1)}:{data[SQUARES + 8 + p]}" if start else "-"


def parse_last(text: str, word: str) -> tuple[int, int, int]:
    """A last move "a4a5:2" as numbers from 1, and its turns."""
    if word == "-":
        return 0, 0, 0
    move, _, turns = word.partition(":")
    found = MOVE.fullmatch(move)
    if not found or turns not in ("", "1", "2", "3"):
        raise BadPosition(f"position {text!r}: {word!r} is not a last move", "e.g. a4a5:1, or -")
    a, b, c, d = found.groups()
    return _number_of(a, b) + 1, _number_of(c, d) + 1, int(turns or 1)


def parse_rows(text: str) -> list[int]:
    """The pieces in the rows of a position."""
    rows = text.split("/")
    if len(rows) != SIDE:
        raise BadPosition(f"{text!r} has {len(rows)} rows, not 10", "separate the rows by /")
    men = [0] * SQUARES
    for i, row in enumerate(rows):
        x, y = 0, SIDE - 1 - i
        for part in re.findall(r"\d+|[A-Za-z]'?!?|.", row):
            if part.isdecimal():
                x += int(part[:9])
                continue
            rank = LETTERS.find(part[0].upper())
            if rank < 1:
                raise BadPosition(
                    f"{part!r} in row {row!r} is not a piece", f"expected one of {LETTERS[1:]}"
                )
            if x < SIDE:
                man = rank | (BLUE if part[0].islower() else 0) | (MOVED if "'" in part else 0)
                men[x + SIDE * y] = man | (SHOWN if "!" in part else 0)
            x += 1
        if x != SIDE:
            raise BadPosition(
                f"row {row!r} has {x} squares, not 10", "a number stands for empty squares"
            )
    return men
