"""The native border: whatever comes in, only Python exceptions come out. And the public checks."""

from __future__ import annotations

import contextlib
import inspect
import math
import random
import struct
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import contract
import zermelo
from zermelo import UsageError, _core, search
from zermelo.search.algorithms import algorithms


def native_search(
    handle: Any, state: Any, algorithm: Any, depth: Any, nodes: Any, seconds: Any, options: Any,
    trace: Any,
) -> Any:  # fmt: skip
    """A search past the checks of the Python side."""
    request = _core.SearchRequest(handle, state, algorithm)
    request.depth, request.nodes, request.seconds = depth, nodes, seconds
    request.options, request.trace = options, trace
    return _core.search(request)


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 70),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=130),
    st.lists(st.integers(-3, 130), max_size=5),
    st.just({}),
    st.just(object()),
)
FUZZ = settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
HANDLES = {
    "tic-tac-toe": _core.tic_tac_toe(3, 3, 3),
    "gomoku": _core.tic_tac_toe(15, 15, 5),
    "connect-four": _core.connect_four(7, 6, False),
    "chess": _core.chess(518, False),
    "nim": _core.nim([3, 4, 5], 0, False),
    "pacman": _core.pacman(6, 3, "%%%%%%%P.oG%%%%%%%", "minimax", True, 9, "careful"),
    "split-nim": _core.split_nim([7]),
    "pig": _core.pig(100),
    "2048": _core.game_2048(0.1),
    "tree": zermelo.tree("max(min(3 12) chance(2 4))").handle,
}
METHODS = (
    "to_move",
    "actions",
    "play",
    "utility",
    "evaluate",
    "outcomes",
    "key",
    "observation",
    "valid",
)


@pytest.mark.parametrize("method", METHODS)
@FUZZ
@given(
    st.sampled_from(sorted(HANDLES)),
    st.one_of(ANYTHING, st.binary(min_size=4, max_size=4)),
    ANYTHING,
)
def test_handles_take_anything(method: str, name: str, state: Any, second: Any) -> None:
    function = getattr(HANDLES[name], method)
    for args in ((state,), (state, second), (), (second, state)):
        with contextlib.suppress(TypeError, zermelo.ZermeloError, OverflowError):
            function(*args)


@FUZZ
@given(st.sampled_from(sorted(HANDLES)), st.data())
def test_states_of_the_right_size(name: str, data: Any) -> None:
    """Random bytes are refused, or they behave: moves lead to states that are states."""
    handle = HANDLES[name]
    size = handle.facts.state_size
    few = st.integers(0, 3).map(lambda n: n.to_bytes(1, "little"))
    raw = data.draw(
        st.one_of(
            st.binary(min_size=size, max_size=size),
            st.lists(few, min_size=size, max_size=size).map(b"".join),
        )
    )
    if not handle.valid(raw):
        for call in (handle.to_move, handle.actions, handle.key):
            with pytest.raises(zermelo.BadPosition):
                call(raw)
        with pytest.raises(zermelo.BadPosition):
            native_search(handle, raw, "minimax", 2, 100, 0.0, {}, 0)
        return
    if handle.to_move(raw) >= 0:
        for a in handle.actions(raw)[:10]:
            assert handle.valid(handle.play(raw, a))
        with pytest.raises(zermelo.IllegalAction):
            handle.play(raw, 2**31 + 77)
        with contextlib.suppress(zermelo.RulesError):  # a chance node below: not its game
            native_search(handle, raw, "alphabeta", 2, 500, 0.0, {}, 50)
    if handle.to_move(raw) != zermelo.TERMINAL:
        native_search(handle, raw, "expectiminimax", 2, 500, 0.0, {"table": 1}, 50)


def packed(code: str, numbers: list[Any]) -> bytes:
    return struct.pack(f"<{len(numbers)}{code}", *numbers)


