"""The board as text and as SVG: seen by White, numbered as the side whose turn it is does."""

from __future__ import annotations

from dataclasses import dataclass

from ..drawing import disc, place, svg

HEIGHT = 5  # checkers shown in a stack; more are counted
STYLE = """<style>
.wood{fill:#b98d5a}.felt{fill:#f3ead8}.dark{fill:#8c5a3c}.light{fill:#d9b98c}
.white,.black{stroke-width:1.2}
.white{fill:#fdfbf5;stroke:#6b5a45}.black{fill:#33302d;stroke:#14110f}
.on{font:600 13px system-ui,sans-serif;text-anchor:middle}
.on-white{fill:#3a3026}.on-black{fill:#f5eee2}
.number{font:11px system-ui,sans-serif;fill:#5d5244;text-anchor:middle}
.say{font:13px system-ui,sans-serif;fill:#5d5244}
@media(prefers-color-scheme:dark){.wood{fill:#4a3a2a}.felt{fill:#2a2722}.dark{fill:#6d4630}
.light{fill:#8a7253}.white{fill:#ece5d6;stroke:#1b1713}.black{fill:#1a1817;stroke:#b0a390}
.number,.say{fill:#b3a998}.on-black{fill:#ece5d6}}
</style>"""
CUBE_STYLE = """<style>
.cube{fill:#fdfbf5;stroke:#6b5a45;stroke-width:1.5}
.cubed{font:700 15px system-ui,sans-serif;text-anchor:middle;fill:#3a3026}
@media(prefers-color-scheme:dark){.cube{fill:#ece5d6;stroke:#1b1713}}
</style>"""


@dataclass(frozen=True)
class Cube:
    """The doubling cube: where it lies and what may be done with it."""

    value: int
    owner: int | None  # None: in the middle
    offered: bool
    dropped: bool
    choices: tuple[str, ...]  # of who decides about it


@dataclass(frozen=True)
class Seen:
    """A position by White's numbers: checkers on points 1 to 24 (White's > 0), bars, off."""

    points: tuple[int, ...]
    bar: tuple[int, int]  # White's, Black's
    off: tuple[int, int]
    turn: int
    dice: tuple[int, int]
    over: bool
    cube: Cube | None = None

    def pips(self, side: int) -> int:
        sign = (1, -1)[side]
        there = sum(
            max(sign * n, 0) * (p if side == 0 else 25 - p) for p, n in enumerate(self.points, 1)
        )
        return there + 25 * self.bar[side]

    def label(self, point: int) -> int:
        """The point's number as the side whose turn it is counts."""
        return 25 - point if self.turn else point

    def news(self) -> str:
        side, other = ("White", "Black")[:: -1 if self.turn else 1]
        if self.over:
            return f"game over, {other} dropped" if self.cube and self.cube.dropped else "over"
        if self.cube and self.cube.offered:
            return f"{side} doubles to {2 * self.cube.value}: {other} takes or drops"
        if self.cube and self.cube.choices:
            return f"{side} to roll or double"
        return (
            f"{side} to play {self.dice[0]}-{self.dice[1]}" if self.dice[0] else f"{side} to roll"
        )


# -- text --------------------------------------------------------------------------------------
def board(s: Seen) -> str:
    """Twelve points above, twelve below, the bar between the halves; O is White, X Black."""
    top, bottom = list(range(13, 25)), list(range(12, 0, -1))
    edge = "+" + "-" * 24 + "+---+" + "-" * 24 + "+"

    def numbers(points: list[int]) -> str:
        cells = [f"{s.label(p):^4}" for p in points]
        return f" {''.join(cells[:6])}     {''.join(cells[6:])}".rstrip()

    def row(points: list[int], bar: int, level: int) -> str:
        cells = [f"{_cell(s.points[p - 1], level):^4}" for p in points]
        return f"|{''.join(cells[:6])}|{_cell(bar, level):^3}|{''.join(cells[6:])}|"

    levels = range(1, HEIGHT + 1)
    upper = [row(top, -s.bar[1], i) for i in levels]
    lower = [row(bottom, s.bar[0], i) for i in reversed(levels)]
    upper[0] += f"  X off {s.off[1]}, {s.pips(1)} pips"
    lower[-1] += f"  O off {s.off[0]}, {s.pips(0)} pips"
    if s.cube:
        where = {None: (lower, 0), 0: (lower, -2), 1: (upper, 1)}[s.cube.owner]
        where[0][where[1]] += f"  cube {s.cube.value}"
    middle = f"|{'':24}|BAR|{'':24}|  {s.news()}"
    return "\n".join([numbers(top), edge, *upper, middle, *lower, edge, numbers(bottom)])


def _cell(count: int, level: int) -> str:
    """What a stack shows at a level; at its end the number of more than it can show."""
    if abs(count) > HEIGHT and level == HEIGHT:
        return str(abs(count))
    return ("O" if count > 0 else "X") if abs(count) >= level else " "


# -- SVG ---------------------------------------------------------------------------------------
CELL, EDGE, TALL = 40, 18, 210  # a point's width, the frame, its height with room for five
BAR_WIDTH, TRAY, GAP = 44, 46, 40
RADIUS = 18.5


