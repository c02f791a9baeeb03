"""A result in words, as one would tell it to a student."""

from __future__ import annotations

from typing import Any

from ..game import CHANCE
from ..result import Move, Result
from .number import number, tupled, worth

STOPS = {"time": "its time was up", "nodes": "its nodes were used up", "interrupted": "interrupted"}
SIDES = ("MAX", "MIN")
MOST_EQUAL = 12  # moves or outcomes that are listed
AVERAGES = ("expectiminimax", "expectimax", "value-iteration")


def explain(r: Result) -> str:
    """What was found, how sure it is, by what means, and how the other moves compare."""
    g = r.game
    if r.action is None and r.player == CHANCE:
        return chance_words(r)
    if r.action is None:
        return f"The game is over: {whose(r)} {'have' if r.many else 'has'} {told(r, r)}."
    side = f"Player {r.player}" if r.many else f"{SIDES[r.player]} (player {r.player})"
    chosen = r.best  # computed once: with 200,000 moves a second pass per move never ends
    best = [g.format_action(a, r.state) for a in chosen[: MOST_EQUAL + 1]]
    lines = [f"{side} is to move and plays {g.format_action(r.action, r.state)}."]
    lines.append(verdict(r))
    if gains := g.line_gains(r.state, r.pv):
        lines.append(f"In that line it brings {gains}.")
    if len(r.pv) > 1:
        after = g.result(r.state, r.action)
        lines.append(f"The best reply is {g.format_action(r.pv[1], after)}.")
    if len(best) > 1:
        mover = f" for player {r.player}" if r.many else ""
        rest_of = "…" if len(best) > MOST_EQUAL else ""
        lines.append(f"Equally good{mover}: {', '.join(best[:MOST_EQUAL])}{rest_of}.")
    if r.ties:
        rule = r.options.get("prefer", "first")
        lines.append(
            f"{r.ties:,} choices were between moves equal for their mover but not for the others; "
            f"the rule of ties (prefer={rule}) made them, and another rule may give other values."
        )
    if rest := others(r, chosen):
        lines.append(next_best(r, rest))
    if changed := changes(r):
        lines.append(changed)
    if len(r.pv) > 1:
        lines.append(f"Best play for {'all' if r.many else 'both'} goes on: {line_text(r)}.")
    done = "ran {:,} simulations" if r.algorithm == "mcts" else "looked at {:,} positions"
    lines.append(
        f"{r.algorithm} {done.format(r.nodes)}, {r.depth} moves deep, in {r.elapsed:.3f} s"
        + (f"; it stopped because {STOPS[r.stopped]}." if r.stopped else ".")
    )
    lines.append(f"Why {r.algorithm}: {r.why}.")
    return "\n".join(lines)


def others(r: Result, chosen: list[Any]) -> list[Move]:
    """The root moves, best first, that are not among `chosen`."""
    try:
        known: Any = set(chosen)
    except TypeError:  # actions that cannot be hashed
        known = chosen
    return [m for m in r.ranked if m.action not in known]


def chance_words(r: Result) -> str:
    """A position in which nobody chooses."""
    lines = ["Chance moves: there is nothing to choose.", verdict(r)]
    shown = r.moves[:MOST_EQUAL]
    outcomes = [f"{r.game.format_action(m.action, r.state)} {told(r, m)}" for m in shown]
    more = ", …" if len(r.moves) > MOST_EQUAL else ""
    lines.append(f"Its outcomes are worth: {', '.join(outcomes)}{more}.")
    lines.append(f"Why {r.algorithm}: {r.why}.")
    return "\n".join(lines)


def told(r: Result, of: Result | Move) -> str:
    """The value of a result or of one of its moves: a number, or a tuple of everybody's."""
    if r.many and of.values:
        return tupled(of.values, of.kind, r.player)
    return worth(of.value, of.kind, of.distance, r.game.win_word)


def whose(r: Result) -> str:
    """Whose values are shown."""
    if not r.many:
        return "player 0"
    last = len(r.values) - 1
    return f"players 0 to {last}" if last > 1 else "players 0 and 1"


def verdict(r: Result) -> str:
    """The value and how sure it is."""
    if r.many:
        everybody = f"{whose(r)} get {told(r, r)}"
        if r.kind == "exact":
            return f"If everybody plays for itself, {everybody}."
        if r.algorithm in ("paranoid", "best-reply"):
            return (
                f"Against {r.algorithm} opponents {everybody}: a view of the others, no certainty."
            )
        return f"By estimate {everybody}: an evaluation had its say."
    value = number(r.value)
    if r.distance is not None:
        winner = 0 if r.value > 0 else 1
        length = worth(abs(r.value), r.kind, r.distance, r.game.win_word)
        return f"Player {winner} wins, whatever the other side does: {length}."
    if r.kind == "exact":
        if r.algorithm in AVERAGES:
            return f"On average, with best play, the value for player 0 is exactly {value}."
        win_loss = r.game.utility_bounds == (-1.0, 1.0)
        names = {1.0: "player 0 wins", 0.0: "a draw", -1.0: "player 1 wins"}
        said = f" ({names[r.value]})" if win_loss and r.value in names else ""
        return f"With best play on both sides the value for player 0 is exactly {value}{said}."
    if r.kind == "estimate" and r.error is not None:
        return (
            f"The value for player 0 is estimated at {value}, within {number(r.error)} with 95 % "
            "confidence: only some outcomes of chance were drawn."
        )
    if r.kind == "estimate" and r.algorithm == "mcts":
        chosen = next((m for m in r.moves if m.action == r.action), None)
        error = f" ± {number(chosen.error)}" if chosen and chosen.error is not None else ""
        return f"Its simulations were worth {value}{error} to player 0 on average."
    if r.kind == "estimate":
        return f"The value for player 0 is estimated at {value}: an evaluation had its say."
    word = "at least" if r.kind == "lower" else "at most"
    return f"The value for player 0 is {word} {value}: not every move was looked at."


def next_best(r: Result, rest: list[Move]) -> str:
    second = rest[0]
    name = r.game.format_action(second.action, r.state)
    words = {"lower": "at least ", "upper": "at most ", "estimate": "about "}
    if r.many:
        value = told(r, second)
    elif second.distance is None:
        value = words.get(second.kind, "") + number(second.value)
    else:
        value = worth(second.value, second.kind, second.distance, r.game.win_word)
    text = f"The next best, {name}, is worth {value}"
    if len(second.pv) > 1:
        after = r.game.result(r.state, second.action)
        text += f": the reply is {r.game.format_action(second.pv[1], after)}"
        if gains := r.game.line_gains(after, second.pv[1:]):
            text += f", which brings {gains}"
    return text + "."


def changes(r: Result) -> str:
    """At which depths it preferred another move."""
    g = r.game
    runs: list[tuple[int, object, float]] = []
    for depth, action, value in r.story:
        if not runs or runs[-1][1] != action:
            runs.append((depth, action, value))
    if len(runs) < 2:
        return ""
    first = f"At depth {runs[0][0]} it would have played {g.format_action(runs[0][1], r.state)}"
    minds = [f"{g.format_action(a, r.state)} from depth {d} on" for d, a, _ in runs[1:][-3:]]
    return f"{first}; it changed its mind: {', then '.join(minds)}."


def line_text(r: Result, line: list[object] | None = None) -> str:
    """A line of play with each action in its own state's notation."""
    out = []
    s = r.state
    for a in r.pv if line is None else line:
        out.append(r.game.format_action(a, s))
        s = r.game.result(s, a)
    return " ".join(out)
