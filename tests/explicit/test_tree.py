"""Explicit trees: the whole notation, every mistake with its place, and very large ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import CHANCE, TreeSyntaxError, UsageError, search, tree
from zermelo.explicit.tree import complete


def leaf(text: str) -> float:
    game = tree(text)
    return game.utility(game.initial(), 0)


def walk(game: Any, *actions: Any) -> Any:
    s = game.initial()
    for a in actions:
        s = game.result(s, a)
    return s


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), ("-8", -8), ("+4", 4), ("−5", -5), ("2.5", 2.5), (".5", 0.5), ("5.", 5),
        ("1e3", 1000), ("-1E-2", -0.01), ("1/4", 0.25), ("-3/2", -1.5), ("1.5/3", 0.5), ("-0", 0),
        (" 7 ", 7), ("\n7\t", 7),
    ],
)  # fmt: skip
def test_numbers(text: str, value: float) -> None:
    assert leaf(text) == value
    assert str(leaf(text)) != "-0.0"
    assert search(tree(text)).value == value


def test_zero_sum_and_players() -> None:
    game = tree("max(3 min(1 2))")
    assert (game.players, game.zero_sum, game.utility_bounds) == (2, True, (1, 3))
    s = walk(game, 1)
    assert (game.utility(s, 0), game.utility(s, 1)) == (3, -3)
    assert [game.player(game.initial()), game.player(walk(game, 2))] == [0, 1]
    assert not game.facts.chance and not game.facts.hidden and game.facts.tree_nodes == 5


def test_blanks_of_all_kinds_and_none() -> None:
    for text in (
        "max(1 min(2 3))",
        " max ( 1\n min\t( 2  3 ) ) ",
        "max(1 min(2 3) )",
    ):
        assert search(tree(text)).value == 2
    assert search(tree("max(min(1 2)min(3 4))")).value == 3


def test_names() -> None:
    game = tree("max(a1=min(x=3 12 y'=8) a_2 = 4 7)")
    assert game.actions(game.initial()) == ["a1", "a_2", 3]
    assert game.actions(walk(game, "a1")) == ["x", 2, "y'"]
    assert game.format_state(walk(game, "a1", "y'")) == "a1 y'"
    assert game.parse_state("a1 2") == walk(game, "a1", 2)
    r = search(game)
    assert (r.action, r.pv) == (3, [3])
    assert search(tree("max(min=3 max=5)")).action == "max"


@pytest.mark.parametrize(
    "text",
    [
        "chance(1/4:8 3/4:4)", "chance(0.25:8 0.75:4)", "chance(.25:8 .75:4)",
        "chance(25e-2:8 3/4:4)",
        "chance(1/4 : 8 3/4 :4)", "chance(1/4:a=8 3/4:b=4)", "chance(a=1/4:8 b=3/4:4)",
        "chance(1/4:max(8) 3/4:min(4 5))",
    ],
)  # fmt: skip
def test_probabilities(text: str) -> None:
    game = tree(text)
    s = game.initial()
    assert game.facts.chance and game.player(s) == CHANCE
    assert [p for _, p in game.outcomes(s)] == [0.25, 0.75]
    named = "=" in text
    assert [a for a, _ in game.outcomes(s)] == (["a", "b"] if named else [1, 2])
    assert search(game).value == 0.25 * 8 + 0.75 * 4


def test_equal_probabilities_and_thirds() -> None:
    game = tree("chance(1 2 3)")
    assert [p for _, p in game.outcomes(game.initial())] == [1 / 3] * 3
    thirds = tree("chance(1/3:1 1/3:2 1/3:3)")
    assert [p for _, p in thirds.outcomes(thirds.initial())] == [1 / 3] * 3
    assert search(tree("chance(1/2:8 1/3:24 1/6:-12)")).value == 10
    assert tree("chance(1:5)").facts.chance


def test_tuples() -> None:
    game = tree("p1(p2(p3((1,2,6) ( 4 , -2.5 , 1/2 ))) (0,0,0))")
    assert (game.players, game.zero_sum) == (3, False)
    s = walk(game, 1, 1, 2)
    assert [game.utility(s, p) for p in range(3)] == [4, -2.5, 0.5]
    assert [game.player(walk(game, *[1] * n)) for n in range(3)] == [0, 1, 2]
    assert tree("p1((1,-1) p2((2,-2) (0,0)))").zero_sum
    assert not tree("p1((1,-1) p2((2,-2) (0,1)))").zero_sum
    assert search(tree("p1((1,-1) p2((2,-2) (0,0)))")).value == 1
    assert search(tree("p1(p2(3 1) 2)")).value == 2
    assert tree("p12((" + ",".join("1" * 12) + "))").players == 12


def test_labels_are_information_sets() -> None:
    game = tree("chance(p1#I(1 2) p1#I(3 4) p1(5 6))")
    assert game.facts.hidden
    seen = [[game.observation(walk(game, n), p) for p in (0, 1)] for n in (1, 2, 3)]
    assert seen[0][0] == seen[1][0] != seen[2][0]
    assert len({row[1] for row in seen}) == 3
    with pytest.raises(zermelo.UsageError, match="chance moves in this state"):
        search(game)
    assert search(game, walk(game, 1), "belief").value == 3


ERRORS = [
    ("", 0, "empty"), ("max()", 4, "no children"), ("max( )", 5, "no children"),
    ("max(3", 0, "not closed"), ("max(3 min(2", 6, "not closed"), ("max(3))", 6, "no '(' for"),
    (")", 0, "no '(' for"), ("max(3) 4", 7, "after the end"), ("max(3)max(4)", 6, "after the end"),
    ("max(min(3), 4)", 10, "comma"), ("max(3 foo 4)", 6, "'foo' is neither"),
    ("foo(3)", 0, "'foo' is neither"),
    ("max(a= )", 4, "'a' is neither"), ("max(3 ? 4)", 6, "not expected"),
    ("max(1/2:3 1/2:4)", 4, "only children of chance"), ("1/2:3", 0, "only children of chance"),
    ("chance(0:3 1:4)", 7, "not between"), ("chance(-1/2:3 4)", 7, "not between"),
    ("chance(3/2:3 4)", 7, "not between"), ("chance(1/2:3 4)", 0, "only some children"),
    ("chance(1/2:3 1/3:4)", 0, "sum to 0.833333"),
    ("max(chance(0.5:3 0.6:4) 1)", 4, "sum to 1.1"),
    ("chance(1/0:3 1:4)", 7, "divides by zero"), ("max(1/0)", 4, "divides by zero"),
    ("max(1e999)", 4, "too large"), ("max((1,2) 3)", 10, "different numbers of values"),
    ("p1(p2(p3(1 2)))", 6, "needs a tuple"), ("p1(p3((1,2) (3,4)))", 3, "2 values"),
    ("max(a=1 a=2)", 10, "two children"), ("max(p1#I(1 2) p1#I(1 2 3))", 14, "differ"),
    ("max(p1#I(1 2) p2#I(1 2))", 14, "differ"), ("p0(1 2)", 0, "'p0' is neither"),
    ("p1((1,2,x))", 4, "not a tuple"), ("p1(())", 4, "not a tuple"),
    ("max(nan)", 4, "'nan' is neither"),
    ("Max(1 2)", 0, "'Max' is neither"), ("max(3 12;8)", 6, "not expected"),
    ("max(0x10)", 4, "not expected"), ("max(1_000)", 4, "not expected"),
    ("max(1min(2 3))", 4, "not expected"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position", "words"), ERRORS, ids=[repr(e[0]) for e in ERRORS])
def test_every_mistake_has_its_place(text: str, position: int, words: str) -> None:
    with pytest.raises(TreeSyntaxError) as caught:
        tree(text)
    e = caught.value
    assert words in e.message
    assert f"(character {e.position + 1})" in e.message
    assert e.position == position, e.message
    picture, arrow = e.message.splitlines()[-2:]
    assert arrow.strip() == "^" and len(arrow) <= len(picture) + 1


@pytest.mark.parametrize(("text", "words"), [("max(3, 4)", "comma"), ("   ", "empty")])
def test_messages_of_common_mistakes(text: str, words: str) -> None:
    with pytest.raises(TreeSyntaxError, match=words):
        tree(text)


def test_the_arrow_in_a_long_text() -> None:
    text = "max(" + "1 " * 500 + "? " + "2 " * 500 + ")"
    with pytest.raises(TreeSyntaxError) as caught:
        tree(text)
    picture, arrow = caught.value.message.splitlines()[-2:]
    assert picture[arrow.index("^")] == "?" and len(picture) < 90


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="maxincep12#=:/.,() -+\n'", max_size=40))
def test_any_text_is_a_tree_or_a_syntax_error(text: str) -> None:
    try:
        game = tree(text)
    except TreeSyntaxError as e:
        assert 0 <= e.position <= len(text)
    else:
        assert game.facts.tree_nodes >= 1


@pytest.mark.parametrize("wrong", [None, 3, b"max(1)", ["max(1)"]])
def test_only_text_is_read(wrong: Any) -> None:
    with pytest.raises(UsageError):
        tree(wrong)


def test_wrong_moves_in_a_tree() -> None:
    game = tree("max(a=1 2)")
    for action in ("b", 1, 3, 0, -1, None, "2", [], 1.5):
        with pytest.raises(zermelo.IllegalAction):
            game.result(game.initial(), action)
    with pytest.raises(zermelo.IllegalAction):
        game.result(walk(game, "a"), 1)


def test_complete_trees() -> None:
    game = complete(3, 2, [3, 12, 8, 2, 4, 6, 14, 5, 2])
    assert search(game).value == 3
    assert search(complete(2, 1, [1, 2], root="min")).value == 1
    assert search(complete(2, 0, [5])).value == 5
    for bad in (
        (2, 2, [1, 2, 3]),
        (0, 1, []),
        (2, 1, [1, float("nan")]),
        (2, 1, [1, float("inf")]),
    ):
        with pytest.raises(UsageError):
            complete(*bad)


def run(code: str, timeout: float = 120) -> Any:
    """In a process of its own, so that a crash is a failed test and not the end of all."""
    done = subprocess.run(
        [sys.executable, "-c", f"import json, zermelo\n{code}"],
        capture_output=True, text=True, timeout=timeout,
    )  # fmt: skip
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr[-600:]}"
    return json.loads(done.stdout)


def test_a_million_leaves() -> None:
    start = time.perf_counter()
    found = run(
        "text = 'max(' + ' '.join('min(%s)' % ' '.join(str((i * j) % 977) for j in range(1, 1001))"
        " for i in range(1, 1001)) + ')'\n"
        "g = zermelo.tree(text)\n"
        "r = zermelo.search(g, algorithm='minimax')\n"
        "a = zermelo.search(g, algorithm='alphabeta')\n"
        "print(json.dumps([r.leaves, r.value, a.value, a.leaves < r.leaves, g.facts.tree_nodes]))"
    )
    expected = max(min(i * j % 977 for j in range(1, 1001)) for i in range(1, 1001))
    assert found == [1_000_000, expected, expected, True, 1_001_001]
    assert time.perf_counter() - start < 100


@pytest.mark.skipif(
    "ZERMELO_SANITIZED" in os.environ, reason="ASan cannot unwind a stack of hundreds of MB"
)
def test_a_very_deep_chain() -> None:
    """A million deep: read, then searched or refused in words, by every algorithm; no crash."""
    found = run(
        "n = 1_000_000\n"
        "g = zermelo.tree('max(' * n + '5' + ')' * n)\n"
        "out = [g.facts.tree_nodes]\n"
        "for a in ('minimax', 'alphabeta'):\n"
        "    try: out.append(zermelo.search(g, algorithm=a).value)\n"
        "    except zermelo.RulesError as e: out.append(e.message)\n"
        "out.append(zermelo.search(g, depth=10, algorithm='alphabeta').kind)\n"
        "print(json.dumps(out))"
    )
    assert found[0] == 1_000_001 and found[3] == "estimate"
    for answer in found[1:3]:
        assert answer == 5 or "too deep" in answer


def test_a_deep_chain_is_searched_and_drawn() -> None:
    found = run(
        "n = 3000\n"
        "g = zermelo.tree('max(' * n + '5' + ')' * n)\n"
        "r = zermelo.search(g, algorithm='alphabeta', trace=True)\n"
        "s = g.initial()\n"
        "print(json.dumps([r.value, r.depth, len(r.pv), len(r.trace.leaves), len(str(r)) > 0]))"
    )
    assert found == [5, 3000, 128, 1, True]


def test_a_tree_is_drawn_before_it_is_searched() -> None:
    game = zermelo.tree("max(a=min(3 12) chance(1/3:7 2/3:4))")
    picture = game.svg(game.initial())
    for shown in ("12", "1/3", "4 leaves"):
        assert shown in picture


def test_wide_trees_stay_quick() -> None:
    """A hundred thousand moves at the root, each with a line of two."""
    game = zermelo.tree("max(" + " ".join(f"min({i % 97} {i % 89})" for i in range(100_000)) + ")")
    r = zermelo.search(game)
    assert len(r.moves) == 100_000 and all(len(m.pv) == 2 for m in r.moves)
    worth = [min(i % 97, i % 89) for i in range(100_000)]
    assert r.value == max(worth) and r.action == worth.index(r.value) + 1
    for m, exact in zip(r.moves, worth, strict=True):
        assert m.value == exact if m.kind == "exact" else m.value >= exact
    assert len(r.to_json()["moves"]) == 100_000


def test_a_node_whose_children_were_all_seen_is_exact() -> None:
    """Leaving the window at the last child cuts nothing: min(14 5 2) is 2, not at most 2."""
    r = zermelo.search(zermelo.tree("max(min(3 12 8) min(2 4 6) min(14 5 2))"), trace=True)
    assert [(m.value, m.kind) for m in r.moves] == [(3, "exact"), (2, "upper"), (2, "exact")]
