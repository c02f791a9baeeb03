"""`zermelo gtp` plays Go: set-up, handicap, either colour, passing, dead stones, score, records."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from gtp_client import Local, reply_of
from zermelo.games import load
from zermelo.games.go import Go
from zermelo.games.go.notation import vertex
from zermelo.ui.gtp.commands import COMMANDS
from zermelo.ui.gtp.stones import lead

# Black owns the left, 36 points, and White the right. White's stone at B5 is dead.
FINISHED = """
. X . X O . O . .
X . X X O O . O .
X X . X O . O . .
. . X X O . . O .
. O . X O . O . .
X X X X O . . O .
. X . X O . O . .
X . X X O O . O .
. X . X O . O . .
"""


@pytest.fixture(name="go")
def nine() -> Local:
    return Local("go:size=9", playouts=200)


def set_up(go: Local, picture: str, player: str = "black") -> None:
    """Put the stones of a picture on the board."""
    rows = picture.split("\n")[1:-1]
    size = len(rows)
    go.ask(f"boardsize {size}")
    words = []
    for r, row in enumerate(rows):
        for c, sign in enumerate(row.split()):
            if sign != ".":
                words += ["b" if sign == "X" else "w", vertex(r * size + c, size)]
    go.ask(f"gogui-setup {' '.join(words)}")
    go.ask(f"gogui-setup_player {player}")


def stones(go: Local) -> int:
    game = go.engine.board.game
    assert isinstance(game, Go)
    return sum(c != "." for row in game.rows(go.engine.board.state) for c in row)


# -- set-up --------------------------------------------------------------------------------------
def test_every_command_is_known_in_go(go: Local) -> None:
    assert set(go.ask("list_commands").split("\n")) == set(COMMANDS)


def test_board_sizes(go: Local) -> None:
    for size in (2, 5, 9, 13, 19, 25):
        go.ask(f"boardsize {size}")
        assert len(go.ask("gogui-rules_legal_moves").split()) == size * size + 1
    assert go.fail("boardsize 26").startswith("unacceptable size")


def test_komi(go: Local) -> None:
    go.sequence("b e5 w c3")
    for komi, score in (("0", 0.0), ("6.5", 6.5), ("-5", -5.0), ("1000", 1000.0), ("0.25", 0.25)):
        go.ask(f"komi {komi}")
        assert go.engine.board.game.komi == score  # type: ignore[attr-defined]
        assert stones(go) == 2
    for word in ("1001", "-1001", "1e7", "auto", "x", "nan"):
        assert go.fail(f"komi {word}") == (
            f"syntax error: invalid komi {word!r}, expected a number from -1000 to 1000"
        )
    go.ask("boardsize 13")
    assert go.engine.board.game.komi == 0.25  # type: ignore[attr-defined]


def test_either_colour_may_move_at_any_time(go: Local) -> None:
    go.sequence("b e5 b e6 b pass b e7 w pass b pass w c3 w c4 b pass w pass w c5")
    assert stones(go) == 6
    assert go.ask("genmove w") != "resign"
    assert go.ask("genmove w") != "resign"
    for _ in range(13):
        go.ask("undo")
    assert stones(go) == 0 and go.fail("undo").startswith("cannot undo")


def test_why_a_move_is_illegal(go: Local) -> None:
    assert "occupied" in (go.ask("play b a1") or go.fail("play w A1"))
    go.sequence("b b2 b a3")
    assert "suicide" in go.fail("play w a2")
    assert "no point 'i5'" in go.fail("play w i5")
    assert go.fail("play w z99").startswith("illegal move")
    go.ask("clear_board")
    go.sequence("b b1 w c1 b a2 w d2 b b3 w c3 b c2 w b2")  # White takes the ko at B2
    assert "ko" in go.fail("play b c2")
    go.sequence("b h8 w h9 b c2")


def test_superko_survives_passes_and_a_colour_that_moves_twice(go: Local) -> None:
    go.sequence("b b1 w c1 b a2 w d2 b b3 w c3 b c2 w b2")
    go.sequence("w j9 b c2 w pass b pass")  # the board is new, so that Black may take the ko back
    assert "superko" in go.fail("play w b2")
    go.sequence("w pass w j8 b j7 w b2")


# -- handicap ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("size", "most"), [(5, 0), (6, 0), (7, 4), (8, 4), (9, 9), (12, 4), (13, 9), (19, 9)]
)
def test_fixed_handicap(go: Local, size: int, most: int) -> None:
    for number in range(-1, 12):
        go.ask(f"boardsize {size}")
        if not 2 <= number <= most:
            assert go.fail(f"fixed_handicap {number}").startswith("invalid number of stones")
            continue
        points = go.ask(f"fixed_handicap {number}").split()
        assert len(set(points)) == number == stones(go)
        assert go.ask("gogui-rules_side_to_move") == "white"
        assert go.fail("fixed_handicap 2") == "board not empty"


def test_fixed_handicap_points_of_the_specification(go: Local) -> None:
    table = {
        2: "D4 Q16", 3: "D4 Q16 D16", 4: "D4 Q16 D16 Q4", 5: "D4 Q16 D16 Q4 K10",
        6: "D4 Q16 D16 Q4 D10 Q10", 7: "D4 Q16 D16 Q4 D10 Q10 K10",
        8: "D4 Q16 D16 Q4 D10 Q10 K4 K16", 9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
    }  # fmt: skip
    for number, points in table.items():
        go.ask("boardsize 19")
        assert set(go.ask(f"fixed_handicap {number}").split()) == set(points.split())


@pytest.mark.parametrize(("size", "number"), [(9, 2), (9, 12), (9, 80), (5, 6), (3, 2), (19, 25)])
def test_free_handicap(go: Local, size: int, number: int) -> None:
    go.ask(f"boardsize {size}")
    points = go.ask(f"place_free_handicap {number}").split()
    assert len(set(points)) == number == stones(go)
    go.ask("clear_board")
    go.ask(f"set_free_handicap {' '.join(points).lower()}")
    assert stones(go) == number and go.ask("gogui-rules_side_to_move") == "white"


def test_wrong_free_handicap(go: Local) -> None:
    for points in ("a1", "a1 a1", "a1 pass", "a1 z9", "a1 i9"):
        said = go.fail(f"set_free_handicap {points}")
        assert said.startswith("bad vertex list") and "illegal move" not in said
    for number in ("1", "81", "-2", "1000000"):
        assert go.fail(f"place_free_handicap {number}").startswith("invalid number")
    assert go.fail("place_free_handicap x").startswith("syntax error")
    go.ask("play b e5")
    assert go.fail("set_free_handicap a1 b2") == "board not empty"


# -- the end -------------------------------------------------------------------------------------
def test_dead_stones_and_score(go: Local) -> None:
    set_up(go, FINISHED)
    assert go.ask("final_status_list dead") == "B5"
    alive = go.ask("final_status_list alive").split()
    assert len(alive) == stones(go) - 1
    assert go.ask("final_status_list seki") == ""
    assert go.fail("final_status_list undecided").startswith("syntax error")
    go.ask("komi 0")
    assert go.ask("final_score") == "W+9"  # 36 and 45 points
    go.ask("komi -9.5")
    assert go.ask("final_score") == "B+0.5"
    go.ask("komi -9")
    assert go.ask("final_score") == "0"


def test_by_tromp_taylor_no_stone_is_dead() -> None:
    go = Local("go:size=9,rules=tromp-taylor,komi=0")
    set_up(go, FINISHED)
    score = go.ask("final_score")
    assert score.startswith("W+") and float(score[2:]) > 9


def test_the_winner_passes_after_a_pass(go: Local) -> None:
    set_up(go, FINISHED)
    go.ask("komi 7")
    go.ask("play b pass")
    assert go.ask("genmove w") == "pass"


def test_a_settled_board_is_passed(go: Local) -> None:
    clean = FINISHED.replace(". O . X", ". . . X")
    for colour, komi in itertools.product(("black", "white"), ("-20", "20")):
        set_up(go, clean, colour)
        go.ask(f"komi {komi}")
        assert go.ask(f"genmove {colour}") == "pass", (colour, komi)


def test_a_board_that_only_looks_settled_is_not_passed(
    go: Local, monkeypatch: pytest.MonkeyPatch
) -> None:
    """White to move takes the middle and wins, though playouts give every point an owner."""
    monkeypatch.setattr("zermelo.ui.gtp.searching.settled", lambda *_: True)
    moves = """e5 d5 d4 f5 e6 c5 f4 g5 g4 c8 c4 g7 f7 h6 g8 h8 b5 e8 h4 f8 b3 d7 d6 c6 b6 c7 h2 b7
    a7 a8 a6 h5 j5 f6 c2 j6 j4 e7"""
    go.ask("komi 7")
    for ply, move in enumerate(moves.split()):
        go.ask(f"play {'bw'[ply % 2]} {move}")
    go.ask("zermelo-param playouts 8000")
    assert go.ask("reg_genmove b") != "pass"


def test_cleanup_captures_dead_stones_before_it_passes(go: Local) -> None:
    set_up(go, FINISHED)
    go.ask("komi -30")
    go.ask("play w pass")
    assert go.ask("reg_genmove b") == "pass"
    for _ in range(4):
        move = go.ask("kgs-genmove_cleanup b")
        if move == "pass":
            break
        go.ask("play w pass")
    assert move == "pass" and go.ask("final_status_list dead") == ""


def test_stones_in_seki_are_listed_and_count(go: Local) -> None:
    picture = """
