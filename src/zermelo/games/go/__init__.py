"""Go: the game's options, notation and scoring. The rules are core/games/go.

A move is a point ("D4": column A, B, … without I, row from the bottom) or "pass". A position is
the moves played so far ("D4 Q16 pass"), rows from the top with X for Black, O for White and . for
empty, then the side to move and "pass" for each pass just played ("X.O/.../... white pass"), or the
text of an SGF file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ... import _core
from ...errors import BadPosition, IllegalAction, UsageError
from ...hooks import GameRecord
from ...options import Option
from ..native import EncodedGame, EvaluatedGame, State, written_moves
from .chains import chains
from .notation import PASS, PASSES, fixed_handicap, parse_vertex, vertex
from .positions import LARGEST, legal_positions
from .seki import seki_stones
from .svg import draw
from .weights import weights

SMALL = 5  # boards up to this size are for solving: no komi, and the utility is in points
REASONS = {
    "over": "the game is over",
    "occupied": "the point is occupied",
    "suicide": "suicide: the stones would have no liberty",
    "ko": "ko: the stone cannot be retaken at once",
    "superko": "superko: the position has occurred before",
}
OWNERSHIP_PLAYOUTS = 500
DEAD = 0.4  # a chain counts as dead if its points belong to the opponent in more playouts
SAFE = 0.8  # a chain is safely alive if its points are its owner's in nearly all playouts


class Go(EncodedGame, EvaluatedGame):
    """Surround territory; stones without liberties are captured."""

    name = "go"
    options = (
        Option("size", 9, range(2, 26), "points per side"),
        Option(
            "komi", "auto", (-1000.0, 1000.0),
            "points that White gets; auto: 7 on boards up to 9x9, else 7.5; 0 up to 5x5",
            also=("auto",),
        ),
        Option(
            "rules", "chinese", ("chinese", "tromp-taylor", "japanese-like"),
            "area scoring, area scoring with suicide, or territory scoring with simple ko",
        ),
        Option("ko", "auto", ("auto", "superko", "simple"), "no position may repeat, or simple ko"),
        Option("handicap", 0, range(10), "black stones at the start; White moves first"),
        Option(
            "score", "auto", ("auto", "win", "points"),
            "utility: winning, or the margin in points; auto: points up to 5x5",
        ),
    )  # fmt: skip
    state_space = "about 10^170 positions (Tromp and Farnebäck 2007)"
    symmetry = "square"

    player_names = ("Black", "White")
    evaluations = ("area",)
    algorithm_options = MappingProxyType(
        {"mcts": {"rollout": "playout", "rave": 1000, "priors": True, "exploration": 1.0}}
    )
    remembers = True  # superko: earlier positions matter, and the text of a position omits them

    def __init__(
        self, spec: str, size: int, komi: float | str, rules: str, ko: str, handicap: int,
        score: str,
    ) -> None:  # fmt: skip
        territory = rules == "japanese-like"
        self.size = size
        self.komi = standard_komi(size, territory, handicap) if komi == "auto" else float(komi)
        self.rules = rules
        self.superko = ko == "superko" or (ko == "auto" and not territory)
        self.wins = score == "win" or (score == "auto" and size > SMALL)
        self.handicap = fixed_handicap(size, handicap)
        self._arguments = (
            size, self.komi, self.superko, rules == "tromp-taylor", territory, self.wins,
            self.handicap,
        )  # fmt: skip
        handle, self.native = _core.go(*self._arguments, weights())
        super().__init__(spec, handle)
        self.prefers = "mcts" if size > SMALL else ""

    def use_weights(self, data: bytes) -> None:
        """Use these weights of move features; none: those by rule of thumb."""
        self.handle, self.native = _core.go(*self._arguments, data)

    # -- notation ----------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        return PASS if code == self.size**2 else vertex(code, self.size)

    def encode_action(self, key: int, action: Any) -> int:
        move = str(action).strip().lower()
        if move in PASSES:
            return self.size**2
        code = parse_vertex(move, self.size)
        if code is None:
            raise IllegalAction(
                f"there is no point {action!r} on a {self.size}x{self.size} board",
                f"points are A1 to {vertex(self.size - 1, self.size)} (without I), or pass",
            )
        return code

    def parse_action(self, s: State, text: str) -> Any:
        """The action that `text` stands for: "d4", "D4" or "pass".

        Raises:
            IllegalAction: The point does not exist, or the move is illegal; the message says why.
        """
        code = self.encode_action(0, text)
        fault = self.native.fault(self.data(s), code)
        if fault:
            hint = "play another point" if fault != "over" else "the game accepts no more moves"
            raise IllegalAction(f"{text.strip().upper()}: {REASONS[fault]}", hint)
        return self.decode_action(0, code)

    def result(self, s: State, a: Any) -> State:
        self.parse_action(s, str(a))
        return super().result(s, a)

    def parse_state(self, text: str) -> State:
        if text.lstrip().startswith("("):
            from .sgf import read_position

            return read_position(self, text)
        if "/" in text:
            return self._parse_rows(text)
        s = self.initial()
        for number, move in enumerate(written_moves(text), 1):
            try:
                s = self.result(s, move)
            except IllegalAction as e:
                hint = 'write moves ("D4 F6 pass"), rows ("X.O/.../... white") or SGF'
                if e.message.startswith("there is no point"):
                    hint = f"{e.hint}; {hint}"
                raise BadPosition(
                    f"move {number} of {text!r} is illegal: {e.message}", hint
                ) from None
        return s

    def _parse_rows(self, text: str) -> State:
        rows, *words = text.strip().upper().split() or [""]
        passes = len(words)
        while words and words[-1] == "PASS":
            words.pop()
        passes -= len(words)
        side = " ".join(words)
        lengths = [len(row) for row in rows.split("/")]
        cells = rows.replace("/", "")
        if lengths != [self.size] * self.size or not set(cells) <= set(".XO"):
            raise BadPosition(
                f"position {text!r} is not {self.size} rows of {self.size} of . X O",
                "as in X.O/.../... white",
            )
        sides = {"": 0, "BLACK": 0, "X": 0, "B": 0, "WHITE": 1, "O": 1, "W": 1}
        if side not in sides:
            raise BadPosition(f"invalid side {side.lower()!r}", "expected black or white")
        return self.set_up(
            [i for i, c in enumerate(cells) if c == "X"],
            [i for i, c in enumerate(cells) if c == "O"],
            sides[side],
            passes,
        )

    def set_up(
        self, black: Sequence[int], white: Sequence[int], mover: int, passes: int = 0
    ) -> State:
        """The position with these stones and no history.

        Args:
            black: Points with black stones: row * size + column from the top left.
            white: Points with white stones.
            mover: 0 if Black is to move, 1 if White is.
            passes: Passes just played, 0 to 2.

        Raises:
            BadPosition: A chain has no liberty, or two stones are on one point.
        """
        if not 0 <= passes <= 2:
            raise BadPosition(f"invalid number of passes {passes}", "two passes end the game")
        self.check_player(mover)
        data = self.native.set_up(list(black), list(white), mover, passes)
        if data is None:
            raise BadPosition(
                "the position has a chain without liberties", "remove captured stones from the text"
            )
        return State(self, data)

    def to_play(self, s: State, player: int) -> State:
        """The same position and history with `player` to move and no passes counted.

        >>> import zermelo
        >>> go = zermelo.load("go:size=9")
        >>> go.actions(go.to_play(go.parse_state("E5 pass pass"), 0)) != []
        True
        """
        self.check_player(player)
        return State(self, self.native.to_play(self.data(s), player))

    def format_state(self, s: State) -> str:
        parts = self.native.parts(self.data(s))
        side = self.player_names[parts["mover"]].lower()
        return " ".join(["/".join(self.rows(s)), side, *[PASS] * parts["passes"]])

    # -- scoring -----------------------------------------------------------------------------
    def rows(self, s: State) -> list[str]:
        """Rows from the top, with X, O and "."."""
        cells = self.native.parts(self.data(s))["cells"]
        return [cells[i : i + self.size] for i in range(0, self.size**2, self.size)]

    def mover(self, s: State) -> int:
        """The player to move, or who would move if the game were not over."""
        return int(self.native.parts(self.data(s))["mover"])

    def last_move(self, s: State) -> str | None:
        """The point of the last move; None after a pass and at the start."""
        last = self.native.parts(self.data(s))["last"]
        return None if last < 0 else vertex(last, self.size)

    def passes(self, s: State) -> int:
        """How many passes were just played in a row."""
        return int(self.native.parts(self.data(s))["passes"])

    def prisoners(self, s: State) -> tuple[int, int]:
        """How many stones Black and White have captured."""
        black, white = self.native.parts(self.data(s))["lost"]
        return white, black

    def margin(self, s: State) -> float:
        """Black's points less White's as the stones lie, with komi.

        Dead stones count as alive: capture them first, or use `ownership`.
        """
        return float(self.native.score(self.data(s)) - self.komi)

    def ownership(
        self, s: State, *, playouts: int = OWNERSHIP_PLAYOUTS, seed: int = 1
    ) -> list[list[float]]:
        """How often each point is Black's (1) or White's (-1) at the end of playouts.

        Args:
            s: The position.
            playouts: Games to play out.
            seed: Random seed.

        Returns:
            Rows from the top.
        """
        if not 1 <= playouts <= 1_000_000:
            raise UsageError(f"invalid playouts {playouts!r}", "expected 1 to 1,000,000")
        flat = self.native.ownership(self.data(s), playouts, seed)
        return [flat[i : i + self.size] for i in range(0, self.size**2, self.size)]

    def final_status(self, s: State, *, seed: int = 1) -> dict[str, str]:
        """Each stone's status: "alive", "dead" or "seki".

        Seki is found by a local search (see `seki.py`), because playouts fill the shared liberties
        in the end. All other stones are judged by playouts.
        """
        cells = self.native.parts(self.data(s))["cells"]
        flat = [x for row in self.ownership(s, seed=seed) for x in row]
        status: dict[int, str] = {}
        unsafe: set[int] = set()
        for chain in chains(cells, self.size):
            sign = 1 if cells[chain[0]] == "X" else -1
            safe = sign * sum(flat[i] for i in chain) / len(chain)
            status |= dict.fromkeys(chain, "dead" if safe < -DEAD else "alive")
            if safe < SAFE:
                unsafe.update(chain)
        status |= dict.fromkeys(seki_stones(cells, self.size, unsafe), "seki")
        return {vertex(i, self.size): word for i, word in status.items()}

    def dead_stones(self, s: State, *, seed: int = 1) -> list[str]:
        """The stones that are removed before counting; none by Tromp-Taylor rules."""
        if self.rules == "tromp-taylor":
            return []
        return [v for v, word in self.final_status(s, seed=seed).items() if word == "dead"]

    def final_margin(self, s: State, *, seed: int = 1) -> float:
        """Black's points less White's with komi, after dead stones are removed."""
        parts = self.native.parts(self.data(s))
        if self.ended_by_repetition(s):
            return 0.0
        cells = parts["cells"]
        dead = {parse_vertex(v, self.size) for v in self.dead_stones(s, seed=seed)}
        black, white = (
            [i for i, c in enumerate(cells) if c == sign and i not in dead] for sign in "XO"
        )
        cleared = self.set_up(black, white, parts["mover"])
        margin = self.native.score(cleared.data) - self.komi
        if self.rules == "japanese-like":  # the score subtracts the stones that were set up again
            margin += len(black) - len(white) - (parts["placed"][0] - parts["placed"][1])
        return float(margin)

    def ended_by_repetition(self, s: State) -> bool:
        """Whether the game has ended without a result (only with simple ko)."""
        return (
            self.passes(s) < 2
            and not self.superko
            and self.is_terminal(s)
            and not self.utility(s, 0)
        )

    def end_reason(self, s: State) -> str:
        if self.ended_by_repetition(s):
            return "the position was repeated"
        dead = self.dead_stones(s)
        if not dead:
            return ""
        stones = "1 dead stone" if len(dead) == 1 else f"{len(dead)} dead stones"
        return f"{stones} removed: {' '.join(sorted(dead))}"

    def score_estimate(self, s: State) -> tuple[float, Mapping[str, float]]:
        owners = [x for row in self.ownership(s) for x in row]
        over = self.is_terminal(s)  # then the margin is that of the result
        margin = self.final_margin(s) if over else self.expected_margin(s, owners)
        return margin, {vertex(i, self.size): x for i, x in enumerate(owners)}

    def expected_margin(self, s: State, owners: Sequence[float]) -> float:
        """Black's points less White's with komi, if the points have these expected owners."""
        margin = sum(owners) - self.komi
        if self.rules == "japanese-like":
            placed = self.native.parts(self.data(s))["placed"]
            margin -= placed[0] - placed[1]
        return margin

    # -- records -----------------------------------------------------------------------------
    record_format = "SGF"

    def parse_record(self, text: str) -> GameRecord:
        from .sgf_record import parse_record

        return parse_record(text)

    def format_record(self, text: str, actions: Sequence[Any]) -> str:
        from .sgf_record import format_record

        return format_record(self, text, actions)

    def legal_positions(self, time: float | None = None) -> int:
        """The number of legal positions of this board: see `positions.py`."""
        if self.size > LARGEST:
            raise UsageError(
                f"{self.name} has too many positions to count",
                f"boards up to {LARGEST}x{LARGEST} are counted",
            )
        return legal_positions(self.size, time=time)

    # -- looks -------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        columns = " ".join(vertex(i, self.size)[0] for i in range(self.size))
        rows = [f"{self.size - r:>2} {' '.join(row)}" for r, row in enumerate(self.rows(s))]
        return "\n".join([*rows, f"   {columns}"])

    def svg(self, s: State) -> str:
        return draw(self, s)

    def svg_with(self, s: State, actions: Sequence[Any]) -> str:
        return draw(self, s, [self.encode_action(0, a) for a in actions])


def standard_komi(size: int, territory: bool, handicap: int) -> float:
    """Komi by convention: none on tiny boards, 1/2 with handicap stones."""
    if size <= SMALL:
        return 0.0
    if handicap > 1:
        return 0.5
    if territory:
        return 6.5
    return 7.0 if size <= 9 else 7.5
