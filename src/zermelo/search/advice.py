"""Built-in players: "auto" uses ``advise(s)`` if the game defines it."""

from __future__ import annotations

import time as clock
from typing import Any

from ..errors import RulesError
from ..game import CHANCE, Game, defines, facts_of
from ..result import Move, Result

EXPERT = "expert"  # the name of the algorithm in results of built-in players
WHY = "built-in player; uses only what the player to move has observed"


def advised(game: Game, state: Any) -> Result:
    """The values of every action in a non-terminal state, by the built-in player.

    ``advise(s)`` gives the action that it takes (None where chance moves), and what each seems
    worth to player 0.
    """
    start = clock.perf_counter()
    player = game.player(state)
    action, values = game.advise(state)
    if player != CHANCE and action not in values:
        raise RulesError(f"advise(s) of {game.name} says nothing of {action!r}", "one of its dict")
    pv = [action] if action in values else []
    value = values[action] if pv else game.evaluate(state, 0) if defines(game, "evaluate") else 0.0
    return Result(
        action=pv[0] if pv else None,
        value=value + 0.0,
        values=(value + 0.0, 0.0 - value) if facts_of(game).players == 2 else (value,),
        pv=pv,
        moves=[Move(a, v + 0.0, "estimate", 1, [a]) for a, v in values.items()],
        depth=1,
        nodes=max(1, len(values)),
        leaves=len(values),
        elapsed=clock.perf_counter() - start,
        kind="estimate",
        algorithm=EXPERT,
        why=WHY,
        game=game,
        state=state,
        player=player,
        evaluated=True,
    )
