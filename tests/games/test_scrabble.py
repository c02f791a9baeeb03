"""Scrabble: the generator against plain search of all words and places, rules, what is hidden."""

from __future__ import annotations

import itertools
import os
import random
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import BadPosition, IllegalAction, UsageError
from zermelo.games import scrabble as face

LIST = Path(__file__).parents[1] / "words.txt"
WORDS = LIST.read_text().split()
GAME: Any = zermelo.load("scrabble")
SCALE = "1:AEILNORSTU 2:DG 3:BCMP 4:FHVWY 5:K 8:JX 10:QZ 0:?"
POINTS = {c: int(p) for p, _, row in (w.partition(":") for w in SCALE.split()) for c in row}
TRIPLE_WORD = {(x, y) for x in (0, 7, 14) for y in (0, 7, 14)} - {(7, 7)}
DOUBLE_WORD = {(i, i) for i in (1, 2, 3, 4, 7, 10, 11, 12, 13)}
DOUBLE_WORD |= {(14 - x, y) for x, y in DOUBLE_WORD}
TRIPLE_LETTER = set(itertools.product((1, 5, 9, 13), repeat=2)) - DOUBLE_WORD
DOUBLE_LETTER = set()
for a, b in ((0, 3), (2, 6), (3, 7), (6, 6), (3, 0), (6, 2), (7, 3)):
    DOUBLE_LETTER |= set(itertools.product((a, 14 - a), (b, 14 - b)))


def random_position(game: Any, rng: random.Random, plies: int) -> Any:
    """After so many turns by chance, mostly plays."""
    s = game.initial()
    turns = 0
    while not game.is_terminal(s):
        if game.player(s) >= 0:
            if turns == plies:
                return s
            turns += 1
        actions = game.actions(s)
        plays = [a for a in actions if " " in a and not a.startswith("exchange")]
        s = game.result(s, rng.choice(plays if plays and rng.random() < 0.9 else actions))
    return s


