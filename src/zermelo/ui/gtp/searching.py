"""Searching for a move: limits, the tree that is kept between moves, passing and resigning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

from ...game import legal_actions
from ...games.go import Go
from ...games.native import NativeGame, State
from ...result import Result
from ...search.algorithms import traits_of
from ...search.api import search
from ...search.memory import Memory
from .board import PASS, Board
from .clock import LEAST, Clocks, expected_moves
from .estimate import win_rate
from .options import Settings, algorithm_for
from .stones import capturing_points, is_go, passing_wins, score, settled

RESIGN_MOVES = 3  # in a row below the threshold
RESIGN_NODES = 100  # a smaller search says too little to resign
SOFT = 0.6  # share of the time after which no further depth starts
CHECK = 0.25  # share of the limits for checking that a pass keeps the win
SAFE = 0.9  # win rate from which the check counts as confirmed
GLANCE = 200  # simulations or nodes where there is no time
RESIGN = "resign"
LONGEST_PONDER = 3600.0  # seconds


@dataclass
class Plan:
    """The limits of one search; None: unlimited."""

    seconds: float | None = None
    nodes: int | None = None
    clocked: bool = False  # the time comes from a clock
    saves: bool = False  # ends once the rest of the time cannot change the choice


@dataclass
class Watch:
    """Follows a running search, and ends it."""

    plan: Plan
    stop: Callable[[], bool]
    on_result: Callable[[Result], None] | None = None
    begin: float = field(default_factory=monotonic)
    enough: bool = False
    last: Result | None = None

    def stopped(self) -> bool:
        return self.enough or self.stop()

    def report(self, r: Result) -> None:
        self.last = r
        if self.on_result is not None:
            self.on_result(r)
        if self.plan.saves and self.plan.seconds is not None and not self.enough:
            self.enough = decided(r, monotonic() - self.begin, self.plan.seconds)


class Searcher:
    """Searches for the engine, and keeps its tree from move to move."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.memory: Memory | None = None
        self.below = [0, 0]  # moves in a row in which a player stood below the resign threshold
        self.last: Result | None = None  # of the last search for a move
        self.interrupted = False  # by Ctrl-C
        self.random = Random()  # seeds of searches, unless the user has set one

    def new_game(self) -> None:
        self.below = [0, 0]
        self.last = None

    def clear(self) -> None:
        """Forget the tree."""
        self.memory = None

    # -- limits ------------------------------------------------------------------------------
    def plan(self, board: Board, player: int, clocks: Clocks) -> Plan:
        """How long to think about a move."""
        s = self.settings
        moves = expected_moves(len(legal_actions(board.game, board.state_for(player))))
        clock = clocks.budget(player, moves, s.overhead)
        nodes = s.playouts or None
        if clock is None:
            seconds = None if nodes and not s.time_given else s.time
            return Plan(seconds, nodes, saves=True)
        if s.time_given:
            return Plan(min(clock, s.time), nodes, clocked=clock < s.time, saves=True)
        return Plan(clock, nodes, clocked=True, saves=True)

    # -- one search --------------------------------------------------------------------------
    def run(
        self,
        board: Board,
        state: Any,
        watch: Watch,
        among: Sequence[Any] | None = None,
        *,
        keeps: bool = True,
    ) -> Result:
        """Search a position within the limits of `watch`. `keeps`: with the kept tree."""
        algorithm, options = algorithm_for(board.game, self.settings.algorithm)
        given: dict[str, Any] = {"time": watch.plan.seconds, "nodes": watch.plan.nodes}
        seed = self.settings.seed
        given["seed"] = seed if seed >= 0 else self.random.getrandbits(31)
        if isinstance(board.game, NativeGame) and "threads" in algorithm.options:
            given["threads"] = self.settings.threads
        if algorithm.can.memory and keeps:
            given["memory"] = self.kept(board)
        if algorithm.can.among and among is not None:
            given["among"] = list(among)
        result = search(
            board.game, state, algorithm.name,
            on_depth=watch.report, stop=watch.stopped, **given, **options,
        )  # fmt: skip
        self.interrupted = result.stopped == "interrupted" and not watch.stopped()
        return result

    def kept(self, board: Board) -> Memory | None:
        """What was kept from earlier searches; None for games in Python."""
        if not isinstance(board.game, NativeGame):
            return None
        if self.memory is None or self.memory.native.megabytes != self.settings.memory:
            self.memory = Memory(self.settings.memory)
        return self.memory

    # -- choosing a move ---------------------------------------------------------------------
    def choose(
        self,
        board: Board,
        player: int,
        watch: Watch,
        *,
        resigns: bool = True,
        cleanup: bool = False,
        among: Sequence[Any] | None = None,
    ) -> Any:
        """The action to play, or "resign".

        Args:
            board: The game.
            player: Who chooses.
            watch: The limits.
            resigns: A lost game may be resigned.
            cleanup: Dead stones have to be captured; no pass while there are any.
            among: The only moves to choose from; None: all.
        """
        state = board.state_for(player)
        legal = legal_actions(board.game, state) if among is None else list(among)
        self.last = None
        if legal == [PASS]:
            return PASS
        if is_go(board.game):
            if PASS in legal and self.passes(board, player, watch, cleanup):
                return PASS
            if cleanup or board.last_was_pass(player):  # a pass would end the game as a loss
                state = board.game.to_play(state, player)
            if cleanup:
                legal = among = cleanup_moves(board.game, state, player)
        r = self.run(board, state, watch, among)
        if r.nodes < GLANCE and not r.exact and watch.plan.nodes is None:
            # The clock is empty. Some hundredths of a second are better than a random move.
            r = self.run(board, state, Watch(Plan(nodes=GLANCE), lambda: False), among)
        self.last = r
        if resigns and self.gives_up(r, player):
            return RESIGN
        found = [m.action for m in r.ranked if m.action in legal and m.visits]
        if r.action in legal:
            return r.action
        return found[0] if found else self.glance(board, state, legal, among)

    def passes(self, board: Board, player: int, watch: Watch, cleanup: bool) -> bool:
        """Whether to pass without a search for a move: the game is won, or nothing is left to gain.

        Playouts may misjudge a board that looks settled. A short search has to confirm that the
        leader still wins after a pass, or that the other player has no move that wins.
        """
        game, state = board.game, board.state_for(player)
        assert is_go(game)
        if board.last_was_pass(player) and not cleanup and passing_wins(game, state, player):
            return True
        if not settled(game, state, player, cleanup):
            return False
        state = game.to_play(state, player)
        leads = score(game, state) * (1 if player == 0 else -1) > 0
        plan = watch.plan
        limits = Plan(
            None if plan.seconds is None else plan.seconds * CHECK,
            None if plan.nodes is None else max(GLANCE, int(plan.nodes * CHECK)),
        )
        watch = Watch(limits, watch.stop)
        r = self.run(board, game.result(state, PASS) if leads else state, watch, keeps=False)
        return r.action is None or win_rate(r, r.value) <= 1 - SAFE

    def glance(
        self, board: Board, state: Any, legal: Sequence[Any], among: Sequence[Any] | None
    ) -> Any:
        """A move where the time was over before anything was found."""
        r = self.run(board, state, Watch(Plan(nodes=GLANCE), lambda: False), among)
        if r.action in legal:
            return r.action
        return next((a for a in legal if a != PASS), legal[0])

    def gives_up(self, r: Result, player: int) -> bool:
        """Whether the win rate is below the threshold for the third move in a row."""
        lost = win_rate(r, r.value) < self.settings.resign and (r.exact or r.nodes >= RESIGN_NODES)
        self.below[player] = self.below[player] + 1 if lost else 0
        return self.below[player] >= RESIGN_MOVES

    def ponder(self, board: Board, stop: Callable[[], bool]) -> None:
        """Search the present position until `stop`; what is found stays in the tree."""
        if board.game.is_terminal(board.state) or self.kept(board) is None:
            return
        self.run(board, board.state, Watch(Plan(LONGEST_PONDER), stop))


def cleanup_moves(game: Go, state: State, player: int) -> list[Any]:
    """Moves that capture dead stones, or all moves but a pass."""
    moves = [a for a in game.actions(state) if a != PASS]
    points = capturing_points(game, state, player)
    return [a for a in moves if a in points] or moves or [PASS]


def decided(r: Result, elapsed: float, seconds: float) -> bool:
    """Whether the rest of the time cannot change the choice, or is not worth its cost."""
    if elapsed <= LEAST:
        return False
    if not traits_of(r.algorithm).simulates:
        return elapsed >= SOFT * seconds
    visits = sorted((m.visits for m in r.moves), reverse=True)
    if len(visits) < 2:
        return True
    to_come = r.nodes / elapsed * (seconds - elapsed)
    return visits[0] - visits[1] > to_come
