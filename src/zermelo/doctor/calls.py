"""Calls of the rules by the doctor: exceptions, modified states and varying answers are faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import islice
from typing import Any

from ..game import Game
from .hints import Fault, Stuck, View
from .states import Watch, alike, key, look, short, spot

MAX_ACTIONS = 1_000_000  # a longer list of actions is assumed to be endless


class Asker:
    """Asks about the state `at` and notes faults in `view`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.shared = {id(x): x for x in (game, getattr(game, "rules", game))}
        self.by_look = False  # true once the states' own == and hash are known to be no good
        self.view = View()
        self.at = Watch(None, {})

    def look(self, x: Any) -> Hashable:
        """The parts of `x`, except for the game itself."""
        return look(x, frozenset(self.shared))

    def fault(self, check: str, message: str, *moves: Any, hint: str = "") -> None:
        self.view.faults.append(Fault(check, message, moves, hint))

    def guard(
        self, method: str, ask: Callable[[], Any], shown: tuple[Any, ...], *moves: Any
    ) -> Any:
        """The result of `ask`; an exception is a fault and ends the examination."""
        try:
            return ask()
        except (Exception, SystemExit) as e:
            what = f"{type(e).__name__}: {short_text(e)}" if str(e) else type(e).__name__
            where = spot(e, self.game)
            self.fault(f"{method}-raises", f"{call(method, *shown)} raised {what}{where}", *moves)
            raise Stuck from None

    def once(self, method: str, *rest: Any, many: bool = False, moves: tuple[Any, ...] = ()) -> Any:
        """The result of the game; a change of the state is a fault, and is undone."""
        at = self.at

        def ask() -> Any:
            answer = getattr(self.game, method)(at.state, *rest)
            if method == "is_terminal":
                return bool(answer)
            return list(islice(answer, MAX_ACTIONS)) if many else answer

        answer = self.guard(method, ask, (at.spare if at.can_restore else at.state, *rest), *moves)
        if at.changed():
            check = "result-changes-argument" if method == "result" else f"{method}-changes-state"
            was, now = (short(x) for x in (at.spare, at.state))
            how = f"it became {now}" if was != now else "something inside it"
            called = call(method, at.spare, *rest)
            self.fault(check, f"{called} modified the state it was given: {how}", *moves)
            if not at.can_restore:
                raise Stuck
            at.restore()
        return answer

    def ask(self, method: str, *rest: Any, many: bool = False) -> Any:
        """The answer of the game; it is called twice, and both answers must be equal."""
        first = self.once(method, *rest, many=many)
        second = self.once(method, *rest, many=many)
        if not alike(first, second):
            called = call(method, self.at.state, *rest)
            same = many and Counter(map(look, first)) == Counter(map(look, second))
            check = "actions-order" if same and method == "actions" else f"{method}-differs"
            if not same or method == "actions":
                self.fault(
                    check,
                    f"{called} returned {short(first)} first and {short(second)} when called again",
                )
        return first

    def _hashable(self, check: str, x: Any, what: str, *moves: Any) -> bool:
        try:
            key(x)
            return True
        except Exception as e:
            self.by_look |= check == "state-unhashable"
            why = f" ({short_text(e)})" if type(x).__name__ not in str(e) else ""
            kind = f"{article(type(x).__name__)}, which cannot be hashed{why}"
            self.fault(check, f"{what} {kind}: {short(x)}", *moves)
            return False


def article(name: str) -> str:
    """A name of a type with its article."""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def call(method: str, *args: Any) -> str:
    """The call as it would be written in Python."""
    return f"{method}({', '.join(map(short, args))})"


def short_text(e: BaseException) -> str:
    """The message of an exception in one line."""
    text = " ".join(str(e).split())
    return text if len(text) <= 120 else text[:119] + "…"
