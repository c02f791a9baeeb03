"""Rules that cannot be compiled are refused with the line of the problem."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")
from compiled_games import PATHS, Heaps
from zermelo.compiling.api import compile
from zermelo.errors import CompileError
from zermelo.game import Game


class Good(Game):
    def initial(self) -> Any:
        return Heaps(3, 0, 0)

    def player(self, s: Any) -> int:
        return s.b & 1

    def actions(self, s: Any) -> Any:
        return [1, 2]

    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=s.a - a, b=s.b + 1)

    def is_terminal(self, s: Any) -> bool:
        return s.a <= 0

    def utility(self, s: Any, p: int) -> float:
        return 1.0 if p == 0 else -1.0


class StrState(Good):
    def initial(self) -> Any:
        return "xo"


class DictState(Good):
    def initial(self) -> Any:
        return {"a": 1}


class NoneField(Good):
    def initial(self) -> Any:
        return Heaps(None, 0, 0)  # type: ignore[arg-type]


class ArrayField(Good):
    def initial(self) -> Any:
        return Heaps(np.zeros(3), 0, 0)  # type: ignore[arg-type]


class StrAction(Good):
    def actions(self, s: Any) -> Any:
        return ["left"]

    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=0)


class TwoKinds(Good):
    def actions(self, s: Any) -> Any:
        return [1, (1, 2)]

    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=0)


class LongAction(Good):
    def actions(self, s: Any) -> Any:
        return [(1, 2, 3, 4, 5)]

    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=0)


class DictConstant(Good):
    def is_terminal(self, s: Any) -> bool:
        return PATHS.get(s.a, 0) == 0 or s.a <= 0  # LINE


class DictLookup(Good):
    def is_terminal(self, s: Any) -> bool:
        if s.a in (0, 1):
            return PATHS[s.a - s.a] == 1  # LINE
        return s.a <= 0


class Remembers(Good):
    def __init__(self) -> None:
        self.seen = 0

    def player(self, s: Any) -> int:
        self.seen += 1  # LINE
        return s.b & 1


class Appends(Good):
    def __init__(self) -> None:
        self.seen: list[int] = []

    def player(self, s: Any) -> int:
        self.seen.append(s.a)  # LINE
        return s.b & 1


class Formats(Good):
    def helper(self, s: Any) -> int:
        return len(f"{s.a:03d}")  # LINE

    def player(self, s: Any) -> int:
        return 0 if self.helper(s) else 1


class Sometimes(Good):
    def is_terminal(self, s: Any) -> bool:
        last: Any = 0
        if s.a > 2:
            last = (1, 2)
        return bool(last == 0 and s.a <= 0)  # LINE


class Missing(Good):
    def utility(self, s: Any, p: int) -> float:
        if p > 5:
            return self.nothing  # type: ignore[attr-defined, no-any-return] # LINE
        return 0.0


class Huge(Good):
    def utility(self, s: Any, p: int) -> float:
        return float(s.a + 2**70 - 2**70) if p > 5 else 0.0


class PassesSelf(Good):
    def player(self, s: Any) -> int:
        return whose(self, s)  # LINE


def whose(game: Any, s: Any) -> int:
    return int(s.b & 1)


class Overflows(Good):
    def result(self, s: Any, a: Any) -> Any:
        return s._replace(a=s.a - 1, b=s.b + 1, c=3 << (61 + s.b))


class Sneaky(Good):
    """Python's ints grow, compiled ones do not."""

    def evaluate(self, s: Any, p: int) -> float:
        return float((s.a << 62) >> 62)


def line_of(cls: type) -> int:
    text = Path(__file__).read_text().splitlines()
    start = next(i for i, line in enumerate(text) if line.startswith(f"class {cls.__name__}("))
    return next(i for i in range(start, len(text)) if text[i].endswith("# LINE")) + 1


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (StrState, "str"), (DictState, "dict"), (NoneField, "'a'.*None"), (ArrayField, "ndarray"),
        (StrAction, "left"), (TwoKinds, r"1 and \(1, 2\)"), (LongAction, "5 numbers"),
        (Overflows, "does not fit"), (Sneaky, "evaluate"),
    ],
)  # fmt: skip
def test_refused_as_a_whole(cls: Any, said: str) -> None:
    with pytest.raises(CompileError, match=said) as caught:
        compile(cls())
    assert "test_compile_errors.py, line" in str(caught.value) and caught.value.hint


@pytest.mark.parametrize(
    "cls",
    [DictConstant, DictLookup, Remembers, Appends, Formats, Sometimes, Missing, PassesSelf],
)
def test_refused_with_its_line(cls: Any) -> None:
    with pytest.raises(CompileError) as caught:
        compile(cls())
    assert f"test_compile_errors.py, line {line_of(cls)}" in caught.value.message, caught.value
    assert caught.value.hint


def test_no_source() -> None:
    scope: dict[str, Any] = {"Good": Good}
    exec("class Typed(Good):\n    def player(self, s):\n        return s.b & 1\n", scope)
    with pytest.raises(CompileError, match="source"):
        compile(scope["Typed"]())


def test_missing_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(CompileError, match=r"\.\[compile\]"):
        compile(Good())
