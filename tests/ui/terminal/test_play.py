"""Playing in the terminal: what a person reads there."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

import pytest

import zermelo
from zermelo.ui.terminal import ending, move_list, play_game


def transcript(
    spec: str,
    *typed: str,
    side: int | str = 0,
    opponent: str = "random:1",
    time: float | None = 0.02,
) -> str:
    game, out = zermelo.load(spec), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
        play_game(game, game.initial(), opponent, side, time, None, seed=3)
    return out.getvalue()


def test_a_list_of_plays_shows_where_each_ends() -> None:
    shown = transcript("backgammon", "moves", "quit").split("your move: ")[1]
    game = zermelo.load("backgammon")
    s = game.initial()
    while game.player(s) == zermelo.CHANCE:
        s = game.result(s, "6-2")
    plays = [game.format_action(s, a) for a in game.actions(s)]
    assert sorted(" ".join(shown.split()).split(", ")) == sorted(plays)
    assert all(len(line) <= 79 for line in shown.splitlines())
    assert move_list(["e4", "d4"]) == "e4 d4"  # nothing to tell apart


def test_poker_tells_the_betting_in_words() -> None:
    said = transcript("holdem", "call", "check", "check", "check", "quit")
    assert "preflop: button calls, big blind " in said and "flop: big blind " in said
    assert "the big blind (random:1): " in said and "Community cards: " in said
    assert "?? ??" in said.partition("the big blind (random:1): ")[2]
    leduc = transcript("leduc", "call", "call", "quit")
    assert "first player checks, second player " in leduc
    assert "the second player (random:1): " in leduc
    assert "first player bids 1-1" in transcript("liars-dice", "1-1", "quit")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("AsKd QhJh", []),
        ("AsKd QhJh rrc", ["preflop: button raises, big blind raises, button calls"]),
        ("AsKd QhJh cc 2c3c4c crrf",
         ["preflop: button calls, big blind checks",
          "flop: big blind checks, button bets, big blind raises, button folds"]),
    ],
)  # fmt: skip
def test_rounds_of_betting(text: str, rows: list[str]) -> None:
    game = zermelo.load("holdem")
    assert game.betting(game.parse_state(text)) == rows  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("K Q", "no moves yet"),
        ("K Q pass bet pass", "first player checks, second player bets, first player folds"),
        ("K Q pass bet bet", "first player checks, second player bets, first player calls"),
        ("K Q bet pass", "first player bets, second player folds"),
        ("K Q pass pass", "first player checks, second player checks"),
    ],
)
def test_kuhn_names_moves_by_context(text: str, said: str) -> None:
    game = zermelo.load("kuhn")
    s = game.parse_state(text)
    assert game.board(s).splitlines()[-1] == said
    assert " ".join(labels(game.svg(s))).endswith(said)


def labels(picture: str | None) -> list[str]:
    return re.findall(r'<text class="text"[^>]*>([^<]*)</text>', picture or "")


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("holdem", "AsKd QhJh f"),
        ("holdem", "AsKd QhJh cc 2c3c4c crrf"),
        ("kuhn", "K Q pass bet"),
        ("leduc", "K J call raise call K call raise fold"),
    ],
)
def test_the_picture_says_what_the_terminal_says(spec: str, text: str) -> None:
    game = zermelo.load(spec)
    s = game.parse_state(text)
    rows = labels(game.svg(s))
    assert all(len(row) < 46 for row in rows)  # fits the picture
    first = 3 if spec == "holdem" else -1  # the rows of the betting
    told = " ".join(game.board(s).splitlines()[first:])
    assert told and " ".join(rows).endswith(told)
    assert game.observation_svg(s, 0) != game.svg(s)  # type: ignore[attr-defined]


def test_monopoly_names_the_price() -> None:
    """The price in the question is what a yes costs, lot by lot."""
    from zermelo.games.monopoly import LOT_SQUARES, LOTS

    game: Any = zermelo.load("monopoly:players=3")
    for lot, square in zip(LOTS, LOT_SQUARES, strict=True):
        head = f"round 1 player 0 %s lot {lot}%s dice 7 | 900@{square} 800@0 700@0"
        for phase, asked, buyer in (("buy", "", 0), ("offer", " asked 1", 1)):
            s = game.parse_state(head % (phase, asked))
            paid = game.seen(s).cash[buyer] - game.seen(game.result(s, "yes")).cash[buyer]
            assert f"buy {lot} for ${paid}?" in game.board(s)
            assert paid > 0 and f"${paid}?" in game.svg(s)
    s = game.parse_state("round 1 player 0 trade lot RedC asked 1 traded | 900@0 800@0 700@0 | "
                         "RedA=0 RedB=0 RedC=1")  # fmt: skip
    assert "the first player offers the second player $480 for RedC" in game.board(s)
    assert game.seen(game.result(s, "yes")).cash[:2] == [900 - 480, 800 + 480]


def test_bridge_shows_hands_and_trick() -> None:
    said = transcript("bridge:cards=hidden", "moves", "quit")
    after = said.partition("left defender (random:1): ")[2]
    assert after[:2] in after.split("\n", 1)[1]  # the card lies on the table
    assert " south" in after and " S 92" in after and ">north" in after and "12 cards" in after
    assert "tricks: declarer 0, defenders 0" in after


def test_secret_moves_stay_secret() -> None:
    said = transcript("blind-tic-tac-toe", "quit", side=1)
    assert "X (random:1) has moved" in said


GOT = "(the first player {}, the second player {}, the third player {})"


@pytest.mark.parametrize(
    ("got", "side", "words"),
    [
        ([1.0, -0.5, -0.5], 0, f"you win: the first player wins {GOT.format(1, -0.5, -0.5)}"),
        ([1.0, -0.5, -0.5], 1, f"the first player wins {GOT.format(1, -0.5, -0.5)}"),
        ([0.5, 0.5, -1.0], 1, "you share first place: the first player and the second player tie "
                              f"for first place {GOT.format(0.5, 0.5, -1)}"),
        ([0.0, 0.0, 0.0], 2, "a draw between the first, second and third player"),
    ],
)  # fmt: skip
def test_the_end_of_a_game_of_three(got: list[float], side: int, words: str) -> None:
    assert ending(zermelo.load("nim:players=3"), got, side) == words


def test_players_are_called_by_their_names() -> None:
    said = transcript("tic-tac-toe", "hint", "quit", side=1, opponent="engine:depth=2", time=None)
    assert said.startswith("You are O. Type help for the commands.")
    assert "X (engine:depth=2): " in said and " for X, depth 2)" in said
    with pytest.raises(zermelo.UsageError, match=r"expected Red \(0\) or Yellow \(1\)"):
        transcript("connect-four", side=2)


@pytest.mark.parametrize(
    ("spec", "side", "name"),
    [("chess", "black", "Black"), ("chess", "0", "White"), ("connect-four", " Yellow ", "Yellow"),
     ("nim", "second player", "the second player")],
)  # fmt: skip
def test_sides_have_names(spec: str, side: str, name: str) -> None:
    assert transcript(spec, "quit", side=side).startswith(f"You are {name}.")
