"""What a search returns. Views read it and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .algorithms import duel
from .beliefs import Belief
from .game import CHANCE, Game, facts_of
from .plans import Plan
from .trace import Trace


@dataclass(frozen=True, slots=True)
class Move:
    """One action at the root. `value` is player 0's; in games of many players, or of other sums,
    `values` are everybody's, and `kind` speaks of what the mover gets.

    kind: exact; lower (the true value is at least `value`); upper (at most); estimate (an
    evaluation had its say). In a result that is itself an estimate, bounds bound the estimate.
    """

    action: Any
    value: float
    kind: str
    visits: int  # nodes spent on it
    pv: list[Any] = field(default_factory=list)  # best play from it on, itself first
    distance: int | None = None  # plies to the end of a game that is decided, where known
    values: tuple[float, ...] = ()  # one a player, where they do not follow from `value`
    error: float | None = None  # standard error of `value`, where it is a mean of simulations


@dataclass(slots=True)
class Result:
    """The answer of a search and its story. Values are player 0's (MAX's), whoever moves."""

    action: Any  # the chosen action; None where the game is over or chance moves
    value: float
    values: tuple[float, ...]  # one a player
    pv: list[Any]  # best play for both sides, the chosen action first
    moves: list[Move]  # what is known of each root action
    depth: int  # moves looked ahead
    nodes: int
    leaves: int  # terminal states and horizons among the nodes
    elapsed: float  # seconds
    kind: str  # exact | lower | upper | estimate
    algorithm: str
    why: str  # why this algorithm, and by which convention
    game: Game
    state: Any
    player: int  # who is to move
    distance: int | None = None  # plies to the end of a game that is decided, where known
    story: list[tuple[int, Any, float]] = field(default_factory=list)  # depth, action, value
    deepest: int = 0  # plies of the longest line looked at
    stopped: str = ""  # "", or what ended the search early: time | nodes | interrupted
    trace: Trace | None = None
    seed: int | None = None
    error: float | None = None  # the value is within this; sampled: with 95 % confidence
    options: dict[str, Any] = field(default_factory=dict)
    belief: Belief | None = None  # what the mover may be in, where something is hidden
    plan: Plan | None = None  # of a win that is sure: what to do in every set that may come about
    evaluated: bool = False  # the search had a heuristic evaluation
    ties: int = 0  # choices between actions equal for their mover but not for the others

    @property
    def many(self) -> bool:
        """Has every player a value of its own, so that player 0's does not say all?"""
        return not duel(facts_of(self.game))

    def own(self, move: Move) -> float:
        """What a root move is worth to the player who makes it."""
        if move.values:
            return move.values[max(0, self.player)]
        return move.value if self.player <= 0 else 0.0 - move.value

    @property
    def exact(self) -> bool:
        """Is `value` the value of the game itself?"""
        return self.kind == "exact"

    @property
    def best(self) -> list[Any]:
        """The root actions known to be as good as the chosen one (all of them if ties=True)."""
        if self.player == CHANCE:
            return []
        sure = [m for m in self.moves if m.kind in ("exact", "estimate")]
        mine = self.values[max(0, self.player)] if self.many else None
        same = [
            m.action
            for m in sure
            if (m.value == self.value if mine is None else self.own(m) == mine)
        ]
        return same or ([] if self.action is None else [self.action])

    @property
    def ranked(self) -> list[Move]:
        """The root moves, best first for the mover: wins before estimates, bounds last."""
        if self.player == CHANCE:
            return self.moves  # nobody chooses
        win_loss = facts_of(self.game).win_loss
        if self.algorithm == "mcts" and self.kind != "exact":  # the surest first
            return sorted(self.moves, key=lambda m: (m.action != self.action, -m.visits))

        def rank(m: Move) -> tuple[bool, float, float]:
            worth = self.own(m)
            sure = win_loss and m.kind == "exact" and abs(worth) <= 1  # in no evaluation's unit
            return m.kind in ("lower", "upper"), -worth if sure else 0.0, -worth

        return sorted(self.moves, key=rank)

    def explain(self) -> str:
        """The result in words."""
        from .view.words import explain

        return explain(self)

    def __repr__(self) -> str:
        from .view.number import number, tupled

        said = tupled(self.values) if self.many else number(self.value)
        action = "None" if self.action is None else self.game.format_action(self.action, self.state)
        return (
            f"<Result {action} value={said} {self.kind} depth={self.depth} "
            f"nodes={self.nodes:,} {self.algorithm}>"
        )

    def __str__(self) -> str:
        from .view.text import result_text

        return result_text(self)

    def _repr_svg_(self) -> str | None:
        if self.trace is not None:
            from .view.tree_svg import tree_svg

            return tree_svg(self.trace, max_nodes=80)  # what fits a notebook
        lines = int(self.options.get("lines", 1))
        best = [m.action for m in self.ranked[:lines]] if lines > 1 else []
        shown = [self.action, *(a for a in best if a != self.action)]
        return self.game.svg_with(self.state, [] if self.action is None else shown)

    def _repr_html_(self) -> str:
        from .view.html import result_html

        return result_html(self)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, the same as the command line's ``--json``."""
        from .view.json import result_json

        return result_json(self)
