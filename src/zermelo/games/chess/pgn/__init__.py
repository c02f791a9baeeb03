"""PGN: games of chess as files, read one after the other and written back.

>>> from zermelo.games.chess import pgn
>>> game = next(pgn.reads('[White "Ann"] 1. e4 e5 (1... c5 $1 {sharp}) 2. Nf3 *'))
>>> game.tags["White"], game.moves[1].action, game.moves[1].variations[0][0].comments
('Ann', 'e7e5', ['sharp'])
>>> print(pgn.format_pgn(game), end="")
[White "Ann"]
<BLANKLINE>
1. e4 e5 (1... c5 $1 {sharp}) 2. Nf3 *
"""

from __future__ import annotations

from .reading import read, reads
from .tokens import PgnError
from .tree import Pgn, Ply
from .writing import format_pgn

__all__ = ["Pgn", "PgnError", "Ply", "format_pgn", "read", "reads"]
