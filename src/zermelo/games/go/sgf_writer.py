"""Writes SGF. Reading the text gives the same tree with the same properties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .sgf_tree import SgfGame, SgfNode, check_property
from .sgf_values import SgfError, codec, encode

WIDTH = 80  # of a line, except for long values


def to_text(games: SgfGame | Iterable[SgfGame], charset: str | None = None) -> str:
    """The games as SGF text.

    Args:
        games: A game, or several for one file.
        charset: The value of CA to write instead of the games' own.
    """
    games = [games] if isinstance(games, SgfGame) else list(games)
    return "".join(_wrapped(_pieces(game, charset)) for game in games)


def to_bytes(games: SgfGame | Iterable[SgfGame], encoding: str | None = None) -> bytes:
    """The games as the bytes of an SGF file, see `zermelo.games.go.sgf.write`."""
    games = [games] if isinstance(games, SgfGame) else list(games)
    if encoding is not None:
        return encode(to_text(games, encoding), encoding)
    charsets = [(game.root.raw("CA") or "").strip() for game in games]
    known = {codec(charset) or "utf-8" for charset in charsets}
    if len(known) > 1:
        raise SgfError(
            f"the games have different charsets: {', '.join(sorted(known))}",
            'pass encoding="utf-8"',
        )
    return encode(to_text(games), *known or ("utf-8",))


def _pieces(game: SgfGame, charset: str | None) -> Iterator[str]:
    """The text of a game in pieces between which lines may be broken."""
    stack: list[SgfNode | None] = [game.root]  # None closes a variation
    opened = True  # the next node starts a variation
    while stack:
        node = stack.pop()
        if node is None:
            yield ")"
            continue
        if opened or (node.parent is not None and len(node.parent.children) > 1):
            start = "\n(;"
            stack.append(None)
            opened = False
        else:
            start = ";"
        first, *rest = _properties(node, charset) or [""]
        yield start + first
        yield from rest
        stack.extend(reversed(node.children))


def _properties(node: SgfNode, charset: str | None) -> list[str]:
    properties = node.properties
    if charset is not None and node.parent is None:
        properties = properties | {"CA": [charset]}
    return [
        name + "".join(f"[{value}]" for value in check_property(name, values))
        for name, values in properties.items()
    ]


def _wrapped(pieces: Iterable[str]) -> str:
    """The pieces in lines; a piece that starts with a line break starts a line."""
    parts: list[str] = []
    length = 0
    for piece in pieces:
        new_line = piece.startswith("\n")
        if new_line or length + len(piece) > WIDTH:
            if parts:
                parts.append("\n")
            length = 0
        piece = piece[new_line:]
        parts.append(piece)
        length += len(piece)
    return "".join(parts) + "\n"
