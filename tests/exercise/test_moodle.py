"""Moodle XML as Moodle's importer reads it: what it would refuse, these tests refuse.

The rules are those of Moodle's question/format/xml and of its question types multichoice and
multianswer: which elements there must be, which shares of a mark there are, how a gap is read.
"""

from __future__ import annotations

import base64
import html
import re
import xml.etree.ElementTree as ET

import pytest

from zermelo.exercise import Recipe, answer_of, check, from_tree, make
from zermelo.exercise.moodle import SHARES, cut_shares, moodle_xml, value_texts
from zermelo.exercise.sheet import Sheet

DEEP = Recipe(depth=3, branching=(2, 3), cuts=3, above=True)
GRADES = [s / 100 for s in (*SHARES, *(-s for s in SHARES))] + [0.0]

# A gap: {weight:KIND:answers}, answers apart by ~, each = or %share% and its text, #feedback
ANSWER = r"(=|%(-?[0-9]+(?:[.,][0-9]*)?)%)?(.+?(?<!\\|&)(?=[~#}]|$))(#(.*?(?<!\\)(?=[~}]|$)))?"
GAP = re.compile(rf"\{{([0-9]*):(MULTICHOICE|SHORTANSWER_C|SHORTANSWER):({ANSWER}(~{ANSWER})*)\}}")


def read_gaps(text: str) -> list[tuple[str, list[tuple[float, str]]]]:
    """Every gap's kind and answers with their shares."""
    found = []
    for m in GAP.finditer(text):
        answers = []
        for sign, percent, answer, _, _ in re.findall(rf"~?{ANSWER}", m[3]):
            share = 1.0 if sign == "=" else float(percent or 0) / 100
            plain = re.sub(r"\\([}#~/\"\\])", r"\1", html.unescape(answer))
            answers.append((share, plain.strip()))
        found.append((m[2], answers))
    return found


def gaps_of(text: str) -> list[tuple[str, list[str]]]:
    """Each gap's kind and right answers."""
    return [(kind, [a for share, a in answers if share == 1]) for kind, answers in read_gaps(text)]


def imported(xml: str) -> ET.Element:
    """The quiz, if Moodle would take it; every test below reads through this."""
    root = ET.fromstring(xml.encode())
    assert root.tag == "quiz" and xml.startswith('<?xml version="1.0" encoding="UTF-8"?>')
    for question in root:
        assert question.tag == "question"
        kind = question.get("type")
        if kind == "category":
            place = question.findtext("category/text") or ""
            assert place.startswith("$course$/top/") and all(re.split("(?<!/)/(?!/)", place))
            continue
        one_of_each(question)
        name = question.findtext("name/text") or ""
        assert 0 < len(name.strip()) <= 255
        text = question.find("questiontext")
        assert text is not None and text.get("format") == "html"
        pictures(text)
        assert 0 <= float(question.findtext("penalty") or "nan") <= 1
        {"multichoice": multichoice, "cloze": cloze}[str(kind)](question)
    return root


def one_of_each(question: ET.Element) -> None:
    tags = [child.tag for child in question if child.tag != "answer"]
    assert len(tags) == len(set(tags))
    assert {"name", "questiontext", "generalfeedback", "penalty", "hidden"} <= set(tags)


def pictures(text: ET.Element) -> None:
    """Every picture that the text shows is there, and is one."""
    told = text.findtext("text") or ""
    files = {f.get("name"): f for f in text.findall("file")}
    assert set(re.findall(r"@@PLUGINFILE@@/([^\"]+)", told)) == set(files)
    for file in files.values():
        assert file.get("encoding") == "base64" and file.get("path") == "/"
        assert ET.fromstring(base64.b64decode(file.text or "", validate=True)).tag.endswith("svg")
    ET.fromstring("<p>" + told.replace("&nbsp;", " ").replace('"></p>', '"/></p>') + "</p>")


def multichoice(question: ET.Element) -> None:
    answers = question.findall("answer")
    texts = [a.findtext("text") or "" for a in answers]
    assert len(texts) >= 2 and all(texts) and len(texts) == len(set(texts))
    assert question.findtext("single") == "false"
    assert question.findtext("shuffleanswers") in ("true", "false")
    assert question.findtext("answernumbering") in ("none", "abc", "ABCD", "123", "iii", "IIII")
    assert float(question.findtext("defaultgrade") or 0) > 0
    for name in ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback"):
        assert question.find(f"{name}/text") is not None
    shares = [float(a.get("fraction") or "nan") / 100 for a in answers]
    for share in shares:  # Moodle's list, and its fuzzy comparison
        assert any(abs(share - grade) < 0.00001 for grade in GRADES), share
    assert round(sum(s for s in shares if s > 0), 2) == 1
    for a in answers:
        assert a.get("format") in ("plain_text", "html") and a.find("feedback/text") is not None


