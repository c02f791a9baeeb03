"""Monopoly: notation and drawing. The rules are core/games/monopoly.

Squares have plain names: streets by colour and letter ("RedA"), stations and works by number. A
position is the turn, then each player's money, square, attempts in jail and jail cards, then the
owned lots with houses (+2) or mortgaged (~):
``round 3 player 0 buy lot RedA dice 7 | 1500@21 980@jail1*1 | BrownA=0+2 PinkC=1~``
"""

from __future__ import annotations

import re
import struct
from typing import Any

from .. import _core
from ..errors import BadPosition, IllegalAction
from ..naming import default_names, label
from ..options import Option
from .drawing import svg
from .native import EvaluatedGame, State

COLOURS = {
    "Brown": "#8d5a36", "Sky": "#7cc4e8", "Pink": "#d0529b", "Orange": "#ee8f2f",
    "Red": "#d93636", "Yellow": "#e7cf3a", "Green": "#2f9d55", "Blue": "#2b55b8",
}  # fmt: skip
SQUARES = [
    "Start", "BrownA", "Fund", "BrownB", "IncomeTax", "Station1", "SkyA", "Luck", "SkyB", "SkyC",
    "Visit", "PinkA", "Works1", "PinkB", "PinkC", "Station2", "OrangeA", "Fund", "OrangeB",
    "OrangeC", "Rest", "RedA", "Luck", "RedB", "RedC", "Station3", "YellowA", "YellowB", "Works2",
    "YellowC", "Arrest", "GreenA", "GreenB", "Fund", "GreenC", "Station4", "Luck", "BlueA",
    "WealthTax", "BlueB",
]  # fmt: skip
LOT_SQUARES = [
    i for i, name in enumerate(SQUARES)
    if name.rstrip("ABC") in COLOURS or name[-1].isdigit()
]  # fmt: skip
LOTS = [SQUARES[i] for i in LOT_SQUARES]
PRICES = _core.monopoly_prices()  # of the lots, in the same order
JAIL = 40
PHASES = ("turn", "roll", "buy", "offer", "trade", "luck", "fund", "over")
ACTIONS = ("roll", "bail", "card", "build", "redeem", "ask", "yes", "no")
LUCK = (
    "go to Start", "go to RedC", "go to PinkA", "go to Station1", "go to BlueB",
    "go to the next works", "go to the next station", "get 50", "get 150", "pay 15",
    "pay 50 to each", "keep a jail card", "go back 3", "go to jail", "repairs 25 and 100",
)  # fmt: skip
FUND = (
    "go to Start", "get 200", "get 100", "get 50", "get 25", "get 20", "get 10", "pay 50",
    "pay 100", "get 10 from each", "keep a jail card", "go to jail", "repairs 40 and 115",
)  # fmt: skip
FUND_CARDS = 32
DICE, CARD = 8, 9
PLAYERS = 6
NAMES = default_names(PLAYERS)
LAYOUT = struct.Struct("<6i28B6B6B6B6BHBB")
QUESTIONS = {
    "buy": "{mover} lands on {lot}: buy {lot} for ${price}?",
    "offer": "{asked}: buy {lot} for ${price}?",
    "trade": "{mover} offers {asked} ${price} for {lot}",
    "luck": "{mover} draws a Luck card",
    "fund": "{mover} draws a Fund card",
    "roll": "{mover} rolls the dice", "turn": "{mover} to act or roll",
    "over": "the game is over",
}  # fmt: skip


class Seen:
    """The fields of a position."""

    def __init__(self, data: bytes) -> None:
        v = LAYOUT.unpack(data)
        self.cash, self.lot, self.place = list(v[:6]), list(v[6:34]), list(v[34:40])
        self.tries, self.kept = list(v[40:46]), list(v[46:52])
        self.mover, self.phase, self.doubles, self.subject, self.asked, self.traded = v[52:58]
        self.round, self.rolled, _ = v[58:]

    def data(self) -> bytes:
        head = (self.mover, self.phase, self.doubles, self.subject, self.asked, self.traded)
        return LAYOUT.pack(
            *self.cash, *self.lot, *self.place, *self.tries, *self.kept, *head, self.round,
            self.rolled, 0,
        )  # fmt: skip

    def question(self) -> str:
        lot, price = LOTS[self.subject], PRICES[self.subject]
        price = 2 * price if PHASES[self.phase] == "trade" else price
        text = QUESTIONS[PHASES[self.phase]]
        return text.format(mover=NAMES[self.mover], asked=NAMES[self.asked], lot=lot, price=price)


