"""What a search did: the tree it walked and the steps it took.

The compiled search records numbers; this module gives them names. Views (:mod:`zermelo.view`)
read a :class:`Trace` and nothing else.
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
    """A place in the search tree. Values are player 0's (MAX's), whoever moves."""

    id: int  # its index in Trace.nodes; the root is 0, parents come before their children
    parent: int | None
    action: Any  # by which the parent leads here; None at the root
    label: str  # that action as a person writes it; "" at the root
    player: int  # who moves: 0 = MAX, 1 = MIN, 2…; CHANCE (-1); TERMINAL (-2)
    depth: int
    status: NodeStatus = "visited"  # "pruned": the search proved that it need not look here
    leaf: LeafKind = ""  # why the search did not go deeper: "" = it did, or never came
    value: float | None = None  # backed up; of a pruned node: a leaf's utility where known
    kind: str = "exact"  # exact | lower (true value >= value) | upper (<=) | estimate
    probability: float | None = None  # of this child of a chance node
    alpha: float | None = None  # the window it was entered with
    beta: float | None = None
    cut: str = ""  # why its remaining children were not looked at, e.g. "2 <= alpha 3"
    best: int | None = None  # the child whose value it took
    values: tuple[float, ...] = ()  # one per player, if they do not follow from `value`
    visits: int | None = None  # Monte Carlo search: simulations that came through
    amaf: tuple[float, int] | None = None  # RAVE: mean and number of the AMAF samples
    alike: str = ""  # nodes of the same name look alike to the player who moves there
    children: list[int] = field(default_factory=list)


@dataclass(slots=True)
class TraceEvent:
    """One step. `alpha` and `beta` are the node's window after the step.

    enter:  the search comes to `node` with its window
    leaf:   `node` has `value` (a utility at the end, an evaluation at the horizon)
    backup: the child `child` gave `node` its best `value` so far (or left it: `improved` False)
    cut:    the rest of `node`'s children cannot matter; `text` says why
    leave:  `node` is done with `value`

    Monte Carlo search, in which a node's `value` is the mean of its simulations:
    select:   from `node` down to `child`; `bounds` are its children's upper confidence bounds
    expand:   `node` gets its children
    simulate: playing on from `node` came to `value`
    update:   `node` has counted it: `visits`, `value`
    """

    kind: EventKind
    node: int
    value: float | None = None
    alpha: float | None = None
    beta: float | None = None
    child: int | None = None
    improved: bool = False
    text: str = ""  # the step in words
    low: float | None = None  # what is known of a chance node's value after the step
    high: float | None = None
    values: tuple[float, ...] = ()  # as of a node
    visits: int | None = None
    bounds: dict[int, float] | None = None


@dataclass(slots=True, repr=False)
class Trace:
    """The story of one search."""

    algorithm: str  # "minimax", "alphabeta"…
    nodes: list[TraceNode]
    events: list[TraceEvent]
    convention: str = ""  # e.g. "cuts when value >= beta", "" where nothing is cut
    truncated: bool = False  # the record was full and the search went on without it
    players: int = 0  # how many have a value of their own at every node; 0: MAX's says all
    against: int | None = None  # the player whom all the others want to leave the least
    simulations: int = 0  # of Monte Carlo search

    def __repr__(self) -> str:
        return f"<Trace of {self.algorithm}: {len(self.nodes)} nodes, {len(self.events)} steps>"

    def _repr_svg_(self) -> str:
        from .view.tree_svg import tree_svg

        return tree_svg(self, max_nodes=80)  # what fits a notebook

    @property
    def leaves(self) -> list[TraceNode]:
        """The leaves the search looked at, in the order of its looking."""
        return [self.nodes[e.node] for e in self.events if e.kind == "leaf"]

    @property
    def pruned(self) -> list[TraceNode]:
        """The topmost nodes that were cut off."""
        return [
            n
            for n in self.nodes
            if n.status == "pruned"
            and n.parent is not None
            and self.nodes[n.parent].status == "visited"
        ]
