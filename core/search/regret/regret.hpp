// Regret minimisation: every information set keeps, for each of its actions, how much better it
// would have been to play it (counterfactual regret), and plays actions in proportion to what they
// are regretted. The average over time goes to an equilibrium in games of two players and zero sum.
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

  // One more iteration: each player in turn.
  void iterate(const RegretParams& params, std::mt19937_64& random);
  // What each player gets when it alone plays its best against that.
  double best_response(const std::vector<double>& strategy, int player);

 private:
  void order_sets();
  void sweep(int player, const RegretParams& params);
  void spread(int player, const std::vector<double>& strategy);
  double sample(std::uint32_t node, int player, std::mt19937_64& random);
  void settle(int player, const RegretParams& params);
  double reply(std::uint32_t node, int player, const std::vector<double>& strategy);

  std::vector<std::uint32_t> members_, members_at_;  // the nodes of each set
  std::vector<std::int32_t> choice_;                 // by set: a best reply, -1 not known yet
};

}  // namespace zermelo
