"""Find the best play against an imperfect opponent.

The opponent plays the move of a depth-2 search in 80 % of cases, otherwise a random move.
"""

import zermelo

game = zermelo.load("tic-tac-toe")
erring = zermelo.models.mixed(depth=2, best=0.8)
best = zermelo.search(game, algorithm="expectiminimax", opponents={1: erring})
# With a model for both players, the value is what they achieve against each other.
perfect = zermelo.models.searching(depth=9)
safe = zermelo.search(game, algorithm="expectiminimax", opponents={0: perfect, 1: erring})
print(f"expectiminimax with the model starts with {best.action}: expected value {best.value:.3f}")
print(f"minimax, which assumes perfect play: expected value {safe.value:.3f}")
