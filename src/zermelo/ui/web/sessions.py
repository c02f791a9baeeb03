"""Games in progress: the moves of the visitor, of the opponent and of chance."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ...chance import chance_event, outcomes_at, sample_outcome
from ...errors import BadPosition, IllegalAction, UsageError
from ...game import CHANCE, TERMINAL, Game, facts_of
from ...hidden.beliefs import Belief
from ...hidden.particles import remembers
from ...result import Result
from ...search import level as levels
from ...search.algorithms import choose as choose_algorithm
from ...search.algorithms import named, preferred, traits_of
from ...search.api import search
from ...search.defaults import MOVE_SECONDS
from ...view.names import capital
from ...view.number import probability
from ...view.score import expected_score
from .catalog import EQUILIBRIUM, Catalog, brings_a_player, is_plain, sides, small
from .executor import Stop
from .limits import Limits
from .schemas import ChangeOpponent, Place
from .store import Session
from .views import final_score, legal, outcome, position_view, who

PERSON = "person"
LEVELS = 10
NOISE = 0.35  # of a level's noise in pawns, as expected score
MAX_OUTCOMES = 60  # of a chance node that the page lists


def options_at(game: Game, s: Any) -> list[Any]:
    """Return the actions in `s`, or the outcomes of a chance node, in a fixed order."""
    mover = who(game, s)
    if mover == CHANCE:
        return [a for a, _ in outcomes_at(game, s)]
    return [] if mover == TERMINAL else list(game.actions(s))


def begin(game: Game, position: str) -> Any:
    return game.parse_state(position) if position.strip() else game.initial()


def follow(game: Game, position: str, moves: list[int]) -> Any:
    """Return the state after these moves, each an index into the legal ones."""
    s = begin(game, position)
    return [s, *(after for _, after in walk(game, s, moves))][-1]


def walk(game: Game, s: Any, moves: list[int]) -> Iterator[tuple[Any, Any]]:
    """Yield each of these moves as an action, and the state after it."""
    for index in moves:
        actions = options_at(game, s)
        if index >= len(actions):
            raise IllegalAction(f"invalid move number {index}", "reload the page")
        a = actions[index]
        yield a, (s := game.result(s, a))


def place_view(game: Game, place: Place) -> dict[str, Any]:
    """Return the position after these moves, each an index into the legal ones, as JSON."""
    s, played, history = begin(game, place.position), list(place.moves), list[str]()
    before = s
    for a, after in walk(game, s, place.moves):
        history.append(game.format_action(s, a))
        before, s = s, after
    last = last_squares(game, before, place.moves[-1]) if place.moves else []
    if place.roll:
        s, rolled = roll(game, s)
        played += [index for index, _ in rolled]
        history += [text for _, text in rolled]
    names = sides(game, facts_of(game).players)
    over = who(game, s) == TERMINAL
    return position_view(game, s) | {
        "sides": names,
        "played": played,
        "history": history,
        "last": last,
        "chance": chance_view(game, s),
        "outcome": outcome(game, s, names) if over else "",
        "final": final_score(game, s) if over else None,
    }


def last_squares(game: Game, before: Any, index: int) -> list[str]:
    """The squares of the last move, if it was a player's and the game draws its board."""
    if who(game, before) < 0 or game.svg(before) is None:
        return []
    return list(game.action_squares(before, options_at(game, before)[index]))


def replay(catalog: Catalog, session: Session) -> tuple[Game, list[Any]]:
    """Return the game and all its states so far; states replayed before are cached."""
    game = catalog.game(session.game)
    moves, states = catalog.recall(session.id)
    same = (
        bool(states)
        and moves == session.moves[: len(moves)]
        and catalog.playing(session.id) is game
    )
    states = list(states) if same else [begin(game, session.position)]
    for index, text in session.moves[len(states) - 1 :]:
        s = states[-1]
        actions = options_at(game, s)
        if index >= len(actions) or game.format_action(s, actions[index]) != text:
            raise BadPosition(
                f"move {len(states)} of this game is no longer legal: the rules have changed",
                "start a new game",
            )
        states.append(game.result(s, actions[index]))
    catalog.remember(session.id, game, list(session.moves), states)
    return game, states


