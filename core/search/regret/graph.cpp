#include "graph.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "listing.hpp"

namespace zermelo {
namespace {

class Builder {
 public:
  Builder(const Game& game, PositionGraph& graph, std::uint64_t most, Budget& budget)
      : game_(game),
        graph_(graph),
        most_(most),
        budget_(budget),
        size_(game.facts.state_size),
        sets_(game, graph) {}

  void build(const void* state) {
    graph_.players = game_.facts.players;
    number_of(state);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) expand(i);
    sort();
    connect();
    order_sets();
  }

 private:
  std::uint32_t number_of(const void* state) {
    const auto fresh = static_cast<std::uint32_t>(graph_.nodes.size());
    const auto [place, is_new] = by_key_.try_emplace(game_.key(game_.self, state), fresh);
    if (!is_new) return place->second;
    budget_.enter();
    if (fresh >= most_) {
      throw RulesError("the game has more than " + std::to_string(most_) + " positions",
                       "use a smaller game");
    }
    graph_.nodes.push_back({Listing::mover(game_, state)});
    const auto* bytes = static_cast<const std::byte*>(state);
    states_.insert(states_.end(), bytes, bytes + size_);
    return fresh;
  }

  void expand(std::size_t i) {
    scratch_.assign(states_.begin() + i * size_, states_.begin() + (i + 1) * size_);
    const void* state = scratch_.data();
    const int player = graph_.nodes[i].player;
    if (player == kTerminal) {
      graph_.nodes[i].at = static_cast<std::uint32_t>(graph_.utilities.size());
      return Listing::utilities(game_, state, graph_.utilities);
    }
    here_.list(game_, state, player);
    graph_.nodes[i].count = static_cast<std::uint32_t>(here_.moves.size());
    graph_.nodes[i].first = static_cast<std::uint32_t>(graph_.to.size());
    if (player >= 0) {
      graph_.nodes[i].at =
          sets_.find(state, player, here_.moves, static_cast<std::uint32_t>(i)).first;
    }
    next_.resize(size_);
    for (std::size_t k = 0; k < here_.moves.size(); ++k) {
      game_.play(game_.self, state, here_.moves[k], next_.data());
      graph_.to.push_back(number_of(next_.data()));
      graph_.odds.push_back(player == kChance ? here_.odds[k] : 1.0);
    }
  }

  // Renumbers the nodes, so that every move leads to a greater number.
  void sort() {
    const std::size_t n = graph_.nodes.size();
    std::vector<std::uint32_t> before(n), queue{0}, place(n);
    for (const std::uint32_t t : graph_.to) ++before[t];
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const PositionGraph::Node& node = graph_.nodes[queue[i]];
      place[queue[i]] = static_cast<std::uint32_t>(i);
      for (std::uint32_t m = node.first; m < node.first + node.count; ++m) {
        if (--before[graph_.to[m]] == 0) queue.push_back(graph_.to[m]);
      }
    }
    if (queue.size() < n) {
      throw EndlessGame("positions can repeat", "with recall = False, no position may repeat");
    }
    std::vector<PositionGraph::Node> sorted;
    for (const std::uint32_t old : queue) sorted.push_back(graph_.nodes[old]);
    graph_.nodes.swap(sorted);
    for (std::uint32_t& t : graph_.to) t = place[t];
    for (PositionGraph::Set& set : graph_.sets) set.node = place[set.node];
  }

  // The possible last actions of each player before each of its sets.
  void connect() {
    std::vector<std::vector<std::uint32_t>> into(graph_.sets.size());
    for (int p = 0; p < graph_.players; ++p) {
      std::vector<std::vector<std::uint32_t>> last(graph_.nodes.size());
      for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        budget_.enter();
        const PositionGraph::Node& node = graph_.nodes[i];
        const bool own = node.player == p;
        if (own) merge(into[node.at], last[i]);
        for (std::uint32_t k = 0; k < node.count; ++k) {
          std::vector<std::uint32_t>& below = last[graph_.to[node.first + k]];
          if (own) {
            merge(below, {graph_.sets[node.at].at + k});
          } else {
            merge(below, last[i]);
          }
        }
        last[i] = {};
      }
    }
    graph_.came_at.push_back(0);
    for (const auto& list : into) {
      graph_.came.insert(graph_.came.end(), list.begin(), list.end());
      graph_.came_at.push_back(static_cast<std::uint32_t>(graph_.came.size()));
    }
  }

  // Merges two sorted lists.
  static void merge(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& more) {
    for (const std::uint32_t x : more) {
      const auto at = std::lower_bound(into.begin(), into.end(), x);
      if (at == into.end() || *at != x) into.insert(at, x);
    }
  }

  void order_sets() {
    const std::size_t n = graph_.sets.size();
    std::vector<std::vector<std::uint32_t>> after(n);
    std::vector<std::uint32_t> before(n);
    for (std::uint32_t s = 0; s < n; ++s) {
      for (std::uint32_t c = graph_.came_at[s]; c < graph_.came_at[s + 1]; ++c) {
        after[graph_.owner[graph_.came[c]]].push_back(s), ++before[s];
      }
      if (!before[s]) graph_.order.push_back(s);
    }
    for (std::size_t i = 0; i < graph_.order.size(); ++i) {
      for (const std::uint32_t s : after[graph_.order[i]]) {
        if (--before[s] == 0) graph_.order.push_back(s);
      }
    }
    if (graph_.order.size() < n) {
      throw RulesError("a player can make the same observation twice in one game",
                       "observation(s, p) must change, or include what was observed before");
    }
  }

  const Game& game_;
  PositionGraph& graph_;
  const std::uint64_t most_;
  Budget& budget_;
  const std::size_t size_;
  std::vector<std::byte> states_, scratch_, next_;
  Listing here_;
  SetsByKey sets_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_key_;
};

}  // namespace

PositionGraph::PositionGraph(const Game& game, const void* state, std::uint64_t most,
                             Budget& budget) {
  Builder(game, *this, most, budget).build(state);
}

}  // namespace zermelo
