"""The open pages: what each is asking, and who watches which game."""

from __future__ import annotations

import asyncio
import json
from time import monotonic
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ...errors import NotSupported, UsageError, ZermeloError
from ...game import Game, facts_of
from ...result import Result
from .asked import MESSAGES, Analyse, Asked, Go, Watch, read
from .limits import Busy
from .plays import add, ask, chance_view, follow, replay, think
from .store import Changed, Play
from .views import legal, result_view, who
from .visitors import visitor_of

if TYPE_CHECKING:
    from .app import Studio

TELL_EVERY = 0.05  # seconds between two finished depths that a page is told of
QUEUE = 200  # messages that a slow page may be behind
PAUSE = 0.02  # seconds between two messages of a page


class Room:
    def __init__(self) -> None:
        self.pages: set[Page] = set()

    def tell(self, play: str, message: dict[str, Any]) -> None:
        """To every page on this game."""
        for page in self.pages:
            if page.watches == play:
                page.say(message)

    def thinking(self, play: str, but: Page) -> bool:
        """Is another page's search at this game?"""
        return any(p.thinks == play for p in self.pages if p is not but)


class Page:
    """One websocket: one search at a time, and news of the game it watches."""

    def __init__(self, studio: Studio, socket: WebSocket) -> None:
        self.studio, self.socket = studio, socket
        self.visitor = visitor_of(socket.scope)
        self.outbox: asyncio.Queue[str] = asyncio.Queue(QUEUE)
        self.search: asyncio.Task[None] | None = None
        self.watches = self.thinks = ""

    def say(self, message: dict[str, Any]) -> None:
        self.post(written(message))

    def post(self, text: str) -> None:
        """Sends a message that was written elsewhere: long ones in the search's thread."""
        if not self.outbox.full():
            self.outbox.put_nowait(text)

    async def run(self) -> None:
        """Until the page leaves; then its search ends too."""
        room, limits = self.studio.room, self.studio.limits
        near = sum(page.visitor.address == self.visitor.address for page in room.pages)
        if len(room.pages) >= limits.clients or near >= limits.clients_per_address:
            return await self.socket.close(1013, "the server is busy: too many open pages")
        await self.socket.accept()
        room.pages.add(self)
        sender = asyncio.create_task(self.send_all())
        try:
            while True:
                self.hear(await self.socket.receive_text())
                await asyncio.sleep(PAUSE)
        except (WebSocketDisconnect, KeyError, RuntimeError):  # left, or sent bytes
            pass
        finally:
            room.pages.discard(self)
            sender.cancel()
            self.stop()

    async def send_all(self) -> None:
        try:
            while True:
                await self.socket.send_text(await self.outbox.get())
        except (WebSocketDisconnect, RuntimeError):
            self.stop()

    def hear(self, text: str) -> None:
        try:
            data = json.loads(text)
            kind = MESSAGES.get(str(data.get("do"))) if isinstance(data, dict) else None
            if kind is None:
                raise UsageError("that is no request", "analyse, go, watch or stop")
            asked: Asked = read(kind, data)
        except (ValueError, RecursionError, TypeError) as e:
            self.say(failure(e, data_id(text)))
            return
        if isinstance(asked, Watch):
            self.watches = asked.play or ""
        elif isinstance(asked, Analyse | Go):
            self.stop()
            self.search = asyncio.create_task(self.answer(asked))
        else:
            self.stop()

    def stop(self) -> None:
        if self.search is not None:
            self.search.cancel()
            self.search = None
        self.rest()

    def rest(self) -> None:
        """No search of this page is at a game any more: another page's may be."""
        if self.thinks:
            self.studio.room.tell(self.thinks, {"kind": "free"})
        self.thinks = ""

    async def answer(self, asked: Analyse | Go) -> None:
        try:
            await (self.analyse(asked) if isinstance(asked, Analyse) else self.go(asked))
        except Busy as e:
            self.say({"kind": "busy", "id": asked.id, "message": e.message, "hint": e.hint})
        except Exception as e:
            self.say(failure(e, asked.id))

    def teller(self, key: int) -> Any:
        """Passes finished depths on from the search's thread, not more than a page can show, and
        the final result."""
        loop, last = asyncio.get_running_loop(), [0.0]

        def tell(r: Result, final: bool = False) -> None:
            if final or monotonic() - last[0] >= TELL_EVERY:
                last[0] = monotonic()
                message = {"kind": "depth", "id": key} | result_view(r)
                loop.call_soon_threadsafe(self.post, written(message))

        return tell

    async def analyse(self, asked: Analyse) -> None:
        studio, tell = self.studio, self.teller(asked.id)

        def work(stop: Any) -> str:
            game, s = self.position(asked)
            r = ask(
                game,
                s,
                asked.algorithm,
                studio.limits,
                stop,
                tell,
                time=asked.time if asked.time or asked.depth else 1.0,
                depth=asked.depth,
                lines=asked.lines,
            )
            head = {"kind": "done", "id": asked.id}
            return written(head | result_view(r) | {"explain": r.explain(), "why": r.why})

        self.post(await studio.searches.run(self.visitor, work))

    def position(self, asked: Analyse) -> tuple[Game, Any]:
        catalog = self.studio.catalog
        if asked.play is None:
            if asked.game is None:
                raise UsageError("no game was chosen", "choose a game to analyse")
            game = catalog.game(asked.game)
            s = follow(game, asked.position, asked.moves)
        else:
            play = self.studio.store.get(asked.play)
            game, states = replay(catalog, play)
            s = states[-1]
            if facts_of(game).hidden:
                raise NotSupported(
                    "an analysis would reveal what is hidden from you", "continue without it"
                )
        if chance := chance_view(game, s):
            raise UsageError(f"{chance['action']} first", "choose an outcome or draw one")
        if not legal(game, s):
            raise UsageError("the game is over", "take back a move")
        return game, s

    async def go(self, asked: Go) -> None:
        """The opponent's move in a game that is kept."""
        studio = self.studio
        if studio.room.thinking(asked.play, self):
            self.say({"kind": "thinking", "id": asked.id})
            return
        self.thinks = asked.play
        tell = self.teller(asked.id)

        def work(stop: Any) -> Play | None:
            play = studio.store.get(asked.play)
            game, states = replay(studio.catalog, play)
            s = states[-1]
            mover = who(game, s)
            if mover < 0 or play.side in (-1, mover):
                return None  # another page was here before
            hidden = facts_of(game).hidden  # the opponent's values and lines tell what it holds
            on_depth = None if hidden else tell
            action = think(studio.catalog, game, states, play, studio.limits, stop, on_depth)
            if stop():
                return None
            add(game, play, s, legal(game, s).index(action))
            studio.store.put(play)
            return play

        try:
            play = await studio.searches.run(self.visitor, work)
        except Changed:
            play = await studio.views.run(self.visitor, lambda _: studio.store.get(asked.play))
        finally:
            if self.search is asyncio.current_task():  # else it was stopped, and that was told
                self.rest()
        if play is not None:
            studio.room.tell(
                asked.play, {"kind": "play", "play": await studio.view(self.visitor, play)}
            )


def written(message: dict[str, Any]) -> str:
    return json.dumps(message, allow_nan=False)


def data_id(text: str) -> int:
    """The number of a request that cannot be read, as far as it has one."""
    try:
        key = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return key if isinstance(key, int) and not isinstance(key, bool) else 0


def failure(error: BaseException, key: int = 0) -> dict[str, Any]:
    return {"kind": "error", "id": key} | told(error)


def told(error: BaseException) -> dict[str, Any]:
    """A sentence and a hint, of any error; somebody's rules may raise what they like."""
    if isinstance(error, ZermeloError):
        view: dict[str, Any] = {"message": error.message, "hint": error.hint}
        if hasattr(error, "position"):
            view["position"] = error.position
        return view
    if isinstance(error, json.JSONDecodeError):
        return {"message": "that is not JSON", "hint": ""}
    hint = "zermelo doctor FILE.py:CLASS checks rules"
    return {"message": f"the rules failed: {type(error).__name__}: {error}"[:300], "hint": hint}
