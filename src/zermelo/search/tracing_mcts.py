"""From the native record of Monte Carlo tree search to a :class:`Trace` with names and reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from .. import _core
from ..game import CHANCE, TERMINAL, action_label
from ..trace import EventKind, Trace, TraceEvent, TraceNode
from ..view.number import number, probability
from .adapter import Adapter
from .tracing import KINDS, STEP

PHASES: tuple[EventKind, ...] = ("select", "expand", "simulate", "update")
FIRST_PHASE = 5  # its number among all kinds of step
AMAF = FIRST_PHASE + len(PHASES)  # RAVE: new all-moves-as-first statistics of a node
UNKNOWN = -3  # the player to move at a node without simulations
NAMED = 4  # other children whose bounds a sentence shows


def make_mcts_trace(
    raw: Any,
    b: Adapter,
    root: bytes,
    algorithm: str,
    convention: str,
    options: dict[str, Any],
    searched: _core.Handle,
) -> Trace:
    """Names for the numbers that the search recorded, and why each child was selected.

    `searched`: the game as the search saw it, `convention`: what it says of itself beside.
    """
    raw_nodes, raw_steps, full = raw
    nodes: list[TraceNode] = []
    keys: list[int] = []
    for i, (parent, code, player, ply, key, *_) in enumerate(raw_nodes):
        action = None if i == 0 else b.action(keys[parent], code)
        label = "" if i == 0 else action_label(b.game, action)
        up = None if i == 0 else parent
        nodes.append(TraceNode(i, up, action, label, player, ply, kind="estimate", visits=0))
        keys.append(key)
        if i:
            nodes[parent].children.append(i)
    _name_unvisited(nodes, [n[1] for n in raw_nodes], searched, root)
    teller = Teller(nodes, b, bool(options.get("priors")), options.get("rave", 0.0))
    events = list(teller.events(STEP.iter_unpack(raw_steps)))
    trace = Trace(algorithm, nodes, events, _convention_of(options), full)
    trace.simulations = nodes[0].visits or 0
    for node in nodes:
        node.best = teller.choice(node)
    return trace


def _convention_of(options: dict[str, Any]) -> str:
    """The selection rule in words."""
    rave = options.get("rave")
    mean = f"mean blended with AMAF (RAVE, k = {number(rave)})" if rave else "mean"
    if options.get("priors"):
        return f"selects by {mean} and prior (PUCT)"
    return f"selects the greatest {mean} + {number(options.get('exploration', 1.0))}·r·√(ln N / n)"


def _name_unvisited(
    nodes: list[TraceNode], codes: list[int], handle: _core.Handle, root: bytes
) -> None:
    """The players at nodes without simulations, and the probabilities of chance outcomes."""
    flat: dict[int, bytes] = {0: root}
    for node in nodes:
        if node.player != UNKNOWN and node.player != CHANCE:
            continue
        path = [node.id]
        while path[-1] not in flat:
            up = nodes[path[-1]].parent
            assert up is not None
            path.append(up)
        for i in reversed(path[:-1]):
            up = nodes[i].parent
            assert up is not None
            flat[i] = handle.play(flat[up], codes[i])
        if node.player == UNKNOWN:
            node.player = handle.to_move(flat[node.id])
        if node.player == TERMINAL:
            node.leaf, node.kind = "terminal", "exact"
            if handle.facts.tree_nodes:  # the reader sees the whole tree
                node.value = handle.utility(flat[node.id], 0)
        elif node.player == CHANCE and node.children:
            odds = dict(handle.outcomes(flat[node.id]))
            for child in node.children:
                nodes[child].probability = odds[codes[child]]


class Teller:
    """Follows the statistics from step to step and says why."""

    def __init__(self, nodes: list[TraceNode], b: Adapter, priors: bool, rave: float) -> None:
        self.nodes, self.priors, self.rave = nodes, priors, rave
        facts = b.handle.facts
        self.two = (
            facts.players <= 2 and facts.zero_sum
        )  # values are player 0's, else the chooser's

    def events(self, steps: Iterable[Any]) -> Iterator[TraceEvent]:
        """The steps of the four phases; new AMAF statistics are only noted."""
        for raw in steps:
            if raw[0] == AMAF:
                _, _, _, node_id, _, mean, visits, *_ = raw
                self.nodes[node_id].amaf = mean, int(visits)
            else:
                yield self.event(raw)

    def event(self, raw: Any) -> TraceEvent:
        step, _, _, node_id, child, value, alpha, beta, bound, *_ = raw
        kind = KINDS[bound]
        node = self.nodes[node_id]
        event = TraceEvent(PHASES[step - FIRST_PHASE], node_id)
        if event.kind == "select":
            event.child = child
            self.select(event, node, self.nodes[child], value, int(alpha))
        elif event.kind == "expand":
            event.text = f"expand: {int(value)} {'child' if value == 1 else 'children'}"
        elif event.kind == "simulate":
            event.value = value
            event.text = self.judged(node, value, int(alpha), kind)
        else:
            self.update(event, node, value, int(beta), kind)
        return event

    def sign(self, node: TraceNode) -> int:
        """MIN looks for the least."""
        return -1 if self.two and node.player == 1 else 1

    def select(
        self, event: TraceEvent, node: TraceNode, child: TraceNode, factor: float, credit: int
    ) -> None:
        name = child.label or str(child.id)
        if node.player == CHANCE:
            event.text = f"select: chance samples {name} ({probability(child.probability)})"
            if credit:
                event.text = (
                    f"select: chance samples {self.nodes[credit].label}; its proved value "
                    f"{number(self.nodes[credit].value)} is backed up, and {name} is explored"
                )
            return
        kids = [self.nodes[c] for c in node.children]
        tried = [k for k in kids if k.visits or k.amaf]
        event.bounds = bounds = {c.id: self.bound(node, c, factor) for c in tried}
        word = "greatest upper" if self.sign(node) > 0 else "least lower"
        if not (child.visits or child.amaf) and not self.priors:
            event.text = f"select: {name} is unvisited"
        elif credit:
            known = self.nodes[credit]
            event.text = (
                f"select: {known.label} is the choice; its proved value {number(known.value)} is "
                f"backed up, and {name} is explored"
            )
        elif self.priors:
            event.text = f"select: {name} has the best PUCT score"
        else:
            event.text = f"select: {name} has the {word} bound {self.sum_of(node, child, factor)}"
            others = [c for c in tried if c is not child]
            if others:
                shown = [f"{c.label}: {number(bounds[c.id])}" for c in others[:NAMED]]
                event.text += f" ({', '.join(shown)}{', …' if len(others) > NAMED else ''})"

    def bonus(self, node: TraceNode, child: TraceNode, factor: float) -> float:
        if child.kind == "exact" or not (child.visits or child.amaf):
            return 0.0
        return factor * math.sqrt(math.log(max(1, node.visits or 1)) / (child.visits or 1))

    def estimate(self, child: TraceNode) -> float:
        """The mean, with RAVE blended with AMAF."""
        mean = child.value or 0.0
        if child.kind == "exact" or child.amaf is None:
            return mean
        (amaf, m), n = child.amaf, child.visits or 0
        return mean + (amaf - mean) * m / (n + m + n * m / self.rave)

    def bound(self, node: TraceNode, child: TraceNode, factor: float) -> float:
        return self.estimate(child) + self.sign(node) * self.bonus(node, child, factor)

    def sum_of(self, node: TraceNode, child: TraceNode, factor: float) -> str:
        """ "2.5 + 1.4 = 3.9"."""
        sign = "+" if self.sign(node) > 0 else "-"
        mean, bonus = number(self.estimate(child)), number(self.bonus(node, child, factor))
        return f"{mean} {sign} {bonus} = {number(self.bound(node, child, factor))}"

    def judged(self, node: TraceNode, value: float, plies: int, kind: str) -> str:
        if node.player == TERMINAL:
            node.leaf = "terminal"
            return f"simulate: terminal state: {number(value)}"
        if kind == "exact":
            return f"simulate: proved value {number(value)}"
        if plies == 0:
            return f"simulate: evaluated as {number(value)}"
        return f"simulate: playout of {plies} {'move' if plies == 1 else 'moves'}: {number(value)}"

    def update(
        self, event: TraceEvent, node: TraceNode, value: float, visits: int, kind: str
    ) -> None:
        proved = kind == "exact" and node.kind != "exact"
        node.value, node.visits, node.kind = value + 0.0, visits, kind
        event.value, event.visits = node.value, visits
        times = f"{visits} {'visit' if visits == 1 else 'visits'}"
        if proved and node.player != TERMINAL:
            event.text = f"back up: proved, exactly {number(value)} ({times})"
        elif kind == "exact":
            event.text = f"back up: {times}, {number(value)}"
        else:
            event.text = f"back up: {times}, mean {number(value)}"

    def choice(self, node: TraceNode) -> int | None:
        """The child that would be played."""
        kids = [self.nodes[c] for c in node.children if self.nodes[c].visits]
        if not kids or node.player == CHANCE:
            return None
        sign = self.sign(node)

        def worth(n: TraceNode) -> float:
            return sign * (n.value or 0.0)

        sure = [k for k in kids if k.kind == "exact"]
        open_ = [k for k in kids if k.kind != "exact"]
        best = max(open_, key=lambda n: n.visits or 0, default=None)
        known = max(sure, key=worth, default=None)
        if known is not None and (
            best is None or node.kind == "exact" or worth(known) >= worth(best)
        ):
            return known.id
        return None if best is None else best.id
