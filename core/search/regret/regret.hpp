// Counterfactual regret minimization over a stored game tree. Every information set sums the regret
// of each action and plays actions in proportion to their positive regret (regret matching). In
// two-player zero-sum games the average strategy converges to a Nash equilibrium.
//
// From: Zinkevich et al. 2007 (CFR), Tammelin 2014 (CFR+), Brown and Sandholm 2019 (discounted
// CFR), Lanctot et al. 2009 (external sampling).
#pragma once

#include <random>
#include <vector>

#include "over.hpp"
#include "tree.hpp"

namespace zermelo {

class Regret : public RegretOver<InformationTree> {
 public:
  Regret(const Game& game, const void* state, std::uint64_t most, Budget& budget)
      : RegretOver(game, state, most, budget) {
    order_sets();
  }

  // Runs one iteration for each player in turn.
  void iterate(const RegretParams& params, std::mt19937_64& random);
  // The value of the player's best response to `strategy`.
  double best_response(const std::vector<double>& strategy, int player);

 private:
  void order_sets();
  void sweep(int player, const RegretParams& params);
  void spread(int player, const std::vector<double>& strategy);
  double sample(std::uint32_t node, int player, std::mt19937_64& random);
  void settle(int player, const RegretParams& params);
  double reply(std::uint32_t node, int player, const std::vector<double>& strategy);

  std::vector<std::uint32_t> members_, members_at_;  // the nodes of each set
  std::vector<std::int32_t> choice_;  // by set: the best response, -1 if not computed yet
};

}  // namespace zermelo
