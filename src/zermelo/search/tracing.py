"""From the native record of a search to a :class:`Trace` with names."""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator
from contextlib import contextmanager
from struct import Struct
from typing import Any, NamedTuple

from .. import _core
from ..game import CHANCE, TERMINAL, action_label, facts_of
from ..trace import LeafKind, NodeStatus, Trace, TraceEvent, TraceNode
from ..view.number import number
from .adapter import Adapter
from .algorithms import duel

STEP = Struct("@BB?IIdddBdd")  # of core/trace.hpp: the compiler aligns it in the same way
ENTER, LEAF, BACKUP, CUT = range(4)  # kinds of step; the fifth is `leave`
KINDS = ("exact", "lower", "upper", "estimate")
LEAVES: tuple[LeafKind, ...] = ("", "terminal", "horizon", "table")
_HEDGES = {"lower": "at least ", "upper": "at most ", "estimate": "about "}
FLESH_OUT = 20_000  # nodes of pruned branches that are shown, where the whole tree is known


stays_frozen = False  # the studio's server sets it: see web/trees.py, Shelf


@contextmanager
def uncollected() -> Iterator[None]:
    """Suspends garbage collection while many permanent objects are created."""
    enabled = gc.isenabled()
    try:  # around `disable` too: the studio interrupts what takes too long
        gc.disable()
        yield
    finally:
        gc.freeze()  # moves them to the oldest generation at once
        if not stays_frozen:
            gc.unfreeze()
        if enabled:
            gc.enable()


def make_trace(
    raw: Any,
    b: Adapter,
    root: bytes,
    algorithm: str,
    convention: str,
    options: dict[str, Any],
    searched: _core.Handle,
) -> Trace:
    """Names for the numbers that the search recorded. `searched`: the game as the search saw it."""
    raw_nodes, raw_steps, full = raw
    nodes: list[TraceNode] = []
    keys: list[int] = []
    codes: list[int] = []
    name = b.action
    for i, (parent, code, player, ply, key, pruned, odds) in enumerate(raw_nodes):
        status: NodeStatus = "pruned" if pruned else "visited"
        if i:
            action = name(keys[parent], code)
            label = action_label(b.game, action)
            nodes.append(TraceNode(i, parent, action, label, player, ply, status))
            nodes[parent].children.append(i)
        else:
            nodes.append(TraceNode(0, None, None, "", player, ply, status))
        if odds:
            nodes[i].probability = odds
        keys.append(key)
        codes.append(code)
    facts = b.handle.facts
    limits = (facts.utility_min, facts.utility_max) if options.get("prune") == "star1" else None
    how = Cuts(options.get("cut") == "strict", limits)
    events = _events(nodes, raw_steps, how)
    trace = Trace(algorithm, nodes, events, convention, full)
    if facts.tree_nodes:
        _flesh_out(trace, b, root, codes, searched)
    return trace


class Cuts(NamedTuple):
    """How the search cuts, for the reasons it gives."""

    strict: bool  # not at equality
    limits: tuple[float, float] | None  # assumed values of chance outcomes that were not searched


def _events(nodes: list[TraceNode], raw: bytes, how: Cuts) -> list[TraceEvent]:
    """The steps; the nodes are updated from them. One loop: there are many."""
    events: list[TraceEvent] = []
    add = events.append
    for step, leaf, improved, at, child, value, alpha, beta, bound, low, high in STEP.iter_unpack(
        raw
    ):
        node = nodes[at]
        if step == ENTER:
            node.alpha, node.beta = alpha, beta
            add(TraceEvent("enter", at, None, alpha, beta))
        elif step == LEAF:
            node.leaf, node.value = LEAVES[leaf], value
            node.kind = "estimate" if node.leaf == "horizon" else "exact"
            add(TraceEvent("leaf", at, value, node.alpha, node.beta))
        elif step == BACKUP:
            add(TraceEvent("backup", at, value, alpha, beta, child, improved))
            if improved:
                node.best = child
            if node.player == CHANCE:
                events[-1].low, events[-1].high = low, high
        elif step == CUT:
            node.cut, text = _reasons(node, value, alpha, beta, how)
            add(TraceEvent("cut", at, value, alpha, beta, text=text))
            if node.player == CHANCE:
                events[-1].low, events[-1].high = low, high
        else:
            add(TraceEvent("leave", at, value, alpha, beta))
            node.value, node.kind = value, KINDS[bound]
            if improved:
                hedge = _HEDGES.get(node.kind, "")
                text = f"its first move probed, {hedge}{number(value)}"
                if math.isfinite(low) and math.isfinite(high) and low < high:
                    text += f"; the chance node above is between {number(low)} and {number(high)}"
                events[-1].text = text
            best = node.best  # it has the kind of its source
            if bound == 0 and best is not None and node.player != CHANCE:
                node.kind = "estimate" if nodes[best].kind == "estimate" else "exact"
    return events


def _reasons(
    node: TraceNode, value: float, alpha: float, beta: float, how: Cuts
) -> tuple[str, str]:
    """Why the rest was cut: for the picture, and in a sentence."""
    above = f"{number(value)} {'>' if how.strict else '>='} beta {number(beta)}"
    below = f"{number(value)} {'<' if how.strict else '<='} alpha {number(alpha)}"
    if node.player != CHANCE:
        return (above if node.player == 0 else below,) * 2
    high = value > alpha
    reason = above if high else below
    if how.limits is None:  # Star2
        return f"probed: {reason}", f"with the bounds of the probes, {reason}"
    rest = number(how.limits[0 if high else 1])
    return f"rest {rest}: {reason}", f"even if all remaining outcomes were {rest}, {reason}"


