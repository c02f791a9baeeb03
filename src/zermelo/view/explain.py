"""A result in sentences: the move, its value, what is proved, the alternatives."""

from __future__ import annotations

import math
from typing import Any

from ..chance import chance_event
from ..game import CHANCE, facts_of
from ..result import Move, Result
from ..search.advice import EXPERT
from ..search.algorithms import traits_of
from .names import capital, outcome, player_name, player_names, together
from .number import count, number, tupled, worth

STOPS = {
    "time": "time limit reached",
    "nodes": "node limit reached",
    "interrupted": "interrupted",
}
MAX_NAMED = 12  # moves in one sentence
MAX_CHANGES = 3  # of the preferred move, the last ones
TOLERANCE = 1e-9  # rounding errors in sums of probabilities


def simulates(r: Result) -> bool:
    """Whether the result's nodes are simulations."""
    return traits_of(r.algorithm).simulates


def explain(r: Result) -> str:
    """Explain a result: the move, what is proved about its value, and the other moves."""
    g = r.game
    if r.action is None and r.player == CHANCE:
        return _explain_chance(r)
    if r.action is None:
        return f"The game is over: {outcome(g, r.values)}."
    lines = [f"Best move for {player_name(g, r.player)}: {g.format_action(r.state, r.action)}."]
    if not _overruled(r):
        lines.append(verdict(r))
    if gains := g.line_gains(r.state, r.pv):
        lines.append(f"The main line {gains}.")
    if answer := _follow_up(r, r.pv):
        lines.append(f"{answer}.")
    best = r.best if r.action in r.best else [r.action, *r.best]
    if len(best) > 1:
        names = [g.format_action(r.state, a) for a in best[:MAX_NAMED]]
        more = f" and {len(best) - MAX_NAMED} more" if len(best) > MAX_NAMED else ""
        mover = f" for {player_name(g, r.player)}" if r.many else ""
        lines.append(f"Equally good{mover}: {', '.join(names)}{more}.")
    if r.ties:
        rule = r.options.get("tie_break", "first")
        lines.append(
            f"{count(r.ties, 'tie')} (moves with the same value for the player to move, but not "
            f"for the others) decided by tie_break={rule}; another rule may give other values."
        )
    if compared := compare(r, others(r, best)):
        lines.append(compared)
    if changed := changes(r):
        lines.append(changed)
    if len(r.pv) > 1:
        lines.append(f"Main line: {line_text(r)}.")
    lines.append(_effort(r))
    lines.append(f"Algorithm: {r.algorithm}, {r.why}.")
    return "\n".join(lines)


def _explain_chance(r: Result) -> str:
    """Explain a position in which chance moves."""
    event = chance_event(r.game)
    lines = [f"{event} first (chance node)." if event else "Chance moves here.", verdict(r)]
    outcomes = [f"{r.game.format_action(r.state, m.action)} {value_text(r, m)}"
                for m in r.moves[:MAX_NAMED]]  # fmt: skip
    if outcomes:
        more = ", …" if len(r.moves) > MAX_NAMED else ""
        lines.append(f"Values by outcome: {', '.join(outcomes)}{more}.")
    lines.append(f"Algorithm: {r.algorithm}, {r.why}.")
    return "\n".join(lines)


def _effort(r: Result) -> str:
    """Return how much was searched and what ended the search."""
    stop = f"; {STOPS[r.stopped]}" if r.stopped else ""
    if simulates(r):
        return f"{r.algorithm} ran {count(r.nodes, 'simulation')} in {r.elapsed:.3f} s{stop}."
    done = f"{r.algorithm} searched {count(r.nodes, 'position')} to depth {r.depth}"
    return f"{done} in {r.elapsed:.3f} s{stop}."


def value_text(r: Result, of: Result | Move) -> str:
    """Return the value of a result or move: a number, or a tuple with one number per player."""
    if r.many and of.values:
        return tupled(of.values, of.kind, r.player)
    return worth(of.value, of.kind, of.distance, r.game.win_word)


def whose(r: Result) -> str:
    """Return the players whose values are shown."""
    names = player_names(r.game)
    if not r.many:
        return names[0]
    return together(names)


