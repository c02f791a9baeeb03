"""One `go`: a search in its own thread, which sends info lines and one bestmove."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any

from ...errors import ZermeloError
from ...games.chess.moves import matching
from ...games.chess.unclaimed import dead, dead_moves
from ...result import Result
from ...search.api import search
from ...search.level import Level, choose, level, vary
from ...search.memory import Memory
from .board import Board
from .clock import LEAST, LONGEST, Go, Lag, Pace, limits
from .info import Variation, info, legal, variation_of, variations_of
from .options import Settings

MAX_DEPTH = 120  # a blocked position would reach thousands of depths
MATE_BEYOND = 6  # plies beyond the requested mate before `go mate` gives up
POLL = 0.02  # seconds: how late a search notices `stop`
LEVEL_TABLE = 4  # megabytes
GLANCE = 2000  # positions to look at where there is no time
OPENING_MOVES = 8  # in which Variety applies
OPENING_LINES = 3


class _Enough(Exception):
    """Raised at a finished depth: the next one is not worth its time."""


class Thinking:
    def __init__(
        self,
        board: Board,
        go: Go,
        settings: Settings,
        memory: Memory,
        lag: Lag,
        rng: random.Random,
        out: Callable[[str], None],
    ) -> None:
        self.begin = monotonic()
        self.game, self.data, self.state = board.game, board.data, board.state
        self.go, self.settings, self.rng, self.out = go, replace(settings), rng, out
        self.player = self.game.handle.to_move(self.state.data)
        self.lag = lag
        self.limits = limits(go, max(0, self.player), settings.overhead / 1000 + lag.seconds)
        self.level: Level | None = level(settings.elo) if settings.limit_strength else None
        # A level must not depend on earlier searches.
        self.table: dict[str, Any] = {"table": LEVEL_TABLE} if self.level else {"memory": memory}
        number = int(board.fen.split()[5])
        self.varies = settings.variety > 0 and number <= OPENING_MOVES and self.level is None
        self.pondering = go.ponder
        self.ripe = False  # the ponder search has used the time of a normal search
        self.deadline: float | None = None
        self.stopped = threading.Event()
        self.may_answer = threading.Event()
        if not go.infinite and not go.ponder:
            self.may_answer.set()
        self.last: Result | None = None  # the last finished depth
        self.reported = ""  # the move that the last info line was about
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    # -- called by the client's thread ------------------------------------------------------
    def stop(self) -> None:
        self.stopped.set()
        self.may_answer.set()

    def ponderhit(self) -> None:
        """The move was the expected one: from now on our clock runs."""
        if not self.pondering:
            return
        if self.limits.hard is not None:
            self.deadline = monotonic() + max(LEAST, self.limits.hard - POLL)
        self.pondering = False
        if self.ripe:
            self.stopped.set()
        if not self.go.infinite:
            self.may_answer.set()

    def finish(self) -> None:
        """Stops it, and waits for its answer."""
        self.stop()
        self.thread.join()

    # -- on its own thread ------------------------------------------------------------------
    def _run(self) -> None:
        try:
            best = self._think()
        except Exception as e:  # after any error, the client waits for a move
            text = e.message if isinstance(e, ZermeloError) else f"{type(e).__name__}: {e}"
            self.out("info string " + " ".join(text.split()))
            best = self._any_move()
        if self.limits.hard is not None and not self.go.ponder:
            self.lag.note(monotonic() - self.begin - self.limits.hard)
        self.may_answer.wait()
        if best is None:
            self.out("bestmove (none)")
        else:
            ponder = f" ponder {best.pv[1]}" if len(best.pv) > 1 else ""
            self.out(f"bestmove {best.action}{ponder}")

    def _think(self) -> Variation | None:
        if dead(self.data):
            moves = [m.uci() for m, _ in dead_moves(self.data)]
            best = Variation(moves[0], moves[:1], 0)
            self.out(f"info depth 1 score {best.score} nodes 1 time 0 pv {best.action}")
            return best
        legal_moves = self.game.actions(self.state)
        if not legal_moves:
            mated = self.game.in_check(self.state)
            self.out(f"info depth 0 score {'mate 0' if mated else 'cp 0'}")
            return None
        self.allowed = self._allowed(len(legal_moves))
        self.pace = Pace(self.limits.soft, len(legal_moves) == 1)
        r = self._search(len(legal_moves))
        if (
            r.depth == 0 and self.go.nodes is None
        ):  # the time limit was reached before the first result
            among = sorted(self.allowed) or None
            r = search(self.game, self.state, "engine", depth=1, nodes=GLANCE, among=among)
        best = self._choice(r)
        best = replace(best, pv=legal(self.game, self.state, best.pv))
        if self.reported != best.action:
            self.out(info(best, 1, r, monotonic() - self.begin, self.table.get("memory")))
        return best

    def _allowed(self, count: int) -> set[str]:
        """The moves of `searchmoves` that are legal; none: all are allowed."""
        found: set[str] = set()
        for word in self.go.searchmoves:
            moves = matching(word, self.game.moves(self.state), self.game.is_960)
            found |= {m.uci(self.game.is_960) for m in moves[:1]}
        return found if len(found) < count else set()

    def _search(self, count: int) -> Result:
        """The search within the limits; the last depth that was worth its time."""
        go = self.go
        wanted = max(self.settings.multipv, self.level.lines if self.level else 1)
        wanted = max(wanted, OPENING_LINES if self.varies else 1)
        depth = MAX_DEPTH if go.depth is None else min(max(go.depth, 1), MAX_DEPTH)
        if go.mate is not None:
            depth = min(depth, 2 * max(1, go.mate) + MATE_BEYOND)
        nodes = None if go.nodes is None else min(max(go.nodes, 1), 2**62)
        if self.level:
            nodes = min(nodes or self.level.nodes, self.level.nodes)
        seconds = self.limits.hard
        if self.pondering:
            seconds = None
        elif seconds is not None:
            seconds = min(max(LEAST, seconds - (monotonic() - self.begin)), LONGEST)
        try:
            return search(
                self.game,
                self.state,
                "engine",
                depth=depth,
                nodes=nodes,
                time=seconds,
                threads=self.settings.threads,
                lines=min(wanted, len(self.allowed) or count),
                on_depth=self._on_depth,
                stop=self._stop_asked,
                among=sorted(self.allowed) or None,
                **self.table,
            )
        except _Enough:
            assert self.last is not None
            return self.last

    def _stop_asked(self) -> bool:
        late = self.deadline is not None and monotonic() >= self.deadline
        return late or self.stopped.is_set()

    def _on_depth(self, r: Result) -> None:
        """Sends the info line of a finished depth, and may end the search."""
        self.last = r
        elapsed = monotonic() - self.begin
        lines = variations_of(r, self.allowed)[: self.settings.multipv]
        if not lines:
            return
        lines = [replace(line, pv=legal(self.game, self.state, line.pv)) for line in lines]
        memory = self.table.get("memory")
        infos = [info(line, i, r, elapsed, memory) for i, line in enumerate(lines, 1)]
        self.out("\n".join(infos))
        best = lines[0]
        self.reported = best.action
        if best.distance is not None and 0 < best.distance <= 2 * (self.go.mate or 0) - 1:
            raise _Enough
        self.ripe = self.pace.enough(elapsed, best.action, best.centipawns / 100)
        if self.ripe and not self.pondering:
            raise _Enough

    def _choice(self, r: Result) -> Variation:
        """The line to play."""
        lines = variations_of(r, self.allowed)
        if not lines:  # stopped before an allowed move was looked at
            return self._any_move() or Variation("0000", [], 0)
        values = [max(-20.0, min(20.0, line.centipawns / 100)) for line in lines]
        if self.level:
            return lines[choose(values, self.level.noise, self.rng)]
        if self.varies and not self.allowed:
            return lines[vary(values, self.settings.variety / 100, self.rng)]
        return lines[0]

    def _any_move(self) -> Variation | None:
        """A legal move when nothing better is known."""
        if self.last is not None and (lines := variations_of(self.last, set())):
            return lines[0]
        moves = self.game.actions(self.state)
        allowed = [m for m in moves if m in getattr(self, "allowed", ())]
        if not moves:
            return None
        move = (allowed or moves)[0]
        return variation_of(move, [move], self.game.evaluate(self.state, 0), None, self.player)
