"""A policy for hold'em, learned by minimizing regret over groups of hands.

Hands are grouped by how they may end (core/games/holdem/abstraction.hpp). Then boards are sampled,
and all hands play against all on each board (core/games/holdem/solver.hpp). Everything is saved in
one folder at least twice a minute; an interrupted run resumes. The policies of some moments are
saved for comparison (``benchmarks/holdem.py``).
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from .. import _core
from ..checks import check_limits, check_seed
from ..errors import SearchBudgetExceeded, UsageError
from ..files import write
from ..games.holdem.policy import WEIGHTS, Policy, levels
from .run_directory import SAVE_SECONDS, Timer, damaged, load_arrays, log, open_run, save_arrays

ALGORITHM = "mccfr"  # the only variant that fits hold'em: it samples boards
REPORT_SECONDS = 10.0
CHUNK_SECONDS = 1.0  # of iterations between two checks of the time limit
FLOPS, TURNS = 300, 1000  # sampled boards for the grouping of hands
GROUPS = (100, 80, 40)  # on the flop, the turn and the river
FIRST = 64  # the policy is saved after 64 iterations, then after each doubling


@dataclass
class Plan:
    """The settings of a run."""

    folder: Path
    iterations: int = 20_000
    time: float | None = None  # seconds of this run
    seed: int = 1
    groups: tuple[int, int, int] = GROUPS


class Run:
    """One run, starting from the saved progress."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.file = open_run(plan.folder, "holdem", plan.seed)
        self.began = time.monotonic()
        self.save_timer, self.report_timer = Timer(SAVE_SECONDS), Timer(REPORT_SECONDS)
        self.before = 0.0  # seconds of earlier runs
        if self.file.exists():
            self.resume()
            return
        flop, turn, self.river = plan.groups
        log(f"computing buckets: {flop} on the flop, {turn} on the turn, {self.river} on the river")
        self.flop = _core.holdem_centres(3, flop, FLOPS, plan.seed)
        self.turn = _core.holdem_centres(4, turn, TURNS, plan.seed)
        self.learner = _core.HoldemLearner(self.flop, self.turn, self.river, plan.seed)

    def resume(self) -> None:
        """Continue the saved run."""
        names = ("flop", "turn", "numbers", "regrets", "sums")
        flop, turn, numbers, regrets, sums = load_arrays(self.file, *names)
        try:
            self.flop, self.turn = flop.tobytes(), turn.tobytes()
            river, done, self.before = (float(x) for x in numbers)
            self.river = int(river)
            self.learner = _core.HoldemLearner(self.flop, self.turn, self.river, self.plan.seed)
            if not self.learner.resume(regrets.tobytes(), sums.tobytes(), int(done)):
                raise ValueError
        except Exception:  # a damaged file can fail in many ways
            raise damaged(self.file) from None

    def seconds(self) -> float:
        return self.before + time.monotonic() - self.began

    def learn(self) -> None:
        """Iterate until a limit is reached or the user interrupts."""
        chunk, due = 1, FIRST
        while (done := self.learner.iterations) < self.plan.iterations:
            while due <= done:
                due *= 2
            start = time.monotonic()
            left = 0.0
            if self.plan.time is not None:
                left = self.plan.time - (start - self.began)
                if left <= 0:
                    return
            count = min(chunk, due - done, self.plan.iterations - done)
            stopped = self.learner.iterate(count, left)
            if self.learner.iterations == due:
                self.write(self.plan.folder / f"iterations-{due:06}.policy")
            if stopped:
                return
            took = max(1e-3, time.monotonic() - start)
            chunk = max(1, int(chunk * min(2.0, CHUNK_SECONDS / took)))
            self.look()

    def look(self) -> None:
        """Report and save at intervals."""
        if self.report_timer.due():
            done, seconds = self.learner.iterations, self.seconds()
            log(f"{done:,} iterations, {seconds:.0f} s, {done / seconds:.1f} iterations/s")
        if self.save_timer.due():
            self.save()

    def save(self) -> None:
        save_arrays(
            self.file, self.plan.seed,
            flop=np.frombuffer(self.flop, np.uint8), turn=np.frombuffer(self.turn, np.uint8),
            numbers=np.array([self.river, self.learner.iterations, self.seconds()]),
            regrets=np.frombuffer(self.learner.regrets(), "<f4"),
            sums=np.frombuffer(self.learner.sums(), "<f4"),
        )  # fmt: skip
        self.save_timer.restart()

    def write(self, path: Path) -> None:
        odds = levels(self.learner.odds())
        policy = Policy(self.flop, self.turn, self.river, odds, self.learner.iterations)
        write(path, policy.pack())


