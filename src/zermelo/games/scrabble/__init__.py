"""Scrabble: notation and drawing. Rules, move generator and players are core/games/scrabble.

A play is where it begins and the word, along "8H WORD" (row, then column) or down "H8 WORD", with
letters that lie there already; a blank is in lower case. "exchange AEI?" gives tiles back, "pass"
does nothing. A position is the rows of the board from the top (numbers for free cells), the racks,
the scores, who moves, the turns without points, and the last play with its points; the bag is the
rest, and chance draws what racks lack: "15/…/7CAT5/… AEINRS?,- 10,0 1 0 last=8H:CAT:10".
"""

from __future__ import annotations

import math
import random
import re
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from ... import _core
from ...errors import BadPosition, IllegalAction, UsageError
from ...game import Game
from ...naming import default_names, label
from ...options import Option
from ..native import EvaluatedGame, State
from .svg import picture
from .table import ALL, CELLS, KINDS, RACK, SIZE, Table, premium, tiles_of
from .words import find, word_list

PLAY = re.compile(r"(?:(\d{1,2})([A-Oa-o])|([A-Oa-o])(\d{1,2}))[: ]+([A-Za-z]+)")
EXCHANGE, PLAYS = 32, 1 << 23  # below: chance's draws; from here on: exchanges, plays
HEAD = struct.Struct("<Ihhh")
# The largest accepted arguments of `simulate`.
MAX_SIMULATED = {"candidates": 10_000, "deals": 1_000_000, "plies": 1000, "seed": 2**64 - 1}
UNSEEN = 10.0, 8.0  # the doubt about the end: these, the second by the root of the unseen tiles


