"""Tablebases: every position of a small game or of its endgames, solved.

A directory has one file per endgame class, or one file for a small game. Files are mapped into
memory and checked as they are used.
"""

from __future__ import annotations

import hashlib
import os
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .. import _core
from ..checks import check_path
from ..errors import NotSupported, SearchBudgetExceeded, TableError, UsageError
from ..files import shown as shown_path
from ..game import Game, as_game, facts_of
from ..games import canonical
from ..games.native import NativeGame
from ..search.adapter import Adapter, adapt
from .fingerprint import behaviour

SUFFIX = ".ztb"
SMALL = "positions"  # the file of a small game
FROM, BEGINNING = "all positions from ", "the initial position"


class Verdict(NamedTuple):
    """The entry of a position in a table."""

    value: float  # of player 0
    distance: int | None  # plies to the end if both sides play optimally; None: a draw


@dataclass(frozen=True, slots=True)
class TableInfo:
    """The contents of one file. Wins and losses are those of player 0."""

    name: str
    layout: str  # endgame | reachable | scores
    positions: int
    wins: int
    draws: int
    losses: int
    longest: int | None  # plies of the longest win
    sample: str  # a position with the longest win
    bytes: int  # per value

    @classmethod
    def of(cls, raw: dict[str, Any]) -> TableInfo:
        known = {k: v for k, v in raw.items() if k != "count"}
        return cls(**known | {"longest": None if raw["longest"] < 0 else raw["longest"]})


class Progress(NamedTuple):
    """The progress of a build, reported a few times per second."""

    table: str  # the table that is being built
    number: int  # its number, from 1
    of: int
    phase: str
    done: int
    total: int  # 0: not known
    seconds: float  # since the start of this table


@dataclass
class Tablebase:
    """Solved positions of one game. Use ``probe(state)``, or pass it to a search.

    Attributes:
        game: The game.
        path: The directory, or None if the tables are in memory.
        tables: One entry per table.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("tic-tac-toe")
        >>> zermelo.tablebase(game).probe(game.initial()).value
        0.0
    """

    game: Game
    path: Path | None  # None: in memory only
    tables: list[TableInfo] = field(default_factory=list)
    built: int = 0  # positions that this call solved
    seconds: float = 0.0  # time that this call took
    start: Any = None  # the first position of a small game's table
    native: _core.Tables = field(default_factory=_core.Tables, repr=False)

    def probe(self, state: Any) -> Verdict | None:
        """The value and the distance of a position; None if it is not in the tables."""
        b = adapt(self.game)
        found = self.native.probe(b.handle, b.flat(state))
        return None if found is None else Verdict(found[0], None if found[1] < 0 else found[1])

    def __contains__(self, state: Any) -> bool:
        return self.probe(state) is not None

    @property
    def positions(self) -> int:
        return sum(t.positions for t in self.tables)

    @property
    def longest(self) -> TableInfo | None:
        """The table with the longest win."""
        won = [t for t in self.tables if t.longest is not None]
        return max(won, key=lambda t: t.longest or 0, default=None)

    def verify(
        self, *, time: float | None = None, progress: Callable[[Progress], object] | None = None
    ) -> int:
        """Check every position against its successors; returns the number of positions."""
        b = adapt(self.game)
        numbers = {name: i for i, (name, _, _) in enumerate(_core.endgame_classes(b.handle))}
        for i, t in enumerate(self.tables):
            report = native_progress(progress, t.name, i + 1, len(self.tables))
            small = t.layout != "endgame"
            number = -1 if small else numbers[t.name]
            state = b.flat(self.begin(t.name)) if small else b""
            raw = _core.verify_table(
                b.handle, self.native, number, state, time or 0.0, describe(b), report
            )
            raise_if_stopped(raw[1], "the verification")
        return self.positions

    def begin(self, name: str) -> Any:
        """The first position of a small game's table."""
        text = name.removeprefix(FROM)
        if self.start is not None:
            return self.start
        return self.game.initial() if text == BEGINNING else self.game.parse_state(text)

    def open(self, file: Path, name: str = "") -> TableInfo:
        named = identity(self.game, file.stem == SMALL)
        info = TableInfo.of(self.native.open(str(file), named, name))
        self.tables.append(info)
        return info


