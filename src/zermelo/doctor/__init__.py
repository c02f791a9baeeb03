"""Checks the rules of a game by playing, and shows each fault with the shortest game.

::

    from zermelo.doctor import diagnose
    print(diagnose(MyGame()))

It first looks at all short games, breadth first, so that a fault found there is shown by the
shortest sequence of moves that there is; then it plays random games to the end; then it drops
moves from what these found as long as the fault still shows. Rules that pass are not proven
right: a move missing from actions() breaks no promise of the contract.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Literal, cast

from ..errors import UsageError
from ..game import RULES, Adapted, Facts, Game, as_game, facts_of
from .explore import Explorer, Witness
from .hints import CHECKS, Fault, severity_and_hint
from .names import misspelled
from .outcomes import names_of, winners
from .position import Examiner
from .shrink import shrink

__all__ = ["CHECKS", "Diagnosis", "Finding", "diagnose"]

ENOUGH_SIGNS = 10  # wins of each player, before the sign of evaluate() is judged
MOSTLY = 0.9  # share of them in which it is wrong


@dataclass(slots=True)
class Finding:
    """One fault of the rules, and the moves from the start that show it."""

    check: str  # a short id, such as "result-changes-argument"
    severity: Literal["error", "warning"]
    message: str
    hint: str
    moves: list[Any] = field(default_factory=list)  # actions as the game gives them
    line: str = ""  # the same in the game's notation
    state: Any = None  # where it was noticed
    shortest: bool = True  # no shorter sequence shows it; False: none was found

    def __str__(self) -> str:
        n = len(self.moves)
        how = ", the shortest possible" if self.shortest else ", perhaps not the shortest"
        where = f"after {self.line}  ({n} move{'s' * (n != 1)}{how})" if n else "at the start"
        return f"{self.severity}: {self.check}  {where}\n  {self.message}\n  hint: {self.hint}"


@dataclass(slots=True)
class Diagnosis:
    """All that the doctor found, errors first, each kind of fault once."""

    name: str
    findings: list[Finding] = field(default_factory=list)
    games: int = 0  # random games played
    positions: int = 0  # positions looked at
    complete: bool = False  # every position of the game was looked at
    interrupted: bool = False  # by Ctrl-C
    elapsed: float = 0.0
    notes: list[str] = field(default_factory=list)  # no faults, but worth a look

    @property
    def healthy(self) -> bool:
        """No errors; there may be warnings."""
        return all(f.severity != "error" for f in self.findings)

    def __str__(self) -> str:
        errors = sum(f.severity == "error" for f in self.findings)
        warnings = len(self.findings) - errors
        every = "every position" if self.complete else f"{self.positions} positions"
        cut = ", interrupted" if self.interrupted else ""
        found = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}"
        head = f"{self.name}: {found} ({every}, {_count(self.games, 'random game')}{cut})"
        notes = [f"note: {n}" for n in self.notes]
        return "\n".join([head, *map(str, self.findings), *notes])


def diagnose(
    game: Any,
    *,
    games: int = 200,
    max_moves: int = 10_000,
    seed: int = 0,
    time: float = 10.0,
    progress: Callable[[str, float], None] | None = None,
) -> Diagnosis:
    """Check the rules of `game` in at most about `time` seconds.

    `progress` is called with the current step and its share. Ctrl-C ends the check and gives
    what was found so far. Exceptions of the rules are findings.
    """
    began = monotonic()
    if isinstance(game, (type, str)):
        as_game(game, warn=False)  # says what is wrong with it
    rules, facts, findings = _admit(game)
    mistyped = [_found("misspelled-name", message) for message in misspelled(game)]
    if rules is None or facts is None:
        return Diagnosis(_name(game), [*findings, *mistyped], elapsed=monotonic() - began)
    examiner = Examiner(rules, facts, seed)
    explorer = Explorer(examiner, seed, time, progress or _silent)
    diagnosis = Diagnosis(_name(rules))
    try:
        explorer.sweep()
        explorer.cycles()
        _judge_ends(explorer)
        if "never-ends" not in explorer.witnesses:
            explorer.play(games, max_moves)
        shrink(explorer)
    except KeyboardInterrupt:
        diagnosis.interrupted = True
    _judge(explorer, max_moves)
    diagnosis.findings = [_finding(explorer, w) for w in explorer.witnesses.values()] + mistyped
    diagnosis.findings.sort(key=lambda f: (f.severity, len(f.moves)))
    diagnosis.games = explorer.games
    diagnosis.positions = examiner.positions
    diagnosis.complete = explorer.exhausted
    diagnosis.notes = _notes(explorer)
    diagnosis.elapsed = monotonic() - began
    return diagnosis


def _admit(game: Any) -> tuple[Game | None, Facts | None, list[Finding]]:
    """The game and its facts, or why it cannot be played at all."""

    def refuse(check: str, message: str) -> tuple[None, None, list[Finding]]:
        return None, None, [_found(check, message)]

    name = type(game).__name__
    missing = [m for m in RULES if not callable(getattr(game, m, None))]
    if isinstance(game, Game):
        missing = [m for m in RULES if getattr(getattr(game, m), "__func__", 0) is getattr(Game, m)]
    if missing:
        return refuse("missing-method", f"{name} has no {', '.join(missing)}")
    try:
        rules = as_game(game, warn=False)
        _ = rules.players
    except Exception as e:
        return refuse("missing-method", f"{name} cannot be used: {type(e).__name__}: {e}")
    try:
        return rules, facts_of(rules), []
    except UsageError as e:
        bad = "bounds-invalid" if "utility_bounds" in e.message else "players-invalid"
        return refuse(bad, f"{e.message}: {e.hint}" if e.hint else e.message)
    except Exception:
        bounds = rules.utility_bounds
        return refuse("bounds-invalid", f"{name}.utility_bounds is {bounds!r}, not two numbers")


def _judge_ends(explorer: Explorer) -> None:
    """Faults about the end of games, from the sweep alone."""
    nodes = explorer.nodes
    if nodes and nodes[0].view is not None and nodes[0].view.terminal:
        fault = Fault(
            "terminal-start", "is_terminal(initial()) is True: the game is over at the start"
        )
        explorer.report(fault, [], nodes[0].state, True)
    dead = any(n.view is None or n.view.terminal or not n.edges for n in nodes)
    if explorer.exhausted and nodes and not dead:
        message = f"none of the {len(nodes)} positions that can be reached is terminal"
        message = message.replace("none of the 1 positions", "not even one of the 1 positions")
        explorer.report(Fault("never-ends", message), [], nodes[0].state, True)


def _judge(explorer: Explorer, max_moves: int) -> None:
    """Faults that show only in all positions together."""
    facts = explorer.examiner.facts
    state = explorer.nodes[0].state if explorer.nodes else None
    if explorer.endless and "never-ends" not in explorer.witnesses:
        part = f"{explorer.endless} of {_count(explorer.games, 'random game')} did not end within"
        none = "" if explorer.worths else ", and no terminal position was ever seen"
        message = f"{part} {max_moves} moves{none}"
        check = "never-ends" if none and max_moves >= 1000 else "long-game"
        explorer.report(Fault(check, message), [], state, True)
    uneven = explorer.witnesses.get("not-zero-sum")
    if uneven is not None:
        sums = {round(sum(u), 9) for u in explorer.worths}
        if all(len(set(u)) == 1 for u in explorer.worths):
            message = (
                f"utility(s, p) is equal for all p in all terminal states: {uneven.fault.message}"
            )
            del explorer.witnesses["not-zero-sum"]
            uneven.fault = Fault("utility-ignores-player", message)
            explorer.witnesses["utility-ignores-player"] = uneven
        elif len(sums) == 1:
            half = sums.pop() / facts.players
            uneven.fault.hint = f"the sum is constant: subtract {half:g} from each utility, "
            uneven.fault.hint += "or declare zero_sum = False"
    signs = explorer.signs.values()
    if explorer.wrong_sign is not None and all(
        c.total() >= ENOUGH_SIGNS and c[False] >= MOSTLY * c.total() for c in signs
    ):
        wrong, total = sum(c[False] for c in signs), sum(c.total() for c in signs)
        message = (
            f"evaluate() is {explorer.wrong_sign.fault.message}; likewise in {wrong} of {total} "
        )
        explorer.wrong_sign.fault.message = message + "positions just before a win or loss"
        explorer.witnesses["evaluate-sign"] = explorer.wrong_sign


def _found(check: str, message: str) -> Finding:
    """A fault that no move is needed to show."""
    severity, hint = severity_and_hint(check)
    return Finding(check, cast(Any, severity), message, hint)


def _finding(explorer: Explorer, witness: Witness) -> Finding:
    fault = witness.fault
    severity, hint = severity_and_hint(fault.check)
    line = explorer.line(witness.moves)
    return Finding(fault.check, cast(Any, severity), fault.message, fault.hint or hint,
                   witness.moves, line, witness.state, witness.shortest)  # fmt: skip


def _notes(explorer: Explorer) -> list[str]:
    """Return statistics that show whether the rules describe the intended game."""
    notes = []
    facts, lengths = explorer.examiner.facts, explorer.lengths
    if lengths:
        mean = sum(lengths) / len(lengths)
        ended = _count(len(lengths), "random game")
        names = names_of(explorer.examiner.game, facts.players)
        shares = winners(explorer.ends, names)
        notes.append(f"{ended} ended after {mean:.1f} moves on average; {shares}")
    elif explorer.nodes and not explorer.endless and not explorer.exhausted:
        notes.append("no random game reached its end: see the problems above, or give more time")
    lost, won = explorer.last_won[False], explorer.last_won[True]
    lopsided = {"not-zero-sum", "utility-ignores-player"} & set(explorer.witnesses)
    if not won and lost >= 20 and facts.players == 2 and facts.zero_sum and not lopsided:
        notes.append(
            f"the player who made the last move never won ({lost} decided games): correct for a "
            "misère game; otherwise utility() has the wrong sign"
        )
    idle = [p for p in range(facts.players) if p not in explorer.movers]
    if idle and lengths and None not in explorer.movers:
        notes.append(f"player {', '.join(map(str, idle))} never moved")
    return notes


def _name(game: Any) -> str:
    with contextlib.suppress(Exception, SystemExit):
        if isinstance(game, (Game, Adapted)):
            return str(game.name)
    return type(game).__name__


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def _silent(_: str, __: float) -> None:
    return None
