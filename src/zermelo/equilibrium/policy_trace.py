"""A typed tree with hidden information as a trace: an equilibrium's odds on its branches.

There are no steps: nothing is searched. Every node shows its expected utility.
"""

from __future__ import annotations

from time import monotonic

from ..explicit.tree import Tree
from ..result import Result
from ..search.adapter import adapt
from ..search.tracing import drawn_tree
from ..trace import Trace, TraceNode
from ..view.number import number
from .cfr import minimize
from .policy import Policy

TARGET = 1e-4  # NashConv
DIGITS = 3  # of an approximate equilibrium


def at_equilibrium(game: Tree, seconds: float) -> tuple[Result, Trace]:
    """Solve a tree with information sets by an equilibrium, and record the probabilities."""
    start = monotonic()
    policy = minimize(game, time=seconds, target=TARGET)
    trace = _make_policy_trace(game, policy)
    leaves = sum(not n.children for n in trace.nodes)
    why = (
        "equilibrium by regret minimization, because the tree has information sets; "
        f"NashConv {number(policy.nash_conv)}"
    )
    r = Result(
        action=None,
        value=policy.value,
        values=policy.values,
        pv=[],
        moves=[],
        depth=max(n.depth for n in trace.nodes),
        nodes=len(trace.nodes),
        leaves=leaves,
        elapsed=monotonic() - start,
        kind="estimate",
        algorithm=policy.algorithm,
        why=why,
        game=game,
        state=game.initial(),
        player=game.player(game.initial()),
        trace=trace,
    )
    return r, trace


def _make_policy_trace(game: Tree, policy: Policy) -> Trace:
    """The tree of `game` as the policy plays it."""
    trace = drawn_tree(adapt(game), game.data(game.initial()))
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
