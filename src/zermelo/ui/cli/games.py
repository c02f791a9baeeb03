"""`zermelo games`: the catalogue, and one game in detail."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from ...errors import NotSupported, ZermeloError
from ...games import GameInfo, canonical, info, load, names
from .shared import Json, app, columns, emit

NOTE = """\
zermelo games NAME shows a game's options. Also accepted wherever a GAME is: a tree
"max(min(3 12 8) min(2 4 6))", a matrix "3,3 0,5; 5,0 1,1", FILE.efg, and your own rules
FILE.py:CLASS."""


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(help="Show this game in detail.")] = None,
    as_json: Json = False,
) -> None:
    """List the games and their classification, or show one game in detail."""
    if name is not None:
        found = info(name.partition(":")[0])
        canonical(name)  # raises an error if an option is wrong
        if as_json:
            emit(found.to_dict() | {"algorithms": [a for a, _ in fitting(name)]})
        else:
            detail(name, found)
        return
    found_all = [info(n) for n in names()]
    if as_json:
        emit([g.to_dict() for g in found_all])
        return
    rows = [("GAME", "PLAYERS", "MOVES", "INFORMATION", "SUM", "STATE SPACE", "SOLVED", "WHAT")]
    for g in found_all:
        kind = g.classification
        rows.append(
            (
                g.name,
                kind.players,
                *kind.words,
                brief(g.state_space) or "-",
                brief(g.solved) or "no",
                g.summary,
            )
        )
    columns(rows)
    print(f"\n{NOTE}")


def brief(text: str) -> str:
    """A declaration without its source, for the table."""
    return re.split(r" \(|; ", text)[0]


def detail(spec: str, g: GameInfo) -> None:
    """Everything that a game declares, the algorithms that support it, and example positions."""
    kind = g.classification
    print(f"{g.name}: {g.summary}\n")
    rows = [
        ("players", kind.players + (f" ({', '.join(g.player_names)})" if g.player_names else ""))
    ]
    rows += zip(("moves", "information", "sum"), kind.words, strict=True)
    rows += [("state space", g.state_space or "not known"), ("solved", g.solved or "no")]
    columns(rows)
    if g.options:
        print()
        table = [("OPTION", "DEFAULT", "VALUES", "MEANING")]
        table += [(o.name, o.format(o.default), o.expected, o.doc) for o in g.options]
        columns(table)
        print(f"\ne.g. {g.name}:{g.spelled}\n")
    else:
        print("\nOptions: none\n")
    try:
        algorithms, positions = fitting(spec), examples(spec)
    except ZermeloError as e:  # Scrabble without a word list
        print(f"{e.message}: {e.hint}")
        return
    columns([("ALGORITHM", "WHAT"), *algorithms])
    print("\nexample positions (--position):")
    for text in positions:
        print(f"  {text}")


def fitting(spec: str) -> list[tuple[str, str]]:
    """The algorithms that support the game, with their summaries; the one auto takes is marked."""
    from ...game import facts_of
    from ...search.algorithms import algorithms, choose, preferred

    game = load(spec)
    facts = facts_of(game)
    try:
        auto = choose(preferred(game), facts)[0].name
    except NotSupported:
        auto = ""
    fits = [a for a in algorithms().values() if not a.misfit(facts)]
    return [(a.name, a.summary + (" (auto)" if a.name == auto else "")) for a in fits]


def examples(spec: str) -> list[str]:
    """The start position and the positions after two and six moves, in the game's notation."""
    import random

    from ...game import CHANCE

    game, rng = load(spec), random.Random(0)
    s, found = game.initial(), list[str]()
    for ply in range(7):
        text = game.format_state(s)
        if ply in (0, 2, 6) and text and text not in found:
            found.append(text)
        if game.is_terminal(s):
            break
        legal = list(game.actions(s))
        s = game.result(
            s, rng.choice(legal) if game.player(s) == CHANCE else legal[ply % len(legal)]
        )
    return found
