"""Who asks: a visitor is a browser, recognized by a random cookie, at an address.

A cookie costs nothing, so limits count addresses as well as visitors. A client without a cookie
is one visitor with all others at its address that have none.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.types import Scope

COOKIE = "zermelo_visitor"
VALUE = re.compile(r"[A-Za-z0-9_-]{22}")
LONGEST = 4096  # characters of the cookies that are read
YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    id: str  # of the cookie, or the address
    address: str


def new_cookie() -> str:
    """The header's value that makes a browser a visitor of its own."""
    value = secrets.token_urlsafe(16)
    return f"{COOKIE}={value}; Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax"


def cookies_of(headers: Headers) -> dict[str, str]:
    text = headers.get("cookie", "")[:LONGEST]
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(text).items()}
    except CookieError:
        return {}


def has_cookie(headers: Headers) -> bool:
    return VALUE.fullmatch(cookies_of(headers).get(COOKIE, "")) is not None


def visitor_of(scope: Scope) -> Visitor:
    """The visitor of a request or a websocket."""
    client = scope.get("client")
    address = network(client[0] if client else "")
    headers = Headers(scope=scope)
    if not has_cookie(headers):
        return Visitor(f"at {address}", address)
    value = cookies_of(headers)[COOKIE]  # stored with games, so it is hashed
    return Visitor(hashlib.sha256(value.encode()).hexdigest()[:32], address)


def network(address: str) -> str:
    """What one customer usually has: an IPv4 address, or the first half of an IPv6 address."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
