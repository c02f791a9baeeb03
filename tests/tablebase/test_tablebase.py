"""Tables of solved positions: right, whole, resumable, and never believed without a check."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import zermelo
from oracle import CircleGame, HashedGame
from zermelo import TableError, tablebase
from zermelo.tablebase.fingerprint import fingerprint
from zermelo.ui.cli.bench import PythonTicTacToe

COMMAND = [sys.executable, "-m", "zermelo", "tablebase"]
HEADER = 104  # bytes before the texts of a file


def minimax_distance(game: Any, s: Any, memory: dict[Any, Any]) -> tuple[float, int | None]:
    """Value and distance in a few lines, for games that end."""
    if s not in memory:
        if game.is_terminal(s):
            u = game.utility(s, 0)
            memory[s] = (u, 0 if u else None)
        else:
            sign = 1 if game.player(s) == 0 else -1
            after = [minimax_distance(game, game.result(s, a), memory) for a in game.actions(s)]
            best = max(sign * v for v, _ in after)
            plies = [d for v, d in after if sign * v == best and d is not None]
            hurry = min if best > 0 else max
            memory[s] = (sign * best + 0.0, hurry(plies) + 1 if best else None)
    return memory[s]


@pytest.mark.parametrize(
    "game",
    [
        zermelo.load("tic-tac-toe"),
        zermelo.load("nim:piles=3,4,5"),
        zermelo.load("nim:piles=2,3,misere=yes"),
        zermelo.load("connect-four:width=4,height=3"),
        zermelo.load("connect-four:width=3,height=4,score=distance"),
        zermelo.tree("max(min(3 12 8) min(2 4 0) min(0 0 max(-1 -2)))"),
        PythonTicTacToe(),
        HashedGame(3, 7),
    ],
    ids=lambda g: getattr(g, "name", type(g).__name__)[:30],
)
def test_every_position_of_a_small_game(game: Any) -> None:
    tables = tablebase(game)
    memory: dict[Any, Any] = {}
    minimax_distance(game, game.initial(), memory)
    assert tables.positions == len(memory)
    for s, expected in memory.items():
        assert tables.probe(s) == expected
    values = [v for v, _ in memory.values()]
    (info,) = tables.tables
    assert info.wins == sum(v > 0 for v in values) and info.losses == sum(v < 0 for v in values)
    assert info.longest == max((d for _, d in memory.values() if d is not None), default=None)
    assert tables.verify() == len(memory)


def test_published_counts() -> None:
    """Positions of connect four on 4 by 4 (Tromp), and of tic-tac-toe."""
    assert tablebase(zermelo.load("connect-four:width=4,height=4")).positions == 161_029
    assert tablebase(zermelo.load("tic-tac-toe")).positions == 5_478


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 16))
def test_games_with_circles(seed: int, size: int) -> None:
    game = CircleGame(seed, size)
    expected = oracle.circles(game)
    tables = tablebase(game)
    reached, fresh = {0}, [0]
    while fresh:
        s = fresh.pop()
        after = set() if game.is_terminal(s) else {game.result(s, a) for a in game.actions(s)}
        fresh += after - reached
        reached |= after
    for s, verdict in expected.items():
        assert tables.probe(s) == (verdict if s in reached else None)
    assert tables.verify() == tables.positions == len(reached)
    r = zermelo.search(game, tablebase=tables)
    assert r.value == expected[0][0] and r.exact and "tables" in r.why
    after = expected[game.result(0, r.action)]
    assert after[0] == expected[0][0]
    if expected[0][1] is not None:
        assert after == (expected[0][0], expected[0][1] - 1)  # the winner hurries, the loser delays
    assert zermelo.solve(game).value == expected[0][0]


def test_compiled_rules_can_be_tabled(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
    try:
        import compiled_game
    finally:
        sys.path.pop(0)
    games = [v for v in vars(compiled_game).values() if isinstance(v, type)]
    (rules,) = [g for g in games if issubclass(g, zermelo.Game) and g is not zermelo.Game]
    plain, fast = rules(), zermelo.compile(rules())
    state = plain.initial()
    while zermelo.count_positions(fast, state) > 20_000:
        state = plain.result(state, plain.actions(state)[0])
    a, b = tablebase(plain, state=state), tablebase(fast, tmp_path, state=state)
    assert a.positions == b.positions == zermelo.count_positions(fast, state)
    assert a.probe(state) == b.probe(state) and b.verify() == b.positions


# -- classes of endgames -----------------------------------------------------------------------
@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return tablebase(zermelo.load("dodgem:n=4"), tmp_path_factory.mktemp("four"))


def test_classes_agree_with_what_can_be_reached(four: Any) -> None:
    small = tablebase(four.game, state=four.game.initial())
    rng = random.Random(1)
    seen = 0
    for _ in range(300):
        s = four.game.initial()
        while not four.game.is_terminal(s) and rng.random() < 0.97:
            assert four.probe(s) == small.probe(s) is not None
            seen += 1
            s = four.game.result(s, rng.choice(four.game.actions(s)))
    assert seen > 1000


def test_published_values_of_dodgem(four: Any) -> None:
    """Berlekamp, Conway, Guy: the first player wins on 3 by 3; desJardins: 4 by 4 is a draw."""
    three = zermelo.load("dodgem")
    assert tablebase(three).probe(three.initial()).value == 1
    assert four.probe(four.game.initial()) == (0.0, None)


def test_every_class_is_verified(four: Any) -> None:
    assert four.verify() == four.positions == 554_592  # 2 C(16,a) C(16-a,b), summed
    assert len(four.tables) == 15


def test_threads_make_the_same_files(four: Any, tmp_path: Path) -> None:
    tablebase(four.game, tmp_path, pieces=5, threads=3)
    assert same_files(tmp_path, four.path) == 14


def same_files(some: Path, all_: Path) -> int:
    for file in some.iterdir():
        assert file.read_bytes() == (all_ / file.name).read_bytes(), file.name
    return len(list(some.iterdir()))


def test_a_search_asks_the_tables(four: Any, tmp_path: Path) -> None:
    game = four.game
    s = game.parse_state("..A./B.../..../..AB")
    tablebase(game, tmp_path, pieces=3)
    assert four.probe(s) is not None and not zermelo.search(game, s, depth=4).exact
    asked = zermelo.search(game, s, depth=4, tablebase=tmp_path)
    assert asked.exact and asked.value == four.probe(s).value
    assert "contained" in asked.why and "answered 0" not in asked.why
    deep = zermelo.search(game, s, depth=12)
    assert deep.exact and deep.value == asked.value and deep.nodes > 5 * asked.nodes
    proof = zermelo.solve(game, s, "proof-number", tablebase=tmp_path)
    assert proof.value == asked.value


def test_random_endgames_agree_with_a_search_without_tables(four: Any) -> None:
    game = four.game
    rng = random.Random(5)
    found = 0
    for _ in range(60):
        s = game.initial()
        while not game.is_terminal(s):
            verdict = four.probe(s)
            if verdict.distance is not None and verdict.distance <= 9:
                r = zermelo.search(game, s, depth=10)
                assert r.exact and r.value == verdict.value
                found += 1
                break
            s = game.result(s, rng.choice(game.actions(s)))
    assert found > 10


def test_pieces_and_classes(tmp_path: Path) -> None:
    game = zermelo.load("dodgem:n=4")
    assert {t.name for t in tablebase(game, pieces=2).tables} == {"0v1", "1v0", "0v2", "1v1", "2v0"}
    assert tablebase(game, classes="1v*", pieces=3).tables[-1].name == "1v2"
    for wrong in ({"pieces": 0}, {"classes": "9v9"}):
        with pytest.raises(zermelo.UsageError):
            tablebase(game, **wrong)  # type: ignore[arg-type]
    with pytest.raises(zermelo.UsageError, match="no endgame classes"):
        tablebase(zermelo.load("nim"), pieces=3)


# -- bad input ---------------------------------------------------------------------------------
@pytest.fixture
def home(tmp_path: Path) -> Path:
    tablebase(zermelo.load("dodgem"), tmp_path)
    return tmp_path


def refused(home: Path, match: str) -> None:
    """Whoever opens it is told; only --rebuild mends it."""
    game = zermelo.load("dodgem")
    for use in (
        lambda: tablebase(game, home).verify(),
        lambda: zermelo.search(game, tablebase=home),
    ):
        with pytest.raises(TableError, match=match) as e:
            use()
        assert "--rebuild" in e.value.hint
    good = tablebase(game, home, rebuild=True)
    assert good.verify() == good.positions


@pytest.mark.parametrize("keep", [0, 1, 50, HEADER, 200, 4000, 4096, 4100, -1])
def test_a_file_cut_short(home: Path, keep: int) -> None:
    file = home / "2v2.ztb"
    file.write_bytes(file.read_bytes()[:keep])
    refused(home, "truncated|damaged")


@pytest.mark.parametrize("at", [0, 8, 16, 20, 24, 30, 44, 60, 90, HEADER + 3, 130, 4096, 5000, -1])
def test_a_flipped_bit(home: Path, at: int) -> None:
    file = home / "2v2.ztb"
    data = bytearray(file.read_bytes())
    data[at] ^= 0x10
    file.write_bytes(data)
    refused(home, "2v2")


def test_another_version(home: Path) -> None:
    file = home / "2v2.ztb"
    data = bytearray(file.read_bytes())
    data[16:20] = (2).to_bytes(4, "little")
    file.write_bytes(data)
    refused(home, "has format version 2")


def test_another_game_and_another_class(home: Path, tmp_path_factory: Any) -> None:
    other = tmp_path_factory.mktemp("other")
    tablebase(zermelo.load("dodgem:n=4"), other, pieces=2)
    data = (other / "1v1.ztb").read_bytes()
    swapped = (home / "1v2.ztb").read_bytes()
    (home / "1v1.ztb").write_bytes(data)
    refused(home, "is a table for dodgem:n=4, not for dodgem:n=3")
    (home / "2v1.ztb").write_bytes(swapped)
    with pytest.raises(TableError, match="contains the table 1v2, not 2v1"):
        tablebase(zermelo.load("dodgem"), home)


def test_rules_that_changed(tmp_path: Path) -> None:
    tablebase(HashedGame(1, 5), tmp_path)
    assert tablebase(HashedGame(1, 5), tmp_path).built == 0
    with pytest.raises(TableError, match="is a table for HashedGame"):
        tablebase(HashedGame(2, 5), tmp_path)
    with pytest.raises(zermelo.UsageError, match="this is a tablebase for"):
        zermelo.search(HashedGame(2, 5), tablebase=tablebase(HashedGame(1, 5)))


def test_files_that_are_none(tmp_path: Path) -> None:
    game = zermelo.load("dodgem")
    with pytest.raises(TableError, match="contains no tables"):
        zermelo.search(game, tablebase=tmp_path)
    (tmp_path / "0v1.ztb").write_text("not a table at all, but long enough to hold a header" * 9)
    with pytest.raises(TableError, match="not a zermelo tablebase"):
        tablebase(game, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(TableError, match="cannot be used as a directory"):
        tablebase(game, tmp_path / "file")
    with pytest.raises(zermelo.UsageError, match="invalid tablebase="):
        zermelo.search(game, tablebase=7)
    with pytest.raises(zermelo.UsageError, match="does not support `tablebase`"):
        zermelo.search(game, algorithm="minimax", depth=2, tablebase=tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(TableError, match="cannot be written"):
        tablebase(zermelo.load("dodgem"), tmp_path)


def test_a_place_that_cannot_be_written() -> None:
    with pytest.raises(TableError, match="cannot be"):
        tablebase(zermelo.load("dodgem"), "/proc/zermelo")


def run(*words: str, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    def before() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, timeout=120, preexec_fn=before
    )


def test_a_disk_that_fills(tmp_path: Path, four: Any) -> None:
    full = run("dodgem:n=4", "--out", str(tmp_path), limit=100_000)
    assert full.returncode == 2 and "cannot be written" in full.stderr
    assert "run the same command again to resume" in full.stderr
    assert same_files(tmp_path, four.path) == 14  # all but the one that did not fit, and no remains
    again = run("dodgem:n=4", "--out", str(tmp_path), "--json")
    assert json.loads(again.stdout)["built"] == 320_320
    assert same_files(tmp_path, four.path) == 15


def test_ctrl_c_and_on(tmp_path: Path, four: Any) -> None:
    """Killed or interrupted at any time: what is there is whole, and the rest follows."""
    for sign, code in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
        with subprocess.Popen(
            [*COMMAND, "dodgem:n=4", "--out", str(tmp_path)], stderr=subprocess.PIPE, text=True
        ) as p:
            end = time.monotonic() + 60
            while not list(tmp_path.glob("*.ztb")) and time.monotonic() < end:
                time.sleep(0.001)  # its first class is the least part of its work
            p.send_signal(sign)
            told = p.communicate(timeout=60)[1]
        assert p.returncode == code, told
        assert not (tmp_path / "3v3.ztb").exists()
        for file in sorted(tmp_path.glob("*.ztb"))[1:]:
            file.unlink()
        if sign == signal.SIGINT:
            for file in tmp_path.glob("*.ztb"):
                file.unlink()
    assert run("dodgem:n=4", "--out", str(tmp_path), "--verify").returncode == 0
    for part in tmp_path.glob("*.part"):
        part.unlink()  # of the one that was killed
    assert same_files(tmp_path, four.path) == 15


def test_too_little_time(tmp_path: Path) -> None:
    with pytest.raises(zermelo.SearchBudgetExceeded, match="time"):
        tablebase(zermelo.load("connect-four"), tmp_path, time=0.2)
    assert not list(tmp_path.iterdir())
    for wrong in (0, -1, "soon"):
        with pytest.raises(zermelo.UsageError):
            tablebase(zermelo.load("dodgem"), tmp_path, time=wrong)  # type: ignore[arg-type]


def test_too_large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="too large for a tablebase"):
        tablebase(zermelo.load("connect-four"), memory=20)
    module = sys.modules["zermelo.tablebase.space"]
    game = zermelo.load("dodgem:n=4")
    monkeypatch.setattr(module, "available_memory", lambda: 1_000_000)
    with pytest.raises(
        TableError, match=r"fit in memory: building it needs 1.6 MB, and 1.0 MB are"
    ):
        tablebase(game, tmp_path)
    monkeypatch.undo()
    monkeypatch.setattr(module.shutil, "disk_usage", lambda p: type("U", (), {"free": 500_000}))
    with pytest.raises(TableError, match="do not fit on the disk"):
        tablebase(game, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("max(chance(1 2) 3)", "with chance"), ("p1(p2(p3((1,2,3))))", "3 players"),
        ("p1((1,1) (2,0))", "not sum to zero"), ("p1#I(a=(1,-1))", "hidden information"),
    ],
)  # fmt: skip
def test_games_that_cannot_be_tabled(text: str, reason: str) -> None:
    with pytest.raises(zermelo.NotSupported, match=reason):
        tablebase(zermelo.tree(text))


def test_scores_in_circles_are_refused() -> None:
    game = CircleGame(0, 3)
    game.end, game.to, game.mover = [None, None, 1], [[1], [0, 2], [0]], [0, 1, 0]
    assert tablebase(game).probe(0) == (0.0, None)
    game.end[2] = 5
    game.utility_bounds = (-9.0, 9.0)
    with pytest.raises(TableError, match="has cycles and final scores"):
        tablebase(game)


def test_fingerprints() -> None:
    assert fingerprint((1, 2.0, True)) == fingerprint((1.0, 2, 1))
    assert fingerprint(frozenset("abcdef")) == fingerprint(frozenset("fedcba"))
    different = [(), ((),), "", b"", "a", ("a",), ("ab", "c"), ("a", "bc"), 1, 2, None, 0.5, "1"]
    assert len({fingerprint(x) for x in different}) == len(different)
    with pytest.raises(zermelo.NotSupported, match="no key that is the same in every process"):
        fingerprint(object())


def test_the_command_line(tmp_path: Path) -> None:
    made = run("dodgem", "--out", str(tmp_path), "--verify", "--json")
    document = json.loads(made.stdout)
    assert document["positions"] == document["built"] == 2754 and document["verified"]
    assert document["longest"] == 21 and len(document["tables"]) == 8
    text = run("dodgem", "--out", str(tmp_path)).stdout
    assert "longest win: 21 plies" in text and "all tables exist" in text
    (tmp_path / "2v2.ztb").write_text("")
    bad = run("dodgem", "--out", str(tmp_path))
    assert bad.returncode == 2 and "truncated" in bad.stderr and "--rebuild" in bad.stderr
    assert "Traceback" not in bad.stderr
