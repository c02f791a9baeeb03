"""``zermelo.match``: two players, many games, the same openings from both sides."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..algorithms import algorithms
from ..errors import NotSupported, UsageError, suggest
from ..game import Game, as_game, facts_of
from ..search import search

OPENING_PLIES = 6  # moves by chance before the players take over
MOST_PLIES = 1000  # a game that lasts longer counts as drawn
LIMITS = ("depth", "time", "nodes")


@dataclass(frozen=True)
class Player:
    """Who moves: a search by name with its options, or a function of (game, state)."""

    name: str
    move: Callable[[Game, Any], Any]


@dataclass
class Match:
    """What came of it, seen by the first of the two players."""

    game: str
    players: tuple[str, str]
    seed: int
    results: list[float] = field(default_factory=list)  # utility of the first player, game by game

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
    def error(self) -> float:
        """Half the 95 % interval of the score. A pair of games with one opening counts as one."""
        points = [(r > 0) + (r == 0) / 2 for r in self.results]
        pairs = [sum(p) / len(p) for p in (points[i : i + 2] for i in range(0, len(points), 2))]
        if len(pairs) < 2:
            return 0.5
        spread = sum((p - self.score) ** 2 for p in pairs) / (len(pairs) - 1)
        return 1.96 * math.sqrt(spread / len(pairs))

    @property
    def elo(self) -> tuple[float, float, float]:
        """The rating difference that the score means, and its 95 % interval."""

        def rating(score: float) -> float:
            if score <= 0 or score >= 1:
                return math.copysign(math.inf, score - 0.5)
            return -400 * math.log10(1 / score - 1)

        low, high = self.score - self.error, self.score + self.error
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
            "elo": elo,
            "mean_utility": sum(self.results) / max(1, len(self.results)),
        }

    def __str__(self) -> str:
        a, b = self.players
        elo, low, high = self.elo
        return (
            f"{a} against {b}: {self.wins} won, {self.draws} drawn, {self.losses} lost of "
            f"{len(self.results)}; {self.score:.1%} ± {self.error:.1%}, "
            f"Elo {elo:+.0f} ({low:+.0f} to {high:+.0f})"
        )


def as_player(player: Any) -> Player:
    """A Player from ``"engine:time=0.1,threads=2"`` or a function of (game, state)."""
    if isinstance(player, Player):
        return player
    if callable(player):
        return Player(getattr(player, "__name__", "player"), player)
    name, _, rest = str(player).partition(":")
    if name == "random":
        rng = random.Random(rest)
        return Player(str(player), lambda game, s: rng.choice(list(game.actions(s))))
    if name != "auto" and name not in algorithms():
        raise UsageError(
            f"there is no player {name!r}", suggest(name, [*algorithms(), "auto", "random"])
        )
    options: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, text = part.partition("=")
        if not equals:
            raise UsageError(f"{part!r} is no option of a player", "as engine:time=0.1,threads=2")
        options[key] = _value(text)
    if not any(limit in options for limit in LIMITS):
        raise UsageError(f"the player {player!r} has no limit", f"as {name}:time=0.1")
    return Player(
        str(player), lambda game, s: search(game, s, **{"algorithm": name, **options}).action
    )


def _value(text: str) -> Any:
    words: dict[str, Any] = {"on": True, "true": True, "off": False, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def match(
    game: Any,
    players: Sequence[Any],
    games: int = 100,
    *,
    opening: int = OPENING_PLIES,
    seed: int = 0,
    record: str | Path | None = None,
    on_game: Callable[[Match], object] | None = None,
) -> Match:
    """Let two players meet `games` times, each opening once from either side.

    A player is ``"engine:time=0.1"`` (an algorithm with its options), ``"random"`` or a function of
    (game, state) that returns an action. `opening` moves are made by chance, from `seed`. `record`
    is a file that a stopped match goes on from.
    """
    played = as_game(game)
    facts = facts_of(played)
    if facts.players != 2 or facts.chance or facts.hidden:
        raise NotSupported("a match needs a game of two players without chance and hidden cards")
    if len(players) != 2:
        raise UsageError(f"a match has two players, not {len(players)}")
    if games < 1 or opening < 0:
        raise UsageError("a match has at least one game, and an opening of 0 moves or more")
    both = (as_player(players[0]), as_player(players[1]))
    result = Match(played.name, (both[0].name, both[1].name), seed)
    file = Path(record) if record is not None else None
    if file is not None:
        _resume(result, file, opening)
    for number in range(len(result.results), games):
        start = _opening(played, random.Random(f"{seed} {number // 2}"), opening)
        first = number % 2  # which player is player 0
        utility = _play(played, start, (both[first], both[1 - first]))
        result.results.append(utility if first == 0 else -utility)
        if file is not None:
            with file.open("a") as out:
                out.write(json.dumps({"game": number, "utility": result.results[-1]}) + "\n")
        if on_game:
            on_game(result)
    return result


def _opening(game: Game, rng: random.Random, plies: int) -> Any:
    """A position after `plies` moves by chance that does not end the game."""
    for _ in range(1000):
        s = game.initial()
        for _ in range(plies):
            if game.is_terminal(s):
                break
            s = game.result(s, rng.choice(list(game.actions(s))))
        if not game.is_terminal(s):
            return s
    raise UsageError(f"no game is open after {plies} moves by chance", "give a shorter opening")


def _play(game: Game, s: Any, players: tuple[Player, Player]) -> float:
    """The utility of player 0."""
    for _ in range(MOST_PLIES):
        if game.is_terminal(s):
            return float(game.utility(s, 0))
        s = game.result(s, players[game.player(s)].move(game, s))
    return 0.0


def _resume(result: Match, file: Path, opening: int) -> None:
    """Take over the games in `file`, or begin it."""
    head = {
        "match": result.game, "players": list(result.players), "seed": result.seed,
        "opening": opening,
    }  # fmt: skip
    if not file.exists():
        file.write_text(json.dumps(head) + "\n")
        return
    text = file.read_text()
    if not text.endswith("\n"):  # a line that was cut off in the middle is played again
        text = text[: text.rfind("\n") + 1]
        file.write_text(text)
    try:
        first, *rows = [json.loads(line) for line in text.splitlines()]
        utilities = [float(row["utility"]) for row in rows]
    except (ValueError, LookupError, TypeError):
        raise UsageError(f"{file} is no record of a match", "give another file") from None
    if first != head:
        raise UsageError(f"{file} is the record of another match", "give another file")
    result.results.extend(utilities)
