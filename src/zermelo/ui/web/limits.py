"""Limits of the studio: what one request may use, and how many may run at once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from ...errors import UsageError, ZermeloError


class Busy(ZermeloError):
    """All threads are taken, or one visitor asks for too much at once."""


@dataclass(frozen=True)
class Limits:
    time: float = 60.0  # seconds of a search
    table: int = 64  # megabytes of a search
    searches: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))  # at once
    waiting: int = 32  # searches that wait for a turn; more are answered "busy"
    patience: float = 15.0  # seconds that one waits for its turn
    view: float = 10.0  # seconds of everything but the search: reading, drawing, writing
    views: int = 4  # requests without a search that run at once
    clients: int = 256  # open pages
    clients_per_address: int = 100
    connections: int = 600
    connections_per_address: int = 300
    head: float = 10.0  # seconds until a request's headers are complete
    send: float = 30.0  # seconds until a body has arrived, or a client has read what was sent
    body: int = 3_000_000  # bytes of a request: a tree of 100,000 nodes and more
    message: int = 65_536  # bytes of a page's message
    nodes: int = 2_000_000  # of plain Python rules, whose states stay in memory during the search
    plies: int = 2_000  # of a saved game
    games: int = 20_000  # saved games
    games_per_address: int = 1_000
    games_per_visitor: int = 200

    def __post_init__(self) -> None:
        if not 0 < self.time <= 86_400:
            raise UsageError(
                f"invalid --max-time {self.time:g}", "expected seconds: more than 0, up to a day"
            )
        if not 1 <= self.searches <= 256:
            raise UsageError(f"invalid --searches {self.searches}", "expected 1 to 256")
        if not 1 <= self.table <= 65_536:
            raise UsageError(f"invalid --max-table {self.table}", "expected 1 to 65536 megabytes")
