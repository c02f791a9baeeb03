"""A search in words, a line a step, and its tree as an indented text picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isinf

from ..trace import Trace, TraceEvent, TraceNode
from .folding import Folded, Spot, Survey, fold, has_windows, is_leaf, many_players
from .layout import CHANCE, MAX, MIN
from .number import bounded, number, pretty, probability, tupled, window

INDENT_LEVELS = 24  # deeper lines are not moved further right, they name their depth
PATH_LABELS = 8  # a longer path shows its end only
COLORS = {"enter": "36", "leaf": "33", "backup": "32", "cut": "1;31", "leave": "1",
          "select": "36", "expand": "35", "simulate": "33", "update": "32"}  # fmt: skip
Window = tuple[float | None, float | None]
HEDGES = {"lower": "at least ", "upper": "at most ", "estimate": "about "}


def player_name(player: int, many: bool) -> str:
    """MAX, MIN, chance; in a game of more than two, and beyond MIN: p1, p2, p3…"""
    if player == CHANCE:
        return "chance"
    if player < 0:
        return "end"
    if many or player > MIN:
        return f"p{player + 1}"
    return "MAX" if player == MAX else "MIN"


def path(trace: Trace, node: int, limit: int = PATH_LABELS) -> str:
    """The labels that lead to a node: "a2→b1"; "the root"."""
    labels: list[str] = []
    at = trace.nodes[node]
    while at.parent is not None:
        if len(labels) == limit:
            labels.append("…")
            break
        labels.append(at.label or str(at.id))
        at = trace.nodes[at.parent]
    return "→".join(reversed(labels)) or "the root"


def worth_of(trace: Trace, node: TraceNode) -> str:
    """A node's value with what is known of it; where each player has its own, the tuple."""
    if not node.values:
        return visited(node.value, node.kind, node.visits)
    whose = node.player if trace.against is None else trace.against
    return tupled(node.values, node.kind, whose)


def event_value(event: TraceEvent, kind: str = "exact") -> str:
    return tupled(event.values, kind) if event.values else bounded(event.value, kind)


def visited(value: float | None, kind: str, visits: int | None) -> str:
    """A value; of Monte Carlo search with the number of its simulations: "≈2.5 ×4"."""
    if visits is None:
        return bounded(value, kind)
    return f"{bounded(value, kind)} ×{visits:,}" if visits else bounded(value, kind)


def counts(trace: Trace) -> tuple[int, int, int, bool]:
    """Leaves visited, branches cut, leaves in what was cut, and whether those are all known."""
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
        told = f"{drawn:,} {_plural(drawn, 'leaf')}"
        return told if root.value is None else f"value {worth_of(trace, root)}; {told}"
    visited, branches, saved, known = counts(trace)
    worth = worth_of(trace, root) if root.values else bounded(root.value, root.kind)
    parts = [f"value {worth}"] if root.value is not None else []
    if root.best is not None:
        parts.append(f"best move {trace.nodes[root.best].label or trace.nodes[root.best].id}")
    if trace.simulations:
        return f"{', '.join(parts)}; {trace.simulations:,} simulations"
    leaves = f"{visited:,} of {visited + saved:,}" if known else f"{visited:,}"
    told = f"{leaves} {_plural(visited + saved if known else visited, 'leaf')} visited"
    if branches:
        told += f", {branches:,} {_plural(branches, 'branch')} cut"
    return "; ".join([p for p in (", ".join(parts), told) if p])


def _plural(n: int, noun: str) -> str:
    many = {"leaf": "leaves", "branch": "branches"}
    return noun if n == 1 else many[noun]


def between(event: TraceEvent) -> tuple[float, float] | None:
    """What a chance node is worth at least and at most, while some outcomes are not known."""
    if event.low is None or event.high is None or event.low == event.high:
        return None
    return None if isinf(event.low) or isinf(event.high) else (event.low, event.high)


