"""Textbook examples of hidden information, for :mod:`zermelo.textbook.cases`."""

from __future__ import annotations

from typing import Any

from ..equilibrium.nash import equilibrium
from ..explicit.tree import tree
from ..games import load
from ..games.kriegspiel import Kriegspiel
from ..hidden.beliefs import Belief
from ..search.api import search
from ..view.number import number

# Road A: a little gold. Road B: a fork, one way jewels, the other a bus.
LEFT = "max{}(A=20 B=max{}(left=100 right=-1000))"
RIGHT = "max{}(A=20 B=max{}(left=-1000 right=100))"

NINE = "a1 b1 c1 a2 b2 c2 a3 b3 c3"


def roads() -> str:
    days = [search(tree(world.format("", ""))).action for world in (LEFT, RIGHT)]
    unknown = tree(f"chance({LEFT.format('#roads', '#fork')} {RIGHT.format('#roads', '#fork')})")
    s = unknown.result(unknown.initial(), 1)
    averaged, right = (search(unknown, s, algorithm) for algorithm in ("pimc", "belief"))
    warned = " with a warning" if "strategy fusion" in averaged.why else ""
    return (
        f"{days[0]}, {days[1]}; not known which: over deals {averaged.action}{warned}, "
        f"over beliefs {right.action}"
    )


def deals() -> str:
    """Leduc poker with a king on the table: the error of sampled deals compared with all deals."""
    game = load("leduc")
    s = game.parse_state("Q J call raise call K")
    every = search(game, s, "pimc")
    values = {m.action: m.value for m in every.moves}
    far, same = [], 0
    for count in (10, 100, 1000):
        drawn = [search(game, s, "pimc", deals=count, seed=seed) for seed in range(20)]
        errors = [abs(m.value - values[m.action]) for r in drawn for m in r.moves]
        far.append(sum(errors) / len(errors))
        same = sum(r.action == every.action for r in drawn)
    nearer = far[0] > far[1] > far[2]
    return (
        f"{'closer' if nearer else 'not closer'} with 10, 100, 1000 deals; "
        f"of 20 samples of 1000, {same} choose the move of all deals"
    )


def kriegspiel() -> str:
    """Three kinds of mate: guaranteed, with probability 1 by randomizing, and accidental."""
    kinds = (guaranteed(), _probabilistic(), _accidental())
    return "guaranteed: {}; probabilistic: {}; accidental: {}".format(*kinds)


def guaranteed() -> str:
    """King and rook, the other king on any of nine squares."""
    game = Kriegspiel("kriegspiel")
    states = game.somewhere("8/8/8/8/3RK3/8/8/8", NINE.split())
    r = search(game, states[0], "guaranteed", belief=states)
    if r.plan is None or r.belief is None:
        return "none found"
    r.plan.replay(r.belief)  # raises where a game does not end in mate
    return f"from any of {len(r.belief)} squares, against every reply"


def _probabilistic() -> str:
    """The opponent hides on one of two squares, and again after each wrong guess: no plan wins."""
    values = []
    for tries in (1, 2, 3):
        game = tree(_hiding_place(tries))
        sure = search(game, game.result(game.initial(), "L"), "guaranteed").plan is not None
        if sure:
            return "a plan is certain"
        values.append(equilibrium(game, target=1e-5).value)
    return (
        "no plan is certain, with probability "
        + ", ".join(f"{v:.3f}" for v in values)
        + " in 1, 2, 3 tries"
    )


def _hiding_place(tries: int, past: str = "") -> str:
    if tries == 0:
        return "(0,0)"
    wrong = {g: _hiding_place(tries - 1, past + g) for g in "LR"}
    left, right = f"L=(1,-1) R={wrong['R']}", f"L={wrong['L']} R=(1,-1)"
    return f"p2(L=p1#g{past}({left}) R=p1#g{past}({right}))"


def _accidental() -> str:
    """A rook's check mates if the king is on a1, not if it is on e1."""
    game = Kriegspiel("kriegspiel")
    states = game.somewhere("8/8/8/8/8/1K6/7R/8", ["a1", "e1"])
    sure = search(game, states[0], "guaranteed", belief=states, depth=1).plan is not None
    r = search(game, states[0], "belief", belief=states, depth=1)
    belief = Belief(game, 0, dict.fromkeys(states, 1.0))
    mates = sum(game.utility(end, 0) == 1 for end, _ in belief.ends(r.action))
    return f"{r.action} mates in {mates} of {len(belief)} states{', surely' if sure else ''}"


def information() -> str:
    return f"gain: {learning()}; share: {_telling()}; hide: {_hiding()}"


def learning() -> str:
    """A guess where the prize is, or a paid look first."""
    moves = []
    for price in (1, 6):
        worlds = []
        for world in ("left", "right"):
            guess = [f"{g}={10 if g == world else 0}" for g in ("left", "right")]
            paid = [f"{g}={10 - price if g == world else -price}" for g in ("left", "right")]
            worlds.append(f"max#door({' '.join(guess)} look=max#{world}({' '.join(paid)}))")
        game = tree(f"chance({' '.join(worlds)})")
        moves.append(search(game, game.result(game.initial(), 1), "belief").action)
    fits = moves[0] == "look" != moves[1]
    return "cheap information is bought, expensive information is not" if fits else str(moves)


def _telling() -> str:
    """One player sees the weather and sends a signal, the other acts on it; both gain alike."""
    worlds = []
    for world in ("rain", "sun"):
        signals = []
        for word in ("tic", "tac"):
            acts = [f"{a}=({v},{v})" for a in ("rain", "sun") for v in [int(a == world)]]
            signals.append(f"{word}=p2#{word}({' '.join(acts)})")
        worlds.append(f"{world}=p1#{world}({' '.join(signals)})")
    policy = equilibrium(tree(f"chance({' '.join(worlds)})"), "mccfr", iterations=2000)
    return f"value {number(round(policy.values[0], 2))} of 1, by signals that acquire a meaning"


def _hiding() -> str:
    game = load("kuhn")
    policy = equilibrium(game, target=1e-5)
    odds: dict[str, Any] = {
        c: policy.action_probabilities(game.parse_state(f"{c} Q")) for c in "JK"
    }
    bluff, bet = odds["J"]["bet"], odds["K"]["bet"]
    near = abs(bluff - bet / 3) < 0.01
    return (
        f"{policy.values[0]:.4f} in Kuhn poker, bets with the worst card "
        f"{'one third' if near else f'{bluff / bet:.2f}'} as often as with the best"
    )
