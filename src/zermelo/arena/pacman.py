"""Series of Pac-Man games: any search against any kind of ghosts, with statistics.

Pac-Man and the ghosts each are a :class:`Controller`, written as a player of a match is:
``"expectimax:depth=4,evaluate=careful"``, ``"minimax:depth=2"``, ``"random"``; ghosts may be
``"directional"``. Here depth counts rounds: one move of Pac-Man and one of each ghost (expectimax
evaluates before the last moves of the ghosts, because chance costs no depth). Which ghosts Pac-Man
assumes is an option, ``ghosts=minimax``, ``random`` or ``directional``;
expectimax assumes random ghosts by default.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..errors import UsageError, suggest
from ..games import load
from ..games.native import State
from ..games.pacman import DIRECTIONS, MANNERS, OPEN, WON, Pacman
from ..result import Result
from ..search.algorithms import algorithms, named, traits_of
from ..search.api import search
from ..search.request import LIMIT_NAMES
from .intervals import wilson

# Options that make a search find all best moves, as far as it has them.
FIND_TIES: dict[str, dict[str, Any]] = {
    "ties": {"ties": True},
    "prune": {"prune": "none", "table": 1},
}
SAMPLED = ("random", "directional")  # ghosts that move randomly, without a search


@dataclass(frozen=True, slots=True)
class Thought:
    """The values that a search found for Pac-Man's actions before a move."""

    value: float
    moves: tuple[tuple[str, float, str], ...]  # action, value, kind
    nodes: int


@dataclass(frozen=True)
class Controller:
    """Who moves Pac-Man or the ghosts."""

    name: str
    move: Callable[[Pacman, State, random.Random], tuple[str, Thought | None]]


@dataclass
class Run:
    """One game, from its first state to its last."""

    number: int
    states: list[bytes] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    thoughts: list[Thought | None] = field(default_factory=list)
    won: bool = False
    lost: bool = False
    score: int = 0
    steps: int = 0

    @property
    def end(self) -> str:
        return "won" if self.won else "caught" if self.lost else "time is up"


