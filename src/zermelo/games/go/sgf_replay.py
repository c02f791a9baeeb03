"""Plays the nodes of an SGF game by the rules of Go.

SGF allows what the rules do not: stones can be placed or removed during the game, a player can move
twice, and moves can follow two passes. In these cases the game restarts from the stones on the
board: earlier positions no longer count for superko, and prisoners are not counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import BadPosition, UsageError, ZermeloError
from ..loading import load
from ..native import State
from . import Go
from .notation import parse_vertex
from .sgf_tree import SgfGame, SgfNode

RULES = {
    "japanese": "japanese-like", "jp": "japanese-like", "korean": "japanese-like",
    "kr": "japanese-like", "goe": "tromp-taylor", "ing": "tromp-taylor", "nz": "tromp-taylor",
    "new zealand": "tromp-taylor", "tromp-taylor": "tromp-taylor", "chinese": "chinese",
    "cn": "chinese", "aga": "chinese", "bga": "chinese", "french": "chinese",
}  # fmt: skip
SIDES = ("black", "white")
SINGLE = ("B", "W", "PL", "SZ", "KM", "HA", "RU")  # properties with one value that count here
MARKS = ("CR", "DD", "MA", "SL", "SQ", "TB", "TR", "TW", "VW")  # point lists besides setup


@dataclass(frozen=True)
class Problem:
    """What is wrong in a file, and where."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


def rules_of(game: SgfGame, komi: float | None = None) -> Go:
    """The rules by which a game is replayed: its size, komi and RU property.

    Unknown names of rules are treated as Chinese rules with simple ko, and no komi as 0. A number
    as `komi` replaces the komi of the file.
    """
    known = RULES.get(game.rules.lower())
    ko = "auto" if known else "simple"
    points = (game.komi or 0.0) if komi is None else komi
    found = load(f"go:size={game.size},komi={points:g},rules={known or 'chinese'},ko={ko}")
    assert isinstance(found, Go)
    return found


def first_mover(node: SgfNode, before: int) -> int:
    """The player to move after a setup node: PL, else the next move, else White with handicap."""
    side = node.to_play
    if side is None and node.children and (move := node.children[0].move):
        side = move[0]
    if side is None and node.parent is None and (node.raw("HA") or "0") not in ("0", "1"):
        return 1
    return before if side is None else SIDES.index(side)


def place(go: Go, s: State, node: SgfNode, mover: int) -> State:
    """The position after the setup properties of a node."""
    cells = list("".join(go.rows(s)))
    for name, sign in (("AB", "X"), ("AW", "O"), ("AE", ".")):
        for vertex in node.points(name):
            point = parse_vertex(vertex, go.size)
            assert point is not None
            cells[point] = sign
    try:
        return go.set_up(
            [i for i, c in enumerate(cells) if c == "X"],
            [i for i, c in enumerate(cells) if c == "O"],
            mover,
        )
    except BadPosition as e:
        raise node.error(e.message, "a setup position has no captured stones") from None


def prepared(go: Go, s: State, node: SgfNode) -> State:
    """The position before the move of a node: `s` itself if the node only continues the game.

    Raises:
        SgfError: A value is invalid; the message says why.
    """
    if "B" in node.properties and "W" in node.properties:
        raise node.error("the node has a move of both players", "split it into two nodes")
    if node.is_setup:
        s = place(go, s, node, first_mover(node, go.mover(s)))
    move = node.move
    if move is None:
        return s
    colour, vertex = move
    mover = SIDES.index(colour)
    forced = "KO" in node.properties  # the move is played even if it is illegal
    if go.mover(s) != mover or go.is_terminal(s) or (forced and not legal(go, s, vertex)):
        s = restarted(go, s, mover)
    return s


def step(go: Go, s: State, node: SgfNode) -> State:
    """The position after a node.

    Raises:
        SgfError: A value is invalid or the move is illegal; the message says why.
    """
    s = prepared(go, s, node)
    move = node.move
    if move is None:
        return s
    colour, vertex = move
    try:
        return go.result(s, vertex)
    except UsageError as e:
        raise node.error(f"{colour} plays {e.message}", e.hint) from None


