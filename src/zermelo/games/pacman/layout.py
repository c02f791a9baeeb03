"""Layouts of Pac-Man: text in which % is a wall, . a dot, o a capsule, P Pac-Man, G a ghost."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from ...checks import check_path, check_text
from ...errors import UsageError, suggest
from ...files import read_text

FOLDER = Path(__file__).parent / "layouts"
SIGNS = "% .oPG"
MAX_SIDE = 32
MAX_GHOSTS = 4
PICTURE = "% wall, . dot, o capsule, P Pac-Man, G ghost, blank floor"


@dataclass(frozen=True)
class Layout:
    """A board as it is at the beginning; columns and rows count from 0 at the top left."""

    name: str
    rows: tuple[str, ...]
    places: tuple[tuple[int, int], ...] = field(init=False)  # of the native cells, (column, row)

    def __post_init__(self) -> None:
        floor = [(x, y) for y, row in enumerate(self.rows) for x, c in enumerate(row) if c != "%"]
        object.__setattr__(self, "places", tuple(floor))

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def ghosts(self) -> int:
        return sum(row.count("G") for row in self.rows)

    @cached_property
    def numbers(self) -> dict[tuple[int, int], int]:
        """The native cell at a place."""
        return {place: i for i, place in enumerate(self.places)}

    @cached_property
    def things(self) -> list[tuple[int, int]]:
        """The places of all dots, then of all capsules: a state's bits in their order."""
        return [p for sign in ".o" for p in self.places if self.sign(p) == sign]

    @cached_property
    def dots(self) -> int:
        return sum(row.count(".") for row in self.rows)

    def sign(self, place: tuple[int, int]) -> str:
        return self.rows[place[1]][place[0]]


@cache
def names() -> list[str]:
    """The built-in layouts."""
    return sorted(f.stem for f in FOLDER.glob("*.lay"))


def find(name: str) -> Layout:
    """The layout of that name, or the one in the file of that path."""
    if name in names():
        return _built_in(name)
    if not check_path("layout", name).is_file():
        near = suggest(name, names())
        raise UsageError(
            f"unknown layout {name!r}",
            f"{near}{'' if near.endswith('?') else '.'} A file works too, e.g. layout=my.lay",
        )
    return read(Path(name), name)


@cache
def _built_in(name: str) -> Layout:
    return read(FOLDER / f"{name}.lay", name)


def read(path: Path, name: str) -> Layout:
    return parse(read_text(path, f"expected a text file: {PICTURE}"), name)


def parse(text: str, name: str = "layout") -> Layout:
    """A layout out of its text; an error names the line."""
    rows = [line.rstrip() for line in check_text("a layout", text).splitlines()]
    while rows and not rows[-1]:
        rows.pop()
    _check_signs(rows, name)
    _check_border(rows, name)
    found = Layout(name, tuple(rows))
    _check_reach(found)
    return found


def wrong(name: str, what: str, hint: str = PICTURE) -> UsageError:
    return UsageError(f"{name}: {what}", hint)


def _check_signs(rows: list[str], name: str) -> None:
    """Size, signs, and how many there are of each."""
    if len(rows) < 3:
        raise wrong(name, "a layout has at least 3 lines", "surround the floor by walls (%)")
    width = len(rows[0])
    pacman = 0  # the line he was found in
    ghosts = 0
    for number, row in enumerate(rows, 1):
        for column, sign in enumerate(row, 1):
            if sign not in SIGNS:
                raise wrong(name, f"line {number}, column {column}: unknown character {sign!r}")
        if len(row) != width:
            raise wrong(
                name,
                f"line {number} has {len(row)} characters, line 1 has {width}",
                "all lines must have the same length",
            )
        if row.count("P") + bool(pacman) > 1 and "P" in row:
            where = f"lines {pacman} and {number}" if pacman else f"line {number}"
            raise wrong(name, f"there are two Pac-Men ({where})", "expected exactly one P")
        pacman = pacman or ("P" in row) * number
        ghosts += row.count("G")
        if ghosts > MAX_GHOSTS:
            raise wrong(
                name,
                f"line {number}: there are more than {MAX_GHOSTS} ghosts",
                f"expected 0 to {MAX_GHOSTS}",
            )
    if max(width, len(rows)) > MAX_SIDE or width < 3:
        size = f"{width} by {len(rows)}"
        far = f"line {MAX_SIDE + 1}" if len(rows) > MAX_SIDE else "line 1"
        raise wrong(
            name, f"{size} is not a valid size ({far})", f"3 by 3 to {MAX_SIDE} by {MAX_SIDE}"
        )
    if not pacman:
        raise wrong(name, f"there is no Pac-Man in its {len(rows)} lines", "put a P on the floor")
    if not any("." in row for row in rows):
        raise wrong(name, f"there is no dot in its {len(rows)} lines", "put a . on the floor")


def _check_border(rows: list[str], name: str) -> None:
    """The maze is closed."""
    for number, row in enumerate(rows, 1):
        inner = 0 if number in (1, len(rows)) else len(row) - 2
        for column, sign in enumerate(row, 1):
            if sign != "%" and not (1 < column < len(row) and inner):
                raise wrong(
                    name,
                    f"the border is open at line {number}, column {column}",
                    "the first and last line and column must be walls (%)",
                )


def _check_reach(layout: Layout) -> None:
    """Pac-Man can reach every dot and capsule."""
    start = next(p for p in layout.places if layout.sign(p) == "P")
    seen, todo = {start}, [start]
    while todo:
        x, y = todo.pop()
        for place in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            if place in layout.numbers and place not in seen:
                seen.add(place)
                todo.append(place)
    for x, y in layout.things:
        if (x, y) not in seen:
            what = "dot" if layout.sign((x, y)) == "." else "capsule"
            raise wrong(
                layout.name,
                f"Pac-Man cannot reach the {what} at line {y + 1}, column {x + 1}",
                "open a path to it, or remove it",
            )