class Slow:
    """Every word in every place, checked as the rules read. Cells are (column, row)."""

    def __init__(self, board: str, rack: str, words: list[str]) -> None:
        self.words = {w.upper() for w in words}
        self.rack = Counter(rack)
        self.tiles = {(i % 15, i // 15): c for i, c in enumerate(board) if c != "."}

    def plays(self) -> dict[str, int]:
        found: dict[str, int] = {}
        usable = set(self.rack) | {c.upper() for c in self.tiles.values()}
        steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
        near = {(x + a, y + b) for x, y in self.tiles or [(7, 7)] for a, b in (*steps, (0, 0))}
        columns, rows = {x for x, _ in near}, {y for _, y in near}
        for word in self.words:
            if "?" not in self.rack and not set(word) <= usable:
                continue
            for dx, dy in ((1, 0), (0, 1)):
                for x in range(15 - dx * (len(word) - 1)):
                    for y in range(15 - dy * (len(word) - 1)):
                        if (y in rows) if dx else (x in columns):  # else it touches nothing
                            self.place(word, x, y, dx, dy, found)
        return found

    def place(self, word: str, x: int, y: int, dx: int, dy: int, found: dict[str, int]) -> None:
        cells = [(x + i * dx, y + i * dy) for i in range(len(word))]
        if (x - dx, y - dy) in self.tiles or (cells[-1][0] + dx, cells[-1][1] + dy) in self.tiles:
            return
        new = []
        for cell, c in zip(cells, word, strict=True):
            if cell not in self.tiles:
                new.append((cell, c))
            elif self.tiles[cell].upper() != c:
                return
        if not 1 <= len(new) <= 7 or not self.touches([cell for cell, _ in new]):
            return
        if len(new) == 1 and dy and self.cross(new[0][0], new[0][1], 0, 1)[0] != new[0][1]:
            return  # one tile, two words: written along
        for cell, c in new:
            crossing = self.cross(cell, c, dx, dy)[0]
            if len(crossing) > 1 and crossing not in self.words:
                return
        short = Counter(c for _, c in new) - self.rack
        if sum(short.values()) > self.rack["?"]:
            return
        for count in range(3):
            for wild in itertools.combinations(range(len(new)), count):
                need = Counter("?" if i in wild else c for i, (_, c) in enumerate(new))
                if need - self.rack:
                    continue
                laid = {cell: c.lower() if i in wild else c for i, (cell, c) in enumerate(new)}
                text = "".join(laid.get(cell, c) for cell, c in zip(cells, word, strict=True))
                row, column = str(y + 1), "ABCDEFGHIJKLMNO"[x]
                name = f"{row}{column} {text}" if dx else f"{column}{row} {text}"
                found[name] = self.score(cells, laid, dx, dy)

    def touches(self, new: list[tuple[int, int]]) -> bool:
        if not self.tiles:
            return (7, 7) in new
        steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
        return any((x + a, y + b) in self.tiles for x, y in new for a, b in steps)

    def cross(self, cell: Any, c: str, dx: int, dy: int) -> tuple[str, int]:
        """The word across a new tile, and the points of the others in it."""
        before = after = ""
        x, y = cell
        while (x - dy, y - dx) in self.tiles:
            x, y = x - dy, y - dx
            before = self.tiles[x, y] + before
        x, y = cell
        while (x + dy, y + dx) in self.tiles:
            x, y = x + dy, y + dx
            after += self.tiles[x, y]
        points = sum(POINTS[t] for t in before + after if t.isupper())
        return (before + c + after).upper(), points

    def score(self, cells: list[Any], laid: dict[Any, str], dx: int, dy: int) -> int:
        total, times, others = 0, 1, 0
        for cell in cells:
            tile = laid.get(cell) or self.tiles[cell]
            points = POINTS[tile] if tile.isupper() else 0
            if cell in laid:
                points *= 2 if cell in DOUBLE_LETTER else 3 if cell in TRIPLE_LETTER else 1
                word = 2 if cell in DOUBLE_WORD else 3 if cell in TRIPLE_WORD else 1
                times *= word
                crossing, rest = self.cross(cell, tile, dx, dy)
                if len(crossing) > 1:
                    others += (rest + points) * word
            total += points
        return total * times + others + (50 if len(laid) == 7 else 0)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A game whose words are any letters: a short list in which much fits beside much."""
    rng = random.Random(2)
    lengths = {2: 40, 3: 90, 4: 60, 5: 20, 7: 20, 8: 20}
    words = [
        "".join(rng.choices("aaeeiionrrsttld", k=k)) for k, n in lengths.items() for _ in range(n)
    ]
    path = tmp_path_factory.mktemp("words") / "list.txt"
    path.write_text("\n".join(dict.fromkeys(words)))
    return zermelo.load(f"scrabble:words={path}"), sorted(set(words))


def test_the_generator_finds_what_the_slow_way_finds(small: Any) -> None:
    game, words = small
    rng = random.Random(11)
    plays = wild = 0
    for i in range(14):
        s = random_position(game, rng, i % 7)
        if game.is_terminal(s):
            continue
        t = game.table(s)
        if i % 4 == 3 and "?" in t.bag:  # blanks are rare by chance
            text = game.format_state(s).split()
            text[1] = ",".join("?" + r[1:] if p == t.mover else r for p, r in enumerate(t.racks))
            s = game.parse_state(" ".join(text))
        expected = Slow(game.table(s).board, game.rack(s), words).plays()
        found = {a for a in game.actions(s) if a != "pass" and not a.startswith("exchange")}
        assert found == set(expected)
        for a in rng.sample(sorted(found), min(12, len(found))):
            after = game.table(game.result(s, a))
            assert after.gained == expected[a], (game.format_state(s), a)
        plays += len(found)
        wild += any(c.islower() for a in found for c in a.split()[1])
    assert plays > 500 and wild > 3


def test_a_whole_list_and_a_bingo() -> None:
    s = GAME.parse_state("/".join(["15"] * 15) + " ESSAGNI,- 0,0 0 0")
    while GAME.player(s) < 0:
        s = GAME.result(s, GAME.actions(s)[0])
    slow = Slow(GAME.table(s).board, "ESSAGNI", WORDS).plays()
    found = {a for a in GAME.actions(s) if a[0] in "8H" and " " in a}
    assert found == set(slow)
    s = GAME.parse_state("7E7/7V7/7E7/7N7/7T7/7S7/15" + "/15" * 8 + " PLAYING,- 9,0 0 0")
    assert not [a for a in GAME.actions(s) if "PLAYING" in a]


def test_rules_of_turns_and_bag() -> None:
    rng = random.Random(4)
    for _ in range(4):
        s = GAME.initial()
        while not GAME.is_terminal(s):
            t = GAME.table(s)
            everything = [c if c.isupper() else "?" for c in t.board if c != "."]
            everything += [*t.bag, *t.racks[0], *t.racks[1], *t.aside]
            assert len(everything) == 100
            if GAME.player(s) < 0:
                odds = dict(GAME.outcomes(s))
                assert odds == pytest.approx({k: n / len(t.bag) for k, n in Counter(t.bag).items()})
                s = GAME.result(s, rng.choices(list(odds), list(odds.values()))[0])
                continue
            assert len(t.racks[t.mover]) == 7 or not t.bag
            actions = GAME.actions(s)
            assert any(a.startswith("exchange") for a in actions) == (len(t.bag) >= 7)
            assert actions[-1] == "pass"
            scores = t.scores
            s = GAME.result(s, face.greedy(GAME, s) if rng.random() < 0.8 else rng.choice(actions))
        t = GAME.table(s)
        assert t.idle == 6  # this list has no words for the last tiles
        for p in (0, 1):
            assert t.scores[p] == scores[p] - sum(POINTS[c] for c in t.racks[p])
        assert GAME.utility(s, 0) == t.scores[0] - t.scores[1]


def test_going_out() -> None:
    """All other tiles lie somewhere above, so that the bag is empty."""
    count = Counter("?ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 12) & Counter(GAME.table(GAME.initial()).bag)
    rest = sorted((count - Counter("TOQZ")).elements())
    above = "".join(c if c != "?" else "b" for c in rest).ljust(7 * 15, ".")
    rows = [above[15 * i : 15 * i + 15] for i in range(7)]
    board = "/".join(row.rstrip(".") + (str(n) if (n := row.count(".")) else "") for row in rows)
    s = GAME.parse_state(f"{board}{'/15' * 7}/T14 O,QZ 30,40 0 0")
    after = GAME.result(s, "15A TO")
    assert GAME.is_terminal(after) and GAME.table(after).scores == (30 + 2 + 20, 40 - 20)
    assert GAME.utility(after, 0) == 32 and not GAME.is_terminal(GAME.result(s, "pass"))
    won = zermelo.load("scrabble:score=win")
    assert won.utility(won.result(won.parse_state(GAME.format_state(s)), "15A TO"), 1) == -1
    idle = GAME.parse_state(f"{board}{'/15' * 7}/T14 O,QZ 30,40 0 5")
    assert GAME.table(GAME.result(idle, "pass")).scores == (29, 20)


def test_exchanges_name_their_tiles() -> None:
    rng = random.Random(8)
    for _ in range(6):
        s = random_position(GAME, rng, rng.randrange(4))
        rack = GAME.rack(s)
        named = {a.partition(" ")[2] for a in GAME.actions(s) if a.startswith("exchange")}
        order = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ".index
        sets = {
            "".join(sorted(c, key=order))
            for n in range(1, 8)
            for c in itertools.combinations(rack, n)
        }
        assert named == sets
        given = rng.choice(sorted(sets))
        after = GAME.result(s, f"exchange {given}")
        assert GAME.table(after).aside == given and GAME.player(after) == -1
        assert not Counter(GAME.table(after).racks[GAME.player(s)]) - Counter(rack)


def test_players_see_what_they_may() -> None:
    rng = random.Random(5)
    see = GAME.handle.observation
    varied = 0
    for i in range(20):
        s = random_position(GAME, rng, i)
        if i % 3 == 1 and not GAME.is_terminal(s):
            s = GAME.result(s, rng.choice(GAME.actions(s)))  # chance may be drawing
        for p in (0, 1):
            for d in [GAME.sample(s, p, rng) for _ in range(4)]:
                assert GAME.observation(d, p) == GAME.observation(s, p)
                assert see(GAME.data(d), p) == see(GAME.data(s), p)
                assert GAME.view(d, p) == GAME.view(s, p)
                assert GAME.observation_svg(d, p) == GAME.observation_svg(s, p)
                assert GAME.unseen(d, p) == GAME.unseen(s, p)
                if GAME.player(s) == p:
                    assert GAME.actions(d) == GAME.actions(s)
                other = GAME.observation(d, 1 - p) == GAME.observation(s, 1 - p)
                assert other == (see(GAME.data(d), 1 - p) == see(GAME.data(s), 1 - p))
                varied += not other
    assert varied > 50


def test_deals_are_as_likely_as_they_should_be() -> None:
    """The other's first tile is drawn from what the mover does not see."""
    s = random_position(GAME, random.Random(3), 2)
    rng = random.Random(1)
    p = GAME.player(s)
    unseen = Counter(GAME.unseen(s, p))
    found: Counter[str] = Counter()
    for _ in range(1500):
        found.update(GAME.table(GAME.sample(s, p, rng)).racks[1 - p])
    total = sum(found.values())
    for tile, n in unseen.items():
        odds = n / sum(unseen.values())
        assert abs(found[tile] / total - odds) < 5 * (odds / total) ** 0.5
    assert set(found) <= set(unseen)


def test_the_players() -> None:
    s = random_position(GAME, random.Random(3), 3)
    action, said = GAME.advise(s)
    assert set(said) == set(GAME.actions(s)) and zermelo.search(GAME, s).action == action
    sign = 1 if GAME.player(s) == 0 else -1
    assert sign * said[action] == max(sign * v for v in said.values())
    tried = GAME.simulate(s, candidates=4, deals=5, seed=2)
    assert tried == GAME.simulate(s, candidates=4, deals=5, seed=2)
    assert len(tried) == 4 and set(tried) <= set(said)
    for player in (face.greedy, "pimc:depth=1,deals=3"):
        m = zermelo.match(GAME, [player, "random:1"], 4, opening=0, seed=1)
        assert m.wins == 4, str(m)


def test_search_over_deals_and_information_sets() -> None:
    s = random_position(GAME, random.Random(9), 4)
    for name, options in (("pimc", {"depth": 1}), ("ismcts", {"simulations": 40})):
        r = zermelo.search(GAME, s, name, deals=4, seed=1, **options)
        assert r.action in GAME.actions(s)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8H zzz", "no ? ? ?"),
        ("8H SEAT", "has no"),
        ("8H TNI", "TNI is not in the word list"),
        ("1A IN", "does not touch a tile"),
        ("8N INTO", "does not fit on the board"),
        ("H16 IN", "invalid row 16"),
        ("exchange ZZ", "not a legal action"),
        ("8H", "not a legal action"),
    ],
)
def test_wrong_plays_say_why(text: str, says: str) -> None:
    s = GAME.parse_state("/".join(["15"] * 15) + " INTOINN,AAAAEEE 0,0 0 0")
    assert "8H INTO" in GAME.actions(s)
    with pytest.raises(IllegalAction) as e:
        GAME.parse_action(s, text)
    assert says in e.value.message


