"""The names of the players, and who won."""

from __future__ import annotations

from collections.abc import Sequence

from ..game import Game, facts_of
from ..naming import bare, default_names
from ..search.algorithms import duel
from .number import number


def player_names(game: Game) -> list[str]:
    """One name per player: the game's own, MAX and MIN or p1, p2, … in trees, or an ordinal."""
    facts = facts_of(game)
    named = game.player_names
    if isinstance(named, tuple | list) and len(named) == facts.players:
        return [str(name) for name in named]
    if facts.tree_nodes:
        if facts.players <= 2 and facts.zero_sum:
            return ["MAX", "MIN"][: facts.players]
        return [f"p{p + 1}" for p in range(facts.players)]
    return list(default_names(facts.players))


def player_name(game: Game, player: int) -> str:
    return player_names(game)[player]


def listed(words: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return ", ".join(words[:-1]) + f" {last} " * (len(words) > 1) + words[-1] if words else ""


def together(names: Sequence[str]) -> str:
    """All players in one phrase: "p1, p2 and p3", "the first to the fourth player"."""
    ends = [bare(name).removesuffix(" player") for name in names]
    if tuple(names) == default_names(len(names)) and len(names) > 1:
        inner = f"{ends[0]} to the {ends[-1]}" if len(ends) > 3 else listed(ends)
        return f"the {inner} player"
    return f"{names[0]} to {names[-1]}" if len(names) > 3 else listed(names)


def capital(text: str) -> str:
    """The text as the start of a sentence."""
    return text[:1].upper() + text[1:]


def outcome(game: Game, values: Sequence[float]) -> str:
    """Who won a game that is over, ties included: "X wins", "a draw", "p1 and p3 tie for first"."""
    names, facts = player_names(game), facts_of(game)
    if facts.players == 1:
        return f"{names[0]} gets {number(values[0])}"
    most = max(values)
    first = [name for name, v in zip(names, values, strict=True) if v == most]
    if len(first) == len(values):
        return "a draw" if len(values) == 2 else f"a draw between {together(names)}"
    if facts.tree_nodes and duel(facts):
        return f"{names[0]} gets {number(values[0])}"
    won = f"{first[0]} wins" if len(first) == 1 else f"{listed(first)} tie for first place"
    if duel(facts):
        return won if abs(values[0]) == 1 else f"{won} by {number(most)}"
    got = ", ".join(f"{name} {number(v)}" for name, v in zip(names, values, strict=True))
    return f"{won} ({got})"