. X . O . O X
X X O O O O X
O O O X X X X
X X X X . X .
X X X X X X X
O O O O O O O
O . O . O . O
"""
    set_up(go, picture)
    go.ask("komi 0")
    seki = " ".join(sorted(go.ask("final_status_list seki").split()))
    assert seki == "A5 A6 B5 B6 B7 C5 C6 D6 D7 E6 F6 F7"
    assert go.ask("final_status_list dead") == ""
    game, state = go.engine.board.game, go.engine.board.state
    assert isinstance(game, Go) and game.final_margin(state) == game.margin(state) == 0
    assert go.ask("final_score") == "0"


def test_cleanup_searches_only_captures(go: Local) -> None:
    set_up(go, FINISHED)
    go.ask("play w pass")
    assert go.ask("kgs-genmove_cleanup b") in ("A5", "B4", "B6", "C5")
    last = go.engine.searcher.last
    assert last is not None and {m.action for m in last.moves} <= {"A5", "B4", "B6", "C5"}


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_genmove_with_analysis_plays_an_allowed_move(go: Local, command: str) -> None:
    for allowed in (["A1"], ["A1", "J9"], ["pass"]):
        go.ask("clear_board")
        reply = go.ask(f"{command} b 100 allow b {','.join(allowed)} 1").split()
        assert reply[-2] == "play" and reply[-1] in allowed
        infos = {reply[i + 1] for i, word in enumerate(reply) if word == "move"}
        assert infos <= set(allowed)
    go.ask("clear_board")
    avoided = {vertex(i, 9) for i in range(81)} - {"E5", "C3"}
    reply = go.ask(f"{command} b 100 avoid b {','.join(sorted(avoided))} 1").split()
    assert reply[-1] in ("E5", "C3", "pass")


def test_a_pass_that_would_lose_is_not_played(go: Local) -> None:
    """Black wins only if White's dead stone is removed, and plays on until a pass wins anyway."""
    set_up(go, FINISHED)
    go.ask("komi -9.5")
    go.ask("zermelo-param playouts 500")
    board = go.engine.board
    assert isinstance(board.game, Go) and board.game.margin(board.state) < 0
    moves = []
    while "pass" not in moves and len(moves) < 20:
        go.ask("play w pass")
        moves.append(go.ask("genmove b"))
    assert 1 < len(moves) < 20
    assert board.game.margin(board.state) > 0 and go.ask("final_score").startswith("B+")