def picture(s: Seen) -> str:
    left, top = EDGE, EDGE + 18
    width = 12 * CELL + BAR_WIDTH
    height = 2 * TALL + GAP
    parts = [
        STYLE,
        f'<rect class="wood" x="{left - 12}" y="{top - 12}" width="{width + TRAY + 34}" '
        f'height="{height + 24}" rx="8"/>',
        *(
            f'<rect class="felt" x="{left + x}" y="{top}" width="{w}" height="{height}" rx="3"/>'
            for x, w in ((0, 6 * CELL), (6 * CELL + BAR_WIDTH, 6 * CELL), (width + 10, TRAY))
        ),
    ]
    for p in range(1, 25):
        parts += _point(s, p, left, top, height)
    middle = left + 6 * CELL + BAR_WIDTH / 2
    for side, count in enumerate(s.bar):
        y = top + height / 2
        step = (1, -1)[side] * 2 * RADIUS
        first = y + (GAP / 2 + RADIUS) * (1, -1)[side]
        parts += _stack(middle, first, step, count, side, 4)
    parts += _borne_off(s, left + width + 10, top, height)
    half = height / 2  # the mover's side of the bar and of the tray
    y = top if s.turn else top + half
    parts.append(place("bar", left + 6 * CELL, y, BAR_WIDTH, half))
    parts.append(place("off", left + width + 10, y, TRAY, half))
    if s.dice[0] and not s.over:
        at = left + (6 * CELL + BAR_WIDTH) + 3 * CELL if s.turn == 0 else left + 3 * CELL
        for i, die in enumerate(s.dice):
            parts += _die(at - 38 + 42 * i, top + height / 2 - 17, die, s.turn)
    if s.cube:
        parts += _cube(s.cube, s.turn, left, top, height)
    words = f"{s.news()} · pips: White {s.pips(0)}, Black {s.pips(1)}"
    foot = top + height + 48
    parts.append(f'<text class="say" x="{left}" y="{foot}">{words}</text>')
    return svg(left + width + TRAY + 40, foot + 14, f"backgammon: {s.news()}", "".join(parts))


def _column(point: int) -> int:
    """From the left, 0 to 11."""
    return 12 - point if point <= 12 else point - 13


def _point(s: Seen, point: int, left: int, top: int, height: int) -> list[str]:
    column, lower = _column(point), point <= 12
    x = left + column * CELL + (BAR_WIDTH if column >= 6 else 0)
    base = top + height if lower else top
    tip = base + (-TALL + 14 if lower else TALL - 14)
    css = "dark" if (column + lower) % 2 else "light"
    number_y = base + 24 if lower else base - 16
    parts = [
        f'<path class="{css}" d="M{x + 2} {base}L{x + CELL / 2} {tip}L{x + CELL - 2} {base}z"/>',
        f'<text class="number" x="{x + CELL / 2}" y="{number_y}">{s.label(point)}</text>',
    ]
    count = s.points[point - 1]
    step = (-1 if lower else 1) * 2 * RADIUS
    first = base + (-1 if lower else 1) * (RADIUS + 1)
    parts += _stack(x + CELL / 2, first, step, abs(count), int(count < 0), HEIGHT)
    return [*parts, place(s.label(point), x, base - TALL if lower else base, CELL, TALL)]


def _stack(x: float, first: float, step: float, count: int, side: int, most: int) -> list[str]:
    css = ("white", "black")[side]
    parts = [disc(x, first + i * step, RADIUS, css) for i in range(min(count, most))]
    if count > most:
        y = first + (most - 1) * step + 5
        parts.append(f'<text class="on on-{css}" x="{x:g}" y="{y:g}">{count}</text>')
    return parts


def _borne_off(s: Seen, x: float, top: float, height: float) -> list[str]:
    """Flat in the tray, White's below."""
    parts = []
    for side, count in enumerate(s.off):
        for i in range(count):
            y = top + height - 16 - 13 * i if side == 0 else top + 4 + 13 * i
            parts.append(
                f'<rect class="{("white", "black")[side]}" x="{x + 5}" y="{y}" width="{TRAY - 10}" '
                'height="12" rx="3"/>'
            )
    return parts


SPOTS = {
    1: ((1, 1),), 2: ((0, 0), (2, 2)), 3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)), 5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}  # fmt: skip


def _die(x: float, y: float, die: int, side: int) -> list[str]:
    css, spot = ("white", "black")[side], ("on-white", "on-black")[side]
    parts = [f'<rect class="{css}" x="{x}" y="{y}" width="34" height="34" rx="7"/>']
    return parts + [disc(x + 9 + 8 * c, y + 9 + 8 * r, 3.2, spot) for c, r in SPOTS[die]]


def _cube(cube: Cube, turn: int, left: float, top: float, height: float) -> list[str]:
    """On the bar: in the middle, or at its owner's end; beside it what may be done with it."""
    x, y = left + 6 * CELL + BAR_WIDTH / 2, top + height / 2
    if cube.owner is not None and not cube.offered:
        y = top + 20 if cube.owner else top + height - 20
    parts = [CUBE_STYLE, *_label(x, y, 34, str(2 * cube.value if cube.offered else cube.value))]
    mover = turn ^ cube.offered
    middle = x + BAR_WIDTH / 2 + 3 * CELL if mover == 0 else left + 3 * CELL
    for i, word in enumerate(cube.choices):
        at = middle - 42 + 84 * i
        parts += _label(at, top + height / 2, 76, word)
        parts.append(place(word, at - 38, top + height / 2 - 17, 76, 34))
    return parts


def _label(x: float, y: float, wide: float, words: str) -> list[str]:
    return [
        f'<rect class="cube" x="{x - wide / 2:g}" y="{y - 17:g}" width="{wide:g}" height="34" '
        'rx="5"/>',
        f'<text class="cubed" x="{x:g}" y="{y + 5:g}">{words}</text>',
    ]
