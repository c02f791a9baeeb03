"""The clocks of both players, and how long to think about a move. All times are in seconds.

A time control has a main time and then overtime: Canadian (a number of stones per period) or
byo-yomi (a number of periods of one move each). If the controller does not send ``time_left``, the
engine counts its own time.
"""

from __future__ import annotations

from dataclasses import dataclass

LEAST = 0.001
LONGEST = 86_400.0
PART = 0.25  # of the remaining main time that one move may take
FEWEST_MOVES = 10  # own moves that a game is expected to last at least
FORGET = 0.9  # share of the last delay that is still expected at the next move


@dataclass(frozen=True)
class TimeControl:
    """The time settings of a game.

    Attributes:
        main: Main time; None: there is no time limit.
        period: Length of an overtime period; 0: no overtime.
        stones: Canadian overtime: moves per period. Byo-yomi: 1.
        periods: Byo-yomi: number of periods. Canadian overtime: 1.
        byoyomi: Whether overtime is byo-yomi.
    """

    main: float | None = None
    period: float = 0.0
    stones: int = 1
    periods: int = 1
    byoyomi: bool = False


@dataclass
class Clock:
    """The clock of one player."""

    control: TimeControl = TimeControl()
    main: float = 0.0
    period: float = 0.0  # left of the current overtime period
    stones: int = 1  # moves to play in it
    periods: int = 1
    empty: bool = False  # the controller reported that no time is left

    def __post_init__(self) -> None:
        c = self.control
        self.main, self.period = c.main or 0.0, c.period
        self.stones, self.periods = c.stones, c.periods

    def left(self, seconds: float, stones: int) -> None:
        """Set the clock to what the controller says: `stones` is 0 in the main time."""
        self.empty = seconds <= 0
        if stones <= 0:
            self.main = seconds
            return
        self.main, self.period = 0.0, seconds
        if self.control.byoyomi:
            self.periods = stones  # KGS sends the number of periods here
        else:
            self.stones = stones

    def spend(self, seconds: float) -> None:
        """Count a move of our own."""
        self.empty = False
        if self.control.main is None:
            return
        over = seconds - self.main
        self.main = max(0.0, -over) if self.control.period > 0 else -over
        if over <= 0 or self.control.period <= 0:
            return
        if self.control.byoyomi:
            while over > self.control.period and self.periods > 1:
                over, self.periods = over - self.control.period, self.periods - 1
            self.period = self.control.period
            return
        self.period, self.stones = self.period - over, self.stones - 1
        if self.stones <= 0:
            self.period, self.stones = self.control.period, self.control.stones

    def budget(self, moves_left: float, reserve: float) -> float | None:
        """Seconds for the next move; None if there is no limit.

        Args:
            moves_left: Moves that the player is expected to make until the end.
            reserve: Seconds that are lost between the controller's clock and the search.
        """
        if self.control.main is None:
            return None
        if self.empty:
            return LEAST
        overtime = self.period / max(1, self.stones)  # per move
        if self.main > 0:
            share = self.main / max(FEWEST_MOVES, moves_left)
            most = PART * self.main
            if self.control.period > 0:  # running out of main time loses nothing yet
                share, most = max(share, min(overtime, self.main)), self.main
            return within(min(share, most) - reserve, self.main - reserve)
        return within(overtime - reserve, self.period - reserve)


def within(seconds: float, most: float) -> float:
    """At least the shortest search, whatever the clock says."""
    return max(LEAST, min(seconds, most, LONGEST))


class Clocks:
    """The clocks of both players."""

    def __init__(self) -> None:
        self.control = TimeControl()
        self.lag = 0.0  # how late recent answers were: on a busy machine the next will be late too
        self.reset()

    def reset(self) -> None:
        """Start both clocks again, as for a new game."""
        self.players = [Clock(self.control), Clock(self.control)]

    def set(self, control: TimeControl) -> None:
        self.control = control
        self.reset()

    def budget(self, player: int, moves_left: float, overhead: float) -> float | None:
        return self.players[player].budget(moves_left, overhead + self.lag)

    def spend(self, player: int, seconds: float, planned: float | None) -> None:
        """Count a move that took `seconds`, and remember by how much it was late."""
        self.players[player].spend(seconds)
        if planned is not None:
            self.lag = max(FORGET * self.lag, seconds - planned, 0.0)


def gtp_control(main: int, period: int, stones: int) -> TimeControl:
    """The arguments of ``time_settings``."""
    if period > 0 and stones == 0:  # how the specification spells "no time limit"
        return TimeControl()
    return TimeControl(float(main), float(period), max(1, stones))


def expected_moves(legal: int) -> float:
    """The number of moves left for a player on a board with this many legal moves.

    Players fill about two thirds of a board, in turn.
    """
    return legal / 3
