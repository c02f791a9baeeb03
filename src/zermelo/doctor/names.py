"""Names in a game's class that look like misspelled hooks: nothing would ever call them."""

from __future__ import annotations

from typing import Any

from ..errors import nearest
from ..game import Game, hooks

LIKE = 0.82  # of the letters agree


def misspelled(game: Any) -> list[str]:
    """One sentence for each public name that is close to a hook the class does not define."""
    own, known = own_names(game), hooks()
    missing = [hook for hook in known if hook not in own and not inherited(game, hook)]
    said = []
    for name in own:
        if name in known:
            continue
        method = callable(getattr(game, name, None))
        like = [hook for hook in missing if known[hook] == method]
        same = {plain(hook): hook for hook in like}
        if meant := same.get(plain(name)) or nearest(name, like, LIKE):
            said.append(f"{name}{'()' * method} is never used: did you mean {meant}?")
    return said


def own_names(game: Any) -> list[str]:
    """The public names that the game's classes define, those of zermelo's own left out."""
    found: dict[str, None] = {}
    for cls in type(game).__mro__:
        if cls is not object and not cls.__module__.startswith(f"{Game.__module__.split('.')[0]}."):
            found |= dict.fromkeys(name for name in vars(cls) if not name.startswith("_"))
    return list(found)


def inherited(game: Any, hook: str) -> bool:
    """Whether a class of the library other than `Game` itself defines the hook."""
    return any(hook in vars(cls) for cls in type(game).__mro__ if cls not in (Game, object))


def plain(name: str) -> str:
    """The name without what people mix up: capitals and underscores."""
    return name.lower().replace("_", "")
