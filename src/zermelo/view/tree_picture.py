"""The layout and the shapes of a search tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from html import escape as _escape
from itertools import pairwise
from math import hypot

from ..trace import Trace, TraceNode
from .folding import Folded, Spot, Survey, Wishes, fold, is_leaf
from .layout import CHANCE, MAX, MIN, short, text_width, tidy
from .number import probability
from .replay import Change, Look, Replay
from .trace_text import path, player_name

MARGIN = 24.0
HALF_HEIGHT = 19.0  # of an inner node
LEAF_HALF = 13.0
LABEL_ABOVE = 15.0  # a label's middle above the top of its node
INSIDE = 46.0  # values wider than this stand beside their node
BESIDE = 7.0  # distance of texts from the shape


# characters that XML forbids, and marks that change the text direction
UNFIT = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)


def escape(text: str) -> str:
    """For XML text and attributes."""
    return UNFIT.sub("�", _escape(text))


@dataclass(slots=True)
class Widest:
    """The most room that a spot's texts take during the whole search."""

    value: float = 0.0
    beside: float = 0.0


class Picture:
    """Lays out a trace once; draws it with whatever is known at some step."""

    def __init__(
        self,
        trace: Trace,
        max_nodes: int,
        wishes: Wishes | None = None,
        survey: Survey | None = None,
    ) -> None:
        self.trace = trace
        self.survey = survey or Survey(trace)
        self.folded: Folded = fold(trace, max_nodes, wishes=wishes, survey=self.survey)
        self.spots: list[Spot] = self.folded.spots
        self.replay = Replay(trace, self.folded, self.survey)
        self.many = self.replay.many
        self.widest = [Widest() for _ in self.spots]
        self.shown, self.runs = self.survey.walk(self.folded)  # events, by their number
        self.changes: list[Sequence[Change]] = []  # of each event in `shown`
        self.top = 0.0  # where the root stands, once it is drawn
        self.first = [copy(look) for look in self.replay.looks]

    def run(self, step: int | None, record: bool = False) -> list[Look]:
        """Replay all events, measuring every text on the way; the looks at `step`."""
        wanted: list[Look] | None = None
        for k in self.shown:
            if wanted is None and step is not None and k >= step:
                wanted = [copy(look) for look in self.replay.looks]
            changes = self.replay.apply(self.trace.events[k])
            for at, name, new in changes:
                self._measure(at, name, str(new))
            if record:
                self.changes.append(changes)
        final = self.replay.final()
        for at, look in enumerate(final):
            for name in ("value", "window", "cut"):
                self._measure(at, name, getattr(look, name))
        self._place()
        return final if step is None else wanted or self.replay.looks

    def _measure(self, at: int, name: str, text: str) -> None:
        if name == "value":
            self.widest[at].value = max(self.widest[at].value, text_width(text, 15, bold=True))
        elif name in ("window", "cut"):
            self.widest[at].beside = max(self.widest[at].beside, text_width(text, 12))

    def _place(self) -> None:
        inner = [w.value for s, w in zip(self.spots, self.widest, strict=True) if self.is_inner(s)]
        self.inside = not self.many and max(inner, default=0.0) <= INSIDE
        half = max(inner, default=0.0) / 2 if self.inside else 0.0
        self.half = max(21.0, half / 0.52)  # a triangle is about half as wide where the text is
        self.radius = max(HALF_HEIGHT, half / 0.8)
        labelled = False
        for spot, widest in zip(self.spots, self.widest, strict=True):
            if self.is_inner(spot):
                texts = widest.beside if self.inside else max(widest.beside, widest.value)
                spot.left = self.half
                spot.right = self.half + (texts + BESIDE if texts else 0.0)
            else:
                wide = text_width(f"+{spot.hidden:,}", 12) if spot.node is None else widest.value
                wide = max(wide, widest.beside)  # a leaf's bound stands below it
                spot.left = spot.right = max(LEAF_HALF, wide / 2 + 5)
            # edges are closer to each other at their labels, so the factor compensates
            label = text_width(self.label(spot), 12, bold=True) / 2 * 1.3
            labelled = labelled or label > 0
            spot.left, spot.right = max(spot.left, label), max(spot.right, label)
        least = 92.0 if labelled else 80.0
        tidy(self.spots, lambda wide: min(250.0, max(least, 50 + 0.24 * wide)))
        for spot in self.spots:  # a lone stub hangs close below its node
            if spot.node is None and spot.parent is not None:
                above = self.spots[spot.parent]
                spot.y = above.y + 64 if len(above.children) == 1 else spot.y
        shift = MARGIN - min((s.x - s.left for s in self.spots), default=0.0)
        for spot in self.spots:
            spot.x += shift
        self.bent = [self._flat(s) for s in self.spots]
        self.width = max((s.x + s.right for s in self.spots), default=0.0) + MARGIN
        self.height = max((s.y for s in self.spots), default=0.0) + HALF_HEIGHT + 10
        if self.trace.simulations:
            self.height += 12  # the bounds of leaves stand below them

    def is_inner(self, spot: Spot) -> bool:
        return spot.node is not None and not is_leaf(self.trace.nodes[spot.node])

    def label(self, spot: Spot) -> str:
        if spot.node is None:
            return ""
        node = self.trace.nodes[spot.node]
        odds = probability(node.probability)
        if odds and spot.parent is not None and node.label.isdigit():
            return odds  # numbered outcomes: the probability is more informative than the number
        return " · ".join(t for t in (short(node.label), odds) if t)

    def half_height(self, spot: Spot) -> float:
        return HALF_HEIGHT if self.is_inner(spot) else LEAF_HALF

    # -- drawing -----------------------------------------------------------------------------
    def draw(self, looks: list[Look], top: float, current: int | None, live: bool) -> Iterable[str]:
        """Edges first, nodes over them."""
        line = set() if live else self.best_line(looks)
        for i, spot in enumerate(self.spots):
            if spot.parent is not None:
                yield self._edge(i, looks, top, line, live)
        yield from self._alike(top)
        for i in range(len(self.spots)):
            yield self._node(i, looks[i], top, i in line, i == current, live)

    def _alike(self, top: float) -> Iterable[str]:
        """Dashed lines between nodes of an information set."""
        sets: dict[str, list[Spot]] = {}
        for spot in self.spots:
            if spot.node is not None and (name := self.trace.nodes[spot.node].alike):
                sets.setdefault(name, []).append(spot)
        for name, spots in sets.items():
            title = f"<title>{escape(name)}: one information set of the player to move</title>"
            ends = [(s.x, s.y + top + HALF_HEIGHT) for s in sorted(spots, key=lambda s: s.x)]
            arcs = "".join(
                f"M{x:.1f} {y:.1f}Q{(x + u) / 2:.1f} {max(y, v) + 34:.1f} {u:.1f} {v:.1f}"
                for (x, y), (u, v) in pairwise(ends)
            )  # below them: beside a node stands its value
            yield f'<g class="a">{title}<path class="i" d="{arcs}"/></g>'

    def best_line(self, looks: list[Look]) -> set[int]:
        """The spots of the best line, as far as it is known."""
        line: set[int] = set()
        at: int | None = 0 if looks and looks[0].best is not None else None
        while at is not None and at not in line:
            line.add(at)
            at = looks[at].best
        return line

    def _edge(self, i: int, looks: list[Look], top: float, line: set[int], live: bool) -> str:
        spot, look = self.spots[i], looks[i]
        assert spot.parent is not None
        above = self.spots[spot.parent]
        x1, y1 = above.x, above.y + top + self.half_height(above)
        x2, y2 = spot.x, spot.y + top - self.half_height(spot)
        names = ["e", look.state if look.state == "unseen" and not look.struck else ""]
        names += ["pv"] if i in line and not look.struck else []
        names += ["struck"] if look.struck else []
        names += ["top"] if look.top else []
        out = [f'<g class="{" ".join(n for n in names if n)}" data-n="{i}">']
        bent = self.bent[spot.parent]
        turn = y2 - 2 * LABEL_ABOVE + 3 if bent else y2
        points = [(x1, y1), (x2, turn), (x2, y2)][: 3 if bent else 2]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline class="b" points="{drawn}"/>')
        if look.top or (live and spot.pruned):
            out.append(_stroke(x1, y1, x2, turn))
        if label := self.label(spot):
            t = 0.0 if bent else LABEL_ABOVE / (y2 - y1)
            out.append(text_at("l", x2 + (x1 - x2) * t, y2 - LABEL_ABOVE + 4, label))
        return "".join(out) + "</g>"

    def _flat(self, above: Spot) -> bool:
        """Edges so flat that a label on one would stand over another node: these end upright."""
        below = [self.spots[c] for c in above.children]
        if len(below) < 3 or not any(map(self.label, below)):
            return False
        down = below[0].y - above.y - self.half_height(above) - self.half_height(below[0])
        aside = (above.x - below[0].x) * LABEL_ABOVE / max(1.0, down)
        return aside > 0.45 * min(below[1].x - below[0].x, below[-1].x - below[-2].x)

    def _node(self, i: int, look: Look, top: float, best: bool, now: bool, live: bool) -> str:
        spot = self.spots[i]
        node = None if spot.node is None else self.trace.nodes[spot.node]
        names = ["n", self.class_of(node), "" if look.state == "done" else look.state]
        if look.struck:
            names[2] = "struck"
        names += ["pv"] if best and not look.struck else []
        names += ["cur"] if now else []
        out = [f'<g class="{" ".join(n for n in names if n)}" data-n="{i}">']
        out.append(f"<title>{escape(self._tip(spot, node, look, live))}</title>")
        x, y = spot.x, spot.y + top
        shape = self._shape(spot, node, x, y)
        if now or live:
            out.append(shape.replace('class="s"', 'class="h"'))
        out.append(shape)
        if node is None:
            out.append(text_at("v", x, y + 4, f"+{spot.hidden:,}"))
        else:
            out += self._texts(spot, node, look, (x, y), live)
        return "".join(out) + "</g>"

    def _texts(
        self, spot: Spot, node: TraceNode, look: Look, at: tuple[float, float], live: bool
    ) -> list[str]:
        x, y = at
        if not self.is_inner(spot):
            texts = [text_at("v", x, y + 5, look.value)] if look.value or live else []
            if look.window or (live and self.trace.simulations):
                texts.append(text_at("w below", x, y + LEAF_HALF + 14, look.window))
            return texts
        out: list[str] = []
        lines = [("w", look.window), ("c", look.cut)]
        if self.inside:
            dy = {MAX: 13.0, MIN: -2.0}.get(node.player, 5.5)
            if look.value or live:
                out.append(text_at("v", x, y + dy, look.value))
        else:
            lines.insert(0, ("v side", look.value))
            if node.player != CHANCE and (self.many or node.player not in (MAX, MIN)):
                out.append(text_at("p", x, y + 4.5, player_name(node.player, self.many)))
        right = x + self.half + BESIDE
        two = self.replay.windows or self.trace.simulations
        base = y + (2.0 if self.inside else -6.0 if two else 5.0)
        for k, (name, text) in enumerate(lines):
            if text or live:
                out.append(text_at(name, right, base + 13.5 * k, text))
        return out

    def class_of(self, node: TraceNode | None) -> str:
        if node is None:
            return "stub"
        if is_leaf(node):
            return f"leaf {node.leaf}" if node.leaf in ("horizon", "table") else "leaf"
        if node.player == CHANCE:
            return "chance"
        if self.many or node.player not in (MAX, MIN):
            return "other"
        return "max" if node.player == MAX else "min"

    def _shape(self, spot: Spot, node: TraceNode | None, x: float, y: float) -> str:
        if node is None or is_leaf(node):
            wide = min(spot.left, max(LEAF_HALF, self._leaf_half(spot)))
            return (
                f'<rect class="s" x="{x - wide:.1f}" y="{y - LEAF_HALF:.1f}" '
                f'width="{2 * wide:.1f}" height="{2 * LEAF_HALF:.1f}" rx="3"/>'
            )
        name = self.class_of(node)
        wide = self.half if name in ("max", "min") else self.radius
        return shape_of(name, x, y, wide, HALF_HEIGHT)

    def _leaf_half(self, spot: Spot) -> float:
        if spot.node is None:
            return text_width(f"+{spot.hidden:,}", 12) / 2 + 5
        return self.widest[self.folded.place[spot.node]].value / 2 + 5

    def _tip(self, spot: Spot, node: TraceNode | None, look: Look, live: bool) -> str:
        if node is None:
            return f"{spot.hidden:,} nodes are folded here"
        text = path(self.trace, node.id, 30)
        if not is_leaf(node):
            text = f"{player_name(node.player, self.many)} at {text}"
        if live:
            return text
        parts = [look.value and f"value {look.value}", look.window and f"window {look.window}"]
        parts += [look.cut and f"cut: {look.cut}", "not visited" if look.struck else ""]
        return "; ".join([text, *(p for p in parts if p)])


def text_at(name: str, x: float, y: float, text: str) -> str:
    return f'<text class="{name}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def shape_of(name: str, x: float, y: float, w: float, h: float) -> str:
    """A triangle up or down, or a circle."""
    if name == "max":
        d = f"M{x:.1f} {y - h:.1f}L{x + w:.1f} {y + h:.1f}H{x - w:.1f}Z"
    elif name == "min":
        d = f"M{x - w:.1f} {y - h:.1f}H{x + w:.1f}L{x:.1f} {y + h:.1f}Z"
    else:
        return f'<ellipse class="s" cx="{x:.1f}" cy="{y:.1f}" rx="{w:.1f}" ry="{h:.1f}"/>'
    return f'<path class="s" d="{d}"/>'


def _stroke(x1: float, y1: float, x2: float, y2: float) -> str:
    """Across the middle of an edge."""
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    length = hypot(x2 - x1, y2 - y1) or 1.0
    nx, ny = -(y2 - y1) / length * 8, (x2 - x1) / length * 8
    ends = f'x1="{x - nx:.1f}" y1="{y - ny:.1f}" x2="{x + nx:.1f}" y2="{y + ny:.1f}"'
    return f'<line class="x" {ends}/>'


# -- the whole picture -----------------------------------------------------------------------
