"""Node-count signatures of fixed searches: an unintended change of any search is loud.

A signature is (value, nodes, leaves). After an intended change run
``PYTHONPATH=tests/helpers python tests/search/test_signatures.py`` and read the diff before
committing it.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import contract  # noqa: F401  (names the word list)
import many
import oracle
import zermelo
from zermelo.game import facts_of
from zermelo.games import names
from zermelo.search.algorithms import algorithms
from zermelo.ui.cli.bench import PythonTicTacToe

FILE = Path(__file__).parents[1] / "signatures.json"

TREE = oracle.text_of(oracle.random_tree(random.Random(2024), 6, -20, 20))
CHANCE_TREE = oracle.text_of(oracle.random_chance_tree(random.Random(2024), 6, -20, 20))
MANY_TREE = many.random_text(random.Random(2025), 3, 7, True)
GAMES: dict[str, Any] = {
    "tic-tac-toe": lambda: zermelo.load("tic-tac-toe"),
    "connect-four": lambda: zermelo.load("connect-four"),
    "connect-four distance": lambda: zermelo.load("connect-four:score=distance"),
    "bridge": lambda: zermelo.load("bridge:tricks=3"),
    "checkers": lambda: zermelo.load("checkers"),
    "chess": lambda: zermelo.load("chess"),
    "nim": lambda: zermelo.load("nim"),
    "dodgem": lambda: zermelo.load("dodgem"),
    "go": lambda: zermelo.load("go:size=4,score=win"),
    "go superko": lambda: zermelo.load("go:size=3"),
    "hex": lambda: zermelo.load("hex:size=3"),
    "othello": lambda: zermelo.load("othello:size=6"),
    "pacman": lambda: zermelo.load("pacman:layout=trap"),
    "pacman chance": lambda: zermelo.load("pacman:layout=lecture,ghosts=directional"),
    "kalah": lambda: zermelo.load("kalah:houses=3,seeds=3"),
    "split-nim": lambda: zermelo.load("split-nim:piles=12"),
    "tree": lambda: zermelo.tree(TREE),
    "pig": lambda: zermelo.load("pig:target=15"),
    "2048": lambda: zermelo.load("2048"),
    "backgammon": lambda: zermelo.load("backgammon:start=roll"),
    "chance tree": lambda: zermelo.tree(CHANCE_TREE),
    "python chance": lambda: oracle.ChanceGame(7, 8),
    "monopoly": lambda: zermelo.load("monopoly:players=3,rounds=9"),
    "nim of three": lambda: zermelo.load("nim:piles=2,3,3,players=3"),
    "many tree": lambda: zermelo.tree(MANY_TREE),
    "python tic-tac-toe": PythonTicTacToe,
    "python hashed": lambda: oracle.HashedGame(7, 8),
    "battleships": lambda: zermelo.load("battleships:size=3,fleet=2"),
    "holdem": lambda: zermelo.load("holdem"),
    "blind-tic-tac-toe": lambda: zermelo.load("blind-tic-tac-toe:m=3,n=2,k=3"),
    "kriegspiel": lambda: zermelo.load("kriegspiel"),
    "scrabble": lambda: zermelo.load("scrabble"),
    "stratego": lambda: zermelo.load("stratego"),
    "kuhn": lambda: zermelo.load("kuhn"),
    "leduc": lambda: zermelo.load("leduc"),
    "liars-dice": lambda: zermelo.load("liars-dice:sides=3"),
}
# Games with hidden information: where they are searched.
HIDDEN = {
    "scrabble": "bbAAAAAAAABBCCD/DDDEEEEEEEEEEEF/FGGGHHIIIIIIIIJ/"
    "KLLLLMMNNNNOOOO/OOOPPRRRRRRSSSS/"
    "TTTTTUUUUVVWWXY/YZ13" + "/15" * 7 + "/T14 ONE,AQIN 30,40 0 0",
    "stratego": "f3b4t/10/1g8/10/10/10/10/5M'!4/10/FB6SI r 4 f2f3:1 -",
    "battleships": "a1-b1 a2-b2 a1",
    "holdem": "AsKd 7h7c rc Qs7d2c cc 4h cc 5c cr",
    "blind-tic-tac-toe": "X../.O.",
    "kriegspiel": "8/8/8/8/8/1K6/7R/k7 w - - 0 1",
    "kuhn": "Q J",
    "leduc": "Q J call raise call K",
    "liars-dice": "1 2 1-1",
}
HIDDENS = {"pimc", "ismcts", "belief", "guaranteed"}
LARGE = {"kriegspiel", "scrabble", "stratego"}  # too many histories to list what one may be in
# Limits and options by algorithm. Every algorithm must be in here.
RUNS: dict[str, list[dict[str, Any]]] = {
    "minimax": [{"depth": 4}, {"depth": 3, "deepen": True}, {"nodes": 500}],
    "alphabeta": [
        {"depth": 6},
        {"depth": 6, "cut": "strict"},
        {"depth": 6, "fail": "hard"},
        {"depth": 6, "cut": "strict", "fail": "hard"},
        {"depth": 7, "table": 1},
        {"depth": 5, "deepen": True, "table": 1},
        {"depth": 5, "lines": 3},
        {"depth": 5, "ties": True},
        {"nodes": 2000},
        {"nodes": 2000, "deepen": False},
    ],
    "engine": [
        {"depth": 7},
        {"depth": 6, "table": 1, "lines": 3},
        *({"depth": 6, part: False} for part in ("pvs", "aspiration", "killers", "mirror")),
        {"depth": 6, "narrow": False},
        {"nodes": 2000},
    ],
    "mcts": [
        {"nodes": 300},
        {"nodes": 200, "seed": 1, "solver": False, "explore": 2.0},
        {"nodes": 200, "priors": True, "urgency": 0.5},
    ],
    "proof-number": [{"nodes": 3000}, {"nodes": 3000, "narrow": False, "table": 1}],
    "superko": [{}, {"ties": True}],
    "expectiminimax": [
        *({"depth": 3, "prune": prune, "table": 0} for prune in ("none", "star1", "star2")),
        {"depth": 4, "table": 1},
        {"depth": 3, "lines": 3},
        {"depth": 2, "samples": 4},
        {"nodes": 2000},
    ],
    "expectimax": [{"depth": 2}, {"nodes": 2000}],
    "value-iteration": [{}],
    "maxn": [{"depth": 2}, {"depth": 2, "prefer": "hostile", "table": 1}, {"nodes": 2000}],
    "paranoid": [{"depth": 2}, {"depth": 2, "deepen": True, "table": 1}, {"nodes": 2000}],
    "best-reply": [{"depth": 2}, {"depth": 2, "deepen": True, "table": 1}, {"nodes": 2000}],
    "pimc": [{"depth": 2}, {"nodes": 500}],
    "ismcts": [{"nodes": 300}, {"nodes": 300, "seed": 1, "explore": 2.0}],
    "belief": [{"depth": 2}, {"depth": 1, "others": "hostile"}],
    "guaranteed": [{"depth": 2}],
}
# Games of many players, and the algorithms that play them.
MANY = {"monopoly", "nim of three", "many tree"}
MANIES = {"maxn", "paranoid", "best-reply"}
# Games with chance, and the algorithms that play them.
CHANCE = {"backgammon", "pacman chance", "pig", "2048", "chance tree", "python chance"}
CHANCES = {"expectiminimax", "expectimax", "value-iteration", "mcts"}
FEW = {"pig", "chance tree", "python chance", "tree", "tic-tac-toe", "nim"}  # positions
WIDE = {"backgammon", "monopoly"}  # a depth is too much
SCORES = {
    "bridge",
    "connect-four distance",
    "kalah",
    "othello",
    "pacman",
    "tree",
    "python hashed",
}  # no games of wins and losses
KEYS = [
    f"{game} | {algorithm} {json.dumps(options)}"
    for game, algorithm in itertools.product(GAMES, RUNS)
    for options in RUNS[algorithm]
    if (game in HIDDEN) == (algorithm in HIDDENS)
    and (algorithm != "proof-number" or game not in SCORES)
    and (algorithm != "guaranteed" or game != "scrabble")  # which has no best result
    and (game != "chess" or options.get("cut") != "strict")  # a hundred million nodes
    and (algorithm == "mcts" or (game in MANY) == (algorithm in MANIES))
    and (game == "go superko") == (algorithm == "superko")
    and (game not in CHANCE or algorithm in CHANCES)
    and (game in FEW or algorithm != "value-iteration")
    and (game != "chess" or algorithm != "expectimax" or "nodes" in options)
    and (game != "2048" or options.get("depth", 0) < 3)  # begins with 960 boards
    and (game not in WIDE or "nodes" in options)
]
SOLVED = {
    "tic-tac-toe": 0.0,
    "tic-tac-toe:m=4,n=3,k=3": 1.0,
    "connect-four:width=4,height=4": 0.0,
    "connect-four:width=5,height=4": 0.0,
    "othello:size=4": -10.0,
    "go:size=3": 9.0,
    "hex:size=4": -1.0,
    "hex:size=4,swap=no": 1.0,
    "nim": 1.0,
    "nim:piles=1,2,3": -1.0,
    "nim:piles=1,2,3,misere=yes": -1.0,
    "split-nim": -1.0,
    "split-nim:piles=30": 1.0,
}


def signature(key: str) -> list[float]:
    name, _, rest = key.partition(" | ")
    algorithm, _, options = rest.partition(" ")
    game, asked = GAMES[name](), json.loads(options)
    state = game.parse_state(HIDDEN[name]) if name in HIDDEN else None
    if name in LARGE:
        asked["belief"] = [state]
    r = zermelo.search(game, state, algorithm=algorithm, **asked)
    return [r.value, r.nodes, r.leaves]


def solved_signature(spec: str) -> list[float]:
    r = zermelo.solve(zermelo.load(spec))
    return [r.value, r.nodes, r.leaves]


def all_signatures() -> dict[str, list[float]]:
    found = {key: signature(key) for key in KEYS}
    return found | {f"solve | {spec}": solved_signature(spec) for spec in SOLVED}


KNOWN: dict[str, list[float]] = json.loads(FILE.read_text()) if FILE.exists() else {}


@pytest.mark.parametrize("key", KEYS)
def test_signature(key: str) -> None:
    assert signature(key) == KNOWN[key]


@pytest.mark.parametrize("spec", SOLVED)
def test_solved(spec: str) -> None:
    found = solved_signature(spec)
    assert found == KNOWN[f"solve | {spec}"]
    assert found[0] == SOLVED[spec]


def test_a_search_repeats_itself() -> None:
    for key in KEYS[:: len(KEYS) // 12]:
        assert signature(key) == signature(key)


def test_every_algorithm_and_game_has_signatures() -> None:
    assert set(RUNS) == set(algorithms())
    assert set(names()) <= set(GAMES)
    hidden = {n for n in names() if facts_of(zermelo.load(n)).hidden}
    assert hidden == set(HIDDEN)
    assert set(KNOWN) == {*KEYS, *(f"solve | {spec}" for spec in SOLVED)}


def test_the_three_doors_visit_the_same_nodes() -> None:
    native, python = GAMES["tic-tac-toe"], GAMES["python tic-tac-toe"]
    for depth in range(1, 9):
        for algorithm in ("minimax", "alphabeta"):  # the engine orders by the numbers of moves
            a = zermelo.search(
                native(), algorithm=algorithm, depth=depth, evaluate=lambda s, p: 0.0
            )
            b = zermelo.search(python(), algorithm=algorithm, depth=depth)
            assert (a.value, a.nodes, a.leaves) == (b.value, b.nodes, b.leaves)


def main() -> None:
    rows = [f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in all_signatures().items()]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n")
    print(f"wrote {len(rows)} signatures", file=sys.stderr)


if __name__ == "__main__":
    main()
