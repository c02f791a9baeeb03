"""Requests that attack a server: a tree that is expensive to show, and unfinished requests."""

from __future__ import annotations

WIDE = "max(" + " ".join(str(i % 7) for i in range(200_000)) + ")"
HALF = [
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    b"",
    b"POST /api/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
    b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\nHo",
]
