"""``zermelo.tablebase``: build or complete the tables of a game.

Each finished table is saved at once. A build that is interrupted resumes with the next call.
"""

from __future__ import annotations

import contextlib
import fnmatch
import os
import tempfile
import time as clock
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _core
from ..checks import check_limits, check_whole
from ..errors import TableError, UsageError, suggest
from ..game import Game, as_game
from ..search.adapter import Adapter, adapt
from .space import available_memory, check_space
from .tables import (
    BEGINNING,
    FROM,
    SMALL,
    SUFFIX,
    Progress,
    Tablebase,
    check_fits,
    describe,
    identity,
    native_path,
    native_progress,
    raise_if_stopped,
)


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
        path: The directory; without one the tables stay in memory.
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
    wanted = _chosen_classes(the_game, known, pieces, classes)
    chosen = {i: known[i] for i in _with_lower(b, wanted)}
    with directory(path) as home:
        if rebuild:
            clear(home, [name for name, _, _ in chosen.values()] if known else [SMALL])
        job = Build(the_game, b, home, threads, time, progress, small=not known)
        tables = job.endgame_classes(chosen) if known else job.all_positions(state, memory)
        tables.path = None if path is None else home
        tables.built, tables.seconds = job.built, job.seconds
        return tables


@dataclass
class Build:
    """The work of one call of :func:`tablebase`."""

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

    def remaining_time(self) -> float:
        """Seconds until the limit; 0 if there is no limit."""
        return 0.0 if self.end is None else max(self.end - clock.monotonic(), 0.001)

    def endgame_classes(self, chosen: Mapping[int, tuple[str, int, int]]) -> Tablebase:
        """Build the missing files of these endgame classes, in this order."""
        missing = [size for name, size, _ in chosen.values() if not self.file(name).exists()]
        check_space(self.game, self.home, missing)
        tables = Tablebase(self.game, self.home)
        for done, (number, (name, _, _)) in enumerate(chosen.items()):
            file = self.file(name)
            new = not file.exists()
            if new:
                report = native_progress(self.progress, name, done + 1, len(chosen))
                threads = self.threads
                raw = _core.build_class(
                    self.adapter.handle, number, tables.native, str(file), self.identity, threads,
                    self.remaining_time(), self.describe, report,
                )  # fmt: skip
                self.add_time(raw, f"{done} of {len(chosen)} classes are finished; the build")
            info = tables.open(file, name)
            self.built += info.positions if new else 0
        return tables

    def all_positions(self, state: Any, memory: int | None) -> Tablebase:
        """Build the file of all positions that can be reached from `state`."""
        begin = self.game.initial() if state is None else state
        name = FROM + (BEGINNING if state is None else self.game.format_state(state))
        file = self.file(SMALL)
        tables = Tablebase(self.game, self.home, start=begin)
        new = not file.exists()
        if new:
            report = native_progress(self.progress, SMALL, 1, 1)
            room = available_memory()
            if memory is not None:
                room = check_whole("memory", memory, 1, 1 << 30) << 20
            raw = _core.build_reachable(
                self.adapter.handle, self.adapter.flat(begin), name, str(file), self.identity,
                room, self.remaining_time(), self.describe, report,
            )  # fmt: skip
            self.add_time(raw, "the build")
        info = tables.open(file, name)
        self.built += info.positions if new else 0
        return tables

    def file(self, name: str) -> Path:
        return self.home / (name + SUFFIX)

    def add_time(self, raw: tuple[float, str], what: str) -> None:
        self.seconds += raw[0]
        raise_if_stopped(raw[1], what)


def _chosen_classes(
    game: Game,
    known: Sequence[tuple[str, int, int]],
    pieces: int | None,
    classes: Sequence[str] | str | None,
) -> set[int]:
    """The numbers of the endgame classes that the options select."""
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


def _with_lower(b: Adapter, wanted: set[int]) -> list[int]:
    """The classes and those that their moves lead to, in the order to build them."""
    found, open_ones = set(wanted), list(wanted)
    while open_ones:
        lower = set(_core.lower_classes(b.handle, open_ones.pop())) - found
        found |= lower
        open_ones += lower
    return sorted(found)


@contextlib.contextmanager
def directory(path: str | os.PathLike[str] | None) -> Iterator[Path]:
    """The directory to write to; without a path, a temporary one."""
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


def clear(home: Path, names: Sequence[str]) -> None:
    """Remove old tables with these names."""
    for name in names:
        try:
            (home / (name + SUFFIX)).unlink(missing_ok=True)
        except OSError as e:
            raise TableError(
                f"{home / (name + SUFFIX)} cannot be removed: {e.strerror}", "choose another --out"
            ) from None
