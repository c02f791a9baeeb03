"""Go: the rules against OpenSpiel and a slow referee; scoring, notation and solved boards."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import zermelo
from zermelo.errors import BadPosition, IllegalAction, UsageError
from zermelo.games.go.notation import fixed_handicap, parse_vertex, star_points, vertex


def load(**options: Any) -> Any:
    return zermelo.load("go:" + ",".join(f"{k}={v}" for k, v in options.items()))


# -- a slow referee, written from the Tromp-Taylor rules -------------------------------------------


class Referee:
    """Positional superko, area scoring, suicide as given. Boards are strings of X, O and "."."""

    def __init__(self, size: int, suicide: bool) -> None:
        self.size, self.suicide = size, suicide

    def neighbours(self, p: int) -> list[int]:
        row, column = divmod(p, self.size)
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [r * self.size + c for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def reached(self, board: str, p: int) -> tuple[set[int], set[str]]:
        """The connected points of p's colour, and the colours beside them."""
        chain, todo, beside = {p}, [p], set()
        while todo:
            for q in self.neighbours(todo.pop()):
                if board[q] != board[p]:
                    beside.add(board[q])
                elif q not in chain:
                    chain.add(q)
                    todo.append(q)
        return chain, beside

    def cleared(self, board: str, colour: str) -> str:
        """The board without the chains of `colour` that do not reach empty."""
        gone = {
            q
            for p in range(len(board))
            if board[p] == colour
            for chain, beside in [self.reached(board, p)]
            if "." not in beside
            for q in chain
        }
        return "".join("." if p in gone else c for p, c in enumerate(board))

    def play(self, board: str, colour: str, p: int) -> str:
        board = board[:p] + colour + board[p + 1 :]
        return self.cleared(self.cleared(board, "OX"[colour == "O"]), colour)

    def legal(self, board: str, colour: str, seen: set[str]) -> set[int]:
        found = set()
        for p in range(len(board)):
            if board[p] != ".":
                continue
            after = self.play(board, colour, p)
            if after not in seen and (self.suicide or after[p] == colour):
                found.add(p)
        return found

    def area(self, board: str) -> int:
        total = 0
        for p, c in enumerate(board):
            beside = {c} if c != "." else self.reached(board, p)[1]
            total += (beside == {"X"}) - (beside == {"O"})
        return total


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 9])
def test_random_games_as_a_slow_referee_plays_them(size: int, rules: str) -> None:
    game = load(size=size, rules=rules, komi=0, score="points")
    referee = Referee(size, rules == "tromp-taylor")
    rng = random.Random(f"{size} {rules}")
    for _ in range({2: 60, 3: 40, 4: 20, 5: 8}.get(size, 1)):
        s, board, seen, passes = game.initial(), "." * size**2, {"." * size**2}, 0
        for ply in range(3 * size**2):
            colour = "XO"[ply % 2]
            legal = referee.legal(board, colour, seen)
            assert {game.encode_action(0, a) for a in game.actions(s)} == legal | {size**2}
            move = rng.choice(sorted(legal)) if legal and rng.random() < 0.97 else size**2
            s = game.result(s, game.decode_action(0, move))
            passes = passes + 1 if move == size**2 else 0
            if move < size**2:
                board = referee.play(board, colour, move)
                seen.add(board)
            assert "".join(game.rows(s)) == board
            assert game.margin(s) == referee.area(board)
            assert game.is_terminal(s) == (passes == 2)
            if game.is_terminal(s):
                assert game.utility(s, 0) == referee.area(board) == -game.utility(s, 1)
                break


