"""Games that were begun, in SQLite: they go on after a reload, a restart, a killed server."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import UsageError

MOST_GAMES = 20_000  # the oldest go
COLUMNS = "id, game, position, side, opponent, time, depth, level, moves, version"


@dataclass
class Play:
    """One game. Each move is its index among the legal ones, and its text, which must agree."""

    game: str
    position: str = ""  # where it began; "": at the initial state
    side: int = 0  # the person's; -1: persons play all sides
    opponent: str = "auto"
    time: float | None = None
    depth: int | None = None
    level: int | None = None
    moves: list[tuple[int, str]] = field(default_factory=list)
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    version: int = 0  # rises with every change, so that two pages cannot overwrite each other


class Changed(Exception):
    """Somebody else was quicker."""


def default_path() -> Path:
    """Where a program of this user keeps its data."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home))
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "zermelo" / "studio.sqlite"


class Store:
    def __init__(self, path: Path) -> None:
        self.lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.db = sqlite3.connect(path, check_same_thread=False, timeout=10)
            self.db.execute("PRAGMA journal_mode=WAL")
            self.db.execute(
                "CREATE TABLE IF NOT EXISTS plays (id TEXT PRIMARY KEY, game TEXT, position TEXT,"
                " side INTEGER, opponent TEXT, time REAL, depth INTEGER, level INTEGER,"
                " moves TEXT, version INTEGER, updated REAL)"
            )
            self.db.commit()
        except (OSError, sqlite3.Error) as e:
            raise UsageError(
                f"{path} cannot keep games: {e}", "give another file: --data"
            ) from None

    def add(self, play: Play) -> None:
        with self.lock, self.db:
            self.db.execute(
                f"INSERT INTO plays ({COLUMNS}, updated) VALUES ({'?,' * 10}?)", row(play)
            )
            (count,) = self.db.execute("SELECT COUNT(*) FROM plays").fetchone()
            if count > MOST_GAMES:
                self.db.execute(
                    "DELETE FROM plays WHERE id IN (SELECT id FROM plays ORDER BY updated LIMIT ?)",
                    (count - MOST_GAMES,),
                )

    def get(self, key: str) -> Play:
        with self.lock:
            found = self.db.execute(f"SELECT {COLUMNS} FROM plays WHERE id = ?", (key,)).fetchone()
        if found is None:
            raise UsageError("there is no such game here", "begin a new one")
        names = [name.strip() for name in COLUMNS.split(",")]
        play = Play(**dict(zip(names, found, strict=True)))
        play.moves = [(int(i), str(text)) for i, text in json.loads(str(play.moves))]
        return play

    def put(self, play: Play) -> None:
        """Keeps a changed game, unless another change came before."""
        with self.lock, self.db:
            values = row(play)
            assert values[0] == play.id
            changed = self.db.execute(
                "UPDATE plays SET game=?, position=?, side=?, opponent=?, time=?, depth=?, level=?,"
                " moves=?, version=?, updated=? WHERE id=? AND version=?",
                (*values[1:9], play.version + 1, values[10], play.id, play.version),
            )
            if changed.rowcount != 1:
                raise Changed
        play.version += 1

    def close(self) -> None:
        with self.lock:
            self.db.close()


def row(play: Play) -> tuple[object, ...]:
    strength = (play.time, play.depth, play.level)
    begin = (play.id, play.game, play.position, play.side, play.opponent)
    return (*begin, *strength, json.dumps(play.moves), play.version, time.time())
