"""Bridge: rules, notation, what a seat knows, bidding, play by sampled deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import _core
from zermelo.games.bridge import (
    HandRange,
    bid,
    double_dummy,
    random_deal,
    read_pbn,
    single_dummy,
    write_pbn,
)
from zermelo.games.bridge.bidding import balanced
from zermelo.games.bridge.notation import (
    card_code,
    codes,
    format_deal,
    lengths,
    parse_deal,
    points,
)

DEAL = "N:A5... 76... K4... Q3..."
FULL = "N:AKQ2.J54.A98.K32 J987.T98.KQ2.T98 T654.AKQ.J54.QJ4 3.7632.T763.A765"


@pytest.fixture(scope="module")
def game() -> Any:
    return zermelo.load("bridge")


@pytest.fixture(scope="module")
def hidden() -> Any:
    return zermelo.load("bridge:cards=hidden")


def played(game: Any, rng: random.Random, plies: int) -> Any:
    """A random deal, a random contract, some random cards."""
    cards = rng.randint(1, 13)
    text = format_deal(random_deal(rng.getrandbits(40), cards))
    s = game.parse_state(f"{text} {rng.choice('SHDC')} by {rng.choice('NESW')}")
    for _ in range(min(plies, 4 * cards - 1)):
        s = game.result(s, rng.choice(game.actions(s)))
    return s


# -- rules ---------------------------------------------------------------------------------------
def test_a_suit_is_followed_and_trumps_win(game: Any) -> None:
    s = game.parse_state("N:A.2.. K.3.. Q..4. ..5.2 C by S, N leads")
    assert game.actions(s) == ["SA", "H2"]
    s = game.result(s, "SA")
    assert game.actions(s) == ["SK"], "east must follow"
    with pytest.raises(zermelo.IllegalAction):
        game.result(s, "H3")
    for card in ("SK", "SQ", "C2"):
        s = game.result(s, card)
    assert game.mover(s) == "west" and game.play_of(s).won == 0
    for card in ("D5", "H2", "H3", "D4"):
        s = game.result(s, card)
    assert game.is_terminal(s)
    assert [game.utility(s, p) for p in (0, 1)] == [0, 0], "west took both, one with a ruff"


def test_declarer_plays_dummy(hidden: Any) -> None:
    s = hidden.parse_state(f"{FULL} NT by S")
    assert hidden.player(s) == 1, "the defender at declarer's left leads"
    s = hidden.result(s, "H2")
    assert hidden.player(s) == 0 and hidden.mover(s) == "north"
    s = hidden.result(s, "H4")
    assert hidden.player(s) == 3
    assert hidden.facts.players == 4 and hidden.facts.hidden


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**40), st.integers(0, 48))
def test_utilities_count_the_tricks(seed: int, plies: int) -> None:
    rng = random.Random(seed)
    game: Any = zermelo.load("bridge:cards=hidden")
    s = played(game, rng, plies)
    while not game.is_terminal(s):
        s = game.result(s, rng.choice(game.actions(s)))
    tricks = game.utility(s, 0)
    assert 0 <= tricks <= game.play_of(s).cards
    assert [game.utility(s, p) for p in range(4)] == [tricks, -tricks, tricks, -tricks]


# -- the solver ----------------------------------------------------------------------------------
def test_the_solver_agrees_with_minimax(game: Any) -> None:
    rng = random.Random(4)
    for _ in range(60):
        text = format_deal(random_deal(rng.getrandbits(40), rng.randint(1, 3)))
        trump, declarer, first = rng.choice(["S", "H", "D", "C", "NT"]), rng.choice("NESW"), "NESW"
        s = game.parse_state(f"{text} {trump} by {declarer}, {rng.choice(first)} leads")
        for _ in range(rng.randint(0, 3)):
            s = game.result(s, rng.choice(game.actions(s)))
        plain = zermelo.search(game, s, "minimax")
        values = game.values(s)
        assert set(values) == set(game.actions(s))
        assert {m.action: m.value for m in plain.moves} == values
        best = max if game.player(s) == 0 else min
        assert plain.value == best(values.values())


def test_solve_and_search_use_it(game: Any) -> None:
    s = game.parse_state(f"{FULL} NT by S")
    r = zermelo.solve(game, s)
    assert r.exact and r.value == double_dummy(FULL)["NT", "S"]
    assert r.value == min(game.values(s).values())
    small: Any = zermelo.load("bridge:tricks=4,deal=9,trump=D")
    with_it, without = zermelo.solve(small), zermelo.search(small, algorithm="engine", narrow=False)
    assert with_it.value == without.value and with_it.nodes < without.nodes


def test_a_table_of_contracts() -> None:
    table = double_dummy(DEAL)
    assert table["S", "N"] == table["NT", "N"] == 2 and table["S", "E"] == 0
    assert len(table) == 20
    assert str(table).splitlines()[0].split() == ["C", "D", "H", "S", "NT"]
    assert table.to_dict()["tricks"]["W"]["NT"] == table["nt", "west"]


def test_another_side_of_the_table_is_the_same_deal() -> None:
    """Seats turned by one: the table turns with them."""
    for seed in range(4):
        hands = random_deal(seed, 9)
        turned = (hands[3], hands[0], hands[1], hands[2])
        one, two = double_dummy(format_deal(hands)), double_dummy(format_deal(turned))
        for trump, seat in one:
            assert one[trump, seat] == two[trump, "NESW"["NESW".index(seat) - 3]]


# -- notation ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AK.. QJ... T9... 87...", "must start with a seat"),
        ("X:AK... QJ... T9... 87...", "not a seat"),
        ("N:AK... QJ... T9...", "3 of 4 hands"),
        ("N:AK... QJ... T9... 87... 65...", "not a contract"),
        ("N:AK.. QJ... T9... 87...", "3 suits"),
        ("N:AK... QJ... T9... 8K...", "SK is in two hands, north's and west's"),
        ("N:AA... QJ... T9... 87...", "SA appears twice in north's hand"),
        ("N:A1... QJ... T9... 87...", "is not a rank"),
        ("N:AK... QJ... T... 87...", "south has 1 cards, not 2"),
        (FULL.replace("AKQ2", "AKQ"), "north has 12 cards, not 13"),
        (FULL.replace("N:AKQ2.J54", "N:AKQ2.J543").replace("7632", "762"), "north has 14 cards"),
        ("N:AK... QJ... - 87...", "unknown"),
        ("N:AK... QJ... T9... 87... X by S", "not a trump"),
        ("N:AK... QJ... T9... 87... NT by Z", "not a seat"),
        ("N:AK... QJ... T9... 87... NT by S: XX", "not a card"),
        ("N:AK... QJ... T9... 87... NT by S: SA", "move 1, 'SA', is not legal"),
        ("N:... ... ... ...", "empty"),
    ],
)
def test_a_wrong_position_is_told_clearly(game: Any, text: str, said: str) -> None:
    with pytest.raises(zermelo.BadPosition) as e:
        game.parse_state(text)
    assert said in e.value.message and e.value.hint and "\n" not in e.value.message


def test_positions_are_read_in_several_ways(game: Any) -> None:
    s = game.parse_state("E:QJ... T9... 87... AK... NT by S: S7")
    assert game.format_state(s) == "N:AK... QJ... T9... 87... NT by S: S7"
    assert game.parse_action(game.result(game.result(s, "SA"), "SJ"), "s10") == "ST"
    assert game.parse_state(DEAL) == game.parse_state(f"{DEAL} NT by S")
    assert "W leads" not in game.format_state(game.parse_state(f"{DEAL} NT by S, W leads"))


PBN = """% a comment
[Board "1"]
[Deal "N:A5... 76... K4... Q3..."]
[Declarer "S"]
[Contract "1NT"]
[Play "W"]
S3 SA S7 S4
Q* - - -

