"""What any game must keep, whoever wrote it: random play that checks every invariant."""

from __future__ import annotations

import math
import os
import pickle
import random
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import CHANCE
from zermelo.game import Facts, facts_of
from zermelo.games import GAMES, game_class
from zermelo.games.native import NativeGame
from zermelo.hooks import defines

os.environ["ZERMELO_WORDS"] = str(Path(__file__).parents[1] / "words.txt")  # words of our own texts

# Option sets that tests play. Games that are not listed play those of `option_sets`.
OPTIONS: dict[str, list[str]] = {
    "tic-tac-toe": [
        "", "m=4,n=4,k=4", "m=15,n=15,k=5", "m=5,n=3,k=4", "m=1,n=1,k=1", "m=19,n=19,k=5",
        "m=26,n=14,k=6", "m=3,n=3,k=9", "m=1,n=6,k=3",
    ],
    "connect-four": [
        "", "width=4,height=4", "width=8,height=7", "width=1,height=5", "width=5,height=1",
        "width=10,height=5", "width=32,height=1", "score=distance",
        "width=5,height=4,score=distance",
    ],
    "backgammon": ["", "start=roll", "score=win", "cube=yes", "cube=yes,jacoby=yes,start=roll"],
    "battleships": ["", "size=4,fleet=3,2", "size=5,fleet=3,2,2,1,players=1"],
    "blind-tic-tac-toe": ["", "rule=abrupt", "m=2,n=2,k=2", "m=4,n=3,k=3", "m=1,n=1,k=1"],
    "bridge": [
        "", "tricks=4,trump=H", "deal=7,tricks=5,declarer=W,cards=hidden", "tricks=1,trump=C",
        "deal=3,trump=S,declarer=N,cards=hidden",
    ],
    "checkers": ["", "pieces=2", "pieces=6"],
    "chess": ["", "start=0", "start=356,draws=automatic"],
    "nim": [
        "", "piles=1", "piles=3,4,5,take=2", "piles=1,2,3,misere=yes", "piles=7,7,7",
        "piles=999,take=any", "piles=" + ",".join("12345678" * 2), "piles=0,0,2",
        "piles=2,3,4,players=3", "piles=3,3,misere=yes,players=8",
    ],
    "holdem": [""],
    "kriegspiel": [""],
    "kuhn": [""],
    "leduc": ["", "suits=yes", "suits=no"],
    "liars-dice": ["", "dice=2,sides=3", "dice=5"],
    "dodgem": ["", "n=2", "n=4", "n=5"],
    "hex": ["", "size=2", "size=3,swap=no", "size=8", "size=13", "size=19"],
    "pig": ["", "target=1", "target=20", "target=10000"],
    "2048": ["", "fours=0", "fours=1", "fours=0.5"],
    "monopoly": ["", "players=2,rounds=30", "players=6,rounds=40,money=300,score=wealth"],
    "othello": ["", "size=6", "size=4"],
    "pacman": [
        "", "layout=lecture,ghosts=random,stop=no,steps=30", "layout=corridor,steps=9",
        "layout=medium,ghosts=directional,steps=40", "layout=trap,steps=20",
        "layout=open,ghosts=random,steps=12",
    ],
    "scrabble": ["", "score=win", "score=points"],
    "stratego": ["", "board=barrage", "board=barrage,setup=chance"],
    "split-nim": ["", "piles=1", "piles=30", "piles=9,9,3", "piles=119", "piles=2,1,2"],
}  # fmt: skip

TREES = [
    "max(min(3 12 8) min(2 4 6) min(14 5 2))",
    "7",
    "max(L=min(L=max(L=3 R=5) R=max(L=6 R=9)) R=min(L=max(L=1 R=2) R=max(L=0 R=-1)))",
    "min(4 max(1 2) max(max(3 min(4 5)) 6))",
    "max(chance(1/2:8 1/3:24 1/6:-12) chance(min(2 4) min(7 4)))",
    "p1(p2(p3((1,2,6) (4,2,3)) p3((6,1,2) (7,4,1))) p2(p3((5,1,1) (1,5,2)) p3((7,7,1) (5,4,5))))",
    "p1(p2((1,-1) (0,0)) p2((2,-2) (-3,3)))",
    "chance(p1#I(a=(1,1) b=(0,3)) p1#I(a=(2,2) b=(0,0)))",
]


