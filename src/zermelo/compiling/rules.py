"""Python games whose rules run compiled wherever Numba is installed."""

from __future__ import annotations

from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..game import Game

if TYPE_CHECKING:
    from .game import CompiledGame


class CompiledRules(Game):
    """Base class for a game in Python that is compiled on its first search.

    States and actions are as :func:`zermelo.compile` needs them. Without Numba the same rules run
    in Python, with the same results.
    """

    @cached_property
    def compiled(self) -> CompiledGame:
        """The game with its rules compiled; AttributeError if Numba is not installed."""
        if find_spec("numba") is None:
            raise AttributeError("compiling needs Numba, which is not installed")
        from .compiler import compile_game

        return compile_game(self)

    @property
    def native_spec(self) -> Any:
        """What the search needs; a search looks for this attribute."""
        return self.compiled.native_spec

    def encode_state(self, state: Any) -> bytes:
        return self.compiled.encode_state(state)

    def decode_state(self, data: bytes) -> Any:
        return self.compiled.decode_state(data)

    def encode_action(self, action: Any) -> int:
        return self.compiled.encode_action(action)

    def decode_action(self, code: int) -> Any:
        return self.compiled.decode_action(code)

    def explain_error(self, flag: int) -> str:
        return self.compiled.explain_error(flag)

    def __getstate__(self) -> dict[str, Any]:
        """Machine code stays in its process."""
        return {k: v for k, v in self.__dict__.items() if k != "compiled"}
