"""All checks of the doctor with severity and hint, and the faults found in one position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# id: (severity, hint). Families such as result-raises are in FAMILIES.
CHECKS: dict[str, tuple[str, str]] = {
    "missing-method": ("error", "a game needs initial(), player(s), actions(s), result(s, a), "
                       "is_terminal(s) and utility(s, p); see zermelo.Game"),
    "misspelled-name": ("warning", "use the suggested name and kind, or start the "
                        "name of a helper with _"),
    "players-invalid": ("error", "players = 2   # a whole number from 1 to 64"),
    "bounds-invalid": ("error", "utility_bounds = (-1.0, 1.0)   # (least, greatest), or None"),
    "terminal-start": ("warning", "check is_terminal(initial()): it must be False"),
    "result-changes-argument": ("error", "build a new state: s[:i] + (x,) + s[i+1:] for a tuple, "
                                "new = copy.deepcopy(s) or new = s.copy() first for other types"),
    "state-unhashable": ("error", "use a tuple, a NamedTuple or @dataclass(frozen=True) with "
                         "hashable fields; a NumPy array is allowed if it is the whole state"),
    "state-identity": ("warning", "the search cannot recognize repeated positions: use "
                       "@dataclass(frozen=True) or a NamedTuple, or write __eq__ and __hash__"),
    "equality-raises": ("error", "__eq__ must compare plain values; for arrays inside a state: "
                        "np.array_equal(a, b), or keep array.tobytes()"),
    "hash-differs": ("error", "__hash__ must use only what __eq__ compares: "
                     "def __hash__(self): return hash((self.board, self.turn))"),
    "equal-states-differ": ("error", "__eq__ ignores something that matters: compare everything "
                            "that the rules depend on, such as the player to move"),
    "value-raises": ("error", "fix the __eq__, __hash__ or other special method of the states or "
                     "actions named here; plain tuples, numbers and strings need none"),
    "player-out-of-range": ("error", "return 0 … players - 1, or zermelo.CHANCE where chance "
                            "moves; set players if there are more"),
    "no-actions": ("error", "is_terminal(s) should be True there, or actions(s) should contain a "
                   "pass: if not moves: moves = ['pass']"),
    "actions-endless": ("error", "end the generator; actions(s) must be a finite list"),
    "actions-repeat": ("error", "list every action once: list(dict.fromkeys(actions))"),
    "actions-order": ("warning", "use a fixed order, so that runs are repeatable: return "
                      "sorted(actions), do not shuffle"),
    "action-unhashable": ("error", "make actions tuples: (row, column) instead of [row, column]"),
    "utility-type": ("error", "return one number, the value for player p: "
                     "return scores[p]"),
    "utility-nan": ("error", "return a finite number; check for 0/0 and inf - inf"),
    "utility-infinite": ("error", "return a finite number: 1 for a win, -1 for a loss"),
    "utility-bounds": ("error", "widen utility_bounds or fix utility(): the search prunes with "
                       "these bounds"),
    "utility-scale": ("warning", "declare the range of the scores, so that evaluate() uses the "
                      "same scale: utility_bounds = (-64, 64)"),
    "not-zero-sum": ("error", "fix utility(), or declare zero_sum = False"),
    "utility-ignores-player": ("error", "return u if p == 0 else -u   # u: value for player 0; if "
                               "the players cooperate: zero_sum = False"),
    "evaluate-type": ("error", "return one number, an estimate of utility(s, p)"),
    "evaluate-nan": ("error", "return a finite number; check for 0/0 and inf - inf"),
    "evaluate-infinite": ("warning", "return a large finite number: a won game outranks any "
                          "evaluation anyway, and infinity cannot be averaged"),
    "evaluate-sides": ("warning", "one player's gain is the other's loss: "
                       "return v if p == 0 else -v   # v: value for player 0"),
    "evaluate-bounds": ("warning", "keep evaluate() on the scale of utility(), within "
                        "utility_bounds"),
    "evaluate-sign": ("warning", "flip the sign: evaluate(s, p) must be high if p is doing well"),
    "chance-without-outcomes": ("error", "def outcomes(self, s): return [(a, probability), …]"),
    "outcomes-form": ("error", "return [(action, probability), …]"),
    "outcomes-empty": ("error", "return at least one (action, probability), with probability 1"),
    "outcomes-repeat": ("error", "give every outcome once and add up its probabilities"),
    "probability-invalid": ("error", "a probability is a number from 0 to 1"),
    "probabilities-sum": ("error", "divide each by their sum: [(a, w / total) for a, w in odds]"),
    "observation-unhashable": ("error", "return a tuple of what the player has observed"),
    "observation-actions": ("error", "the legal actions differ between these states, so "
                            "observation(s, p) must include what they depend on"),
    "sample-observation": ("error", "sample(s, p, rng) may change only what p cannot see"),
    "noisy-not-legal": ("error", "return [a for a in self.actions(s) if …]"),
    "format-repeats": ("warning", "make the texts differ: the second action cannot be entered"),
    "format-type": ("warning", "return a str"),
    "parse-action": ("warning", "parse_action(s, format_action(s, a)) should return a"),
    "parse-state": ("warning", "parse_state(format_state(s)) should return s: write everything in "
                    "s, including the player to move"),
    "cycle": ("warning", "allowed, but plain minimax without a depth limit does not terminate: "
              "search with depth= or time=, or count the moves in the state and end the game "
              "after a maximum"),
    "never-ends": ("error", "is_terminal(s) must become True at some point: count the moves "
                   "in the state and end the game after a maximum"),
    "long-game": ("warning", "if games should be shorter, check is_terminal(); otherwise search "
                  "with depth= or time="),
}  # fmt: skip

FAMILIES: dict[str, str] = {
    "raises": "fix this method; the search makes the same call",
    "changes-state": "methods must not modify the state: work on a copy",
    "differs": "equal arguments must give equal results: no randomness, no counters in self; "
    "model chance with player(s) == zermelo.CHANCE and outcomes(s)",
}
NOTATION = ("format_action", "parse_action", "format_state", "parse_state")


def severity_and_hint(check: str) -> tuple[str, str]:
    """Return the severity and the hint of a check."""
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
    """The position cannot be examined any further."""
