"""Names in a game's class that look like misspelled hooks, and hooks of the wrong kind."""

from __future__ import annotations

import inspect
from typing import Any

from ..errors import nearest
from ..game import RULES, Game, hooks

LIKE = 0.82  # of the letters agree
VERY_LIKE = 0.9


def misspelled(game: Any) -> list[str]:
    """One sentence for each public name that looks like a hook, and each hook of the wrong kind."""
    own, known = _own_names(game), hooks()
    missing = {hook for hook in known if hook not in own and not _inherited(game, hook)}
    found = []
    for name in own:
        method = _is_method(game, name)
        if name not in known:
            if meant := _hook_meant(name, bool(method), missing):
                found.append(f"{name}{'()' if method else ''} is never used: did you mean {meant}?")
        elif method == (not known[name]) and name not in RULES:  # a rule is a missing-method
            kinds = ("an attribute", "a method")
            found.append(f"{name} is {kinds[not known[name]]}, but must be {kinds[known[name]]}")
    return found


def _is_method(game: Any, name: str) -> bool | None:
    """Whether the name is callable; None for a property, which is not read: it may raise."""
    static = inspect.getattr_static(game, name, None)
    if callable(static) or isinstance(static, classmethod | staticmethod):
        return True
    return None if hasattr(type(static), "__get__") else False


def _hook_meant(name: str, method: bool, missing: set[str]) -> str:
    """The hook that a name is a misspelling of, or "".

    A hook that the class defines, or one of the other kind, must be nearer: `action` beside
    `actions()` and `samples = 100` are helpers.
    """
    known = hooks()
    likely = [hook for hook in known if hook in missing and known[hook] == method]
    others = [hook for hook in known if hook not in likely]
    same = {plain(hook): hook for hook in [*others, *likely]}
    if meant := same.get(plain(name)) or nearest(name, likely, LIKE):
        return meant
    derived = [hook for hook in others if name.startswith(hook) or hook.startswith(name)]
    meant = nearest(name, [hook for hook in others if hook not in derived], LIKE)
    if sorted(meant) == sorted(name) or nearest(name, [meant], VERY_LIKE):
        return meant
    return ""


def _own_names(game: Any) -> list[str]:
    """The public names that the game's classes define, those of zermelo's own left out."""
    found: dict[str, None] = {}
    for cls in type(game).__mro__:
        if cls is not object and not cls.__module__.startswith(f"{Game.__module__.split('.')[0]}."):
            found |= dict.fromkeys(name for name in vars(cls) if not name.startswith("_"))
    return list(found)


def _inherited(game: Any, hook: str) -> bool:
    """Whether a class of the library other than `Game` itself defines the hook."""
    return any(hook in vars(cls) for cls in type(game).__mro__ if cls not in (Game, object))


def plain(name: str) -> str:
    """The name without what people mix up: capitals and underscores."""
    return name.lower().replace("_", "")
