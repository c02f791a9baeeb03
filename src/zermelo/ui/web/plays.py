"""Games that persons play here: their moves, the server's replies, chance's."""

from __future__ import annotations

import random
from typing import Any

from ...errors import BadPosition, IllegalAction, UsageError
from ...game import CHANCE, TERMINAL, Game, facts_of
from ...games.native import NativeGame
from ...hidden.beliefs import Belief
from ...hidden.particles import remembers
from ...result import Result
from ...search import level as levels
from ...search.algorithms import choose as choose_algorithm
from ...search.algorithms import preferred
from ...search.api import search
from ...view.number import probability
from ...view.score import expected_score
from .asked import ChangedPlay
from .catalog import EQUILIBRIUM, Catalog, brings_a_player, is_plain, sides, small
from .executor import Stop
from .limits import Limits
from .store import Play
from .views import legal, outcome, position_view, who

PERSON = "person"
LEVELS = 10
NOISE = 0.35  # of a level's noise in pawns, as expected score
MOST_OUTCOMES = 60  # of a chance node that a page lists
ROLL, DEAL = "Roll the dice", "Deal the cards"
CHANCE_ACTIONS = {"backgammon": ROLL, "liars-dice": ROLL, "monopoly": ROLL, "pig": ROLL,
                  "holdem": DEAL, "kuhn": DEAL, "leduc": DEAL, "2048": "Add a tile",
                  "battleships": "Place the ships", "scrabble": "Draw tiles",
                  "stratego": "Place the pieces"}  # fmt: skip


def odds_at(game: Game, s: Any) -> list[tuple[Any, float]]:
    """What chance may do, and how likely each is."""
    told = getattr(game, "outcomes", None)
    if callable(told) or not isinstance(game, NativeGame):
        return list(told(s)) if callable(told) else []
    data = game.data(s)
    key = game.handle.key(data)
    return [(game.decode_action(key, code), p) for code, p in game.handle.outcomes(data)]


def options_at(game: Game, s: Any) -> list[Any]:
    """The actions in `s`, chance's too, in an order that can be counted on."""
    mover = who(game, s)
    if mover == CHANCE:
        return [a for a, _ in odds_at(game, s)]
    return [] if mover == TERMINAL else list(game.actions(s))


def begin(game: Game, position: str) -> Any:
    return game.parse_state(position) if position.strip() else game.initial()


def follow(game: Game, position: str, moves: list[int]) -> Any:
    """The state after these moves, each counted among the legal ones."""
    s = begin(game, position)
    for index in moves:
        actions = options_at(game, s)
        if index >= len(actions):
            raise IllegalAction(f"there is no move {index} here", "reload the page")
        s = game.result(s, actions[index])
    return s


def replay(catalog: Catalog, play: Play) -> tuple[Game, list[Any]]:
    """The game and its states from where it began; what was replayed before is not again."""
    game = catalog.game(play.game)
    moves, states = catalog.recall(play.id)
    same = bool(states) and moves == play.moves[: len(moves)] and catalog.playing(play.id) is game
    states = list(states) if same else [begin(game, play.position)]
    for index, text in play.moves[len(states) - 1 :]:
        s = states[-1]
        actions = options_at(game, s)
        if index >= len(actions) or game.format_action(s, actions[index]) != text:
            raise BadPosition(
                f"move {len(states)} of this game is no longer legal: the rules have changed",
                "start a new game",
            )
        states.append(game.result(s, actions[index]))
    catalog.remember(play.id, game, list(play.moves), states)
    return game, states


def add(game: Game, play: Play, s: Any, index: int) -> Any:
    """Play a move and the chance events after it; return the new state."""
    actions = options_at(game, s)
    if who(game, s) == TERMINAL:
        raise IllegalAction("the game is over", "undo, or begin a new one")
    if index >= len(actions):
        raise IllegalAction(f"there is no move {index} here", "reload the page")
    play.moves.append((index, game.format_action(s, actions[index])))
    s, rolled = roll(game, game.result(s, actions[index]))
    play.moves += rolled
    return s


def roll(game: Game, s: Any) -> tuple[Any, list[tuple[int, str]]]:
    """Draw chance's outcomes until a player is to move: the state then, and the outcomes."""
    rolled: list[tuple[int, str]] = []
    while who(game, s) == CHANCE:
        odds = odds_at(game, s)
        index = random.SystemRandom().choices(range(len(odds)), [p for _, p in odds])[0]
        action = odds[index][0]
        rolled.append((index, game.format_action(s, action)))
        s = game.result(s, action)
    return s, rolled


def chance_view(game: Game, s: Any) -> dict[str, Any] | None:
    """At a chance node: what to do, and the outcomes to choose from where they are few."""
    if who(game, s) != CHANCE:
        return None
    odds = odds_at(game, s)
    shown = odds if len(odds) <= MOST_OUTCOMES else []
    return {
        "action": CHANCE_ACTIONS.get(game.name.partition(":")[0], "Draw an outcome"),
        "outcomes": [{"text": game.format_action(s, a), "odds": probability(p)} for a, p in shown],
    }


def undo(catalog: Catalog, play: Play) -> None:
    """Take back the moves since the person was last to move."""
    game, states = replay(catalog, play)
    if facts_of(game).hidden:  # a shot that was taken back has still been answered
        raise UsageError(
            "moves cannot be taken back in a game with hidden information", "start a new game"
        )
    n = len(play.moves)
    while n:
        n -= 1
        mover = who(game, states[n])
        if mover >= 0 and play.side in (-1, mover):
            play.moves = play.moves[:n]
            return
    raise UsageError("there is no move to take back", "play a move first")


