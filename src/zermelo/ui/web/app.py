"""The addresses that the studio answers.

A handler reads the body of its request; everything else (parsing it, the rules, drawing, writing
JSON) is work for one of the two executors, so that the event loop never waits.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from ...errors import UsageError, ZermeloError
from ...game import facts_of
from ...search.algorithms import algorithms
from . import plays, trees
from .asked import (
    Asked,
    ChangedPlay,
    ExportAsked,
    FoldAsked,
    Malformed,
    NewPlay,
    Place,
    PlayedMove,
    TreeAsked,
    Undo,
    complaint,
    parse_json,
    read,
)
from .catalog import Catalog, about, sides
from .executor import Executor, Stop, TooSlow
from .guard import Guard, answer
from .limits import Busy, Limits
from .practise import add_practise
from .room import Page, Room, told
from .static_files import STATIC, VIEW, Files, file_response, page_response
from .store import Changed, Play, StorageError, Store
from .views import position_view, who
from .visitors import Visitor, visitor_of

LOOK_EVERY = 0.25  # seconds
WORTH_PACKING = 2000  # bytes
T = TypeVar("T")
K = TypeVar("K", bound=Asked)
V = TypeVar("V", ChangedPlay, PlayedMove, Undo)
__all__ = ["STATIC", "VIEW", "Studio", "make_app"]


class Studio:
    """What the addresses share."""

    def __init__(self, catalog: Catalog, store: Store, limits: Limits) -> None:
        self.catalog, self.store, self.limits = catalog, store, limits
        self.room, self.shelf = Room(), trees.Shelf()
        waiting, patience = limits.waiting, limits.patience
        self.searches = Executor(limits.searches, waiting, patience, limits.time + limits.view)
        self.views = Executor(
            limits.views,
            2 * waiting,
            patience,
            limits.view,
            per_visitor=max(1, limits.views // 2),
            per_address=max(1, limits.views - 1),
        )

    def close(self) -> None:
        self.searches.close()
        self.views.close()

    async def view(self, visitor: Visitor, play: Play) -> dict[str, Any]:
        return await self.views.run(visitor, lambda _: plays.play_view(self.catalog, play))

    async def while_here(
        self, request: Request, executor: Executor, work: Callable[[Stop], T]
    ) -> T:
        """The work's result. The work ends when the one who asked has left."""
        task = asyncio.ensure_future(executor.run(visitor_of(request.scope), work))
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_EVERY)
            if not task.done() and await request.is_disconnected():
                task.cancel()
                raise Busy("nobody waits for this answer any more")
        return await task

    async def answer(
        self,
        request: Request,
        kind: type[K],
        work: Callable[[K, Stop], Any],
        executor: Executor | None = None,
    ) -> Response:
        """What `work` makes of the request, as JSON, or the response that it returns."""
        body = await request.body()
        packed = "gzip" in request.headers.get("accept-encoding", "")

        def whole(stop: Stop) -> Response:
            made = work(read(kind, parse_json(body)), stop)
            return made if isinstance(made, Response) else json_response(made, packed)

        return await self.while_here(request, executor or self.views, whole)

    async def practise(self, request: Request, work: Callable[[], Response]) -> Response:
        return await self.while_here(request, self.views, lambda _: work())

    async def change(
        self, request: Request, key: str, kind: type[V], how: Callable[[Play, V], object]
    ) -> Response:
        """Changes a game unless another page did so first; tells every page on it."""
        views: list[dict[str, Any]] = []

        def work(asked: V, stop: Stop) -> dict[str, Any]:
            play = self.store.get(key)
            if play.version != asked.version:
                raise Changed
            how(play, asked)
            if len(play.moves) > self.limits.plies:
                raise UsageError(
                    f"too long: at most {self.limits.plies:,} moves", "start a new game"
                )
            self.store.put(play)
            views.append(plays.play_view(self.catalog, play))
            return views[0]

        response = await self.answer(request, kind, work)
        self.room.tell(key, {"kind": "play", "play": views[0]})
        return response


def json_response(data: Any, packed: bool) -> Response:
    """Written and packed where it is called: in a worker's thread."""
    body = json.dumps(data, allow_nan=False, ensure_ascii=False).encode("utf-8", "replace")
    headers = {"Vary": "Accept-Encoding"}
    if packed and len(body) > WORTH_PACKING:
        body, headers["Content-Encoding"] = gzip.compress(body, 5), "gzip"
    return Response(body, media_type="application/json", headers=headers)


def make_app(catalog: Catalog, store: Store, limits: Limits, guard: dict[str, Any]) -> FastAPI:
    """The application; `guard`: whom :class:`Guard` lets in."""
    studio = Studio(catalog, store, limits)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        studio.close()
        store.close()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    app.state.studio = studio
    app.add_middleware(Guard, body=limits.body, **guard)
    add_errors(app, studio)
    add_pages(app)
    add_games(app, studio)
    add_plays(app, studio)
    add_trees(app, studio)
    add_practise(app, studio.practise)
    return app


def status_of(error: ZermeloError) -> int:
    if isinstance(error, Busy | TooSlow):
        return 503
    if isinstance(error, Malformed):
        return 422
    if isinstance(error, StorageError):
        return 500
    return 410 if isinstance(error, trees.Gone) else 400


