"""The base class of games. Any object with its six methods is accepted as a game."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from .checks import LONGEST_POSITION, check_text
from .checks import action_label as action_label
from .checks import first_state as first_state
from .checks import legal_actions as legal_actions
from .errors import BadPosition, IllegalAction, UsageError
from .facts import Facts as Facts  # exported: this module is the whole Python contract
from .facts import facts_of as facts_of
from .hooks import GameRecord as GameRecord
from .hooks import defines as defines
from .hooks import optional_attribute, optional_hook, warn_of_misspelled
from .options import Option

CHANCE = -1
"""The player of a chance node; ``outcomes(s)`` returns the probabilities."""
TERMINAL = -2
"""The player of a terminal state in a trace."""


class Game:
    """Base class for games. Implement six methods; everything else is optional.

    States and actions are hashable Python values other than None (NumPy arrays work too).
    ``result`` returns a new state and does not change its argument. Methods return what their
    summary describes. Their arguments are: `s`, a state; `a`, an action; `p`, the number of a
    player, from 0; `text`, a string; `rng`, a ``random.Random``; `line` and `actions`, lists of
    actions; `spec` and `options`, the name and the options of ``zermelo.load``.

    - rules: ``initial player actions result is_terminal utility``, ``players zero_sum
      utility_bounds utility_sum``
    - chance: ``outcomes``
    - hidden information: ``observation sample recall public_actions observation_text
      observation_svg announcements view belief_text reveals_at_end``
    - hints for the search: ``evaluate features noisy selective rollout prefers algorithm_options
      impartial advise estimate_scale``
    - learning: ``encode policy_size policy_index symmetries``
    - notation: ``name player_names format_action parse_action format_state parse_state board svg
      svg_with svg_for action_squares end_reason win_word line_gains remembers``
    - scores, records: ``score_estimate final_margin record_format parse_record format_record``
    - catalogue: ``options solved state_space classification from_options legal_positions``

    >>> class Count(Game):
    ...     '''Add 1 or 2; the player who reaches 5 wins.'''
    ...     def initial(self): return (0, 0)
    ...     def player(self, s): return s[1]
    ...     def actions(self, s): return [1, 2]
    ...     def result(self, s, a): return (s[0] + a, 1 - s[1])
    ...     def is_terminal(self, s): return s[0] >= 5
    ...     def utility(self, s, p): return -1 if s[1] == p else 1
    >>> import zermelo
    >>> zermelo.solve(Count()).value
    1.0
    """

    # -- rules: implement these --------------------------------------------------------------
    players: int = 2
    """The number of players; they are numbered from 0."""
    zero_sum: bool = True
    """Whether the utilities of all players sum to 0."""
    utility_bounds: tuple[float, float] | None = None
    """The least and the greatest utility, or None if not known."""
    utility_sum: float = optional_attribute("The sum of the utilities, if constant but not 0.")

    def initial(self) -> Any:
        """The initial state."""
        raise NotImplementedError(f"{type(self).__name__} has no initial()")

    def player(self, s: Any) -> int:
        """The player to move in `s`: 0, 1, … or :data:`CHANCE`."""
        raise NotImplementedError(f"{type(self).__name__} has no player(s)")

    def actions(self, s: Any) -> Iterable[Any]:
        """The legal actions in `s`, in the order in which a search should try them."""
        raise NotImplementedError(f"{type(self).__name__} has no actions(s)")

    def result(self, s: Any, a: Any) -> Any:
        """The state after action `a` in `s`."""
        raise NotImplementedError(f"{type(self).__name__} has no result(s, a)")

    def is_terminal(self, s: Any) -> bool:
        """Whether the game is over in `s`."""
        raise NotImplementedError(f"{type(self).__name__} has no is_terminal(s)")

    def utility(self, s: Any, p: int) -> float:
        """The utility of the terminal state `s` for player `p`."""
        raise NotImplementedError(f"{type(self).__name__} has no utility(s, p)")

    # -- chance ------------------------------------------------------------------------------
    @optional_hook
    def outcomes(self, s: Any) -> Iterable[tuple[Any, float]]:
        """(action, probability) pairs of a state where ``player(s)`` is :data:`CHANCE`."""
        raise NotImplementedError

    # -- hidden information ------------------------------------------------------------------
    recall: bool = True
    """Whether ``observation(s, p)`` contains everything that `p` has observed and done so far."""
    public_actions: bool = False
    """Whether players see each other's actions, but not the outcomes of chance."""

    @optional_hook
    def observation(self, s: Any, p: int) -> Any:
        """What player `p` has observed in `s`: equal for states that `p` cannot distinguish.

        If `p` is to move, states with equal observations must have the same legal actions.
        """
        raise NotImplementedError

    @optional_hook
    def sample(self, s: Any, p: int, rng: random.Random) -> Any:
        """A random state that is consistent with what player `p` has observed in `s`."""
        raise NotImplementedError

    @optional_hook
    def observation_text(self, s: Any, p: int) -> str:
        """What player `p` sees, as text."""
        raise NotImplementedError

    @optional_hook
    def observation_svg(self, s: Any, p: int) -> str | None:
        """What player `p` sees, as an SVG image."""
        raise NotImplementedError

    @optional_hook
    def announcements(self, s: Any, p: int) -> Sequence[str]:
        """Messages to player `p`, such as the announcements of an umpire."""
        raise NotImplementedError

    def view(self, s: Any, p: int) -> str:
        """What player `p` sees, as text for the terminal."""
        for name in ("observation_text", "observation"):
            if defines(self, name):
                return str(getattr(self, name)(s, p))
        return self.board(s)

    def belief_text(self, s: Any) -> str:
        """What the player to move can infer about hidden information, as text, or ""."""
        return ""

    def reveals_at_end(self, s: Any) -> bool:
        """Whether hidden information is shown when the game is over; False after a fold."""
        return True

    # -- hints for the search ----------------------------------------------------------------
    selective: bool = False
    """Whether the engine may prune and reduce late moves."""
    rollout: str = optional_attribute("The default of the option `rollout` of ismcts, e.g. none.")
    prefers: str = ""
    """The algorithm that ``"auto"`` uses for this game, or "" for the usual choice."""
    algorithm_options: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    """Recommended options by algorithm, e.g. ``{"mcts": {"rave": 300}}``, instead of defaults."""
    impartial: bool = False
    """Whether both players have the same moves, so that positions have Grundy values."""
    estimate_scale: float = 1.0
    """The evaluation that corresponds to an expected score of 73 %."""

    @optional_hook
    def evaluate(self, s: Any, p: int) -> float:
        """A heuristic estimate of the utility of the unfinished state `s` for player `p`."""
        raise NotImplementedError

    @optional_hook
    def features(self, s: Any, p: int) -> Sequence[float]:
        """Numbers that describe `s` from the view of player `p`, for a learned evaluation."""
        raise NotImplementedError

    @optional_hook
    def noisy(self, s: Any) -> Iterable[Any]:
        """The actions of `s`, such as captures, after which an evaluation is unreliable.

        Quiescence search follows them beyond the depth limit.
        """
        raise NotImplementedError

    @optional_hook
    def advise(self, s: Any) -> tuple[Any, dict[Any, float]]:
        """The move of the built-in player, and the estimated value of each move for player 0.

        ``"auto"`` uses it instead of a search. It must use only what the player has observed.
        """
        raise NotImplementedError

    # -- learning ----------------------------------------------------------------------------
    policy_size: int = optional_attribute("The number of actions of a policy network.")
    symmetries: Sequence[tuple[Any, Any]] = optional_attribute(
        "Pairs of index arrays (inputs, policy): x.flat[inputs] encodes an image of the state that "
        "x encodes, and the image's action i is the state's action policy[i]."
    )

    @optional_hook
    def encode(self, s: Any, p: int) -> Any:
        """The state from the view of player `p`, as an array of numbers for a network."""
        raise NotImplementedError

    @optional_hook
    def policy_index(self, a: Any) -> int:
        """The index of action `a` in a policy, from 0 to ``policy_size - 1``."""
        raise NotImplementedError

    # -- notation ----------------------------------------------------------------------------
    player_names: Sequence[str] = ()
    """The names of the players, e.g. ("White", "Black"), or ()."""
    win_word: str = "win"
    """The word for a forced win, e.g. "mate" in "mate in 3"."""
    remembers: bool = False
    """Whether a state contains history that ``format_state`` omits."""

    @property
    def name(self) -> str:
        """The name of the game, as in ``zermelo.load(name)``."""
        return type(self).__name__

    def format_action(self, s: Any, a: Any) -> str:
        """Action `a` of state `s` in the game's usual notation.

        `s` is None if only the action is known, for example in a printed policy.
        """
        return a if isinstance(a, str) else str(a)

    def parse_action(self, s: Any, text: str) -> Any:
        """The legal action of `s` with the notation `text`.

        Raises:
            IllegalAction: The action is not legal; the hint lists the legal actions.
        """
        check_text("an action", text, LONGEST_POSITION)
        wanted = "".join(str(text).split())
        legal = legal_actions(self, s) if not self.is_terminal(s) else []
        for a in legal:
            if "".join(self.format_action(s, a).split()) == wanted:
                return a
        if not legal:
            raise IllegalAction(f"{text!r} cannot be played: the game is over", "undo a move")
        shown = ", ".join(self.format_action(s, a) for a in legal[:12])
        more = f", … ({len(legal)} in all)" if len(legal) > 12 else ""
        raise IllegalAction(f"{text!r} is not a legal action here", f"legal: {shown}{more}")

    def format_state(self, s: Any) -> str:
        """The position as text that :meth:`parse_state` reads back."""
        return str(s)

    def parse_state(self, text: str) -> Any:
        """The state that `text` describes; by default a list of actions from the initial state.

        Raises:
            BadPosition: The text is not a position.
        """
        check_text("a position", text, LONGEST_POSITION)
        s = first_state(self)
        for word in text.split():
            try:
                s = self.result(s, self.parse_action(s, word))
            except IllegalAction as e:
                raise BadPosition(f"position {text!r}: {e.message}", e.hint) from None
        return s

    def board(self, s: Any) -> str:
        """The state as a text board."""
        return self.format_state(s)

    def svg(self, s: Any) -> str | None:
        """The state as an SVG image, or None if the game has none."""
        return None

    def svg_with(self, s: Any, actions: Sequence[Any]) -> str | None:
        """Like :meth:`svg`, with these actions marked."""
        return self.svg(s)

    def svg_for(self, s: Any, p: int) -> str | None:
        """Like :meth:`svg`, from the side of player `p`."""
        return self.svg(s)

    def action_squares(self, s: Any, a: Any) -> Sequence[str]:
        """The squares of the image (``data-square``) that belong to an action, in order.

        A click on the only square, or a drag from the first to the last square, plays the action.
        Parts that may be played in any order are separated by ``""``: ``("8", "5", "", "6", "5")``.
        """
        return (self.format_action(s, a),)

    @optional_hook
    def end_reason(self, s: Any) -> str:
        """Why the game is over in `s`, in words."""
        raise NotImplementedError

    def line_gains(self, s: Any, line: Sequence[Any]) -> str:
        """What the player to move gains or loses along a line: "wins a pawn", or ""."""
        return ""

    # -- scores and game records ---------------------------------------------------------------
    @optional_hook
    def score_estimate(self, s: Any) -> tuple[float, Mapping[str, float]]:
        """The expected margin of player 0 in points, and the expected owner of each square.

        Squares have their names in the image; 1 is certainly player 0's, -1 player 1's.
        """
        raise NotImplementedError

    @optional_hook
    def final_margin(self, s: Any) -> float:
        """The points of player 0 less those of player 1 in the terminal state `s`."""
        raise NotImplementedError

    record_format: str = optional_attribute('The file format of game records, e.g. "SGF".')

    @optional_hook
    def parse_record(self, text: str) -> GameRecord:
        """The game that a file contains, with its main line and its variations.

        Raises:
            UsageError: The text is not a game record, or a move of the main line is illegal.
        """
        raise NotImplementedError

    @optional_hook
    def format_record(self, text: str, actions: Sequence[Any]) -> str:
        """A file with these actions from the position `text`; "" is the initial state."""
        raise NotImplementedError

    # -- counting ----------------------------------------------------------------------------
    @optional_hook
    def legal_positions(self, time: float | None = None) -> int:
        """The number of legal positions, reachable or not, for ``zermelo positions``.

        Without this hook, the command counts the reachable ones.

        Args:
            time: Time limit in seconds.

        Raises:
            SearchBudgetExceeded: The time limit was reached.
        """
        raise NotImplementedError

    # -- catalogue ---------------------------------------------------------------------------
    options: ClassVar[tuple[Option, ...]] = ()
    """The options of ``zermelo.load("name:option=value")``."""
    solved: ClassVar[str] = ""
    """What is known about the solution, with its source; "" if the game is not solved."""
    state_space: ClassVar[str] = ""
    """The size of the state space, with its source."""
    classification: ClassVar[Mapping[str, Any]] = {}
    """Facts that differ from those of the default options: players, chance, hidden, zero_sum."""

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Game:
        """The game with these values of its `options`; `spec` is its full name."""
        game = cls(**options)
        game.name = spec  # type: ignore[misc]
        return game

    def __repr__(self) -> str:
        return f"<zermelo game {self.name}>"


