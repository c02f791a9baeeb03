"""The addresses that the studio answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from ..algorithms import algorithms
from ..errors import UsageError, ZermeloError
from . import plays, trees
from .asked import (
    ChangedPlay,
    ExportAsked,
    FoldAsked,
    NewPlay,
    Place,
    PlayedMove,
    TreeAsked,
    Undo,
    complaint,
)
from .catalog import Catalog, about, sides
from .desk import Desk, Stop
from .guard import Guard, answer
from .limits import Busy, Limits
from .practise import add_practise
from .room import Page, Room, told
from .store import Changed, Play, StorageError, Store
from .views import position_view, who

STATIC = Path(__file__).with_name("static")
VIEW = Path(__file__).parents[1] / "view"
LOOK_EVERY = 0.25  # seconds
T = TypeVar("T")


class Studio:
    """What the addresses share."""

    def __init__(self, catalog: Catalog, store: Store, limits: Limits) -> None:
        self.catalog, self.store, self.limits = catalog, store, limits
        self.desk, self.room, self.shelf = Desk(limits), Room(), trees.Shelf()

    async def view(self, play: Play) -> dict[str, Any]:
        return await asyncio.to_thread(plays.play_view, self.catalog, play)

    async def while_here(self, request: Request, work: Callable[[Stop], T]) -> T:
        """Work in its turn, which ends when the one who asked has left."""
        task = asyncio.ensure_future(self.desk.run(work))
        while not task.done():
            await asyncio.wait({task}, timeout=LOOK_EVERY)
            if not task.done() and await request.is_disconnected():
                task.cancel()
                raise Busy("nobody waits for this any more")
        return await task

    async def change(self, key: str, version: int, how: Callable[[Play], object]) -> dict[str, Any]:
        """Changes a game unless another page did so first; tells every page on it."""

        def work() -> dict[str, Any]:
            play = self.store.get(key)
            if play.version != version:
                raise Changed
            how(play)
            if len(play.moves) > self.limits.plies:
                raise UsageError("the game is too long to be kept", "begin a new one")
            self.store.put(play)
            return plays.play_view(self.catalog, play)

        view = await asyncio.to_thread(work)
        self.room.tell(key, {"kind": "play", "play": view})
        return view


def make_app(
    catalog: Catalog, store: Store, limits: Limits, hosts: frozenset[str] | None
) -> FastAPI:
    studio = Studio(catalog, store, limits)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        studio.desk.close()
        store.close()

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    app.state.studio = studio
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=5)
    app.add_middleware(Guard, hosts=hosts, body=limits.body)
    add_errors(app, studio)
    add_pages(app)
    add_games(app, studio)
    add_trees(app, studio)
    add_practise(app)
    return app


def add_errors(app: FastAPI, studio: Studio) -> None:
    @app.exception_handler(ZermeloError)
    async def wrong(_: Request, error: ZermeloError) -> Response:
        status = 503 if isinstance(error, Busy) else 410 if isinstance(error, trees.Gone) else 400
        status = 500 if isinstance(error, StorageError) else status
        return JSONResponse(told(error), status)

    @app.exception_handler(RequestValidationError)
    async def misshapen(_: Request, error: RequestValidationError) -> Response:
        return JSONResponse(told(complaint(list(error.errors()))), 422)

    @app.exception_handler(Changed)
    async def changed(request: Request, _: Changed) -> Response:
        play = await asyncio.to_thread(studio.store.get, request.path_params["key"])
        return JSONResponse(await studio.view(play), 409)

    @app.exception_handler(HTTPException)
    async def missing(_: Request, error: HTTPException) -> Response:
        return answer(error.status_code, str(error.detail), "the studio is at /")

    @app.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Response:
        return JSONResponse(told(error), 500)


def add_pages(app: FastAPI) -> None:
    @app.get("/")
    async def index() -> Response:
        return FileResponse(STATIC / "index.html")

    for name in ("steps.js", "steps_picture.js", "steps.css"):
        app.get(f"/static/{name}")(view_file(name))

    app.mount("/static", StaticFiles(directory=STATIC), "static")


def view_file(name: str) -> Callable[[], Awaitable[Response]]:
    """A file that the page shares with the views."""

    async def get() -> Response:
        return FileResponse(VIEW / name)

    return get


def add_games(app: FastAPI, studio: Studio) -> None:
    catalog, store, limits = studio.catalog, studio.store, studio.limits

    @app.get("/api/games")
    async def games() -> dict[str, Any]:
        known = {"time": limits.time}
        tracing = [a.name for a in algorithms().values() if a.traces]
        return catalog.to_json() | {"limits": known, "tracing": tracing}

    @app.get("/api/about")
    async def about_game(game: str) -> dict[str, Any]:
        return await asyncio.to_thread(lambda: about(game, catalog.game(game)))

    @app.post("/api/position")
    async def position(asked: Place) -> dict[str, Any]:
        def work() -> dict[str, Any]:
            game = catalog.game(asked.game)
            s = plays.follow(game, asked.position, asked.moves)
            names = sides(game, about(asked.game, game)["players"])
            return position_view(game, s) | {"sides": names}

        return await asyncio.to_thread(work)

    @app.post("/api/plays")
    async def new_play(asked: NewPlay) -> dict[str, Any]:
        play = Play(**asked.model_dump())

        def work() -> None:
            game = catalog.game(play.game)
            plays.check(game, play, limits)
            plays.roll(game, play, plays.begin(game, play.position))
            store.add(play)

        await asyncio.to_thread(work)
        return await studio.view(play)

    @app.get("/api/plays/{key}")
    async def get_play(key: str) -> dict[str, Any]:
        return await studio.view(await asyncio.to_thread(store.get, key))

    @app.post("/api/plays/{key}/move")
    async def move(key: str, asked: PlayedMove) -> dict[str, Any]:
        def how(play: Play) -> None:
            game, states = plays.replay(catalog, play)
            s = states[-1]
            if play.side not in (-1, who(game, s)):
                raise UsageError("it is not your turn", "wait for the reply")
            plays.add(game, play, s, asked.move)

        return await studio.change(key, asked.version, how)

    @app.post("/api/plays/{key}/undo")
    async def undo(key: str, asked: Undo) -> dict[str, Any]:
        return await studio.change(key, asked.version, lambda play: plays.undo(catalog, play))

    @app.post("/api/plays/{key}/opponent")
    async def opponent(key: str, asked: ChangedPlay) -> dict[str, Any]:
        def how(play: Play) -> None:
            for name in ("opponent", "side", "time", "depth", "level"):
                setattr(play, name, getattr(asked, name))
            plays.check(catalog.game(play.game), play, limits)

        return await studio.change(key, asked.version, how)

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        await Page(studio, socket).run()


def add_trees(app: FastAPI, studio: Studio) -> None:
    catalog, limits, shelf = studio.catalog, studio.limits, studio.shelf

    @app.post("/api/tree")
    async def tree(request: Request, asked: TreeAsked) -> dict[str, Any]:
        return await studio.while_here(
            request, lambda stop: trees.tree_view(catalog, limits, shelf, asked, stop)
        )

    @app.post("/api/tree/fold")
    async def fold(asked: FoldAsked) -> dict[str, Any]:
        return await asyncio.to_thread(trees.fold_view, shelf, asked)

    @app.post("/api/tree/export")
    async def export(request: Request, asked: ExportAsked) -> Response:
        text, media, name = await studio.while_here(
            request, lambda stop: trees.export(catalog, limits, shelf, asked, stop)
        )
        return Response(
            text.encode("utf-8", "replace"),
            media_type=media,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
