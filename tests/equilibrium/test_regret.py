"""Regret minimization: known values, an outside judge of exploitability, and what it refuses."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import contract
import zermelo
from zermelo.equilibrium import cfr as minimizing
from zermelo.equilibrium.policy import Policy
from zermelo.errors import NotSupported, RulesError, UsageError

WAYS = ("cfr", "cfr+", "dcfr", "mccfr")


@pytest.fixture(scope="module")
def kuhn() -> Policy:
    return zermelo.equilibrium(zermelo.load("kuhn"), "cfr+", target=1e-5)


def test_kuhn_is_of_the_known_family(kuhn: Policy) -> None:
    """Kuhn 1950: how often the first player bluffs with the jack fixes the rest of its play."""
    odds = {seen: row["bet"] for (_, seen), row in kuhn.table.items()}
    assert kuhn.value == pytest.approx(-1 / 18, abs=1e-5)
    bluff = odds["J ?"]
    assert 0 <= bluff <= 1 / 3 + 1e-3
    assert odds["K ?"] == pytest.approx(3 * bluff, abs=5e-3)
    assert odds["Q ?"] == pytest.approx(0, abs=5e-3)
    assert odds["Q ? pass bet"] == pytest.approx(bluff + 1 / 3, abs=5e-3)
    assert odds["? J pass"] == pytest.approx(1 / 3, abs=5e-3)
    assert odds["? Q bet"] == pytest.approx(1 / 3, abs=5e-3)
    for seen in ("? K pass", "? K bet", "K ? pass bet"):
        assert odds[seen] == pytest.approx(1, abs=5e-3)


@pytest.mark.parametrize("spec", ["leduc", "leduc:suits=yes"])
def test_leduc_has_the_published_value(spec: str) -> None:
    policy = zermelo.equilibrium(zermelo.load(spec), "cfr+", target=2e-3)
    assert policy.value == pytest.approx(-0.085605, abs=1e-3)
    assert policy.nash_conv <= 2e-3
    assert policy.exploitability == policy.nash_conv / 2


@pytest.mark.parametrize("way", WAYS)
def test_every_way_comes_nearer(way: str) -> None:
    game = zermelo.load("kuhn")
    few = zermelo.equilibrium(game, way, iterations=20, seed=1)
    many = zermelo.equilibrium(game, way, iterations=5000, seed=1)
    assert many.nash_conv < few.nash_conv
    assert many.nash_conv < (0.05 if way == "mccfr" else 0.01)
    assert many.value == pytest.approx(-1 / 18, abs=0.01)
    assert (few.iterations, many.iterations) == (20, 5000)


def other_strategy(spiel: Any, policy: Policy, words: dict[int, str]) -> Any:
    """Our policy in the other program's tables."""
    from open_spiel.python import policy as spiel_policy

    table = spiel_policy.TabularPolicy(spiel)
    for state in table.states:
        s = policy.game.parse_state(" ".join(words_of(spiel, state)))
        odds = policy.action_probabilities(s)
        row = table.policy_for_key(state.information_state_string())
        for action in state.legal_actions():
            row[action] = odds[words[action]]
    return table


