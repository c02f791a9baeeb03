"""What a picture of a search shows after each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..trace import Trace, TraceEvent, TraceNode
from .folding import Folded, Spot, Survey, is_leaf
from .layout import CHANCE, MAX, MIN
from .number import bounded, number, pretty, window
from .trace_text import between, event_value, node_value, visited


@dataclass(slots=True)
class Look:
    """What a spot of the picture shows at a step."""

    state: str = "unseen"  # unseen | open | done
    value: str = ""
    window: str = ""
    cut: str = ""
    best: int | None = None  # the spot of its best child so far
    struck: bool = False  # cut off
    top: bool = False  # the topmost node of a cut: the stroke crosses its edge


Change = tuple[int, str, str | int]  # spot, field of Look, new value


class Replay:
    """Applies events one by one; `looks` is what every spot shows now."""

    def __init__(self, trace: Trace, folded: Folded, survey: Survey | None = None) -> None:
        self.trace, self.spots, self.place = trace, folded.spots, folded.place
        found = survey or Survey(trace)
        self.many, self.windows = found.many, found.windows
        self.known, self.given = found.known, found.given
        self.looks = [Look(value=self._given(s)) for s in self.spots]

    def _given(self, spot: Spot) -> str:
        """The value that a spot shows before the search begins: given leaves only."""
        if not self.given or spot.node is None:
            return ""
        node = self.trace.nodes[spot.node]
        if self.trace.simulations and node.leaf != "terminal":
            return ""
        if self.trace.simulations:
            return bounded(node.value, node.kind)
        return node_value(self.trace, node) if is_leaf(node) else ""

    def final(self) -> list[Look]:
        """What every spot shows when the search is over."""
        looks = [Look("done") for _ in self.spots]
        for i, spot in enumerate(self.spots):
            looks[i].struck = spot.pruned or (spot.parent is not None and looks[spot.parent].struck)
            looks[i].top = looks[i].struck and (
                spot.parent is None or not looks[spot.parent].struck
            )
            if spot.node is None:
                continue
            node = self.trace.nodes[spot.node]
            looks[i].value = node_value(self.trace, node)
            if node.visits == 0:
                looks[i].state = "unseen"
            looks[i].cut = pretty(node.cut)
            looks[i].best = None if node.best is None else self.place[node.best]
            if self.trace.simulations:
                looks[i].window = self.looks[i].window
            elif self.windows and not is_leaf(node):
                looks[i].window = self.looks[i].window or window(node.alpha, node.beta)
        return looks

    def apply(self, event: TraceEvent) -> Sequence[Change]:
        """Take one step; returns the changes."""
        at = self.place[event.node]
        spot, look = self.spots[at], self.looks[at]
        if spot.node is None:  # inside a folded part
            return self._set(at, "state", "done") if look.state != "done" else ()
        node = self.trace.nodes[event.node]
        if self.trace.simulations:
            return self._simulated(event, at)
        changes: list[Change] = []
        state = "open" if event.kind in ("enter", "backup", "cut") else "done"
        changes += self._set(at, "state", state)
        changes += self._set(at, "window", self._window(event, node) or look.window)
        if event.kind in ("leaf", "leave"):
            value = node.value if event.value is None else event.value
            text = node_value(self.trace, node) if event.values else bounded(value, node.kind)
            changes += self._set(at, "value", text)
        elif event.kind == "backup":
            if event.value is not None:
                changes += self._set(at, "value", self._so_far(event, node))
            if event.improved and event.child is not None:
                changes += self._set(at, "best", self.place[event.child])
        elif event.kind == "cut":
            changes += self._set(at, "cut", pretty(node.cut or event.text) or "cut")
            changes += self._strike(at)
        return changes

    def _simulated(self, event: TraceEvent, at: int) -> list[Change]:
        """A phase of Monte Carlo search: the path stays open until its simulation is backed up."""
        changes = self._set(at, "state", "done" if event.kind == "update" else "open")
        if event.kind == "update":
            kind = "exact" if "mean" not in event.text else "estimate"
            changes += self._set(at, "value", visited(event.value, kind, event.visits))
        for child, bound in (event.bounds or {}).items():
            place = self.place[child]
            if self.spots[place].node == child:
                changes += self._set(place, "window", f"UCB {number(bound)}")
        if event.kind == "select" and event.child is not None:
            changes += self._set(at, "best", self.place[event.child])
        return changes

    def _set(self, at: int, name: str, new: str | int) -> list[Change]:
        if getattr(self.looks[at], name) == new:
            return []
        setattr(self.looks[at], name, new)
        return [(at, name, new)]

    def _window(self, event: TraceEvent, node: TraceNode) -> str:
        if not self.windows or event.kind == "leaf" or is_leaf(node):
            return ""
        text = window(event.alpha, event.beta)
        return text or (window(node.alpha, node.beta) if event.kind == "enter" else "")

    def _so_far(self, event: TraceEvent, node: TraceNode) -> str:
        """The value so far as a bound: MAX with an exact child of 3 gets at least 3."""
        if self.many:
            return event_value(event) + ("…" if node.player == CHANCE else "")
        if node.player not in (MAX, MIN):
            known = between(event) if self.windows else None
            return "…".join(map(number, known)) if known else bounded(event.value) + "…"
        sure, sign = ("lower", "≥") if node.player == MAX else ("upper", "≤")
        old = self.looks[self.place[node.id]].value
        if not event.improved and old.strip("≥≤≈…") == bounded(event.value):
            return old
        child = None if event.child is None else self.trace.nodes[event.child]
        kind = "exact" if child is None or not event.improved else child.kind
        if kind in ("exact", sure):
            return sign + bounded(event.value)
        return bounded(event.value, kind) if kind == "estimate" else bounded(event.value) + "…"

    def _strike(self, at: int) -> list[Change]:
        changes: list[Change] = []
        todo = [c for c in self.spots[at].children if self.spots[c].pruned]
        for i in todo:
            changes += self._set(i, "top", 1)
        while todo:
            i = todo.pop()
            changes += self._set(i, "struck", 1)
            todo += self.spots[i].children
        return changes
