"""Base classes of native games in Python: states that print in the game's notation."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from .. import _core
from ..checks import LONGEST_POSITION, check_text, whole
from ..errors import BadPosition, IllegalAction, UsageError
from ..game import Facts, Game

# Methods that users call with texts and players: their arguments are checked.
TEXTS = ("parse_state", "parse_action")
SEEN = (
    "observation", "sample", "view", "svg_for", "observation_text", "observation_svg",
    "announcements",
)  # fmt: skip


# The lookbehind lets a match begin only where a number begins: linear time for any text.
MOVE_NUMBER = re.compile(r"(?<!\d)\d++\.+")


def written_moves(text: str) -> list[str]:
    """The moves of a game score without their numbers: "1. e4 e5 2.Nf3" is e4, e5, Nf3."""
    return MOVE_NUMBER.sub(" ", text).split()


class State:
    """A position of a native game: immutable, hashable, equal where the position is equal."""

    __slots__ = ("data", "game")

    def __init__(self, game: NativeGame, data: bytes) -> None:
        self.game = game
        self.data = data

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.data == other.data
            and (self.game is other.game or self.game.spec == other.game.spec)
        )

    def __hash__(self) -> int:
        return hash(self.data)

    def __str__(self) -> str:
        return self.game.board(self)

    def __repr__(self) -> str:
        return f"<{self.game.name} {self.game.format_state(self)!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (State, (self.game, self.data))

    def _repr_svg_(self) -> str | None:
        return self.game.svg(self)


def checked(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a game with checks of its arguments: texts, players, chance."""

    @functools.wraps(method)
    def position(self: NativeGame, text: Any) -> Any:
        return method(self, check_text("a position", text, LONGEST_POSITION))

    @functools.wraps(method)
    def action(self: NativeGame, s: Any, text: Any) -> Any:
        return method(self, s, check_text("an action", text, LONGEST_POSITION))

    @functools.wraps(method)
    def asking(self: NativeGame, s: Any, p: Any, *more: Any, **named: Any) -> Any:
        self.data(s)
        self.check_player(p)
        rng = more[0] if more else named.get("rng")
        if name == "sample" and not hasattr(rng, "getrandbits"):
            raise UsageError("sample needs a random.Random", "call it as sample(s, p, rng)")
        return method(self, s, p, *more, **named)

    if name == "parse_state":
        return position
    return action if name == "parse_action" else asking


