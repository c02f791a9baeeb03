"""A compiled game: Python rules for the user, C functions for the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..game import Facts, Game
from .actioncode import ActionCode
from .emit import ERRORS
from .layout import State


@dataclass(frozen=True)
class NativeSpec:
    """The addresses of the functions of the contract (core/game.hpp)."""

    addresses: dict[str, int]  # to_move, actions, play, utility; evaluate, noisy, outcomes if there
    state_size: int  # bytes
    initial: bytes
    facts: Facts
    keepalive: object  # the code lives as long as this


class CompiledGame(Game):
    """The compiled game: the same interface, plus `native_spec` for the search."""

    def __init__(self, original: Any, surface: Game, spec: NativeSpec, layout: State,
                 actions: ActionCode) -> None:  # fmt: skip
        self.original = original
        self._surface = surface
        self.native_spec = spec
        self._layout = layout
        self._actions = actions

    def __getattribute__(self, name: str) -> Any:
        if name in _OWN or name.startswith("__"):
            return object.__getattribute__(self, name)
        return getattr(object.__getattribute__(self, "_surface"), name)

    def encode_state(self, state: Any) -> bytes:
        """The state as the bytes that the compiled functions read; ValueError if it is not one."""
        return self._layout.encode(state)

    def decode_state(self, data: bytes) -> Any:
        """The user's state from these bytes."""
        return self._layout.decode(data)

    def encode_action(self, action: Any) -> int:
        return self._actions.encode(action)

    def decode_action(self, code: int) -> Any:
        """The user's action from a 32-bit code."""
        return self._actions.decode(code)

    def explain_error(self, flag: int) -> str:
        """What a nonzero error flag of the compiled functions means."""
        if flag == 16:
            low, high = self._actions.low, self._actions.high
            return f"an action has a number outside {low}…{high}"
        return f"{ERRORS.get(flag, 'a rule')} raised an exception"

    def __reduce__(self) -> tuple[Any, ...]:
        from .compiler import compile_game

        return compile_game, (self.original,)  # machine code cannot be pickled

    def __repr__(self) -> str:
        return f"<compiled {self._surface!r}>"


_OWN = frozenset(
    {"original", "native_spec", "encode_state", "decode_state", "encode_action", "decode_action",
     "explain_error", "_surface", "_layout", "_actions"}
)  # fmt: skip
