"""The command line: stdout is data, errors are one sentence and a hint, exit codes 0, 1 and 2."""

from __future__ import annotations

import json
import sys
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.equilibrium.variants import VARIANTS
from zermelo.search.algorithms import algorithms

COMMAND = [sys.executable, "-m", "zermelo"]

TREE = "max(min(3 12 8) min(2 4 6) min(14 5 2))"

FIELDS = {
    "game", "position", "algorithm", "value", "values", "action", "pv", "depth", "nodes", "elapsed",
    "exact", "moves", "why", "seed",
}  # fmt: skip


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "mygame.py"
    path.write_text(
        textwrap.dedent("""
        import zermelo
        class Count(zermelo.Game):
            def initial(self): return (4, 0)
            def player(self, s): return s[1]
            def actions(self, s): return [a for a in (1, 2) if a <= s[0]]
            def result(self, s, a): return (s[0] - a, 1 - s[1])
            def is_terminal(self, s): return s[0] == 0
            def utility(self, s, p): return -1 if s[1] == p else 1
        class Needs(Count):
            def __init__(self, n): self.n = n
        class Nan(Count):
            def utility(self, s, p): return float("nan")
        not_a_game = 3
        """)
    )
    return path


def test_games_and_algorithms(run: Any) -> None:
    listed = run("games")
    assert listed.code == 0 and not listed.err
    document = json.loads(run("games", "--json").out)
    assert [g["name"] for g in document] == zermelo.games.names()
    assert all(g["name"] in listed.out for g in document)
    known = json.loads(run("algorithms", "--json").out)
    assert [a["name"] for a in known] == list(algorithms())
    assert "McCarthy" in run("algorithms", "alphabeta").out
    for variant in VARIANTS.values():
        assert variant.summary in run("algorithms").out
        assert variant.summary in run("algorithms", variant.name).out
        assert (
            json.loads(run("algorithms", variant.name, "--json").out)[0]["summary"]
            == variant.summary
        )
    assert run("version").out.strip() == zermelo.__version__


@pytest.mark.parametrize(
    "words",
    [
        ("analyze", "connect-four", "--depth", "4"),
        ("analyze", "tic-tac-toe", "--position", "XX./OO./..."),
        ("analyze", "tic-tac-toe", "-p", "XXX/OO./..."), ("analyze", TREE, "-a", "minimax"),
        ("analyze", "nim", "--nodes", "50", "--seed", "7"),
        ("analyze", "connect-four", "-t", "0.05"),
        ("analyze", "tic-tac-toe", "-d", "3", "--lines", "3", "--evaluate", "open-lines"),
        ("analyze", "tic-tac-toe", "-d", "3", "--cut", "strict", "--fail", "hard", "--ties",
        "--table", "1"),
        ("solve", "tic-tac-toe"), ("solve", "nim:piles=1,2,3", "--ties"),
        ("solve", "split-nim", "--table", "1"),
        ("tree", TREE), ("tree", "7"),
    ],
)  # fmt: skip
def test_json_is_one_document_with_all_fields(words: tuple[str, ...], run: Any) -> None:
    done = run(*words, "--json")
    assert done.code == 0
    document = json.loads(done.out)
    assert set(document) >= FIELDS
    told = [json.loads(line) for line in done.err.splitlines()]  # every finished depth
    assert all(t["depth"] <= document["depth"] and t["nps"] >= 0 for t in told)
    if told:
        assert told[-1]["action"] == document["action"] and told[-1]["pv"] == document["pv"]
    assert all(set(m) >= {"action", "value", "kind", "visits"} for m in document["moves"])
    assert done.out.count("\n") == 1
    plain = run(*words)
    assert plain.code == 0 and plain.out.strip() and not plain.err


def test_json_says_what_the_library_says(run: Any) -> None:
    document = json.loads(
        run("analyze", "connect-four", "-p", "445", "-d", "5", "--seed", "3", "--json").out
    )
    game = zermelo.load("connect-four")
    r = zermelo.search(game, game.parse_state("445"), depth=5, seed=3)
    for field in ("value", "action", "pv", "depth", "nodes", "exact", "why", "seed", "algorithm"):
        assert document[field] == getattr(r, field)
    assert document["values"] == list(r.values) and document["position"] == "445"
    perft = json.loads(run("perft", "connect-four", "-d", "5", "--json").out)
    assert perft["nodes"] == 16807 and set(perft) >= {"nodes", "elapsed", "nps"}
    assert "16,807" in run("perft", "connect-four", "--depth", "5").out


def test_positions_are_counted(run: Any) -> None:
    assert run("positions", "go:size=3").out == "12,675 legal positions\n"
    found = json.loads(run("positions", "tic-tac-toe", "--json").out)
    assert found == {"game": "tic-tac-toe", "positions": 5478, "kind": "reachable"}
    refused = run("positions", "go:size=19")
    assert refused.code == 2 and "size=19" in refused.err and "up to 9x9" in refused.err


