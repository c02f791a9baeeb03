"""The Python face of a game: subclass :class:`Game` and write six short methods.

Any object that has the methods will do; the base class adds notation, drawing and defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from .checks import LONGEST_POSITION, check_text
from .errors import BadPosition, IllegalAction, RulesError, UsageError
from .options import Option

CHANCE = -1
"""What ``player(s)`` returns where chance moves; ``outcomes(s)`` gives the probabilities."""
MOST_ACTIONS = 1 << 20  # of one state; more is taken for a generator that does not end
TERMINAL = -2
"""What a trace calls the player of a state in which the game is over."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What an algorithm checks before it starts."""

    players: int = 2
    chance: bool = False  # nature moves somewhere
    hidden: bool = False  # some player cannot tell some states apart
    zero_sum: bool = True  # the utilities of all players add up to 0
    utility_bounds: tuple[float, float] | None = None  # None: not known
    tree_nodes: int = 0  # size of an explicit tree; 0: not known

    @property
    def win_loss(self) -> bool:
        """Utilities are wins, draws and losses, so that a win outranks any evaluation.

        Not where chance moves: averages need utilities and evaluations in one unit. Else taken to
        hold unless the game declares wider bounds, or until a search meets a utility beyond 1: then
        it ends in scores, and ``evaluate`` is read in the same unit.
        """
        if self.players != 2 or not self.zero_sum or self.chance:
            return False
        return self.utility_bounds in (None, (-1.0, 1.0))


class Game:
    """Base class for games. Implement six methods.

    States and actions are hashable Python values (NumPy arrays are fine too); a state is not None.
    ``result`` must return a new state and leave its argument alone. ``utility(s, p)`` is asked at
    the end only.
    """

    # -- declarations of a game in the catalogue ---------------------------------------------
    options: ClassVar[tuple[Option, ...]] = ()
    """The options of ``zermelo.load("name:option=value")``."""
    solved: ClassVar[str] = ""
    """What is known about the solution, with its source; "" if the game is not solved."""
    state_space: ClassVar[str] = ""
    """The size of the state space, with its source."""
    classification: ClassVar[Mapping[str, Any]] = {}
    """Where the usual classification differs from the facts of the default options:
    players, chance, hidden, zero_sum."""

    players: int = 2
    zero_sum: bool = True
    utility_bounds: tuple[float, float] | None = None
    recall: bool = True  # observation(s, p) tells all that p has seen and done; else what it knows

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Game:
        """Create the game from the values of its `options`; `spec` is its full name."""
        game = cls(**options)
        game.name = spec  # type: ignore[misc]
        return game

    # -- the rules: write these ------------------------------------------------------------
    def initial(self) -> Any:
        """The state in which the game begins."""
        raise NotImplementedError(f"{type(self).__name__} has no initial()")

    def player(self, s: Any) -> int:
        """Who moves in `s`: 0, 1, … or :data:`CHANCE`."""
        raise NotImplementedError(f"{type(self).__name__} has no player(s)")

    def actions(self, s: Any) -> Iterable[Any]:
        """The legal actions in `s`, in the order in which they should be looked at."""
        raise NotImplementedError(f"{type(self).__name__} has no actions(s)")

    def result(self, s: Any, a: Any) -> Any:
        """The state that action `a` leads to from `s`."""
        raise NotImplementedError(f"{type(self).__name__} has no result(s, a)")

    def is_terminal(self, s: Any) -> bool:
        """Is the game over in `s`?"""
        raise NotImplementedError(f"{type(self).__name__} has no is_terminal(s)")

    def utility(self, s: Any, p: int) -> float:
        """What the terminal state `s` is worth to player `p`."""
        raise NotImplementedError(f"{type(self).__name__} has no utility(s, p)")

    # Optional, and told apart by being there: define them in your class.
    #   chance:  outcomes(s) -> (action, probability) pairs where player(s) is CHANCE
    #   hidden:  observation(s, p): equal exactly where p cannot tell states apart; where p moves,
    #            such states have the same set of actions, in any order
    #            sample(s, p, rng): a state that p may be in
    #            public_actions = True: players see each other's actions, not what chance dealt
    #            observation_text(s, p), observation_svg(s, p): what a page shows p; heard(s, p): a
    #            list of what p was told beside it
    #   hints:   evaluate(s, p): a guess of the utility
    #            advise(s): a player of the game's own, which "auto" asks: the action it takes by
    #            what the mover sees, and a dict of all with what each seems worth to player 0
    #            rollout = "none": ismcts judges leaves by the evaluation, if nobody says
    #            noisy(s): the actions too violent to stop at
    #            selective = True: the engine may look less deeply at late moves

    # -- notation and looks: override what your players write otherwise --------------------
    @property
    def name(self) -> str:
        """What the game is called, as in ``zermelo.load(name)``."""
        return type(self).__name__

    def format_action(self, a: Any, s: Any = None) -> str:
        """The action as a person writes it."""
        return a if isinstance(a, str) else str(a)

    def parse_action(self, text: str, s: Any) -> Any:
        """The legal action of `s` that a person means by `text`."""
        check_text("an action", text, LONGEST_POSITION)
        wanted = "".join(str(text).split())
        legal = legal_actions(self, s) if not self.is_terminal(s) else []
        for a in legal:
            if "".join(self.format_action(a, s).split()) == wanted:
                return a
        if not legal:
            raise IllegalAction(f"{text!r} cannot be played: the game is over", "undo a move")
        shown = ", ".join(self.format_action(a, s) for a in legal[:12])
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
                s = self.result(s, self.parse_action(word, s))
            except IllegalAction as e:
                raise BadPosition(f"position {text!r}: {e.message}", e.hint) from None
        return s

    def board(self, s: Any) -> str:
        """The state as a text picture for the terminal."""
        return self.format_state(s)

    def view(self, s: Any, p: int) -> str:
        """What player `p` sees of the state, as a text picture."""
        see = getattr(self, "observation_text", None) or getattr(self, "observation", None)
        return self.board(s) if see is None else str(see(s, p))

    def shown_at_end(self, s: Any) -> bool:
        """Is what was hidden shown when the game is over? After a fold, cards are not."""
        return True

    def svg(self, s: Any) -> str | None:
        """The state as an SVG picture, or None where the game has none."""
        return None

    def svg_with(self, s: Any, actions: Sequence[Any]) -> str | None:
        """As :meth:`svg`, with these actions shown on it where the game can."""
        return self.svg(s)

    def svg_for(self, s: Any, p: int) -> str | None:
        """As :meth:`svg`, seen from where player `p` sits: chess turns its board."""
        return self.svg(s)

    def places(self, s: Any, a: Any) -> Sequence[str]:
        """The squares of the picture (``data-square``) that an action names, from where it starts.

        A click on the one square, or clicks or a drag from the first to the last, mean the action.
        Parts that may be played in any order are apart by ``""``: ``("8", "5", "", "6", "5")``.
        """
        return (self.format_action(a, s),)

    def believed(self, s: Any) -> str:
        """What the mover may take to be there, as a text picture; "" where there is none."""
        return ""

    public_actions = False  # of a hidden game: players see each other's actions, not the deal
    player_names: Sequence[str] = ()  # what the players are called, where they have names
    estimate_scale = 1.0  # an estimate of so much is an expected score of 73 %
    win_word = "win"  # what players call a sure win: "mate in 3" moves

    def line_gains(self, s: Any, line: Sequence[Any]) -> str:
        """What a line of play brings the mover, as "a knight for a pawn"; "" where nothing."""
        return ""

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


