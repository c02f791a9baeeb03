"""The commands of the specification that do not search: administration, set-up, time, score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import __version__
from ...errors import UsageError, ZermeloError
from ...view.names import listed
from .board import IllegalMove, Setup
from .clock import gtp_control
from .commands import COMMANDS, WHOLE, command, decimal, whole
from .estimate import final_score
from .handicap import fixed_points, free_points
from .message import SyntaxFailure
from .records import load_record
from .stones import groups, is_go, with_status

if TYPE_CHECKING:
    from .engine import Engine

STATUSES = ("alive", "dead", "seki")
MAX_SECONDS = 10**8


# -- administration ------------------------------------------------------------------------------
@command("protocol_version")
def protocol_version(engine: Engine, words: list[str]) -> str:
    return "2"


@command("name")
def name(engine: Engine, words: list[str]) -> str:
    return "Zermelo"


@command("version")
def version(engine: Engine, words: list[str]) -> str:
    return __version__


@command("known_command", "[COMMAND]")
def known_command(engine: Engine, words: list[str]) -> str:
    found = COMMANDS.get(words[0]) if words else None
    return "true" if found is not None and found.fits(engine) else "false"


@command("list_commands")
def list_commands(engine: Engine, words: list[str]) -> str:
    return "\n".join(c.name for c in COMMANDS.values() if c.fits(engine))


@command("quit")
def stop_engine(engine: Engine, words: list[str]) -> None:
    engine.running = False


# -- set-up --------------------------------------------------------------------------------------
@command("boardsize", "SIZE [HEIGHT]")
def boardsize(engine: Engine, words: list[str]) -> None:
    sizes = [whole(w, "size", -(10**9)) for w in words]
    board, size = engine.board, sizes[0]
    if len(set(sizes)) > 1:
        raise UsageError("unacceptable size", "the board is square")
    if not board.has_option("size"):
        if size != board.size:
            raise UsageError("unacceptable size", f"{board.game.name} has one size")
        board.clear()
    else:
        try:
            board.restart(size=size)
        except UsageError as e:
            raise UsageError("unacceptable size", e.message) from None
    new_game(engine)


def new_game(engine: Engine) -> None:
    engine.clocks.reset()
    engine.searcher.new_game()


@command("clear_board")
def clear_board(engine: Engine, words: list[str]) -> None:
    engine.board.clear()
    new_game(engine)


@command("komi", "KOMI", option="komi")
def komi(engine: Engine, words: list[str]) -> None:
    (option,) = (o for o in engine.board.game.options if o.name == "komi")
    engine.board.change(komi=decimal(words[0], "komi", *(option.limits or ())))


@command("play", "COLOUR VERTEX")
def play(engine: Engine, words: list[str]) -> None:
    engine.board.play(engine.board.player(words[0]), words[1])


@command("undo")
def undo(engine: Engine, words: list[str]) -> None:
    engine.board.undo()


@command("showboard")
def showboard(engine: Engine, words: list[str]) -> str:
    return "\n" + engine.board.game.board(engine.board.state)


# -- handicap ------------------------------------------------------------------------------------
def place(engine: Engine, points: list[str]) -> str:
    """Start with Black's stones on these points."""
    engine.board.set_up(Setup(black=tuple(points), player=1))
    new_game(engine)
    return " ".join(points)


def check_empty(engine: Engine) -> int:
    """The size of the board, which must be empty."""
    if not engine.board.empty:
        raise ZermeloError("board not empty")
    return int(engine.board.size or 0)


@command("fixed_handicap", "STONES", go=True)
def fixed_handicap(engine: Engine, words: list[str]) -> str:
    stones, size = whole(words[0], "number of stones", -(10**9)), check_empty(engine)
    return place(engine, fixed_points(size, stones))


@command("place_free_handicap", "STONES", go=True)
def place_free_handicap(engine: Engine, words: list[str]) -> str:
    stones, size = whole(words[0], "number of stones", -(10**9)), check_empty(engine)
    if not 2 <= stones < size * size:
        raise UsageError("invalid number of stones", f"2 to {size * size - 1} on this board")
    return place(engine, free_points(size, stones))


@command("set_free_handicap", "VERTEX...", go=True)
def set_free_handicap(engine: Engine, words: list[str]) -> None:
    size = check_empty(engine)
    board = engine.board
    points = []
    for word in words:
        try:
            points.append(board.vertex(board.action(board.state, word)))
        except IllegalMove as e:
            raise UsageError("bad vertex list", e.reason) from None
    if "pass" in points or len(set(points)) < len(points) or not 2 <= len(points) < size * size:
        raise UsageError("bad vertex list", f"expected 2 to {size * size - 1} different points")
    place(engine, points)


# -- time ----------------------------------------------------------------------------------------
@command("time_settings", "MAIN_TIME BYO_YOMI_TIME BYO_YOMI_STONES")
def time_settings(engine: Engine, words: list[str]) -> None:
    main, period, stones = (
        whole(w, what, 0, MAX_SECONDS)
        for w, what in zip(words, ("main time", "byo-yomi time", "byo-yomi stones"), strict=True)
    )
    engine.clocks.set(gtp_control(main, period, stones))


@command("time_left", "COLOUR TIME STONES")
def time_left(engine: Engine, words: list[str]) -> None:
    player = engine.board.player(words[0])
    seconds = decimal(words[1], "time")
    engine.clocks.players[player].left(seconds, whole(words[2], "number of stones", 0))


# -- the end -------------------------------------------------------------------------------------
@command("final_score")
def score(engine: Engine, words: list[str]) -> str:
    return final_score(engine.board)


@command("final_status_list", "STATUS", go=True)
def final_status_list(engine: Engine, words: list[str]) -> str:
    status = words[0].lower()
    if status not in STATUSES:
        raise SyntaxFailure(f"invalid status {words[0][:40]!r}, expected {listed(STATUSES, 'or')}")
    game = engine.board.game
    assert is_go(game)
    found = with_status(game, engine.board.state, status)
    return "\n".join(" ".join(group) for group in groups(found, game.size))


@command("loadsgf", "FILE... [MOVE_NUMBER]", go=True)
def loadsgf(engine: Engine, words: list[str]) -> str:
    number = int(words[-1]) if len(words) > 1 and WHOLE.fullmatch(words[-1]) else None
    if number is not None:
        whole(words[-1], "move number", 0)
    path = " ".join(words if number is None else words[:-1]).strip('"')
    player = load_record(path, engine.board, number)
    new_game(engine)
    return ("black", "white")[player]