class Words:
    """Tells events in order, each in one sentence."""

    def __init__(self, trace: Trace, survey: Survey | None = None) -> None:
        self.trace = trace
        self.many = survey.many if survey else many_players(trace)
        self.windows = survey.windows if survey else has_windows(trace)
        self._window: dict[int, Window] = {}  # of the open nodes
        self._saved: list[int] | None = None

    def who(self, node: TraceNode) -> str:
        return f"{player_name(node.player, self.many)} at {path(self.trace, node.id)}"

    def follow(self, event: TraceEvent) -> tuple[Window, Window]:
        """The node's window before and after the step."""
        node = self.trace.nodes[event.node]
        before = self._window.get(node.id, (node.alpha, node.beta))
        after = (event.alpha, event.beta) if event.alpha is not None else before
        if event.kind in ("leaf", "leave"):
            self._window.pop(node.id, None)
        else:
            self._window[node.id] = after
        return before, after

    def tell(self, event: TraceEvent) -> str:
        """The step in words; the search's own words where it gave some."""
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
        told = f": {HEDGES.get(node.kind, '')}{number(value)}" if value is not None else ""
        if event.values:
            told = f": {worth_of(self.trace, node)}"
        return f"{self.who(node)} is done{told}"

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
        gave = ""
        if child is not None and child.value is not None:
            gave = f"{child.label or child.id} gives {worth_of(self.trace, child)}"
        if node.player == CHANCE:
            odds = "" if child is None else probability(child.probability)
            gave += f" with probability {odds}" if gave and odds else ""
            so_far = f"so far {event_value(event)}" if event.value is not None else ""
            told = f"{self.who(node)}: " + ", ".join(t for t in (gave, so_far) if t)
            if self.windows and (known := between(event)):
                told += f", between {number(known[0])} and {number(known[1])} in the end"
            return told
        best = f" {event_value(event)}" if event.value is not None else ""
        if event.improved:
            told = f"best so far{best}"
            if child is not None:
                told += f" by {child.label or child.id}"
        else:
            told = f"best so far stays{best}"
        told = f"{gave}, {told}" if gave and not event.improved else told
        if self.windows and after[0] != before[0]:
            told += f", α becomes {number(after[0])}"
        if self.windows and after[1] != before[1]:
            told += f", β becomes {number(after[1])}"
        return f"{self.who(node)}: {told}"

    def _cut(self, event: TraceEvent, node: TraceNode) -> str:
        nodes = self.trace.nodes
        cut = [c for c in node.children if nodes[c].status == "pruned"]
        if node.player == CHANCE and not cut:  # Star2: the rest of what was probed
            below = (c for i in node.children for c in nodes[i].children)
            cut = [c for c in below if nodes[c].status == "pruned"]
        reason = pretty(event.text or node.cut)
        if not cut:
            return f"{self.who(node)}: {reason or 'a cut'}, but nothing was left to cut"
        told = f"{self.who(node)}: " + (f"{reason}, so " if reason else "")
        labels = [nodes[c].label or str(c) for c in cut]
        if nodes[cut[0]].parent != node.id:
            above = (nodes[nodes[c].parent or 0] for c in cut)
            labels = [f"{a.label}→{label}" for a, label in zip(above, labels, strict=True)]
        names = ", ".join(labels) if len(labels) <= 4 else ", ".join([*labels[:3], "…"])
        told += f"{len(cut):,} {_plural(len(cut), 'branch')} cut" + (f" ({names})" if names else "")
        leaves = sum(self._leaves()[c] for c in cut)
        return told + (f", {leaves:,} leaves saved" if leaves > len(cut) else "")

    def _leaves(self) -> list[int]:
        """Leaves below every pruned node, counted once, when the first cut is told."""
        if self._saved is None:
            self._saved = [0 if n.children else 1 for n in self.trace.nodes]
            for n in reversed(self.trace.nodes):
                if n.parent is not None:
                    self._saved[n.parent] += self._saved[n.id]
        return self._saved


# -- what is known after k steps -------------------------------------------------------------
@dataclass(slots=True)
class Look:
    """What a spot shows."""

    state: str = "unseen"  # unseen | open | done
    value: str = ""
    window: str = ""
    cut: str = ""
    best: int | None = None  # the spot of its best child so far
    struck: bool = False  # cut off
    top: bool = False  # the topmost of what was cut off: the stroke goes across its edge


Change = tuple[int, str, str | int]  # spot, field of Look, new content