class Scrabble(EvaluatedGame):
    """Form words from hidden racks; needs a word list file."""

    name = "scrabble"
    player_names = default_names(2)
    options = (
        Option("words", "default", None, "word list: a text file", builtin=lambda: ["default"]),
        Option("score", "points", ("points", "win"), "utility: difference of points, or winning"),
    )
    # Declared, not derived: the game cannot be loaded without a word list.
    classification: ClassVar = {"players": "2", "chance": True, "hidden": True, "zero_sum": True}

    def __init__(self, spec: str, words: str, points: bool) -> None:
        self.words = word_list(find(words))
        self.points = points
        self.listed: tuple[bytes, dict[str, int]] = b"", {}
        super().__init__(spec, _core.scrabble(self.words, points))

    @classmethod
    def from_options(cls, spec: str, **options: Any) -> Scrabble:
        return cls(spec, options["words"], options["score"] == "points")

    # -- actions --------------------------------------------------------------------------------
    def decode_action(self, key: int, code: int) -> str:
        if code >= PLAYS:
            cell, down, word = self.play_of(code)
            return f"{_place_name(cell, down)} {word}"
        found: Any = _core.scrabble_named(self.handle, code)
        drawn, tiles = found
        return str(tiles) if drawn else f"exchange {tiles}" if tiles else "pass"

    def play_of(self, code: int) -> tuple[int, bool, str]:
        """First cell, direction and letters (blanks in lower case) of a play."""
        found: Any = _core.scrabble_named(self.handle, code)
        cell, down, word = found
        return cell, down, word

    def encode_action(self, key: int, action: Any) -> int:
        text = str(action)
        if text == "pass":
            return EXCHANGE
        if len(text) == 1 and text in ALL:
            return ALL.index(text)
        if text.startswith("exchange "):
            return _core.scrabble_exchange(text[9:])
        if found := PLAY.fullmatch(text):
            cell, down, word = placed(found)
            code = _core.scrabble_code(self.handle, cell, down, word)
            if isinstance(code, int):
                return code
        raise IllegalAction(f"{text!r} is not a play", "e.g. 8H WORD, exchange ABC, or pass")

    def codes(self, s: State) -> dict[str, int]:
        """The actions with their native numbers; those of the last state are remembered."""
        data = self.data(s)
        if self.listed[0] != data:
            codes = [] if self.is_terminal(s) else self.handle.actions(data)
            self.listed = data, {self.decode_action(0, code): code for code in codes}
        return self.listed[1]

    def actions(self, s: State) -> list[Any]:
        return super().actions(s) if self.player(s) == -1 else list(self.codes(s))

    def outcomes(self, s: State) -> list[tuple[str, float]]:
        """The tiles that may be drawn, with the odds."""
        return [(self.decode_action(0, code), p) for code, p in self.handle.outcomes(self.data(s))]

    def parse_action(self, s: State, text: str) -> str:
        legal = self.actions(s)
        wanted = " ".join(str(text).split())
        if wanted in legal:
            return wanted
        found = PLAY.fullmatch(wanted)
        if not found or self.player(s) < 0:
            word, _, tiles = wanted.partition(" ")
            exchange = f"exchange {''.join(sorted(tiles.upper(), key=ALL.find))}"
            if word.lower() in ("exchange", "pass") and (exchange in legal or not tiles):
                wanted = exchange if tiles else word.lower()
            return str(super().parse_action(s, wanted))
        cell, down, word = placed(found)
        for other in (word, word.upper()):
            for at, way, letters in self.table(s).writings(cell, down, other):
                name = f"{_place_name(at, way)} {letters}"
                if name in legal:
                    return name
        fault = Table(self.table(s).board).fault(cell, down, word, self.rack(s), self.words.has)
        raise IllegalAction(
            f"{wanted!r} cannot be played: {fault}", "e.g. 8H WORD across, or H8 WORD down"
        )

    # -- positions ------------------------------------------------------------------------------
    def table(self, s: State) -> Table:
        data = self.data(s)
        last, a, b, gained = HEAD.unpack_from(data)
        at = HEAD.size
        fields = [data[at + CELLS + KINDS * i : at + CELLS + KINDS * (i + 1)] for i in range(4)]
        at += CELLS + 4 * KINDS + 100
        return Table(
            board="".join(_cell_text(tile) for tile in data[HEAD.size : HEAD.size + CELLS]),
            racks=(tiles_of(fields[0]), tiles_of(fields[1])),
            bag=tiles_of(fields[2]),
            aside=tiles_of(fields[3]),
            order="".join(ALL[n - 1] for n in data[at - 100 : at] if n),
            scores=(a, b),
            mover=data[at + 1],
            idle=data[at + 2],
            last=last,
            gained=gained,
        )

    def rack(self, s: State) -> str:
        """The mover's tiles."""
        t = self.table(s)
        return t.racks[t.mover]

    def format_state(self, s: State) -> str:
        t = self.table(s)
        words = [t.rows(), ",".join(r or "-" for r in t.racks), f"{t.scores[0]},{t.scores[1]}",
                 str(t.mover), str(t.idle)]  # fmt: skip
        words += [f"last={self.last_text(t)}"] if t.last else []
        words += [f"aside={t.aside}"] if t.aside else []
        words += [f"bag={t.order}"] if t.order else []
        return " ".join(words)

    def last_text(self, t: Table) -> str:
        """The last play and its points, or how many tiles were exchanged."""
        if t.last < PLAYS:
            return f"exchange:{t.last}"
        return f"{self.decode_action(0, t.last).replace(' ', ':')}:{t.gained}"

    def parse_state(self, text: str) -> State:
        words = str(text).split()
        if not words or "/" not in words[0]:
            return super().parse_state(text)  # type: ignore[no-any-return]
        try:
            t = Table.read(words)
            last, gained = self.parse_last(t.extra.get("last", ""))
        except BadPosition as e:
            raise BadPosition(f"position {text!r}: {e.message}", e.hint) from None
        data = t.flat(last, gained)
        if not self.handle.valid(data):
            raise BadPosition(
                f"position {text!r} is impossible",
                "racks have at most 7 tiles, a rack is empty only at the end, and last= is a play",
            )
        return State(self, data)

    def parse_last(self, word: str) -> tuple[int, int]:
        if not word:
            return 0, 0
        play, _, points = word.rpartition(":")
        try:
            if play == "exchange" and 1 <= int(points) <= RACK:
                return int(points), 0
            return self.encode_action(0, play.replace(":", " ")), int(points)
        except (ValueError, IllegalAction):
            raise BadPosition(f"last={word} is not a play", "e.g. last=8H:WORD:24") from None

    # -- what a player knows --------------------------------------------------------------------
    def observation(self, s: State, p: int) -> str:
        """What player `p` sees: the board, its own tiles and the number of the opponent's."""
        t = self.table(s)
        words = [t.rows(), f"rack {t.racks[p] or '-'}", f"other {len(t.racks[1 - p])}"]
        words += [f"scores {t.scores[0]},{t.scores[1]}", f"mover {t.mover}", f"idle {t.idle}"]
        words += [f"last {self.last_text(t)}"] if t.last else []
        if t.aside:
            words.append(f"aside {len(t.aside) if t.mover == p else t.aside}")
        return "; ".join([*words, *(["over"] if self.is_terminal(s) else [])])

    def sample(self, s: State, p: int, rng: random.Random) -> State:
        """A state consistent with what player `p` has observed: new hidden tiles are drawn."""
        found = self.handle.deal(self.data(s), p, rng.getrandbits(64))
        assert isinstance(found, bytes)
        return State(self, found)

    def unseen(self, s: State, p: int) -> str:
        """The tiles that player `p` does not see, sorted."""
        t = self.table(s)
        return _tiles_sorted(t.bag + t.racks[1 - p] + (t.aside if t.mover == p else ""))

    def belief_text(self, s: State) -> str:
        """The tiles that the player to move does not see."""
        if self.is_terminal(s) or self.player(s) < 0:
            return ""
        p = self.player(s)
        counts = Counter(self.unseen(s, p))
        return "unseen: " + " ".join(f"{k}{n}" for k, n in sorted(counts.items()))

    # -- players --------------------------------------------------------------------------------
    def worth(self, s: State, p: int, gain: float) -> float:
        """The value for player 0, in the unit of the utility, if player `p` gains `gain` points."""
        a, b = self.table(s).scores
        spread = a - b + (gain if p == 0 else -gain)
        unit = UNSEEN[0] + UNSEEN[1] * math.sqrt(len(self.unseen(s, p)))
        return spread if self.points else math.tanh(spread / unit)

    def advise(self, s: State) -> tuple[str | None, dict[str, float]]:
        """The move of the greedy player: points now plus the value of the remaining tiles."""
        p = self.player(s)
        if p < 0:
            return None, {}
        rows = _core.scrabble_weighed(self.handle, self.data(s))
        values = {self.decode_action(0, code): self.worth(s, p, equity) for code, _, equity in rows}
        return next(iter(values)), values

    def simulate(
        self, s: State, candidates: int = 10, deals: int = 100, plies: int = 2, seed: int = 0
    ) -> dict[str, float]:
        """The best `candidates` by :meth:`advise`, each tried in the same `deals` deals.

        Both play greedily for `plies` turns; the mover's mean lead in points, the best first.
        """
        arguments = {"candidates": candidates, "deals": deals, "plies": plies, "seed": seed}
        for name, number in arguments.items():
            least, most = int(name in ("candidates", "deals")), MAX_SIMULATED[name]
            whole = isinstance(number, int) and not isinstance(number, bool)
            if not whole or not least <= number <= most:
                raise UsageError(
                    f"invalid {name}={number!r}",
                    f"expected a whole number from {least} to {most:,}",
                )
        rows = _core.scrabble_simulated(self.handle, self.data(s), candidates, deals, plies, seed)
        return {self.decode_action(0, code): value for code, _, value in rows}

    # -- looks ----------------------------------------------------------------------------------
    def board(self, s: State) -> str:
        t = self.table(s)
        return "\n".join([*t.lines(), *self.describe(s, t.racks)])

    def view(self, s: State, p: int) -> str:
        return "\n".join([*self.table(s).lines(), *self.describe(s, self.shown(s, p))])

    def observation_text(self, s: State, p: int) -> str:
        """What the studio shows player `p`."""
        return self.view(s, p)

    def shown(self, s: State, p: int) -> tuple[str, str]:
        """The racks as player `p` sees them, the opponent's face down."""
        a, b = self.table(s).racks
        return (a, "_" * len(b)) if p == 0 else ("_" * len(a), b)

    def describe(self, s: State, racks: Sequence[str]) -> list[str]:
        """Racks, scores and the last play, in words."""
        t = self.table(s)
        over = self.is_terminal(s)
        mover = -1 if over else self.player(s)
        lines = []
        for p in (0, 1):
            turn = ">" if p == mover else " "
            who = f"{label(self.player_names[p])}:"
            lines.append(f"{turn} {who:<15}{t.scores[p]:>4}  {' '.join(racks[p])}".rstrip())
        lines.append(f"  Tiles in the bag: {len(t.bag)}" + ("; the game is over" if over else ""))
        if t.last:
            name, _, points = self.last_text(t).rpartition(":")
            play = f"{name.replace(':', ' ')}, {points} points"
            lines.append(f"  Last move: {play if t.last >= PLAYS else f'exchanged {points}'}")
        return lines

    def svg(self, s: State) -> str:
        return self.drawn(s, self.table(s).racks, ())

    def svg_with(self, s: State, actions: Sequence[Any]) -> str:
        return self.drawn(s, self.table(s).racks, actions)

    def observation_svg(self, s: State, p: int) -> str:
        """What player `p` sees, the opponent's tiles face down."""
        return self.drawn(s, self.shown(s, p), ())

    def drawn(self, s: State, racks: Sequence[str], actions: Sequence[Any]) -> str:
        t = self.table(s)
        meant: dict[int, str] = {}
        for a in actions[:1]:
            if found := PLAY.fullmatch(str(a)):
                meant = dict(Table(t.board).cells(*placed(found)))
        fresh: set[int] = set()
        if t.last >= PLAYS:
            cell, down, word = self.play_of(t.last)
            fresh = {i for i, _ in Table(t.board).cells(cell, down, word)}
        bottom = self.describe(s, racks)[2:]
        marks = [premium(i) for i in range(CELLS)]
        names = zip(self.player_names, t.scores, strict=True)
        labels = [f"{label(name)}: {score}" for name, score in names]
        return picture(self.name, t.board, marks, racks, labels, fresh, meant, bottom)

    def action_squares(self, s: State, a: Any) -> Sequence[str]:
        found = PLAY.fullmatch(str(a))
        return (
            (_place_name(placed(found)[0], False),) if found else ()
        )  # an exchange is on no square


