// Regret minimisation: every information set keeps, for each of its actions, how much better it
// would have been to play it (counterfactual regret), and plays actions in proportion to what they
// are regretted. The average over time goes to an equilibrium in games of two players and zero sum.
//
// From: Zinkevich et al. 2007 (CFR), Tammelin 2014 (CFR+), Brown and Sandholm 2019 (discounted
// CFR), Lanctot et al. 2009 (external sampling).
#pragma once

#include <random>
#include <vector>

#include "tree.hpp"

namespace zermelo {

class Regret {
 public:
  Regret(const Game& game, const void* state, std::uint64_t most, Budget& budget)
      : tree_(game, state, most, budget),
        table_(tree_),
        reach_(tree_.nodes.size()),
        value_(tree_.nodes.size()) {
    order_sets();
  }

  // One more iteration: each player in turn.
  void iterate(const RegretParams& params, std::mt19937_64& random);
  std::uint64_t iterations() const { return iterations_; }
  const InformationTree& tree() const { return tree_; }

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
  // What each player gets when it alone plays its best against that.
  double best_response(const std::vector<double>& strategy, int player);

 private:
  void order_sets();
  void sweep(int player, const RegretParams& params);
  void spread(int player, const std::vector<double>& strategy);
  double sample(std::uint32_t node, int player, std::mt19937_64& random);
  void settle(int player, const RegretParams& params);
  double reply(std::uint32_t node, int player, const std::vector<double>& strategy);

  InformationTree tree_;
  RegretTable table_;
  std::vector<double> reach_, value_;                // by node
  std::vector<std::uint32_t> members_, members_at_;  // the nodes of each set
  std::vector<std::int32_t> choice_;                 // by set: a best reply, -1 not known yet
  std::uint64_t iterations_ = 0;
};

}  // namespace zermelo
