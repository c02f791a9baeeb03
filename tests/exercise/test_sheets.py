"""Sheets and keys: PDF that others read, class sets, JSON for pages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import UsageError, ZermeloError
from zermelo.exercise import Recipe, answer_of, api, from_tree, make
from zermelo.exercise.files import file_names
from zermelo.exercise.sheet import Sheet, sheet_html, sheet_pdf, sheet_text
from zermelo.ui.cli import main as cli
from zermelo.view.tree_pdf import Document, _unicode_font

TWO_PLY = "max(min(3 12 8) min(2 4 6) min(14 5 2))"
DEEP = Recipe(depth=3, branching=(2, 3), cuts=3, above=True)
Run = Callable[..., tuple[int, bytes, str]]


@pytest.fixture(autouse=True)
def soon_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be made is found out after fewer trees."""
    monkeypatch.setattr("zermelo.exercise.recipe.TRIES", 300)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfdbinary: Any) -> Run:
    def call(*words: str) -> tuple[int, bytes, str]:
        monkeypatch.setattr(sys, "argv", ["zermelo", *words])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as left:
            cli.main()
        sys.stdout.flush()
        out = capfdbinary.readouterr()
        err = out.err.decode()
        assert "Traceback" not in err
        return int(left.value.code or 0), out.out, err

    return call


# -- PDF -------------------------------------------------------------------------------------
def pages(pdf: bytes) -> int:
    """The number of pages of a complete PDF file."""
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF\n?$", pdf)[0])
    assert pdf[start : start + 4] == b"xref"
    for i, row in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf[start:]), 1):
        assert pdf[int(row) :].startswith(b"%d 0 obj" % i)
    return len(re.findall(rb"/Type /Page\b(?!s)", pdf))


def test_a_pdf_has_one_page_per_exercise() -> None:
    sheets = [Sheet([make(DEEP, i) for i in range(3)], "Alpha-beta", "Zoë Łukasz (北京)")]
    pdf = sheet_pdf(sheets)
    assert pdf.startswith(b"%PDF-1") and pages(pdf) == 3
    assert pages(Document().to_bytes()) == 1


