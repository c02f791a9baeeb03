"""A search as text: numbers, steps in words, and the tree."""

from __future__ import annotations

import math

from traced_trees import ALL, TREES, TWO_PLY, traced
from zermelo.trace import Trace
from zermelo.view.number import bounded, number, pretty, probability, window
from zermelo.view.steps_text import steps_text, tree_text


def test_numbers_as_a_person_writes_them() -> None:
    said = {3.0: "3", 54.5: "54.5", -0.0: "0", math.inf: "∞", -math.inf: "-∞", 1 / 3: "0.333"}
    said |= {-0.0001: "-0.0001", 1e15: "1e+15", 100.0: "100", -8.0: "-8", 0.9996: "1"}
    assert {v: number(v) for v in said} == said
    assert number(None) == "" and number(math.nan) == "?"
    assert [bounded(6, "lower"), bounded(2, "upper"), bounded(1, "estimate")] == ["≥6", "≤2", "≈1"]
    assert window(-math.inf, 3) == "[-∞, 3]" and window(None, None) == ""
    assert [probability(p) for p in (0.5, 1 / 3, 1 / 36, None)] == ["0.5", "1/3", "1/36", ""]
    assert pretty("2 <= alpha 3") == "2 ≤ α 3"


@ALL
def test_lines_of_steps_are_numbered_one_by_one(trace: Trace) -> None:
    _, *steps, _ = (line for line in steps_text(trace) if not line.startswith("…"))
    assert [int(line.split()[0]) for line in steps] == list(range(1, len(steps) + 1))


def test_steps_in_words() -> None:
    said = list(steps_text(TREES["two-ply"]))
    assert said[0] == "alphabeta: cuts when value ≥ β"
    assert said[1].split(maxsplit=1) == ["1", "MAX at the root, window [-∞, ∞]"]
    assert any(s.endswith("    MIN at a2: best so far 2 by 1, β becomes 2") for s in said)
    assert any("✂ MIN at a2: 2 ≤ α 3, so 2 branches cut (2, 3)" in s for s in said)
    assert said[-1] == "alphabeta: value 3, best move a1; 7 of 9 leaves visited, 2 branches cut"
    assert not any("\x1b" in s for s in said)
    assert "\x1b[1;31m" in "".join(steps_text(TREES["two-ply"], color=True))
    luger = list(steps_text(TREES["luger"]))
    assert any("so 1 branch cut (2), 2 leaves saved" in s for s in luger)
    assert luger[-1].endswith("6 of 11 leaves visited, 3 branches cut")
    assert any("1 gives 2 with probability 0.9, so far 1.8" in s for s in steps_text(TREES["odds"]))


def test_the_searchs_own_words_win() -> None:
    trace = traced(TWO_PLY)
    trace.events[0].text = "depth 2 with alpha -inf"
    assert "the root: depth 2 with α -inf" in list(steps_text(trace))[1]


def test_tree_as_text() -> None:
    lines = tree_text(TREES["two-ply"]).splitlines()
    assert lines[0] == "MAX 3 [-∞, ∞]"
    assert lines[1:3] == ["├─ a1: MIN 3 [-∞, ∞] *", "│  ├─ 1: 3 *"]
    assert lines[5:8] == ["├─ a2: MIN ≤2 [3, ∞] ✂ 2 ≤ α 3", "│  ├─ 1: 2", "│  ├╌ 2: 4 ✂"]
    assert len(tree_text(TREES["folded"], 50).splitlines()) <= 100
