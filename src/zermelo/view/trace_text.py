"""The nodes, events and result of a trace in words."""

from __future__ import annotations

from math import isinf

from ..trace import Trace, TraceEvent, TraceNode
from .layout import CHANCE, MAX, MIN
from .number import bounded, tupled

PATH_LABELS = 8  # a longer path shows only its end


def player_name(player: int, many: bool) -> str:
    """MAX, MIN or chance; p1, p2, p3… in multi-player games."""
    if player == CHANCE:
        return "chance"
    if player < 0:
        return "end"
    if many or player > MIN:
        return f"p{player + 1}"
    return "MAX" if player == MAX else "MIN"


def path(trace: Trace, node: int, limit: int = PATH_LABELS) -> str:
    """The labels on the path to a node, as "a2→b1", or "the root"."""
    labels: list[str] = []
    at = trace.nodes[node]
    while at.parent is not None:
        if len(labels) == limit:
            labels.append("…")
            break
        labels.append(at.label or str(at.id))
        at = trace.nodes[at.parent]
    return "→".join(reversed(labels)) or "the root"


def node_value(trace: Trace, node: TraceNode) -> str:
    """The value of a node with its bound sign; in multi-player games, the tuple of values."""
    if not node.values:
        return visited(node.value, node.kind, node.visits)
    whose = node.player if trace.against is None else trace.against
    return tupled(node.values, node.kind, whose)


def event_value(event: TraceEvent, kind: str = "exact") -> str:
    """The value of an event, or its tuple of values."""
    return tupled(event.values, kind) if event.values else bounded(event.value, kind)


def visited(value: float | None, kind: str, visits: int | None) -> str:
    """A value; in Monte Carlo search with the number of simulations: "≈2.5 ×4"."""
    if visits is None:
        return bounded(value, kind)
    return f"{bounded(value, kind)} ×{visits:,}" if visits else bounded(value, kind)


def counts(trace: Trace) -> tuple[int, int, int, bool]:
    """Leaves visited, branches cut, leaves below the cuts, and whether all of those are known."""
    visited = branches = saved = 0
    known = True
    for n in trace.nodes:
        if n.status == "visited":
            visited += n.leaf != ""
        else:
            if n.parent is None or trace.nodes[n.parent].status == "visited":
                branches += 1
            if not n.children:
                saved += 1
                known = known and n.value is not None
    return visited, branches, saved, known


def summary(trace: Trace) -> str:
    """ "value 3, best move a1; 7 of 9 leaves visited, 2 branches cut"."""
    if not trace.nodes:
        return "the trace is empty"
    root = trace.nodes[0]
    if not trace.events:  # a tree that was only drawn
        drawn = sum(n.leaf != "" for n in trace.nodes)
        leaves = f"{drawn:,} {plural(drawn, 'leaf')}"
        return leaves if root.value is None else f"value {node_value(trace, root)}; {leaves}"
    visited, branches, saved, known = counts(trace)
    value = node_value(trace, root) if root.values else bounded(root.value, root.kind)
    parts = [f"value {value}"] if root.value is not None else []
    if root.best is not None:
        parts.append(f"best move {trace.nodes[root.best].label or trace.nodes[root.best].id}")
    if trace.simulations:
        return f"{', '.join(parts)}; {trace.simulations:,} simulations"
    leaves = f"{visited:,} of {visited + saved:,}" if known else f"{visited:,}"
    effort = f"{leaves} {plural(visited + saved if known else visited, 'leaf')} visited"
    if branches:
        effort += f", {branches:,} {plural(branches, 'branch')} cut"
    return "; ".join([p for p in (", ".join(parts), effort) if p])


def plural(n: int, noun: str) -> str:
    """The noun for `n` of them."""
    many = {"leaf": "leaves", "branch": "branches"}
    return noun if n == 1 else many[noun]


def between(event: TraceEvent) -> tuple[float, float] | None:
    """The bounds of a chance node while some of its outcomes are unknown, else None."""
    if event.low is None or event.high is None or event.low == event.high:
        return None
    return None if isinf(event.low) or isinf(event.high) else (event.low, event.high)


def plain(text: str) -> str:
    """The text without line breaks and terminal control codes; labels come from users."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " for c in text)
