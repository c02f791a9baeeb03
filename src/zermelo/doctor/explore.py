"""The positions that the doctor examines: all short games, then random games."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

from .hints import Fault, Stuck, View
from .position import Examiner
from .states import by_value, equal, private, short

MAX_EXPANDED = 6_000  # positions of the sweep: tic-tac-toe has 5478
MAX_KEPT = 40_000  # positions of the sweep and their children
MAX_COMPARED = 300  # states of which every two are compared, for equal ones with other hashes
ENDLESS_GAMES = 5  # stop after this many games without an end
Progress = Callable[[str, float], None]


@dataclass(slots=True)
class Node:
    """A position of the sweep."""

    state: Any
    identity: Hashable
    parent: int
    action: Any
    depth: int
    view: View | None = None  # None: not looked at
    edges: list[tuple[Any, int]] | None = None  # None: its results are not all known


@dataclass(slots=True)
class Witness:
    """A fault and the moves from the start that show it."""

    fault: Fault
    moves: list[Any]
    state: Any
    shortest: bool


class Explorer:
    """Looks at positions through an :class:`Examiner` and keeps the shortest witness of a fault."""

    def __init__(self, examiner: Examiner, seed: int, time: float, progress: Progress) -> None:
        self.examiner = examiner
        self.rng = random.Random(seed)
        self.began = monotonic()
        self.time = time
        self.progress = progress
        self.witnesses: dict[str, Witness] = {}
        self.nodes: list[Node] = []
        self.index: dict[Hashable, int] = {}
        self.exhausted = False  # the sweep has seen all that there is
        self.games = self.endless = 0
        self.lengths: list[int] = []
        self.ends: Counter[tuple[float, ...]] = Counter()  # utilities of the random games
        self.worths: set[tuple[float, ...]] = set()  # utilities of all ends seen
        self.last_won: Counter[bool] = Counter()  # whether the last mover of a decided game won
        self.movers: set[int | None] = set()
        self.signs: dict[int, Counter[bool]] = {0: Counter(), 1: Counter()}
        self.wrong_sign: Witness | None = None

    def late(self, share: float) -> bool:
        return monotonic() - self.began > share * self.time

    def report(self, fault: Fault, moves: list[Any], state: Any, shortest: bool) -> None:
        """Keep this witness if it is the shortest of its check."""
        moves = [*moves, *fault.moves]
        old = self.witnesses.get(fault.check)
        if old is None or len(moves) < len(old.moves):
            self.witnesses[fault.check] = Witness(fault, moves, state, shortest)

    def start(self) -> Any:
        state, faults = self.examiner.start()
        for fault in faults:
            self.report(fault, [], state, True)
        return state

    # -- 1. all short games ------------------------------------------------------------------
    def sweep(self) -> None:
        """Breadth first from the start, so that the first witness of a fault is the shortest."""
        self.examiner.deadline = self.began + 0.4 * self.time
        try:
            self._add(self.start(), -1, None, 0)
        except Stuck:
            for fault in self.examiner.view.faults:
                self.report(fault, [], None, True)
            return
        for i in range(MAX_EXPANDED):
            if i >= len(self.nodes):
                self.exhausted = True
                break
            self._expand(i)
            if self.late(0.4) or len(self.nodes) > MAX_KEPT:
                break
            if i % 100 == 0:
                self.progress("all short games", i / MAX_EXPANDED)
        if not self.examiner.by_look:
            self._compare_all()

    def path(self, i: int) -> list[Any]:
        """The actions that lead to node `i`."""
        moves = []
        while self.nodes[i].parent >= 0:
            moves.append(self.nodes[i].action)
            i = self.nodes[i].parent
        return moves[::-1]

    def _add(self, state: Any, parent: int, action: Any, depth: int) -> int:
        # a copy, since rules that change states may reach into this one through its relatives
        state, _ = private(state, self.examiner.shared)
        identity = self.examiner.identity(state)
        self.nodes.append(Node(state, identity, parent, action, depth))
        self.index[identity] = len(self.nodes) - 1
        return len(self.nodes) - 1

    def find(self, state: Any) -> int | None:
        try:
            return self.index.get(self.examiner.identity(state))
        except Exception:  # an __eq__ that raises
            self.examiner.by_look = True
            return None

    def _expand(self, i: int) -> None:
        node = self.nodes[i]
        node.view = view = self.examiner.examine(node.state)
        node.state = view.state
        if view.faults:
            moves = self.path(i)
            for fault in view.faults:
                self.report(fault, moves, view.state, True)
        parent = self.nodes[node.parent].view if i else None
        self.tell(view, parent, lambda: self.path(i), True)
        node.edges = None if view.cut else []
        for action, state in view.children:
            j = self.find(state)
            if j is None:
                j = self._add(state, i, action, node.depth + 1)
            elif by_value(state):
                self._compare(i, action, state, j)
            if node.edges is not None:
                node.edges.append((action, j))
        view.children = []  # the nodes hold them

    def tell(
        self, view: View, parent: View | None, path: Callable[[], list[Any]], shortest: bool
    ) -> None:
        """Statistics of one position."""
        if not view.terminal:
            self.movers.add(view.mover)
        if view.utilities is None:
            return
        if len(self.worths) < 1000:
            self.worths.add(view.utilities)
        facts = self.examiner.facts
        guess = parent.evaluations if parent else None
        if guess is None or facts.players != 2 or not facts.zero_sum or not view.utilities[0]:
            return
        winner = 0 if view.utilities[0] > 0 else 1
        if guess[winner]:
            right = guess[winner] > 0
            self.signs[winner][right] += 1
            if not right and self.wrong_sign is None and parent is not None:
                message = f"{guess[winner]:g} for player {winner}, who wins with the next move"
                fault = Fault("evaluate-sign", message)
                self.wrong_sign = Witness(fault, path(), parent.state, shortest)

    # -- equal states ------------------------------------------------------------------------
    def _compare(self, i: int, action: Any, state: Any, j: int) -> None:
        """`state` equals node `j`: then it should also play like it."""
        other = self.nodes[j].state
        if self.examiner.look(state) == self.examiner.look(other):
            return
        try:
            mine, theirs = self.examiner.signature(state), self.examiner.signature(other)
        except Exception:  # reported where these states are examined
            return
        if mine != theirs:
            text = self.line(self.path(j)) or "the start"
            message = f"this state == the one after {text}, but the player to move, the legal "
            fault = Fault("equal-states-differ", message + "actions or the utilities differ")
            self.report(fault, [*self.path(i), action], state, True)

    def _compare_all(self) -> None:
        """Every two of the first states: those that are == but hash differently."""
        some = self.nodes[:MAX_COMPARED]
        if not some or type(some[0].state).__module__ in ("builtins", "numpy"):
            return
        for j, node in enumerate(some):
            for i in range(j):
                try:
                    if not equal(some[i].state, node.state):
                        continue
                except Exception:
                    return
                self.examiner.view = View()
                text = self.line(self.path(i)) or "no move"
                how = f"this state and the one after {text} are reached in two ways"
                self.examiner.compare_hashes(some[i].state, node.state, partial(str, how), ())
                for fault in self.examiner.view.faults:
                    self.report(fault, self.path(j), node.state, True)
                if self.examiner.by_look or self.late(0.5):
                    return

    def line(self, moves: list[Any]) -> str:
        """Moves in the game's notation."""
        game, written = self.examiner.game, []
        with contextlib.suppress(Exception, SystemExit):
            state = game.initial()
            for a in moves:
                written.append(str(game.format_action(state, a)))
                state = game.result(state, a)
        return " ".join(written + [short(a) for a in moves[len(written) :]])

    # -- 2. random games ---------------------------------------------------------------------
    def play(self, games: int, most_moves: int) -> None:
        """Random games, through the positions of the sweep and beyond."""
        self.examiner.deadline = self.began + self.time
        for g in range(games):
            if self.late(0.8) or self.endless >= ENDLESS_GAMES or not self.nodes:
                break
            self.progress("random games", g / games)
            self._game(most_moves)

    def _game(self, most_moves: int) -> None:
        at: int | None = 0
        state = self.nodes[0].state
        moves: list[Any] = []
        seen = {self.nodes[0].identity: 0}
        before: View | None = None
        while not self.late(0.8):
            view, step, at = self._step(state, at, moves, before)
            if view.terminal:
                self._ended(view, before, len(moves))
                return
            if step is None:
                self.games += 1
                return
            if len(moves) >= most_moves:
                self.games += 1
                self.endless += 1
                return
            moves.append(step[0])
            state, before = step[1], view
            identity = self.nodes[at].identity if at is not None else self.examiner.identity(state)
            if identity in seen:
                self.came_back(moves, seen[identity], state)
            seen[identity] = len(moves)

    def _step(
        self, state: Any, at: int | None, moves: list[Any], before: View | None
    ) -> tuple[View, tuple[Any, Any] | None, int | None]:
        """The view of `state`, a random action with its result, and the node of that result."""
        node = self.nodes[at] if at is not None else None
        if node is not None and node.view is not None and node.edges is not None:
            if not node.edges:
                return node.view, None, None
            action, j = self.rng.choice(node.edges)
            return node.view, (action, self.nodes[j].state), j
        if node is not None:  # rules that change states must not reach the node's own
            state, _ = private(state, self.examiner.shared)
        view = self.examiner.examine(state, lambda legal: [self.rng.choice(legal)] if legal else [])
        for fault in view.faults:
            self.report(fault, moves, view.state, False)
        self.tell(view, before, lambda: list(moves), False)
        if not view.children:
            return view, None, None
        return view, view.children[0], self.find(view.children[0][1])

    def _ended(self, view: View, before: View | None, length: int) -> None:
        self.games += 1
        self.lengths.append(length)
        if view.utilities is None:
            return
        self.ends[view.utilities] += 1
        mover = before.mover if before else None
        if mover is not None and mover >= 0 and any(view.utilities):
            self.last_won[view.utilities[mover] > 0] += 1

    def came_back(self, moves: list[Any], first: int, state: Any) -> None:
        """The state after `moves` is the one after the `first` of them."""
        old = self.witnesses.get("cycle")
        if old is None or len(moves) < len(old.moves):
            self.report(_cycle(first, len(moves)), list(moves), state, False)

    # -- positions that come back ------------------------------------------------------------
    def cycles(self) -> None:
        """The shortest way through the sweep's positions that visits one of them twice."""
        inside = self._on_cycles()
        best: list[int] | None = None
        length = len(self.nodes) + 1
        complete = True
        for v in sorted(inside):  # in order of depth
            depth = self.nodes[v].depth
            if depth + 1 >= length or self.late(0.6):
                complete = depth + 1 >= length
                break
            loop = self._loop(v, inside, length - depth - 1)
            if loop is not None:
                best, length = loop, depth + len(loop)
        if best is None:
            return
        v = best[-1]
        moves = self.path(v)
        for j in best:
            moves.append(next(a for a, k in self.nodes[v].edges or () if k == j))
            v = j
        unseen = next((n.depth for n in self.nodes if n.edges is None), length)
        shortest = complete and (self.exhausted or length <= unseen)
        self.report(_cycle(length - len(best), length), moves, self.nodes[v].state, shortest)

    def _on_cycles(self) -> set[int]:
        """The nodes left when all without a way in or without a way out are taken off."""
        out = {i: {j for _, j in n.edges or ()} for i, n in enumerate(self.nodes)}
        into: dict[int, set[int]] = {i: set() for i in out}
        for i, js in out.items():
            for j in js:
                into[j].add(i)
        left = set(out)
        for before, after in ((into, out), (out, into)):
            count = {i: len(before[i] & left) for i in left}
            todo = [i for i in left if not count[i]]
            while todo:
                i = todo.pop()
                left.discard(i)
                for j in after[i] & left:
                    count[j] -= 1
                    if not count[j]:
                        todo.append(j)
        return left

    def _loop(self, v: int, inside: set[int], most: int) -> list[int] | None:
        """The shortest way from `v` back to `v`, of at most `most` steps: the nodes entered."""
        came: dict[int, int] = {}
        level = [v]
        for _ in range(most):
            following = []
            for i in level:
                for _, j in self.nodes[i].edges or ():
                    if j == v:
                        loop = [v]
                        while i != v:
                            loop.append(i)
                            i = came[i]
                        return loop[::-1]
                    if j in inside and j not in came:
                        came[j] = i
                        following.append(j)
            level = following
            if not level:
                break
        return None


def _cycle(first: int, last: int) -> Fault:
    where = f"the position after {first} moves" if first else "the starting position"
    where = where.replace(" 1 moves", " 1 move")
    return Fault("cycle", f"{where} repeats after move {last}: the game can cycle forever")