@dataclass
class Series:
    """The statistics of the games of one setting."""

    layout: str
    pacman: str
    ghost: str
    seed: int
    runs: list[Run] = field(default_factory=list)

    @property
    def won(self) -> int:
        return sum(r.won for r in self.runs)

    @property
    def lost(self) -> int:
        return sum(r.lost for r in self.runs)

    @property
    def score(self) -> float:
        return sum(r.score for r in self.runs) / max(1, len(self.runs))

    @property
    def score_error(self) -> float:
        """Half the 95 % interval of the mean score."""
        n = len(self.runs)
        if n < 2:
            return math.inf
        spread = sum((r.score - self.score) ** 2 for r in self.runs) / (n - 1)
        return 1.96 * math.sqrt(spread / n)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the part won (Wilson's: it holds at 0 and 1, too)."""
        n = max(1, len(self.runs))
        return wilson(self.won / n, n)

    def to_json(self) -> dict[str, Any]:
        error = self.score_error
        return {
            "layout": self.layout,
            "pacman": self.pacman,
            "ghost": self.ghost,
            "seed": self.seed,
            "games": len(self.runs),
            "won": self.won,
            "caught": self.lost,
            "unfinished": len(self.runs) - self.won - self.lost,
            "won_interval": list(self.interval),
            "score": self.score,
            "score_error": error if math.isfinite(error) else None,
            "steps": sum(r.steps for r in self.runs) / max(1, len(self.runs)),
            "runs": [
                {"end": r.end, "score": r.score, "steps": r.steps, "actions": r.actions}
                for r in self.runs
            ],
        }

    def __str__(self) -> str:
        low, high = self.interval
        error = f" ± {self.score_error:.0f}" if math.isfinite(self.score_error) else ""
        return (
            f"{self.pacman} against {self.ghost} on {self.layout}: {self.won} of {len(self.runs)} "
            f"won ({low:.0%} to {high:.0%}), score {self.score:.0f}{error}"
        )


@cache
def board(layout: str, ghosts: str = "minimax", stop: bool = True, steps: int = 500) -> Pacman:
    """The game on that layout; its states are those of the same board with other ghosts."""
    game = load(f"pacman:layout={layout},ghosts={ghosts},stop={'yes' if stop else 'no'},"
                f"steps={steps}")  # fmt: skip
    assert isinstance(game, Pacman)
    return game


def _taken_for(game: Pacman, ghosts: str) -> Pacman:
    """The same board with ghosts of that kind."""
    return board(game.layout.name, ghosts, game.stop, game.steps)


def controller(text: Any, ghost: bool = False) -> Controller:
    """A Controller from ``"expectimax:depth=4"``, of Pac-Man or of the ghosts."""
    if isinstance(text, Controller):
        return text
    name, options = named(str(text))
    if name in SAMPLED and (ghost or name == "random"):
        if options:
            raise UsageError(f"{name} has no options", f"write {name} alone")
        return Controller(name, sampled(name, ghost))
    if name != "auto" and name not in algorithms():
        known = [*algorithms(), "auto", *(SAMPLED if ghost else SAMPLED[:1])]
        raise UsageError(f"unknown player {name!r}", suggest(name, known))
    if not any(limit in options for limit in LIMIT_NAMES):
        raise UsageError(f"player {text!r} needs a limit", f"e.g. {name}:depth=4")
    return Controller(str(text), searched(name, options, ghost))


def sampled(name: str, ghost: bool) -> Callable[[Pacman, State, random.Random], tuple[str, None]]:
    """A random move, with the probabilities of the ghosts' behaviour; Pac-Man's are uniform."""

    def move(game: Pacman, s: State, rng: random.Random) -> tuple[str, None]:
        if not ghost:
            return rng.choice(game.actions(s)), None
        outcomes = _taken_for(game, name).handle.outcomes(s.data)
        codes, odds = zip(*outcomes, strict=True)
        return DIRECTIONS[rng.choices(codes, odds)[0]], None

    return move


def searched(
    name: str, options: dict[str, Any], ghost: bool
) -> Callable[[Pacman, State, random.Random], tuple[str, Thought]]:
    """A search of the board with the ghosts that the player assumes."""
    given = dict(options)
    default = "random" if traits_of(name).random_opponents and not ghost else "minimax"
    manner = given.pop("ghosts", default)
    if manner not in MANNERS:
        raise UsageError(f"unknown ghosts={manner!r}", suggest(str(manner), MANNERS))
    ties = given.pop("ties", "random")
    if ties not in ("random", "first"):
        raise UsageError(f"invalid ties={ties!r}", "expected random or first")
    given.setdefault("evaluate", "seek" if ghost else "careful")
    if ties == "random":  # ties between moves must be proved
        known = algorithms()[name].options if name in algorithms() else {}
        for option, sure in FIND_TIES.items():
            given = (sure if option in known else {}) | given
    rounds = given.pop("depth", None)

    def move(game: Pacman, s: State, rng: random.Random) -> tuple[str, Thought]:
        believed = _taken_for(game, manner)
        depth = None if rounds is None else plies(name, believed, rounds)
        r = search(believed, State(believed, s.data), name, depth=depth, **given)
        if r.stopped == "interrupted":
            raise KeyboardInterrupt
        return (rng.choice(equals(r)) if ties == "random" else r.action), _thought(r)

    return move


def plies(name: str, game: Pacman, rounds: Any) -> Any:
    """The depth in plies of this many rounds: chance costs no depth."""
    if type(rounds) is not int or traits_of(name).random_opponents or game.facts.chance:
        return rounds  # other values are refused there
    return rounds * (1 + game.layout.ghosts)


def equals(r: Result) -> list[str]:
    """The moves that this search found equal to its choice, by estimate or proved."""
    best = next(r.own(m) for m in r.moves if m.action == r.action)
    return [m.action for m in r.moves if m.resolved and r.own(m) == best]


def _thought(r: Result) -> Thought:
    moves = tuple((str(m.action), m.value, m.kind) for m in r.moves)
    return Thought(r.value, moves, r.nodes)


def play(
    game: Pacman,
    pacman: Controller,
    ghost: Controller,
    rng: random.Random,
    number: int = 1,
    on_state: Callable[[Run], object] | None = None,
) -> Run:
    """One game; `on_state` is called with every state."""
    s = game.initial()
    run = Run(number, [s.data])
    while True:
        if on_state:
            on_state(run)
        if game.is_terminal(s):
            break
        who = pacman if game.player(s) == 0 else ghost
        action, why = who.move(game, s, rng)
        s = game.result(s, action)
        run.states.append(s.data)
        run.actions.append(action)
        run.thoughts.append(why)
    scene = game.scene(s)
    run.won, run.lost = scene.status == WON, scene.status not in (OPEN, WON)
    run.score, run.steps = scene.score, scene.steps
    return run


def series(
    layout: str,
    pacman: Any,
    ghost: Any,
    games: int = 1,
    *,
    seed: int = 0,
    stop: bool = True,
    steps: int = 500,
    on_state: Callable[[Run], object] | None = None,
    on_run: Callable[[Series], object] | None = None,
) -> Series:
    """Plays `games` games; the same seed gives the same games.

    Ctrl-C returns the finished games, if there are any.
    """
    if games < 1:
        raise UsageError(f"invalid games={games}", "expected 1 or more")
    game = board(layout, "minimax", stop, steps)
    him, them = controller(pacman), controller(ghost, ghost=True)
    found = Series(layout, him.name, them.name, seed)
    for number in range(1, games + 1):
        rng = random.Random(f"{seed} {number}")
        try:
            found.runs.append(play(game, him, them, rng, number, on_state))
        except KeyboardInterrupt:
            if not found.runs:
                raise
            break
        if on_run:
            on_run(found)
    return found
