"""Public names have complete docstrings: a summary, the sections that apply, a runnable example.

The members of ``Game`` share the example and the arguments (`s`, `a`, `p`, …) of the class
docstring, and their summary says what they return.

``python tests/docs/test_docstrings.py`` lists what is missing.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import textwrap
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo.trace import Trace

# All public members of these classes are documented like functions.
CLASSES = (zermelo.Game, zermelo.Result, zermelo.Policy, zermelo.Match, Trace)
SECTIONS = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|Example):$", re.M)


class Documented(NamedTuple):
    """A public object and the name under which a user finds it."""

    name: str
    thing: Any
    shared: str = ""  # a class docstring that explains arguments, results and the example


def public() -> Iterator[Documented]:
    """The functions and classes of ``zermelo``, and the members of the documented classes."""
    for name in zermelo.__all__:
        thing = getattr(zermelo, name)
        if isinstance(thing, FunctionType | type):
            yield Documented(f"zermelo.{name}", thing)
    for cls in CLASSES:
        for member in sorted(vars(cls)):
            thing = inspect.getattr_static(cls, member)
            hook = getattr(thing, "method", None)  # an optional hook of Game
            kinds = FunctionType | property | classmethod | staticmethod
            if not member.startswith("_") and isinstance(hook or thing, kinds):
                shared = inspect.getdoc(cls) if cls is zermelo.Game else ""
                yield Documented(f"{cls.__name__}.{member}", hook or thing, shared or "")


def function_of(thing: Any) -> FunctionType | None:
    """The function behind a method or property; None for a class."""
    if isinstance(thing, property):
        return thing.fget  # type: ignore[return-value]
    return None if isinstance(thing, type) else inspect.unwrap(getattr(thing, "__func__", thing))


def raises(function: FunctionType) -> bool:
    """Whether the body has a raise statement of its own, other than NotImplementedError."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    found = [n.exc for n in ast.walk(tree) if isinstance(n, ast.Raise) and n.exc is not None]
    return any("NotImplemented" not in ast.unparse(e) for e in found)


def gaps(item: Documented) -> list[str]:
    """What the docstring of a public object lacks."""
    doc = inspect.getdoc(item.thing) or ""
    summary, _, rest = doc.partition("\n")
    missing = []
    if not summary.endswith(".") or (rest and not rest.startswith("\n")):
        missing.append("a one-line summary")
    if ">>> " not in doc + item.shared:
        missing.append("an example")
    function = function_of(item.thing)
    if function is None:
        return missing
    if not isinstance(item.thing, property):
        taken = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
        known = section(doc, "Args")
        own = [p for p in taken if f"`{p}`" not in item.shared]
        missing += [f"Args: {p}" for p in own if not re.search(rf"^\s+{p}\b.*:", known, re.M)]
        silent = inspect.signature(function).return_annotation in (None, "None")
        if not (silent or item.shared or section(doc, "Returns") or section(doc, "Yields")):
            missing.append("Returns")
    if raises(function) and not section(doc, "Raises"):
        missing.append("Raises")
    return missing


def section(doc: str, name: str) -> str:
    """The text of a section of a docstring, "" if there is none."""
    parts = SECTIONS.split(doc)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(name, "")


@pytest.mark.parametrize("item", list(public()), ids=lambda d: d.name)
def test_the_docstring_is_complete(item: Documented) -> None:
    assert gaps(item) == []


@pytest.mark.parametrize("item", [d for d in public() if not d.shared], ids=lambda d: d.name)
def test_the_example_runs(item: Documented) -> None:
    doc = inspect.getdoc(item.thing) or ""
    names = {"zermelo": zermelo, **vars(zermelo)}
    test = doctest.DocTestParser().get_doctest(doc, names, item.name, item.name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert test.examples and runner.run(test).failed == 0


def test_modules_in_the_list_have_a_summary() -> None:
    modules = [m for n in zermelo.__all__ if isinstance(m := getattr(zermelo, n), ModuleType)]
    assert modules and all((m.__doc__ or "").strip() for m in modules)


def test_a_gap_is_found() -> None:
    def wrong(game: Any, depth: int) -> int:
        """Looks at it

        Args:
            game: A game.
        """
        raise ValueError(depth)

    assert gaps(Documented("wrong", wrong)) == [
        "a one-line summary", "an example", "Args: depth", "Returns", "Raises",
    ]  # fmt: skip


if __name__ == "__main__":
    for found in public():
        if lacking := gaps(found):
            print(f"{found.name}: {', '.join(lacking)}")
