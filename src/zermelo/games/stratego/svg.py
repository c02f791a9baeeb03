"""Stratego drawn: the board, the lakes, men with their ranks or face down."""

from __future__ import annotations

from collections.abc import Sequence

from ..drawing import letter, place, svg, text

CELL, LEFT, TOP = 44, 30, 12
SHORT = ("", "S", "2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "F")
LAKES = frozenset(x + 10 * y for x in (2, 3, 6, 7) for y in (4, 5))
RANK, BLUE, MOVED, SHOWN = 15, 16, 32, 64
STYLE = """<style>
.land{fill:#dfe6cf}.grid{stroke:#b8c3a0;stroke-width:1;fill:none}.lake{fill:#8fbcdc}
.red{fill:#c0392b}.blue{fill:#2456a6}.face{font:bold 18px system-ui,sans-serif;fill:#fff;
text-anchor:middle}.known{fill:none;stroke:#f5c518;stroke-width:2.5}.last{fill:#f2d675}
.dot{fill:#fff}.way{stroke:#1f7a4d;stroke-width:5;stroke-linecap:round;fill:none}
@media(prefers-color-scheme:dark){.land{fill:#2c3326}.grid{stroke:#475040}.lake{fill:#2d5873}
.red{fill:#a93226}.blue{fill:#2f66bd}.last{fill:#6b5c1f}.way{stroke:#5fd39a}}
</style>"""


def picture(
    name: str,
    men: Sequence[int],
    last: Sequence[int],
    arrows: Sequence[tuple[int, int]],
    words: Sequence[str],
    below: int,
) -> str:
    """The board with player `below` at the bottom; a yellow rim: the other has seen that man."""
    wide = 10 * CELL
    parts = [STYLE, f'<rect class="land" x="{LEFT}" y="{TOP}" width="{wide}" height="{wide}"/>']

    def corner(square: int) -> tuple[int, int]:
        x, y = square % 10, 9 - square // 10
        return LEFT + CELL * (9 - x if below else x), TOP + CELL * (9 - y if below else y)

    for square in LAKES:
        parts.append(box("lake", *corner(square)))
    for square in last:
        parts.append(box("last", *corner(square)))
    lines = "".join(
        f"M{LEFT + k * CELL} {TOP}v{wide}M{LEFT} {TOP + k * CELL}h{wide}" for k in range(11)
    )
    parts.append(f'<path class="grid" d="{lines}"/>')
    for square, man in enumerate(men):
        if man:
            parts.append(drawn(*corner(square), man))
    for a, b in arrows:
        (x, y), (u, v) = corner(a), corner(b)
        parts.append(f'<path class="way" d="M{x + 22} {y + 22}L{u + 22} {v + 22}"/>')
        parts.append(f'<circle class="way" cx="{u + 22}" cy="{v + 22}" r="4"/>')
    for k in range(10):
        x, y = corner(k)[0], corner(10 * k)[1]
        parts.append(text(x + 22, TOP + wide + 17, letter(k)))
        parts.append(text(LEFT - 14, y + 27, str(k + 1)))
    for square in range(100):
        x, y = corner(square)
        parts.append(place(f"{letter(square % 10)}{square // 10 + 1}", x, y, CELL, CELL))
    for i, line in enumerate(words):
        parts.append(text(LEFT + wide / 2, TOP + wide + 38 + 18 * i, line))
    return svg(LEFT + wide + 12, TOP + wide + 30 + 18 * len(words), name, "".join(parts))


def box(kind: str, x: int, y: int) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'


def drawn(x: int, y: int, man: int) -> str:
    """A man: its rank, or its back; a dot below says that it has moved."""
    side = "blue" if man & BLUE else "red"
    parts = [f'<rect class="{side}" x="{x + 4}" y="{y + 4}" width="36" height="36" rx="6"/>']
    if man & RANK:
        parts.append(f'<text class="face" x="{x + 22}" y="{y + 28}">{SHORT[man & RANK]}</text>')
    if man & SHOWN:
        parts.append(f'<rect class="known" x="{x + 5}" y="{y + 5}" width="34" height="34" rx="5"/>')
    elif man & MOVED:
        parts.append(f'<circle class="dot" cx="{x + 22}" cy="{y + 35}" r="2.5"/>')
    return "".join(parts)
