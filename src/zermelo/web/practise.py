"""The addresses of the panel Practise: exercises as JSON, nothing is kept."""

from __future__ import annotations

import asyncio
from typing import Any

from ..exercise import api


async def new(asked: dict[str, Any]) -> dict[str, Any]:
    return await asyncio.to_thread(api.new, asked)


async def check(sent: dict[str, Any]) -> dict[str, Any]:
    return await asyncio.to_thread(api.check_answer, sent)


def add_practise(app: Any) -> None:
    """To a FastAPI application, which tells errors in its own way."""
    app.post("/api/practise/new")(new)
    app.post("/api/practise/check")(check)
