"""The tree of an SGF file: games, and nodes with their properties in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .sgf_values import (
    MAX_SIZE,
    NAME,
    RAW,
    SgfError,
    escape,
    split_composed,
    to_point,
    to_vertex,
    to_vertices,
    unescape,
    unescape_simple,
)

COLOURS = {"B": "black", "W": "white"}
PLAYERS = {"b": "black", "w": "white", "1": "black", "2": "white"}  # old files have numbers
NUMBER = re.compile(r"[+-]?\d{1,9}", re.ASCII)
REAL = re.compile(r"[+-]?\d{1,9}(?:[.,]\d{0,9})?|[+-]?[.,]\d{1,9}", re.ASCII)
GAMES = {
    "2": "Othello", "3": "chess", "4": "Gomoku", "5": "Nine Men's Morris", "6": "backgammon",
    "7": "xiangqi", "8": "shogi", "9": "Lines of Action", "10": "Ataxx", "11": "Hex",
}  # fmt: skip


class SgfNode:
    """A node of the tree.

    Attributes:
        properties: Raw values by property name, in the order of the file.
        children: The variations; the first is the main line.
        parent: The node before, or None for the root.
        game: The game that the node is part of.
        line, column: Place in the file, counted from 1; 0 for new nodes.
    """

    __slots__ = ("children", "column", "game", "line", "parent", "properties")

    def __init__(
        self, game: SgfGame, parent: SgfNode | None = None, line: int = 0, column: int = 0
    ) -> None:
        self.properties: dict[str, list[str]] = {}
        self.children: list[SgfNode] = []
        self.parent = parent
        self.game = game
        self.line = line
        self.column = column

    def __repr__(self) -> str:
        return f"<SgfNode {node_text(self)[:60]}>"

    def add(self) -> SgfNode:
        """Append a new node as the last variation and return it."""
        child = SgfNode(self.game, self)
        self.children.append(child)
        return child

    def path(self) -> list[SgfNode]:
        """The nodes from the root to this one."""
        found = []
        node: SgfNode | None = self
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    # -- properties ----------------------------------------------------------------------------
    def raw(self, name: str) -> str | None:
        """The first raw value of a property, or None if the node does not have it."""
        values = self.properties.get(name)
        return values[0] if values else None

    def set(self, name: str, *values: str) -> None:
        """Set the raw values of a property; without values, remove it."""
        if values:
            self.properties[name] = check_property(name, list(values))
        else:
            self.properties.pop(name, None)

    def text(self, name: str) -> str:
        """The value of a property of type Text, e.g. a comment (C); "" without it."""
        return unescape(self.raw(name) or "")

    def simple_text(self, name: str) -> str:
        """The value of a property of type SimpleText, e.g. a player's name (PB); "" without it."""
        return unescape_simple(self.raw(name) or "")

    def set_text(self, name: str, text: str) -> None:
        """Set a property of type Text or SimpleText; "" removes it."""
        self.set(name, *([escape(text)] if text else []))

    def number(self, name: str) -> int | None:
        """The value of a property of type Number, e.g. the handicap (HA), or None without it."""
        found = self._matching(name, NUMBER, "a whole number")
        return None if found is None else int(found)

    def real(self, name: str) -> float | None:
        """The value of a property of type Real, e.g. the komi (KM), or None without it."""
        found = self._matching(name, REAL, "a number")
        return None if found is None else float(found.replace(",", ".")) + 0.0

    def _matching(self, name: str, pattern: re.Pattern[str], what: str) -> str | None:
        raw = self.raw(name)
        if raw is None:
            return None
        if not pattern.fullmatch(raw.strip()):
            raise self.error(f"{name}[{raw}] is not {what}", f"expected {what}, as in {name}[5]")
        return raw.strip()

    def error(self, message: str, hint: str = "") -> SgfError:
        """An error at the place of this node."""
        return SgfError(message, hint, self.line, self.column)

    def _at_node(self, error: SgfError, name: str) -> SgfError:
        return self.error(f"{name}: {error.message}", error.hint)

    # -- Go ------------------------------------------------------------------------------------
    @property
    def comment(self) -> str:
        """The comment of the node (C)."""
        return self.text("C")

    @comment.setter
    def comment(self, text: str) -> None:
        self.set_text("C", text)

    @property
    def move(self) -> tuple[str, str] | None:
        """The move as colour and GTP vertex, e.g. ("black", "D4"), or None."""
        for name, colour in COLOURS.items():
            raw = self.raw(name)
            if raw is not None:
                try:
                    return colour, to_vertex(raw.strip(), self.game.size)
                except SgfError as e:
                    raise self._at_node(e, name) from None
        return None

    def set_move(self, colour: str, vertex: str) -> None:
        """Set the move: colour "black" or "white", and a GTP vertex or "pass"."""
        name = str(colour)[:1].upper()
        if str(colour).lower() not in ("b", "w", "black", "white"):
            raise SgfError(f"invalid colour {colour!r}", "expected black or white")
        for other in COLOURS:
            self.set(other)
        self.set(name, to_point(vertex, self.game.size))

    def points(self, name: str) -> tuple[str, ...]:
        """The GTP vertices of a point list, e.g. of AB, AW, AE, TB or TW."""
        values = [v.strip() for v in self.properties.get(name, ()) if v.strip()]
        try:
            return to_vertices(values, self.game.size)
        except SgfError as e:
            raise self._at_node(e, name) from None

    @property
    def is_setup(self) -> bool:
        """Whether the node places or removes stones, or sets the player to move."""
        return any(name in self.properties for name in ("AB", "AW", "AE", "PL"))

    @property
    def to_play(self) -> str | None:
        """The player to move that the node sets (PL): "black", "white" or None."""
        raw = self.raw("PL")
        if raw is None:
            return None
        found = {"b": "black", "w": "white", "1": "black", "2": "white"}.get(
            raw.strip()[:1].lower()
        )
        if found is None:
            raise self.error(f"PL[{raw}] is not a player", "expected PL[B] or PL[W]")
        return found


