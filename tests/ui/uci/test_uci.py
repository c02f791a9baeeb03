"""`zermelo uci` as a client sees it: answers, scores, limits, and never one bestmove too many."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator

import pytest

from uci_client import PATIENCE, Client, after, best, last_score
from zermelo.ui.uci.clock import Lag, Pace, limits, read_go
from zermelo.ui.uci.options import OPTIONS

chess = pytest.importorskip("chess", reason="python-chess is not there to ask")
MIDGAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"
MATES = {
    1: "6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1",
    2: "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 0 1",
    3: "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
}


@pytest.fixture(name="client", scope="module")
def running() -> Iterator[Client]:
    client = Client("Hash value 8")
    yield client
    client.quit()


@pytest.fixture(autouse=True)
def usual(client: Client) -> None:
    """Every test begins with the options' defaults."""
    client.send("stop", "setoption name MultiPV value 1", "setoption name UCI_Chess960 value false")
    client.send("setoption name UCI_LimitStrength value false", "setoption name Variety value 0")
    client.send("ucinewgame", "isready")
    client.until("readyok")


# -- talking ------------------------------------------------------------------------------------
def test_it_tells_its_options(client: Client) -> None:
    client.send("uci")
    told = client.until("uciok")
    assert told[0].startswith("id name Zermelo")
    for option in OPTIONS:
        assert sum(f"option name {option.name} type" in line for line in told) == 1
    for name in ("Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "UCI_LimitStrength",
                 "UCI_Elo", "Clear Hash", "Move Overhead", "Variety"):  # fmt: skip
        assert any(o.name == name for o in OPTIONS)


def test_it_starts_quickly() -> None:
    """In processor time, which other programs do not lengthen."""
    took = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        Client().quit()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(took) < 0.4


def test_the_start_imports_nothing_heavy() -> None:
    code = """
    import sys
    import zermelo.ui.uci
    print([m for m in ("numba", "rich", "typer", "chess", "torch") if m in sys.modules])
    """
    run = [sys.executable, "-c", textwrap.dedent(code)]
    assert subprocess.run(run, capture_output=True, text=True).stdout.strip() == "[]"


def test_unknown_words_are_skipped(client: Client) -> None:
    client.send(
        "", "   ", "hello", "joho isready", "\x00\xff\t", "setoption", "position", "debug on"
    )
    client.until("readyok")
    client.send("setoption name Hash value many", "setoption name Hashh value 3", "isready")
    told = client.until("readyok")
    assert [x.startswith("info string") for x in told[:-1]] == [True] * (len(told) - 1)
    assert "did you mean 'Hash'" in " ".join(told)


def test_a_bad_position_leaves_the_old_one(client: Client) -> None:
    client.send("position startpos moves e2e4")
    for bad in ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "startpos moves e2e5", "fen nonsense", "here",
                "startpos moves e2e4 e7e5 0000", "fen " + "9" * 10_000, "startpos moves é",
                f"fen {chess.STARTING_FEN} moves e2e4 e2e4"):  # fmt: skip
        client.send(f"position {bad}")
        assert len(client.until("info string")) == 1
    client.send("d")
    assert "/4P3/8/PPPP1PPP/RNBQKBNR b KQkq" in client.until("Fen:")[-1]


def test_it_is_ready_while_it_thinks(client: Client) -> None:
    client.send("position startpos", "go infinite")
    for _ in range(5):
        start = time.perf_counter()
        client.send("isready")
        client.until("readyok")
        assert time.perf_counter() - start < 5.0  # 0.01 on an idle machine
    client.send("stop")
    client.until("bestmove")


def test_stop_is_obeyed_at_once_and_only_once(client: Client) -> None:
    late = []
    for _ in range(5):
        client.send(f"position fen {MIDGAME}", "go infinite")
        client.until("info depth 4")
        start = time.perf_counter()
        client.send("stop", "stop")
        client.until("bestmove")
        late.append(time.perf_counter() - start)
    assert min(late) < 0.15 and client.nothing()  # 0.02 on an idle machine
    client.send("stop", "ponderhit")
    assert client.nothing()


def test_go_during_a_search_ends_the_first(client: Client) -> None:
    client.send("position startpos", "go infinite", f"position fen {MIDGAME}", "go depth 2")
    first, second = client.until("bestmove"), client.until("bestmove")
    assert chess.Move.from_uci(best(first)) in chess.Board().legal_moves
    assert chess.Move.from_uci(best(second)) in chess.Board(MIDGAME).legal_moves
    assert client.nothing()