# -- moves ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [5, 7, 9])
def test_a_whole_game_against_itself(size: int) -> None:
    go = Local(f"go:size={size}", playouts=60)
    moves: list[str] = []
    for colour in itertools.cycle("bw"):
        moves.append(go.ask(f"genmove {colour}"))
        if moves[-2:] == ["pass", "pass"]:
            break
        assert len(moves) < 6 * size * size
    assert len(moves) > size
    assert go.ask("final_score")[:2] in ("B+", "W+", "0")


def test_kgs_rules(go: Local) -> None:
    go.sequence("b e5 w c3")
    for name, rules, superko in (
        ("japanese", "japanese-like", False), ("chinese", "chinese", True),
        ("new_zealand", "tromp-taylor", True), ("aga", "chinese", True),
    ):  # fmt: skip
        go.ask(f"kgs-rules {name}")
        game = go.engine.board.game
        assert (game.rules, game.superko) == (rules, superko)  # type: ignore[attr-defined]
        assert stones(go) == 2
    assert go.fail("kgs-rules ing").startswith("unknown rules")


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_a_move_to_avoid_is_not_played(go: Local, command: str) -> None:
    move = go.ask("reg_genmove b")
    for _ in range(2):
        assert go.ask(f"{command} b 1 allow b J9,A1 1").split()[-1] in ("J9", "A1")
    go.ask("clear_board")
    assert go.ask(f"{command} b 1 avoid b {move} 1").split()[-1] != move
    go.ask("play w C3")
    assert go.ask(f"{command} b 1 allow b pass 1").split()[-1] == "pass"


