"""``zermelo.match``: a match with error bars; every opening is played from all seats."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import files
from ..checks import check_called, check_given, check_path, check_whole
from ..errors import NotSupported, UsageError, suggest
from ..game import Game, as_game, facts_of, legal_actions
from ..hidden.beliefs import Belief
from ..hidden.particles import Mind, remembers
from ..search.algorithms import algorithms, duel, named, option_owners
from ..search.api import keywords, search
from ..search.request import LIMIT_NAMES
from .intervals import alike, mean_error, normal_error, share_interval, wilson
from .openings import Openings, Story, openings

MOST_PLIES = 1000  # a game that lasts longer counts as drawn


@dataclass(frozen=True)
class Player:
    """A player of a match: a search with options, or a function of (game, state)."""

    name: str
    move: Callable[[Game, Any], Any]
    # A search in a game with hidden information also gets a belief, if the game needs one.
    ask: Callable[[Game, Any, Belief | None], Any] | None = None


@dataclass
class Match:
    """The result of a match between two players, seen from the first one.

    Attributes:
        results: The utility of the first player, game by game.
        wins, draws, losses: Games of the first player by result.
        score: Points of the first player as a share of all games; a draw is half a point.
        interval: The 95 % confidence interval of `score`.
        elo: The rating difference, with its 95 % interval.
        stopped: "interrupted" if the match ended early.
    """

    game: str
    players: tuple[str, ...]
    seed: int
    results: list[float] = field(default_factory=list)  # utility of the first player, game by game
    stopped: str = ""  # "", or "interrupted": fewer games than were wanted
    opening: Openings | None = None  # the random moves before the players take over

    def add(self, utilities: list[float], seats: list[int]) -> None:
        """One more game: what every seat got, and which player sat there."""
        self.take([utilities[seats.index(0)]])

    def take(self, row: list[float]) -> None:
        self.results.append(row[0])

    def last(self) -> dict[str, Any]:
        """The last game, as the record keeps it."""
        return {"utility": self.results[-1]}

    @staticmethod
    def read(row: dict[str, Any]) -> list[float]:
        return [float(row["utility"])]

    @property
    def wins(self) -> int:
        return sum(r > 0 for r in self.results)

    @property
    def draws(self) -> int:
        return sum(r == 0 for r in self.results)

    @property
    def losses(self) -> int:
        return sum(r < 0 for r in self.results)

    @property
    def score(self) -> float:
        """Points of the first player as a part of all: a draw is half a point."""
        return (self.wins + self.draws / 2) / max(1, len(self.results))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score. A pair of games with one opening counts as one."""
        return share_interval(self.pairs, self.score)

    @property
    def error(self) -> float:
        """1.96 standard errors of the score: half the interval, but near its edges."""
        low, high = self.interval
        return (high - low) / 2 if alike(self.pairs) else normal_error(self.pairs, self.score)

    @property
    def pairs(self) -> list[float]:
        """The points of the first player, by opening."""
        return in_sets([(r > 0) + (r == 0) / 2 for r in self.results], 2)

    @property
    def elo(self) -> tuple[float, float, float]:
        """The rating difference that the score means, and its 95 % interval."""

        def rating(score: float) -> float:
            if score <= 0 or score >= 1:
                return math.copysign(math.inf, score - 0.5)
            return 0.0 - 400 * math.log10(1 / score - 1)

        low, high = self.interval
        return rating(self.score), rating(low), rating(high)

    def to_json(self) -> dict[str, Any]:
        elo = [e if math.isfinite(e) else None for e in self.elo]
        return {
            "game": self.game,
            "players": list(self.players),
            "seed": self.seed,
            "games": len(self.results),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "error": self.error,
            "interval": list(self.interval),
            "elo": elo,
            "mean_utility": sum(self.results) / max(1, len(self.results)),
            "stopped": self.stopped,
            "opening": self.opening.plies if self.opening else None,
        }

    def __str__(self) -> str:
        a, b = self.players
        elo, *ends = map(signed, self.elo)
        low, high = self.interval
        even = math.isclose(low + high, 2 * self.score)
        about = f"± {self.error:.1%}" if even else f"({low:.1%} to {high:.1%})"
        return (
            f"{a} against {b}: {self.wins} won, {self.draws} drawn, {self.losses} lost of "
            f"{len(self.results)}{self.early}; {self.score:.1%} {about}, "
            f"Elo {elo} ({' to '.join(ends)}){self.start}"
        )

    @property
    def early(self) -> str:
        return f" ({self.stopped})" if self.stopped else ""

    @property
    def start(self) -> str:
        """The line that describes the random openings."""
        return f"\nrandom opening moves: {self.opening}" if self.opening else ""


