"""The studio as a person sees it: sizes, overlaps, and nothing left over from another game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from browser import CHROMIUM, Browser
from studio import Server, hear, say
from zermelo.naming import ORDINALS

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to open the studio in")

HEIGHTS = {390: 844, 800: 1000, 1280: 860, 1920: 1080}
MEASURE = Path(__file__).with_name("measure.js").read_text("utf-8")
BOARD = ".shadowRoot.querySelector('svg')"
LEAST = {  # what must be seen in each panel, with its least width and height
    "play": {"board": (300, 120), "moves": (200, 30), "status": (100, 15)},
    "analyse": {
        "board": (300, 120),
        "moves": (200, 30),
        "algorithm": (90, 26),
        "status": (100, 15),
    },
    "trees": {"tree": (300, 200), "text": (300, 40), "steps": (200, 60), "slider": (200, 10)},
    "practise": {"tree": (300, 200), "answer": (280, 200), "task": (200, 15)},
}
PICTURES = {"trees": "svg.zt", "practise": "[data-part=tree] svg"}
SCENES = [
    "play",
    "trees",
    "analyse",
    "practise",
    "trees?b=minimax",
    "analyse?game=backgammon",
    "analyse?game=bridge",
]


def part(name: str, panel: str) -> str:
    return f"document.querySelector('#{panel} [data-part={name}]')"


def text(name: str, panel: str) -> str:
    return part(name, panel) + ".textContent"


def choose(page: Browser, name: str, value: str, panel: str) -> None:
    page.js(
        f"(() => {{ const e = {part(name, panel)}; e.value = {json.dumps(value)};"
        " e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def box(page: Browser, element: str) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is drawn."""
    found = page.js(
        f"(() => {{ const b = {element}.getBoundingClientRect();"
        " return [b.left, b.top, b.width, b.height]; })()"
    )
    return found[0], found[1], found[2], found[3]


def settle(page: Browser, panel: str) -> None:
    """Until the panel shows what it will show."""
    page.js("sessionStorage.clear()")
    if panel in PICTURES:
        page.wait(f"document.querySelector('#{panel} {PICTURES[panel]}') !== null")
    else:
        page.wait(f"{part('board', panel)}{BOARD} !== null && {text('status', panel)} !== ''")
    page.js("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(done)))")


@pytest.mark.parametrize("width", HEIGHTS)
@pytest.mark.parametrize("scene", SCENES)
def test_every_panel_can_be_seen(page: Browser, server: Server, scene: str, width: int) -> None:
    panel = scene.partition("?")[0]
    page.size(width, HEIGHTS[width], dark=width in (390, 1280))
    page.open(f"{server.url}#{scene}")
    settle(page, panel)
    for name, (wide, high) in LEAST[panel].items():
        left, _, w, h = box(page, part(name, panel))
        assert w >= wide and h >= high and left >= 0 and left + w <= width, name
    if panel in PICTURES:
        _, _, w, h = box(page, f"document.querySelector('#{panel} {PICTURES[panel]}')")
    else:
        _, _, w, h = box(page, part("board", panel) + BOARD)
    assert w >= 250 and h >= 120
    assert page.js(MEASURE) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_open_details_messages_and_answers_can_be_seen(
    page: Browser, server: Server, width: int
) -> None:
    page.size(width, HEIGHTS[width])
    page.open(server.url + "#trees?a=alphabeta&text=max(chance(1/2:8 1/2:2) 3)")
    settle(page, "trees")
    page.js("document.querySelectorAll('#trees details').forEach((d) => { d.open = true; })")
    page.wait("document.querySelector('#trees .outline li') !== null")
    assert "does not support this tree" in page.js(text("note", "trees"))
    assert page.js(MEASURE) == []
    page.open(server.url + "#practise")
    settle(page, "practise")
    page.click("document.querySelector('#practise [data-part=answer] .key')")
    page.wait(f"{text('score', 'practise')} !== ''")
    assert page.js(MEASURE) == []
    page.click(part("reveal", "practise"))
    page.wait(f"!{part('key', 'practise')}.hidden")
    _, top, w, h = box(page, part("key", "practise"))
    assert w >= 300 and h >= 200 and top < HEIGHTS[width]  # scrolled into view
    assert page.js(MEASURE) == []


