"""Before anything is read: who asks, and how much; after it: headers that close the page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}
LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


class Guard:
    """Only this host's own pages may ask, and no body is larger than the limit."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None, body: int) -> None:
        self.app, self.hosts, self.body = app, hosts, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        refused = self.refusal(scope, Headers(scope=scope))
        if scope["type"] == "websocket":
            if refused:
                return await WebSocket(scope, receive, send).close(1008, refused[1])
            return await self.app(scope, receive, send)
        guarded, read = closed(send), 0

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.body:
                raise HTTPException(413, "the request is too large")
            return message

        if refused:
            return await answer(*refused)(scope, receive, guarded)
        return await self.app(scope, limited, guarded)

    def refusal(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        """Why this is not answered: a foreign page behind a known name, too many bytes."""
        host = name_of(headers.get("host", ""))
        if self.hosts is not None and host not in self.hosts:
            return 403, "this server answers only to its own name", "open the address it printed"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != headers.get("host", ""):
            return 403, "another page may not ask here", "open the studio itself"
        size = headers.get("content-length", "0")
        if not size.isdigit() or len(size) > 15 or int(size) > self.body:
            return 413, "the request is too large", f"at most {self.body:,} bytes"
        return None


def name_of(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def closed(send: Send) -> Send:
    """Sends with the headers that every answer carries."""

    async def with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return with_headers


def answer(status: int, message: str, hint: str = "") -> JSONResponse:
    """An error as everywhere: a sentence and a hint."""
    return JSONResponse({"message": message, "hint": hint}, status)
