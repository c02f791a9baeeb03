"""A search as text: one line per step, and the tree as an indented picture."""

from __future__ import annotations

from collections.abc import Iterator

from ..trace import Trace, TraceNode
from .folding import fold, has_windows, is_leaf, many_players
from .number import pretty, probability, window
from .step_sentences import StepSentences
from .trace_text import node_value, plain, player_name, summary

INDENT_LEVELS = 24  # deeper lines are not indented further, they show their depth
COLORS = {"enter": "36", "leaf": "33", "backup": "32", "cut": "1;31", "leave": "1",
          "select": "36", "expand": "35", "simulate": "33", "update": "32"}  # fmt: skip


def steps_text(trace: Trace, *, color: bool = False) -> Iterator[str]:
    """The search, one line per step, indented by depth; the last line is a summary.

    Lines are numbered from 1. Entering a leaf and its value are one line.
    """

    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if color else text

    head = f"{trace.algorithm}: {pretty(trace.convention)}" if trace.convention else trace.algorithm
    yield paint(plain(head), "1")
    sentences = StepSentences(trace)
    silent = sum(e.kind == "enter" and bool(trace.nodes[e.node].leaf) for e in trace.events)
    digits, line = len(str(len(trace.events) - silent)), 0
    for event in trace.events:
        if event.kind == "enter" and trace.nodes[event.node].leaf:
            sentences.follow(event)  # the next line shows the leaf
            continue
        line += 1
        depth = trace.nodes[event.node].depth
        indent = "  " * min(depth, INDENT_LEVELS)
        deep = f"(depth {depth}) " if depth > INDENT_LEVELS else ""
        sign = "✂ " if event.kind == "cut" else ""
        text = plain(f"{deep}{sign}{sentences.describe(event)}")
        yield f"{line:>{digits}}  {indent}{paint(text, COLORS.get(event.kind, '0'))}"
    if trace.truncated:
        yield "… trace limit reached; later steps are not shown"
    yield paint(plain(f"{trace.algorithm}: {summary(trace)}"), "1")


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
    prefix = [""] * len(spots)  # the lines to the left of a spot's children
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
            text = _node_line(trace, node, many, windows and not is_leaf(node))
            out.append(f"{branch}{text}{' *' if spot.node in line and spot.node else ''}")
    if trace.truncated:
        out.append("… the trace is incomplete: the recording limit was reached")
    return "\n".join(plain(text) for text in out)


def _node_line(trace: Trace, node: TraceNode, many: bool, windows: bool) -> str:
    odds = probability(node.probability)
    name = " ".join(p for p in (node.label, f"({odds})" if odds else "") if p)
    value = node_value(trace, node)
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
    text = " ".join(p for p in parts if p)
    return f"{name}: {text}" if name else text
