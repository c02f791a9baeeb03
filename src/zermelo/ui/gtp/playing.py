"""The commands that search for a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from ...result import Result
from .board import PASS
from .commands import command
from .searching import RESIGN, Watch

if TYPE_CHECKING:
    from .engine import Engine


def think(
    engine: Engine,
    player: int,
    *,
    resigns: bool = True,
    cleanup: bool = False,
    on_result: Callable[[Result], None] | None = None,
    among: Sequence[Any] | None = None,
) -> str:
    """Choose a move for `player`. Returns its vertex, "pass" or "resign".

    With `among`, the move is one of these actions, and the engine does not resign.
    """
    begin = monotonic()
    plan = engine.searcher.plan(engine.board, player, engine.clocks)
    watch = Watch(plan, engine.stop_asked, on_result)
    chosen = engine.searcher.choose(
        engine.board, player, watch, resigns=resigns and among is None, cleanup=cleanup, among=among
    )  # fmt: skip
    planned = plan.seconds if plan.clocked else None
    engine.clocks.spend(player, monotonic() - begin, planned)
    if engine.searcher.interrupted:  # Ctrl-C: this reply is the last
        engine.running = False
    return chosen if chosen in (PASS, RESIGN) else engine.board.vertex(chosen)


def think_and_play(engine: Engine, player: int, **how: Any) -> str:
    """Choose a move and play it."""
    vertex = think(engine, player, **how)
    if vertex != RESIGN:
        engine.board.play(player, vertex)
    return vertex


@command("genmove", "COLOUR")
def genmove(engine: Engine, words: list[str]) -> str:
    return think_and_play(engine, engine.board.player(words[0]))


@command("reg_genmove", "COLOUR")
def reg_genmove(engine: Engine, words: list[str]) -> str:
    return think(engine, engine.board.player(words[0]), resigns=False)


@command("kgs-genmove_cleanup", "COLOUR", go=True)
def kgs_genmove_cleanup(engine: Engine, words: list[str]) -> str:
    return think_and_play(engine, engine.board.player(words[0]), resigns=False, cleanup=True)