def restarted(go: Go, s: State, mover: int) -> State:
    """The same stones without history, and this player to move."""
    cells = "".join(go.rows(s))
    black, white = ([i for i, c in enumerate(cells) if c == sign] for sign in "XO")
    return go.set_up(black, white, mover)


def legal(go: Go, s: State, vertex: str) -> bool:
    return vertex in go.actions(s)


def to_state(game: SgfGame, node: SgfNode | None = None, go: Go | None = None) -> State:
    """The position at a node: its setup stones and moves.

    Args:
        game: A game.
        node: A node of its tree; by default the last of the main line.
        go: The rules; by default those of the game (`rules_of`).

    Returns:
        A state of Go. Its attribute `game` has the rules.

    Raises:
        SgfError: A move is illegal; the message has the line, the column and the reason.

    >>> from zermelo.games.go import sgf
    >>> game, = sgf.read("(;SZ[3]AB[aa][cc];W[bb];B[ab])")
    >>> s = to_state(game)
    >>> s.game.format_state(s)
    'X../XO./..X white'
    """
    if not isinstance(game, SgfGame):
        raise UsageError(
            f"to_state takes one game, not a {type(game).__name__}", "e.g. sgf.read(text)[0]"
        )
    go = go or rules_of(game)
    if go.size != game.size:
        raise UsageError(
            f"the file has a board of {game.size}x{game.size}, not {go.size}x{go.size}",
            f"load go:size={game.size}",
        )
    s = go.initial()
    for each in (node or game.main_line()[-1]).path():
        s = step(go, s, each)
    return s


# -- checking --------------------------------------------------------------------------------------
def check(game: SgfGame) -> list[Problem]:
    """Replay every variation and report what is wrong, in the order of the file.

    Where a move is illegal, the nodes after it are not replayed.

    >>> from zermelo.games.go import sgf
    >>> game, = sgf.read("(;SZ[9];B[ee](;W[ee])(;W[ec]))")
    >>> [str(problem) for problem in check(game)]
    ['line 1, column 15: white plays E5: the point is occupied']
    """
    problems = _values(game)
    try:
        go = rules_of(game, komi=0.0)  # the komi has no influence on the moves
    except ZermeloError as e:
        return [*problems, _problem(game.root, e)]
    order = {id(node): number for number, node in enumerate(game.nodes())}
    found: list[tuple[int, Problem]] = [(-1, problem) for problem in problems]
    stack = [(game.root, go.initial())]
    sizes = _subtrees(game)
    while stack:
        node, s = stack.pop()
        found += [(order[id(node)], problem) for problem in _repeated(node)]
        try:
            s = step(go, s, node)
            for name in MARKS:
                node.points(name)
        except ZermeloError as e:
            found.append((order[id(node)], _problem(node, e)))
            continue
        # The largest subtree comes last, so that few positions wait at a time.
        children = sorted(node.children, key=lambda child: -sizes[id(child)])
        stack.extend((child, s) for child in children)
    return [problem for _, problem in sorted(found, key=lambda pair: pair[0])]


def _values(game: SgfGame) -> list[Problem]:
    """Numbers of the root that cannot be read."""
    found = []
    for name in ("komi", "handicap"):
        try:
            getattr(game, name)
        except ZermeloError as e:
            found.append(_problem(game.root, e))
    return found


def _repeated(node: SgfNode) -> list[Problem]:
    """Properties with several values of which only the first counts."""
    return [
        Problem(node.line, node.column, f"{name} has {len(values)} values; only the first counts")
        for name in SINGLE
        if len(values := node.properties.get(name, ())) > 1
    ]


def _problem(node: SgfNode, error: ZermeloError) -> Problem:
    place = f"line {node.line}, column {node.column}: "
    return Problem(node.line, node.column, error.message.removeprefix(place))


def _subtrees(game: SgfGame) -> dict[int, int]:
    """The number of nodes below and at each node, by id."""
    sizes: dict[int, int] = {}
    for node in reversed(list(game.nodes())):
        sizes[id(node)] = 1 + sum(sizes[id(child)] for child in node.children)
    return sizes
