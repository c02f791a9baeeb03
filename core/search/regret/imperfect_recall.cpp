#include "imperfect_recall.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace zermelo {
namespace {

using Node = PositionGraph::Node;

// Every action gets a minimum reach probability, so that sets that the player no longer reaches
// still learn from the most likely path.
constexpr double kTremble = 1e-6;

// Best response of a player with perfect recall: depth first over its possible histories, with the
// probabilities of the consistent positions. Its value with perfect information is an upper bound,
// which prunes most of the tree.
class Reply {
 public:
  Reply(const PositionGraph& graph, const std::vector<double>& strategy, int player, Budget& budget)
      : graph_(graph),
        strategy_(strategy),
        player_(player),
        budget_(budget),
        weight_(graph.nodes.size()),
        bound_(graph.nodes.size()) {
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) {
      const Node& n = graph_.nodes[i];
      if (n.player == kTerminal) {
        bound_[i] = graph_.utilities[n.at + player_];
        continue;
      }
      double v = n.player == player_ ? -kInfinity : 0;
      for (std::uint32_t k = 0; k < n.count; ++k) {
        const double below = bound_[graph_.to[n.first + k]];
        v = n.player == player_ ? std::max(v, below) : v + odds(n, k) * below;
      }
      bound_[i] = v;
    }
  }

  double value() {
    put(0, 1.0);
    return on(-kInfinity);
  }

 private:
  using Odds = std::pair<std::uint32_t, double>;  // a node and its probability

  double odds(const Node& n, std::uint32_t k) const {
    return n.player == kChance ? graph_.odds[n.first + k] : strategy_[graph_.sets[n.at].at + k];
  }

  void put(std::uint32_t node, double w) {
    if (w == 0) return;
    if (weight_[node] == 0) open_.push(node);
    weight_[node] += w;
  }

  // The value of the added positions, after the others have moved to the next turn of `player_`. A
  // value up to `enough` may be returned as any such number.
  double on(double enough) {
    std::vector<Odds> met;
    double ends = 0;
    while (!open_.empty()) {
      const std::uint32_t i = open_.top();
      open_.pop();
      const double w = std::exchange(weight_[i], 0.0);
      const Node& n = graph_.nodes[i];
      if (n.player == kTerminal) {
        ends += w * graph_.utilities[n.at + player_];
      } else if (n.player == player_) {
        met.emplace_back(i, w);
      } else {
        for (std::uint32_t k = 0; k < n.count; ++k) put(graph_.to[n.first + k], w * odds(n, k));
      }
    }
    std::stable_sort(met.begin(), met.end(), [&](const Odds& a, const Odds& b) {
      return graph_.nodes[a.first].at < graph_.nodes[b.first].at;
    });
    double most = 0;  // upper bound of the remaining value
    for (const auto& [i, w] : met) most += w * bound_[i];
    double sure = ends;
    for (auto at = met.begin(); at != met.end();) {
      if (sure + most <= enough) return sure + most;
      const auto end = std::find_if(at, met.end(), [&](const Odds& x) {
        return graph_.nodes[x.first].at != graph_.nodes[at->first].at;
      });
      double here = 0;
      for (auto x = at; x != end; ++x) here += x->second * bound_[x->first];
      most -= here;
      sure += choose({at, end}, enough - sure - most);
      at = end;
    }
    return sure;
  }

  // The value of the best action in an information set. A value up to `enough` may be returned as
  // any such number.
  double choose(const std::vector<Odds>& where, double enough) {
    budget_.enter();
    const std::uint32_t count = graph_.nodes[where[0].first].count;
    std::vector<std::pair<double, std::uint32_t>> order;  // by upper bound
    for (std::uint32_t k = 0; k < count; ++k) {
      double most = 0;
      for (const auto& [i, w] : where) most += w * bound_[graph_.to[graph_.nodes[i].first + k]];
      order.emplace_back(-most, k);
    }
    std::sort(order.begin(), order.end());
    double best = -kInfinity;
    for (const auto& [most, k] : order) {
      const double beat = std::max(best, enough);
      if (-most <= beat) return std::max(best, -most);
      for (const auto& [i, w] : where) put(graph_.to[graph_.nodes[i].first + k], w);
      best = std::max(best, on(beat));
    }
    return best;
  }

  const PositionGraph& graph_;
  const std::vector<double>& strategy_;
  const int player_;
  Budget& budget_;
  std::vector<double> weight_, bound_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> open_;
};

}  // namespace

// The probability that a player's own actions lead to each of its sets.
void ImperfectRecallRegret::weigh(int player) {
  for (const std::uint32_t s : tree_.order) {
    if (tree_.sets[s].player != player) continue;
    const std::uint32_t first = tree_.came_at[s], last = tree_.came_at[s + 1];
    double sum = first == last ? 1 : 0;
    for (std::uint32_t c = first; c < last; ++c) {
      const std::uint32_t a = tree_.came[c];
      sum += table_.own[tree_.owner[a]] * (table_.current[a] + kTremble);
    }
    table_.own[s] = sum;
  }
}

// The regrets of one player's actions in this iteration. The positions of a set are weighted by
// their probability given that the player reaches the set, over all paths to it.
void ImperfectRecallRegret::sweep(int player, const RegretParams& params) {
  weigh(player);
  std::fill(reach_.begin(), reach_.end(), 0.0);
  reach_[0] = 1;
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    const Node& n = tree_.nodes[i];
    if (n.player == kTerminal || reach_[i] == 0) continue;
    const double tremble = n.player == player ? kTremble : 0;
    const double* odds = odds_of(n, table_.current);
    for (std::uint32_t k = 0; k < n.count; ++k) {
      reach_[tree_.to[n.first + k]] += reach_[i] * (odds[k] + tremble);
    }
  }
  back_up(player, table_.current, [&](std::size_t i, const Node& n) {
    if (n.player != player || reach_[i] == 0) return;
    add_regrets(i, n, reach_[i] / table_.own[n.at]);
  });
  table_.settle(player, params, static_cast<double>(iterations_));
}

void ImperfectRecallRegret::iterate(const RegretParams& params, std::mt19937_64&) {
  ++iterations_;
  for (int p = 0; p < tree_.players; ++p) sweep(p, params);
}

double ImperfectRecallRegret::best_response(const std::vector<double>& strategy, int player,
                                            Budget& budget) {
  return Reply(tree_, strategy, player, budget).value() + 0.0;
}

}  // namespace zermelo
