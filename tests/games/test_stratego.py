"""Stratego against a plain referee, what each side may know, and searches that beat chance."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import zermelo
from zermelo import BadPosition, IllegalAction, UsageError

GAME: Any = zermelo.load("stratego")
BARRAGE: Any = zermelo.load("stratego:board=barrage")
ORDER = "F BBBBBB M G CC JJJ KKKK LLLL EEEE IIIII TTTTTTTT S".replace(" ", "")
POWER = {"M": 10, "G": 9, "C": 8, "J": 7, "K": 6, "L": 5, "E": 4, "I": 3, "T": 2, "S": 1}
WATER = {(x, y) for x in (2, 3, 6, 7) for y in (4, 5)}


class Referee:
    """The rules once more, by squares in a dictionary: (column, row) -> (side, letter)."""

    def __init__(self) -> None:
        self.men: dict[tuple[int, int], tuple[int, str]] = {}
        self.mover, self.quiet = 0, 0
        self.trails: tuple[list[Any], list[Any]] = ([], [])

    def moves(self, side: int) -> set[str]:
        found = set()
        for (x, y), (owner, man) in self.men.items():
            if owner != side or man in "BF":
                continue
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                for k in range(1, 10 if man == "T" else 2):
                    to = x + k * dx, y + k * dy
                    if to in WATER or not (0 <= to[0] < 10 and 0 <= to[1] < 10):
                        break
                    if to in self.men and self.men[to][0] == side:
                        break
                    trail = self.trails[side][-3:]
                    back = [(to, (x, y)), ((x, y), to), (to, (x, y))]
                    if trail != back:
                        found.add(written((x, y)) + written(to))
                    if to in self.men:
                        break
        return found

    def play(self, start: Any, to: Any) -> None:
        side, man = self.men.pop(start)
        self.quiet += 1
        if to in self.men:
            self.quiet = 0
            other = self.men.pop(to)[1]
            if other == "F" or (other, man) in (("B", "I"), ("M", "S")):
                won = 1
            elif other == "B":
                won = -1
            else:
                won = POWER[man] - POWER[other]
            if won > 0:
                self.men[to] = side, man
            elif won < 0:
                self.men[to] = 1 - side, other
        else:
            self.men[to] = side, man
        self.trails[side].append((start, to))
        self.mover = 1 - side

    def result(self) -> float | None:
        """Red's utility, or None where the game goes on."""
        flags = {side for side, man in self.men.values() if man == "F"}
        if len(flags) == 1:
            return 1.0 if flags == {0} else -1.0
        if self.quiet >= 200:
            able = self.moves(self.mover)
            return 0.0 if able or not self.moves(1 - self.mover) else 2.0 * self.mover - 1
        if self.moves(self.mover):
            return None
        return (2.0 * self.mover - 1) if self.moves(1 - self.mover) else 0.0


def written(square: tuple[int, int]) -> str:
    return "abcdefghij"[square[0]] + str(square[1] + 1)


def square(text: str) -> tuple[int, int]:
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def set_up(game: Any, rng: random.Random) -> tuple[Any, Referee]:
    """Men laid by chance, in the game and with the referee."""
    s, referee = game.initial(), Referee()
    order = ORDER if game is GAME else "FBMGITTS"
    for side in (0, 1):
        for man in order:
            assert game.player(s) == side
            a = rng.choice(game.actions(s))
            referee.men[square(a)] = side, man
            s = game.result(s, a)
    return s, referee


@pytest.mark.parametrize(("game", "games"), [(GAME, 3), (BARRAGE, 12)])
def test_random_games_against_a_plain_referee(game: Any, games: int) -> None:
    rng = random.Random(7)
    ends = Counter[float]()
    for _ in range(games):
        s, referee = set_up(game, rng)
        while (over := referee.result()) is None:
            legal = game.actions(s)
            assert set(legal) == referee.moves(referee.mover) and game.player(s) == referee.mover
            strikes = [a for a in legal if square(move(a)[1]) in referee.men]
            shuttle = [a for a in legal if referee.trails[referee.mover][-1:] == [back(a)]]
            draw = rng.random()
            a = rng.choice((strikes if draw < 0.3 else shuttle if draw < 0.6 else legal) or legal)
            referee.play(*map(square, move(a)))
            s = game.result(s, a)
            assert letters(game, s) == referee.men
        assert game.is_terminal(s) and game.utility(s, 0) == over
        ends[over] += 1
    assert len(ends) > 1


