"""Checkers: the rules against OpenSpiel's, notation, the draw, forced captures at the horizon."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo import BadPosition, IllegalAction

GAME: Any = zermelo.load("checkers")
PERFT = [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]


@pytest.mark.parametrize("depth", range(10))
def test_published_counts(depth: int) -> None:
    assert zermelo.perft(GAME, depth=depth)[0] == PERFT[depth]


def random_states(count: int, seed: int, plies: int = 120) -> list[Any]:
    """Positions of random games, from the opening to bare kings."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        s = GAME.initial()
        for _ in range(rng.randrange(plies)):
            if GAME.is_terminal(s):
                break
            s = GAME.result(s, rng.choice(GAME.actions(s)))
        if not GAME.is_terminal(s):
            found.append(s)
    return found


def openspiel_turns(state: Any, mover: int) -> dict[tuple[int, ...], Any]:
    """By the squares passed: OpenSpiel plays a jump of several pieces as several moves."""
    found = {}
    for action in state.legal_actions():
        word = state.action_to_string(action)
        columns = (ord("h") - ord(word[0]), ord("h") - ord(word[2]))
        rows = (int(word[1]) - 1, int(word[3]) - 1)
        a, b = (4 * r + c // 2 + 1 for r, c in zip(rows, columns, strict=True))
        after = state.child(action)
        if not after.is_terminal() and after.current_player() == mover:
            rest = openspiel_turns(after, mover)
            found.update({(a, *path): end for path, end in rest.items() if path[0] == b})
        else:
            found[a, b] = after
    return found


def test_rules_are_openspiels() -> None:
    """Whole random games: the same moves in every position, the same winner."""
    spiel = pytest.importorskip("pyspiel")
    other = spiel.load_game("checkers")
    rng = random.Random(8)
    wins = 0
    for _ in range(150):
        s, t = GAME.initial(), other.new_initial_state()
        while not t.is_terminal():
            assert GAME.player(s) == t.current_player()
            theirs = openspiel_turns(t, t.current_player())
            ours = {tuple(map(int, a.replace("x", "-").split("-"))): a for a in GAME.actions(s)}
            assert set(ours) == set(theirs), str(s)
            path = rng.choice(sorted(ours))
            s, t = GAME.result(s, ours[path]), theirs[path]
        if any(t.returns()):  # their draw comes sooner than ours
            wins += 1
            assert [GAME.utility(s, p) for p in (0, 1)] == list(t.returns())
    assert wins > 50


@pytest.mark.parametrize(
    ("fen", "actions"),
    [
        ("B:W18,26:B15", ["15x22x31"]),
        ("B:W26,27:B22", ["22x31"]),  # crowned: it stops, though a king could go on
        ("B:W26,27:BK22", ["22x31x24"]),
        ("B:W18,19,26,27:BK15", ["15x22x31x24x15", "15x24x31x22x15"]),  # round to its own square
        ("W:W22:B18,17,10,3", ["22x13", "22x15x6"]),
        ("B:W16,19:B12", []),  # blocked
        ("W:WK1:B5,9,6,10", []),
        ("W:WK1-4:B12", ["1-5", "2-6", "3-7", "4-8", "1-6", "2-7", "3-8"]),
    ],
)  # fmt: skip
def test_captures_and_blockades(fen: str, actions: list[str]) -> None:
    s = GAME.parse_state(fen)
    assert sorted(GAME.actions(s)) == sorted(actions)
    if not actions:
        assert GAME.is_terminal(s)
        loser = "BW".index(fen[0])
        assert (GAME.utility(s, loser), GAME.utility(s, 1 - loser)) == (-1, 1)


def test_moves_are_written_as_in_pdn() -> None:
    s = GAME.parse_state("B:W18,26:B15")
    assert GAME.format_action(s, "15x22x31") == "15x31"
    assert GAME.format_action(None, "15x22x31") == "15x22x31"
    for text in ("15x31", "15x22x31", " 15 X 31 "):
        assert GAME.parse_action(s, text) == "15x22x31"
    assert GAME.result(s, "15x31") == GAME.result(s, "15x22x31")
    ring = GAME.parse_state("B:W18,19,26,27:BK15")
    assert GAME.format_action(ring, "15x22x31x24x15") == "15x22x31x24x15"
    with pytest.raises(IllegalAction, match="is ambiguous"):
        GAME.parse_action(ring, "15x15")
    for wrong in ("15x18", "15-18", "15", "x", "", "99x3", "15x22", "-", "15--18", "1x2x3x4"):
        with pytest.raises(IllegalAction):
            GAME.parse_action(s, wrong)
        with pytest.raises(IllegalAction):
            GAME.result(s, wrong)
    for wrong in (None, 3, ("15", "31")):
        with pytest.raises(IllegalAction):
            GAME.result(s, wrong)


def test_positions_are_written_as_in_pdn() -> None:
    fen = "B:W18,24,27,28,K10:B12,16,20,K22"
    s = GAME.parse_state(fen)
    assert GAME.format_state(s) == "B:WK10,18,24,27,28:B12,16,20,K22"
    assert GAME.parse_state(GAME.format_state(s)) == s
    same = [
        "b:w18,24,27,28,k10:b12,16,20,k22.",
        "B : B12,16,20,K22 : W18,24,27-28,K10",
        f'[FEN "{fen}"]',
        fen + ":H0:F1",
    ]
    assert all(GAME.parse_state(text) == s for text in same)
    assert GAME.parse_state("B:W21-32:B1-12") == GAME.initial() == GAME.parse_state("")
    played = GAME.parse_state("1. 11-15 23-19 2. 8-11 22-17")
    assert played == GAME.parse_state("11-15 23-19 8-11 22-17")
    assert GAME.format_state(played).startswith("B:W17,19,21,24")
    assert GAME.format_state(GAME.parse_state("W:WK1:BK32:H7")) == "W:WK1:BK32:H7"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("W18:B12", "the side to move"),
        (":W18:B12", "the side to move"),
        ("B:W3:B12", "White has a man on 3"),
        ("B:W18:B29", "Black has a man on 29"),
        ("B:W18,18:B12", "square 18 appears twice"),
        ("B:W18:B18", "square 18 appears twice"),
        ("B:W33:B12", "'33' is not a square"),
        ("B:W0:B12", "'0' is not a square"),
        ("B:WX:B12", "'X' is not a square"),
        ("B:W18:W19", "unexpected"),
        ("B:W18:B12:Z", "unexpected"),
        ("B:W18:B12:H81", "quiet plies"),
        ("B:W9-5:B12", "is a descending range"),
        ("B:W:B", "no pieces"),
        ("B:WK1-13:B20", "White has 13 pieces"),
        ("11-15 11-15", "not a legal action"),
        ("12x13", "not a legal action"),
    ],
)
def test_impossible_positions(fen: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message) as e:
        GAME.parse_state(fen)
    assert e.value.hint


