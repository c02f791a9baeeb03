"""Score estimates, reasons of illegal moves, and game records that a page reads or writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fastapi import FastAPI, Request
from starlette.responses import Response

from ...errors import IllegalAction, NotSupported, UsageError
from ...game import Game, defines, facts_of
from . import sessions
from .catalog import Catalog
from .limits import Limits
from .schemas import Estimate, ExplainIllegal, Place, ReadRecord
from .views import estimate_view

if TYPE_CHECKING:
    from .app import Studio


def add_record_routes(app: FastAPI, studio: Studio) -> None:
    catalog, limits = studio.catalog, studio.limits

    @app.post("/api/estimate")
    async def estimate(request: Request) -> Response:
        return await studio.answer(
            request, Estimate, lambda wanted, _: estimate_view(*open_position(studio, wanted))
        )

    @app.post("/api/illegal")
    async def illegal(request: Request) -> Response:
        def work(wanted: ExplainIllegal, _: Any) -> dict[str, Any]:
            game, s = open_position(studio, wanted)
            try:
                game.parse_action(s, wanted.square)
            except IllegalAction as e:
                return {"text": e.message}
            return {"text": ""}

        return await studio.answer(request, ExplainIllegal, work)

    @app.post("/api/record/read")
    async def read(request: Request) -> Response:
        return await studio.answer(
            request, ReadRecord, lambda wanted, _: record_view(catalog, limits, wanted)
        )

    @app.post("/api/record/write")
    async def write(request: Request) -> Response:
        def work(wanted: Place, _: Any) -> Response:
            game = catalog.game(wanted.game)
            text = record_text(game, wanted)
            name = f"game.{game.record_format.lower()}"
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return Response(text.encode(), media_type="text/plain", headers=headers)

        return await studio.answer(request, Place, work)


def open_position(studio: Studio, wanted: Estimate) -> tuple[Game, Any]:
    """The game and the position of a request.

    Raises:
        NotSupported: The game has hidden information, which an answer could reveal.
    """
    if wanted.play is not None:
        game, states = sessions.replay(studio.catalog, studio.store.get(wanted.play))
        s = states[-1]
    elif wanted.game is not None:
        game = studio.catalog.game(wanted.game)
        s = sessions.follow(game, wanted.position, wanted.moves)
    else:
        raise UsageError("no game was chosen", "choose a game")
    if facts_of(game).hidden:
        raise NotSupported("an answer would reveal what is hidden from you", "continue without it")
    return game, s


def record_view(catalog: Catalog, limits: Limits, request: ReadRecord) -> dict[str, Any]:
    """Read a game record; its lines are indices into the legal moves, with their texts."""
    game = catalog.game(request.game)
    if not defines(game, "parse_record"):
        raise NotSupported(f"{game.name} has no game records", "enter a position")
    record = game.parse_record(request.text)
    if len(record.lines[0]) > limits.plies:
        raise UsageError(
            f"the game is too long: at most {limits.plies:,} moves", "shorten the record"
        )
    game = catalog.game(record.spec)
    known: dict[tuple[Any, ...], Step] = {}  # by the moves so far: lines begin alike
    lines = []
    for actions in (line for line in record.lines if len(line) <= limits.plies):
        s, steps = sessions.begin(game, record.position), list[Step]()
        for number, action in enumerate(actions, 1):
            key = tuple(actions[:number])
            if key not in known:
                known[key] = _step(game, s, action)
            steps.append(known[key])
            s = known[key].after
        lines.append({"moves": [x.move for x in steps], "texts": [x.text for x in steps]})
    return {
        "game": record.spec,
        "position": record.position,
        "title": record.title,
        "lines": lines,
    }


class Step(NamedTuple):
    """A move of a line as its index into the legal moves, its notation, the state after it."""

    move: int
    text: str
    after: Any


def _step(game: Game, s: Any, action: Any) -> Step:
    legal = sessions.options_at(game, s)
    if action not in legal:
        text = game.format_action(None, action)
        raise IllegalAction(f"{text} is not legal here", "shorten the record")
    return Step(legal.index(action), game.format_action(s, action), game.result(s, action))


def record_text(game: Game, place: Place) -> str:
    """Write the moves from a position as a game record."""
    if not defines(game, "format_record"):
        raise NotSupported(f"{game.name} has no game records", "copy the position")
    s = sessions.begin(game, place.position)
    return game.format_record(place.position, [a for a, _ in sessions.walk(game, s, place.moves)])
