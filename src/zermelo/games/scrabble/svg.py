"""Scrabble drawn: the board with its premiums, tiles, racks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..drawing import place, svg, text
from .table import ALL, POINTS, SIZE

CELL, LEFT, TOP = 32, 28, 26
SAID = {"d": "2L", "t": "3L", "D": "2W", "T": "3W"}
STYLE = """<style>
.cloth{fill:#e9efe6}.grid{stroke:#fff;stroke-width:1.5;fill:none}.d{fill:#b9dcec}.t{fill:#5da5c8}
.D{fill:#f2c3c0}.T{fill:#d9695f}.more{font:9px system-ui,sans-serif;fill:#38444d;
text-anchor:middle}.tile{fill:#f3dca4;stroke:#c9a85c}.fresh{fill:#ffd166;stroke:#c98f1b}
.back{fill:#b9a67a;stroke:#8d7c55}.meant{fill:#bfe3c0;stroke:#4c9a52}
.face{font:bold 18px system-ui,sans-serif;fill:#2b2417;text-anchor:middle}
.wild{fill:#b03a2e}.count{font:8px system-ui,sans-serif;fill:#2b2417;
text-anchor:end}.word{font:14px system-ui,sans-serif;fill:#556}
@media(prefers-color-scheme:dark){.cloth{fill:#232a27}.grid{stroke:#14161a}.d{fill:#24485a}
.t{fill:#2f6f92}.D{fill:#6a3a3a}.T{fill:#96423a}.more{fill:#c3ccd4}.tile{fill:#d8c08a}
.fresh{fill:#e8b84b}.back{fill:#6f6448}.meant{fill:#8fc493}.word{fill:#9aa4b2}}
</style>"""


def picture(
    name: str,
    board: str,
    marks: Sequence[str],
    racks: Sequence[str],
    labels: Sequence[str],
    fresh: set[int],
    meant: Mapping[int, str],
    words: Sequence[str],
) -> str:
    """The board with the last play highlighted and the marked play in green, and the racks."""
    wide = SIZE * CELL
    parts = [STYLE, f'<rect class="cloth" x="{LEFT}" y="{TOP}" width="{wide}" height="{wide}"/>']
    for i, mark in enumerate(marks):
        x, y = corner(i)
        if mark in SAID:
            parts.append(
                f'<rect class="{mark}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'
                f'<text class="more" x="{x + 16}" y="{y + 19}">{SAID[mark]}</text>'
            )
    lines = "".join(
        f"M{LEFT + k * CELL} {TOP}v{wide}M{LEFT} {TOP + k * CELL}h{wide}" for k in range(SIZE + 1)
    )
    parts.append(f'<path class="grid" d="{lines}"/>')
    for i, c in enumerate(board):
        if c != ".":
            parts.append(tile(*corner(i), c, "fresh" if i in fresh else "tile"))
        elif i in meant:
            parts.append(tile(*corner(i), meant[i], "meant"))
    for k in range(SIZE):
        parts.append(text(LEFT + k * CELL + 16, TOP - 8, chr(ord("A") + k)))
        parts.append(text(LEFT - 14, TOP + k * CELL + 21, str(k + 1)))
    for i in range(SIZE * SIZE):
        parts.append(place(f"{i // SIZE + 1}{chr(ord('A') + i % SIZE)}", *corner(i), CELL, CELL))
    bottom = TOP + wide + 12
    for p, rack in enumerate(racks):
        y = bottom + 40 * p
        parts.append(f'<text class="word" x="{LEFT}" y="{y + 21}">{labels[p]}</text>')
        parts += [tile(LEFT + 130 + 36 * i, y, c, "tile") for i, c in enumerate(rack)]
    for i, line in enumerate(words):
        parts.append(f'<text class="word" x="{LEFT}" y="{bottom + 98 + 18 * i}">{line}</text>')
    return svg(LEFT + wide + 14, bottom + 90 + 18 * len(words), name, "".join(parts))


def corner(cell: int) -> tuple[int, int]:
    return LEFT + cell % SIZE * CELL, TOP + cell // SIZE * CELL


def tile(x: float, y: float, letter: str, kind: str) -> str:
    """A tile; lower case is a blank that stands for the letter, "_" lies face down."""
    kind = "back" if letter == "_" else kind
    body = f'<rect class="{kind}" x="{x + 1.5}" y="{y + 1.5}" width="29" height="29" rx="4"/>'
    if letter == "_":
        return body
    points = 0 if letter.islower() else POINTS[ALL.index(letter)]
    wild = "" if letter.isupper() else " wild"
    body += f'<text class="face{wild}" x="{x + 15}" y="{y + 22}">{letter.upper()}</text>'
    if points:
        body += f'<text class="count" x="{x + 28}" y="{y + 28}">{points}</text>'
    return body