@dataclass
class ManyMatch(Match):
    """The result of a multi-player or general-sum match: the utility of every player."""

    utilities: list[list[float]] = field(default_factory=list)  # of each player, mean of its seats
    bounds: tuple[float, float] | None = None  # of utilities, where they are known

    def add(self, utilities: list[float], seats: list[int]) -> None:
        got: list[list[float]] = [[] for _ in self.players]
        for seat, utility in zip(seats, utilities, strict=True):
            got[seat].append(utility)
        self.take([sum(g) / len(g) for g in got])

    def take(self, row: list[float]) -> None:
        if len(row) != len(self.players):
            raise ValueError("the record has a different number of players")
        super().take(row)
        self.utilities.append(row)

    def last(self) -> dict[str, Any]:
        return {"utilities": self.utilities[-1]}

    @staticmethod
    def read(row: dict[str, Any]) -> list[float]:
        return [float(u) for u in row["utilities"]]

    def mean(self, player: int) -> tuple[float, float]:
        """The mean utility and half its 95 % interval; games of one opening count as one."""
        got = [row[player] for row in self.utilities]
        sets = in_sets(got, len(self.players))
        mean = sum(got) / max(1, len(got))
        wide = self.bounds[1] - self.bounds[0] if self.bounds else math.inf
        if len(sets) > 1 and alike(sets) and math.isfinite(wide):  # no spread to go by
            share = (mean - self.bounds[0]) / wide if self.bounds else 0.0
            low, high = wilson(min(1.0, max(0.0, share)), len(sets))
            return mean, wide * max(share - low, high - share)
        return mean, mean_error(sets, mean)

    def first_places(self, player: int) -> float:
        """The number of games that the player won; a shared first place counts as a fraction."""
        return sum((row[player] == max(row)) / row.count(max(row)) for row in self.utilities)

    def to_json(self) -> dict[str, Any]:
        rows = []
        for i, name in enumerate(self.players):
            mean, error = self.mean(i)
            shown = error if math.isfinite(error) else None
            rows.append({"name": name, "mean_utility": mean, "error": shown,
                         "first_places": self.first_places(i)})  # fmt: skip
        return {"game": self.game, "players": list(self.players), "seed": self.seed,
                "games": len(self.results), "standings": rows,
                "stopped": self.stopped,
                "opening": self.opening.plies if self.opening else None}  # fmt: skip

    def __str__(self) -> str:
        wide = max(map(len, self.players))
        rows = [f"{self.game}, {len(self.results)} games{self.early}"]
        order = sorted(range(len(self.players)), key=lambda i: -self.mean(i)[0])
        for i in order:
            mean, error = self.mean(i)
            rows.append(
                f"  {self.players[i]:<{wide}}  utility {mean:+.3f} ± {error:.3f}   "
                f"first in {self.first_places(i):g} game{'s' * (self.first_places(i) != 1)}"
            )
        return "\n".join(rows) + self.start


def in_sets(numbers: list[float], size: int) -> list[float]:
    """The means of the games of each opening."""
    sets = (numbers[i : i + size] for i in range(0, len(numbers), size))
    return [sum(s) / len(s) for s in sets]


def signed(rating: float) -> str:
    """A rating difference as an integer with its sign, never -0."""
    shown = f"{rating:+.0f}"
    return "+0" if shown == "-0" else shown


def as_player(player: Any) -> Player:
    """A Player from ``"engine:time=0.1,threads=2"`` or a function of (game, state)."""
    if isinstance(player, Player):
        return player
    if callable(player):
        return Player(getattr(player, "__name__", "player"), player)
    if str(player).partition(":")[0] == "random":
        rng = random.Random(str(player).partition(":")[2])
        return Player(str(player), lambda game, s: rng.choice(legal_actions(game, s)))
    name, options = named(str(player))
    if name != "auto" and name not in algorithms():
        raise UsageError(
            f"unknown player {name!r}", suggest(name, [*algorithms(), "auto", "random"])
        )
    known = (*option_owners(), *keywords())
    for option in options:
        if option not in known:
            raise UsageError(f"{name} has no option {option!r}", suggest(option, known))
    if not any(limit in options for limit in LIMIT_NAMES):
        raise UsageError(
            f"player {player!r} needs a limit", f"e.g. {name}:time=0.1 or {name}:depth=4"
        )

    def choose(game: Any, s: Any, belief: Belief | None = None) -> Any:
        r = search(game, s, belief=belief, **{"algorithm": name, **options})
        if r.stopped == "interrupted":  # an interrupted search has no valid move
            raise KeyboardInterrupt
        return r.action

    return Player(str(player), choose, choose)


