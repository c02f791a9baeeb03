"""Scores and info lines, as the mover sees them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ...games.chess import Chess
from ...games.native import State
from ...result import Result
from ...search.memory import Memory

DECIDED = 100_000  # centipawns: more than any evaluation
MAX_CENTIPAWNS = 30_000


@dataclass(frozen=True)
class Variation:
    """A root move, what it is worth to the mover, and what follows."""

    action: str
    pv: list[str]
    centipawns: int  # beyond DECIDED: a mate, the sooner the further
    distance: int | None = None  # plies to the mate

    @property
    def score(self) -> str:
        if self.distance is None:
            return f"cp {self.centipawns}"
        # Our own move comes first: we mate with the odd plies, we are mated with the even ones.
        return f"mate {(self.distance + 1) // 2 if self.centipawns > 0 else -(self.distance // 2)}"


def variation_of(
    action: str, pv: list[str], value: float, distance: int | None, player: int
) -> Variation:
    """`value` and `player` as in a Result."""
    mine = value if player == 0 else -value
    if distance is None:
        # A search that was cut off early may call a draw exact, or bound a value: both are plain.
        points = round(max(-MAX_CENTIPAWNS, min(MAX_CENTIPAWNS, 100 * mine)))
        return Variation(action, pv, points)
    points = DECIDED + 1000 - min(distance, 999)
    return Variation(action, pv, points if mine > 0 else -points, distance)


def variations_of(r: Result, allowed: Collection[str]) -> list[Variation]:
    """The root moves whose scores are known, the best score first (the chosen move, among equals).

    If some moves are `allowed`, only those.
    """
    lines = []
    if r.action is not None and (not allowed or r.action in allowed):
        lines.append(variation_of(r.action, r.pv, r.value, r.distance, r.player))
    lines += [
        variation_of(m.action, m.pv, m.value, m.distance, r.player)
        for m in r.moves
        if m.resolved and m.pv and m.action != r.action and (not allowed or m.action in allowed)
    ]
    return sorted(lines, key=lambda line: -line.centipawns)


def legal(game: Chess, state: State, line: list[str]) -> list[str]:
    """The part of a line that can be played."""
    data, found = state.data, []
    for action in line:
        if game.handle.to_move(data) < 0:
            break
        code = code_of(game, data, action)
        if code is None:
            break
        found.append(action)
        data = game.handle.play(data, code)
    return found


def code_of(game: Chess, data: bytes, action: str) -> int | None:
    """The native move; quickly, since the search waits for it."""
    squares = square(action[:2]) | square(action[2:4]) << 6
    near = [c for c in game.handle.actions(data) if c & 4095 == squares]
    if len(near) == 1 and len(action) == 4:
        return near[0]
    move = game.move(State(game, data), action)  # castling and promotions
    return None if move is None else move.code


def square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * int(name[1]) - 8


def info(line: Variation, number: int, r: Result, seconds: float, memory: Memory | None) -> str:
    """The line of a finished depth."""
    per_second = round(r.nodes / max(seconds, 1e-3))
    full = "" if memory is None else f"hashfull {round(1000 * memory.fullness)} "
    depth = max(r.depth, 1)
    return (
        f"info depth {depth} seldepth {max(depth, r.deepest)} multipv {number} score {line.score} "
        f"nodes {r.nodes} nps {per_second} {full}time {round(seconds * 1000)} "
        f"pv {' '.join(line.pv)}"
    )
