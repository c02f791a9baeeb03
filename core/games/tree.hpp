// An explicit tree as a game like any other. A state is a node, an action the number of a child.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "../game.hpp"

namespace zermelo {

class Tree {
 public:
  struct State {
    std::uint32_t node;
  };

  // By node: who moves (a player, kChance, kTerminal), where its children begin in `children`
  // (one entry more at the end), the odds of reaching it from its parent, its information set.
  // A terminal node's utilities are the `width` numbers at payoff_at: one per player, or one in
  // all, MAX's, which is MIN's with the sign turned.
  struct Parts {
    int players = 2;
    int width = 1;
    bool zero_sum = true;
    std::vector<std::int8_t> to_move;
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> children;
    std::vector<double> odds;
    std::vector<std::uint32_t> label;  // 0: a set of its own
    std::vector<std::uint32_t> payoff_at;
    std::vector<double> payoff;
  };

  explicit Tree(Parts parts) : p_(std::move(parts)) {
    check();
    for (std::size_t i = 0; i < p_.to_move.size(); ++i) {
      chance_ |= p_.to_move[i] == kChance;
      hidden_ |= p_.label[i] != 0;
    }
    low_ = kInfinity, high_ = -kInfinity;
    for (double u : p_.payoff) low_ = std::min(low_, u), high_ = std::max(high_, u);
    for (std::size_t i = 0; i + p_.width <= p_.payoff.size(); i += p_.width) {
      const auto at = p_.payoff.begin() + i;
      sum_ = std::max(sum_, std::accumulate(at, at + p_.width, 0.0));
    }
  }

  Facts facts() const {
    return {.players = p_.players,
            .chance = chance_,
            .hidden = hidden_,
            .zero_sum = p_.zero_sum,
            .utility_min = low_,
            .utility_max = high_,
            .tree_nodes = p_.to_move.size(),
            .sum_max = p_.width > 1 ? sum_ : kInfinity};
  }

  State initial() const { return {0}; }
  int to_move(const State& s) const { return p_.to_move[s.node]; }

  int actions(const State& s, Action* out, int capacity) const {
    const int n = static_cast<int>(p_.first[s.node + 1] - p_.first[s.node]);
    for (int i = 0; i < n && i < capacity; ++i) out[i] = i;
    return n;
  }

  State play(const State& s, Action i) const { return {p_.children[p_.first[s.node] + i]}; }

  double utility(const State& s, int player) const {
    const double* at = &p_.payoff[p_.payoff_at[s.node]];
    if (p_.width > 1) return at[player];
    return player == 0 ? at[0] : 0 - at[0];
  }

  std::uint64_t key(const State& s) const { return s.node; }
  bool valid(const State& s) const { return s.node < p_.to_move.size(); }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    const int n = actions(s, out, capacity);
    for (int i = 0; i < n && i < capacity; ++i) odds[i] = p_.odds[play(s, i).node];
    return n;
  }

  // Only the player who moves in a labelled node is unsure where he is.
  std::uint64_t observation(const State& s, int player) const {
    const bool unsure = p_.label[s.node] != 0 && p_.to_move[s.node] == player;
    return unsure ? std::uint64_t{1} << 32 | p_.label[s.node] : s.node;
  }

 private:
  // Numbers from outside: nothing may point outside.
  void check() const {
    const std::size_t n = p_.to_move.size();
    const bool sizes = n > 0 && p_.first.size() == n + 1 && p_.odds.size() == n &&
                       p_.label.size() == n && p_.payoff_at.size() == n && p_.first[0] == 0 &&
                       p_.first[n] == p_.children.size() &&
                       (p_.width == p_.players || (p_.width == 1 && p_.players == 2));
    if (!sizes) throw std::invalid_argument("the arrays of the tree have inconsistent sizes");
    for (std::size_t i = 0; i < n; ++i) {
      const bool leaf = p_.to_move[i] == kTerminal;
      const bool ok = p_.first[i] <= p_.first[i + 1] && p_.to_move[i] >= kTerminal &&
                      p_.to_move[i] < p_.players && leaf == (p_.first[i] == p_.first[i + 1]) &&
                      (!leaf || p_.payoff_at[i] + std::size_t(p_.width) <= p_.payoff.size());
      if (!ok) throw std::invalid_argument("a node of the tree is invalid");
    }
    for (std::size_t e = 0; e < p_.children.size(); ++e) {
      if (p_.children[e] == 0 || p_.children[e] >= n) {
        throw std::invalid_argument("a child index is outside the tree");
      }
    }
  }

  Parts p_;
  bool chance_ = false, hidden_ = false;
  double low_, high_, sum_ = -kInfinity;
};

}  // namespace zermelo
