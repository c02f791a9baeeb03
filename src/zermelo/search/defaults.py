"""Default limits and sizes of searches, in one place.

Defaults of an algorithm's own options (table sizes among them) stand in its option table, see
``zermelo algorithms NAME``.
"""

from __future__ import annotations

SECONDS = 1.0  # of a search without limits that would otherwise never end
MOVE_SECONDS = 1.0  # of an opponent's move in the terminal and the studio
SOLVE_TABLE_MB = 64  # transposition table of zermelo.solve
SOLVE_CYCLES_MB = 1024  # positions that zermelo.solve lists in a game in which positions repeat
MEMORY_MB = 64  # of zermelo.Memory
TRACE_NODES = 200_000  # recorded nodes of a trace; the rest is cut off
