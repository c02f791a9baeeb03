"""Analysis: lines of numbers about the best moves while the search runs.

``lz-`` commands write them as Leela Zero does, ``kata-`` commands as KataGo does. All values are
those of the player to move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...game import legal_actions
from ...result import Move, Result
from ...view.names import listed as joined
from .board import Board
from .commands import command, decimal, whole
from .estimate import win_rate
from .message import SyntaxFailure
from .playing import think_and_play
from .searching import Plan, Watch
from .stones import is_go, lead, ownership

if TYPE_CHECKING:
    from .engine import Engine

INTERVAL = 100  # centiseconds between two lines
LONGEST_SEARCH = 86_400.0  # seconds
CONFIDENCE = 1.96  # standard errors below the mean, for `lcb`
KEYS = ("interval", "minmoves", "maxmoves", "avoid", "allow", "ownership")
NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?|nan|[+-]?inf", re.IGNORECASE)
FLAGS = ("ownership", "pvvisits", "rootinfo", "movesownership", "ownershipstdev", "pvedgevisits")


@dataclass
class Query:
    """The arguments of an analysis command."""

    player: int
    interval: float = INTERVAL / 100  # seconds
    least: int = 0  # moves to list, if there are as many
    most: int = 10**6
    ownership: bool = False
    avoid: set[str] = field(default_factory=set)
    allow: set[str] = field(default_factory=set)


def read_query(engine: Engine, words: list[str]) -> Query:
    """``[COLOUR] [INTERVAL] [KEY VALUE]...``"""
    query = Query(engine.board.mover)
    words = list(words)
    if words and words[0].lower() in colours(engine.board):
        query.player = engine.board.player(words.pop(0))
    if words and NUMBER.fullmatch(words[0]):
        query.interval = decimal(words.pop(0), "interval", 0) / 100
    while words:
        read_pair(engine.board, query, words)
    return query


def colours(board: Board) -> set[str]:
    """Every accepted word for a colour."""
    return {"b", "w", *board.colours, *board.names}


def read_pair(board: Board, query: Query, words: list[str]) -> None:
    """Take one key and its values off the words."""
    key = words.pop(0)
    if key not in KEYS and key.lower() not in FLAGS:
        raise SyntaxFailure(f"unknown key {key[:40]!r}, expected {joined(KEYS, 'or')}")
    values = 3 if key in ("avoid", "allow") else 1
    if len(words) < values:
        raise SyntaxFailure(f"{key[:40]!r} has no value")
    given = [words.pop(0) for _ in range(values)]
    if key == "interval":
        query.interval = decimal(given[0], "interval", 0) / 100
    elif key == "minmoves":
        query.least = whole(given[0], "minmoves", 0)
    elif key == "maxmoves":
        query.most = whole(given[0], "maxmoves", 1)
    elif key.lower() in FLAGS:
        if given[0].lower() not in ("true", "false"):
            raise SyntaxFailure(f"invalid {key} {given[0][:40]!r}, expected true or false")
        if key == "ownership":
            query.ownership = given[0].lower() == "true"
    else:  # avoid, allow
        whole(given[2], "depth", 1)
        if board.player(given[0]) == query.player:
            points = {v.upper() for v in given[1].split(",") if v}
            (query.avoid if key == "avoid" else query.allow).update(points)


def allowed_moves(board: Board, state: Any, query: Query) -> list[Any] | None:
    """The root moves that avoid and allow leave over; None: all."""
    if not query.avoid and not query.allow:
        return None
    legal = legal_actions(board.game, state)
    found = [
        a
        for a in legal
        if board.vertex(a).upper() not in query.avoid
        and (not query.allow or board.vertex(a).upper() in query.allow)
    ]
    if not found:
        raise UsageError("no move is left to analyze", "change avoid and allow")
    return found


# -- lines ---------------------------------------------------------------------------------------
Writer = Callable[[Board, Result, Move, int], str]


def fields_lz(board: Board, r: Result, move: Move, order: int) -> str:
    """One move in Leela Zero's format: rates are 0 to 10000."""
    rate = win_rate(r, move.value)
    return (
        f"info move {board.vertex(move.action)} visits {move.visits} "
        f"winrate {round(10_000 * rate)} prior {round(10_000 / len(r.moves))} "
        f"lcb {round(10_000 * lower_bound(r, move, rate))} order {order} pv {line(board, move)}"
    )


