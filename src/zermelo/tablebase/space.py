"""Memory and disk space for tables."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from .. import _core
from ..errors import TableError
from ..game import Game


def check_space(game: Game, home: Path, missing: Sequence[int]) -> None:
    """Raise TableError if the missing tables do not fit in memory or on the disk."""
    if not missing:
        return
    need, free = _core.class_memory(max(missing)), available_memory()
    if need > free:
        raise TableError(
            f"a table of {game.name} does not fit in memory: building it needs "
            f"{_size_text(need)}, and {_size_text(free)} are free",
            "choose fewer --pieces or --classes",
        )
    disk = shutil.disk_usage(home).free
    if sum(missing) > disk:
        raise TableError(
            f"the tables of {game.name} do not fit on the disk: they need at least "
            f"{_size_text(sum(missing))}, and {_size_text(disk)} are free in {home}",
            "choose another --out, or fewer --pieces",
        )


def _size_text(size: int) -> str:
    """A number of bytes as MB or GB."""
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
