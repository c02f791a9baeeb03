"""Parsing takes time linear in the text, whatever somebody writes: doubled, it takes about twice
as long. The studio parses what strangers send, and a parser that backtracks would stop it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

import zermelo
from zermelo.checks import LONGEST_POSITION
from zermelo.exercise import api
from zermelo.games import names
from zermelo.games.bridge.pbn import read_pbn
from zermelo.games.chess.epd import parse_epd
from zermelo.games.chess.pgn.reading import reads
from zermelo.games.go import sgf

SLACK = 0.02  # seconds: noise of a busy machine
TIMES = 3.0  # a quadratic parser needs 4 times as long for twice the text


def seconds(parse: Callable[[str], object], text: str) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.thread_time()
        with contextlib.suppress(zermelo.ZermeloError):
            parse(text)
        best = min(best, time.thread_time() - start)
        if best < SLACK:
            break
    return best


def check_linear(parse: Callable[[str], object], make: Callable[[int], str], size: int) -> None:
    for _ in range(3):  # a busy machine may disturb a measurement; a quadratic parser fails always
        once = seconds(parse, make(size))
        twice = seconds(parse, make(2 * size))
        if twice <= TIMES * once + SLACK:
            break
    assert twice <= TIMES * once + SLACK, f"{size}: {once:.3f} s, twice: {twice:.3f} s"


def repeated(before: str, part: str, after: str = "") -> Callable[[int], str]:
    return lambda n: before + part * (n // len(part)) + after


# -- trees -----------------------------------------------------------------------------------------
TREES = {
    "digits and a letter": repeated("max(", "1", "x)"),
    "digits and a point": repeated("max(", "1.", "x)"),
    "exponents": repeated("max(", "1e", ")"),
    "fractions": repeated("max(", "1/", "x)"),
    "blanks before a colon": repeated("max(1", " ", ":"),
    "blanks before a letter": repeated("max(1", " ", "x"),
    "blanks before a comma": repeated("max(", " ", ","),
    "many colons": repeated("max(", "1 : "),
    "a long word": repeated("max(", "a", " x)"),
    "a word and blanks": repeated("max(a", " ", "x)"),
    "names without values": repeated("max(", "a="),
    "a long label": repeated("max#", "a", " x"),
    "brackets": repeated("", "("),
    "brackets and numbers": repeated("", "(1 "),
    "open nodes": repeated("", "max("),
    "closed too often": repeated("max(1", ")"),
    "a long tuple": repeated("p1((", "1,", "))"),
    "signs": repeated("max(", "-"),
    "wide": repeated("max(", "1 ", ")"),
    "wide, with blanks": repeated("max(", "1" + " " * 40, "x)"),
    "wide, named": lambda n: "max(" + " ".join(f"a{i}=1" for i in range(n // 8)) + ")",
    "wide, with odds": lambda n: "chance(" + f"1/{n // 8}:1 " * (n // 8) + ")",
    "labels": repeated("max(", "min#a(1 2) ", ")"),
    "deep": lambda n: "max(" * (n // 5) + "1" + ")" * (n // 5),
}


@pytest.mark.parametrize("name", TREES)
def test_trees(name: str) -> None:
    check_linear(zermelo.tree, TREES[name], 100_000)


def test_one_long_number_does_not_stop_the_reader() -> None:
    """This one took 11 s at 400 digits, and 8 times as long at 800."""
    assert seconds(zermelo.tree, "max(" + "1" * 100_000 + "x)") < 1


EFG = 'EFG 2 R "x" { "a" "b" }\n'
LONG = "7" * 120


def wide_efg(n: int) -> str:
    return EFG + 'p "" 1 1 "" { ' + '"" ' * n + "} 0\n" + 't "" 1 "" { 1, 2 }\n' * n


def shared_sets_efg(n: int) -> str:
    """A chain of nodes of one wide information set, whose moves are written once."""
    return EFG + 'p "" 1 1 "" { ' + '"" ' * n + "} 0\n" + 'p "" 1 1 0\n' * n


def odds_efg(n: int) -> str:
    """Probabilities whose exact sum has a denominator as long as the whole text."""
    odds = " ".join(f'"" 1/{LONG}{2 * i + 1}' for i in range(n))
    return EFG + f'c "" 1 "" {{ {odds} }} 0\n' + 't "" 1 "" { 1, 2 }\n' * n


def paid_efg(n: int) -> str:
    """Payments on the way down, with other denominators at every step."""
    rows = (f'p "" 1 {i} "" {{ "a" }} {i} "" {{ 1/{LONG}{2 * i + 1}, 0 }}\n' for i in range(1, n))
    return EFG + "".join(rows) + 't "" 0\n'


EFGS = {
    "wide": (wide_efg, 4_000),
    "shared sets": (shared_sets_efg, 4_000),
    "odds": (odds_efg, 1_000),
    "payments": (paid_efg, 1_000),
    "an open quotation": (repeated(EFG + '"', "\\"), 100_000),
}


@pytest.mark.parametrize("name", EFGS)
def test_gambit_files(name: str) -> None:
    make, size = EFGS[name]
    check_linear(zermelo.tree, make, size)


# -- positions and moves ---------------------------------------------------------------------------
PARTS = ("1", "1 ", "1.", "11.11", "a", "a1", "x", "-", ".", "/", ":", ",", ";", "=", '"', "(", "[",
         "{", "| ", "1,", "K", "8/", "e4 ", "11-15 ", "pass", "f5d6", "4", "taken e5;", "SA ",
         '[Deal "N:', "\\", "'", "%", "*", "as", "|/")  # fmt: skip


def loaded(name: str) -> zermelo.Game:
    try:
        return zermelo.load(name)
    except zermelo.UsageError as e:
        pytest.skip(e.message)


@pytest.mark.parametrize("name", names())
def test_positions(name: str) -> None:
    game = loaded(name)
    start = game.format_state(game.initial())
    for part in PARTS:
        for before in ("", start, start + " "):
            make = repeated(before, part)
            check_linear(game.parse_state, lambda n, f=make: f(n)[:LONGEST_POSITION], 9_000)


@pytest.mark.parametrize("name", names())
def test_moves(name: str) -> None:
    game = loaded(name)
    s = game.initial()
    for part in PARTS:
        check_linear(lambda text: game.parse_action(s, text), repeated("", part), 9_000)


@pytest.mark.parametrize("name", ["chess", "nim", "tic-tac-toe"])
def test_positions_that_are_too_long(name: str) -> None:
    game = zermelo.load(name)
    for parse in (game.parse_state, lambda text: game.parse_action(game.initial(), text)):
        with pytest.raises(zermelo.BadPosition, match="too long"):
            parse("1" * (LONGEST_POSITION + 1))


# -- other texts -----------------------------------------------------------------------------------
FEN = "4k3/8/8/8/8/8/4P3/4K3 w - -"
DEAL = '[Deal "N:AK.QJ2.T98.76543 ….….….… ….….….… ….….….…"]\n[Play "N"]\n'
TEXTS: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "pbn comments": (read_pbn, repeated(DEAL, "{")),
    "pbn notes": (read_pbn, repeated(DEAL, "=1")),
    "pbn tags": (read_pbn, repeated("[Deal ", " ")),
    "pgn tags": (lambda t: list(reads(t)), repeated("[A ", '"')),
    "pgn brackets": (lambda t: list(reads(t)), repeated("[", "[")),
    "pgn comments": (lambda t: list(reads(t)), repeated("1. e4 ", "{a} ")),
    "epd operations": (parse_epd, repeated(FEN, " bm e4;")),
    "epd words": (parse_epd, repeated(FEN + " bm", " a", '"')),
    "epd blanks": (parse_epd, repeated(FEN + " bm", " ", '"')),
    "sgf values": (sgf.read, repeated("(;AB", "[aa]", ")")),
    "sgf properties": (sgf.read, repeated("(;", "AB[aa]", ")")),
    "sgf escapes": (sgf.read, repeated("(;C[", "\\\\")),
    "sgf brackets": (sgf.read, repeated("(;C[", "[")),
    "sgf parentheses": (sgf.read, repeated("", "( ")),
    "sgf blanks": (sgf.read, repeated("(;", " ", "x")),
    "sgf lines": (sgf.read, repeated("(;C", "\r", "x")),
    "sgf names": (sgf.read, repeated("(;", "A")),
    "sgf nodes": (sgf.read, repeated("(", ";\n")),
    "sgf variations": (sgf.read, repeated("(;", "(;B[dd]")),
    "sgf charsets": (lambda t: sgf.read(t.encode()), repeated("(;", "CA [ ")),
    "errors": (lambda t: zermelo.UsageError(t), repeated("", "'a ")),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    parse, make = TEXTS[name]
    check_linear(parse, make, 50_000)


@pytest.mark.parametrize("part", ["1", "1,", "a ", " ", ";", "(", ")", "-", "<=", "1/"])
def test_answers_of_exercises(part: str) -> None:
    exercise = api.new({"tree": "max(min(3 12 8) min(2 4 6))"})["exercise"]
    for name in ("values", "cuts", "order", "move"):

        def check(text: str, name: str = name) -> object:
            given = {"A": text} if name == "values" else text
            return api.check_answer({"exercise": exercise, "answer": {name: given}})

        check_linear(check, repeated("", part), 50_000)
