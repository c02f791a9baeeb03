"""Gambit's files of extensive games (.efg): read as explicit trees, and written of any small game.

``zermelo.load("game.efg")`` and ``zermelo.tree(text)`` read them; :func:`to_efg` writes. A node is
a line: ``c`` chance, ``p`` a player, ``t`` an end. Payoffs of outcomes inside the tree count with
those at its ends.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..checks import check_text
from ..errors import UsageError
from ..files import read_text
from ..game import CHANCE, TERMINAL, as_game, defines, facts_of
from .notation import TreeParts
from .numbers import fraction
from .tree import Tree
from .validation import MAX_PLAYERS

_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([{}])|,|([^\s{},"]+))')
MAX_NODES = 1_000_000
ODDS_DENOMINATOR = 10**6
ODDS_ERROR = 1e-9
MAX_BITS = 2000  # of a payoff's denominator


def read_file(path: str) -> Tree:
    """The game in a file."""
    return read_efg(read_text(path, "expected the path of an .efg file"))


def read_efg(text: str) -> Tree:
    """The game as an explicit tree; players in the order of the file."""
    return _Reader(text).tree()


@dataclass(slots=True)
class _Open:
    """A node whose children are being read. Nodes of an information set share its lists."""

    node: int
    names: list[str]
    odds: list[float]
    paid: list[Fraction]  # by the outcomes on the way to it
    done: int = 0  # children read


def _short(x: Fraction) -> Fraction:
    """`x`, rounded to a double if its denominator is long: sums along a path must stay cheap."""
    return x if x.denominator.bit_length() <= MAX_BITS else Fraction(float(x))


class _Reader:
    """The words of a file, one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text = text.removeprefix("\ufeff")  # a byte order mark
        self.words: list[tuple[str, str, int]] = []  # kind: text, mark, word
        at, end = 0, len(text.rstrip())
        while at < end:
            m = _TOKEN.match(text, at)
            if m is None:
                raise self.wrong(at, "a quotation mark is missing at the end")
            kind = "text" if m[1] is not None else "mark" if m[2] else "word" if m[3] else ""
            if kind:
                self.words.append((kind, m[m.lastindex or 0], m.start(m.lastindex or 0)))
            at = m.end()
        self.at = 0
        self.parts = TreeParts(text)
        self.sets: dict[tuple[int, int], tuple[list[str], list[float]]] = {}  # names, odds
        self.outcomes: dict[int, list[Fraction]] = {}
        self.set_names: dict[tuple[int, int], str] = {}
        self.members: dict[tuple[int, int], list[int]] = {}

    def wrong(self, place: int, message: str, hint: str = "") -> UsageError:
        line = self.text.count("\n", 0, place) + 1
        return UsageError(
            f"the efg text, line {line}: {message}",
            hint or "see the Gambit documentation of .efg files",
        )

    def place(self) -> int:
        return self.words[self.at][2] if self.at < len(self.words) else len(self.text)

    def is_next(self, kind: str, value: str | None = None) -> bool:
        if self.at >= len(self.words):
            return False
        k, v, _ = self.words[self.at]
        return k == kind and value in (None, v)

    def take(self, kind: str, what: str) -> str:
        if not self.is_next(kind):
            raise self.wrong(self.place(), f"{what} is missing")
        self.at += 1
        return self.words[self.at - 1][1]

    def number(self, what: str) -> Fraction:
        place, word = self.place(), self.take("word", what)
        try:
            return fraction(word)
        except ValueError:
            raise self.wrong(place, f"{word!r} is not a number") from None

    def whole(self, what: str) -> int:
        place, value = self.place(), self.number(what)
        if value.denominator != 1:
            raise self.wrong(place, f"{what} is not a whole number")
        return int(value)

    def skip_mark(self, mark: str) -> None:
        if not self.is_next("mark", mark):
            raise self.wrong(self.place(), f"{mark!r} is missing")
        self.at += 1

    def tree(self) -> Tree:
        for word in ("EFG", "2"):
            if self.take("word", "the header EFG 2 R") != word:
                raise self.wrong(
                    0,
                    "this is not a version 2 game",
                    'expected a file that starts with EFG 2 R "title"',
                )
        self.take("word", "R")
        title = self.take("text", "the title")
        self.skip_mark("{")
        players = 0
        while self.is_next("text"):
            self.at, players = self.at + 1, players + 1
        if not 1 <= players <= MAX_PLAYERS:
            who = f"there are {players} players" if players else "there are no players"
            raise self.wrong(self.place(), who, f"expected 1 to {MAX_PLAYERS} players")
        self.skip_mark("}")
        if self.is_next("text"):  # a comment
            self.at += 1
        self.nodes(players)
        if self.at < len(self.words):
            raise self.wrong(self.place(), "there is text after the end of the tree")
        for (player, number), nodes in self.members.items():
            if len(nodes) > 1:
                for node in nodes:
                    name = self.set_names.get((player, number), "")
                    self.parts.labels[node] = f"{player}.{number} {name}".strip()
        made = Tree(title or "efg", self.parts)
        made.remake = (read_efg, (self.text,))
        return made

    def nodes(self, players: int) -> None:
        """The tree in preorder, without recursion."""
        parts = self.parts
        nothing = [Fraction(0)] * players
        open_ = [_Open(-1, [""], [], nothing)]
        while open_:
            top = open_[-1]
            child = top.done
            top.done += 1
            if top.done == len(top.names):
                open_.pop()
            node, place = len(parts.parent), self.place()
            kind = self.take("word", "a node")
            self.take("text", "the name of a node")
            parts.parent.append(top.node)
            parts.place.append(place)
            parts.odds.append(top.odds[child] if top.odds else 0.0)
            if top.node >= 0:
                parts.names[node] = top.names[child]
            if kind == "t":
                parts.to_move.append(TERMINAL)
                all_ = self.outcome(players, top.paid)
                parts.value.append(tuple(float(u) for u in all_))
                continue
            if kind not in ("c", "p"):
                raise self.wrong(place, f"invalid node type {kind!r}", "expected c, p or t")
            player = self.whole("the player") - 1 if kind == "p" else CHANCE
            if player >= players or player < CHANCE or (player == CHANCE and kind == "p"):
                raise self.wrong(place, f"unknown player {player + 1}")
            below, chances = self.moves(player, node)
            parts.to_move.append(player)
            open_.append(_Open(node, below, chances, self.outcome(players, top.paid)))

    def moves(self, player: int, node: int) -> tuple[list[str], list[float]]:
        """The names of a node's moves, and their odds where chance moves."""
        place, number = self.place(), self.whole("the information set")
        if self.is_next("text"):
            self.set_names.setdefault((player, number), self.take("text", "a name"))
        if self.is_next("mark", "{"):
            self.at += 1
            names: list[str] = []
            odds: list[float] = []
            while self.is_next("text"):
                names.append(self.take("text", "a move") or str(len(names) + 1))
                if player == CHANCE:
                    where = self.place()
                    p = self.number("a probability")
                    if not 0 < p <= 1:
                        raise self.wrong(
                            where, f"invalid probability {p}: expected more than 0 and at most 1"
                        )
                    odds.append(float(p))
            self.skip_mark("}")
            if not names:
                raise self.wrong(place, "a node has no moves")
            total = math.fsum(odds)  # an exact sum of many fractions takes quadratic time
            if player == CHANCE and abs(total - 1) > ODDS_ERROR:
                raise self.wrong(place, f"the probabilities add up to {total:g}, not 1",
                                 "use fractions, e.g. 1/3, which are exact")  # fmt: skip
            if self.sets.setdefault((player, number), (names, odds)) != (names, odds):
                raise self.wrong(place, f"information set {number} appears with different moves")
        elif (player, number) not in self.sets:
            raise self.wrong(place, f"information set {number} has no moves")
        if player != CHANCE:
            self.members.setdefault((player, number), []).append(node)
        return self.sets[player, number]

    def outcome(self, players: int, paid: list[Fraction]) -> list[Fraction]:
        """What was paid before and what this outcome pays."""
        place, number = self.place(), self.whole("the outcome")
        if self.is_next("text") and number:
            self.at += 1
        if self.is_next("mark", "{"):
            self.at += 1
            found = []
            while not self.is_next("mark", "}"):
                found.append(self.number("a payoff"))
            self.at += 1
            if len(found) != players:
                raise self.wrong(
                    place,
                    f"outcome {number} has {len(found)} payoffs",
                    "give one payoff per player",
                )
            if self.outcomes.setdefault(number, found) != found:
                raise self.wrong(
                    place,
                    f"outcome {number} appears with different payoffs",
                    "give it a new number",
                )
        elif number and number not in self.outcomes:
            raise self.wrong(place, f"outcome {number} has no payoffs")
        if not number:
            return paid
        return [_short(a + b) for a, b in zip(paid, self.outcomes[number], strict=True)]


