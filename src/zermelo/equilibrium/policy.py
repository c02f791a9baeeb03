"""Policies: action probabilities for every information set.

:func:`zermelo.equilibrium` computes a policy. It knows its distance from an equilibrium (NashConv)
and can be saved to a file.
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
SAVED = "expected a file that Policy.save wrote"


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
    values: tuple[float, ...]  # expected utility of each player
    nash_conv: float  # total gain of best responses; NaN: not measured
    algorithm: str = ""
    exact: dict[str, Any] = field(default_factory=dict)  # the same as fractions, where known
    iterations: int = 0  # of regret minimization
    curve: list[tuple[int, float, float]] = field(default_factory=list)  # with seconds, NashConv

    @property
    def value(self) -> float:
        """The expected utility of player 0.

        Example:
            >>> import zermelo
            >>> policy = zermelo.equilibrium(zermelo.matrix("matching-pennies"))
            >>> policy.value
            0.0
        """
        return self.values[0]

    @property
    def exploitability(self) -> float:
        """NashConv divided by the number of players.

        Example:
            >>> import zermelo
            >>> policy = zermelo.equilibrium(zermelo.matrix("matching-pennies"))
            >>> policy.exploitability
            0.0
        """
        return self.nash_conv / len(self.values)

    def action_probabilities(self, state: Any = None) -> dict[Any, float]:
        """Return the probability of each action in a state.

        Args:
            state: A state in which a player is to move; by default the initial state.

        Returns:
            The probability of each action.

        Raises:
            IllegalAction: The state is terminal.
            UsageError: Chance moves in the state, or the policy does not contain it.

        Example:
            >>> import zermelo
            >>> policy = zermelo.equilibrium(zermelo.matrix("matching-pennies"))
            >>> policy.action_probabilities()
            {'heads': 0.5, 'tails': 0.5}
        """
        s = first_state(self.game) if state is None else state
        if self.game.is_terminal(s):
            raise IllegalAction(
                "the game is over: there is no action to choose",
                "pass a state that is not terminal",
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
        """Return the policy with its exact values and NashConv, computed over the whole tree.

        Returns:
            A copy with `values` and `nash_conv`. A tree of more than 20 million histories is
            refused.

        Example:
            >>> import zermelo
            >>> policy = zermelo.equilibrium(zermelo.matrix("matching-pennies"))
            >>> round(policy.measured().nash_conv, 6)
            0.0
        """
        from .cfr import measure

        values, conv = measure(self)
        return replace(self, values=values, nash_conv=conv)

    def save(self, path: str | Path) -> None:
        """Save the policy to a file.

        Args:
            path: The file. It is replaced atomically.

        Raises:
            UsageError: The file cannot be written, or an action or observation is not valid JSON.

        Example:
            >>> import tempfile, zermelo
            >>> policy = zermelo.equilibrium(zermelo.matrix("matching-pennies"))
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     policy.save(f"{folder}/policy.json")
            ...     zermelo.Policy.load(f"{folder}/policy.json", policy.game).value
            0.0
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
            game: The game of the policy. You can omit it for built-in games. For the rules of a
                Python file it is required, because a data file must not decide which code runs.

        Returns:
            The policy.

        Raises:
            UsageError: The file is not a policy, or belongs to another game.

        Example:
            >>> import tempfile, zermelo
            >>> policy = zermelo.equilibrium(zermelo.load("kuhn"), iterations=10)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     policy.save(f"{folder}/kuhn.json")
            ...     zermelo.Policy.load(f"{folder}/kuhn.json").algorithm
            'cfr+'
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
                f"{file} is a policy for {name}, not for {game.name}",
                "pass the game that the policy was made for",
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
