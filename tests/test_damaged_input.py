"""Files and texts that are damaged, odd or endless: one clear sentence, never a raw exception."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import zermelo
from studio import Server
from zermelo.errors import UsageError, ZermeloError
from zermelo.explicit.efg import read_file
from zermelo.games import GAMES, game_class, load
from zermelo.games.battleships import Battleships
from zermelo.games.bridge.pbn import load_pbn
from zermelo.games.chess.pgn import read as read_pgn
from zermelo.games.go.sgf import read_file as read_sgf
from zermelo.games.holdem.policy import read as read_holdem
from zermelo.learn.run_directory import load_arrays
from zermelo.tablebase.tables import open_tablebase
from zermelo.ui.web.limits import Limits
from zermelo.ui.web.store import Session, StorageError, Store
from zermelo.ui.web.visitors import Visitor

ODD_TEXTS = ["\ud800", "a\udcffb", "a\0b", "İ1", "d1-İ1", "x" * 300, "é" * 200, "²", "½"]
BAD_PATHS = ["", "/", ".", "a\0b", "\ud800", "x" * 300, "/dev/full/x", "no/such/x"]


# -- texts ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts_name_no_game(text: str) -> None:
    options = [f"{name}:{o.name}={text}" for name in GAMES for o in game_class(name).options]
    for spec in (text, f"{text}.py:A", f"{text}.efg", f"nim:{text}", *options):
        try:
            load(spec)
        except ZermeloError as e:
            str(e).encode()  # what is said can be printed


def test_cells_of_battleships() -> None:
    game = load("battleships")
    assert isinstance(game, Battleships)
    for text in ("d1-İ1", "İ1", "", "ß1", "a²"):
        with pytest.raises(UsageError):
            game.cell_number(text)
        with pytest.raises(UsageError):
            game.parse_state(text or "x")
        with pytest.raises(UsageError):
            game.result(game.initial(), text)


# -- files ---------------------------------------------------------------------------------------
def damaged(good: bytes, rng: random.Random, n: int) -> list[bytes]:
    """Empty, binary, truncated, with bytes changed, of another encoding."""
    made = [
        b"",
        b"\0" * 100,
        b"\xff\xfe" + b"a\0" * 50,
        rng.randbytes(3000),
        b"[" * 50_000,
        good * 3,
    ]
    for _ in range(n):
        at = rng.randrange(len(good) + 1)
        made.append(good[:at])
        made.append(good[:at] + bytes([rng.randrange(256)]) + good[at + 1 :])
    return made


EFG = b'EFG 2 R "g" { "A" "B" }\nc "" 1 "" { "x" 1/2 "y" 1/2 } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 3, -3 }\n'  # noqa: E501
PGN = b'[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Qh5 {text} Nc6 $1 3. Bc4 Nf6 4. Qxf7# 1-0\n'  # noqa: E501
PBN = b'[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]\n'
SGF = b"(;GM[1]SZ[9]KM[6.5]AB[aa:bb]C[a \\] b];B[ee](;W[ec]LB[aa:x];B[])(;W[cc]))\n"
READERS: dict[str, tuple[Any, bytes]] = {
    "efg": (read_file, EFG),
    "pgn": (lambda p: list(read_pgn(p)), PGN),
    "sgf": (read_sgf, SGF),
    "pbn": (load_pbn, PBN),
    "pacman": (lambda p: load(f"pacman:layout={p}"), b"%%%%%\n%P.G%\n%%%%%\n"),
    "scrabble": (lambda p: load(f"scrabble:words={p}"), b"cat\ndog\ncats\n"),
    "holdem": (lambda p: read_holdem(Path(p)), b'{"name": "x"}\nabc'),
    "rules": (lambda p: load(f"{p}:Game"), b"import zermelo\nclass Game(zermelo.Game): pass\n"),
    "table": (lambda p: open_tablebase(load("nim"), p), b""),
    "match": (lambda p: zermelo.match(load("nim"), ["random", "random"], games=2, record=p), b""),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", READERS)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    reader, good = READERS[name]
    path = str(tmp_path / ("x.py" if name == "rules" else "x"))
    if name == "match":
        reader(path)
        good = Path(path).read_bytes()
    for data in damaged(good, random.Random(name), 40):
        Path(path).write_bytes(data)
        try:
            reader(path)
        except ZermeloError as e:
            str(e).encode()


@pytest.mark.parametrize("path", BAD_PATHS)
@pytest.mark.parametrize("name", READERS)
def test_bad_paths(name: str, path: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "scrabble" and path == "":
        pytest.skip("the default list")
    with pytest.raises(ZermeloError):
        READERS[name][0](path)


def test_damaged_examples_of_a_training_run(tmp_path: Path) -> None:
    path = tmp_path / "round-1-00000.npz"
    for data in (b"", b"PK\x03\x04" + b"x" * 50, random.Random(1).randbytes(500)):
        path.write_bytes(data)
        with pytest.raises(UsageError, match="damaged or from another version"):
            load_arrays(path, "states", "labels")


# -- tables ----------------------------------------------------------------------------------------
TRUNCATE = """
import os, sys, zermelo
from zermelo.tablebase.tables import open_tablebase
game = zermelo.load(sys.argv[3])
tables = open_tablebase(game, sys.argv[1])
for name in os.listdir(sys.argv[1]):
    os.truncate(os.path.join(sys.argv[1], name), int(sys.argv[2]))
