"""Optional members of :class:`~zermelo.Game`, absent until a game defines them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


MAX_LINES = 31  # of a game record: the main line and variations


class GameRecord(NamedTuple):
    """A game record, as ``Game.parse_record`` returns it.

    Attributes:
        spec: The name of the game with its options, as in ``zermelo.load``.
        position: The position before the first action; "" is the initial state.
        lines: The actions of the main line, then those of each variation, all from `position`.
        title: The players and the result, or "".
    """

    spec: str
    position: str
    lines: list[list[Any]]
    title: str = ""


class _Optional:
    """A documented member of ``Game`` that is absent until a game defines it.

    ``hasattr(game, name)`` is False for a game that does not define it. Subclasses of ``Game`` and
    plain objects with the same methods are therefore treated alike.
    """

    def __init__(self, method: Any = None, doc: str = "") -> None:
        self.method = method
        self.__doc__ = doc or getattr(method, "__doc__", None)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, game: Any, owner: type) -> Any:
        if game is None:
            return self.method or self  # help() shows the signature and the docstring
        raise AttributeError(f"{type(game).__name__} does not define {self.name}")

    def __repr__(self) -> str:
        return "<optional attribute>"


if TYPE_CHECKING:

    def optional_hook(method: F) -> F:
        """Mark a method of ``Game`` as optional."""
        return method

else:
    optional_hook = _Optional


def optional_attribute(doc: str) -> Any:
    """An attribute of ``Game`` that a game may define."""
    return _Optional(doc=doc)


def defines(game: Any, hook: str) -> bool:
    """Whether a game defines this optional method or attribute.

    >>> import zermelo
    >>> class Mine(zermelo.Game):
    ...     def evaluate(self, s, p): return 0.0
    >>> defines(Mine(), "evaluate"), defines(Mine(), "noisy")
    (True, False)
    """
    return getattr(game, hook, None) is not None


_CHECKED: set[type] = set()  # classes whose names were checked


def warn_of_misspelled(game: Any) -> None:
    """Warn once per class about names that look like misspelled hooks: `evalute`."""
    cls = type(game)
    if cls in _CHECKED or cls.__module__.partition(".")[0] in ("zermelo", "builtins"):
        return
    _CHECKED.add(cls)
    from .doctor.names import misspelled

    for sentence in misspelled(game):
        warnings.warn(f"{cls.__name__}: {sentence}", stacklevel=4)
