"""Options of a game: one declaration gives parsing, validation, help, forms and documentation.

>>> size = Option("size", 11, range(2, 20), "cells per side")
>>> size.parse("9")
9
>>> read_options("hex", "size=9", (size, Flag("swap", True, "the second player may swap")))
{'size': 9, 'swap': True}
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from .errors import UsageError, suggest

YES_NO = ("yes", "no")
MAX_LISTED = 64  # values of an option that is a list


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its name, default value, accepted values and a one-line description.

    Args:
        name: As written in ``game:name=value``.
        default: An int, a float, a str, a bool, or a tuple of ints for a list.
        values: A range of whole numbers, a pair of floats (least, greatest), a tuple of words,
            or None if every value of the default's type is accepted.
        doc: One line for help, forms and documentation.
        also: Words that are accepted beside the numbers of `values`.
        builtin: Lists the built-in names of an option that also accepts the path of a file.
        required: There is no default; the value must be given.
    """

    name: str
    default: Any
    values: range | tuple[Any, ...] | None
    doc: str
    _: KW_ONLY
    also: tuple[str, ...] = ()
    builtin: Callable[[], list[str]] | None = None
    required: bool = False

    @property
    def kind(self) -> str:
        """ "flag", "list", "whole", "number", "file", "choice" or "text"."""
        if self.builtin is not None:
            return "file"
        if isinstance(self.default, bool):
            return "flag"
        if isinstance(self.default, tuple):
            return "list"
        if isinstance(self.values, range) or isinstance(self.default, int):
            return "whole"
        if isinstance(self.default, float) or self._interval:
            return "number"
        return "text" if self.values is None else "choice"

    @property
    def _interval(self) -> bool:
        """Whether `values` is a pair of floats."""
        values = self.values
        return isinstance(values, tuple) and [type(v) for v in values] == [float, float]

    @property
    def words(self) -> tuple[str, ...]:
        """The accepted words: of a choice, a flag, or beside numbers."""
        if self.kind == "flag":
            return YES_NO
        if self.kind == "choice":
            return tuple(self.values or ())
        return tuple(self.builtin()) if self.builtin is not None else self.also

    @property
    def limits(self) -> tuple[float, float] | None:
        """The least and the greatest number accepted, or None."""
        if isinstance(self.values, range):
            return self.values[0], self.values[-1]
        return self.values if self.kind == "number" and self.values else None

    @property
    def expected(self) -> str:
        """The accepted values in words."""
        words, limits = " or ".join(_short(self.words)), ""
        if self.limits is not None:
            limits = " from {:g} to {:g}".format(*self.limits)
            if self.kind != "number":
                limits = " from {} to {}".format(*self.limits)
        if self.kind in ("choice", "flag"):
            return words
        accepted = {
            "whole": f"a whole number{limits}",
            "number": f"a number{limits}",
            "list": f"whole numbers{limits}, separated by commas",
            "file": "the path of a file",
            "text": "a word",
        }[self.kind]
        return f"{words} or {accepted}" if words else accepted

    def parse(self, text: str) -> Any:
        """The value that `text` stands for.

        Raises:
            UsageError: The value is not accepted; the message says which values are.
        """
        text = text.strip()
        for word in self.words:
            if text.lower() == word.lower():
                return word == YES_NO[0] if self.kind == "flag" else word
        try:
            value = self._convert(text)
        except (ValueError, OverflowError):
            raise self.error(text) from None
        if not self._accepts(value):
            raise self.error(text)
        return value

    def error(self, text: str) -> UsageError:
        """The error for a value that is not accepted."""
        near = suggest(text, self.words) if self.kind == "choice" else ""
        default = "" if self.required else f"the default is {self.format(self.default)}"
        message = f"invalid {self.name}={text!r}: expected {self.expected}"
        return UsageError(message, near if near.startswith("did") else default)

    def format(self, value: Any) -> str:
        """The value as it is written in a game's name."""
        if isinstance(value, bool):
            return YES_NO[not value]
        if isinstance(value, tuple | list):
            return ",".join(map(str, value))
        return f"{value:g}" if isinstance(value, float) else str(value)

    def to_dict(self) -> dict[str, Any]:
        """The declaration as plain values, for JSON and forms."""
        found: dict[str, Any] = {"name": self.name, "kind": self.kind, "doc": self.doc}
        found["default"] = None if self.required else self.format(self.default)
        if self.words:
            found["choices"] = list(self.words)
        if self.limits is not None:
            found["min"], found["max"] = self.limits
        return found

    def _convert(self, text: str) -> Any:
        if self.kind == "whole":
            return int(text)
        if self.kind == "number":
            return float(text)
        if self.kind == "list":
            return tuple(int(part) for part in text.replace(",", " ").split())
        if self.kind in ("choice", "flag"):
            raise ValueError
        return text

    def _accepts(self, value: Any) -> bool:
        if self.kind == "list":
            return 0 < len(value) <= MAX_LISTED and all(
                self.values is None or v in self.values for v in value
            )
        if self.kind == "number":
            lo, hi = self.values or (-math.inf, math.inf)
            return bool(lo <= value <= hi)
        return self.kind != "whole" or self.values is None or value in self.values


