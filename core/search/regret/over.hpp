// What counterfactual regret minimization over a tree and over a graph of positions share.
#pragma once

#include <cstdint>
#include <vector>

#include "../../limits.hpp"
#include "table.hpp"

namespace zermelo {

template <class Held>
class RegretOver {
 public:
  RegretOver(const Game& game, const void* state, std::uint64_t most, Budget& budget)
      : tree_(game, state, most, budget),
        table_(tree_),
        reach_(tree_.nodes.size()),
        value_(tree_.nodes.size()) {}

  std::uint64_t iterations() const { return iterations_; }
  const Held& tree() const { return tree_; }

  std::vector<double> learned() const { return table_.learned(); }
  // Returns false if `all` belongs to another game.
  bool resume(const std::vector<double>& all, std::uint64_t iterations) {
    iterations_ = iterations;
    return table_.resume(all);
  }

  // The average strategy: probabilities of all actions, set by set.
  std::vector<double> average() const { return table_.average(); }

  // The expected utility of each player if all play `strategy`.
  std::vector<double> values(const std::vector<double>& strategy) {
    std::vector<double> found;
    for (int p = 0; p < tree_.players; ++p) {
      back_up(p, strategy, [](std::size_t, const InformationSets::Node&) {});
      found.push_back(value_[0] + 0.0);
    }
    return found;
  }

 protected:
  // The probabilities of a node's moves: those of chance, or of the strategy.
  const double* odds_of(const InformationSets::Node& n, const std::vector<double>& strategy) const {
    return n.player == kChance ? &tree_.odds[n.first] : &strategy[tree_.sets[n.at].at];
  }

  // Sets value_ to the expected utility of every node for `player` if all play `strategy`, from the
  // leaves to the root. Calls visit(i, node) after each node that is not terminal.
  template <class Visit>
  void back_up(int player, const std::vector<double>& strategy, Visit visit) {
    for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
      const InformationSets::Node& n = tree_.nodes[i];
      if (n.player == kTerminal) {
        value_[i] = tree_.utilities[n.at + player];
        continue;
      }
      const double* odds = odds_of(n, strategy);
      double v = 0;
      for (std::uint32_t k = 0; k < n.count; ++k) v += odds[k] * value_[tree_.child(n, k)];
      value_[i] = v;
      visit(i, n);
    }
  }

  // The player's regrets at node i in this iteration, weighted by how likely the node is.
  void add_regrets(std::size_t i, const InformationSets::Node& n, double weight) {
    double* change = &table_.change[tree_.sets[n.at].at];
    for (std::uint32_t k = 0; k < n.count; ++k) {
      change[k] += weight * (value_[tree_.child(n, k)] - value_[i]);
    }
  }

  Held tree_;
  RegretTable table_;
  std::vector<double> reach_, value_;  // by node
  std::uint64_t iterations_ = 0;
};

}  // namespace zermelo
