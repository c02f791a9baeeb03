"""PBN files: several deals, each with its tags, its contract and its play."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ... import _core
from ...checks import check_given, check_path, check_text
from ...errors import BadPosition, UsageError
from ...files import read_bytes
from .notation import (
    LANE,
    SEATS,
    TRUMPS,
    Hands,
    card_code,
    card_name,
    format_contract,
    format_deal,
    parse_deal,
    seat_of,
    trump_of,
)

TAG = re.compile(r'^\s*\[(\w+)\s+"([^"]*)"\s*\]')
# Comments, NAGs and note references in a [Play] section; an unclosed comment hides its line.
IGNORED = re.compile(r"\{[^}]*+\}?|;.*|\$\d+|=\d+=")
CARD = re.compile(r"^[SHDC][AKQJT2-9]$")


@dataclass
class PbnGame:
    """One deal of a file."""

    hands: Hands
    tags: dict[str, str]
    trump: int = 4
    declarer: int = 2
    level: int = 0  # 0: no contract is given
    played: list[int] = field(default_factory=list)  # in the order they fell

    @property
    def deal(self) -> str:
        return format_deal(self.hands)

    @property
    def position(self) -> str:
        """As :meth:`Bridge.parse_state` reads it."""
        first = (self.declarer + 1) % 4
        return f"{self.deal} {format_contract(self.trump, self.declarer, first, self.played)}"


def read_pbn(text: str) -> list[PbnGame]:
    """All deals of a PBN text. A tag that is there twice, or an empty line, begins the next."""
    games: list[PbnGame] = []
    tags: dict[str, str] = {}
    rows: list[str] = []
    section = ""

    def finish() -> None:
        if tags.get("Deal"):
            games.append(_make_game(tags, rows))
        tags.clear()
        rows.clear()

    for line in check_text("PBN", text).splitlines():
        if line.startswith(("%", ";")):
            continue
        if not line.strip():
            finish()
            section = ""
            continue
        if found := TAG.match(line):
            section, value = found.groups()
            if section in tags:
                finish()
            tags[section] = value
        elif section == "Play":
            rows.append(IGNORED.sub(" ", line))
    finish()
    if not games:
        raise BadPosition("the text contains no deal", 'expected a line such as [Deal "N:…"]')
    return games


def load_pbn(path: str | Path) -> list[PbnGame]:
    """All deals of a PBN file."""
    text = read_bytes(check_path("path", path), "expected a PBN file").decode("latin-1")
    return read_pbn(text.replace("\r\n", "\n").replace("\r", "\n"))


def write_pbn(games: list[PbnGame]) -> str:
    """The deals as PBN."""
    parts = []
    for number, g in enumerate(check_given("games", games), 1):
        if not isinstance(g, PbnGame):
            raise UsageError(f"{g!r} is not a PbnGame", "expected an item of read_pbn")
        tags = {"Board": str(number)} | g.tags | {"Deal": g.deal}
        if g.level:
            tags |= {"Declarer": SEATS[g.declarer], "Contract": f"{g.level}{TRUMPS[g.trump]}"}
        tags.pop("Play", None)
        rows = [f'[{name} "{value}"]' for name, value in tags.items()]
        if g.played:
            rows += [f'[Play "{SEATS[(g.declarer + 1) % 4]}"]', *_play_rows(g), "*"]
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


def _make_game(tags: dict[str, str], rows: list[str]) -> PbnGame:
    g = PbnGame(parse_deal(tags["Deal"]), dict(tags))
    contract = re.match(r"^([1-7])(S|H|D|C|NT)(X{0,2})$", tags.get("Contract", ""))
    if contract and tags.get("Declarer", "").strip("^"):
        g.level, g.trump = int(contract[1]), trump_of(contract[2])
        g.declarer = seat_of(tags["Declarer"].strip("^"))
        if rows:
            g.played = _order_of_play(g, seat_of(tags["Play"]), rows)
    return g


def _order_of_play(g: PbnGame, column: int, rows: list[str]) -> list[int]:
    """The cards as they fell: PBN keeps a column for each seat, from `column` on."""
    played: list[int] = []
    leader = (g.declarer + 1) % 4
    for row in rows:
        cards: dict[int, int] = {}
        for i, word in enumerate(row.split()[:4]):
            if CARD.match(word.upper()):
                cards[(column + i) % 4] = card_code(word)
        for i in range(4):
            if (seat := (leader + i) % 4) not in cards:
                return played
            played.append(cards[seat])
        data = _core.bridge_state(list(g.hands), g.trump, g.declarer, (g.declarer + 1) % 4, played)
        if not data:
            raise BadPosition(
                f"the play {' '.join(map(card_name, played))} is not legal",
                "the columns of [Play] are the seats, starting with the one it names",
            )
        leader = winner(g.trump, leader, played[-4:])
    return played


def winner(trump: int, leader: int, trick: list[int]) -> int:
    """Who takes a trick."""
    led = trick[0] // LANE

    def strength(code: int) -> int:
        suit, rank = divmod(code, LANE)
        return rank + (200 if suit == trump else 100 if suit == led else 0)

    return (leader + max(range(4), key=lambda i: strength(trick[i]))) % 4


def _play_rows(g: PbnGame) -> list[str]:
    """[Play]'s rows: a column a seat, from the first leader on."""
    first = leader = (g.declarer + 1) % 4
    rows = []
    for start in range(0, len(g.played), 4):
        trick = g.played[start : start + 4]
        seats = {(leader + i) % 4: card_name(c) for i, c in enumerate(trick)}
        rows.append(" ".join(seats.get((first + i) % 4, "- ") for i in range(4)).rstrip())
        if len(trick) == 4:
            leader = winner(g.trump, leader, trick)
    return rows