def Flag(name: str, default: bool, doc: str) -> Option:
    """An option that is yes or no."""
    return Option(name, default, None, doc)


def _short(words: Sequence[str]) -> list[str]:
    return list(words) if len(words) <= 8 else [*words[:7], "…"]


def spelled(options: Sequence[Option], values: dict[str, Any] | None = None) -> str:
    """``"width=7,height=6"``: all options with their defaults, or with these values."""
    chosen = values or {}
    shown = [
        (o, chosen.get(o.name, o.default)) for o in options if o.name in chosen or not o.required
    ]
    return ",".join(f"{o.name}={o.format(v)}" for o, v in shown)


def parse_key_values(text: str, *, lists: bool = False) -> dict[str, str | None]:
    """``"size=9,swap=no"`` -> ``{"size": "9", "swap": "no"}``; no "=": None.

    Args:
        text: Pairs, separated by commas.
        lists: Values may be lists: a part without "=" continues the value before it.

    Raises:
        UsageError: A key is given twice.

    Example:
        >>> parse_key_values("piles=3,4,5,take=2", lists=True)
        {'piles': '3,4,5', 'take': '2'}
    """
    found: dict[str, str | None] = {}
    last = ""
    for part in text.split(",") if text.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if lists and not equals and last:
            found[last] = f"{found[last]},{key}"
            continue
        if key in found:
            raise UsageError(f"option {key!r} is given twice", "give it once")
        last = key
        found[key] = value if equals else None
    return found


def parse_value(text: str) -> bool | int | float | str:
    """A value of unknown type: on, off, true and false are truth values; else a number or text."""
    words = {"on": True, "true": True, "off": False, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def split_options(owner: str, text: str, options: Sequence[Option]) -> dict[str, str]:
    """``"piles=3,4,5,take=2"`` -> ``{"piles": "3,4,5", "take": "2"}``.

    Raises:
        UsageError: An option is unknown, has no value or is given twice.
    """
    known = [o.name for o in options]
    written = spelled(options) or ",".join(f"{name}=…" for name in known)
    example = f"e.g. {owner}:{written}" if known else f"{owner} has no options"
    found: dict[str, str] = {}
    for key, value in parse_key_values(text, lists=True).items():
        if value is None and key in known:
            raise UsageError(f"{owner}: {key} has no value", example)
        if value is None or key not in known:
            near = suggest(key, known) if known else ""
            raise UsageError(f"{owner} has no option {key!r}", f"{near} ({example})".strip())
        found[key] = value
    return found


def read_options(owner: str, text: str, options: Sequence[Option]) -> dict[str, Any]:
    """The values of all options: those given in `text`, else the defaults.

    Raises:
        UsageError: An option is unknown, missing or has a value that is not accepted.
    """
    given = split_options(owner, text, options)
    missing = [o.name for o in options if o.required and o.name not in given]
    if missing:
        raise UsageError(
            f"{owner} needs a value for {', '.join(missing)}", f"e.g. {owner}:{missing[0]}=…"
        )
    return {o.name: o.parse(given[o.name]) if o.name in given else o.default for o in options}


def constructor_options(cls: Callable[..., Any]) -> tuple[Option, ...]:
    """The options of a class without declarations: the parameters of its constructor.

    The type of a parameter is that of its default, else its annotation.
    """
    try:
        parameters = inspect.signature(cls, eval_str=True).parameters.values()
    except (ValueError, TypeError, NameError):
        return ()
    plain = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return tuple(_from_parameter(p) for p in plain)


def _from_parameter(p: inspect.Parameter) -> Option:
    samples: dict[Any, Any] = {int: 0, float: 0.0, bool: False, str: ""}
    required = p.default is p.empty
    default = samples.get(p.annotation, "") if required else p.default
    if type(default) not in (int, float, bool, str, tuple) and p.annotation in samples:
        default = samples[p.annotation]  # such as None for "not given"
    return Option(p.name, default, None, "", required=required)
