"""Traces of small and large trees, recorded by a search of a few lines."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from zermelo.trace import Trace, TraceEvent, TraceNode
from zermelo.view.layout import text_width

TWO_PLY = "max(a1=min(3 12 8) a2=min(2 4 6) a3=min(14 5 2))"

LUGER = "max(min(max(2 3) max(5 9)) min(max(0) max(7 4)) min(max(2 1) max(5 6)))"

FOUR_LEVEL = (
    "max(min(max(min(5 6) min(7 4 5)) max(min(3))) min(max(min(6) min(6 9)) max(min(7))) "
    "min(max(min(5)) max(min(9 8) min(6))))"
)

THREE_PLY = "max(L=min(L=max(L=3 R=5) R=max(L=6 R=9)) R=min(L=max(L=1 R=2) R=max(L=0 R=-1)))"

COIN = "max(chance(min(2 4) min(7 4)) chance(min(6 0) min(5 -2)))"

ODDS = "max(safe=chance(0.9:2 0.1:3) bold=chance(1/3:min(1 5) 1/6:4 1/2:-12))"

TUPLES = (
    "p1(p2(p3((1,6,6) (7,1,2)) p3((6,1,2) (7,2,1))) p2(p3((5,1,7) (1,5,2)) p3((7,7,1) (5,2,5))))"
)

PLAYERS = {"max": 0, "min": 1, "chance": -1}


def parse(text: str) -> list[TraceNode]:
    """A tree in the textbook's notation; leaves hold their values."""
    nodes: list[TraceNode] = []
    stack: list[int] = []
    token = re.compile(
        r"\s*(?:(\w+)=)?(?:([\d./]+):)?(?:(max|min|chance|p\d)\(|(\([-\d,]+\)|[-\d.]+)|(\)))"
    )
    at = 0
    while at < len(text.rstrip()):
        m = token.match(text, at)
        assert m, text[at:]
        at = m.end()
        if m[5]:
            stack.pop()
            continue
        up = stack[-1] if stack else None
        label = m[1] or ("" if up is None else str(len(nodes[up].children) + 1))
        player = -2 if m[4] else PLAYERS.get(m[3]) if m[3] in PLAYERS else int(m[3][1:]) - 1
        node = TraceNode(len(nodes), up, label or None, label, player, len(stack))
        node.probability = float(Fraction(m[2])) if m[2] else None
        if m[4]:
            node.value = float(m[4].strip("()").split(",")[0])
        if up is not None:
            nodes[up].children.append(node.id)
        nodes.append(node)
        if not m[4]:
            stack.append(node.id)
    for n in nodes:
        if n.player == -1:
            for c in n.children:
                nodes[c].probability = nodes[c].probability or 1 / len(n.children)
    return nodes


def run(nodes: list[TraceNode], algorithm: str = "alphabeta", **told: Any) -> Trace:
    """Minimax, alpha-beta or max^n (player 0's values only) over a parsed tree."""
    prune = algorithm == "alphabeta"
    events: list[TraceEvent] = []
    for n in nodes:
        n.status = "pruned"

    def visit(n: TraceNode, alpha: float, beta: float) -> float:
        n.status = "visited"
        if prune:
            n.alpha, n.beta = alpha, beta
        events.append(TraceEvent("enter", n.id, None, n.alpha, n.beta))
        if not n.children:
            n.leaf = n.leaf or "terminal"
            events.append(TraceEvent("leaf", n.id, n.value))
            return n.value or 0.0
        low, high = alpha, beta
        best = 0.0 if n.player == -1 else math.inf if n.player == 1 else -math.inf
        for k, c in enumerate(n.children):
            child = nodes[c]
            inside = (-math.inf, math.inf) if n.player == -1 else (alpha, beta)
            v = visit(child, *inside)
            if n.player == -1:
                best, better = best + (child.probability or 0) * v, False
            else:
                better = v < best if n.player == 1 else v > best
                best = v if better else best
            n.best = c if better else n.best
            if n.player == 1:
                beta = min(beta, best)
            elif n.player >= 0:
                alpha = max(alpha, best)
            window = (alpha, beta) if prune else (None, None)
            events.append(TraceEvent("backup", n.id, best, *window, child=c, improved=better))
            if prune and n.player >= 0 and alpha >= beta and k + 1 < len(n.children):
                n.cut = f"{best:g} <= alpha {low:g}" if n.player else f"{best:g} >= beta {high:g}"
                events.append(TraceEvent("cut", n.id, best, *window, text=n.cut))
                break
        n.value = best
        n.kind = "exact" if low < best < high else "upper" if best <= low else "lower"
        n.kind = n.kind if prune and n.player >= 0 else "exact"
        events.append(TraceEvent("leave", n.id, best, *window))
        return best

    visit(nodes[0], -math.inf, math.inf)
    return Trace(algorithm, nodes, events, "cuts when value >= beta" if prune else "", **told)


