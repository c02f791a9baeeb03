"""What the doctor reports: witnesses, notes, interruptions, and never an exception."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from doctored import BoxGame, Kuhn, Take, TicTacToe, Typed, always, at, broken, found
from zermelo.doctor import diagnose
from zermelo.errors import UsageError
from zermelo.game import Game


@pytest.mark.parametrize(
    ("values", "note"),
    [
        ((3.0, 5.0), "the first player won 0, the second player won 20"),  # both gain, one more
        ((-3.0, -5.0), "the first player won 20, the second player won 0"),
        ((2.0, 2.0), "the first player won 0, the second player won 0, 20 draws"),
        (
            (4.0, 4.0, 1.0),
            "the first player won 0, the second player won 0, the third player won 0, "
            "20 shared first places",
        ),
    ],
)
def test_winners_of_general_sum_games(values: tuple[float, ...], note: str) -> None:
    game = broken(
        players=len(values), zero_sum=False, utility=lambda self, s, p: values[p],
        player=lambda self, s: 0,
    )  # fmt: skip
    assert any(n.endswith(note) for n in diagnose(game, games=20).notes)


@pytest.mark.parametrize(
    ("names", "note"),
    [
        (("Red", "Blue"), "; Red won 0, Blue won 20"),
        (("Red",), "; the first player won 0, the second player won 20"),  # wrong: ignored
        (7, "; the first player won 0, the second player won 20"),
    ],
)
def test_winners_have_the_names_of_the_game(names: Any, note: str) -> None:
    game = broken(player_names=names, utility=lambda self, s, p: (-1, 1)[p])
    assert any(n.endswith(note) for n in diagnose(game, games=20).notes)


def test_exceptions_name_the_line() -> None:
    finding = found(broken(result=at(3, lambda self, s, a: s[9], Take.result)), "result-raises")
    assert "IndexError" in finding.message and "doctored.py:" in finding.message
    assert finding.message.startswith("result((3, 1), 1) raised")  # as after 2


def test_line_is_in_the_players_notation() -> None:
    assert found(broken(Typed, utility=always(None)), "utility-type").line == "a b b"


class Corridor(Game):
    """Too wide for the sweep: 40 actions a move; the fault needs four small ones."""

    def initial(self) -> Any:
        return (0, 0)  # moves made, small ones among them, and all of them

    def player(self, s: Any) -> int:
        return s[0] % 2

    def actions(self, s: Any) -> Any:
        return [] if s[0] == 40 else range(40)

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + 1, s[1] + (a < 10), a, *s[2:])

    def is_terminal(self, s: Any) -> bool:
        return s[0] == 40

    def utility(self, s: Any, p: int) -> float:
        return 0

    def evaluate(self, s: Any, p: int) -> float:
        return float("nan") if s[1] >= 4 else 0


def test_random_witness_is_shrunk() -> None:
    finding = found(Corridor(), "evaluate-nan", time=6.0)
    assert len(finding.moves) == 4 and all(a < 10 for a in finding.moves)
    assert not finding.shortest


class Walk(Game):
    """A walk on a wide plain, from which the exit is far away."""

    wide = 40

    def initial(self) -> Any:
        return (0, 0, 0)

    def player(self, s: Any) -> int:
        return 0

    def actions(self, s: Any) -> Any:
        steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
        return [] if self.is_terminal(s) else steps

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a[0], s[1] + a[1], 0)

    def is_terminal(self, s: Any) -> bool:
        return abs(s[0]) + abs(s[1]) >= self.wide

    def utility(self, s: Any, p: int) -> float:
        return 0


def test_long_games_and_shortest_cycle() -> None:
    diagnosis = diagnose(Walk(), games=20, max_moves=100, time=20)
    assert {f.check: f.severity for f in diagnosis.findings} == {
        "cycle": "warning", "long-game": "warning"}  # fmt: skip
    cycle = next(f for f in diagnosis.findings if f.check == "cycle")
    assert len(cycle.moves) == 2 and cycle.shortest
    assert "the starting position repeats after move 2" in cycle.message


def test_misere_is_a_note_only() -> None:
    diagnosis = diagnose(broken(utility=lambda self, s, p: 1 if s[1] == p else -1), games=50)
    assert not diagnosis.findings and any("misère" in n for n in diagnosis.notes)


def test_time_is_kept() -> None:
    diagnosis = diagnose(Corridor(), games=10**6, time=0.5)
    assert diagnosis.elapsed < 3


def test_interrupt_gives_what_was_found() -> None:
    def stop(what: str, share: float) -> None:
        if what == "random games":
            raise KeyboardInterrupt

    diagnosis = diagnose(broken(noisy=always([9])), progress=stop)
    assert diagnosis.interrupted and [f.check for f in diagnosis.findings] == ["noisy-not-legal"]


def test_interrupt_in_the_rules() -> None:
    def stop(self: Any, s: Any, p: int) -> float:
        raise KeyboardInterrupt

    assert diagnose(broken(utility=stop)).interrupted


def test_same_seed_same_diagnosis() -> None:
    one, two = (str(diagnose(TicTacToe(), games=20, seed=7, time=60)) for _ in "12")
    assert one == two


class Thorny:
    """A value on which everything fails."""

    def fail(self, *_: Any) -> Any:
        raise RuntimeError("thorns")

    __eq__ = __hash__ = __repr__ = __bool__ = __iter__ = __deepcopy__ = __reduce_ex__ = fail
    __len__ = __float__ = __index__ = __getattr__ = fail


def leave(*_: Any) -> Any:
    raise SystemExit(3)


JUNK = [None, "x", [], {}, [[]], [None], -7, True, float("nan"), 10**400, object(), Thorny(),
        [Thorny()], np.zeros(3), np.zeros((2, 2)), [(1, 2, 3)], [("x", "y")]]  # fmt: skip

METHODS = ("initial", "player", "actions", "result", "is_terminal", "utility", "outcomes", "noisy",
           "evaluate", "observation", "sample", "format_action", "parse_action", "format_state",
           "parse_state", "name")  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("base", [Typed, Kuhn, BoxGame])
def test_nothing_escapes(method: str, base: type) -> None:
    for answer in [*map(always, JUNK), leave, lambda self: 0]:
        for start in (answer, at(3, answer, getattr(base, method, always(0)))):
            member = property(answer) if method == "name" else start
            diagnosis = diagnose(broken(base, **{method: member}), games=2, max_moves=20, time=0.2)
            assert str(diagnosis)


@pytest.mark.parametrize("thing", [Take, "tic-tac-toe"])
def test_no_game_at_all(thing: Any) -> None:
    with pytest.raises(UsageError):
        diagnose(thing)
