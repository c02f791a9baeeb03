"""Kriegspiel: notation and drawing. The rules are core/games/kriegspiel.

An action is an attempt, "e2e4": any move that the mover's own men allow. A position is a FEN and
the announcements of the umpire: "FEN; taken e5; check file; refused e4e5 d2d4". Announcements after
the move before the last begin with "earlier": "earlier check rank". A player sees its own men, the
number of opposing men and the announcements.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .. import _core
from ..checks import check_given, check_text
from ..errors import BadPosition, IllegalAction, NotSupported, UsageError
from .chess import fen, svg
from .native import EvaluatedGame, State

CHECKS = ("rank", "file", "long diagonal", "short diagonal", "knight")
PROMOTED = ".nbrq"  # by the piece's number
MAX_REFUSED = 64  # stored in a state; then the observation lists the legal moves
DEALS = 20  # attempts to sample a position


class Earlier(NamedTuple):
    """The announcements after the move before the last, which the player to move made."""

    taken: str = ""
    checks: tuple[str, ...] = ()
    tries: int = 0


class Announced(NamedTuple):
    """The announcements of the umpire, and the refused attempts, which only the mover knows."""

    men: str  # 64 letters from a1 on
    mover: int
    taken: str  # a square, or nothing
    checks: tuple[str, ...]
    tries: int  # captures by pawns that the mover has
    refused: tuple[str, ...]
    earlier: Earlier = Earlier()


class Kriegspiel(EvaluatedGame):
    """Chess where you see only your own pieces."""

    name = "kriegspiel"
    state_space = "about 10^40 positions (as chess)"

    recall = False  # players forget older announcements
    rollout = "none"  # random games last long, and most are drawn
    win_word = "mate"
    player_names = ("White", "Black")

    def __init__(self, spec: str) -> None:
        super().__init__(spec, _core.kriegspiel())

    # -- attempts ---------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        promoted = PROMOTED[code >> 12 & 7] if code >> 12 else ""
        return svg.name_of(code & 63) + svg.name_of(code >> 6 & 63) + promoted

    def encode_action(self, key: int, action: Any) -> int:
        return attempt(str(action))

    def parse_action(self, s: State, text: str) -> str:
        """An attempt; castling is king takes rook, e1g1 or O-O."""
        legal = self.actions(s)
        word = str(text).strip().lower().replace("0", "o")
        if word in ("o-o", "o-o-o", "e1g1", "e1c1", "e8g8", "e8c8") and word not in legal:
            row = "18"[self.player(s)]
            rook = "h" if word == "o-o" or word[2:3] == "g" else "a"
            word = f"e{row}{rook}{row}"
        if word in legal:
            return word
        raise IllegalAction(
            f"{text!r} is not a move that your pieces can try", self._legal_hint(legal)
        )

    # -- positions --------------------------------------------------------------------------
    def announced(self, s: State) -> Announced:
        """The announcements of the umpire."""
        position, taken, checks, tries, tried, before = _core.kriegspiel_parts(self.data(s))
        men, mover, *_ = _core.chess_parts(position)
        return Announced(
            men,
            mover,
            _name_taken(taken),
            _name_checks(checks),
            tries,
            tuple(self.decode_action(0, code) for code in tried),
            Earlier(_name_taken(before[0]), _name_checks(before[1]), before[2]),
        )

    def format_state(self, s: State) -> str:
        position = _core.kriegspiel_parts(self.data(s))[0]
        announced = self.announced(s)
        parts = [fen.format_fen(_core.chess_parts(position))]
        if announced.taken:
            parts.append(f"taken {announced.taken}")
        parts += [f"check {c}" for c in announced.checks]
        before = announced.earlier
        parts += [f"earlier taken {before.taken}"] if before.taken else []
        parts += [f"earlier check {c}" for c in before.checks]
        parts += [f"earlier tries {before.tries}"] if before.tries else []
        if announced.refused:
            parts.append("refused " + " ".join(announced.refused))
        return "; ".join(parts)

    def parse_state(self, text: str) -> State:
        first, *rest = (part.strip() for part in str(text).split(";"))
        if "/" not in first:
            return super().parse_state(text)  # type: ignore[no-any-return]
        words: list[list[int]] = [[0, 0, 0], [0, 0, 0]]  # last, earlier: taken, checks, tries
        tried: list[int] = []
        for part in rest:
            when = words[part.startswith("earlier ")]
            word, _, value = part.removeprefix("earlier ").partition(" ")
            try:
                if word == "taken":
                    when[0] = 1 + square(value)
                elif word == "check":
                    when[1] |= 1 << CHECKS.index(value)
                elif word == "tries" and when is words[1] and len(value) < 9:
                    when[2] = int(value)
                elif word == "refused":
                    tried = [attempt(a) for a in value.split()]
                else:
                    raise ValueError
            except (ValueError, IllegalAction):
                raise BadPosition(
                    f"position {text!r}: unknown announcement {part!r}",
                    "expected taken e5, check " + ", check ".join(CHECKS) + ", refused e2e4 d2d4; "
                    "earlier taken e5 refers to the move before",
                ) from None
        (taken, checks, _), before = words
        flat = _core.kriegspiel_state(fen.parse_fen(first), taken, checks, tried, before)
        if not isinstance(flat, bytes):
            raise BadPosition(
                f"position {text!r} is impossible", "check the rejected moves and the captures"
            )
        return State(self, flat)

    def somewhere(self, men: str, squares: Iterable[str], man: str = "k") -> list[State]:
        """Positions with a hidden piece on each of these squares, White to move, for ``belief=``.

        `men` is the board field of a FEN without that piece, e.g. "8/8/8/8/3RK3/8/8/8".
        """
        check_text("the board", men)
        names = check_given("squares", squares)
        if not names:
            raise UsageError(f"there is no square for the {man}", "name at least one, e.g. e5")
        if not isinstance(man, str) or len(man) != 1 or man not in "PNBRQKpnbrqk":
            raise UsageError(f"{man!r} is not a piece", "expected one of PNBRQK, pnbrqk")
        found = []
        for name in names:
            rows = [re.sub("[1-8]", lambda m: "." * int(m[0]), row) for row in men.split("/")]
            at = square(name)
            x, y = at & 7, 7 - (at >> 3)
            if len(rows) != 8 or any(len(row) != 8 for row in rows) or rows[y][x] != ".":
                raise BadPosition(
                    f"no {man} can stand on {name} in {men!r}",
                    "expected 8 rows of 8 squares in which that square is empty",
                )
            rows[y] = rows[y][:x] + man + rows[y][x + 1 :]
            text = re.sub(r"\.+", lambda m: str(len(m[0])), "/".join(rows))
            found.append(self.parse_state(f"{text} w - - 0 1"))
        return found

    def observation(self, s: State, p: int) -> str:
        """The own pieces, the number of opposing pieces and the announcements, as text."""
        announced = self.announced(s)
        own = "".join(m if mine(m, p) else "." for m in announced.men)
        position = _core.kriegspiel_parts(self.data(s))[0]
        _, _, castle, _, _, number, *_ = _core.chess_parts(position)
        rights = fen.rights(own, castle & _own_squares(own))
        rows = "/".join(own[8 * r : 8 * r + 8] for r in range(7, -1, -1))
        unseen = sum(m != "." and not mine(m, p) for m in announced.men)
        words = [rows, "wb"[announced.mover], rights, str(number), f"{unseen} unseen"]
        words += self.words(announced, announced.mover == p)
        if announced.mover == p and len(announced.refused) == MAX_REFUSED:
            words.append("may play " + " ".join(sorted(self.actions(s))))
        return "; ".join(words)

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A state that is consistent with what player `p` has observed."""
        for _ in range(DEALS):
            found = self.handle.deal(self.data(s), p, rng.getrandbits(64))
            if isinstance(found, bytes):
                return State(self, found)
        raise NotSupported(
            f"no position is consistent with the umpire's announcements to {self.player_names[p]}",
            "pass the possible positions as belief=",
        )

    @staticmethod
    def words(announced: Announced, own_turn: bool) -> list[str]:
        """The announcements of the umpire, in words."""
        words = [f"captured on {announced.taken}"] if announced.taken else []
        words += [f"check by {'a' if c == 'knight' else 'the'} {c}" for c in announced.checks]
        if announced.tries:
            words.append(f"possible pawn captures: {announced.tries}")
        before = announced.earlier
        words += [f"previous move: captured on {before.taken}"] if before.taken else []
        words += [f"previous move: check by the {c}" for c in before.checks]
        words += [f"previous move: possible pawn captures: {before.tries}"] if before.tries else []
        if own_turn and announced.refused:
            words.append("refused " + " ".join(announced.refused))
        return words

    def announcements(self, s: State, p: int) -> list[str]:
        """The last announcements of the umpire to player `p`."""
        announced = self.announced(s)
        return self.words(announced, announced.mover == p)

    # -- looks ------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        return self.rows(s, self.announced(s).men, True)

    def view(self, s: State, p: int) -> str:
        announced = self.announced(s)
        own = "".join(m if mine(m, p) else "." for m in announced.men)
        return self.rows(s, own, announced.mover == p)

    def rows(self, s: State, men: str, own_turn: bool) -> str:
        announced = self.announced(s)
        rows = [f"{r + 1} {' '.join(men[8 * r : 8 * r + 8])}" for r in range(7, -1, -1)]
        over = self.is_terminal(s)
        turn = "the game is over" if over else f"{self.player_names[announced.mover]} to move"
        return "\n".join([*rows, "  a b c d e f g h", turn, *self.words(announced, own_turn)])

    def svg(self, s: State) -> str:
        return svg.board(self.announced(s).men, None, [], None, False)

    def svg_with(self, s: State, actions: Sequence[Any]) -> str:
        return svg.board(self.announced(s).men, None, [a[:4] for a in actions], None, False)

    def observation_svg(self, s: State, p: int) -> str:
        """What player `p` sees, from its side of the board."""
        own = "".join(m if mine(m, p) else "." for m in self.announced(s).men)
        return svg.board(own, None, [], None, p == 1)

    def action_squares(self, s: State, a: Any) -> Sequence[str]:
        return (a[:2], a[2:4])


def _name_taken(number: int) -> str:
    return svg.name_of(number - 1) if number else ""


def _name_checks(bits: int) -> tuple[str, ...]:
    return tuple(c for i, c in enumerate(CHECKS) if bits >> i & 1)


def mine(man: str, p: int) -> bool:
    return man.isupper() if p == 0 else man.islower()


def _own_squares(men: str) -> int:
    return sum(1 << i for i, m in enumerate(men) if m != ".")


def square(name: str) -> int:
    if (
        not isinstance(name, str)
        or len(name) != 2
        or name[0] not in "abcdefgh"
        or name[1] not in "12345678"
    ):
        raise IllegalAction(f"{name!r} is not a square", "expected a1 to h8")
    return svg.square_of(name)


def attempt(text: str) -> int:
    """The number of an attempt, as e2e4 or e7e8q."""
    if len(text) not in (4, 5) or (len(text) == 5 and text[4] not in PROMOTED[1:]):
        raise IllegalAction(f"{text!r} is not a move", "e.g. e2e4 or e7e8q")
    promoted = PROMOTED.index(text[4]) if len(text) == 5 else 0
    return square(text[:2]) | square(text[2:4]) << 6 | promoted << 12