def add_errors(app: FastAPI, studio: Studio) -> None:
    @app.exception_handler(ZermeloError)
    async def wrong(_: Request, error: ZermeloError) -> Response:
        return JSONResponse(told(error), status_of(error))

    @app.exception_handler(RequestValidationError)
    async def misshapen(_: Request, error: RequestValidationError) -> Response:
        return JSONResponse(told(complaint(list(error.errors()))), 422)

    @app.exception_handler(Changed)
    async def changed(request: Request, _: Changed) -> Response:
        def work(_: Stop) -> Response:
            play = studio.store.get(request.path_params["key"])
            return JSONResponse(plays.play_view(studio.catalog, play), 409)

        return await studio.views.run(visitor_of(request.scope), work)

    @app.exception_handler(HTTPException)
    async def missing(_: Request, error: HTTPException) -> Response:
        return answer(error.status_code, str(error.detail), "the studio is at /")

    @app.exception_handler(ClientDisconnect)
    async def left(_: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # read by nobody

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        return JSONResponse(told(error), 500)


def add_pages(app: FastAPI) -> None:
    files = Files()

    @app.get("/")
    async def index(request: Request) -> Response:
        page = files.get("index.html")
        assert page is not None
        return page_response(request, page)

    @app.get("/static/{name}")
    async def static(request: Request, name: str) -> Response:
        file = files.get(name)
        if file is None:
            raise HTTPException(404, "Not Found")
        return file_response(request, file)


def add_games(app: FastAPI, studio: Studio) -> None:
    catalog, limits = studio.catalog, studio.limits
    tracing = [a.name for a in algorithms().values() if a.traces]
    known = catalog.to_json() | {"limits": {"time": limits.time}, "tracing": tracing}

    @app.get("/api/games")
    async def games(request: Request) -> Response:
        return json_response(known, packed=False)

    @app.get("/api/about")
    async def about_game(request: Request, game: str) -> Response:
        def work(_: Stop) -> Response:
            return json_response(about(game, catalog.game(game)), packed=False)

        return await studio.while_here(request, studio.views, work)

    @app.post("/api/position")
    async def position(request: Request) -> Response:
        def work(asked: Place, _: Stop) -> dict[str, Any]:
            game = catalog.game(asked.game)
            s, played = plays.follow(game, asked.position, asked.moves), asked.moves
            if asked.roll:
                s, rolled = plays.roll(game, s)
                played = [*played, *(index for index, _ in rolled)]
            names = sides(game, facts_of(game).players)
            chance = plays.chance_view(game, s)
            return position_view(game, s) | {"sides": names, "played": played, "chance": chance}

        return await studio.answer(request, Place, work)

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        await Page(studio, socket).run()


def add_plays(app: FastAPI, studio: Studio) -> None:
    catalog, store, limits = studio.catalog, studio.store, studio.limits

    @app.post("/api/plays")
    async def new_play(request: Request) -> Response:
        visitor = visitor_of(request.scope)

        def work(asked: NewPlay, _: Stop) -> dict[str, Any]:
            play = Play(**asked.model_dump())
            game = catalog.game(play.game)
            plays.check(game, play, limits)
            play.moves = plays.roll(game, plays.begin(game, play.position))[1]
            store.add(play, visitor, limits)
            return plays.play_view(catalog, play)

        return await studio.answer(request, NewPlay, work)

    @app.get("/api/plays/{key}")
    async def get_play(request: Request, key: str) -> Response:
        def work(_: Stop) -> Response:
            return json_response(plays.play_view(catalog, store.get(key)), packed=False)

        return await studio.while_here(request, studio.views, work)

    @app.post("/api/plays/{key}/move")
    async def move(request: Request, key: str) -> Response:
        def how(play: Play, asked: PlayedMove) -> None:
            game, states = plays.replay(catalog, play)
            s = states[-1]
            if play.side not in (-1, who(game, s)):
                raise UsageError("it is not your turn", "wait for the reply")
            plays.add(game, play, s, asked.move)

        return await studio.change(request, key, PlayedMove, how)

    @app.post("/api/plays/{key}/undo")
    async def undo(request: Request, key: str) -> Response:
        return await studio.change(request, key, Undo, lambda play, _: plays.undo(catalog, play))

    @app.post("/api/plays/{key}/opponent")
    async def opponent(request: Request, key: str) -> Response:
        def how(play: Play, asked: ChangedPlay) -> None:
            plays.change_opponent(catalog.game(play.game), play, asked, limits)

        return await studio.change(request, key, ChangedPlay, how)


def add_trees(app: FastAPI, studio: Studio) -> None:
    catalog, limits, shelf = studio.catalog, studio.limits, studio.shelf

    @app.post("/api/tree")
    async def tree(request: Request) -> Response:
        def work(asked: TreeAsked, stop: Stop) -> dict[str, Any]:
            return trees.tree_view(catalog, limits, shelf, asked, stop)

        return await studio.answer(request, TreeAsked, work, studio.searches)

    @app.post("/api/tree/fold")
    async def fold(request: Request) -> Response:
        return await studio.answer(
            request, FoldAsked, lambda asked, _: trees.fold_view(shelf, asked)
        )

    @app.post("/api/tree/export")
    async def export(request: Request) -> Response:
        def work(asked: ExportAsked, stop: Stop) -> Response:
            text, media, name = trees.export(catalog, limits, shelf, asked, stop)
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return Response(text.encode("utf-8", "replace"), media_type=media, headers=headers)

        return await studio.answer(request, ExportAsked, work, studio.searches)