@pytest.mark.parametrize(("size", "games"), [(3, 100), (5, 60), (9, 25), (13, 5), (19, 2)])
def test_random_games_as_openspiel_plays_them(size: int, games: int) -> None:
    """OpenSpiel: simple ko, no suicide, a repeated position ends the game as a draw."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs = pyspiel.load_game(f"go(board_size={size},komi=6.5,max_game_length={3 * size**2})")
    game, rng = load(size=size, ko="simple", komi=6.5, score="win"), random.Random(size)
    for _ in range(games):
        compare_with_openspiel(game, theirs, rng)


def compare_with_openspiel(game: Any, theirs: Any, rng: random.Random) -> None:
    """Plays one random game in both: equal moves, turns, ends and results."""
    size = game.size
    s, o = game.initial(), theirs.new_initial_state()
    for _ in range(3 * size**2 - 1):
        assert game.is_terminal(s) == o.is_terminal()
        if o.is_terminal():
            assert [game.utility(s, p) for p in (0, 1)] == o.returns()
            return
        assert game.player(s) == o.current_player()
        ours = {a.lower() for a in game.actions(s)}
        names = {o.action_to_string(a).split()[1].lower(): a for a in o.legal_actions()}
        assert ours == set(names)
        name = rng.choice(sorted(names))
        s = game.result(s, name)
        o.apply_action(names[name])


# -- ko, suicide, superko --------------------------------------------------------------------------


def test_each_illegal_move_names_its_reason() -> None:
    game = load(size=4, ko="simple")
    taken = game.result(game.parse_state(".XO./XO.O/.XO./.... black"), "C3")
    cases = {
        (game.parse_state("X.../..../..../...."), "A4"): "occupied",
        (game.parse_state(".X../X.../..../.... white"), "A4"): "suicide",
        (taken, "B3"): "ko",
        (game.parse_state("..../..../..../.... black pass pass"), "A1"): "over",
    }
    for (s, move), reason in cases.items():
        with pytest.raises(IllegalAction, match=reason):
            game.result(s, move)


def test_superko_forbids_longer_cycles() -> None:
    """In random games, moves that would repeat an earlier position are refused with the reason."""
    game = load(size=4)
    rng, found = random.Random(5), 0
    for _ in range(600):
        s = game.initial()
        while not game.is_terminal(s):
            for code in range(16):
                fault = game.native.fault(s.data, code)
                if fault == "superko":
                    found += 1
                    with pytest.raises(IllegalAction, match="the position has occurred before"):
                        game.result(s, vertex(code, 4))
            s = game.result(s, rng.choice(game.actions(s)))
    assert found > 5


def test_a_point_outside_the_board_is_named() -> None:
    game = load(size=9)
    for move in ("I5", "K1", "A10", "", "D4D4", "resign"):
        with pytest.raises(IllegalAction, match=r"there is no point .* on a 9x9 board"):
            game.parse_action(game.initial(), move)
    with pytest.raises(zermelo.BadPosition) as caught:
        game.parse_state("E5 I5")
    assert caught.value.hint.startswith("points are A1 to J9 (without I), or pass; ")


def test_no_other_point_is_proposed_after_the_end() -> None:
    game = load(size=9)
    with pytest.raises(IllegalAction, match="the game is over") as caught:
        game.parse_action(game.parse_state("pass pass"), "E5")
    assert "another point" not in caught.value.hint


def test_suicide_is_legal_by_tromp_taylor_only() -> None:
    text = "X.XO/XXOO/OO../.... black"  # B4 leaves Black's four stones without a liberty
    assert "B4" not in load(size=4).actions(load(size=4).parse_state(text))
    game = load(size=4, rules="tromp-taylor")
    after = game.result(game.parse_state(text), "B4")
    assert game.rows(after) == ["...O", "..OO", "OO..", "...."]


def test_without_superko_a_repeated_position_has_no_result() -> None:
    game = load(size=3, ko="simple", komi=0, score="points")
    rng, draws = random.Random(1), 0
    for _ in range(400):
        s, seen = game.initial(), {"".join(game.rows(game.initial()))}
        while not game.is_terminal(s):
            move = rng.choice(game.actions(s))
            s = game.result(s, move)
            rows = "".join(game.rows(s))
            repeated = move != "pass" and rows in seen
            assert repeated == (game.is_terminal(s) and game.format_state(s).count("pass") < 2)
            seen.add(rows)
            if repeated:
                draws += 1
                assert game.utility(s, 0) == game.utility(s, 1) == 0
    assert draws > 10


# -- scoring ---------------------------------------------------------------------------------------


def test_territory_and_prisoners_by_japanese_like_rules() -> None:
    """Territory plus prisoners, counted by hand in random games."""
    game = load(size=5, rules="japanese-like", komi=0, score="points")
    referee, rng = Referee(5, False), random.Random(3)
    for _ in range(30):
        s, taken = game.initial(), [0, 0]
        for ply in range(60):
            if game.is_terminal(s):
                break
            before = "".join(game.rows(s))
            s = game.result(s, rng.choice(game.actions(s)))
            after = "".join(game.rows(s))
            enemy = "OX"[ply % 2]
            taken[ply % 2] += before.count(enemy) - after.count(enemy)
        board = "".join(game.rows(s))
        stones = board.count("X") - board.count("O")
        assert game.prisoners(s) == tuple(taken)
        assert game.margin(s) == referee.area(board) - stones + taken[0] - taken[1]


def test_stones_set_up_at_the_start_are_not_territory() -> None:
    """By japanese-like rules: a board that is all Black's, less the stones on it."""
    game = load(size=9, rules="japanese-like", handicap=3)
    s = game.parse_state("pass pass")
    assert game.margin(s) == game.final_margin(s) == 81 - 3 - game.komi
    game = load(size=5, rules="japanese-like", score="points")
    s = game.parse_state("XX.../XX.../...../...../..... white pass pass")
    assert game.margin(s) == game.final_margin(s) == game.utility(s, 0) == 25 - 4


def test_dead_stones_are_found_by_playouts() -> None:
    rows = [
        "..XOO..O.",
        "..XXO.O.O",
        "...XOO.OO",
        "XXXXXOOOO",
        "...XXXXXX",
        ".O.X.....",
        "...X..O..",
        "XXXX.....",
        ".........",
    ]
    game = load(size=9, komi=0)
    s = game.parse_state("/".join(rows) + " black pass pass")
    dead = {v for v, word in game.final_status(s).items() if word == "dead"}
    assert dead == {"B4", "G3"}
    assert game.final_margin(s) == 81 - 2 * 20