def to_efg(game: Any, title: str | None = None) -> str:
    """Export the whole tree of a small game to Gambit's .efg format.

    Information sets come from ``observation(s, p)``.

    Args:
        game: The game.
        title: The title of the file; by default the game's name.

    Returns:
        The text of the file.

    Raises:
        NotSupported: The tree is too large.

    Example:
        >>> import zermelo
        >>> print(zermelo.to_efg(zermelo.tree("max(3 5)")).splitlines()[0])
        EFG 2 R "max(3 5)" { "Player 1" "Player 2" }
    """
    g = as_game(game)
    if title is not None:
        check_text("a title", title)
    players = facts_of(g).players
    names = " ".join(f'"Player {p + 1}"' for p in range(players))
    lines = [f'EFG 2 R "{_quoted(title or g.name)}" {{ {names} }}', '""', ""]
    sets: dict[tuple[int, Any], int] = {}
    counts = [0] * (players + 1)
    ends = 0
    waiting = [g.initial()]
    while waiting:
        if len(lines) > MAX_NODES:
            raise UsageError(
                f"the tree of {g.name} has more than {MAX_NODES:,} nodes", "export a smaller game"
            )
        s = waiting.pop()
        if g.is_terminal(s):
            ends += 1
            pays = ", ".join(number(g.utility(s, p)) for p in range(players))
            lines.append(f't "" {ends} "" {{ {pays} }}')
            continue
        player = g.player(s)
        if player == CHANCE:
            outcomes = list(g.outcomes(s))
            moves = [a for a, _ in outcomes]
            odds = fractions([p for _, p in outcomes])
            actions = " ".join(f'"{_quoted(g.format_action(s, a))}" {p}'
                            for a, p in zip(moves, odds, strict=True))  # fmt: skip
            counts[players] += 1
            lines.append(f'c "" {counts[players]} "" {{ {actions} }} 0')
        else:
            moves = list(g.actions(s))
            seen = g.observation(s, player) if defines(g, "observation") else s
            if (player, seen) not in sets:
                counts[player] += 1
                sets[player, seen] = counts[player]
            actions = " ".join(f'"{_quoted(g.format_action(s, a))}"' for a in moves)
            lines.append(f'p "" {player + 1} {sets[player, seen]} "" {{ {actions} }} 0')
        waiting += [g.result(s, a) for a in reversed(moves)]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def number(u: float) -> str:
    """A payoff: whole numbers without a point, else as exact as it is."""
    near = Fraction(u).limit_denominator(ODDS_DENOMINATOR)
    return str(near) if float(near) == u else repr(float(u))


def fractions(odds: list[float]) -> list[Fraction]:
    """The same odds as fractions that add up to 1, which readers of the format ask for."""
    found = [Fraction(p).limit_denominator(ODDS_DENOMINATOR) for p in odds]
    return [p / sum(found) for p in found]
