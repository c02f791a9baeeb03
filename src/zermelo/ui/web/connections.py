"""Connections that are slow on purpose: uvicorn's HTTP protocol with limits and deadlines.

Uvicorn has a deadline for idle connections, but none for requests that arrive byte by byte or
answers that nobody reads. Here

- the headers of a request must be complete within `limits.head` seconds, its body within
  `limits.send` seconds more,
- what was sent must be read within `limits.send` seconds,
- connections are limited, in all and by address. A new one beyond the limit replaces the one of
  its address (or of any, beyond the limit of all) that has waited longest for its client: for a
  complete request, or for an answer to be read. So slow clients cannot keep others out,
- bodies have a Content-Length: chunks of one byte cost far more time than they are worth.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from time import monotonic
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .limits import Limits
from .visitors import network

LOGGED = 5  # lines of a logger in a minute; the rest is counted


class Connections:
    """The open connections of a server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open: dict[Any, str] = {}  # address by transport
        self.by_address: Counter[str] = Counter()
        self.idle: dict[Any, None] = {}  # transports that wait for their client, oldest first

    def made(self, transport: Any) -> bool:
        """Counts a connection; False: there is no room for it."""
        peer = transport.get_extra_info("peername")
        address = network(str(peer[0])) if isinstance(peer, tuple) and peer else ""
        near = self.by_address[address]
        full = len(self.open) >= self.limits.connections
        if near >= self.limits.connections_per_address:
            room = self.evict(t for t in self.idle if self.open[t] == address)
        else:
            room = not full or self.evict(self.idle)
        if room:
            self.open[transport] = address
            self.by_address[address] += 1
            self.idle[transport] = None
        return room

    def evict(self, among: Iterable[Any]) -> bool:
        """Closes the first of these connections, if there is one."""
        for transport in among:
            self.lost(transport)
            transport.abort()
            return True
        return False

    def waits(self, transport: Any, yes: bool) -> None:
        """Does the connection wait for its client?"""
        if not yes:
            self.idle.pop(transport, None)
        elif transport in self.open:
            self.idle.setdefault(transport)

    def lost(self, transport: Any) -> None:
        self.idle.pop(transport, None)
        address = self.open.pop(transport, None)
        if address is not None:
            self.by_address[address] -= 1
            if not self.by_address[address]:
                del self.by_address[address]

    def close_idle(self) -> None:
        """Before the end: nobody waits for requests that may never be complete."""
        while self.evict(list(self.idle)):
            pass


def protocols(connections: Connections) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """The classes of HTTP connections and of websockets of one server."""
    limits = connections.limits

    class Timed:
        """Deadlines of a connection, whatever is spoken on it."""

        transport: Any
        loop: asyncio.AbstractEventLoop
        deadline: asyncio.TimerHandle | None = None
        unread: asyncio.TimerHandle | None = None

        def pause_writing(self) -> None:
            if self.unread is None:
                self.unread = self.loop.call_later(limits.send, self.transport.abort)
                connections.waits(self.transport, True)
            super().pause_writing()  # type: ignore[misc]

        def resume_writing(self) -> None:
            if self.unread is not None:
                self.unread.cancel()
                self.unread = None
                connections.waits(self.transport, False)
            super().resume_writing()  # type: ignore[misc]

        def connection_lost(self, exc: Exception | None) -> None:
            connections.lost(self.transport)
            for timer in (self.deadline, self.unread):
                if timer is not None:
                    timer.cancel()
            super().connection_lost(exc)  # type: ignore[misc]

    class Http(Timed, H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.conn.next_event = self.checked(self.conn.next_event)  # type: ignore[method-assign]
            self.room = connections.made(transport)
            if self.room:
                self.expect_within(limits.head)
            else:
                transport.abort()

        def checked(self, next_event: Any) -> Any:
            """Notices where a request begins and ends; refuses chunks before the first is read."""

            def next_checked() -> Any:
                event = next_event()
                if isinstance(event, h11.Request):
                    if any(name.lower() == b"transfer-encoding" for name, _ in event.headers):
                        raise h11.RemoteProtocolError("a body needs a Content-Length")
                    self.expect_within(limits.send)
                elif isinstance(event, h11.EndOfMessage):
                    connections.waits(self.transport, False)
                    self.expect_within(None)
                return event

            return next_checked

        def expect_within(self, seconds: float | None) -> None:
            """The rest of the request; None: it is complete."""
            if self.deadline is not None:
                self.deadline.cancel()
            abort = self.transport.abort
            self.deadline = None if seconds is None else self.loop.call_later(seconds, abort)

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            connections.waits(self.transport, False)
            self.expect_within(None)
            super().handle_websocket_upgrade(event)

        def data_received(self, data: bytes) -> None:
            if self.room:
                super().data_received(data)

        def on_response_complete(self) -> None:
            connections.waits(self.transport, True)
            self.expect_within(limits.head)
            super().on_response_complete()

    class Websocket(Timed, WebSocketsSansIOProtocol):
        pass

    return Http, Websocket


class Bounded(logging.Filter):
    """Lets a few lines through in a minute, and counts the rest."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.count = monotonic(), 0

    def filter(self, record: logging.LogRecord) -> bool:
        if monotonic() - self.begun > 60:
            hidden = self.count - LOGGED
            self.begun, self.count = monotonic(), 0
            if hidden > 0:
                record.msg = f"{record.getMessage()} ({hidden:,} more messages in the last minute)"
                record.args = ()
        self.count += 1
        return self.count <= LOGGED