def option_sets(name: str) -> list[str]:
    """The defaults, and one set for each other value that an option's declaration suggests."""
    found = [""]
    for o in game_class(name).options:
        if o.kind == "whole" and isinstance(o.values, range):
            others = {o.values[0], min(o.default + 1, o.values[-1])} - {o.default}
        elif o.kind == "flag":
            others = {not o.default}
        else:
            others = set(o.words) - {o.default}
        found += [f"{o.name}={o.format(value)}" for value in sorted(others)]
    return found


OPTIONS |= {name: option_sets(name) for name in GAMES if name not in OPTIONS}


# Games with native rules, which check what they are called with; rules in Python do not.
NATIVE = [name for name in OPTIONS if issubclass(game_class(name), NativeGame)]


def state_size(game: Any) -> int:
    """The bytes of a native state; 0 for a game in Python."""
    return len(game.data(game.initial())) if hasattr(game, "handle") else 0


def specs() -> list[str]:
    """Every game in every option set."""
    named = [f"{name}:{o}" if o else name for name, all_ in OPTIONS.items() for o in all_]
    return named + TREES


def play_through(game: Any, rng: random.Random, longest: int = 400) -> list[Any]:
    """One random game; every state on the way is checked. Returns the states."""
    facts = facts_of(game)
    s = game.initial()
    assert s == game.initial(), "initial() gives two different states"
    states = [s]
    for _ in range(longest):
        check_state(game, facts, s)
        if game.is_terminal(s):
            check_end(game, facts, s)
            return states
        s = check_move(game, facts, s, rng)
        states.append(s)
    return states