# -- scores and lines ---------------------------------------------------------------------------
@pytest.mark.parametrize("moves", MATES)
def test_mates_are_told_in_moves(client: Client, moves: int) -> None:
    answer = client.go("depth 12", f"fen {MATES[moves]}")
    assert last_score(answer) == f"mate {moves}"
    board = chess.Board(MATES[moves])
    board.push_uci(best(answer))
    answer = client.go("depth 12", f"fen {board.fen()}")
    assert last_score(answer) == (f"mate -{moves - 1}" if moves > 1 else "mate 0")
    assert last_score(client.go(f"mate {moves}", f"fen {MATES[moves]}")) == f"mate {moves}"


def test_where_there_is_no_move(client: Client) -> None:
    assert client.go("depth 3", "fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1") == [
        "info depth 0 score mate 0", "bestmove (none)",
    ]  # fmt: skip
    assert client.go("movetime 5", "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1") == [
        "info depth 0 score cp 0", "bestmove (none)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "position",
    ["startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 3, "fen 7k/8/8/8/8/8/8/R6K w - - 100 80",
     "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "fen 8/8/4k3/8/8/4KB2/8/8 b - - 99 70 moves e6d6 f3g2"],
)  # fmt: skip
def test_a_draw_that_nobody_claims_is_played_on(client: Client, position: str) -> None:
    client.send(f"position {position}", "d")
    board = chess.Board(client.until("Fen:")[-1][5:])
    answer = client.go("nodes 500")
    assert chess.Move.from_uci(best(answer)) in board.legal_moves and " score " in answer[-2]
    client.send(f"position {position}{'' if 'moves' in position else ' moves'} {best(answer)}", "d")
    board.push_uci(best(answer))
    assert client.until("Fen:")[-1][5:].split()[:2] == board.fen().split()[:2]


def test_lines_are_legal_and_deepen(client: Client) -> None:
    client.send("setoption name MultiPV value 4")
    answer = client.go("nodes 60000", f"fen {MIDGAME}")
    depths = [int(after(x, "depth")[0]) for x in answer[:-1]]
    assert depths == sorted(depths) and [depths.count(d) for d in set(depths)] == [4] * max(depths)
    for line in answer[:-1]:
        board = chess.Board(MIDGAME)
        for move in after(line, "pv"):
            board.push_uci(move)
        for word in ("multipv", "score", "nodes", "nps", "time"):
            assert after(line, word)
    firsts = [after(x, "pv")[0] for x in answer[-5:-1]]
    assert len(set(firsts)) == 4 and firsts[0] == best(answer)
    scores = [int(after(x, "score")[1]) for x in answer[-5:-1]]
    assert scores == sorted(scores, reverse=True)
    assert answer[-1].split()[2] == "ponder"


def test_searchmoves(client: Client) -> None:
    for moves in ("a2a3", "h2h4 b1a3", "a2a3 a2a4 nonsense e2e5"):
        answer = client.go(f"searchmoves {moves} nodes 5000", "startpos")
        assert best(answer) in moves.split()
        assert all(after(x, "pv")[0] in moves.split() for x in answer[:-1])
    assert best(client.go("nodes 1 searchmoves h2h3", "startpos")) == "h2h3"
    assert best(client.go("searchmoves e2e5 nodes 500", "startpos"))


def test_castling_in_chess960(client: Client) -> None:
    fen = "4k3/8/8/8/8/8/5PPP/1r3K1R w H - 0 1"
    client.send("setoption name UCI_Chess960 value true")
    answer = client.go("depth 4", "fen 8/8/8/8/7k/8/4PPPP/4RK1R w EH - 0 1")
    assert not any("info string" in line for line in answer)
    board = chess.Board("8/8/8/8/7k/8/4PPPP/4RK1R w EH - 0 1", chess960=True)
    assert board.is_legal(chess.Move.from_uci(best(answer)))
    client.send(f"position fen {chess.STARTING_FEN} moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1h1", "d")
    assert "RNBQ1RK1 b kq" in client.until("Fen:")[-1]
    assert best(client.go("depth 2 searchmoves e8h8")) == "e8h8"
    client.send("setoption name UCI_Chess960 value false")
    assert best(client.go("depth 2 searchmoves e8g8")) == "e8g8"
    assert chess.Board(fen, chess960=True).is_valid()


# -- limits -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "limit",
    ["movetime 1", "wtime 1 btime 1", "wtime -50 btime -50", "wtime 0 btime 0 winc 0 binc 0",
     "movetime 0", "movetime -5", "depth 0", "nodes 0", "nodes 1", "wtime 5 btime 5 movestogo 1"],
)  # fmt: skip
@pytest.mark.parametrize("position", ["startpos", f"fen {MIDGAME}", "startpos moves e2e4"])
def test_a_move_at_once_with_its_score(client: Client, limit: str, position: str) -> None:
    start = time.perf_counter()
    answer = client.go(limit, position)
    assert time.perf_counter() - start < 5.0
    assert " score " in answer[-2] and after(answer[-2], "pv")[0] == best(answer)


