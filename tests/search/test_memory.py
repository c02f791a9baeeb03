"""What one search keeps for the next, and searches among some of the moves only."""

from __future__ import annotations

import pytest

import zermelo

OTHELLO = zermelo.load("othello")


def test_the_second_search_knows() -> None:
    memory = zermelo.Memory(1)
    first = zermelo.search(OTHELLO, depth=8, memory=memory)
    again = zermelo.search(OTHELLO, depth=8, memory=memory)
    assert again.nodes < first.nodes / 4
    assert (again.value, again.kind) == (first.value, first.kind)
    memory.clear()
    assert zermelo.search(OTHELLO, depth=8, memory=memory).nodes == first.nodes


def test_many_searches() -> None:
    """More than the table has generations."""
    memory = zermelo.Memory(1)
    s = OTHELLO.initial()
    for _ in range(40):
        r = zermelo.search(OTHELLO, s, depth=4, memory=memory)
        fresh = zermelo.search(OTHELLO, s, depth=4)
        assert r.action in OTHELLO.actions(s) and r.nodes <= 2 * fresh.nodes
        s = OTHELLO.result(s, r.action)


def test_another_game_is_not_confused() -> None:
    memory = zermelo.Memory(1)
    small = zermelo.load("othello:size=6")
    alone = zermelo.search(small, depth=6)
    zermelo.search(OTHELLO, depth=8, memory=memory)
    shared = zermelo.search(small, depth=6, memory=memory)
    assert (shared.nodes, shared.value, shared.pv) == (alone.nodes, alone.value, alone.pv)


@pytest.mark.parametrize("size", [0, -1, True, "16", 1 << 20, 65000])
def test_sizes_that_make_no_sense(size: object) -> None:
    with pytest.raises(zermelo.UsageError):
        zermelo.Memory(size)  # type: ignore[arg-type]


def test_what_cannot_use_it() -> None:
    with pytest.raises(zermelo.UsageError, match="engine"):
        zermelo.search(OTHELLO, None, "alphabeta", depth=2, memory=zermelo.Memory(1))


def test_among() -> None:
    all_moves = zermelo.search(OTHELLO, depth=5, lines=4)
    for m in all_moves.moves:
        r = zermelo.search(OTHELLO, depth=5, among=[m.action])
        assert r.action == m.action and [x.action for x in r.moves] == [m.action]
        assert r.value == m.value
    two = [m.action for m in all_moves.moves[:2]]
    r = zermelo.search(OTHELLO, depth=5, among=two, lines=3)
    assert sorted(x.action for x in r.moves) == sorted(two)
    with pytest.raises(zermelo.IllegalAction):
        zermelo.search(OTHELLO, depth=5, among=["a1"])
    with pytest.raises(zermelo.UsageError):
        zermelo.search(OTHELLO, depth=5, among=[])


def test_a_draw_by_the_count_of_moves_is_not_kept() -> None:
    """The same men with the count at its end and at its beginning share an entry of the table."""
    chess, memory = zermelo.load("chess"), zermelo.Memory(1)
    rook = "8/8/8/4k3/8/8/8/K6R w - - {} 100"
    late = zermelo.search(chess, chess.parse_state(rook.format(98)), depth=6, memory=memory)
    assert late.value == 0
    early = zermelo.search(chess, chess.parse_state(rook.format(0)), depth=6, memory=memory)
    assert early.value > 2
