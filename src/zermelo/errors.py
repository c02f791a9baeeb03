"""What can go wrong: one clear sentence each, and a hint."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

MOST_QUOTED, MOST_WORD, MOST_MESSAGE = 80, 200, 1000  # characters
_QUOTED = re.compile(r"""(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|"(?:[^"\\]|\\.)*\"""")


class ZermeloError(Exception):
    """Base class of all errors that zermelo raises on purpose. `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        message = _shortened(message)
        super().__init__(message)
        self.message = message
        self.hint = _shortened(hint)

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class UsageError(ZermeloError, ValueError):
    """A name, number, option, file or text is invalid."""


class IllegalAction(UsageError):
    """An action is not legal in this state."""


class BadPosition(UsageError):
    """A text is not a position of the game."""


class TreeSyntaxError(UsageError):
    """A tree text has a syntax error; `position` is the index of the character."""

    def __init__(self, message: str, hint: str = "", position: int = 0) -> None:
        super().__init__(message, hint)
        self.position = position


class RulesError(ZermeloError):
    """The rules of a game are inconsistent: a NaN, no legal action, no end."""


class EndlessGame(RulesError):
    """The game can repeat positions forever, and the algorithm does not support that."""


class CompileError(ZermeloError):
    """Python rules cannot be compiled; the message names the line."""


class NotSupported(ZermeloError):
    """The combination of game, algorithm and options is not supported."""


class TableError(ZermeloError):
    """A tablebase cannot be read, written or built: damaged, of another game, too large."""


class SearchBudgetExceeded(ZermeloError):
    """A limit was reached before the exact answer was found. `result` is the best so far."""

    def __init__(self, message: str, hint: str = "", result: object = None) -> None:
        super().__init__(message, hint)
        self.result = result


def _shortened(text: str) -> str:
    """A sentence in which what somebody wrote is repeated only as far as it takes to know it."""

    def cut(most: int, found: re.Match[str]) -> str:
        whole = found[0]
        return whole if len(whole) <= most else f"{whole[: most - 2]}…{whole[-1]}"

    text = text.encode("utf-8", "backslashreplace").decode()  # half a character fits no output
    text = _QUOTED.sub(lambda found: cut(MOST_QUOTED, found), text)
    text = re.sub(rf"\S{{{MOST_WORD + 1},}}", lambda found: cut(MOST_WORD, found), text)
    if len(text) > MOST_MESSAGE:
        text = f"{text[: MOST_MESSAGE // 2]} … {text[-MOST_MESSAGE // 2 :]}"
    return text


def extra(name: str, package: str) -> str:
    """The hint for a package that only some functions need."""
    return f'pip install ".[{name}]" in the checkout, or pip install {package}'


def nearest(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """The known word most like a mistyped one; swapped letters count least. "" if none is near."""

    def likeness(name: str) -> tuple[bool, float, bool]:
        swapped = sorted(name) == sorted(word)
        ratio = difflib.SequenceMatcher(None, name, word).ratio()
        return swapped, ratio, name.startswith(word)

    best = max(dict.fromkeys(known), key=likeness, default="")
    return best if best and likeness(best)[1] >= cutoff else ""


def suggest(word: str, known: Iterable[str]) -> str:
    """A hint that names the known word nearest to a mistyped one, or lists them all."""
    known = list(dict.fromkeys(known))
    if near := nearest(word, known):
        return f"did you mean {near!r}?"
    return "known: " + ", ".join(known) if known else "there are none"
