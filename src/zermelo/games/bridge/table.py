"""Double-dummy tables: the tricks of every contract of a deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ... import _core
from ...checks import check_text
from ...errors import UsageError
from ..native import State
from .game import Bridge
from .notation import SEATS, TRUMPS, format_deal, parse_deal, seat_of, trump_of

ROWS = "NSEW"
COLUMNS = ("C", "D", "H", "S", "NT")


class ContractTable:
    """The tricks of declarer in all 20 contracts, by trump suit and declarer.

    Example:
        >>> import zermelo
        >>> table = zermelo.double_dummy("N:AK... QJ... T9... 87...")
        >>> table["NT", "N"], len(table)
        (2, 20)
    """

    def __init__(self, deal: str, tricks: dict[tuple[str, str], int]) -> None:
        self.deal = deal
        self.tricks = tricks

    def __getitem__(self, which: tuple[str, str]) -> int:
        if not isinstance(which, tuple) or len(which) != 2:
            raise UsageError(
                f"{which!r} is not a contract",
                'expected a trump suit and a declarer, e.g. "NT", "S"',
            )
        trump, seat = which
        return self.tricks[TRUMPS[trump_of(trump)], SEATS[seat_of(seat)]]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.tricks)

    def __len__(self) -> int:
        return len(self.tricks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContractTable) and self.tricks == other.tricks

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        rows = ["  " + "".join(f"{name:>4}" for name in COLUMNS)]
        rows += [
            f"{seat} " + "".join(f"{self.tricks[trump, seat]:>4}" for trump in COLUMNS)
            for seat in ROWS
        ]
        return "\n".join(rows)

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """As JSON: by declarer, then by trump."""
        return {
            "deal": self.deal,
            "tricks": {s: {t: self.tricks[t, s] for t in COLUMNS} for s in ROWS},
        }


def double_dummy(deal: Any) -> ContractTable:
    """Solve all 20 contracts of a bridge deal with open cards.

    Args:
        deal: A PBN text or a state of bridge.

    Returns:
        The tricks of declarer, by trump suit and declarer.

    Raises:
        UsageError: The deal is invalid.

    Example:
        >>> import zermelo
        >>> zermelo.double_dummy("N:AK... QJ... T9... 87...")["S", "N"]
        2
    """
    if isinstance(deal, State):
        if not isinstance(deal.game, Bridge):
            raise UsageError(f"{deal!r} is not a deal", "expected a PBN text or a state of bridge")
        hands: Sequence[int] = _core.bridge_dealt(deal.data)
    else:
        hands = parse_deal(" ".join(check_text("a deal", deal).split()[:4]))
    cards = hands[0].bit_count()
    found = _core.bridge_table(list(hands))
    tricks = {}
    for trump, name in enumerate(TRUMPS):
        for declarer, seat in enumerate(SEATS):
            north_south = found[trump][(declarer + 1) % 4]
            tricks[name, seat] = cards - north_south if declarer % 2 else north_south
    return ContractTable(format_deal(hands), tricks)