def test_nodes_depth_and_movetime_hold(client: Client) -> None:
    answer = client.go("nodes 3000", "startpos")
    assert int(after(answer[-2], "nodes")[0]) <= 3000
    assert max(int(after(x, "depth")[0]) for x in client.go("depth 6")[:-1]) == 6
    start = time.perf_counter()
    client.go("movetime 200")
    assert 0.15 < time.perf_counter() - start < 5.0


def test_infinite_and_ponder_wait(client: Client) -> None:
    for mode in ("infinite", "ponder wtime 1000 btime 1000"):
        client.send(f"position fen {MATES[1]}", f"go {mode}")
        client.until("info depth")
        assert client.nothing()  # the mate is found, nobody asked yet
        client.send("ponderhit" if "ponder" in mode else "stop")
        assert best(client.until("bestmove")) == "a1a8"
    client.send("position startpos moves e2e4", "go ponder wtime 3000 btime 3000 winc 100")
    client.until("info depth 3")
    client.send("stop")
    client.until("bestmove")
    client.send("go ponder wtime 2000 btime 2000")
    client.until("info depth 3")
    start = time.perf_counter()
    client.send("ponderhit")
    client.until("bestmove")
    assert time.perf_counter() - start < 5.0 and client.nothing()


def test_the_clock_is_never_overdrawn() -> None:
    for left in (-1000, 0, 1, 20, 50, 100, 1000, 60_000, 10**12):
        for gain in (0, 50, 5000):
            for to_go in ("", "movestogo 1", "movestogo 40", "movestogo -3"):
                go = read_go(f"wtime {left} btime 7 winc {gain} {to_go}".split())
                allowed = limits(go, 0, 0.01)
                assert allowed.soft is not None and allowed.hard is not None
                assert 0.001 <= allowed.soft <= allowed.hard
                assert allowed.hard <= max(0.001, 0.7 * left / 1000)


def test_the_soft_limit_listens_to_the_search() -> None:
    calm, restless, falling = Pace(1.0, False), Pace(1.0, False), Pace(1.0, False)
    for depth in range(8):
        calm.enough(0.0, "e2e4", 0.3)
        restless.enough(0.0, "e2e4" if depth % 2 else "d2d4", 0.3)
        falling.enough(0.0, "e2e4", 0.3 - 0.5 * depth)
    assert calm.enough(0.75, "e2e4", 0.3) and not restless.enough(1.2, "d2d4", 0.3)
    assert not falling.enough(0.75, "e2e4", -5.0)
    assert Pace(1.0, True).enough(0.0, "e2e4", 0.0)
    assert not Pace(None, True).enough(99.0, "e2e4", 0.0)


def test_a_late_machine_is_remembered_for_a_while() -> None:
    lag = Lag()
    lag.note(0.1)
    lag.note(-0.5)
    assert 0.05 < lag.seconds < 0.1
    for _ in range(100):
        lag.note(-0.5)
    assert 0 <= lag.seconds < 0.001


def test_levels_and_variety_are_repeatable(client: Client) -> None:
    def game(*options: str) -> list[str]:
        client.send(
            "ucinewgame", "setoption name Seed value 7", *(f"setoption name {o}" for o in options)
        )
        board = chess.Board()
        while len(board.move_stack) < 8:
            moves = " ".join(m.uci() for m in board.move_stack)
            board.push_uci(best(client.go("nodes 2000", f"startpos moves {moves}")))
        return [m.uci() for m in board.move_stack]

    weak = ("UCI_LimitStrength value true", "UCI_Elo value 1000")
    assert game(*weak) == game(*weak)
    varied = ("UCI_LimitStrength value false", "Variety value 60")
    assert game(*varied) == game(*varied) != game("Variety value 0")
    client.send("setoption name UCI_Elo value 1000", "setoption name UCI_LimitStrength value true")
    seen = {best(client.go("movetime 100", "startpos")) for _ in range(12)}
    assert len(seen) > 1


