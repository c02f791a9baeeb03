"""Reads SGF. The open variations are a stack, so nesting costs no recursion; time is linear."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator

from .sgf_tree import SgfGame, SgfNode, check_header
from .sgf_values import CHARSETS, LINE_BREAK, VALUE, SgfError, codec, decode

MAX_BYTES = 64 << 20  # of a file
MAX_NODES = 2_000_000  # of a file; they need about 1 GB of memory

START = re.compile(r"\(\s*+;")
BLANK = re.compile(r"\s*+")
TOKEN = re.compile(rf"\s*+(?:\[({VALUE})\]|([A-Za-z][A-Za-z0-9]*+)|([;()]))", re.DOTALL)
LOWER = re.compile(r"[a-z]+")


class Parser:
    """Reads the games of a text one by one."""

    def __init__(self, text: str, encoding: str = "") -> None:
        self.text = LINE_BREAK.sub("\n", text) if "\r" in text else text
        self.encoding = encoding
        self.nodes = 0
        self.counted, self.line, self.line_start = 0, 1, 0  # lines are counted up to `counted`

    def games(self) -> Iterator[SgfGame]:
        """The games. Text before, between and after games is skipped."""
        at = 0
        while start := START.search(self.text, at):
            game, at = self.game(start.start() + 1)
            yield game
        if at == 0:
            hint = 'a game starts with "(;"; is this an SGF file in UTF-8?'
            raise self.error("no game found", hint, 0)

    def game(self, at: int) -> tuple[SgfGame, int]:
        """The game whose first parenthesis is before `at`, and where it ends."""
        game = SgfGame.__new__(SgfGame)
        game.encoding = self.encoding
        stack: list[SgfNode | None] = [None]  # the node before each open parenthesis
        node: SgfNode | None = None  # the last node of the open variation
        values: list[str] | None = None  # of the last property
        last = "("  # the token before: ( ) ; name value
        while stack:
            token = TOKEN.match(self.text, at)
            if token is None:
                raise self.unreadable(at, len(stack))
            group = token.lastindex or 0
            text, begin, at = token[group], token.start(group), token.end()
            if last == "name" and group != 1:
                raise self.error("a property has no value", "as in C[text]; empty: C[]", begin)
            if group == 1:
                if values is None:
                    raise self.error("a value has no property name", "as in C[text]", begin - 1)
                values.append(sys.intern(text) if len(text) < 3 else text)
                last = "value"
            elif group == 2:
                if node is None or last in ("(", ")"):
                    raise self.error(f"{text!r} is outside a node", "a node starts with ;", begin)
                values = node.properties.setdefault(self.name(text, begin), [])
                last = "name"
            else:
                self.check_order(last, text, begin)
                if text == "(":
                    stack.append(node)
                elif text == ")":
                    node = stack.pop()
                else:
                    node = self.node(game, node, begin)
                values = None
                last = text
        check_header(game)
        return game, at

    def name(self, text: str, at: int) -> str:
        """The property name without the lower-case letters of old files: AddBlack is AB."""
        name = LOWER.sub("", text)
        if not name or name[0].isdigit():
            raise self.error(f"{text!r} is not a property name", "as in B or AB", at)
        return sys.intern(name)

    def node(self, game: SgfGame, parent: SgfNode | None, at: int) -> SgfNode:
        """A new node, linked to its parent."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.error(f"more than {MAX_NODES:,} nodes", "split the file", at)
        node = SgfNode(game, parent, *self.place(at))
        if parent is None:
            game.root = node
        else:
            parent.children.append(node)
        return node

    def check_order(self, last: str, sign: str, at: int) -> None:
        """Check that `sign`, one of ( ) ;, may follow the token `last`."""
        if last == "(" and sign != ";":
            raise self.error("a variation has no node", "a variation is (;…)", at)
        if last == ")" and sign == ";":
            raise self.error("a node follows a variation", "a variation is (;…)", at)

    # -- places and errors ---------------------------------------------------------------------
    def place(self, at: int) -> tuple[int, int]:
        """Line and column of an offset; offsets must not decrease from call to call."""
        if breaks := self.text.count("\n", self.counted, at):
            self.line += breaks
            self.line_start = self.text.rfind("\n", self.counted, at) + 1
        self.counted = at
        return self.line, at - self.line_start + 1

    def error(self, message: str, hint: str, at: int) -> SgfError:
        return SgfError(message, hint, *self.place(at))

    def unreadable(self, at: int, depth: int) -> SgfError:
        """The error for a text that has no token at `at`."""
        blank = BLANK.match(self.text, at)
        at = blank.end() if blank else at
        if at == len(self.text):
            return self.error(
                "the file ends within a game", f"missing: {min(depth, 9) * ')'}; truncated?", at
            )
        if self.text[at] == "[":
            return self.error("a value is not closed", "missing: ]; truncated?", at)
        return self.error(
            f"unexpected {self.text[at]!r}",
            "expected a property such as B[dd], or ; ( )",
            at,
        )


def parse(source: str | bytes) -> Iterator[SgfGame]:
    """The games of a text or of the bytes of a file, one by one."""
    if isinstance(source, str):
        check_length(len(source), "characters")
        yield from Parser(source.removeprefix("\ufeff")).games()
        return
    check_length(len(source), "bytes")
    if source.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise SgfError("the file is UTF-32", "save it as UTF-8", 1, 1)
    if source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise SgfError("the file is UTF-16", "save it as UTF-8", 1, 1)
    if source.startswith(codecs.BOM_UTF8):
        yield from Parser(*decode(source[3:], "utf-8")).games()
        return
    charsets = [found.decode("ascii") for found in dict.fromkeys(CHARSETS.findall(source))]
    if len({codec(charset) for charset in charsets}) > 1:
        yield from (transcoded(game) for game in Parser(source.decode("latin-1")).games())
    else:
        yield from Parser(*decode(source, charsets[0] if charsets else None)).games()


def transcoded(game: SgfGame) -> SgfGame:
    """A game of a file with several charsets, read as Latin-1: its values get their own charset."""
    charset = game.root.raw("CA")
    for node in game.nodes():
        for values in node.properties.values():
            for i, value in enumerate(values):
                if not value.isascii():
                    values[i], game.encoding = decode(value.encode("latin-1"), charset)
    return game


def check_length(length: int, unit: str) -> None:
    if length > MAX_BYTES:
        raise SgfError(f"{length:,} {unit} are too many", f"at most {MAX_BYTES:,} {unit}")


def one_game(text: str, encoding: str) -> SgfGame:
    """The only game of a text that this package wrote."""
    return next(Parser(text, encoding).games())
