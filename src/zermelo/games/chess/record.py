"""PGN files as game records: the hooks `parse_record` and `format_record` of chess."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...hooks import MAX_LINES, GameRecord
from . import pgn

if TYPE_CHECKING:
    from . import Chess

RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}


def parse_record(text: str) -> GameRecord:
    """The first game of a PGN text.

    Raises:
        UsageError: The text has no game, or a move is illegal.

    >>> record = parse_record('[White "Ann"] 1. e4 e5 (1... c5 2. Nf3) *')
    >>> record.title, record.lines
    ('Ann (White) - Black', [['e2e4', 'e7e5'], ['e2e4', 'c7c5', 'g1f3']])
    """
    found = next(pgn.reads(text.rstrip() + " *"), None)  # pasted moves may lack a result
    if found is None or not text.strip():
        raise UsageError("no game found", "PGN has moves, e.g. 1. e4 e5 2. Nf3 *")
    position = found.tags.get("FEN", "") if found.tags.get("SetUp", "1") != "0" else ""
    lines = list(islice(_lines(found.moves), MAX_LINES))
    return GameRecord(found.game.spec, position, lines, _title(found))


def _lines(moves: list[pgn.Ply]) -> Iterator[list[str]]:
    """The main line, then all variations, each from the first move."""
    waiting: list[tuple[list[str], list[pgn.Ply]]] = [([], moves)]
    while waiting:
        before, plies = waiting.pop()
        line = before + [ply.action for ply in plies]
        yield line
        for i in reversed(range(len(plies))):
            start = line[: len(before) + i]
            waiting += [(start, variation) for variation in reversed(plies[i].variations)]


def _title(found: pgn.Pgn) -> str:
    """Players and result, e.g. "Ann (White) - Ben (Black), 1-0"; "" if neither is known."""
    known = [found.tags.get(side, "").strip(" ?") for side in ("White", "Black")]
    result = "" if found.result == "*" else found.result
    if not any(known):
        return result
    named = [
        f"{name} ({side})" if name else side
        for name, side in zip(known, ("White", "Black"), strict=True)
    ]
    return ", ".join(filter(None, (" - ".join(named), result)))


def format_record(game: Chess, text: str, actions: Sequence[Any]) -> str:
    """A PGN text of the game with these actions from a position.

    >>> import zermelo
    >>> print(format_record(zermelo.load("chess"), "", ["e2e4", "e7e5"]), end="")
    1. e4 e5 *
    """
    s = game.parse_state(text) if text.strip() else game.initial()
    tags = {"Variant": "Chess960"} if game.is_960 else {}
    if s != game.initial() or game.is_960:
        tags |= {"SetUp": "1", "FEN": game.format_state(s)}
    for a in actions:
        s = game.result(s, a)
    result = RESULTS[int(game.utility(s, 0))] if game.is_terminal(s) else "*"
    return pgn.format_pgn(pgn.Pgn(tags, [pgn.Ply(str(a)) for a in actions], result))
