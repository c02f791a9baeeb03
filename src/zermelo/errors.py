"""The errors that zermelo raises: one sentence and a hint each."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

MAX_QUOTED, MAX_WORD, MAX_MESSAGE = 80, 200, 1000  # characters
_QUOTED = re.compile(r"""(?<!\w)'(?:[^'\\]|\\.)*'(?!\w)|"(?:[^"\\]|\\.)*\"""")


class ZermeloError(Exception):
    """Base class of the errors that zermelo raises.

    Attributes:
        message: What was wrong, with the value.
        hint: What to do, or "".

    Example:
        >>> import zermelo
        >>> try:
        ...     zermelo.load("ches")
        ... except zermelo.ZermeloError as error:
        ...     print(error.message, "|", error.hint)
        unknown game 'ches' | did you mean 'chess'?
    """

    def __init__(self, message: str, hint: str = "") -> None:
        message = _shortened(message)
        super().__init__(message)
        self.message = message
        self.hint = _shortened(hint)

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class UsageError(ZermeloError, ValueError):
    """A name, number, option, file or text is invalid.

    Example:
        >>> import zermelo
        >>> try:
        ...     zermelo.search(zermelo.load("nim"), depth=-1)
        ... except zermelo.UsageError as error:
        ...     print(error.message)
        invalid depth=-1
    """


class IllegalAction(UsageError):
    """An action is not legal in this state.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("tic-tac-toe")
        >>> try:
        ...     game.parse_action(game.initial(), "d4")
        ... except zermelo.IllegalAction as error:
        ...     print(error.message)
        'd4' is not a legal action here
    """


class BadPosition(UsageError):
    """A text is not a position of the game.

    Example:
        >>> import zermelo
        >>> try:
        ...     zermelo.load("tic-tac-toe").parse_state("XXX/XXX/XXX")
        ... except zermelo.BadPosition as error:
        ...     print(error.message)
        position 'XXX/XXX/XXX' is impossible
    """


class TreeSyntaxError(UsageError):
    """A tree text has a syntax error.

    Attributes:
        position: The index of the wrong character.

    Example:
        >>> import zermelo
        >>> try:
        ...     zermelo.tree("max(3 5")
        ... except zermelo.TreeSyntaxError as error:
        ...     print(error.position, error.hint)
        0 add ')'
    """

    def __init__(self, message: str, hint: str = "", position: int = 0) -> None:
        super().__init__(message, hint)
        self.position = position


class RulesError(ZermeloError):
    """The rules of a game are inconsistent, for example a NaN or no legal action.

    Example:
        >>> import zermelo
        >>> class Broken(zermelo.Game):
        ...     def initial(self): return 0
        ...     def player(self, s): return 0
        ...     def actions(self, s): return []
        ...     def result(self, s, a): return s
        ...     def is_terminal(self, s): return False
        ...     def utility(self, s, p): return 0
        >>> try:
        ...     zermelo.search(Broken())
        ... except zermelo.RulesError as error:
        ...     print(error.message)
        actions(s) is empty in 0, which is not terminal
    """


class EndlessGame(RulesError):
    """The game can repeat positions forever, and the algorithm does not support that.

    Example:
        >>> import zermelo
        >>> try:
        ...     zermelo.search(zermelo.load("dodgem"), algorithm="minimax")
        ... except zermelo.EndlessGame as error:
        ...     print(error.message)
        the game never ends: the same position can repeat endlessly
    """


class CompileError(ZermeloError):
    """Python rules cannot be compiled; the message names the line.

    Example:
        >>> import zermelo
        >>> issubclass(zermelo.CompileError, zermelo.ZermeloError)
        True
    """


class NotSupported(ZermeloError):
    """The combination of game, algorithm and options is not supported.

    Example:
        >>> import zermelo
        >>> try:
        ...     zermelo.search(zermelo.load("pig"), algorithm="engine")
        ... except zermelo.NotSupported as error:
        ...     print(error.message)
        engine does not support games with chance
    """


class TableError(ZermeloError):
    """A tablebase cannot be read, written or built.

    Example:
        >>> import zermelo
        >>> try:
        ...     zermelo.open_tablebase(zermelo.load("dodgem"), "missing")
        ... except zermelo.TableError as error:
        ...     print(error.message)
        missing contains no tables
    """


class SearchBudgetExceeded(ZermeloError):
    """A limit was reached before the exact answer was found.

    Attributes:
        result: The best answer so far.

    Example:
        >>> import zermelo
        >>> try:
        ...     zermelo.solve(zermelo.load("tic-tac-toe"), nodes=10)
        ... except zermelo.SearchBudgetExceeded as error:
        ...     print(error.result.stopped)
        nodes
    """

    def __init__(self, message: str, hint: str = "", result: object = None) -> None:
        super().__init__(message, hint)
        self.result = result


def _shortened(text: str) -> str:
    """The sentence with long quotations and words shortened."""

    def cut(most: int, found: re.Match[str]) -> str:
        whole = found[0]
        return whole if len(whole) <= most else f"{whole[: most - 2]}…{whole[-1]}"

    text = text.encode("utf-8", "backslashreplace").decode()  # a lone surrogate cannot be printed
    text = _QUOTED.sub(lambda found: cut(MAX_QUOTED, found), text)
    text = re.sub(rf"\S{{{MAX_WORD + 1},}}", lambda found: cut(MAX_WORD, found), text)
    if len(text) > MAX_MESSAGE:
        text = f"{text[: MAX_MESSAGE // 2]} … {text[-MAX_MESSAGE // 2 :]}"
    return text


def extra(name: str, package: str) -> str:
    """The hint for an optional package that is not installed."""
    return f'pip install ".[{name}]" in the checkout, or pip install {package}'


def nearest(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """The known word most similar to a mistyped one, or "" if none is similar."""

    def likeness(name: str) -> tuple[bool, float, bool]:
        swapped = sorted(name) == sorted(word)
        ratio = difflib.SequenceMatcher(None, name, word).ratio()
        return swapped, ratio, name.startswith(word)

    best = max(dict.fromkeys(known), key=likeness, default="")
    return best if best and likeness(best)[1] >= cutoff else ""


def suggest(word: str, known: Iterable[str]) -> str:
    """A hint that suggests the most similar known word, or lists all of them."""
    known = list(dict.fromkeys(known))
    if near := nearest(word, known):
        return f"did you mean {near!r}?"
    return "known: " + ", ".join(known) if known else "none are available"
