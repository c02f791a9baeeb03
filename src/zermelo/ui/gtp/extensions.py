"""Commands beyond the specification: KGS, GoGui, Gomill, KataGo and our own parameters."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ...errors import NotSupported, UsageError
from ...game import legal_actions
from ...search.algorithms import traits_of
from ...view.names import player_name
from ...view.number import count
from .board import PASS, Setup, legal_vertices
from .clock import TimeControl
from .commands import COMMANDS, command, decimal, whole
from .estimate import final_score, win_rate
from .message import SyntaxFailure
from .standard import MAX_SECONDS, new_game
from .stones import is_go

if TYPE_CHECKING:
    from .engine import Engine

# The rule sets of KGS as options of our Go.
KGS_RULES = {
    "chinese": {"rules": "chinese", "ko": "superko"},
    "aga": {"rules": "chinese", "ko": "superko"},
    "new_zealand": {"rules": "tromp-taylor", "ko": "superko"},
    "japanese": {"rules": "japanese-like", "ko": "simple"},
}
ANALYZE = (  # type, label and command of entries in GoGui's menus
    ("string", "Score", "final_score"),
    ("plist", "Dead Stones", "final_status_list dead"),
    ("dboard", "Ownership", "zermelo-ownership"),
    ("hstring", "Explain Last Move", "gomill-explain_last_move"),
    ("param", "Parameters", "zermelo-param"),
)


# -- KGS -----------------------------------------------------------------------------------------
@command("kgs-rules", "RULES", option="rules")
def kgs_rules(engine: Engine, words: list[str]) -> None:
    options = KGS_RULES.get(words[0].lower())
    if options is None:
        raise UsageError(
            f"unknown rules {words[0][:40]!r}", f"expected {', '.join(KGS_RULES)}"
        )  # fmt: skip
    engine.board.change(**options)


@command("kgs-time_settings", "KIND [MAIN_TIME] [PERIOD] [COUNT]")
def kgs_time_settings(engine: Engine, words: list[str]) -> None:
    kind, given = words[0].lower(), words[1:]
    counts = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
    if kind not in counts or len(given) != counts[kind]:
        raise SyntaxFailure(
            "expected none, absolute MAIN_TIME, byoyomi MAIN_TIME PERIOD PERIODS or "
            "canadian MAIN_TIME PERIOD STONES"
        )
    main, period = (
        decimal(w, "time", 0, MAX_SECONDS) for w in [*given, "0", "0"][:2]
    )  # fmt: skip
    count = whole(given[2], "count", 1) if len(given) == 3 else 1
    if kind == "none":
        control = TimeControl()
    elif kind == "byoyomi":
        control = TimeControl(main, period, periods=count, byoyomi=True)
    else:
        control = TimeControl(main, period, stones=count)
    engine.clocks.set(control)


@command("kgs-game_over")
def kgs_game_over(engine: Engine, words: list[str]) -> None:
    engine.searcher.new_game()


# -- GoGui ---------------------------------------------------------------------------------------
@command("gogui-analyze_commands")
def gogui_analyze_commands(engine: Engine, words: list[str]) -> str:
    return "\n".join(
        f"{kind}/{label}/{text}"
        for kind, label, text in ANALYZE
        if COMMANDS[text.split()[0]].fits(engine)
    )


@command("gogui-interrupt")
def gogui_interrupt(engine: Engine, words: list[str]) -> None:
    """Says that the comment "# interrupt" ends a search early."""


@command("gogui-play_sequence", "COLOUR_VERTEX...")
def gogui_play_sequence(engine: Engine, words: list[str]) -> None:
    moves = pairs(words)
    played = 0
    try:
        for colour, vertex in moves:
            engine.board.play(engine.board.player(colour), vertex)
            played += 1
    except UsageError:
        if played:
            engine.board.undo(played)
        raise


def pairs(words: list[str]) -> list[tuple[str, str]]:
    """Colours and vertices in turn."""
    if len(words) % 2:
        raise SyntaxFailure("expected pairs of a colour and a vertex")
    return list(zip(words[::2], words[1::2], strict=True))


@command("gogui-setup", "COLOUR_VERTEX...", go=True)
def gogui_setup(engine: Engine, words: list[str]) -> None:
    board = engine.board
    stones: tuple[list[str], list[str]] = ([], [])
    for colour, word in pairs(words):
        stones[board.player(colour)].append(word)
    board.set_up(Setup(tuple(stones[0]), tuple(stones[1]), board.mover))
    new_game(engine)


@command("gogui-setup_player", "COLOUR", go=True)
def gogui_setup_player(engine: Engine, words: list[str]) -> None:
    board, player = engine.board, engine.board.player(words[0])
    if board.moves:
        raise UsageError("the game has begun", "use gogui-setup_player before the first move")
    old = board.setup or Setup()
    board.set_up(Setup(old.black, old.white, player))


# Rules of a game other than Go, for GoGui's board.
@command("gogui-rules_game_id")
def gogui_rules_game_id(engine: Engine, words: list[str]) -> str:
    return engine.board.spec.partition(":")[0].lower()


@command("gogui-rules_board", option="size")
def gogui_rules_board(engine: Engine, words: list[str]) -> str:
    """The stones, with the highest row first: X is Black, O is White."""
    game: Any = engine.board.game
    state = engine.board.state
    if is_go(game):
        return "\n" + "\n".join(game.rows(state))
    if hasattr(game, "grid"):  # -1 is empty
        rows = ["".join(".XO"[who + 1] for who in row) for row in game.grid(state)]
    elif hasattr(game, "rows"):
        rows = [str(row).replace("R", "X").replace("B", "O") for row in game.rows(state)]
    else:
        raise NotSupported(f"{game.name} has no board of stones")
    return "\n" + "\n".join(reversed(rows))


@command("gogui-rules_board_size", option="size")
def gogui_rules_board_size(engine: Engine, words: list[str]) -> str:
    return str(engine.board.size)


@command("gogui-rules_legal_moves")
def gogui_rules_legal_moves(engine: Engine, words: list[str]) -> str:
    board = engine.board
    if board.game.is_terminal(board.state):
        return ""
    found = legal_vertices(board, board.mover)
    passes = PASS in legal_actions(board.game, board.state)
    return " ".join([*found, *([PASS] if passes else [])])


@command("gogui-rules_side_to_move")
def gogui_rules_side_to_move(engine: Engine, words: list[str]) -> str:
    return engine.board.colours[engine.board.mover]


@command("gogui-rules_final_result")
def gogui_rules_final_result(engine: Engine, words: list[str]) -> str:
    over = engine.board.game.is_terminal(engine.board.state)
    return final_score(engine.board) if over else ""


# -- Gomill --------------------------------------------------------------------------------------
@command("gomill-describe_engine")
def gomill_describe_engine(engine: Engine, words: list[str]) -> str:
    s = engine.settings
    limit = count(s.playouts, "playout") if s.playouts else f"{s.time:g} s per move or the clock"
    threads = count(s.threads, "thread")
    return f"Zermelo\n{engine.board.game.name}, algorithm {s.algorithm}, {limit}, {threads}"


@command("gomill-cpu_time")
def gomill_cpu_time(engine: Engine, words: list[str]) -> str:
    return f"{time.process_time():.3f}"


@command("gomill-explain_last_move")
def gomill_explain_last_move(engine: Engine, words: list[str]) -> str:
    r = engine.searcher.last
    if r is None:
        return "the last move was not searched"
    return r.explain()


# -- KataGo --------------------------------------------------------------------------------------
@command("clear_cache")
def clear_cache(engine: Engine, words: list[str]) -> None:
    engine.searcher.clear()


@command("stop")
def stop(engine: Engine, words: list[str]) -> None:
    """Ends an analysis, as every command does."""


# -- our own -------------------------------------------------------------------------------------
@command("zermelo-param", "[NAME] [VALUE]")
def zermelo_param(engine: Engine, words: list[str]) -> str | None:
    if len(words) == 1:
        raise SyntaxFailure("expected zermelo-param NAME VALUE")
    if not words:
        return "\n" + "\n".join(engine.settings.lines())
    engine.settings.set(engine.board.game, *words)
    return None


@command("zermelo-ownership", go=True)
def zermelo_ownership(engine: Engine, words: list[str]) -> str:
    """Who will own each point, row by row from the top: 1 is Black, -1 is White."""
    game = engine.board.game
    assert is_go(game)
    rows = game.ownership(engine.board.state)
    return "\n" + "\n".join(" ".join(f"{x:.2f}" for x in row) for row in rows)


@command("zermelo-win_rate")
def zermelo_win_rate(engine: Engine, words: list[str]) -> str:
    """The win rate of the last search for a move."""
    r: Any = engine.searcher.last
    if r is None:
        raise UsageError("no move was searched", "use it after genmove")
    unit = "playouts" if traits_of(r.algorithm).simulates else "nodes"
    rate = win_rate(r, r.value)
    return f"{player_name(r.game, r.player)} {rate:.3f} after {r.nodes} {unit}"