[Board "2"]
[Deal "N:AK... QJ... T9... 87..."]
"""


def test_pbn_files(game: Any) -> None:
    first, second = read_pbn(PBN)
    assert first.level == 1 and [c % 16 for c in first.played] == [1, 12, 5, 2]
    assert second.level == 0 and second.tags["Board"] == "2"
    s = game.parse_state(first.position)
    assert game.mover(s) == "north"
    again = read_pbn(write_pbn([first, second]))
    assert [g.position for g in again] == [first.position, second.position]
    with pytest.raises(zermelo.BadPosition, match="2 deals"):
        game.parse_state(PBN)
    with pytest.raises(zermelo.BadPosition, match="no deal"):
        read_pbn('[Board "1"]')
    wrong = PBN.replace("S3 SA S7 S4", "S3 SA S6 S7")
    with pytest.raises(zermelo.BadPosition, match="not legal"):
        read_pbn(wrong)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**40), st.integers(1, 13))
def test_deals_are_read_back(seed: int, cards: int) -> None:
    hands = random_deal(seed, cards)
    for first in range(4):
        assert parse_deal(format_deal(hands, first)) == hands


def test_one_seat_s_view(hidden: Any) -> None:
    s = hidden.parse_state(f"{FULL} NT by S")
    west = hidden.board_of(s, 3)
    assert "AKQ2" not in west and "7632" in west and "13 cards" in west
    s = hidden.result(s, "H2")
    west = hidden.board_of(s, 3)
    assert "AKQ2" in west and "T654" not in west, "dummy lies open now"
    assert ">T654" not in hidden.svg_of(s, 3)
    assert "data-square" in hidden.svg(s)


# -- what is hidden ------------------------------------------------------------------------------
@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**40), st.integers(0, 50))
def test_a_redeal_contradicts_nothing(seed: int, plies: int) -> None:
    rng = random.Random(seed)
    game: Any = zermelo.load("bridge:cards=hidden")
    s = played(game, rng, plies)
    for p in range(4):
        other = game.sample(s, p, rng)
        assert game.handle.valid(other.data), "a card that could not have been kept back"
        assert game.observation(other, p) == game.observation(s, p)
        data = game.data(s), game.data(other)
        assert len({game.handle.observation(d, p) for d in data}) == 1
        for q in range(4):  # equal exactly where they look the same
            same = game.observation(other, q) == game.observation(s, q)
            assert same == (len({game.handle.observation(d, q) for d in data}) == 1)


def test_redeals_are_equally_likely(hidden: Any) -> None:
    """East has two of three cards that south does not see: three deals, each as likely."""
    s = hidden.parse_state("N:A.2.. K.3.. Q.4.. J.5.. NT by S: SJ")
    rng = random.Random(1)
    counts: dict[str, int] = {}
    for _ in range(1500):
        seen = hidden.format_state(hidden.sample(s, 0, rng))
        counts[seen] = counts.get(seen, 0) + 1
    assert len(counts) == 3 and min(counts.values()) > 400, counts


def test_a_redeal_keeps_to_the_bidding(game: Any) -> None:
    s = game.parse_state(f"{FULL} NT by S: H2")
    told = [HandRange(), HandRange((8, 40), spades=(4, 13)), HandRange(), HandRange()]
    for seed in range(30):
        data, fits = _core.bridge_deal_within(s.data, 2, [t.flat for t in told], seed, 5000)
        east = _core.bridge_dealt(data)[1]
        assert fits and points(east) >= 8 and lengths(east)[0] >= 4


def test_single_dummy(game: Any) -> None:
    s = game.parse_state(f"{FULL} NT by S: H2 H4 H8 HA")
    found = single_dummy(game, s, 10, seed=1)
    assert found.card in game.actions(s) and set(found.means) == set(game.actions(s))
    assert found == single_dummy(game, s, 10, seed=1)
    assert found.means[found.card] == max(found.means.values())
    with pytest.raises(zermelo.UsageError):
        single_dummy(game, s, 0)
    # East has shown out, so that nothing is hidden any more.
    s = game.parse_state("N:AJ4... .43.2. Q32... KT9... NT by S, W leads: ST S4 D2 SQ")
    found = single_dummy(game, s, 5, seed=1)
    assert found.means == game.values(s)


@pytest.mark.parametrize(
    ("south", "said"),
    [
        (
            HandRange(points=(38, 40)),
            "south is declared to have 38 to 40 points, but it can have at most",
        ),
        (
            HandRange(hearts=(9, 13)),
            "south is declared to have 9 to 13 hearts, but it can have at most",
        ),
        (HandRange(spades=(5, 3)), "invalid south with 5 to 3 spades"),
    ],
)
def test_what_the_cards_rule_out_is_told(game: Any, south: HandRange, said: str) -> None:
    s = game.parse_state(f"{FULL} NT by S: H2 H4")
    with pytest.raises(zermelo.ZermeloError, match=said):
        single_dummy(game, s, 2, constraints=[HandRange(), HandRange(), south, HandRange()], seed=1)
    s = game.parse_state(f"{FULL} NT by S: H2 H4 H8 HA")
    east = HandRange(hearts=(0, 0))
    with pytest.raises(zermelo.BadPosition, match="has already played 1"):
        single_dummy(game, s, 2, constraints=[HandRange(), east, HandRange(), HandRange()], seed=1)
    with pytest.raises(zermelo.UsageError, match="3 entries"):
        single_dummy(game, s, 2, constraints=[HandRange()] * 3)


def test_likely_hands_are_shown(hidden: Any) -> None:
    s = hidden.parse_state("N:A.2.. K.3.. Q.4.. J.5.. NT by S: SJ")
    rows = hidden.belief_summary(zermelo.Belief(hidden, 1, {s: 1.0}))
    assert rows == [
        "east: 3.0 points; 1.0 spades, 1.0 hearts, 0.0 diamonds, 0.0 clubs; SK 100%",
        "south: 2.0 points; 1.0 spades, 1.0 hearts, 0.0 diamonds, 0.0 clubs; SQ 100%",
    ]


# -- bidding -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("north", "south", "contract"),
    [
        ("AQ2.KJ3.A982.Q54", "K43.Q42.KT5.9873", "2NT by N"),
        ("AQ2.KJ3.A982.Q54", "K43.AQ2.KT5.9873", "3NT by N"),
        ("AQ2.KJ3.A982.Q54", "K76543.2.75.9873", "2S by S"),
        ("AKJ32.K43.A.Q432", "Q54.AQ2.KT54.876", "4S by N"),
        ("AK432.K43.52.Q43", "Q65.A92.T864.J72", "2S by N"),
        ("A2.K43.A542.Q432", "K654.A92.876.987", "1NT by N"),
        ("432.432.5432.432", "765.765.9876.765", ""),
    ],
)
def test_bidding(north: str, south: str, contract: str) -> None:
    from zermelo.games.bridge.notation import parse_hand

    n, s = parse_hand(north, 0), parse_hand(south, 2)
    assert bid((n, 0, s, 0)).contract == contract, "the others have nothing to say"


def test_bidding_tells_the_truth() -> None:
    """What the calls promise holds of the hands that made them."""
    for seed in range(400):
        hands = random_deal(seed)
        auction = bid(hands, seed % 4)
        for hand, known in zip(hands, auction.constraints, strict=True):
            assert known.points[0] <= points(hand) <= known.points[1], (seed, auction)
            for n, (low, high) in zip(lengths(hand), known[1:], strict=True):
                assert low <= n <= high, (seed, auction)
        if auction.level:
            assert auction.calls[-3:] == ["pass"] * 3
            assert points(hands[auction.declarer]) + points(hands[(auction.declarer + 2) % 4]) > 11
    assert balanced(codes_of("AK2.432.5432.A32")) and not balanced(codes_of("A.5432.5432.5432"))


def codes_of(hand: str) -> int:
    from zermelo.games.bridge.notation import parse_hand

    return parse_hand(hand, 0)


def test_cards_have_names() -> None:
    hand = codes_of("AK.T..2")
    assert codes(hand) == [card_code(t) for t in ("SA", "SK", "HT", "C2")]


def test_search_over_deals_plays_for_its_own_side() -> None:
    """Where the deal is known, both sides take a card that is best for them by the solver."""
    seen = set()
    for deal in range(6):
        game = zermelo.load(f"bridge:deal={deal},tricks=3,trump=H,cards=hidden")
        s = game.initial()
        while not game.is_terminal(s):
            values = dict(game.values(s))
            mover = game.player(s)
            best = (min if mover & 1 else max)(values.values())
            r = zermelo.search(game, s, "pimc", belief=[s])
            assert values[r.action] == best
            assert r.values[mover] == (-best if mover & 1 else best)
            seen.add(mover & 1)
            s = game.result(s, next(iter(values)))
    assert seen == {0, 1}