class Replay:
    """Applies events one by one; `looks` holds what every spot shows now."""

    def __init__(self, trace: Trace, folded: Folded, survey: Survey | None = None) -> None:
        self.trace, self.spots, self.place = trace, folded.spots, folded.place
        found = survey or Survey(trace)
        self.many, self.windows = found.many, found.windows
        self.known, self.given = found.known, found.given
        self.looks = [Look(value=self._given(s)) for s in self.spots]

    def _given(self, spot: Spot) -> str:
        """What is on the paper before the search begins."""
        if not self.given or spot.node is None:
            return ""
        node = self.trace.nodes[spot.node]
        if self.trace.simulations and node.leaf != "terminal":
            return ""
        if self.trace.simulations:
            return bounded(node.value, node.kind)
        return worth_of(self.trace, node) if is_leaf(node) else ""

    def final(self) -> list[Look]:
        """What every spot shows when the search is over, from the nodes themselves."""
        looks = [Look("done") for _ in self.spots]
        for i, spot in enumerate(self.spots):
            looks[i].struck = spot.pruned or (spot.parent is not None and looks[spot.parent].struck)
            looks[i].top = looks[i].struck and (
                spot.parent is None or not looks[spot.parent].struck
            )
            if spot.node is None:
                continue
            node = self.trace.nodes[spot.node]
            looks[i].value = worth_of(self.trace, node)
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
        """Take one step; what changed."""
        at = self.place[event.node]
        spot, look = self.spots[at], self.looks[at]
        if spot.node is None:  # somewhere inside a folded part
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
            told = worth_of(self.trace, node) if event.values else bounded(value, node.kind)
            changes += self._set(at, "value", told)
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
        """A phase of Monte Carlo search: the path is open until its simulation is counted."""
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
        """MAX with 3 in hand gets at least 3: but a child's mere bound may promise nothing."""
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


# -- the views ----------------------------------------------------------------------------------
def steps_text(trace: Trace, *, color: bool = False) -> Iterator[str]:
    """The search, one line per step, indented by depth; the last line sums up.

    Lines are numbered from 1. Entering a leaf and its value are one line.
    """

    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if color else text

    head = f"{trace.algorithm}: {pretty(trace.convention)}" if trace.convention else trace.algorithm
    yield paint(plain(head), "1")
    words = Words(trace)
    silent = sum(e.kind == "enter" and bool(trace.nodes[e.node].leaf) for e in trace.events)
    digits, line = len(str(len(trace.events) - silent)), 0
    for event in trace.events:
        if event.kind == "enter" and trace.nodes[event.node].leaf:
            words.follow(event)  # the next line shows the leaf
            continue
        line += 1
        depth = trace.nodes[event.node].depth
        indent = "  " * min(depth, INDENT_LEVELS)
        deep = f"(depth {depth}) " if depth > INDENT_LEVELS else ""
        sign = "✂ " if event.kind == "cut" else ""
        told = plain(f"{deep}{sign}{words.tell(event)}")
        yield f"{line:>{digits}}  {indent}{paint(told, COLORS.get(event.kind, '0'))}"
    if trace.truncated:
        yield "… trace limit reached; later steps are not shown"
    yield paint(plain(f"{trace.algorithm}: {summary(trace)}"), "1")


def plain(text: str) -> str:
    """Labels come from users: no line breaks, no control codes for the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " for c in text)


def tree_text(trace: Trace, max_nodes: int = 200) -> str:
    """The tree as a text picture: final values, * on the best line, ✂ where branches were cut."""
    spots = fold(trace, max_nodes, narrow=False).spots
    many, windows = many_players(trace), has_windows(trace)
    line: set[int] = set()
    at: int | None = 0 if trace.nodes else None
    while at is not None and at not in line:
        line.add(at)
        at = trace.nodes[at].best
    out: list[str] = []
    prefix = [""] * len(spots)  # what stands left of a spot's children
    for i, spot in enumerate(spots):
        branch = ""
        if spot.parent is not None:
            last = spots[spot.parent].children[-1] == i
            before = prefix[spot.parent]
            branch = before + ("└" if last else "├") + ("╌ " if spot.pruned else "─ ")
            prefix[i] = before + ("   " if last else "│  ")
        if spot.node is None:
            out.append(f"{branch}+{spot.hidden:,}{' ✂' if spot.pruned else ''}")
        else:
            node = trace.nodes[spot.node]
            told = _node_line(trace, node, many, windows and not is_leaf(node))
            out.append(f"{branch}{told}{' *' if spot.node in line and spot.node else ''}")
    if trace.truncated:
        out.append("… the trace is incomplete: the recording limit was reached")
    return "\n".join(plain(text) for text in out)


def _node_line(trace: Trace, node: TraceNode, many: bool, windows: bool) -> str:
    odds = probability(node.probability)
    name = " ".join(p for p in (node.label, f"({odds})" if odds else "") if p)
    value = worth_of(trace, node)
    if is_leaf(node):
        parts = [value or "·", f"({node.leaf})" if node.leaf in ("horizon", "table") else ""]
    else:
        who = player_name(node.player, many)
        seen = window(node.alpha, node.beta) if windows and node.status == "visited" else ""
        parts = [who, f"#{node.alike}" if node.alike else "", value, seen]
    if node.status == "pruned":
        parts.append("✂")
    elif node.cut:
        parts.append(f"✂ {pretty(node.cut)}")
    told = " ".join(p for p in parts if p)
    return f"{name}: {told}" if name else told
