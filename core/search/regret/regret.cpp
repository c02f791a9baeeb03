#include "regret.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../../parts/random.hpp"

namespace zermelo {

using Node = InformationTree::Node;
using Set = InformationTree::Set;

void Regret::order_sets() {
  members_at_.assign(tree_.sets.size() + 1, 0);
  for (const Node& n : tree_.nodes) {
    if (n.player >= 0) ++members_at_[n.at + 1];
  }
  for (std::size_t s = 0; s < tree_.sets.size(); ++s) members_at_[s + 1] += members_at_[s];
  members_.resize(members_at_.back());
  std::vector<std::uint32_t> next(members_at_.begin(), members_at_.end() - 1);
  for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
    if (tree_.nodes[i].player >= 0) members_[next[tree_.nodes[i].at]++] = i;
  }
}

// reach_: the probability that chance and the others reach each node, if `player` tries to.
void Regret::spread(int player, const std::vector<double>& strategy) {
  reach_[0] = 1;
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    const Node& n = tree_.nodes[i];
    if (n.player == kTerminal) continue;
    const double here = reach_[i];
    double* below = &reach_[n.first];
    if (n.player == player) {
      for (std::uint32_t k = 0; k < n.count; ++k) below[k] = here;
    } else {
      const double* odds = odds_of(n, strategy);
      for (std::uint32_t k = 0; k < n.count; ++k) below[k] = here * odds[k];
    }
  }
}

// The regrets of one player's actions in this iteration.
void Regret::sweep(int player, const RegretParams& params) {
  spread(player, table_.current);
  back_up(player, table_.current, [&](std::size_t i, const Node& n) {
    if (n.player == player) add_regrets(i, n, reach_[i]);
  });
  settle(player, params);
}

// Adds this iteration's regrets, and its strategy to the average.
void Regret::settle(int player, const RegretParams& params) {
  std::vector<double>& own = table_.own;
  for (std::uint32_t s = 0; s < tree_.sets.size(); ++s) {
    const Set& set = tree_.sets[s];
    if (set.player != player) continue;
    own[s] = set.came_by < 0 ? 1 : own[tree_.owner[set.came_by]] * table_.current[set.came_by];
  }
  table_.settle(player, params, static_cast<double>(iterations_));
}

// External sampling (Lanctot et al. 2009): the node's value to `player` along one sampled line of
// the others and chance.
double Regret::sample(std::uint32_t i, int player, std::mt19937_64& random) {
  const Node& n = tree_.nodes[i];
  if (n.player == kTerminal) return tree_.utilities[n.at + player];
  if (n.player == player) {
    const Set& set = tree_.sets[n.at];
    double v = 0;
    for (std::uint32_t k = 0; k < n.count; ++k) {
      value_[n.first + k] = sample(n.first + k, player, random);
      v += table_.current[set.at + k] * value_[n.first + k];
    }
    for (std::uint32_t k = 0; k < n.count; ++k)
      table_.change[set.at + k] += value_[n.first + k] - v;
    return v;
  }
  const double* odds = odds_of(n, table_.current);
  const std::uint32_t k =
      pick_outcome(std::uniform_real_distribution<double>()(random), n.count, odds);
  if (n.player != kChance) {
    double* sum = &table_.sum[tree_.sets[n.at].at];
    for (std::uint32_t a = 0; a < n.count; ++a) sum[a] += odds[a];
  }
  return sample(n.first + k, player, random);
}

void Regret::iterate(const RegretParams& params, std::mt19937_64& random) {
  ++iterations_;
  for (int p = 0; p < tree_.players; ++p) {
    if (params.sampled) {
      sample(0, p, random);
      settle(p, params);
    } else {
      sweep(p, params);
    }
  }
}

double Regret::best_response(const std::vector<double>& strategy, int player) {
  spread(player, strategy);
  choice_.assign(tree_.sets.size(), -1);
  std::fill(value_.begin(), value_.end(), std::numeric_limits<double>::quiet_NaN());
  return reply(0, player, strategy) + 0.0;
}

// The value of the node to a player that plays a best response in all of its sets.
double Regret::reply(std::uint32_t i, int player, const std::vector<double>& strategy) {
  if (!std::isnan(value_[i])) return value_[i];
  const Node& n = tree_.nodes[i];
  double v = 0;
  if (n.player == kTerminal) {
    v = tree_.utilities[n.at + player];
  } else if (n.player != player) {
    const double* odds = odds_of(n, strategy);
    for (std::uint32_t k = 0; k < n.count; ++k) v += odds[k] * reply(n.first + k, player, strategy);
  } else {
    // One choice for all nodes of an information set, weighted by their probabilities.
    if (choice_[n.at] < 0) {
      double best = 0;
      std::int32_t chosen = 0;
      for (std::uint32_t k = 0; k < n.count; ++k) {
        double worth = 0;
        for (std::uint32_t m = members_at_[n.at]; m < members_at_[n.at + 1]; ++m) {
          const std::uint32_t x = members_[m];
          worth += reach_[x] * reply(tree_.nodes[x].first + k, player, strategy);
        }
        if (k == 0 || worth > best) best = worth, chosen = static_cast<std::int32_t>(k);
      }
      choice_[n.at] = chosen;
    }
    v = reply(n.first + choice_[n.at], player, strategy);
  }
  return value_[i] = v;
}

}  // namespace zermelo