class Monopoly(EvaluatedGame):
    """Buy, build, collect rent; 2 to 6 players, dice and cards."""

    name = "monopoly"
    options = (
        Option("players", 4, range(2, PLAYERS + 1), "number of players"),
        Option("rounds", 100, range(1, 10_001), "rounds after which the game ends"),
        Option("money", 1500, range(1, 50_000_001), "money at the start"),
        Option("score", "win", ("win", "wealth"), "utility: winning, or the share of the wealth"),
    )

    evaluations = ("wealth",)
    prefers = "mcts"  # few decisions between rolls: max^n sees only one move ahead

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Monopoly:
        wealth = options["score"] == "wealth"
        handle = _core.monopoly(options["players"], options["rounds"], options["money"], wealth)
        game = cls(spec, handle)
        game.player_names = NAMES[: game.players]
        return game

    def decode_action(self, key: int, code: int) -> str:
        kind, what = code >> 8, code & 0xFF
        if kind == DICE:
            return f"{what >> 1}{' double' if what & 1 else ''}"
        if kind == CARD:
            return f"{FUND[what - FUND_CARDS]}" if what >= FUND_CARDS else LUCK[what]
        name = ACTIONS[kind]
        return f"{name} {LOTS[what]}" if name in ("build", "redeem", "ask") else name

    def encode_action(self, key: int, action: Any) -> int:
        raise NotImplementedError  # both decks can contain the same card: see result

    def result(self, s: State, a: Any) -> State:
        data = self.data(s)
        player = self.handle.to_move(data)
        if player != -2:
            chance = player == -1
            codes = (
                [c for c, _ in self.handle.outcomes(data)] if chance else self.handle.actions(data)
            )
            for code in codes:
                if self.decode_action(0, code) == a:
                    return State(self, self.handle.play(data, code))
        legal = self.actions(s)
        if not legal:
            raise IllegalAction(f"{a!r} cannot be played: the game is over", "take back a move")
        raise IllegalAction(f"{a!r} is not a legal action here", self._legal_hint(legal))

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The outcomes of the dice or cards, with their probabilities."""
        return [(self.decode_action(0, c), p) for c, p in self.handle.outcomes(self.data(s))]

    def seen(self, s: State) -> Seen:
        return Seen(self.data(s))

    # -- text ------------------------------------------------------------------------------
    def format_state(self, s: State) -> str:
        v = self.seen(s)
        phase = PHASES[v.phase]
        head = f"round {v.round} player {v.mover} {phase}"
        if phase in ("buy", "offer", "trade"):
            head += f" lot {LOTS[v.subject]}"
        head += f" asked {v.asked}" if phase in ("offer", "trade") else ""
        head += f" dice {v.rolled}" if v.rolled else ""
        head += f" doubles {v.doubles}" if v.doubles else ""
        head += " traded" if v.traded else ""
        players = []
        for p in range(self.players):
            if v.cash[p] < 0:
                players.append("out")
                continue
            jail = f"jail{v.tries[p] or ''}"
            place = jail if v.place[p] == JAIL else str(v.place[p])
            players.append(f"{v.cash[p]}@{place}" + (f"*{v.kept[p]}" if v.kept[p] else ""))
        lots = []
        for name, bits in zip(LOTS, v.lot, strict=True):
            if bits & 7:
                more = "~" if bits & 8 else f"+{bits >> 4}" if bits >> 4 else ""
                lots.append(f"{name}={(bits & 7) - 1}{more}")
        return " | ".join([head, " ".join(players), " ".join(lots)]).rstrip(" |")

    def parse_state(self, text: str) -> State:
        try:
            data = self.read(text)
        except (ValueError, IndexError, KeyError, struct.error):
            data = b""
        if not self.handle.valid(data):
            like = self.format_state(self.initial())
            raise BadPosition(f"{text!r} is not a position of {self.name}", f"e.g. {like!r}")
        return State(self, data)

    def read(self, text: str) -> bytes:
        head, players, *lots = (*text.split("|"), "")
        v = Seen(bytes(LAYOUT.size))
        v.cash = [-1] * PLAYERS
        words = head.split()
        v.phase = PHASES.index(words[4])
        if words[0] != "round" or words[2] != "player":
            raise ValueError
        v.round, v.mover = int(words[1]), int(words[3])
        rest = iter(words[5:])
        for word in rest:
            if word == "lot":
                v.subject = LOTS.index(next(rest, ""))
            elif word == "traded":
                v.traded = 1
            else:
                field = {"asked": "asked", "dice": "rolled", "doubles": "doubles"}[word]
                setattr(v, field, int(next(rest, "")))
        fields = players.split()
        if len(fields) != self.players:
            raise ValueError
        for p, word in enumerate(fields):
            if word == "out":
                continue
            m = re.fullmatch(r"(\d+)@(?:(\d+)|jail(\d?))(?:\*(\d))?", word, re.ASCII)
            if m is None:
                raise ValueError
            v.cash[p] = int(m[1])
            v.place[p] = JAIL if m[2] is None else int(m[2])
            if m[2] is not None and v.place[p] == JAIL:
                raise ValueError
            v.tries[p], v.kept[p] = int(m[3] or 0), int(m[4] or 0)
        for word in lots[0].split() if lots else ():
            m = re.fullmatch(r"(\w+)=(\d)(~|\+(\d))?", word, re.ASCII)
            if m is None or v.lot[LOTS.index(m[1])]:
                raise ValueError
            bits = int(m[2]) + 1 | (8 if m[3] == "~" else 0) | int(m[4] or 0) << 4
            v.lot[LOTS.index(m[1])] = bits
        return v.data()

    def board(self, s: State) -> str:
        v = self.seen(s)
        rows = [f"round {v.round}: {v.question()}"]
        for p in range(self.players):
            if v.cash[p] < 0:
                rows.append(f"{label(NAMES[p])}: out of the game")
                continue
            where = "Jail" if v.place[p] == JAIL else SQUARES[v.place[p]]
            cards = f", {v.kept[p]} jail card{'s' * (v.kept[p] > 1)}" if v.kept[p] else ""
            own = [
                name + ("~" if b & 8 else f"+{b >> 4}" if b >> 4 else "")
                for name, b in zip(LOTS, v.lot, strict=True)
                if (b & 7) == p + 1
            ]
            rows.append(
                f"{label(NAMES[p]) + ':':<15}{f'${v.cash[p]}':>7} on {where}{cards}"
                + (f"; owns {' '.join(own)}" if own else "")
            )
        return "\n".join(rows)

    def svg(self, s: State) -> str:
        return picture(self.seen(s), self.players)


# -- the picture -----------------------------------------------------------------------------
SIDE, CORNER = 54, 70
TOKENS = ("#d64545", "#e8b923", "#2456a6", "#2f9d55", "#7c3aed", "#0f766e")


def spot(square: int) -> tuple[float, float, float, float]:
    """Where a square lies: x, y, width, height; the start at the bottom right."""
    far = CORNER + 9 * SIDE
    side, at = divmod(square, 10)
    along = far if at == 0 else far - SIDE * at
    wide = CORNER if at == 0 else SIDE
    if side == 0:
        return along, far, wide, CORNER
    if side == 1:
        return 0, along, CORNER, wide
    back = 0 if at == 0 else CORNER + SIDE * (at - 1)
    return (back, 0, wide, CORNER) if side == 2 else (far, back, CORNER, wide)


def picture(v: Seen, players: int) -> str:
    """The ring of squares with owners, houses and tokens; money in the middle."""
    size = 2 * CORNER + 9 * SIDE
    parts = []
    for square, name in enumerate(SQUARES):
        x, y, w, h = spot(square)
        parts.append(f'<rect class="line" x="{x}" y="{y}" width="{w}" height="{h}"/>')
        colour = COLOURS.get(name.rstrip("ABC"))
        if colour:
            parts.append(
                f'<rect fill="{colour}" x="{x + 2}" y="{y + 2}" width="{w - 4}" height="9"/>'
            )
        parts.append(words(x + w / 2, y + 24, name, 10 if len(name) < 9 or w > SIDE else 9))
        if square in LOT_SQUARES:
            parts.append(owned(v.lot[LOT_SQUARES.index(square)], x, y, w, h))
    for p in range(players):
        if v.cash[p] >= 0:
            behind = v.place[p] == JAIL
            x, y, w, h = spot(10 if behind else v.place[p])
            at = (x + 11 + 11 * (p % 4), y + (h - 12 if behind else 36 + 11 * (p // 4)))
            parts.append(f'<circle fill="{TOKENS[p]}" cx="{at[0]}" cy="{at[1]}" r="5"/>')
    parts.append(words(size / 2, size / 2 - 70, f"round {v.round}: {v.question()}", 15))
    for p in range(players):
        status = "out" if v.cash[p] < 0 else f"{v.cash[p]}" + (" in jail" * (v.place[p] == JAIL))
        y = size / 2 - 36 + 26 * p
        parts.append(f'<circle fill="{TOKENS[p]}" cx="{size / 2 - 78}" cy="{y - 5}" r="7"/>')
        parts.append(words(size / 2 - 60, y, f"{label(NAMES[p])}: {status}", 15, "start"))
    return svg(size, size, "monopoly", "".join(parts))


def owned(bits: int, x: float, y: float, w: float, h: float) -> str:
    """The owner's mark, houses as squares, a hotel as a wider one; mortgaged: hollow."""
    if not bits & 7:
        return ""
    colour = TOKENS[(bits & 7) - 1]
    fill = "none" if bits & 8 else colour
    mark = (
        f'<rect fill="{fill}" stroke="{colour}" stroke-width="2" x="{x + 6}" y="{y + h - 11}" '
        f'width="{w - 12}" height="5"/>'
    )
    houses = bits >> 4
    if houses == 5:
        return (
            mark + f'<rect class="stone" x="{x + w / 2 - 12}" y="{y + 3}" width="24" height="7"/>'
        )
    return mark + "".join(
        f'<rect class="stone" x="{x + 6 + 11 * i}" y="{y + 3}" width="7" height="7"/>'
        for i in range(houses)
    )


def words(x: float, y: float, what: str, size: int = 10, anchor: str = "middle") -> str:
    style = f"font-size:{size}px;text-anchor:{anchor}"
    return f'<text class="text" style="{style}" x="{x:g}" y="{y:g}">{what}</text>'
