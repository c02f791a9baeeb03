"""Textbook cases with more than two players and general-sum games."""

from __future__ import annotations

from ..arena.dilemma import dilemma
from ..equilibrium.matrix import matrix
from ..equilibrium.nash import better_for_all, equilibria
from ..explicit.tree import tree
from ..search.api import search
from ..view.number import number, tupled

TUPLES = (
    "p1(p2(p3((1,6,6) (7,1,2)) p3((6,1,2) (7,2,1))) p2(p3((5,1,7) (1,5,2)) p3((7,7,1) (5,2,5))))"
)
THREE = (
    "p1(p2(p3((1,2,6) (4,2,3)) p3((6,1,2) (7,4,1))) p2(p3((5,1,1) (1,5,2)) p3((7,7,1) (5,4,5))))"
)


def _of_tree(text: str) -> str:
    r = search(tree(text))
    return f"{tupled(r.values)}, {('first', 'second')[r.action - 1]} move, by {r.algorithm}"


def tuples() -> str:
    return _of_tree(TUPLES)


def three_players() -> str:
    return _of_tree(THREE)


def prisoners() -> str:
    """One shot, and repeated: tit for tat earns more than always defect."""
    game = matrix("prisoners-dilemma")
    found = equilibria(game)
    pairs = []
    for e in found:
        better = better_for_all(game, e)
        names = "".join(game.action_names[p][i] for p, i in enumerate(e.profile))
        more = "".join(game.action_names[p][i] for p, i in enumerate(better or ()))
        pairs.append(f"{names} {tupled([float(v) for v in e.values])}, {more} is better for both")
    d = dilemma(rounds=200)
    kind, mean = (
        d.pair("tit for tat", "tit for tat")[0],
        d.pair("always defect", "always defect")[0],
    )
    ahead = d.scores["tit for tat"] > d.scores["always defect"]
    return (
        f"only {'; '.join(pairs)}; repeated: tit for tat earns {number(kind)} per round against "
        f"itself, always defect {number(mean)}; in the tournament tit for tat earns "
        f"{'more' if ahead else 'less'}"
    )
