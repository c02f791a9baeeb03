"""Monte Carlo tree search: needs no evaluation, and proves values where it can."""

import zermelo

game = zermelo.load("connect-four")
memory = zermelo.Memory(64)  # keeps the tree from move to move
state = game.initial()
for _ in range(6):
    r = zermelo.search(game, state, "mcts", simulations=5_000, seed=1, memory=memory)
    print(f"{game.format_action(r.state, r.action)}: {r.value:+.2f} for player 0, {r.why}")
    state = game.result(state, r.action)

dice = zermelo.tree("max(chance(0.9:2 0.1:3) chance(0.9:1 0.1:4))")
print(zermelo.search(dice, algorithm="mcts").explain())
print(zermelo.playouts(game, 10_000, seed=1))
