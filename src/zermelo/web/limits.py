"""What one request may ask for, and how many may ask at once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from ..errors import UsageError, ZermeloError


class Busy(ZermeloError):
    """All the machine's turns are taken."""


@dataclass(frozen=True)
class Limits:
    time: float = 60.0  # seconds of a search
    table: int = 64  # megabytes of a search
    searches: int = field(default_factory=lambda: max(1, os.cpu_count() or 1))  # at once
    waiting: int = 32  # searches that wait for a turn; more are told "busy"
    patience: float = 15.0  # seconds that one waits for its turn
    clients: int = 256  # open pages
    body: int = 3_000_000  # bytes of a request: a tree of 100,000 nodes and more
    message: int = 65_536  # bytes of a page's message
    nodes: int = 2_000_000  # of rules in plain Python, whose states are kept for the search
    plies: int = 2_000  # of a game that is kept

    def __post_init__(self) -> None:
        if not 0 < self.time <= 86_400:
            raise UsageError(f"--max-time {self.time:g} makes no sense", "seconds, up to a day")
        if not 1 <= self.searches <= 256:
            raise UsageError(f"--searches {self.searches} makes no sense", "1 to 256")
        if not 1 <= self.table <= 65_536:
            raise UsageError(f"--max-table {self.table} makes no sense", "megabytes, 1 to 65536")
