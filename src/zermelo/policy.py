"""What every player does wherever it may be, with odds: the answer to a game of hidden information.

A policy is made by :func:`zermelo.equilibrium`. It says how far it is from an equilibrium, and it
can be kept in a file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .checks import check_path
from .errors import IllegalAction, UsageError
from .game import CHANCE, Game

FORMAT = "zermelo policy 1"


@dataclass(repr=False)
class Policy:
    """Odds of each action by what the mover sees: (player, observation) -> action -> odds."""

    game: Game
    table: Mapping[tuple[int, Any], Mapping[Any, float]]
    values: tuple[float, ...]  # what each player gets when all keep to it
    nash_conv: float  # what the players could gain by leaving it, each alone; NaN: not measured
    algorithm: str = ""
    exact: dict[str, Any] = field(default_factory=dict)  # the same as fractions, where known
    iterations: int = 0  # of regret minimisation
    curve: list[tuple[int, float, float]] = field(default_factory=list)  # with seconds, NashConv

    @property
    def value(self) -> float:
        """What player 0 gets."""
        return self.values[0]

    @property
    def exploitability(self) -> float:
        """The mean of what a player could gain by leaving it."""
        return self.nash_conv / len(self.values)

    def action_probabilities(self, state: Any = None) -> dict[Any, float]:
        """The odds of each action in `state` (by default where the game begins)."""
        s = self.game.initial() if state is None else state
        if self.game.is_terminal(s):
            raise IllegalAction(
                "the game is over: there is nothing to choose", "ask before it ends"
            )
        player = self.game.player(s)
        if player == CHANCE:
            raise UsageError("chance moves here", "see game.outcomes(state)")
        seen = self.table.get((player, _seen(self.game, s, player)))
        if seen is None:
            raise UsageError("the policy does not know this state", "is it of another game?")
        return dict(seen)

    def measured(self) -> Policy:
        """The same with its exact values and NashConv, over the whole tree of its game.

        A tree of more than 20 million histories is refused.
        """
        from .regret import measure

        values, conv = measure(self)
        return replace(self, values=values, nash_conv=conv)

    def save(self, path: str | Path) -> None:
        """Keep it in a file."""
        rows = [
            {"player": p, "sees": o, "odds": [[a, x] for a, x in odds.items()]}
            for (p, o), odds in self.table.items()
        ]
        document = {
            "format": FORMAT, "game": self.game.name, "algorithm": self.algorithm,
            "values": [number(v) for v in self.values], "nash_conv": number(self.nash_conv),
            "policy": rows,
        }  # fmt: skip
        file = check_path("path", path)
        try:
            file.write_text(json.dumps(document) + "\n", encoding="utf-8")
        except OSError as e:
            raise UsageError(f"{path} cannot be written: {e.strerror or e}", "another path?") from e

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> Policy:
        """Back from a file; the game too, where its name makes it again."""
        file = check_path("path", path)
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
            if document["format"] != FORMAT:
                raise ValueError
            table = {
                (int(row["player"]), row["sees"]): {a: float(x) for a, x in row["odds"]}
                for row in document["policy"]
            }
            values = tuple(math.nan if v is None else float(v) for v in document["values"])
            name, conv = str(document["game"]), document["nash_conv"]
            conv = math.nan if conv is None else float(conv)
            algorithm = str(document["algorithm"])
        except OSError as e:
            raise UsageError(f"{path} cannot be read: {e.strerror or e}", "another path?") from e
        except (ValueError, LookupError, TypeError):
            raise UsageError(f"{path} holds no policy", "made by Policy.save") from None
        if game is None:
            from .games import load

            game = load(name)
        elif game.name != name:
            raise UsageError(f"{path} is a policy for {name}", f"not for {game.name}")
        return cls(game, table, values, conv, algorithm)

    def __repr__(self) -> str:
        from .view.number import tupled

        return f"<Policy for {self.game.name}: values {tupled(self.values)}>"


def number(x: float) -> float | None:
    """For JSON, which has no NaN."""
    return None if math.isnan(x) else x


def _seen(game: Any, s: Any, player: int) -> Any:
    return game.observation(s, player) if hasattr(game, "observation") else game.format_state(s)
