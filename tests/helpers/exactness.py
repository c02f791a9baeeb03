"""Checks that what a result claims is true."""

from __future__ import annotations

from typing import Any

import zermelo

EPSILON = 1e-9


def check(r: zermelo.Result, truth: float, children: dict[Any, float], sign: int) -> None:
    """Every kind is true, every root action is listed once, `best` holds no action that is worse
    than the best unless nothing is proved."""
    assert_kind(r.kind, r.value, truth)
    assert sorted(m.action for m in r.moves) == sorted(children)
    for m in r.moves:
        assert_kind(m.kind, m.value, children[m.action])
    assert r.action in children
    if r.exact:
        top = max(sign * v for v in children.values())
        assert r.action in r.best
        assert all(abs(sign * children[a] - top) < EPSILON for a in r.best)
    else:
        assert r.best == [r.action]


def assert_kind(kind: str, value: float, truth: float) -> None:
    if kind == "exact":
        assert abs(value - truth) < EPSILON, f"exact {value}, true {truth}"
    elif kind == "lower":
        assert truth >= value - EPSILON, f"at least {value}, true {truth}"
    elif kind == "upper":
        assert truth <= value + EPSILON, f"at most {value}, true {truth}"
    else:
        assert kind == "estimate"
