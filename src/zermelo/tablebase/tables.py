"""``zermelo.tablebase``: every position of a small game or of its endgames, solved and kept.

A directory holds one file a class of endgames, or one for a small game. Files are mapped into
memory and checked as they are used; what is finished stays when a build is stopped, and the next
one goes on from there.
"""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
import os
import shutil
import tempfile
import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .. import _core
from ..checks import check_limits, check_path, check_whole
from ..errors import NotSupported, SearchBudgetExceeded, TableError, UsageError, suggest
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
    """What a table says of a position."""

    value: float  # player 0's
    distance: int | None  # plies to the end, the winner hurrying, the loser delaying; None: a draw


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What one file holds. Wins and losses are player 0's."""

    name: str
    layout: str  # endgame | reachable | scores
    positions: int
    wins: int
    draws: int
    losses: int
    longest: int | None  # plies of the longest win
    sample: str  # a position of it
    bytes: int  # a value

    @classmethod
    def of(cls, raw: dict[str, Any]) -> TableInfo:
        known = {k: v for k, v in raw.items() if k != "count"}
        return cls(**known | {"longest": None if raw["longest"] < 0 else raw["longest"]})


class Progress(NamedTuple):
    """How far a build is: told a few times a second."""

    table: str  # being built
    number: int  # of it, from 1
    of: int
    phase: str
    done: int
    total: int  # 0: not known
    seconds: float  # since this table was begun


@dataclass
class Tablebase:
    """Solved positions of one game. Use ``probe(state)`` or pass it to a search."""

    game: Game
    path: Path | None  # None: nothing is kept on disk
    tables: list[TableInfo] = field(default_factory=list)
    built: int = 0  # positions that this call solved
    seconds: float = 0.0  # and how long it took
    start: Any = None  # where a small game's tables begin
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
        """Checks each position's value and distance against its successors'; how many there are."""
        b = adapt(self.game)
        numbers = {name: i for i, (name, _, _) in enumerate(_core.endgame_classes(b.handle))}
        for i, t in enumerate(self.tables):
            tell = Teller(progress, t.name, i + 1, len(self.tables))
            small = t.layout != "endgame"
            number = -1 if small else numbers[t.name]
            state = b.flat(self.begin(t.name)) if small else b""
            raw = _core.verify_table(
                b.handle, self.native, number, state, time or 0.0, describe(b), tell.function
            )
            stopped(raw[1], "the verification")
        return self.positions

    def begin(self, name: str) -> Any:
        """The state at which a small game's table begins."""
        text = name.removeprefix(FROM)
        if self.start is not None:
            return self.start
        return self.game.initial() if text == BEGINNING else self.game.parse_state(text)

    def open(self, file: Path, name: str = "") -> TableInfo:
        named = identity(self.game, file.stem == SMALL)
        info = TableInfo.of(self.native.open(str(file), named, name))
        self.tables.append(info)
        return info


class Teller:
    """Native progress with names."""

    def __init__(self, to: Callable[[Progress], object] | None, table: str, number: int, of: int):
        start = clock.perf_counter()

        def tell(phase: str, done: int, total: int) -> None:
            assert to is not None
            to(Progress(table, number, of, phase, done, total, clock.perf_counter() - start))

        self.function = None if to is None else tell


