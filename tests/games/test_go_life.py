"""Go: the bounds by unconditional life, against a slow Benson and against every attack."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

import zermelo
from zermelo.errors import BadPosition

# -- Benson's algorithm, written again from the paper ----------------------------------------------


def neighbours(p: int, size: int) -> list[int]:
    row, column = divmod(p, size)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * size + c for r, c in near if 0 <= r < size and 0 <= c < size]


def parts(points: set[int], size: int) -> list[frozenset[int]]:
    """The connected parts of a set of points."""
    left, found = set(points), []
    while left:
        todo = [left.pop()]
        part = set(todo)
        while todo:
            fresh = left.intersection(neighbours(todo.pop(), size))
            left -= fresh
            part |= fresh
            todo += fresh
        found.append(frozenset(part))
    return found


def border(part: frozenset[int], size: int) -> set[int]:
    return {q for p in part for q in neighbours(p, size)} - part


def unconditionally_alive(cells: str, colour: str, size: int, suicide: bool) -> set[int]:
    """The stones of the chains that Benson's algorithm keeps.

    A suicide can empty any point of a region, so all of them must then be next to the chain.
    """
    own = {p for p, c in enumerate(cells) if c == colour}
    chains = set(parts(own, size))
    regions = set(parts(set(range(size * size)) - own, size))
    while True:
        vital = {
            chain: [
                region
                for region in regions
                if any(cells[p] == "." for p in region)
                and {p for p in region if suicide or cells[p] == "."} <= border(chain, size)
            ]
            for chain in chains
        }
        kept = {chain for chain in chains if len(vital[chain]) >= 2}
        stones = set().union(*kept)
        enclosed = {region for region in regions if border(region, size) <= stones}
        if kept == chains and enclosed == regions:
            return stones
        chains, regions = kept, enclosed


def safe_points(cells: str, colour: str, size: int, suicide: bool) -> set[int]:
    """Alive stones, and empty points with alive stones on all sides."""
    stones = unconditionally_alive(cells, colour, size, suicide)
    eyes = {p for p, c in enumerate(cells) if c == "." and stones.issuperset(neighbours(p, size))}
    return stones | eyes if stones else set()


# -- every attack: the opponent moves freely, the owner always passes ------------------------------


def attack(cells: str, colour: str, p: int, size: int, suicide: bool) -> str | None:
    """The board after the opponent of `colour` plays at p; None: the move is illegal."""
    other = "O" if colour == "X" else "X"
    board = list(cells)
    board[p] = other
    for side in (colour, other):
        for chain in parts({q for q, c in enumerate(board) if c == side}, size):
            if all(board[q] != "." for q in border(chain, size)):
                for q in chain:
                    board[q] = "."
    after = "".join(board)
    return None if after == cells or (board[p] == "." and not suicide) else after


def attacked(cells: str, colour: str, size: int, suicide: bool) -> set[str]:
    """All boards that the opponent can reach if the owner always passes."""
    seen, todo = {cells}, [cells]
    while todo:
        board = todo.pop()
        for p in range(size * size):
            after = attack(board, colour, p, size, suicide) if board[p] == "." else None
            if after is not None and after not in seen:
                seen.add(after)
                todo.append(after)
    return seen


def owned(cells: str, colour: str, size: int) -> set[int]:
    """The area of `colour`: its stones, and the empty regions that reach only them."""
    points = {p for p, c in enumerate(cells) if c == colour}
    for region in parts({p for p, c in enumerate(cells) if c == "."}, size):
        if {cells[q] for q in border(region, size)} == {colour}:
            points |= region
    return points


# -- the tests -------------------------------------------------------------------------------------


def set_up(game: Any, cells: str) -> Any:
    """The state with these stones, or None if a chain has no liberty."""
    black, white = ([p for p, c in enumerate(cells) if c == colour] for colour in "XO")
    try:
        return game.set_up(black, white, 0)
    except BadPosition:
        return None


def native_safe(game: Any, cells: str) -> dict[str, set[int]] | None:
    s = set_up(game, cells)
    if s is None:
        return None
    return {c: set(game.native.safe(s.data, player)) for player, c in enumerate("XO")}


def random_cells(size: int, rng: random.Random) -> str:
    """A random board. Half of them have mostly stones of one colour, which may be alive."""
    weights = rng.choice(([1, 1, 1], [4, 8, 1], [4, 1, 8], [6, 12, 3]))
    return "".join(rng.choices(".XO", weights, k=size * size))


def check_attacks(cells: str, colour: str, points: set[int], size: int, suicide: bool) -> None:
    for board in attacked(cells, colour, size, suicide):
        assert points <= owned(board, colour, size), (cells, board)


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
@pytest.mark.parametrize("size", [2, 3])
def test_safe_points_of_every_small_board_survive_every_attack(size: int, rules: str) -> None:
    game, suicide = zermelo.load(f"go:size={size},rules={rules}"), rules == "tromp-taylor"
    alive = 0
    for cells in map("".join, product(".XO", repeat=size * size)):
        for colour, points in (native_safe(game, cells) or {}).items():
            assert points == safe_points(cells, colour, size, suicide), cells
            if points:
                alive += 1
                check_attacks(cells, colour, points, size, suicide)
    assert alive > 0


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
@pytest.mark.parametrize(("size", "boards"), [(4, 4000), (5, 2000)])
def test_safe_points_of_random_boards_equal_a_slow_benson(
    size: int, boards: int, rules: str
) -> None:
    game, suicide = zermelo.load(f"go:size={size},rules={rules}"), rules == "tromp-taylor"
    rng, alive = random.Random(size), 0
    for _ in range(boards):
        cells = random_cells(size, rng)
        for colour, points in (native_safe(game, cells) or {}).items():
            assert points == safe_points(cells, colour, size, suicide), cells
            alive += bool(points)
    assert alive > 20


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
def test_safe_points_of_random_4x4_boards_survive_every_attack(rules: str) -> None:
    game, suicide = zermelo.load(f"go:size=4,rules={rules}"), rules == "tromp-taylor"
    rng, tested = random.Random(1), 0
    while tested < 20:
        cells = random_cells(4, rng)
        for colour, points in (native_safe(game, cells) or {}).items():
            if len(points) >= 9:  # few free points: all attacks are quickly enumerated
                tested += 1
                check_attacks(cells, colour, points, 4, suicide)


def test_a_suicide_can_make_an_eye_large_enough_to_kill() -> None:
    """White has two eyes. If Black may take the stones around C3 off by suicide, C3 is no liberty
    of White's, and Black can then fill the other points beside White."""
    cells = "..XOO..O."
    safe = {
        rules: native_safe(zermelo.load(f"go:size=3,rules={rules}"), cells)
        for rules in ("chinese", "tromp-taylor")
    }
    assert safe["chinese"] == {"X": set(), "O": {3, 4, 6, 7}}
    assert safe["tromp-taylor"] == {"X": set(), "O": set()}
