"""The games that the server plays: the built-in ones, and the one that its operator named."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from ... import _core
from ...equilibrium.cfr import minimise
from ...equilibrium.policy import Policy
from ...errors import NotSupported, UsageError, ZermeloError, suggest
from ...game import Game, defines, facts_of
from ...games import GAMES, game_class, load, names, names_file
from ...games.catalog import summary
from ...hidden.particles import Guesses
from ...options import spelled
from ...search.adapter import adapt
from ...search.algorithms import algorithms, choose, duel, preferred
from ...search.api import many_threads

EQUILIBRIUM = "cfr+"  # who plays games that hide something
EQUILIBRIUM_SECONDS = 2.0
MOST_HISTORIES = 100_000  # of a game that an equilibrium plays
SMALL: dict[str, bool] = {}  # by name
KEPT = 32  # games that stay loaded
REMEMBERED = 100  # games whose states stay at hand
LONGEST = 400  # characters of a game's name with its options


class Catalog:
    def __init__(self, named: str | None = None) -> None:
        self.named = named
        self.lock = threading.Lock()
        self.loaded: OrderedDict[str, Game] = OrderedDict()
        self.policies: dict[str, tuple[Game, Policy]] = {}
        self.played: OrderedDict[str, tuple[Game, list[Any], list[Any]]] = OrderedDict()
        self.guesses = Guesses()
        self.own = None if named is None else load(named)  # told at once if it is wrong

    def game(self, spec: str) -> Game:
        """The game of that name. A file's only if the operator named it: rules are programs."""
        if self.own is not None and spec == self.named:
            return self.own
        name = spec.strip().partition(":")[0].strip()
        if ".py" in spec:
            raise UsageError(
                "for security, files cannot be opened from the browser",
                "name your rules when you start the server: zermelo serve FILE.py:CLASS",
            )
        if name not in names() or len(spec) > LONGEST:
            raise UsageError(f"there is no game {name[:60]!r}", suggest(name[:60], names()))
        refuse_files(spec)
        with self.lock:
            game = self.loaded.get(spec)
        if game is None:
            game = load(spec)  # may take a while: others must not wait for it
        with self.lock:
            game = self.loaded.setdefault(spec, game)
            self.loaded.move_to_end(spec)
            while len(self.loaded) > KEPT:
                self.loaded.popitem(last=False)
            return game

    def policy(self, game: Game) -> Policy:
        """How to play a game that hides something: an equilibrium, found once."""
        with self.lock:
            known = self.policies.get(game.name)
        if known is None or known[0] is not game:
            known = game, minimise(game, EQUILIBRIUM, time=EQUILIBRIUM_SECONDS, target=1e-3)
            with self.lock:
                self.policies[game.name] = known
                while len(self.policies) > KEPT:
                    self.policies.pop(next(iter(self.policies)))
        return known[1]

    # -- the states of games that are being played, so that a move does not replay them all
    def recall(self, key: str) -> tuple[list[Any], list[Any]]:
        with self.lock:
            _, moves, states = self.played.get(key, (None, [], []))
            return moves, states

    def playing(self, key: str) -> Game | None:
        with self.lock:
            return self.played[key][0] if key in self.played else None

    def remember(self, key: str, game: Game, moves: list[Any], states: list[Any]) -> None:
        with self.lock:
            self.played[key] = (game, moves, states)
            self.played.move_to_end(key)
            while len(self.played) > REMEMBERED:
                self.played.popitem(last=False)

    def to_json(self) -> dict[str, Any]:
        own = [] if self.named is None or self.named in names() else [self.named]
        rows = [{"game": spec, "summary": "named when the server was started"} for spec in own]
        rows += [form(name) for name in GAMES]
        return {"games": rows, "first": self.named or GAMES[0]}


def form(name: str) -> dict[str, Any]:
    """A built-in game and the fields of its options."""
    cls = game_class(name)
    return {
        "game": name,
        "summary": summary(cls),
        "options": spelled(cls.options),
        "fields": [o.to_dict() for o in cls.options],
    }


def refuse_files(spec: str) -> None:
    """Options that may name a file take only built-in names here.

    Nothing is asked of the file system, so that no answer tells whether a file exists.
    """
    if names_file(spec):
        raise UsageError(
            "for security, files cannot be opened from the browser", "choose a built-in name"
        )


def about(spec: str, game: Game) -> dict[str, Any]:
    """What a page must know of a game before it offers to play it."""
    facts = facts_of(game)
    fits = [a for a in algorithms().values() if not a.misfit(facts)]
    try:
        auto = EQUILIBRIUM if small(game) else choose(preferred(game), facts)[0].name
        auto = "built-in player" if brings_a_player(game) else auto
    except NotSupported:
        auto = ""
    one = {"name": EQUILIBRIUM, "summary": "an equilibrium, by minimising regret"}
    first = [one | {"traces": False, "options": [], "depth": False}] if small(game) else []
    return {
        "game": spec,
        "players": facts.players,
        "chance": facts.chance,
        "hidden": facts.hidden,
        "zero_sum": facts.zero_sum,
        "sides": sides(game, facts.players),
        "auto": auto,
        "algorithms": first
        + [
            {
                "name": a.name,
                "summary": a.summary,
                "traces": a.traces,
                "options": list(a.options),
                "depth": "deepen" in a.options,
            }
            for a in fits
        ],
        "levels": "engine" in [a.name for a in fits],
    }


def brings_a_player(game: Game) -> bool:
    """Then "auto" asks that, and at once."""
    return defines(game, "advise") and duel(facts_of(game))


def small(game: Game) -> bool:
    """Something is hidden, and the whole game is small enough to find an equilibrium at once."""
    if not facts_of(game).hidden:
        return False
    if game.name not in SMALL:
        b = adapt(game)
        try:
            _core.Regret(b.handle, b.flat(game.initial()), EQUILIBRIUM, 0, MOST_HISTORIES)
            SMALL[game.name] = True
        except ZermeloError:
            SMALL[game.name] = False
        while len(SMALL) > REMEMBERED:
            SMALL.pop(next(iter(SMALL)))
    return SMALL.get(game.name, False)


def sides(game: Game, players: int) -> list[str]:
    """The names of the players."""
    told = game.player_names
    if isinstance(told, tuple | list) and len(told) == players:
        return [str(name) for name in told]
    return [f"player {p}" for p in range(players)]  # as the games' pictures call them


def is_plain(game: Game) -> bool:
    """Rules in plain Python: every state that a search meets is kept in memory."""
    return not many_threads(game)
