"""The textbook examples: each is computed when it is run.

``zermelo textbook`` prints for each example what it shows, the expected answer and the answer
found.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..arena.pacman_demos import DEMOS as PACMAN_DEMOS
from ..errors import NotSupported
from . import classification, hidden
from . import many_players as many
from . import minimax as plain
from .chance import (
    backgammon_65,
    cardinal,
    chance_bounds,
    coin,
    dice,
    expectation,
    expectimax,
    opponent_80_20,
)


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    part: str  # deterministic | chance | many players | hidden
    shows: str
    expected: str
    run: (
        Callable[[], str] | None
    )  # the answer found, to compare with `expected`; None: not implemented


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    found: str

    @property
    def status(self) -> str:
        if self.found.endswith("not yet"):
            return "not yet"
        return "ok" if self.found == self.case.expected else "WRONG"


class _Left(BaseException):
    """Raised by Ctrl-C instead of KeyboardInterrupt."""


@contextmanager
def _leaving() -> Iterator[None]:
    """Ctrl-C ends a case at any point.

    A search would catch KeyboardInterrupt and return a partial answer, and the case would continue.
    """

    def leave(*_: object) -> None:
        raise _Left

    before = signal.getsignal(signal.SIGINT)
    here = threading.current_thread() is threading.main_thread()
    if not here or before is not signal.default_int_handler:  # another handler is installed
        yield
        return
    signal.signal(signal.SIGINT, leave)
    try:
        yield
    except _Left:
        raise KeyboardInterrupt from None
    finally:
        signal.signal(signal.SIGINT, before)


def outcomes(only: list[str] | None = None) -> Iterator[Outcome]:
    """Runs the cases one after the other; Ctrl-C ends them at once."""
    for case in CASES:
        if only and case.id not in only:
            continue
        try:
            with _leaving():
                found = case.run() if case.run else "not yet"
        except NotSupported:
            found = "not yet"
        except Exception as e:  # an exception counts as a failure
            found = f"{type(e).__name__}: {e}"
        yield Outcome(case, found)


def _case(id: str, shows: str, expected: str, run: Callable[[], str] | None) -> Case:
    return Case(id, "deterministic", shows, expected, run)


def _chance(id: str, shows: str, expected: str, run: Callable[[], str]) -> Case:
    return Case(id, "chance", shows, expected, run)


CASES: tuple[Case, ...] = (
    _case(
        "two-ply",
        "minimax of a two-ply tree; what alpha-beta skips",
        "3, first move; 7 of 9 leaves, cuts 4 and 6; any x, y: 3",
        plain.two_ply,
    ),
    _case("best-reply", "MAX considers the reply of MIN", "5, second move", plain.best_reply),
    _case("ghosts", "negative utilities", "-8, first move; 3 of 4 leaves", plain.ghosts),
    _case("single-agent", "one player: the best outcome", "8, first move", plain.single_agent),
    _case(
        "pessimist",
        "minimax and expectimax disagree",
        "minimax 10, first move; chance 54.5, second move",
        plain.pessimist,
    ),
    _case(
        "root-ties",
        "a bound is not a value",
        "10; best: first; second: upper bound 10, true value 0",
        plain.root_ties,
    ),
    _case("luger", "the leaves alpha-beta visits", "3; visits 2 3 5 0 2 1 (6 of 11)", plain.luger),
    _case(
        "four-level",
        "cutting at equality or not",
        "6, second move; 9 of 14 leaves cutting on equality, 10 of 14 leaves not",
        plain.four_level,
    ),
    _case(
        "three-ply",
        "a deep cut and a shallow one",
        "5, L; visits 3 5 6 1 2; cuts LRR (6 >= beta 5), RR (2 <= alpha 5)",
        plain.three_ply,
    ),
    _case(
        "conventions",
        "textbooks differ on cutting at equality",
        ">= by default, > on request, printed with every result",
        plain.conventions,
    ),
    _case(
        "best-order",
        "the effect of move ordering",
        "best first b^ceil(d/2) + b^floor(d/2) - 1 leaves, worst first b^d",
        plain.best_order,
    ),
    _case(
        "reordering",
        "a given tree with its children sorted",
        "100 trees with 3 x 3 x 3 leaves: same value; best first 11 of 27 leaves, worst first 27",
        plain.reordering,
    ),
    _case(
        "ordinal",
        "only the order of utilities matters",
        "3 increasing functions keep the move on 200 trees",
        plain.ordinal,
    ),
    _case(
        "tic-tac-toe",
        "the full game",
        "draw; 549,946 nodes, 255,168 games, 5,478 positions",
        plain.tic_tac_toe,
    ),
    _case(
        "open-lines",
        "two plies with an evaluation",
        "centre 1, corner -1, edge -2; empty board 0; a win outranks all; plays b2",
        plain.open_lines,
    ),
    _case(
        "split-nim",
        "a solved game and its Grundy values",
        "second player wins 7, 14 positions; lost: 1 2 4 7 10 20 23 "
        "26 50 53; Grundy: 0 0 1 0 2 1 0 2 1 0 "
        "2 1 3 2 1 3 2 4 3 0 4 3 0 4 3 0 4 1 2 3",
        plain.split_nim,
    ),
    _case(
        "horizon",
        "a loss pushed past the depth limit",
        "depth 3: give a pawn (-1); with quiescence: wait (-3); to the end: wait (-3)",
        plain.horizon,
    ),
    _case("budget", "a million nodes of chess", "deeper than 8", plain.budget),
    _case(
        "classification", "kinds of games", classification.EXPECTED, classification.classification
    ),
    _chance("expectation", "the value of a lottery", "10; 35", expectation),
    _chance(
        "expectimax",
        "averages instead of the worst case",
        "8, first move; children 8, 4, 7",
        expectimax,
    ),
    _chance("coin", "MAX, a coin, MIN", "3, first move; children 3, -1", coin),
    _chance(
        "cardinal",
        "with chance the sizes matter",
        "2.1, first move; 40.9, second move; positive linear changes keep the move on 200 trees",
        cardinal,
    ),
    _chance(
        "chance-bounds",
        "Star1 and Star2",
        "same value and move on 200 trees; fewer leaves, Star2 fewest",
        chance_bounds,
    ),
    _chance(
        "dice",
        "two dice",
        "21 rolls: 6 doubles of 1/36, 15 others of 1/18; they average 7",
        dice,
    ),
    _chance(
        "backgammon-65",
        "legal plays of a roll",
        "(5-10, 5-11) (5-10, 10-16) (5-11, 11-16) (5-11, 19-24)",
        backgammon_65,
    ),
    _chance(
        "opponent-80-20",
        "a model of the opponent",
        "expectimax earns more than minimax",
        opponent_80_20,
    ),
    *(Case(d.name, "chance", d.shows, d.expected, d.few_games) for d in PACMAN_DEMOS),
    Case("tuples", "many players", "max^n", "(5,2,5), second move, by maxn", many.tuples),
    Case(
        "three-players", "many players", "max^n", "(1,2,6), first move, by maxn", many.three_players
    ),
    Case(
        "prisoners",
        "many players",
        "a dilemma, one shot and repeated",
        "only DD (1,1), CC is better for both; repeated: tit for tat earns 3 per round against "
        "itself, always defect 1; in the tournament tit for tat earns more",
        many.prisoners,
    ),
    Case(
        "roads",
        "hidden",
        "averaging over deals misleads",
        "B, B; not known which: over deals B with a warning, over beliefs A",
        hidden.roads,
    ),
    Case(
        "deals",
        "hidden",
        "sampled deals and all deals",
        "closer with 10, 100, 1000 deals; of 20 samples of 1000, 20 choose the move of all deals",
        hidden.deals,
    ),
    Case(
        "kriegspiel",
        "hidden",
        "three kinds of mate",
        "guaranteed: from any of 9 squares, against every reply; probabilistic: no plan is "
        "certain, with probability 0.500, 0.750, 0.875 in 1, 2, 3 tries; accidental: h2h1 mates in "
        "1 of 2 states",
        hidden.kriegspiel,
    ),
    Case(
        "information",
        "hidden",
        "to gain, share and hide information",
        "gain: cheap information is bought, expensive information is not; share: value 1 of 1, by "
        "signals that acquire a meaning; hide: -0.0556 in Kuhn poker, bets with the worst card one "
        "third as often as with the best",
        hidden.information,
    ),
)

__all__ = ["CASES", "Case", "Outcome", "outcomes"]