def fields_kata(board: Board, r: Result, move: Move, order: int) -> str:
    """One move in KataGo's format: rates are 0 to 1."""
    rate = win_rate(r, move.value)
    return (
        f"info move {board.vertex(move.action)} visits {move.visits} "
        f"utility {2 * rate - 1:.6g} winrate {rate:.6g} {score_lead(r, move, order)}"
        f"prior {1 / len(r.moves):.6g} "
        f"lcb {lower_bound(r, move, rate):.6g} order {order} pv {line(board, move)}"
    )


def score_lead(r: Result, move: Move, order: int) -> str:
    """The expected margin after the best move of a game of Go."""
    if order > 0 or not is_go(r.game):
        return ""
    points = f"{lead(r.game, r.state, move.action, r.player):.3g}"
    return f"scoreMean {points} scoreLead {points} "


def lower_bound(r: Result, move: Move, rate: float) -> float:
    """The lower end of the confidence interval of the win rate."""
    if move.error is None:
        return rate if move.visits else 0.0
    sign = 1 if r.player == 0 else -1
    return win_rate(r, move.value - sign * CONFIDENCE * min(move.error, 1e6))


def line(board: Board, move: Move) -> str:
    return " ".join(board.vertex(a) for a in move.pv or [move.action])


def listed(r: Result, query: Query, allowed: Sequence[Any] | None) -> list[Move]:
    """The moves to report, best first."""
    moves = [m for m in r.ranked if allowed is None or m.action in allowed]
    visited = [m for m in moves if m.visits or m.action == r.action]
    return moves[: max(query.least, min(len(visited), query.most))]


class Reporter:
    """Writes a line at most once per interval."""

    def __init__(self, engine: Engine, query: Query, writer: Writer) -> None:
        self.engine, self.query, self.writer = engine, query, writer
        self.state = engine.board.state_for(query.player)
        self.allowed = allowed_moves(engine.board, self.state, query)
        self.due = monotonic() + query.interval
        self.last: Result | None = None

    def __call__(self, r: Result) -> None:
        self.last = r
        if monotonic() >= self.due:
            self.write(r)

    def write(self, r: Result) -> None:
        """One line with all moves."""
        board = self.engine.board
        self.due = monotonic() + self.query.interval
        moves = listed(r, self.query, self.allowed)
        if not moves:
            return
        parts = [self.writer(board, r, move, order) for order, move in enumerate(moves)]
        self.engine.write(" ".join(parts) + self.owners() + "\n")
        self.last = None

    def owners(self) -> str:
        """The ownership of all points from the top left, for the player to move."""
        game = self.engine.board.game
        if not self.query.ownership or not is_go(game):
            return ""
        sign = 1 if self.query.player == 0 else -1
        points = ownership(game, self.state)
        return " ownership " + " ".join(f"{sign * x + 0.0:.3g}" for x in points)


# -- commands ------------------------------------------------------------------------------------
def analyze(engine: Engine, words: list[str], writer: Writer) -> None:
    """Search and report until the controller sends another line."""
    report = Reporter(engine, read_query(engine, words), writer)
    engine.stream(engine.current.id)
    watch = Watch(Plan(LONGEST_SEARCH), engine.lines.waiting, report)
    r = engine.searcher.run(engine.board, report.state, watch, report.allowed)
    if report.last is not None or watch.last is None:  # what no line has shown yet
        report.write(r)
    if engine.searcher.interrupted:  # Ctrl-C
        engine.running = False
    else:
        engine.lines.wait()


def genmove_analyze(engine: Engine, words: list[str], writer: Writer) -> str:
    """Search for a move with reports, and play it."""
    report = Reporter(engine, read_query(engine, words), writer)
    engine.stream(engine.current.id)
    vertex = think_and_play(
        engine, report.query.player, on_result=report, among=report.allowed
    )  # fmt: skip
    if report.last is not None:
        report.write(report.last)
    return f"play {vertex}"


ARGUMENTS = "[COLOUR] [INTERVAL] [KEY] [VALUE]..."


@command("lz-analyze", ARGUMENTS)
def lz_analyze(engine: Engine, words: list[str]) -> None:
    analyze(engine, words, fields_lz)


@command("lz-genmove_analyze", ARGUMENTS)
def lz_genmove_analyze(engine: Engine, words: list[str]) -> str:
    return genmove_analyze(engine, words, fields_lz)


@command("kata-analyze", ARGUMENTS)
def kata_analyze(engine: Engine, words: list[str]) -> None:
    analyze(engine, words, fields_kata)


@command("kata-genmove_analyze", ARGUMENTS)
def kata_genmove_analyze(engine: Engine, words: list[str]) -> str:
    return genmove_analyze(engine, words, fields_kata)
