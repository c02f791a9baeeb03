"""Protection against slow clients: uvicorn's protocols with limits and deadlines.

Uvicorn has a deadline for idle connections, but none for requests that arrive byte by byte or
answers that the client does not read. This module adds:

- The headers of a request must be complete within `limits.head` seconds, its body within
  `limits.send` seconds more.
- The client must read an answer within `limits.send` seconds.
- Connections are limited, in all and by address. A new connection beyond the limit replaces the
  one (of its address, or of any) that has waited longest for its client, to complete a request or
  to read an answer. Slow clients cannot keep others out.
- Bodies need a Content-Length, because chunks of one byte are expensive to parse.
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

LOGGED = 5  # lines of a logger per minute; the rest is counted


class Connections:
    """The open connections of a server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open: dict[Any, str] = {}  # address by transport
        self.by_address: Counter[str] = Counter()
        self.idle: dict[Any, None] = {}  # transports that wait for their client, oldest first

    def made(self, transport: Any) -> bool:
        """Count a new connection; returns False if there is no room for it."""
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
        """Close the first of these connections, if there is one."""
        for transport in among:
            self.lost(transport)
            transport.abort()
            return True
        return False

    def waits(self, transport: Any, yes: bool) -> None:
        """Record whether the connection waits for its client."""
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
        """Close all connections that wait for their client, before the server stops."""
        while self.evict(list(self.idle)):
            pass


class _Timed:
    """Deadlines of a connection, for HTTP and for websockets."""

    registry: Connections  # set by `protocols` for one server
    transport: Any
    loop: asyncio.AbstractEventLoop
    deadline: asyncio.TimerHandle | None = None
    unread: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        if self.unread is None:
            seconds = self.registry.limits.send
            self.unread = self.loop.call_later(seconds, self.transport.abort)
            self.registry.waits(self.transport, True)
        super().pause_writing()  # type: ignore[misc]

    def resume_writing(self) -> None:
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None
            self.registry.waits(self.transport, False)
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        self.registry.lost(self.transport)
        for timer in (self.deadline, self.unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)  # type: ignore[misc]


class _Http(_Timed, H11Protocol):
    """An HTTP connection: each part of a request has a deadline, and bodies have a length."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.conn.next_event = self.checked(self.conn.next_event)  # type: ignore[method-assign]
        self.room = self.registry.made(transport)
        if self.room:
            self.expect_within(self.registry.limits.head)
        else:
            transport.abort()

    def checked(self, next_event: Any) -> Any:
        """`next_event` with deadlines at the start and end of a request; refuses chunked bodies."""

        def next_checked() -> Any:
            event = next_event()
            if isinstance(event, h11.Request):
                if any(name.lower() == b"transfer-encoding" for name, _ in event.headers):
                    raise h11.RemoteProtocolError("a body needs a Content-Length")
                self.expect_within(self.registry.limits.send)
            elif isinstance(event, h11.EndOfMessage):
                self.request_is_complete()
            return event

        return next_checked

    def expect_within(self, seconds: float) -> None:
        """Abort the connection unless the next part of the request arrives in time."""
        if self.deadline is not None:
            self.deadline.cancel()
        self.deadline = self.loop.call_later(seconds, self.transport.abort)

    def request_is_complete(self) -> None:
        """Cancel the deadline; the client now waits for the server."""
        self.registry.waits(self.transport, False)
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.request_is_complete()
        super().handle_websocket_upgrade(event)

    def data_received(self, data: bytes) -> None:
        if self.room:
            super().data_received(data)

    def on_response_complete(self) -> None:
        self.registry.waits(self.transport, True)
        self.expect_within(self.registry.limits.head)
        super().on_response_complete()


class _Websocket(_Timed, WebSocketsSansIOProtocol):
    """A websocket: the client must read what was sent."""


def protocols(connections: Connections) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """The protocol classes of one server, for HTTP and for websockets.

    Uvicorn creates the instances, so the registry of connections is a class attribute.
    """

    class Http(_Http):
        pass

    class Websocket(_Websocket):
        pass

    Http.registry = Websocket.registry = connections
    return Http, Websocket


class Bounded(logging.Filter):
    """Lets a few lines per minute through and counts the rest."""

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
