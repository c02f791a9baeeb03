"""Texas hold'em for two with fixed bets: notation and looks. The rules are core/games/holdem.

Player 0 has the button and the small blind of 1, player 1 the big blind of 2; bets are 2, on the
turn and the river 4. Utilities are in small blinds. A position is what was dealt and done: both
hands, then moves (f, c, r: fold, call or check, raise or bet) and community cards in turn, as
"AsKd 7h7c rc Qs7d2c cr"; what a player sees has "??" for the other's hand.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from ... import _core
from ...checks import check_path
from ...errors import BadPosition, IllegalAction
from ...naming import bare, label
from ..native import NativeGame, State
from .notation import CARDS, CATEGORIES, LETTERS, MOVES, WORDS, cards_of, kind_of, written
from .policy import WEIGHTS, Policy, read
from .svg import table

DEAL = 16  # chance's actions are this and the number of the card, from 1
HIDDEN = "??"
ROUNDS = ("preflop", "flop", "turn", "river")
BLIND = 2  # the big one, in small blinds
SHOWN = 12  # kinds of hands in a belief
BOARDS = 1000  # looked at before the flop; later all are


class Holdem(NativeGame):
    """Heads-up limit Texas hold'em."""

    name = "holdem"
    state_space = "3.2·10^14 information sets (Bowling et al. 2015)"
    solved = "essentially (Bowling et al. 2015: the button wins 0.088 big blinds per hand)"

    player_names = ("the button", "the big blind")
    public_actions = True
    estimate_scale = 8.0

    policy: Policy | None = None

    def __init__(self, spec: str) -> None:
        super().__init__(spec, _core.holdem())

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Holdem:
        """The game, with its built-in player if a policy is installed."""
        return trained(WEIGHTS, spec) if WEIGHTS.exists() else cls(spec)

    # -- notation ----------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        return CARDS[code - DEAL - 1] if code >= DEAL else MOVES[code]

    def encode_action(self, key: int, action: Any) -> int:
        if action in MOVES:
            return MOVES.index(action)
        if action in CARDS:
            return DEAL + 1 + CARDS.index(action)
        raise IllegalAction(f"{action!r} is not a move of {self.name}")

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The cards that may be dealt in `s`, with their probabilities."""
        return [(self.decode_action(0, c), p) for c, p in self.handle.outcomes(self.data(s))]

    def format_action(self, s: Any, a: Any) -> str:
        if s is not None and a in ("call", "raise") and self.stakes(s)[0] == self.stakes(s)[1]:
            return "check" if a == "call" else "bet" if self.data(s)[21] == 0 else "raise"
        return str(a)

    def parse_action(self, s: Any, text: str) -> Any:
        plain = str(text).strip().lower()
        return super().parse_action(s, self.format_action(s, WORDS.get(plain, text)))

    def hand(self, s: State, p: int) -> list[int]:
        """The cards of player `p`, from 0, as far as they are dealt."""
        return [c - 1 for c in self.data(s)[8 + 2 * p : 10 + 2 * p] if c]

    def open_cards(self, s: State) -> list[int]:
        return [c - 1 for c in self.data(s)[12:17] if c]

    def moves(self, s: State) -> list[str]:
        """The letters of what was done, round by round."""
        made = int.from_bytes(self.data(s)[:8], "little")
        letters = [LETTERS[made >> i & 3] for i in range(made.bit_length() - 3, -1, -2)]
        rounds = [""]
        for letter in letters:
            rounds[-1] += letter
            if letter == "c" and len(rounds[-1]) > 1 and len(rounds) < 4:
                rounds.append("")
        return rounds

    def stakes(self, s: State) -> tuple[int, int]:
        """What each player has put into the pot."""
        data = self.data(s)
        return data[18], data[19]

    def words(self, s: State) -> list[str]:
        hands = ["".join(CARDS[c] for c in self.hand(s, p)) for p in (0, 1)]
        rounds, board = self.moves(s), [CARDS[c] for c in self.open_cards(s)]
        parts = [*hands]
        for i, cards in enumerate(([], board[:3], board[3:4], board[4:])):
            parts += ["".join(cards), rounds[i] if i < len(rounds) else ""]
        return parts

    def format_state(self, s: State) -> str:
        return " ".join(word for word in self.words(s) if word)

    def parse_state(self, text: str) -> State:
        s, actions = self.initial(), written(text)
        seen: set[str] = set()
        for action in actions:
            if action in seen:
                raise BadPosition(
                    f"{action} appears twice in {text!r}", "each card may appear once"
                )
            if action in CARDS:
                seen.add(action)
        for number, action in enumerate(actions, 1):
            s = self.play_written(s, text, number, action)
        return s

    def observation(self, s: State, p: int) -> str:
        """What player `p` sees: the other's hand is "??"."""
        self.check_player(p)
        words = self.words(s)
        if words[1 - p]:
            words[1 - p] = HIDDEN[: len(words[1 - p]) // 2]
        return " ".join(word for word in words if word)

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A state consistent with what `p` has observed; all deals are equally likely."""
        dealt = self.handle.deal(self.data(s), p, rng.getrandbits(64))
        assert isinstance(dealt, bytes)
        return State(self, dealt)

    # -- what hands are worth ----------------------------------------------------------------
    def likely(self, s: State, p: int) -> list[float]:
        """The probability of each hand of player `p`'s opponent, by the policy if any."""
        if self.policy is not None:
            return self.policy.native.likely(self.handle, self.data(s), 1 - p)
        seen = {*self.hand(s, p), *self.open_cards(s)}
        free = [float(not seen & {a, b}) for a in range(52) for b in range(a)]
        return [x / sum(free) for x in free]

    def equity(self, s: State, p: int) -> float:
        """The share of the pot that player `p` wins on average if nobody folds."""
        hand = self.hand(s, p)
        if len(hand) < 2:
            return 0.5
        return _core.holdem_against(hand, self.open_cards(s), self.likely(s, p), BOARDS)

    def belief_text(self, s: State) -> str:
        """Likely hands of the opponent, and the equity of the player to move against them."""
        p = self.player(s) if not self.is_terminal(s) else 0
        if p < 0 or len(self.hand(s, p)) < 2:
            return ""
        rows = [f"equity: {self.equity(s, p):.1%} of the pot if nobody folds"]
        if made := self.named(s, p):
            rows.append(f"your hand: {made}")
        if self.policy is None:
            return "\n".join([*rows, "against all hands equally likely (no trained policy)"])
        kinds: dict[str, float] = {}
        for i, odds in enumerate(self.likely(s, p)):
            kind = kind_of(*PAIRS[i])
            kinds[kind] = kinds.get(kind, 0.0) + odds
        ranked = sorted(kinds.items(), key=lambda row: -row[1])[:SHOWN]
        likely = "  ".join(f"{kind} {odds:.1%}" for kind, odds in ranked)
        rows.append(f"likely hands of the opponent: {likely}")
        if not self.is_terminal(s):
            often = self.policy.native.odds(self.handle, self.data(s))
            moves = [self.format_action(s, a) for a in self.actions(s)]
            does = "  ".join(f"{a} {x:.0%}" for a, x in zip(moves, often, strict=True))
            rows.append(f"policy: {does}")
        return "\n".join(rows)

    def named(self, s: State, p: int) -> str:
        """What player `p` has at the end: "two pairs"."""
        cards = self.hand(s, p) + self.open_cards(s)
        if len(cards) < 7:
            return ""
        return CATEGORIES[_core.holdem_category(_core.holdem_rank(cards))]

    # -- looks -------------------------------------------------------------------------------
    def reveals_at_end(self, s: State) -> bool:
        """Whether there was a showdown: a player who folded has paid less."""
        return self.stakes(s)[0] == self.stakes(s)[1]

    def board(self, s: State) -> str:
        return self.describe(s, (0, 1))

    def view(self, s: State, p: int) -> str:
        return self.describe(s, (p,))

    def describe(self, s: State, seen: tuple[int, ...]) -> str:
        """Hands, pot and bets in words; only the hands of the players in `seen` are open."""
        rows = []
        for p in (0, 1):
            cards = [CARDS[c] if p in seen else "??" for c in self.hand(s, p)]
            made = self.named(s, p) if p in seen else ""
            name = label(self.player_names[p]) + (" (you)" if seen == (p,) else "")
            rows.append(
                f"{name + ':':<16} {' '.join(cards) or '-':<6} "
                f"in the pot: {self.stakes(s)[p]}{'   ' + made if made else ''}"
            )
        table = " ".join(CARDS[c] for c in self.open_cards(s))
        return "\n".join([*rows, f"{'Community cards:':<16} {table or 'none'}", *self.betting(s)])

    def betting(self, s: State) -> list[str]:
        """What the players did, one line per round: "flop: big blind bets, button calls"."""
        rows = []
        for number, letters in enumerate(self.moves(s)):
            mover, due = min(number, 1), number == 0  # the button pays less before the flop
            actions = []
            for letter in letters:
                word = {"f": "folds", "c": "calls" if due else "checks",
                        "r": "raises" if due or number == 0 else "bets"}[letter]  # fmt: skip
                actions.append(f"{bare(self.player_names[mover])} {word}")
                due = letter == "r"
                mover = 1 - mover
            if actions:
                rows.append(f"{ROUNDS[number]}: {', '.join(actions)}")
        return rows

    def svg(self, s: State) -> str:
        return self.draw(s, (0, 1))

    def observation_svg(self, s: State, p: int) -> str:
        """What player `p` sees: its own cards below, the opponent's face down."""
        self.check_player(p)
        return self.draw(s, (p,))

    def draw(self, s: State, seen: tuple[int, ...]) -> str:
        below = seen[0]
        hands, labels = [], []
        for p in (1 - below, below):
            cards: list[str | None] = [CARDS[c] if p in seen else "" for c in self.hand(s, p)]
            hands.append(cards + [None] * (2 - len(cards)))
            who = label(self.player_names[p]) + (" (you)" if seen == (p,) else "")
            labels.append(f"{who}: {self.stakes(s)[p]} in the pot")
        betting = self.betting(s) or ["no moves yet"]
        return table(self.name, hands, [CARDS[c] for c in self.open_cards(s)], labels, betting)


class Trained(Holdem):
    """Hold'em with a policy from a file as its built-in player."""

    policy: Policy

    def __init__(self, spec: str, path: Path) -> None:
        super().__init__(spec)
        self.path, self.policy = path, read(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Trained, (self.spec, self.path))

    def advise(self, s: State) -> tuple[str | None, dict[str, float]]:
        """An action sampled from the policy; the same observation gives the same action.

        Values are those for player 0 if all further moves are calls.
        """
        p = self.player(s)
        if p < 0:
            return None, {}
        actions = self.actions(s)
        odds = self.policy.native.odds(self.handle, self.data(s))
        rng = random.Random(f"holdem {self.observation(s, p)}")
        action = rng.choices(actions, odds)[0]
        share, paid = self.equity(s, p), self.stakes(s)
        bet = BLIND if len(self.moves(s)) < 3 else 2 * BLIND
        worth = {
            "fold": -float(paid[p]),
            "call": (2 * share - 1) * max(paid),
            "raise": (2 * share - 1) * (max(paid) + bet),
        }
        sign = 1 if p == 0 else -1
        return action, {a: sign * worth[a] for a in actions}

    def abstract_key(self, s: State, p: int) -> str:
        """What player `p` sees, with the group of its hand in place of its cards.

        Hands of one group are played alike: "flop 71 of 100 | rc/cr".
        """
        self.check_player(p)
        hand, board = self.hand(s, p), self.open_cards(s)
        if len(hand) < 2:
            return ""
        high, low = max(hand), min(hand)
        group = self.policy.native.group(board)[high * (high - 1) // 2 + low]
        number = max(0, len(board) - 2)
        name = ("start", "flop", "turn", "river")[number]
        groups = self.policy.native.groups(number)
        return f"{name} {group + 1} of {groups} | {'/'.join(self.moves(s))}"

    def action_odds(self, s: State) -> dict[str, float]:
        """How often the policy takes each action."""
        odds = self.policy.native.odds(self.handle, self.data(s))
        return dict(zip(self.actions(s), odds, strict=True))


PAIRS = [(a, b) for a in range(52) for b in range(a)]  # by number


def equity(one: str, other: str, board: str = "") -> tuple[float, float]:
    """How often the first hand wins and shares the pot against the second, over all boards.

    ``equity("AsAh", "KdKc")``; `board` are the cards that are open already.
    """
    hands = [cards_of(one), cards_of(other), cards_of(board)]
    for cards, text in zip(hands[:2], (one, other), strict=True):
        if len(cards) != 2:
            raise BadPosition(f"{text!r} is not a hand", "expected two cards, e.g. AsKd")
    if len(hands[2]) not in (0, 3, 4, 5):
        raise BadPosition(f"{board!r} is not a board", "expected none, three, four or five cards")
    cards_of(one + other + board)  # each once
    win, share, lose = _core.holdem_equity(*hands)
    return win / (win + share + lose), share / (win + share + lose)


def trained(path: Path | str, spec: str = "holdem") -> Trained:
    """The game with the policy of a file."""
    return Trained(spec, check_path("path", path))