class NativeGame(Game):
    """A game whose rules are written in C++; a subclass adds notation and pictures.

    It defines ``decode_action(key, code)``, the action of a native action code in the state with
    that key, and ``encode_action(key, action)``, the reverse.
    """

    name: str = ""
    spec: str = ""  # the name by which zermelo.load makes it again
    handle: _core.Handle
    evaluations: tuple[str, ...] = ()  # what the native evaluation is called
    endgames: str = ""  # the name of the rules in tablebases, if options do not matter
    impartial: bool = False  # both players have the same moves, so Grundy values are defined

    def __init_subclass__(cls, **more: Any) -> None:
        # Adds argument checks to the methods of every game.
        super().__init_subclass__(**more)
        for name in (*TEXTS, *SEEN):
            if name in vars(cls):
                setattr(cls, name, checked(name, vars(cls)[name]))

    def __init__(self, spec: str, handle: _core.Handle) -> None:
        self.spec = self.name = spec
        self.handle = handle
        f = handle.facts
        self.players = f.players
        self.zero_sum = f.zero_sum
        self.utility_bounds = (f.utility_min, f.utility_max)
        self.facts = Facts(
            f.players, f.chance, f.hidden, f.zero_sum, self.utility_bounds, f.tree_nodes,
            handle.superko,
        )  # fmt: skip

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> NativeGame:
        return cls(spec, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        from .loading import load

        return (load, (self.spec,))

    def evaluated(self, name: str) -> _core.Handle:
        """The rules with the native evaluation of this name, one of `evaluations`."""
        return self.handle

    def decode_action(self, key: int, code: int) -> Any:
        raise NotImplementedError

    def encode_action(self, key: int, action: Any) -> int:
        raise NotImplementedError

    def check_player(self, p: Any) -> None:
        number = whole(p)
        if number is None or not 0 <= number < self.players:
            raise UsageError(f"invalid player {p!r}", f"expected 0 to {self.players - 1}")

    # -- the rules, by the native game ------------------------------------------------------
    def data(self, s: Any) -> bytes:
        """The flat state behind `s`."""
        if not isinstance(s, State) or (s.game is not self and s.game.spec != self.spec):
            raise UsageError(
                f"{s!r} is not a state of {self.name}",
                "use initial(), result(s, a) or parse_state(text)",
            )
        return s.data

    def initial(self) -> State:
        return State(self, self.handle.initial())

    def player(self, s: State) -> int:
        return self.handle.to_move(self.data(s))

    def is_terminal(self, s: State) -> bool:
        return self.handle.to_move(self.data(s)) == -2

    def actions(self, s: State) -> list[Any]:
        data = self.data(s)
        player = self.handle.to_move(data)
        if player == -2:
            return []
        key = self.handle.key(data)
        if player == -1:
            return [self.decode_action(key, code) for code, _ in self.handle.outcomes(data)]
        return [self.decode_action(key, code) for code in self.handle.actions(data)]

    def result(self, s: State, a: Any) -> State:
        data = self.data(s)
        try:
            code = self.encode_action(self.handle.key(data), a)
            return State(self, self.handle.play(data, code))
        except (IllegalAction, ValueError, TypeError, LookupError, AttributeError):
            legal = self.actions(s)
            if not legal:
                raise IllegalAction(
                    f"{a!r} cannot be played: the game is over", "take back a move"
                ) from None
            raise IllegalAction(
                f"{self.format_action(None, a)} is not a legal action here", self._legal_hint(legal)
            ) from None

    def utility(self, s: State, p: int) -> float:
        self.check_player(p)
        return self.handle.utility(self.data(s), p)

    def play_written(self, s: State, text: str, number: int, move: str) -> State:
        """After one move, the `number`-th, of a position that `text` gives as moves."""
        try:
            return self.result(s, self.parse_action(s, move))
        except IllegalAction as e:
            raise BadPosition(
                f"position {text!r}: move {number}, {move!r}, is not legal",
                e.hint or "the game is already over",
            ) from None

    def _legal_hint(self, legal: Sequence[Any]) -> str:
        shown = ", ".join(self.format_action(None, a) for a in legal[:12])
        return "legal: " + shown + (f", … ({len(legal)} in all)" if len(legal) > 12 else "")


class EncodedGame(NativeGame):
    """A native game on a board that networks can read."""

    symmetry = ""  # of the board, see symmetry.py

    @property
    def policy_size(self) -> int:  # type: ignore[override]
        """The number of policy indices."""
        return self.handle.facts.policy_size

    def encode(self, s: State, p: int) -> Any:
        """The unfinished state `s` as player `p` sees it: planes of numbers, mostly 0 or 1."""
        self.check_player(p)
        return self.handle.encode(self.data(s), p)

    def policy_index(self, a: Any) -> int:
        """The index of action `a` in a policy."""
        return self.handle.policy_index(self.encode_action(0, a))

    @property
    def symmetries(self) -> list[tuple[Any, Any]]:  # type: ignore[override]
        """The symmetries of the board as permutations of the encoding and of the policy."""
        from .symmetry import permutations  # it needs NumPy, which takes long to import

        f = self.handle.facts
        return permutations(self.symmetry, (f.planes, f.rows, f.columns), f.policy_size)


class EvaluatedGame(NativeGame):
    """A native game with an evaluation of its own."""

    def evaluate(self, s: State, p: int) -> float:
        """The heuristic evaluation of the unfinished state `s` for player `p`."""
        self.check_player(p)
        return self.handle.evaluate(self.data(s), p)
