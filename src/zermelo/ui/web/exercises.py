"""Routes of the panel Practise: exercises as JSON. The server stores nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...exercise import api
from .schemas import parse_json

Runner = Callable[[Request, Callable[[], Response]], Awaitable[Response]]


async def _in_a_thread(_: Request, work: Callable[[], Response]) -> Response:
    return await asyncio.to_thread(work)


def add_exercise_routes(app: Any, run: Runner = _in_a_thread) -> None:
    """Add the routes to a FastAPI application."""

    def handler(work: Callable[[Any], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            body = await request.body()
            return await run(request, lambda: JSONResponse(work(parse_json(body))))

        return handle

    app.add_api_route("/api/practise/new", handler(api.new), methods=["POST"])
    app.add_api_route("/api/practise/check", handler(api.check_answer), methods=["POST"])
