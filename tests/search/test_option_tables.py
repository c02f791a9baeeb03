"""Options and capabilities of algorithms are declared once, and everything is derived from them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.equilibrium.variants import VARIANTS
from zermelo.errors import UsageError
from zermelo.search.algorithms import FEATURES, Algorithm, algorithms, choose, option_owners
from zermelo.search.options import SearchOption, Situation
from zermelo.search.request import SearchRequest, Wanted

ROOT = Path(__file__).parents[2]
EVERY = [
    pytest.param(a, o, id=f"{a.name}-{o.name}")
    for a in algorithms().values()
    for o in a.options.values()
]
SOURCES = sorted((ROOT / "src" / "zermelo").rglob("*.py"))


def settled(a: Algorithm, **options: Any) -> dict[str, Any]:
    return a.settle(options, Situation())


@pytest.mark.parametrize(("a", "o"), EVERY)
def test_the_ends_of_a_range_are_accepted_and_one_beyond_is_refused(
    a: Algorithm, o: SearchOption
) -> None:
    if o.type in ("whole", "real"):
        inside: list[Any] = [o.min, o.max]
        outside: list[Any] = [o.min - 1, o.max + 1, "much", True, None]
    elif o.type == "flag":
        inside, outside = [True, False], [2, "yes", "", None]
    else:
        inside, outside = list(o.choices), ["wild", 1, True, None]
    for value in inside:
        assert settled(a, **{o.name: value})[o.name] == value
    for value in outside:
        if value is None or value == float("inf"):  # None is "not given"; inf has nothing beyond
            continue
        with pytest.raises(UsageError) as error:
            settled(a, **{o.name: value})
        assert error.value.message == f"invalid {o.name}={value!r}"
        assert error.value.hint.startswith("expected ")


@pytest.mark.parametrize(("a", "o"), EVERY)
def test_an_option_has_a_default_a_doc_and_is_printed(
    run: Any, a: Algorithm, o: SearchOption
) -> None:
    assert o.doc and "\n" not in o.doc and not o.doc.endswith(".")
    assert settled(a)[o.name] == o.default
    if o.default is not None:
        assert o.check(o.default) == o.default
    for name in o.aliases:
        assert settled(a, **{name: o.default})[o.name] == o.default
        assert name not in a.options


@pytest.mark.parametrize("name", algorithms())
def test_the_command_prints_every_option(run: Any, name: str) -> None:
    a = algorithms()[name]
    text = run("algorithms", name).out
    for o in a.options.values():
        assert re.search(rf"^{o.name} .*{re.escape(o.doc)}", text, re.M)
    for feature, has in FEATURES.items():
        supports = re.search(r"^Supports: (.*)$", text, re.M)
        assert supports and (feature in supports[1].split(", ")) == has(a)
    (row,) = json.loads(run("algorithms", name, "--json").out)
    assert [o["name"] for o in row["options"]] == list(a.options)


def test_every_option_is_declared_once() -> None:
    """In the C++ sources, where an option that several algorithms share has one builder."""
    sources = [*(ROOT / "core" / "search").rglob("*.?pp"), ROOT / "core" / "option.hpp"]
    text = "\n".join(path.read_text() for path in sources)
    declared = re.findall(
        r'(?:flag|number|choice)<&\w+::\w+>\(\s*"(\w+)"|\.name = "(\w+)",\s*\.doc = "', text
    )
    names = sorted(first or second for first, second in declared)
    known = sorted({o.name for a in algorithms().values() for o in a.options.values()})
    # max^n's shallow pruning and the engine's forward pruning are two options of one name.
    assert names == sorted([*known, "pruning"])


def test_no_python_code_compares_names_of_algorithms() -> None:
    names = "|".join(map(re.escape, [*algorithms(), *VARIANTS]))
    compared = re.compile(rf"""(==|!=|\bin\b) \(?["']({names})["']|["']({names})["'] (==|!=|in) """)
    found = []
    for path in SOURCES:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("#")[0]
            if compared.search(code) and "for " not in code and "algorithm" in code.lower():
                found.append(f"{path.name}:{number}: {line.strip()}")
    assert not found


def test_auto_takes_the_algorithm_that_fits() -> None:
    facts = zermelo.Facts
    taken = {
        facts(): ("engine", "alphabeta"),
        facts(players=1): ("engine", "alphabeta"),
        facts(chance=True): ("expectiminimax", "expectiminimax"),
        facts(players=3): ("maxn", "maxn"),
        facts(zero_sum=False): ("maxn", "maxn"),
        facts(hidden=True): ("ismcts", "ismcts"),
        facts(players=1, hidden=True): ("belief", "belief"),
        facts(players=4, hidden=True, chance=True, zero_sum=False): ("ismcts", "ismcts"),
    }
    for given, (play, lecture) in taken.items():
        assert choose("auto", given)[0].name == play
        assert choose("auto", given, plain=True)[0].name == lecture


def test_former_names_of_options_are_accepted() -> None:
    game = zermelo.load("connect-four")
    old = zermelo.search(game, algorithm="mcts", nodes=200, explore=2.0, cutoff=3)
    new = zermelo.search(game, algorithm="mcts", nodes=200, exploration=2.0, rollout_depth=3)
    assert old.options == new.options and old.value == new.value
    off = {"mirror": False, "narrow": False, "ahead": False, "reductions": False, "passing": False}
    used = zermelo.search(game, depth=3, **off).options  # type: ignore[arg-type]
    assert not any(used[n] for n in ("symmetry", "move_hints", "etc", "lmr", "null_move"))
    with pytest.raises(UsageError, match="former name"):
        zermelo.search(game, depth=3, etc=True, ahead=False)


def test_a_feature_that_is_not_supported_names_those_that_support_it() -> None:
    game = zermelo.load("tic-tac-toe")
    for feature, value in [("belief", [game.initial()]), ("guide", max), ("among", [1]),
                           ("memory", zermelo.Memory(1)), ("tablebase", "x")]:  # fmt: skip
        with pytest.raises(UsageError) as error:
            zermelo.search(game, algorithm="minimax", **{feature: value})  # type: ignore[arg-type]
        assert error.value.message == f"minimax does not support `{feature}`"
        fits = [a.name for a in algorithms().values() if FEATURES[feature](a)]
        assert error.value.hint == f"supported by: {', '.join(fits)}" and fits


def test_solve_refuses_what_proves_nothing() -> None:
    kuhn = zermelo.load("kuhn")
    state = kuhn.result(kuhn.initial(), kuhn.actions(kuhn.initial())[0])
    for algorithm in ("pimc", "ismcts"):
        with pytest.raises(UsageError, match=f"{algorithm} does not support `solve`"):
            zermelo.solve(kuhn, state, algorithm)


def test_hints_name_the_algorithms_that_have_an_option() -> None:
    with pytest.raises(UsageError, match="supported by: expectiminimax, expectimax"):
        zermelo.search(zermelo.load("tic-tac-toe"), algorithm="minimax", samples=3)
    with pytest.raises(UsageError, match="did you mean 'table'"):
        zermelo.search(zermelo.load("tic-tac-toe"), algorithm="engine", tabel=3)
    assert option_owners()["explore"] == ["mcts", "ismcts"]


def test_the_request_has_every_argument_of_search() -> None:
    from inspect import signature

    parameters = set(signature(zermelo.search).parameters)
    assert set(Wanted.__dataclass_fields__) == parameters
    assert SearchRequest.__dataclass_params__.frozen  # type: ignore[attr-defined]