RULES = ("initial", "player", "actions", "result", "is_terminal", "utility")


def hooks() -> dict[str, bool]:
    """Every member of :class:`Game` that a game can define, and whether it is a method."""
    return {name: callable(getattr(Game, name)) for name in vars(Game) if not name.startswith("_")}


class Adapted(Game):
    """Any object with the rules' methods, seen as a :class:`Game`."""

    def __init__(self, rules: Any) -> None:
        missing = [m for m in RULES if not callable(getattr(rules, m, None))]
        if missing:
            raise UsageError(
                f"{type(rules).__name__} is not a game: it has no {', '.join(missing)}",
                "a game has initial(), player(s), actions(s), result(s, a), is_terminal(s), "
                "utility(s, p); see zermelo.Game",
            )
        self.rules = rules
        for name in dir(rules):
            if not name.startswith("_") and name != "name":
                setattr(self, name, getattr(rules, name))

    name = property(lambda self: str(getattr(self.rules, "name", type(self.rules).__name__)))


def as_game(game: Any, *, warn: bool = True) -> Game:
    """`game` itself if it is a :class:`Game`, else a wrapper around an object with its methods."""
    if warn:
        warn_of_misspelled(game)
    if isinstance(game, Game):
        return game
    if isinstance(game, type):
        raise UsageError(f"{game.__name__} is a class, not a game", f"make one: {game.__name__}()")
    if isinstance(game, str):
        raise UsageError(f"{game!r} is a name, not a game", f"zermelo.load({game!r})")
    return Adapted(game)