# -- whole games, rubbish, deaths ---------------------------------------------------------------
def test_a_game_by_python_chess() -> None:
    from chess.engine import Limit, SimpleEngine

    command = [sys.executable, "-m", "zermelo", "uci"]
    with SimpleEngine.popen_uci(command, timeout=PATIENCE) as engine:
        engine.configure({"Hash": 8, "Threads": 2})
        board, clock = chess.Board(), {True: 1.5, False: 1.5}
        while not board.is_game_over(claim_draw=True) and len(board.move_stack) < 120:
            limit = Limit(white_clock=clock[True], black_clock=clock[False],
                          white_inc=0.02, black_inc=0.02)  # fmt: skip
            start = time.perf_counter()
            played = engine.play(board, limit, info=chess.engine.INFO_ALL)
            clock[board.turn] += 0.02 - (time.perf_counter() - start)
            assert clock[board.turn] > -0.5  # a busy machine may be late
            assert played.move in board.legal_moves and "score" in played.info
            board.push(played.move)
        assert len(board.move_stack) > 20
        assert engine.analyse(chess.Board(MATES[2]), Limit(depth=8))["score"].white().mate() == 2


def test_a_thousand_commands_by_chance(client: Client) -> None:
    """As many answers as questions, whatever the order."""
    rng = random.Random(5)
    goes = answers = 0
    for number in range(1000):
        command = rng.choice([
            "go nodes 50", "go movetime 1", "go movetime 3", "go depth 2", "go infinite",
            "go ponder wtime 20 btime 20", "go wtime 5 btime 5", "go depth x", "go mate 1",
            "stop", "stop", "ponderhit", "isready", "position startpos", "ucinewgame",
            "position startpos moves e2e4 e7e5", "position startpos moves e2e5",
            f"position fen {MIDGAME}", f"position fen {MATES[2]}", "position fen", "d",
            "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "setoption name Clear Hash",
            "setoption name MultiPV value 2", "setoption name MultiPV value 1", "bestmove",
            "setoption name Threads value 2", "setoption name Threads value 1",
            "setoption name UCI_LimitStrength value true", "setoption name Hash value 4",
            "setoption name UCI_LimitStrength value false", "setoption name Hash value 8",
        ])  # fmt: skip
        client.send(command)
        goes += command.startswith("go ")
        if number % 50 == 49:
            client.send("stop", "isready")
            answers += sum(x.startswith("bestmove") for x in client.until("readyok"))
    while answers < goes:
        client.until("bestmove")
        answers += 1
    assert client.nothing(0.3)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as f:  # a zombie is no process any more
        return f.read().rsplit(")")[-1].split()[0] != "Z"


@pytest.mark.parametrize("command", ["go infinite", "go movetime 60000", "isready"])
def test_a_closed_input_ends_it(command: str) -> None:
    client = Client()
    client.send("position startpos", command)
    time.sleep(0.1)
    assert client.process.stdin is not None and client.process.stderr is not None
    client.process.stdin.close()
    assert client.process.wait(timeout=5) == 0 and client.process.stderr.read() == ""


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(sign: signal.Signals) -> None:
    client = Client()
    client.send("go infinite")
    client.until("info depth 3")
    client.process.send_signal(sign)
    client.process.wait(timeout=5)
    assert client.process.stderr is not None
    assert "Traceback" not in client.process.stderr.read() + "".join(client.log)


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="asks /proc")
def test_a_killed_parent_leaves_no_engine() -> None:
    code = """
    import subprocess, sys, time
    p = subprocess.Popen([sys.executable, "-m", "zermelo", "uci"], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)
    p.stdin.write(b"go infinite\\n")
    p.stdin.flush()
    p.stdout.readline()
    print(p.pid, flush=True)
    time.sleep(60)
    """
    run = [sys.executable, "-c", textwrap.dedent(code)]
    parent = subprocess.Popen(run, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    for _ in range(100):
        if not alive(pid):
            return
        time.sleep(0.05)
    pytest.fail("the engine still runs")
