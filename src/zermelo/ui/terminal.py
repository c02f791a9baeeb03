"""A game in the terminal: you against a search."""

from __future__ import annotations

import random
import sys
from typing import Any

from ..chance import outcomes_at, sample_outcome
from ..checks import check_limits, check_seed
from ..errors import IllegalAction, UsageError
from ..game import CHANCE, Game, facts_of, legal_actions
from ..hidden.beliefs import Belief
from ..hidden.particles import BeliefPlayer
from ..naming import bare
from ..result import Result
from ..search.algorithms import choose, named
from ..search.api import search
from ..search.defaults import MOVE_SECONDS
from ..search.request import LIMIT_NAMES
from ..tablebase.tables import as_tablebase
from ..view.explain import simulates, value_text, whose
from ..view.names import listed, outcome, player_name, player_names
from ..view.number import bounded, count

WIDE = 79  # columns of a list of moves
HELP = """Type a move in the game's notation, or
  moves   list the legal moves
  hint    show what the search would play
  undo    take back your last move
  board   show the board again
  quit    leave the game"""


def play_game(
    game: Game,
    state: Any,
    opponent: str,
    side: int | str,
    time: float | None,
    depth: int | None,
    tablebase: Any = None,
    seed: int | None = None,
) -> None:
    """Play until the game is over, the input ends or you quit.

    `side` is the index of a player or its name. The opponent is an algorithm with its options or,
    as in a match, "random". `seed` is the random seed of chance and of the opponent.
    """
    side = _side(game, side)
    check_limits(depth, time, None, 1)
    lots = _lots_of(opponent, seed)
    algorithm, options = named("auto" if lots else opponent)  # a random opponent gives no hints
    limits = limits_of({"time": time, "depth": depth} | options)
    if tablebase is not None:
        limits["tablebase"] = as_tablebase(game, tablebase)
    if seed is not None:
        limits["seed"] = check_seed(seed)
    # Report a wrong name, option or misfit before the first move.
    choose(algorithm, facts_of(game))
    first = dealt(game, state)
    if not game.is_terminal(first):
        Thinker(game, first, algorithm, {**limits, "nodes": 1}).search()
    thinker = Thinker(game, state, algorithm, limits)
    print(f"You are {player_name(game, side)}. Type help for the commands.\n")
    print(game.view(state, side))
    state = _play_moves(game, thinker, side, opponent, lots, random.Random(seed))
    if not game.is_terminal(state):
        print("bye")
        return
    if facts_of(game).hidden and game.reveals_at_end(state):
        print(f"\n{game.board(state)}")
    print(ending(game, [game.utility(state, p) for p in range(facts_of(game).players)], side))


def _side(game: Game, side: int | str) -> int:
    """The index of the player that `side` names or numbers; the hint of the error lists both."""
    names = player_names(game)
    for p, name in enumerate(names):
        if str(side).strip().casefold() in (str(p), name.casefold(), bare(name).casefold()):
            return p
    sides = [f"{bare(name)} ({p})" for p, name in enumerate(names)]
    raise UsageError(f"invalid side {str(side)[:40]!r}", f"expected {listed(sides, 'or')}")


def limits_of(given: dict[str, Any]) -> dict[str, Any]:
    """Return the limits and options of the opponent; one second per move if there is no limit."""
    if all(given.get(name) is None for name in LIMIT_NAMES):
        given["time"] = MOVE_SECONDS
    check_limits(given["depth"], given["time"], given.get("nodes"), given.get("threads", 1))
    return given


def _play_moves(
    game: Game,
    thinker: Thinker,
    side: int,
    opponent: str,
    lots: random.Random | None,
    rng: random.Random,
) -> Any:
    """Play until the game is over or the person quits; return the last state."""
    state = thinker.states[-1]
    history: list[int] = []  # the number of moves before each move of the person
    while not game.is_terminal(state):
        if game.player(state) == CHANCE:
            state = roll(game, state, rng, side, thinker)
            continue
        if game.player(state) != side:
            state = _opponent_move(game, state, thinker, opponent, lots)
            print(game.view(state, side))
            continue
        word = ask()
        if word is None or word == "quit":
            return state
        if word == "undo" and not history:
            print("no move to take back")
            continue
        if word == "undo":
            state = thinker.back(history.pop())
        else:
            typed = answer(game, state, thinker, word)
            if typed is None:
                continue
            history.append(len(thinker.actions))
            state = thinker.on(typed[0], game.result(state, typed[0]))
        print(game.view(state, side))
    return state


