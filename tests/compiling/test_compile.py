"""Compiled rules give the same answers as the Python rules."""

from __future__ import annotations

import ctypes
import pickle
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")
from compiled_games import (
    GAMES,
    NAMES,
    RECORD,
    Bits,
    ConnectFour,
    Dice,
    Graph,
    Heaps,
    Nim,
    Pig,
    Place,
    RecordGame,
)
from zermelo import search
from zermelo.compiling.api import compile
from zermelo.compiling.check import Native
from zermelo.compiling.compiler import CompiledGame
from zermelo.game import CHANCE, Game


def native(game: CompiledGame) -> Native:
    return Native(game.native_spec.addresses, game.native_spec.state_size)


@pytest.mark.parametrize("rules", GAMES, ids=NAMES)
def test_random_play_agrees(rules: Any) -> None:
    game = compile(rules)
    call = native(game)
    rng = random.Random(7)
    for _ in range(30):
        s = rules.initial()
        data = game.native_spec.initial
        for _ in range(60):
            assert game.encode_state(s) == data
            assert game.encode_state(game.decode_state(data)) == data
            if rules.is_terminal(s):
                assert call.to_move(data) == -2
                for p in range(2):
                    assert call.number("utility", data, p) == pytest.approx(rules.utility(s, p))
                break
            player = rules.player(s)
            assert call.to_move(data) == player
            if player == CHANCE:
                actions, odds = zip(*rules.outcomes(s), strict=True)
                codes, chances = call.outcomes(data)
                assert list(odds) == chances
            else:
                actions = tuple(rules.actions(s))
                codes = call.actions(data)
            decoded = [game.decode_action(c) for c in codes]
            assert decoded == list(actions)
            assert [type(a) for a in decoded] == [type(a) for a in actions]
            assert [game.encode_action(a) for a in actions] == codes
            if hasattr(rules, "noisy"):
                noisy = [game.decode_action(c) for c in call.actions(data, "noisy")]
                assert noisy == list(rules.noisy(s))
            if hasattr(rules, "evaluate"):
                for p in range(2):
                    assert call.number("evaluate", data, p) == pytest.approx(rules.evaluate(s, p))
            i = rng.randrange(len(codes))
            s = rules.result(s, actions[i])
            data = call.play(data, codes[i])
        assert call.flag.value == 0


def test_capacity_is_minded() -> None:
    game = compile(ConnectFour())
    call = native(game)
    out = (ctypes.c_uint32 * 7)(*[99] * 7)
    start = ctypes.create_string_buffer(game.native_spec.initial)
    n = call.calls["actions"](ctypes.addressof(call.flag), start, ctypes.addressof(out), 3)
    assert n == 7
    assert list(out) == [3, 2, 4, 99, 99, 99, 99]


def test_states_and_actions_are_the_users_own() -> None:
    game = compile(ConnectFour())
    s = game.decode_state(game.native_spec.initial)
    assert type(s) is Bits and type(s.me) is np.uint64
    assert type(game.decode_action(3)) is int
    record = compile(RecordGame())
    t = record.decode_state(record.native_spec.initial)
    assert isinstance(t, np.void) and t.dtype == RECORD
    place = record.decode_action(record.encode_action(Place(3, 2, 1)))
    assert place == Place(3, 2, 1) and type(place) is Place
    nim = compile(Nim())
    assert type(nim.decode_state(nim.native_spec.initial).turn) is bool
    for pair in ((-1, 2), (0, 0), (-32768, 32767)):
        assert nim.decode_action(nim.encode_action(pair)) == pair
    graph = compile(Graph())
    assert graph.decode_action(graph.encode_action(-1)) == -1


def test_padding_is_not_part_of_a_key() -> None:
    game = compile(RecordGame())
    dirty = np.frombuffer(b"\xff" * RECORD.itemsize, RECORD)[0].copy()
    for name in RECORD.names or ():
        dirty[name] = 0
    assert game.encode_state(dirty) == bytes(RECORD.itemsize)


def test_looks_like_the_original() -> None:
    rules = Pig()
    game = compile(rules)
    assert isinstance(game, Game) and isinstance(game, CompiledGame)
    assert game.original is rules and game.name == "Pig" and game.faces == 6
    assert game.utility_bounds == (-1.0, 1.0)
    assert game.native_spec.facts.chance and game.native_spec.facts.utility_bounds == (-1.0, 1.0)
    assert game.initial() == rules.initial()
    assert not hasattr(game, "evaluate")
    assert compile(game) is game
    nim = compile(Nim())
    assert nim.format_action(None, (0, 1)) == "(0, 1)"
    again = pickle.loads(pickle.dumps(game))
    assert isinstance(again, CompiledGame) and again.initial() == rules.initial()


def test_chance_is_searched_alike() -> None:
    rules, one_turn = Pig(), Dice((7, 5), 0, 0)
    for prune in ("none", "star1", "star2"):
        a, b = (search(g, one_turn, depth=3, prune=prune) for g in (rules, compile(rules)))
        assert (a.value, a.nodes, a.algorithm) == (b.value, b.nodes, "expectiminimax")
    models = {"opponents": {1: "random"}, "depth": 3}
    assert (
        search(rules, one_turn, **models).value == search(compile(rules), one_turn, **models).value
    )


def test_a_rule_that_raises_sets_the_flag() -> None:
    game = compile(ConnectFour())
    call = native(game)
    data = game.native_spec.initial
    assert call.play(data, 9) == data  # no column 9: the assertion fails
    assert call.flag.value == 3
    assert "result" in game.explain_error(3)
    assert call.to_move(data) == -2  # and the search comes to an end


class FarAction(Game):
    """An action that random play will hardly see and that does not fit."""

    def initial(self) -> Heaps:
        return Heaps(0, 0, 0)

    def player(self, s: Heaps) -> int:
        return 0

    def actions(self, s: Heaps) -> Any:
        yield (s.a, 1 << 20) if s.b else (s.a, 1)

    def result(self, s: Heaps, a: tuple[int, int]) -> Heaps:
        return s._replace(a=s.a + a[1])

    def is_terminal(self, s: Heaps) -> bool:
        return s.a > 3

    def utility(self, s: Heaps, p: int) -> float:
        return 0.0


def test_an_action_that_does_not_fit_sets_the_flag() -> None:
    game = compile(FarAction())
    call = native(game)
    call.actions(game.encode_state(Heaps(0, 1, 0)))
    assert call.flag.value == 16
    assert "outside" in game.explain_error(16)


def test_a_class_inside_a_function_with_captured_values() -> None:
    size, step = 5, (1, 2)

    class Local(FarAction):
        def actions(self, s: Heaps) -> Any:
            return [(i, i) for i in step if s.a + i <= size + 1]

        def is_terminal(self, s: Heaps) -> bool:
            return s.a >= size

    call = native(compile(Local()))
    assert len(call.actions(compile(Local()).native_spec.initial)) == 2


def test_nothing_is_allocated_for_tuple_states() -> None:
    game = compile(ConnectFour())
    for name, entry in game.native_spec.keepalive.items():  # type: ignore[attr-defined]
        code = entry.inspect_llvm()
        assert "NRT_" not in code and "malloc" not in code, name


def test_the_public_name_stays_a_function() -> None:
    import zermelo

    first = zermelo.compile(Nim())
    assert zermelo.compile(first) is first  # importing zermelo.compile must not hide it
