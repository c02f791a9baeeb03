"""The table of all that the doctor checks, and the shape of what it finds in one position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# id: (severity, hint). Families such as result-raises are in FAMILIES.
CHECKS: dict[str, tuple[str, str]] = {
    "missing-method": ("error", "a game has initial(), player(s), actions(s), result(s, a), "
                       "is_terminal(s) and utility(s, p); see zermelo.Game"),
    "misspelled-name": ("warning", "use the name and kind given here, or begin the "
                        "name of a helper with _"),
    "players-invalid": ("error", "players = 2   # a whole number from 1 to 64"),
    "bounds-invalid": ("error", "utility_bounds = (-1.0, 1.0)   # (least, greatest), or None"),
    "terminal-start": ("warning", "look at is_terminal(initial()): there is nothing to play"),
    "result-changes-argument": ("error", "build a new state: s[:i] + (x,) + s[i+1:] for a tuple, "
                                "new = copy.deepcopy(s) or new = s.copy() first for the others"),
    "state-unhashable": ("error", "use a tuple, a NamedTuple or @dataclass(frozen=True) with such "
                         "fields; a NumPy array is fine if it is the whole state"),
    "state-identity": ("warning", "the search recognises no position that it met before: use "
                       "@dataclass(frozen=True) or a NamedTuple, or write __eq__ and __hash__"),
    "equality-raises": ("error", "let __eq__ compare plain values; for arrays inside a state: "
                        "np.array_equal(a, b), or keep array.tobytes()"),
    "hash-differs": ("error", "let __hash__ use only what __eq__ compares: "
                     "def __hash__(self): return hash((self.board, self.turn))"),
    "equal-states-differ": ("error", "__eq__ leaves out something that matters: compare all that "
                            "the rules depend on, such as whose turn it is"),
    "value-raises": ("error", "fix the __eq__, __hash__ or other special method of the states or "
                     "actions named here; plain tuples, numbers and strings need none"),
    "player-out-of-range": ("error", "return 0 … players - 1, or zermelo.CHANCE where chance "
                            "moves; set players if there are more"),
    "no-actions": ("error", "is_terminal(s) should be True there, or actions(s) should hold a "
                   "pass: if not moves: moves = ['pass']"),
    "actions-endless": ("error", "end the generator; actions(s) must be a finite list"),
    "actions-repeat": ("error", "give every action once: list(dict.fromkeys(actions))"),
    "actions-order": ("warning", "a fixed order makes runs repeatable: sorted(actions), and no "
                      "shuffling in actions()"),
    "action-unhashable": ("error", "make actions tuples: (row, column) instead of [row, column]"),
    "utility-type": ("error", "return one number, what the state is worth to player p: "
                     "return scores[p]"),
    "utility-nan": ("error", "a division of 0 by 0, or inf - inf? return a finite number"),
    "utility-infinite": ("error", "return a finite number: 1 for a win, -1 for a loss"),
    "utility-bounds": ("error", "widen utility_bounds or fix utility(): the search prunes by "
                       "these bounds"),
    "utility-scale": ("warning", "declare what the scores can be, so that evaluate() is read in "
                      "the same unit: utility_bounds = (-64, 64)"),
    "not-zero-sum": ("error", "fix utility(), or declare zero_sum = False"),
    "utility-ignores-player": ("error", "return u if p == 0 else -u   # u: worth to player 0; if "
                               "the players do share their fate: zero_sum = False"),
    "evaluate-type": ("error", "return one number, a guess of utility(s, p)"),
    "evaluate-nan": ("error", "a division of 0 by 0, or inf - inf? return a finite number"),
    "evaluate-infinite": ("warning", "return a large finite number: a won game outranks any "
                          "evaluation anyway, and averages of infinity are useless"),
    "evaluate-sides": ("warning", "what is good for one is bad for the other: "
                       "return v if p == 0 else -v   # v: worth to player 0"),
    "evaluate-bounds": ("warning", "keep evaluate() in the unit of utility() and within "
                        "utility_bounds"),
    "evaluate-sign": ("warning", "turn the sign round: evaluate(s, p) is large where p does well"),
    "chance-without-outcomes": ("error", "def outcomes(self, s): return [(a, probability), …]"),
    "outcomes-form": ("error", "return [(action, probability), …]"),
    "outcomes-empty": ("error", "return at least one (action, probability), of probability 1"),
    "outcomes-repeat": ("error", "give every outcome once and add up its probabilities"),
    "probability-invalid": ("error", "a probability is a number from 0 to 1"),
    "probabilities-sum": ("error", "divide each by their sum: [(a, w / total) for a, w in odds]"),
    "observation-unhashable": ("error", "return a tuple of what the player has seen"),
    "observation-actions": ("error", "the legal actions tell these states apart, so let "
                            "observation(s, p) hold what they depend on"),
    "sample-observation": ("error", "sample(s, p, rng) may change only what p cannot see"),
    "noisy-not-legal": ("error", "return [a for a in self.actions(s) if …]"),
    "format-repeats": ("warning", "write what tells them apart: nobody can enter the second one"),
    "format-type": ("warning", "return a str"),
    "parse-action": ("warning", "parse_action(format_action(s, a), s) should be a again"),
    "parse-state": ("warning", "parse_state(format_state(s)) should be s again: write all that s "
                    "holds, also whose turn it is"),
    "cycle": ("warning", "a legal thing for a game, but plain minimax without a depth never ends "
              "on it: search with depth= or time=, or count the moves in the state and call it a "
              "draw at some number"),
    "never-ends": ("error", "is_terminal(s) must become True at last: count the moves in the "
                   "state and stop at some number if nothing else ends the game"),
    "long-game": ("warning", "if games should be shorter, look at is_terminal(); if not, search "
                  "with depth= or time="),
}  # fmt: skip

FAMILIES: dict[str, str] = {
    "raises": "fix this method; the search calls it the same way",
    "changes-state": "a question must leave the state as it is: work on a copy",
    "differs": "the same question must have the same answer: no random, no counters in self; "
    "luck belongs into chance states: player(s) == zermelo.CHANCE and outcomes(s)",
}
NOTATION = ("format_action", "parse_action", "format_state", "parse_state")


def severity_and_hint(check: str) -> tuple[str, str]:
    """What the tables say of a check."""
    if check in CHECKS:
        return CHECKS[check]
    method, _, family = check.partition("-")
    return ("warning" if method in NOTATION else "error"), FAMILIES[family]


@dataclass(slots=True)
class Fault:
    """A fault in one position; `moves` leads on from it to where the fault shows."""

    check: str
    message: str
    moves: tuple[Any, ...] = ()
    hint: str = ""


@dataclass(slots=True)
class View:
    """What one position is, and the faults seen there."""

    state: Any = None
    faults: list[Fault] = field(default_factory=list)
    terminal: bool = False
    mover: int | None = None
    utilities: tuple[float, ...] | None = None
    evaluations: tuple[float, ...] | None = None
    cut: bool = False  # time was up before all results were known
    children: list[tuple[Any, Any]] = field(default_factory=list)


class Stuck(Exception):
    """The position cannot be looked at any further."""