def words_of(spiel: Any, state: Any) -> list[str]:
    """What was dealt and done, in our words."""
    from_kuhn = spiel.get_type().short_name == "kuhn_poker"
    words = []
    again = spiel.new_initial_state()
    for action in state.history():
        if again.is_chance_node():
            words.append("JQK"[action] if from_kuhn else "JQK"[action // 2] + "12"[action % 2])
        else:
            words.append((("pass", "bet") if from_kuhn else ("fold", "call", "raise"))[action])
        again.apply_action(action)
    return words


@pytest.mark.parametrize(
    ("spec", "other", "words"),
    [
        ("kuhn", "kuhn_poker", {0: "pass", 1: "bet"}),
        ("leduc:suits=yes", "leduc_poker", {0: "fold", 1: "call", 2: "raise"}),
    ],
)
def test_another_program_finds_the_same_exploitability(
    spec: str, other: str, words: dict[int, str]
) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from open_spiel.python.algorithms import expected_game_score, exploitability

    policy = zermelo.equilibrium(zermelo.load(spec), "cfr+", iterations=30)
    spiel = pyspiel.load_game(other)
    table = other_strategy(spiel, policy, words)
    theirs = expected_game_score.policy_value(spiel.new_initial_state(), [table, table])
    assert policy.values == pytest.approx(theirs, abs=1e-9)
    assert policy.nash_conv == pytest.approx(exploitability.nash_conv(spiel, table), abs=1e-9)


def test_matrix_games_agree_with_linear_programs() -> None:
    rng = random.Random(4)
    for _ in range(30):
        m, n = rng.randint(1, 4), rng.randint(1, 4)
        rows = [[rng.randint(-5, 5) for _ in range(n)] for _ in range(m)]
        game = zermelo.matrix("; ".join(" ".join(map(str, row)) for row in rows))
        exact = zermelo.equilibrium(game, "supports")
        near = zermelo.equilibrium(game, "cfr+", target=1e-3)
        assert near.value == pytest.approx(exact.value, abs=1e-3)
        assert near.nash_conv <= 1e-3


def random_hidden_tree(rng: random.Random) -> str:
    """Chance deals, player 0 knows the deal, player 1 sees only player 0's move."""
    deals, moves, replies = rng.randint(2, 3), rng.randint(2, 3), rng.randint(2, 3)
    parts = []
    for _ in range(deals):
        nodes = []
        for m in range(moves):
            leaves = " ".join(f"a{r}={rng.randint(-4, 4)}" for r in range(replies))
            nodes.append(f"m{m}=min#S{m}({leaves})")
        parts.append(f"max({' '.join(nodes)})")
    return f"chance({' '.join(parts)})"


def normal_form(game: Any) -> str:
    """Every plan of one player against every plan of the other, as a matrix."""
    start = game.initial()
    deals = [game.result(start, a) for a, _ in game.outcomes(start)]
    moves = game.actions(deals[0])
    replies = game.actions(game.result(deals[0], moves[0]))

    def brings(first: Any, second: Any, d: int) -> Fraction:
        s = game.result(deals[d], first[d])
        return Fraction(game.utility(game.result(s, second[moves.index(first[d])]), 0))

    rows = [
        [sum(brings(f, g, d) for d in range(len(deals))) / len(deals)
         for g in product(replies, repeat=len(moves))]
        for f in product(moves, repeat=len(deals))
    ]  # fmt: skip
    return "; ".join(" ".join(str(x) for x in row) for row in rows)


def test_hidden_trees_agree_with_their_normal_form() -> None:
    rng = random.Random(9)
    for _ in range(12):
        game = zermelo.tree(random_hidden_tree(rng))
        near = zermelo.equilibrium(game, "cfr+", target=1e-3)
        exact = zermelo.equilibrium(zermelo.matrix(normal_form(game)), "linear-program")
        assert near.value == pytest.approx(exact.value, abs=2e-3)


def test_a_policy_is_kept(kuhn: Policy, tmp_path: Any) -> None:
    kuhn.save(tmp_path / "kuhn.json")
    again = Policy.load(tmp_path / "kuhn.json")
    s = again.game.parse_state("J Q pass bet")
    assert again.action_probabilities(s) == kuhn.action_probabilities(s)
    assert again.nash_conv == kuhn.nash_conv


class Forgetful(zermelo.Game):
    """Player 0 moves twice and does not know what it did before."""

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, s: tuple[int, ...]) -> int:
        return 0

    def actions(self, s: tuple[int, ...]) -> list[int]:
        return [0, 1]

    def result(self, s: tuple[int, ...], a: int) -> tuple[int, ...]:
        return (*s, a)

    def is_terminal(self, s: tuple[int, ...]) -> bool:
        return len(s) == 2

    def utility(self, s: tuple[int, ...], p: int) -> float:
        return 1.0 if p == 0 else -1.0

    def observation(self, s: tuple[int, ...], p: int) -> int:
        return len(s)


class Remembering(Forgetful):
    def observation(self, s: tuple[int, ...], p: int) -> tuple[int, ...]:
        return s


def test_who_forgets_is_refused() -> None:
    with pytest.raises(RulesError, match="forgets"):
        zermelo.equilibrium(Forgetful())
    assert zermelo.equilibrium(Remembering(), iterations=10).value == 1


def test_wrong_input() -> None:
    with pytest.raises(NotSupported, match="does not define observation"):
        zermelo.equilibrium(zermelo.load("tic-tac-toe"))
    with pytest.raises(UsageError, match="target"):
        zermelo.equilibrium(zermelo.load("kuhn"), target=-1)
    with pytest.raises(UsageError, match="invalid "):
        zermelo.equilibrium(zermelo.load("kuhn"), iterations=0)
    with pytest.raises(UsageError, match="unknown algorithm"):
        zermelo.equilibrium(zermelo.load("kuhn"), "cfr++")


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "leduc:suits=yes"])
def test_what_a_player_sees(spec: str) -> None:
    assert contract.check_sight(zermelo.load(spec), random.Random(2), 300) > 300


def test_training_goes_on_where_it_was(tmp_path: Path) -> None:
    from zermelo.learn import cfr as regret

    whole = regret.train(regret.Plan("leduc", tmp_path / "whole", iterations=200))
    regret.train(regret.Plan("leduc", tmp_path / "parts", iterations=80))
    parts = regret.train(regret.Plan("leduc", tmp_path / "parts", iterations=200))
    first, second = (zermelo.Policy.load(p) for p in (whole, parts))
    assert first.table.keys() == second.table.keys()
    for seen, odds in first.table.items():
        assert odds == pytest.approx(second.table[seen], abs=1e-9)
    assert (tmp_path / "parts" / "curve.svg").read_text().startswith("<svg")
    with pytest.raises(UsageError, match="contains a run of"):
        regret.train(regret.Plan("kuhn", tmp_path / "parts", iterations=10))
    (tmp_path / "parts" / "progress.npz").write_bytes(b"no")
    with pytest.raises(UsageError, match="damaged"):
        regret.train(regret.Plan("leduc", tmp_path / "parts", iterations=10))


def test_what_makes_no_sense_is_said() -> None:
    for seed in (-1, 10**23, "x"):
        with pytest.raises(UsageError, match="seed"):
            zermelo.equilibrium(zermelo.load("kuhn"), seed=seed)
    for name in ("kuhn", "leduc", "holdem"):
        game = zermelo.load(name)
        for p in (-1, 2, 7, None):
            with pytest.raises(UsageError, match="invalid player"):
                game.observation(game.initial(), p)


def test_a_measure_that_is_interrupted_counts_for_nothing(monkeypatch: Any) -> None:
    saved = []

    class Keeper:
        def resume(self, solver: Any) -> list[Any]:
            return []

        def save(self, solver: Any, curve: Any, now: bool = False) -> None:
            saved.append((solver.iterations, now))

    times = iter([False, True])
    real = minimizing._values_and_nash_conv

    def measured(*both: Any) -> Any:
        if next(times):
            raise KeyboardInterrupt
        return real(*both)

    monkeypatch.setattr(minimizing, "_values_and_nash_conv", measured)
    with pytest.raises(KeyboardInterrupt):
        minimizing.minimize(zermelo.load("kuhn"), iterations=100, keep=Keeper())
    assert saved[0] == (10, False) and saved[-1][1]
