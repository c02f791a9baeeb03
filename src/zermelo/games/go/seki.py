"""Seki: groups that live without two eyes, because whoever fills a shared liberty loses.

Playouts do not show this. When no other move is left they fill a shared liberty, so one of the
groups dies in them, depending on who runs out of moves first. Seki is therefore read out:

1. Candidates are groups that cannot have two eyes and share a small empty region with a candidate
   of the other colour. A group is a set of chains that share an eye or two liberties.
2. A local search decides whether a player gains by moving first between the candidates. If neither
   does, all of them live in seki.

The search uses area scoring, so a seki with shared liberties that can be filled without loss is
recognized after they have been filled. A seki in which a group has an eye of more than two points,
or in which there are more than `MOST_EMPTY` empty points, is not recognized.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from .chains import EMPTY, OTHER, border, chains, empty_regions, neighbours, place

LARGEST_EYE = 2  # points; a larger region may become two eyes
MOST_EMPTY = 7  # empty points between the candidates, also after captures
MOST_NODES = 20_000  # of one local search
DEEPEST = 40  # plies


@dataclass(eq=False)
class Group:
    """Chains of one colour that cannot be separated."""

    colour: str
    stones: set[int]
    liberties: set[int]
    eyes: set[int] = field(default_factory=set)  # numbers of the regions with only this colour
    shared: set[int] = field(default_factory=set)  # numbers of the regions with both colours

    def holds_with(self, other: Group) -> bool:
        """Whether the opponent cannot separate the groups: they share an eye or two liberties."""
        if self.colour != other.colour:
            return False
        return bool(self.eyes & other.eyes) or len(self.liberties & other.liberties) > 1

    def join(self, other: Group) -> None:
        self.stones |= other.stones
        self.liberties |= other.liberties
        self.eyes |= other.eyes
        self.shared |= other.shared

    def faces(self, other: Group) -> bool:
        """Whether the groups are opponents that share a region."""
        return self.colour != other.colour and bool(self.shared & other.shared)


@dataclass
class Fight:
    """Candidates that share regions, directly or through other candidates."""

    stones: set[int]
    points: set[int]  # the stones and the empty points between them


def seki_stones(cells: str, size: int, unsafe: Container[int] = ()) -> set[int]:
    """The stones that live in seki.

    Args:
        cells: The board from the top left: X, O and ".".
        size: Points per side.
        unsafe: Stones that are not judged safely alive. Candidates beside such stones are left
            out, because the local search takes the stones around the candidates as alive.

    Returns:
        Their points.

    Example:
        >>> seki_stones("XX.OO" "XXXOO" "OOOXX" "O.OX." "OOOXX", 5)
        set()
    """
    found: set[int] = set()
    for fight in fights(cells, size):
        around = {p for stone in fight.stones for p in neighbours(size)[stone]} - fight.stones
        if any(p in unsafe for p in around):
            continue
        if Reader(cells, size, fight.points).is_settled():
            found |= fight.stones
    return found


# -- candidates ----------------------------------------------------------------------------------
def groups(cells: str, size: int, regions: list[list[int]]) -> list[Group]:
    """The groups of a board."""
    near = neighbours(size)
    number = {point: i for i, region in enumerate(regions) for point in region}
    borders = [border(cells, size, region) for region in regions]
    found: list[Group] = []
    for chain in chains(cells, size):
        liberties = {p for stone in chain for p in near[stone] if cells[p] == EMPTY}
        group = Group(cells[chain[0]], set(chain), liberties)
        for region in {number[p] for p in liberties}:
            (group.eyes if len(borders[region]) == 1 else group.shared).add(region)
        while friend := next((g for g in found if g.holds_with(group)), None):
            found.remove(friend)
            group.join(friend)
        found.append(group)
    return found


def fights(cells: str, size: int) -> list[Fight]:
    """The sets of candidates that share small regions."""
    regions = empty_regions(cells, size)
    left = [
        g
        for g in groups(cells, size, regions)
        if len(g.eyes) < 2 and sum(len(regions[i]) for i in g.eyes) <= LARGEST_EYE
    ]
    while alone := [g for g in left if not any(g.faces(other) for other in left)]:
        left = [g for g in left if g not in alone]
    found = []
    while left:
        members = [left.pop()]
        for member in members:
            joined = [g for g in left if g.shared & member.shared]
            members += joined
            left = [g for g in left if g not in joined]
        numbers = set().union(*(g.eyes | g.shared for g in members))
        empty = {p for i in numbers for p in regions[i]}
        stones = set().union(*(g.stones for g in members))
        if len(empty) <= MOST_EMPTY:
            found.append(Fight(stones, stones | empty))
    return found


# -- reading -------------------------------------------------------------------------------------
class TooLong(Exception):
    """The local search has no answer within its limits."""


class Reader:
    """Searches the moves at some points of a board. Stones elsewhere stay unless captured."""

    def __init__(self, cells: str, size: int, points: set[int]) -> None:
        self.cells, self.size = cells, size
        self.points = sorted(points)
        self.near = neighbours(size)
        self.nodes = 0
        self.known: dict[tuple[str, str, int, int | None], bool] = {}

    def is_settled(self) -> bool:
        """Whether neither player gains by moving first. False if that takes too long to decide."""
        try:
            return not self.gains("X") and not self.gains("O")
        except TooLong:
            return False

    def gains(self, player: str) -> bool:
        """Whether `player` gains by moving first."""
        self.player, self.nodes, self.known = player, 0, {}
        self.least = self.score(self.cells)
        return any(
            self.succeeds(after, OTHER[player], 0, ko, DEEPEST)
            for after, ko in self.moves(self.cells, player, None)
        )

    def succeeds(self, cells: str, mover: str, passes: int, ko: int | None, depth: int) -> bool:
        """Whether the player gets more points than there are now."""
        empty = sum(cells[p] == EMPTY for p in self.points)
        if empty > MOST_EMPTY and not self.is_enclosed(cells):
            raise TooLong
        if passes == 2 or empty > MOST_EMPTY:
            return self.score(cells) > self.least
        key = cells, mover, passes, ko
        if key in self.known:
            return self.known[key]
        self.nodes += 1
        if self.nodes > MOST_NODES or depth == 0:
            raise TooLong
        self.known[key] = False  # a repetition gains nothing
        wanted = mover == self.player
        children = [(after, 0, new) for after, new in self.moves(cells, mover, ko)]
        # A player who passes because of ko may retake after the reply.
        children.append((cells, passes + 1 if ko is None else 0, None))
        answer = not wanted
        for after, passed, new in children:
            if self.succeeds(after, OTHER[mover], passed, new, depth - 1) == wanted:
                answer = wanted
                break
        self.known[key] = answer
        return answer

    def moves(self, cells: str, mover: str, ko: int | None) -> list[tuple[str, int | None]]:
        """The boards after the moves of `mover`, captures first. Nobody fills a one-point eye."""
        found = []
        for point in self.points:
            if cells[point] != EMPTY or point == ko:
                continue
            if all(cells[beside] == mover for beside in self.near[point]):
                continue
            if (after := place(cells, self.size, point, mover)) is not None:
                found.append(after)
        return sorted(found, key=lambda after: after[0].count(OTHER[mover]))

    def is_enclosed(self, cells: str) -> bool:
        """Whether stones around the candidates, which live, border all larger empty regions.

        Then the space that captured stones leave belongs to the player who captured them.
        """
        inside = set(self.points)
        for region in empty_regions(cells, self.size):
            if len(region) > LARGEST_EYE and not inside.isdisjoint(region):
                owners = border(cells, self.size, region)
                beside = {q for p in region for q in self.near[p] if cells[q] != EMPTY}
                if len(owners) != 1 or beside <= inside:
                    return False
        return True

    def score(self, cells: str) -> int:
        """The area of the player less the opponent's at these points, as the stones lie."""
        total = 0
        for point in self.points:
            if cells[point] != EMPTY:
                total += 1 if cells[point] == self.player else -1
        inside = set(self.points)
        for region in empty_regions(cells, self.size):
            owners = border(cells, self.size, region)
            if len(owners) == 1 and not inside.isdisjoint(region):
                size = len(inside.intersection(region))
                total += size if owners == {self.player} else -size
        return total
