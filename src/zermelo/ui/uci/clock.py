"""Time management: the limits of `go`, and when to stop deepening.

Two limits. After the soft one no further depth is begun; it stretches while the best move is in
doubt or the value falls, and shrinks while nothing changes. The hard one ends the search wherever
it is. All times are in seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

HORIZON = 30  # assumed number of moves left without movestogo
MAX_TO_GO = 40
SOFT = 0.6  # of the share of one move: the next depth would take longer than all before it
STRETCH = 4.0  # how many shares the hardest move may take
PART = 0.25  # of the clock that one move may take
LAST_PART = 0.7  # of it before the control, when the clock is filled up afterwards
RESERVE = 0.04  # seconds of the clock that are not touched: a busy machine wakes late
FORGET = 0.9  # of how late the machine was at the last move, still expected at this one
INCREMENT = 0.75  # of the increment that is spent at once
LEAST = 0.001
LONGEST = 1e6
NUMBERS = (
    "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate",
)  # fmt: skip


@dataclass
class Go:
    """The arguments of `go`; None if not given."""

    wtime: int | None = None  # milliseconds
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    movetime: int | None = None
    mate: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)  # invalid words


def read_go(words: list[str]) -> Go:
    """The words after `go`."""
    go = Go()
    at = 0
    while at < len(words):
        word, at = words[at], at + 1
        if word in ("infinite", "ponder"):
            setattr(go, word, True)
        elif word in NUMBERS:
            try:
                setattr(go, word, int(words[at]))
                at += 1
            except (IndexError, ValueError):
                go.unread.append(word)
        elif word == "searchmoves":
            while at < len(words) and words[at] not in (*NUMBERS, "infinite", "ponder"):
                go.searchmoves.append(words[at].lower())
                at += 1
        else:
            go.unread.append(word)
    return go


@dataclass
class Limits:
    soft: float | None = None
    hard: float | None = None


def limits(go: Go, player: int, overhead: float) -> Limits:
    """The time for this move. Whatever the clock says, there is some."""
    if go.infinite:
        return Limits()
    if go.movetime is not None:
        return Limits(None, _within(go.movetime / 1000 - overhead, LEAST, LONGEST))
    left = go.btime if player else go.wtime
    if left is None:
        return Limits()
    gained = max(0.0, ((go.binc if player else go.winc) or 0) / 1000)
    to_go = go.movestogo if go.movestogo and go.movestogo > 0 else None
    rest = min(left / 1000, LONGEST) - overhead
    most = rest * (LAST_PART if to_go == 1 else PART)
    most = max(LEAST, min(most, rest - RESERVE))
    share = rest / min(to_go or HORIZON, MAX_TO_GO) + INCREMENT * gained
    hard = _within(STRETCH * share, LEAST, most)
    return Limits(_within(SOFT * share, LEAST, hard), hard)


def _within(value: float, least: float, most: float) -> float:
    return max(least, min(value, most))


class Lag:
    """The recent delays of answers: on a busy machine the next answer will be late, too."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def note(self, late: float) -> None:
        self.seconds = max(FORGET * self.seconds, late)


class Pace:
    """Called after every finished depth; decides whether to start another one."""

    def __init__(self, soft: float | None, forced: bool) -> None:
        self.soft = soft
        self.forced = forced  # there is one legal move
        self.unrest = 0.0  # how often the best move changed lately
        self.best = ""
        self.value = 0.0
        self.depths = 0

    def scale(self, best: str, value: float) -> float:
        """How much of the soft limit to use; `value` is the mover's, in pawns."""
        changed = self.depths > 0 and best != self.best
        fall = max(0.0, self.value - value) if self.depths else 0.0
        self.unrest = self.unrest / 2 + changed
        self.best, self.value, self.depths = best, value, self.depths + 1
        return min(3.0, 0.7 + 0.6 * self.unrest) * (1 + min(1.0, fall))

    def enough(self, elapsed: float, best: str, value: float) -> bool:
        scale = self.scale(best, value)
        if self.soft is None:
            return False
        return self.forced or elapsed >= self.soft * scale
