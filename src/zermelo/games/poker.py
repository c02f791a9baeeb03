"""Shared by the small poker games: positions as text, and a view for each player."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ..errors import IllegalAction
from ..naming import bare, default_names, label
from .drawing import LINE, svg, text, texts, wrapped
from .native import NativeGame, State

DEAL = 16  # chance's actions are this and the number of the card
HIDDEN = "?"
WIDTH = 250  # of the picture
VERBS = {"bet": "bets", "fold": "folds", "call": "calls", "raise": "raises"}
UNRAISED = {"pass": "checks", "call": "checks"}  # what a move is called before a bet,
RAISED = {"pass": "folds", "bet": "calls"}  # and after one

CARD = (
    "<style>.card{fill:#fff;stroke:#556;stroke-width:1.5}.back{fill:#2456a6;stroke:#556}"
    ".rank{font:bold 26px system-ui,sans-serif;fill:#222;text-anchor:middle}"
    "@media(prefers-color-scheme:dark){.card{fill:#dfe3ea}.back{fill:#1d3f78}}</style>"
)


class Poker(NativeGame):
    """A game whose positions are written as the sequence of deals and moves.

    A subclass defines `cards` (their names), `moves` (by code) and `story`.
    """

    public_actions = True
    player_names = default_names(2)
    cards: Sequence[str] = ()
    moves: Sequence[str] = ()

    def story(self, s: State) -> list[int]:
        """The codes of all deals and moves, in order."""
        raise NotImplementedError

    def stakes(self, s: State) -> tuple[int, int]:
        """What each player has put into the pot."""
        raise NotImplementedError

    def decode_action(self, key: int, code: int) -> str:
        return self.cards[code - DEAL - 1] if code >= DEAL else self.moves[code]

    def encode_action(self, key: int, action: Any) -> int:
        if action in self.moves:
            return self.moves.index(action)
        if action in self.cards:
            return DEAL + 1 + self.cards.index(action)
        raise IllegalAction(f"{action!r} is not a move of {self.name}")

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The cards that can be dealt in `s`, with their probabilities."""
        return [(self.decode_action(0, c), p) for c, p in self.handle.outcomes(self.data(s))]

    def words(self, s: State) -> list[str]:
        return [self.decode_action(0, code) for code in self.story(s)]

    def format_state(self, s: State) -> str:
        return " ".join(self.words(s))

    def observation(self, s: State, p: int) -> str:
        """What player `p` sees: the opponent's card is "?"."""
        self.check_player(p)
        words = self.words(s)
        if len(words) > 1 - p:
            words[1 - p] = HIDDEN
        return " ".join(words)

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A state consistent with what player `p` has observed; all deals are equally likely."""
        words = self.words(s)
        if len(words) <= 1 - p:
            return s
        deck = list(self.deck())
        for i, word in enumerate(words):
            if word in self.cards and i != 1 - p:
                deck.remove(word)
        words[1 - p] = rng.choice(deck)
        found = self.parse_state(" ".join(words))
        assert isinstance(found, State)
        return found

    def deck(self) -> Sequence[str]:
        """All cards."""
        return self.cards

    # -- looks -------------------------------------------------------------------------------
    def reveals_at_end(self, s: State) -> bool:
        """Whether there was a showdown: a player who folded has paid less."""
        return self.stakes(s)[0] == self.stakes(s)[1]

    def board(self, s: State) -> str:
        return self.table(s, self.words(s))

    def view(self, s: State, p: int) -> str:
        return self.table(s, self.observation(s, p).split())

    def table(self, s: State, words: list[str]) -> str:
        hands = [words[p] if len(words) > p else "-" for p in (0, 1)]
        paid = self.stakes(s)
        rows = [
            f"{label(name) + ':':<15}{hand}   in the pot: {chips}"
            for name, hand, chips in zip(self.player_names, hands, paid, strict=True)
        ]
        if table := self.open_card(s):
            rows.append(f"{'Community card:':<15}{table}")
        return "\n".join([*rows, self.betting(words[2:])])

    def betting(self, words: Sequence[str]) -> str:
        """What the players did, in words; a card begins a new round."""
        actions, mover, raised = list[str](), 0, False
        for word in words:
            if word in self.cards:
                actions.append(f"{word} is dealt")
                mover, raised = 0, False
                continue
            verb = (RAISED if raised else UNRAISED).get(word) or VERBS[word]
            actions.append(f"{bare(self.player_names[mover])} {verb}")
            mover, raised = 1 - mover, raised or word in ("bet", "raise")
        return ", ".join(actions) or "no moves yet"

    def open_card(self, s: State) -> str:
        return ""

    def svg(self, s: State) -> str:
        return self.draw(s, self.words(s))

    def observation_svg(self, s: State, p: int) -> str:
        """What player `p` sees: the opponent's card is face down."""
        self.check_player(p)
        words = self.words(s)
        if len(words) > 1 - p:
            words[1 - p] = ""
        return self.draw(s, words, p)

    def draw(self, s: State, words: list[str], viewer: int | None = None) -> str:
        """The table with these cards and moves; an empty name is a card face down."""
        parts = [CARD]
        paid = self.stakes(s)
        for p in (0, 1):
            parts.append(card(20 + 150 * p, 34, words[p] if len(words) > p else ""))
            parts.append(
                text(50 + 150 * p, 24, "You" if p == viewer else label(self.player_names[p]))
            )
            parts.append(text(50 + 150 * p, 136, f"bet: {paid[p]}"))
        if table := self.open_card(s):
            parts.append(card(95, 34, table))
        rows = wrapped([self.betting(words[2:])], WIDTH)
        parts.append(texts(WIDTH / 2, 164, rows))
        return svg(WIDTH, 180 + LINE * (len(rows) - 1), self.name, "".join(parts))


def card(x: float, y: float, name: str) -> str:
    """A card with its name; face down without one."""
    face = f'<text class="rank" x="{x + 30:g}" y="{y + 50:g}">{name}</text>' if name else ""
    kind = "card" if name else "back"
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="60" height="82" rx="7"/>{face}'
