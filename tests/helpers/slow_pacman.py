"""Pac-Man's rules once more, slowly and another way: places are numbers, half cells are halves."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field
from typing import Any

VECTORS = {"stop": (0, 0), "north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east", "stop": "stop"}


@dataclass
class Ghost:
    home: tuple[float, float]
    at: tuple[float, float]
    heading: str = "stop"
    timer: int = 0


@dataclass
class SlowPacman:
    """One game that changes as it is played."""

    rows: list[str]
    may_stop: bool = True
    limit: int = 500
    pacman: tuple[float, float] = (0, 0)
    ghosts: list[Ghost] = field(default_factory=list)
    food: set[tuple[int, int]] = field(default_factory=set)
    capsules: set[tuple[int, int]] = field(default_factory=set)
    score: int = 0
    steps: int = 0
    turn: int = 0
    end: str = ""

    def __post_init__(self) -> None:
        for y, row in enumerate(self.rows):
            for x, sign in enumerate(row):
                if sign == "P":
                    self.pacman = (x, y)
                elif sign == "G":
                    self.ghosts.append(Ghost((x, y), (x, y)))
                elif sign == ".":
                    self.food.add((x, y))
                elif sign == "o":
                    self.capsules.add((x, y))

    def open(self, place: tuple[float, float]) -> bool:
        return self.rows[int(place[1])][int(place[0])] != "%"

    @staticmethod
    def step(place: tuple[float, float], way: str, length: float = 1) -> tuple[float, float]:
        dx, dy = VECTORS[way]
        return place[0] + dx * length, place[1] + dy * length

    def over(self) -> bool:
        return bool(self.end) or (self.turn == 0 and self.steps >= self.limit)

    def legal(self) -> list[str]:
        ways = [w for w in VECTORS if w != "stop"]
        if self.turn == 0:
            found = [w for w in ways if self.open(self.step(self.pacman, w))]
            return ["stop", *found] if self.may_stop or not found else found
        ghost = self.ghosts[self.turn - 1]
        if ghost.at != (int(ghost.at[0]), int(ghost.at[1])):
            return [ghost.heading]
        found = [w for w in ways if self.open(self.step(ghost.at, w))]
        ahead = [w for w in found if w != OPPOSITE[ghost.heading]]
        return ahead or found or ["stop"]

    def odds(self, directional: bool) -> dict[str, float]:
        legal = self.legal()
        ghost = self.ghosts[self.turn - 1]
        even = {w: 1 / len(legal) for w in legal}
        if not directional:
            return even
        start = (int(ghost.at[0]), int(ghost.at[1]))
        far = self.distances()
        there = {w: far.get(self.step(start, w), 10**6) for w in legal}
        best = (max if ghost.timer else min)(there.values())
        meant = [w for w in legal if there[w] == best]
        return {w: 0.2 * even[w] + (0.8 / len(meant) if w in meant else 0.0) for w in legal}

    def distances(self) -> dict[tuple[float, float], int]:
        far: dict[tuple[float, float], int] = {self.pacman: 0}
        edge = [self.pacman]
        while edge:
            edge = [
                far.setdefault(n, far[p] + 1) and n
                for p in edge
                for n in (self.step(p, w) for w in VECTORS if w != "stop")
                if self.open(n) and n not in far
            ]
        return far

    def play(self, way: str) -> None:
        if self.turn == 0:
            self.play_pacman(way)
        else:
            self.play_ghost(self.ghosts[self.turn - 1], way)
        self.turn = (self.turn + 1) % (1 + len(self.ghosts))

    def play_pacman(self, way: str) -> None:
        self.pacman = self.step(self.pacman, way)
        self.score -= 1
        self.steps += 1
        place = (int(self.pacman[0]), int(self.pacman[1]))
        if place in self.food:
            self.food.remove(place)
            self.score += 10
            if not self.food:
                self.score += 500
                self.end = "won"
        if place in self.capsules:
            self.capsules.remove(place)
            for ghost in self.ghosts:
                ghost.timer = 40
        for ghost in self.ghosts:
            self.collide(ghost)

    def play_ghost(self, ghost: Ghost, way: str) -> None:
        ghost.at = self.step(ghost.at, way, 0.5 if ghost.timer else 1)
        ghost.heading = way
        if ghost.timer:
            ghost.timer -= 1
            if ghost.timer == 0 and ghost.at != (int(ghost.at[0]), int(ghost.at[1])):
                ghost.at = self.step(ghost.at, way, 0.5)
        self.collide(ghost)

    def collide(self, ghost: Ghost) -> None:
        gap = abs(ghost.at[0] - self.pacman[0]) + abs(ghost.at[1] - self.pacman[1])
        if gap > 0.7:
            return
        if ghost.timer:
            self.score += 200
            ghost.at, ghost.heading, ghost.timer = ghost.home, "stop", 0
        elif not self.end:
            self.score -= 500
            self.end = "lost"

    def copy(self) -> SlowPacman:
        return copy.deepcopy(self)


def random_layout(rng: random.Random, most: int = 9) -> list[str]:
    """Walls all round, some within; dots and capsules where Pac-Man can come."""
    while True:
        width, height = rng.randint(3, most), rng.randint(3, most)
        thin = rng.choice([0.0, 0.2, 0.35])
        grid = [
            ["%" if border(x, y, width, height) or rng.random() < thin else " "
             for x in range(width)]
            for y in range(height)
        ]  # fmt: skip
        floor = [(x, y) for y in range(height) for x in range(width) if grid[y][x] == " "]
        if len(floor) < 2:
            continue
        start = rng.choice(floor)
        grid[start[1]][start[0]] = "P"
        slow: Any = SlowPacman(["".join(r) for r in grid])
        near = [p for p in slow.distances() if p != start]
        rng.shuffle(near)
        if not near:
            continue
        dots = rng.randint(1, len(near))
        for x, y in near[:dots]:
            grid[y][x] = "."
        for x, y in near[dots : dots + rng.randint(0, 3)]:
            grid[y][x] = "o"
        free = [(x, y) for x, y in floor if grid[y][x] == " "]
        for x, y in rng.sample(free, min(len(free), rng.randint(0, 4))):
            grid[y][x] = "G"
        return ["".join(row) for row in grid]


def border(x: int, y: int, width: int, height: int) -> bool:
    return x in (0, width - 1) or y in (0, height - 1)
