"""``zermelo.search``: check, choose, run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import cache
from inspect import signature
from typing import Any

from ..game import defines, facts_of
from ..result import Result
from .advice import advised
from .algorithms import duel
from .memory import Memory
from .request import Guide, SearchRequest, Wanted, build, is_plain
from .run import run
from .tracing import uncollected


def search(
    game: Any,
    state: Any = None,
    algorithm: str = "auto",
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    evaluate: Any = None,
    threads: int = 1,
    seed: int | None = None,
    trace: bool = False,
    on_depth: Callable[[Result], object] | None = None,
    tablebase: Any = None,
    stop: Callable[[], bool] | None = None,
    memory: Memory | None = None,
    among: Iterable[Any] | None = None,
    opponents: Any = None,
    guide: Guide | None = None,
    belief: Any = None,
    **options: Any,
) -> Result:
    """Find the best action in a state and its value.

    With `time` or `nodes` alone, the search deepens iteratively and returns the last finished
    depth. In a game with hidden information, it uses only what the player to move has observed.
    Ctrl-C ends the search with the best answer so far (`Result.stopped` is "interrupted"). A
    second Ctrl-C within a second raises KeyboardInterrupt.

    Args:
        game: A game: :func:`zermelo.load`, a tree, or an object with the six methods.
        state: The root; by default the initial state.
        algorithm: A name from ``zermelo algorithms``, or "auto".
        depth: Depth limit in plies.
        time: Time limit in seconds.
        nodes: Node limit.
        evaluate: Evaluates positions at the depth limit: a function of (state, player), or the
            name of one of the game's own evaluations.
        threads: Number of threads.
        seed: Random seed.
        trace: Record every step (`Result.trace`).
        on_depth: Called with the result of every finished depth.
        tablebase: Directory of solved positions (``zermelo tablebase``), or a Tablebase.
        stop: Called regularly; the search ends when it returns True.
        memory: Keeps the transposition table or tree for the next search (:class:`Memory`).
        among: The only root actions to search.
        opponents: Models of other players (:mod:`zermelo.models`), e.g. ``{1: "random"}``; their
            moves are then treated as chance.
        guide: Priors and values of a new leaf, instead of a rollout: a network
            (:class:`zermelo.learn.network.Network`), or a function of (state, actions) that returns
            one prior per action, and one value per player (or player 0's alone in a two-player
            zero-sum game).
        belief: The states that the player to move considers possible, or {state: probability}.
        options: Options of the algorithm, see ``zermelo algorithms NAME``.

    Returns:
        The best action, its value and what is proved about it.

    Raises:
        UsageError: An argument is invalid, or the algorithm does not support it.
        NotSupported: The algorithm does not support such a game.
        RulesError: The rules of the game contradict themselves.

    Example:
        >>> import zermelo
        >>> zermelo.search(zermelo.load("tic-tac-toe"), depth=9).value
        0.0
    """
    wanted = Wanted(**locals())  # one field per parameter
    request = build(wanted, ("state", "algorithm", *keywords()))
    if _has_own_player(request, wanted):
        return advised(request.game, request.state)
    with uncollected() if trace else nullcontext():
        return run(request)


def _has_own_player(request: SearchRequest, wanted: Wanted) -> bool:
    """Whether "auto" asks the game's own player (``advise``) instead of searching."""
    if wanted.algorithm != "auto" or not defines(request.game, "advise"):
        return False
    asks_more = request.models or wanted.options or request.limits.depth
    if asks_more or not duel(request.facts) or is_plain(wanted, facts_of(request.game)):
        return False
    return not request.game.is_terminal(request.state)


@cache
def keywords() -> tuple[str, ...]:
    """Keyword arguments of :func:`search` besides the options of the algorithms."""
    kinds = signature(search).parameters.items()
    return tuple(name for name, p in kinds if p.kind is p.KEYWORD_ONLY)
