"""``zermelo uci``: the engine as chess programs speak with it (UCI).

protocol.py  reads commands and answers    options.py   what a client can set
board.py     the position it gives         clock.py     how long to think
thinking.py  one `go` on its own thread    telling.py   scores and info lines
"""

from __future__ import annotations

from .protocol import main

__all__ = ["main"]
