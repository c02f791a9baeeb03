"""Extensive games in Gambit's format: one description, read here and by two other programs."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import UsageError
from zermelo.explicit.efg import read_efg

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"

# Games of zero sum: what zermelo makes them of.
ZERO_SUM = {
    "matching pennies": "max(h=min#B(h=1 t=-1) t=min#B(h=-1 t=1))",
    "uneven pennies": "max(h=min#B(h=3 t=-1) t=min#B(h=-2 t=1))",
    "rock, paper, scissors": "max(r=min#B(r=0 p=-1 s=1) p=min#B(r=1 p=0 s=-1)"
    " s=min#B(r=-1 p=1 s=0))",
    "scissors count double": "max(r=min#B(r=0 p=-1 s=2) p=min#B(r=1 p=0 s=-1)"
    " s=min#B(r=-2 p=1 s=0))",
    "morra": "max(a=min#B(a=0 b=2 c=-3 d=0) b=min#B(a=-2 b=0 c=0 d=3)"
    " c=min#B(a=3 b=0 c=0 d=-4) d=min#B(a=0 b=-3 c=4 d=0))",
    "inspection": "max(go=min#B(look=-1 sleep=1) wait=min#B(look=0 sleep=max(go=1/2 stay=0)))",
    "one card": "chance(1/2:high=max(bet=min#B(call=2 fold=1) fold=-1)"
    " 1/2:low=max(bet=min#B(call=-2 fold=1) fold=-1))",
    "one card, thrice as often low": "chance(1/4:high=max(bet=min#B(call=2 fold=1) fold=-1)"
    " 3/4:low=max(bet=min#B(call=-2 fold=1) fold=-1))",
    "hide and seek": "min(a=max#A(a=1 b=0 c=0) b=max#A(a=0 b=2 c=0) c=max#A(a=0 b=0 c=3))",
    "a signal": "chance(1/3:g=max(x=min#X(u=4 d=0) y=min#Y(u=1 d=2))"
    " 2/3:b=max(x=min#X(u=-1 d=2) y=min#Y(u=3 d=-2)))",
    "the roads": "chance(max#roads(A=20 B=max#fork(left=100 right=-1000))"
    " max#roads(A=20 B=max#fork(left=-1000 right=100)))",
    "kuhn": "kuhn",
    "liar's dice, two sides": "liars-dice:sides=2",
    "liar's dice, three sides": "liars-dice:sides=3",
}
NEAR = 5e-4


def described(name: str) -> str:
    return zermelo.to_efg(zermelo.load(ZERO_SUM[name]), name)


def ours(text: str) -> zermelo.Policy:
    """An equilibrium, nearly: the game's value is within its NashConv."""
    game = zermelo.tree(text)
    return zermelo.equilibrium(game, "cfr+", target=NEAR * max(1.0, game.facts.utility_bounds[1]))


HEAD = 'EFG 2 R "t" { "a" "b" }\n""\n'
MOVE = 'p "" 1 1 "" { "l" "r" } 0\n'


def end(number: int, *payoffs: int) -> str:
    return f't "" {number} "" {{ {", ".join(map(str, payoffs))} }}\n'


