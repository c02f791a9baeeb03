"""The results of a match, with confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from .intervals import alike, mean_error, normal_error, share_interval, wilson
from .openings import Openings


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

    Example:
        >>> import zermelo
        >>> match = zermelo.Match("nim", ("engine:depth=3", "random"), 0, [1.0, 1.0, -1.0, 1.0])
        >>> match.wins, match.losses, match.score
        (3, 1, 0.75)
    """

    game: str
    players: tuple[str, ...]
    seed: int
    results: list[float] = field(default_factory=list)  # utility of the first player, game by game
    stopped: str = ""  # "interrupted" if the match ended early
    opening: Openings | None = None  # the random moves before the players take over

    def add(self, utilities: list[float], seats: list[int]) -> None:
        """Add a game.

        Args:
            utilities: The utility of every seat.
            seats: The player in each seat.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.add([1.0, -1.0], [1, 0]); match.results[-1]
            -1.0
        """
        self.add_row([utilities[seats.index(0)]])

    def add_row(self, row: list[float]) -> None:
        """Add a game that :meth:`parse_row` read from a record.

        Args:
            row: The numbers of the game.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.add_row([1.0]); match.wins
            3
        """
        self.results.append(row[0])

    def last_row(self) -> dict[str, Any]:
        """Return the last game as a row of the record.

        Returns:
            Plain data for JSON.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.last_row()
            {'utility': 0.0}
        """
        return {"utility": self.results[-1]}

    @staticmethod
    def parse_row(row: dict[str, Any]) -> list[float]:
        """Read a row of the record.

        Args:
            row: What :meth:`last_row` returned.

        Returns:
            The numbers of the game. A damaged row raises LookupError or ValueError.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.parse_row({"utility": 1})
            [1.0]
        """
        return [float(row["utility"])]

    @property
    def wins(self) -> int:
        """The number of games that the first player won.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.wins
            2
        """
        return sum(r > 0 for r in self.results)

    @property
    def draws(self) -> int:
        """The number of drawn games.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.draws
            1
        """
        return sum(r == 0 for r in self.results)

    @property
    def losses(self) -> int:
        """The number of games that the first player lost.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.losses
            1
        """
        return sum(r < 0 for r in self.results)

    @property
    def score(self) -> float:
        """Points of the first player as a share of all games; a draw is half a point.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.score
            0.625
        """
        return (self.wins + self.draws / 2) / max(1, len(self.results))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score; both games of an opening count as one sample.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> [round(end, 2) for end in match.interval]
            [0.12, 0.95]
        """
        return share_interval(self.pairs, self.score)

    @property
    def error(self) -> float:
        """1.96 standard errors of the score, half the interval unless the score is near 0 or 1.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> round(match.error, 2)
            0.73
        """
        low, high = self.interval
        return (high - low) / 2 if alike(self.pairs) else normal_error(self.pairs, self.score)

    @property
    def pairs(self) -> list[float]:
        """The points of the first player, by opening.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.pairs
            [1.0, 0.25]
        """
        return _in_sets([(r > 0) + (r == 0) / 2 for r in self.results], 2)

    @property
    def elo(self) -> tuple[float, float, float]:
        """The Elo difference that the score corresponds to, and its 95 % interval.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> round(match.elo[0])
            89
        """

        def rating(score: float) -> float:
            if score <= 0 or score >= 1:
                return math.copysign(math.inf, score - 0.5)
            return 0.0 - 400 * math.log10(1 / score - 1)

        low, high = self.interval
        return rating(self.score), rating(low), rating(high)

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data, the same as ``--json`` on the command line.

        Returns:
            A dictionary for JSON.

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.to_json()["score"]
            0.625
        """
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
        """A note that the match ended early, or "".

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.early
            ''
        """
        return f" ({self.stopped})" if self.stopped else ""

    @property
    def start(self) -> str:
        """A line about the random opening moves, or "".

        Example:
            >>> import zermelo
            >>> match = zermelo.Match("nim", ("a", "b"), 0, [1.0, 1.0, -1.0, 0.0])
            >>> match.start
            ''
        """
        return f"\nrandom opening moves: {self.opening}" if self.opening else ""


@dataclass
class ManyMatch(Match):
    """The result of a multi-player or general-sum match: the utility of every player.

    Attributes:
        utilities: The utility of every player, game by game.
        bounds: The least and the greatest utility, if known.

    Example:
        >>> import zermelo
        >>> game = zermelo.load("nim:players=3")
        >>> result = zermelo.match(game, ("maxn:depth=3", "random:1", "random:2"), games=3)
        >>> len(result.utilities), len(result.utilities[0])
        (3, 3)
    """

    utilities: list[list[float]] = field(default_factory=list)  # by game and player
    bounds: tuple[float, float] | None = None  # of the utilities, if known

    def add(self, utilities: list[float], seats: list[int]) -> None:
        got: list[list[float]] = [[] for _ in self.players]
        for seat, utility in zip(seats, utilities, strict=True):
            got[seat].append(utility)
        self.add_row([sum(g) / len(g) for g in got])

    def add_row(self, row: list[float]) -> None:
        if len(row) != len(self.players):
            raise ValueError("the record has a different number of players")
        super().add_row(row)
        self.utilities.append(row)

    def last_row(self) -> dict[str, Any]:
        return {"utilities": self.utilities[-1]}

    @staticmethod
    def parse_row(row: dict[str, Any]) -> list[float]:
        return [float(u) for u in row["utilities"]]

    def mean(self, player: int) -> tuple[float, float]:
        """The mean utility and half its 95 % interval; games of one opening count as one sample."""
        got = [row[player] for row in self.utilities]
        sets = _in_sets(got, len(self.players))
        mean = sum(got) / max(1, len(got))
        wide = self.bounds[1] - self.bounds[0] if self.bounds else math.inf
        if len(sets) > 1 and alike(sets) and math.isfinite(wide):  # no variance is known
            share = (mean - self.bounds[0]) / wide if self.bounds else 0.0
            low, high = wilson(min(1.0, max(0.0, share)), len(sets))
            return mean, wide * max(share - low, high - share)
        return mean, mean_error(sets, mean)

    def first_places(self, player: int) -> float:
        """The number of games with the highest utility; ties are shared."""
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


def _in_sets(numbers: list[float], size: int) -> list[float]:
    """The means of the games of each opening."""
    sets = (numbers[i : i + size] for i in range(0, len(numbers), size))
    return [sum(s) / len(s) for s in sets]


def signed(rating: float) -> str:
    """A rating difference without decimals; never "-0"."""
    shown = f"{rating:+.0f}"
    return "+0" if shown == "-0" else shown
