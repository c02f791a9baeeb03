"""Positions for tests: random walks, and the predecessors of endgame positions."""

from __future__ import annotations

import random
from typing import Any


def after_random_moves(game: Any, moves: int, rng: random.Random) -> Any:
    """The state after this many random moves, or fewer if the game ends."""
    s = game.initial()
    for _ in range(moves):
        if not game.is_terminal(s):
            s = game.result(s, rng.choice(game.actions(s)))
    return s


def check_predecessors(handle: Any, data: bytes) -> Any:
    """Check that every predecessor is valid and leads to the position; return its index."""
    here = handle.endgame_index(data)
    for earlier in handle.endgame_before(data):
        assert handle.valid(earlier)
        after = [handle.play(earlier, code) for code in handle.actions(earlier)]
        assert here in [handle.endgame_index(a) for a in after]
    return here