def _place_name(cell: int, down: bool) -> str:
    """Row and column; the column first for a play down."""
    row, column = str(cell // SIZE + 1), chr(ord("A") + cell % SIZE)
    return column + row if down else row + column


def placed(found: re.Match[str]) -> tuple[int, bool, str]:
    """Cell, direction and letters of a play as it is written."""
    row, column = found[1] or found[4], (found[2] or found[3]).upper()
    number = int(row)
    if not 1 <= number <= SIZE:
        raise IllegalAction(f"invalid row {row}", "expected rows 1 to 15 and columns A to O")
    return (number - 1) * SIZE + ord(column) - ord("A"), found[1] is None, found[5]


def _cell_text(tile: int) -> str:
    """A cell of the board: a letter, in lower case for a blank, or "."."""
    if not tile:
        return "."
    name = ALL[tile & 31]
    return name.lower() if tile & 32 else name


def _tiles_sorted(tiles: str) -> str:
    return "".join(sorted(tiles, key=ALL.index))


def greedy(game: Game, s: State) -> Any:
    """A player for :func:`zermelo.match`: the most points now and in what it keeps."""
    assert isinstance(game, Scrabble)
    return game.decode_action(0, _core.scrabble_greedy(game.handle, game.data(s)))


def simulation(
    candidates: int = 10, deals: int = 50, plies: int = 2, seed: int = 0
) -> Callable[[Game, State], Any]:
    """A player that tries its best few plays in many deals."""
    rng = random.Random(seed)

    def move(game: Game, s: State) -> Any:
        assert isinstance(game, Scrabble)
        return next(iter(game.simulate(s, candidates, deals, plies, rng.getrandbits(60))))

    move.__name__ = f"simulation:candidates={candidates},deals={deals},plies={plies}"
    return move
