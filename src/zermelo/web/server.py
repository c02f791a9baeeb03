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
        found.listen(256)  # whoever comes before the server runs waits
    except OSError as e:
        raise UsageError(
            f"{host}:{port} cannot be listened to: {e.strerror or e}",
            "another --port, or --port 0 for a free one",
        ) from None
    return found


def prepare(
    game: str | None,
    host: str,
    port: int,
    data: Path | None,
    limits: Limits,
) -> tuple[uvicorn.Server, socket.socket, str]:
    """The server, its socket and its address; nothing runs yet."""
    catalog = Catalog(game)
    bound = listen(host, port)
    store = Store(data or default_path())
    name = bound.getsockname()[0]
    shown = f"[{name}]" if ":" in name else name
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
    return uvicorn.Server(config), bound, f"http://{shown}:{bound.getsockname()[1]}/"


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
    server, bound, url = prepare(game, host, port, data, limits or Limits())
    print(url, flush=True)
    if browser:  # at once: the socket listens already, so the page waits for the server
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[bound])
