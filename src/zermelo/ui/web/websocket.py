"""The open pages: one websocket each, its search, and the game it watches."""

from __future__ import annotations

import asyncio
import json
from time import monotonic
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ...errors import NotSupported, UsageError, ZermeloError
from ...game import Game, facts_of
from ...result import Result
from ...search.defaults import MOVE_SECONDS
from .limits import Busy
from .schemas import MESSAGES, Analyse, Go, Message, Watch, read
from .sessions import add, chance_view, follow, replay, search_within_limits, think
from .store import Changed, Session
from .views import legal, result_view, who
from .visitors import visitor_of

if TYPE_CHECKING:
    from .app import Studio

REPORT_EVERY = 0.05  # seconds between two progress reports to a page
QUEUE = 200  # unsent messages of a slow page
PAUSE = 0.02  # seconds between two messages of a page


class Clients:
    def __init__(self) -> None:
        self.pages: set[Page] = set()

    def broadcast(self, session: str, message: dict[str, Any]) -> None:
        """Send a message to every page that shows this game."""
        for page in self.pages:
            if page.watches == session:
                page.send(message)

    def is_searching(self, session: str, but: Page) -> bool:
        """Return whether another page searches this game."""
        return any(p.searching == session for p in self.pages if p is not but)


class Page:
    """One websocket: one search at a time, and news of the game it watches."""

    def __init__(self, studio: Studio, socket: WebSocket) -> None:
        self.studio, self.socket = studio, socket
        self.visitor = visitor_of(socket.scope)
        self.outbox: asyncio.Queue[str] = asyncio.Queue(QUEUE)
        self.search: asyncio.Task[None] | None = None
        self.watches = self.searching = ""

    def send(self, message: dict[str, Any]) -> None:
        self.enqueue(to_json(message))

    def enqueue(self, text: str) -> None:
        """Queue a serialized message; the search's thread serializes long ones."""
        if not self.outbox.full():
            self.outbox.put_nowait(text)

    async def run(self) -> None:
        """Serve the page until it disconnects; then stop its search."""
        clients, limits = self.studio.clients, self.studio.limits
        near = sum(page.visitor.address == self.visitor.address for page in clients.pages)
        if len(clients.pages) >= limits.clients or near >= limits.clients_per_address:
            return await self.socket.close(1013, "the server is busy: too many open pages")
        await self.socket.accept()
        clients.pages.add(self)
        sender = asyncio.create_task(self.send_all())
        try:
            while True:
                self.receive(await self.socket.receive_text())
                await asyncio.sleep(PAUSE)
        except (WebSocketDisconnect, KeyError, RuntimeError):  # disconnected, or sent bytes
            pass
        finally:
            clients.pages.discard(self)
            sender.cancel()
            self.stop()

    async def send_all(self) -> None:
        try:
            while True:
                await self.socket.send_text(await self.outbox.get())
        except (WebSocketDisconnect, RuntimeError):
            self.stop()

    def receive(self, text: str) -> None:
        try:
            data = json.loads(text)
            kind = MESSAGES.get(str(data.get("do"))) if isinstance(data, dict) else None
            if kind is None:
                raise UsageError("unknown request", "expected analyse, go, watch or stop")
            request: Message = read(kind, data)
        except (ValueError, RecursionError, TypeError) as e:
            self.send(_failure(e, _data_id(text)))
            return
        if isinstance(request, Watch):
            self.watches = request.play or ""
        elif isinstance(request, Analyse | Go):
            self.stop()
            self.search = asyncio.create_task(self.answer(request))
        else:
            self.stop()

    def stop(self) -> None:
        if self.search is not None:
            self.search.cancel()
            self.search = None
        self.release()

    def release(self) -> None:
        """Release the game that this page searched, so that another page may search it."""
        if self.searching:
            self.studio.clients.broadcast(self.searching, {"kind": "free"})
        self.searching = ""

    async def answer(self, request: Analyse | Go) -> None:
        try:
            await (self.analyse(request) if isinstance(request, Analyse) else self.go(request))
        except Busy as e:
            self.send({"kind": "busy", "id": request.id, "message": e.message, "hint": e.hint})
        except Exception as e:
            self.send(_failure(e, request.id))

    def progress_callback(self, key: int) -> Any:
        """Return a callback that sends finished depths from the search's thread to the page.

        Reports that come too fast are dropped, except the final one.
        """
        loop, last = asyncio.get_running_loop(), [0.0]

        def report(r: Result, final: bool = False) -> None:
            if final or monotonic() - last[0] >= REPORT_EVERY:
                last[0] = monotonic()
                message = {"kind": "depth", "id": key} | result_view(r)
                loop.call_soon_threadsafe(self.enqueue, to_json(message))

        return report

    async def analyse(self, request: Analyse) -> None:
        studio, report = self.studio, self.progress_callback(request.id)

        def work(stop: Any) -> str:
            game, s = self.position(request)
            r = search_within_limits(
                game,
                s,
                request.algorithm,
                studio.limits,
                stop,
                report,
                time=request.time if request.time or request.depth else MOVE_SECONDS,
                depth=request.depth,
                lines=request.lines,
            )
            head = {"kind": "done", "id": request.id}
            return to_json(head | result_view(r) | {"explain": r.explain(), "why": r.why})

        self.enqueue(await studio.searches.run(self.visitor, work))

    def position(self, request: Analyse) -> tuple[Game, Any]:
        catalog = self.studio.catalog
        if request.play is None:
            if request.game is None:
                raise UsageError("no game was chosen", "choose a game to analyse")
            game = catalog.game(request.game)
            s = follow(game, request.position, request.moves)
        else:
            session = self.studio.store.get(request.play)
            game, states = replay(catalog, session)
            s = states[-1]
            if facts_of(game).hidden:
                raise NotSupported(
                    "an analysis would reveal what is hidden from you", "continue without it"
                )
        if chance := chance_view(game, s):
            raise UsageError(f"{chance['action']} first", "choose an outcome or sample one")
        if not legal(game, s):
            raise UsageError("the game is over", "take back a move")
        return game, s

    async def go(self, request: Go) -> None:
        """Play the opponent's move in a saved game."""
        studio = self.studio
        if studio.clients.is_searching(request.play, self):
            self.send({"kind": "thinking", "id": request.id})
            return
        self.searching = request.play
        report = self.progress_callback(request.id)

        def work(stop: Any) -> Session | None:
            session = studio.store.get(request.play)
            game, states = replay(studio.catalog, session)
            s = states[-1]
            mover = who(game, s)
            if mover < 0 or session.side in (-1, mover) or session.resigned >= 0:
                return None  # another page was faster
            hidden = facts_of(
                game
            ).hidden  # the opponent's values and lines would reveal what it holds
            on_depth = None if hidden else report
            action = think(studio.catalog, game, states, session, studio.limits, stop, on_depth)
            if stop():
                return None
            add(game, session, s, legal(game, s).index(action))
            studio.store.put(session)
            return session

        try:
            session = await studio.searches.run(self.visitor, work)
        except Changed:
            session = await studio.views.run(self.visitor, lambda _: studio.store.get(request.play))
        finally:
            if (
                self.search is asyncio.current_task()
            ):  # else it was stopped and has released the game
                self.release()
        if session is not None:
            studio.clients.broadcast(
                request.play, {"kind": "play", "play": await studio.view(self.visitor, session)}
            )


def to_json(message: dict[str, Any]) -> str:
    return json.dumps(message, allow_nan=False)


def _data_id(text: str) -> int:
    """Return the id of a malformed request, 0 if it has none."""
    try:
        key = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return key if isinstance(key, int) and not isinstance(key, bool) else 0


def _failure(error: BaseException, key: int = 0) -> dict[str, Any]:
    return {"kind": "error", "id": key} | error_json(error)


def error_json(error: BaseException) -> dict[str, Any]:
    """Describe any error as a message and a hint; a user's rules may raise anything."""
    if isinstance(error, ZermeloError):
        view: dict[str, Any] = {"message": error.message, "hint": error.hint}
        if hasattr(error, "position"):
            view["position"] = error.position
        return view
    if isinstance(error, json.JSONDecodeError):
        return {"message": "the request is not JSON", "hint": ""}
    hint = "check the rules with zermelo doctor FILE.py:CLASS"
    return {"message": f"the rules failed: {type(error).__name__}: {error}"[:300], "hint": hint}