def add(game: Game, session: Session, s: Any, index: int) -> Any:
    """Play a move and the chance events after it; return the new state."""
    actions = options_at(game, s)
    if who(game, s) == TERMINAL or session.resigned >= 0:
        raise IllegalAction("the game is over", "undo a move, or start a new game")
    if index >= len(actions):
        raise IllegalAction(f"invalid move number {index}", "reload the page")
    session.moves.append((index, game.format_action(s, actions[index])))
    s, rolled = roll(game, game.result(s, actions[index]))
    session.moves += rolled
    return s


def roll(game: Game, s: Any) -> tuple[Any, list[tuple[int, str]]]:
    """Sample chance outcomes until a player is to move; return the state and the outcomes."""
    rolled: list[tuple[int, str]] = []
    while who(game, s) == CHANCE:
        index, action = sample_outcome(game, s, random.SystemRandom())
        rolled.append((index, game.format_action(s, action)))
        s = game.result(s, action)
    return s, rolled


def chance_view(game: Game, s: Any) -> dict[str, Any] | None:
    """Describe a chance node: the button's text, and the outcomes if they are few."""
    if who(game, s) != CHANCE:
        return None
    odds = outcomes_at(game, s)
    shown = odds if len(odds) <= MAX_OUTCOMES else []
    return {
        "action": chance_event(game) or "Sample an outcome",
        "outcomes": [{"text": game.format_action(s, a), "odds": probability(p)} for a, p in shown],
    }


def undo(catalog: Catalog, session: Session) -> None:
    """Take back the moves since the person was last to move."""
    game, states = replay(catalog, session)
    if session.resigned >= 0:
        session.resigned = -1
        return
    if facts_of(game).hidden:  # the answer to a shot cannot be forgotten
        raise UsageError(
            "moves cannot be taken back in a game with hidden information", "start a new game"
        )
    n = len(session.moves)
    while n:
        n -= 1
        mover = who(game, states[n])
        if mover >= 0 and session.side in (-1, mover):
            session.moves = session.moves[:n]
            return
    raise UsageError("there is no move to take back", "play a move first")


def resign(catalog: Catalog, session: Session) -> None:
    """Let the person resign, or the player to move if people play all sides."""
    game, states = replay(catalog, session)
    mover = who(game, states[-1])
    if facts_of(game).players != 2:
        raise UsageError("only games of two players can be resigned", "play on")
    if mover == TERMINAL or session.resigned >= 0:
        raise UsageError("the game is over", "start a new game")
    session.resigned = session.side if session.side >= 0 else mover


def change_opponent(game: Game, session: Session, request: ChangeOpponent, limits: Limits) -> None:
    """Change the opponent, its strength or your side in a running game.

    With hidden information the side stays: whoever has seen one hand must not see another.
    """
    side = session.side
    for name in ("opponent", "side", "time", "depth", "level"):
        setattr(session, name, getattr(request, name))
    check(game, session, limits)
    if facts_of(game).hidden and session.side != side:
        raise UsageError(
            "you cannot change sides in a game with hidden information", "start a new game"
        )


def check(game: Game, session: Session, limits: Limits) -> None:
    """Check the side and the opponent of a session, and cap its time."""
    players = facts_of(game).players
    if session.side >= players:
        raise UsageError(f"invalid side {session.side}", f"expected 0 to {players - 1}")
    if session.opponent == PERSON:
        session.side = -1
    elif session.side >= 0 and players > 1 and not _by_equilibrium(game, session.opponent):
        choose_algorithm(session.opponent, facts_of(game))
    if session.time is not None:
        session.time = min(session.time, limits.time)


def _by_equilibrium(game: Game, opponent: str) -> bool:
    """Return whether the opponent plays an equilibrium strategy."""
    return opponent in ("auto", EQUILIBRIUM) and small(game)


def think(
    catalog: Catalog,
    game: Game,
    states: list[Any],
    session: Session,
    limits: Limits,
    stop: Stop,
    on_depth: Any,
) -> Any:
    """Return the opponent's action."""
    s, belief = states[-1], None
    if _by_equilibrium(game, session.opponent):
        odds = catalog.policy(game).action_probabilities(s)
        return random.SystemRandom().choices(list(odds), list(odds.values()))[0]
    if remembers(game):
        done = [options_at(game, at)[i] for at, (i, _) in zip(states, session.moves, strict=False)]
        belief = catalog.particles.belief(session.id, game, states, done)
        if belief is None:  # no consistent state was found, so there is nothing to search
            return random.SystemRandom().choice(legal(game, s))
    r = _search_at_level(game, s, session, limits, stop, on_depth, belief)
    if on_depth is not None:
        on_depth(r, final=True)  # the last depths may have been too fast to be shown
    return r.action