def match(
    game: Any,
    players: Sequence[Any],
    games: int = 100,
    *,
    opening: int | str = "auto",
    seed: int = 0,
    record: str | Path | None = None,
    on_game: Callable[[Match], object] | None = None,
) -> Match:
    """Play a match; each opening is played once from every seat.

    Ctrl-C ends the match with the games that are finished (`Match.stopped` is "interrupted").
    Before the end of the first game it raises KeyboardInterrupt.

    Args:
        game: The game.
        players: Two players for a two-player zero-sum game. Otherwise up to one per seat. With
            fewer players, they take turns in the remaining seats. A player is
            ``"engine:time=0.1"`` (an algorithm with options), ``"random"`` or a function of
            (game, state) that returns an action.
        games: The number of games.
        opening: The number of random moves before the players take over. "auto" is at most 6 and
            at most a sixth of a typical game: 0 in short games and in games with chance.
            Openings that are over or decided are not played.
        seed: The random seed of the openings.
        record: A file of the finished games; the match resumes if it exists.
        on_game: Called with the match after every game.

    Returns:
        The results with confidence intervals.

    Raises:
        UsageError: A player has no limit, or the number of players is wrong.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("tic-tac-toe")
        >>> zermelo.match(game, ("engine:depth=9", "random"), games=10).losses
        0
    """
    played = as_game(game)
    facts = facts_of(played)
    if facts.players < 2:
        raise NotSupported("a match needs a game with two or more players")
    most = 2 if duel(facts) else facts.players
    given = check_given("players", players)
    if not 2 <= len(given) <= most:
        wanted = "two players" if most == 2 else f"2 to {most} players"
        hint = "" if most == 2 else "; with fewer players, they take turns in the remaining seats"
        raise UsageError(
            f"a match of {played.name} needs {wanted}, not {len(given)}",
            f"{'' if most == 2 else f'at most {most}, '}e.g. engine:time=0.1 random{hint}",
        )
    games, start = check_whole("games", games), openings(played, opening, seed)
    check_called("on_game", on_game)
    all_ = [as_player(p) for p in given]
    names = tuple(p.name for p in all_)
    many = None if duel(facts) else ManyMatch(played.name, names, seed, bounds=facts.utility_bounds)
    result = many or Match(played.name, names, seed)
    result.opening = start
    file = None if record is None else check_path("record", record)
    if file is not None:
        _resume(result, file, start.plies)
    try:
        for number in range(len(result.results), games):
            _one(result, played, all_, number, start)
            if file is not None:
                files.append(file, json.dumps({"game": number, **result.last()}) + "\n")
            if on_game:
                on_game(result)
    except KeyboardInterrupt:  # during a game or in on_game
        if not result.results:
            raise
        result.stopped = "interrupted"
    return result


def _one(result: Match, game: Game, players: list[Player], number: int, start: Openings) -> None:
    """One more game of the match."""
    rng = random.Random(f"{result.seed} {number // len(players)}")
    story = start.sample(rng)
    first = number % len(players)  # which player has the first seat
    seats = [(seat + first) % len(players) for seat in range(facts_of(game).players)]
    minds = [_mind(game, players[p], f"{result.seed} {number} {i}") for i, p in enumerate(seats)]
    result.add(_play(game, story, [players[i] for i in seats], minds, rng), seats)


def _play(
    game: Game,
    story: Story,
    players: Sequence[Player],
    minds: Sequence[Mind | None],
    rng: random.Random,
) -> list[float]:
    """Play one game to its end and return the utility of every seat."""
    for _ in range(MOST_PLIES):
        if not story.nature(rng):
            return [float(game.utility(story.states[-1], p)) for p in range(len(players))]
        seat = game.player(story.states[-1])
        mind = minds[seat]
        if mind is None:
            story.on(players[seat].move(game, story.states[-1]))
        else:
            story.on(mind.choose(story.states, story.actions))
    return [0.0] * len(players)


def _mind(game: Game, player: Player, seed: str) -> Mind | None:
    """The beliefs of a search over one game, or None if the game does not need them."""
    ask = player.ask
    if ask is None or not remembers(game):
        return None
    return Mind(game, lambda s, belief: ask(game, s, belief), random.Random(seed))


def _resume(result: Match, file: Path, opening: int) -> None:
    """Read the finished games from `file`, or create it."""
    head = {
        "match": result.game, "players": list(result.players), "seed": result.seed,
        "opening": opening,
    }  # fmt: skip
    if not file.exists():
        files.write(file, json.dumps(head) + "\n")
        return
    text = files.read_text(file, "expected a record that zermelo match wrote")
    if not text.endswith("\n"):  # a line that was cut off in the middle is played again
        text = text[: text.rfind("\n") + 1]
        files.write(file, text)
    try:
        first, *rows = [json.loads(line) for line in text.splitlines()]
        told = [result.read(row) for row in rows]
    except (ValueError, LookupError, TypeError, RecursionError, AttributeError):
        raise UsageError(f"{file} is not a match record", "choose another file") from None
    if first != head:
        raise UsageError(
            f"{file} is the record of another match",
            "choose another file, or repeat the same match",
        )
    for row in told:
        result.take(row)
