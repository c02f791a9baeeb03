"""Pac-Man: the rules against a slow model of another make, layouts, evaluations, searches."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from oracle import expectiminimax, minimax
from positions import after_random_moves
from slow_pacman import VECTORS, SlowPacman, random_layout
from zermelo import BadPosition, UsageError, _core
from zermelo.games.pacman import LOST, OPEN, WON, Pacman
from zermelo.games.pacman.layout import find, names, parse

GAMES = 250  # random games beside the slow model


def game_of(rows: list[str], ghosts: str = "minimax", stop: bool = True, steps: int = 60) -> Pacman:
    return Pacman("pacman:test", parse("\n".join(rows)), ghosts, stop, steps)


def compare(game: Any, s: Any, slow: SlowPacman) -> None:
    """Everything that a state says, both ways."""
    scene = game.scene(s)
    assert game.is_terminal(s) == slow.over()
    assert (scene.pacman, scene.score, scene.steps) == (slow.pacman, slow.score, slow.steps)
    assert scene.status == {"": OPEN, "won": WON, "lost": LOST}[slow.end]
    assert game.left(scene) == slow.food | slow.capsules
    for mine, ghost in zip(scene.ghosts, slow.ghosts, strict=True):
        dx, dy = VECTORS[mine.heading] if mine.half else (0, 0)
        place = (mine.place[0] + dx / 2, mine.place[1] + dy / 2)
        assert (place, mine.heading, mine.scared) == (ghost.at, ghost.heading, ghost.timer)
    if slow.over():
        assert (game.utility(s, 0), game.utility(s, 1)) == (slow.score, -slow.score)
        low, high = game.utility_bounds
        assert low <= slow.score <= high
        return
    assert scene.turn == slow.turn
    assert sorted(game.actions(s)) == sorted(slow.legal())
    if game.ghosts != "minimax" and slow.turn:
        assert game.player(s) == zermelo.CHANCE
        odds = slow.odds(game.ghosts == "directional")
        assert dict(game.outcomes(s)) == pytest.approx(odds)
    else:
        assert game.player(s) == (1 if slow.turn else 0)


@pytest.mark.parametrize("ghosts", ["minimax", "random", "directional"])
def test_rules_agree_with_the_slow_model(ghosts: str) -> None:
    rng = random.Random(f"pacman {ghosts}")
    ends, eaten = set(), 0
    for _ in range(GAMES):
        rows = random_layout(rng)
        stop = rng.random() < 0.5
        game, slow = game_of(rows, ghosts, stop), SlowPacman(rows, stop, 60)
        s = game.initial()
        compare(game, s, slow)
        while not slow.over():
            way = rng.choice(slow.legal())
            before = slow.score
            s = game.result(s, way)
            slow.play(way)
            compare(game, s, slow)
            eaten += slow.score - before >= 199
        ends.add(slow.end)
    assert ends == {"", "won", "lost"} and eaten > 20  # everything was seen


def test_a_second_capsule_while_a_ghost_is_half_way() -> None:
    """The timer starts anew in the middle of a cell, so the last of the 40 moves ends there."""
    rows = ["%%%%%%%%%%%%%", "%P o o .    %", "%%%%%%%%%%%%%", "%    G      %", "%%%%%%%%%%%%%"]
    game, slow = game_of(rows, steps=80), SlowPacman(rows, True, 80)
    s: Any = game.initial()
    halves = 0
    ways = ["east"] * 2 + ["stop"] + ["east"] * 2 + ["stop"] * 75
    for way in ways:
        for pacman in (True, False):
            move = way if pacman else slow.legal()[0]
            s = game.result(s, move)
            slow.play(move)
            compare(game, s, slow)
            halves += any(g.half for g in game.scene(s).ghosts)
    assert halves > 20
    assert game.is_terminal(s)


def test_the_last_dot_counts_before_the_ghost() -> None:
    game = game_of(["%%%%%", "%P.G%", "%%%%%"])
    s = game.initial()
    won = game.result(s, "east")
    assert game.is_terminal(won) and game.utility(won, 0) == 509
    met = game_of(["%%%%%%", "%P.G.%", "%%%%%%"])
    s = met.result(met.initial(), "east")
    s = met.result(s, "west")
    assert met.is_terminal(s) and met.utility(s, 0) == 10 - 1 - 500


# -- positions --------------------------------------------------------------------------------
def test_positions_read_back_at_every_state() -> None:
    rng = random.Random(4)
    for _ in range(60):
        game = game_of(random_layout(rng), rng.choice(["minimax", "random"]))
        s = game.initial()
        while True:
            assert game.parse_state(game.format_state(s)) == s
            assert game.handle.valid(s.data)
            if game.is_terminal(s):
                break
            s = game.result(s, rng.choice(game.actions(s)))


def test_a_picture_is_a_position() -> None:
    game: Any = zermelo.load("pacman:layout=lecture")
    picture = "/".join(game.layout.rows).replace(" ", "-")
    assert game.parse_state(picture) == game.initial()
    moved = picture.replace("P", "-").replace("-.G-", "P.-G")
    assert game.scene(game.parse_state(moved)).pacman == (4, 6)


@pytest.mark.parametrize(
    "text",
    [
        "", "P1,1", "%%%", "%%%%%/%P.G%/%%%%", "%%%%%/%P.-%/%%%%%", "%%%%%/%-.G%/%%%%%",
        "%%%%%/%P.G%/%%%%% G2,1", "%%%%%/%P.G%/%%%%% score=5", "%%%%%/%P.G%/%%%%% steps=x",
        "%%%%%/%P.G%/%%%%% next=G9", "%%%%%/%P.G%/%%%%% speed=3", "%%%%%/%P-G%/%%%%%",
        "%%%%%/%-.-%/%%%%% P1,1 G3,1n*99", "%%%%%/%-.-%/%%%%% P1,1 G3,1n*999",
        "%%%%%/%-.-%/%%%%% P0,0 G3,1", "%%%%%/%-.-%/%%%%% P1,1 G3,1n*3+",
        "%%%%%/%-.-%/%%%%% P1,1 G1,1", "%%%%%/%P.G%/%%%%% steps=99999999",
        "%%%%%/%o.-%/%%%%% P1,1 G3,1", "%%%%%/%P.G%/%%%%% P", "%%%%%/%P.G%/%%%%% P9",
    ],
)  # fmt: skip
def test_bad_positions(text: str) -> None:
    game = game_of(["%%%%%", "%P.G%", "%%%%%"])
    with pytest.raises(BadPosition) as e:
        game.parse_state(text)
    assert e.value.hint


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.data())
def test_states_with_bytes_changed_are_refused_or_behave(seed: int, data: Any) -> None:
    rng = random.Random(seed)
    game = game_of(random_layout(rng, 6), "directional")
    s = game.initial()
    for _ in range(rng.randint(0, 30)):
        if game.is_terminal(s):
            break
        s = game.result(s, rng.choice(game.actions(s)))
    raw = bytearray(s.data)
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(
            st.one_of(st.integers(0, 5), st.integers(0, 255))
        )
    check_bytes(game, bytes(raw), 3)


def check_bytes(game: Any, raw: bytes, depth: int) -> None:
    """A valid state leads to valid states only, with utilities in bounds."""
    if not game.handle.valid(raw):
        return
    mover = game.handle.to_move(raw)
    if mover == -2:
        low, high = game.utility_bounds
        assert low <= game.handle.utility(raw, 0) <= high
        return
    game.handle.evaluate(raw, 0)
    codes = [a for a, _ in game.handle.outcomes(raw)] if mover == -1 else game.handle.actions(raw)
    for code in codes:
        after = game.handle.play(raw, code)
        assert game.handle.valid(after)
        if depth:
            check_bytes(game, after, depth - 1)


# -- layouts ----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", names())
def test_layouts_that_come_along(name: str) -> None:
    layout = find(name)
    game: Any = zermelo.load(f"pacman:layout={name}")
    assert game.layout == layout and layout.dots and layout.ghosts <= 4


def test_the_lecture_board() -> None:
    rows = find("lecture").rows
    assert (len(rows), len(rows[0])) == (9, 9)
    assert rows[4][4] == "P" and rows[6][5] == "." and rows[6][6] == "G"
    assert rows[2][2:6] == "%%%%" and all(rows[y][:4] == "%%%%" for y in (5, 6, 7))


BAD = {
    "no Pac-Man": ("%%%%\n%. %\n%%%%", "no Pac-Man in its 3 lines"),
    "two": ("%%%%%\n%P.P%\n%%%%%", "two Pac-Men .line 2."),
    "two, two lines": ("%%%%\n%P.%\n%.P%\n%%%%", "two Pac-Men .lines 2 and 3."),
    "no dot": ("%%%%\n%P %\n%%%%", "no dot in its 3 lines"),
    "open right": ("%%%%\n%P. \n%%%%", "line 2 has 3 characters"),
    "open left": ("%%%%\n P.%\n%%%%", "open at line 2, column 1"),
    "open top": ("%% %\n%P.%\n%%%%", "open at line 1, column 3"),
    "open bottom": ("%%%%\n%P.%\n%.%%", "open at line 3, column 2"),
    "sign": ("%%%%\n%PX%\n%%%%", "line 2, column 3: unknown character 'X'"),
    "tab": ("%%%%\n%P\t.%\n%%%%", "line 2, column 3"),
    "ragged": ("%%%%%\n%P .%\n%%%%\n%%%%%", "line 3 has 4 characters, line 1 has 5"),
    "wide": ("%" * 33 + "\n%P." + " " * 29 + "%\n" + "%" * 33, "33 by 3 is not a valid size"),
    "high": ("%%%%\n" + "%P.%\n" + "% .%\n" * 31 + "%%%%", "4 by 34 is not a valid size .line 33."),
    "ghosts": ("%%%%%%%%\n%P.GGGG%\n%G.....%\n%%%%%%%%", "line 3: there are more than 4 ghosts"),
    "unreachable": ("%%%%%%\n%P.%.%\n%%%%%%", "dot at line 2, column 5"),
    "capsule": ("%%%%%%\n%P.%o%\n%%%%%%", "capsule at line 2, column 5"),
    "empty": ("", "at least 3 lines"),
    "blank": ("\n\n\n", "at least 3 lines"),
    "narrow": ("%%\n%%\n%%", "2 by 3 is not a valid size"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_layouts(case: str, tmp_path: Path) -> None:
    text, message = BAD[case]
    file = tmp_path / "my.lay"
    file.write_text(text)
    with pytest.raises(UsageError, match=message) as e:
        zermelo.load(f"pacman:layout={file}")
    assert e.value.hint and "\n" not in e.value.message


def test_layouts_by_path_and_by_wrong_name(tmp_path: Path) -> None:
    file = tmp_path / "my.lay"
    file.write_text("%%%%%\r\n%P.G%\r\n%%%%%\r\n\r\n")
    game: Any = zermelo.load(f"pacman:layout={file},ghosts=random")
    assert game.layout.rows == ("%%%%%", "%P.G%", "%%%%%")
    with pytest.raises(UsageError, match="unknown layout 'smal'") as e:
        zermelo.load("pacman:layout=smal")
    assert "small" in e.value.hint
    file.write_bytes(b"\xff\xfe%%")
    with pytest.raises(UsageError, match="not UTF-8 text"):
        zermelo.load(f"pacman:layout={file}")
    with pytest.raises(UsageError, match="unknown layout"):
        zermelo.load(f"pacman:layout={tmp_path}")
    for wrong in ("ghosts=clever", "stop=maybe", "steps=0", "steps=many", "steps=60001"):
        with pytest.raises(UsageError):
            zermelo.load(f"pacman:{wrong}")


def test_the_native_half_refuses_what_is_no_layout() -> None:
    good = ("%%%%%P.G%%%%%%", 5, 3)
    for width, height, cells in (
        (5, 3, "%%%%%P.G%%%%%%%%"), (5, 3, " " * 15), (0, 0, ""), (-5, -3, good[0]), (100, 100, ""),
        (5, 3, "%%%%%%PPG%%%%%%"), (5, 3, "%%%%%%P G%%%%%%"), (4, 4, "%%%%%P%%%%.%%%%%"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match="invalid Pac-Man layout"):
            _core.pacman(width, height, cells, "random", True, 10, "score")
    for wrong in (("clever", "score"), ("random", "clever")):
        with pytest.raises(UsageError, match="clever"):
            _core.pacman(5, 3, "%%%%%%P.G%%%%%%", wrong[0], True, 10, wrong[1])


def test_layouts_of_any_number_of_dots() -> None:
    """States have 1, 4 or 16 words of dots."""
    for side, size in ((8, 40), (14, 64), (32, 160)):
        rows = ["%" * side, *("%" + "." * (side - 2) + "%" for _ in range(side - 2)), "%" * side]
        rows[1] = "%P" + rows[1][2:]
        rows[-2] = rows[-2][:-2] + "G%"
        game, slow = game_of(rows, "random"), SlowPacman(rows, True, 60)
        assert len(game.initial().data) == size
        rng = random.Random(side)
        s = game.initial()
        while not slow.over():
            way = rng.choice(slow.legal())
            s = game.result(s, way)
            slow.play(way)
            compare(game, s, slow)


# -- evaluations and searches ------------------------------------------------------------------
def test_evaluations_by_name() -> None:
    game: Any = zermelo.load("pacman:layout=corridor")
    s = game.initial()
    value = {n: game.evaluated(n).evaluate(s.data, 0) for n in game.evaluations}
    assert value["score"] == 0 and -10 < value["food"] < 0
    nearer = game.result(s, "stop")
    assert game.evaluated("food").evaluate(nearer.data, 0) == value["food"] - 1
    with pytest.raises(UsageError, match="hungry"):
        zermelo.search(game, depth=2, evaluate="hungry")


def test_careful_fears_a_ghost_and_hunts_a_scared_one() -> None:
    game: Any = zermelo.load("pacman:layout=open")
    picture = "/".join(game.layout.rows).replace("P", " ").replace("G", " ")
    picture = picture.replace(" ", "-")
    near, far = (game.parse_state(f"{picture} P5,4 G{g}") for g in ("6,4w", "9,7w"))
    assert game.evaluate(near, 0) < game.evaluate(far, 0)
    assert game.evaluate(near, 1) == -game.evaluate(near, 0)
    seek = game.evaluated("seek")
    assert seek.evaluate(near.data, 0) < seek.evaluate(far.data, 0)


@pytest.mark.parametrize("evaluate", ["careful", "food", "score", "seek"])
def test_searches_agree_with_minimax_by_hand(evaluate: str) -> None:
    """Several ghosts in turn are one player: what one of them gains they all gain."""
    rng = random.Random(f"search {evaluate}")
    for _ in range(25):
        game = game_of(random_layout(rng, 6), steps=rng.choice([3, 60]))
        s = after_random_moves(game, rng.randint(0, 6), rng)
        if game.is_terminal(s):
            continue
        handle = game.evaluated(evaluate)
        value = minimax(game, s, 4, lambda t, p, handle=handle: handle.evaluate(t.data, p))
        for algorithm in ("minimax", "alphabeta", "engine"):
            r = zermelo.search(game, s, algorithm, depth=4, evaluate=evaluate)
            assert r.value == pytest.approx(value), (algorithm, game.format_state(s))


@pytest.mark.parametrize("ghosts", ["random", "directional"])
def test_averages_agree_with_those_by_hand(ghosts: str) -> None:
    rng = random.Random(f"average {ghosts}")
    for _ in range(20):
        game = game_of(random_layout(rng, 6), ghosts, steps=rng.choice([3, 60]))
        s = game.initial()
        value = expectiminimax(game, s, 2, game.evaluate)
        for options in ({"prune": "none"}, {"prune": "star2"}, {"table": 1}):
            r = zermelo.search(game, s, "expectiminimax", depth=2, **options)
            assert r.value == pytest.approx(value), game.format_state(s)
        assert zermelo.search(game, s, "expectimax", depth=2).value == pytest.approx(value)


def test_expectimax_takes_minimizers_for_random_ghosts() -> None:
    rng = random.Random(12)
    for _ in range(20):
        rows = random_layout(rng, 6)
        believed, real = game_of(rows, "random"), game_of(rows)
        s = believed.initial()
        value = expectiminimax(believed, s, 2, believed.evaluate)
        assert zermelo.search(real, algorithm="expectimax", depth=2).value == pytest.approx(value)
