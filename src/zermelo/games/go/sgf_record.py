"""SGF files as game records: the hooks `parse_record` and `format_record` of Go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ...errors import ZermeloError
from ...hooks import MAX_LINES, GameRecord
from ..native import State, written_moves
from . import Go
from .notation import vertex
from .sgf import iterate
from .sgf_replay import SIDES, prepared, rules_of, step
from .sgf_tree import SgfGame, SgfNode
from .sgf_values import to_point
from .sgf_writer import to_text

RULE_NAMES = {"chinese": "Chinese", "tromp-taylor": "Tromp-Taylor", "japanese-like": "Japanese"}


def parse_record(text: str) -> GameRecord:
    """The first game of an SGF text. The title says if there are more.

    If stones are placed during the game, or a player moves twice, the moves before that are not
    part of the lines: the position after them is. Variations with an illegal move are left out.

    Raises:
        SgfError: The text is not SGF, or a move of the main line is illegal.

    >>> record = parse_record("(;SZ[9]KM[7]RU[Chinese]PB[Ann];B[ee](;W[ec])(;W[gc];B[cc]))")
    >>> record.spec, record.title
    ('go:size=9,komi=7,rules=chinese,ko=auto', 'Ann (Black) - White')
    >>> record.lines
    [['E5', 'E7'], ['E5', 'G7', 'C7']]
    """
    game, others = _first_game(text)
    go = rules_of(game)
    position, main = _line(go, game.main_line())
    lines = [main]
    for leaf in islice(_variation_ends(game), MAX_LINES - 1):
        try:
            start, moves = _line(go, leaf.path())
        except ZermeloError:
            continue
        if start == position:
            lines.append(moves)
    title = _title(game)
    if others:
        title = f"{title} (first game of the file)".strip()
    return GameRecord(go.spec, position, lines, title)


def _first_game(text: str) -> tuple[SgfGame, bool]:
    """The first game of a text, and whether something follows that is meant as another."""
    games = iterate(text)
    first = next(games)
    try:
        return first, next(games, None) is not None
    except ZermeloError:  # another game, which cannot be read
        return first, True


def _line(go: Go, nodes: Sequence[SgfNode]) -> tuple[str, list[str]]:
    """The position where the moves begin, and the moves that lead to the last of these nodes."""
    s, moves = go.initial(), list[str]()
    start: State | None = None  # None: the initial state
    for node in nodes:
        before = prepared(go, s, node)
        if before is not s:  # stones were placed, or the other player moves
            start, moves = before, []
        s = step(go, s, node)
        if node.move is not None:
            moves.append(node.move[1])
    return "" if start is None else go.format_state(start), moves


def _variation_ends(game: SgfGame) -> Iterator[SgfNode]:
    """The last nodes of all lines but the main line."""
    main = game.main_line()[-1]
    return (node for node in game.nodes() if not node.children and node is not main)


def _title(game: SgfGame) -> str:
    """Players and result, e.g. "Ann (Black) - Ben (White), B+3.5"; "" if neither is known."""
    named = [
        f"{name} ({side})" if name else side
        for name, side in zip(game.players, Go.player_names, strict=True)
    ]
    if not any(game.players):
        return game.result
    return ", ".join(filter(None, (" - ".join(named), game.result)))


def format_record(go: Go, text: str, actions: Sequence[Any]) -> str:
    """An SGF text of the game with these actions from a position.

    >>> import zermelo
    >>> print(format_record(zermelo.load("go"), "E5", ["E7", "pass"]), end="")
    (;FF[4]GM[1]CA[UTF-8]SZ[9]KM[7]RU[Chinese];B[ee];W[ec];B[])
    """
    if text.strip() and not text.lstrip().startswith("(") and "/" not in text:
        text, actions = "", [*written_moves(text), *actions]
    s = go.parse_state(text) if text.strip() else go.initial()
    game = SgfGame(go.size)
    game.root.set("KM", f"{go.komi:g}")
    if go.superko or go.rules != "chinese":  # Chinese rules forbid repeated positions
        game.root.set_text("RU", RULE_NAMES[go.rules])
    if go.handicap and not text.strip():
        game.root.set("HA", str(len(go.handicap)))
    _set_up(go, game, s)
    node = game.root
    for a in actions:
        node = node.add()
        node.set_move(SIDES[go.mover(s)], str(a))
        s = go.result(s, a)
    if go.is_terminal(s):
        game.root.set_text("RE", _result(go, s))
    return to_text(game)


def _result(go: Go, s: State) -> str:
    """The result of a finished game as SGF writes it."""
    if go.ended_by_repetition(s):
        return "Void"
    margin = go.final_margin(s)
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


def _set_up(go: Go, game: SgfGame, s: State) -> None:
    """Write the stones of the first position, and who moves."""
    cells = "".join(go.rows(s))
    for name, sign in (("AB", "X"), ("AW", "O")):
        points = [vertex(i, go.size) for i, c in enumerate(cells) if c == sign]
        if points:
            game.root.set(name, *(to_point(point, go.size) for point in points))
    if set(cells) != {"."} or go.mover(s):
        game.root.set("PL", "BW"[go.mover(s)])
