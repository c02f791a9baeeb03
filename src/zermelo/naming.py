"""Names for the players of games that do not name them."""

from __future__ import annotations

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(index: int) -> str:
    """The ordinal of an index that counts from 0.

    >>> ordinal(0), ordinal(20)
    ('first', '21st')
    """
    if index < len(ORDINALS):
        return ORDINALS[index]
    n = index + 1
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th") if n % 100 not in (11, 12, 13) else "th"
    return f"{n}{ending}"


def default_names(players: int) -> tuple[str, ...]:
    """The names of players without names, as they appear in a sentence.

    >>> default_names(2)
    ('the first player', 'the second player')
    """
    if players == 1:
        return ("the player",)
    return tuple(f"the {ordinal(p)} player" for p in range(players))


def bare(name: str) -> str:
    """The name of a player without its article, for lists of moves.

    >>> bare("the first player")
    'first player'
    """
    return name.removeprefix("the ")


def label(name: str) -> str:
    """The name of a player as a label, at the start of a line.

    >>> label("the first player")
    'First player'
    """
    short = bare(name)
    return short[:1].upper() + short[1:]