def verdict(r: Result) -> str:
    """Return the value and what is proved about it."""
    if r.many:
        return values_of_all(r)
    first, value = player_name(r.game, 0), number(r.value)
    if r.distance is not None and r.value:
        winner = player_name(r.game, 0 if r.value > 0 else 1)
        length = worth(abs(r.value), r.kind, r.distance, r.game.win_word)
        return f"{capital(winner)} wins by force: {length} (proved)."
    if r.kind == "exact":
        return _exact_verdict(r)
    if r.kind == "estimate" and r.error is not None:
        return (
            f"The value for {first} is about {value} ± {number(r.error)} (95 % confidence), "
            "based on sampled chance outcomes."
        )
    if r.kind == "estimate" and simulates(r):
        chosen = next((m for m in r.moves if m.action == r.action), None)
        error = f" ± {number(chosen.error)}" if chosen and chosen.error is not None else ""
        return f"The value for {first} is about {value}{error}, the mean of the simulations."
    if r.kind == "estimate":
        return f"The value for {first} is about {value}, {basis(r)}."
    word = "at least" if r.kind == "lower" else "at most"
    return f"The value for {first} is {word} {value}: not every move was searched."


def values_of_all(r: Result) -> str:
    """Return the values of all players of a multi-player or general-sum game."""
    names = player_names(r.game)
    values = ", ".join(f"{name} {number(v)}" for name, v in zip(names, r.values, strict=True))
    if r.kind == "exact":
        return f"Values if every player maximizes its own value (proved): {values}."
    if traits_of(r.algorithm).coalition:
        return f"Estimated values (assumption of {r.algorithm} search): {values}."
    return f"Estimated values ({basis(r)}): {values}."


def _exact_verdict(r: Result) -> str:
    """Return the sentence for a proved value."""
    names, value = player_names(r.game), number(r.value)
    if traits_of(r.algorithm).expected:
        within = f", up to {number(r.error)}" if r.error else ""
        return f"The expected value for {names[0]} with best play is {value} (proved{within})."
    facts = facts_of(r.game)
    wins = facts.players == 2 and facts.utility_bounds == (-1.0, 1.0) and not facts.tree_nodes
    if wins and r.value in (-1.0, 0.0, 1.0):
        if not r.value:
            return "With best play the game is a draw (proved)."
        return f"{capital(names[0 if r.value > 0 else 1])} wins with best play (proved)."
    return f"With best play the value for {names[0]} is {value} (proved)."


def basis(r: Result) -> str:
    """Return what an estimate is based on."""
    if simulates(r):
        return "the mean of the simulations"
    if r.belief is not None and r.belief.drawn:
        return "the average over sampled states"
    if r.evaluated:
        return "based on a heuristic evaluation"
    if r.belief is not None:
        return "the average over the consistent states"
    return "because the search did not reach the end of every line"


def _follow_up(r: Result, line: list[Any]) -> str:
    """Return the second move of a line and its player; "" if there is none or chance moves."""
    if len(line) < 2:
        return ""
    after = r.game.result(r.state, line[0])
    mover, move = r.game.player(after), r.game.format_action(after, line[1])
    if mover == CHANCE:
        return ""
    if mover == r.player:
        return f"{capital(player_name(r.game, mover))} moves again: {move}"
    kind = "best" if r.kind == "exact" and not simulates(r) else "expected"
    who = f" of {player_name(r.game, mover)}" if r.many else ""
    return f"The {kind} reply{who} is {move}"


# -- the other moves -----------------------------------------------------------------------
def others(r: Result, best: list[Any]) -> list[Move]:
    """Return the root moves that are not among the best, in order."""
    try:
        chosen: Any = set(best)
    except TypeError:  # actions that cannot be hashed
        chosen = best
    return [m for m in r.ranked if m.action not in chosen]


def bounds(r: Result, m: Move, mixed: bool) -> tuple[float, float]:
    """Return bounds of a move's value for the mover; mixed: some values are estimates."""
    own = r.own(m)
    if mixed and m.kind == "exact" and abs(own) == 1 and facts_of(r.game).win_loss:
        own = math.copysign(math.inf, own)  # a proof outranks every evaluation
    if m.resolved:
        return own, own
    if m.kind == "estimate":  # compared with a better move only, or not searched
        return -math.inf, own if m.visits else math.inf
    low = m.kind == "lower" if r.many or r.player <= 0 else m.kind == "upper"
    return (own, math.inf) if low else (-math.inf, own)


