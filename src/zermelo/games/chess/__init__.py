"""Chess and Chess960: notation and drawing. The rules are core/games/chess.

Moves are read as UCI writes them (e2e4, e7e8q) and as players do (Nf3, exd6, O-O, e8=Q+); actions
are UCI, lines are shown in SAN. A position is a FEN, of four fields at least, or
``startpos``, and after it ``moves e2e4 …``; or just the moves played so far. In Chess960 castling
is written king takes rook (e1h1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ... import _core
from ...errors import BadPosition, IllegalAction
from ...hooks import GameRecord
from ...options import Option
from ..native import EvaluatedGame, State, written_moves
from . import fen, svg
from .epd import Epd, format_epd, parse_epd
from .moves import CASTLE, Move, matching, san
from .weights import unpack

WEIGHTS = Path(__file__).with_name("chess.weights")  # the last output of zermelo train chess
USUAL = 518  # the number of the usual first row
DRAWS = ("claimed", "automatic")
ENDS = {
    "repetition": ("threefold repetition", "fivefold repetition"),
    "moves": ("fifty moves", "seventy-five moves"),
}


class Chess(EvaluatedGame):
    """Chess, and Chess960 by the number of its start position."""

    name = "chess"
    options = (
        Option("start", USUAL, range(960), "number of the Chess960 start position; 518 is chess"),
        Option("draws", "claimed", DRAWS, "when repetition and 50 moves draw"),
    )
    state_space = "about 10^40 positions (textbooks; 4.8·10^44 legal: Tromp 2022)"

    endgames = "chess"  # independent of the start position and of the draw rule
    evaluations = ("tapered", "material")
    win_word = "mate"
    player_names = ("White", "Black")
    estimate_scale = 1.7  # pawns
    remembers = True  # a state has its history, a written position does not

    def __init__(
        self, spec: str, start: int = USUAL, *, automatic: bool = False, portable: bool = False
    ) -> None:
        weights = unpack(WEIGHTS.read_bytes()) if WEIGHTS.exists() else b""
        super().__init__(spec, _core.chess(start, automatic, portable, weights=weights))
        self.material = _core.chess(start, automatic, portable, material=True)
        self.is_960 = start != USUAL
        self.automatic = automatic

    def evaluated(self, name: str) -> _core.Handle:
        return self.material if name == "material" else self.handle

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Chess:
        return cls(spec, options["start"], automatic=options["draws"] == "automatic")

    # -- moves ------------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        return Move(code).uci(self.is_960)

    def moves(self, s: State) -> list[Move]:
        """The legal moves, taken apart."""
        data = self.data(s)
        return [] if self.is_terminal(s) else [Move(c) for c in self.handle.actions(data)]

    def move(self, s: State, a: Any) -> Move | None:
        """The legal move that is this action."""
        return next((m for m in self.moves(s) if m.uci(self.is_960) == a), None)

    def result(self, s: State, a: Any) -> State:
        move = self.move(s, a)
        if move is None:
            if not isinstance(a, str):
                raise IllegalAction(f"{a!r} is not a chess move", "e.g. e2e4 or Nf3")
            move = self.find(a, s)
        return State(self, self.handle.play(self.data(s), move.code))

    def format_action(self, s: Any, a: Any) -> str:
        move = None if s is None else self.move(s, a)
        return str(a) if move is None else self.san(s, move)

    def action_squares(self, s: State, a: Any) -> Sequence[str]:
        return (a[:2], a[2:4])

    def san(self, s: State, move: Move) -> str:
        """A legal move in SAN."""
        return san(move, self.moves(s)) + _core.chess_mark(self.data(s), move.code)

    def parse_action(self, s: State, text: str) -> str:
        return self.find(text, s).uci(self.is_960)

    def find(self, text: str, s: State) -> Move:
        """The legal move that the text means, or why there is none."""
        legal = self.moves(s)
        if not legal:
            raise IllegalAction(f"{text!r} cannot be played: the game is over", self.end(s))
        found = matching(str(text), legal, self.is_960)
        if len(found) == 1:
            return found[0]
        if found:
            named = ", ".join(san(m, legal) for m in found)
            raise IllegalAction(f"{text!r} is ambiguous", "one of " + named)
        shown = ", ".join(san(m, legal) for m in legal[:12])
        more = f", … ({len(legal)} in all)" if len(legal) > 12 else ""
        raise IllegalAction(f"{text!r} is not a legal move here", f"legal: {shown}{more}")

    # -- what can be asked of a position ----------------------------------------------------
    def in_check(self, s: State) -> bool:
        return _core.chess_in_check(self.data(s))

    def end(self, s: State) -> str:
        """Why the game is over: checkmate, stalemate, threefold repetition…; else nothing."""
        word = _core.chess_end(self.data(s), self.automatic)
        return ENDS[word][self.automatic] if word in ENDS else word

    def see(self, s: State, a: Any) -> int:
        """What exchanges on the move's square win for it, in hundredths of a pawn."""
        return _core.chess_see(self.data(s), self.find(a, s).code)

    # -- positions --------------------------------------------------------------------------
    def format_state(self, s: State) -> str:
        return fen.format_fen(_core.chess_parts(self.data(s)))

    def parse_state(self, text: str) -> State:
        start, word, moves = str(text).partition("moves")
        if not word and "/" not in text and text.strip() != "startpos":
            start, moves = "startpos", text
        start = start.strip().removeprefix("fen ")
        s = self.initial() if start in ("startpos", "") else State(self, fen.parse_fen(start))
        for number, move in enumerate(written_moves(moves), 1):
            s = self.play_written(s, text, number, move)
        return s

    def parse_epd(self, line: str) -> tuple[State, Epd]:
        """The position of a line of EPD, and its operations (bm, am, id, ce…)."""
        position, operations = parse_epd(line)
        counts = [operations.get(name, [""])[0] for name in ("hmvc", "fmvn")]
        for name, count in zip(("hmvc", "fmvn"), counts, strict=True):
            if count and not (count.isascii() and count.isdigit()):
                raise BadPosition(
                    f"line {line!r}: {name} {count!r} is not a number", "e.g. hmvc 0;"
                )
        return self.parse_state(f"{position} {counts[0] or 0} {counts[1] or 1}"), operations

    def format_epd(self, s: State, operations: Epd | None = None) -> str:
        """A line of EPD."""
        return format_epd(" ".join(self.format_state(s).split()[:4]), operations or {})

    def line_gains(self, s: State, line: Sequence[Any]) -> str:
        """The pieces that a line wins for the mover, and those it loses."""
        end = s
        for a in line:
            end = self.result(end, a)
        before, mover, *_ = _core.chess_parts(self.data(s))
        after = _core.chess_parts(self.data(end))[0]
        men = [after.count(m) - before.count(m) for m in "PNBRQpnbrq"]
        own, other = (men[:5], men[5:]) if mover == 0 else (men[5:], men[:5])
        return exchange([o - x for o, x in zip(own, other, strict=True)])

    # -- looks ------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        men, mover, *_ = _core.chess_parts(self.data(s))
        rows = [f"{r + 1} {' '.join(men[8 * r : 8 * r + 8])}" for r in range(7, -1, -1)]
        over = self.end(s)
        side = ("White", "Black")[mover]
        check = ", in check" if self.in_check(s) else ""
        return "\n".join([*rows, "  a b c d e f g h", over or f"{side} to move{check}"])

    record_format = "PGN"

    def parse_record(self, text: str) -> GameRecord:
        from .record import parse_record

        return parse_record(text)

    def format_record(self, text: str, actions: Sequence[Any]) -> str:
        from .record import format_record

        return format_record(self, text, actions)

    def svg(self, s: State) -> str:
        return self.draw(s)

    def svg_for(self, s: State, p: int) -> str:
        return self.draw(s, black_below=p == 1)

    def svg_with(self, s: State, actions: Sequence[Any]) -> str:
        return self.draw(s, arrows=actions)

    def draw(
        self,
        s: State,
        last: str | None = None,
        arrows: Iterable[str] = (),
        black_below: bool = False,
    ) -> str:
        """The board, with the last move marked and arrows (as e2e4) on it."""
        men, mover, *_ = _core.chess_parts(self.data(s))
        king = men.index("Kk"[mover]) if self.in_check(s) else None
        return svg.board(men, last, list(arrows), king, black_below)


def exchange(balance: Sequence[int]) -> str:
    """The material balance in words, as "wins a knight for a pawn" or "loses a rook"."""
    names = ("pawn", "knight", "bishop", "rook", "queen")
    worth = (1, 3, 3, 5, 9)
    sides = []
    for sign in (1, -1):
        parts = [
            f"{'a' if sign * n == 1 else sign * n} {name}{'' if sign * n == 1 else 's'}"
            for n, name in reversed(list(zip(balance, names, strict=True)))
            if sign * n > 0
        ]
        sides.append(" and ".join(parts))
    if not any(balance):
        return ""
    if not sides[0]:
        return "loses " + sides[1]
    total = sum(n * w for n, w in zip(balance, worth, strict=True))
    if total >= 0:
        return f"wins {sides[0]}" + (f" for {sides[1]}" if sides[1] else "")
    return f"loses {sides[1]} for {sides[0]}"


__all__ = ["CASTLE", "Chess", "Move"]
