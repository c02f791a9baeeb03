"""Validation of arguments: converts them to plain values or raises an error with the value."""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from .errors import BadPosition, RulesError, UsageError
from .files import reason, shown

if TYPE_CHECKING:
    from .game import Game

MAX_ACTIONS = 1 << 20  # per state; more means a generator that does not end

# The arguments of the methods that a game may define.
CALLED = {
    "initial": "", "player": "s", "actions": "s", "result": "s, a", "is_terminal": "s",
    "utility": "s, p", "outcomes": "s", "observation": "s, p", "evaluate": "s, p", "noisy": "s",
    "format_action": "s, a", "parse_action": "s, text",
}  # fmt: skip
ACTION_FIRST = ("a", "action", "move", "text")  # first parameters of the old order (a, s)


def whole(value: Any) -> int | None:
    """A whole number, or None; booleans and strings are not numbers."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def check_whole(name: str, value: Any, least: int = 1, most: int = 2**63 - 1) -> int:
    """A whole number from `least` to `most`."""
    number = whole(value)
    if number is None or not least <= number <= most:
        size = f"of at least {least}" if most >= 2**63 - 1 else f"from {least} to {most:,}"
        raise UsageError(f"invalid {name}={value!r}", f"expected a whole number {size}")
    return number


def check_seconds(time: Any) -> float | None:
    """A time limit; None: no limit."""
    if time is None:
        return None
    if isinstance(time, bool | str) or not hasattr(time, "__float__") or not 0 < time < 1e9:
        raise UsageError(f"invalid time={time!r}", "expected a positive number of seconds")
    return float(time)


def check_seed(seed: Any) -> int:
    return check_whole("seed", seed, 0, 2**64 - 1)


def check_limits(
    depth: Any, time: Any, nodes: Any, threads: Any
) -> tuple[int | None, float | None, int | None, int]:
    """The limits and the number of threads of a search."""
    depth = None if depth is None else check_whole("depth", depth)
    if (depth or 0) >= 1 << 30:
        raise UsageError(
            f"depth={depth} is too large", "omit depth to search to the end of the game"
        )
    nodes = None if nodes is None else check_whole("nodes", nodes)
    threads = 1 if threads is None else check_whole("threads", threads)
    return depth, check_seconds(time), nodes, threads


LONGEST_POSITION = 20_000  # characters: a chess game of 4,000 moves


def check_text(what: str, given: Any, most: int | None = None) -> str:
    """A string, of at most `most` characters."""
    if not isinstance(given, str):
        raise BadPosition(
            f"{what} must be a string, not {given!r}",
            "see Game.format_state and Game.format_action",
        )
    if most is not None and len(given) > most:
        raise BadPosition(
            f"{what} of {len(given):,} characters is too long", f"at most {most:,} characters"
        )
    return given


def check_called(name: str, given: Any) -> None:
    """A function that is called, or None."""
    if given is not None and not callable(given):
        raise UsageError(
            f"{name}={given!r} is not callable", "pass a function, or omit the argument"
        )


def misfit(f: Any, given: str) -> str:
    """How a Python function is written, and where, that cannot be called with "s, p"; else ""."""
    function = f.__func__ if isinstance(f, MethodType) else f
    if not isinstance(function, FunctionType):
        return ""
    code, count = function.__code__, len(given.split())
    most = code.co_argcount - isinstance(f, MethodType)
    least = most - len(function.__defaults__ or ())
    if least <= count and (count <= most or code.co_flags & inspect.CO_VARARGS):
        return ""
    names = ", ".join(code.co_varnames[: code.co_argcount])
    return f"{function.__name__}({names}) ({code.co_filename}, line {code.co_firstlineno})"


def _action_first(f: Any) -> bool:
    """Whether a notation method takes the action before the state."""
    if not isinstance(f, MethodType):
        return False
    names = f.__func__.__code__.co_varnames[1 : f.__func__.__code__.co_argcount]
    return len(names) > 1 and names[0] in ACTION_FIRST and names[1] in ("s", "state")


def check_rules(game: Any) -> None:
    """Check the signatures of rules written in Python.

    Raises:
        RulesError: A method cannot be called with the arguments that the library passes.
    """
    for name in ("format_action", "parse_action"):
        if _action_first(getattr(game, name, None)):
            raise RulesError(
                f"{name} takes ({CALLED[name]}): the state comes first",
                f"def {name}(self, {CALLED[name]}): …",
            )
    for name, given in CALLED.items():
        if wrong := misfit(getattr(game, name, None), given):
            self = f"self, {given}" if given else "self"
            raise RulesError(
                f"{wrong} cannot be called as {name}({given})", f"def {name}({self}): …"
            )


def check_path(name: str, given: Any) -> Path:
    """A path that a file or directory can have."""
    if not isinstance(given, str | os.PathLike):
        raise UsageError(f"invalid {name}={given!r}", "expected a path")
    try:
        os.lstat(given)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError) as e:  # too long for the file system, or with a NUL
        message = f"invalid path {shown(given)}: {reason(e)}"
        raise UsageError(message, "choose another path") from None
    return Path(given)


def check_given(name: str, given: Any) -> list[Any]:
    """The items as a list; a single string or number is refused."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise UsageError(f"invalid {name}={given!r}", "expected a list")
    return list(given)


def legal_actions(game: Game, s: Any) -> list[Any]:
    """The actions of a state as a list; an error where ``actions(s)`` does not end."""
    found = list(islice(game.actions(s), MAX_ACTIONS + 1))
    if len(found) > MAX_ACTIONS:
        raise RulesError(
            f"actions(s) returned more than {MAX_ACTIONS} actions in {s!r}",
            "a generator must end: check the loop that yields",
        )
    return found


def action_label(game: Game, a: Any) -> str:
    """An action in words where its state is not at hand."""
    try:
        return game.format_action(None, a)
    except Exception:  # the notation of a user's game needs the state
        return str(a)


def first_state(game: Game) -> Any:
    """The state in which the game begins; an error where ``initial()`` lacks its ``return``."""
    return checked_state(game.initial(), "initial()")


def checked_state(s: Any, rule: str) -> Any:
    """A state that a rule returned, which must not be None."""
    if s is None:
        raise RulesError(f"{rule} returned None", "it must return a state: is a return missing?")
    return s
