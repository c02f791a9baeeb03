"""The base class of games: subclass :class:`Game` and write six short methods.

Any object with these methods is accepted; the base class adds notation, drawing and defaults.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar

from .checks import LONGEST_POSITION, check_text
from .errors import BadPosition, IllegalAction, RulesError, UsageError
from .facts import Facts as Facts  # exported: this module is the whole Python contract
from .facts import facts_of as facts_of
from .hooks import defines as defines
from .hooks import optional_attribute, optional_hook
from .options import Option

CHANCE = -1
"""What ``player(s)`` returns where chance moves; ``outcomes(s)`` gives the probabilities."""
MOST_ACTIONS = 1 << 20  # of one state; more is taken for a generator that does not end
TERMINAL = -2
"""What a trace calls the player of a state in which the game is over."""


class Game:
    """Base class for games. Implement six methods; everything else is optional.

    States and actions are hashable Python values (NumPy arrays work too); a state is not None.
    ``result`` must return a new state and leave its argument unchanged. ``utility(s, p)`` is
    called for terminal states only.

    The members are grouped:

    - rules: ``initial player actions result is_terminal utility``, ``players zero_sum
      utility_bounds utility_sum``
    - chance: ``outcomes``
    - hidden information: ``observation sample recall public_actions observation_text
      observation_svg announcements view belief_text reveals_at_end``
    - hints for the search: ``evaluate features noisy selective rollout prefers impartial advise
      estimate_scale``
    - learning: ``encode policy_size policy_index``
    - notation: ``name player_names format_action parse_action format_state parse_state board svg
      svg_with svg_for action_squares end_reason win_word line_gains remembers``
    - catalogue: ``options solved state_space classification from_options``

    >>> class Count(Game):
    ...     '''Say 1 or 2 more; who reaches 5 wins.'''
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
    """Whether the utilities of all players add up to 0."""
    utility_bounds: tuple[float, float] | None = None
    """The least and the greatest utility, or None if not known."""
    utility_sum: float = optional_attribute("What the utilities add up to, if constant but not 0.")

    def initial(self) -> Any:
        """The state in which the game begins."""
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
    """Whether ``observation(s, p)`` contains everything that `p` has seen and done so far."""
    public_actions: bool = False
    """Whether players see each other's actions, but not the outcomes of chance."""

    @optional_hook
    def observation(self, s: Any, p: int) -> Any:
        """What player `p` knows in `s`: equal for states that `p` cannot tell apart.

        Where `p` moves, states with equal observations have the same set of actions.
        """
        raise NotImplementedError

    @optional_hook
    def sample(self, s: Any, p: int, rng: random.Random) -> Any:
        """A random state that is consistent with what player `p` has observed in `s`."""
        raise NotImplementedError

    @optional_hook
    def observation_text(self, s: Any, p: int) -> str:
        """What player `p` sees, as a text picture."""
        raise NotImplementedError

    @optional_hook
    def observation_svg(self, s: Any, p: int) -> str | None:
        """What player `p` sees, as an SVG picture."""
        raise NotImplementedError

    @optional_hook
    def announcements(self, s: Any, p: int) -> Sequence[str]:
        """What player `p` was told in words, such as the announcements of an umpire."""
        raise NotImplementedError

    def view(self, s: Any, p: int) -> str:
        """What player `p` sees, for the terminal."""
        for name in ("observation_text", "observation"):
            if defines(self, name):
                return str(getattr(self, name)(s, p))
        return self.board(s)

    def belief_text(self, s: Any) -> str:
        """What the player to move may infer about hidden parts, as a text picture, or ""."""
        return ""

    def reveals_at_end(self, s: Any) -> bool:
        """Whether hidden parts are shown when the game is over; after a fold, cards are not."""
        return True

    # -- hints for the search ----------------------------------------------------------------
    selective: bool = False
    """Whether the engine may prune and reduce late moves."""
    rollout: str = optional_attribute("The default of the option `rollout` of ismcts, e.g. none.")
    prefers: str = ""
    """The algorithm that ``"auto"`` takes for this game, or "" for the usual choice."""
    impartial: bool = False
    """Whether both players have the same moves, so that positions have Grundy values."""
    estimate_scale: float = 1.0
    """The evaluation that stands for an expected score of 73 %."""

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
        """The move of the game's own player, and the estimated value of each for player 0.

        ``"auto"`` asks it instead of searching. It must use only what the mover observes.
        """
        raise NotImplementedError

    # -- learning ----------------------------------------------------------------------------
    policy_size: int = optional_attribute("The number of different actions a policy has odds for.")

    @optional_hook
    def encode(self, s: Any, p: int) -> Any:
        """The state from the view of player `p` as an array of numbers, for a network."""
        raise NotImplementedError

    @optional_hook
    def policy_index(self, a: Any) -> int:
        """The index of action `a` in a policy, from 0 to ``policy_size - 1``."""
        raise NotImplementedError

    # -- notation ----------------------------------------------------------------------------
    player_names: Sequence[str] = ()
    """The names of the players, if they have any."""
    win_word: str = "win"
    """What a forced win is called: "mate in 3"."""
    remembers: bool = False
    """Whether a state contains history that ``format_state`` does not write."""

    @property
    def name(self) -> str:
        """The name of the game, as in ``zermelo.load(name)``."""
        return type(self).__name__

    def format_action(self, s: Any, a: Any) -> str:
        """Action `a` of state `s` in the game's usual notation.

        `s` is None where only the action is known, such as in a printed policy.
        """
        return a if isinstance(a, str) else str(a)

    def parse_action(self, s: Any, text: str) -> Any:
        """The legal action of `s` that is written `text`.

        Raises:
            IllegalAction: There is none; the hint lists the legal actions.
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
        """The state that `text` describes; by default the actions that lead to it, in order."""
        check_text("a position", text, LONGEST_POSITION)
        s = first_state(self)
        for word in text.split():
            try:
                s = self.result(s, self.parse_action(s, word))
            except IllegalAction as e:
                raise BadPosition(f"position {text!r}: {e.message}", e.hint) from None
        return s

    def board(self, s: Any) -> str:
        """The state as a text picture for the terminal."""
        return self.format_state(s)

    def svg(self, s: Any) -> str | None:
        """The state as an SVG picture, or None if the game has none."""
        return None

    def svg_with(self, s: Any, actions: Sequence[Any]) -> str | None:
        """As :meth:`svg`, with these actions marked on it."""
        return self.svg(s)

    def svg_for(self, s: Any, p: int) -> str | None:
        """As :meth:`svg`, from the side of player `p`: chess turns its board."""
        return self.svg(s)

    def action_squares(self, s: Any, a: Any) -> Sequence[str]:
        """The squares of the picture (``data-square``) that an action names, in order.

        A click on the only square, or clicks or a drag from the first to the last, play the action.
        Parts that may be played in any order are separated by ``""``: ``("8", "5", "", "6", "5")``.
        """
        return (self.format_action(s, a),)

    @optional_hook
    def end_reason(self, s: Any) -> str:
        """Why the game is over in `s`, in words."""
        raise NotImplementedError

    def line_gains(self, s: Any, line: Sequence[Any]) -> str:
        """What the mover gains along a line of play, as "a knight for a pawn", or ""."""
        return ""

    # -- catalogue ---------------------------------------------------------------------------
    options: ClassVar[tuple[Option, ...]] = ()
    """The options of ``zermelo.load("name:option=value")``."""
    solved: ClassVar[str] = ""
    """What is known about the solution, with its source; "" if the game is not solved."""
    state_space: ClassVar[str] = ""
    """The size of the state space, with its source."""
    classification: ClassVar[Mapping[str, Any]] = {}
    """Where the usual classification differs from the facts of the default options:
    players, chance, hidden, zero_sum."""

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Game:
        """Create the game from the values of its `options`; `spec` is its full name."""
        game = cls(**options)
        game.name = spec  # type: ignore[misc]
        return game

    def __repr__(self) -> str:
        return f"<zermelo game {self.name}>"


def legal_actions(game: Game, s: Any) -> list[Any]:
    """The actions of a state as a list; an error where ``actions(s)`` does not end."""
    found = list(islice(game.actions(s), MOST_ACTIONS + 1))
    if len(found) > MOST_ACTIONS:
        raise RulesError(
            f"actions(s) lists more than {MOST_ACTIONS} actions in {s!r}",
            "a generator must end: check the loop that yields",
        )
    return found


def action_label(game: Game, a: Any) -> str:
    """An action in words where its state is not at hand."""
    try:
        return game.format_action(None, a)
    except Exception:  # the notation of a user's game needs the state
        return str(a)


def first_state(game: Game) -> Any:
    """The state in which the game begins; an error where ``initial()`` lacks its ``return``."""
    return checked_state(game.initial(), "initial()")


def checked_state(s: Any, rule: str) -> Any:
    """A state that a rule returned, which must not be None."""
    if s is None:
        raise RulesError(f"{rule} returned None", "it must return a state: is a return missing?")
    return s


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

    @property
    def name(self) -> str:
        return str(getattr(self.rules, "name", type(self.rules).__name__))


def as_game(game: Any, *, warn: bool = True) -> Game:
    """`game` itself if it is a :class:`Game`, else a wrapper around an object with its methods."""
    if warn:
        _warn_of_misspelled_hooks(game)
    if isinstance(game, Game):
        return game
    if isinstance(game, type):
        raise UsageError(f"{game.__name__} is a class, not a game", f"make one: {game.__name__}()")
    if isinstance(game, str):
        raise UsageError(f"{game!r} is a name, not a game", f"zermelo.load({game!r})")
    return Adapted(game)


_CHECKED: set[type] = set()  # classes whose names were checked


def _warn_of_misspelled_hooks(game: Any) -> None:
    """Warn once per class about names that look like misspelled hooks: `evalute`."""
    cls = type(game)
    if cls in _CHECKED or cls.__module__.partition(".")[0] in ("zermelo", "builtins"):
        return
    _CHECKED.add(cls)
    from .doctor.names import misspelled

    for sentence in misspelled(game):
        warnings.warn(f"{cls.__name__}: {sentence}", stacklevel=4)