def test_any_bytes_are_refused_or_played() -> None:
    rng = random.Random(2)
    start = GAME.initial().data
    accepted = 0
    for i in range(4000):
        data = bytearray(rng.randbytes(len(start)) if i % 8 == 0 else start)
        for _ in range(rng.randrange(4)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        if GAME.handle.valid(bytes(data)):
            accepted += 1
            if GAME.handle.to_move(bytes(data)) >= 0:
                for code in GAME.handle.actions(bytes(data)):
                    assert GAME.handle.valid(GAME.handle.play(bytes(data), code)[:24] + bytes(8))
    assert 1000 < accepted < 3500


def test_forty_moves_each_without_progress_are_a_draw() -> None:
    s = GAME.parse_state("W:WK1,K2:BK32:H79")
    assert not GAME.is_terminal(s)
    drawn = GAME.result(s, "1-5")
    assert GAME.is_terminal(drawn) and GAME.utility(drawn, 0) == GAME.utility(drawn, 1) == 0
    man = GAME.parse_state("W:WK1,30:BK32:H79")
    assert GAME.format_state(GAME.result(man, "30-25")) == "B:WK1,25:BK32"
    capture = GAME.parse_state("W:WK1,K2:BK32,6:H79")
    lost = GAME.result(GAME.parse_state("W:WK1:B6:H79"), "1x10")
    assert GAME.format_state(GAME.result(capture, "1x10")) == "B:WK2,K10:BK32"
    assert GAME.utility(lost, 1) == 1
    # Blocked at the very end of the count: lost, not drawn.
    blocked = GAME.parse_state("B:WK16,K19:B12:H80")
    assert GAME.utility(blocked, 0) == -1


def test_keys_know_the_count() -> None:
    key = GAME.handle.key
    states = [GAME.parse_state(f"W:WK1:BK32:H{n}") for n in range(81)]
    assert len({key(s.data) for s in states}) == 81


def forced(s: Any, depth: int) -> float:
    """Minimax to a depth and on through captures, which nobody may decline."""
    if GAME.is_terminal(s):
        return 1e9 * GAME.utility(s, 0)
    actions = GAME.actions(s)
    if depth <= 0 and "x" not in actions[0]:
        return GAME.evaluate(s, 0)
    best = max if GAME.player(s) == 0 else min
    return best(forced(GAME.result(s, a), depth - 1) for a in actions)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_horizon_never_stands_before_a_capture(depth: int) -> None:
    captures = 0
    for s in random_states(60, depth):
        expected = forced(s, depth)
        found = zermelo.search(GAME, s, algorithm="engine", depth=depth)
        value = found.value if abs(expected) < 1e8 else 1e9 * found.value
        assert value == expected, GAME.format_state(s)
        captures += "x" in GAME.actions(s)[0]
    assert captures > 5


def turn(fen: str) -> str:
    """The same position with the colours exchanged and the board turned round."""
    mover, white, black = fen.split(":")[:3]

    def other(words: str) -> str:
        pieces = [w for w in words[1:].split(",") if w]
        return ",".join("K" * w.startswith("K") + str(33 - int(w.lstrip("K"))) for w in pieces)

    return f"{'BW'['WB'.index(mover)]}:W{other(black)}:B{other(white)}"


def test_both_sides_are_judged_alike() -> None:
    for s in random_states(300, 4):
        fen = GAME.format_state(s)
        t = GAME.parse_state(turn(fen))
        assert GAME.evaluate(s, 0) == GAME.evaluate(t, 1) == -GAME.evaluate(t, 0), fen
        assert len(GAME.actions(s)) == len(GAME.actions(t))


def test_more_is_worth_more() -> None:
    s = GAME.evaluate(GAME.parse_state("B:W30,31:B1,2"), 0)
    assert GAME.evaluate(GAME.parse_state("B:W30:B1,2"), 0) > s + 50
    assert GAME.evaluate(GAME.parse_state("B:W30,31:B1,K2"), 0) > s
