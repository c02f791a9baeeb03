"""Compile Python rules: the same answers at native speed.

This needs Numba. In the checkout, run: pip install ".[compile]"
"""

from typing import NamedTuple

import zermelo


class Board(NamedTuple):
    mine: int  # bitboard of the player to move
    yours: int


class TicTacToe(zermelo.Game):
    utility_bounds = (-1, 1)
    lines = (
        0b111,
        0b111000,
        0b111000000,
        0b1001001,
        0b10010010,
        0b100100100,
        0b100010001,
        0b1010100,
    )

    def initial(self):
        return Board(0, 0)

    def player(self, s):
        return self.count(s.mine | s.yours) % 2

    def count(self, bits):
        n = 0
        while bits:
            bits &= bits - 1
            n += 1
        return n

    def actions(self, s):
        for cell in range(9):
            if not (s.mine | s.yours) >> cell & 1:
                yield cell

    def result(self, s, a):
        return Board(s.yours, s.mine | 1 << a)

    def won(self, bits):
        return any(bits & line == line for line in self.lines)

    def is_terminal(self, s):
        return self.won(s.yours) or (s.mine | s.yours) == 0b111111111

    def utility(self, s, p):
        if not self.won(s.yours):
            return 0
        return -1 if self.player(s) == p else 1


game = TicTacToe()
for kind, rules in (("plain", game), ("compiled", zermelo.compile(game))):
    r = zermelo.search(rules, algorithm="minimax")
    print(f"{kind:<9} value {r.value:g}, {r.nodes:,} nodes, {r.nodes / r.elapsed / 1e6:.1f} M/s")
