"""From tokens to games. The open variations are a stack: nesting costs no recursion."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from ....checks import check_text
from ....errors import UsageError
from ....files import reason, shown
from .tokens import RESULTS, Lines, PgnError, Token, tokens
from .tree import Pgn, Ply, first_position, played, rules

MAX_NESTING = 100  # variations within variations
MAX_MOVES = 100_000  # of a game with its variations
MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}  # as numbers (NAGs)
NUMBER = re.compile(r"\d+\.+|\d+$|\.+")  # of a move, before it
SUFFIX = re.compile(r"[!?]+$")
END = "a game ends with 1-0, 0-1, 1/2-1/2 or *"

OnError = Callable[[PgnError], object]


def read(
    source: str | Path | IO[bytes], strict: bool = True, on_error: OnError | None = None
) -> Iterator[Pgn]:
    """The games of a file, one by one.

    strict: the first fault is an error. Otherwise a game with a fault is skipped and `on_error` is
    called (by default a warning). A game that only lacks its result counts as unfinished.
    """
    if not isinstance(source, str | Path):
        if not hasattr(source, "readline"):
            raise UsageError(f"{source!r} is not a file", "expected a path or an open file")
        yield from _games(Lines(source), strict, on_error or _warn)
        return
    try:
        file = open(source, "rb")  # noqa: SIM115  (closed below)
    except (OSError, ValueError) as e:
        raise UsageError(
            f"{shown(source)} cannot be read: {reason(e)}", "expected a PGN file"
        ) from None
    with file:
        yield from _games(Lines(file), strict, on_error or _warn)


def reads(text: str, strict: bool = True, on_error: OnError | None = None) -> Iterator[Pgn]:
    """The games of a text."""
    return read(io.BytesIO(check_text("PGN", text).encode(errors="replace")), strict, on_error)


def _warn(error: PgnError) -> None:
    warnings.warn(str(error), stacklevel=3)


def _games(lines: Lines, strict: bool, on_error: OnError) -> Iterator[Pgn]:
    stream = tokens(lines)
    token: Token | None = None  # of the next game, already looked at
    number = 0
    while token is None or token.kind != "end":
        number += 1
        reader = Reader(strict)
        try:
            one, token = reader.game(stream, token)
        except (PgnError, OSError) as e:
            error = e if isinstance(e, PgnError) else PgnError(str(e), "", lines.number)
            error.game = number
            if strict:
                raise error from None
            on_error(error)
            one, token = None, reader.next
            if token is None:
                token, stream = _next_game(lines, reader.last)
        if one is not None:
            yield one


def _next_game(lines: Lines, last: Token | None) -> tuple[Token | None, Iterator[Token]]:
    """After a fault: skip to the first tag after a line without one."""
    in_tags = last is not None and last.kind in ("tag", "bad") and last.first
    while True:
        try:
            text = lines.next()
        except PgnError:
            continue  # a line that is too long
        except OSError:
            text = None
        if text is None:
            return Token("end", "", lines.number), iter(())
        if text.startswith("[") and not in_tags:
            lines.again = text
            return None, tokens(lines)
        in_tags = text.startswith("[")


@dataclass
class Line:
    """A line of moves that is being read."""

    data: bytes  # after its last move
    before: bytes  # before it
    moves: list[Ply] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)  # comments before its first move


class Reader:
    """Reads one game."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self.pgn = Pgn()
        self.stack: list[Line] = []  # the main line, and the variations that are open
        self.count = 0
        self.last: Token | None = None
        self.next: Token | None = None  # where the next game begins, if that is known

    def game(self, stream: Iterator[Token], token: Token | None) -> tuple[Pgn | None, Token | None]:
        """The game, and the token of the next one that had to be looked at."""
        pgn = self.pgn
        while True:
            token = token or next(stream, Token("end", "", 0))
            self.last = token
            if token.kind == "end" and not (self.stack or pgn.tags):
                return None, token
            pgn.line = pgn.line or token.line
            if token.kind == "end" or (token.kind == "tag" and self.stack):
                self.next = token
                if len(self.stack) > 1:
                    raise fault(token, "the game ends inside a variation", "close it with )")
                if self.strict:
                    raise fault(token, "the game ends without a result", END)
                return pgn, token
            if token.kind == "tag":
                pgn.tags.setdefault(token.text, token.value)
            elif token.kind == "comment":
                self.comment(token.text)
            elif token.kind == "bad":
                raise fault(token, f"unexpected {token.text!r}", 'a tag is [Name "value"]')
            elif self.step(token):
                pgn.result = token.text
                return pgn, None
            token = None

    def comment(self, text: str) -> None:
        if not self.stack or (len(self.stack) == 1 and not self.stack[0].moves):
            self.pgn.comments.append(text)
        elif self.stack[-1].moves:
            self.stack[-1].moves[-1].comments.append(text)
        else:
            self.stack[-1].opening.append(text)

    def step(self, token: Token) -> bool:
        """A word of the game or a bracket; True: it ends the game."""
        if not self.stack:
            self.begin(token)
        line = self.stack[-1]
        if token.kind == "(":
            if not line.moves:
                raise fault(
                    token, "a variation appears before the first move", "a variation follows a move"
                )
            if len(self.stack) > MAX_NESTING:
                raise fault(token, f"variations are nested more than {MAX_NESTING} deep")
            self.stack.append(Line(line.before, line.before))
        elif token.kind == ")":
            if len(self.stack) == 1:
                raise fault(token, "unmatched )", "remove it")
            if not line.moves:
                raise fault(token, "a variation has no move", "remove it")
            self.stack.pop()
            self.stack[-1].moves[-1].variations.append(line.moves)
        elif token.text in RESULTS:
            return len(self.stack) == 1  # ignored in a variation
        else:
            self.word(token, line)
        return False

    def begin(self, token: Token) -> None:
        try:
            self.game_rules = rules(self.pgn.tags)
            data = first_position(self.pgn.tags)
        except UsageError as e:
            raise fault(token, e.message, e.hint) from None
        self.stack.append(Line(data, data))
        self.pgn.moves = self.stack[0].moves

    def word(self, token: Token, line: Line) -> None:
        """A move with its number and marks, or one of these alone."""
        word = token.text
        if word[0] == "$" or word in MARKS:
            if line.moves:
                number = MARKS[word] if word in MARKS else int(word[1:10])
                line.moves[-1].nags.append(number)
            return
        if number_found := NUMBER.match(word):
            word = word[number_found.end() :]
        if not word or word == "e.p.":
            return
        marks = SUFFIX.search(word)
        self.count += 1
        if self.count > MAX_MOVES:
            raise fault(token, f"the game has more than {MAX_MOVES:,} moves")
        try:
            move, after = played(self.game_rules, line.data, SUFFIX.sub("", word))
        except ValueError as e:
            raise fault(token, f"{word[:40]!r} {e}", self.where(line)) from None
        ply = Ply(move.uci(self.game_rules.is_960), before=line.opening)
        if marks and marks[0] in MARKS:
            ply.nags.append(MARKS[marks[0]])
        line.opening = []
        line.moves.append(ply)
        line.before, line.data = line.data, after

    def where(self, line: Line) -> str:
        from ...native import State

        return "in " + self.game_rules.format_state(State(self.game_rules, line.data))


def fault(token: Token, message: str, hint: str = "") -> PgnError:
    return PgnError(message, hint, token.line)