def _search_at_level(
    game: Game,
    s: Any,
    session: Session,
    limits: Limits,
    stop: Stop,
    on_depth: Any,
    belief: Belief | None = None,
) -> Result:
    """Search the position, weakened if a level is given."""
    how: dict[str, Any]
    if session.level is None:
        time = (
            session.time if session.time is not None or session.depth is not None else MOVE_SECONDS
        )
        depth = session.depth
        return search_within_limits(
            game, s, session.opponent, limits, stop, on_depth, time=time, depth=depth, belief=belief
        )
    step = (levels.MAX_ELO - levels.LEAST_ELO) / (LEVELS - 1)
    at = levels.level(round(levels.LEAST_ELO + (session.level - 1) * step))
    how = {"nodes": at.nodes, "lines": at.lines, "belief": belief}
    r = search_within_limits(game, s, session.opponent, limits, stop, on_depth, **how)
    known = [m for m in r.moves if m.resolved]
    scores = [expected_score(game, m.value, m.kind) for m in known]
    if len(known) > 1 and None not in scores:
        sign = 1 if r.player == 0 else -1
        own = [sign * score for score in scores if score is not None]
        r.action = known[levels.choose(own, NOISE * at.noise, random.Random())].action
    return r


def search_within_limits(
    game: Game,
    s: Any,
    algorithm: str,
    limits: Limits,
    stop: Stop,
    on_depth: Any,
    *,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    belief: Belief | None = None,
) -> Result:
    """Search within the server's limits, whatever the page asks for."""
    if algorithm == "auto" and brings_a_player(game):
        return search(game, s)
    found, _ = choose_algorithm(preferred(game, algorithm), facts_of(game))
    options: dict[str, Any] = {} if belief is None else {"belief": belief}
    if found.limits.depth:
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
        on_depth=on_depth,
        **options,
    )


def _analysis_by(opponent: str) -> str:
    """The algorithm that shows the values of moves: the opponent if its moves have visits."""
    name, _ = named(opponent)
    return name if traits_of(name).simulates else "auto"


def session_view(catalog: Catalog, session: Session) -> dict[str, Any]:
    """Return a game in progress as JSON for its page."""
    game, states = replay(catalog, session)
    s = states[-1]
    names = sides(game, facts_of(game).players)
    mover = who(game, s)
    turn = "over" if mover == TERMINAL else "you" if session.side in (-1, mover) else "engine"
    last: list[str] = []
    movers = [who(game, state) for state in states]
    here = [m for m in movers if m >= 0]  # the last player to move looks at the screen
    viewer = session.side if session.side >= 0 else here[-1] if here else 0
    hidden = facts_of(game).hidden
    if session.moves and not hidden:
        last = last_squares(game, states[-2], session.moves[-1][0])
    view = position_view(game, s, viewer, None if session.side < 0 else session.side) | {
        "id": session.id,
        "game": session.game,
        "version": session.version,
        "side": session.side,
        "opponent": session.opponent,
        "analysis": _analysis_by(session.opponent),
        "time": session.time,
        "depth": session.depth,
        "level": session.level,
        "turn": turn,
        "hidden": hidden,
        "sides": names,
        "last": last,
        "history": []
        if hidden
        else [
            {"text": text, "player": mover}
            for (_, text), mover in zip(session.moves, movers, strict=False)
        ],
        "outcome": outcome(game, s, names) if mover == TERMINAL else "",
        "final": final_score(game, s) if mover == TERMINAL else None,
        "resigns": len(names) == 2,
    }
    if session.resigned >= 0:
        winner = 1 - session.resigned
        words = f"{names[session.resigned]} resigned. {capital(names[winner])} wins."
        view |= {"turn": "over", "moves": [], "outcome": words, "final": 1.0 - winner}
    view["resigned"] = session.resigned >= 0
    return view
