"""Runs a student's function in a separate process; does not import zermelo.

Started as ``python -I runner.py FILE FUNCTION``. The tree stays with the grader: every call of the
game's rules is a line of JSON on stdout, and the reply is a line on stdin. The grader therefore
knows the visits, whatever the function does to this process. The output of the student's code is
discarded, and its input is empty.

Lines to the grader: ["ready"], ["failed", why], ["ask", rule, state, argument],
["answer", [item…]], ["error", why]. Lines from it: null (begin), [value] or {"error": text}.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import math
import os
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, TextIO

SHOWN = 300  # characters of an error


class State:
    """A node for the student's function: it can be compared and printed."""

    __slots__ = ("_name", "_number")

    def __init__(self, number: int, name: str) -> None:
        self._number, self._name = number, name

    def __repr__(self) -> str:
        return f"<state {self._name}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._number == other._number

    def __hash__(self) -> int:
        return hash(self._number)


class _Channel:
    """The two pipes to the grader."""

    def __init__(self, requests: TextIO, reply: TextIO) -> None:
        self._asked, self._reply = requests, reply
        self._lock = threading.Lock()

    def say(self, *what: Any) -> None:
        self._reply.write(json.dumps(what, default=repr) + "\n")
        self._reply.flush()

    def read(self) -> str:
        line = self._asked.readline()
        if not line:
            os._exit(0)  # the grader is gone
        return line

    def ask(self, rule: str, state: int, argument: Any = None) -> Any:
        with self._lock:
            self.say("ask", rule, state, argument)
            found = json.loads(self.read())
        if isinstance(found, dict):
            raise ValueError(found["error"])
        return found[0]


class _Remote:
    """The tree as a game. The grader answers and records every call."""

    def __init__(self, line: _Channel) -> None:
        self._line = line
        self.players = 2

    def initial(self) -> State:
        return State(0, "root")

    def player(self, s: State) -> int:
        return int(self._line.ask("player", s._number))

    def actions(self, s: State) -> list[str]:
        return list(self._line.ask("actions", s._number))

    def result(self, s: State, a: str) -> State:
        return State(*self._line.ask("result", s._number, a))

    def is_terminal(self, s: State) -> bool:
        return bool(self._line.ask("is_terminal", s._number))

    def utility(self, s: State, p: int = 0) -> float:
        return float(self._line.ask("utility", s._number, p))


def load(path: str, name: str) -> Callable[..., Any]:
    """The student's function."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("student", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules["student"] = module
    spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not callable(found):
        known = [k for k, v in vars(module).items() if inspect.isfunction(v) and k[0] != "_"]
        raise LookupError(
            f"the file has no function {name!r}; it has: {', '.join(known) or 'none'}"
        )
    return found  # type: ignore[no-any-return]


def call(function: Callable[..., Any], game: _Remote) -> Any:
    """Call f(game, state), f(state, game), f(game), f(game, state, alpha, beta), by its names."""
    try:
        every = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        every = ()  # type: ignore[assignment]
    ordinary = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p.name for p in every if p.default is p.empty and p.kind in ordinary]
    first = game.initial()
    known: dict[str, Any] = dict.fromkeys(("state", "s", "node", "position"), first)
    known |= {"game": game, "g": game, "problem": game, "alpha": -math.inf, "beta": math.inf}
    known |= {"depth": 1 << 20, "player": game.player(first)}
    if not needed or not set(needed) <= set(known):  # other names: the game, then the state
        return function(*(game, first)[: max(1, len(needed))])
    return function(*(known[name] for name in needed))


def plain(answer: Any) -> list[Any]:
    """The returned value as a list of numbers and strings."""
    items = answer if isinstance(answer, (tuple, list)) else [answer]
    out: list[Any] = []
    for item in list(items)[:4]:
        if isinstance(item, State):
            out.append(item._name)
        elif isinstance(item, str):
            out.append(item)
        elif isinstance(item, bool) or item is None:
            out.append(None)
        else:
            try:
                out.append(float(item))  # NumPy's numbers too
            except (TypeError, ValueError, OverflowError):
                out.append(None)
    return out


def _error_text(error: BaseException, path: str) -> str:
    """The error in one line, with the line number in the student's file."""
    frames = [f for f in traceback.extract_tb(error.__traceback__)
              if os.path.abspath(f.filename) == os.path.abspath(path)]  # fmt: skip
    where = f" (line {frames[-1].lineno}, in {frames[-1].name})" if frames else ""
    if isinstance(error, SyntaxError):
        where = f" (line {error.lineno})"
    return f"{type(error).__name__}: {str(error)[:SHOWN]}{where}"


def main() -> None:
    path, name = sys.argv[1:3]
    line = _Channel(
        os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    )
    empty = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(empty, fd)
    try:
        function = load(path, name)
    except (Exception, SystemExit, KeyboardInterrupt) as e:
        known = isinstance(e, LookupError) and "function" in str(e)
        line.say(
            "failed", str(e) if known else f"the file cannot be imported: {_error_text(e, path)}"
        )
        return
    line.say("ready")
    while True:
        line.read()  # the grader sends a tree
        try:
            items = plain(call(function, _Remote(line)))
        except (Exception, SystemExit, KeyboardInterrupt) as e:
            line.say("error", _error_text(e, path))
        else:
            line.say("answer", items)


if __name__ == "__main__":
    main()