def test_every_example_gives_a_result(page: Browser, server: Server) -> None:
    """Whatever was chosen before: the algorithm follows the tree."""
    page.open(server.url + "#trees?a=minimax&b=alphabeta")
    settle(page, "trees")
    examples = page.js(f"[...{part('example', 'trees')}.options].slice(1).map((o) => o.value)")
    assert len(examples) >= 6
    for tree in [*examples, examples[0]]:
        page.js(f"window.old = {part('steppers', 'trees')}.firstChild")
        choose(page, "example", tree, "trees")
        page.wait(f"{part('steppers', 'trees')}.firstChild !== window.old")
        assert page.js(text("error", "trees")) == ""
        assert page.js(part("text", "trees") + ".value") == tree
        assert page.js("document.querySelector('#trees .badge').textContent") != "value "
    page.js(f"window.old = {part('steppers', 'trees')}.firstChild")
    choose(page, "first", "minimax", "trees")
    page.wait(f"{part('steppers', 'trees')}.firstChild !== window.old")
    assert page.js("document.querySelector('#trees h2').textContent").startswith("minimax")
    page.type(part("text", "trees"), examples[3])  # a tree of another kind is typed
    page.wait(f"{text('note', 'trees')} !== ''")
    assert page.js("document.querySelector('#trees h2').textContent").startswith("expectiminimax")
    assert page.js(part("first", "trees") + ".value") == "auto" and not page.js(
        text("error", "trees")
    )
    offered = page.js(
        f"[...{part('first', 'trees')}.options].filter((o) => !o.disabled).map((o) => o.value)"
    )
    assert "expectiminimax" in offered and "alphabeta" not in offered


def test_auto_searches_every_kind_of_tree_with_the_options_of_the_page(server: Server) -> None:
    """The page always sends how to cut; algorithms without that option do not mind."""
    trees = {"max(min(3 12) min(2 4))": "alphabeta", "max(chance(1 2) 3)": "expectiminimax",
             "p1(p2((1,2,6) (4,2,3)) p2((6,1,2) (7,4,1)))": "maxn"}  # fmt: skip
    for tree, algorithm in trees.items():
        got = server.post("/api/tree", {"text": tree, "cut": "equal", "fail": "soft"})
        assert got.status == 200 and got.json["algorithm"] == algorithm
        assert algorithm in got.json["fits"]


# -- nothing of another game -----------------------------------------------------------------------
def analyse(page: Browser) -> None:
    page.js(part("time", "analyse") + ".value = 0.1")
    page.click("document.querySelector('#analyse form .key')")
    page.wait(f"{text('words', 'analyse')} !== ''")


UNKNOWN = "document.querySelector('#{} [data-part=meter]').classList.contains('unknown')"


@pytest.mark.parametrize("width", HEIGHTS)
@pytest.mark.parametrize(
    "game", ["backgammon&position=4HPwATDgc/ABMA 31", "connect-four&position=112233"]
)
def test_an_analysis_can_be_seen(page: Browser, server: Server, game: str, width: int) -> None:
    page.size(width, HEIGHTS[width])
    page.open(f"{server.url}#analyse?game={game}")
    settle(page, "analyse")
    analyse(page)
    assert page.js(MEASURE) == []


def test_another_game_clears_the_analysis(page: Browser, server: Server) -> None:
    page.open(server.url + "#analyse?game=connect-four&position=4444443265555512233")
    settle(page, "analyse")
    analyse(page)
    assert page.js(text("lines", "analyse")) and not page.js(UNKNOWN.format("analyse"))
    choose(page, "game", "othello", "analyse")
    page.wait(f"{text('status', 'analyse')} === 'Black to move.'")
    assert page.js(text("lines", "analyse")) == page.js(text("words", "analyse")) == ""
    assert page.js(UNKNOWN.format("analyse"))
    assert (
        page.js(text("meter", "analyse")) == ""
        and page.js(part("position", "analyse") + ".value") == ""
    )
    analyse(page)
    page.click(f"{part('moves', 'analyse')}.querySelector('button')")
    page.wait(f"{text('status', 'analyse')} === 'White to move.'")
    assert page.js(UNKNOWN.format("analyse"))  # nor the value of the position before


