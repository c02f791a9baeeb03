"""`zermelo gtp` as the specification of GTP 2 describes it: form of messages and core commands."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_client import Local, reply_of
from zermelo import __version__
from zermelo.ui.gtp.commands import COMMANDS
from zermelo.ui.gtp.input import Listed
from zermelo.ui.gtp.message import LONGEST_LINE
from zermelo.ui.gtp.options import PARAMETERS

REQUIRED = {  # of every game
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize",
    "clear_board", "play", "genmove", "undo", "showboard", "time_settings", "time_left",
    "final_score", "reg_genmove",
}  # fmt: skip


@pytest.fixture(name="hex5")
def small() -> Local:
    return Local()


# -- form ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("protocol_version", "= 2\n\n"),
        ("17 protocol_version", "=17 2\n\n"),
        ("2147483647 name", "=2147483647 Zermelo\n\n"),
        ("  8   version  ", f"=8 {__version__}\n\n"),
        ("name # who are you?", "= Zermelo\n\n"),
        ("na\x01me\r", "= Zermelo\n\n"),
        ("\tknown_command\tplay", "= true\n\n"),
        ("known_command nonsense", "= false\n\n"),
        ("known_command", "= false\n\n"),
        ("clear_board", "=\n\n"),
        ("3 clear_board", "=3\n\n"),
        ("nonsense", "? unknown command\n\n"),
        ("4 nonsense", "?4 unknown command\n\n"),
        ("4", "?4 there is no command\n\n"),
        ("NAME", "? unknown command\n\n"),
        ("", ""), ("   \t", ""), ("# comment", ""), ("\r", ""), ("\x00", ""),
    ],
)  # fmt: skip
def test_form_of_replies(hex5: Local, line: str, answer: str) -> None:
    assert hex5.raw(line) == answer


def test_every_command_is_listed_and_known(hex5: Local) -> None:
    commands = hex5.ask("list_commands").split("\n")
    assert set(commands) >= REQUIRED and set(commands) <= set(COMMANDS)
    for name in COMMANDS:
        known = hex5.ask(f"known_command {name}") == "true"
        assert known == (name in commands)
        if not known:
            assert hex5.fail(name) == "unknown command"


def test_quit_replies_and_ends(hex5: Local) -> None:
    hex5.engine.lines = Listed(["name", "9 quit", "name"])
    hex5.engine.run()
    assert hex5.out.getvalue() == b"= Zermelo\n\n=9\n\n"


@pytest.mark.parametrize(
    "line",
    [
        "play", "play b", "play b a1 a2", "play red_ a1", "boardsize", "boardsize x",
        "boardsize 3.5", "genmove", "genmove x", "undo 3", "time_settings 1 2", "time_left b 1",
        "time_settings a b c", "time_settings -1 0 0", "time_left b x 0", "time_left b 3 -1",
        "kgs-time_settings byoyomi 3", "kgs-time_settings", "kgs-time_settings slow",
        "kgs-time_settings absolute nan", "lz-analyze b x", "lz-analyze interval",
        "lz-analyze b 10 avoid b a1", "gogui-play_sequence b", "zermelo-param time",
    ],
)  # fmt: skip
def test_wrong_arguments_are_syntax_errors(hex5: Local, line: str) -> None:
    assert hex5.fail(line).startswith("syntax error")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("boardsize x", "invalid size 'x', expected a whole number"),
        ("lz-analyze x", "unknown key 'x', expected interval, minmoves, maxmoves, avoid, allow"),
        ("lz-analyze b -1", "invalid interval '-1', expected a number of at least 0"),
        ("kata-analyze b nan", "invalid interval 'nan', expected a number of at least 0"),
        ("kata-genmove_analyze b avoid", "'avoid' has no value"),
    ],
)
def test_syntax_errors_name_what_is_wrong(hex5: Local, line: str, reason: str) -> None:
    said = hex5.fail(line)
    assert said.startswith(f"syntax error: {reason}") and "-1000000000" not in said


def test_hostile_lines_are_answered(hex5: Local) -> None:
    assert "too long" in hex5.fail("x" * 1_000_000)
    assert "too long" in hex5.fail("play b " + "a" * LONGEST_LINE)
    assert hex5.raw("7 name" + " " * 1_000_000).startswith("?7 the line is too long")
    assert hex5.fail("1" * 5000) == "unknown command"
    assert len(hex5.fail("play b " + "z" * 10_000)) < 1000
    assert hex5.fail("pl\x7fay\u2603 b") == "unknown command"
    assert hex5.fail("play b \ud800\udcff").startswith("illegal move")


# -- positions -----------------------------------------------------------------------------------
def test_moves_and_undo(hex5: Local) -> None:
    hex5.sequence("b a1 WHITE B2 Black c3")
    assert hex5.ask("showboard").count("R") == 2
    hex5.ask("undo")
    assert hex5.ask("gogui-rules_side_to_move") == "black"
    hex5.ask("undo")
    hex5.ask("undo")
    assert hex5.fail("undo").startswith("cannot undo")
    assert "R" not in hex5.ask("showboard")


@pytest.mark.parametrize(
    ("game", "moves", "rows"),
    [
        ("hex:size=3,swap=no", "b a1 w c2", "... ..O X.."),
        ("othello:size=4", "b a2", ".... .XO. XXX. ...."),
        ("go:size=3", "b a1 w c2", "... ..O X.."),
    ],
)
def test_the_board_as_gogui_reads_it(game: str, moves: str, rows: str) -> None:
    local = Local(game)
    local.sequence(moves)
    assert local.ask("gogui-rules_board").split() == rows.split()


def test_illegal_moves_change_nothing(hex5: Local) -> None:
    hex5.ask("play b a1")
    before = hex5.ask("showboard")
    for move in ("w a1", "w f6", "w a0", "b a2", "w pass", "w resign", "w i1", "w 11", "w é"):
        assert hex5.fail(f"play {move}").startswith("illegal move"), move
    assert hex5.ask("showboard") == before
    assert "Blue's turn" in hex5.fail("play b a2")


def test_boardsize(hex5: Local) -> None:
    hex5.ask("play b a1")
    hex5.ask("boardsize 7")
    assert hex5.ask("gogui-rules_board_size") == "7" and "R" not in hex5.ask("showboard")
    hex5.ask("boardsize 6 6")
    for size in ("1", "20", "0", "-3", "999999", "6 7"):
        assert hex5.fail(f"boardsize {size}").startswith("unacceptable size")
    assert hex5.ask("gogui-rules_board_size") == "6"


def test_the_end_of_a_game_and_its_score(hex5: Local) -> None:
    assert hex5.fail("final_score").startswith("cannot score")
    hex5.sequence("b a1 w b1 b a2 w b2 b a3 w b3 b a4 w b4 b a5")
    assert hex5.ask("final_score") == "B+"
    assert hex5.fail("genmove w").startswith("illegal move: the game is over")
    assert hex5.fail("lz-analyze").startswith("illegal move: the game is over")
    assert hex5.ask("gogui-rules_legal_moves") == ""
    assert hex5.ask("gogui-rules_final_result") == "B+"
    hex5.ask("undo")
    assert "A5" in hex5.ask("gogui-rules_legal_moves").split()


def test_othello_scores_discs_and_fills_in_forced_passes() -> None:
    othello = Local("othello:size=4", playouts=10)
    rng = random.Random(3)
    for _ in range(20):
        othello.ask("clear_board")
        while legal := othello.ask("gogui-rules_legal_moves").split():
            side = othello.ask("gogui-rules_side_to_move")
            if legal == ["pass"] and rng.random() < 0.5:  # leave it out: the other side moves on
                side = {"black": "white", "white": "black"}[side]
                othello.ask(f"genmove {side}")
            else:
                othello.ask(f"play {side} {rng.choice(legal)}")
        board = othello.ask("showboard")
        black, white = (int(board.split(f"{sign} ")[-1].split()[0]) for sign in "XO")
        score = othello.ask("final_score")
        empty = 16 - black - white  # goes to the winner
        if black == white:
            assert score == "0"
        else:
            assert score == ("B+" if black > white else "W+") + str(abs(black - white) + empty)


def test_a_sequence_is_played_whole_or_not_at_all(hex5: Local) -> None:
    hex5.ask("gogui-play_sequence b a1 w b2")
    before = hex5.ask("showboard")
    assert hex5.fail("gogui-play_sequence b c3 w c3").startswith("illegal move")
    assert hex5.ask("showboard") == before


def test_swap_in_hex() -> None:
    game = Local("hex:size=5")
    game.sequence("b a2 w swap-pieces")
    assert "swap" not in game.ask("gogui-rules_legal_moves").split()


# -- moves ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "game", ["hex:size=4,swap=no", "othello:size=4", "tic-tac-toe", "connect-four"]
)
@pytest.mark.parametrize("algorithm", ["auto", "mcts"])
def test_a_whole_game_against_itself(game: str, algorithm: str) -> None:
    local = Local(game, playouts=30, algorithm=algorithm)
    moves = 0
    while legal := local.ask("gogui-rules_legal_moves").split():
        move = local.ask(f"genmove {local.ask('gogui-rules_side_to_move')}")
        assert move in legal
        moves += 1
    assert moves >= 5
    result = local.ask("final_score")
    assert result == "0" or result[:2] in ("B+", "W+")


def test_white_is_white_in_games_where_white_moves_first() -> None:
    chess = Local("chess")
    assert chess.fail("play black e4") == "illegal move: it is White's turn"
    chess.sequence("white e2e4 black e7e5 w g1f3")
    assert chess.ask("gogui-rules_side_to_move") == "black"
    chess.ask("genmove b")
    assert chess.ask("gogui-rules_side_to_move") == "white"
    chess.ask("clear_board")
    chess.sequence("w f2f3 b e7e5 w g2g4 b d8h4")  # Black mates
    assert chess.ask("final_score") == chess.ask("gogui-rules_final_result") == "B+"


def test_reg_genmove_does_not_play(hex5: Local) -> None:
    before = hex5.ask("showboard")
    first = hex5.ask("reg_genmove b")
    assert hex5.ask("showboard") == before
    hex5.ask("clear_cache")
    assert hex5.ask("reg_genmove b") == first  # the same seed


def test_searches_differ_unless_there_is_a_seed() -> None:
    def visits(**settings: object) -> list[list[int]]:
        local = Local("hex:size=5,swap=no", playouts=300, algorithm="mcts", **settings)
        found = []
        for _ in range(3):
            local.ask("clear_cache")
            local.ask("reg_genmove b")
            last = local.engine.searcher.last
            found.append([m.visits for m in last.moves])
        return found

    first, *others = visits(seed=1)
    assert others == [first, first]
    first, *others = visits(seed=-1)
    assert first not in others


def test_resignation() -> None:
    """White has lost: Black has a row with two ways to connect each gap."""
    lost = Local("hex:size=4,swap=no", playouts=2000, resign=0.05)
    lost.sequence("b b3 w a1 b c2")
    answers = []
    while (answer := lost.ask("genmove w")) != "resign" and len(answers) < 3:
        answers.append(answer)
        lost.ask("undo")
    assert len(answers) == 2 and answer == "resign"
    assert "resign" not in [lost.ask("reg_genmove w") for _ in range(4)]
    lost.ask("zermelo-param resign 0")
    assert lost.ask("genmove w") != "resign"


def test_parameters(hex5: Local) -> None:
    lines = hex5.ask("zermelo-param").split("\n")
    assert "[string] playouts 50" in lines and "[bool] ponder 0" in lines
    hex5.ask("zermelo-param playouts 80")
    hex5.ask("zermelo-param ponder 1")
    hex5.ask("zermelo-param algorithm mcts:exploration=2")
    hex5.ask("genmove b")
    assert hex5.engine.searcher.last is not None
    assert hex5.engine.searcher.last.nodes == 80
    assert hex5.engine.searcher.last.options["exploration"] == 2
    assert "[bool] ponder 1" in hex5.ask("zermelo-param").split("\n")
    for wrong in ("playouts -1", "playouts x", "threads 0", "threadss 1", "algorithm nonsense",
                  "algorithm mcts:nonsense=1", "algorithm mcts:exploration=x", "resign 2",
                  "time 0", "time nan", "algorithm mcts:time=3"):  # fmt: skip
        hex5.fail(f"zermelo-param {wrong}")
    assert "did you mean 'threads'" in hex5.fail("zermelo-param threadss 1")


def test_explanations(hex5: Local) -> None:
    assert hex5.fail("zermelo-win_rate").startswith("no move was searched")
    move = hex5.ask("genmove b").lower()
    assert move in hex5.ask("gomill-explain_last_move")
    assert hex5.ask("zermelo-win_rate").startswith("Red 0.")
    assert "hex" in hex5.ask("gomill-describe_engine")
    assert float(hex5.ask("gomill-cpu_time")) > 0


def test_the_documentation_lists_every_parameter() -> None:
    page = (Path(__file__).parents[3] / "docs" / "gtp.md").read_text(encoding="utf-8")
    for option in PARAMETERS:
        assert f"| {option.name} | {option.format(option.default)} | {option.doc[:20]}" in page


# -- the command line ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "backgammon"], "chance"),
        (["--game", "kriegspiel"], "hidden"),
        (["--game", "monopoly"], "player"),
        (["--game", "nonsense"], "unknown game"),
        (["--game", "hex:size=99"], "size"),
        (["--game", "hex", "--threads", "0"], "threads"),
        (["--game", "hex", "--time", "soon"], "time"),
        (["--game", "hex", "--playouts", "-3"], "playouts"),
        (["--game", "hex", "--resign", "7"], "resign"),
        (["--game", "hex", "--algorithm", "expectimaxx"], "algorithm"),
        (["--nonsense"], "nonsense"),
    ],
)  # fmt: skip
def test_wrong_command_lines_exit_with_2(arguments: list[str], message: str) -> None:
    run = [sys.executable, "-m", "zermelo", "gtp", *arguments]
    done = subprocess.run(run, capture_output=True, text=True, input="quit\n")
    assert done.returncode == 2 and done.stdout == ""
    assert message in done.stderr and "Traceback" not in done.stderr


# -- random commands -----------------------------------------------------------------------------
WORDS = (
    "b", "w", "black", "white", "a1", "B2", "c3", "pass", "resign", "z99", "0", "1", "2", "9", "-1",
    "1e9", "nan", "interval", "10", "avoid", "a1,b2", "alive", "dead", "x", "\x00", "é", "#", "5",
    "time", "threads", "mcts", "none", "absolute", "canadian", "byoyomi", "30", "true", "ownership",
)  # fmt: skip
SETTLED = ("time", "memory", "threads", "algorithm")


def random_line(rng: random.Random) -> str:
    words = [rng.choice((*COMMANDS, "nonsense", "play", "play", "genmove", "undo", "boardsize"))]
    words += [rng.choice(WORDS) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4)))]
    if rng.random() < 0.3:
        words.insert(0, str(rng.randrange(1000)))
    return rng.choice((" ", "  ", "\t")).join(words)


@pytest.mark.parametrize("game", ["hex:size=4", "othello:size=4"])
def test_a_thousand_random_sequences(game: str) -> None:
    """Every command gets exactly one reply with its id, whatever came before."""
    rng = random.Random(11)
    local = Local(game, playouts=5)
    for _ in range(500):
        for _ in range(rng.randrange(3, 9)):
            line = random_line(rng)
            if "zermelo-param" in line or not local.engine.running:
                local = Local(game, playouts=5)
            raw = local.raw(line)
            words = line.partition("#")[0].replace("\x00", "").split()
            if not words:
                assert raw == ""
                continue
            _, number, text = reply_of(raw)
            assert number == (words[0] if words[0].isascii() and words[0].isdigit() else "")
            assert "failed:" not in text