def compare(r: Result, rest: list[Move]) -> str:
    """Return the next best move if it is known, else a bound on all other moves."""
    if not rest:
        return ""
    if simulates(r) and not r.exact:
        second = max(rest, key=lambda m: m.visits)
        name = r.game.format_action(r.state, second.action)
        text = f"The move with the next most simulations is {name}, value {value_text(r, second)}."
        return text if second.visits else ""
    if len(rest) == 1 and rest[0].kind in ("lower", "upper"):  # it may be as good as the best
        return _next_best(r, rest, "other move")
    mixed = any(m.kind == "estimate" for m in rest)
    ranges = [bounds(r, m, mixed) for m in rest]
    top = max(range(len(rest)), key=lambda i: ranges[i][0])
    lead = ranges[top][0]
    if all(high <= lead for i, (_, high) in enumerate(ranges) if i != top):
        same = [m for m, bound in zip(rest, ranges, strict=True) if bound == (lead, lead)]
        return _next_best(r, same or [rest[top]])
    limit = max(high for _, high in ranges)
    if math.isinf(limit) or mixed:  # of estimates nothing is proved
        return ""
    if limit >= greatest(r):  # says nothing
        return ""
    if r.many:
        return f"No other move gives {player_name(r.game, r.player)} more than {number(limit)}."
    word, limit = ("at most", limit) if r.player <= 0 else ("at least", 0.0 - limit)
    return f"Every other move has a value of {word} {number(limit)} for {player_name(r.game, 0)}."


def greatest(r: Result) -> float:
    """Return the greatest utility that the player to move can get."""
    least, most = facts_of(r.game).utility_bounds or (-math.inf, math.inf)
    return most if r.many or r.player <= 0 else -least


def _best_own(r: Result) -> float:
    """Return the value of the chosen move for the mover."""
    if r.many:
        return r.values[r.player]
    return r.value if r.player <= 0 else 0.0 - r.value


def _overruled(r: Result) -> bool:
    """Whether a built-in player chose a move that is not the best by the values it reports.

    A mixed strategy does: its choice is random, and the values do not rank the moves.
    """
    return r.algorithm == EXPERT and any(r.own(m) > _best_own(r) + TOLERANCE for m in r.moves)


def comparable(r: Result, second: Move) -> bool:
    """Whether a move can be called the next best: its value is not above that of the chosen one.

    A proved result and an estimate have different scales: an evaluation can exceed a win.
    """
    if _overruled(r) or (r.exact and second.kind == "estimate"):
        return False
    return r.own(second) <= _best_own(r) + TOLERANCE


def _next_best(r: Result, moves: list[Move], called: str = "next best move") -> str:
    """Return the next best moves, with the reply if there is one move; "" if not comparable."""
    second = moves[0]
    if not comparable(r, second):
        return ""
    names = [r.game.format_action(r.state, m.action) for m in moves[:MAX_NAMED]]
    words = {"lower": "at least ", "upper": "at most ", "estimate": "about "}
    if r.many or second.distance is not None:
        value = value_text(r, second)
    else:
        value = words.get(second.kind, "") + number(second.value)
    if len(moves) > 1 and r.many:
        value = number(r.own(second)) + f" for {player_name(r.game, r.player)}"
    if len(moves) > 1:
        more = ", …" if len(moves) > MAX_NAMED else ""
        return f"The {called}s are {', '.join(names)}{more}, each with value {value}."
    text = f"The {called} is {names[0]}, value {value}"
    if len(second.pv) > 1:
        after = r.game.result(r.state, second.action)
        if r.game.player(after) not in (CHANCE, r.player):
            text += f"; the reply is {r.game.format_action(after, second.pv[1])}"
            if gains := r.game.line_gains(after, second.pv[1:]):
                text += f", which {gains}"
    return text + "."


def changes(r: Result) -> str:
    """Return at which depths the search preferred another move."""
    g = r.game
    runs: list[tuple[int, object]] = []
    for depth, action, _ in r.story:
        if not runs or runs[-1][1] != action:
            runs.append((depth, action))
    if len(runs) < 2:
        return ""
    first = f"At depth {runs[0][0]} the search preferred {g.format_action(r.state, runs[0][1])}"
    later = [f"{g.format_action(r.state, a)} (from depth {d})" for d, a in runs[1:][-MAX_CHANGES:]]
    dropped = ", …" if len(runs) > 1 + MAX_CHANGES else ""
    return f"{first}{dropped}, then {', then '.join(later)}."


def line_text(r: Result, line: list[object] | None = None) -> str:
    """Return a line of play, each action in the notation of its state."""
    out = []
    s = r.state
    for a in r.pv if line is None else line:
        out.append(r.game.format_action(s, a))
        s = r.game.result(s, a)
    return " ".join(out)
