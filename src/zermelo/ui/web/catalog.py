"""The games that the studio offers: the built-in ones, and the one given to ``zermelo serve``."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from ... import _core
from ...equilibrium.cfr import minimize
from ...equilibrium.policy import Policy
from ...equilibrium.variants import DEFAULT_VARIANT
from ...errors import NotSupported, UsageError, ZermeloError, suggest
from ...game import Game, defines, facts_of
from ...games import GAMES, game_class, load, names, names_file
from ...games.catalog import summary
from ...hidden.particles import Particles
from ...naming import default_names
from ...options import spelled
from ...search.adapter import adapt
from ...search.algorithms import algorithms, choose, duel, preferred
from ...search.options import SearchOption
from ...search.request import many_threads

EQUILIBRIUM = DEFAULT_VARIANT  # opponent in small games with hidden information
EQUILIBRIUM_SECONDS = 2.0
MAX_HISTORIES = 100_000  # of a game whose equilibrium is computed
SMALL: dict[str, bool] = {}  # by name
MAX_LOADED = 32  # games that stay loaded
REMEMBERED = 100  # games whose states stay at hand
LONGEST = 400  # characters of a game's name with its options


class Catalog:
    def __init__(self, named: str | None = None) -> None:
        self.named = named
        self.lock = threading.Lock()
        self.loaded: OrderedDict[str, Game] = OrderedDict()
        self.policies: dict[str, tuple[Game, Policy]] = {}
        self.played: OrderedDict[str, tuple[Game, list[Any], list[Any]]] = OrderedDict()
        self.particles = Particles()
        self.with_trees: list[str] | None = None
        self.own = None if named is None else load(named)  # errors are reported at the start

    def game(self, spec: str) -> Game:
        """Load a game. A file is loaded only if the operator named it: rules are programs."""
        if self.own is not None and spec == self.named:
            return self.own
        name = spec.strip().partition(":")[0].strip()
        if ".py" in spec:
            raise UsageError(
                "for security, files cannot be opened from the browser",
                _file_hint("FILE.py:CLASS"),
            )
        if name not in names() or len(spec) > LONGEST:
            raise UsageError(f"unknown game {name[:60]!r}", suggest(name[:60], names()))
        _refuse_files(spec)
        with self.lock:
            game = self.loaded.get(spec)
        if game is None:
            game = self._load(spec)  # may take a while, so not under the lock
        with self.lock:
            game = self.loaded.setdefault(spec, game)
            self.loaded.move_to_end(spec)
            while len(self.loaded) > MAX_LOADED:
                self.loaded.popitem(last=False)
            return game

    def _load(self, spec: str) -> Game:
        try:
            return load(spec)
        except UsageError as e:
            if ":" in spec or not _file_options(spec):
                raise
            raise UsageError(e.message, _file_hint(spec)) from None  # its default file is missing

    def policy(self, game: Game) -> Policy:
        """An equilibrium of a small game with hidden information, computed once."""
        with self.lock:
            known = self.policies.get(game.name)
        if known is None or known[0] is not game:
            known = game, minimize(game, EQUILIBRIUM, time=EQUILIBRIUM_SECONDS, target=1e-3)
            with self.lock:
                self.policies[game.name] = known
                while len(self.policies) > MAX_LOADED:
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
        rows = [{"game": spec, "summary": "given to zermelo serve"} for spec in own]
        rows += [form(name) for name in GAMES]
        return {"games": rows, "first": self.named or GAMES[0]}

    def tree_games(self) -> list[str]:
        """Return the games whose trees can be searched: those without hidden information."""
        if self.with_trees is None:
            rows = [row["game"] for row in self.to_json()["games"]]
            self.with_trees = [name for name in rows if self._is_open(name)]
        return self.with_trees

    def _is_open(self, name: str) -> bool:
        try:
            game = self.own if name == self.named and self.own is not None else load(name)
            return not facts_of(game).hidden
        except ZermeloError:  # a game that needs a file cannot be opened from the page
            return False


def form(name: str) -> dict[str, Any]:
    """Return a built-in game and the fields of its options."""
    cls = game_class(name)
    return {
        "game": name,
        "summary": summary(cls),
        "options": spelled(cls.options),
        "fields": [o.to_dict() for o in cls.options],
    }


def choices(option: SearchOption) -> dict[str, Any]:
    """Return an option of an algorithm as a select field: its values with their labels."""
    return {
        "name": option.name,
        "doc": option.doc,
        "default": option.default,
        "choices": [[choice, option.label(choice)] for choice in option.choices],
    }


def _refuse_files(spec: str) -> None:
    """Refuse options that name a file: built-in names only.

    The file system is not accessed, so no answer reveals whether a file exists.
    """
    if names_file(spec):
        raise UsageError("for security, files cannot be opened from the browser", _file_hint(spec))


def _file_options(spec: str) -> list[str]:
    """Return the options of a game that take a file."""
    name = spec.partition(":")[0].strip()
    if name not in GAMES:
        return []
    return [o.name for o in game_class(name).options if o.kind == "file"]


def _file_hint(spec: str) -> str:
    """Return how the operator gives the server a file for this game."""
    name, options = spec.partition(":")[0].strip(), _file_options(spec)
    example = f"{name}:{options[0]}=FILE" if options else "FILE.py:CLASS"
    return f"start the server with your file: zermelo serve {example}"


def about(spec: str, game: Game) -> dict[str, Any]:
    """Return what a page needs to know about a game before it offers to play it."""
    facts = facts_of(game)
    fits = [a for a in algorithms().values() if not a.misfit(facts)]
    try:
        auto = EQUILIBRIUM if small(game) else choose(preferred(game), facts)[0].name
        auto = "built-in player" if brings_a_player(game) else auto
    except NotSupported:
        auto = ""
    one: dict[str, Any] = {
        "name": EQUILIBRIUM,
        "summary": "equilibrium strategy by regret minimization",
    }
    first = [one | {"options": [], "supports": []}] if small(game) else []
    return {
        "game": spec,
        "players": facts.players,
        "chance": facts.chance,
        "hidden": facts.hidden,
        "zero_sum": facts.zero_sum,
        "record": game.record_format if defines(game, "record_format") else "",
        "sides": sides(game, facts.players),
        "auto": auto,
        "algorithms": first
        + [
            {
                k: v
                for k, v in a.to_dict().items()
                if k in ("name", "summary", "options", "supports")
            }
            for a in fits
        ],
        "levels": not facts.chance and any("lines" in a.options for a in fits),
    }


def brings_a_player(game: Game) -> bool:
    """Return whether the game has a built-in player, which "auto" then uses."""
    return defines(game, "advise") and duel(facts_of(game))


def small(game: Game) -> bool:
    """Return whether an equilibrium of this hidden-information game can be found quickly."""
    if not facts_of(game).hidden:
        return False
    if game.name not in SMALL:
        b = adapt(game)
        try:
            _core.Regret(b.handle, b.flat(game.initial()), EQUILIBRIUM, 0, MAX_HISTORIES)
            SMALL[game.name] = True
        except ZermeloError:
            SMALL[game.name] = False
        while len(SMALL) > REMEMBERED:
            SMALL.pop(next(iter(SMALL)))
    return SMALL.get(game.name, False)


def sides(game: Game, players: int) -> list[str]:
    """The names of the players."""
    names = game.player_names
    if isinstance(names, tuple | list) and len(names) == players:
        return [str(name) for name in names]
    return list(default_names(players))


def is_plain(game: Game) -> bool:
    """Return whether the rules are plain Python: a search keeps every state in memory."""
    return not many_threads(game)
