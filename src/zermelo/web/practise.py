"""The addresses of the panel Practise: exercises as JSON; nothing is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ..errors import UsageError
from ..exercise import api

Runner = Callable[[Request, Callable[[], Response]], Awaitable[Response]]


async def in_a_thread(_: Request, work: Callable[[], Response]) -> Response:
    return await asyncio.to_thread(work)


def parse_json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise UsageError("the request is not JSON", "reload the page") from None


def add_practise(app: Any, run: Runner = in_a_thread) -> None:
    """Adds them to a FastAPI application, which reports errors in its own way."""

    def handler(work: Callable[[Any], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            body = await request.body()
            return await run(request, lambda: JSONResponse(work(parse_json(body))))

        return handle

    app.add_api_route("/api/practise/new", handler(api.new), methods=["POST"])
    app.add_api_route("/api/practise/check", handler(api.check_answer), methods=["POST"])
