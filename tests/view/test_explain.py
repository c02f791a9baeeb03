"""What `explain` claims holds: checked against brute force on random trees."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import zermelo

Tree = Any  # a leaf (a number or a tuple), or (player, children)


def random_tree(rng: random.Random, players: int, depth: int) -> Tree:
    if depth == 0 or (depth < 3 and rng.random() < 0.25):
        if players == 2:
            return rng.randint(-3, 3)
        return tuple(rng.randint(0, 3) for _ in range(players))
    children = [random_tree(rng, players, depth - 1) for _ in range(rng.randint(1, 4))]
    return rng.randrange(players), children


def text_of(tree: Tree, players: int) -> str:
    if isinstance(tree, int):
        return str(tree)
    if not isinstance(tree[1], list):
        return f"({','.join(map(str, tree))})"
    name = ("max", "min")[tree[0]] if players == 2 else f"p{tree[0] + 1}"
    return f"{name}({' '.join(text_of(child, players) for child in tree[1])})"


def value_of(tree: Tree) -> Any:
    """Minimax, or max^n where the first of equal moves is taken."""
    if isinstance(tree, int) or not isinstance(tree[1], list):
        return tree
    values = [value_of(child) for child in tree[1]]
    if isinstance(values[0], int):
        return min(values) if tree[0] else max(values)
    return max(values, key=lambda v: v[tree[0]])


def found(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, text, re.MULTILINE)


def check_duel(tree: Tree, text: str) -> None:
    mover, children = tree
    values = {str(i): value_of(child) for i, child in enumerate(children, 1)}
    sign = -1 if mover else 1
    best = found(rf"^Best move for {('MAX', 'MIN')[mover]}: (\d+)\.$", text)
    assert best is not None and values[best[1]] == value_of(tree)
    assert f"With best play the value for MAX is {value_of(tree)} (proved)." in text
    equal = found(r"^Equally good: (.*)\.$", text)
    named = equal[1].split(", ") if equal else [best[1]]
    assert {values[name] for name in named} == {value_of(tree)}
    rest = {name: v for name, v in values.items() if name not in named}
    if claim := found(r"^The next best move is (\d+), worth (at \w+ )?(-?\d+)", text):
        assert sign * rest[claim[1]] == max(sign * v for v in rest.values())
        check_bound(claim[2], rest[claim[1]], int(claim[3]))
    if claim := found(r"^The other move is (\d+), worth (at \w+) (-?\d+)", text):
        assert list(rest) == [claim[1]]
        check_bound(claim[2], rest[claim[1]], int(claim[3]))
    if claim := found(r"^The next best moves are (.*), each worth (-?\d+)\.$", text):
        names = claim[1].split(", ")
        assert {rest[name] for name in names} == {int(claim[2])}
        assert sign * int(claim[2]) == max(sign * v for v in rest.values())
    if claim := found(r"^Every other move is worth (at \w+) (-?\d+) for MAX\.$", text):
        for v in rest.values():
            check_bound(claim[1], v, int(claim[2]))
    check_reply(tree, children[int(best[1]) - 1], text, ("MAX", "MIN"))


def check_bound(word: str | None, value: int, claimed: int) -> None:
    word = (word or "").strip()
    assert value <= claimed if word == "at most" else (
        value >= claimed if word == "at least" else value == claimed
    )  # fmt: skip


def check_reply(tree: Tree, child: Tree, text: str, names: tuple[str, ...]) -> None:
    reply = found(r"^The best reply(?: of (\w+))? is (\d+)\.$", text)
    again = found(r"^(\w+) moves again: (\d+)\.$", text)
    if isinstance(child, int) or not isinstance(child[1], list):
        assert reply is None and again is None
        return
    claim, wrong = (again, reply) if child[0] == tree[0] else (reply, again)
    assert wrong is None
    if claim is None:  # a line that a table cut short
        assert "Main line" not in text
        return
    after, mover = value_of(child[1][int(claim[2]) - 1]), child[0]
    if isinstance(after, int):
        assert after == value_of(child)
    else:
        assert after[mover] == value_of(child)[mover]
        assert claim[1] is None or claim[1].lower() == names[mover]


@pytest.mark.parametrize("algorithm", ["auto", "minimax", "alphabeta", "engine", "solve"])
def test_claims_about_trees_of_two(algorithm: str) -> None:
    rng = random.Random(algorithm)
    for _ in range(300):
        tree = random_tree(rng, 2, 4)
        game = zermelo.tree(text_of(tree, 2))
        can = algorithm not in ("engine", "minimax")
        ties: dict[str, Any] = {"ties": True} if can and rng.random() < 0.5 else {}
        if algorithm == "solve":
            r = zermelo.solve(game, **ties)
        else:
            r = zermelo.search(game, None, algorithm, **ties)
        check_duel(tree, r.explain())


def test_claims_about_trees_of_three() -> None:
    rng = random.Random(3)
    names = ("p1", "p2", "p3")
    for _ in range(300):
        tree = random_tree(rng, 3, 4)
        text = zermelo.search(zermelo.tree(text_of(tree, 3))).explain()
        mover, values = tree[0], [value_of(child) for child in tree[1]]
        own = [v[mover] for v in values]
        best = found(rf"^Best move for {names[mover]}: (\d+)\.$", text)
        assert best is not None and own[int(best[1]) - 1] == max(own)
        got = values[int(best[1]) - 1]
        shown = ", ".join(f"{name} {v}" for name, v in zip(names, got, strict=True))
        assert f"(proved): {shown}." in text
        equal = found(rf"^Equally good for {names[mover]}: (.*)\.$", text)
        named = [int(n) - 1 for n in equal[1].split(", ")] if equal else [int(best[1]) - 1]
        assert named == [i for i, v in enumerate(own) if v == max(own)]
        rest = {i: v for i, v in enumerate(own) if i not in named}
        if claim := found(r"^The next best move is (\d+), worth \((.*)\)", text):
            assert rest[int(claim[1]) - 1] == max(rest.values())
        if claim := found(r"^The next best moves are (.*), each worth (\d+) to (p\d)\.$", text):
            assert claim[3] == names[mover] and int(claim[2]) == max(rest.values())
            assert {rest[int(n) - 1] for n in claim[1].split(", ")} == {max(rest.values())}
        check_reply(tree, tree[1][int(best[1]) - 1], text, names)


def test_an_evaluation_is_named_only_where_there_is_one() -> None:
    class Long(zermelo.Game):
        """No evaluation, and no end within a few moves."""

        def initial(self) -> int:
            return 0

        def player(self, s: int) -> int:
            return s % 2

        def actions(self, s: int) -> list[int]:
            return [1, 2]

        def result(self, s: int, a: int) -> int:
            return s + a

        def is_terminal(self, s: int) -> bool:
            return s >= 60

        def utility(self, s: int, p: int) -> float:
            return 1.0 if (s % 2 == 0) == (p == 0) else -1.0

    text = zermelo.search(Long(), depth=2).explain()
    assert "did not reach the end of every line" in text and "heuristic" not in text
    judged = zermelo.search(Long(), depth=2, evaluate=lambda s, p: 0.25 if p == 0 else -0.25)
    assert "about 0.25, based on a heuristic evaluation" in judged.explain()
    assert "Best move for the first player: " in text


def test_players_have_the_names_of_their_game() -> None:
    def words(spec: str, position: str | None = None) -> str:
        game = zermelo.load(spec)
        return zermelo.search(game, position and game.parse_state(position), depth=2).explain()

    assert "Best move for White: " in words("chess")
    assert "The value for Red is about" in words("connect-four")
    assert "Best move for Black: " in words("othello")
    assert words("tic-tac-toe", "XXX/OO./...") == "The game is over: X wins."
    assert words("tic-tac-toe", "XOX/XOO/OXX") == "The game is over: a draw."


@pytest.mark.parametrize(
    ("leaf", "words"),
    [
        ("(2,2,2)", "a draw between p1, p2 and p3"),
        ("(1,3,3)", "p2 and p3 tie for first place (p1 1, p2 3, p3 3)"),
        ("(0,1,5)", "p3 wins (p1 0, p2 1, p3 5)"),
    ],
)
def test_the_end_of_a_game_of_three(leaf: str, words: str) -> None:
    game = zermelo.tree(f"p1({leaf} p2({leaf} {leaf}) p3({leaf}))")
    r = zermelo.search(game, game.result(game.initial(), game.actions(game.initial())[0]))
    assert r.explain() == f"The game is over: {words}."
    assert str(r).startswith(f"the game is over: {words}; value ")


def test_a_wide_tree_is_explained_in_linear_time() -> None:
    game = zermelo.tree(f"max({' '.join(str(i % 7) for i in range(20_000))})")
    r = zermelo.search(game, None, "minimax")
    assert "Equally good: " in r.explain()


def test_figures_are_written_as_people_write_them() -> None:
    from zermelo.view.number import rate

    text = str(zermelo.solve(zermelo.tree("max(1 2)")))
    assert "1 nodes" not in text and "1 node\n" in text and "0.0 M" not in text
    shown = [rate(n, 1.0, "nodes") for n in (7, 999, 1000, 45_600, 2_340_000)]
    assert shown == ["7 nodes/s", "999 nodes/s", "1.0 k nodes/s", "45.6 k nodes/s", "2.3 M nodes/s"]


def test_solve_says_why_it_took_another_algorithm() -> None:
    dice = zermelo.solve(zermelo.load("pig:target=5"))
    assert dice.algorithm == "value-iteration"
    assert dice.why.startswith("the game has chance, and positions can repeat")
    named = zermelo.solve(zermelo.load("pig:target=5"), None, "value-iteration")
    assert named.why.startswith("requested")


def random_position(game: zermelo.Game, rng: random.Random, moves: int) -> Any:
    """A position in which a player moves, after up to `moves` random moves of the players."""
    while True:
        s, left = game.initial(), rng.randint(0, moves)
        while not game.is_terminal(s):
            chance = game.player(s) == zermelo.CHANCE
            if not chance and not left:
                return s
            left -= not chance
            s = game.result(s, rng.choice(list(game.actions(s))))


def check_next_best(r: zermelo.Result) -> bool:
    """Whether a next best move is named; it must not be worth more to the mover than the best."""
    said = re.search(
        r"The next best moves? (?:is|are) ([^;\n]*), (?:each with )?value", r.explain()
    )
    if not said:
        return False
    sign = 1 if r.player == 0 else -1
    names = said[1].split(", ")
    for m in r.moves:
        if r.game.format_action(r.state, m.action) in names:
            assert sign * m.value <= sign * r.value + 1e-9, r.explain()
            assert m.kind == "exact" or r.kind != "exact", r.explain()
    return True


def test_the_next_best_move_is_not_better_than_the_best() -> None:
    rng, game = random.Random(7), zermelo.load("tic-tac-toe")
    named = 0
    for _ in range(250):
        s = random_position(game, rng, 6)
        for options in ({"depth": rng.randint(1, 4)}, {"algorithm": "minimax", "depth": 3}):
            named += check_next_best(zermelo.search(game, s, **options))
    assert named > 50
    for position in ("X../X../.OO", "XO./.X./..O"):
        text = zermelo.search(game, game.parse_state(position)).explain()
        assert "wins with best play (proved)" in text and "next best" not in text


def test_a_mixed_strategy_is_not_compared_by_values_it_does_not_follow() -> None:
    rng, game = random.Random(8), zermelo.load("holdem")
    overruled = 0
    for _ in range(60):
        r = zermelo.search(game, random_position(game, rng, 5))
        check_next_best(r)
        sign = 1 if r.player == 0 else -1
        if any(sign * m.value > sign * r.value + 1e-9 for m in r.moves):
            overruled += 1
            assert "worth" not in r.explain() and "value" not in r.explain()
    assert overruled > 5


def test_dropped_changes_of_the_preferred_move_are_marked() -> None:
    from zermelo.view.explain import changes

    r = zermelo.search(zermelo.tree("max(1 2 3)"), None, "minimax")
    a, b, c = (m.action for m in r.moves)
    names = [r.game.format_action(r.state, x) for x in (a, b, c)]
    for story, dropped in (([a, b, c, b], ""), ([a, b, c, b, a, c], ", …")):
        r.story = [(depth, action, 0.0) for depth, action in enumerate(story, 1)]
        text = changes(r)
        assert text.startswith(f"At depth 1 the search preferred {names[0]}{dropped}, then ")
        assert text.count("from depth") == 3


@pytest.mark.parametrize(
    ("spec", "first"),
    [
        ("pig:target=5", "Roll the dice first (chance node)."),
        ("2048", "Add a tile first (chance node)."),
    ],
)
def test_chance_is_to_move(spec: str, first: str) -> None:
    game = zermelo.load(spec)
    s = game.initial()
    if game.player(s) != zermelo.CHANCE:
        s = game.result(s, "roll")
    text = zermelo.search(game, s, depth=1).explain().splitlines()
    assert text[0] == first and any(row.startswith("Values by outcome: ") for row in text)
