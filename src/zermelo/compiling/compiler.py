"""From a class of rules to a compiled game: the steps in their order.

The methods of an ordinary class are compiled as they are, with Numba, to C functions; the class
still runs uncompiled. States are NamedTuples (or tuples) of ints, floats and bools, or NumPy
records; actions are ints or tuples of up to four small ints. Compiled ints are 64 bits wide (a
field annotated ``np.uint64`` is unsigned, and stays so with Python's ints) and array indices are
not checked. Arithmetic raises where Python's does, as ``x // 0``, and where its result is not an
int, as in ``2 ** n`` with a negative n. An exception inside a rule sets a flag that the search
reports.
"""

from __future__ import annotations

import inspect
import warnings
from importlib import import_module
from typing import Any

from ..errors import CompileError, extra
from ..game import Adapted, as_game, facts_of, first_state
from . import check
from .actioncode import ActionCode
from .game import CompiledGame, NativeSpec
from .layout import state_layout

__all__ = ["CompiledGame", "NativeSpec", "compile_game"]


def compile_game(game: Any) -> CompiledGame:
    """The same game, its rules compiled; :class:`CompileError` names the line that prevents it."""
    if isinstance(game, CompiledGame):
        return game
    if isinstance(game, Adapted):
        game = game.rules
    surface = as_game(game)
    try:
        numba: Any = import_module("numba")
    except ImportError:
        raise CompileError(
            "compiling needs Numba, which is not installed", extra("compile", "numba")
        ) from None
    from . import diagnose, store
    from .emit import Emitter
    from .runtime import unsigned_wins

    initial = first_state(game)
    place = _place(game)
    try:
        layout = state_layout(initial)
        found = check.sample(game, initial)
        actions = ActionCode([a for seen in found for a in seen.actions])
    except CompileError as e:
        raise CompileError(f"{place}: {e.message}", e.hint) from None
    module = Emitter(game, layout, actions).module()
    try:
        with unsigned_wins(), warnings.catch_warnings():
            warnings.simplefilter("ignore", numba.core.errors.NumbaWarning)
            loaded = store.load(module.text)
    except OSError:  # the disk, not the rules
        raise
    except Exception as e:  # Numba's errors have no common root
        raise diagnose.explained(e, module, store.module_name(module.text), place) from e
    entries = {name: getattr(loaded, name) for name in module.entries}
    addresses = {name: int(entry.address) for name, entry in entries.items()}
    native = check.Native(addresses, layout.size)
    check.Checker(native, layout, actions, place).check(found)
    spec = NativeSpec(addresses, layout.size, layout.encode(initial), facts_of(surface), entries)
    return CompiledGame(game, surface, spec, layout, actions)


def _place(game: Any) -> str:
    """The file and line of the class, for errors that no single line causes."""
    cls = type(game)
    try:
        return (
            f"{inspect.getsourcefile(cls)}, line {inspect.getsourcelines(cls)[1]}, {cls.__name__}"
        )
    except (OSError, TypeError):
        return cls.__name__
