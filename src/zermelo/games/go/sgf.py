"""SGF (Smart Game Format, FF[4]): games of Go as files with variations, comments and setup.

>>> from zermelo.games.go import sgf
>>> game, = sgf.read("(;GM[1]SZ[9]PB[Ann];B[ee]C[tengen](;W[ec];B[])(;W[gc]))")
>>> game.size, game.players, game.moves()
(9, ('Ann', ''), [('black', 'E5'), ('white', 'E7'), ('black', 'pass')])
>>> game.root.children[0].comment, game.variations
('tengen', 1)
>>> print(sgf.to_text(game), end="")
(;GM[1]SZ[9]PB[Ann];B[ee]C[tengen]
(;W[ec];B[])
(;W[gc]))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from numbers import Real
from pathlib import Path

from ...checks import check_whole
from ...errors import BadPosition, UsageError, ZermeloError
from ...files import read_bytes
from ..native import State
from . import Go
from .sgf_parser import MAX_BYTES, parse
from .sgf_replay import Problem, check, rules_of, to_state
from .sgf_tree import SgfCollection, SgfGame, SgfNode
from .sgf_values import (
    MAX_SIZE,
    SgfError,
    escape,
    to_point,
    to_vertex,
    unescape,
    unescape_simple,
)
from .sgf_writer import to_bytes, to_text

__all__ = [
    "MAX_BYTES", "Problem", "SgfCollection", "SgfError", "SgfGame", "SgfNode", "check", "escape",
    "from_moves", "iterate", "read", "read_file", "read_position", "rules_of", "to_point",
    "to_state", "to_text", "to_vertex", "unescape", "unescape_simple", "write",
]  # fmt: skip


MAX_KOMI = 1000.0


def read(source: str | bytes) -> SgfCollection:
    """Read all games of a text or of the bytes of a file.

    Bytes are decoded by the CA property. Without it, or if it does not fit, they are UTF-8, or
    Latin-1 if they are not valid UTF-8. Text before, between and after the games is skipped.

    Args:
        source: SGF, up to 64 MB and two million nodes.

    Returns:
        The games, at least one.

    Raises:
        SgfError: The text is not SGF or not Go; the message has the line and the column.

    >>> [game.komi for game in read("(;GM[1]KM[6.5])(;GM[1])")]
    [6.5, None]
    """
    return list(iterate(source))


def iterate(source: str | bytes) -> Iterator[SgfGame]:
    """Read the games one by one, as `read` does; an error comes after the games before it."""
    if isinstance(source, bytearray | memoryview):
        source = bytes(source)
    if not isinstance(source, str | bytes):
        raise UsageError(f"{source!r} is not SGF", "pass a text or bytes; read_file opens a file")
    return parse(source)


def read_file(path: str | Path) -> SgfCollection:
    """Read all games of a file.

    Raises:
        UsageError: The file cannot be read, or is not SGF (`SgfError`).
    """
    return read(read_bytes(path, "expected an SGF file", MAX_BYTES))


def write(games: SgfGame | Iterable[SgfGame], encoding: str | None = None) -> bytes:
    """The bytes of an SGF file with these games. `read` gives the same games back.

    Args:
        games: A game, or several for one file.
        encoding: Charset of the file, which is also written as CA. By default it is the charset
            of the games (CA), or UTF-8.

    Raises:
        SgfError: A property cannot be written, or the charset does not have a character.

    >>> write(from_moves(["E5", "pass"], size=9, komi=7))
    b'(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[7];B[ee];W[])\\n'
    """
    return to_bytes(games, encoding)


def from_moves(
    moves: Sequence[str | tuple[str, str]],
    size: int = 19,
    komi: float | None = None,
    rules: str = "",
    players: tuple[str, str] = ("", ""),
    result: str = "",
) -> SgfGame:
    """A game without variations.

    Args:
        moves: GTP vertices ("D4", "pass"), Black first, or pairs of colour and vertex.
        size: Lines of the board.
        komi: Points for White.
        rules: The name of the rules, e.g. "Chinese".
        players: The names of Black and White.
        result: The result as SGF writes it: "B+3.5", "W+R", "0" for a draw.

    Raises:
        UsageError: The size or the komi is out of range, or a move is not a vertex (`SgfError`).

    >>> game = from_moves(["D4", "Q16"], komi=6.5, players=("Ann", "Ben"), result="B+R")
    >>> game.moves(), game.winner
    ([('black', 'D4'), ('white', 'Q16')], 'black')
    """
    game = SgfGame(check_whole("size", size, 1, MAX_SIZE))
    root = game.root
    if komi is not None:
        if not isinstance(komi, Real) or not -MAX_KOMI <= komi <= MAX_KOMI:
            raise UsageError(
                f"invalid komi={komi!r}", f"expected a number from {-MAX_KOMI:g} to {MAX_KOMI:g}"
            )
        root.set("KM", f"{round(float(komi), 4):g}")
    named = ("RU", rules), ("PB", players[0]), ("PW", players[1]), ("RE", result)
    for name, text in named:
        root.set_text(name, text)
    node = root
    for number, move in enumerate(moves):
        colour, vertex = (("black", "white")[number % 2], move) if isinstance(move, str) else move
        node = node.add()
        node.set_move(colour, vertex)
    return game


def read_position(go: Go, text: str) -> State:
    """The position after the main line of the first game of a text, by the rules of `go`.

    Raises:
        BadPosition: The text is not SGF, has another board size, or an illegal move.

    >>> import zermelo
    >>> go = zermelo.load("go:size=3")
    >>> s = read_position(go, "(;GM[1]SZ[3];B[bb];W[])")
    >>> go.format_state(s)
    '.../.X./... black pass'
    """
    try:
        return to_state(next(iterate(text)), go=go)
    except ZermeloError as e:
        raise BadPosition(f"position {text!r}: {e.message}", e.hint) from None
