// Regret minimisation: every information set keeps, for each of its actions, how much better it
// would have been to play it (counterfactual regret), and plays actions in proportion to what they
// are regretted. The average over time goes to an equilibrium in games of two players and zero sum.
//
// From: Zinkevich et al. 2007 (CFR), Tammelin 2014 (CFR+), Brown and Sandholm 2019 (discounted
// CFR), Lanctot et al. 2009 (external sampling).
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "tree.hpp"

namespace zermelo {

// How the variants differ. At iteration t positive regrets are multiplied by t^a / (t^a + 1),
// negative ones by t^b / (t^b + 1), and the average so far by (t / (t + 1))^g.
struct RegretParams {
  bool floor = false;     // negative regrets are forgotten (CFR+)
  bool discount = false;  // by the three exponents
  double positive = 1.5, negative = 0, average = 2;
  int weight = 0;        // the average counts iteration t as t to this power
  bool sampled = false;  // one outcome of chance and of the others' choices is followed
};

class Regret {
 public:
  Regret(const Game& game, const void* state, std::uint64_t most, Budget& budget)
      : tree_(game, state, most, budget),
        regret_(tree_.actions.size()),
        current_(tree_.actions.size()),
        sum_(tree_.actions.size()),
        change_(tree_.actions.size()),
        reach_(tree_.nodes.size()),
        value_(tree_.nodes.size()) {
    order_sets();
    for (std::uint32_t s = 0; s < tree_.sets.size(); ++s) match(s);
  }

  // One more iteration: each player in turn.
  void iterate(const RegretParams& params, std::mt19937_64& random);
  std::uint64_t iterations() const { return iterations_; }
  const InformationTree& tree() const { return tree_; }

  // What has been learned so far, to go on from later: regrets, then sums, by action.
  std::vector<double> learned() const {
    std::vector<double> all = regret_;
    all.insert(all.end(), sum_.begin(), sum_.end());
    return all;
  }
  // False: it is of another game.
  bool go_on(const std::vector<double>& all, std::uint64_t iterations) {
    if (all.size() != 2 * regret_.size()) return false;
    std::copy_n(all.begin(), regret_.size(), regret_.begin());
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(regret_.size()), sum_.size(),
                sum_.begin());
    for (std::uint32_t s = 0; s < tree_.sets.size(); ++s) match(s);
    iterations_ = iterations;
    return true;
  }

  // The odds of all actions, set by set.
  std::vector<double> average() const;
  // What each player gets when all play so.
  std::vector<double> values(const std::vector<double>& strategy);
  // What each player gets when it alone plays its best against that.
  double best_response(const std::vector<double>& strategy, int player);

 private:
  void order_sets();
  void match(std::uint32_t set);
  void sweep(int player, const RegretParams& params);
  void spread(int player, const std::vector<double>& strategy);
  double sample(std::uint32_t node, int player, std::mt19937_64& random);
  void settle(int player, const RegretParams& params);
  double reply(std::uint32_t node, int player, const std::vector<double>& strategy);

  InformationTree tree_;
  std::vector<double> regret_, current_, sum_, change_;  // by action
  std::vector<double> reach_, value_;                    // by node
  std::vector<std::uint32_t> members_, members_at_;      // the nodes of each set
  std::vector<double> own_;                              // by set: odds that its player comes there
  std::vector<std::int32_t> choice_;                     // by set: a best reply, -1 not known yet
  std::uint64_t iterations_ = 0;
};

}  // namespace zermelo
