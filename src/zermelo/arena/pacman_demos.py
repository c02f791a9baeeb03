"""The textbook demonstrations with Pac-Man: settings, games, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..errors import UsageError, suggest
from ..games.pacman import Pacman
from .pacman import Series, board, series


@dataclass(frozen=True)
class Setting:
    """The players and the layout of a demo."""

    label: str
    layout: str
    pacman: str
    ghost: str
    stop: bool = True
    steps: int = 500


@dataclass(frozen=True)
class Row:
    """The result of a setting."""

    label: str
    game: Pacman
    series: Series

    def __str__(self) -> str:
        return str(self.series)


@dataclass(frozen=True)
class Demo:
    name: str
    shows: str
    games: int  # per setting, by default
    few: int  # games for a quick run that still show the effect
    settings: tuple[Setting, ...]
    verdict: Callable[[Sequence[Row]], str]  # what the rows show, in words
    expected: str  # the verdict of the textbook

    def play(self, games: int | None = None, seed: int = 0) -> Iterator[Row]:
        """Plays the settings in order; Ctrl-C ends the demo with the games played so far."""
        for s in self.settings:
            found = series(
                s.layout, s.pacman, s.ghost, games or self.games, seed=seed, stop=s.stop,
                steps=s.steps,
            )  # fmt: skip
            yield Row(s.label, board(s.layout, "minimax", s.stop, s.steps), found)
            if len(found.runs) < (games or self.games):
                raise KeyboardInterrupt

    def few_games(self) -> str:
        """The verdict of a few games: the same ones every time."""
        return self.verdict(list(self.play(self.few)))


def find(name: str, demos: Sequence[Demo]) -> Demo:
    known = [d.name for d in demos]
    if name not in known:
        raise UsageError(f"unknown demo {name!r}", suggest(name, known))
    return demos[known.index(name)]


# -- minimax and expectimax, each against both ghosts ------------------------------------------
def _assumptions(rows: Sequence[Row]) -> str:
    """A statement is made only if the confidence intervals do not overlap."""
    careful_adversary, careful_chance, hopeful_adversary, hopeful_chance = (r.series for r in rows)
    found = []
    low, high = careful_adversary.interval[0], hopeful_adversary.interval[1]
    if high < low and hopeful_adversary.score < careful_adversary.score - 100:
        found.append("optimism fails against an adversary")
    if careful_chance.won >= 0.95 * len(careful_chance.runs) and (
        careful_chance.score > hopeful_chance.score - 50
    ):
        found.append("pessimism costs little against chance")
    return "; ".join(found) or "neither holds"


ASSUMPTIONS = tuple(
    Setting(f"{mind} v {kind} ghost", "lecture", f"{mind}:depth=4", ghost, stop=False)
    for mind in ("minimax", "expectimax")
    for kind, ghost in (("adversarial", "minimax:depth=2"), ("random", "random"))
)


# -- two equal dots ----------------------------------------------------------------------------
EARLY = 10  # steps: near the end of the game even the score-only evaluation eats


def _starved(rows: Sequence[Row]) -> str:
    found = []
    for r in rows:
        dots = r.game.layout.dots * len(r.series.runs)
        found.append(f"{r.label} {dots - _dots_left(r)} of {dots}")
    return f"dots eaten in {EARLY} steps: " + ", ".join(found)


def _dots_left(row: Row) -> int:
    """After EARLY steps of every game."""
    mask = (1 << row.game.layout.dots) - 1
    left = 0
    for run in row.series.runs:
        scenes = (row.game.scene_of(data) for data in run.states)
        early = [scene for scene in scenes if scene.steps <= EARLY]
        left += (early[-1].things & mask).bit_count()
    return left


STARVING = tuple(
    Setting(label, "corridor", f"minimax:depth=2,evaluate={name},ties=first", "random", steps=20)
    for label, name in (("score", "score"), ("score and distance to food", "food"))
)


# -- two ghosts --------------------------------------------------------------------------------
TRAPPED = (
    "two minimax ghosts always trap Pac-Man, one never does, "
    "two chasing ghosts less than half of the time"
)


def _trapped(rows: Sequence[Row]) -> str:
    two, one, apart = (r.series.lost / len(r.series.runs) for r in rows)
    if two == 1 and one == 0 and apart < 0.5:
        return TRAPPED
    return (
        f"caught by two minimax ghosts: {two:.0%}, by one: {one:.0%}, "
        f"by two chasing ghosts: {apart:.0%}"
    )


SMART = (
    Setting("two minimax ghosts", "trap", "alphabeta:depth=4", "alphabeta:depth=4"),
    Setting("one minimax ghost", "trap-one", "alphabeta:depth=4", "alphabeta:depth=4"),
    Setting("two chasing ghosts", "trap", "alphabeta:depth=4", "directional"),
)


# -- depth -------------------------------------------------------------------------------------
def deeper(rows: Sequence[Row]) -> str:
    shallow, deep = (r.series for r in rows)
    if deep.won > shallow.won and deep.score > shallow.score:
        return "depth 10 wins more"
    return f"depth 2 won {shallow.won}, depth 10 won {deep.won}"


DEEPER = tuple(
    Setting(f"depth {d}", "comb", f"engine:depth={d},evaluate=food,table=1", "random", False, 300)
    for d in (2, 10)
)


DEMOS = (
    Demo(
        "pac-man",
        "a wrong assumption about the ghosts",
        100,
        40,
        ASSUMPTIONS,
        _assumptions,
        "optimism fails against an adversary; pessimism costs little against chance",
    ),
    Demo(
        "starving",
        "an evaluation that only counts the score never eats",
        1,
        1,
        STARVING,
        _starved,
        "dots eaten in 10 steps: score 0 of 2, score and distance to food 2 of 2",
    ),
    Demo(
        "smart-ghosts",
        "two minimax ghosts cooperate",
        20,
        20,
        SMART,
        _trapped,
        TRAPPED,
    ),
    Demo("deeper-is-better", "depth 2 and depth 10", 20, 6, DEEPER, deeper, "depth 10 wins more"),
)
