"""From the native record of a search to a :class:`Trace` with names."""

from __future__ import annotations

from typing import Any

from .bridge import Bridge
from .game import CHANCE, TERMINAL
from .trace import EventKind, LeafKind, Trace, TraceEvent, TraceNode
from .view.number import number

STEPS: tuple[EventKind, ...] = ("enter", "leaf", "backup", "cut", "leave")
LEAVES: tuple[LeafKind, ...] = ("", "terminal", "horizon", "table")
FLESH_OUT = 20_000  # nodes of pruned branches that are shown, where the whole tree is known


def make_trace(
    raw: Any, b: Bridge, root: bytes, algorithm: str, convention: str, options: dict[str, Any]
) -> Trace:
    """Names for the numbers that the search recorded."""
    raw_nodes, raw_steps, full = raw
    nodes: list[TraceNode] = []
    keys: list[int] = []
    codes: list[int] = []
    for i, (parent, code, player, ply, key, pruned) in enumerate(raw_nodes):
        action = None if i == 0 else b.action(keys[parent], code)
        nodes.append(
            TraceNode(
                id=i,
                parent=None if i == 0 else parent,
                action=action,
                label="" if i == 0 else b.game.format_action(action),
                player=player,
                depth=ply,
                status="pruned" if pruned else "visited",
            )
        )
        keys.append(key)
        codes.append(code)
        if i:
            nodes[parent].children.append(i)
    strict = options.get("cut") == "strict"
    events = [_event(nodes, raw_step, strict) for raw_step in raw_steps]
    trace = Trace(algorithm, nodes, events, convention, full)
    if b.handle.facts.tree_nodes:
        _flesh_out(trace, b, root, codes)
    return trace


def _event(nodes: list[TraceNode], raw: Any, strict: bool) -> TraceEvent:
    step, leaf, improved, node_id, child, value, alpha, beta, kind = raw
    node = nodes[node_id]
    event = TraceEvent(STEPS[step], node_id, value, alpha, beta)
    if event.kind == "enter":
        node.alpha, node.beta = alpha, beta
        event.value = None
    elif event.kind == "leaf":
        node.leaf = LEAVES[leaf]
        node.value = value
        node.kind = "estimate" if node.leaf == "horizon" else "exact"
        event.alpha, event.beta = node.alpha, node.beta
    elif event.kind == "backup":
        event.child, event.improved = child, improved
        if improved:
            node.best = child
    elif event.kind == "cut":
        node.cut = event.text = _reason(node, value, alpha, beta, strict)
    else:
        node.value = value
        node.kind = kind
        if node.kind == "exact" and node.best is not None:  # it is as sure as where it comes from
            node.kind = nodes[node.best].kind if nodes[node.best].kind == "estimate" else "exact"
    return event


def _reason(node: TraceNode, value: float, alpha: float, beta: float, strict: bool) -> str:
    if node.player == 0:
        return f"{number(value)} {'>' if strict else '>='} beta {number(beta)}"
    return f"{number(value)} {'<' if strict else '<='} alpha {number(alpha)}"


def _flesh_out(trace: Trace, b: Bridge, root: bytes, codes: list[int]) -> None:
    """The branches below a cut, which the search never saw: the reader of a lecture does."""
    flat_of = {0: root}
    for node in trace.nodes[1:]:
        assert node.parent is not None
        parent = flat_of.get(node.parent)
        if parent is not None:
            flat_of[node.id] = b.handle.play(parent, codes[node.id])
    todo = [n for n in reversed(trace.nodes) if n.status == "pruned"]
    room = FLESH_OUT
    while todo and room > 0:
        node = todo.pop()
        flat = flat_of[node.id]
        node.player = b.handle.to_move(flat)
        if node.player == TERMINAL:
            node.leaf, node.value = "terminal", b.handle.utility(flat, 0)
            continue
        key = b.handle.key(flat)
        chance = node.player == CHANCE
        odds = dict(b.handle.outcomes(flat)) if chance else {}
        for code in odds or b.handle.actions(flat):
            action = b.action(key, code)
            child = TraceNode(
                id=len(trace.nodes),
                parent=node.id,
                action=action,
                label=b.game.format_action(action),
                player=TERMINAL,
                depth=node.depth + 1,
                status="pruned",
                probability=odds.get(code),
            )
            trace.nodes.append(child)
            node.children.append(child.id)
            flat_of[child.id] = b.handle.play(flat, code)
            todo.append(child)
            room -= 1


def drawn_tree(b: Bridge, root: bytes) -> Trace:
    """A tree that nobody has searched yet, as a trace without steps: for its picture."""
    nodes = [TraceNode(0, None, None, "", b.handle.to_move(root), 0, status="pruned")]
    trace = Trace("", nodes, [])
    _flesh_out(trace, b, root, [0])
    for node in trace.nodes:
        node.status = "visited"
    return trace
