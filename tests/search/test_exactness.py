"""What a search says is proved must be true: checked against brute force written here."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import chess
import pytest

import zermelo
from zermelo.ui.uci.info import variations_of

EPSILON = 1e-9
ROWS, COLUMNS = 4, 5


def check(r: zermelo.Result, truth: float, children: dict[Any, float], sign: int) -> None:
    """Every kind is true, every root action is listed once, `best` holds no action that is worse
    than the best unless nothing is proved."""
    assert_kind(r.kind, r.value, truth)
    assert sorted(m.action for m in r.moves) == sorted(children)
    for m in r.moves:
        assert_kind(m.kind, m.value, children[m.action])
    assert r.action in children
    if r.exact:
        top = max(sign * v for v in children.values())
        assert r.action in r.best
        assert all(abs(sign * children[a] - top) < EPSILON for a in r.best)
    else:
        assert r.best == [r.action]


def assert_kind(kind: str, value: float, truth: float) -> None:
    if kind == "exact":
        assert abs(value - truth) < EPSILON, f"exact {value}, true {truth}"
    elif kind == "lower":
        assert truth >= value - EPSILON, f"at least {value}, true {truth}"
    elif kind == "upper":
        assert truth <= value + EPSILON, f"at most {value}, true {truth}"
    else:
        assert kind == "estimate"


# -- connect four, 5 columns and 4 rows --------------------------------------------------------
LINES = [
    [(c + i * dc, r + i * dr) for i in range(4)]
    for c in range(COLUMNS)
    for r in range(ROWS)
    for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))
    if 0 <= c + 3 * dc < COLUMNS and 0 <= r + 3 * dr < ROWS
]
MASKS = [sum(1 << (c * ROWS + r) for c, r in line) for line in LINES]
FULL = (1 << ROWS * COLUMNS) - 1


def has_won(stones: int) -> bool:
    return any(stones & m == m for m in MASKS)


def moves_of(mine: int, other: int) -> dict[int, int]:
    """Column (from 1) to the stone that falls into it."""
    taken, found = mine | other, {}
    for c in range(COLUMNS):
        for r in range(ROWS):
            stone = 1 << (c * ROWS + r)
            if not taken & stone:
                found[c + 1] = stone
                break
    return found


@cache
def brute(mine: int, other: int) -> int:
    """The value for the player to move, who owns `mine`."""
    if has_won(other):
        return -1
    if mine | other == FULL:
        return 0
    return max(-brute(other, mine | stone) for stone in moves_of(mine, other).values())


def random_position(rng: random.Random, plies: int) -> str | None:
    mine = other = 0
    text = ""
    for _ in range(plies):
        column, stone = rng.choice(list(moves_of(mine, other).items()))
        mine, other, text = other, mine | stone, text + str(column)
        if has_won(other) or mine | other == FULL:
            return None
    return text


def position_values(text: str) -> tuple[float, dict[int, float], int]:
    """Player 0's value, the values of the moves, and the mover's sign."""
    mine = other = 0
    for column in text:
        mine, other = other, mine | moves_of(mine, other)[int(column)]
    sign = 1 if len(text) % 2 == 0 else -1
    children = {
        c: 0.0 - sign * brute(other, mine | stone) for c, stone in moves_of(mine, other).items()
    }
    return sign * max(sign * v for v in children.values()), children, sign


@pytest.fixture(scope="module")
def positions() -> list[str]:
    rng = random.Random(17)
    found = {"11124254545"}
    while len(found) < 780:
        text = random_position(rng, rng.randint(11, 15))
        if text is not None:
            found.add(text)
    return sorted(found)


@pytest.fixture(scope="module")
def small_board() -> zermelo.Game:
    return zermelo.load(f"connect-four:width={COLUMNS},height={ROWS}")


def each(game: Any, positions: list[str]) -> Any:
    for text in positions:
        yield text, game.parse_state(text), *position_values(text)


def test_solve_of_connect_four_is_true_and_finds_all_ties(
    small_board: Any, positions: list[str]
) -> None:
    for text, state, value, children, sign in each(small_board, positions):
        r = zermelo.solve(small_board, state, table=1)
        assert r.exact, text
        check(r, value, children, sign)
        r = zermelo.solve(small_board, state, ties=True, table=1)
        check(r, value, children, sign)
        assert sorted(r.best) == sorted(a for a, v in children.items() if v == value), text


LIMITED = [
    ("alphabeta", {"depth": 3, "nodes": 20}),
    ("alphabeta", {"depth": 4}),
    ("alphabeta", {"nodes": 60, "ties": True}),
    ("alphabeta", {"nodes": 300, "lines": 2, "table": 1}),
    ("alphabeta", {"depth": 5, "cut": "strict", "fail": "hard", "ties": True}),
    ("minimax", {"depth": 3, "nodes": 20}),
    ("minimax", {"nodes": 100}),
    ("engine", {"depth": 3, "nodes": 10}),
    ("engine", {"nodes": 15}),
    ("engine", {"nodes": 40, "lines": 3}),
    ("engine", {"depth": 4, "lines": 2}),
    ("engine", {"nodes": 100, "narrow": False, "mirror": False}),
    ("mcts", {"simulations": 30, "seed": 1}),
    ("mcts", {"simulations": 300, "seed": 2}),
    ("maxn", {"nodes": 50}),
    ("paranoid", {"nodes": 50}),
    ("best-reply", {"depth": 3, "nodes": 30}),
    ("expectiminimax", {"nodes": 60, "lines": 2}),
]


@pytest.mark.parametrize(("algorithm", "limits"), LIMITED, ids=str)
def test_limited_search_of_connect_four_claims_only_what_is_true(
    small_board: Any, positions: list[str], algorithm: str, limits: dict[str, Any]
) -> None:
    for text, state, value, children, sign in each(small_board, positions):
        r = zermelo.search(small_board, state, algorithm, **limits)
        try:
            check(r, value, children, sign)
        except AssertionError as e:
            raise AssertionError(f"{text}: {e} {r!r} {r.moves}") from None


def test_engine_lines_go_on_until_the_best_are_exact(
    small_board: Any, positions: list[str]
) -> None:
    for text, state, value, children, sign in each(small_board, positions):
        for lines in (2, 3):
            r = zermelo.search(small_board, state, "engine", lines=lines, deepen=True)
            check(r, value, children, sign)
            top = sorted((sign * v for v in children.values()), reverse=True)[:lines]
            found = sorted((sign * m.value for m in r.moves if m.kind == "exact"), reverse=True)
            assert found[: len(top)] == top, text


def test_moves_that_are_not_proved_equal_are_not_best() -> None:
    game = zermelo.load("connect-four")
    for depth in range(1, 9):
        r = zermelo.search(game, game.parse_state("4455"), depth=depth)
        assert r.best == [r.action]
        assert not r.exact or r.action == 3
    game = zermelo.load("tic-tac-toe")
    state = game.parse_state(".../OO./.XX")
    for r in (zermelo.search(game, state), zermelo.solve(game, state)):
        assert r.best == ["a3"]
        assert {m.action: m.kind for m in r.moves}["c2"] != "upper"  # it wins, too
    assert sorted(zermelo.solve(game, state, ties=True).best) == ["a3", "c2"]


# -- scores: solved window by window -----------------------------------------------------------
def backward(game: Any, s: Any, memo: dict[str, float]) -> float:
    key = game.format_state(s)
    if key not in memo:
        if game.is_terminal(s):
            memo[key] = game.utility(s, 0)
        else:
            each = [backward(game, game.result(s, a), memo) for a in game.actions(s)]
            memo[key] = max(each) if game.player(s) == 0 else min(each)
    return memo[key]


@pytest.mark.parametrize(
    ("spec", "plies"),
    [("connect-four:width=5,height=4,score=distance", 14), ("othello:size=4", 5)],
)
def test_games_of_scores(spec: str, plies: int) -> None:
    game, rng, checked = zermelo.load(spec), random.Random(8), 0
    while checked < 40:
        s = game.initial()
        for _ in range(plies):
            if not game.is_terminal(s):
                s = game.result(s, rng.choice(game.actions(s)))
        if game.is_terminal(s):
            continue
        checked += 1
        memo: dict[str, float] = {}
        children = {a: backward(game, game.result(s, a), memo) for a in game.actions(s)}
        sign = 1 if game.player(s) == 0 else -1
        value = sign * max(sign * v for v in children.values())
        r = zermelo.solve(game, s, table=1)
        assert r.exact
        check(r, value, children, sign)
        r = zermelo.solve(game, s, ties=True, table=1)
        assert sorted(r.best) == sorted(a for a, v in children.items() if v == value)
        check(r, value, children, sign)
        for limits in ({"nodes": 15}, {"nodes": 60, "lines": 2}, {"depth": 3}):
            check(zermelo.search(game, s, "engine", **limits), value, children, sign)


# -- random trees ------------------------------------------------------------------------------
@dataclass
class Node:
    player: int  # -1: chance, -2: terminal
    utility: tuple[float, ...] = ()
    children: list[Node] = field(default_factory=list)
    odds: list[float] = field(default_factory=list)


class RandomGraph(zermelo.Game):
    """A tree in which some nodes have several parents. Actions are the places of the children."""

    name = "random graph"
    utility_bounds = (-1.0, 1.0)

    def __init__(self, rng: random.Random, players: int, chance: bool, zero_sum: bool) -> None:
        self.players, self.chance, self.zero_sum = players, chance, zero_sum
        self.rng = rng
        self.nodes: list[Node] = []
        self.shared: dict[int, list[Node]] = {}
        root = self._grow(rng.randint(2, 5), top=True)
        self.root = self.nodes.index(root)
        self.number = {id(n): i for i, n in enumerate(self.nodes)}

    def _grow(self, depth: int, top: bool = False) -> Node:
        rng = self.rng
        known = self.shared.setdefault(depth, [])
        if known and rng.random() < 0.3:
            return rng.choice(known)
        if not top and (depth == 0 or rng.random() < 0.25):
            scale = rng.choice((1, 2, 2, 4))
            utility = [rng.randint(-scale, scale) / scale for _ in range(self.players)]
            if self.zero_sum:
                utility[1] = 0.0 - utility[0]
            node = Node(-2, tuple(utility))
        elif self.chance and rng.random() < 0.25 and depth > 0:
            count = rng.randint(1, 3)
            weights = [rng.randint(1, 4) for _ in range(count)]
            node = Node(-1, odds=[w / sum(weights) for w in weights])
            node.children = [self._grow(depth - 1) for _ in range(count)]
        else:
            node = Node(rng.randrange(self.players))
            node.children = [self._grow(depth - 1) for _ in range(rng.randint(1, 3))]
        self.nodes.append(node)
        known.append(node)
        return node

    def initial(self) -> int:
        return self.root

    def player(self, s: int) -> int:
        return self.nodes[s].player

    def actions(self, s: int) -> list[int]:
        return list(range(len(self.nodes[s].children)))

    def result(self, s: int, a: int) -> int:
        return self.number[id(self.nodes[s].children[a])]

    def is_terminal(self, s: int) -> bool:
        return self.nodes[s].player == -2

    def utility(self, s: int, p: int) -> float:
        return self.nodes[s].utility[p]

    def value(self, n: Node) -> tuple[float, ...]:
        """Backward induction; of equal children the first."""
        if n.player == -2:
            return n.utility
        each = [self.value(c) for c in n.children]
        if n.player == -1:
            return tuple(
                sum(p * v[i] for p, v in zip(n.odds, each, strict=True))
                for i in range(self.players)
            )
        if self.zero_sum:
            return max(each, key=lambda v: v[0] if n.player == 0 else -v[0])
        return max(each, key=lambda v: v[n.player])


class ChanceGraph(RandomGraph):
    def outcomes(self, s: int) -> list[tuple[int, float]]:
        return list(enumerate(self.nodes[s].odds))


def graphs(count: int, players: int, chance: bool, zero_sum: bool) -> list[RandomGraph]:
    rng = random.Random(f"{players}{chance}{zero_sum}")
    made = ChanceGraph if chance else RandomGraph
    return [made(rng, players, chance, zero_sum) for _ in range(count)]


def check_tree(game: RandomGraph, r: zermelo.Result) -> None:
    root = game.nodes[game.root]
    truth = game.value(root)
    children = {i: game.value(c) for i, c in enumerate(root.children)}
    if root.player == -1:
        assert r.action is None and r.best == []
        assert_kind(r.kind, r.value, truth[0])
        for m in r.moves:
            assert_kind(m.kind, m.value, children[m.action][0])
        return
    if game.zero_sum:
        sign = 1 if root.player == 0 else -1
        check(r, truth[0], {a: v[0] for a, v in children.items()}, sign)
        return
    assert sorted(m.action for m in r.moves) == sorted(children)
    for m in r.moves:
        assert m.kind in ("exact", "estimate")
        if m.kind == "exact":
            assert m.values == pytest.approx(children[m.action])
    if r.kind == "exact":
        assert r.values == pytest.approx(truth)
        assert all(children[a][root.player] == pytest.approx(truth[root.player]) for a in r.best)
    else:
        assert r.kind == "estimate" and r.best == [r.action]


TREE_LIMITS: list[dict[str, Any]] = [
    {},
    {"depth": 1},
    {"depth": 2},
    {"depth": 3},
    {"nodes": 5},
    {"nodes": 12},
    {"depth": 3, "nodes": 8},
    {"table": 1},
    {"table": 1, "nodes": 15},
    {"table": 1, "depth": 3},
]
DUEL = ("minimax", "alphabeta", "engine", "maxn", "paranoid", "best-reply", "expectiminimax")


@pytest.mark.parametrize("algorithm", [*DUEL, "auto", "mcts"])
def test_fractional_utilities_are_never_taken_for_decided(algorithm: str) -> None:
    for i, game in enumerate(graphs(250, 2, False, True)):
        for limits in TREE_LIMITS:
            if algorithm == "mcts" and limits.keys() - {"nodes"}:
                continue
            if algorithm == "minimax" and "table" in limits:
                continue
            given = dict(limits)
            if algorithm == "mcts":
                given = {"simulations": given.get("nodes", 60), "seed": i}
            check_tree(game, zermelo.search(game, None, algorithm, **given))


def test_solve_with_fractional_utilities() -> None:
    for game in graphs(600, 2, False, True):
        truth = game.value(game.nodes[game.root])[0]
        r = zermelo.solve(game)
        assert r.exact
        check_tree(game, r)
        r = zermelo.solve(game, ties=True)
        check_tree(game, r)
        root = game.nodes[game.root]
        ties = [i for i, c in enumerate(root.children) if game.value(c)[0] == truth]
        assert sorted(r.best) == ties
        assert zermelo.solve_all(game, [game.root])[0].value == truth


@pytest.mark.parametrize("algorithm", DUEL)
@pytest.mark.parametrize("judged", [False, True])
def test_depth_limits_compare_fractional_utilities_with_evaluations(
    algorithm: str, judged: bool
) -> None:
    for game in graphs(250, 2, False, True):
        marks = [random.Random(i).randint(-7, 7) / 8 for i in range(len(game.nodes))]

        def estimate(s: int, p: int, marks: Any = marks) -> float:
            return marks[s] if p == 0 else -marks[s]

        def value(n: Node, depth: int, game: RandomGraph = game, marks: Any = marks) -> float:
            if n.player == -2:
                return n.utility[0]
            if depth == 0:
                return marks[game.number[id(n)]] if judged else 0.0
            each = [value(c, depth - 1) for c in n.children]
            return max(each) if n.player == 0 else min(each)

        for depth in (1, 2, 3, 4):
            given = {"evaluate": estimate} if judged else {}
            r = zermelo.search(game, None, algorithm, depth=depth, **given)
            assert r.value == value(game.nodes[game.root], depth)
            check_tree(game, r)


@pytest.mark.parametrize(
    "algorithm", ["expectiminimax", "maxn", "paranoid", "best-reply", "mcts", "auto"]
)
def test_chance_trees(algorithm: str) -> None:
    for i, game in enumerate(graphs(250, 2, True, True)):
        for limits in TREE_LIMITS:
            if algorithm == "mcts" and limits.keys() - {"nodes"}:
                continue
            if algorithm == "minimax" and "table" in limits:
                continue
            given = dict(limits)
            if algorithm == "mcts":
                given = {"simulations": given.get("nodes", 60), "seed": i}
            check_tree(game, zermelo.search(game, None, algorithm, **given))


@pytest.mark.parametrize("algorithm", ["maxn", "paranoid", "best-reply", "mcts"])
@pytest.mark.parametrize("players", [2, 3])
def test_general_sum_trees(algorithm: str, players: int) -> None:
    for i, game in enumerate(graphs(150, players, False, False)):
        for limits in TREE_LIMITS:
            if algorithm == "mcts" and limits.keys() - {"nodes"}:
                continue
            if algorithm == "minimax" and "table" in limits:
                continue
            given = dict(limits)
            if algorithm == "mcts":
                given = {"simulations": given.get("nodes", 60), "seed": i}
            check_tree(game, zermelo.search(game, None, algorithm, **given))


# -- chess: distances to mate, several lines ---------------------------------------------------
def mates(board: chess.Board, plies: int) -> bool:
    """Can the side to move force mate within `plies`?"""
    for move in list(board.legal_moves):
        board.push(move)
        won = board.is_checkmate() or (plies > 2 and is_mated(board, plies - 1))
        board.pop()
        if won:
            return True
    return False


def is_mated(board: chess.Board, plies: int) -> bool:
    """Is the side to move mated within `plies`, whatever it does?"""
    if board.is_game_over():
        return board.is_checkmate()
    for move in list(board.legal_moves):
        board.push(move)
        lost = plies > 1 and mates(board, plies - 1)
        board.pop()
        if not lost:
            return False
    return True


def shortest(fen: str, most: int) -> int | None:
    board = chess.Board(fen)
    white = board.turn == chess.WHITE  # who alone can mate in these positions
    for plies in range(1 if white else 2, most + 1, 2):
        if (mates if white else is_mated)(board, plies):
            return plies
    return None


def random_mating_position(rng: random.Random) -> str | None:
    board = chess.Board(None)
    black = rng.choice([0, 1, 2, 6, 7, 8, 24, 31, 56, 57, 63])
    for square, piece in zip(rng.sample(range(64), 3), "KQR", strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(piece))
    board.set_piece_at(black, chess.Piece.from_symbol("k"))
    board.turn = rng.random() < 0.5
    whole = board.king(chess.WHITE) is not None and board.is_valid() and not board.is_game_over()
    return board.fen() if whole else None


def test_mate_distances_are_the_shortest() -> None:
    game = zermelo.load("chess")
    # Black's queen mates in 4 plies; in the others White does.
    r = zermelo.search(game, game.parse_state("4q3/8/8/8/8/2k5/K7/8 w - - 0 1"), "engine", depth=6)
    assert (r.value, r.kind, r.distance) == (-1, "exact", 4)
    rng, checked = random.Random(5), 0
    fens = ["5R2/8/8/7Q/8/3K4/8/k7 b - - 0 1", "8/8/8/7Q/8/8/R3K3/6k1 b - - 0 1"]
    while checked < 20:
        fen = fens.pop() if fens else random_mating_position(rng)
        if fen is None:
            continue
        r = zermelo.search(game, game.parse_state(fen), "engine", depth=5)
        true = shortest(fen, 4 if r.distance is None else min(4, r.distance))
        assert true is None or (r.exact and r.distance == true), fen
        checked += true is not None


def test_lines_of_chess_are_sorted_by_score() -> None:
    game, rng = zermelo.load("chess"), random.Random(3)
    for _ in range(40):
        s = game.initial()
        for _ in range(rng.randint(4, 40)):
            if not game.is_terminal(s):
                s = game.result(s, rng.choice(game.actions(s)))
        if game.is_terminal(s):
            continue
        told: list[zermelo.Result] = []
        told.append(zermelo.search(game, s, "engine", depth=4, lines=3, on_depth=told.append))
        for r in told:
            lines = variations_of(r, ())
            assert [line.centipawns for line in lines] == sorted(
                (line.centipawns for line in lines), reverse=True
            )
            assert lines[0].action == r.action


# -- what the bounds of the utilities allow to claim ---------------------------------------------
class Listed(zermelo.Game):
    """A graph as lists: the children, the player and the utility of each state."""

    def __init__(self, children: list[list[int]], movers: list[int], worth: list[float]) -> None:
        self.children, self.movers, self.worth = children, movers, worth

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return self.movers[s]

    def actions(self, s: int) -> list[int]:
        return list(range(len(self.children[s])))

    def result(self, s: int, a: int) -> int:
        return self.children[s][a]

    def is_terminal(self, s: int) -> bool:
        return not self.children[s]

    def utility(self, s: int, p: int) -> float:
        return self.worth[s] if p == 0 else -self.worth[s]


def test_a_proved_win_is_a_bound_where_more_than_a_win_is_possible() -> None:
    scores = Listed([[1, 2], [], [3], [4], []], [0] * 5, [0, 1, 0, 0, 5])
    r = zermelo.search(scores, algorithm="proof-number")
    assert (r.value, r.kind) == (1, "lower")
    scores.utility_bounds = (-1, 1)
    with pytest.raises(zermelo.RulesError, match="utility"):
        zermelo.search(scores, algorithm="minimax")
    cycle = Listed([[2, 3, 1], [0, 4], [], [5], [], [6], []], [1, 0, 0, 1, 0, 1, 0],
                   [0, 0, -1, 0, 2, 0, -3])  # fmt: skip
    with pytest.raises(zermelo.ZermeloError):  # true: -3
        zermelo.solve(cycle)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "engine", "expectimax", "mcts"])
def test_one_player_with_any_sum_has_one_value(algorithm: str) -> None:
    alone = Listed([[1, 2], [], []], [0] * 3, [0, 1, 2])
    alone.players, alone.zero_sum = 1, False
    alone.evaluate = lambda s, p: -7.5  # type: ignore[attr-defined]
    r = zermelo.search(alone, algorithm=algorithm)
    assert (r.value, r.values, r.action, r.exact) == (2, (2,), 1, True)


def test_exact_moves_of_alphabeta_with_a_table_have_lines_that_reach_their_value() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        count = 9
        children = [
            sorted(rng.choices(range(s + 1, count), k=rng.randint(1, 3))) if s < count - 3 else []
            for s in range(count)
        ]
        game = Listed(children, [rng.randrange(2) for _ in range(count)],
                      [rng.choice((-1.0, 0.0, 1.0)) for _ in range(count)])  # fmt: skip
        game.utility_bounds = (-1, 1)
        for r in (zermelo.search(game, algorithm="alphabeta", table=1),
                  zermelo.solve(game, ties=True)):  # fmt: skip
            for m in r.moves:
                s = 0
                for action in m.pv:
                    s = game.result(s, action)
                if m.kind == "exact" and game.is_terminal(s):
                    assert game.utility(s, 0) == m.value, (seed, m)
                elif m.kind == "exact":  # the line ends early, but on the way
                    assert least_to_most(game, s) == m.value, (seed, m)


def least_to_most(game: Listed, s: int) -> float:
    """The value of a state by brute force."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    return (max, min)[game.player(s)](least_to_most(game, c) for c in game.children[s])


class Rerolled(zermelo.Game):
    """Chance repeats itself until it ends the game."""

    utility_bounds = (0, 1)

    def initial(self) -> str:
        return "roll"

    def player(self, s: str) -> int:
        return zermelo.CHANCE

    def actions(self, s: str) -> list[str]:
        return ["again", "once more", "end"]

    def outcomes(self, s: str) -> list[tuple[str, float]]:
        return [("again", 0.5), ("once more", 0.375), ("end", 0.125)]

    def result(self, s: str, a: str) -> str:
        return "over" if a == "end" else "roll"

    def is_terminal(self, s: str) -> bool:
        return s == "over"

    def utility(self, s: str, p: int) -> float:
        return 1.0 if p == 0 else -1.0


@pytest.mark.parametrize("algorithm", ["expectiminimax", "maxn", "paranoid"])
def test_chance_that_repeats_costs_depth(algorithm: str) -> None:
    r = zermelo.search(Rerolled(), algorithm=algorithm, depth=3, nodes=100_000)
    assert not r.stopped and r.kind == "estimate" and 0 < r.value < 1