def check_state(game: Any, facts: Facts, s: Any) -> None:
    """What holds in every state."""
    over = game.is_terminal(s)
    actions = list(game.actions(s))
    assert over == (not actions), "is_terminal(s) exactly where there are no actions"
    assert len(set(actions)) == len(actions), "an action is listed twice"
    assert actions == list(game.actions(s)), "asked twice, the actions differ"
    if not over:
        player = game.player(s)
        assert player == CHANCE or 0 <= player < facts.players
        if player == CHANCE:
            check_chance(game, facts, s, actions)
        for a in actions[:: max(1, len(actions) // 12)]:
            text = game.format_action(s, a)
            assert text and game.parse_action(s, text) == a
    check_equality(game, s)
    again = game.parse_state(game.format_state(s))
    if getattr(game, "remembers", False):  # what was before is not in the text
        assert game.format_state(again) == game.format_state(s)
    else:
        assert again == s and hash(again) == hash(s), "format_state and parse_state disagree"
    check_looks(game, s)
    if hasattr(game, "evaluate") and not over:
        e = [game.evaluate(s, p) for p in range(facts.players)]
        assert not facts.zero_sum or facts.players == 1 or abs(sum(e)) < 1e-9


def check_chance(game: Any, facts: Facts, s: Any, actions: list[Any]) -> None:
    assert facts.chance
    outcomes = list(game.outcomes(s))
    assert [a for a, _ in outcomes] == actions
    assert all(p > 0 for _, p in outcomes)
    assert abs(sum(p for _, p in outcomes) - 1) < 1e-9


def check_equality(game: Any, s: Any) -> None:
    copy = pickle.loads(pickle.dumps(s))
    assert copy == s and hash(copy) == hash(s), "a pickled state comes back another"
    assert list(game.actions(copy)) == list(game.actions(s))
    assert s != "no state" and s is not None


def check_looks(game: Any, s: Any) -> None:
    assert game.board(s).strip()
    assert str(s) and repr(s)
    picture = game.svg(s)
    if picture is not None:
        root = ET.fromstring(picture)
        assert root.tag.endswith("svg") and len(root)


def check_move(game: Any, facts: Facts, s: Any, rng: random.Random) -> Any:
    """A random move; its argument stays, and the same move leads to the same state."""
    before = pickle.dumps(s)
    a = rng.choice(list(game.actions(s)))
    after, again = game.result(s, a), game.result(s, a)
    assert pickle.dumps(s) == before, "result changed the state it was given"
    assert after == again and hash(after) == hash(again)
    assert after != s, "a move that changes nothing"
    if hasattr(game, "handle"):
        key = game.handle.key
        assert key(game.data(after)) == key(game.data(again))
        assert key(game.data(after)) != key(game.data(s))
    return after


def check_end(game: Any, facts: Facts, s: Any) -> None:
    """Utilities: in bounds, of the right sum."""
    utilities = [game.utility(s, p) for p in range(facts.players)]
    assert all(u == u for u in utilities)
    if facts.zero_sum and facts.players > 1:
        assert abs(sum(utilities)) < 1e-9
    if facts.utility_bounds is not None:
        low, high = facts.utility_bounds
        bounded = utilities[:1] if facts.zero_sum and facts.players == 2 else utilities
        assert all(low <= u <= high for u in bounded)


def check_sight(game: Any, rng: random.Random, games: int) -> int:
    """Text and native observation part the same states; a sample looks the same to its player.

    Returns how many samples were other states.
    """
    native: dict[tuple[int, int], str] = {}
    text: dict[tuple[int, str], int] = {}
    other_states = 0
    for _ in range(games):
        s = game.initial()
        while not game.is_terminal(s):
            for p in (0, 1):
                key, seen = game.handle.observation(game.data(s), p), game.observation(s, p)
                assert native.setdefault((p, key), seen) == seen
                assert text.setdefault((p, seen), key) == key
                other = game.sample(s, p, rng)
                assert game.observation(other, p) == seen
                other_states += other != s
            s = game.result(s, rng.choice(game.actions(s)))
    return other_states


def check_states_and_keys(game: Any, states: list[Any]) -> None:
    """Equal states have equal keys and hashes; unequal ones have unequal keys."""
    if not hasattr(game, "handle"):  # states of a Python game are their own keys
        return
    by_key = {}
    for s in states:
        key = game.handle.key(game.data(s))
        assert by_key.setdefault(key, s) == s, "two positions with one key"
    assert len(by_key) == len(set(states))


def check_encoding(game: Any, states: list[Any], rng: random.Random) -> None:
    """What networks read fits the rules: shapes, policy indices, and symmetries."""
    if not defines(game, "encode"):
        return
    shape = np.shape(game.encode(states[0], 0))
    for s in states:
        if game.is_terminal(s):
            continue
        for p in range(game.players):
            x = np.asarray(game.encode(s, p))
            assert x.shape == shape
            assert np.isfinite(x).all()
        indices = [game.policy_index(a) for a in game.actions(s)]
        assert len(set(indices)) == len(indices), "two actions of a state with one index"
        assert all(0 <= i < game.policy_size for i in indices)
    if defines(game, "symmetries"):
        for inputs, policy in game.symmetries:
            check_symmetry(game, np.asarray(inputs), np.asarray(policy), rng)


def check_symmetry(game: Any, inputs: Any, policy: Any, rng: random.Random) -> None:
    """A random game and its image stay symmetric, if the initial state is symmetric."""
    s = t = game.initial()
    if not np.array_equal(game.encode(s, 0).flat[inputs], game.encode(t, 0).flat):
        return
    places = np.argsort(policy)  # policy[i] of the state has index i in the image
    for _ in range(60):
        if game.is_terminal(s):
            assert game.is_terminal(t)
            assert [game.utility(s, p) for p in range(2)] == [game.utility(t, p) for p in range(2)]
            return
        for p in range(game.players):
            assert np.array_equal(game.encode(s, p).flat[inputs], game.encode(t, p).flat)
        moves = {game.policy_index(a): a for a in game.actions(s)}
        images = {game.policy_index(a): a for a in game.actions(t)}
        assert {int(places[i]) for i in moves} == set(images)
        i = rng.choice(sorted(moves))
        s, t = game.result(s, moves[i]), game.result(t, images[int(places[i])])


def check_mcts_hints(game: Any, states: list[Any], rng: random.Random) -> None:
    """Hints for Monte Carlo search fit the rules: in-place play, playouts, priors, AMAF indices."""
    handle = getattr(game, "handle", None)
    if handle is None:
        return
    for s in states:
        data = game.data(s)
        if handle.to_move(data) < 0:
            continue
        actions = handle.actions(data)
        hints = handle.mcts_hints(data, rng.getrandbits(64))
        if "advance" in hints:
            assert hints["advance"] == [handle.play(data, a) for a in actions]
        if "playout" in hints:
            assert hints["playout"] in actions
        if "prior" in hints:
            assert all(0 < w < math.inf for w in hints["prior"])
        if "amaf" in hints:
            assert all(0 <= i < hints["amaf_size"] for i in hints["amaf"])
            assert len(set(hints["amaf"])) == len(actions), "two actions of a state with one index"
