"""Blind tic-tac-toe and liar's dice: rules as another program has them, equilibria, replies."""

from __future__ import annotations

import random
from typing import Any

import pytest

import contract
import zermelo
from zermelo import BadPosition, Game, UsageError


# -- rules --------------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", ["classical", "abrupt"])
def test_blind_rules_are_those_of_another_program(rule: str) -> None:
    """Who moves, what may be tried, what is known, who wins: in random games."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    spiel = pyspiel.load_game(f"phantom_ttt(gameversion={rule},obstype=reveal-nothing)")
    game: Any = zermelo.load(f"blind-tic-tac-toe:rule={rule}")
    rng = random.Random(1)
    for _ in range(400):
        s, theirs = game.initial(), spiel.new_initial_state()
        while not theirs.is_terminal():
            p = theirs.current_player()
            assert game.player(s) == p
            cells = [game.encode_action(0, a) for a in game.actions(s)]
            assert cells == theirs.legal_actions()
            seen = theirs.observation_string(p).split()
            assert "".join(seen[:3]).lower() == "".join(game.rows(s, p)).lower()
            cell = rng.choice(cells)
            s = game.result(s, game.decode_action(0, cell))
            theirs.apply_action(cell)
        assert game.is_terminal(s)
        assert [game.utility(s, p) for p in (0, 1)] == theirs.returns()


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 3), (3, 2)])
def test_liar_s_dice_are_those_of_another_program(dice: int, sides: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    spiel = pyspiel.load_game(f"liars_dice(numdice={dice},dice_sides={sides})")
    game: Any = zermelo.load(f"liars-dice:dice={dice},sides={sides}")
    rng = random.Random(2)
    for _ in range(500):
        theirs = spiel.new_initial_state()
        rolls = []
        for _ in (0, 1):
            faces = [rng.choice(theirs.legal_actions()) for _ in range(dice)]
            for face in faces:
                theirs.apply_action(face)
            rolls.append(".".join(str(f + 1) for f in sorted(faces)))
        s = game.parse_state(" ".join(rolls))
        while not theirs.is_terminal():
            assert game.player(s) == theirs.current_player()
            legal = theirs.legal_actions()
            words = [theirs.action_to_string(a).lower() for a in legal]
            assert game.actions(s) == words
            i = rng.randrange(len(legal))
            s = game.result(s, words[i])
            theirs.apply_action(legal[i])
        assert [game.utility(s, p) for p in (0, 1)] == theirs.returns()


def test_odds_of_rolls() -> None:
    game: Any = zermelo.load("liars-dice:dice=2,sides=3")
    odds = dict(game.outcomes(game.initial()))
    assert odds == pytest.approx(
        {"1.1": 1 / 9, "1.2": 2 / 9, "1.3": 2 / 9, "2.2": 1 / 9, "2.3": 2 / 9, "3.3": 1 / 9}
    )


@pytest.mark.parametrize(
    "spec", ["blind-tic-tac-toe", "blind-tic-tac-toe:rule=abrupt", "liars-dice:dice=2,sides=3"]
)
def test_what_a_player_sees(spec: str) -> None:
    moved = contract.check_sight(zermelo.load(spec), random.Random(3), 120)
    assert moved > 300


def test_nobody_sees_what_it_has_not_found() -> None:
    game: Any = zermelo.load("blind-tic-tac-toe")
    s = game.parse_state("X.O/.x./..O")
    assert game.observation(s, 0) == "X../.X./... X to move"
    assert game.observation(s, 1) == "..O/.x./..O O waits"
    told = game.result(s, "c3")
    assert game.observation(told, 0) == "X../.X./..o X to move"
    assert "c3" not in game.actions(told)
    # O's first try is X's stone: it tries again, or its turn is lost.
    assert game.player(game.parse_state("a1 a1")) == 1
    abrupt = zermelo.load("blind-tic-tac-toe:rule=abrupt")
    assert abrupt.player(abrupt.parse_state("a1 a1")) == 0


def test_wrong_input() -> None:
    game = zermelo.load("blind-tic-tac-toe")
    for text in ("X.O/.x.", "XXX/.../...", "XO./xO./o..x", "XX./.../..."):
        with pytest.raises(BadPosition):
            game.parse_state(text)
    for spec in ("blind-tic-tac-toe:rule=odd", "blind-tic-tac-toe:m=5,n=4", "liars-dice:dice=6"):
        with pytest.raises(UsageError):
            zermelo.load(spec)
    with pytest.raises(UsageError, match="perfect recall"):
        zermelo.equilibrium(game, "mccfr", iterations=1)


# -- equilibria ---------------------------------------------------------------------------------
class Remembered(Game):
    """A game whose players remember all that they saw where they moved, and what they did."""

    zero_sum = True

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def initial(self) -> Any:
        return (self.inner.initial(), (), ())

    def player(self, s: Any) -> int:
        return int(self.inner.player(s[0]))

    def actions(self, s: Any) -> Any:
        return self.inner.actions(s[0])

    def result(self, s: Any, a: Any) -> Any:
        p = self.inner.player(s[0])
        told = list(s[1:])
        told[p] = (*told[p], self.inner.observation(s[0], p), a)
        return (self.inner.result(s[0], a), *told)

    def is_terminal(self, s: Any) -> bool:
        return bool(self.inner.is_terminal(s[0]))

    def utility(self, s: Any, p: int) -> float:
        return float(self.inner.utility(s[0], p))

    def observation(self, s: Any, p: int) -> Any:
        return (s[1 + p], self.inner.observation(s[0], p))


def best_reply(game: Remembered, policy: zermelo.Policy, p: int) -> float:
    """What a player who remembers can get against the policy, as the definition reads."""

    def value(states: dict[Any, float]) -> float:
        total = 0.0
        sets: dict[Any, dict[Any, float]] = {}
        waiting = list(states.items())
        while waiting:
            s, w = waiting.pop()
            if game.is_terminal(s):
                total += w * game.utility(s, p)
            elif game.player(s) == p:
                at = sets.setdefault(game.observation(s, p), {})
                at[s] = at.get(s, 0.0) + w
            else:
                for a, x in policy.action_probabilities(s[0]).items():
                    if x:
                        waiting.append((game.result(s, a), w * x))
        for at in sets.values():
            moves = game.actions(next(iter(at)))
            total += max(value({game.result(s, a): w for s, w in at.items()}) for a in moves)
        return total

    return value({game.initial(): 1.0})


@pytest.mark.parametrize("spec", ["m=2,n=2,k=2", "m=4,n=1,k=2", "m=2,n=2,k=2,rule=abrupt",
                                  "m=5,n=1,k=2", "m=4,n=1,k=3,rule=abrupt"])  # fmt: skip
def test_best_replies_remember_everything(spec: str) -> None:
    """NashConv over positions is that of the game in which nobody forgets."""
    inner: Any = zermelo.load(f"blind-tic-tac-toe:{spec}")
    game = Remembered(inner)
    for iterations in (1, 4):
        policy = zermelo.equilibrium(inner, "cfr+", iterations=iterations)
        replies = [best_reply(game, policy, p) for p in (0, 1)]
        assert policy.nash_conv == pytest.approx(sum(replies), abs=1e-9)
    # The tree of histories, in which players remember, has the same value.
    whole = zermelo.equilibrium(game, "cfr+", target=1e-3)
    assert -replies[1] - 1e-3 <= whole.value <= replies[0] + 1e-3


def test_positions_and_histories_agree_where_nobody_forgets() -> None:
    """The same iterations, on the tree of kuhn and on its positions."""

    class Positions(Game):
        recall = False

        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def __getattribute__(self, name: str) -> Any:
            if name in ("recall", "inner", "name"):
                return object.__getattribute__(self, name)
            return getattr(object.__getattribute__(self, "inner"), name)

    tree = zermelo.equilibrium(zermelo.load("kuhn"), "cfr+", target=1e-4)
    positions = zermelo.equilibrium(Positions(zermelo.load("kuhn")), "cfr+", target=1e-4)
    assert positions.value == pytest.approx(tree.value, abs=1e-4)
    assert positions.nash_conv <= 1e-4


def test_blind_tic_tac_toe_is_solved() -> None:
    policy = zermelo.equilibrium(zermelo.load("blind-tic-tac-toe"), "cfr+", iterations=60)
    assert policy.exploitability < 1e-2
    assert policy.value == pytest.approx(2 / 3, abs=2e-2)


def test_liar_s_dice_has_the_value_that_another_program_finds() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

    spiel = pyspiel.load_game("liars_dice(numdice=1,dice_sides=3)")
    solver = pyspiel.CFRPlusSolver(spiel)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    conv = pyspiel.nash_conv(spiel, average)
    theirs = pyspiel.expected_returns(spiel.new_initial_state(), average, -1, True)
    ours = zermelo.equilibrium(zermelo.load("liars-dice:sides=3"), "cfr+", target=1e-3)
    assert ours.value == pytest.approx(theirs[0], abs=conv + 1e-3)