def test_the_lead_counts_by_the_rules_of_the_game() -> None:
    moves = "E5 pass C3 pass G7 pass C7 pass G3 pass E3 pass E7"
    area, territory = (
        lead(game, game.parse_state(moves), "pass", 0)
        for rules in ("chinese", "japanese-like")
        if isinstance(game := load(f"go:size=9,komi=6.5,rules={rules}"), Go)
    )
    assert area - territory == pytest.approx(7, abs=2)  # Black played seven stones more


def test_ownership(go: Local) -> None:
    set_up(go, FINISHED)
    rows = [list(map(float, row.split())) for row in go.ask("zermelo-ownership").split("\n")]
    assert len(rows) == 9 and all(row[0] > 0.8 and row[8] < -0.8 for row in rows)
    line = go.raw("kata-analyze w 1 ownership true").split("\n")[1]
    owner = [float(x) for x in line.split(" ownership ")[1].split()]
    assert len(owner) == 81 and owner[0] < -0.8 and owner[8] > 0.8  # White's view
    assert " scoreLead " in line.split(" pv ")[0]


# -- records -------------------------------------------------------------------------------------
RECORD = "(;GM[1]FF[4]SZ[9]KM[6.5]HA[2]AB[cc][gg]PL[W];W[ee];B[eg](;W[ge];B[];W[gd])(;W[aa]))"


def test_loadsgf(go: Local, tmp_path: Path) -> None:
    file = tmp_path / "a game.sgf"
    file.write_text(RECORD)
    assert go.ask(f"loadsgf {file}") == "black"
    assert stones(go) == 6 and go.engine.board.game.komi == 6.5  # type: ignore[attr-defined]
    for number, (count, side) in {
        1: (2, "white"), 2: (3, "black"), 3: (4, "white"), 5: (5, "white"), 99: (6, "black"),
    }.items():  # fmt: skip
        assert go.ask(f"loadsgf {file} {number}") == side
        assert stones(go) == count and go.ask("gogui-rules_side_to_move") == side
    go.ask("undo")
    assert stones(go) == 5
    assert go.fail(f"loadsgf {file} -1").startswith("syntax error: invalid move number '-1'")


def test_loadsgf_sets_the_board_size(go: Local, tmp_path: Path) -> None:
    file = tmp_path / "x.sgf"
    file.write_text("(;GM[1]SZ[13];B[gg];AW[cc]AE[gg];W[jj])")
    assert go.ask(f"loadsgf {file}") == "black"
    assert go.ask("gogui-rules_board_size") == "13" and stones(go) == 2


def test_wrong_records_change_nothing(go: Local, tmp_path: Path) -> None:
    go.ask("play b e5")
    file = tmp_path / "x.sgf"
    for text in ("", "nonsense", "(;GM[1]SZ[9];B[ee];W[ee])", "(;SZ[99])", "(;GM[1]SZ[9];B[zz])"):
        file.write_text(text)
        assert go.fail(f"loadsgf {file}").startswith("cannot load file"), text
    assert go.fail(f"loadsgf {tmp_path}/none.sgf").startswith("cannot load file")
    assert go.fail(f"loadsgf {tmp_path}").startswith("cannot load file")
    assert go.fail("loadsgf").startswith("syntax error")
    assert stones(go) == 1


# -- random commands -----------------------------------------------------------------------------
def test_a_thousand_random_sequences() -> None:
    """Every command gets exactly one reply, and a position is never lost."""
    rng = random.Random(7)
    words = [
        *(vertex(i, 5) for i in range(25)), "b", "w", "black", "white", "pass", "resign", "2", "3",
        "5", "0", "-1", "nan", "dead", "alive", "x", "\x00", "é", "chinese", "japanese", "none",
        "byoyomi", "interval", "true", "ownership", "allow", "avoid", "A1,B2",
    ]  # fmt: skip
    names = [n for n in COMMANDS if n not in ("quit", "zermelo-param", "boardsize")]
    names += ["play"] * 20 + ["genmove"] * 3 + ["undo"] * 3 + ["boardsize"]
    go = Local("go:size=5", playouts=3, algorithm="mcts")
    for _ in range(1000):
        for _ in range(rng.randrange(2, 8)):
            name = rng.choice(names)
            if name == "play" and rng.random() < 0.8:
                line = f"play {rng.choice('bw')} {rng.choice(words[:25])}"
            else:
                line = " ".join([name, *rng.choices(words, k=rng.randrange(4))])
            _, _, text = reply_of(go.raw(line))
            assert "failed:" not in text, line
