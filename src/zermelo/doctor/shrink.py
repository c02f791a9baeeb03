"""Shorter ways to a fault that random play has found."""

from __future__ import annotations

import contextlib
from collections import deque
from typing import Any

from .explore import Explorer
from .hints import Stuck
from .position import Pick
from .states import look

NEIGHBOURS = 300  # positions looked at round each position of a sequence that is being shortened


def shrink(explorer: Explorer) -> None:
    """Drop moves from what random play found, as long as the fault still shows."""
    found = [w for w in explorer.witnesses.values() if not w.shortest and w.moves]
    for k, witness in enumerate(found):
        explorer.progress("shorter sequences", k / len(found))
        share = 0.8 + 0.2 * (k + 1) / len(found)
        check = witness.fault.check
        length = len(witness.moves) + 1
        with contextlib.suppress(Stuck):  # an initial() that fails now and then
            while len(explorer.witnesses[check].moves) < length and not explorer.late(share):
                length = len(explorer.witnesses[check].moves)
                _drop(explorer, check, share)
                _look_around(explorer, check, share)


def _drop(explorer: Explorer, check: str, share: float) -> None:
    """Delta debugging: leave out runs of moves, long ones first."""
    size = 1 << max(0, (len(explorer.witnesses[check].moves) // 2).bit_length() - 1)
    while size:
        i, shorter = 0, False
        while i < len(explorer.witnesses[check].moves) and not explorer.late(share):
            moves = explorer.witnesses[check].moves
            if _replay(explorer, check, moves[:i] + moves[i + size :]):
                shorter = True
            else:
                i += 1 if size <= 2 else size // 2
        size = size if shorter and size <= 2 and not explorer.late(share) else size // 2


def _replay(explorer: Explorer, check: str, moves: list[Any]) -> bool:
    """Play `moves` if they are legal; is the fault reported with a shorter witness?"""
    target = len(explorer.witnesses[check].moves)
    state, _ = explorer.examiner.start()
    seen = {explorer.examiner.identity(state): 0}
    for i in range(len(moves) + 1):
        last = i == len(moves)
        view = explorer.examiner.examine(state, None if last else _only(moves[i]))
        for fault in view.faults:
            explorer.report(fault, moves[:i], view.state, False)
        if len(explorer.witnesses[check].moves) < target:
            return True
        if last or not view.children:
            return False
        state = view.children[0][1]
        identity = explorer.examiner.identity(state)
        if identity in seen:
            explorer.came_back(moves[: i + 1], seen[identity], state)
        seen[identity] = i + 1
    return False


def _look_around(explorer: Explorer, check: str, share: float) -> None:
    """Breadth first from each position on the way: is there a shorter way on from it?"""
    moves = explorer.witnesses[check].moves

    def done() -> bool:
        return explorer.late(share) or len(explorer.witnesses[check].moves) < len(moves)

    state, _ = explorer.examiner.start()
    for i in range(len(moves)):
        todo = deque([(state, list(moves[:i]))])
        seen = {explorer.examiner.identity(state)}
        for _ in range(NEIGHBOURS):
            if not todo or done():
                break
            s, way = todo.popleft()
            view = explorer.examiner.examine(s)
            for fault in view.faults:
                explorer.report(fault, way, view.state, False)
            for a, t in view.children if len(way) + 2 <= len(moves) else ():
                k = explorer.examiner.identity(t)
                if k not in seen:
                    seen.add(k)
                    todo.append((t, [*way, a]))
        if done():
            return
        view = explorer.examiner.examine(state, _only(moves[i]))
        if not view.children:
            return
        state = view.children[0][1]


def _only(action: Any) -> Pick:
    wanted = look(action)
    return lambda legal: [a for a in legal if look(a) == wanted]
