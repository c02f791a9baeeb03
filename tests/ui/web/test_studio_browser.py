"""The studio in a real browser: each panel used as a person would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the studio needs fastapi")
pytest.importorskip("websockets", reason="the studio needs websockets")

from browser import CHROMIUM, Browser
from studio import OWN_GAMES, Server, running, start
from zermelo.search.algorithms import shared_option

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to open the studio in")

BOARD = "document.querySelector('#{panel} [data-part=board]').shadowRoot"


def place(name: str, panel: str = "play") -> str:
    return BOARD.format(panel=panel) + f".querySelector('[data-square=\"{name}\"]')"


def part(name: str, panel: str = "play") -> str:
    return f"document.querySelector('#{panel} [data-part={name}]')"


def text(name: str, panel: str = "play") -> str:
    return part(name, panel) + ".textContent"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("studio")
    (folder / "own_games.py").write_text(OWN_GAMES, "utf-8")
    with running(folder / "games.sqlite", f"{folder / 'own_games.py'}:Grid") as found:
        yield found


@pytest.fixture
def page(server: Server, page: Browser) -> Browser:
    """A page that has stored nothing."""
    page.open(server.url + "#play")
    page.js("sessionStorage.clear()")
    return page


def choose(page: Browser, name: str, value: str, panel: str = "play") -> None:
    page.js(
        f"(() => {{ const e = {part(name, panel)}; e.value = {json.dumps(value)};"
        " e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def new_game(page: Browser, game: str, opponent: str = "auto", side: str = "0") -> None:
    other = page.js(f"{part('game')}.value") != game
    choose(page, "game", game)
    if other:  # the page shows this note when the choices of the game have arrived
        page.wait(f"{part('pending')}.textContent.includes({game!r})")
    page.wait(f"[...{part('opponent')}.options].some((o) => o.value === {opponent!r})")
    for name, value in (("opponent", opponent), ("side", side), ("strength", "time=0.2")):
        page.js(f"{part(name)}.value = {value!r}")
    key = "document.getElementById('play').dataset.play"
    before = page.js(key)
    page.click("document.querySelector('#play form .key')")
    page.wait(f"{key} !== {before!r}")


def test_a_game_of_ones_own_begins_at_once(page: Browser, server: Server) -> None:
    assert page.js(part("game") + ".value").endswith("own_games.py:Grid")
    assert "Your move" in page.js(text("status"))
    page.click(place("4"))
    page.wait(f"{part('history')}.children.length === 2")  # the reply has come
    assert page.js(text("history")).startswith("4")
    key = page.js("new URLSearchParams(location.hash.split('?')[1]).get('id')")
    page.open(server.url + "#play?id=" + key)  # a reload in mid-game goes on
    assert page.js(f"{part('history')}.children.length") == 2
    page.click(part("undo"))
    page.wait(f"{part('history')}.children.length === 0")


def test_connect_four_by_clicks_on_columns_with_values(page: Browser) -> None:
    new_game(page, "connect-four")
    page.click(place("4"))
    page.wait(f"{part('history')}.children.length === 2")
    page.click(part("values"))
    marks = BOARD.format(panel="play") + ".querySelectorAll('g.worth').length"
    page.wait(f"{marks} >= 6")
    assert page.wait(f"{part('moves')}.querySelectorAll('.num').length >= 6")
    assert "nodes/s" in page.js(text("lines"))
    assert page.js(part("meter") + ".getAttribute('aria-valuetext')").startswith("Red")
    page.click(part("values"))
    page.wait(f"{marks} === 0")


def test_chess_by_drag_and_by_two_clicks(page: Browser) -> None:
    new_game(page, "chess", "person")
    page.drag(place("e2"), place("e4"))
    page.wait(f"{text('history')} === 'e4'")
    page.click(place("e7"))
    assert page.js(place("e7") + ".classList.contains('sel')")
    page.click(place("e5"))
    page.wait(f"{text('history')} === 'e4e5'")
    page.click(place("a8"))  # nothing of White's to move there
    assert page.js(f"{part('history')}.children.length") == 2


def test_a_move_that_may_mean_several(page: Browser, server: Server) -> None:
    position = "8/P6k/8/8/8/8/7K/8 w - - 0 1"
    asked = {"game": "chess", "position": position, "opponent": "person"}
    view = server.post("/api/plays", asked).json
    page.open(server.url + "#play?id=" + view["id"])
    page.drag(place("a7"), place("a8"))
    page.wait(f"!{part('which')}.hidden")
    assert page.js(f"{part('which')}.querySelectorAll('button').length") == 4
    page.key("Enter")  # the first is focused
    page.wait(f"{part('history')}.children.length === 1")


@pytest.mark.parametrize(("game", "square"), [("othello", "d3"), ("nim", "5-3")])
def test_squares_and_stones(page: Browser, game: str, square: str) -> None:
    new_game(page, game)
    page.click(place(square))
    page.wait(f"{part('history')}.children.length === 2")
    assert page.js(f"{part('history')}.children[0].textContent") == square


def test_checkers_by_keyboard_alone(page: Browser) -> None:
    new_game(page, "checkers")
    page.js(f"{part('moves')}.querySelector('button').focus()")
    page.key("Enter")
    page.wait(f"{part('history')}.children.length === 2")


def test_backgammon_by_clicks_in_any_order_and_its_table(page: Browser, server: Server) -> None:
    asked = {"game": "backgammon", "position": "4HPwATDgc/ABMA 31", "time": 0.2}
    view = server.post("/api/plays", asked).json
    page.open(server.url + "#play?id=" + view["id"])
    page.click(part("values"))
    rows = "[...document.querySelectorAll('#play .equity tbody tr')]"
    page.wait(f"{rows}.length === {len(view['moves'])}")  # every legal play
    best, second = page.js(rows + ".slice(0, 2).map((r) => r.cells[1].textContent)")
    assert best == "8/5 6/5" and second != best
    lost = page.js(rows + ".map((r) => +r.cells[3].textContent)")
    assert lost == sorted(lost) and lost[-1] > 0.1
    for square in ("6", "5"):
        page.click(place(square))
    assert page.js(f"{part('history')}.children.length") == 0  # half of it
    page.drag(place("8"), place("5"))
    page.wait(f"{part('history')}.textContent.startsWith('8/5 6/5')")


def test_visits_are_a_heat_map(page: Browser, server: Server) -> None:
    new_game(page, "othello", "mcts")
    page.click(part("values"))
    heat = BOARD.format(panel="play") + ".querySelectorAll('rect.heat').length"
    page.wait(f"{heat} === 4")
    found = BOARD.format(panel="play") + ".querySelectorAll('g.worth text')"
    texts = page.js(f"[...{found}].map((t) => t.textContent)")
    assert 96 <= sum(int(t.strip("<%")) for t in texts) <= 104


def test_the_board_turns_with_its_player(page: Browser) -> None:
    new_game(page, "chess", side="1")
    page.wait(f"{part('history')}.children.length === 1")  # White has moved
    assert page.middle(place("a8"))[1] > page.middle(place("a1"))[1]
    page.drag(place("e7"), place("e6"))
    page.wait(f"{part('history')}.children.length === 3")
    page.click(part("flip"))
    page.wait(
        f"{BOARD.format(panel='play')}.querySelector('svg') && {text('status')}.includes('White')"
    )
    assert page.middle(place("a8"))[1] < page.middle(place("a1"))[1]


def test_cards_stay_hidden_on_the_page(page: Browser) -> None:
    new_game(page, "kuhn")
    ranks = BOARD.format(panel="play") + ".querySelectorAll('.rank').length"
    assert page.js(ranks) == 1 and page.js(part("values") + ".disabled")
    page.js(f"{part('moves')}.querySelector('button').click()")
    page.wait(f"{text('status')}.startsWith('Your move') || {text('status')}.includes('won')")


def test_two_windows_on_one_game(page: Browser, server: Server) -> None:
    new_game(page, "nim", "person")
    key = page.js("new URLSearchParams(location.hash.split('?')[1]).get('id')")
    view = server.get(f"/api/plays/{key}").json
    server.post(f"/api/plays/{key}/move", {"move": 0, "version": view["version"]})
    page.wait(f"{part('history')}.children.length === 1")  # told, not asked


def test_trees_are_typed_stepped_and_compared(page: Browser, server: Server) -> None:
    page.click("document.getElementById('tab-trees')")
    count = "document.querySelector('#trees [data-part=count]')?.textContent"
    page.wait(f"{count} === 'step 0 of 27'")
    page.type(part("text", "trees"), "max(min(3 12 8) min(2 4 6) min(14 5 2")
    page.wait(f"{text('error', 'trees')}.includes('not closed')")
    assert page.js("document.querySelector('#trees mark').textContent") == "min"
    page.type(part("text", "trees"), "max(min(3 12) min(2 4))")
    page.wait(f"{text('error', 'trees')} === '' && {count}?.startsWith('step 0 of 1')")
    page.js("document.querySelector('#trees [data-part=tree]').focus()")
    asked = page.js("performance.getEntriesByType('resource').length")
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.key(key)
        assert page.js(count).startswith(f"step {at} ")
    page.key("End")
    words = "document.querySelector('#trees [data-part=words]').textContent"
    assert page.js(words).startswith("value 3")
    assert page.js("document.querySelectorAll('#trees .e.struck[data-n]').length") == 1
    assert page.js("performance.getEntriesByType('resource').length") == asked  # no round trip
    choose(page, "second", "minimax", "trees")
    page.wait("document.querySelectorAll('#trees .stepper').length === 2")
    badges = page.js("[...document.querySelectorAll('#trees .badge')].map((b) => b.textContent)")
    assert "3 of 4 leaves" in badges and "4 leaves" in " ".join(badges)
    link = page.js("location.href")
    page.open(link)
    page.wait("document.querySelectorAll('#trees .stepper').length === 2")
    assert page.js(part("text", "trees") + ".value") == "max(min(3 12) min(2 4))"


@pytest.mark.parametrize(
    ("panel", "option"), [("trees", "cut"), ("trees", "fail"), ("practise", "cut")]
)
def test_choices_of_an_option_are_those_of_the_option_table(
    page: Browser, server: Server, panel: str, option: str
) -> None:
    page.open(server.url + f"#{panel}")
    page.wait(f"{part(option, panel)}?.options.length")
    offered = page.js(f"[...{part(option, panel)}.options].map((o) => [o.value, o.textContent])")
    table = shared_option(option)
    assert [value for value, _ in offered] == list(table.choices)
    assert page.js(part(option, panel) + ".value") == table.default
    labels = {"cut": ["value ≥ β", "value > β"], "fail": ["fail-soft", "fail-hard"]}
    assert [label for _, label in offered] == labels[option]


def test_a_tree_clicked_together_and_taken_from_a_game(page: Browser, server: Server) -> None:
    page.open(server.url + "#trees?text=max(3%205)")
    page.js(part("editor", "trees") + ".open = true")
    page.wait("document.querySelectorAll('#trees .outline li').length === 3")
    page.click("document.querySelector('#trees [aria-label=\"add a child\"]')")
    page.wait(part("text", "trees") + ".value === 'max(3 5 0)'")
    value = "document.querySelectorAll('#trees .outline input')[2]"
    page.type(value, "9")
    page.js(f"{value}.dispatchEvent(new Event('change'))")
    page.wait("document.querySelector('#trees .badge')?.textContent === 'value 9'")
    choose(page, "game", "tic-tac-toe", "trees")
    page.js(part("position", "trees") + ".value = 'XO./XO./...'")
    page.js(part("take", "trees") + ".click()")
    page.wait("document.querySelectorAll('#trees g.n[data-n]').length > 20")


def test_links_that_are_old_or_mistyped(page: Browser, server: Server) -> None:
    page.open(server.url + "#trees?a=nobody&text=max(1 2)")
    page.wait("document.querySelector('#trees .stepper') !== null")
    assert "option nobody" in page.js(text("report", "trees"))
    page.open(server.url + "#analyse?game=nosuch")
    page.wait(f"{text('status', 'analyse')}.includes(\"nknown game 'nosuch'\")")
    page.open(server.url + "#trees?game=nosuch")
    page.wait(f"{text('error', 'trees')}.includes(\"nknown game 'nosuch'\")")
    page.open(server.url + "#play?id=nosuch")
    page.wait(f"{text('status')}.includes('This game does not exist, so this is a new game')")
    page.open(server.url + "#nonsense?x=y")
    assert page.js("document.querySelector('[aria-selected=true]').textContent") == "Play"


def test_a_killed_server_is_waited_for(page: Browser, tmp_path: Path) -> None:
    data = str(tmp_path / "games.sqlite")
    process, port = start("tic-tac-toe", "--data", data)
    try:
        page.open(f"http://127.0.0.1:{port}/#play")
        page.click(place("b2"))
        page.wait(f"{part('history')}.children.length === 2")
        moves = page.js(text("history"))
        process.kill()
        process.wait()
        page.wait(f"{text('status')}.includes('does not answer')")
        process, port = start("tic-tac-toe", "--data", data, "--port", str(port))
        page.wait(f"{text('status')}.startsWith('Your move')", 30)  # it came back by itself
        assert page.js(text("history")) == moves
        page.click(f"{part('moves')}.querySelector('button')")
        page.wait(f"{part('history')}.children.length === 4")
    finally:
        process.kill()
        process.wait()
    page.problems.clear()  # a server that is away is told to the log as well


def test_exports_from_the_page(page: Browser, server: Server, tmp_path: Path) -> None:
    folder = {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": False}
    page.call("Browser.setDownloadBehavior", **folder)
    page.open(server.url + "#trees")
    page.wait("document.querySelector('#trees .stepper') !== null")
    from browser import until

    for kind, begin in (("png", b"\x89PNG"), ("svg", b"<svg"), ("html", b"<!doc"), ("txt", b"MAX")):
        page.click(part(kind, "trees"))
        file = tmp_path / f"tree.{kind}"
        until(lambda file=file: file.exists() and file.stat().st_size > 0, 15)
        assert file.read_bytes().startswith(begin)


def test_folded_boxes_open_and_close(page: Browser, server: Server) -> None:
    inner = " ".join(f"max({' '.join(str(i * j % 17) for j in range(9))})" for i in range(40))
    page.open(server.url + "#trees?a=minimax")
    page.js(part("nodes", "trees") + ".value = 150")
    page.type(part("text", "trees"), f"max(min({inner}) min({inner}))")
    stub = "document.querySelector('#trees g.n.stub')"
    page.wait(f"{stub} !== null")
    svg, count = "document.querySelector('#trees svg.zt')", "+/of (\\d+)/.exec({})[1]"
    steps = count.format("document.querySelector('#trees [data-part=count]').textContent")
    page.click("document.querySelector('#trees [data-part=last]')")
    before = page.js(steps)
    page.js(f"window.old = {svg}")
    page.click(stub)
    page.wait(f"{svg} !== window.old")
    more = page.js(steps)
    assert more > before  # and still at the end
    assert page.js("document.querySelector('#trees [data-part=next]').disabled")
    # with the keyboard: one spot is reached by Tab, arrows lead on, Enter folds
    page.js("document.querySelector('#trees g.n[tabindex]').focus(); window.old = " + svg)
    page.key("ArrowUp")
    assert page.js("document.activeElement.getAttribute('aria-label')").startswith("fold: ")
    page.key("Enter")
    page.wait(f"{svg} !== window.old && {steps} < {more}")
    assert page.js("document.activeElement.getAttribute('aria-label')").startswith("open: ")
    server.studio.trace_cache.trees.clear()  # no longer cached: the page searches again
    page.js(f"window.old = {svg}")
    page.key("Enter")
    page.wait(f"{svg} !== window.old && {steps} === {more}")
    page.problems[:] = [p for p in page.problems if "410" not in p]


def test_ten_thousand_steps_are_scrubbed(page: Browser, server: Server) -> None:
    rows = (" ".join(str((i * j) % 97) for j in range(1, 37)) for i in range(99))
    leaves = " ".join(f"min({row})" for row in rows)
    page.open(server.url + "#trees")
    page.js(part("nodes", "trees") + ".value = 4000")
    page.type(part("text", "trees"), f"max({leaves})")
    choose(page, "first", "minimax", "trees")
    slider = "document.querySelector('#trees [data-part=slider]')"
    page.wait(f"+{slider}?.max > 5000", 20)
    count = "document.querySelector('#trees [data-part=count]').textContent"
    asked = page.js("performance.getEntriesByType('resource').length")
    for at in (5000, 17, 4321, 5001):
        page.js(f"{slider}.value = {at}; {slider}.dispatchEvent(new Event('input'))")
        page.wait(f"{count}.startsWith('step {at} of')")
    assert page.js("performance.getEntriesByType('resource').length") == asked  # no round trip


def test_analysis_goes_deeper_and_speaks(page: Browser) -> None:
    page.click("document.getElementById('tab-analyse')")
    page.wait("document.querySelector('#analyse [data-part=algorithm]').options.length > 1")
    choose(page, "game", "chess", "analyse")
    page.wait(f"{text('status', 'analyse')} === 'White to move.'")
    page.js(part("position", "analyse") + ".value = '7k/5Q2/6K1/8/8/8/8/8 w - - 0 1'")
    page.click("document.querySelector('#analyse form button')")
    page.wait(f"{part('moves', 'analyse')}.textContent.includes('Qg7#')")
    page.js(part("time", "analyse") + ".value = 0.3")
    page.click("document.querySelector('#analyse form .key')")
    page.wait(f"{text('words', 'analyse')}.includes('wins')")
    assert "mate in 1" in page.js(text("lines", "analyse"))
    page.click(part("deeper", "analyse"))
    assert page.js(part("time", "analyse") + ".value") == "0.6"
    page.type(part("position", "analyse"), "nonsense")
    page.click("document.querySelector('#analyse form button')")
    page.wait(f"{text('status', 'analyse')}.includes('nonsense')")


def test_an_exercise_is_set_and_checked(page: Browser) -> None:
    page.click("document.getElementById('tab-practise')")
    page.wait("document.querySelector('#practise form[data-part=recipe] .key') !== null")
    page.click("document.querySelector('#practise form[data-part=recipe] .key')")
    page.wait("document.querySelector('#practise [data-part=answer] .key')?.offsetParent != null")
    before = page.js("document.getElementById('practise').innerText")
    page.click("document.querySelector('#practise [data-part=answer] .key')")  # with nothing given
    page.wait(f"document.getElementById('practise').innerText !== {json.dumps(before)}")


def test_a_games_options_are_fields_of_the_form(page: Browser) -> None:
    choose(page, "game", "nim")
    kinds = page.js(
        "[...document.querySelectorAll('#play [data-option]')]"
        ".map((e) => `${e.dataset.option} ${e.type}`)"
    )
    assert kinds == ["piles text", "take text", "misere checkbox", "players number"]
    choose(page, "game", "connect-four")
    field = "document.querySelector('#play [data-option={}]')"
    assert page.js(field.format("score") + ".tagName") == "SELECT"
    width = field.format("width")
    assert page.js(f"[{width}.min, {width}.max, {width}.value]") == ["1", "32", "7"]
    page.js(
        f"(() => {{ const e = {width}; e.value = 4;"
        " e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )
    key = "document.getElementById('play').dataset.play"
    before = page.js(key)
    page.click("document.querySelector('#play form .key')")
    page.wait(f"{key} !== {before!r}")
    page.wait(f"{BOARD.format(panel='play')}.querySelectorAll('[data-square]').length === 4")
    assert page.js(f"{width}.value") == "4"
