"""Starting and stopping the studio: one process, loopback by default."""

from __future__ import annotations

import faulthandler
import gc
import ipaddress
import logging
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from types import FrameType
from typing import Any

import uvicorn

from ...errors import UsageError
from ...search import tracing
from .app import make_app
from .catalog import Catalog
from .connections import Bounded, Connections, protocols
from .guard import LOOPBACK
from .limits import Limits
from .store import Store, default_path

ACCEPTED = 100  # connections taken from the queue before others are served
QUEUED = 2048  # connections that the kernel keeps for us
SWITCH = 0.001  # seconds of a thread before another gets the interpreter
LAST = 1.2  # seconds from the first signal to the end, whatever still runs


class Server(uvicorn.Server):
    """Ends soon after the first signal, whatever still runs."""

    def __init__(self, config: uvicorn.Config, connections: Connections) -> None:
        super().__init__(config)
        self.connections = connections

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for bound in sockets or ():
            bound.listen(QUEUED)  # uvicorn's backlog is both: accepted at once, and queued

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            end = threading.Timer(LAST, os._exit, (0,))
            end.daemon = True
            end.start()
            # if some extension does not let Python run again: this needs no interpreter
            nowhere = os.open(os.devnull, os.O_WRONLY)
            faulthandler.dump_traceback_later(LAST + 0.3, exit=True, file=nowhere)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.config.app.state.studio.close()  # type: ignore[union-attr]
        self.connections.close_idle()
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    """A socket on that address."""
    if not 0 <= port <= 65535:
        raise UsageError(f"invalid --port {port}", "expected 0 to 65535; 0 chooses a free port")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, proto)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(256)  # connections before the server runs wait
    except OSError as e:
        raise UsageError(
            f"cannot bind {host}:{port}: {e.strerror or e}",
            "choose another --port, or --port 0 for a free one",
        ) from None
    return found


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _own_address(family: int) -> str:
    """The address by which others most likely reach this machine. Nothing is sent."""
    far = ("2001:db8::1", 9) if family == socket.AF_INET6 else ("192.0.2.1", 9)
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect(far)
        return str(probe.getsockname()[0])
    return "::1" if family == socket.AF_INET6 else "127.0.0.1"


def _admitted(
    host: str, bound: socket.socket, allowed: Sequence[str]
) -> tuple[dict[str, Any], str]:
    """The hosts that the guard admits, and the address to open.

    On loopback the Host header must be this machine's. Elsewhere it must be one of `allowed`; if
    there are none, the printed address carries a token.
    """
    name, port = bound.getsockname()[:2]
    names = frozenset(a.strip().lower() for a in allowed)
    if _is_loopback(name):
        return {"hosts": LOOPBACK | {host.lower()} | names}, address(name, port)
    everywhere = ipaddress.ip_address(name.partition("%")[0]).is_unspecified
    shown = _own_address(bound.family) if everywhere else name
    if names:
        return {"hosts": names | LOOPBACK}, address(allowed[0].strip(), port)
    token = secrets.token_urlsafe(16)
    return {"hosts": None, "token": token}, f"{address(shown, port)}?token={token}"


def address(name: str, port: int) -> str:
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def _check_allowed(allowed: Sequence[str]) -> None:
    for name in allowed:
        if not name.strip() or any(c in name for c in "/*@? ") or name.count(":") == 1:
            raise UsageError(
                f"invalid --allow-host {name!r}",
                "expected a host name without port, e.g. lab.local",
            )


def prepare(
    game: str | None,
    host: str,
    port: int,
    data: Path | None,
    limits: Limits,
    allowed: Sequence[str] = (),
) -> tuple[Server, socket.socket, str]:
    """The server, its socket and its address; nothing runs yet."""
    _check_allowed(allowed)
    catalog = Catalog(game)
    bound = _listen(host, port)
    store = Store(data or default_path())
    guard, url = _admitted(host, bound, allowed)
    connections = Connections(limits)
    http, websocket = protocols(connections)
    config = uvicorn.Config(
        make_app(catalog, store, limits, guard),
        http=http,
        ws=websocket,
        log_level="warning",
        ws_max_size=limits.message,
        server_header=False,
        proxy_headers=False,  # an address that anybody can claim limits nobody
        timeout_graceful_shutdown=1,
        backlog=ACCEPTED,
    )
    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        if not any(isinstance(f, Bounded) for f in logger.filters):
            logger.addFilter(Bounded())
    return Server(config, connections), bound, url


def warning(host: str, bound: socket.socket, allowed: Sequence[str]) -> str:
    """A notice for the operator of a server that others can reach; "" on loopback."""
    if _is_loopback(bound.getsockname()[0]):
        return ""
    how = (
        f"Allowed host names: {', '.join(allowed)}."
        if allowed
        else "Only the address with the token opens the studio. Share it only with your visitors."
    )
    return (
        f"warning: --host {host} lets every computer in this network reach the studio. There are "
        f"no accounts, and the connection is not encrypted. {how}"
    )


def serve(
    game: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    browser: bool = True,
    data: Path | None = None,
    limits: Limits | None = None,
    allowed: Sequence[str] = (),
) -> None:
    """Serves the studio until it is interrupted. The address goes to stdout."""
    server, bound, url = prepare(game, host, port, data, limits or Limits(), allowed)
    if text := warning(host, bound, allowed):
        print(text, file=sys.stderr, flush=True)
    print("The studio is running. Press Ctrl-C to stop it.", file=sys.stderr, flush=True)
    print(url, flush=True)
    if browser:  # at once: the socket listens already, so the page waits for the server
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)  # requests must not wait long for searches in Python
    gc.freeze()
    tracing.stays_frozen = True
    try:
        with suppress(KeyboardInterrupt):
            server.run(sockets=[bound])
    finally:
        sys.setswitchinterval(before)
        tracing.stays_frozen = False
        gc.unfreeze()
        finish(server)


def finish(server: Server) -> None:
    """Waits a moment for searches to end; a process that ends while they run might crash."""
    studio = server.config.app.state.studio  # type: ignore[union-attr]
    end = monotonic() + 0.3
    while studio.searches.at_work or studio.views.at_work:
        for executor in (studio.searches, studio.views):
            executor.interrupt()
        if monotonic() > end:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
        sleep(0.02)
    faulthandler.cancel_dump_traceback_later()
