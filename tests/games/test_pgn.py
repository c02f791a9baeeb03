"""PGN: python-chess's reader as judge, the way there and back, files that nobody should trust."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.games.chess.pgn import Pgn, PgnError, Ply, format_pgn, read, reads

chess = pytest.importorskip("chess", reason="python-chess is not there to ask")
pytest.importorskip("chess.pgn")

WORDS = ["good", "$5", "(not a variation)", "[%clk 0:01:02]", "1-0", "ünïcode", ";", "%x", '"', "*"]
TIDY = '[Event "E"]\n[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 {why} Nc6 1/2-1/2\n'


def random_game(rng: random.Random, is_960: bool = False) -> Any:
    """A game of python-chess with comments, marks and variations."""
    game = chess.pgn.Game()
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if is_960 else chess.Board()
    game.setup(board)
    game.headers["White"] = rng.choice(["Ann", 'O"Neil', "back\\slash", "Müller", ""])
    game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    if rng.random() < 0.3:
        game.comment = said(rng)
    extend(rng, game, rng.randrange(60), 0)
    return game


def said(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(1, 30)))


def extend(rng: random.Random, node: Any, plies: int, depth: int) -> None:
    for _ in range(plies):
        moves = list(node.board().legal_moves)
        if not moves:
            return
        rng.shuffle(moves)
        parent = node
        node = parent.add_variation(moves[0])
        if rng.random() < 0.1:
            node.comment = said(rng)
        if rng.random() < 0.1:
            node.nags.add(rng.randint(1, 140))
        for other in moves[1:3]:
            if depth < 4 and rng.random() < 0.06:
                side = parent.add_variation(other)
                if rng.random() < 0.4:
                    side.starting_comment = said(rng)
                extend(rng, side, rng.randrange(8), depth + 1)


def same_comment(ours: list[str], theirs: Any) -> bool:
    text = theirs if isinstance(theirs, str) else " ".join(theirs)
    return " ".join(ours) == " ".join(text.split())


def check_line(moves: list[Ply], node: Any) -> None:
    """Our line of moves is their first child after `node`, and so on."""
    for ply in moves:
        children = node.variations
        is_960 = node.board().chess960
        assert ply.action == node.board().uci(children[0].move, chess960=is_960)
        assert same_comment(ply.comments, children[0].comment)
        assert set(ply.nags) == children[0].nags
        assert len(ply.variations) == len(children) - 1
        for ours, theirs in zip(ply.variations, children[1:], strict=True):
            check_side(ours, node, theirs)
        node = children[0]
    assert not node.variations


def check_side(moves: list[Ply], parent: Any, first: Any) -> None:
    ply = moves[0]
    assert ply.action == parent.board().uci(first.move, chess960=parent.board().chess960)
    assert same_comment(ply.comments, first.comment) and set(ply.nags) == first.nags
    assert same_comment(ply.before, first.starting_comment)
    check_line(moves[1:], first)


@pytest.mark.parametrize("is_960", [False, True])
def test_the_tree_is_python_chess_s(is_960: bool) -> None:
    rng = random.Random(3)
    games = [random_game(rng, is_960) for _ in range(40)]
    text = "\n\n".join(str(g) for g in games)
    ours = list(reads(text))
    assert len(ours) == len(games)
    for mine, theirs in zip(ours, games, strict=True):
        assert mine.tags == dict(theirs.headers) and mine.result == theirs.headers["Result"]
        assert same_comment(mine.comments, theirs.comment)
        check_line(mine.moves, theirs)
        written = format_pgn(mine)
        assert next(reads(written)) == mine
        assert max(map(len, written.splitlines())) <= 99
        again = chess.pgn.read_game(io.StringIO(written))
        assert not again.errors
        check_line(mine.moves, again)
        assert mine.game.format_state(mine.final).split()[0] == again.end().board().board_fen()


def test_what_people_write() -> None:
    text = """\ufeff[Event "The "Big" Open"]
