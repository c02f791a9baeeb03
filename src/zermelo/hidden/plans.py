"""Plans that win in every consistent state against every reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..checks import check_given
from ..errors import BadPosition, UsageError
from ..game import Game
from ..games.native import NativeGame, State
from .beliefs import Belief


class Step(NamedTuple):
    """The action for a set of possible states."""

    action: Any
    moves: int  # decisions to the end, at most


class Replay(NamedTuple):
    """The statistics of :meth:`Plan.replay`."""

    moves: int  # decisions of the longest game
    sets: int  # sets of states that may come about
    ends: int  # final states, each a win


class Plan:
    """The steps of a plan, by the set of possible states.

    ``plan[belief]`` is the action for a :class:`Belief` or any states; ``belief.after(action)``
    gives the next sets, by observation.
    """

    def __init__(
        self, game: Game, player: int, best: float, steps: dict[frozenset[Any], Step]
    ) -> None:
        self.game, self.player, self.steps = game, player, steps
        self.best = best  # utility of the player: what is won

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[frozenset[Any]]:
        return iter(self.steps)

    def __repr__(self) -> str:
        return f"<Plan of player {self.player}: {self.moves} decisions, {len(self)} sets>"

    @property
    def moves(self) -> int:
        """The greatest number of decisions to the end."""
        return max(step.moves for step in self.steps.values())

    def step(self, belief: Iterable[Any]) -> Step:
        """What to do where these states are possible."""
        states = frozenset(timeless(self.game, s) for s in check_given("belief", belief))
        found = self.steps.get(states)
        if found is None:
            raise BadPosition(
                f"the plan has no entry for this set of {len(states)} states",
                "follow the plan from its start: belief.after(plan[belief])",
            )
        return found

    def __getitem__(self, belief: Iterable[Any]) -> Any:
        return self.step(belief).action

    def replay(self, belief: Belief) -> Replay:
        """Play the plan from a belief against every reply in every state.

        Raises an error if a game does not end with the player's best utility, or a set is missing.
        """
        if not isinstance(belief, Belief):
            raise UsageError(f"invalid belief={belief!r}", "expected a Belief, e.g. result.belief")
        known: dict[frozenset[Any], int] = {}
        ends = 0

        def play(now: Belief) -> int:
            nonlocal ends
            states = frozenset(timeless(self.game, s) for s in now)
            if states in known:
                return known[states]
            action = self[now]
            for s, _ in now.ends(action):
                if self.game.utility(s, self.player) < self.best:
                    shown = self.game.format_state(s)
                    raise BadPosition(
                        f"the plan does not win in {shown!r}", "was the plan made for this game?"
                    )
                ends += 1
            known[states] = 1 + max(map(play, now.after(action).values()), default=0)
            return known[states]

        return Replay(play(belief), len(known), ends)


def timeless(game: Game, s: Any) -> Any:
    """The state without its clocks, if the game can remove them."""
    return State(game, game.handle.timeless(game.data(s))) if isinstance(game, NativeGame) else s