def first_state(game: Game) -> Any:
    """The state in which the game begins; an error where ``initial()`` lacks its ``return``."""
    return checked_state(game.initial(), "initial()")


def checked_state(s: Any, rule: str) -> Any:
    """A state that a rule returned, which must not be None."""
    if s is None:
        raise RulesError(f"{rule} returned None", "it must return a state: is a return missing?")
    return s


RULES = ("initial", "player", "actions", "result", "is_terminal", "utility")
OPTIONAL = (
    "outcomes", "observation", "sample", "observation_text", "observation_svg", "heard",
    "evaluate", "advise", "noisy",
)  # fmt: skip
OPTIONAL_VALUES = ("rollout", "selective", "prefers", "impartial")


def hooks() -> dict[str, bool]:
    """Every name that a game can define for the library to find, and whether it is a method."""
    base = {name: callable(f) for name, f in vars(Game).items() if not name.startswith("_")}
    return base | dict.fromkeys(OPTIONAL, True) | dict.fromkeys(OPTIONAL_VALUES, False)


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


def as_game(game: Any) -> Game:
    """`game` itself if it is a :class:`Game`, a wrapper round it if it merely behaves like one."""
    if isinstance(game, Game):
        return game
    if isinstance(game, type):
        raise UsageError(f"{game.__name__} is a class, not a game", f"make one: {game.__name__}()")
    if isinstance(game, str):
        raise UsageError(f"{game!r} is a name, not a game", f"zermelo.load({game!r})")
    return Adapted(game)


def facts_of(game: Game) -> Facts:
    """The facts of a game, from its attributes and from which optional methods it defines."""
    facts = getattr(game, "facts", None)
    if isinstance(facts, Facts):
        return facts
    players = game.players
    if isinstance(players, bool) or not isinstance(players, int) or not 1 <= players <= 64:
        raise UsageError(f"{game.name}.players is {players!r}", "a whole number from 1 to 64")
    bounds = game.utility_bounds
    if bounds is not None:
        try:
            lo, hi = (float(x) for x in bounds)
        except (TypeError, ValueError):
            lo, hi = 1.0, 0.0
        if not lo <= hi:
            raise UsageError(f"{game.name}.utility_bounds is {bounds!r}", "(least, greatest)")
        bounds = (lo, hi)
    return Facts(
        players=players,
        chance=callable(getattr(game, "outcomes", None)),
        hidden=callable(getattr(game, "observation", None)),
        zero_sum=bool(game.zero_sum),
        utility_bounds=bounds,
    )
