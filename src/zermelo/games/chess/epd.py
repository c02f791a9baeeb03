"""EPD: four fields of a FEN and operations, as ``… w - - bm Nf3; id "no. 1";``.

Files in circulation bend the standard: the counters of a FEN before the operations, a semicolon
right after the position, a missing last semicolon, NUL bytes and blanks at the end. Such lines mean
what the clean line means; the counters become the operations ``hmvc`` and ``fmvn``.
"""

from __future__ import annotations

import re

from ...checks import check_text
from ...errors import BadPosition

Epd = dict[str, list[str]]  # operands by operation
POSITION = re.compile(r"(\S+)\s+(\S+)\s+([^\s;]+)\s+([^\s;]+)")
COUNTERS = re.compile(r"\s+(\d+)(?:\s+(\d+))?(?=[\s;]|$)")
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)(?:"|$)|(;)|([^\s;"]+)')
ESCAPED = re.compile(r"\\(.)")
OPCODE = re.compile(r"[A-Za-z][^\"]*")
QUOTED = re.compile(r"(id|c\d)$")  # operations whose operand is text
EXAMPLE = 'e.g. 4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "pawn";'


def parse_epd(line: str) -> tuple[str, Epd]:
    """The position's four fields, and the operations."""
    text = check_text("a line of EPD", line).replace("\0", " ").strip(" \t\r\n\ufeff")
    found = POSITION.match(text)
    if not found:
        fields = len(text.split())
        raise BadPosition(f"line {line!r} is not EPD: it has {fields} fields, not 4", EXAMPLE)
    counters = COUNTERS.match(text, found.end())
    operations = _read_operations(text, (counters or found).end(), line)
    if counters:
        names = zip(("hmvc", "fmvn"), counters.groups(), strict=True)
        operations = {name: [count] for name, count in names if count} | operations
    return " ".join(found.groups()), operations


def _read_operations(text: str, at: int, line: str) -> Epd:
    """The operations from `at` on, in one pass. A bare word after a quoted one begins the next."""
    operations: Epd = {}
    operands: list[str] | None = None  # of the operation that is being read
    after_text = False
    for token in TOKEN.finditer(text, at):
        quoted, end, word = token.groups()
        if end:
            operands = None
        elif quoted is not None and operands is not None:
            operands.append(ESCAPED.sub(r"\1", quoted))
        elif operands is not None and not after_text:
            operands.append(word)
        elif word != "-":
            if word is None or not OPCODE.fullmatch(word):
                raise BadPosition(f"line {line!r}: {token[0]!r} is not an operation", EXAMPLE)
            operands = operations[word] = []
        after_text = quoted is not None
    return operations


def format_epd(position: str, operations: Epd) -> str:
    """The line that :func:`parse_epd` reads."""
    parts = [position]
    for name, operands in operations.items():
        words = [written(name, operand.replace('"', "'")) for operand in operands]
        parts.append(" ".join([name, *words]) + ";")
    return " ".join(parts)


def written(name: str, operand: str) -> str:
    """An operand, quoted where it must be."""
    if QUOTED.match(name) or not operand or re.search(r"[\s;]", operand):
        return '"' + operand.replace("\\", "\\\\") + '"'
    return operand
