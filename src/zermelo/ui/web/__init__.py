"""The studio: trees, play and analysis in a browser. Thin: parse, call, view."""

from __future__ import annotations

from .limits import Limits
from .server import serve

__all__ = ["Limits", "serve"]
