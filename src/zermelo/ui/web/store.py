"""Games that were begun, in SQLite: they go on after a reload, a restart, a killed server."""

from __future__ import annotations

import functools
import json
import os
import secrets
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from ...errors import UsageError, ZermeloError
from .limits import Busy, Limits
from .visitors import Visitor

# Seconds without a change after which a game makes room for another visitor's: anywhere if the
# store is full; at the same address if that has its share; sooner if nobody has moved in it.
FORGOTTEN = 30 * 24 * 3600
IDLE = 24 * 3600
UNTOUCHED = 600
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


class StorageError(ZermeloError):
    """The file of games cannot be read or written; the rules and the request may be right."""


F = TypeVar("F", bound=Callable[..., Any])


def storage(method: F) -> F:
    """A method of the store whose failures are named as what they are."""

    @functools.wraps(method)
    def checked(self: Store, *given: Any) -> Any:
        try:
            return method(self, *given)
        except sqlite3.Error as e:
            full = "full" in str(e)
            hint = "free some disk space" if full else "the server needs another file: --data"
            raise StorageError(f"the server cannot keep its games: {e}", hint) from e
        except UnicodeEncodeError:
            raise UsageError("the text has half a character", "send whole characters") from None

    return cast(F, checked)


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


def make_private(path: Path) -> None:
    """Creates the file, or changes it, so that only its owner can read it."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    if path.is_file():
        path.chmod(0o600)


class Store:
    def __init__(self, path: Path) -> None:
        self.lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            make_private(path)
            self.db = sqlite3.connect(path, check_same_thread=False, timeout=10)
            self.db.execute("PRAGMA journal_mode=WAL")
            self.db.execute(
                "CREATE TABLE IF NOT EXISTS plays (id TEXT PRIMARY KEY, game TEXT, position TEXT,"
                " side INTEGER, opponent TEXT, time REAL, depth INTEGER, level INTEGER,"
                " moves TEXT, version INTEGER, updated REAL)"
            )
            self.add_columns()
            self.db.commit()
        except (OSError, ValueError, sqlite3.Error) as e:
            raise UsageError(
                f"{path} cannot keep games: {e}", "give another file: --data"
            ) from None

    def add_columns(self) -> None:
        """Who began a game: files of older versions do not say."""
        known = {row[1] for row in self.db.execute("PRAGMA table_info(plays)")}
        for name in {"visitor", "address"} - known:
            self.db.execute(f"ALTER TABLE plays ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
        self.db.execute("CREATE INDEX IF NOT EXISTS by_visitor ON plays (visitor, updated)")
        self.db.execute("CREATE INDEX IF NOT EXISTS by_address ON plays (address)")
        self.db.execute("CREATE INDEX IF NOT EXISTS by_time ON plays (updated)")

    @storage
    def add(self, play: Play, visitor: Visitor, limits: Limits) -> None:
        """Keeps a new game. If there is no room, abandoned games and then the visitor's own oldest
        games are dropped."""
        with self.lock, self.db:
            now = time.time()
            if self.count("1 = ?", 1) >= limits.games:
                self.db.execute("DELETE FROM plays WHERE updated < ?", (now - FORGOTTEN,))
            if self.count("address = ?", visitor.address) >= limits.games_per_address:
                self.db.execute(
                    "DELETE FROM plays WHERE address = ?"
                    " AND (updated < ? OR (version = 0 AND updated < ?))",
                    (visitor.address, now - IDLE, now - UNTOUCHED),
                )
            own = self.count("visitor = ?", visitor.id)
            near = self.count("address = ?", visitor.address)
            whole = self.count("1 = ?", 1)
            over = max(own - limits.games_per_visitor, near - limits.games_per_address,
                       whole - limits.games) + 1  # fmt: skip
            if over > own:
                raise Busy("too many saved games", "continue an existing game, or try again later")
            if over > 0:
                self.db.execute(
                    "DELETE FROM plays WHERE id IN"
                    " (SELECT id FROM plays WHERE visitor = ? ORDER BY updated LIMIT ?)",
                    (visitor.id, over),
                )
            self.db.execute(
                f"INSERT INTO plays ({COLUMNS}, updated, visitor, address) VALUES ({'?,' * 12}?)",
                (*row(play), visitor.id, visitor.address),
            )

    def count(self, where: str, value: object) -> int:
        (found,) = self.db.execute(f"SELECT COUNT(*) FROM plays WHERE {where}", (value,)).fetchone()
        return int(found)

    @storage
    def get(self, key: str) -> Play:
        with self.lock:
            found = self.db.execute(f"SELECT {COLUMNS} FROM plays WHERE id = ?", (key,)).fetchone()
        if found is None:
            raise UsageError("there is no such game here", "begin a new one")
        names = [name.strip() for name in COLUMNS.split(",")]
        try:
            play = Play(**dict(zip(names, found, strict=True)))
            play.moves = [(int(i), str(text)) for i, text in json.loads(str(play.moves))]
        except (ValueError, TypeError) as e:
            raise StorageError(
                "the server's record of this game is damaged", "begin a new one"
            ) from e
        return play

    @storage
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
