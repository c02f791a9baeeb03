"""Monopoly: the long run against published odds, money against a slow count, wrong positions."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import BadPosition, UsageError
from zermelo.games.monopoly import JAIL, LOTS, PHASES, SQUARES, Seen
from zermelo.games.native import State

GAME: Any = zermelo.load("monopoly:players=2,rounds=10000,money=1000000")


def at(place: int, tries: int = 0, doubles: int = 0) -> State:
    """Player 0 is about to roll; nothing is owned."""
    v = Seen(GAME.initial().data)
    v.place[0], v.tries[0], v.doubles = place, tries, doubles
    return State(GAME, v.data())


def landings(s: State) -> dict[tuple[int, int, int], float]:
    """Where player 0 stands after a roll and what it brings: (place, tries, doubles) and odds."""
    out: dict[tuple[int, int, int], float] = {}
    todo = [(s, 1.0)]
    first = True
    while todo:
        s, p = todo.pop()
        phase = PHASES[GAME.seen(s).phase]
        if phase in ("luck", "fund") or (first and phase == "roll"):
            first = False
            todo += [(GAME.result(s, a), p * q) for a, q in GAME.outcomes(s)]
        elif phase in ("buy", "offer"):
            todo.append((GAME.result(s, "no"), p))
        else:
            v = GAME.seen(s)
            here = (v.place[0], v.tries[0], v.doubles if v.mover == 0 else 0)
            out[here] = out.get(here, 0.0) + p
    return out


def long_run(leave: bool) -> dict[int, float]:
    """How often a roll ends on each square when nobody buys; out of jail at once, or by doubles."""
    rows: dict[tuple[int, int, int], dict[tuple[int, int, int], float]] = {}
    todo = [(0, 0, 0)]
    while todo:
        here = todo.pop()
        if here not in rows:
            out = here[0] == JAIL and leave
            rows[here] = landings(at(10) if out else at(*here))
            todo += rows[here]
    order = list(rows)
    matrix = np.array([[rows[s].get(t, 0.0) for t in order] for s in order])
    assert np.allclose(matrix.sum(axis=1), 1)
    odds = np.linalg.matrix_power(matrix, 1 << 12)[0]
    found = dict.fromkeys(range(JAIL + 1), 0.0)
    for s, x in zip(order, odds, strict=True):
        found[s[0]] += float(x)
    return found


# Of a roll ending there, in percent, who leaves jail at once (T. Collins, from 1997 on).
PUBLISHED = {
    "Start": 3.0961, "BrownA": 2.1314, "BrownB": 2.1624, "IncomeTax": 2.3285, "Station1": 2.9631,
    "SkyA": 2.2621, "SkyB": 2.3210, "SkyC": 2.3003, "Visit": 2.2695, "PinkA": 2.7017,
    "Works1": 2.6040, "PinkB": 2.3721, "PinkC": 2.4649, "Station2": 2.9200, "OrangeA": 2.7924,
    "OrangeB": 2.9356, "OrangeC": 3.0852, "Rest": 2.8836, "RedA": 2.8358, "RedB": 2.7357,
    "RedC": 3.1858, "Station3": 3.0659, "YellowA": 2.7072, "YellowB": 2.6789, "Works2": 2.8074,
    "YellowC": 2.5861, "GreenA": 2.6774, "GreenB": 2.6252, "GreenC": 2.5006, "Station4": 2.4326,
    "BlueA": 2.1864, "WealthTax": 2.1799, "BlueB": 2.6260,
}  # fmt: skip


def test_the_long_run() -> None:
    odds = long_run(leave=True)
    assert sum(odds.values()) == pytest.approx(1)
    assert max(odds, key=odds.__getitem__) == JAIL and odds[30] == 0
    assert 100 * odds[JAIL] == pytest.approx(3.9499, abs=0.002)
    for name, percent in PUBLISHED.items():
        assert 100 * odds[SQUARES.index(name)] == pytest.approx(percent, abs=0.002), name
    assert long_run(leave=False)[JAIL] > 2 * odds[JAIL]  # who waits for doubles


def play(spec: str, seed: int, limit: int = 3000) -> Any:
    """Random play: yields (before, action, after)."""
    game: Any = zermelo.load(spec)
    rng = random.Random(seed)
    s = game.initial()
    for _ in range(limit):
        if game.is_terminal(s):
            return
        if game.player(s) == -1:
            outcomes = game.outcomes(s)
            a = rng.choices([x for x, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            legal = game.actions(s)
            a = "yes" if "yes" in legal and rng.random() < 0.8 else rng.choice(legal)
        after = game.result(s, a)
        yield game, s, a, after
        s = after


def worth(v: Seen, p: int) -> int:
    """Cash and lots, counted from the published prices."""
    prices = [60, 60, 200, 100, 100, 120, 140, 150, 140, 160, 200, 180, 180, 200, 220, 220, 240,
              200, 260, 260, 150, 280, 300, 300, 320, 200, 350, 400]  # fmt: skip
    house = {"Brown": 50, "Sky": 50, "Pink": 100, "Orange": 100, "Red": 150, "Yellow": 150,
             "Green": 200, "Blue": 200}  # fmt: skip
    total = max(0, v.cash[p])
    for name, price, bits in zip(LOTS, prices, v.lot, strict=True):
        if (bits & 7) == p + 1:
            total += price // 2 if bits & 8 else price
            total += (bits >> 4) * house.get(name.rstrip("ABC"), 0)
    return total


def test_money_moves_as_it_should() -> None:
    """What an act does to everybody's wealth, by kind of act; no money comes from nowhere."""
    seen = set()
    for seed in range(12):
        spec = "monopoly:players=4,rounds=60,money=900"
        for game, s, a, t in play(spec, seed):
            v, w = game.seen(s), game.seen(t)
            before, after = ([worth(x, p) for p in range(4)] for x in (v, w))
            change = sum(after) - sum(before)
            word = a.split()[0]
            seen.add(word)
            if word in ("roll", "yes", "no", "build", "ask", "card"):
                assert change == 0 or (word == "yes" and v.phase == 4), (a, change)
            if word == "yes" and PHASES[v.phase] == "buy":
                assert w.lot[v.subject] & 7 == v.mover + 1 and before == after
            if word == "bail":
                assert change == -50 and w.place[v.mover] == 10
            if word == "build":
                assert w.lot[LOTS.index(a.split()[1])] - v.lot[LOTS.index(a.split()[1])] == 16
            if word == "redeem":
                price = -change  # a tenth of what the bank had lent, and its interest
                assert 0 < price <= 20
            assert all(c >= -1 for c in w.cash)
        assert game.is_terminal(t)
        utilities = [game.utility(t, p) for p in range(4)]
        assert sum(utilities) == pytest.approx(0)
        richest = max(range(4), key=lambda p: worth(w, p))
        assert utilities[richest] == max(utilities) > 0
    assert {"roll", "yes", "no", "build", "ask", "redeem", "bail"} <= seen


