"""The files of the page, served from memory: a slow disk or a busy machine does not delay them."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from .visitors import has_cookie, new_cookie

STATIC = Path(__file__).with_name("static")
VIEW = Path(__file__).parents[2] / "view"
SHARED = ("steps.js", "steps_picture.js", "steps.css")  # with the views


@dataclass(frozen=True, slots=True)
class File:
    body: bytes
    packed: bytes
    media: str
    tag: str  # ETag
    stamp: tuple[int, int]


class Files:
    """Known by name, so that no path leads elsewhere; read again when they change."""

    def __init__(self) -> None:
        self.paths = {path.name: path for path in STATIC.iterdir() if path.is_file()}
        self.paths |= {name: VIEW / name for name in SHARED}
        self.files: dict[str, File] = {}

    def get(self, name: str) -> File | None:
        path = self.paths.get(name)
        if path is None:
            return None
        about = path.stat()
        stamp = (about.st_mtime_ns, about.st_size)
        found = self.files.get(name)
        if found is None or found.stamp != stamp:
            body = path.read_bytes()
            media = mimetypes.guess_type(name)[0] or "application/octet-stream"
            tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
            found = self.files[name] = File(body, gzip.compress(body, 9), media, tag, stamp)
        return found


def file_response(request: Request, file: File) -> Response:
    headers = {"ETag": file.tag, "Vary": "Accept-Encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        packed = headers | {"Content-Encoding": "gzip"}
        return Response(file.packed, media_type=file.media, headers=packed)
    return Response(file.body, media_type=file.media, headers=headers)


def page_response(request: Request, file: File) -> Response:
    """The page itself, which makes its reader a visitor."""
    response = file_response(request, file)
    if not has_cookie(request.headers):
        response.headers["Set-Cookie"] = new_cookie()
    return response
