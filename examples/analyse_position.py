"""Analyse a position of connect four: the best moves, what is proved, and why."""

import zermelo

game = zermelo.load("connect-four")
state = game.parse_state("4455")
print(game.board(state))
result = zermelo.search(game, state, depth=10, lines=3)
print(result.explain())
for move in sorted(result.moves, key=lambda m: -m.value):
    print(f"column {move.action}: {move.value:g} ({move.kind})")
