"""The result of a search. Views read only a result and its trace."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .game import CHANCE, Game, facts_of
from .hidden.beliefs import Belief
from .hidden.plans import Plan
from .search.algorithms import duel, traits_of
from .trace import Trace


@dataclass(frozen=True, slots=True)
class Move:
    """One root action with its value.

    Attributes:
        action: The action.
        value: The utility of player 0 after this action.
        kind: What is proved about `value`. "exact": it is the value of the game after this action.
            "lower": the true value is at least `value`. "upper": it is at most `value`. "estimate":
            nothing is proved, because the search used a depth limit, an evaluation or sampling, or
            did not search the action (`visits` is 0).
        visits: Nodes (or simulations) spent on the action.
        pv: The principal variation, starting with the action.
        values: The utility of every player, in multi-player and general-sum games.

    Example:
        >>> import zermelo
        >>> result = zermelo.search(zermelo.tree("max(3 5)"))
        >>> [(m.action, m.value, m.kind) for m in result.moves]
        [(1, 3.0, 'exact'), (2, 5.0, 'exact')]
    """

    action: Any
    value: float
    kind: str
    visits: int  # nodes spent on it
    pv: list[Any] = field(default_factory=list)  # principal variation, starting with this action
    distance: int | None = None  # as Result.distance
    values: tuple[float, ...] = ()  # one per player, if they do not follow from `value`
    error: float | None = None  # standard error of `value`, where it is a mean of simulations
    # False: the search only compared the action with a better one, or did not search it, so that
    # `value` is a bound of what a full search to the same depth would find.
    resolved: bool = True


@dataclass(slots=True)
class Result:
    """The result of a search. `value` is the utility of player 0 (MAX), whoever is to move.

    Attributes:
        action: The chosen action; None if the game is over or chance moves.
        value: The value for player 0; `values` has one value per player.
        kind: "exact", "lower", "upper" or "estimate", as in :class:`Move`.
        pv: The principal variation: best play for all players, starting with `action`.
        moves: Each root action once, with what is known about it.
        why: Why this algorithm was chosen, and its conventions.
        trace: The recorded steps, if the search was called with ``trace=True``.

    Example:
        >>> import zermelo
        >>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6) min(14 5 2))"))
        >>> result.action, result.value, result.exact
        (1, 3.0, True)
    """

    action: Any  # the chosen action; None if the game is over or chance moves
    value: float
    values: tuple[float, ...]  # one per player
    pv: list[Any]  # principal variation
    moves: list[Move]  # each root action once
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
    # Plies within which the winner forces the end, where known. For a win a few moves away it is
    # the shortest; a longer one may be improved by a deeper search.
    distance: int | None = None
    story: list[tuple[int, Any, float]] = field(default_factory=list)  # depth, action, value
    deepest: int = 0  # plies of the longest line searched
    stopped: str = ""  # "" or what ended the search early: time | nodes | interrupted
    trace: Trace | None = None
    seed: int | None = None
    error: float | None = None  # the value is within this; sampled: with 95 % confidence
    options: dict[str, Any] = field(default_factory=dict)
    belief: Belief | None = None  # states consistent with what the mover observed
    plan: Plan | None = None  # of a guaranteed win: the action in every belief state
    evaluated: bool = False  # the search had a heuristic evaluation
    ties: int = 0  # choices between actions equal for their mover but not for the others

    @property
    def many(self) -> bool:
        """Whether players have separate values (multi-player or general-sum games).

        Example:
            >>> import zermelo
            >>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6))"))
            >>> result.many
            False
        """
        return not duel(facts_of(self.game))

    def own(self, move: Move) -> float:
        """Return the value of a root move for the player who makes it.

        Args:
            move: One of `moves`.

        Returns:
            The value for the player to move.

        Example:
            >>> import zermelo
            >>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6))"))
            >>> result.own(result.moves[0])
            3.0
        """
        if move.values:
            return move.values[max(0, self.player)]
        return move.value if self.player <= 0 else 0.0 - move.value

    @property
    def exact(self) -> bool:
        """Whether `value` is proved to be the value of the game.

        Example:
            >>> import zermelo
            >>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6))"))
            >>> result.exact
            True
        """
        return self.kind == "exact"

    @property
    def best(self) -> list[Any]:
        """The root actions that are proved to be as good as the best one.

        With ``ties=True`` these are all of them. If the value is not exact, nothing is proved and
        the list has only the chosen action.

        Example:
            >>> import zermelo
            >>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6))"))
            >>> result.best
            [1]
        """
        if self.action is None:
            return []
        if not self.exact:
            return [self.action]
        value = self.values[self.player] if self.many else self.value
        return [
            m.action
            for m in self.moves
            if m.action == self.action
            or (m.kind == "exact" and (self.own(m) if self.many else m.value) == value)
        ]

    @property
    def ranked(self) -> list[Move]:
        """The root moves, best first for the player to move.

        The chosen move comes first, then proved wins, estimates by value, proved losses, and
        moves that are not resolved.

        Example:
            >>> import zermelo
            >>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6))"))
            >>> [move.action for move in result.ranked]
            [1, 2]
        """
        if self.player == CHANCE:
            return self.moves  # chance moves
        win_loss = facts_of(self.game).win_loss
        if traits_of(self.algorithm).simulates and self.kind != "exact":  # the most visited first
            return sorted(self.moves, key=lambda m: (m.action != self.action, -m.visits))

        def rank(m: Move) -> tuple[bool, bool, float, float]:
            worth = self.own(m)
            decided = win_loss and m.kind == "exact" and abs(worth) == 1  # beyond any evaluation
            return m.action != self.action, not m.resolved, -worth if decided else 0.0, -worth

        return sorted(self.moves, key=rank)

    def explain(self) -> str:
        """Explain the result in sentences.

        Returns:
            The best move, its value and what is proved about it, the main line, the alternatives,
            and why the algorithm was chosen.

        Example:
            >>> import zermelo
            >>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6))"))
            >>> print(result.explain().splitlines()[0])
            Best move for MAX: 1.
        """
        from .view.explain import explain

        return explain(self)

    def __repr__(self) -> str:
        from .view.number import number, tupled

        shown = tupled(self.values) if self.many else number(self.value)
        action = "None" if self.action is None else self.game.format_action(self.state, self.action)
        return (
            f"<Result {action} value={shown} {self.kind} depth={self.depth} "
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
        """Return the result as plain data, the same as ``--json`` on the command line.

        Returns:
            A dictionary for JSON.

        Example:
            >>> import zermelo
            >>> result = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6))"))
            >>> result.to_json()["value"]
            3.0
        """
        from .view.json import result_json

        return result_json(self)