@pytest.mark.parametrize("panel", ["analyse", "play"])
def test_a_game_that_cannot_be_loaded_leaves_no_other_on_the_board(
    page: Browser, server: Server, panel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERMELO_WORDS", "/no/such/word/list")
    page.open(f"{server.url}#{panel}")
    settle(page, panel)
    choose(page, "game", "chess", panel)
    if panel == "play":
        page.click("document.querySelector('#play form .key')")
    page.wait(f"{part('board', panel)}.shadowRoot.querySelector('[data-square=e2]') !== null")
    choose(page, "game", "scrabble", panel)
    page.wait(f"{text('status', panel)}.includes('word list')")
    assert page.js(f"{part('board', panel)}.shadowRoot.childElementCount") == 0
    assert page.js(f"{part('moves', panel)}.querySelectorAll('button').length") == 0
    assert page.js(part("meter", panel) + ".hidden")
    if panel == "play":
        page.click("document.querySelector('#play form .key')")  # New game
        page.wait(f"{text('status', panel)}.includes('word list')")
        assert page.js(f"{part('board', panel)}.shadowRoot.childElementCount") == 0
    choose(page, "game", "chess", panel)  # the game that was left goes on
    page.wait(f"{part('board', panel)}{BOARD} !== null")
    assert "word list" not in page.js(text("status", panel))


def test_a_new_game_clears_the_bar(page: Browser, server: Server) -> None:
    asked = {"game": "connect-four", "position": "4444443265555512233", "opponent": "person"}
    page.open(server.url + "#play?id=" + server.post("/api/plays", asked).json["id"])
    settle(page, "play")
    page.click(part("values", "play"))
    page.wait(f"!{UNKNOWN.format('play')}")
    page.click(part("values", "play"))
    choose(page, "game", "othello", "play")
    page.wait(f"{text('pending', 'play')} === 'Press New game to play othello.'")
    page.click("document.querySelector('#play form .key')")
    page.wait(f"{part('board', 'play')}.shadowRoot.querySelector('[data-square=d3]') !== null")
    assert page.js(UNKNOWN.format("play")) and page.js(text("pending", "play")) == ""
    assert page.js(text("lines", "play")) == ""


def test_dice_are_rolled_before_the_analysis(page: Browser, server: Server) -> None:
    page.open(server.url + "#analyse?game=backgammon")
    settle(page, "analyse")
    assert page.js(text("status", "analyse")) == "Roll the dice first."
    assert page.js(f"{part('moves', 'analyse')}.querySelectorAll('button').length") == 15
    assert page.js("document.querySelector('#analyse form .key').disabled")
    page.click(part("roll", "analyse"))
    page.wait(f"{text('status', 'analyse')}.endsWith('to move.')")
    analyse(page)
    page.wait(f"{text('status', 'analyse')}.startsWith('Best move: ')")
    page.click(f"{part('moves', 'analyse')}.querySelector('button')")  # the best play
    page.wait(f"{text('status', 'analyse')} === 'Roll the dice first.'")
    page.click(
        f"{part('moves', 'analyse')}.querySelectorAll('button')[3]"
    )  # a roll of one's choice
    page.wait(f"{text('status', 'analyse')}.endsWith('to move.')")
    for _ in range(4):
        page.click(part("undo", "analyse"))
        page.js("new Promise((done) => setTimeout(done, 60))")
    page.wait(f"{part('undo', 'analyse')}.disabled")
    assert page.js(text("status", "analyse")) == "Roll the dice first."


@pytest.mark.parametrize("game", ["backgammon", "holdem", "2048", "battleships", "monopoly"])
def test_the_server_rolls(server: Server, game: str) -> None:
    before = server.post("/api/position", {"game": game}).json
    assert before["player"] == -1 and before["chance"]["action"] and before["moves"] == []
    after = server.post("/api/position", {"game": game, "roll": True}).json
    assert after["player"] >= 0 and after["chance"] is None and after["played"]
    again = server.post("/api/position", {"game": game, "moves": after["played"]}).json
    assert again == after
    with server.talk() as page:
        say(page, do="analyse", id=1, game=game)
        assert hear(page, "error")["message"] == before["chance"]["action"] + " first"


def test_the_result_of_an_analysis_is_one_sentence(page: Browser, server: Server) -> None:
    page.open(server.url + "#analyse?game=connect-four&position=112233")
    settle(page, "analyse")
    analyse(page)
    assert page.js(text("status", "analyse")) == "Red wins with 4 (proved)."


# -- hidden information on the page ----------------------------------------------------------------
def test_sides_are_not_changed_in_a_hidden_game(page: Browser, server: Server) -> None:
    view = server.post("/api/plays", {"game": "holdem", "side": 0, "time": 0.05}).json
    page.open(server.url + "#play?id=" + view["id"])
    settle(page, "play")
    assert page.js(part("flip", "play") + ".hidden") and page.js(part("undo", "play") + ".disabled")
    choose(page, "opponent", "person", "play")
    page.wait(f"{text('pending', 'play')} !== ''")
    page.key("u")
    assert server.get(f"/api/plays/{view['id']}").json["version"] == view["version"]


def test_persons_at_one_screen_pass_it_on(page: Browser, server: Server) -> None:
    asked = {"game": "kuhn", "side": -1, "opponent": "person"}
    page.open(server.url + "#play?id=" + server.post("/api/plays", asked).json["id"])
    page.wait(f"!{part('cover', 'play')}.hidden")
    page.js("sessionStorage.clear()")
    board = part("board", "play") + ".shadowRoot.childElementCount"
    for player in (0, 1):
        words = f"Pass the screen to the {ORDINALS[player]} player."
        page.wait(f"{text('cover', 'play')}.startsWith('{words}')")
        assert page.js(board) == 0 and "pass" not in page.js(text("moves", "play"))
        assert page.js(MEASURE) == []
        page.click(part("cover", "play") + ".querySelector('button')")
        page.wait(f"{board} === 1")
        page.click(f"{part('moves', 'play')}.querySelector('button')")
    page.wait(f"{text('status', 'play')}.includes('won')")
