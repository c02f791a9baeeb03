"""Runs a student's function in a process of its own, one tree a line; knows nothing of zermelo.

Started as ``python -I runner.py FILE FUNCTION MEGABYTES SECONDS``. Trees come as lines of JSON on
stdin, what the function looked at goes out as lines on stdout; whatever the student's code prints
goes nowhere, and what it reads is empty. Limits are the system's, set before the file is read.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import math
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

MOST_VISITS = 50  # times the nodes of the tree: more is a search without end
SHOWN = 300  # characters of an error


class TooLong(BaseException):
    """The function goes on and on; no `except Exception` holds this up."""


class State:
    """A node, as the student's function sees it: it can be compared and printed."""

    __slots__ = ("_at",)

    def __init__(self, at: dict[str, Any]) -> None:
        self._at = at

    def __repr__(self) -> str:
        return f"<state {self._at['name']}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._at is other._at

    def __hash__(self) -> int:
        return hash(self._at["name"])


class Watched:
    """The tree as a game; notes every state that is expanded and every leaf that is looked at."""

    def __init__(self, root: dict[str, Any], nodes: int) -> None:
        self._root, self._most = root, MOST_VISITS * nodes
        self.visits: list[str] = []
        self._expanded: set[str] = set()
        self._calls = 0
        self.players = 2

    def _note(self, name: str, again: bool = False) -> None:
        self._calls += 1
        if self._calls > self._most:
            raise TooLong
        last = self.visits[-1] if self.visits else ""
        if not again and last != name:  # a leaf asked twice in a row is looked at once
            self.visits.append(name)

    def initial(self) -> State:
        return State(self._root)

    def player(self, s: State) -> int:
        return int(s._at["player"])

    def actions(self, s: State) -> list[str]:
        below, name = s._at["children"], s._at["name"]
        if below:  # asking for the actions again, as loops over their numbers do, is no visit
            self._note(name, again=name in self._expanded)
            self._expanded.add(name)
        return [c["name"] for c in below]

    def result(self, s: State, a: str) -> State:
        for child in s._at["children"]:
            if child["name"] == a:
                return State(child)
        raise ValueError(f"{a!r} is not an action of {s!r}")

    def is_terminal(self, s: State) -> bool:
        return not s._at["children"]

    def utility(self, s: State, p: int = 0) -> float:
        if s._at["children"]:
            raise ValueError(f"utility of {s!r}, which is not terminal")
        self._note(s._at["name"])
        value = float(s._at["value"])
        return value if p == 0 else 0.0 - value


def limit(megabytes: int, seconds: int) -> None:
    """Memory, processor time, the size of files and core dumps."""
    try:
        import resource
    except ImportError:  # not on this system: the clock of the caller remains
        return
    size = megabytes << 20
    for what, most in ((resource.RLIMIT_AS, size), (resource.RLIMIT_CPU, seconds),
                       (resource.RLIMIT_FSIZE, 1 << 20), (resource.RLIMIT_CORE, 0)):  # fmt: skip
        _, hard = resource.getrlimit(what)
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (allowed, hard))


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
        raise LookupError(f"there is no function {name!r}; there are: {', '.join(known) or 'none'}")
    return found  # type: ignore[no-any-return]


def call(function: Callable[..., Any], game: Watched) -> Any:
    """f(game, state), f(state, game), f(game), f(game, state, alpha, beta)…, by their names."""
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
    """What was returned, as a list of numbers and words."""
    items = answer if isinstance(answer, (tuple, list)) else [answer]
    out: list[Any] = []
    for item in list(items)[:4]:
        if isinstance(item, State):
            out.append({"state": item._at["name"]})
        elif isinstance(item, bool) or not isinstance(item, (int, float, str)):
            try:
                out.append(float(item))  # NumPy's numbers
            except (TypeError, ValueError):
                out.append(None)
        else:
            out.append(item if isinstance(item, str) else float(item))
    return out


def told(error: BaseException, path: str) -> str:
    """The error in a line, with the line of the student's file."""
    frames = [f for f in traceback.extract_tb(error.__traceback__)
              if os.path.abspath(f.filename) == os.path.abspath(path)]  # fmt: skip
    where = f" (line {frames[-1].lineno}, in {frames[-1].name})" if frames else ""
    if isinstance(error, SyntaxError):
        where = f" (line {error.lineno})"
    return f"{type(error).__name__}: {str(error)[:SHOWN]}{where}"


def one(function: Callable[..., Any], case: dict[str, Any], path: str) -> dict[str, Any]:
    game = Watched(case["root"], case["nodes"])
    try:
        answer = plain(call(function, game))
    except TooLong:
        return {"visits": game.visits[:1000], "error": "it looks at states again and again"}
    except (Exception, SystemExit, KeyboardInterrupt) as e:
        return {"visits": game.visits, "error": told(e, path)}
    return {"visits": game.visits, "answer": answer}


def main() -> None:
    path, name, megabytes, seconds = sys.argv[1:5]
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    reply = os.fdopen(os.dup(1), "w", encoding="utf-8")
    empty = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(empty, fd)
    limit(int(megabytes), int(seconds))

    def say(what: dict[str, Any]) -> None:
        reply.write(json.dumps(what) + "\n")
        reply.flush()

    try:
        function = load(path, name)
    except (Exception, SystemExit, KeyboardInterrupt) as e:
        say({"failed": str(e) if isinstance(e, LookupError) and "function" in str(e)
             else f"the file cannot be imported: {told(e, path)}"})  # fmt: skip
        return
    say({"ready": True})
    for line in asked:
        say(one(function, json.loads(line), path))


if __name__ == "__main__":
    main()
