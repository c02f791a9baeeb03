"""SVG for boards: small, self-contained, in light and dark."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

LETTER, LINE = 7.2, 18  # of a label: the width of a letter, the height of a line

STYLE = """<style>
.bg{fill:#fff}.line{stroke:#556;stroke-width:2;stroke-linecap:round;fill:none}
.text{font:14px system-ui,sans-serif;fill:#556;text-anchor:middle}
.p0{fill:#d64545;stroke:#d64545}.p1{fill:#e8b923;stroke:#e8b923}
.place{fill:transparent}.board{fill:#2456a6}.hole{fill:#fff}.stone{fill:#8a94a6}
@media(prefers-color-scheme:dark){.bg{fill:#14161a}.line{stroke:#9aa4b2}.text{fill:#9aa4b2}
.board{fill:#1d3f78}.hole{fill:#14161a}.stone{fill:#6b7686}}
</style>"""


def svg(width: float, height: float, title: str, body: str) -> str:
    """A whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img"><title>{title}</title>{STYLE}'
        f'<rect class="bg" width="100%" height="100%" rx="6"/>{body}</svg>'
    )


def text(x: float, y: float, what: str) -> str:
    """A small label, centred."""
    return f'<text class="text" x="{x:g}" y="{y:g}">{what}</text>'


def wrapped(rows: Sequence[str], width: float) -> list[str]:
    """Sentences broken after commas into lines that fit a picture of this width."""
    lines = []
    for row in rows:
        clauses = row.replace(" ", "\xa0").replace(",\xa0", ", ")  # no break inside a clause
        lines += textwrap.wrap(clauses, int(width / LETTER))
    return [line.replace("\xa0", " ") for line in lines]


def texts(x: float, y: float, rows: Sequence[str]) -> str:
    """Labels below each other."""
    return "".join(text(x, y + LINE * i, row) for i, row in enumerate(rows))


def disc(x: float, y: float, r: float, css: str) -> str:
    """A stone."""
    return f'<circle class="{css}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def place(name: object, x: float, y: float, width: float, height: float) -> str:
    """The clickable area of the square with this name; see Game.action_squares."""
    return (
        f'<rect class="place" data-square="{name}" x="{x:g}" y="{y:g}" '
        f'width="{width:g}" height="{height:g}"/>'
    )


def letter(column: int) -> str:
    """a, b, c, …"""
    return chr(ord("a") + column)
