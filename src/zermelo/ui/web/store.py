"""Games in progress, stored in SQLite: they survive a reload, a restart or a crash."""

from __future__ import annotations

import functools
import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from platformdirs import user_data_path

from ...errors import UsageError, ZermeloError
from .limits import Busy, Limits
from .visitors import Visitor

# Seconds without a change after which a game makes room for another visitor's: anywhere if the
# store is full; at the same address if that has its share; sooner if nobody has moved in it.
FORGOTTEN = 30 * 24 * 3600
IDLE = 24 * 3600
UNTOUCHED = 600
COLUMNS = "id, game, position, side, opponent, time, depth, level, moves, version, resigned"


@dataclass
class Session:
    """A game in progress. Each move is its index among the legal moves and its text."""

    game: str
    position: str = ""  # where it started; "": the initial state
    side: int = 0  # of the person; -1: people play all sides
    opponent: str = "auto"
    time: float | None = None
    depth: int | None = None
    level: int | None = None
    moves: list[tuple[int, str]] = field(default_factory=list)
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    version: int = 0  # rises with every change, so that two pages cannot overwrite each other
    resigned: int = -1  # the player who has resigned; -1: nobody


class StorageError(ZermeloError):
    """The database cannot be read or written."""


F = TypeVar("F", bound=Callable[..., Any])


def _storage(method: F) -> F:
    """Report the database errors of a method as :class:`StorageError`."""

    @functools.wraps(method)
    def checked(self: Store, *given: Any) -> Any:
        try:
            return method(self, *given)
        except sqlite3.Error as e:
            full = "full" in str(e)
            hint = "free some disk space" if full else "start the server with another --data FILE"
            raise StorageError(f"the server cannot store games: {e}", hint) from e
        except UnicodeEncodeError:
            raise UsageError(
                "the text is not valid Unicode", "remove the incomplete character"
            ) from None

    return cast(F, checked)


class Changed(Exception):
    """The game was changed by another page first."""


def default_path() -> Path:
    """Return the database in the user's data directory."""
    return user_data_path("zermelo", appauthor=False) / "studio.sqlite"


def _make_private(path: Path) -> None:
    """Create the file, readable only by its owner."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    if path.is_file():
        path.chmod(0o600)


class Store:
    def __init__(self, path: Path) -> None:
        self.lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _make_private(path)
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
                f"{path} cannot store games: {e}", "choose another file with --data"
            ) from None

    def add_columns(self) -> None:
        """Add the columns that databases of older versions lack."""
        known = {row[1] for row in self.db.execute("PRAGMA table_info(plays)")}
        for name in {"visitor", "address"} - known:
            self.db.execute(f"ALTER TABLE plays ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
        if "resigned" not in known:
            self.db.execute("ALTER TABLE plays ADD COLUMN resigned INTEGER NOT NULL DEFAULT -1")
        self.db.execute("CREATE INDEX IF NOT EXISTS by_visitor ON plays (visitor, updated)")
        self.db.execute("CREATE INDEX IF NOT EXISTS by_address ON plays (address)")
        self.db.execute("CREATE INDEX IF NOT EXISTS by_time ON plays (updated)")

    @_storage
    def add(self, session: Session, visitor: Visitor, limits: Limits) -> None:
        """Store a new game. If there is no room, drop abandoned games, then the visitor's own."""
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
                f"INSERT INTO plays ({COLUMNS}, updated, visitor, address) VALUES ({'?,' * 13}?)",
                (*row(session), time.time(), visitor.id, visitor.address),
            )

    def count(self, where: str, value: object) -> int:
        (found,) = self.db.execute(f"SELECT COUNT(*) FROM plays WHERE {where}", (value,)).fetchone()
        return int(found)

    @_storage
    def get(self, key: str) -> Session:
        with self.lock:
            found = self.db.execute(f"SELECT {COLUMNS} FROM plays WHERE id = ?", (key,)).fetchone()
        if found is None:
            raise UsageError("this game does not exist", "start a new one")
        names = [name.strip() for name in COLUMNS.split(",")]
        try:
            session = Session(**dict(zip(names, found, strict=True)))
            session.moves = [(int(i), str(text)) for i, text in json.loads(str(session.moves))]
        except (ValueError, TypeError) as e:
            raise StorageError("the stored game is damaged", "start a new one") from e
        return session

    @_storage
    def put(self, session: Session) -> None:
        """Store a changed game; raise :class:`Changed` if another page changed it first."""
        with self.lock, self.db:
            values = row(session)
            assert values[0] == session.id
            changed = self.db.execute(
                "UPDATE plays SET game=?, position=?, side=?, opponent=?, time=?, depth=?, level=?,"
                " moves=?, version=?, resigned=?, updated=? WHERE id=? AND version=?",
                (
                    *values[1:9],
                    session.version + 1,
                    session.resigned,
                    time.time(),
                    session.id,
                    session.version,
                ),
            )
            if changed.rowcount != 1:
                raise Changed
        session.version += 1

    def close(self) -> None:
        with self.lock:
            self.db.close()


def row(session: Session) -> tuple[object, ...]:
    strength = (session.time, session.depth, session.level)
    begin = (session.id, session.game, session.position, session.side, session.opponent)
    return (*begin, *strength, json.dumps(session.moves), session.version, session.resigned)