def test_rents() -> None:
    game: Any = zermelo.load("monopoly:players=2")
    cases = {  # what player 0 pays after a roll of 7 from RedB (23) to the green group and beyond
        "YellowA=1": (19, 22), "YellowA=1 YellowB=1 YellowC=1": (19, 44),
        "YellowA=1+1 YellowB=1 YellowC=1": (19, 110), "YellowA=1~": (19, 0),
        "YellowA=1+5 YellowB=1+5 YellowC=1+5": (19, 1150), "Station3=1": (18, 25),
        "Station3=1 Station1=1 Station2=1 Station4=1": (18, 200), "Works2=1": (21, 28),
        "Works2=1 Works1=1": (21, 70),
    }  # fmt: skip
    for lots, (place, rent) in cases.items():
        s = game.parse_state(f"round 0 player 0 roll | 2000@{place} 1000@0 | {lots}")
        v = game.seen(game.result(s, "7"))
        assert (v.cash[0], v.cash[1]) == (2000 - rent, 1000 + rent), lots


def test_bankruptcy_and_jail() -> None:
    game: Any = zermelo.load("monopoly:players=3")
    s = game.parse_state(
        "round 0 player 0 roll | 100@19 1000@0 1000@0 | YellowA=1+5 YellowB=1+5 YellowC=1+5 RedA=0"
    )
    v = game.seen(game.result(s, "7"))
    assert v.cash == [-1, 1000 + 100 + 110, 1000, -1, -1, -1]
    assert v.lot[LOTS.index("RedA")] == 2 | 8 and v.mover == 1
    s = game.parse_state("round 0 player 0 roll doubles 2 | 100@19 1000@0 1000@0")
    v = game.seen(game.result(s, "8 double"))
    assert v.place[0] == JAIL and v.mover == 1 and v.cash[0] == 100
    s = game.parse_state("round 0 player 0 turn | 100@jail2*1 1000@0 1000@0")
    assert game.actions(s) == ["roll", "bail", "card"]
    v = game.seen(game.result(game.result(s, "roll"), "9"))
    assert v.place[0] == 19 and v.cash[0] == 50 and v.tries[0] == 0