class SgfGame:
    """A game: the root of its tree, and what the root says about it.

    >>> game = SgfGame(size=9)
    >>> game.root.add().set_move("black", "E5")
    >>> game.size, game.moves()
    (9, [('black', 'E5')])
    """

    def __init__(self, size: int = 19) -> None:
        self.root = SgfNode(self)
        self.encoding = ""  # codec of the file; "" if the game comes from a text
        for name, value in (("FF", "4"), ("GM", "1"), ("CA", "UTF-8"), ("SZ", str(size))):
            self.root.set(name, value)
        check_header(self)

    def __repr__(self) -> str:
        n = len(self.moves())
        return f"<SgfGame {self.size}x{self.size}, {n} move{'s' * (n != 1)}>"

    def __eq__(self, other: object) -> bool:
        """Equal trees with equal raw properties in the same order."""
        from .sgf_writer import to_text

        return isinstance(other, SgfGame) and to_text(self) == to_text(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as text: a pickle of linked nodes would exceed the recursion limit."""
        from .sgf_parser import one_game
        from .sgf_writer import to_text

        return (one_game, (to_text(self), self.encoding))

    # -- the tree ------------------------------------------------------------------------------
    def nodes(self) -> Iterator[SgfNode]:
        """All nodes in the order of the file."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def main_line(self) -> list[SgfNode]:
        """The nodes from the root along the first variations."""
        line = [self.root]
        while line[-1].children:
            line.append(line[-1].children[0])
        return line

    def moves(self) -> list[tuple[str, str]]:
        """The moves of the main line as colour and GTP vertex."""
        return [move for node in self.main_line() if (move := node.move) is not None]

    @property
    def variations(self) -> int:
        """The number of variations beside the main line."""
        return sum(max(0, len(node.children) - 1) for node in self.nodes())

    # -- the root ------------------------------------------------------------------------------
    @property
    def size(self) -> int:
        """Lines of the board (SZ); 19 if the file does not say."""
        raw = self.root.raw("SZ")
        return 19 if raw is None else board_size(self.root, raw.strip())

    @property
    def komi(self) -> float | None:
        """Points for White (KM), or None if the file does not say."""
        return self.root.real("KM")

    @property
    def handicap(self) -> int:
        """Handicap stones (HA)."""
        return self.root.number("HA") or 0

    @property
    def rules(self) -> str:
        """The name of the rules (RU), e.g. "Japanese"."""
        return self.root.simple_text("RU").strip()

    @property
    def players(self) -> tuple[str, str]:
        """The names of Black and White (PB, PW)."""
        return self.root.simple_text("PB").strip(), self.root.simple_text("PW").strip()

    @property
    def result(self) -> str:
        """The result as written (RE), e.g. "B+3.5", "W+R" or "0"."""
        return self.root.simple_text("RE").strip()

    @property
    def winner(self) -> str | None:
        """The winner according to RE: "black", "white", "draw", or None if it is unknown."""
        text = self.result.lower()
        if text in ("0", "draw", "jigo"):
            return "draw"
        return {"b+": "black", "w+": "white"}.get(text[:2])


SgfCollection = list[SgfGame]


def check_property(name: str, values: list[str]) -> list[str]:
    """The values, if the name and the values can be written."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise SgfError(f"invalid property name {name!r}", "expected capital letters, e.g. AB")
    if not values:
        raise SgfError(f"the property {name} has no value", 'an empty value is ""')
    for value in values:
        if not isinstance(value, str) or not RAW.fullmatch(value):
            raise SgfError(
                f"invalid value {value!r} of {name}",
                "set_text escapes ] and \\; a raw value has them escaped",
            )
    return values


def node_text(node: SgfNode) -> str:
    """The node as SGF, e.g. ";B[dd]C[good]"."""
    return ";" + "".join(
        name + "".join(f"[{v}]" for v in values) for name, values in node.properties.items()
    )


def board_size(root: SgfNode, raw: str) -> int:
    """The size of a square board. Some programs write "19:19"."""
    first, second = split_composed(raw)
    hint = f"expected SZ[1] to SZ[{MAX_SIZE}]"
    if second is not None and first.strip() != second.strip():
        raise root.error(f"SZ[{raw}] is not a square board", hint)
    if not re.fullmatch(r"\d{1,4}", first.strip(), re.ASCII):
        raise root.error(f"SZ[{raw}] is not a board size", hint)
    size = int(first)
    if not 1 <= size <= MAX_SIZE:
        raise root.error(f"boards of {size}x{size} are not supported", hint)
    return size


def check_header(game: SgfGame) -> None:
    """Check that the game is Go on a board that we support."""
    kind = (game.root.raw("GM") or "").strip()
    if kind not in ("", "1"):
        what = f" ({GAMES[kind]})" if kind in GAMES else ""
        raise game.root.error(f"GM[{kind}]{what} is not Go", "only games with GM[1] are supported")
    _ = game.size  # raises an error if it is not valid
