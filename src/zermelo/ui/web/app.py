"""The routes of the studio.

A handler reads the body of its request. Everything else (parsing, the rules, drawing, writing
JSON) runs in one of the two executors, so that the event loop never blocks.
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
from ...search.algorithms import algorithms, shared_option
from . import sessions, trees
from .catalog import Catalog, about, choices
from .executor import Executor, Stop, TooSlow
from .exercises import add_exercise_routes
from .guard import Guard, answer
from .limits import Busy, Limits
from .records import add_record_routes
from .schemas import (
    TREE_OPTIONS,
    ChangeOpponent,
    ExportRequest,
    FoldRequest,
    Malformed,
    Message,
    NewPlay,
    Place,
    PlayMove,
    Resign,
    TreeRequest,
    Undo,
    malformed,
    parse_json,
    read,
)
from .static_files import STATIC, VIEW, Files, file_response, page_response
from .store import Changed, Session, StorageError, Store
from .views import who
from .visitors import Visitor, visitor_of
from .websocket import Clients, Page, error_json

LOOK_EVERY = 0.25  # seconds
WORTH_PACKING = 2000  # bytes
T = TypeVar("T")
K = TypeVar("K", bound=Message)
V = TypeVar("V", ChangeOpponent, PlayMove, Resign, Undo)
__all__ = ["STATIC", "VIEW", "Studio", "make_app"]


class Studio:
    """What the routes share: games, database, limits, executors."""

    def __init__(self, catalog: Catalog, store: Store, limits: Limits) -> None:
        self.catalog, self.store, self.limits = catalog, store, limits
        self.clients, self.trace_cache = Clients(), trees.TraceCache()
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

    async def view(self, visitor: Visitor, session: Session) -> dict[str, Any]:
        return await self.views.run(visitor, lambda _: sessions.session_view(self.catalog, session))

    async def while_here(
        self, request: Request, executor: Executor, work: Callable[[Stop], T]
    ) -> T:
        """Run `work` and return its result; cancel it when the client disconnects."""
        task = asyncio.ensure_future(executor.run(visitor_of(request.scope), work))
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_EVERY)
            if not task.done() and await request.is_disconnected():
                task.cancel()
                raise Busy("the client has disconnected")
        return await task

    async def answer(
        self,
        request: Request,
        kind: type[K],
        work: Callable[[K, Stop], Any],
        executor: Executor | None = None,
    ) -> Response:
        """Respond with the result of `work` as JSON, or with the response that it returns."""
        body = await request.body()
        packed = "gzip" in request.headers.get("accept-encoding", "")

        def whole(stop: Stop) -> Response:
            made = work(read(kind, parse_json(body)), stop)
            return made if isinstance(made, Response) else _json_response(made, packed)

        return await self.while_here(request, executor or self.views, whole)

    async def exercise(self, request: Request, work: Callable[[], Response]) -> Response:
        return await self.while_here(request, self.views, lambda _: work())

    async def change(
        self, request: Request, key: str, kind: type[V], how: Callable[[Session, V], object]
    ) -> Response:
        """Change a game, unless another page did so first, and notify every page on it."""
        views: list[dict[str, Any]] = []

        def work(wanted: V, stop: Stop) -> dict[str, Any]:
            session = self.store.get(key)
            if session.version != wanted.version:
                raise Changed
            how(session, wanted)
            if len(session.moves) > self.limits.plies:
                raise UsageError(
                    f"the game is too long: at most {self.limits.plies:,} moves", "start a new game"
                )
            self.store.put(session)
            views.append(sessions.session_view(self.catalog, session))
            return views[0]

        response = await self.answer(request, kind, work)
        self.clients.broadcast(key, {"kind": "play", "play": views[0]})
        return response


def _json_response(data: Any, packed: bool) -> Response:
    """Serialize and compress; called in a worker thread."""
    body = json.dumps(data, allow_nan=False, ensure_ascii=False).encode("utf-8", "replace")
    headers = {"Vary": "Accept-Encoding"}
    if packed and len(body) > WORTH_PACKING:
        body, headers["Content-Encoding"] = gzip.compress(body, 5), "gzip"
    return Response(body, media_type="application/json", headers=headers)


def make_app(catalog: Catalog, store: Store, limits: Limits, guard: dict[str, Any]) -> FastAPI:
    """Make the application; `guard` has the arguments of :class:`Guard`."""
    studio = Studio(catalog, store, limits)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        studio.close()
        store.close()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    app.state.studio = studio
    app.add_middleware(Guard, body=limits.body, **guard)
    _add_errors(app, studio)
    _add_pages(app)
    _add_games(app, studio)
    _add_plays(app, studio)
    add_record_routes(app, studio)
    _add_trees(app, studio)
    add_exercise_routes(app, studio.exercise)
    return app


def _status_of(error: ZermeloError) -> int:
    if isinstance(error, Busy | TooSlow):
        return 503
    if isinstance(error, Malformed):
        return 422
    if isinstance(error, StorageError):
        return 500
    return 410 if isinstance(error, trees.Gone) else 400


def _add_errors(app: FastAPI, studio: Studio) -> None:
    @app.exception_handler(ZermeloError)
    async def wrong(_: Request, error: ZermeloError) -> Response:
        return JSONResponse(error_json(error), _status_of(error))

    @app.exception_handler(RequestValidationError)
    async def misshapen(_: Request, error: RequestValidationError) -> Response:
        return JSONResponse(error_json(malformed(list(error.errors()))), 422)

    @app.exception_handler(Changed)
    async def changed(request: Request, _: Changed) -> Response:
        def work(_: Stop) -> Response:
            session = studio.store.get(request.path_params["key"])
            return JSONResponse(sessions.session_view(studio.catalog, session), 409)

        return await studio.views.run(visitor_of(request.scope), work)

    @app.exception_handler(HTTPException)
    async def missing(_: Request, error: HTTPException) -> Response:
        return answer(error.status_code, str(error.detail), "open /")

    @app.exception_handler(ClientDisconnect)
    async def left(_: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # nobody reads it

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        return JSONResponse(error_json(error), 500)


def _add_pages(app: FastAPI) -> None:
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


def _add_games(app: FastAPI, studio: Studio) -> None:
    catalog, limits = studio.catalog, studio.limits
    tracing = [a.name for a in algorithms().values() if a.can.trace]
    known = catalog.to_json() | {"limits": {"time": limits.time}, "tracing": tracing}
    known["tree_options"] = [choices(shared_option(name)) for name in TREE_OPTIONS]

    @app.get("/api/games")
    async def games(request: Request) -> Response:
        return _json_response(known, packed=False)

    @app.get("/api/tree/games")
    async def tree_games(request: Request) -> Response:
        def work(_: Stop) -> Response:
            return _json_response({"games": catalog.tree_games()}, packed=False)

        return await studio.while_here(request, studio.views, work)

    @app.get("/api/about")
    async def about_game(request: Request, game: str) -> Response:
        def work(_: Stop) -> Response:
            return _json_response(about(game, catalog.game(game)), packed=False)

        return await studio.while_here(request, studio.views, work)

    @app.post("/api/position")
    async def position(request: Request) -> Response:
        def work(wanted: Place, _: Stop) -> dict[str, Any]:
            return sessions.place_view(catalog.game(wanted.game), wanted)

        return await studio.answer(request, Place, work)

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        await Page(studio, socket).run()


def _add_plays(app: FastAPI, studio: Studio) -> None:
    catalog, store, limits = studio.catalog, studio.store, studio.limits

    @app.post("/api/plays")
    async def new_play(request: Request) -> Response:
        visitor = visitor_of(request.scope)

        def work(wanted: NewPlay, _: Stop) -> dict[str, Any]:
            session = Session(**wanted.model_dump())
            game = catalog.game(session.game)
            sessions.check(game, session, limits)
            session.moves = sessions.roll(game, sessions.begin(game, session.position))[1]
            store.add(session, visitor, limits)
            return sessions.session_view(catalog, session)

        return await studio.answer(request, NewPlay, work)

    @app.get("/api/plays/{key}")
    async def get_play(request: Request, key: str) -> Response:
        def work(_: Stop) -> Response:
            return _json_response(sessions.session_view(catalog, store.get(key)), packed=False)

        return await studio.while_here(request, studio.views, work)

    @app.post("/api/plays/{key}/move")
    async def move(request: Request, key: str) -> Response:
        def how(session: Session, wanted: PlayMove) -> None:
            game, states = sessions.replay(catalog, session)
            s = states[-1]
            if session.side not in (-1, who(game, s)):
                raise UsageError("it is not your turn", "wait for the reply")
            sessions.add(game, session, s, wanted.move)

        return await studio.change(request, key, PlayMove, how)

    @app.post("/api/plays/{key}/undo")
    async def undo(request: Request, key: str) -> Response:
        return await studio.change(
            request, key, Undo, lambda session, _: sessions.undo(catalog, session)
        )

    @app.post("/api/plays/{key}/resign")
    async def resign(request: Request, key: str) -> Response:
        return await studio.change(
            request, key, Resign, lambda session, _: sessions.resign(catalog, session)
        )

    @app.post("/api/plays/{key}/opponent")
    async def opponent(request: Request, key: str) -> Response:
        def how(session: Session, wanted: ChangeOpponent) -> None:
            sessions.change_opponent(catalog.game(session.game), session, wanted, limits)

        return await studio.change(request, key, ChangeOpponent, how)


def _add_trees(app: FastAPI, studio: Studio) -> None:
    catalog, limits, trace_cache = studio.catalog, studio.limits, studio.trace_cache

    @app.post("/api/tree")
    async def tree(request: Request) -> Response:
        def work(wanted: TreeRequest, stop: Stop) -> dict[str, Any]:
            return trees.tree_view(catalog, limits, trace_cache, wanted, stop)

        return await studio.answer(request, TreeRequest, work, studio.searches)

    @app.post("/api/tree/fold")
    async def fold(request: Request) -> Response:
        return await studio.answer(
            request, FoldRequest, lambda wanted, _: trees.fold_view(trace_cache, wanted)
        )

    @app.post("/api/tree/export")
    async def export(request: Request) -> Response:
        def work(wanted: ExportRequest, stop: Stop) -> Response:
            text, media, name = trees.export(catalog, limits, trace_cache, wanted, stop)
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return Response(text.encode("utf-8", "replace"), media_type=media, headers=headers)

        return await studio.answer(request, ExportRequest, work, studio.searches)