def test_wrong_plays_beside_tiles() -> None:
    s = GAME.parse_state("15/15/15/15/15/15/15/7IN6" + "/15" * 7 + " TONDXEI,- 4,0 0 0")
    while GAME.player(s) < 0:
        s = GAME.result(s, GAME.actions(s)[0])
    assert GAME.parse_action(s, "8h into") == "8H INTO"
    assert GAME.parse_action(s, "I7 IN") == "I7 IN"
    assert GAME.parse_action(s, "8g NINE") == "8G NINE"
    for text, says in (
        ("8H ON", "I lies where it has O"),
        ("8J TO", "INTO: write the whole word"),
        ("9H ON", "IO is not in the word list"),
        ("8H IN", "places no new tile"),
    ):
        with pytest.raises(IllegalAction) as e:
            GAME.parse_action(s, text)
        assert says in e.value.message, text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("15/15 -,- 0,0 0 0", "2 rows"),
        ("/".join(["14"] * 15), "14 cells"),
        ("/".join(["15"] * 14) + "/1%13 -,-", "not a tile"),
        ("/".join(["15"] * 15) + " QQ,- 0,0 0 0", "Q appears 2 times"),
        ("/".join(["15"] * 15) + " AAAAAAAA,- 0,0 0 0", "is impossible"),
        ("/".join(["15"] * 15) + " AB 0,0 0 0", "two racks"),
        ("/".join(["15"] * 15) + " A1,- 0,0 0 0", "not a tile"),
        ("/".join(["15"] * 15) + " -,- 0 0 0", "two scores"),
        ("/".join(["15"] * 15) + " -,- 0,x 0 0", "not a number"),
        ("/".join(["15"] * 15) + " -,- 0,0 2 0", "out of range"),
        ("/".join(["15"] * 15) + " -,- 0,0 0 0 last=8H:QQQ:9", "not a play"),
        ("/".join(["15"] * 15) + " -,- 0,0 0 0 bag=AB", "the remaining tiles"),
        ("/".join(["15"] * 15) + " -,- 0,0 0 0 what=AB", "unknown field what="),
    ],
)
def test_wrong_positions(text: str, says: str) -> None:
    with pytest.raises(BadPosition) as e:
        GAME.parse_state(text)
    assert says in e.value.message


