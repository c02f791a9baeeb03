#include "mcts/playouts.hpp"
#include "mcts/run.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(mcts: Monte Carlo tree search (UCT) with proofs of wins and losses.

Each simulation goes down the tree by the greatest upper confidence bound (select), adds a node
(expand), plays on from there at random (simulate) and counts the outcome in every node it came
through (back up). Nature's moves are drawn by their odds; each of many players wants the most for
itself. What the end of the game proves is backed up as a proof, so that small games are solved:
then the result is exact and the search ends. A simulation whose choice is proved already counts as
such, and looks at something that is not.

When:  games without a good evaluation, with many moves, with chance or with many players.
Needs: nothing hidden.
Cost:  time: simulations times the length of a game; memory: table=MB, 48 bytes a node (8 more a
       player in games of other sums). A full tree grows no more; its statistics go on.
From:  Coulom 2006; Kocsis and Szepesvari 2006 (UCT); Winands, Bjornsson and Saito 2008 (solver);
       Rosin 2011, Silver et al. 2017 (priors).

simulations=N (the same as nodes=N: a node is a simulation)  explore=1.0 (of half the range of the
utilities)  rollout=random|greedy|evaluate|none  cutoff=8 (moves before the evaluation)
priors=on: the game's own promises guide the choice  urgency=inf (of a child not tried yet)
(in Python rollout and priors may be policies of yours: a function of (game, state))
final=visits|value|secure  solver=on|off  threads=N  table=MB
)";

Result run(const Request& request) {
  const InlinedMcts* inlined = request.game.mcts;
  const MctsParams& p = request.options.mcts;
  const bool general = request.recorder || p.plays || p.prior;
  return inlined && !general ? inlined->run(request) : run_mcts<Game>(request);
}

}  // namespace

Playouts playouts(const Game& game, const void* state, std::uint64_t games, std::uint64_t seed,
                  Budget& budget) {
  const auto play = game.mcts ? game.mcts->playouts : run_playouts<Game>;
  return play(game, state, games, seed, budget);
}

const Algorithm kMcts = {"mcts",
                         kDoc,
                         "simulations explore rollout cutoff priors urgency final solver table "
                         "threads",
                         true,
                         true,
                         false,
                         true,
                         true,
                         run};

}  // namespace zermelo