def change_opponent(game: Game, play: Play, asked: ChangedPlay, limits: Limits) -> None:
    """Another opponent, strength or side in a running game.

    With hidden information everyone keeps the seat of the start: whoever has seen one hand must
    not see another.
    """
    side = play.side
    for name in ("opponent", "side", "time", "depth", "level"):
        setattr(play, name, getattr(asked, name))
    check(game, play, limits)
    if facts_of(game).hidden and play.side != side:
        raise UsageError(
            "you cannot change sides in a game with hidden information", "start a new game"
        )


def check(game: Game, play: Play, limits: Limits) -> None:
    """Is there such a side, does the opponent fit, can it begin there?"""
    players = facts_of(game).players
    if play.side >= players:
        raise UsageError(f"there is no side {play.side}", f"0 to {players - 1}")
    if play.opponent == PERSON:
        play.side = -1
    elif play.side >= 0 and players > 1 and not by_equilibrium(game, play.opponent):
        choose_algorithm(play.opponent, facts_of(game))
    if play.time is not None:
        play.time = min(play.time, limits.time)


def by_equilibrium(game: Game, opponent: str) -> bool:
    """Does an equilibrium play here? It alone cannot be seen through."""
    return opponent in ("auto", EQUILIBRIUM) and small(game)


def think(
    catalog: Catalog,
    game: Game,
    states: list[Any],
    play: Play,
    limits: Limits,
    stop: Stop,
    tell: Any,
) -> Any:
    """What the opponent plays, at its strength."""
    s, belief = states[-1], None
    if by_equilibrium(game, play.opponent):
        odds = catalog.policy(game).action_probabilities(s)
        return random.SystemRandom().choices(list(odds), list(odds.values()))[0]
    if remembers(game):
        done = [options_at(game, at)[i] for at, (i, _) in zip(states, play.moves, strict=False)]
        belief = catalog.guesses.belief(play.id, game, states, done)
        if belief is None:  # nothing is known, so nothing can be searched
            return random.SystemRandom().choice(legal(game, s))
    r = searched(game, s, play, limits, stop, tell, belief)
    if tell is not None:
        tell(r, final=True)  # the last depths may have come too fast to be shown
    return r.action


def searched(
    game: Game,
    s: Any,
    play: Play,
    limits: Limits,
    stop: Stop,
    tell: Any,
    belief: Belief | None = None,
) -> Result:
    """What a search finds, made weaker where a level is asked for."""
    how: dict[str, Any]
    if play.level is None:
        time = play.time if play.time is not None or play.depth is not None else 1.0
        depth = play.depth
        return ask(
            game, s, play.opponent, limits, stop, tell, time=time, depth=depth, belief=belief
        )
    step = (levels.MOST_ELO - levels.LEAST_ELO) / (LEVELS - 1)
    at = levels.level(round(levels.LEAST_ELO + (play.level - 1) * step))
    how = {"nodes": at.nodes, "lines": at.lines, "belief": belief}
    r = ask(game, s, play.opponent, limits, stop, tell, **how)
    known = [m for m in r.moves if m.resolved]
    scores = [expected_score(game, m.value, m.kind) for m in known]
    if len(known) > 1 and None not in scores:
        sign = 1 if r.player == 0 else -1
        own = [sign * score for score in scores if score is not None]
        r.action = known[levels.choose(own, NOISE * at.noise, random.Random())].action
    return r


def ask(
    game: Game,
    s: Any,
    algorithm: str,
    limits: Limits,
    stop: Stop,
    tell: Any,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    belief: Belief | None = None,
) -> Result:
    """A search within the server's limits, whatever was asked for."""
    if algorithm == "auto" and brings_a_player(game):
        return search(game, s)
    found, _ = choose_algorithm(preferred(game, algorithm), facts_of(game))
    options: dict[str, Any] = {} if belief is None else {"belief": belief}
    if "deepen" in found.options:
        options["deepen"] = True
    else:
        depth = None
    if "lines" in found.options and lines > 1:
        options["lines"] = min(lines, max(1, len(legal(game, s))))
    if "table" in found.options:
        options["table"] = min(limits.table, 16 if is_plain(game) else limits.table)
    if is_plain(game):
        nodes = min(nodes or limits.nodes, limits.nodes)
    seconds = min(time or limits.time, limits.time)
    return search(
        game,
        s,
        algorithm,
        time=seconds,
        depth=depth,
        nodes=nodes,
        stop=stop,
        on_depth=tell,
        **options,
    )


def play_view(catalog: Catalog, play: Play) -> dict[str, Any]:
    """A game as its page shows it."""
    game, states = replay(catalog, play)
    s = states[-1]
    names = sides(game, facts_of(game).players)
    mover = who(game, s)
    turn = "over" if mover == TERMINAL else "you" if play.side in (-1, mover) else "engine"
    last: list[str] = []
    movers = [who(game, state) for state in states]
    here = [m for m in movers if m >= 0]  # the last one sits at the screen, also after the end
    viewer = play.side if play.side >= 0 else here[-1] if here else 0
    hidden = facts_of(game).hidden
    if play.moves and not hidden and game.svg(s) is not None and movers[-2] >= 0:
        before = states[-2]
        last = list(game.action_squares(before, options_at(game, before)[play.moves[-1][0]]))
    return position_view(game, s, viewer, None if play.side < 0 else play.side) | {
        "id": play.id,
        "game": play.game,
        "version": play.version,
        "side": play.side,
        "opponent": play.opponent,
        "time": play.time,
        "depth": play.depth,
        "level": play.level,
        "turn": turn,
        "hidden": hidden,
        "sides": names,
        "last": last,
        "history": []
        if hidden
        else [
            {"text": text, "player": mover}
            for (_, text), mover in zip(play.moves, movers, strict=False)
        ],
        "outcome": outcome(game, s, names) if mover == TERMINAL else "",
    }
