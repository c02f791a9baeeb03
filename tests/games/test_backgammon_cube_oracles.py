"""Backgammon's cube beside GNU Backgammon's: its decisions, and its IDs written and read."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import gnubg
import zermelo
from test_backgammon_cube import GAME, played_well
from test_backgammon_oracles import COUNT
from zermelo.games.native import State

pytestmark = pytest.mark.skipif(gnubg.MISSING, reason=gnubg.REASON)

SCRIPT = """
import gnubg, json
for command in ("set automatic game off", "set automatic roll off", "set automatic move off",
                "set player 0 human", "set player 1 human", "set jacoby off", "new session"):
    gnubg.command(command)
found = []
for commands in json.load(open({asked!r})):
    for command in commands:
        gnubg.command(command)
    told = {{"id": gnubg.positionid() + ":" + gnubg.matchid(), "cube": gnubg.cubeinfo(),
             "position": gnubg.posinfo()}}
    if not told["position"]["dice"][0] and told["position"]["gamestate"] == 1:
        context = gnubg.evalcontext(1, {plies}, 1, 0, 0.0)
        told["worth"] = gnubg.cfevaluate(gnubg.board(), gnubg.cubeinfo(), context)[1:4]
    found.append(told)
json.dump(found, open({told!r}, "w"))
"""


def ask(folder: Path, commands: list[list[str]], plies: int = 0) -> list[dict[str, Any]]:
    """What gnubg says of the position after each list of its commands, one after the other."""
    found: list[dict[str, Any]]
    found = gnubg.answers(folder, SCRIPT, commands, 60 + COUNT, plies=plies)
    assert len(found) == len(commands)
    return found


def sample(count: int, seed: int) -> list[State]:
    """Before a roll, the cube in the middle or the mover's."""
    found = []
    for i, bare in enumerate(played_well(count, seed)):
        s = State(GAME, bare.data + bytes((0, 2, 1)))
        found.append(GAME.with_cube(s, 2, bare.data[26]) if i % 3 == 0 else s)
    return found


def test_gnubg_reads_our_ids(tmp_path: Path) -> None:
    """A double that waits for its answer it takes back, as it says itself."""
    states, rng = list[State](), random.Random(3)
    for s in sample(COUNT, 41):
        states += [s, GAME.result(s, "double"), GAME.result(GAME.result(s, "double"), "take")]
        states.append(GAME.result(states[-1], rng.choice(GAME.actions(states[-1]))))
    ids = [GAME.format_state(s).removesuffix(" roll") for s in states]
    for s, i, told in zip(
        states, ids, ask(tmp_path, [["set gnubgid " + i] for i in ids]), strict=True
    ):
        offered = GAME.match(s).offered
        assert offered or told["id"] == i
        data, cube = s.data, told["cube"]
        assert cube["cube"] == 1 << data[32] and cube["cubeowner"] == (-1, 0, 1)[(data[33] + 1) % 3]
        assert (
            not cube["jacoby"]
            and cube["move"] == data[26]
            and tuple(told["position"]["dice"]) == GAME.dice(s)
        )


def test_we_read_gnubgs_ids(tmp_path: Path) -> None:
    """Games of ours with many doubles, told to it move by move: the same IDs after each."""
    rng = random.Random(4)
    commands, states = list[list[str]](), list[State]()
    while len(states) < 2 * COUNT:
        s = next(iter(sample(1, rng.randrange(10**6))))
        commands, states = [*commands, ["set gnubgid " + GAME.format_state(s)]], [*states, s]
        while not GAME.is_terminal(s):
            legal = GAME.actions(s)
            a = "take" if "take" in legal and rng.random() < 0.9 else rng.choice(legal)
            s = GAME.result(s, a)
            if "pass" in GAME.actions(s) or (GAME.is_terminal(s) and a != "drop"):
                break  # which it plays by itself; and the game behind this one
            said = {"roll": [], "double": ["double"], "take": ["accept"], "drop": ["reject"]}
            dice = [f"set dice {a[0]} {a[2]}"] if a[1] == "-" else [f"move {a}"]
            commands, states = [*commands, said.get(a, dice)], [*states, s]
    kinds = set()
    for s, told in zip(states, ask(tmp_path, commands), strict=True):
        kinds.add(s.data[34])
        if GAME.is_terminal(s):  # the score has changed
            assert GAME.parse_state(told["id"]) == s
        else:
            assert told["id"] == GAME.format_state(s).removesuffix(" roll")
    assert len(kinds) == 5 and max(s.data[32] for s in states) >= 3


@pytest.mark.slow
def test_cube_decisions_are_gnubgs(tmp_path: Path) -> None:
    """By its count at 2 plies: what ours at depth 2 cost, and how many cost next to nothing."""
    states = sample(2 * COUNT, 42)
    asked = [["set gnubgid " + GAME.format_state(s)] for s in states]
    doubles, answers = list[float](), list[float]()
    kinds = {"roll": 0, "double": 0, "take": 0, "drop": 0}
    for s, told in zip(states, ask(tmp_path, asked, plies=2), strict=True):
        roll, taken, dropped = told["worth"]
        double = min(taken, dropped)
        first = zermelo.search(GAME, s, "expectiminimax", depth=2).action
        answer = zermelo.search(GAME, GAME.result(s, "double"), "expectiminimax", depth=2).action
        doubles.append(max(roll, double) - (roll if first == "roll" else double))
        answers.append((taken if answer == "take" else dropped) - double)
        kinds[first] += 1
        kinds[answer] += 1
    assert min(kinds.values()) > COUNT // 10, kinds
    for lost, share, mean in ((doubles, 0.95, 0.005), (answers, 0.97, 0.01)):
        assert sum(x <= 0.02 for x in lost) >= share * len(lost)
        assert sum(lost) / len(lost) <= mean
