"""Hold'em: the rules against OpenSpiel, hands against other evaluators, groups, learning."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo import CHANCE, _core
from zermelo.errors import BadPosition, IllegalAction, UsageError
from zermelo.games.holdem import PAIRS, Holdem, equity, trained
from zermelo.games.holdem.notation import CARDS, cards_of
from zermelo.games.holdem.policy import read
from zermelo.games.native import State
from zermelo.learn import holdem as learn

GAME = Holdem("holdem")

# Of all hands of seven cards, by the usual tables.
COUNTS = [
    23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584,
]  # fmt: skip

LIMIT = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=1 2,firstPlayer=1 2 2 2,"
    "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=2 2 4 4,"
    "maxRaises=3 4 4 4)"
)


def random_hand(rng: random.Random, until: int = 60) -> Any:
    s = GAME.initial()
    for _ in range(until):
        if GAME.is_terminal(s):
            break
        s = GAME.result(s, rng.choice(GAME.actions(s)))
    return s


# -- hands -------------------------------------------------------------------------------------
def test_all_hands_are_counted_as_published() -> None:
    assert list(_core.holdem_counts()) == COUNTS


def test_hands_are_ranked_as_another_evaluator_does() -> None:
    treys = pytest.importorskip("treys")
    judge, names = treys.Evaluator(), [treys.Card.new(c) for c in CARDS]
    rng = random.Random(7)
    hands = [rng.sample(range(52), 7) for _ in range(20_000)]
    for k in range(32):  # straight flushes, and many of few ranks: full houses, quads
        straight = [*range(k, k + 20, 4)]
        hands.append(straight + rng.sample([c for c in range(52) if c not in straight], 2))
        hands += [rng.sample(range(k, k + 12), 7) for _ in range(20)]
    mine = _core.holdem_ranks(bytes(c for hand in hands for c in hand))
    for hand, rank in zip(hands, mine, strict=True):
        theirs = judge.evaluate([names[c] for c in hand[:2]], [names[c] for c in hand[2:]])
        assert rank == 7462 - theirs, [CARDS[c] for c in hand]


def test_rows_that_are_no_hands_are_refused() -> None:
    for row in ([51] * 7, [1, 2, 3, 4, 5, 6, 52], [1, 2, 3], [1, 2, 3, 4, 5, 6, 6]):
        with pytest.raises(UsageError):
            _core.holdem_ranks(bytes(row))
        with pytest.raises(UsageError):
            _core.holdem_rank(row)


def test_equities_of_two_hands() -> None:
    win, share = equity("AsAh", "KdKc")
    assert (round(win, 4), round(share, 4)) == (0.8106, 0.0038)  # as published
    assert equity("AsAh", "KdKc", "2c 7d 9h 9s Tc") == (1.0, 0.0)
    assert equity("2c3d", "2d3c", "AsKsQsJsTs") == (0.0, 1.0)


def test_equity_against_any_hand_is_that_of_all_hands() -> None:
    s = GAME.parse_state("AsKd 7h7c cc Qs7d2c cc 4h cc 5c")
    mine, board = GAME.hand(s, 0), GAME.open_cards(s)
    free = [c for c in range(52) if c not in mine + board]
    rank, points = _core.holdem_rank(mine + board), 0.0
    pairs = [(a, b) for a in free for b in free if a < b]
    for pair in pairs:
        other = _core.holdem_rank([*pair, *board])
        points += (rank > other) + 0.5 * (rank == other)
    assert GAME.equity(s, 0) == pytest.approx(points / len(pairs), abs=1e-12)


# -- rules -------------------------------------------------------------------------------------
def test_random_hands_go_as_in_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(LIMIT)
    rng = random.Random(3)
    ends = set()
    for _ in range(120):
        s, other = GAME.initial(), game.new_initial_state()
        while not GAME.is_terminal(s):
            assert not other.is_terminal()
            if GAME.player(s) == CHANCE:
                assert other.is_chance_node()
                a = rng.choice(GAME.actions(s))
                assert len(other.legal_actions()) == len(GAME.actions(s))
                other.apply_action(CARDS.index(a))
            else:
                assert other.current_player() == GAME.player(s)
                legal = GAME.actions(s)
                assert len(other.legal_actions()) == len(legal)
                a = rng.choice([x for x in legal if x != "fold"] * 5 + legal)
                other.apply_action({"fold": 0, "call": 1, "raise": 2}[a])
            s = GAME.result(s, a)
        assert other.is_terminal()
        assert other.returns() == [GAME.utility(s, 0), GAME.utility(s, 1)], GAME.format_state(s)
        ends.add(abs(GAME.utility(s, 0)))
    assert max(ends) > 16 and 1 in ends


def test_the_most_that_can_be_lost() -> None:
    s = GAME.parse_state("AsAh KsKh rrrc Ad7c2d rrrrc 3c rrrrc 4h rrrrc")
    assert GAME.is_terminal(s) and GAME.utility(s, 0) == 48 and GAME.utility(s, 1) == -48


def test_a_player_sees_its_own_cards_and_no_others() -> None:
    rng = random.Random(5)
    for _ in range(60):
        s = random_hand(rng, rng.randint(4, 20))
        for p in (0, 1):
            t = GAME.sample(s, p, rng)
            assert GAME.observation(t, p) == GAME.observation(s, p)
            key = GAME.handle.observation
            assert key(t.data, p) == key(s.data, p)
            assert GAME.handle.valid(t.data)
            if t != s:
                assert GAME.observation(t, 1 - p) != GAME.observation(s, 1 - p)
                assert key(t.data, 1 - p) != key(s.data, 1 - p)


def test_cards_that_come_together_have_no_order() -> None:
    one = GAME.parse_state("AsKd 7h7c rc Qs7d2c")
    assert one == GAME.parse_state("KdAs 7c7h rc 2cQs7d")
    assert GAME.handle.key(one.data) == GAME.handle.key(
        GAME.parse_state("KdAs 7c7h rc 2c7dQs").data
    )


def test_states_from_outside_are_checked() -> None:
    rng = random.Random(8)
    for _ in range(40):
        s = random_hand(rng, rng.randint(1, 25))
        for _ in range(20):
            data = bytearray(s.data)
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            if GAME.handle.valid(bytes(data)):
                t = State(GAME, bytes(data))
                assert GAME.parse_state(GAME.format_state(t)) == t


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("AsKd As7c", "As appears twice"),
        ("AsKd 7h7c rc Qs7dXx", "not a card"),
        ("AsKd 7h7c rrrr", "not legal"),
        ("AsKd 7h7c Qs7d2c", "not legal"),
        ("AsKd 7h7c rf c", "not legal"),
        ("AsA", "not a card"),
    ],
)
def test_wrong_positions_are_told(text: str, says: str) -> None:
    with pytest.raises(BadPosition, match=says) as e:
        GAME.parse_state(text)
    assert e.value.hint


def test_wrong_hands_and_moves_are_told() -> None:
    for bad in (("AsAh", "AsKd"), ("As", "KdKc"), ("AsAh", "KdKc", "2c"), ("1sAh", "KdKc")):
        with pytest.raises(BadPosition):
            equity(*bad)
    s = GAME.parse_state("AsKd 7h7c")
    with pytest.raises(IllegalAction):
        GAME.parse_action(s, "allin")
    assert [GAME.parse_action(s, w) for w in ("c", "raise", "F")] == ["call", "raise", "fold"]
    later = GAME.parse_state("AsKd 7h7c cc 2c3c4c")
    assert [GAME.format_action(later, a) for a in GAME.actions(later)] == ["check", "bet"]
    assert cards_of("AsKd") == [51, 45]


# -- groups and learning -----------------------------------------------------------------------
@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> learn.Plan:
    learn.FLOPS, learn.TURNS, learn.FIRST = 3, 8, 8
    plan = learn.Plan(tmp_path_factory.mktemp("run"), iterations=20, groups=(5, 5, 6))
    learn.train(plan)
    return plan


def test_groups_do_not_depend_on_the_names_of_suits(plan: learn.Plan) -> None:
    native = read(plan.folder / "last.policy").native
    turned = [4 * (c // 4) + (c % 4 + 1) % 4 for c in range(52)]
    pairs = {
        frozenset((a, b)): i for i, (a, b) in enumerate((a, b) for a in range(52) for b in range(a))
    }
    for board in ("Qs7d2c", "Qs7d2c9c", "Qs7d2c9c9d"):
        cards = cards_of(board)
        here, there = native.group(cards), native.group([turned[c] for c in cards])
        for pair, i in pairs.items():
            assert there[pairs[frozenset(turned[c] for c in pair)]] == here[i]
            assert (here[i] == -1) == bool(pair & set(cards))
    river = native.group(cards_of("Qs7d2c9c9d"))
    assert (
        river[pairs[frozenset(cards_of("9h9s"))]] == 5 > river[pairs[frozenset(cards_of("3h4s"))]]
    )


def test_what_one_wins_the_other_loses(plan: learn.Plan) -> None:
    mine = read(plan.folder / "last.policy")
    others = {name: bot.native for name, bot in learn.bots(mine).items()}
    assert mine.native.meet(mine.native, 2, 1) == pytest.approx([0, 0], abs=0.05)
    for other in others.values():
        one, two = mine.native.meet(other, 3, 1), other.meet(mine.native, 3, 1)
        assert one == pytest.approx([-x for x in two], abs=0.05)
    # Raisers and callers go to the showdown with every hand: neither wins.
    assert others["raises"].meet(others["calls"], 2, 1) == pytest.approx([0, 0], abs=0.05)
    assert others["random"].meet(others["calls"], 2, 1) == pytest.approx([lost()] * 2, abs=0.05)


def lost() -> float:
    """What a random player folds away against a caller a hand, from both seats, in mbb."""

    def worth(s: Any, p: int) -> float:
        if GAME.is_terminal(s):
            return GAME.utility(s, p) if "f" in GAME.moves(s)[-1] else 0.0
        if GAME.player(s) == CHANCE:
            free = GAME.actions(s)
            return worth(GAME.result(s, free[0]), p)
        if GAME.player(s) != p:
            return worth(GAME.result(s, "call"), p)
        return float(np.mean([worth(GAME.result(s, a), p) for a in GAME.actions(s)]))

    s = GAME.parse_state("AsKd 7h7c")
    return 500 * (worth(s, 0) + worth(s, 1)) / 2


def test_learning_beats_simple_players(plan: learn.Plan) -> None:
    mine = read(plan.folder / "last.policy")
    bots = learn.bots(mine)
    for name in ("random", "calls", "raises"):
        won = np.array(mine.native.meet(bots[name].native, 9, 5))
        assert won.mean() > 3 * won.std() / 3, name  # three standard errors


def test_a_local_reply_finds_what_a_caller_loses(plan: learn.Plan) -> None:
    mine = read(plan.folder / "last.policy")
    calls = learn.bots(mine)["calls"].native
    known, learned = calls.local_reply(4, 5), mine.native.meet(calls, 4, 5)
    assert np.mean(known) > np.mean(learned) > 0
    # With nothing to fold and nobody who folds, it can at worst call as well.
    assert min(known) > 0 and np.mean(mine.native.local_reply(4, 5)) > 0


def test_a_run_goes_on_where_it_was(plan: learn.Plan, tmp_path: Path) -> None:
    short = learn.Plan(tmp_path, iterations=11, groups=(5, 5, 6))
    learn.train(short)
    short.iterations = 20
    learn.train(short)
    assert (tmp_path / "last.policy").read_bytes() == (plan.folder / "last.policy").read_bytes()
    assert (tmp_path / "iterations-000016.policy").exists()
    (tmp_path / "progress.npz").write_bytes(b"nonsense")
    with pytest.raises(UsageError, match="damaged"):
        learn.train(short)


def test_a_policy_plays_by_what_it_sees(plan: learn.Plan) -> None:
    game = trained(plan.folder / "last.policy")
    rng = random.Random(2)
    s = game.parse_state("AsAd 7h2c rc Qs7d2d cr")
    assert game.player(s) == 1
    r = zermelo.search(game, s)
    assert r.algorithm == "expert" and r.action in game.actions(s)
    for _ in range(5):
        t = game.sample(s, 1, rng)
        again = zermelo.search(game, t)
        assert (again.action, again.value) == (r.action, r.value)
    likely = game.likely(s, 1)
    assert sum(likely) == pytest.approx(1)
    seen = set(cards_of("7h2cQs7d2d"))
    assert all(x == 0 for x, pair in zip(likely, PAIRS, strict=True) if seen & set(pair))
    assert "likely hands of the opponent" in game.belief_text(s) and "policy: " in game.belief_text(
        s
    )
    odds = game.action_odds(s)
    assert list(odds) == game.actions(s) and sum(odds.values()) == pytest.approx(1)
    assert pickle.loads(pickle.dumps(game)).action_odds(s) == odds
    # A hand that is as good on this board is in the same group, and played alike.
    other = game.parse_state("AsAd 7c2s rc Qs7d2d cr")
    assert game.abstract_key(other, 1) == game.abstract_key(s, 1)
    assert game.action_odds(other) == odds
    assert game.abstract_key(s, 1).startswith("flop") and "| rc/cr" in game.abstract_key(s, 1)


def test_files_that_are_no_policy_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        trained(tmp_path / "none")
    bad = tmp_path / "bad.policy"
    for data in (b"", b"{}\n", b'{"name": "zermelo holdem policy 1"}\nx'):
        bad.write_bytes(data)
        with pytest.raises(UsageError, match="not a hold'em policy"):
            trained(bad)


def test_the_command_refuses_what_makes_no_sense(tmp_path: Path) -> None:
    for given in (("cfr+", None, None), (None, 0.1, None), (None, None, -1.0)):
        with pytest.raises(UsageError):
            learn.command(tmp_path, given[0], 1, given[1], given[2], 1, False)
