"""The trace of a search: the nodes that it visited and its steps.

The native search records numbers; this module names them. Views (:mod:`zermelo.view`) read only a
:class:`Trace`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

NodeStatus = Literal["visited", "pruned"]
LeafKind = Literal["", "terminal", "horizon", "table"]
EventKind = Literal[
    "enter", "leaf", "backup", "cut", "leave", "select", "expand", "simulate", "update"
]


@dataclass(slots=True)
class TraceNode:
    """A node of the search tree. Values are those of player 0 (MAX), whoever is to move."""

    id: int  # its index in Trace.nodes; the root is 0, parents come before their children
    parent: int | None
    action: Any  # the action that leads here from the parent; None at the root
    label: str  # that action in the notation of the game; "" at the root
    player: int  # the player to move: 0 = MAX, 1 = MIN, 2…; CHANCE (-1); TERMINAL (-2)
    depth: int
    status: NodeStatus = "visited"  # "pruned": skipped by the search
    leaf: LeafKind = ""  # why the search stopped here: "" if it did not, or never came here
    value: float | None = None  # backed-up value; of a pruned leaf, its utility if known
    kind: str = "exact"  # exact | lower (true value >= value) | upper (<=) | estimate
    probability: float | None = None  # of this child of a chance node
    alpha: float | None = None  # the window on entry
    beta: float | None = None
    cut: str = ""  # why its remaining children were pruned, e.g. "2 <= alpha 3"
    best: int | None = None  # the child that gave the value
    values: tuple[float, ...] = ()  # one per player, if they do not follow from `value`
    visits: int | None = None  # Monte Carlo search: number of simulations
    amaf: tuple[float, int] | None = None  # RAVE: mean and number of the AMAF samples
    alike: str = ""  # label of the information set
    children: list[int] = field(default_factory=list)


@dataclass(slots=True)
class TraceEvent:
    """One step. `alpha` and `beta` are the node's window after the step.

    enter:  the search enters `node` with its window
    leaf:   `node` has `value` (a utility, or an evaluation at the depth limit)
    backup: `child` updated the best `value` of `node` (`improved` is False if it did not)
    cut:    the remaining children of `node` are pruned; `text` says why
    leave:  the search leaves `node` with `value`

    Monte Carlo search, in which the `value` of a node is the mean of its simulations:
    select:   from `node` to `child`; `bounds` are the upper confidence bounds of the children
    expand:   `node` gets its children
    simulate: a playout from `node` ended with `value`
    update:   the statistics of `node` are updated: `visits`, `value`
    """

    kind: EventKind
    node: int
    value: float | None = None
    alpha: float | None = None
    beta: float | None = None
    child: int | None = None
    improved: bool = False
    text: str = ""  # the step in words
    low: float | None = None  # bounds of the value of a chance node after the step
    high: float | None = None
    values: tuple[float, ...] = ()  # as of a node
    visits: int | None = None
    bounds: dict[int, float] | None = None


@dataclass(slots=True, repr=False)
class Trace:
    """The recorded steps of one search.

    Attributes:
        algorithm: The name of the algorithm.
        nodes: The nodes; parents come before their children.
        events: The steps, in order.

    Example:
        >>> import zermelo
        >>> zermelo.search(zermelo.tree("max(3 5)"), trace=True).trace
        <Trace of alphabeta: 3 nodes, 8 steps>
    """

    algorithm: str
    nodes: list[TraceNode]
    events: list[TraceEvent]
    convention: str = ""  # e.g. "cuts when value >= beta"; "" without pruning
    truncated: bool = False  # the recording limit was reached before the search ended
    players: int = 0  # number of values per node; 0: one value, for MAX
    against: int | None = None  # paranoid search: the player whom all others play against
    simulations: int = 0  # of Monte Carlo search

    def __repr__(self) -> str:
        return f"<Trace of {self.algorithm}: {len(self.nodes)} nodes, {len(self.events)} steps>"

    def _repr_svg_(self) -> str:
        from .view.tree_svg import tree_svg

        return tree_svg(self, max_nodes=80)  # what fits a notebook

    @property
    def leaves(self) -> list[TraceNode]:
        """The leaves in the order in which the search visited them.

        Example:
            >>> import zermelo
            >>> game = zermelo.tree("max(min(3 12 8) min(2 4 6))")
            >>> trace = zermelo.search(game, trace=True).trace
            >>> [leaf.value for leaf in trace.leaves]
            [3.0, 12.0, 8.0, 2.0]
        """
        return [self.nodes[e.node] for e in self.events if e.kind == "leaf"]

    @property
    def pruned(self) -> list[TraceNode]:
        """The topmost pruned nodes.

        Example:
            >>> import zermelo
            >>> game = zermelo.tree("max(min(3 12 8) min(2 4 6))")
            >>> trace = zermelo.search(game, trace=True).trace
            >>> [node.label for node in trace.pruned]
            ['2', '3']
        """
        return [
            n
            for n in self.nodes
            if n.status == "pruned"
            and n.parent is not None
            and self.nodes[n.parent].status == "visited"
        ]
