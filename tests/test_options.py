"""Options: one declaration parses, validates, describes and writes values."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo.errors import UsageError
from zermelo.games import GAMES, canonical, game_class, info, load, names_file
from zermelo.options import Flag, Option, constructor_options, read_options, spelled

SIZE = Option("size", 11, range(2, 20), "cells per side")
TAKE = Option("take", "any", range(1, 10), "most stones", also=("any",))
ODDS = Option("odds", 0.1, (0.0, 1.0), "probability")
PILES = Option("piles", (3, 4, 5), range(100), "stones in each pile")
SCORE = Option("score", "win", ("win", "points"), "utility")
SWAP = Flag("swap", True, "second player may swap")
FILE = Option("layout", "small", None, "maze", builtin=lambda: ["small", "large"])
ALL = (SIZE, TAKE, ODDS, PILES, SCORE, SWAP, FILE)


@pytest.mark.parametrize(("option", "text", "value"), [
    (SIZE, "9", 9), (TAKE, "any", "any"), (TAKE, "3", 3), (ODDS, "0.5", 0.5),
    (PILES, "1,2", (1, 2)),
    (PILES, "7", (7,)), (SCORE, "points", "points"), (SCORE, "WIN", "win"), (SWAP, "no", False),
    (SWAP, "yes", True), (FILE, "large", "large"), (FILE, "my.lay", "my.lay"),
])  # fmt: skip
def test_values_are_parsed_and_written_back(option: Option, text: str, value: Any) -> None:
    assert option.parse(text) == value
    assert option.parse(option.format(value)) == value


@pytest.mark.parametrize(("option", "text", "expected"), [
    (SIZE, "x", "a whole number from 2 to 19"), (SIZE, "20", "a whole number from 2 to 19"),
    (TAKE, "0", "any or a whole number from 1 to 9"), (ODDS, "1.5", "a number from 0 to 1"),
    (ODDS, "nan", "a number from 0 to 1"), (SCORE, "wins", "win or points"),
    (PILES, "", "whole numbers from 0 to 99, separated by commas"),
    (PILES, "1,x", "whole numbers from 0 to 99, separated by commas"), (SWAP, "1", "yes or no"),
])  # fmt: skip
def test_errors_say_what_is_accepted(option: Option, text: str, expected: str) -> None:
    with pytest.raises(UsageError) as raised:
        option.parse(text)
    assert raised.value.message == f"invalid {option.name}={text!r}: expected {expected}"


def test_options_are_read_together() -> None:
    found = read_options("game", "piles=1,2,3,score=points,swap=no", ALL)
    assert found["piles"] == (1, 2, 3) and found["score"] == "points" and found["swap"] is False
    assert found["size"] == 11 and found["take"] == "any"
    assert read_options("game", spelled(ALL, found), ALL) == found
    for text, message in (
        ("sise=3", "game has no option 'sise'"), ("size", "game: size has no value"),
        ("size=3,size=4", "option 'size' is given twice"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            read_options("game", text, ALL)


def test_forms_have_what_an_input_needs() -> None:
    assert SIZE.to_dict() == {
        "name": "size", "kind": "whole", "doc": "cells per side", "default": "11", "min": 2,
        "max": 19,
    }  # fmt: skip
    assert SWAP.to_dict()["choices"] == ["yes", "no"] and SWAP.to_dict()["kind"] == "flag"


def test_constructor_parameters_are_options() -> None:
    class Mine:
        def __init__(self, n: int, odds: float = 0.5, name: str = "a", *, fast: bool = False):
            pass

    n, odds, name, fast = constructor_options(Mine)
    assert (n.kind, n.required, odds.kind, name.kind, fast.kind) == (
        "whole", True, "number", "text", "flag",
    )  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_every_game_declares_itself(name: str) -> None:
    cls, found = game_class(name), info(name)
    assert cls.name == name and found.summary
    for option in cls.options:
        assert option.doc and option.parse(option.format(option.default)) == option.default
    full = canonical(name)
    assert canonical(full) == full


def test_names_file() -> None:
    assert names_file("pacman:layout=/etc/passwd") and names_file("x.efg")
    assert not names_file("pacman:layout=small") and not names_file("nim:piles=3")


FILE_GAME = """
import zermelo

class Count(zermelo.Game):
    '''Say 1 or 2 more; who reaches n wins.'''
    def __init__(self, n: int = 5, misere: bool = False):
        self.n, self.misere = n, misere
    def initial(self): return (0, 0)
    def player(self, s): return s[1]
    def actions(self, s): return [] if s[0] >= self.n else [1, 2]
    def result(self, s, a): return (s[0] + a, 1 - s[1])
    def is_terminal(self, s): return s[0] >= self.n
    def utility(self, s, p): return 1 if (p != s[1]) != self.misere else -1

class Sized(Count):
    def __init__(self, n: int):
        super().__init__(n)
"""


def test_a_class_in_a_file_takes_options(tmp_path: Any) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FILE_GAME)
    assert load(f"{file}:Count").n == 5
    game: Any = load(f"{file}:Count:n=7,misere=yes")
    assert (game.n, game.misere) == (7, True)
    assert load(f"{file}:Sized:n=3").n == 3
    for spec, message in (
        ("Count:m=3", "Count has no option 'm'"), ("Count:n=x", "invalid n='x': expected a whole"),
        ("Sized", "Sized.* cannot be created"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=message):
            load(f"{file}:{spec}")
