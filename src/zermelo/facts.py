"""The facts of a game that an algorithm checks before it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import UsageError
from .hooks import defines

if TYPE_CHECKING:
    from .game import Game


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a game that an algorithm checks before it starts.

    Attributes:
        players: The number of players.
        chance: Whether there are chance nodes.
        hidden: Whether some player cannot distinguish some states.
        zero_sum: Whether the utilities of all players sum to 0.
        utility_bounds: The least and the greatest utility, or None if not known.
        tree_nodes: The size of an explicit tree, or 0.
        superko: Whether no position may repeat, and all positions can be listed.

    Example:
        >>> import zermelo
        >>> facts = zermelo.load("backgammon").facts
        >>> facts.players, facts.chance, facts.hidden
        (2, True, False)
    """

    players: int = 2
    chance: bool = False
    hidden: bool = False
    zero_sum: bool = True
    utility_bounds: tuple[float, float] | None = None
    tree_nodes: int = 0
    superko: bool = False

    @property
    def win_loss(self) -> bool:
        """Whether utilities are wins, draws and losses, so that a win outranks any evaluation.

        False for games with chance: averages need utilities and evaluations in one unit. Otherwise
        True unless the game declares wider bounds. A search that meets a utility beyond 1 treats
        the game as one with scores and reads ``evaluate`` in the same unit.
        """
        if self.players != 2 or not self.zero_sum or self.chance:
            return False
        return self.utility_bounds in (None, (-1.0, 1.0))


def facts_of(game: Game) -> Facts:
    """The facts of a game, from its attributes and from which optional methods it defines."""
    facts = getattr(game, "facts", None)
    if isinstance(facts, Facts):
        return facts
    players = game.players
    if isinstance(players, bool) or not isinstance(players, int) or not 1 <= players <= 64:
        raise UsageError(f"{game.name}.players is {players!r}", "a whole number from 1 to 64")
    bounds = game.utility_bounds
    if bounds is not None:
        try:
            lo, hi = (float(x) for x in bounds)
        except (TypeError, ValueError):
            lo, hi = 1.0, 0.0
        if not lo <= hi:
            raise UsageError(f"{game.name}.utility_bounds is {bounds!r}", "(least, greatest)")
        bounds = (lo, hi)
    return Facts(
        players=players,
        chance=defines(game, "outcomes"),
        hidden=defines(game, "observation"),
        zero_sum=bool(game.zero_sum),
        utility_bounds=bounds,
    )
