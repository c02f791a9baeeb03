"""The compass diagram, as text and as a picture."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from ..drawing import place, svg
from .notation import LANE, RANKS, SEAT_NAMES, SEATS, SUITS, TRUMPS, card_name, suit_text

if TYPE_CHECKING:
    from .game import Play

WIDTH = 17  # of a hand in text
SIGNS = "♠♥♦♣"
STEP = 15  # from one card to the next
ROW = 22  # from one suit to the next
PLACES = ((220, 20), (400, 150), (220, 280), (14, 150))  # of the hands, by seat
MIDDLE = ((300, 170), (352, 200), (300, 230), (248, 200))  # of the cards on the table

STYLE = (
    "<style>.hand{font:16px ui-monospace,monospace;fill:#222}.seat{font:bold 13px system-ui,"
    "sans-serif;fill:#556}.red{fill:#c22}.felt{fill:#2f7d57}.laid{fill:#fff;stroke:#556}"
    ".on{font:bold 15px ui-monospace,monospace;text-anchor:middle;fill:#222}.on.red{fill:#c22}"
    ".turn{fill:#2456a6}.foot{font:13px system-ui,sans-serif;fill:#556;text-anchor:middle}"
    "@media(prefers-color-scheme:dark){.hand{fill:#dfe3ea}.red{fill:#ff7b72}.seat,.foot"
    "{fill:#9aa4b2}.felt{fill:#1f5a3e}.turn{fill:#7fb0ff}.laid{fill:#dfe3ea}"
    ".on{fill:#222}.on.red{fill:#c22}}</style>"
)


def _hand_rows(play: Play, seat: int, seen: bool) -> list[str]:
    mark = ">" if play.turn == seat and len(play.played) < 4 * play.cards else " "
    if not seen:
        rows = [f"{play.hands[seat].bit_count()} cards", "", "", ""]
    else:
        rows = [f"{SUITS[suit]} {suit_text(play.hands[seat], suit) or '-'}" for suit in range(4)]
    return [f"{mark}{SEAT_NAMES[seat]}", *(f" {row}" for row in rows)]


def diagram(play: Play, seen: Container[int]) -> str:
    """The four hands round the table, and the current trick between west and east."""
    rows = [_hand_rows(play, seat, seat in seen) for seat in range(4)]
    pad = " " * WIDTH
    lines = [pad + row for row in rows[0]]
    table = {seat: card_name(code) for seat, code in play.table}
    middle = [
        "",
        table.get(0, ".").center(WIDTH),
        f"{table.get(3, '.'):>2}   {table.get(1, '.'):<2}".center(WIDTH),
        table.get(2, ".").center(WIDTH),
        "",
    ]
    for west, between, east in zip(rows[3], middle, rows[1], strict=True):
        lines.append(f"{west:<{WIDTH}}{between:<{WIDTH}}{east}")
    lines += [pad + row for row in rows[2]]
    lines.append(_footer(play))
    return "\n".join(line.rstrip() for line in lines)


def _footer(play: Play) -> str:
    lost = play.tricks - play.won
    return (
        f"{TRUMPS[play.trump]} by {SEAT_NAMES[play.declarer]}; tricks: declarer {play.won}, "
        f"defenders {lost}"
    )


def picture(play: Play, seen: Container[int], legal: Iterable[int], title: str) -> str:
    """The same as SVG; cards that may be played can be clicked."""
    open_cards = set(legal)
    parts = [STYLE, '<rect class="felt" x="220" y="144" width="160" height="110" rx="10"/>']
    for seat, (x, y) in enumerate(PLACES):
        turn = play.turn == seat and len(play.played) < 4 * play.cards
        css = "seat turn" if turn else "seat"
        mark = " •" if turn else ""
        parts.append(f'<text class="{css}" x="{x}" y="{y}">{SEATS[seat]}{mark}</text>')
        if seat not in seen:
            n = play.hands[seat].bit_count()
            parts.append(f'<text class="hand" x="{x}" y="{y + ROW}">{n} cards</text>')
            continue
        for suit in range(4):
            parts.append(_suit_row(play.hands[seat], suit, x, y + ROW * (suit + 1), open_cards))
    for seat, code in play.table:
        parts.append(laid(code, *MIDDLE[seat]))
    parts.append(f'<text class="foot" x="310" y="396">{_footer(play)}</text>')
    return svg(620, 408, title, "".join(parts))


def red(suit: int) -> str:
    return " red" if suit in (1, 2) else ""


def _suit_row(hand: int, suit: int, x: float, y: float, legal: set[int]) -> str:
    parts = [f'<text class="hand{red(suit)}" x="{x}" y="{y}">{SIGNS[suit]}</text>']
    at = x + 20
    for rank in suit_text(hand, suit) or "–":
        parts.append(f'<text class="hand" x="{at:g}" y="{y}">{rank}</text>')
        if rank in RANKS and suit * LANE + RANKS.index(rank) in legal:
            parts.append(place(SUITS[suit] + rank, at - 3, y - 15, STEP, ROW - 2))
        at += STEP
    return "".join(parts)


def laid(code: int, x: float, y: float) -> str:
    """A card on the table."""
    suit = code // LANE
    return (
        f'<rect class="laid" x="{x - 20:g}" y="{y - 15:g}" width="40" height="24" rx="4"/>'
        f'<text class="on{red(suit)}" x="{x:g}" y="{y + 3:g}">{SIGNS[suit]}{RANKS[code % LANE]}'
        "</text>"
    )
