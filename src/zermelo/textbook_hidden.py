"""The lectures' cases of hidden information, for :mod:`zermelo.textbook`."""

from __future__ import annotations

from typing import Any

from .equilibria import equilibrium
from .games import load
from .search import search
from .tree import tree
from .view.number import number

# Road A: a little gold. Road B: a fork, one way jewels, the other a bus.
LEFT = "max{}(A=20 B=max{}(left=100 right=-1000))"
RIGHT = "max{}(A=20 B=max{}(left=-1000 right=100))"


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
    """Leduc poker with a king on the table: how far drawn deals lie from all of them."""
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
        f"{'nearer' if nearer else 'not nearer'} with 10, 100, 1000 deals; "
        f"of 20 draws of 1000, {same} choose as all deals do"
    )


def information() -> str:
    return f"learn: {learning()}; tell: {telling()}; hide: {hiding()}"


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
    return "a cheap look is bought, a dear one is not" if fits else str(moves)


def telling() -> str:
    """One sees the weather and says a word, the other hears it and dresses; both gain alike."""
    worlds = []
    for world in ("rain", "sun"):
        said = []
        for word in ("tic", "tac"):
            acts = [f"{a}=({v},{v})" for a in ("rain", "sun") for v in [int(a == world)]]
            said.append(f"{word}=p2#{word}({' '.join(acts)})")
        worlds.append(f"{world}=p1#{world}({' '.join(said)})")
    policy = equilibrium(tree(f"chance({' '.join(worlds)})"), "mccfr", iterations=2000)
    return f"{number(round(policy.values[0], 2))} of 1 by words that come to mean something"


def hiding() -> str:
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
