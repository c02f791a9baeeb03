"""One-shot games in normal form: ``zermelo.matrix("3,3 0,5; 5,0 1,1")`` is a game like any other.

Rows are player 0's actions, columns player 1's; a cell is what each gets, or one number, player
0's, where the other loses it. Both choose at once: as a tree, player 1 moves second and cannot tell
player 0's actions apart. Actions may be named: ``"C D; C: 3,3 0,5; D: 5,0 1,1"``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from ..errors import UsageError, suggest
from ..explicit.notation import TreeParts
from ..explicit.numbers import fraction
from ..explicit.tree import Tree
from ..game import TERMINAL
from ..games.drawing import svg, text
from ..games.native import State

CLASSICS = {
    "prisoners-dilemma": "C D; C: 3,3 0,5; D: 5,0 1,1",
    "stag-hunt": "stag hare; stag: 4,4 0,3; hare: 3,0 3,3",
    "chicken": "swerve straight; swerve: 0,0 -1,1; straight: 1,-1 -10,-10",
    "battle-of-the-sexes": "opera fight; opera: 3,2 0,0; fight: 0,0 2,3",
    "matching-pennies": "heads tails; heads: 1 -1; tails: -1 1",
    "rock-paper-scissors": "rock paper scissors; rock: 0 -1 1; paper: 1 0 -1; scissors: -1 1 0",
}
MAX_CELLS = 1_000_000
MAX_PLAYERS = 8
_NAME = re.compile(r"[^\s;:|,]+")
_FORM = 'e.g. "3,3 0,5; 5,0 1,1": rows end with ";", cells are separated by spaces'
Cell = tuple[Fraction, ...]


def exact(value: Any, where: str = "a payoff") -> Fraction:
    """The number as it is written: 0.1 is one tenth."""
    try:
        if isinstance(value, str | Fraction | int) and not isinstance(value, bool):
            return Fraction(value)
        number = float(value)
        if math.isfinite(number):
            return Fraction(repr(number))
    except (TypeError, ValueError, ZeroDivisionError):
        pass
    raise UsageError(f"{where}, {value!r}, is not a number", "e.g. 3, 0.5 or 1/3")


class Matrix(Tree):
    """A matrix game: all players choose one action at the same time.

    Attributes:
        shape: The number of actions of each player.
        action_names: The names of the actions of each player.

    Example:
        >>> import zermelo
        >>> game = zermelo.matrix("3,3 0,5; 5,0 1,1")
        >>> game.shape, [float(u) for u in game.payoff((0, 1))]
        ((2, 2), [0.0, 5.0])
    """

    def __init__(self, shape: tuple[int, ...], cells: list[Cell], names: Any = None) -> None:
        self.shape, self.cells = shape, cells
        named = _names(shape, names)
        self.action_names: tuple[tuple[Any, ...], ...] = named or tuple(
            tuple(range(1, n + 1)) for n in shape
        )
        self._stride = [math.prod(shape[p + 1 :]) for p in range(len(shape))]
        spec = canonical(shape, cells, named)
        super().__init__(spec, _parts(spec, shape, cells, named))
        self.name = spec
        self.remake = (Matrix, (shape, cells, named))

    def payoff(self, profile: Sequence[int]) -> Cell:
        """What each player gets when they choose these actions, by number from 0."""
        return self.cells[sum(i * s for i, s in zip(profile, self._stride, strict=True))]

    def profiles(self) -> Iterator[tuple[int, ...]]:
        """Every choice of all players."""
        return product(*map(range, self.shape))

    def board(self, s: State) -> str:
        return table_text(self) if len(self.shape) == 2 else super().board(s)

    def svg(self, s: State) -> str:
        return _table_svg(self) if len(self.shape) == 2 else super().svg(s)


def _names(shape: tuple[int, ...], names: Any) -> tuple[tuple[str, ...], ...] | None:
    if names is None:
        return None
    try:
        given = tuple(tuple(str(n) for n in player) for player in names)
    except TypeError:
        raise UsageError(
            f"invalid names={names!r}", "expected one list of actions per player"
        ) from None
    if tuple(map(len, given)) != shape:
        sizes = " by ".join(map(str, shape))
        raise UsageError(
            "the names do not match the payoffs",
            f"expected one list per player with {sizes} actions",
        )
    for player in given:
        for name in player:
            if not _NAME.fullmatch(name) or _number(name) is not None:
                raise UsageError(f"invalid action name {name!r}", "expected a word, not a number")
        if len(set(player)) < len(player):
            raise UsageError("two actions of a player have the same name", "rename one")
    return given


def _number(word: str) -> Fraction | None:
    try:
        return fraction(word)
    except ValueError:
        return None


def _is_cell(word: str) -> bool:
    return None not in map(_number, word.split(","))


def _parts(spec: str, shape: tuple[int, ...], cells: list[Cell], names: Any) -> TreeParts:
    """The tree in which the players choose one after the other without seeing."""
    parts = TreeParts(spec)
    remaining: list[tuple[int, int, int]] = [(-1, 0, 0)]
    taken = iter(cells)
    while remaining:
        parent, level, number = remaining.pop()
        node = len(parts.parent)
        parts.parent.append(parent)
        parts.odds.append(0.0)
        parts.place.append(0)
        if names is not None and level:
            parts.names[node] = names[level - 1][number]
        if level == len(shape):
            parts.to_move.append(TERMINAL)
            parts.value.append(tuple(float(u) for u in next(taken)))
            continue
        parts.to_move.append(level)
        if level:
            parts.labels[node] = f"p{level + 1}"
        remaining += [(node, level + 1, i) for i in reversed(range(shape[level]))]
    return parts


def canonical(shape: tuple[int, ...], cells: list[Cell], names: Any) -> str:
    """The text that makes the game again."""
    if len(shape) != 2:
        digest = hash((tuple(cells), names)) & 0xFFFFFFFF
        return f"matrix {'x'.join(map(str, shape))} {digest:08x}"
    written = [",".join(map(str, c)) for c in cells]
    rows = [" ".join(written[i : i + shape[1]]) for i in range(0, len(cells), shape[1])]
    if names is not None:
        rows = [f"{n}: {row}" for n, row in zip(names[0], rows, strict=True)]
        rows.insert(0, " ".join(names[1]))
    return "; ".join(rows) + (";" if len(rows) == 1 else "")


# -- reading ----------------------------------------------------------------------------------
def matrix(*payoffs: Any, names: Any = None) -> Matrix:
    """Build a matrix game from its payoffs.

    Args:
        payoffs: A text (``"3,3 0,5; 5,0 1,1"``), the name of a classic game
            (``"prisoners-dilemma"``), one array with the payoffs of player 0 in a zero-sum game, or
            one array per player.
        names: The names of the actions, one list per player.

    Returns:
        The game; :func:`zermelo.equilibria` and :func:`zermelo.equilibrium` solve it.

    Raises:
        UsageError: The payoffs are not a matrix of numbers.

    Example:
        >>> import zermelo
        >>> game = zermelo.matrix("3,3 0,5; 5,0 1,1")
        >>> zermelo.equilibrium(game).values
        (1.0, 1.0)
    """
    if len(payoffs) == 1 and isinstance(payoffs[0], str):
        shape, cells, written = read(payoffs[0])
        return Matrix(shape, cells, names if names is not None else written)
    if not payoffs:
        raise UsageError("no payoffs were given", _FORM)
    shapes, flat = zip(*(_flatten(p) for p in payoffs), strict=True)
    if len(payoffs) == 1 and shapes[0] and _tuples(payoffs[0]):
        size = shapes[0][-1]  # a table of tuples: the last dimension counts the players
        columns = [flat[0][p::size] for p in range(size)]
        return _made(shapes[0][:-1], columns, names)
    if len(payoffs) == 1:
        return _made(shapes[0], [flat[0], [-u for u in flat[0]]], names)
    if len(set(shapes)) > 1:
        raise UsageError(
            "the arrays have different shapes", "give one array per player, all of the same shape"
        )
    return _made(shapes[0], list(flat), names)


def _made(shape: tuple[int, ...], columns: list[list[Fraction]], names: Any) -> Matrix:
    if len(shape) != len(columns) or not 2 <= len(shape) <= MAX_PLAYERS:
        raise UsageError(
            f"{len(columns)} arrays of payoffs have {len(shape)} dimensions",
            f"expected one dimension per player, 2 to {MAX_PLAYERS}",
        )
    if 0 in shape or math.prod(shape) > MAX_CELLS:
        raise UsageError("the matrix is empty or too large", "expected 1 to 1,000,000 cells")
    return Matrix(shape, list(zip(*columns, strict=True)), names)


def _tuples(given: Any) -> bool:
    """Whether it is a table of tuples, one number per player."""
    while isinstance(given, list) and given:
        given = given[0]
    return isinstance(given, tuple) and all(not isinstance(x, list | tuple) for x in given)


def _flatten(given: Any) -> tuple[tuple[int, ...], list[Fraction]]:
    """The shape and all numbers of nested lists or an array."""
    if hasattr(given, "tolist"):
        given = given.tolist()
    if not isinstance(given, list | tuple):
        return (), [exact(given)]
    below = [_flatten(part) for part in given]
    if len({shape for shape, _ in below}) > 1:
        raise UsageError(
            "the rows of the matrix have different lengths",
            "give every row the same number of cells",
        )
    shape = (len(below), *(below[0][0] if below else ()))
    return shape, [number for _, numbers in below for number in numbers]


def read(given: str) -> tuple[tuple[int, ...], list[Cell], Any]:
    """Shape, cells and names out of a text."""
    given = CLASSICS.get(given.strip(), given)
    rows = [row.split() for row in re.split(r"[;\n]", given.replace("|", " ")) if row.strip()]
    if not rows:
        raise UsageError("the matrix is empty", _FORM)
    header: list[str] | None = None
    if len(rows) > 1 and not any(_is_cell(w) or w.endswith(":") for w in rows[0]):
        header = rows.pop(0)
    labels: list[str] = []
    cells: list[Cell] = []
    sizes: set[int] = set()  # payoffs per cell
    for i, row in enumerate(rows, 1):
        if row[0].endswith(":"):
            labels.append(row.pop(0)[:-1])
        numbers = [[_number(w) for w in cell.split(",")] for cell in row]
        for cell, found in zip(row, numbers, strict=True):
            if None in found or len(found) > 2:
                hint = _FORM if re.search(r"\d", cell) else suggest(given.strip(), CLASSICS)
                raise UsageError(f"row {i}: {cell!r} is not a pair of payoffs", hint)
            one = [u for u in found if u is not None]
            sizes.add(len(one))
            cells.append((one[0], one[1] if len(one) == 2 else -one[0]))
            if len(sizes) > 1:
                raise UsageError(
                    f"row {i}: {cell!r} and the cells before it have different numbers of payoffs",
                    _FORM,
                )
        if len(row) != len(cells) // i or len(cells) % i:
            raise UsageError(f"row {i} and the first row have different lengths", _FORM)
    if labels and len(labels) < len(rows):
        raise UsageError("only some rows have a name", 'e.g. "C: 3,3 0,5; D: 5,0 1,1"')
    columns = len(cells) // len(rows)
    if columns == 0:
        raise UsageError("the matrix has no cells", _FORM)
    names = None
    if labels or header:
        if header is not None and len(header) != columns:
            raise UsageError(f"{len(header)} names for {columns} columns", _FORM)
        named = labels or [f"r{i + 1}" for i in range(len(rows))]
        # a square matrix with named rows: both players mostly have the same actions
        same = labels if len(labels) == columns else [f"c{j + 1}" for j in range(columns)]
        names = (named, header or same)
    return (len(rows), columns), cells, names


# -- looks --------------------------------------------------------------------------------------
def best_replies(game: Matrix, profile: Sequence[int]) -> list[bool]:
    """For each player: whether its action is a best reply."""
    out = []
    for p in range(len(game.shape)):
        others = [(*profile[:p], i, *profile[p + 1 :]) for i in range(game.shape[p])]
        out.append(game.payoff(profile)[p] == max(game.payoff(o)[p] for o in others))
    return out


def table_text(game: Matrix) -> str:
    """The payoffs as a table; * marks a best reply, so that ** is an equilibrium."""
    rows, columns = game.action_names
    cells = [["", *map(str, columns)]]
    for i, name in enumerate(rows):
        shown = []
        for j in range(len(columns)):
            marks = best_replies(game, (i, j))
            pair = zip(game.payoff((i, j)), marks, strict=True)
            shown.append(",".join(f"{u}{'*' if m else ''}" for u, m in pair))
        cells.append([str(name), *shown])
    wide = [max(len(row[k]) for row in cells) for k in range(len(columns) + 1)]
    lines = ("  ".join(f"{c:>{w}}" for c, w in zip(row, wide, strict=True)) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def _table_svg(game: Matrix) -> str:
    """The payoffs as a table; best replies are underlined, equilibria framed."""
    rows, columns = game.action_names
    wide, high, left, top = 92, 46, 96, 40
    parts = []
    for j, name in enumerate(columns):
        parts.append(text(left + wide * (j + 0.5), top - 12, _safe(str(name))))
    for i, name in enumerate(rows):
        y = top + high * i
        parts.append(text(left / 2, y + high / 2 + 5, _safe(str(name))))
        for j in range(len(columns)):
            x = left + wide * j
            marks = best_replies(game, (i, j))
            shape = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
            parts.append(f'<rect class="line" {shape}/>')
            if all(marks):
                inner = f'x="{x + 5}" y="{y + 5}" width="{wide - 10}" height="{high - 10}" rx="4"'
                parts.append(f'<rect class="line" stroke-width="1" {inner}/>')
            pair = (
                f'<tspan text-decoration="{"underline" if m else "none"}">{u}</tspan>'
                for u, m in zip(game.payoff((i, j)), marks, strict=True)
            )
            parts.append(text(x + wide / 2, y + high / 2 + 5, ", ".join(pair)))
    size = (left + wide * len(columns) + 12, top + high * len(rows) + 12)
    return svg(*size, "matrix game", "".join(parts))


def _safe(name: str) -> str:
    from ..view.layout import short
    from ..view.tree_picture import escape

    return escape(short(name, 12))
