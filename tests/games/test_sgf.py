"""SGF: sgfmill's reader as the oracle, round trips, and files that nobody should trust."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.games.go import sgf, sgf_parser, sgf_values
from zermelo.games.go.notation import vertex
from zermelo.games.go.sgf import SgfError, SgfGame, SgfNode

sgfmill = pytest.importorskip("sgfmill", reason="sgfmill is not installed")
from sgfmill import sgf as oracle  # noqa: E402
from sgfmill import sgf_grammar as grammar  # noqa: E402

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
GAME = (
    "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]PB[Ann \\] B.]PW[Бен]RE[W+3.5]\n"
    "AB[cc:dd][gg]AW[aa]C[a comment:\n(not a variation) \\\\ \\]]\n"
    ";B[ee];W[ec]LB[aa:1][bb:x\\:y](;B[cg];W[];B[tt])(;B[gc]XX[unknown][\\]];W[ff](;B[fe])(;B[ef])))"
)


# -- the tree --------------------------------------------------------------------------------------
Shape = list[tuple[int, list[tuple[str, list[str]]]]]


def our_shape(game: SgfGame) -> Shape:
    """Number of children and properties of each node, in the order of the file."""
    return [(len(n.children), list(n.properties.items())) for n in game.nodes()]


def oracle_shape(data: bytes, encoding: str = "utf-8") -> list[Shape]:
    """The same for each game, as sgfmill reads it."""
    return [_shape(tree, encoding) for tree in grammar.parse_sgf_collection(data)]


def _shape(tree: Any, encoding: str) -> Shape:
    found: Shape = []
    stack = [tree]
    while stack:
        tree = stack.pop()
        for number, properties in enumerate(tree.sequence, 1):
            children = 1 if number < len(tree.sequence) else len(tree.children)
            decoded = {k: [v.decode(encoding) for v in vs] for k, vs in properties.items()}
            found.append((children, list(decoded.items())))
        stack.extend(reversed(tree.children))
    return found


def same_values(game: SgfGame, theirs: Any) -> None:
    """Texts, moves and points are what sgfmill makes of them."""
    assert game.size == theirs.get_size()
    stack: list[tuple[SgfNode, Any]] = [(game.root, theirs.get_root())]
    while stack:
        node, other = stack.pop()
        for name in node.properties:
            if name in ("C", "GC"):
                assert node.text(name) == other.get(name)
            elif name in ("PB", "PW", "N"):
                assert node.simple_text(name) == other.get(name)
            elif name in ("AB", "AW", "AE", "TR"):
                wanted = {COLUMNS[column] + str(row + 1) for row, column in other.get(name)}
                assert set(node.points(name)) == wanted
        colour, place = other.get_move()
        wanted_move = None
        if colour is not None:
            at = "pass" if place is None else COLUMNS[place[1]] + str(place[0] + 1)
            wanted_move = ({"b": "black", "w": "white"}[colour], at)
        assert node.move == wanted_move
        stack.extend(zip(node.children, other, strict=True))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.text(
    "ab]\\[:;()\n\r\t \v\f", max_size=12
)


@st.composite
def nodes(draw: Any, size: int) -> dict[str, list[bytes]]:
    """The properties of a node, in a random order."""
    letters = sgf_values.LETTERS[:size]
    point = st.builds(lambda a, b: (a + b).encode(), *(st.sampled_from(letters),) * 2)
    rectangle = st.lists(st.integers(0, size - 1), min_size=4, max_size=4).map(
        lambda x: "{}{}:{}{}".format(
            *(letters[i] for i in (min(x[:2]), min(x[2:]), max(x[:2]), max(x[2:])))
        ).encode()
    )
    stones = st.lists(point | rectangle, min_size=1, max_size=4)
    text = TEXT.map(lambda t: [grammar.escape_text(t.encode())])
    raw = TEXT.map(str.encode).filter(grammar.is_valid_property_value)
    choices = {
        "C": text, "PB": text, "N": text, "AB": stones, "AW": stones, "AE": stones, "TR": stones,
        "XYZ": st.lists(raw, min_size=1, max_size=3), "MULTIGOGM": text,
    }  # fmt: skip
    names = draw(st.lists(st.sampled_from(sorted(choices)), max_size=4, unique=True))
    found = {name: draw(choices[name]) for name in names}
    if draw(st.booleans()):
        found[draw(st.sampled_from("BW"))] = [draw(point | st.just(b""))]
    return found


@st.composite
def files(draw: Any) -> bytes:
    """A game with random variations, written by sgfmill."""
    size = draw(st.sampled_from([1, 2, 9, 19, 20, 25]))
    trees = [grammar.Coarse_game_tree()]
    for _ in range(draw(st.integers(0, 6))):
        tree = grammar.Coarse_game_tree()
        draw(st.sampled_from(trees)).children.append(tree)
        trees.append(tree)
    for tree in trees:
        tree.sequence = draw(st.lists(nodes(size), min_size=1, max_size=4))
    head = {"FF": [b"4"], "CA": [b"UTF-8"], "SZ": [str(size).encode()]}
    trees[0].sequence[0] = head | trees[0].sequence[0]
    return bytes(grammar.serialise_game_tree(trees[0], wrap=draw(st.sampled_from([None, 20, 79]))))


@settings(max_examples=150, deadline=None)
@given(st.lists(files(), min_size=1, max_size=3))
def test_the_tree_is_sgfmill_s(parts: list[bytes]) -> None:
    data = b"".join(parts)
    ours = sgf.read(data)
    shapes = [our_shape(game) for game in ours]
    assert shapes == oracle_shape(sgf_values.LINE_BREAK.sub("\n", data.decode()).encode())
    for game, tree in zip(ours, grammar.parse_sgf_collection(data), strict=True):
        same_values(game, oracle.Sgf_game.from_coarse_game_tree(tree))
    written = sgf.write(ours)
    assert sgf.read(written) == ours and [our_shape(g) for g in sgf.read(written)] == shapes
    assert oracle_shape(written) == shapes
    assert sgf.read(sgf.to_text(ours)) == ours


@settings(max_examples=300, deadline=None)
@given(TEXT)
def test_texts_are_escaped_as_sgfmill_does(text: str) -> None:
    raw = sgf.escape(text)
    assert sgf.unescape(raw) == grammar.text_value(grammar.escape_text(text.encode())).decode()
    if grammar.is_valid_property_value(text.encode()):
        plain = sgf_values.LINE_BREAK.sub("\n", text)
        assert sgf.unescape(plain) == grammar.text_value(text.encode()).decode()
        assert sgf.unescape_simple(plain) == grammar.simpletext_value(text.encode()).decode()
        sides = grammar.parse_compose(plain.encode())
        wanted = tuple(None if side is None else side.decode() for side in sides)
        assert sgf_values.split_composed(plain) == wanted
    assert sgf.unescape(sgf.escape(text, composed=True)) == sgf.unescape(raw)


TRICKY = [
    GAME,
    GAME.replace("\n", "\r\n"),
    "a mail header (no\n(;GM[1];B[dd])\ntext between )) games\n (\n;GM[1]W[aa]\n) tail ( x",
    "(;GaMe[1]SiZe[9]AddBlack[ee]PlaysFirst[W];White[dd]Comment[old])",
    "(;B [dd]\n\t[]AB\n[aa]\n[bb] C\n[x] ; ;;W[])",
    "(;C[\\\nsoft\\\\\\]\\:]C[twice]N[]AB[aa]AB[bb];;)",
    "(;SZ[9:9]B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))",
    "(;SZ[1];B[aa];W[tt];B[])",
    "(;C[日本語 \\](;B[aa\\])];B[aa])",
]


@pytest.mark.parametrize("text", TRICKY, ids=range(len(TRICKY)))
def test_tricky_files(text: str) -> None:
    ours = sgf.read(text.encode())
    shapes = [our_shape(game) for game in ours]
    assert shapes == oracle_shape(sgf_values.LINE_BREAK.sub("\n", text).encode())
    assert sgf.read(text) == ours
    again = sgf.read(sgf.write(ours))
    assert [our_shape(game) for game in again] == shapes == oracle_shape(sgf.write(ours))


def test_what_a_game_says() -> None:
    (game,) = sgf.read(GAME)
    root = game.root
    assert (game.size, game.komi, game.rules, game.handicap) == (9, 6.5, "Japanese", 0)
    assert game.players == ("Ann ] B.", "Бен") and (game.result, game.winner) == ("W+3.5", "white")
    assert root.comment == "a comment:\n(not a variation) \\ ]"
    assert root.points("AB") == ("C7", "D7", "C6", "D6", "G3") and root.points("AW") == ("A9",)
    assert game.moves() == [
        ("black", "E5"), ("white", "E7"), ("black", "C3"), ("white", "pass"), ("black", "pass"),
    ]  # fmt: skip
    assert game.variations == 2 and len(list(game.nodes())) == 10
    branch = root.children[0].children[0].children[1]
    assert branch.move == ("black", "G7") and (branch.line, branch.column) == (4, 49)
    assert [n.move for n in branch.path()][1:] == [("black", "E5"), ("white", "E7"), branch.move]
    assert pickle.loads(pickle.dumps(game)) == game
    assert game != sgf.read("(;GM[1])")[0] and game != "a game"


def test_lower_case_letters_of_old_files() -> None:
    (game,) = sgf.read("(;GaMe[1]SiZe[9]AddBlack[ee]PLayer[White]KoMi[0,5];White[dd]Comment[old])")
    assert list(game.root.properties) == ["GM", "SZ", "AB", "PL", "KM"]
    assert game.root.to_play == "white" and game.komi == 0.5
    assert game.moves() == [("white", "D6")] and game.main_line()[1].comment == "old"


def test_passes_and_points() -> None:
    for size, tt in ((9, "pass"), (19, "pass"), (20, "U1"), (25, "U6")):
        (game,) = sgf.read(f"(;SZ[{size}];B[];W[tt])")
        assert game.moves() == [("black", "pass"), ("white", tt)]
        for row in range(size):
            for column in range(size):
                name = vertex(row * size + column, size)
                assert sgf.to_vertex(sgf.to_point(name, size), size) in (name, "pass")
                assert sgf.to_point(name.lower(), size) == (
                    sgf_values.LETTERS[column] + sgf_values.LETTERS[row]
                )


def test_games_are_built_from_moves() -> None:
    moves = ["E5", "pass", ("black", "A1"), ("W", "j9")]
    names = ("A]n\\n", "Bén")
    game = sgf.from_moves(moves, 9, 5.5, "Chinese", names, "B+1.5")
    (again,) = sgf.read(sgf.write(game))
    assert again == game and again.players == names and again.komi == 5.5
    assert again.moves() == [
        ("black", "E5"), ("white", "pass"), ("black", "A1"), ("white", "J9"),
    ]  # fmt: skip
    assert our_shape(game) == oracle_shape(sgf.write(game))[0]
    for bad in ("K5", "E10", "I5", "E0", "", "55", "É5", "A²"):
        with pytest.raises(SgfError, match="not a vertex"):
            sgf.from_moves([bad], 9)
    for size in (0, 26, 9.5, "9"):
        with pytest.raises(zermelo.UsageError, match="size"):
            sgf.from_moves([], size)  # type: ignore[arg-type]
    for komi in (float("nan"), 1001, "x"):
        with pytest.raises(zermelo.UsageError, match="komi"):
            sgf.from_moves([], 9, komi)  # type: ignore[arg-type]
    assert sgf.from_moves([], 9, 1e-7).komi == 0
    assert repr(sgf.from_moves(["E5"], 9)) == "<SgfGame 9x9, 1 move>"
    with pytest.raises(SgfError, match="colour"):
        sgf.from_moves([("red", "E5")], 9)


def test_a_tree_is_changed_and_written() -> None:
    (game,) = sgf.read("(;GM[1]SZ[9];B[ee]C[x])")
    first = game.root.children[0]
    first.comment = ""
    first.set_move("white", "A1")
    side = game.root.add()
    side.set_move("b", "B2")
    side.comment = "a]b"
    assert sgf.to_text(game) == "(;GM[1]SZ[9]\n(;W[ai])\n(;B[bh]C[a\\]b]))\n"
    for name, value in (("b", "aa"), ("", "aa"), ("B", "a]"), ("C", "x\\"), ("É", "x")):
        with pytest.raises(SgfError, match="invalid"):
            side.set(name, value)
        side.properties[name] = [value]
        with pytest.raises(SgfError, match="invalid"):
            sgf.write(game)
        del side.properties[name]
    side.properties["C"] = []
    with pytest.raises(SgfError, match="no value"):
        sgf.write(game)


# -- encodings -------------------------------------------------------------------------------------
CHARSETS = [
    ("UTF-8", "Müller 表示 ✓"), ("ISO-8859-1", "Müller"), ("GB2312", "围棋"),
    ("Shift_JIS", "表示]"), ("Big5", "圍棋功"), ("EUC-KR", "바둑"), ("KOI8-R", "го"),
    ("windows-1252", "“Go”"), ("gb2312", "圍棋镕"),
]  # fmt: skip


@pytest.mark.parametrize(("charset", "name"), CHARSETS)
def test_charsets(charset: str, name: str) -> None:
    text = f"(;GM[1]CA[{charset}]PB[{sgf.escape(name)}])\n"
    codec = {"gb2312": "gbk"}.get(charset, charset)
    (game,) = sgf.read(text.encode(codec))
    assert game.players[0] == name and game.encoding
    assert sgf.write(game) == text.encode(codec)
    (again,) = sgf.read(sgf.write(game, encoding="UTF-8"))
    assert again.players[0] == name and again.root.raw("CA") == "UTF-8"


def test_files_without_a_charset_or_with_a_wrong_one() -> None:
    for head in ("(;GM[1]", "(;GM[1]CA[klingon]", "(;GM[1]CA[UTF-8]", "(;GM[1]CA[utf-16]"):
        for codec in ("utf-8", "latin-1"):
            (game,) = sgf.read(f"{head}PB[Müller])".encode(codec))
            assert game.players[0] == "Müller", (head, codec)
            assert sgf.read(sgf.write(game))[0] == game
    assert sgf.read("\ufeff(;GM[1]PB[Müller])".encode())[0].players[0] == "Müller"
    assert sgf.read("\ufeff(;GM[1])") == sgf.read(bytearray(b"(;GM[1])"))
    with pytest.raises(SgfError, match="UTF-16"):
        sgf.read(GAME.encode("utf-16"))


def test_games_of_one_file_with_different_charsets() -> None:
    parts = [(c, n) for c, n in CHARSETS if c in ("UTF-8", "GB2312", "KOI8-R")]
    data = b"".join(f"(;GM[1]CA[{c}]PB[{n}];B[dd])".encode(c) for c, n in parts)
    games = sgf.read(data)
    assert [g.players[0] for g in games] == [n for _, n in parts]
    with pytest.raises(SgfError, match="different charsets"):
        sgf.write(games)
    again = sgf.read(sgf.write(games, encoding="utf-8"))
    assert [g.players[0] for g in again] == [n for _, n in parts]


def test_characters_that_the_charset_does_not_have() -> None:
    game = sgf.from_moves([])
    for charset, text, match in (
        ("ISO-8859-1", "表", "does not have"),
        ("UTF-8", "\ud800", "does not have"),
    ):
        game.root.set("CA", charset)
        game.root.set_text("PB", text)
        with pytest.raises(SgfError, match=match):
            sgf.write(game)
    with pytest.raises(SgfError, match="unknown charset"):
        sgf.write(game, encoding="klingon")


# -- wrong files -----------------------------------------------------------------------------------
FAULTS: dict[str, tuple[int, int, str]] = {
    "": (1, 1, "no game found"),
    "games/today.sgf": (1, 1, "no game found"),
    "(;GM[1]\n;B[dd]\n;W[": (3, 3, "not closed"),
    "(;GM[1]\n;C[a\\]": (2, 3, "not closed"),
    "(;GM[1]\n;B[dd]\n": (3, 1, "ends within a game"),
    "(;GM[1](;B[dd](;W[cc])": (1, 23, "ends within a game"),
    "(;GM[1];B": (1, 10, "ends within a game"),
    "(;GM[1];B;W[dd])": (1, 10, "has no value"),
    "(;GM[1];B W[dd])": (1, 11, "has no value"),
    "(;GM[1]\r\n;B[dd]\r\n;[cc])": (3, 2, "has no property name"),
    "(;GM[1](B[dd]))": (1, 9, "outside a node"),
    "(;GM[1](;B[dd])W[cc])": (1, 16, "outside a node"),
    "(;GM[1]())": (1, 9, "has no node"),
    "(;GM[1]((;B[dd])))": (1, 9, "has no node"),
    "(;GM[1](;B[dd]);W[cc])": (1, 16, "follows a variation"),
    "(;GM[1];B[dd],W[cc])": (1, 14, "unexpected ','"),
    "(;GM[1];b[dd])": (1, 9, "not a property name"),
    "(;FF[4]GM[2])": (1, 2, "Othello"),
    "(;FF[4]\nGM[1000])": (1, 2, "not Go"),
    "(;SZ[9:13])": (1, 2, "not a square board"),
    "(;SZ[26])": (1, 2, "26x26"),
    "(;SZ[0])": (1, 2, "0x0"),
    "(;SZ[-9])": (1, 2, "not a board size"),
    "(;SZ[x])": (1, 2, "not a board size"),
    "(;SZ[" + "9" * 5000 + "])": (1, 2, "not a board size"),
    "(;GM[1])\n\n(;SZ[37])": (3, 2, "37x37"),
    "(;" * 100_000: (1, 200_001, "ends within a game"),
    "(;C[" + "a\n" * 100_000: (1, 4, "not closed"),
}


@pytest.mark.parametrize("charset", ["UTF-16", "UTF-32"])
def test_wide_characters_are_named(charset: str) -> None:
    with pytest.raises(SgfError, match=f"the file is {charset}"):
        sgf.read("(;GM[1])".encode(charset))


@pytest.mark.parametrize("text", FAULTS, ids=lambda t: repr(t[:24]))
def test_faults_are_reported_with_their_place(text: str) -> None:
    line, column, message = FAULTS[text]
    for source in (text, text.encode()):
        with pytest.raises(SgfError, match=message) as caught:
            sgf.read(source)
        error = caught.value
        assert (error.line, error.column) == (line, column) and error.hint
        assert error.message.startswith(f"line {line}, column {column}: ") and len(str(error)) < 400


def test_values_that_do_not_fit_their_property() -> None:
    (game,) = sgf.read("(;SZ[9]KM[six]HA[2.5]PL[green]\n;B[zz];AB[aa:zz];AW[cc:aa];W[a]TR[aa][x])")
    bad, rectangle, reversed_, short = game.main_line()[1:]
    wrong: list[Any] = [
        lambda: game.komi, lambda: game.handicap, lambda: game.root.to_play, lambda: bad.move,
        lambda: rectangle.points("AB"), lambda: reversed_.points("AW"), lambda: short.move,
        lambda: short.points("TR"), lambda: game.moves(),
    ]  # fmt: skip
    for number, ask in enumerate(wrong):
        with pytest.raises(SgfError) as caught:
            ask()
        assert caught.value.hint and caught.value.line == (1 if number < 3 else 2)


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgf_parser, "MAX_NODES", 1000)
    monkeypatch.setattr(sgf_parser, "MAX_BYTES", 5000)
    assert len(list(sgf.read("(" + ";" * 1000 + ")")[0].nodes())) == 1000
    for text, message in (
        ("(" + ";" * 1001 + ")", "more than 1,000 nodes"),
        ("(;)" * 1001, "more than 1,000 nodes"),
        ("(;C[" + "x" * 5000 + "])", "are too many"),
    ):
        for source in (text, text.encode()):
            with pytest.raises(SgfError, match=message):
                sgf.read(source)


@pytest.mark.parametrize("source", [None, 5, ["(;GM[1])"]])
def test_other_types_are_refused(source: Any) -> None:
    with pytest.raises(zermelo.UsageError, match="not SGF"):
        sgf.read(source)


@pytest.mark.parametrize("n", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_deep_and_long_games(n: int) -> None:
    """Nothing recurses over nested variations, or over moves in a row."""
    (nested,) = sgf.read("(;GM[1]" + "(;B[dd](;W[cc])" * (n // 2) + ")" * (n // 2 + 1))
    assert nested.variations == n // 2 - 1 and len(list(nested.nodes())) == n + 1
    assert sgf.read(sgf.write(nested)) == [nested]
    (long,) = sgf.read("(;GM[1]" + ";B[dd]" * n + ")")
    assert len(long.main_line()[-1].path()) == len(long.moves()) + 1 == n + 1
    assert pickle.loads(pickle.dumps(long)) == long
    (wide,) = sgf.read("(;GM[1]" + "(;B[dd])" * n + ")")
    assert wide.variations == n - 1 and sgf.read(sgf.to_text(wide))[0].variations == n - 1


def test_many_rectangles_take_little_time() -> None:
    a = sgf_values.LETTERS
    every = [f"{c}{r}:yy" for c in a for r in a]
    assert len(sgf_values.to_vertices(every * 1000, 25)) == 625


# -- any bytes -------------------------------------------------------------------------------------
SEEDS = [text.encode() for text in TRICKY]
PIECES = [b"(", b")", b";", b"[", b"]", b"\\", b":", b"B[", b"\n", b"\0", b"\xff", b"CA[big5]",
          b"SZ[", b"GM[", b"(;", b"aa", b"tt", b"\xef\xbb\xbf"]  # fmt: skip


def mutated(rng: random.Random) -> bytes:
    """A valid file with a few bytes changed, removed, inserted or moved, or cut short."""
    data = bytearray(rng.choice(SEEDS))
    for _ in range(rng.randint(1, 6)):
        at, more = rng.randrange(len(data) + 1), rng.randrange(20)
        kind = rng.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = rng.randrange(256)
        elif kind == 1:
            del data[at : at + more]
        elif kind == 2:
            data[at:at] = rng.choice(PIECES)
        elif kind == 3:
            data[at:at] = data[rng.randrange(len(data) + 1) :][:more]
        else:
            del data[at:]
    return bytes(data)


def use(game: SgfGame) -> None:
    """Ask everything that may be wrong in a file that can be parsed."""
    asks: list[Any] = [lambda: game.komi, lambda: game.handicap, lambda: game.winner]
    for node in game.nodes():
        asks += [lambda n=node: n.move, lambda n=node: n.to_play, lambda n=node: n.comment]
        asks += [lambda n=node, p=p: n.points(p) for p in ("AB", "AW", "AE")]
    for ask in asks:
        try:
            ask()
        except SgfError as e:
            assert e.line and e.hint


def test_damaged_files_are_read_or_refused() -> None:
    rng = random.Random(7)
    read = refused = 0
    for _ in range(5000):
        data = mutated(rng)
        try:
            games = sgf.read(data)
        except SgfError as e:
            refused += 1
            assert e.hint and e.line >= 1 and e.column >= 1
            continue
        read += 1
        for game in games:
            use(game)
        text = sgf.to_text(games)
        assert sgf.read(text) == games and sgf.to_text(sgf.read(text)) == text
    assert read > 500 and refused > 500


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for source in (data, b"(;" + data, data.decode("latin-1")):
        try:
            games = sgf.read(source)
        except SgfError as e:
            assert e.hint and e.line >= 1
        else:
            assert sgf.read(sgf.to_text(games)) == games