def test_search_plays() -> None:
    game: Any = zermelo.load("monopoly:players=3,rounds=20")
    s = game.parse_state("round 3 player 0 buy lot RedA dice 7 | 900@21 700@3 650@jail1")
    for name in ("maxn", "paranoid", "best-reply"):
        r = zermelo.search(game, s, name, depth=1)
        assert r.action in ("yes", "no") and len(r.values) == 3 and abs(sum(r.values)) < 1e-9
    last = game.parse_state("round 19 player 2 turn | 10@3 500@9 600@5 | SkyA=2 SkyB=2 SkyC=2")
    r = zermelo.search(game, last, nodes=200)  # max^n would see one move ahead
    assert r.algorithm == "mcts" and r.action and "recommended by monopoly" in r.why
    assert zermelo.search(game, last, depth=1).algorithm == "maxn"


@pytest.mark.parametrize("text", [
    "", "round", "round 0 player 9 roll | 1@0 1@0", "round 0 player 0 roll | 1500@0",
    "round 0 player 0 roll | 1500@41 1500@0", "round 0 player 0 roll | 1500@0 1500@0 | RedA=0+6",
    "round 0 player 0 roll | 1500@0 1500@0 | RedA=0+2", "round 0 player 0 buy | 1500@0 1500@0",
    "round 0 player 0 roll | 1500@0 1500@0 | Nowhere=1", "round 0 player 0 luck | 1500@0 1500@0",
    "round 0 player 0 roll | 1500@0 1500@0 | Station1=1+1", "round 0 player 0 over | 1@0 1@0",
    "round 0 player 0 roll | 99999999999@0 1500@0", "round 100000 player 0 roll | 1@0 1@0",
    "round 0 player 0 roll | out out", "round x player 0 roll | 1@0 1@0",
])  # fmt: skip
def test_wrong_positions(text: str) -> None:
    game: Any = zermelo.load("monopoly:players=2")
    with pytest.raises(BadPosition) as caught:
        game.parse_state(text)
    assert "round 0 player 0 roll" in caught.value.hint


@pytest.mark.parametrize("options", ["players=1", "players=7", "rounds=0", "money=0", "score=x"])
def test_wrong_options(options: str) -> None:
    with pytest.raises(UsageError):
        zermelo.load(f"monopoly:{options}")


def test_any_bytes_are_survived() -> None:
    handle: Any = zermelo.load("monopoly:players=3,rounds=5")
    rng = random.Random(9)
    base = bytearray(handle.initial().data)
    taken = 0
    for _ in range(20_000):
        data = bytearray(base)
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 2, 3, 7, 8, 16, 40, 255))
        if not handle.handle.valid(bytes(data)):
            continue
        taken += 1
        s = State(handle, bytes(data))
        if not handle.is_terminal(s):
            t = handle.result(s, rng.choice(handle.actions(s)))
            assert handle.handle.valid(t.data), handle.format_state(s)
            base = bytearray(t.data) if rng.random() < 0.5 else base
    assert taken > 500


@pytest.mark.parametrize("spec", ["monopoly", "backgammon", "nim:players=3", "chess", "leduc"])
def test_the_studio_names_the_algorithm_that_auto_takes(spec: str) -> None:
    from zermelo.game import facts_of
    from zermelo.search.algorithms import choose, preferred

    game = zermelo.load(spec)
    s = game.initial()
    while game.player(s) == zermelo.CHANCE:
        s = game.result(s, next(iter(game.outcomes(s)))[0])
    taken = zermelo.search(game, s, nodes=20).algorithm
    assert choose(preferred(game), facts_of(game))[0].name == taken


def test_the_studio_plays_monopoly_by_what_auto_takes() -> None:
    pytest.importorskip("fastapi")
    from zermelo.ui.web.catalog import about
    from zermelo.ui.web.limits import Limits
    from zermelo.ui.web.sessions import search_within_limits

    game = zermelo.load("monopoly")
    assert about("monopoly", game)["auto"] == "mcts"
    s = game.initial()
    while game.player(s) == zermelo.CHANCE:
        s = game.result(s, next(iter(game.outcomes(s)))[0])
    for depth in (None, 3):
        r = search_within_limits(
            game, s, "auto", Limits(), lambda: False, None, nodes=20, depth=depth, lines=3
        )
        assert r.algorithm == "mcts"
