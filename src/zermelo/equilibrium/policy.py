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

from ..checks import check_path
from ..errors import IllegalAction, UsageError
from ..files import read_text, write
from ..game import CHANCE, Game, defines, first_state

FORMAT = "zermelo policy 1"
SAVED = "give a file that Policy.save wrote"


@dataclass(repr=False)
class Policy:
    """Action probabilities by information set: (player, observation) -> {action: probability}.

    Attributes:
        values: The expected utility of every player.
        nash_conv: What the players could gain in total by deviating; 0 in an equilibrium.

    Example:
        >>> import zermelo
        >>> game = zermelo.matrix("matching-pennies")
        >>> zermelo.equilibrium(game).action_probabilities(game.initial())
        {'heads': 0.5, 'tails': 0.5}
    """

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
        s = first_state(self.game) if state is None else state
        if self.game.is_terminal(s):
            raise IllegalAction(
                "the game is over: no action to choose", "pass a state before the end"
            )
        player = self.game.player(s)
        if player == CHANCE:
            raise UsageError("chance moves in this state", "see game.outcomes(state)")
        seen = self.table.get((player, _seen(self.game, s, player)))
        if seen is None:
            raise UsageError(
                "this state is not in the policy", "was the policy made for another game?"
            )
        return dict(seen)

    def measured(self) -> Policy:
        """The same with its exact values and NashConv, over the whole tree of its game.

        A tree of more than 20 million histories is refused.
        """
        from .cfr import measure

        values, conv = measure(self)
        return replace(self, values=values, nash_conv=conv)

    def save(self, path: str | Path) -> None:
        """Write the policy to a file, which is replaced as a whole.

        Raises:
            UsageError: The file cannot be written, or JSON cannot hold an action or observation.
        """
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
            text = json.dumps(document)
        except (TypeError, ValueError) as e:
            raise UsageError(
                f"this policy cannot be saved: {e}",
                "observations and actions must be strings, numbers or tuples",
            ) from None
        write(file, text + "\n")

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None) -> Policy:
        """Read a policy from a file that :meth:`save` wrote.

        Args:
            path: The file.
            game: The policy's game. It may be left out for the games of zermelo, whose names say
                how to make them. The rules of a Python file must be given, because a file of data
                does not decide which code is run.

        Raises:
            UsageError: The file holds no policy, or one of another game.
        """
        file = check_path("path", path)
        document = read_text(file, SAVED)
        try:
            found = json.loads(document)
            if found["format"] != FORMAT:
                raise ValueError
            name = str(found["game"])
            table = {
                (int(row["player"]), hashable(row["sees"])): distribution(row["odds"])
                for row in found["policy"]
            }
            values = tuple(map(_read_number, found["values"]))
            conv, algorithm = _read_number(found["nash_conv"]), str(found["algorithm"])
        except (ValueError, LookupError, TypeError, OverflowError, RecursionError):
            raise UsageError(f"{file} is not a policy file", SAVED) from None
        game = _made_again(name, file) if game is None else game
        if game.name != name:
            raise UsageError(
                f"{file} is a policy for {name}, not for {game.name}", "load it with its own game"
            )
        if len(values) != game.players or not all(0 <= p < game.players for p, _ in table):
            raise UsageError(
                f"{file} does not match {name}", "the file is damaged: train the policy again"
            )
        return cls(game, table, values, conv, algorithm)

    def __repr__(self) -> str:
        from ..view.number import tupled

        return f"<Policy for {self.game.name}: values {tupled(self.values)}>"


def number(x: float) -> float | None:
    """For JSON, which has no NaN."""
    return None if math.isnan(x) else x


def _read_number(x: Any) -> float:
    """The inverse of `number`."""
    return math.nan if x is None else float(x)


def hashable(x: Any) -> Any:
    """An action or observation out of JSON, which has lists for tuples."""
    return tuple(map(hashable, x)) if isinstance(x, list) else x


def distribution(pairs: Any) -> dict[Any, float]:
    """Actions with their probabilities; a ValueError where they are none."""
    odds = {hashable(action): float(p) for action, p in pairs}
    if not all(0 <= p <= 1 for p in odds.values()) or abs(sum(odds.values()) - 1) > 1e-6:
        raise ValueError
    return odds


def _made_again(name: str, file: Path) -> Game:
    """The game that a policy names, without running a file or reading one."""
    from ..games import load, names_file

    if ".py" in name or names_file(name):
        raise UsageError(
            f"{file} is a policy for {name}, which cannot be loaded by name",
            "give the game: Policy.load(path, game)",
        )
    return load(name)


def _seen(game: Any, s: Any, player: int) -> Any:
    return game.observation(s, player) if defines(game, "observation") else game.format_state(s)