def test_word_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    capitals = tmp_path / "capitals.txt"
    capitals.write_bytes(b"CAT\r\nCATS\r\nAT\r\n")
    game: Any = zermelo.load(f"scrabble:words={capitals}")
    assert game.words.count == 3 and game.words.has("cats") and not game.words.has("ats")
    mixed = tmp_path / "mixed.txt"
    mixed.write_text("Paris\nit's\nna\u00efve\na\ncat\ncat\n")
    game = zermelo.load(f"scrabble:words={mixed}")
    assert game.words.count == 1
    empty = tmp_path / "empty.txt"
    empty.write_text("A\n")
    with pytest.raises(UsageError, match="has no words"):
        zermelo.load(f"scrabble:words={empty}")
    with pytest.raises(UsageError, match=r"the word list .* does not exist"):
        zermelo.load(f"scrabble:words={tmp_path / 'none.txt'}")
    with pytest.raises(UsageError, match="invalid score='much'"):
        zermelo.load("scrabble:score=much")
    monkeypatch.setenv("ZERMELO_WORDS", str(tmp_path / "none.txt"))
    done = run("analyze", "scrabble", "--depth", "1")
    assert done.code == 2 and "none.txt does not exist" in done.err and "wamerican" in done.err


@pytest.mark.parametrize(
    "asked",
    [{"deals": 0}, {"deals": -1}, {"deals": 2**40}, {"deals": 1.5}, {"deals": True},
     {"candidates": 0}, {"plies": -1}, {"seed": -1}],
)  # fmt: skip
def test_a_simulation_that_makes_no_sense(asked: dict[str, Any]) -> None:
    s = GAME.initial()
    while GAME.player(s) == zermelo.CHANCE:
        s = GAME.result(s, GAME.outcomes(s)[0][0])
    with pytest.raises(UsageError, match="invalid "):
        GAME.simulate(s, **asked)


def test_a_simulation_can_be_interrupted() -> None:
    s = GAME.initial()
    while GAME.player(s) == zermelo.CHANCE:
        s = GAME.result(s, GAME.outcomes(s)[0][0])
    timer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            GAME.simulate(s, deals=1_000_000, plies=1000)
    finally:
        timer.join()