def train(plan: Plan) -> Path:
    """Minimize regret until a limit is reached; return the file of the policy."""
    run = Run(plan)
    try:
        run.learn()
    finally:
        run.save()
    if not run.learner.iterations:
        raise SearchBudgetExceeded(
            "the time limit was reached before the first iteration: there is no policy",
            "give more time; the buckets are saved",
        )
    path = plan.folder / "last.policy"
    run.write(path)
    log(f"{run.learner.iterations:,} iterations: {path} ({path.stat().st_size / 1e3:.0f} kB)")
    return path


def command(
    folder: Path, algorithm: str | None, iterations: int | None, target: float | None,
    seconds: float | None, seed: int, use: bool,
) -> Path:  # fmt: skip
    """``zermelo train holdem``."""
    if algorithm not in (None, ALGORITHM):
        raise UsageError(
            f"hold'em is too large for {algorithm!r}",
            f"use --algorithm {ALGORITHM} (the default), which samples boards",
        )
    if target is not None:
        raise UsageError(
            "hold'em does not support --target: NashConv is not measured",
            "use --iterations or --time",
        )
    _, seconds, iterations, _ = check_limits(None, seconds, iterations, 1)
    plan = Plan(folder, time=seconds, seed=check_seed(seed))
    plan.iterations = iterations or plan.iterations
    path = train(plan)
    if use:
        install(path)
    return path


def install(path: Path) -> None:
    """Make this the policy of zermelo.load("holdem")."""
    write(WEIGHTS, path.read_bytes())


# -- players to compare with -------------------------------------------------------------------
def bots(like: Policy) -> dict[str, Policy]:
    """Simple players over the same groups of hands."""
    native = _core.HoldemPolicy(like.flop, like.turn, like.river, b"")
    rows = np.frombuffer(native.choices(), np.uint16).reshape(-1, 4)
    move, pay = rows[:, 2], rows[:, 3]
    strong = _strengths(like, rows)
    folds = (pay == 1) & (strong < FOLDS)
    wish = np.where(strong > RAISES, 2, np.where(folds, 0, 1))
    # Where raising is not allowed, calling is the last row of the decision.
    capped = (move == 1) & (np.append(move[1:], 0) != 2)
    table = {
        "random": move >= 0,
        "calls": move == 1,
        "raises": (move == 2) | capped,
        "by strength": (move == wish) | (capped & (wish == 2)),
    }
    return {
        name: Policy(like.flop, like.turn, like.river, odds.astype(np.uint8).tobytes(), 0)
        for name, odds in table.items()
    }


RAISES, FOLDS = 0.65, 0.42  # thresholds of strength: the share of hands beaten at showdown


def _strengths(like: Policy, rows: npt.NDArray[np.uint16]) -> npt.NDArray[np.float64]:
    """The strength of the group of each row: the mean share of hands beaten at showdown."""
    fine = _core.HoldemPolicy(like.flop, like.turn, 1000, b"")
    starts = np.array(fine.group([]))
    sums, seen = np.zeros(169), np.zeros(169)
    rng = random.Random(1)
    for _ in range(200):
        part = np.array(fine.group(rng.sample(range(52), 5)))
        np.add.at(sums, starts[part >= 0], part[part >= 0] / 1000)
        np.add.at(seen, starts[part >= 0], 1)
    by_round = [sums / np.maximum(seen, 1)]
    for centres in (like.flop, like.turn):
        lines = np.frombuffer(centres, np.uint8).reshape(-1, 16)
        by_round.append(1 - lines.mean(axis=1) / 255 + 0.5 / 16)
    by_round.append((np.arange(like.river) + 0.5) / like.river)
    found = np.zeros(len(rows))
    for number, worth in enumerate(by_round):
        here = rows[:, 0] == number
        found[here] = worth[rows[here, 1]]
    return found
