"""Chess notation: moves, FEN, EPD, pictures; damaged states and texts are refused."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from chess_perft import PERFT
from zermelo import BadPosition, IllegalAction, _core

GAME: Any = zermelo.load("chess")


def test_ways_to_write_a_move() -> None:
    s = GAME.parse_state("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1")
    for text, action in (
        ("O-O", "e1g1"), ("0-0-0", "e1c1"), ("e1h1", "e1g1"), ("e1g1", "e1g1"), ("O-O+", "e1g1"),
        ("exd6", "e5d6"), ("exd6 e.p.", "e5d6"), ("E5D6", "e5d6"), ("bxa8=Q+", "b7a8q"),
        ("b8=N", "b7b8n"), ("b8Q", "b7b8q"), ("b8(R)", "b7b8r"), ("b7b8q", "b7b8q"),
        ("Ke2!?", "e1e2"), ("Ra1-a4", "a1a4"), ("Rxa8", "a1a8"),
    ):  # fmt: skip
        assert GAME.parse_action(s, text) == action, text
        assert GAME.result(s, text) == GAME.result(s, action)
    for wrong in ("b8", "Kf9", "e5f6", "", "Qd1", "castle", "e1e1", "b7b8k", "0000", "bxa8=K"):
        with pytest.raises(IllegalAction):
            GAME.parse_action(s, wrong)
        with pytest.raises(IllegalAction):
            GAME.result(s, wrong)
    with pytest.raises(IllegalAction, match="ambiguous"):
        GAME.parse_action(s, "b8")
    for wrong_kind in (3, None, ("e2", "e4"), 4.5):
        with pytest.raises(IllegalAction):
            GAME.result(s, wrong_kind)


REFUSED = {
    "8/8/8/8/8/8/8/K7 w - - 0 1": "Black has no king",
    "kk6/8/8/8/8/8/8/K7 w - - 0 1": "Black has 2 kings",
    "k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1": "9 pawns",
    "k7/8/8/8/8/NNNNNNNN/NNNNNNNN/K7 w - - 0 1": "17 pieces",
    "k6P/8/8/8/8/8/8/K7 w - - 0 1": "pawn on rank 8",
    "k7/8/8/8/8/8/8/Kp6 w - - 0 1": "pawn on rank 1",
    "k7/8/8/8/8/8/8/K7 w - e6 0 1": "past e6",
    "k7/8/8/4p3/8/8/8/K7 b - e6 0 1": "past e6",
    "k7/8/4p3/4p3/8/8/8/K7 w - e6 0 1": "past e6",
    "k7/8/8/4p3/8/8/8/K7 w - x9 0 1": "not a square",
    "k7/8/8/8/8/8/8/K6r b - - 0 1": "in check",
    "4k3/8/8/8/8/8/8/4K3 w K - 0 1": "cannot castle",
    "r3k2r/8/8/8/8/8/4K3/R6R w Q - 0 1": "cannot castle",
    "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1": "twice",
    "r3k2r/8/8/8/8/8/8/R3K2R w KX - 0 1": "not a castling right",
    "k7/8/8/8/8/8/K7 w - - 0 1": "7 ranks",
    "k7/8/8/8/8/8/8/K8 w - - 0 1": "rank 1 has 9",
    "k7/8/8/8/8/8/8/K5z1 w - - 0 1": "not a piece",
    "k7/8/8/8/8/8/8/K7 x - - 0 1": "side to move",
    "k7/8/8/8/8/8/8/K7 w -": "not 3",
    "k7/8/8/8/8/8/8/K7 w - - 0 1 7": "not 7",
    "k7/8/8/8/8/8/8/K7 w - - 151 1": "'151' is not",
    "k7/8/8/8/8/8/8/K7 w - - 0 10000": "'10000' is not",
    "k7/8/8/8/8/8/8/K7 w - - -1 1": "'-1' is not",
    "e2e5": "move 1",
    "startpos moves e4 e4": "move 2",
}


@pytest.mark.parametrize("text", REFUSED)
def test_positions_refused(text: str) -> None:
    with pytest.raises(BadPosition, match=REFUSED[text]) as caught:
        GAME.parse_state(text)
    assert caught.value.hint and "\n" not in caught.value.message


def test_castling_letters() -> None:
    for given_, shown in (("HAha", "KQkq"), ("KQkq", "KQkq"), ("GBgb", "GBgb"), ("Kq", "Kq")):
        rank = "rr2k1rr/8/8/8/8/8/8/RR2K1RR" if "G" in given_ else "r3k2r/8/8/8/8/8/8/R3K2R"
        assert GAME.format_state(GAME.parse_state(f"{rank} w {given_} - 0 1")).split()[2] == shown
    with pytest.raises(BadPosition, match="castling"):
        GAME.parse_state("4k3/8/8/8/8/8/8/R2RK3 w AD - 0 1")
    four = GAME.parse_state("4k3/8/8/8/8/8/4P3/4K3 b - -")
    assert GAME.format_state(four).endswith(" b - - 0 1")


def test_epd() -> None:
    line = '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 Kd2; ce 25; id "a; b"; hmvc 7; fmvn 30;'
    s, operations = GAME.parse_epd(line)
    assert operations["bm"] == ["e4", "Kd2"] and operations["id"] == ["a; b"]
    assert GAME.format_state(s).endswith(" 7 30")
    assert GAME.format_epd(s, operations) == line
    assert GAME.format_epd(s) == "4k3/8/8/8/8/8/4P3/4K3 w - -"
    for wrong in ("", "4k3/8/8/8/8/8/4P3/4K3 w -", line + " 3;", line[:-3] + " x;"):
        with pytest.raises(BadPosition):
            GAME.parse_epd(wrong)


WILD = (  # how files in circulation bend a line of EPD: (position, operations) -> line
    lambda p, ops: f"{p} 0 1 ; {ops}",
    lambda p, ops: f"{p} 0 1;{ops}",
    lambda p, ops: f"{p} 0 1 {ops}",
    lambda p, ops: f"{p}; {ops}",
    lambda p, ops: f"{p};{ops}",
    lambda p, ops: f"{p} ; {ops}",
    lambda p, ops: f"{p} {ops}\0",
    lambda p, ops: f"{p} {ops} \0\0\r\n",
    lambda p, ops: f"  {p}\t{ops}   \t",
    lambda p, ops: f"{p} {ops.rstrip(';')}",
    lambda p, ops: f"{p} - - {ops};;",
    lambda p, ops: f"\ufeff{p} ;; {ops};",
)


@pytest.mark.parametrize("bend", WILD)
def test_epd_in_the_wild(bend: Any) -> None:
    """A bent line says what python-chess reads in the clean one."""
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    rng = random.Random(7)
    for number in range(25):
        board = chess.Board()
        for _ in range(rng.randrange(60)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        best = rng.sample(list(board.legal_moves), min(2, board.legal_moves.count()))
        clean = board.epd(**({"bm": best} if best else {}), id=f"no. {number}; a", ce=-25)
        oracle = chess.Board()
        right = oracle.set_epd(clean)
        fields = clean.split(" ", 4)
        s, operations = GAME.parse_epd(bend(" ".join(fields[:4]), fields[4]))
        assert GAME.format_state(s).split()[:3] == oracle.fen().split()[:3]
        assert set(operations) - {"hmvc", "fmvn"} == set(right)
        assert operations["id"] == [right["id"]] and operations["ce"] == [str(right["ce"])]
        moves = {GAME.parse_action(s, word) for word in operations.get("bm", [])}
        assert moves == {move.uci() for move in right.get("bm", [])}


def test_epd_counters_and_perft_lines() -> None:
    s, operations = GAME.parse_epd("4k3/8/8/8/8/8/8/4K2R w K - 7 40 ;D1 15 ;D2 66")
    assert GAME.format_state(s).endswith(" 7 40")
    assert operations["D1"] == ["15"] and operations["D2"] == ["66"]
    text = GAME.format_epd(s, {"c0": ["a \\ b"], "bm": ["O-O"]})
    assert GAME.parse_epd(text)[1] == {"c0": ["a \\ b"], "bm": ["O-O"]}


def test_a_long_line_of_epd_is_read_in_linear_time() -> None:
    for part in ("bm e4; ", '"', 'id "', "\\", "- ", "0 ", ";"):
        with contextlib.suppress(BadPosition):
            GAME.parse_epd("4k3/8/8/8/8/8/4P3/4K3 w - - " + part * 100_000)


def test_pictures() -> None:
    s = GAME.parse_state("e4 e5 Qh5 Nc6 Qxf7+")
    plain, marked = GAME.svg(s), GAME.draw(s, last="h5f7", arrows=["e8f7"], black_below=True)
    assert plain.count('class="man') == 31
    assert 'class="check"' in plain and 'class="arrow"' not in plain
    assert marked.count('class="mark"') == 2 and 'class="arrow"' in marked


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_bytes_that_are_nearly_states(data: Any) -> None:
    fen = data.draw(st.sampled_from(sorted(PERFT)))
    s = bytearray(GAME.parse_state(fen).data)
    for _ in range(data.draw(st.integers(1, 4))):
        s[data.draw(st.one_of(st.integers(72, 104), st.integers(0, len(s) - 1)))] = data.draw(
            st.integers(0, 255)
        )
    raw = bytes(s)
    if not GAME.handle.valid(raw):
        for call in (GAME.handle.to_move, _core.chess_parts, _core.chess_in_check):
            with pytest.raises(BadPosition):
                call(raw)
    elif GAME.handle.to_move(raw) >= 0:
        for code in GAME.handle.actions(raw):
            assert GAME.handle.valid(GAME.handle.play(raw, code))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from("...........PNBRQpnbrq"), min_size=62, max_size=62),
    st.integers(0, 63), st.integers(0, 63), st.integers(-1, 2),
    st.one_of(st.just(0), st.integers(0, 2**64 - 1)), st.integers(-1, 64),
    st.integers(-1, 256), st.integers(-1, 65536),
)  # fmt: skip
def test_states_of_anything(
    men: list[str], k: int, q: int, mover: int, castle: int, ep: int, clock: int, number: int
) -> None:
    men.insert(min(k, 62), "K")
    men.insert(q, "k")
    made = _core.chess_state("".join(men), mover, castle, ep, clock, number)
    if isinstance(made, bytes):
        assert GAME.handle.valid(made)
        if GAME.handle.to_move(made) >= 0:
            for code in GAME.handle.actions(made):
                assert GAME.handle.valid(GAME.handle.play(made, code))
    else:
        assert isinstance(made, str) and made


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_texts_that_are_nearly_positions(data: Any) -> None:
    text = list(data.draw(st.sampled_from([*PERFT, *REFUSED])))
    letters = st.one_of(st.sampled_from("KQkqPp18/ -wbe63"), st.characters())
    for _ in range(data.draw(st.integers(0, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(letters)
    word = "".join(text)
    try:
        s = GAME.parse_state(word)
    except BadPosition as e:
        assert e.hint and e.message
    else:
        assert GAME.handle.valid(s.data)
        assert GAME.parse_state(GAME.format_state(s)).data == s.data or "moves" in word
