"""Steps and pictures of searches with chance nodes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from chance import PRUNES, expectiminimax
from zermelo import tree
from zermelo.view.steps_html import steps_html
from zermelo.view.steps_text import steps_text
from zermelo.view.tree_svg import tree_svg

SHOWN = (
    "max(a=chance(1/2:min(6 9) 1/2:min(8 3)) b=chance(1/3:min(2 4) 1/3:min(7 4) 1/3:min(10 5)) "
    "c=chance(0.25:min(3 12) 0.5:min(1 8) 0.25:min(9 10)))"
)


def shown(**options: Any) -> Any:
    return expectiminimax(tree(SHOWN), trace=True, **options).trace


def test_steps_of_chance_in_words() -> None:
    text = "\n".join(steps_text(shown(prune="star1")))
    assert "chance at c: 1 gives 3 with probability 0.25" in text
    assert "between 1.5 and 9.75 in the end" in text
    assert (
        "even if all remaining outcomes were 12, 4.25 ≤ α 4.5, so 1 branch cut (3), 2 leaves saved"
        in text
    )
    plain = "\n".join(steps_text(shown()))
    assert "between" not in plain and "16 leaves visited" in plain
    assert "so far 0.75" in plain


def test_a_cut_by_probes_in_words() -> None:
    """The last probe settles it: what the probes left out is cut."""
    text = "max(chance(min(3 12) min(9 1)) chance(min(2 4) min(0 6)))"
    trace = expectiminimax(tree(text), trace=True, prune="star2").trace
    told = "\n".join(steps_text(trace))
    assert "probed, at most 2; the chance node above is between 0 and 7" in told
    assert "with the bounds of the probes, 1 ≤ α 2, so 2 branches cut (1→2, 2→2)" in told
    assert "nothing was left" not in told


def test_probes_in_words() -> None:
    trace = shown(prune="star2")
    text = "\n".join(steps_text(trace))
    assert "MIN at c→1: its first move probed, at most 3" in text
    assert "with the bounds of the probes, 4.25 ≤ α 4.5" in text
    assert "12 of 16 leaves visited" in text
    # What a probe found is told of that move, not of another.
    for e in trace.events:
        if e.kind == "backup" and trace.nodes[e.node].player == 1 and e.improved:
            assert trace.nodes[e.child].value == e.value
    ids = [(n.parent, n.label) for n in trace.nodes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("prune", PRUNES)
def test_pictures_of_chance(prune: str) -> None:
    trace = shown(prune=prune)
    root = ET.fromstring(tree_svg(trace))
    texts = ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert sum(t == "1/3" for t in texts) == 3 and "0.25" in texts
    circles = root.iter("{http://www.w3.org/2000/svg}ellipse")
    assert len(list(circles)) == 3 + 1  # and one in the legend
    assert any("rest 12: 4.25 ≤ α 4.5" in t for t in texts) == (prune == "star1")
    for step in range(0, len(trace.events), 7):
        ET.fromstring(tree_svg(trace, step=step))
    page = steps_html(trace)
    assert "chance at c" in page and "</html>" in page
