"""Translates Numba's errors into a sentence about the user's line."""

from __future__ import annotations

import re

from ..errors import CompileError
from .emit import Module

# Patterns of Numba's messages and what to do; the first match is used.
ADVICE = (
    (
        r" here, .* there|unify",
        "use one type per variable, e.g. not an int in one branch and None in another",
    ),
    (
        r"Unknown attribute '(\w+)'",
        "only fields of the state and common methods of lists and NumPy arrays can be used",
    ),
    (r"closure|yield", "replace the inner function by a method or a loop"),
    (r"dict|Dict", "use a tuple or a NumPy array indexed by a small int"),
    (r"unicode_type|str\b", "use ints instead of text"),
    (r"UNPACK_EX", "index the tuple instead of a, *rest = …"),
    (r"try|except|with ", "compiled rules cannot catch exceptions: check the condition first"),
    (r"cannot be compiled", "use loops, ints and tuples of fixed length"),
    (r"", "use ints, floats, bools, tuples of fixed length, lists and NumPy arrays"),
)


def explained(error: Exception, module: Module, name: str, place: str) -> CompileError:
    """The error of the generated module `name`, as an error in the user's source."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    found = None
    # Numba reports the innermost location first.
    for match in re.finditer(rf"{re.escape(name)}\.py[\"']?,? (?:line |\()(\d+)", text):
        found = module.lines.get(int(match.group(1)))
        if found is not None:
            break
    where = f"{found[0]}, line {found[1]}" if found else place
    reason = _reason(text)
    hint = next(advice for pattern, advice in ADVICE if re.search(pattern, reason))
    return CompileError(f"{where}: {reason}", hint)


def _reason(text: str) -> str:
    """The first meaningful line, in terms of the user's source."""
    lines = [line.strip() for line in text.splitlines()]
    useful = [x for x in lines if x and not x.startswith(("Failed in", "During:", "File "))]
    reason = useful[0] if useful else "cannot be compiled"
    if reason.startswith("No implementation of function"):
        wanted = next((x for x in useful if x.startswith(">>>")), ">>> this call").lstrip("> ")
        reason = f"cannot be compiled: {wanted}"
    reason = re.sub(r"[,.]? ?(defined at|Raised from|location:).*", "", reason)
    reason = re.sub(
        r"Cannot unify (.*) and (.*) for '(\w+)(\.\d+)?'", r"\3 is \1 here, \2 there", reason
    )
    reason = re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", reason)
    reason = re.sub(r"\b[mghknt]__(\w+)", r"\1", reason)
    return reason if len(reason) < 300 else reason[:300] + "…"
