"""Whatever is given to a public function, it answers, or raises one of our errors with a hint."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import contract
import zermelo
from zermelo import ZermeloError
from zermelo.explicit.tree import complete
from zermelo.games.bridge import (
    bid,
    double_dummy,
    load_pbn,
    random_deal,
    read_pbn,
    single_dummy,
    write_pbn,
)
from zermelo.games.chess import pgn
from zermelo.games.chess.epd import parse_epd
from zermelo.games.holdem import equity, trained
from zermelo.games.pacman import layout

LONG = "x" * 3000
WRONG = [
    None, "", -1, 0, 1e9, float("nan"), 3.5, True, 2**70, [], {}, (), b"", object(), LONG, ("a", 1),
    [None], {None: 1}, {"a": "x"}, "/dev/null/x", "@", zermelo.load("nim:piles=1,2"),
    zermelo.load("nim:piles=1,2").initial(),
]  # fmt: skip


def refused(call: Callable[..., Any], *args: Any, **named: Any) -> None:
    """It answers, or says in one of our errors what is wrong, and what to do about it."""
    try:
        call(*args, **named)
    except ZermeloError as e:
        assert e.hint or "nature does not move" in e.message, e.message


TTT, KUHN = zermelo.load("tic-tac-toe"), zermelo.load("kuhn")
DEALT = KUHN.parse_state("K Q")
DEAL = "N:A64.A62.J94.QT65 J753.KT4.A72.KJ7 92.Q87.KQT85.843 KQT8.J953.63.A92"
MATRIX = zermelo.matrix("3,3 0,5; 5,0 1,1")
BRIDGE = zermelo.load("bridge:cards=hidden")
LED = BRIDGE.parse_state(f"{DEAL} NT by S: SQ S6 S3 S2")


def look(game: Any, **options: Any) -> Any:
    return zermelo.search(game, **({"depth": 1} | options))


def over_deals(**options: Any) -> Any:
    return zermelo.search(KUHN, DEALT, "pimc", nodes=10, **options)


def minimize(**options: Any) -> Any:
    return zermelo.equilibrium(KUHN, **({"iterations": 3} | options))


@cache
def policy() -> zermelo.Policy:
    return minimize()


@cache
def plan() -> tuple[zermelo.Belief, Any]:
    game = zermelo.load("kriegspiel")
    states = game.somewhere("8/8/8/8/3RK3/8/8/8", ["h8"])
    r = zermelo.search(game, states[0], "guaranteed", belief=states)
    assert r.belief is not None and r.plan is not None
    return r.belief, r.plan


# By name: the function, arguments that are right, and names of further ones.
CALLS: dict[str, tuple[Callable[..., Any], list[Any], str]] = {
    "load": (zermelo.load, ["nim"], ""),
    "tree": (zermelo.tree, ["max(1 2)"], ""),
    "complete": (complete, [2, 2, [1, 2, 3, 4]], ""),
    "matrix": (zermelo.matrix, [[[1, 2], [3, 4]]], "names"),
    "search": (look, [TTT], "state algorithm depth time nodes evaluate threads seed trace on_depth "
               "tablebase stop memory among opponents guide belief lines table"),
    "pimc": (over_deals, [], "belief deals seed inner"),
    "solve": (zermelo.solve, [MATRIX], "algorithm time nodes table threads tablebase"),
    "solve_all": (zermelo.solve_all, [TTT, [TTT.initial()]], "time table"),
    "perft": (zermelo.perft, [TTT, None, 2], "time"),
    "count_positions": (zermelo.count_positions, [TTT, None], "time"),
    "grundy": (zermelo.grundy, [zermelo.load("nim"), None], "time"),
    "deepen": (lambda *a, **k: next(zermelo.deepen(*a, **k)), [TTT], "algorithm depth stop"),
    "equilibrium": (minimize, [], "algorithm iterations target time seed on_progress"),
    "equilibria": (zermelo.equilibria, [MATRIX], "pure"),
    "dominated": (zermelo.dominated, [MATRIX], ""),
    "to_efg": (zermelo.to_efg, [KUHN, "title"], ""),
    "playouts": (zermelo.playouts, [TTT, 10, 0], "state time"),
    "dilemma": (lambda **k: zermelo.dilemma(**({"rounds": 2} | k)), [],
                "rounds noise discount repeats payoffs seed"),
    "tablebase": (zermelo.tablebase, [zermelo.load("nim"), None],
                  "state pieces classes threads time memory"),
    "open_tablebase": (zermelo.open_tablebase, [zermelo.load("nim"), "/dev/null/x"], ""),
    "belief_of": (zermelo.belief_of, [KUHN, DEALT], "player deals seed"),
    "Memory": (zermelo.Memory, [1], ""),
    "Policy.load": (zermelo.Policy.load, ["/dev/null/x"], ""),
    "Policy.save": (lambda path: policy().save(path), ["/dev/null/x"], ""),
    "action_probabilities": (lambda s: policy().action_probabilities(s), [DEALT], ""),
    "odds of a belief": (lambda p: over_deals(belief={DEALT: p}), [1.0], ""),
    "states of a belief": (lambda s: over_deals(belief=[s]), [DEALT], ""),
    "plan[]": (lambda belief: plan()[1][belief], [None], ""),
    "plan.replay": (lambda belief: plan()[1].replay(belief), [None], ""),
    "belief.after": (lambda action: plan()[0].after(action), ["d4d5"], ""),
    "somewhere": (zermelo.load("kriegspiel").somewhere, ["8/8/8/8/3RK3/8/8/8", ["h8"], "k"], ""),
    "bid": (bid, [random_deal(1), 0], ""),
    "random_deal": (random_deal, [1, 13], ""),
    "read_pbn": (read_pbn, [f'[Deal "{DEAL}"]'], ""),
    "load_pbn": (load_pbn, ["/dev/null/x"], ""),
    "write_pbn": (write_pbn, [[]], ""),
    "single_dummy": (single_dummy, [BRIDGE, LED, 1], "constraints seed"),
    "double_dummy": (double_dummy, ["N:AK... QJ... T9... 87..."], ""),
    "table[]": (double_dummy("N:AK... QJ... T9... 87...").__getitem__, [("S", "N")], ""),
    "equity": (equity, ["AsAh", "KdKc", "2c3c4c"], ""),
    "trained": (trained, ["/dev/null/x"], ""),
    "pgn.read": (lambda source: list(pgn.read(source)), ["/dev/null/x"], ""),
    "pgn.reads": (lambda text: list(pgn.reads(text)), ["1. e4 *"], ""),
    "parse_epd": (parse_epd, ["4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;"], ""),
    "layout.find": (layout.find, ["small"], ""),
    "layout.parse": (layout.parse, ["%%%%"], ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_functions_take_anything(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some values are names of files after all
    call, args, names = CALLS[name]
    for wrong in WRONG:
        for i in range(len(args)):
            refused(call, *args[:i], wrong, *args[i + 1 :])
        for named in names.split():
            refused(call, *args, **{named: wrong})


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (lambda: over_deals(belief={DEALT: "x"}), "probability 'x'", "0 or more"),
        (lambda: plan()[1][None], "belief=None", "a list"),
        (lambda: plan()[1].replay(None), "belief=None", "a Belief"),
        (lambda: bid([], "N"), "hands of four seats", "random_deal"),
        (lambda: single_dummy(BRIDGE, LED, samples="x"), "samples='x'", "from 1"),
        (lambda: equity(None, "AsAh"), "not None", ""),
        (lambda: zermelo.load("kriegspiel").somewhere("8/8/8/8/3RK3/8/8/8", []), "no square", "e5"),
        (lambda: double_dummy("NE:AK... QJ... T9... 87..."), "'NE' is not a seat", "N, E, S or W"),
        (lambda: zermelo.equilibrium("1 2; 3 4", "x"), "unknown algorithm 'x'", "supports"),
        (lambda: zermelo.load("pig").parse_state("x"), "is not a position of pig", "45-38"),
        (lambda: zermelo.load(f"{__file__}:Nope"), "has no class Nope", ""),
        (lambda: double_dummy(TTT.initial()), "is not a deal", "PBN"),
    ],
)
def test_what_is_wrong_is_told(call: Callable[[], Any], message: str, hint: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        call()
    assert message in caught.value.message and hint in caught.value.hint


# -- games ---------------------------------------------------------------------------------------
JUNK = ["", " ", "1" * 5000, "²", "٣", "-1", "9" * 20, "nan", "x", "/", "\0", "\ud800", "1e9",
        "+5", "_1", "1_0", "\n", ",", ":", ".", LONG]  # fmt: skip


def mutated(text: str, rng: random.Random) -> str:
    """A text that somebody mistyped."""
    parts = re.findall(r"\d+|[a-zA-Z]+|\s+|.", text, re.DOTALL) or [""]
    for _ in range(rng.choice([1, 1, 2])):
        i, how = rng.randrange(len(parts)), rng.randrange(4)
        if how == 0:
            parts[i] = rng.choice(JUNK)
        elif how == 1:
            parts.insert(i, rng.choice(JUNK))
        elif how == 2:
            parts[i] = ""
        else:
            parts[i] = parts[rng.randrange(len(parts))]
    return "".join(parts)


def some_states(game: Any, rng: random.Random) -> list[Any]:
    states, s = [], game.initial()
    while len(states) < 40 and not game.is_terminal(s):
        states.append(s)
        s = game.result(s, rng.choice(list(game.actions(s))))
    return [*states[:3], *states[-2:]]


@pytest.mark.parametrize("name", contract.NATIVE)
def test_games_take_anything(name: str) -> None:
    game, rng = zermelo.load(name), random.Random(name)
    states = some_states(game, rng)
    texts = [game.format_state(s) for s in states]
    for _ in range(60):
        s = rng.choice(states)
        move = mutated(game.format_action(None, rng.choice(list(game.actions(s)))), rng)
        refused(game.parse_state, mutated(rng.choice(texts), rng))
        refused(game.parse_action, s, move)
        refused(game.result, s, move)
    s, chance = states[-1], random.Random(1)
    for wrong in WRONG:
        for method in ("parse_state", "player", "actions", "is_terminal", "format_state", "board",
                       "svg", "belief_text", "outcomes"):  # fmt: skip
            if hasattr(game, method):
                refused(getattr(game, method), wrong)
        for method in ("utility", "evaluate", "observation", "view", "observation_text"):
            if hasattr(game, method):
                refused(getattr(game, method), wrong, 0)
                refused(getattr(game, method), s, wrong)
        if hasattr(game, "sample"):
            refused(game.sample, wrong, 0, chance)
            refused(game.sample, s, wrong, chance)
            refused(game.sample, s, 0, wrong)
        refused(game.parse_action, s, wrong)
        refused(game.result, s, wrong)
        refused(game.result, wrong, 0)