def traced(text: str, algorithm: str = "alphabeta") -> Trace:
    return run(parse(text), algorithm)


def uniform(branching: int, depth: int, seed: int = 1, algorithm: str = "alphabeta") -> Trace:
    """A complete tree with leaves that look random."""
    nodes = [TraceNode(0, None, None, "", 0, 0)]
    for node in nodes:
        if node.depth == depth:
            seed = (seed * 1103515245 + 12345) % 2**31
            node.value, node.player = float(seed >> 16 & 63), -2
            continue
        for k in range(branching):
            label = "abcdefghijklmnopqrstuvwxyz"[node.depth] + str(k + 1)
            child = TraceNode(
                len(nodes), node.id, label, label, (node.depth + 1) % 2, node.depth + 1
            )
            node.children.append(child.id)
            nodes.append(child)
    return run(nodes, algorithm)


def chain(length: int) -> Trace:
    """One line, very deep."""
    nodes, inner = [], length - 1
    for i in range(length):
        below = i + 1 if i < inner else None
        node = TraceNode(i, i - 1 if i else None, i, f"m{i}" if i else "", i % 2, i, value=1.0)
        node.best, node.children = below, [] if below is None else [below]
        nodes.append(node)
    nodes[-1].leaf, nodes[-1].player = "terminal", -2
    events = [TraceEvent("enter", i) for i in range(length)] + [TraceEvent("leaf", inner, 1.0)]
    for i in range(inner - 1, -1, -1):
        events.append(TraceEvent("backup", i, 1.0, child=i + 1, improved=True))
        events.append(TraceEvent("leave", i, 1.0))
    return Trace("minimax", nodes, events)


TREES = {
    "two-ply": traced(TWO_PLY),
    "luger": traced(LUGER),
    "four-level": traced(FOUR_LEVEL),
    "three-ply": traced(THREE_PLY),
    "coin": traced(COIN, "expectimax"),
    "odds": traced(ODDS, "expectimax"),
    "tuples": traced(TUPLES, "maxn"),
    "27 leaves": uniform(3, 3),
    "wide": uniform(30, 1),
    "binary": uniform(2, 6),
    "folded": uniform(17, 3),
    "chain": chain(40),
}

ALL = pytest.mark.parametrize("trace", TREES.values(), ids=TREES.keys())

SVG = "{http://www.w3.org/2000/svg}"

NASTY = "</script><img src=x onerror=\"alert('1')\">&<!--]]>\x00\x1b[31m\u202e{title}"


def groups(svg: str, kind: str) -> list[ET.Element]:
    return [
        g
        for g in ET.fromstring(svg).iter(f"{SVG}g")
        if g.get("data-n") and kind in g.get("class", "").split()
    ]


def texts(group: ET.Element, kind: str) -> str:
    return "".join(t.text or "" for t in group.iter(f"{SVG}text") if kind in t.get("class", ""))


SIZES = {"l": 12, "v": 15, "w": 12, "c": 12, "p": 13, "k": 12, "t1": 17, "t2": 13, "t3": 14}


def boxes(svg: str) -> Iterator[tuple[float, float, float, float, str]]:
    for t in ET.fromstring(svg).iter(f"{SVG}text"):
        names = t.get("class", "").split()
        size = SIZES[names[0]]
        bold = names[0] in ("v", "t1", "t3")
        wide = text_width(t.text or "", size, bold)
        x, y = float(t.get("x", "")), float(t.get("y", ""))
        if names[0] in ("l", "p") or names == ["v"]:
            x -= wide / 2
        yield x, y - 0.75 * size, x + wide, y + 0.15 * size, t.text or ""


def nasty() -> Trace:
    trace = traced(TWO_PLY)
    for n in trace.nodes[1:]:
        n.label = NASTY
    for e in trace.events:
        e.text = NASTY if e.kind == "cut" else e.text
    trace.algorithm, trace.convention, trace.nodes[5].cut = NASTY, NASTY, NASTY
    return trace
