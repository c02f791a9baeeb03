// Regret minimisation for players who go by what they see now and forget how it came about. Every
// position is held once, so games are within reach whose histories are not.
//
// A player's information set is then met by several ways of its own, and CFR's guarantee is gone
// (Waugh et al. 2009, imperfect recall); what stays is the measure. The best replies are those of
// a player who remembers everything it saw and did, so NashConv is that of the game in which nobody
// forgets, and a small one is an equilibrium of it.
#pragma once

#include <random>
#include <vector>

#include "graph.hpp"

namespace zermelo {

class ForgetfulRegret {
 public:
  ForgetfulRegret(const Game& game, const void* state, std::uint64_t most, Budget& budget)
      : graph_(game, state, most, budget),
        table_(graph_),
        reach_(graph_.nodes.size()),
        value_(graph_.nodes.size()) {}

  // One more iteration: each player in turn.
  void iterate(const RegretParams& params, std::mt19937_64& random);
  std::uint64_t iterations() const { return iterations_; }
  const PositionGraph& tree() const { return graph_; }

  std::vector<double> learned() const { return table_.learned(); }
  // False: it is of another game.
  bool go_on(const std::vector<double>& all, std::uint64_t iterations) {
    iterations_ = iterations;
    return table_.go_on(all);
  }

  // The odds of all actions, set by set.
  std::vector<double> average() const { return table_.average(); }
  // What each player gets when all play so.
  std::vector<double> values(const std::vector<double>& strategy);
  // What a player gets when it alone plays its best against that and remembers everything.
  double best_response(const std::vector<double>& strategy, int player, Budget& budget);

 private:
  void weigh(int player);
  void sweep(int player, const RegretParams& params);

  PositionGraph graph_;
  RegretTable table_;
  std::vector<double> reach_, value_;  // by node
  std::uint64_t iterations_ = 0;
};

}  // namespace zermelo
