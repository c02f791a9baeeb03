"""The base class: optional hooks are documented, and absent until a game defines them."""

from __future__ import annotations

import inspect
import pydoc
import warnings
from typing import Any

import pytest

import zermelo
from zermelo.errors import RulesError
from zermelo.game import Game, action_label, as_game, defines, hooks

OPTIONAL = (
    "outcomes", "observation", "sample", "observation_text", "observation_svg", "announcements",
    "evaluate", "features", "noisy", "advise", "encode", "policy_index", "end_reason",
    "score_estimate", "final_margin",
)  # fmt: skip


class Count(Game):
    def initial(self) -> Any:
        return (0, 0)

    def player(self, s: Any) -> int:
        return int(s[1])

    def actions(self, s: Any) -> Any:
        return [1, 2] if s[0] < 5 else []

    def result(self, s: Any, a: int) -> Any:
        return (s[0] + a, 1 - s[1])

    def is_terminal(self, s: Any) -> bool:
        return bool(s[0] >= 5)

    def utility(self, s: Any, p: int) -> float:
        return -1.0 if s[1] == p else 1.0


class Guided(Count):
    def evaluate(self, s: Any, p: int) -> float:
        return 0.0


def test_optional_hooks_are_absent_until_defined() -> None:
    plain, guided = Count(), Guided()
    for name in OPTIONAL:
        assert not defines(plain, name) and not hasattr(plain, name)
    assert defines(guided, "evaluate") and not defines(guided, "noisy")
    with pytest.raises(AttributeError, match="Count does not define evaluate"):
        plain.evaluate(plain.initial(), 0)


def test_help_shows_every_hook_with_its_documentation() -> None:
    text = pydoc.plain(pydoc.render_doc(Game))
    for name in OPTIONAL:
        assert f"{name}(self, s" in text or f"{name}(self, a" in text, name
        assert inspect.getdoc(getattr(Game, name))
    known = hooks()
    assert all(known[name] for name in OPTIONAL)
    assert known["players"] is False and known["rollout"] is False


def test_objects_without_the_base_class_are_treated_alike() -> None:
    rules = type("Rules", (), {k: v for k, v in vars(Guided).items() if k[0] != "_"}
                 | {k: v for k, v in vars(Count).items() if k[0] != "_"})()  # fmt: skip
    game = as_game(rules)
    assert defines(game, "evaluate") and not defines(game, "outcomes")
    assert zermelo.solve(game).value == zermelo.solve(Count()).value


def test_near_misses_are_reported_once() -> None:
    class Typo(Count):
        def evalute(self, s: Any, p: int) -> float:
            return 0.0

    with pytest.warns(UserWarning, match=r"Typo: evalute\(\) is never used: did you mean evaluate"):
        zermelo.search(Typo(), depth=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        zermelo.search(Typo(), depth=2)


@pytest.mark.parametrize("old", [
    lambda self, a: str(a), lambda self, a, s: str(a), lambda self, action, state=None: "x",
])  # fmt: skip
def test_the_old_order_of_arguments_is_an_error(old: Any) -> None:
    game = type("Old", (Count,), {"format_action": old})()
    with pytest.raises(RulesError, match=r"format_action.*\(s, a\)"):
        zermelo.search(game, depth=2)


def test_actions_have_a_label_without_a_state() -> None:
    class Needy(Count):
        def format_action(self, s: Any, a: Any) -> str:
            return f"{s[0]}+{a}"

    assert action_label(Needy(), 2) == "2" and action_label(Count(), 1) == "1"
    assert Needy().parse_action((3, 0), "3+2") == 2