@FUZZ
@given(st.integers(1, 6), st.data())
def test_broken_trees_are_refused(n: int, data: Any) -> None:
    """Arrays that point anywhere: an error, or a tree that can be walked (in circles even)."""
    node = st.integers(0, n + 1)
    parts = [
        packed("b", data.draw(st.lists(st.integers(-3, 2), min_size=n, max_size=n))),
        packed("I", [0, *data.draw(st.lists(node, min_size=n, max_size=n))]),
        packed("I", data.draw(st.lists(node, max_size=n + 1))),
        packed("d", [0.5] * n),
        packed("I", [0] * n),
        packed("I", data.draw(st.lists(node, min_size=n, max_size=n))),
        packed("d", data.draw(st.lists(st.floats(), max_size=4))),
    ]
    try:
        handle = _core.tree(2, data.draw(st.sampled_from([1, 2])), True, *parts)
    except (ValueError, zermelo.ZermeloError):
        return
    for raw in (handle.initial(), b"\1\0\0\0", b"\xff\xff\xff\xff"):
        try:
            native_search(handle, raw, "minimax", 6, 1000, 0.0, {}, 100)
            _core.perft(handle, raw, 5, 0.0)
        except zermelo.ZermeloError:
            pass


def test_well_formed_arrays_do_make_a_tree() -> None:
    parts = [
        packed("b", [0, -2, -2]),
        packed("I", [0, 2, 2, 2]),
        packed("I", [1, 2]),
        packed("d", [0, 0, 0]),
        packed("I", [0, 0, 0]),
        packed("I", [0, 0, 1]),
        packed("d", [3, 5]),
    ]
    handle = _core.tree(2, 1, True, *parts)
    assert native_search(handle, handle.initial(), "minimax", -1, 0, 0.0, {}, 0)["value"] == 5
    for i, part in enumerate(parts):
        broken = [*parts]
        broken[i] = part[: len(part) // 2]
        with pytest.raises((ValueError, zermelo.ZermeloError)):
            _core.tree(2, 1, True, *broken)


def run(code: str, timeout: float = 30) -> subprocess.CompletedProcess[str]:
    setup = "import struct, zermelo\nfrom zermelo import _core\n"
    setup += inspect.getsource(native_search).replace("Any", "object")
    setup += "def pack(c, *n): return struct.pack(f'<{len(n)}{c}', *n)\n"
    return subprocess.run(
        [sys.executable, "-c", setup + code], capture_output=True, text=True, timeout=timeout
    )


RISKY = {
    "huge boards": "for a in ((2**31-1, 1), (64, 2**31-2), (-1, 5), (0, 0), (65, 1)):\n"
    "  try: _core.connect_four(*a, False).initial()\n  except zermelo.ZermeloError: pass",
    "huge lines": "for a in ((26, 64, 3), (2**31-1, 1, 1), (1, 2**31-1, 1), (3, 3, -1)):\n"
    "  try: _core.tic_tac_toe(*a)\n  except zermelo.ZermeloError: pass",
    "piles": "for a in ([], [-1], [70000], [1]*17, [2**31-1]*16):\n"
    "  for f in (lambda: _core.nim(a, 0, False), lambda: _core.split_nim(a), "
    "lambda: _core.nim(a, -5, True)):\n"
    "    try: f()\n    except zermelo.ZermeloError: pass",
    "options": "h = _core.tic_tac_toe(3, 3, 3)\n"
    "for o in ({'lines': -5}, {'lines': 2**31-1}, {'table': -1}, {'x': 1}, {1: 2}, "
    "{'table': 'a'}, {'deepen': None}):\n"
    "  try: native_search(h, h.initial(), 'alphabeta', 3, 0, 0.0, o, 0)\n"
    "  except (zermelo.ZermeloError, RuntimeError, TypeError): pass",
    "limits": "h = _core.tic_tac_toe(3, 3, 3)\n"
    "for d, n, t in ((0, 0, 0.0), (-1, 5, 0.0), (1, 2**64-1, 1e300), (2, 1, float('nan')), "
    "(3, 9, -1.0), (2, 0, float('inf'))):\n"
    "  native_search(h, h.initial(), 'alphabeta', d, n, t, {}, 1)",
    "a trace without room": "h = _core.tic_tac_toe(3, 3, 3)\n"
    "for n in range(1, 60): native_search(h, h.initial(), 'alphabeta', 4, 0, 0.0, {}, n)",
    "no objects": "for c in (_core.Handle, _core.PythonHandle, _core.Facts):\n"
    "  try: c().initial()\n  except (TypeError, AttributeError): pass\n"
    "  try: c.__new__(c).initial()\n  except (TypeError, AttributeError): pass",
    "rules that are none": "for r in (None, 3, 'x', object()):\n"
    "  try: _core.python_game(r, 2, True, 0.0, 1.0)\n  except (AttributeError, TypeError): pass",
    "python ids": "class G(zermelo.Game):\n  player = lambda *a: 0\n  actions = lambda *a: [1]\n"
    "  result = lambda *a: 2\n  is_terminal = lambda *a: False\n  utility = lambda *a: 0\n"
    "h = _core.python_game(G(), 2, True, -1.0, 1.0)\n"
    "for f in (lambda: h.actions(b'\\0'*4), lambda: h.action(0, 0), lambda: h.action(9, 9), "
    "lambda: h.state(b'\\1\\0\\0\\0')):\n"
    "  try: f()\n  except (zermelo.ZermeloError, IndexError): pass\n"
    "h.intern('s'); h.actions(b'\\0'*4); h.action(0, 0)\n"
    "try: h.action(0, 2**32-1)\nexcept IndexError: pass",
    "a tree with a loop": "h = _core.tree(2, 1, True, pack('b', 0, 1), pack('I', 0, 1, 2), "
    "pack('I', 1, 1),"
    " pack('d', 0, 0), pack('I', 0, 0), pack('I', 0, 0), b'')\n"
    "for f in (lambda: native_search(h, h.initial(), 'minimax', -1, 0, 0.0, {}, 0),"
    " lambda: _core.grundy(h, h.initial(), 0.0)):\n"
    "  try: f(); raise SystemExit('no error')\n  except zermelo.RulesError: pass",
}


@pytest.mark.parametrize("name", RISKY)
def test_risky_calls_do_not_crash(name: str) -> None:
    done = run(RISKY[name])
    assert done.returncode == 0, done.stderr[-800:]


def test_a_line_longer_than_any_board() -> None:
    try:
        done = run(
            "h = _core.tic_tac_toe(3, 3, 2**31-1); print(h.evaluate(h.initial(), 0))", timeout=30
        )
    except subprocess.TimeoutExpired:
        pytest.fail("it does not come back")
    assert "invalid board" in done.stderr


def test_heights_that_overflow() -> None:
    for width, height in ((1, 2**31 - 1), (64, 2**26 - 1)):
        with pytest.raises(UsageError):
            _core.connect_four(width, height, False)


def test_more_players_than_values() -> None:
    with pytest.raises((ValueError, zermelo.ZermeloError)):
        _core.tree(
            50,
            2,
            False,
            packed("b", [0, -2]),
            packed("I", [0, 1, 1]),
            packed("I", [1]),
            packed("d", [0, 0]),
            packed("I", [0, 0]),
            packed("I", [0, 0]),
            packed("d", [1, 2]),
        )


@pytest.mark.parametrize(
    ("spec", "action"), [("nim", "4-65539"), ("connect-four", 4.7), ("connect-four", True)]
)
def test_actions_are_not_bent_into_legal_ones(spec: str, action: Any) -> None:
    game = zermelo.load(spec)
    with pytest.raises(zermelo.IllegalAction):
        game.result(game.initial(), action)


LIMITS: list[dict[str, Any]] = [
    *(
        {name: bad}
        for name in ("depth", "nodes", "threads")
        for bad in (0, -1, True, False, 1.5, "3", 2**63, 10**30, math.nan, [])
    ),
    {"depth": 1 << 30},
    *({"time": bad} for bad in (0, -1, True, math.nan, math.inf, -math.inf, "1", 1e9, [])),
]


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_limits_that_make_no_sense(limits: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        search(zermelo.load("nim"), **limits)
    assert caught.value.hint and next(iter(limits)) in caught.value.message


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ({"algorithm": "alphabta"}, "'alphabeta'"),
        ({"algorithm": "minmax"}, "'minimax'"),
        ({"algorithm": "Auto"}, "'auto'"),
        ({"algorithm": "xyz"}, f"known: {', '.join(algorithms())}, auto"),
        ({"evaluate": "open-line"}, "'open-lines'"),
        ({"tabel": 3}, "'table'"),
        ({"tie": True}, "'ties'"),
        ({"algorithm": "minimax", "table": 3}, "supported by: alphabeta, "),
        ({"algorithm": "minimax", "tabel": 3}, "did you mean 'table'? (alphabeta, "),
        ({"tiem": 1}, "did you mean 'time'?"),
        ({"algoritm": 1}, "did you mean 'algorithm'?"),
        ({"algorithm": "engine", "dept": 3}, "did you mean 'depth'?"),
        ({"algorithm": "mcts", "tread": 2}, "did you mean 'threads'?"),
        ({"algorithm": "mcts", "opponnents": {}}, "did you mean 'opponents'?"),
        ({"algorithm": "engine", "exlore": 2}, "did you mean 'explore'? (mcts, "),
        ({"cut": "maybe"}, "equal, strict"),
        ({"fail": 1}, "soft, hard"),
        ({"ties": 1}, "True or False"),
        ({"lines": 0}, "from 1 to 1000"),
        ({"lines": True}, "from 1 to 1000"),
        ({"table": -1}, "from 0 to 65536"),
        ({"table": 1.5}, "from 0"),
    ],
)
def test_wrong_words_get_the_nearest(call: dict[str, Any], hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        search(zermelo.load("tic-tac-toe"), depth=1, **call)
    assert hint in caught.value.hint


def test_known_options_are_listed_once() -> None:
    with pytest.raises(UsageError) as caught:
        search(zermelo.load("tic-tac-toe"), zzz=1)  # type: ignore[arg-type]
    known = caught.value.hint.removeprefix("known: ").split(", ")
    assert "threads" in known and len(known) == len(set(known))


def test_wrong_states() -> None:
    game, other = zermelo.load("tic-tac-toe"), zermelo.load("connect-four")
    for wrong in (
        other.initial(),
        3,
        "X../.../...",
        b"",
        object(),
        zermelo.load("tic-tac-toe:m=4").initial(),
    ):
        with pytest.raises(UsageError, match="not a state of tic-tac-toe"):
            search(game, wrong)
        with pytest.raises(UsageError):
            game.actions(wrong)


TOO_MANY_STONES = ["split-nim:piles=500", "split-nim:piles=0", "nim:piles=" + "1," * 16 + "1"]


@pytest.mark.parametrize(
    "spec",
    [
        "chess:start=960",
        "chess:draws=never",
        "",
        ":",
        "tic-tac-toe:q=3",
        "tic-tac-toe:m=0",
        "tic-tac-toe:m=x",
        "tic-tac-toe:m=3,m=4",
        "tic-tac-toe:m=26,n=64",
        "connect-four:width=99",
        "connect-four:score=most",
        "nim:piles=",
        "nim:piles=a",
        "nim:misere=maybe",
        "nim:take=0",
        *TOO_MANY_STONES,
        "nosuch.py:Game",
        "x.py",
        "open_spiel:hex",
        3,
        None,
    ],
)
def test_games_that_cannot_be_loaded(spec: Any) -> None:
    with pytest.raises(UsageError) as caught:
        zermelo.load(spec)
    assert caught.value.hint


@pytest.mark.parametrize("name", contract.OPTIONS)
def test_what_is_long_is_not_repeated_whole(name: str) -> None:
    game = zermelo.load(name)
    for text in ("1" * 5000, "it's " * 1000, '"a" ' * 1000, "\\n" * 2000):
        for ask in (game.parse_state, lambda t: game.parse_action(game.initial(), t)):
            with pytest.raises(UsageError) as caught:
                ask(text)
            assert len(str(caught.value)) < 700, caught.value


@pytest.mark.parametrize("name", [*contract.OPTIONS, "tic-tac-toe:m=15,n=15,k=5"])
def test_every_search_answers_for_every_game_or_says_why_not(name: str) -> None:
    game = zermelo.load(name)
    s, rng = game.initial(), random.Random(1)
    while game.player(s) == zermelo.CHANCE:
        s = game.result(s, rng.choice(game.outcomes(s))[0])
    for algorithm in algorithms():
        with contextlib.suppress(zermelo.ZermeloError):
            r = zermelo.search(game, s, algorithm, depth=2, nodes=300, time=0.5)
            assert r.action is None or r.action in game.actions(s)