def cloze(question: ET.Element) -> None:
    text = question.findtext("questiontext/text") or ""
    gaps = read_gaps(text)
    assert gaps and len(gaps) == text.count("{") == len(re.findall(r"(?<!\\)\}", text))
    for kind, answers in gaps:
        texts = [answer for _, answer in answers]
        assert all(texts) and max(share for share, _ in answers) == 1
        assert len(texts) >= (2 if kind == "MULTICHOICE" else 1)
        assert not any("*" in t for t in texts), "a star stands for anything"


@pytest.mark.parametrize(
    "recipe",
    [Recipe(), DEEP, Recipe(depth=4, branching=(2, 3)), Recipe(chance=True), Recipe(players=3),
     Recipe(ties=True, cut="strict"), Recipe(depth=5, branching=(2, 3)), Recipe(root="min", cuts=0),
     Recipe(depth=2, branching=(2, 3), parts=("values",)), Recipe(depth=2, parts=("cuts",))],
    ids=repr,
)  # fmt: skip
def test_moodle_would_take_every_file(recipe: Recipe) -> None:
    for seed in range(12):
        imported(moodle_xml([Sheet([make(recipe, seed)], "Alpha-beta", f"student {seed}")]))


@pytest.mark.parametrize(
    "text",
    ["max(min(3 2))", "max(3 5)", "max(chance(1/2:3 1/2:8) 5)", "max(min(-1.5 2) min(0.25 1e9))",
     "p1(p2((1,2,3) (3,2,1)) p2((0,0,0) (5,5,5)))", "max(a=min(3 12) b=min(2 4))"],
)  # fmt: skip
def test_moodle_would_take_trees_that_were_typed(text: str) -> None:
    imported(moodle_xml([Sheet([from_tree(text)])]))


def test_names_of_students_break_nothing() -> None:
    names = ["a/b", "]]>", "<b>&amp;", "{1:SA:=x}", "Zoë 北京", "bell\x07", "\u202eabc", 'q"uote']
    sheets = [Sheet([make(DEEP, n)], f"T {n}", n) for n in names]
    root = imported(moodle_xml(sheets))
    places = [q.findtext("category/text") or "" for q in root if q.get("type") == "category"]
    assert places[0] == "$course$/top/T a//b/a//b" and len(places) == len(names)
    assert all(len(re.split("(?<!/)/(?!/)", p)) == 4 for p in places)


def test_moodle_accepts_what_the_checker_accepts() -> None:
    for seed in range(15):
        e = make(Recipe(depth=3, branching=(2, 3)), seed)
        gaps, cuts = imported(moodle_xml([Sheet([e])])).findall("question")
        assert gaps.get("type") == "cloze" and cuts.get("type") == "multichoice"
        text = gaps.findtext("questiontext/text") or ""
        found = gaps_of(text)
        assert len(found) == len(e.inner) + 2
        right = answer_of(e)
        for name, (kind, ways) in zip(e.inner, found, strict=False):
            assert kind == "SHORTANSWER" and ways == value_texts(e, name)
            for way in ways:  # each way is right for the checker too
                assert check(e, right | {"values": right["values"] | {name: way}}).right, way
        assert found[-2][1][0] == " ".join(e.order) and found[-1][1] == e.moves
        for way in found[-2][1]:
            assert check(e, right | {"order": way}).right


def test_moodle_shares_add_up() -> None:
    allowed = {0.0, *SHARES, *(-s for s in SHARES)}
    for seed in range(45):
        e = make(Recipe(depth=2 + seed % 3, branching=(2, 3)), seed)
        if len(e.cuts) > 10:
            continue
        root = imported(moodle_xml([Sheet([e])]))
        answers = root.findall("question[@type='multichoice']/answer")
        worth = [float(a.get("fraction") or 0) for a in answers]
        assert all(any(abs(w - s) < 1e-4 for s in allowed) for w in worth)
        assert sum(w for w in worth if w > 0) == pytest.approx(100, abs=1e-2)
        branches = cut_shares(e)
        assert sum(branches.values()) <= 1e-3  # everything cut earns nothing
        assert {b for b, w in branches.items() if w > 0} == set(e.cuts)


def test_moodle_pictures_and_categories() -> None:
    sheets = [Sheet([make(DEEP, n)], "A & B", n) for n in ("ann/e", "bob")]
    root = imported(moodle_xml(sheets))
    assert [q.get("type") for q in root] == ["category", "cloze", "multichoice"] * 2
    assert root.findtext("question/category/text") == "$course$/top/A & B/ann//e"
    for file in root.iter("file"):
        assert ET.fromstring(base64.b64decode(file.text or "")).tag.endswith("svg")
    text = root.findtext("question[@type='cloze']/questiontext/text") or ""
    assert '<img src="@@PLUGINFILE@@/tree.svg"' in text
