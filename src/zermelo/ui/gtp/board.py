"""The position of the controller: a game, a set-up position and the moves since then.

GTP lets a colour move twice in a row, continue after the end and start from any stones. Go supports
all of this. In other games such commands fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import NotSupported, UsageError
from ...game import Game, facts_of, first_state, legal_actions
from ...games import load
from ...games.catalog import GAMES, game_class
from ...options import split_options
from ...view.names import player_name
from .message import SyntaxFailure
from .stones import is_go, set_up

PASS = "pass"
MAX_MOVES = 10_000
COLOURS = ("black", "white")
SPELLINGS = {"swap-pieces": "swap"}  # of the Hex protocol


class IllegalMove(UsageError):
    """A move that the rules forbid; the reply starts with "illegal move"."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"illegal move: {reason}")
        self.reason = reason


@dataclass(frozen=True)
class Setup:
    """Stones that are on the board before the first move."""

    black: tuple[str, ...] = ()
    white: tuple[str, ...] = ()
    player: int = 0


class Board:
    """The position, and how it came about."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.game = load(spec)
        check_suitable(self.game)
        self.clear()

    def clear(self) -> None:
        """Return to the initial state of the game."""
        self.setup: Setup | None = None
        self.moves: list[tuple[int, Any]] = []
        self.states: list[Any] = [first_state(self.game)]

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def size(self) -> int | None:
        """The number of points per side, if the board is square."""
        return getattr(self.game, "size", None)

    # -- options of the game -----------------------------------------------------------------
    def has_option(self, name: str) -> bool:
        head = self.spec.partition(":")[0]
        return head in GAMES and any(o.name == name for o in game_class(head).options)

    def restart(self, **options: Any) -> None:
        """Load the game with other options, and clear the board."""
        other = Board(self.respelled(options))
        self.spec, self.game = other.spec, other.game
        self.clear()

    def change(self, **options: Any) -> None:
        """Load the game with other options, and play the same moves again.

        Raises:
            UsageError: An option is invalid, or a move is illegal then. Nothing changes.
        """
        other = Board(self.respelled(options))
        if self.setup is not None:
            other.set_up(self.setup)
        for player, action in self.moves:
            other.play(player, self.vertex(action))
        self.__dict__.update(other.__dict__)

    def respelled(self, options: dict[str, Any]) -> str:
        """The name of the game with other values of some options."""
        head, _, rest = self.spec.partition(":")
        for name in options:
            if not self.has_option(name):
                raise NotSupported(f"{self.game.name} has no option {name!r}")
        declared = {o.name: o for o in game_class(head).options}
        given = split_options(head, rest, tuple(declared.values()))
        given |= {name: declared[name].format(value) for name, value in options.items()}
        return f"{head}:{','.join(f'{k}={v}' for k, v in given.items())}" if given else head

    # -- colours and vertices ----------------------------------------------------------------
    @property
    def colours(self) -> tuple[str, ...]:
        """The colour of each player: black is the first, unless White moves first, as in chess."""
        names = self.names
        return names if set(names) == set(COLOURS) else COLOURS

    @property
    def names(self) -> tuple[str, ...]:
        """The game's own names of the players, in lower case."""
        return tuple(player_name(self.game, player).lower() for player in (0, 1))

    def player(self, word: str) -> int:
        """The player of a colour: black, b, white or w, or the game's own name for it."""
        for words in (self.colours, [colour[0] for colour in self.colours], self.names):
            if word.lower() in words:
                return list(words).index(word.lower())
        raise SyntaxFailure(f"invalid colour {word[:40]!r}, expected black or white")

    @property
    def mover(self) -> int:
        """The player whose turn it is; at the end, the one who did not move last."""
        if not self.game.is_terminal(self.state):
            return self.game.player(self.state)
        return 1 - self.moves[-1][0] if self.moves else 0

    def vertex(self, action: Any) -> str:
        """An action as GTP writes it: D4, pass."""
        text = self.game.format_action(None, action)
        return text.upper() if len(text) <= 3 and text[-1:].isdigit() else text

    def action(self, state: Any, text: str) -> Any:
        """The legal action of `state` that a controller writes as `text`."""
        text = SPELLINGS.get(text.lower(), text)
        error: UsageError | None = None
        for spelling in dict.fromkeys((text, text.lower(), text.upper())):
            try:
                return self.game.parse_action(state, spelling)
            except UsageError as e:
                error = error or e
        raise IllegalMove(error.message if error else f"{text!r} is not a move")

    # -- moves -------------------------------------------------------------------------------
    def state_for(self, player: int) -> Any:
        """The position with `player` to move."""
        game, s = self.game, self.state
        if not game.is_terminal(s) and game.player(s) == player:
            return s
        if is_go(game):
            return game.to_play(s, player)
        if game.is_terminal(s):
            raise IllegalMove("the game is over")
        if PASS in legal_actions(game, s):  # Othello: a controller may leave out a forced pass
            after = game.result(s, PASS)
            if not game.is_terminal(after) and game.player(after) == player:
                return after
        raise IllegalMove(f"it is {player_name(game, 1 - player)}'s turn")

    def play(self, player: int, text: str) -> Any:
        """Play a move. Returns the action."""
        if len(self.moves) >= MAX_MOVES:
            raise IllegalMove(f"the game has {MAX_MOVES:,} moves, which is the limit")
        state = self.state_for(player)
        action = self.action(state, text)
        self.states.append(self.game.result(state, action))
        self.moves.append((player, action))
        return action

    def undo(self, count: int = 1) -> None:
        if not 0 < count <= len(self.moves):
            raise UsageError("cannot undo", f"the game has {len(self.moves)} moves")
        del self.moves[-count:], self.states[-count:]

    def set_up(self, setup: Setup) -> None:
        """Start from these stones."""
        if not is_go(self.game):
            raise NotSupported(f"{self.game.name} does not support set-up positions")
        state = set_up(self.game, setup.black, setup.white, setup.player)
        self.clear()
        self.setup, self.states = setup, [state]

    @property
    def empty(self) -> bool:
        """Whether nothing has been played or set up."""
        return not self.moves and self.setup is None

    def last_was_pass(self, player: int) -> bool:
        """Whether the last move was a pass by the opponent of `player`."""
        return bool(self.moves) and self.moves[-1] == (1 - player, PASS)


def check_suitable(game: Game) -> None:
    """GTP has two colours and no words for dice or hidden information.

    Raises:
        NotSupported: The game is not a two-player game with perfect information.
    """
    facts = facts_of(game)
    problem = (
        f"has {facts.players} player{'s' * (facts.players != 1)}" if facts.players != 2
        else "has chance moves" if facts.chance
        else "has hidden information" if facts.hidden
        else ""
    )  # fmt: skip
    if problem:
        raise NotSupported(
            f"{game.name} {problem}", "gtp plays two-player games with perfect information, e.g. go"
        )


def legal_vertices(board: Board, player: int) -> Sequence[str]:
    """The legal moves of a player, without passes."""
    state = board.state_for(player)
    return [board.vertex(a) for a in legal_actions(board.game, state) if a != PASS]
