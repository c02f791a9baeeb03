// The numbers of regret minimization by information set, for trees and for graphs: regrets, the
// current strategy, and the sums of the average strategy.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../game.hpp"

namespace zermelo {

struct InformationSets {
  // An information set: nodes that a player cannot distinguish.
  struct Set {
    std::int32_t player;
    std::uint32_t count;        // of actions
    std::uint32_t at;           // index of its first action
    std::uint32_t node;         // the first of its nodes
    std::int64_t came_by = -1;  // index of the player's own last action before it; -1: none
  };

  struct Node {
    std::int32_t player;      // the player to move, kChance or kTerminal
    std::uint32_t count = 0;  // of moves
    std::uint32_t first = 0;  // the first of them, in `odds`
    std::uint32_t at = 0;     // player node: its set. Terminal: index of its utilities
  };

  int players = 0;
  std::vector<Node> nodes;
  std::vector<double> odds;
  std::vector<double> utilities;
  std::vector<Set> sets;
  std::vector<Action> actions;       // of all sets
  std::vector<std::uint32_t> owner;  // of an action: its set
  std::vector<std::byte> states;     // of the first node of each set
};

// How the variants differ. At iteration t positive regrets are multiplied by t^a / (t^a + 1),
// negative ones by t^b / (t^b + 1), and the average so far by (t / (t + 1))^g.
struct RegretParams {
  bool floor = false;     // negative regrets are set to 0 (CFR+)
  bool discount = false;  // by the three exponents
  double positive = 1.5, negative = 0, average = 2;
  int weight = 0;        // the average counts iteration t as t to this power
  bool sampled = false;  // external sampling: one outcome of chance and one action of the others
};

// Normalizes sums by action to probabilities, set by set; uniform where the sum is zero.
inline std::vector<double> average_of(const InformationSets& all, std::vector<double> odds) {
  for (const InformationSets::Set& set : all.sets) {
    double total = 0;
    for (std::uint32_t k = 0; k < set.count; ++k) total += odds[set.at + k];
    for (std::uint32_t k = 0; k < set.count; ++k) {
      odds[set.at + k] = total > 0 ? odds[set.at + k] / total : 1.0 / set.count;
    }
  }
  return odds;
}

class RegretTable {
 public:
  explicit RegretTable(const InformationSets& all)
      : regret(all.actions.size()),
        current(all.actions.size()),
        sum(all.actions.size()),
        change(all.actions.size()),
        own(all.sets.size()),
        all_(all) {
    match_all();
  }

  // A checkpoint: regrets, then strategy sums, by action.
  std::vector<double> learned() const {
    std::vector<double> both = regret;
    both.insert(both.end(), sum.begin(), sum.end());
    return both;
  }
  // Returns false if `both` belongs to another game.
  bool resume(const std::vector<double>& both) {
    if (both.size() != 2 * regret.size()) return false;
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(regret.size());
    std::copy(both.begin(), middle, regret.begin());
    std::copy(middle, both.end(), sum.begin());
    match_all();
    return true;
  }

  // Adds the changes of iteration t to the regrets, and the strategy, weighted by `own`, to the
  // average.
  void settle(int player, const RegretParams& params, double t) {
    const auto shrink = [&](double power) {
      const double x = std::pow(t, power);
      return params.discount ? x / (x + 1) : 1.0;
    };
    const double up = shrink(params.positive), down = shrink(params.negative);
    const double fade = params.discount ? std::pow(t / (t + 1), params.average) : 1.0;
    const double weight = std::pow(t, params.weight);
    for (std::uint32_t s = 0; s < all_.sets.size(); ++s) {
      const InformationSets::Set& set = all_.sets[s];
      if (set.player != player) continue;
      for (std::uint32_t a = set.at; a < set.at + set.count; ++a) {
        if (!params.sampled) sum[a] = sum[a] * fade + weight * own[s] * current[a];
        const double r = regret[a] * (regret[a] > 0 ? up : down) + change[a];
        regret[a] = params.floor ? std::max(r, 0.0) : r;
        change[a] = 0;
      }
      match(s);
    }
  }

  // The average strategy: probabilities of all actions, set by set.
  std::vector<double> average() const { return average_of(all_, sum); }

  std::vector<double> regret, current, sum, change;  // by action
  std::vector<double> own;  // by set: probability that its player plays to reach it

 private:
  // Regret matching: probabilities in proportion to positive regret.
  void match(std::uint32_t s) {
    const InformationSets::Set& set = all_.sets[s];
    double* odds = &current[set.at];
    double total = 0;
    for (std::uint32_t k = 0; k < set.count; ++k) {
      total += odds[k] = std::max(regret[set.at + k], 0.0);
    }
    for (std::uint32_t k = 0; k < set.count; ++k) {
      odds[k] = total > 0 ? odds[k] / total : 1.0 / set.count;
    }
  }
  void match_all() {
    for (std::uint32_t s = 0; s < all_.sets.size(); ++s) match(s);
  }

  const InformationSets& all_;
};

}  // namespace zermelo