def test_a_byte_order_mark_is_no_part_of_the_game(tmp_path: Path) -> None:
    text = HEAD + MOVE + end(1, 1, 2) + end(2, 3, 4)
    file = tmp_path / "marked.efg"
    file.write_text(text, encoding="utf-8-sig")
    for game in (zermelo.load(str(file)), zermelo.tree("\ufeff" + text)):
        assert zermelo.solve(game).values == (3.0, 4.0)
    assert zermelo.solve(zermelo.tree("\ufeffmax(3 5)")).value == 5


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD + MOVE.replace("1 1", "9 1"), 3, "unknown player 9"),
        (HEAD + MOVE + end(1, 1, 2) + end(1, 3, 4), 5, "outcome 1 appears with different payoffs"),
        (HEAD + MOVE + end(1, 1, 2) + 'q "" 1', 5, "invalid node type 'q'"),
        (HEAD + 'c "" 1 "" { "l" 1/2 "r" 1/3 } 0\n', 3, "add up to 0.833333, not 1"),
        ('EFG 2 R "t" { ' + '"p" ' * 100 + "}\n", 1, "100 play"),
    ],
)
def test_faults_are_found_where_they_are(text: str, line: int, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        zermelo.tree(text)
    assert f"line {line}: " in caught.value.message and message in caught.value.message


def test_outcomes_may_be_told_again_and_gambit_agrees() -> None:
    gambit = pytest.importorskip("pygambit", reason="Gambit is not installed")
    again = HEAD + MOVE + end(1, 1, 2) + end(1, 1, 2)
    other = HEAD + MOVE + end(1, 1, 2) + end(1, 3, 4)
    assert zermelo.solve(zermelo.tree(again)).values == (1.0, 2.0)
    gambit.read_efg(io.BytesIO(again.encode()))
    with pytest.raises(ValueError, match="match previous definition"):
        gambit.read_efg(io.BytesIO(other.encode()))


def test_a_deep_tree_costs_no_more_a_node() -> None:
    """By words looked at, not by the clock: the reader goes over its text once."""
    deep = 1000
    text = HEAD + "".join(MOVE.replace("1 1", f"1 {i + 1}") + end(i + 1, 1, 2) for i in range(deep))
    seen = 0

    class Counted(str):
        def __getitem__(self, which: Any) -> str:
            nonlocal seen
            found = super().__getitem__(which)
            seen += len(found)
            return found

        def removeprefix(self, prefix: str) -> Counted:
            return self

    game = read_efg(Counted(text + end(deep + 1, 5, 5)))
    assert seen <= 2 * len(text)
    assert zermelo.solve(game).value == 5


# The largest takes Gambit's linear program minutes.
@pytest.mark.parametrize("name", list(ZERO_SUM)[:-1])
def test_gambit_finds_the_same_value(name: str) -> None:
    gambit = pytest.importorskip("pygambit", reason="Gambit is not installed")
    text = described(name)
    game = gambit.read_efg(io.BytesIO(text.encode()))
    found = gambit.nash.lp_solve(game, rational=False).equilibria
    theirs = float(found[0].payoff(next(iter(game.players))))
    policy = ours(text)
    assert abs(policy.value - theirs) <= policy.nash_conv + 1e-6


@pytest.mark.parametrize("name", ZERO_SUM)
def test_another_program_finds_the_same_value(name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    text = described(name)
    game = pyspiel.load_efg_game(text)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(400):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    conv = pyspiel.nash_conv(game, average)
    theirs = pyspiel.expected_returns(game.new_initial_state(), average, -1, True)[0]
    policy = ours(text)
    assert abs(policy.value - theirs) <= policy.nash_conv + conv + 1e-9
    assert conv < 0.05 * max(1.0, abs(theirs))  # so that the line above says something


@pytest.mark.parametrize("name", ZERO_SUM)
def test_what_is_written_is_read_again(name: str) -> None:
    game: Any = zermelo.load(ZERO_SUM[name])
    again = zermelo.tree(described(name))
    assert zermelo.to_efg(again, name) == described(name)
    assert pickle.loads(pickle.dumps(again)).spec == again.spec
    few = zermelo.equilibrium(game, "cfr+", iterations=7)
    same = zermelo.equilibrium(again, "cfr+", iterations=7)
    assert same.values == pytest.approx(few.values, abs=1e-9)
    assert same.nash_conv == pytest.approx(few.nash_conv, abs=1e-9)


def test_the_prisoners_confess() -> None:
    policy = zermelo.equilibrium(zermelo.load(str(EXAMPLES / "prisoners_dilemma.efg")), target=1e-3)
    assert policy.values == pytest.approx((-5, -5), abs=1e-3)
    assert all(odds["confess"] > 0.999 for odds in policy.table.values())


def test_beer_or_quiche() -> None:
    """Both kinds order the same; else the bully would know. Cho and Kreps 1987."""
    path = EXAMPLES / "beer_quiche.efg"
    game: Any = zermelo.load(str(path))
    policy = zermelo.equilibrium(game, target=1e-3)
    known = [(2.9, 0.9), (2.1, 0.9)]
    assert any(policy.values == pytest.approx(v, abs=5e-3) for v in known)
    surly, wimp = (game.result(game.initial(), kind) for kind in ("surly", "wimp"))
    drinks = [policy.action_probabilities(s)["beer"] for s in (surly, wimp)]
    assert drinks == pytest.approx([round(drinks[0])] * 2, abs=1e-2)
    assert policy.nash_conv <= 1e-3


def test_gambit_s_equilibria_of_beer_or_quiche() -> None:
    gambit = pytest.importorskip("pygambit", reason="Gambit is not installed")
    game = gambit.read_efg(EXAMPLES / "beer_quiche.efg")
    found = gambit.nash.enummixed_solve(game).equilibria
    values = {tuple(round(float(e.payoff(p)), 6) for p in game.players) for e in found}
    policy = zermelo.equilibrium(zermelo.load(str(EXAMPLES / "beer_quiche.efg")), target=1e-4)
    assert any(policy.values == pytest.approx(v, abs=1e-3) for v in values)


def test_outcomes_inside_the_tree_are_paid_too() -> None:
    game: Any = zermelo.tree(
        'EFG 2 R "t" { "A" "B" } "a comment"\n'
        'p "root" 1 1 "" { "in" "out" } 1 "ante" { -1, 1 }\n'
        'p "" 2 1 "" { "x" "y" } 0\nt "" 2 "won" { 3 -3 }\nt "" 2\nt "" 0\n'
    )
    s = game.result(game.initial(), "in")
    assert [game.utility(game.result(s, a), 0) for a in ("x", "y")] == [2, 2]
    assert game.utility(game.result(game.initial(), "out"), 1) == 1


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("EFG 3 R", "version 2"),
        ('EFG 2 R "t" { }', "there are no players"),
        ('EFG 2 R "t" { "A" } x "" 1', "invalid node type"),
        ('EFG 2 R "t" { "A" } p "" 2 1 "" { "a" } 0', "unknown player 2"),
        ('EFG 2 R "t" { "A" "B" } t "" 1 "" { 1 }', "1 payoffs"),
        ('EFG 2 R "t" { "A" "B" } p "" 1 1 "" { "a" "b" } 0\nt "" 1 "" {1 2}', "line 2: a node is"),
        ('EFG 2 R "t" { "A" } c "" 1 "" { "a" 0 "b" 1 } 0', "probability 0"),
        ('EFG 2 R "t { "A" }', "missing|not closed"),
        ('EFG 2 R "t" { "A" } t "" 4', "outcome 4 has no payoffs"),
    ],
)
def test_wrong_texts_are_refused(text: str, match: str) -> None:
    with pytest.raises(UsageError, match=match):
        zermelo.tree(text)


def test_wrong_files_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        zermelo.load("nothing.efg")