def tablebase(
    game: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    state: Any = None,
    pieces: int | None = None,
    classes: Sequence[str] | str | None = None,
    rebuild: bool = False,
    threads: int = 1,
    time: float | None = None,
    memory: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Tablebase:
    """Build or complete a tablebase: win, draw or loss and the distance of every position.

    A game with endgame classes gets one file per class. Any other game, or a game with `state`,
    gets all positions reachable from there. Ctrl-C and `time` end a build; finished tables are
    saved, and the next call resumes.

    Args:
        game: A two-player zero-sum game without chance or hidden information.
        path: The directory; without one the tables are kept in memory.
        state: Solve the positions reachable from this state.
        pieces: Endgames with up to this number of pieces.
        classes: Endgame classes by name ("2v1", "2v*"); the classes they lead to are added.
        rebuild: Replace existing files. Otherwise a damaged file is an error.
        threads: Threads that build endgame tables.
        time: The time limit in seconds.
        memory: The memory limit in megabytes.
        progress: Called with the progress of the build.

    Returns:
        The tablebase.

    Raises:
        TableError: The tables do not fit in memory or on the disk, or a file is damaged.
        NotSupported: The game has chance, hidden information or more than two players.

    Example:
        >>> import zermelo
        >>> zermelo.tablebase(zermelo.load("tic-tac-toe")).positions
        5478
    """
    the_game = as_game(game)
    _, time, _, threads = check_limits(None, time, None, threads)
    check_fits(the_game)
    b = adapt(the_game)
    known = [] if state is not None else _core.endgame_classes(b.handle)
    wanted = chosen_classes(the_game, known, pieces, classes)
    chosen = {i: known[i] for i in with_lower(b, wanted)}
    with directory(path) as home:
        if rebuild:
            clear(home, [name for name, _, _ in chosen.values()] if known else [SMALL])
        job = Build(the_game, b, home, threads, time, progress, small=not known)
        tables = job.classes(chosen) if known else job.all_positions(state, memory)
        tables.path = None if path is None else home
        tables.built, tables.seconds = job.built, job.seconds
        return tables


def open_tablebase(game: Any, path: str | os.PathLike[str]) -> Tablebase:
    """Open the tablebase of a game in a directory, without building anything.

    Args:
        game: The game.
        path: The directory.

    Returns:
        The tablebase.

    Raises:
        TableError: The directory has no tables of this game, or a damaged one.
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
    """What ``tablebase=`` of a search may be: a directory, or tables that are open."""
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


@dataclass
class Build:
    """One call's work."""

    game: Game
    adapter: Adapter
    home: Path
    threads: int
    time: float | None
    progress: Callable[[Progress], object] | None
    small: bool = False
    built: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.identity = identity(self.game, self.small)
        self.describe = describe(self.adapter)
        self.end = None if self.time is None else clock.monotonic() + self.time

    def left(self) -> float:
        """Seconds until the limit; 0: there is none."""
        return 0.0 if self.end is None else max(self.end - clock.monotonic(), 0.001)

    def classes(self, chosen: Mapping[int, tuple[str, int, int]]) -> Tablebase:
        missing = [size for name, size, _ in chosen.values() if not self.file(name).exists()]
        check_space(self.game, self.home, missing)
        tables = Tablebase(self.game, self.home)
        for done, (number, (name, _, _)) in enumerate(chosen.items()):
            file = self.file(name)
            new = not file.exists()
            if new:
                tell = Teller(self.progress, name, done + 1, len(chosen))
                threads = self.threads
                raw = _core.build_class(
                    self.adapter.handle, number, tables.native, str(file), self.identity, threads,
                    self.left(), self.describe, tell.function,
                )  # fmt: skip
                self.note(raw, f"{done} of {len(chosen)} classes are finished; the build")
            info = tables.open(file, name)
            self.built += info.positions if new else 0
        return tables

    def all_positions(self, state: Any, memory: int | None) -> Tablebase:
        begin = self.game.initial() if state is None else state
        name = FROM + (BEGINNING if state is None else self.game.format_state(state))
        file = self.file(SMALL)
        tables = Tablebase(self.game, self.home, start=begin)
        new = not file.exists()
        if new:
            tell = Teller(self.progress, SMALL, 1, 1)
            room = available_memory()
            if memory is not None:
                room = check_whole("memory", memory, 1, 1 << 30) << 20
            raw = _core.build_reachable(
                self.adapter.handle, self.adapter.flat(begin), name, str(file), self.identity,
                room, self.left(), self.describe, tell.function,
            )  # fmt: skip
            self.note(raw, "the build")
        info = tables.open(file, name)
        self.built += info.positions if new else 0
        return tables

    def file(self, name: str) -> Path:
        return self.home / (name + SUFFIX)

    def note(self, raw: tuple[float, str], what: str) -> None:
        self.seconds += raw[0]
        stopped(raw[1], what)


def stopped(why: str, what: str) -> None:
    if why == "interrupted":
        raise KeyboardInterrupt
    if why:
        raise SearchBudgetExceeded(
            f"{what} was stopped ({why})",
            "finished tables are saved; run the command again to resume",
        )


def check_fits(game: Game) -> None:
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


def chosen_classes(
    game: Game,
    known: Sequence[tuple[str, int, int]],
    pieces: int | None,
    classes: Sequence[str] | str | None,
) -> set[int]:
    """Which of the classes are asked for."""
    if not known and (pieces is not None or classes is not None):
        raise UsageError(f"{game.name} has no endgame classes", "omit --pieces and --classes")
    wanted = set(range(len(known)))
    if pieces is not None:
        counts = [p for _, _, p in known]
        if -1 in counts:
            raise UsageError(f"{game.name} does not support --pieces", "use --classes")
        wanted = {i for i, p in enumerate(counts) if p <= pieces <= max(counts)}
        if not wanted:
            raise UsageError(
                f"{game.name} has no endgames of {pieces} pieces",
                f"expected {min(counts)} to {max(counts)} pieces; an option may allow more, e.g. "
                "checkers:pieces=6",
            )
    if classes is not None:
        names = [name for name, _, _ in known]
        patterns = classes.split(",") if isinstance(classes, str) else list(classes)
        named = set()
        for p in patterns:
            hits = {i for i, n in enumerate(names) if fnmatch.fnmatchcase(n, p.strip())}
            if not hits:
                raise UsageError(f"{game.name} has no endgame {p!r}", suggest(p, names))
            named |= hits
        wanted &= named
    return wanted


def with_lower(b: Adapter, wanted: set[int]) -> list[int]:
    """The classes, and those that their moves lead to, in the order to build them."""
    found, open_ones = set(wanted), list(wanted)
    while open_ones:
        lower = set(_core.lower_classes(b.handle, open_ones.pop())) - found
        found |= lower
        open_ones += lower
    return sorted(found)


def check_space(game: Game, home: Path, missing: Sequence[int]) -> None:
    """Refuses what cannot be, before it starts."""
    if not missing:
        return
    need, free = _core.class_memory(max(missing)), available_memory()
    if need > free:
        raise TableError(
            f"a table of {game.name} does not fit in memory: building it needs "
            f"{shown(need)}, and {shown(free)} are free",
            "choose fewer --pieces or --classes",
        )
    disk = shutil.disk_usage(home).free
    if sum(missing) > disk:
        raise TableError(
            f"the tables of {game.name} do not fit on the disk: they need at least "
            f"{shown(sum(missing))}, and {shown(disk)} are free in {home}",
            "choose another --out, or fewer --pieces",
        )


def shown(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.1f} MB"


def available_memory() -> int:
    """Bytes that can be used without swapping."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for row in Path("/proc/meminfo").read_text().splitlines():
            if row.startswith("MemAvailable:"):
                return int(row.split()[1]) * 1024
    with contextlib.suppress(OSError, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 1 << 62


@contextlib.contextmanager
def directory(path: str | os.PathLike[str] | None) -> Iterator[Path]:
    """The directory to write to; without a path one that is gone afterwards."""
    if path is None:
        with tempfile.TemporaryDirectory(prefix="zermelo-") as name:
            yield Path(name)
        return
    home = native_path(path)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise TableError(
            f"{home} cannot be used as a directory for tables: {e.strerror}", "choose another --out"
        ) from None
    yield home


def native_path(path: Any) -> Path:
    """A path that the native code can open: it takes UTF-8."""
    home = check_path("path", path)
    if shown_path(home) != str(home):
        raise UsageError(f"{shown_path(home)} is not UTF-8", "choose another directory")
    return home


def clear(home: Path, names: Sequence[str]) -> None:
    """Removes old tables of these names."""
    for name in names:
        try:
            (home / (name + SUFFIX)).unlink(missing_ok=True)
        except OSError as e:
            raise TableError(
                f"{home / (name + SUFFIX)} cannot be removed: {e.strerror}", "choose another --out"
            ) from None


def describe(b: Adapter) -> Callable[[bytes], str]:
    return lambda flat: b.game.format_state(b.state(flat))


def identity(game: Game, small: bool = True) -> str:
    """A text that names the rules: a table of other rules is not believed."""
    if isinstance(game, NativeGame):
        name = canonical(game.spec) if small else game.endgames or canonical(game.spec)
        digest = hashlib.blake2b(name.encode(), digest_size=8).hexdigest()
        return name if len(name) <= 200 else f"{name[:150]}… ({digest})"
    kind = "compiled, " if hasattr(game, "native_spec") else ""
    return f"{game.name} ({kind}{behaviour(game):016x})"
