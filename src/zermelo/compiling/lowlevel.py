"""Numba, as the files that generated rules call see it.

It has type hints in some releases only, and they differ: here it is Any.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

numba: Any = import_module("numba")
ir: Any = import_module("llvmlite.ir")
types: Any = import_module("numba.core.types")
cgutils: Any = import_module("numba.core.cgutils")
signature: Any = import_module("numba.core.typing").signature
compiler_lock: Any = import_module("numba.core.compiler_lock").global_compiler_lock
intrinsic: Any = numba.extending.intrinsic
overload: Any = numba.extending.overload

# Indices of arrays are not checked, since that costs a test at every step. Divisions by 0 raise.
OPTIONS = {"boundscheck": False, "error_model": "python", "nogil": True}
# Nobody calls a helper from Python.
INNER = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

FLAG = types.CPointer(types.int32)
OUT = types.CPointer(types.uint32)
ODDS = types.CPointer(types.float64)
MEMORY = types.voidptr


def provide(stub: Callable[..., Any], typer: Callable[..., Any]) -> None:
    """Let compiled code call `stub` as what `typer` returns for the types at hand."""
    typer.__annotations__.clear()  # Numba compares the signatures of the two, hints included
    overload(stub, jit_options=INNER)(typer)