def test_trees_from_files_and_stdin(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.tree"
    path.write_text("max(min(3 12 8)\n min(2 4 6))\n")
    for words, stdin in ((("tree", f"@{path}"), None), (("tree", "-"), path.read_text())):
        assert json.loads(run(*words, "--json", stdin=stdin).out)["value"] == 3
    steps = run("tree", TREE, "--steps")
    assert steps.code == 0 and len(steps.out.splitlines()) > 10


def test_pictures_and_pages(run: Any, tmp_path: Path) -> None:
    svg, page, result = tmp_path / "t.svg", tmp_path / "t.html", tmp_path / "r.html"
    done = run("tree", TREE, "--svg", str(svg), "--html", str(page), "--json")
    assert done.code == 0 and json.loads(done.out)["value"] == 3
    assert f"wrote {svg}" in done.err and f"wrote {page}" in done.err
    assert ET.fromstring(svg.read_text()).tag.endswith("svg")
    assert "<script" in page.read_text() and "http://" not in page.read_text().replace(
        "http://www.w3.org", ""
    )
    assert run("analyze", "nim", "--html", str(result)).code == 0
    assert result.read_text().startswith("<!doctype html>")


def test_somebodys_own_game(run: Any, rules: Path) -> None:
    assert json.loads(run("solve", f"{rules}:Count", "--json").out)["value"] == 1
    assert run("doctor", f"{rules}:Count", "--games", "20").code == 0
    assert run("doctor", f"{rules}:Nan", "--games", "20").code == 1


def test_the_answer_no_is_exit_code_1(run: Any) -> None:
    done = run("solve", "connect-four", "--nodes", "1000")
    assert (done.code, done.out) == (1, "") and "not solved" in done.err and "hint:" in done.err
    assert run("solve", "connect-four", "--time", "0.05", "--json").code == 1


BAD = """
analyze nosuch
analyze tictactoe
analyze tic-tac-toe:q=1
analyze connect-four --position 8
analyze connect-four --position 4444444
analyze connect-four --position hello
analyze connect-four --position ././.
analyze tic-tac-toe --position XXXX
analyze tic-tac-toe --position XXX/XXX/XXX
analyze tic-tac-toe --position ²
analyze nim --position 70000
analyze nim --position -1
analyze split-nim --position 120
analyze nim --depth 0
analyze nim --depth -3
analyze nim --depth x
analyze nim --depth 99999999999999999999
analyze nim --nodes 0
analyze nim --time 0
analyze nim --time nan
analyze nim --time inf
analyze nim --time -1
analyze nim --algorithm mini
analyze nim --lines 0
analyze nim --lines 5000
analyze nim --cut maybe
analyze nim --fail never
analyze nim --table -1
analyze nim --evaluate material
analyze nim --algorithm minimax --ties
analyze nim --html /nosuch/dir/a.html
analyze nim extra
analyze
analyze --nosuch
solve nim --time 0
solve chance(1/2:3 1/3:4)
solve nim --table x
perft nim
perft nim --depth -1
perft nim --depth 99999999
tree max(
tree max(3,
tree foo(3)
tree @/nosuch/file
tree @.
tree p1((1,2,3) 4)
tree 3 --svg /nosuch/x.svg --algorithm nosuch
tree max(1) --svg /nosuch/x.svg
play nosuch
play nim --side 2
play nim --opponent nosuch
textbook nosuch
doctor nosuch.py:Game
doctor nim:x=1
algorithms nosuch
analyze x.py:Game
analyze x.py
nosuch
""".strip().splitlines()


def split(line: str) -> list[str]:
    """Words, but for trees, which stay whole."""
    command, _, rest = line.partition(" ")
    if "(" not in rest:
        return line.split()
    text, _, more = rest.rpartition(")")
    return [command, text + ")" if text else rest, *(more.split() if text else [])]


@pytest.mark.parametrize("line", BAD)
def test_bad_input_is_one_sentence_and_a_hint(line: str, run: Any) -> None:
    done = run(*split(line), stdin="")
    assert done.code == 2, done.out
    assert done.out == ""
    assert done.err.startswith("error: ") and "\nhint: " in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "line", ["tree chance(1/2:1 1/3:2)", "play nim --depth 0", "play nim --time 0"]
)
def test_more_bad_input(line: str, run: Any) -> None:
    test_bad_input_is_one_sentence_and_a_hint(line, run)


def test_trees_in_which_nodes_look_alike(run: Any) -> None:
    """Drawn with the odds of an equilibrium; sets by their labels."""
    text = "chance(p1#I(a=(1,-1) b=(0,0)) p1#I(a=(-2,2) b=(0,0)))"
    drawn = run("tree", text)
    assert drawn.code == 0 and "MAX #I" in drawn.out and "equilibrium" in drawn.out
    assert "MAX  #I" in run("equilibrium", text).out
    file = Path(__file__).parents[3] / "examples" / "games" / "beer_quiche.efg"
    assert "p2 #1.1 saw beer" in run("tree", f"@{file}").out
    assert "p2  #1.1 saw beer" in run("equilibrium", str(file)).out


