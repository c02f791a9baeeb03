"""EPD: four fields of a FEN and operations, as ``… w - - bm Nf3; id "no. 1";``."""

from __future__ import annotations

import re

from ...checks import check_text
from ...errors import BadPosition

Epd = dict[str, list[str]]  # operands by operation
OPERATION = re.compile(r'\s*([A-Za-z][A-Za-z0-9_]*)((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
QUOTED = re.compile(r"(id|c\d)$")  # operations whose operand is text


def parse_epd(line: str) -> tuple[str, Epd]:
    """The position's four fields, and the operations."""
    fields = check_text("a line of EPD", line).split(None, 4)
    if len(fields) < 4:
        raise BadPosition(
            f"line {line!r} is no EPD: it has {len(fields)} fields, not 4 and operations",
            'as 4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "pawn";',
        )
    rest = fields[4] if len(fields) == 5 else ""
    operations: Epd = {}
    at = 0
    while rest[at:].strip():
        found = OPERATION.match(rest, at)
        if not found:
            raise BadPosition(
                f"line {line!r}: {rest[at:].strip()!r} is no operation", "as bm Nf3; ce 25;"
            )
        words = re.findall(r'"([^"]*)"|([^\s";]+)', found[2])
        operations[found[1]] = [quoted or plain for quoted, plain in words]
        at = found.end()
    return " ".join(fields[:4]), operations


def format_epd(position: str, operations: Epd) -> str:
    """The line that :func:`parse_epd` reads."""
    parts = [position]
    for name, operands in operations.items():
        words = [
            f'"{w}"' if QUOTED.match(name) or not w or re.search(r"[\s;]", w) else w
            for w in (operand.replace('"', "'") for operand in operands)
        ]
        parts.append(" ".join([name, *words]) + ";")
    return " ".join(parts)
