"""Checkers endgames tabled: verified forwards, alike for both sides, and as a search finds them."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from zermelo import _core
from zermelo.games.native import State

GAME: Any = zermelo.load("checkers:pieces=3")
HANDLE = GAME.handle


@pytest.fixture(scope="module")
def tabled() -> Any:
    return zermelo.tablebase(GAME)


def random_position(rng: random.Random) -> Any:
    classes = _core.endgame_classes(HANDLE)
    while True:
        number = rng.randrange(len(classes))
        s = State(GAME, HANDLE.endgame_position(number, rng.randrange(classes[number][1])))
        if not GAME.is_terminal(s):
            return s


def test_every_value_follows_from_its_successors(tabled: Any) -> None:
    assert tabled.positions == 2 * (120 + 6_972 + 261_224)
    assert tabled.verify() == tabled.positions


def test_colours_are_alike(tabled: Any) -> None:
    """Turned round, a position is worth the opposite, as soon."""
    rng = random.Random(1)
    for _ in range(2000):
        s = random_position(rng)
        found, mover, _ = GAME.pieces(s)
        turned = {33 - square: letter for square, letter in found.items()}
        sides = {
            side: [f"K{n}" if x.isupper() else str(n) for n, x in turned.items() if x in side]
            for side in ("bB", "wW")
        }
        fen = f"{'WB'[mover]}:W{','.join(sides['bB'])}:B{','.join(sides['wW'])}"
        here, there = tabled.probe(s), tabled.probe(GAME.parse_state(fen))
        assert (here.value, here.distance) == (-there.value, there.distance), fen


def test_a_deep_search_without_tables_agrees(tabled: Any) -> None:
    rng = random.Random(2)
    near = 0
    for _ in range(300):
        s = random_position(rng)
        said = tabled.probe(s)
        found = zermelo.search(GAME, s, algorithm="engine", depth=9)
        if found.exact:
            assert found.value == said.value, GAME.format_state(s)
        if said.distance is not None and said.distance <= 9:
            near += 1
            assert found.exact and found.value == said.value, GAME.format_state(s)
    assert near > 30


def test_tables_of_so_many_pieces() -> None:
    assert zermelo.tablebase(GAME, pieces=2).positions == 2 * (120 + 6_972)