def native_progress(
    to: Callable[[Progress], object] | None, table: str, number: int, of: int
) -> Callable[[str, int, int], None] | None:
    """The callback for native code, which adds the name of the table; None if `to` is None."""
    if to is None:
        return None
    start = clock.perf_counter()

    def report(phase: str, done: int, total: int) -> None:
        to(Progress(table, number, of, phase, done, total, clock.perf_counter() - start))

    return report


def open_tablebase(game: Any, path: str | os.PathLike[str]) -> Tablebase:
    """Open the tablebase of a game in a directory, without building anything.

    Args:
        game: The game.
        path: The directory.

    Returns:
        The tablebase.

    Raises:
        TableError: The directory has no tables of this game, or a damaged one.

    Example:
        >>> import tempfile, zermelo
        >>> game = zermelo.load("dodgem")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     built = zermelo.tablebase(game, folder)
        ...     zermelo.open_tablebase(game, folder).positions == built.positions
        True
    """
    the_game = as_game(game)
    check_fits(the_game)
    home = native_path(path)
    files = sorted(home.glob("*" + SUFFIX)) if home.is_dir() else []
    if not files:
        raise TableError(
            f"{home} contains no tables",
            f"build them: zermelo tablebase {the_game.name} --out {home}",
        )
    found = Tablebase(the_game, home)
    for file in files:
        found.open(file)
    return found


def as_tablebase(game: Game, given: Any) -> Tablebase:
    """The tablebase of a search option: a directory, or an open tablebase of this game."""
    if isinstance(given, Tablebase):
        small = any(t.layout != "endgame" for t in given.tables)
        if identity(given.game, small) != identity(game, small):
            raise UsageError(
                f"this is a tablebase for {given.game.name}, not for {game.name}",
                "use the tablebase of this game",
            )
        return given
    if isinstance(given, str | os.PathLike):
        return open_tablebase(game, given)
    raise UsageError(f"invalid tablebase={given!r}", "expected the path of a directory")


def raise_if_stopped(why: str, what: str) -> None:
    """Raise the error for native work that stopped early; `why` is "" if it is complete."""
    if why == "interrupted":
        raise KeyboardInterrupt
    if why:
        raise SearchBudgetExceeded(
            f"{what} was stopped ({why})",
            "finished tables are saved; run the command again to resume",
        )


def check_fits(game: Game) -> None:
    """Raise NotSupported for games that tablebases do not cover."""
    facts = facts_of(game)
    for misfit, so in (
        ("hidden information", facts.hidden),
        ("chance", facts.chance),
        (f"{facts.players} players", facts.players > 2),
        ("utilities that do not sum to zero", facts.players == 2 and not facts.zero_sum),
    ):
        if so:
            raise NotSupported(
                f"tablebases do not support games with {misfit}",
                "supported: one or two players, zero-sum, no chance, perfect information",
            )


def native_path(path: Any) -> Path:
    """A path that native code can open, which reads paths as UTF-8."""
    home = check_path("path", path)
    if shown_path(home) != str(home):
        raise UsageError(f"{shown_path(home)} is not UTF-8", "choose another directory")
    return home


def describe(b: Adapter) -> Callable[[bytes], str]:
    """A function that writes a flat state in the game's notation."""
    return lambda flat: b.game.format_state(b.state(flat))


def identity(game: Game, small: bool = True) -> str:
    """A text that identifies the rules. A table with another identity is refused."""
    if isinstance(game, NativeGame):
        name = canonical(game.spec) if small else game.endgames or canonical(game.spec)
        digest = hashlib.blake2b(name.encode(), digest_size=8).hexdigest()
        return name if len(name) <= 200 else f"{name[:150]}… ({digest})"
    kind = "compiled, " if hasattr(game, "native_spec") else ""
    return f"{game.name} ({kind}{behaviour(game):016x})"