try:
    print(tables.verify())
except zermelo.ZermeloError as e:
    print(e)
"""


# A file of less than 1 MiB is read at once, the larger one block by block.
@pytest.mark.parametrize("spec", ["dodgem", "connect-four:width=4,height=4"])
@pytest.mark.parametrize("memory", [None, "0"])  # values in memory, and read one by one
@pytest.mark.parametrize("size", [0, 5000])
def test_a_table_that_is_truncated_while_open(
    memory: str | None, size: int, spec: str, tmp_path: Path
) -> None:
    tables = zermelo.tablebase(load(spec), tmp_path)
    env = os.environ | ({} if memory is None else {"ZERMELO_TABLE_MEMORY": memory})
    done = subprocess.run(
        [sys.executable, "-c", TRUNCATE, str(tmp_path), str(size), spec],
        capture_output=True, text=True, env=env, timeout=120, check=True,
    )  # fmt: skip
    whole = done.stdout.strip() == str(tables.positions)
    assert whole or ("truncated" in done.stdout and "--rebuild" in done.stdout), done.stdout


def test_values_read_one_by_one_are_the_same(tmp_path: Path, monkeypatch: Any) -> None:
    game = load("dodgem")
    kept = zermelo.tablebase(game, tmp_path)
    monkeypatch.setenv("ZERMELO_TABLE_MEMORY", "0")
    read = open_tablebase(game, tmp_path)
    states = [game.initial()]
    rng = random.Random(1)
    for _ in range(300):
        s = states[-1]
        states.append(game.initial() if game.is_terminal(s)
                      else game.result(s, rng.choice(list(game.actions(s)))))  # fmt: skip
    assert [kept.probe(s) for s in states] == [read.probe(s) for s in states]
    assert read.verify() == kept.positions


def test_a_table_that_is_written_over_while_open(tmp_path: Path) -> None:
    game = load("dodgem")
    tables = zermelo.tablebase(game, tmp_path)
    before = tables.probe(game.initial())
    for file in tmp_path.iterdir():
        file.write_bytes(b"x" * file.stat().st_size)
    assert tables.probe(game.initial()) == before


# -- the studio's file of games ------------------------------------------------------------------
VISITOR = Visitor("visitor", "127.0.0.1")


def test_a_full_disk_is_no_fault_of_the_rules(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    play = Session("nim")
    store.add(play, VISITOR, Limits())
    pages = store.db.execute("PRAGMA page_count").fetchone()[0]
    store.db.execute(f"PRAGMA max_page_count={pages}")
    play.moves = [(0, "x" * 10_000)] * 10
    with pytest.raises(StorageError, match=r"cannot store games: .*full") as raised:
        store.put(play)
    assert raised.value.hint == "free some disk space"
    assert store.get(play.id).moves == []


def test_a_damaged_file_of_games(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    store = Store(path)
    plays = [Session("nim", position="x" * 500) for _ in range(100)]
    for play in plays:
        store.add(play, VISITOR, Limits())
    store.db.execute("UPDATE plays SET moves = 'x' WHERE id = ?", (plays[0].id,))
    store.db.commit()
    with pytest.raises(StorageError, match="damaged"):
        store.get(plays[0].id)
    store.close()
    data = bytearray(path.read_bytes())
    data[4096:] = random.Random(1).randbytes(len(data) - 4096)
    path.write_bytes(data)
    store = Store(path)
    with pytest.raises(StorageError, match="cannot store games"):
        store.get(plays[1].id)
    path.write_bytes(b"no database at all" * 1000)
    with pytest.raises(UsageError, match="cannot store games"):
        Store(path)


def test_the_studio_says_that_its_file_fails(server: Server, monkeypatch: Any) -> None:
    play = server.post("/api/plays", {"game": "nim", "side": -1, "opponent": "person"}).json
    body = {"move": 0, "version": play["version"]}

    def broken(_: Any) -> Any:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("zermelo.ui.web.store.row", broken)
    answer = server.post(f"/api/plays/{play['id']}/move", body)
    assert answer.status == 500 and "disk is full" in answer.json["message"]
    assert "rules" not in answer.json["message"]
    monkeypatch.undo()
    assert server.post(f"/api/plays/{play['id']}/move", body).status == 200


HALF = "\ud800"  # half a character, which UTF-8 does not have


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/position", {"game": HALF}), ("/api/position", {"game": "nim", "position": HALF}),
        ("/api/plays", {"game": "nim", "opponent": HALF}), ("/api/plays", {"game": HALF}),
        ("/api/plays", {"game": "nim", "position": HALF}), ("/api/plays", {HALF: 1}),
        ("/api/tree", {"text": HALF}), ("/api/tree", {"text": f"max({HALF}=3 4)"}),
        ("/api/tree", {"text": "max(3 4)", "algorithm": HALF}),
        ("/api/tree/fold", {"key": HALF}), ("/api/practise/new", {"tree": HALF}),
        ("/api/practise/new", {"seed": HALF}), ("/api/practise/new", {"algorithm": HALF}),
        ("/api/practise/new", {HALF: 1}), ("/api/practise/check", {"exercise": {"tree": HALF}}),
    ],
)  # fmt: skip
def test_half_characters_are_refused(server: Server, address: str, body: Any) -> None:
    answer = server.post(address, body)
    assert answer.status in (400, 410, 422) and answer.json["message"]


def test_half_characters_in_an_answer(server: Server) -> None:
    made = server.post("/api/practise/new", {"seed": "1"}).json["exercise"]
    for answer in ({"values": {"A": HALF}}, {"move": HALF}, {"cuts": HALF}, {"order": [HALF]}):
        got = server.post("/api/practise/check", {"exercise": made, "answer": answer})
        assert got.status in (200, 400)


# -- commands --------------------------------------------------------------------------------------
READING = [
    ["exercise", "--seed", "1", "--check", "{}"], ["exercise", "--students", "{}", "--out", "x"],
    ["exercise", "--tree", "@{}"], ["tree", "@{}"], ["grade", "{}:f"], ["equilibrium", "@{}"],
    ["analyze", "nim", "--tablebase", "{}"], ["doctor", "{}:Game"], ["pgn", "{}"], ["sgf", "{}"],
    ["analyze", "{}.py:Game"], ["analyze", "{}.efg"], ["analyze", "pacman:layout={}"],
    ["analyze", "scrabble:words={}"], ["bridge", "@{}"], ["dilemma", "--with", "{}.py:f"],
    ["match", "nim", "random", "random", "--games", "2", "--record", "{}"],
]  # fmt: skip
WRITING = [
    ["exercise", "--seed", "1", "--out", "{}"], ["tree", "max(3 min(2 4))", "--svg", "{}"],
    ["exercise", "--seed", "1", "--format", "pdf", "--out", "{}"],
    ["tree", "max(3 min(2 4))", "--html", "{}"], ["grade", "x.py:f", "--gradescope", "{}"],
    ["exercise", "--students", "names", "--out", "{}/x"], ["tablebase", "nim", "--out", "{}/x"],
    ["train", "kuhn", "--iterations", "1", "--dir", "{}/x"],
]  # fmt: skip
NOT_THERE = ["x" * 300, "/dev/null/x", "\ud800"]


def refused(run: Any, words: list[str], path: str) -> None:
    done = run(*(w.format(path) for w in words))
    assert done.code in (1, 2) if words[0] in ("pgn", "grade") else done.code == 2, (path, done.err)
    if done.code == 2:
        said = [line for line in done.err.splitlines() if not line.startswith("wrote ")]
        assert said[0].startswith("error: ") and len(said) <= 2, done.err
    assert "Traceback" not in done.err and "Errno" not in done.err, done.err
    assert "Error:" not in done.err and "output cannot" not in done.err, done.err


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_commands_that_read_odd_files(
    words: list[str], run: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(random.Random(1).randbytes(2000))
    for path in ("folder", "binary", "no/such/file", *NOT_THERE):
        refused(run, words, path)


@pytest.mark.parametrize("words", WRITING, ids=" ".join)
def test_commands_that_write_to_odd_places(
    words: list[str], run: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").write_text("Ada\n")
    (tmp_path / "file").write_text("x")
    places = ["file", *NOT_THERE] if words[-1] == "{}/x" else ["/", ".", "no/such/x", *NOT_THERE]
    for path in [*places, *(["/dev/full"] if words[-1] == "{}" else [])]:
        refused(run, words, path)
    assert (tmp_path / "file").read_text() == "x"


@pytest.mark.parametrize("words", [["tree", "-"], ["bridge", "-"], ["play", "nim"]], ids=" ".join)
def test_binary_input(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", *words], input=b"\xff\xfe\x80abc\n\xff\n",
        capture_output=True, timeout=60, env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"},
    )  # fmt: skip
    said = done.stderr.decode()
    assert done.returncode in (0, 2) and "Error" not in said and "Traceback" not in said, said


def test_results_go_to_a_full_device(run: Any) -> None:
    done = run("exercise", "--seed", "1", "--out", "/dev/full")
    assert done.code == 2 and "No space left" in done.err
    with open("/dev/full", "w") as full:
        words = [sys.executable, "-m", "zermelo", "games"]
        said = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert said.returncode == 2 and "No space left" in said.stderr