def move(a: str) -> tuple[str, str]:
    start, end = BARRAGE.action_squares(None, a)
    return start, end


def back(a: str) -> tuple[Any, Any]:
    start, end = move(a)
    return square(end), square(start)


def letters(game: Any, s: Any) -> dict[tuple[int, int], tuple[int, str]]:
    found = {}
    for i, man in enumerate(game.men(s)):
        if man:
            found[i % 10, i // 10] = int(man & 16 > 0), ".STIELKJCGMBF"[man & 15]
    return found


def test_a_man_goes_to_and_fro_three_times_at_most() -> None:
    s = BARRAGE.parse_state("5f4/10/10/b9/9g'/10/10/9M/10/F9 r 0 - -")
    for red, blue in (("j3j4", "j6i6"), ("j4j3", "i6i5"), ("j3j4", "i5i6")):
        s = BARRAGE.result(BARRAGE.result(s, red), blue)
    assert "j4j3" not in BARRAGE.actions(s) and "j4i4" in BARRAGE.actions(s)
    s = BARRAGE.result(BARRAGE.result(s, "j4j5"), "i6i5")
    assert "j5j4" in BARRAGE.actions(s)


@pytest.mark.parametrize(
    ("striker", "struck", "left"),
    [
        ("S", "m", "S"), ("M", "s", "M"), ("I", "b", "I"), ("G", "b", "b"), ("M", "g", "M"),
        ("G", "m", "m"), ("T", "t", ""), ("T", "f", "T"), ("S", "t", "t"),
    ],
)  # fmt: skip
def test_who_wins_a_fight(striker: str, struck: str, left: str) -> None:
    flag = "5" if struck == "f" else "f4"
    s = BARRAGE.parse_state(f"{flag}{struck}4/5{striker}'4/10/10/10/10/10/10/10/FB8 r 9 - -")
    s = BARRAGE.result(s, "f9f10")
    row = BARRAGE.format_state(s).split("/")[0].replace("'", "")
    assert row == (f"{flag}{left}!4" if left else "f9")
    assert f"{striker}'" not in BARRAGE.format_state(s).split("/")[1]
    if struck == "f":
        assert BARRAGE.is_terminal(s) and BARRAGE.utility(s, 0) == 1


def test_long_steps_show_a_scout() -> None:
    s = BARRAGE.parse_state("f9/10/10/10/10/10/10/10/10/FT7G r 0 - -")
    assert "T'!" in BARRAGE.format_state(BARRAGE.result(s, "b1b4"))
    assert "T'!" not in BARRAGE.format_state(BARRAGE.result(s, "b1b2"))


def test_ends() -> None:
    for text, utility in (
        ("f9/10/10/10/10/10/10/10/10/F8G b 3 - -", 1.0),  # Blue cannot move
        ("f9/10/10/10/10/10/10/10/10/F9 r 3 - -", 0.0),  # nobody can
        ("f8g/10/10/10/10/10/10/10/10/F8G r 200 - -", 0.0),
        ("9g/10/10/10/10/10/10/10/10/F8G b 0 - -", 1.0),
    ):
        s = BARRAGE.parse_state(text)
        assert BARRAGE.is_terminal(s) and BARRAGE.utility(s, 0) == utility
        assert "over" in BARRAGE.board(s)


@pytest.mark.parametrize("spec", ["stratego", "stratego:board=barrage", "stratego:setup=chance"])
def test_players_see_what_they_may(spec: str) -> None:
    """Deals look the same to their player, in both halves, and differ in what is hidden."""
    game: Any = zermelo.load(spec)
    rng = random.Random(3)
    varied = told = 0
    s = game.initial()
    for ply in range(300):
        if game.is_terminal(s):
            break
        if ply % 8 == 0:
            for p in (0, 1):
                deals = [game.sample(s, p, rng) for _ in range(4)]
                for d in deals:
                    assert game.observation(d, p) == game.observation(s, p)
                    see = game.handle.observation
                    assert see(game.data(d), p) == see(game.data(s), p)
                    assert game.view(d, p) == game.view(s, p)
                    assert game.observation_svg(d, p) == game.observation_svg(s, p)
                    if game.player(s) == p:
                        assert game.actions(d) == game.actions(s)
                    other = game.observation(d, 1 - p) == game.observation(s, 1 - p)
                    assert other == (see(game.data(d), 1 - p) == see(game.data(s), 1 - p))
                varied += len(set(deals)) > 1
            told += game.observation(s, 0) != game.observation(s, 1)
        s = game.result(s, rng.choice(game.actions(s)))
    assert varied > 10 and told > 9


def test_deals_are_as_likely_as_they_should_be() -> None:
    """Three hidden men, one of which has moved: flag and bomb stand still, so two arrays fit."""
    s = BARRAGE.parse_state("f2b6/10/10/8g'1/10/10/10/10/10/F8M r 5 - -")
    rng = random.Random(1)
    found = Counter(BARRAGE.format_state(BARRAGE.sample(s, 0, rng)) for _ in range(2000))
    assert len(found) == 2 and all(abs(n - 1000) < 150 for n in found.values())
    # Blue must move, so that one of the two that may is the general.
    s = BARRAGE.parse_state("fbg7/10/10/10/10/10/10/10/10/F8M b 5 - -")
    found = Counter(BARRAGE.format_state(BARRAGE.sample(s, 0, rng)) for _ in range(3000))
    assert len(found) == 6 and all(abs(n - 500) < 120 for n in found.values())


@pytest.mark.parametrize(
    ("player", "games"), [("pimc:depth=1,deals=10", 14), ("ismcts:simulations=60,deals=30", 6)]
)
def test_searches_beat_chance(player: str, games: int) -> None:
    game = zermelo.load("stratego:board=barrage,setup=chance")
    m = zermelo.match(game, [player, "random:1"], games, opening=0, seed=5)
    assert m.score - m.error > 0.5, str(m)


def test_searches_know_what_must_be_the_flag() -> None:
    """Two hidden men: one has moved, so the other is the flag."""
    s = BARRAGE.parse_state("5f4/5M'3g'/10/10/10/10/10/10/10/FB8 r 0 - -")
    for name, options in (("pimc", {"depth": 1}), ("ismcts", {"simulations": 200})):
        r = zermelo.search(BARRAGE, s, name, deals=20, **options)
        assert r.action == "f9f10" and max(m.value for m in r.moves) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("f9/10/10 r 0 - -", "3 rows"),
        ("f8/10/10/10/10/10/10/10/10/F8M r 0 - -", "9 squares"),
        ("fx8/10/10/10/10/10/10/10/10/F8M r 0 - -", "not a piece"),
        ("ff8/10/10/10/10/10/10/10/10/F8M r 0 - -", "flag (at most 1)"),
        ("f9/10/10/10/2m'7/10/10/10/10/F8M r 0 - -", "lake"),
        ("f9/10/10/10/9m/10/10/10/10/F8M r 0 - -", "has moved"),
        ("f'9/10/10/10/10/10/10/10/10/F8M r 0 - -", "cannot have moved"),
        ("f!8g/10/10/10/10/10/10/10/10/F8M r 0 - -", "remove !"),
        ("f8g/10/10/10/10/10/10/10/10/9M x 0 - -", "invalid side"),
        ("f8g/10/10/10/10/10/10/10/10/F8M r 999 - -", "not a number of moves"),
        ("f8g/10/10/10/10/10/10/10/10/F8M r 1 a1 -", "not a last move"),
        ("9g/10/10/10/10/10/10/10/10/9M r 1 - -", "each side needs its flag"),
        ("10/10/10/10/10/10/10/10/10/F8M r setup", "in this order"),
        ("a9", "not a legal action"),
    ],
)
def test_wrong_positions(text: str, says: str) -> None:
    with pytest.raises(BadPosition) as e:
        BARRAGE.parse_state(text)
    assert says in f"{e.value.message} {e.value.hint}"


def test_wrong_moves_and_options() -> None:
    with pytest.raises(IllegalAction, match="e5"):
        GAME.result(GAME.initial(), "e5")
    with pytest.raises(IllegalAction):
        GAME.result(GAME.initial(), "zz")
    with pytest.raises(UsageError, match="invalid board='large'"):
        zermelo.load("stratego:board=large")
    with pytest.raises(UsageError, match="invalid setup='mine'"):
        zermelo.load("stratego:setup=mine")
