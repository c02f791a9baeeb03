"""Starting the studio: one process, loopback unless told otherwise."""

from __future__ import annotations

import socket
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path

import uvicorn

from ..errors import UsageError
from .app import make_app
from .catalog import Catalog
from .guard import LOOPBACK
from .limits import Limits
from .store import Store, default_path


def listen(host: str, port: int) -> socket.socket:
    """A socket on that address, or why there is none."""
    if not 0 <= port <= 65535:
        raise UsageError(f"--port {port} makes no sense", "0 to 65535; 0 takes a free one")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, proto)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
    except OSError as e:
        raise UsageError(
            f"{host}:{port} cannot be listened to: {e.strerror or e}",
            "another --port, or --port 0 for a free one",
        ) from None
    return found


def serve(
    game: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    browser: bool = True,
    data: Path | None = None,
    limits: Limits | None = None,
) -> None:
    """Serves the studio until it is interrupted. The address goes to stdout."""
    limits = limits or Limits()
    catalog = Catalog(game)
    store = Store(data or default_path())
    bound = listen(host, port)
    name = bound.getsockname()[0]
    shown = f"[{name}]" if ":" in name else name
    url = f"http://{shown}:{bound.getsockname()[1]}/"
    local = host in LOOPBACK or name in LOOPBACK
    app = make_app(catalog, store, limits, LOOPBACK | {host} if local else None)
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=limits.message,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    print(url, flush=True)
    if browser:
        threading.Timer(0.5, webbrowser.open, (url,)).start()
    try:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[bound])
    finally:
        store.close()
