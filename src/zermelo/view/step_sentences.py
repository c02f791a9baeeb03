"""Every step of a search as one sentence."""

from __future__ import annotations

from ..trace import Trace, TraceEvent, TraceNode
from .folding import Survey, has_windows, is_leaf, many_players
from .layout import CHANCE
from .number import number, pretty, probability, window
from .trace_text import between, event_value, node_value, path, player_name, plural

Window = tuple[float | None, float | None]
HEDGES = {"lower": "at least ", "upper": "at most ", "estimate": "about "}


class StepSentences:
    """Describes the events of a trace, in order, each in one sentence."""

    def __init__(self, trace: Trace, survey: Survey | None = None) -> None:
        self.trace = trace
        self.many = survey.many if survey else many_players(trace)
        self.windows = survey.windows if survey else has_windows(trace)
        self._window: dict[int, Window] = {}  # windows of the open nodes
        self._saved: list[int] | None = None

    def who(self, node: TraceNode) -> str:
        """The player and the place of a node: "MAX at a2→b1"."""
        return f"{player_name(node.player, self.many)} at {path(self.trace, node.id)}"

    def follow(self, event: TraceEvent) -> tuple[Window, Window]:
        """Track the window of the node; returns it before and after the step."""
        node = self.trace.nodes[event.node]
        before = self._window.get(node.id, (node.alpha, node.beta))
        after = (event.alpha, event.beta) if event.alpha is not None else before
        if event.kind in ("leaf", "leave"):
            self._window.pop(node.id, None)
        else:
            self._window[node.id] = after
        return before, after

    def describe(self, event: TraceEvent) -> str:
        """The step in words; a text that the search recorded comes first."""
        node = self.trace.nodes[event.node]
        before, after = self.follow(event)
        if event.kind == "cut":
            return self._cut(event, node)
        if event.text:
            return f"{self.who(node)}: {pretty(event.text)}"
        if event.kind == "enter":
            seen = window(*after) if self.windows and not is_leaf(node) else ""
            where = path(self.trace, node.id)
            name = f"look at {where}" if is_leaf(node) else self.who(node)
            return f"{name}, window {seen}" if seen else name
        if event.kind == "leaf":
            return self._leaf(event, node)
        if event.kind == "backup":
            return self._backup(event, node, before, after)
        value = node.value if event.value is None else event.value
        result = f": {HEDGES.get(node.kind, '')}{number(value)}" if value is not None else ""
        if event.values:
            result = f": {node_value(self.trace, node)}"
        return f"{self.who(node)} is done{result}"

    def _leaf(self, event: TraceEvent, node: TraceNode) -> str:
        value = event_value(event, node.kind) or "value not recorded"
        where = path(self.trace, node.id)
        if node.leaf == "horizon":
            return f"horizon {where}: evaluated as {value}"
        if node.leaf == "table":
            return f"{where} is in the transposition table: {value}"
        return f"leaf {where}: {value}"

    def _backup(self, event: TraceEvent, node: TraceNode, before: Window, after: Window) -> str:
        child = None if event.child is None else self.trace.nodes[event.child]
        gives = ""
        if child is not None and child.value is not None:
            gives = f"{child.label or child.id} gives {node_value(self.trace, child)}"
        if node.player == CHANCE:
            return self._chance_backup(event, node, child, gives)
        best = f" {event_value(event)}" if event.value is not None else ""
        if event.improved:
            text = f"best so far{best}"
            if child is not None:
                text += f" by {child.label or child.id}"
        else:
            text = f"best so far stays{best}"
        text = f"{gives}, {text}" if gives and not event.improved else text
        if self.windows and after[0] != before[0]:
            text += f", α becomes {number(after[0])}"
        if self.windows and after[1] != before[1]:
            text += f", β becomes {number(after[1])}"
        return f"{self.who(node)}: {text}"

    def _chance_backup(
        self, event: TraceEvent, node: TraceNode, child: TraceNode | None, gives: str
    ) -> str:
        odds = "" if child is None else probability(child.probability)
        gives += f" with probability {odds}" if gives and odds else ""
        so_far = f"so far {event_value(event)}" if event.value is not None else ""
        text = f"{self.who(node)}: " + ", ".join(t for t in (gives, so_far) if t)
        if self.windows and (known := between(event)):
            text += f", between {number(known[0])} and {number(known[1])} in the end"
        return text

    def _cut(self, event: TraceEvent, node: TraceNode) -> str:
        nodes = self.trace.nodes
        cut = [c for c in node.children if nodes[c].status == "pruned"]
        if node.player == CHANCE and not cut:  # Star2 cuts below the probed children
            below = (c for i in node.children for c in nodes[i].children)
            cut = [c for c in below if nodes[c].status == "pruned"]
        reason = pretty(event.text or node.cut)
        if not cut:
            return f"{self.who(node)}: {reason or 'a cut'}, but nothing was left to cut"
        text = f"{self.who(node)}: " + (f"{reason}, so " if reason else "")
        labels = [nodes[c].label or str(c) for c in cut]
        if nodes[cut[0]].parent != node.id:
            above = (nodes[nodes[c].parent or 0] for c in cut)
            labels = [f"{a.label}→{label}" for a, label in zip(above, labels, strict=True)]
        names = ", ".join(labels) if len(labels) <= 4 else ", ".join([*labels[:3], "…"])
        text += f"{len(cut):,} {plural(len(cut), 'branch')} cut" + (f" ({names})" if names else "")
        leaves = sum(self._leaves()[c] for c in cut)
        return text + (f", {leaves:,} leaves saved" if leaves > len(cut) else "")

    def _leaves(self) -> list[int]:
        """The number of leaves below every node, counted at the first cut."""
        if self._saved is None:
            self._saved = [0 if n.children else 1 for n in self.trace.nodes]
            for n in reversed(self.trace.nodes):
                if n.parent is not None:
                    self._saved[n.parent] += self._saved[n.id]
        return self._saved
