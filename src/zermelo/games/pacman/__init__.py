"""Pac-Man: notation and drawing. The rules are core/games/pacman.

A move is north, east, south, west or stop (also up, right, down, left and the letters w d s a). A
position is a picture, its rows from the top with / between them and - for floor, then the positions
of Pac-Man and the ghosts, and the score and steps:

    %%%%%%/%-.--%/%%%%%% P1,1 G4,1w score=9 steps=1 next=G1

G4,1w: a ghost in column 4, row 1 (from 0), heading west; G4,1w*39: scared for 39 moves; G4,1w*39+:
half way to the next cell. A picture with P and G in it is enough where a game begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ... import _core
from ...errors import BadPosition, IllegalAction
from ...options import Flag, Option
from ..drawing import svg
from ..native import EvaluatedGame, State
from .layout import Layout, find, names

DIRECTIONS = ("stop", "north", "east", "south", "west")
STEPS = ((0, 0), (0, -1), (1, 0), (0, 1), (-1, 0))
WORDS = {
    "up": "north", "right": "east", "down": "south", "left": "west", "n": "north", "e": "east",
    "w": "north", "d": "east", "s": "south", "a": "west", ".": "stop",
}  # fmt: skip
MANNERS = ("minimax", "random", "directional")
EVALUATIONS = ("careful", "food", "score", "seek")
OPEN, WON, LOST = range(3)
GHOST = re.compile(r"G(\d+),(\d+)([nesw]?)(?:\*(\d+)(\+?))?")
EXAMPLE = "e.g. %%%%%%/%P.-G%/%%%%%%, or the output of format_state"
STYLE = """<style>
.bg{fill:#fdfdfb}.wall{fill:#3a5fcd}.dot{fill:#b08900}.capsule{fill:#c2410c}
.pacman{fill:#f2b705;stroke:#7a5c00;stroke-width:1}.eye{fill:#fff}.pupil{fill:#1f2328}
.g0{fill:#d62f2f}.g1{fill:#0e8f9e}.g2{fill:#d4539b}.g3{fill:#c76a13}.afraid{fill:#4f6bdc}
@media(prefers-color-scheme:dark){.bg{fill:#0b0d12}.wall{fill:#2a44a0}.dot{fill:#f4dca0}
.capsule{fill:#ffb37a}.pacman{stroke:#0b0d12}.g0{fill:#ff5a5a}.g1{fill:#3fd0df}.g2{fill:#ff8fc8}
.g3{fill:#ffa552}.afraid{fill:#6f8cff}}
</style>"""
CELL = 24


@dataclass(frozen=True, slots=True)
class Ghost:
    place: tuple[int, int]
    heading: str  # a direction; "stop": it has not moved
    scared: int  # moves it still is
    half: bool  # on its way to the next cell


@dataclass(frozen=True, slots=True)
class Scene:
    """The fields of a state."""

    pacman: tuple[int, int]
    ghosts: tuple[Ghost, ...]
    things: int  # dots and capsules left, a bit each in the order of Layout.things
    score: int
    steps: int
    turn: int  # 0 Pac-Man, then the ghosts
    status: int  # OPEN, WON, LOST


class Pacman(EvaluatedGame):
    """Eat the dots, avoid the ghosts; text layouts."""

    name = "pacman"
    options = (
        Option("layout", "small", None, "maze: a built-in layout or a text file", builtin=names),
        Option("ghosts", "minimax", MANNERS, "how the ghosts move"),
        Flag("stop", True, "Pac-Man may stand still"),
        Option("steps", 500, range(1, 60_001), "steps after which the game ends"),
    )

    evaluations = EVALUATIONS

    def __init__(self, spec: str, layout: Layout, ghosts: str, stop: bool, steps: int) -> None:
        self.layout = layout
        self.ghosts = ghosts
        self.stop = stop
        self.steps = steps
        super().__init__(spec, self.evaluated(EVALUATIONS[0]))
        self.player_names = ("Pac-Man", "the ghosts")[: self.players]

    def evaluated(self, name: str) -> _core.Handle:
        return native(self.layout.rows, self.ghosts, self.stop, self.steps, name)

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Pacman:
        return cls(
            spec, find(options["layout"]), options["ghosts"], options["stop"], options["steps"]
        )

    def decode_action(self, key: int, code: int) -> str:
        return DIRECTIONS[code]

    def encode_action(self, key: int, action: Any) -> int:
        if action not in DIRECTIONS:
            raise IllegalAction(f"{action!r} is not a direction")
        return DIRECTIONS.index(action)

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The moves of the ghost to move, with their probabilities."""
        return [(DIRECTIONS[code], p) for code, p in self.handle.outcomes(self.data(s))]

    def parse_action(self, s: State, text: str) -> Any:
        word = text.strip().lower()
        return super().parse_action(s, WORDS.get(word, word))

    # -- states ----------------------------------------------------------------------------
    def scene(self, s: State) -> Scene:
        return self.scene_of(self.data(s))

    def scene_of(self, data: bytes) -> Scene:
        tail = len(data) - 32

        def word(at: int, size: int = 2) -> int:
            return int.from_bytes(data[tail + at : tail + at + size], "little", signed=size == 4)

        places = self.layout.places
        ghosts = tuple(
            Ghost(
                places[word(8 + 2 * g)],
                DIRECTIONS[data[tail + 16 + g]],
                data[tail + 20 + g],
                bool(data[tail + 24] >> g & 1),
            )
            for g in range(self.layout.ghosts)
        )
        things = int.from_bytes(data[:tail], "little")
        turn, status = data[tail + 25], data[tail + 26]
        return Scene(places[word(6)], ghosts, things, word(0, 4), word(4), turn, status)

    def pack(self, scene: Scene) -> bytes:
        """The flat state, which may be an impossible one."""
        numbers = self.layout.numbers
        spare = (0,) * (4 - len(scene.ghosts))
        ghosts = scene.ghosts
        size = len(self.handle.initial())
        fields = [
            scene.things.to_bytes(size - 32, "little"),
            scene.score.to_bytes(4, "little", signed=True),
            scene.steps.to_bytes(2, "little"),
            *(numbers[p].to_bytes(2, "little") for p in (scene.pacman, *(g.place for g in ghosts))),
            bytes(2 * len(spare)),
            bytes([*(DIRECTIONS.index(g.heading) for g in ghosts), *spare]),
            bytes([*(g.scared for g in ghosts), *spare]),
            bytes([sum(g.half << i for i, g in enumerate(ghosts)), scene.turn, scene.status]),
            bytes(5),
        ]
        return b"".join(fields)

    def left(self, scene: Scene) -> set[tuple[int, int]]:
        """The cells of the remaining dots and capsules."""
        return {p for k, p in enumerate(self.layout.things) if scene.things >> k & 1}

    def format_state(self, s: State) -> str:
        scene = self.scene(s)
        left = self.left(scene)
        rows = [
            "".join("%" if c == "%" else c if (x, y) in left else "-" for x, c in enumerate(row))
            for y, row in enumerate(self.layout.rows)
        ]
        words = ["/".join(rows), "P{},{}".format(*scene.pacman)]
        for g in scene.ghosts:
            heading = "" if g.heading == "stop" else g.heading[0]
            scared = f"*{g.scared}{'+' * g.half}" if g.scared else ""
            words.append("G{},{}".format(*g.place) + heading + scared)
        turn = f"G{scene.turn}" if scene.turn else "P"
        return " ".join([*words, f"score={scene.score}", f"steps={scene.steps}", f"next={turn}"])

    def parse_state(self, text: str) -> State:
        words = text.split()
        rows = words[0].replace("-", " ").split("/") if words else []
        walls = [re.sub("[^%]", " ", row) for row in self.layout.rows]
        if [re.sub("[^%]", " ", row) for row in rows] != walls:
            raise self.bad(text, "is not a picture of this layout", EXAMPLE)
        try:
            scene = self.read(rows, words[1:])
        except (ValueError, KeyError, IndexError):
            raise self.bad(text, "lists an object that does not exist", EXAMPLE) from None
        for status in (WON,) if not scene.things & (1 << self.layout.dots) - 1 else (OPEN, LOST):
            data = self.pack(
                Scene(scene.pacman, scene.ghosts, scene.things, scene.score, scene.steps,
                      scene.turn, status)
            )  # fmt: skip
            if self.handle.valid(data):
                return State(self, data)
        raise self.bad(
            text,
            "is impossible",
            "dots and ghosts must match the layout, and the score must match dots and steps",
        )

    def bad(self, text: str, what: str, hint: str) -> BadPosition:
        shown = text if len(text) <= 60 else text[:57] + "…"
        return BadPosition(f"position {shown!r} {what}", hint)

    def read(self, rows: list[str], words: list[str]) -> Scene:
        """The fields of a position: a picture and the words after it."""
        place = {(x, y): c for y, row in enumerate(rows) for x, c in enumerate(row) if c != "%"}
        if not set(place.values()) <= set(" .oPG"):
            raise ValueError("unknown character")
        pacman = next((p for p, c in place.items() if c == "P"), None)
        ghosts = [Ghost(p, "stop", 0, False) for p, c in place.items() if c == "G"]
        known = {}
        for word in words:
            if word[0] == "P":
                x, y = map(int, word[1:].split(","))
                pacman = (x, y)
            elif match := GHOST.fullmatch(word):
                column, line, heading, scared, half = match.groups()
                way = next((d for d in DIRECTIONS[1:] if d[0] == heading), "stop")
                at = (int(column), int(line))
                ghosts.append(Ghost(at, way, int(scared or 0), bool(half)))
            else:
                key, _, value = word.partition("=")
                known[key] = value
        if pacman is None or len(ghosts) != self.layout.ghosts or set(known) - set(KEYS):
            raise ValueError("Pac-Man or a ghost is missing")
        if not {pacman, *(g.place for g in ghosts)} <= place.keys():
            raise ValueError("in a wall")
        things = 0
        for k, p in enumerate(self.layout.things):
            things |= (place[p] == self.layout.sign(p)) << k
        if things.bit_count() != sum(c in ".o" for c in place.values()):
            raise ValueError("a dot that the layout does not have")
        eaten = self.layout.dots - (things & (1 << self.layout.dots) - 1).bit_count()
        steps = int(known.get("steps", 0))
        score = int(known.get("score", 10 * eaten - steps))
        turn = known.get("next", "P")
        number = 0 if turn == "P" else int(turn.removeprefix("G"))
        if max(steps, abs(score)) >= 1 << 16 or not 0 <= number < 5 or steps < 0:
            raise ValueError("out of range")
        if any(g.scared > 255 for g in ghosts):
            raise ValueError("out of range")
        return Scene(pacman, tuple(ghosts), things, score, steps, number, OPEN)

    # -- looks -----------------------------------------------------------------------------
    def picture(self, scene: Scene) -> list[str]:
        """Rows from the top: P, G (S: scared), dots and capsules, walls."""
        left = self.left(scene)
        rows = [
            [c if c == "%" or (x, y) in left else " " for x, c in enumerate(row)]
            for y, row in enumerate(self.layout.rows)
        ]
        rows[scene.pacman[1]][scene.pacman[0]] = "P"
        for g in scene.ghosts:
            rows[g.place[1]][g.place[0]] = "S" if g.scared else "G"
        if scene.status == LOST:
            rows[scene.pacman[1]][scene.pacman[0]] = "X"
        return ["".join(row) for row in rows]

    def status(self, scene: Scene) -> str:
        """The state of the game in words."""
        end = {OPEN: "", WON: ", won", LOST: ", caught"}[scene.status]
        if scene.status == OPEN:
            who = f"ghost {scene.turn}" if scene.turn else "Pac-Man"
            over = scene.turn == 0 and scene.steps >= self.steps
            end = ", time is up" if over else f", {who} to move"
        afraid = max((g.scared for g in scene.ghosts), default=0)
        scared = f", ghosts scared for {afraid}" if afraid else ""
        return f"score {scene.score}, {scene.steps} steps{scared}{end}"

    def board(self, s: State) -> str:
        scene = self.scene(s)
        return "\n".join([*self.picture(scene), self.status(scene)])

    def svg(self, s: State) -> str:
        scene = self.scene(s)
        left = self.left(scene)
        parts = [STYLE, walls(self.layout)]
        for x, y in sorted(left):
            small = self.layout.sign((x, y)) == "."
            css, r = ("dot", 3) if small else ("capsule", 7)
            parts.append(f'<circle class="{css}" cx="{middle(x):g}" cy="{middle(y):g}" r="{r}"/>')
        parts.append(_pacman_shape(*map(middle, scene.pacman)))
        for i, g in enumerate(scene.ghosts):
            dx, dy = STEPS[DIRECTIONS.index(g.heading)] if g.half else (0, 0)
            at = middle(g.place[0] + dx / 2), middle(g.place[1] + dy / 2)
            parts.append(_ghost_shape(*at, "afraid" if g.scared else f"g{i}"))
        size = self.layout.width * CELL, self.layout.height * CELL
        return svg(*size, f"Pac-Man, {self.status(scene)}", "".join(parts))


KEYS = ("score", "steps", "next")


@lru_cache(maxsize=64)  # all ways through the maze are measured, once
def native(
    rows: tuple[str, ...], ghosts: str, stop: bool, steps: int, evaluation: str
) -> _core.Handle:
    return _core.pacman(len(rows[0]), len(rows), "".join(rows), ghosts, stop, steps, evaluation)


def middle(at: float) -> float:
    return CELL * (at + 0.5)


def walls(layout: Layout) -> str:
    """The walls, runs of them as one bar each way."""
    parts = []
    for y, row in enumerate(layout.rows):
        for m in re.finditer("%+", row):
            x, n = m.start(), len(m.group())
            parts.append(
                f'<rect class="wall" x="{x * CELL}" y="{y * CELL}" width="{n * CELL}" '
                f'height="{CELL}"/>'
            )
    return "".join(parts)


def _pacman_shape(x: float, y: float) -> str:
    """A disc with a mouth."""
    return (
        f'<path class="pacman" d="M{x:g} {y:g}L{x + 8.7:.1f} {y - 5:.1f}A10 10 0 1 0 {x + 8.7:.1f} '
        f'{y + 5:.1f}Z"/>'
    )


def _ghost_shape(x: float, y: float, css: str) -> str:
    body = (
        f'<path class="{css}" d="M{x - 9:g} {y + 10:g}V{y - 1:g}a9 9 0 0 1 18 0V{y + 10:g}l-4.5 -4 '
        f'-4.5 4 -4.5 -4Z"/>'
    )
    eyes = "".join(
        f'<circle class="eye" cx="{x + dx:g}" cy="{y - 2:g}" r="2.6"/>'
        f'<circle class="pupil" cx="{x + dx:g}" cy="{y - 2:g}" r="1.2"/>'
        for dx in (-3.5, 3.5)
    )
    return body + eyes


__all__ = ["DIRECTIONS", "Layout", "Pacman", "find", "names"]
