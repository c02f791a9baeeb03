"""The drawing of Battleships: grids, ships, shots and probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from ..drawing import letter, place, svg, text

CELL, GAP, TOP, LEFT = 26, 30, 46, 26
LETTER = 7.5  # how wide a letter of the words is
STYLE = """<style>
.sea{fill:#e8f1fa}.grid{stroke:#b9cde0;stroke-width:1}.ship{fill:#6b7a8c}.heat{fill:#d9480f}
.miss{fill:#5f7d9c}.hit{stroke:#c92a2a;stroke-width:3.5;stroke-linecap:round}.down{fill:#c92a2a}
.aim{fill:none;stroke:#1864ab;stroke-width:3}.odds{font:10px system-ui,sans-serif;fill:#1f2933;
text-anchor:middle}
@media(prefers-color-scheme:dark){.sea{fill:#16283a}.grid{stroke:#2c4763}.ship{fill:#8d9cad}
.heat{fill:#e8590c}.miss{fill:#86a5c4}.hit{stroke:#ff6b6b}.down{fill:#a61e1e}.aim{stroke:#74c0fc}
.odds{fill:#f1f3f5}}
</style>"""

Sea = tuple[str, list[str], Sequence[float] | None]  # title, marks, odds


def picture(
    name: str, size: int, seas: Sequence[Sea], words: Sequence[str], aimed: set[int]
) -> str:
    """All grids in a row, the text below. Shots go to the last one: its cells can be clicked."""
    parts = [STYLE]
    wide = size * CELL
    for i, (title, marks, odds) in enumerate(seas):
        x0 = LEFT + i * (wide + GAP + LEFT)
        parts.append(text(x0 + wide / 2, 18, title))
        parts += _frame(x0, size)
        last = i == len(seas) - 1
        for cell, mark in enumerate(marks):
            x, y = x0 + cell % size * CELL, TOP + cell // size * CELL
            if odds is not None and mark == ".":
                parts.append(_warm(x, y, odds[cell], max(odds)))
            parts.append(drawn(x, y, mark))
            if last and cell in aimed:
                parts.append(f'<circle class="aim" cx="{x + 13}" cy="{y + 13}" r="11"/>')
            if last:
                parts.append(place(f"{letter(cell % size)}{cell // size + 1}", x, y, CELL, CELL))
    width = LEFT + len(seas) * (wide + GAP + LEFT) - LEFT
    lines = [row for line in words for row in wrap(line, max(20, int(width / LETTER)))]
    for i, line in enumerate(lines):
        parts.append(text(width / 2, TOP + wide + 24 + 18 * i, line))
    return svg(width, TOP + wide + 20 + 18 * len(lines), name, "".join(parts))


def _frame(x0: float, size: int) -> list[str]:
    """Water, lines and the names of columns and rows."""
    wide = size * CELL
    parts = [f'<rect class="sea" x="{x0}" y="{TOP}" width="{wide}" height="{wide}"/>']
    for k in range(size + 1):
        at = k * CELL
        parts.append(f'<path class="grid" d="M{x0 + at} {TOP}v{wide}M{x0} {TOP + at}h{wide}"/>')
    for k in range(size):
        parts.append(text(x0 + k * CELL + 13, TOP - 8, letter(k)))
        parts.append(text(x0 - 13, TOP + k * CELL + 18, str(k + 1)))
    return parts


def _warm(x: float, y: float, odds: float, most: float) -> str:
    """A cell with the probability of a ship as colour and as a number in percent."""
    if odds <= 0:
        return ""
    shade = 0.08 + 0.72 * odds / most
    return (
        f'<rect class="heat" x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" '
        f'fill-opacity="{shade:.2f}"/>'
        f'<text class="odds" x="{x + 13}" y="{y + 17}">{100 * odds:.0f}</text>'
    )


def drawn(x: float, y: float, mark: str) -> str:
    """What is known of a cell."""
    if mark == ".":
        return ""
    if mark == "o":
        return f'<circle class="miss" cx="{x + 13}" cy="{y + 13}" r="4"/>'
    kind = "down" if mark == "S" else "ship"
    body = f'<rect class="{kind}" x="{x + 2}" y="{y + 2}" width="22" height="22" rx="5"/>'
    if mark == "X":
        body += f'<path class="hit" d="M{x + 7} {y + 7}l12 12M{x + 19} {y + 7}l-12 12"/>'
    return body