def test_a_missing_fpdf2_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fpdf", None)
    with pytest.raises(UsageError, match="fpdf2") as raised:
        sheet_pdf([Sheet([from_tree(TWO_PLY)])])
    assert 'pip install ".[pdf]"' in raised.value.hint


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="poppler-utils is not installed")
def test_a_pdf_is_read_by_others(tmp_path: Path) -> None:
    e = from_tree(TWO_PLY)
    for key in (False, True):
        path = tmp_path / "sheet.pdf"
        path.write_bytes(sheet_pdf([Sheet([e], "Alpha-beta", "Łukasz")], key))
        done = subprocess.run(
            ["pdftotext", str(path), "-"], capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        name = "Łukasz" if _unicode_font() else "Lukasz"
        assert f"Alpha-beta · {name}" in done.stdout and "≥ β" in done.stdout
        assert {"3", "12", "14", "a", "i", "A"} <= set(done.stdout.split())
        assert ("cuts: e f" in done.stdout) is key
        assert ("2≤α3" in done.stdout.replace(" ", "")) is key


def test_widths_add_up() -> None:
    document = Document()
    assert document.width_of("A", 10) == pytest.approx(6.67)
    assert document.width_of("≤2", 1000) == pytest.approx(549 + 556)


def test_the_sheet_does_not_hold_the_key() -> None:
    e = make(DEEP, "alice")
    bare, key = sheet_text(Sheet([e])), sheet_text(Sheet([e]), True)
    bound = next(v for v in answer_of(e)["values"].values() if v[0] in "≤≥")
    assert bound in key and f" {bound}" not in bare.replace("Write ≤2 or ≥6", "")
    assert "✂" in key and "✂" not in bare
    page = sheet_html([Sheet([e], "<b>", "x & y")])
    assert "struck" not in page.replace(".struck", "") and "<b>" not in page
    assert 'class="e struck top"' in sheet_html([Sheet([e])], True)


# -- the command -----------------------------------------------------------------------------
def test_to_stdout(run: Run) -> None:
    code, first, _ = run("exercise", "--seed", "alice", "--cuts", "2")
    assert code == 0 and run("exercise", "--seed", "alice", "--cuts", "2")[1] == first
    tree = make(Recipe(cuts=2), "alice").tree
    assert tree in first.decode() and "key" not in first.decode()
    assert b"cuts: " in run("exercise", "--seed", "alice", "--cuts", "2", "--key")[1]
    [made] = json.loads(run("exercise", "--seed", "alice", "--cuts", "2", "-f", "json")[1])
    assert made["tree"] == tree and "key" not in made
    assert run("exercise", "--seed", "x", "-f", "pdf")[1].startswith(b"%PDF")
    ET.fromstring(run("exercise", "--tree", TWO_PLY, "-f", "svg")[1])


@pytest.mark.parametrize("suffix", ["txt", "svg", "html", "pdf", "xml"])
def test_a_file_and_its_key(run: Run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"sheet.{suffix}"
    code, out, err = run("exercise", "--seed", "7", "--values", "0..50", "--out", str(path))
    assert code == 0 and out == b"" and f"wrote {path}" in err
    key = tmp_path / f"sheet-key.{suffix}"
    assert path.stat().st_size > 500 and key.exists() == (suffix != "xml")
    assert suffix == "xml" or key.read_bytes() != path.read_bytes()


def test_a_class_set(run: Run, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("# a class\nAnn Lee\n\n../../etc/x\nBob\nkeys\nann_lee\n", encoding="utf-8")
    words = [
        "exercise",
        "--students",
        str(names),
        "--cuts",
        "2",
        "--seed",
        "week 3",
        "--count",
        "2",
    ]
    code, _, _ = run(*words, "--format", "text", "--out", str(tmp_path / "set"))
    made = sorted(p.name for p in (tmp_path / "set").iterdir())
    assert code == 0
    assert made == sorted(["Ann_Lee.txt", "Bob.txt", "ann_lee-2.txt", "etc_x.txt", "keys-2.txt",
                           "keys.txt"])  # fmt: skip
    keys = (tmp_path / "set" / "keys.txt").read_text(encoding="utf-8")
    ann = (tmp_path / "set" / "Ann_Lee.txt").read_text(encoding="utf-8")
    trees = re.findall(r"^max\(.*", ann, re.M)
    assert len(trees) == 2 and all(t in keys for t in trees)
    assert len(set(re.findall(r"^max\(.*", keys, re.M))) == 10  # everybody's are their own
    assert run(*words, "--out", str(tmp_path / "pdf"))[0] == 0
    assert pages((tmp_path / "pdf" / "keys.pdf").read_bytes()) == 10
    assert run(*words, "--format", "moodle", "--out", str(tmp_path / "xml"))[0] == 0
    assert len(ET.parse(tmp_path / "xml" / "class.xml").getroot()) == 5 * 5


def test_check(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    e = make(Recipe(), "alice")
    path.write_text(json.dumps(answer_of(e)), encoding="utf-8")
    code, out, _ = run("exercise", "--seed", "alice", "--check", str(path))
    assert code == 0 and json.loads(out)["right"] is True
    path.write_text(json.dumps(answer_of(e) | {"cuts": e.branches}), encoding="utf-8")
    code, out, _ = run("exercise", "--seed", "alice", "--check", str(path))
    assert code == 1 and json.loads(out)["slips"][0]["part"] == "cuts"


@pytest.mark.parametrize(
    "words",
    [
        ["--depth", "0"], ["--depth", "x"], ["--branching", "3..2"], ["--branching", "two"],
        ["--values", "1.5..3"], ["--cuts", "-1"], ["--cuts", "99", "--depth", "1"],
        ["--root", "mid"], ["--cut", "loose"], ["--ask", "colour"], ["--tree", "max(3"],
        ["--tree", "7"],
        ["--tree", "max(min(1 2) 3)", "--count", "2"], ["--tree", "@/nowhere/x"], ["--count", "0"],
        ["--students", "/nowhere/names"], ["--format", "docx"], ["--format", "svg", "--count", "2"],
        ["--out", "/nowhere/at/all.pdf"], ["--paper", "a0"], ["--algorithm", "engine"],
        ["--algorithm", "alphabetta"], ["--check", "/nowhere"],
        ["--seed", "a", "--check", "/nowhere"],
        ["--algorithm", "minimax", "--cuts", "2"], ["--tree", "p1#I(1 2)"],
        ["--tree", "max(" * 200 + "1" + ")" * 200], ["--seed", "\udcff"],
    ],
)  # fmt: skip
def test_wrong_commands(run: Run, words: list[str]) -> None:
    code, out, err = run("exercise", *words)
    assert code == 2 and out == b"", err
    assert err.startswith("error: ") and "hint: " in err


def test_students_that_make_no_sense(run: Run, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    for text, why in (("", "contains no names"), ("Ann\nAnn\n", "twice")):
        names.write_text(text, encoding="utf-8")
        code, _, err = run("exercise", "--students", str(names), "--out", str(tmp_path / "o"))
        assert code == 2 and why in err
    names.write_text("Ann\n", encoding="utf-8")
    assert run("exercise", "--students", str(names))[0] == 2
    assert file_names(["...", "///"], set()) == ["student", "student-2"]


# -- for pages -------------------------------------------------------------------------------
def test_the_api_goes_round() -> None:
    made = api.new({"depth": 3, "branching": [2, 3], "cuts": 3, "above": True, "seed": "bob"})
    made = json.loads(json.dumps(made))
    assert set(made) >= {"exercise", "svg", "parts", "inner", "leaves", "branches", "task"}
    text = json.dumps({k: v for k, v in made.items() if k != "svg"})
    assert (
        "key" not in text
        and "pruned" not in text
        and "struck" not in ET.fromstring(made["svg"]).attrib
    )
    e = api.read(made["exercise"])
    assert e.tree == made["exercise"]["tree"]
    assert api.check_answer({"exercise": made["exercise"], "answer": answer_of(e)})["right"] is True
    reply = api.check_answer({"exercise": made["exercise"], "answer": {"cuts": made["branches"]}})
    assert reply["right"] is False and len(reply["slips"]) == 1 and "key" not in reply
    told = api.check_answer({"exercise": made["exercise"], "answer": {}, "reveal": True})
    assert told["key"] == answer_of(e)


def test_the_api_places_its_nodes_in_the_picture() -> None:
    made = api.new({"depth": 3, "seed": 1})
    svg = ET.fromstring(made["svg"])
    ns = "{http://www.w3.org/2000/svg}"
    edges = {
        g.get("data-n"): g for g in svg.iter(f"{ns}g") if (g.get("class") or "").startswith("e")
    }
    for node in made["nodes"]:
        if node["parent"] is not None:
            label = edges[str(node["at"])].find(f"{ns}text")
            assert label is not None and label.text == node["name"]


def test_the_api_takes_a_tree() -> None:
    made = api.new({"tree": "max(x=min(3 5) y=min(2 9))", "cut": "strict"})
    assert made["exercise"]["tree"] == "max(A=min(a=3 b=5) B=min(c=2 d=9))"
    assert made["exercise"]["cut"] == "strict"


HOSTILE: list[Any] = [
    [], 3, None, {"depth": "3"}, {"depth": 1e9}, {"depth": None}, {"branching": "2"}, {"seed": []},
    {"branching": [2]}, {"branching": [1, 2, 3]}, {"values": [None, 3]}, {"x": 1}, {"tree": 3},
    {"tree": "max("}, {"tree": "max(" * 4000 + "1" + ")" * 4000}, {"tree": "max(1 2)" * 9999},
    {"parts": "values"}, {"parts": [3]}, {"algorithm": 3}, {"algorithm": "engine"}, {"ties": "yes"},
    {"root": []}, {"cut": {}}, {"seed": "x" * 10_000}, {"seed": True}, {"cuts": 399, "depth": 2},
    {"depth": 12, "branching": 12}, {"players": 3, "root": "min"}, {"chance": 1},
]  # fmt: skip


@pytest.mark.parametrize("sent", HOSTILE)
def test_hostile_recipes(sent: Any) -> None:
    if sent is None:
        assert api.new(None)["parts"]
        return
    with pytest.raises(ZermeloError):
        api.new(sent)


@pytest.mark.parametrize(
    "sent",
    [
        {}, [], {"exercise": {}}, {"exercise": {"tree": TWO_PLY}, "answer": []},
        {"exercise": {"tree": TWO_PLY}, "answer": {"cuts": {"a": 1}}},
        {"exercise": {"tree": TWO_PLY, "cut": 3}},
        {"exercise": {"tree": TWO_PLY, "requested": "x"}},
        {"exercise": {"tree": TWO_PLY, "algorithm": []}},
        {"exercise": {"tree": TWO_PLY}, "answer": {"values": {"A": 1, "Q": 2}}},
        {"exercise": {"tree": TWO_PLY}, "answer": {"order": [None]}},
        {"exercise": {"tree": TWO_PLY}, "answer": {"values": [1]}},
    ],
)  # fmt: skip
def test_hostile_answers(sent: Any) -> None:
    with pytest.raises(UsageError):
        api.check_answer(sent)


def test_odd_values_are_wrong_not_errors() -> None:
    for odd in ([], {}, [1, 2], "∞", "1e999", "\x00", "<=" * 50, 1e308, -0.0, "9" * 4000):
        sent = {"exercise": {"tree": TWO_PLY}, "answer": {"values": {"A": odd}}}
        assert api.check_answer(sent)["right"] is False
    for odd in ("\ud800", "\x1b[2J", "a\u202eb"):  # what is told of them can be sent and shown
        sent = {"exercise": {"tree": TWO_PLY}, "answer": {"values": {"A": odd}, "move": odd}}
        json.dumps(api.check_answer(sent), ensure_ascii=False).encode()
        assert odd not in json.dumps(api.check_answer(sent), ensure_ascii=False)
