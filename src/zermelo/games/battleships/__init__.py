"""Battleships: notation and drawing. The rules are core/games/battleships.

A shot is a cell, "c4" (column c, row 4 from the top). Chance places a ship from end to end,
"c4-c8". A position lists the ships of player 0, those of player 1, and the shots in order. An
observation has "?" for each ship of the opponent, and the results of the own shots:
"a1-a5 … ? ? ? ? ? c4=miss d5=hit". A picture is the view of one player: the own fleet, and what is
known of the opponent's.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, ClassVar

from ... import _core
from ...errors import BadPosition, IllegalAction
from ...naming import default_names
from ...options import Option
from ..drawing import letter
from ..native import EvaluatedGame, State
from .svg import picture

LAY = 256  # chance's actions are this times the ship, from 1, and the number of the placement
MAX_SHIPS, MAX_CELLS = 5, 121  # of the flat state
NAMES = {5: "carrier", 4: "battleship", 3: "cruiser", 2: "destroyer", 1: "boat"}
SECOND = {3: "submarine"}  # what the second ship of a length is called


@dataclass(frozen=True, slots=True)
class Scene:
    """The parts of a state; cells are numbered row by row from the top left."""

    fleets: tuple[tuple[int, ...], tuple[int, ...]]  # numbers of placements, of the ships laid
    shots: tuple[tuple[int, ...], tuple[int, ...]]


class Battleships(EvaluatedGame):
    """Find and sink a hidden fleet; also solo."""

    name = "battleships"
    options = (
        Option("size", 10, range(2, 12), "cells per side"),
        Option("fleet", (5, 4, 3, 3, 2), range(1, 6), "lengths of the ships"),
        Option("players", 2, range(1, 3), "1: sink a fleet with as few shots as possible"),
    )
    # Chance places the ships here, which stands for the players' hidden choices.
    classification: ClassVar = {"chance": False}
    state_space = "30,093,975,536 fleets per player (counted)"

    def __init__(self, spec: str, size: int, fleet: tuple[int, ...], players: int) -> None:
        super().__init__(spec, _core.battleships(size, list(fleet), players))
        self.size = size
        self.fleet = fleet
        self.player_names = default_names(players)
        self.ships = _named(fleet)
        self.placements = [_placements(size, n) for n in fleet]

    # -- notation -------------------------------------------------------------------------------
    def cell(self, number: int) -> str:
        return f"{letter(number % self.size)}{number // self.size + 1}"

    def cell_number(self, text: str) -> int:
        """The number of the cell with this name."""
        column, row = text[:1].lower(), text[1:]
        x = ord(column) - ord("a") if len(column) == 1 else -1  # the lower case of İ has two
        y = int(row) - 1 if row.isascii() and row.isdecimal() and len(row) < 3 else -1
        if not (0 <= x < self.size and 0 <= y < self.size):
            last = self.cell(self.size * self.size - 1)
            raise IllegalAction(f"{text!r} is not a cell of this grid", f"expected a1 to {last}")
        return self.size * y + x

    def laid(self, ship: int, number: int) -> str:
        cells = self.placements[ship][number]
        return f"{self.cell(cells[0])}-{self.cell(cells[-1])}"

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Battleships:
        fleet = tuple(sorted(options["fleet"], reverse=True))
        return cls(spec, options["size"], fleet, options["players"])

    def decode_action(self, key: int, code: int) -> str:
        ship, number = divmod(code, LAY)
        return self.laid(ship - 1, number) if ship else self.cell(number)

    def encode_action(self, key: int, action: Any) -> int:
        return self.cell_number(str(action))

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The placements of the next ship, with their probabilities."""
        return [(self.decode_action(0, code), p) for code, p in self.handle.outcomes(self.data(s))]

    def result(self, s: State, a: Any) -> State:
        data = self.data(s)
        if self.handle.to_move(data) != -1:
            return super().result(s, a)
        _, ship = self.next_to_lay(s)
        number = self.placement(ship, str(a))
        if number is None:
            raise IllegalAction(
                f"{a!r} is not a placement of the {self.ships[ship]}",
                f"expected {self.fleet[ship]} cells in a row or column, e.g. {self.laid(ship, 0)}",
            )
        try:
            return State(self, self.handle.play(data, LAY * (ship + 1) + number))
        except IllegalAction:
            raise IllegalAction(
                f"{a} overlaps another ship", "ships may touch but not overlap"
            ) from None

    def placement(self, ship: int, text: str) -> int | None:
        first, _, last = text.partition("-")
        try:
            ends = sorted((self.cell_number(first), self.cell_number(last or first)))
        except IllegalAction:
            return None
        for number, cells in enumerate(self.placements[ship]):
            if [cells[0], cells[-1]] == ends:
                return number
        return None

    def next_to_lay(self, s: State) -> tuple[int, int]:
        """The owner and the index of the ship that chance places next."""
        scene = self.scene(s)
        side = int(self.players == 1 or len(scene.fleets[0]) == len(self.fleet))
        return side, len(scene.fleets[side])

    def scene(self, s: State) -> Scene:
        data = self.data(s)
        first, second = data[:MAX_SHIPS], data[MAX_SHIPS : 2 * MAX_SHIPS]
        at = 2 * MAX_SHIPS + 2
        a, b = data[at - 2], data[at - 1]
        fleets = tuple(n - 1 for n in first if n), tuple(n - 1 for n in second if n)
        return Scene(fleets, (tuple(data[at : at + a]),
                              tuple(data[at + MAX_CELLS : at + MAX_CELLS + b])))  # fmt: skip

    def format_state(self, s: State) -> str:
        scene = self.scene(s)
        words = [self.laid(i, n) for fleet in scene.fleets for i, n in enumerate(fleet)]
        return " ".join(words + [self.cell(c) for _, c in in_order(scene)])

    def parse_state(self, text: str) -> State:
        words = text.split()
        fleets: list[list[int]] = [[], []]
        shots: list[list[int]] = [[], []]
        sides = (1,) if self.players == 1 else (0, 1)
        due = [(side, ship) for side in sides for ship in range(len(self.fleet))]
        for i, word in enumerate(words):
            if i < len(due):
                side, ship = due[i]
                number = self.placement(ship, word)
                if number is None:
                    raise BadPosition(
                        f"position {text!r}: {word!r} is not a placement of the {self.ships[ship]}",
                        f"expected {self.fleet[ship]} cells, e.g. {self.laid(ship, 0)}",
                    )
                taken = {c for j, n in enumerate(fleets[side]) for c in self.placements[j][n]}
                if not taken.isdisjoint(self.placements[ship][number]):
                    raise BadPosition(
                        f"position {text!r}: {word!r} overlaps another ship",
                        "ships may touch but not overlap",
                    )
                fleets[side].append(number)
                continue
            player = (i - len(due)) % self.players
            try:
                cell = self.cell_number(word)
            except IllegalAction as e:
                raise BadPosition(f"position {text!r}: {e.message}", e.hint) from None
            if cell in shots[player]:
                raise BadPosition(
                    f"position {text!r}: the cell {word} appears twice",
                    "each player shoots at a cell at most once",
                )
            shots[player].append(cell)
        rows = [bytes(n + 1 for n in fleet).ljust(MAX_SHIPS, b"\0") for fleet in fleets]
        rows += [bytes(len(row) for row in shots)]
        rows += [bytes(row).ljust(MAX_CELLS, b"\0") for row in shots]
        data = b"".join(rows)
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r} continues after the last ship was sunk",
                "remove the shots after the end of the game",
            )
        return State(self, data)

    # -- what a player knows --------------------------------------------------------------------
    def answers(self, s: State, p: int) -> list[tuple[int, str]]:
        """The cells that player `p` shot at, in order, each with the result."""
        scene = self.scene(s)
        ships = [set(self.placements[i][n]) for i, n in enumerate(scene.fleets[1 - p])]
        answers = []
        for cell in scene.shots[p]:
            answer = "miss"
            for name, ship in zip(self.ships, ships, strict=False):
                if cell in ship:
                    ship.remove(cell)
                    answer = "hit" if ship else name
            answers.append((cell, answer))
        return answers

    def observation(self, s: State, p: int) -> str:
        """What player `p` sees."""
        scene = self.scene(s)
        words: list[str] = []
        for side, fleet in enumerate(scene.fleets):
            words += [self.laid(i, n) if side == p else "?" for i, n in enumerate(fleet)]
        answers = iter(self.answers(s, p))
        for player, cell in in_order(scene):
            result = f"={next(answers)[1].replace(' ', '-')}" if player == p else ""
            words.append(self.cell(cell) + result)
        return " ".join(words)

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A state consistent with what player `p` has observed: another fleet of the opponent."""
        found = self.handle.deal(self.data(s), p, rng.getrandbits(64))
        assert isinstance(found, bytes)
        return State(self, found)

    def heat(self, s: State, p: int | None = None) -> dict[str, float]:
        """The probability of a ship on each cell that player `p` has not shot at."""
        p = self.viewer(s) if p is None else p
        odds = _core.battleships_aim(self.handle, self.data(s), p)[0]
        shot = set(self.scene(s).shots[p])
        return {self.cell(c): odds[c] for c in range(len(odds)) if c not in shot}

    def advise(self, s: State) -> tuple[str | None, dict[str, float]]:
        """The shot of the built-in shooter, and an estimate of the value of each shot.

        The shooter plans the whole hunt, so its shot need not be the one most likely to hit.
        """
        p = self.player(s)
        if p < 0:
            return None, {}
        odds, best, _, _ = _core.battleships_aim(self.handle, self.data(s), p)
        here, unit = self.evaluate(s, 0), sum(self.fleet)
        shot = set(self.scene(s).shots[p])
        hits = {self.cell(c): o for c, o in enumerate(odds) if c not in shot}
        if self.players == 1:
            return self.cell(best), {a: here - 1 + o for a, o in hits.items()}
        return self.cell(best), {a: here + (-o if p else o) / unit for a, o in hits.items()}

    # -- looks ----------------------------------------------------------------------------------
    def viewer(self, s: State) -> int:
        return max(0, self.player(s)) if not self.is_terminal(s) else 0

    def title(self, p: int) -> str:
        """The heading of the grid with the fleet of player `p`."""
        return f"Fleet of {self.player_names[p]}" if self.players == 2 else "Grid"

    def marks(self, s: State, p: int) -> tuple[list[str], list[str]]:
        """Both grids, one mark per cell: ship #, hit X, sunk S, miss o, unknown ."""
        scene = self.scene(s)
        own, other = (["."] * self.size**2 for _ in range(2))
        for i, n in enumerate(scene.fleets[p]):
            for cell in self.placements[i][n]:
                own[cell] = "#"
        for sea, player in ((own, 1 - p), (other, p)):
            for cell, answer in self.answers(s, player):
                sea[cell] = {"miss": "o", "hit": "X"}.get(answer, "S")
        if self.is_terminal(s):
            for i, n in enumerate(scene.fleets[1 - p]):
                for cell in self.placements[i][n]:
                    other[cell] = "#" if other[cell] == "." else other[cell]
        return own, other

    def view(self, s: State, p: int) -> str:
        """The state as player `p` sees it."""
        own, other = self.marks(s, p)
        titles = [self.title(1 - p)]
        blocks = [self.rows(other)]
        if self.players == 2:
            titles.insert(0, self.title(p))
            blocks.insert(0, self.rows(own))
        wide = max(len(r) for b in blocks for r in b)
        lines = ["     ".join(f"{t:<{wide}}" for t in titles).rstrip()]
        for row in zip(*blocks, strict=True):
            lines.append("     ".join(f"{r:<{wide}}" for r in row).rstrip())
        return "\n".join([*lines, *self.describe(s, p)])

    def observation_text(self, s: State, p: int) -> str:
        """What the studio shows player `p`."""
        return self.view(s, p)

    def observation_svg(self, s: State, p: int) -> str:
        """The same as a picture."""
        return self.svg_view(s, p)

    def rows(self, marks: list[str]) -> list[str]:
        head = "   " + " ".join(letter(x) for x in range(self.size))
        return [head] + [
            f"{y + 1:>2} " + " ".join(marks[y * self.size : (y + 1) * self.size])
            for y in range(self.size)
        ]

    def describe(self, s: State, p: int) -> list[str]:
        """The state of the game in words."""
        if len(self.scene(s).fleets[1]) < len(self.fleet):
            return ["placing the fleets"]
        answers = self.answers(s, p)
        down = [f"{a} ({self.cell(c)})" for c, a in answers if a not in ("miss", "hit")]
        names = {a for _, a in answers}
        left = [f"{n} {k}" for n, k in zip(self.ships, self.fleet, strict=True) if n not in names]
        lines = [f"shots {len(answers)}; afloat: {', '.join(left) or 'none'}"]
        return lines + ([f"sunk: {', '.join(down)}"] if down else [])

    def board(self, s: State) -> str:
        return self.view(s, self.viewer(s))

    def belief_text(self, s: State) -> str:
        """The probability of a ship on each cell, for the player to move."""
        if self.is_terminal(s):
            return ""
        p = self.viewer(s)
        odds, _, fleets, exact = _core.battleships_aim(self.handle, self.data(s), p)
        _, other = self.marks(s, p)
        best = max(o for o, m in zip(odds, other, strict=False) if m == ".")
        how = f"all {fleets:,} consistent fleets" if exact else f"{fleets:,} sampled fleets"
        lines = [f"probability of a ship in percent ({how}):"]
        lines.append("   " + " ".join(f"{letter(x):>3}" for x in range(self.size)))
        for y in range(self.size):
            row = []
            for i in range(y * self.size, (y + 1) * self.size):
                mark = "." if other[i] == "." else other[i]
                row.append(f"{100 * odds[i]:>3.0f}" if mark == "." else f"{mark:>3}")
            lines.append(f"{y + 1:>2} " + " ".join(row))
        return "\n".join([*lines, f"highest: {100 * best:.1f} %"])

    def svg(self, s: State) -> str:
        return self.svg_view(s, self.viewer(s))

    def svg_view(self, s: State, p: int, heat: bool = False, shots: tuple[str, ...] = ()) -> str:
        """The picture that player `p` sees; with heat, how likely ships are."""
        own, other = self.marks(s, p)
        seas = [(self.title(p), own, None)] if self.players == 2 else []
        odds = None
        if heat and not self.is_terminal(s):
            odds = _core.battleships_aim(self.handle, self.data(s), p)[0]
        name = self.title(1 - p)
        aimed = {self.cell_number(a) for a in shots}
        return picture(
            self.name, self.size, [*seas, (name, other, odds)], self.describe(s, p), aimed
        )

    def svg_with(self, s: State, actions: Any) -> str:
        """The view of the player to move, with probabilities and the marked shots."""
        shots = tuple(a for a in actions if "-" not in str(a))
        return self.svg_view(s, self.viewer(s), True, shots)


def in_order(scene: Scene) -> list[tuple[int, int]]:
    """All shots as (player, cell), the first first."""
    a, b = scene.shots
    found = []
    for i, cell in enumerate(a):
        found.append((0, cell))
        if i < len(b):
            found.append((1, b[i]))
    return found


def _placements(size: int, length: int) -> list[tuple[int, ...]]:
    """The cells of every placement, in the native order."""
    found = []
    for step in (1, size)[: 1 if length == 1 else 2]:
        for cell in range(size * size):
            at = cell % size if step == 1 else cell // size
            if at + length <= size:
                found.append(tuple(cell + i * step for i in range(length)))
    return found


def _named(fleet: tuple[int, ...]) -> list[str]:
    """A name for every ship, no two alike."""
    names: list[str] = []
    for i, length in enumerate(fleet):
        before = fleet[:i].count(length)
        name = SECOND.get(length, "") if before == 1 else ""
        names.append(name or NAMES[length] + (f" {before + 1}" if before else ""))
    return names
