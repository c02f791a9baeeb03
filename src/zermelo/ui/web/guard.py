"""Checks of requests: host, token and size, before the body is read. Adds security headers to
responses.

A page elsewhere may point its own name at this server (DNS rebinding) and then ask as if it were
the studio. So the Host header must be a known name, or the visitor must have opened the address
with the token that the server printed.
"""

from __future__ import annotations

import secrets
from collections import Counter
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from .visitors import cookies_of, visitor_of

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
LARGE = frozenset(("/api/tree", "/api/tree/export"))  # their bodies hold whole trees
SMALL_BODY = 200_000  # bytes of all others
HELD, HELD_PER_ADDRESS = 60_000_000, 15_000_000  # bytes of bodies in memory at once


class Guard:
    """Admits requests with the server's name or token, up to a number of bytes.

    Args:
        hosts: Names that the Host header may have; None: any, if the visitor has the token.
        token: What the address must contain once; None: nothing.
        body: Bytes of a request's body.
    """

    def __init__(
        self, app: ASGIApp, hosts: frozenset[str] | None, body: int, token: str | None = None
    ) -> None:
        self.app, self.hosts, self.body, self.token = app, hosts, body, token
        self.held: Counter[str] = Counter()  # bytes of bodies by address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        refused = self.refusal(scope, headers)
        if scope["type"] == "websocket":
            if refused:
                return await WebSocket(scope, receive, send).close(1008, "refused")
            return await self.app(scope, receive, send)
        guarded = closed(send)
        if refused:
            return await refused(scope, receive, guarded)
        size, address = int(headers.get("content-length", "0")), visitor_of(scope).address
        if not self.holds(address, size):
            busy = answer(503, "the server is busy with other requests", "try again in a moment")
            return await busy(scope, receive, guarded)
        self.held[address] += size
        try:
            whole = await _whole_body(receive, size)
            if whole is not None:
                await self.app(scope, whole, guarded)
        finally:
            self.held[address] -= size
            if self.held[address] <= 0:
                del self.held[address]

    def holds(self, address: str, size: int) -> bool:
        """Whether there is room for a body of this size."""
        if not size:
            return True
        near, whole = self.held[address], self.held.total()
        return near + size <= HELD_PER_ADDRESS and whole + size <= HELD

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """The response to a refused request; None: it is admitted."""
        host = name_of(headers.get("host", ""))
        if self.hosts is not None and host not in self.hosts:
            return answer(
                403, "this host name is not allowed", "open the address that the server printed"
            )
        given = cookies_of(headers).get(_token_cookie(scope), "")
        if self.token is not None and not same(given, self.token):
            return self.admission(scope)
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host", "")
        if headers.get("sec-fetch-site") == "cross-site" and scope["path"] != "/":
            foreign = True  # also images and links, which carry no Origin
        if foreign:
            return answer(403, "cross-site requests are not allowed", "open the studio itself")
        most = self.body if scope["path"] in LARGE else min(self.body, SMALL_BODY)
        size = headers.get("content-length", "0")
        if not size.isdigit() or len(size) > 15 or int(size) > most:
            return answer(413, "the request is too large", f"at most {most:,} bytes")
        return None

    def admission(self, scope: Scope) -> Response:
        """The token becomes a cookie, so that it does not stay in the address."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if self.token is None or scope["path"] != "/" or not same(given, self.token):
            return answer(
                403,
                "the address does not contain the token",
                "open the address that the server printed",
            )
        cookie = f"{_token_cookie(scope)}={self.token}; Path=/; HttpOnly; SameSite=Lax"
        return RedirectResponse("/", 303, headers={"Set-Cookie": cookie})


async def _whole_body(receive: Receive, size: int) -> Receive | None:
    """Receives the body as one message, read before anything else is done; None: its client left.

    The server counts the bytes: there are as many as Content-Length says.
    """
    parts: list[bytes] = []
    more = size > 0
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    first: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

    async def receive_whole() -> Message:
        return first.pop() if first else await receive()

    return receive_whole


def _token_cookie(scope: Scope) -> str:
    """The cookie's name, with the port: browsers share cookies between ports."""
    server = scope.get("server")
    return f"zermelo_token_{server[1] if server else ''}"


def same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), token.encode())


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
    """An error as JSON: a sentence and a hint."""
    return JSONResponse({"message": message, "hint": hint}, status)
