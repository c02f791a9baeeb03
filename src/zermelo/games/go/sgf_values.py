"""Property values of SGF: text with its escapes, points of a Go board, character encodings.

A raw value is the text between the brackets as it stands in the file, with its backslashes. Line
breaks are "\\n".
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

from ...errors import UsageError
from .notation import PASS, parse_vertex, vertex

MAX_SIZE = 25  # lines of a board: GTP has 25 column letters
LETTERS = "abcdefghijklmnopqrstuvwxy"  # of SGF, from the upper left corner

NAME = re.compile(r"[A-Z][A-Z0-9]*")
VALUE = r"[^\]\\]*+(?:\\.[^\]\\]*+)*+"  # a raw value; possessive, so that matching is linear
RAW = re.compile(VALUE, re.DOTALL)
ESCAPED = re.compile(r"\\(.?)|\n", re.DOTALL)
LINE_BREAK = re.compile(r"\r\n?|\n\r?")
BLANKS = str.maketrans("\t\v\f", "   ")


class SgfError(UsageError):
    """A text is not SGF for Go. `line` and `column` count from 1; 0: not about a file."""

    def __init__(self, message: str, hint: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(f"line {line}, column {column}: {message}" if line else message, hint)
        self.line = line
        self.column = column


# -- text ------------------------------------------------------------------------------------------
def unescape(raw: str) -> str:
    """The text of a raw value of type Text.

    >>> unescape("a\\\\]b\\\\\\nc\\td")
    'a]bc d'
    """
    return ESCAPED.sub(lambda m: "\n" if m[1] is None else _literal(m[1]), raw.translate(BLANKS))


def unescape_simple(raw: str) -> str:
    """The text of a raw value of type SimpleText: line breaks become spaces."""
    return ESCAPED.sub(lambda m: " " if m[1] is None else _literal(m[1]), raw.translate(BLANKS))


def _literal(escaped: str) -> str:
    return "" if escaped == "\n" else escaped  # an escaped line break is a soft one


def escape(text: str, composed: bool = False) -> str:
    """The raw value for a text. `composed`: the text is one side of a value like "aa:label".

    >>> print(escape("[1] a:b"), escape("a:b", composed=True))
    [1\\] a:b a\\:b
    """
    raw = LINE_BREAK.sub("\n", text).replace("\\", "\\\\").replace("]", "\\]")
    return raw.replace(":", "\\:") if composed else raw


def split_composed(raw: str) -> tuple[str, str | None]:
    """Both sides of a composed raw value; the second is None if there is no colon."""
    found = re.match(r"([^:\\]*+(?:\\.[^:\\]*+)*+):", raw, re.DOTALL)
    return (found[1], raw[found.end() :]) if found else (raw, None)


# -- points ----------------------------------------------------------------------------------------
def place(point: str, size: int) -> tuple[int, int]:
    """Column and row of an SGF point, from the upper left corner and from 0."""
    column, row = (LETTERS.find(c) for c in point) if len(point) == 2 else (-1, -1)
    if not (0 <= column < size and 0 <= row < size):
        last = LETTERS[size - 1]
        raise SgfError(
            f"{point!r} is not a point of a {size}x{size} board", f"points are aa to {last}{last}"
        )
    return column, row


def to_vertex(point: str, size: int) -> str:
    """The GTP vertex of a move in SGF: "dp" is D4 on 19x19; "" is a pass, "tt" too up to 19x19.

    >>> to_vertex("dp", 19), to_vertex("", 19), to_vertex("tt", 19), to_vertex("tt", 21)
    ('D4', 'pass', 'pass', 'U2')
    """
    if not point or (point == "tt" and size <= 19):
        return PASS
    column, row = place(point, size)
    return vertex(row * size + column, size)


def to_point(move: str, size: int) -> str:
    """The SGF value of a GTP vertex; a pass is "".

    >>> to_point("D4", 19), to_point("pass", 19)
    ('dp', '')
    """
    if str(move).strip().lower() == PASS:
        return ""
    code = parse_vertex(str(move), size)
    if code is None:
        raise SgfError(
            f"{move!r} is not a vertex of a {size}x{size} board",
            f"expected A1 to {vertex(size - 1, size)} (without I), or pass",
        )
    row, column = divmod(code, size)
    return LETTERS[column] + LETTERS[row]


def to_vertices(points: Iterable[str], size: int) -> tuple[str, ...]:
    """The vertices of a list of points, row by row from the top. "aa:cc" is a rectangle.

    >>> to_vertices(["aa:ba", "cc"], 3)
    ('A3', 'B3', 'C1')
    """
    rows = [0] * size  # a bit per column: overlapping rectangles cost no more than others
    for raw in dict.fromkeys(points):
        first, colon, last = raw.partition(":")
        left, top = place(first, size)
        right, bottom = place(last, size) if colon else (left, top)
        if right < left or bottom < top:
            raise SgfError(
                f"{raw!r} is not a rectangle",
                "give the upper left and the lower right corner, as in aa:cc",
            )
        for row in range(top, bottom + 1):
            rows[row] |= (2 << right) - (1 << left)
    return tuple(
        vertex(row * size + column, size)
        for row, bits in enumerate(rows)
        for column in range(size)
        if bits >> column & 1
    )


# -- encodings -------------------------------------------------------------------------------------
ASCII = bytes(range(32, 127))
NOT_TEXT = ("idna", "raw-unicode-escape", "unicode-escape")  # codecs, but no charsets of files
LARGER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
CHARSETS = re.compile(rb"(?<![A-Z])CA\s*\[\s*([\w.:-]{1,40})\s*\]")


def codec(charset: str) -> str | None:
    """The name of a codec in which ASCII is ASCII, or None if the charset is unknown."""
    try:
        name = codecs.lookup(charset.strip()).name
        fits = name not in NOT_TEXT and ASCII.decode(name) == ASCII.decode()
    except (LookupError, ValueError):
        return None
    return name if fits else None


def decode(data: bytes, charset: str | None) -> tuple[str, str]:
    """The text of a file and the codec that fits: its charset, else UTF-8, else Latin-1."""
    name = codec(charset) if charset else None
    for candidate in (name, LARGER.get(name or ""), "utf-8"):
        if candidate:
            try:
                return data.decode(candidate), candidate
            except UnicodeDecodeError:
                pass
    return data.decode("latin-1"), "latin-1"


def encode(text: str, charset: str) -> bytes:
    """The bytes of a text in a charset.

    Raises:
        SgfError: The charset is unknown or does not have all characters of the text.
    """
    hint = 'pass encoding="utf-8"'
    name = codec(charset)
    if name is None:
        raise SgfError(f"unknown charset {charset!r}", hint)
    for candidate in (name, LARGER.get(name, name)):
        try:
            return text.encode(candidate)
        except UnicodeEncodeError as e:
            missing = text[e.start]
    raise SgfError(f"the charset {charset!r} does not have the character {missing!r}", hint)