@pytest.mark.parametrize(
    ("line", "error", "hint"),
    [
        ("equilibrium kuhn -a zz", "unknown algorithm 'zz'", "cfr+"),
        ("equilibrium kuhm", "unknown game or matrix 'kuhm'", "'kuhn'"),
        ("equilibrium chickn", "unknown game or matrix", "'chicken'"),
        ("bench --seconds -1", "--seconds", "bench --help"),
        ("analyze chess -t x", "invalid --time: expected a number", "analyze --help"),
        ("analyze chess -d 1.5", "invalid --depth: expected a whole number", "analyze --help"),
        ("doctor README.md", "'README.md' is not a game", "FILE.py:CLASS"),
        ("play chess --side Green", "invalid side 'Green'", "White (0) or Black (1)"),
        ("equilibrium kuhn -a supports", "matrix games", "cfr+"),
        ("equilibrium kuhn -n -4", "iterations=-4", "at least 1"),
        ("equilibrium stratego", "10^2701 histories", "analyze"),
        ("equilibrium kriegspiel", "10^1227 histories", "analyze"),
        ("equilibrium bridge", "10^24 histories", "analyze"),
        ("equilibrium holdem", "10^19 histories", "sampling"),
        ("equilibrium bridge -a sampling", "too large to sample", "analyze"),
        ("train leduc --dir nowhere", "needs an algorithm", "--algorithm cfr+"),
        ("train nim --dir nowhere", "cannot be trained", "othello"),
        ("train kuhn --dir nowhere -a zz", "unknown algorithm 'zz'", "cfr+"),
        ("train go --dir nowhere -a zz", "unknown algorithm 'zz' for Go", "patterns"),
        ("analyze rock-paper-scissors", "unknown game", "equilibrium rock-paper-scissors"),
        ("analyze nim -a mcts:simulations=0", "simulations=0", "from 1 to"),
        ("match nim mcts:simulations=0 random", "simulations=0", "from 1 to"),
        ("match pig mcts:simulations=100 random --games 0", "games=0", "at least 1"),
        ("match nim:players=3 random random random random", "2 to 3 players", "at most 3"),
        ("bridge @", "no file name after @", "@FILE"),
        ("tree @", "no file name after @", "@FILE"),
        ("bridge @/nosuch", "/nosuch cannot be read: No such file", "path"),
    ],
)
def test_errors_name_what_was_wrong(
    line: str, error: str, hint: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*line.split())
    said, _, told = done.err.partition("\nhint: ")
    assert done.code == 2 and error in said and hint in told
    assert not list(tmp_path.iterdir())


def test_rules_that_raise(run: Any, rules: Path) -> None:
    rules.write_text(rules.read_text().replace('float("nan")', "1 / 0"))
    done = run("analyze", f"{rules}:Nan", "-a", "minimax")
    assert done.code == 2 and "hint:" in done.err


def test_rules_that_are_called_in_vain_are_found(run: Any, rules: Path) -> None:
    """A method that lacks an argument is named with its file, not with ours or typer's."""
    text = rules.read_text()
    line = text.splitlines().index("    def utility(self, s, p): return -1 if s[1] == p else 1") + 1
    rules.write_text(text.replace("def utility(self, s, p): return -1", "def utility(self, s): 1"))
    for words in (("analyze",), ("solve",), ("play",), ("match", "random", "random")):
        done = run(words[0], f"{rules}:Count", *words[1:], stdin="")
        assert done.code == 2 and f"({rules}, line {line})" in done.err, done.err
        assert "hint: def utility(self, s, p)" in done.err
    assert run("doctor", f"{rules}:Count").code == 1


def test_an_error_in_a_match_is_found_in_the_rules(run: Any, rules: Path) -> None:
    rules.write_text(rules.read_text().replace('float("nan")', "len(3)"))
    done = run("match", f"{rules}:Nan", "random", "random", "--opening", "0")
    assert done.code == 2 and str(rules) in done.err and "in utility" in done.err


def test_bad_games_of_somebodys_own(run: Any, rules: Path) -> None:
    for name in ("Needs", "Conut", "not_a_game", ""):
        done = run("analyze", f"{rules}:{name}")
        assert done.code == 2 and "hint: " in done.err, name
    broken = rules.with_name("broken.py")
    for text in ("def f(:", "1/0", "import nosuch_module", "\0"):
        broken.write_text(text)
        done = run("analyze", f"{broken}:Game")
        assert done.code == 2 and done.err.startswith("error: "), text
    assert run("analyze", f"{rules}:Nan", "-a", "minimax").code == 2


def test_no_arguments_and_help(run: Any) -> None:
    assert run("--help").code == 0
    for command in (
        "analyze",
        "solve",
        "perft",
        "tree",
        "play",
        "textbook",
        "doctor",
        "bench",
        "games",
    ):
        done = run(command, "--help")
        assert done.code == 0 and "Usage" in done.out
