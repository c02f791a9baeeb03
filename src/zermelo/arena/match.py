"""``zermelo.match``: play many games; each opening is played once from every seat."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .. import files
from ..checks import check_called, check_given, check_path, check_whole
from ..errors import NotSupported, UsageError
from ..game import Game, as_game, facts_of
from ..hidden.particles import BeliefPlayer, remembers
from ..search.algorithms import duel
from .openings import Openings, Trajectory, openings
from .players import Player, as_player
from .results import ManyMatch, Match

MAX_PLIES = 1000  # a game that lasts longer counts as drawn


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
                files.append(file, json.dumps({"game": number, **result.last_row()}) + "\n")
            if on_game:
                on_game(result)
    except KeyboardInterrupt:  # in a game or in on_game
        if not result.results:
            raise
        result.stopped = "interrupted"
    return result


def _one(result: Match, game: Game, players: list[Player], number: int, start: Openings) -> None:
    """Play game `number` of the match and add its result."""
    rng = random.Random(f"{result.seed} {number // len(players)}")
    played = start.sample(rng)
    first = number % len(players)  # the player in the first seat
    seats = [(seat + first) % len(players) for seat in range(facts_of(game).players)]
    trackers = [
        _tracker(game, players[p], f"{result.seed} {number} {i}") for i, p in enumerate(seats)
    ]
    result.add(_play(game, played, [players[i] for i in seats], trackers, rng), seats)


def _play(
    game: Game,
    played: Trajectory,
    players: Sequence[Player],
    trackers: Sequence[BeliefPlayer | None],
    rng: random.Random,
) -> list[float]:
    """Play one game to its end; returns the utility of every seat."""
    for _ in range(MAX_PLIES):
        if not played.sample_chance(rng):
            return [float(game.utility(played.states[-1], p)) for p in range(len(players))]
        seat = game.player(played.states[-1])
        tracker = trackers[seat]
        if tracker is None:
            played.play(players[seat].move(game, played.states[-1]))
        else:
            played.play(tracker.choose(played.states, played.actions))
    return [0.0] * len(players)


def _tracker(game: Game, player: Player, seed: str) -> BeliefPlayer | None:
    """The player that tracks its belief over one game, or None if that is not needed."""
    choose = player.search
    if choose is None or not remembers(game):
        return None
    return BeliefPlayer(game, lambda s, belief: choose(game, s, belief), random.Random(seed))


def _resume(result: Match, file: Path, opening: int) -> None:
    """Add the games of the record `file` to the result, or create the file."""
    head = {
        "match": result.game, "players": list(result.players), "seed": result.seed,
        "opening": opening,
    }  # fmt: skip
    if not file.exists():
        files.write(file, json.dumps(head) + "\n")
        return
    text = files.read_text(file, "expected a record that zermelo match wrote")
    if not text.endswith("\n"):  # drop an incomplete last line: that game is played again
        text = text[: text.rfind("\n") + 1]
        files.write(file, text)
    try:
        first, *rows = [json.loads(line) for line in text.splitlines()]
        past = [result.parse_row(row) for row in rows]
    except (ValueError, LookupError, TypeError, RecursionError, AttributeError):
        raise UsageError(f"{file} is not a match record", "choose another file") from None
    if first != head:
        raise UsageError(
            f"{file} is the record of another match",
            "choose another file, or repeat the same match",
        )
    for row in past:
        result.add_row(row)
