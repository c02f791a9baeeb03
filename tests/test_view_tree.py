"""The views of a search tree: pictures, steps in words, the page that steps through a search."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from zermelo.trace import Trace, TraceEvent, TraceNode

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


# -- a small search that fills in a trace, as the real one does --------------------------------
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
