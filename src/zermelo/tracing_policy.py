"""A typed tree with hidden information as a trace: an equilibrium's odds on its branches.

There are no steps: nothing is searched. Every node shows what is to be expected there.
"""

from __future__ import annotations

from .bridge import bridge
from .policy import Policy
from .trace import Trace, TraceNode
from .tracing import drawn_tree
from .tree import Tree

DIGITS = 3  # an equilibrium that was come near to is no surer than that


def make_policy_trace(game: Tree, policy: Policy) -> Trace:
    """The tree of `game` as the policy plays it."""
    trace = drawn_tree(bridge(game), game.data(game.initial()))
    trace.algorithm = policy.algorithm
    nodes = trace.nodes
    states = {0: game.initial()}
    for node in nodes:  # parents come before their children
        if not node.children:
            continue
        s = states[node.id]
        node.alike = game.labels.get(game.node(s), "")
        odds = policy.action_probabilities(s) if node.player >= 0 else {}
        for c in node.children:
            child = nodes[c]
            child.probability = odds.get(child.action, child.probability)
            states[c] = game.result(s, child.action)
    for node in reversed(nodes):
        if node.children:
            _expect(nodes, node)
    for node in nodes:
        _round(nodes, node)
    return trace


def _expect(nodes: list[TraceNode], node: TraceNode) -> None:
    """What the node is worth, from its children's values and odds."""
    below = [nodes[c] for c in node.children]
    worth = sum((c.probability or 0.0) * (c.value or 0.0) for c in below)
    node.value, node.kind = worth, "estimate"
    if below[0].values:
        columns = zip(*(c.values for c in below), strict=True)
        odds = [c.probability or 0.0 for c in below]
        node.values = tuple(
            sum(p * v for p, v in zip(odds, column, strict=True)) for column in columns
        )


def _round(nodes: list[TraceNode], node: TraceNode) -> None:
    if node.children and node.value is not None:
        node.value = round(node.value, DIGITS) + 0.0
        node.values = tuple(round(v, DIGITS) + 0.0 for v in node.values)
    if node.parent is not None and nodes[node.parent].player >= 0 and node.probability is not None:
        node.probability = round(node.probability, DIGITS)
