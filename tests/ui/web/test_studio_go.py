"""Go in the studio as a person sees it: stones, passes, the score, estimates, candidates, SGF."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

import zermelo
from browser import CHROMIUM, Browser, until
from studio import Server, running

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to open the studio in")

MEASURE = Path(__file__).with_name("measure.js").read_text("utf-8")
BOARD = "document.querySelector('#{panel} [data-part=board]').shadowRoot"
DIVIDED = "/".join([*["...X.O..."] * 8, "...XO...."])  # Black has the left side, White the right
SGF = "(;SZ[7]KM[5.5]RU[Chinese]PB[Ann]PW[Ben]RE[B+R];B[dd](;W[bb];B[ff])(;W[fb];B[]))"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("studio") / "games.sqlite", "go:size=7") as found:
        yield found


def part(name: str, panel: str = "play") -> str:
    return f"document.querySelector('#{panel} [data-part={name}]')"


def text(name: str, panel: str = "play") -> str:
    return part(name, panel) + ".textContent"


def point(name: str, panel: str = "play") -> str:
    return BOARD.format(panel=panel) + f".querySelector('[data-square=\"{name}\"]')"


def found(page: Browser, selector: str, panel: str = "play") -> list[dict[str, Any]]:
    """What the board draws for this selector: its middle and width, fill, texts and data."""
    drawn: list[dict[str, Any]] = page.js(
        f"[...{BOARD.format(panel=panel)}.querySelectorAll({json.dumps(selector)})].map((e) => {{"
        " const b = e.getBoundingClientRect();"
        " return {x: b.x + b.width / 2, y: b.y + b.height / 2, width: b.width,"
        " fill: e.getAttribute('fill'), texts: [...e.querySelectorAll('text')]"
        ".map((t) => t.textContent), owner: e.dataset.owner}; })"
    )
    return drawn


def at(page: Browser, drawn: dict[str, Any], name: str, panel: str = "play") -> bool:
    """Whether it is drawn in the middle of this point."""
    x, y, width = page.js(
        f"(() => {{ const b = {point(name, panel)}.getBoundingClientRect();"
        " return [b.x + b.width / 2, b.y + b.height / 2, b.width]; })()"
    )
    return bool(abs(drawn["x"] - x) < 0.1 * width and abs(drawn["y"] - y) < 0.1 * width)


def play(page: Browser, server: Server, **options: Any) -> str:
    """Open a game of two people at one screen, unless the options say otherwise."""
    wanted = {"game": "go:size=7", "opponent": "person"} | options
    key: str = server.post("/api/plays", wanted).json["id"]
    page.open(f"{server.url}#play?id={key}")
    page.wait(f"{BOARD.format(panel='play')}.querySelector('svg') !== null")
    return key


def analyse(page: Browser, server: Server, game: str = "go", position: str = "") -> None:
    page.open(f"{server.url}#analyse?game={game}&position={position}")
    page.wait(f"{text('status', 'analyse')} !== ''")


# -- play ------------------------------------------------------------------------------------------
def test_stones_lie_where_they_were_played(page: Browser, server: Server) -> None:
    play(page, server)
    for number, name in enumerate(("C3", "E5", "G7"), 1):
        page.click(point(name))
        page.wait(f"{part('history')}.children.length === {number}")
    black, white = found(page, "circle.black"), found(page, "circle.white")
    assert len(black) == 2 and at(page, black[0], "G7") and at(page, black[1], "C3")
    assert len(white) == 1 and at(page, white[0], "E5")
    (last,) = found(page, "circle.last")
    assert at(page, last, "G7") and 0.3 < last["width"] / black[0]["width"] < 0.7
    assert len(found(page, "circle.star")) == 5


@pytest.mark.parametrize("panel", ["play", "analyse"])
def test_a_click_on_an_illegal_point_says_why(page: Browser, server: Server, panel: str) -> None:
    ko = "B3 C3 C4 D4 C2 D2 A1 E3 D3"  # Black has just taken at C3
    if panel == "play":
        play(page, server, game="go:size=5", position=ko)
    else:
        analyse(page, server, "go:size=5", ko.replace(" ", "%20"))
    page.click(point("C3", panel))
    page.wait(f"{text('status', panel)} === 'C3: ko: the stone cannot be retaken at once.'")
    page.click(point("B3", panel))
    page.wait(f"{text('status', panel)} === 'B3: the point is occupied.'")
    page.click(point("E5", panel))
    page.wait(f"{text('status', panel)} === 'Black to move.'")


@pytest.mark.parametrize(
    ("game", "square", "said"),
    [("chess", "e5", "White to move."), ("othello", "a1", "'a1' is not a legal action here.")],
)
def test_other_games_explain_a_click_only_where_it_would_be_a_move(
    page: Browser, server: Server, game: str, square: str, said: str
) -> None:
    play(page, server, game=game)
    page.click(point(square))
    page.js("new Promise((done) => setTimeout(done, 400))")
    assert page.js(text("status")) == said


def test_prisoners_are_counted(page: Browser, server: Server) -> None:
    play(page, server, position="XO...../......./......./......./......./......./....... white")
    page.click(point("A6"))
    page.wait(f"{part('history')}.children.length === 1")
    caption = f"[...{BOARD.format(panel='play')}.querySelectorAll('text')].at(-1).textContent"
    assert page.js(caption) == "captured: Black 0, White 1"
    assert found(page, "circle.black") == []


def test_two_passes_end_the_game_with_the_score(page: Browser, server: Server) -> None:
    rows = DIVIDED.replace("...X.O...", "...X.O.X.", 1)  # one black stone is dead
    play(page, server, game="go:komi=0.5", position=f"{rows} black")
    assert page.js(text("pass")) == "Pass" and page.js(part("pass") + ".checkVisibility()")
    page.click(part("pass"))
    page.wait(f"{text('status')} === 'White to move.'")
    caption = f"[...{BOARD.format(panel='play')}.querySelectorAll('text')].at(-1).textContent"
    assert page.js(caption).startswith("Black passed")
    page.click(part("pass"))
    page.wait(f"{text('status')}.includes('wins')")
    game: Any = zermelo.load("go:komi=0.5")
    margin = game.final_margin(game.parse_state(f"{rows} black pass pass"))
    assert margin < 0 and page.js(text("status")) == (
        f"White wins by {-margin:g} points. (1 dead stone removed: H9)"
    )
    assert page.js(part("meter") + ".getAttribute('aria-valuetext')") == "Black 0 %"
    assert page.js(part("pass") + ".hidden") and page.js(part("resign") + ".disabled")


@pytest.mark.parametrize("game", ["go:size=7", "chess", "othello"])
def test_resigning_ends_the_game_and_can_be_undone(
    page: Browser, server: Server, game: str
) -> None:
    key = play(page, server, game=game)
    first, second = zermelo.load(game).player_names
    page.click(part("resign"))
    page.wait(f"{text('status')} === '{first} resigned. {second} wins.'")
    assert page.js(f"{part('moves')}.querySelectorAll('button').length") == 0
    assert page.js(part("meter") + ".getAttribute('aria-valuetext')") == f"{first} 0 %"
    page.open(f"{server.url}#play?id={key}")
    assert "resigned" in page.js(text("status"))
    page.click(part("undo"))
    page.wait(f"{text('status')} === '{first} to move.'")
    assert page.js(f"{part('moves')}.querySelectorAll('button').length") > 3


def test_a_person_resigns_while_the_opponent_thinks(page: Browser, server: Server) -> None:
    play(page, server, game="go", opponent="auto", side=1, time=2.0)
    page.click(part("resign"))
    page.wait(f"{text('status')} === 'White resigned. Black wins.'")
    page.js("new Promise((done) => setTimeout(done, 200))")
    assert page.js(f"{part('history')}.children.length") == 0


def test_games_of_one_player_have_no_resign_button(page: Browser, server: Server) -> None:
    play(page, server, game="2048", opponent="auto", side=0)
    assert page.js(part("resign") + ".hidden") and page.js(part("pass") + ".hidden")


# -- the score estimate ----------------------------------------------------------------------------
@pytest.mark.parametrize("panel", ["play", "analyse"])
def test_the_estimate_marks_the_owners(page: Browser, server: Server, panel: str) -> None:
    if panel == "play":
        play(page, server, game="go:komi=8.5", position=f"{DIVIDED} black")
    else:
        analyse(page, server, "go:komi=8.5", f"{DIVIDED} black")
    assert found(page, "g.owners rect", panel) == []
    page.click(part("estimate", panel))
    page.wait(f"{text('margin', panel)}.startsWith('Score estimate: White leads by ')")
    marks = {m["owner"]: m for m in found(page, "g.owners rect", panel)}
    cell = page.js(f"{point('A1', panel)}.getBoundingClientRect().width")
    for name in ("A1", "B5", "C9"):
        assert marks[name]["fill"] == "#16181c" and at(page, marks[name], name, panel)
        assert 0.35 * cell < marks[name]["width"] < 0.6 * cell
    for name in ("J1", "H5", "G9"):
        assert marks[name]["fill"] == "#fbfaf5" and at(page, marks[name], name, panel)
    assert marks.get("E9", {"width": 0})["width"] < marks["A1"]["width"]  # nobody's for certain
    page.click(part("estimate", panel))
    page.wait(f"{text('margin', panel)} === ''")
    assert found(page, "g.owners rect", panel) == []


def test_the_estimate_follows_the_moves(page: Browser, server: Server) -> None:
    play(page, server, game="go", position=f"{DIVIDED} black")
    page.click(part("estimate"))
    page.wait(f"{text('margin')} !== ''")
    page.click(point("H5"))
    page.wait(f"{part('history')}.children.length === 1")
    page.wait(f"{BOARD.format(panel='play')}.querySelectorAll('g.owners rect').length > 40")
    assert page.js(f"{BOARD.format(panel='play')}.querySelectorAll('g.owners').length") == 1


def test_games_without_an_estimate_do_not_offer_it(page: Browser, server: Server) -> None:
    play(page, server, game="othello")
    assert not page.js(part("estimate") + ".checkVisibility()")


# -- candidate moves -------------------------------------------------------------------------------
@pytest.mark.parametrize("game", ["go:size=7", "hex:size=5", "othello"])
def test_candidates_are_discs_on_their_points(page: Browser, server: Server, game: str) -> None:
    analyse(page, server, game)
    page.js(f"{part('algorithm', 'analyse')}.value = 'mcts'")
    page.js(f"{part('time', 'analyse')}.value = 0.3")
    page.js(f"{part('lines-count', 'analyse')}.value = '5'")
    page.click("document.querySelector('#analyse form .key')")
    page.wait(f"{text('words', 'analyse')} !== ''")
    rows = page.js(
        "[...document.querySelectorAll('#analyse .candidates tbody tr')]"
        ".map((r) => [...r.cells].map((c) => c.textContent).concat(r.className))"
    )
    discs = found(page, "g.worth", "analyse")[1:]  # the first group has the lines of moves
    assert 3 <= len(rows) <= 5 and len(discs) <= len(rows)
    heads = "[...document.querySelectorAll('#analyse .candidates th')].map((c) => c.textContent)"
    assert page.js(heads) == ["Move", "Win rate", "Visits", "Line"]
    for disc, (move, rate, visits, line, _) in zip(discs, rows, strict=False):
        assert at(page, disc, move, "analyse")
        assert disc["texts"][0] == rate and line.split()[0] == move
        assert disc["texts"][1][:1] == visits[:1]
    (best,) = found(page, "g.worth.best", "analyse")
    (chosen,) = [row for row in rows if row[4] == "best"]
    assert at(page, best, chosen[0], "analyse") and best["texts"][0] == chosen[1]
    assert f"Best move: {chosen[0]}." in page.js(text("status", "analyse"))


def test_a_heat_map_of_a_large_board_leaves_out_moves_without_visits(
    page: Browser, server: Server
) -> None:
    play(page, server, game="go", opponent="mcts", side=0)
    page.click(part("values"))
    page.wait(f"{text('lines')} !== ''")
    page.js("new Promise((done) => setTimeout(done, 800))")
    texts = [t for mark in found(page, "g.worth") for t in mark["texts"]]
    assert 3 < len(texts) < 81 and "<1%" not in texts


def test_win_rates_are_those_of_the_player_to_move(page: Browser, server: Server) -> None:
    rows = "/".join(["..X.O...."] * 9)  # White has more points, and komi
    analyse(page, server, "go", f"{rows} white")
    page.js(f"{part('time', 'analyse')}.value = 0.4")
    page.click("document.querySelector('#analyse form .key')")
    page.wait(f"{text('words', 'analyse')} !== ''")
    (best,) = found(page, "g.worth.best", "analyse")
    assert int(best["texts"][0].rstrip("%")) > 80
    score = page.js(f"{part('meter', 'analyse')}.getAttribute('aria-valuenow')")
    assert int(score) < 20 and "Best move" in page.js(text("status", "analyse"))


# -- SGF -------------------------------------------------------------------------------------------
def read(page: Browser, sgf: str) -> None:
    page.js(part("record", "analyse") + ".open = true")
    page.type(part("text", "analyse"), sgf)
    page.click(part("read", "analyse"))


def history(page: Browser) -> list[str]:
    moves: list[str] = page.js(
        f"[...{part('history', 'analyse')}.children].map((e) => e.textContent)"
    )
    return moves


def test_sgf_becomes_the_list_of_moves(page: Browser, server: Server) -> None:
    analyse(page, server, "go:size=13")
    read(page, SGF)
    page.wait(f"{text('title', 'analyse')} === 'Ann (Black) - Ben (White), B+R'")
    assert history(page) == ["D4", "B6", "F2"]
    fields = "[...document.querySelectorAll('#analyse [data-option]')].map((e) => e.value)"
    assert page.js(fields)[:3] == ["7", "5.5", "chinese"]
    black = found(page, "circle.black", "analyse")
    assert len(black) == 2 and at(page, black[0], "D4", "analyse")
    page.click(part("undo", "analyse"))
    page.wait(f"{BOARD.format(panel='analyse')}.querySelectorAll('circle.black').length === 1")
    assert history(page) == ["D4", "B6", "F2"]  # the moves taken back stay in the list
    page.click(part("forward", "analyse"))
    page.wait(f"{BOARD.format(panel='analyse')}.querySelectorAll('circle.black').length === 2")
    page.click(f"{part('history', 'analyse')}.children[0]")
    page.wait(f"{BOARD.format(panel='analyse')}.querySelectorAll('circle.white').length === 0")
    assert page.js(text("status", "analyse")) == "White to move."


def test_a_variation_is_chosen(page: Browser, server: Server) -> None:
    analyse(page, server)
    read(page, SGF)
    choice = part("variations", "analyse") + ".querySelector('select')"
    page.wait(f"{choice}.options.length === 2")
    assert page.js(f"{choice}.options[1].textContent") == "2: F6 pass"
    page.js(f"{choice}.value = '1'; {choice}.dispatchEvent(new Event('change'))")
    page.wait(f"{text('history', 'analyse')} === 'D4F6pass'")


def test_bad_sgf_is_one_sentence_and_keeps_the_board(page: Browser, server: Server) -> None:
    analyse(page, server, "go:size=7", "D4")
    read(page, "(;SZ[7];B[dd];W[dd])")
    page.wait(f"{text('status', 'analyse')}.includes('occupied')")
    said = page.js(text("status", "analyse"))
    assert said == ("Line 1, column 14: white plays D4: the point is occupied (play another point)")
    assert len(found(page, "circle.black", "analyse")) == 1
    read(page, "hello")
    page.wait(f"{text('status', 'analyse')}.includes('no game found')")


def test_the_download_has_the_moves(page: Browser, server: Server, tmp_path: Path) -> None:
    folder = {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": False}
    page.call("Browser.setDownloadBehavior", **folder)
    analyse(page, server, "go:size=7")
    for number, name in enumerate(("C3", "E5"), 1):
        page.click(point(name, "analyse"))
        page.wait(f"{part('history', 'analyse')}.children.length === {number}")
    page.click(part("pass", "analyse"))
    page.wait(f"{part('history', 'analyse')}.children.length === 3")
    page.js(part("record", "analyse") + ".open = true")
    page.click(part("download", "analyse"))
    file = tmp_path / "game.sgf"
    until(lambda: file.exists() and file.stat().st_size > 0, 15)
    from zermelo.games.go import sgf

    (game,) = sgf.read(file.read_bytes())
    moves = [("black", "C3"), ("white", "E5"), ("black", "pass")]
    assert game.moves() == moves and (game.size, game.komi) == (7, 7.0)


# -- looks -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("width", "height", "dark"), [(1280, 800, False), (390, 844, True)])
@pytest.mark.parametrize("size", [9, 13, 19])
def test_nothing_is_clipped_or_covered(
    page: Browser, server: Server, size: int, width: int, height: int, dark: bool
) -> None:
    page.size(width, height, dark)
    play(page, server, game=f"go:size={size}", position="C3 D5")
    page.click(part("estimate"))
    page.wait(f"{text('margin')} !== ''")
    assert page.js(MEASURE) == []
    (board,) = found(page, "svg")
    assert board["width"] >= min(500, width - 30)
    analyse(page, server, f"go:size={size}", "C3 D5")
    page.js(part("record", "analyse") + ".open = true")
    page.js(f"{part('time', 'analyse')}.value = 0.2")
    page.click("document.querySelector('#analyse form .key')")
    page.wait(f"{text('words', 'analyse')} !== ''")
    assert page.js(MEASURE) == []
    wide = page.js(
        f"[...{BOARD.format(panel='analyse')}.querySelectorAll('g.worth g')].filter((g) =>"
        " [...g.querySelectorAll('text')].some((t) => t.getBBox().width > 28)).length"
    )
    assert wide == 0  # texts stay inside their discs
