"""A game as text, in lines of a given width; reading it gives the same tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .... import _core
from ....errors import UsageError
from .reading import MAX_NESTING
from .tokens import RESULTS
from .tree import Pgn, Ply, first_position, played, written

if TYPE_CHECKING:
    from .. import Chess

WIDTH = 79
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")  # these come first
TAG_NAME = re.compile(r"\w[\w+#=:.-]{0,254}")


def format_pgn(pgn: Pgn, width: int = WIDTH) -> str:
    """The game as PGN, with a newline at the end."""
    if pgn.result not in RESULTS:
        raise UsageError(f"{pgn.result!r} is not a result", "one of " + ", ".join(RESULTS))
    rows = []
    for name in sorted(pgn.tags, key=lambda n: ROSTER.index(n) if n in ROSTER else len(ROSTER)):
        if not TAG_NAME.fullmatch(name):
            raise UsageError(f"{name!r} is not a tag name", "expected letters, digits and _")
        value = " ".join(pgn.tags[name].splitlines()).replace("\\", "\\\\").replace('"', '\\"')
        rows.append(f'[{name} "{value}"]')
    if rows:
        rows.append("")
    text = _Text(width)
    for comment in pgn.comments:
        text.comment(comment)
    _line(text, pgn.game, first_position(pgn.tags), pgn.moves, 0)
    text.word(pgn.result)
    return "\n".join([*rows, *text.rows()]) + "\n"


def _line(text: _Text, game: Chess, data: bytes, moves: list[Ply], depth: int) -> None:
    """A line of moves with its variations."""
    if depth > MAX_NESTING:
        raise UsageError(f"variations are nested more than {MAX_NESTING} deep", "use fewer levels")
    numbered = True  # the next move needs its number, whoever makes it
    for ply in moves:
        for comment in ply.before if ply is moves[0] and depth else ():
            text.comment(comment)
        try:
            move, after = played(game, data, ply.action)
        except ValueError as e:
            raise UsageError(
                f"the move {ply.action!r} {e}", "expected a move such as e2e4"
            ) from None
        _, mover, _, _, _, number, _ = _core.chess_parts(data)
        if mover == 0 or numbered:
            text.word(f"{number}." if mover == 0 else f"{number}...")
        text.word(written(game, data, move))
        for nag in ply.nags:
            text.word(f"${nag}")
        for comment in ply.comments:
            text.comment(comment)
        for variation in ply.variations:
            text.open()
            _line(text, game, data, variation, depth + 1)
            text.close()
        numbered = bool(ply.comments or ply.variations)
        data = after


class _Text:
    """Words, wrapped."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.done: list[str] = []
        self.current = ""
        self.prefix = ""

    def word(self, text: str) -> None:
        text, self.prefix = self.prefix + text, ""
        if not self.current:
            self.current = text
        elif len(self.current) + 1 + len(text) > self.width and not text.startswith("%"):
            self.turn()  # (a line that begins with % would be an escape)
            self.current = text
        else:
            self.current += " " + text

    def turn(self) -> None:
        if self.current:
            self.done.append(self.current)
        self.current = ""

    def comment(self, text: str) -> None:
        text = " ".join(text.split())
        if "}" in text:  # only a comment to the end of the line can hold it
            if self.prefix:
                self.word("")
            self.turn()
            self.done.append(";" + text)
        elif text:
            for part in ("{" + text + "}").split(" "):
                self.word(part)

    def open(self) -> None:
        if self.prefix:
            self.word("")
        self.prefix = "("

    def close(self) -> None:
        if self.current:
            self.current += ")"
        else:
            self.word(")")

    def rows(self) -> list[str]:
        self.turn()
        return self.done