def _opponent_move(
    game: Game, state: Any, thinker: Thinker, opponent: str, lots: random.Random | None
) -> Any:
    """Play and announce the opponent's move; return the state after it."""
    action, why = reply(game, state, thinker, lots)
    who = f"{player_name(game, game.player(state))} ({opponent})"
    if not facts_of(game).hidden:
        print(f"\n{who}: {game.format_action(state, action)}{why}")
    elif game.public_actions:  # the value would reveal what the opponent holds
        print(f"\n{who}: {game.format_action(state, action)}")
    else:
        print(f"\n{who} has moved")
    return thinker.on(action, game.result(state, action))


def ending(game: Game, got: list[float], side: int) -> str:
    """How the game ended for you."""
    mine = got[side]
    if len(got) == 2 and facts_of(game).zero_sum:
        return (
            f"{'you win' if mine > 0 else 'you lose' if mine < 0 else 'a draw'} ({bounded(mine)})"
        )
    if len(got) == 1:
        return f"the game is over: {bounded(mine)}"
    first = got.count(max(got))
    if mine == max(got) and first < len(got):
        you = "you win" if first == 1 else "you share first place"
        return f"{you}: {outcome(game, got)}"
    return outcome(game, got)


def _lots_of(opponent: str, seed: int | None) -> random.Random | None:
    """The generator of a random opponent, "random" or "random:7"; None if it searches."""
    name, _, own = opponent.partition(":")
    if name != "random":
        return None
    return random.Random(f"{own} {seed}" if own or seed is not None else None)


def reply(game: Game, state: Any, thinker: Thinker, lots: random.Random | None) -> tuple[Any, str]:
    """The opponent's action, and why it takes it."""
    if lots is not None:
        return lots.choice(legal_actions(game, state)), ""
    r = thinker.search()
    return r.action, f"   (value {value_text(r, r)} for {whose(r)}, {reach(r)})"


def reach(r: Result) -> str:
    return count(r.nodes, "simulation") if simulates(r) else f"depth {r.depth}"


class Thinker:
    """The search, and the moves so far."""

    def __init__(self, game: Game, state: Any, algorithm: str, limits: dict[str, Any]) -> None:
        self.states, self.actions = [state], list[Any]()

        def ask(s: Any, belief: Belief | None) -> Result:
            return search(game, s, algorithm, belief=belief, **limits)

        seed = limits.get("seed")
        self.player = BeliefPlayer(game, ask, None if seed is None else random.Random(seed))

    def on(self, action: Any, after: Any) -> Any:
        self.actions.append(action)
        self.states.append(after)
        return after

    def back(self, moves: int) -> Any:
        del self.actions[moves:], self.states[moves + 1 :]
        return self.states[-1]

    def search(self) -> Result:
        found: Result = self.player.choose(self.states, self.actions)
        return found


def dealt(game: Game, state: Any) -> Any:
    """Where a player might move first: of chance's moves any that may be."""
    while not game.is_terminal(state) and game.player(state) == CHANCE:
        state = game.result(state, max(outcomes_at(game, state), key=lambda pair: pair[1])[0])
    return state


def roll(game: Game, state: Any, rng: random.Random, side: int, thinker: Thinker) -> Any:
    """A chance move, shown as far as you can see it."""
    _, action = sample_outcome(game, state, rng)
    after = thinker.on(action, game.result(state, action))
    if not facts_of(game).hidden:
        print(f"\nChance: {game.format_action(state, action)}")
        print(game.view(after, side))
    elif game.is_terminal(after) or game.player(after) != CHANCE:  # not every card by itself
        print(f"\n{game.view(after, side)}")
    return after


def ask() -> str | None:
    """What you typed; None at the end of the input."""
    while True:
        try:
            word = input("your move: ").strip()
        except EOFError:
            print()
            return None
        if word:
            return word


def move_list(names: list[str]) -> str:
    """The moves, with commas where one is of several words: "8/5 6/5, 13/10 6/5"."""
    mark = "," if any(" " in name for name in names) else ""
    lines = [""]
    for i, name in enumerate(names):
        word = name + (mark if i < len(names) - 1 else "")
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDE:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def answer(game: Game, state: Any, thinker: Thinker, word: str) -> tuple[Any] | None:
    """The action that was typed, in a tuple; None if it was something else, which is answered."""
    if word in ("help", "?"):
        print(HELP)
    elif word == "board":
        print(game.view(state, game.player(state)))
    elif word == "moves":
        print(move_list([game.format_action(state, a) for a in game.actions(state)]))
    elif word == "hint":
        r = thinker.search()
        print(f"{game.format_action(state, r.action)} (value {value_text(r, r)} for {whose(r)})")
    else:
        try:
            return (game.parse_action(state, word),)
        except IllegalAction as e:
            print(e.message, file=sys.stderr)
            print(f"hint: {e.hint or 'type help'}", file=sys.stderr)
    return None