def test_a_result_marks_its_moves_on_the_board() -> None:
    game = load(size=9)
    s = game.parse_state("D4")
    assert 'class="next"' not in game.svg(s)
    drawn = game.svg_with(s, ["E5", "C3", "pass"])
    assert drawn.count('class="next"') == 2
    assert '<text class="order" x="158" y="162">1</text>' in drawn  # E5, the middle
    search = zermelo.search(game, s, nodes=50, seed=1)
    assert str(search._repr_svg_()).count('class="next"') == 1


def test_numbers_of_rows_lie_between_the_border_and_the_wood() -> None:
    svg = load(size=19).svg(load(size=19).initial())
    label = re.search(r'x="([0-9.]+)" y="[0-9.]+">19</text>', svg)
    wood = re.search(r'class="wood" x="([0-9.]+)"', svg)
    assert label and wood
    half = 0.6 * 14  # two digits of 14 pixels
    assert half <= float(label[1]) <= float(wood[1]) - half


def test_a_pass_is_written_below_the_board() -> None:
    game = load(size=9)
    assert "Black passed" in game.svg(game.parse_state("pass"))
    assert "passed" not in game.svg(game.parse_state("pass D4"))


def test_komi_by_convention() -> None:
    komis = {spec: zermelo.load(spec).komi for spec in (
        "go", "go:size=19", "go:size=5", "go:handicap=4", "go:rules=japanese-like", "go:komi=-3.5",
    )}  # fmt: skip
    assert list(komis.values()) == [7, 7.5, 0, 0.5, 6.5, -3.5]


# -- notation --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 9, 19, 25])
def test_points_have_one_name_each(size: int) -> None:
    names = [vertex(i, size) for i in range(size**2)]
    assert len(set(names)) == size**2 and not any("I" in name for name in names)
    assert [parse_vertex(name, size) for name in names] == list(range(size**2))
    assert vertex(size * (size - 1), size) == "A1"


def test_positions_as_moves_and_as_rows() -> None:
    game = load(size=3)
    s = game.parse_state("B2 pass C3")
    assert game.format_state(s) == "..X/.X./... white"
    assert game.format_state(game.parse_state("..X/.X./... white pass")).endswith("white pass")
    for text, message in {
        "B2 B2": "occupied",
        "..X/.X. white": "3 rows of 3",
        "..X/.X./... green": "green",
        "OX./X../... white": "without liberties",
        "..X/.X./... white pass pass pass": "passes",
    }.items():
        with pytest.raises(BadPosition) as error:
            game.parse_state(text)
        assert message in f"{error.value} {error.value.hint}"


@pytest.mark.parametrize("size", [7, 8, 9, 13, 19])
def test_handicap_stones_lie_on_star_points(size: int) -> None:
    most = 9 if size % 2 and size > 7 else 4
    for stones in range(2, most + 1):
        points = fixed_handicap(size, stones)
        assert len(set(points)) == stones
        game = load(size=size, handicap=stones)
        s = game.initial()
        assert game.player(s) == 1 and "".join(game.rows(s)).count("X") == stones
        if stones <= len(star_points(size)):
            corners = {r * size + c for r, c in star_points(size)}
            assert set(points) <= corners or size == 13 or stones > 5
    with pytest.raises(UsageError, match="handicap"):
        load(size=size, handicap=most + 1) if most < 9 else fixed_handicap(6, 2)


def test_sizes_and_komi_out_of_range() -> None:
    for spec in ("go:size=1", "go:size=26", "go:komi=1e9", "go:rules=british"):
        with pytest.raises(UsageError):
            zermelo.load(spec)


# -- search ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "value"), [(2, 1), (3, 9)])
def test_solved_boards(size: int, value: float) -> None:
    result = zermelo.solve(load(size=size))
    assert result.exact and result.value == value


@pytest.mark.parametrize("seed", range(3))
def test_a_chain_in_atari_is_captured_or_saved(seed: int) -> None:
    """F6 is the only liberty of two black stones: White captures there, Black extends there."""
    rows = ["." * 9] * 2 + ["...OO....", "..OXX....", "...OO...."] + ["." * 9] * 4
    game = load(size=9)
    for side in ("white", "black"):
        s = game.parse_state("/".join(rows) + f" {side}")
        assert zermelo.search(game, s, algorithm="mcts", nodes=2000, seed=seed).action == "F6"


def test_native_states_from_outside_are_checked() -> None:
    """Damaged bytes are refused; whatever is accepted can be played."""
    game, rng = load(size=5), random.Random(2)
    s = game.parse_state("C3 C2 D2 D3 B2 pass C1")
    data = bytearray(s.data)
    used = len(bytes(s.data).rstrip(b"\0"))
    for _ in range(3000):
        damaged = bytearray(data)
        for _ in range(rng.choice((1, 1, 2, 8))):
            damaged[rng.randrange(used)] = rng.randrange(256)
        if game.handle.valid(bytes(damaged)):
            state = bytes(damaged)
            for _ in range(10):
                if game.handle.to_move(state) < 0:
                    break
                state = game.handle.play(state, rng.choice(game.handle.actions(state)))