def cut_reasons(trace: Trace, strict: bool) -> None:
    """Write the reasons of alpha-beta's cuts again, after a change of how numbers are shown."""
    for event in trace.events:
        if event.kind != "cut":
            continue
        node = trace.nodes[event.node]
        if trace.players:
            node.cut = event.text = _coalition_reason(trace, node, event)
        elif event.value is not None and event.alpha is not None and event.beta is not None:
            how = Cuts(strict, None)
            node.cut, event.text = _reasons(node, event.value, event.alpha, event.beta, how)


def _coalition_reason(trace: Trace, node: TraceNode, event: TraceEvent) -> str:
    """Why one player against all the others cuts."""
    if node.player != trace.against:
        return f"{number(event.value)} <= alpha {number(event.alpha)}"
    return f"{number(event.value)} >= beta {number(event.beta)}"


def add_tuples(trace: Trace, tuples: dict[int, list[float]], against: int | None) -> None:
    """One value per player, where the search recorded them by step; and its cuts in words.

    against: the player whom all the others oppose; None: every player maximizes its own value.
    """
    trace.players = max(map(len, tuples.values()))
    trace.against = against
    for at, values in tuples.items():
        event = trace.events[at]
        event.values = tuple(values)
        if event.kind in ("leaf", "leave"):
            trace.nodes[event.node].values = event.values
    for event in trace.events:
        if event.kind != "cut":
            continue
        node = trace.nodes[event.node]
        v, alpha, beta = (number(x) for x in (event.value, event.alpha, event.beta))
        if trace.against is None:
            event.text = f"p{node.player + 1} has {v}, the maximum"
            if event.alpha is not None and event.alpha < math.inf and node.parent is not None:
                above = trace.nodes[node.parent].player + 1
                event.text = f"p{node.player + 1} has {v}: p{above} gets at most {beta} <= {alpha}"
            event.alpha, event.beta = -math.inf, math.inf
        else:
            event.text = _coalition_reason(trace, node, event)
        node.cut = event.text


def _flesh_out(
    trace: Trace, b: Adapter, root: bytes, codes: list[int], searched: _core.Handle
) -> None:
    """The pruned branches, which the search never visited, for the picture."""
    facts = facts_of(b.game)
    flat_of = {0: root}
    for node in trace.nodes[1:]:
        assert node.parent is not None
        parent = flat_of.get(node.parent)
        if parent is not None and not node.leaf:  # below a leaf nothing is shown
            flat_of[node.id] = searched.play(parent, codes[node.id])
    if trace.events:
        _add_unseen(trace, b, flat_of, codes, searched)
    todo = [n for n in reversed(trace.nodes) if n.status == "pruned"]
    room = FLESH_OUT
    while todo and room > 0:
        node = todo.pop()
        flat = flat_of[node.id]
        node.player = searched.to_move(flat)
        if node.player == TERMINAL:
            node.leaf, node.value = "terminal", searched.utility(flat, 0)
            if not duel(facts):
                node.values = tuple(searched.utility(flat, p) for p in range(facts.players))
            continue
        key = searched.key(flat)
        chance = node.player == CHANCE
        odds = dict(searched.outcomes(flat)) if chance else {}
        for code in odds or searched.actions(flat):
            child = _pruned(trace, b, node, b.action(key, code), odds.get(code))
            flat_of[child.id] = searched.play(flat, code)
            todo.append(child)
            room -= 1


def _pruned(
    trace: Trace, b: Adapter, node: TraceNode, action: Any, probability: float | None = None
) -> TraceNode:
    """A further child of `node` that the search did not visit."""
    child = TraceNode(
        id=len(trace.nodes),
        parent=node.id,
        action=action,
        label=action_label(b.game, action),
        player=TERMINAL,
        depth=node.depth + 1,
        status="pruned",
        probability=probability,
    )
    trace.nodes.append(child)
    node.children.append(child.id)
    return child


def _add_unseen(
    trace: Trace, b: Adapter, flat_of: dict[int, bytes], codes: list[int], searched: _core.Handle
) -> None:
    """The moves of probed nodes that were never looked at."""
    for node in [n for n in trace.nodes if n.status == "visited" and n.player >= 0 and not n.leaf]:
        flat = flat_of[node.id]
        key = searched.key(flat)
        seen = {codes[c] for c in node.children}
        for code in searched.actions(flat):
            if code in seen:
                continue
            child = _pruned(trace, b, node, b.action(key, code))
            codes.append(code)
            flat_of[child.id] = searched.play(flat, code)


def drawn_tree(b: Adapter, root: bytes) -> Trace:
    """A tree without a search, as a trace without steps, for its picture."""
    nodes = [TraceNode(0, None, None, "", b.handle.to_move(root), 0, status="pruned")]
    trace = Trace("", nodes, [])
    if not duel(facts_of(b.game)):
        trace.players = b.game.players
    _flesh_out(trace, b, root, [0], b.handle)
    for node in trace.nodes:
        node.status = "visited"
    return trace