% an escape
[Site "C:\\dir"]
[Result "1-0"] [Date "????.??.??"]

1.e4! e5?! 2. Nf3 Nc6 3.Bb5 a6 {one}{two} 4 Ba4 Nf6 5.0-0 ; castled }
Be7 $10 $146 {
  spread over
  lines } (5... Nxe4 (5...b5 6. Bb3 {deep}) 6. d4 1-0) {after} 6. Re1
1-0

1. d4 d5 *"""
    first, second = reads(text.replace("\n", "\r\n"))
    assert first.tags == {"Event": 'The "Big" Open', "Site": "C:\\dir", "Result": "1-0",
                          "Date": "????.??.??"}  # fmt: skip
    moves = first.moves
    assert [p.action for p in moves[:4]] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert (moves[0].nags, moves[1].nags, moves[9].nags) == ([1], [6], [10, 146])
    assert moves[5].comments == ["one", "two"] and moves[8].action == "e1g1"
    assert moves[8].comments == ["castled }"]
    assert moves[9].comments == ["spread over lines", "after"]
    (side,) = moves[9].variations
    assert [p.action for p in side] == ["f6e4", "d2d4"]
    assert side[0].variations[0][1].comments == ["deep"]
    assert next(reads(format_pgn(first))) == first and next(reads(format_pgn(first, 20))) == first
    assert len(second.moves) == 2 and second.line == 12


def test_positions_and_variants() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    (one,) = reads(f'[SetUp "1"]\n[FEN "{fen}"]\n\n1. e4 Kd7 *')
    assert one.game.format_state(one.start) == fen
    (two,) = reads('[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w H - 0 1"]\n\n1. O-O *')
    assert two.moves[0].action == "e1h1" and "O-O" in format_pgn(two)
    for tags, said in (('[Variant "Atomic"]', "Atomic"), ('[FEN "nonsense"]', "FEN")):
        with pytest.raises(PgnError, match=said):
            list(reads(f"{tags}\n\n1. e4 *"))


def test_draws_that_nobody_claimed() -> None:
    shuffle = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 45)
    (game,) = reads(f"1. {shuffle} *")
    assert len(game.moves) == 180 and next(reads(format_pgn(game))) == game
    (bare,) = reads('[FEN "8/8/4k3/4p3/4K3/8/8/8 w - - 0 1"]\n\n1. Kd3 Kd5 2. Kc3 e4 3. Kd2 e3+ '
                    "4. Kxe3 Ke5 5. Kf3 Kf5 *")  # fmt: skip
    assert len(bare.moves) == 10 and next(reads(format_pgn(bare))) == bare
    with pytest.raises(PgnError, match="after the end"):
        list(reads("1. f3 e5 2. g4 Qh4# 3. a3 *"))


FAULTS = {
    "1. e4 e5 2. Ke3 *": (1, "'Ke3' is not legal"),
    "1. e4 {never closed": (1, "ends inside a comment"),
    "1. e4 e5\n(1... c5 2. Nf3": (2, "ends inside a variation"),
    "\n\n1. e4 e5 2. Nf3": (3, "without a result"),
    "1. e4 ) *": (1, "unmatched"),
    "(1. e4) *": (1, "before the first move"),
    "1. e4 () *": (1, "has no move"),
    '[White "A]\n1. e4 *': (1, "unexpected"),
    '[FEN "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"]\n1. Rd1 *': (2, "ambiguous"),
    "1. e4 " + "(1. d4 " * 200_000: (1, "nested"),
    "1. " + "x" * 10_000_000: (1, "longer than 4 MB"),
    "1. " + "x" * 1_000_000 + " *": (1, "unexpected"),
    "{" + "a\n" * 1_000_000: (1, "not closed"),
    "1. e4 " + "(1. d4) " * 6_000 + "*": (1, "more than 5,000"),
    "\x00\x01\x02 PK\x03\x04": (1, "not legal|unexpected"),
}


@pytest.mark.parametrize("text", FAULTS, ids=lambda t: t[:18].strip())
def test_faults_are_told_with_their_line(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.games.chess.pgn.reading.MAX_MOVES", 5000)
    line, said = FAULTS[text]
    with pytest.raises(PgnError, match=said.replace("(", r"\(")) as caught:
        list(reads(text))
    assert caught.value.line == line and caught.value.game == 1 and len(str(caught.value)) < 400
    # The game after it is not lost.
    faults: list[PgnError] = []
    if "ends inside" not in said and "not closed" not in said:
        games = list(reads(text + "\n\n" + TIDY, strict=False, on_error=faults.append))
        assert games[-1] == next(reads(TIDY)) and len(faults) == ("without" not in said)


def test_rubbish_in_bytes() -> None:
    rng = random.Random(9)
    for _ in range(50):
        raw = rng.randbytes(3000)
        list(read(io.BytesIO(raw + b"\n\n" + TIDY.encode()), strict=False, on_error=lambda e: None))
    with pytest.raises(PgnError, match="UTF-16"):
        list(read(io.BytesIO(TIDY.encode("utf-16"))))
    (latin,) = read(io.BytesIO('[White "Müller"]\n\n1. e4 *'.encode("latin-1")))
    assert latin.tags["White"] == "Müller"


PIECES = st.sampled_from(
    ["1.", "e4", "e5", "Nf3", "(", ")", "{", "}", "$3", "1-0", "*", "\n", "[", "]", '"', "\n%", ";",
     '[White "x"]', "\n\n", "O-O", "!?", "[FEN ", "2...", "Ke2", "é", "\x00", "0-0-0", "a8=Q#"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=60).map(" ".join) | st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        games = list(reads(text))
    except PgnError as e:
        assert e.line >= 0
    else:
        for game in games:
            assert next(reads(format_pgn(game))) == game
    for game in reads(text, strict=False, on_error=lambda e: None):
        assert next(reads(format_pgn(game))) == game


def test_a_large_file_is_a_stream(tmp_path: Path) -> None:
    games = read(Repeated(TIDY.encode() + b"\n", 10**9))
    assert [len(next(games).moves) for _ in range(300)] == [4] * 300


class Repeated(io.RawIOBase):
    """The same text again and again."""

    def __init__(self, text: bytes, times: int) -> None:
        self.lines, self.left, self.at = text.splitlines(keepends=True), times, 0

    def readline(self, size: int | None = -1, /) -> bytes:
        self.at += 1
        return self.lines[(self.at - 1) % len(self.lines)]


def test_trees_that_cannot_be_written() -> None:
    for bad in (Pgn(moves=[Ply("e2e5")]), Pgn(result="2-0"), Pgn(tags={"no good": "x"})):
        with pytest.raises(zermelo.UsageError):
            format_pgn(bad)
    deep = Ply("e2e4")
    for _ in range(2000):
        deep = Ply("e2e4", variations=[[deep]])
    with pytest.raises(zermelo.UsageError, match="nested"):
        format_pgn(Pgn(moves=[deep]))


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(TIDY + "\n1. e4 e6 2. Ke3 *\n\n" + TIDY)

    def run(*words: str) -> Any:
        command = [sys.executable, "-m", "zermelo", "pgn", *words]
        return subprocess.run(command, capture_output=True, text=True)

    done = run(str(file))
    assert done.returncode == 1 and "game 2, line 7: 'Ke3' is not legal" in done.stderr
    assert done.stdout.splitlines()[0].startswith(
        "1. A - B  1/2-1/2  4 plies  r1bqkbnr/pppp1ppp/2n5"
    )
    told = json.loads(run(str(file), "--json").stdout)
    assert [g["line"] for g in told["games"]] == [1, 9] and len(told["faults"]) == 1
    assert run(str(tmp_path / "none.pgn")).returncode == 2
