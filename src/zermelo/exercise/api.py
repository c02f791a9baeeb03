"""Exercises as JSON in and JSON out, for a page's server: no state is kept between two calls.

The page gets the tree and the questions, but not the key. It sends the exercise back with the
answer, and the key is computed again from the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..errors import UsageError, suggest
from ..search.algorithms import shared_option
from ..view.folding import fold, many_players
from ..view.trace_text import player_name
from ..view.tree_svg import tree_svg
from .checking import answer_of, check
from .key import PARTS, ROOT, Exercise
from .recipe import MAX_NODES, Recipe, from_tree, make
from .sheet import blank, questions, task

LONGEST_TREE = 20_000  # characters
LONGEST_WORD = 200
PAIRS = ("branching", "values")


def new(request: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """An exercise to show. `request` holds a recipe's fields and `seed`, or `tree`."""
    given = dict(_object(request if request is not None else {}, "a recipe"))
    seed, tree = given.pop("seed", None), given.pop("tree", None)
    if isinstance(seed, str) and len(seed) > LONGEST_WORD:
        raise UsageError("the seed is too long", f"at most {LONGEST_WORD} characters")
    recipe = _recipe(given)
    if tree is None:
        return shown(make(recipe, seed))
    return shown(from_tree(_text(tree), recipe.algorithm, recipe.cut, recipe.parts))


def shown(exercise: Exercise) -> dict[str, Any]:
    """Everything that a page needs to show the exercise."""
    trace = blank(exercise)
    many = many_players(trace)
    place = fold(trace, MAX_NODES).place
    nodes = [
        {
            "name": n.label or ROOT,
            "parent": None if n.parent is None else trace.nodes[n.parent].label or ROOT,
            "player": player_name(n.player, many) if n.children else "leaf",
            "at": place[n.id],  # its data-n in the picture
        }
        for n in trace.nodes
    ]
    return {
        "exercise": exercise.to_json(),
        "algorithm": exercise.algorithm_name,
        "task": task(exercise),
        "questions": [{"part": part, "text": text} for part, text in questions(exercise)],
        "parts": list(exercise.parts),
        "inner": exercise.inner,
        "leaves": exercise.leaves,
        "branches": exercise.branches,
        "moves": [n["name"] for n in nodes if n["parent"] == ROOT],
        "nodes": nodes,
        "svg": tree_svg(trace, max_nodes=MAX_NODES),
    }


def check_answer(sent: Mapping[str, Any]) -> dict[str, Any]:
    """``{"exercise": …, "answer": …}`` to marks: right, score, parts and the first slip.

    With ``"reveal": true`` the key and its picture too.
    """
    sent = _object(sent, "the request")
    exercise = read(sent.get("exercise"))
    marks = check(exercise, _object(sent.get("answer", {}), "an answer"))
    reply = marks.to_json()
    if sent.get("reveal") is True:
        picture = tree_svg(exercise.shown, max_nodes=MAX_NODES)
        reply |= {"key": answer_of(exercise), "svg": picture, "steps": exercise.steps_text}
    return reply


def read(sent: Any) -> Exercise:
    """The exercise that a page sends back."""
    given = _object(sent, "an exercise")
    cut = given.get("cut", "equal")
    algorithm = given.get("algorithm", "auto")
    requested = given.get("requested", [])
    cut = shared_option("cut").check(str(cut)[:LONGEST_WORD])
    if not isinstance(algorithm, str) or len(algorithm) > LONGEST_WORD:
        raise UsageError("invalid algorithm", "expected a name; omit it for the default")
    if not isinstance(requested, list) or not all(p in PARTS for p in requested):
        raise UsageError("requested contains an unknown part", "one of: " + ", ".join(PARTS))
    # from_tree renames the nodes: a tree sent by a page may have other names, or none
    return from_tree(_text(given.get("tree")), algorithm, cut, tuple(requested))


def _object(given: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping) or not all(isinstance(k, str) for k in given):
        raise UsageError(f"invalid JSON: {what} must be an object", "expected {…}")
    return given


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise UsageError("the tree must be a string", "as in max(min(3 12 8) min(2 4 6))")
    if len(given) > LONGEST_TREE:
        raise UsageError("the tree is too long", f"at most {LONGEST_TREE:,} characters")
    return given


def _recipe(given: dict[str, Any]) -> Recipe:
    known = [f.name for f in fields(Recipe)]
    for name in given:
        if name not in known:
            raise UsageError(f"a recipe has no option {name[:30]!r}", suggest(name[:30], known))
    for name in PAIRS:  # JSON has lists; one number stands for both ends
        if isinstance(given.get(name), list):
            given[name] = tuple(given[name])
        elif isinstance(given.get(name), int):
            given[name] = (given[name], given[name])
    for name in ("above", "ties", "chance"):
        if not isinstance(given.get(name, False), bool):
            raise UsageError(f"invalid {name}", "expected true or false")
    if not isinstance(given.get("algorithm", ""), str):
        raise UsageError("invalid algorithm", "expected a name; omit it for the default")
    parts = given.get("parts", [])
    if not isinstance(parts, list) or not all(isinstance(p, str) for p in parts):
        raise UsageError("parts must be a list of names", "of: " + ", ".join(PARTS))
    return Recipe(**given | {"parts": tuple(parts)})
