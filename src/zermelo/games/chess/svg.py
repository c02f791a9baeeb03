"""The board as SVG: men of our own drawing, on squares of 45 units."""

from __future__ import annotations

from math import hypot

from ..drawing import place, svg

CELL, EDGE = 45, 16
STYLE = """<style>
.light{fill:#eadfc8}.dark{fill:#a9835f}.mark{fill:#e8c531;opacity:.5}.check{fill:#d63a2f;opacity:.6}
.name{font:10px system-ui,sans-serif;fill:#7a6a58;text-anchor:middle}
.man{stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}
.w{fill:#fffaf0;stroke:#2a2320}.b{fill:#35302f;stroke:#171312}
.w .in{fill:none;stroke:#2a2320}.b .in{fill:none;stroke:#e6dac6}
.arrow{fill:#2f7d4f;opacity:.75}
@media(prefers-color-scheme:dark){.light{fill:#8d8474}.dark{fill:#57493e}.name{fill:#a89c8c}
.w{fill:#f3ecdd;stroke:#1b1715}.b{fill:#1f1c1c;stroke:#857a6c}.b .in{stroke:#b8ad9c}}
</style>"""
# Body, then lines drawn on it.
SHAPES = {
    "p": (
        "M22.5 8.5a5.2 5.2 0 0 1 3.7 8.9c2.4 1.2 3.3 3 3.3 4.6h-3.7c.4 5 3 8.2 6.7 11.5v5h-20v-5"
        "c3.7-3.3 6.3-6.5 6.7-11.5h-3.7c0-1.6.9-3.4 3.3-4.6a5.2 5.2 0 0 1 3.7-8.9z",
        "M15.5 33.5h14",
    ),
    "n": (
        "M12.5 38.5c-.5-8 8-10 8.5-16-2.5 2-5.5 3-8 5.5-1.5 1.5-3.8.8-4.2-1-.3-1.5.2-2.5"
        " 1-4 1.7-3.2 3.5-7.2 6.2-10l.5-5.5 4.5 3.5c8.5.5 14 7 14 17.5 0 4-1 6.5-1 10z",
        "M17.5 16.2l1.2-.8M24 11.5c5 2 7.5 7 7.5 13.5M15 34h16",
    ),
    "b": (
        "M22.5 6a2.7 2.7 0 0 1 1.7 4.8c3.9 3.1 6.3 7 6.3 11 0 3-1.5 5.2-3.5 6.7l1 4h5v6"
        "H12v-6h5l1-4c-2-1.5-3.5-3.7-3.5-6.7 0-4 2.4-7.9 6.3-11A2.7 2.7 0 0 1 22.5 6z",
        "M22.5 16v7M19 19.5h7M18 28.5h9M17 32.5h11",
    ),
    "r": (
        "M11 38.5v-4l3-3 1-13-3-3V8h5v3h3.5V8h4v3H28V8h5v7.5l-3 3 1 13 3 3v4z",
        "M15 18.5h15M14 31.5h17M12 15.5h21",
    ),
    "q": (
        "M8.5 15.5l5 9 1.5-13 5 12 2.5-14 2.5 14 5-12 1.5 13 5-9-4 16 1 3v4h-22v-4l1-3z",
        "M12.5 31.5q10-2.5 20 0M12 35q10.5-2 21 0",
    ),
    "k": (
        "M22.5 12c3.2 0 4.8 2.6 3.7 6.2 3-4.2 11.3-3.7 11.3 3 0 4.5-4 6.3-5 10.3l1 3v4"
        "h-22v-4l1-3c-1-4-5-5.8-5-10.3 0-6.7 8.3-7.2 11.3-3-1.1-3.6.5-6.2 3.7-6.2z",
        "M12.5 31.5q10-2.5 20 0M12 35q10.5-2 21 0M22.5 18.5v10",
    ),
}
TIPS = ((8.5, 13.5), (15, 9.5), (22.5, 7.5), (30, 9.5), (36.5, 13.5))  # of the queen's crown


def man(letter: str, x: float, y: float) -> str:
    """One man, its square's corner at x, y."""
    kind = letter.lower()
    body, inside = SHAPES[kind]
    parts = [f'<path d="{body}"/><path class="in" d="{inside}"/>']
    if kind == "q":
        parts += [f'<circle cx="{cx:g}" cy="{cy:g}" r="2.3"/>' for cx, cy in TIPS]
    if kind == "k":
        parts.insert(0, '<path fill="none" stroke-width="2.4" d="M22.5 12V4.5M19 7.5h7"/>')
    css = "w" if letter.isupper() else "b"
    return f'<g class="man {css}" transform="translate({x:g} {y:g})">{"".join(parts)}</g>'


def corner(square: int, black_below: bool) -> tuple[int, int]:
    """Where a square's upper left corner is."""
    file, rank = square & 7, square >> 3
    column, row = (7 - file, rank) if black_below else (file, 7 - rank)
    return EDGE + CELL * column, EDGE + CELL * row


def square_of(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def name_of(square: int) -> str:
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


def arrow(move: str, black_below: bool) -> str:
    """From the middle of a square to that of another."""
    ends = [corner(square_of(move[i : i + 2]), black_below) for i in (0, 2)]
    (x, y), (u, v) = ((a + CELL / 2, b + CELL / 2) for a, b in ends)
    length = hypot(u - x, v - y) or 1
    dx, dy = (u - x) / length, (v - y) / length
    half = [(10.0, 4), (length - 14, 4), (length - 14, 11), (length, 0)]
    outline = half + [(along, -aside) for along, aside in half[2::-1]]
    points = " ".join(f"{x + a * dx - b * dy:.1f},{y + a * dy + b * dx:.1f}" for a, b in outline)
    return f'<polygon class="arrow" points="{points}"/>'


def board(
    men: str, last: str | None, arrows: list[str], check: int | None, black_below: bool
) -> str:
    """The whole picture of 64 men from a1 on."""
    parts = [STYLE]
    for square in range(64):
        x, y = corner(square, black_below)
        shade = "light" if (square + (square >> 3)) & 1 else "dark"
        parts.append(f'<rect class="{shade}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>')
    marks = [(square_of(last[i : i + 2]), "mark") for i in (0, 2)] if last else []
    if check is not None:
        marks.append((check, "check"))
    for square, css in marks:
        x, y = corner(square, black_below)
        parts.append(f'<rect class="{css}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>')
    for i in range(8):
        x, _ = corner(i, black_below)
        _, y = corner(8 * i, black_below)
        parts.append(f'<text class="name" x="8" y="{y + CELL / 2 + 4:g}">{i + 1}</text>')
        parts.append(
            f'<text class="name" x="{x + CELL / 2:g}" y="{EDGE + 8 * CELL + 12}">{"abcdefgh"[i]}'
            "</text>"
        )
    for square, letter in enumerate(men):
        if letter != ".":
            parts.append(man(letter, *corner(square, black_below)))
    parts += [arrow(move, black_below) for move in arrows]
    for square in range(64):
        parts.append(place(name_of(square), *corner(square, black_below), CELL, CELL))
    size = 8 * CELL + 2 * EDGE
    return svg(size, size, "chess", "".join(parts))
