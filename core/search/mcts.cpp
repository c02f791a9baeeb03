#include "mcts/playouts.hpp"
#include "mcts/run.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(Monte Carlo tree search (UCT) with proofs of wins and losses.

Each simulation descends the tree by the greatest upper confidence bound (select), adds a node
(expand), plays random moves to the end of the game (simulate) and counts the outcome in every node
on its path (back up). Chance moves are sampled by their probabilities; each of several players maximizes its own
value. Proven values are backed up as proofs, so small games are solved: then the result is exact and
the search ends. A simulation whose choice is already proved counts as such, but explores something
that is not.

When:  games without a good evaluation, with many moves, with chance or with many players.
Needs: perfect information.
Cost:  time: simulations times the length of a game; memory: `table`, 48 bytes per node (12 more with
       RAVE, 8 more per player in general-sum games). A full tree stops growing, but its statistics
       improve.
From:  Coulom 2006; Kocsis and Szepesvari 2006 (UCT); Winands, Bjornsson and Saito 2008 (solver);
       Rosin 2011, Silver et al. 2017 (priors); Gelly and Silver 2011 (RAVE); Coulom 2007
       (progressive widening); Chaslot, Winands and van den Herik 2008 (virtual loss).
)";

Result run(const Request& request) {
  const InlinedMcts* inlined = request.game.mcts;
  const MctsParams& p = request.options.mcts;
  const bool general = request.recorder || p.plays || p.prior;
  return inlined && !general ? inlined->run(request) : run_mcts<Game>(request);
}

// Few simulations with rules that are compiled in take some hundredths of a second.
bool brief(const Request& request) {
  constexpr std::uint64_t kFewSimulations = 20'000;
  const MctsParams& p = request.options.mcts;
  return request.game.mcts && request.limits.nodes <= kFewSimulations &&
         request.limits.seconds == 0 && !request.recorder && !p.guide && !p.plays && !p.prior;
}

}  // namespace

Playouts playouts(const Game& game, const void* state, std::uint64_t games, std::uint64_t seed,
                  Budget& budget) {
  const auto play = game.mcts ? game.mcts->playouts : run_playouts<Game>;
  return play(game, state, games, seed, budget);
}

const Algorithm kMcts{
    .name = "mcts",
    .aliases = {"uct"},
    .doc = kDoc,
    .can = {.chance = true,
            .general_sum = true,
            .many_players = true,
            .trace = true,
            .guide = true,
            .among = true,
            .memory = Keeps::tree},
    .limits = {.required = true},
    .traits = {.simulates = true},
    .options =
        {simulations_option(), exploration_option(),
         rollout_option({.set_policy = [](Options& o, const Policy* p) { o.mcts.plays = p; }}),
         rollout_depth_option(),
         flag<&MctsParams::priors>(
             "priors", "the game's move hints as priors: PUCT instead of UCB1",
             {.set_policy = [](Options& o, const Policy* p) { o.mcts.prior = p; }}),
         number<&MctsParams::rave>(
             "rave", {0, 1e9},
             "RAVE: simulations of a move at which they weigh as much as AMAF; 0: off; two-player "
             "zero-sum games with AMAF indices"),
         number<&MctsParams::widening>(
             "widening", {0, 65535},
             "progressive widening: children considered at first, by prior; 0: all"),
         number<&MctsParams::expand_after>("expand_after", {1, 1'000'000},
                                           "visits after which a leaf gets its children; more "
                                           "saves memory and time per simulation"),
         number<&MctsParams::first_play_urgency>(
             "first_play_urgency", {.min = -1e6},
             "value of an unvisited child above its parent's mean; inf: visit every child first",
             {.aliases = {"urgency"}}),
         choice<&MctsParams::final>(
             "final",
             {{"visits", static_cast<double>(FinalChoice::visits), "the most visited move"},
              {"value", static_cast<double>(FinalChoice::value), "the greatest mean"},
              {"secure", static_cast<double>(FinalChoice::secure),
               "the greatest mean minus its standard error"}},
             "which root move is played"),
         flag<&MctsParams::solver>("solver", "back up proven values (MCTS-Solver)"),
         table_option("memory of the tree in MB", 256), threads_option()},
    .run = run,
    .brief = brief,
};

}  // namespace zermelo
