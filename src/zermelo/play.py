"""A game in the terminal: a person against a search."""

from __future__ import annotations

import random
import sys
from typing import Any

from .algorithms import choose, named
from .beliefs import Belief
from .checks import check_limits, check_seed
from .errors import IllegalAction, UsageError
from .game import CHANCE, Game, facts_of, legal_actions
from .guesses import Mind
from .result import Result
from .search import search
from .tablebase import as_tablebase
from .view.number import bounded, number
from .view.words import told, whose

LIMITS = ("depth", "time", "nodes", "simulations")
HELP = """Type a move as the game writes it, or
  moves   the legal moves
  hint    what the search would play
  undo    take your last move back
  board   show the board again
  quit    leave"""


def play_game(
    game: Game,
    state: Any,
    opponent: str,
    side: int,
    time: float | None,
    depth: int | None,
    tablebase: Any = None,
    seed: int | None = None,
) -> None:
    """Plays until the game is over, the input ends or the person leaves.

    The opponent is a search with its options or, as in a match, "random"; `seed` makes what is
    drawn the same again.
    """
    if not 0 <= side < facts_of(game).players:
        last = facts_of(game).players - 1
        raise UsageError(f"there is no side {side}", f"0 moves first; the sides are 0 to {last}")
    check_limits(depth, time, None, 1)
    lots = lots_of(opponent, seed)
    algorithm, options = named("auto" if lots else opponent)  # who draws lots gives no hints
    limits: dict[str, Any] = {"time": time, "depth": depth} | options
    if all(limits.get(name) is None for name in LIMITS):
        limits["time"] = 1.0
    check_limits(limits["depth"], limits["time"], limits.get("nodes"), limits.get("threads", 1))
    if tablebase is not None:
        limits["tablebase"] = as_tablebase(game, tablebase)
    if seed is not None:
        limits["seed"] = check_seed(seed)
    # A wrong name, option or misfit is told at once.
    choose(algorithm, facts_of(game))
    first = dealt(game, state)
    if not game.is_terminal(first):
        Thinker(game, first, algorithm, {**limits, "nodes": 1}).search()
    rng = random.Random(seed)
    history: list[int] = []  # how many moves there were before each of the person's
    thinker = Thinker(game, state, algorithm, limits)
    hidden = facts_of(game).hidden
    print(game.view(state, side))
    while not game.is_terminal(state):
        if game.player(state) == CHANCE:
            state = roll(game, state, rng, side, thinker)
            continue
        if game.player(state) != side:
            action, why = reply(game, state, thinker, lots)
            who = name_of(game, state, opponent)
            if hidden:  # its move may be secret, and its value would tell what it holds
                print(f"\n{who} has moved")
            else:
                print(f"\n{who}: {game.format_action(action, state)}{why}")
            state = thinker.on(action, game.result(state, action))
            print(game.view(state, side))
            continue
        word = ask()
        if word is None or word == "quit":
            print("bye")
            return
        if word == "undo":
            if history:
                state = thinker.back(history.pop())
                print(game.view(state, side))
            else:
                print("nothing to take back")
            continue
        typed = answer(game, state, thinker, word)
        if typed is not None:
            history.append(len(thinker.actions))
            state = thinker.on(typed[0], game.result(state, typed[0]))
            print(game.view(state, side))
    if hidden and game.shown_at_end(state):
        print(f"\n{game.board(state)}")
    mine = game.utility(state, side)
    if facts_of(game).players > 2:
        got = [game.utility(state, p) for p in range(facts_of(game).players)]
        ahead = sum(u > mine for u in got)
        rank = "you win" if not ahead and got.count(mine) == 1 else f"{ahead} did better than you"
        print(rank, f"({', '.join(f'player {p}: {number(u)}' for p, u in enumerate(got))})")
        return
    print("you win" if mine > 0 else "you lose" if mine < 0 else "a draw", f"({bounded(mine)})")


def lots_of(opponent: str, seed: int | None) -> random.Random | None:
    """What an opponent draws its moves by, "random" or "random:7"; None: it searches."""
    name, _, own = opponent.partition(":")
    if name != "random":
        return None
    return random.Random(f"{own} {seed}" if own or seed is not None else None)


def reply(game: Game, state: Any, thinker: Thinker, lots: random.Random | None) -> tuple[Any, str]:
    """The opponent's action, and why it takes it."""
    if lots is not None:
        return lots.choice(legal_actions(game, state)), ""
    r = thinker.search()
    return r.action, f"   ({told(r, r)} for {whose(r)}, depth {r.depth})"


class Thinker:
    """The search, and the moves so far."""

    def __init__(self, game: Game, state: Any, algorithm: str, limits: dict[str, Any]) -> None:
        self.states, self.actions = [state], list[Any]()

        def ask(s: Any, belief: Belief | None) -> Result:
            return search(game, s, algorithm, belief=belief, **limits)

        seed = limits.get("seed")
        self.mind = Mind(game, ask, None if seed is None else random.Random(seed))

    def on(self, action: Any, after: Any) -> Any:
        self.actions.append(action)
        self.states.append(after)
        return after

    def back(self, moves: int) -> Any:
        del self.actions[moves:], self.states[moves + 1 :]
        return self.states[-1]

    def search(self) -> Result:
        found: Result = self.mind.choose(self.states, self.actions)
        return found


def outcomes(game: Game, s: Any) -> list[tuple[Any, float]]:
    return list(game.outcomes(s))  # type: ignore[attr-defined]


def dealt(game: Game, state: Any) -> Any:
    """Where a player might move first: of chance's moves any that may be."""
    while not game.is_terminal(state) and game.player(state) == CHANCE:
        state = game.result(state, max(outcomes(game, state), key=lambda pair: pair[1])[0])
    return state


def name_of(game: Game, state: Any, opponent: str) -> str:
    """Who moves; in a game of many the number too."""
    return f"player {game.player(state)}, {opponent}" if game.players > 2 else opponent


def roll(game: Game, state: Any, rng: random.Random, side: int, thinker: Thinker) -> Any:
    """What nature does, shown as far as the person may see it."""
    drawn = outcomes(game, state)
    action = rng.choices([a for a, _ in drawn], [p for _, p in drawn])[0]
    after = thinker.on(action, game.result(state, action))
    if not facts_of(game).hidden:
        print(f"\nchance: {game.format_action(action, state)}")
        print(game.view(after, side))
    elif game.is_terminal(after) or game.player(after) != CHANCE:  # not every card by itself
        print(f"\n{game.view(after, side)}")
    return after


def ask() -> str | None:
    """What the person typed; None at the end of the input."""
    while True:
        try:
            word = input("your move: ").strip()
        except EOFError:
            print()
            return None
        if word:
            return word


def answer(game: Game, state: Any, thinker: Thinker, word: str) -> tuple[Any] | None:
    """The action that was typed, in a tuple; None if it was something else, which is answered."""
    if word in ("help", "?"):
        print(HELP)
    elif word == "board":
        print(game.view(state, game.player(state)))
    elif word == "moves":
        print(" ".join(game.format_action(a, state) for a in game.actions(state)))
    elif word == "hint":
        r = thinker.search()
        print(f"{game.format_action(r.action, state)} ({told(r, r)} for {whose(r)})")
    else:
        try:
            return (game.parse_action(word, state),)
        except IllegalAction as e:
            print(e.message, file=sys.stderr)
            print(f"hint: {e.hint or 'type help'}", file=sys.stderr)
    return None
