"""PGN as a stream of tokens, each with its line: tags, comments, moves, brackets, results.

Files are read line by line, so that a file of any size needs little memory. Lines are UTF-8, or
Latin-1 where they cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, NamedTuple

from ....errors import UsageError

MAX_LINE = 4 << 20  # bytes of a line; whole games on a line are shorter
MAX_COMMENT = 1 << 20  # characters
MAX_WORD = 255
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

TAG = re.compile(r'\[\s*(\w[\w+#=:.-]{0,254})\s*"((?:[^"\\]|\\.)*)"\s*\]')
LOOSE_TAG = re.compile(r'\[\s*(\w[\w+#=:.-]{0,254})\s+"(.*)"\s*\]\s*$')  # quotes inside quotes
WORD = re.compile(r"\$\d+|[^\s(){};$\[\]]+")


class PgnError(UsageError):
    """A file is not PGN; `line` is the place, `game` the number of the game."""

    def __init__(self, message: str, hint: str = "", line: int = 0, game: int = 0) -> None:
        super().__init__(f"line {line}: {message}", hint)
        self.line = line
        self.game = game


class Token(NamedTuple):
    kind: str  # tag | comment | word | ( | ) | bad | end
    text: str
    line: int
    value: str = ""  # of a tag
    first: bool = False  # it begins its line


class Lines:
    """The lines of a file in binary mode, decoded and counted."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.number = 0
        self.again: str | None = None  # a line to be read once more

    def next(self) -> str | None:
        """The next line; None at the end."""
        if self.again is not None:
            text, self.again = self.again, None
            return text
        raw = self.file.readline(MAX_LINE)
        if not raw:
            return None
        self.number += 1
        if self.number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise PgnError("the file is UTF-16", "save it as UTF-8", 1)
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if len(raw) == MAX_LINE and not raw.endswith(b"\n"):
            while (more := self.file.readline(MAX_LINE)) and not more.endswith(b"\n"):
                pass
            raise PgnError(
                f"the line is longer than {MAX_LINE >> 20} MB", "is this a PGN file?", self.number
            )
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("latin-1")


def tokens(lines: Lines) -> Iterator[Token]:
    """The tokens up to the end of the file, the last of kind "end"."""
    while (text := lines.next()) is not None:
        if not text.startswith("%"):  # an escape line: ignored
            yield from _of_line(text, lines)
    yield Token("end", "", lines.number)


def _of_line(text: str, lines: Lines) -> Iterator[Token]:
    at = 0
    first = True
    while at < len(text):
        sign, number = text[at], lines.number
        if sign.isspace():
            at += 1
            continue
        was_first, first = first, False
        if sign == "{":
            comment, text, at = _comment(text, at + 1, lines)
            if comment:
                yield Token("comment", comment, number)
        elif sign == ";":
            if comment := " ".join(text[at + 1 :].split()):
                yield Token("comment", comment, number)
            return
        elif sign in "()":
            yield Token(sign, sign, number)
            at += 1
        elif sign == "[":
            found = TAG.match(text, at) or LOOSE_TAG.match(text, at)
            if not found:
                yield Token("bad", text[at:].strip()[:40], number, first=was_first)
                return
            value = found[2]
            if found.re is TAG:
                value = re.sub(r'\\(["\\])', r"\1", value)
            yield Token("tag", found[1], number, value, was_first)
            at = found.end()
        else:
            found = WORD.match(text, at)
            if not found or len(found[0]) > MAX_WORD:
                yield Token("bad", text[at : at + 40].strip(), number)
                at = found.end() if found else at + 1
                continue
            yield Token("word", found[0], number)
            at = found.end()


def _comment(text: str, at: int, lines: Lines) -> tuple[str, str, int]:
    """The comment that begins at `at`, with single spaces; the line that it ends in, and where."""
    begun = lines.number
    parts: list[str] = []
    size = 0
    while (end := text.find("}", at)) < 0:
        parts.append(text[at:])
        size += len(parts[-1])
        if size > MAX_COMMENT:
            raise PgnError("a comment is not closed", "close it with }", begun)
        more = lines.next()
        if more is None:
            raise PgnError("the file ends inside a comment", "close it with }", begun)
        text, at = more, 0
    parts.append(text[at:end])
    return " ".join("".join(parts).split()), text, end + 1
