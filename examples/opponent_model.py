"""An opponent who errs: its depth-2 move 80 % of the time, else any. What is the best play?"""

import zermelo

game = zermelo.load("tic-tac-toe")
erring = zermelo.models.mixed(depth=2, best=0.8)
best = zermelo.search(game, algorithm="expectiminimax", opponents={1: erring})
# Both players as policies: what they earn against each other.
perfect = zermelo.models.searching(depth=9)
safe = zermelo.search(game, algorithm="expectiminimax", opponents={0: perfect, 1: erring})
print(f"expectimax against that opponent begins with {best.action} and earns {best.value:.3f}")
print(f"minimax, which expects the worst, earns {safe.value:.3f}")
