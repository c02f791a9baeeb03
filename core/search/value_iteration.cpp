#include <cmath>
#include <cstring>
#include <unordered_map>

#include "../parts/average.hpp"
#include "../parts/judge.hpp"
#include "../parts/rules_errors.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(the value of a game with chance moves and repeated positions.

Every reachable position is listed once, with a lower and an upper bound of its value. The first
bounds are the utility bounds. Each sweep recomputes them from the successors (the best for a
player, the average for chance) until the bounds of the root meet.

When:  games with cycles such as Pig, in which a tree search does not end.
Needs: one or two players, zero-sum, perfect information, utility bounds, positions that fit in
       memory, and a game that ends with probability 1 however it is played.
Cost:  time: sweeps * positions; memory: positions.
From:  Shapley 1953; both bounds: Haddad and Monmege 2014.
)";

constexpr double kNear = 1e-10;  // the gap at which bounds have met, for utilities from 0 to 1
constexpr std::size_t kMostBytes = 3u << 30;  // of positions and their successors
constexpr int kLook = 1 << 12;                // updates between two checks of the clock

class ValueIteration {
 public:
  explicit ValueIteration(const Request& request)
      : request_(request),
        game_(request.game),
        judge_(request.game, false, false),
        limits_{game_.facts.utility_min, game_.facts.utility_max},
        size_((game_.facts.state_size + 7) / 8 * 8) {
    if (!std::isfinite(limits_.low) || !std::isfinite(limits_.high)) {
      throw RulesError("value iteration needs utility bounds",
                       "declare utility_bounds = (least, greatest)");
    }
  }

  Result run() {
    Result r;
    try {
      explore();
      sweep();
    } catch (const Stopped&) {
      if (values_.empty()) {  // stopped before all positions were listed
        r.stopped = request_.budget.stopped();
        r.nodes = request_.budget.nodes();
        r.note = "stopped before all positions were listed, so the value is a rough estimate";
        return r;
      }
    }
    return told();
  }

 private:
  struct Node {
    int player;
    std::uint32_t count;
    std::size_t first;  // of its successors
  };

  // 1. List all positions in the order of discovery.
  void explore() {
    add(request_.state);
    std::vector<Action> actions(std::max(64, game_.facts.max_actions));
    std::vector<double> odds(actions.size());
    std::vector<std::byte> from(size_), next(size_);
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      request_.budget.enter();
      std::memcpy(from.data(), state(at), size_);
      Node node{checked_mover(game_, from.data()), 0, to_.size()};
      if (node.player != kTerminal) {
        node.count = list(node.player == kChance, from.data(), actions, odds);
        for (std::uint32_t i = 0; i < node.count; ++i) {
          game_.play(game_.self, from.data(), actions[i], next.data());
          to_.push_back(add(next.data()));
          odds_.push_back(odds[i]);
          if (at == 0) root_.push_back(actions[i]);
        }
      }
      nodes_[at] = node;
      const std::size_t bytes = nodes_.size() * (sizeof(Node) + sizeof(Range) + size_ + 64) +
                                to_.size() * (sizeof(std::uint32_t) + sizeof(double));
      if (bytes > kMostBytes) {
        throw RulesError("the game has too many positions for value iteration",
                         "use a depth or time limit with expectiminimax");
      }
    }
  }

  std::uint32_t list(bool chance, const void* s, std::vector<Action>& actions,
                     std::vector<double>& odds) const {
    for (;;) {
      const int room = static_cast<int>(actions.size());
      const int count = chance ? game_.outcomes(game_.self, s, actions.data(), odds.data(), room)
                               : game_.actions(game_.self, s, actions.data(), room);
      if (count <= 0) no_moves(count, chance);
      if (count <= room) return static_cast<std::uint32_t>(count);
      actions.resize(count);
      odds.resize(count);
    }
  }

  std::uint32_t add(const void* s) {
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    const auto [found, fresh] = known_.try_emplace(game_.key(game_.self, s), number);
    if (fresh) {
      nodes_.push_back({});
      states_.resize(states_.size() + size_);
      std::memcpy(states_.data() + number * size_, s, game_.facts.state_size);
    }
    return found->second;
  }
  const void* state(std::size_t at) const { return states_.data() + at * size_; }

  // 2. Update bounds from the successors' bounds, the last positions first, until the root's bounds
  // meet.
  void sweep() {
    values_.assign(nodes_.size(), limits_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].player != kTerminal) continue;
      const double u = judge_.terminal(state(i));
      ++ends_;
      values_[i] = {u, u};
    }
    const double near = kNear * (limits_.high - limits_.low);
    double change = kInfinity;
    while (values_[0].high - values_[0].low > near && change > 0) {
      change = 0;
      ++sweeps_;
      for (std::size_t i = nodes_.size(); i-- > 0;) {
        if (i % kLook == 0 && request_.budget.stopped() != Stop::none) throw Stopped{};
        if (values_[i].exact()) continue;
        const Range now = update(nodes_[i]).with(values_[i]);
        change = std::max({change, now.low - values_[i].low, values_[i].high - now.high});
        values_[i] = now;
      }
    }
  }

  Range update(const Node& n) const {
    const std::uint32_t* to = to_.data() + n.first;
    if (n.player == kChance) {
      Range sum{0, 0};
      for (std::uint32_t i = 0; i < n.count; ++i) {
        const Range& v = values_[to[i]];
        const double p = odds_[n.first + i];
        sum = {sum.low + p * v.low, sum.high + p * v.high};
      }
      return sum;
    }
    Range best = values_[to[0]];
    for (std::uint32_t i = 1; i < n.count; ++i) {
      const Range& v = values_[to[i]];
      best = n.player == 0 ? Range{std::max(best.low, v.low), std::max(best.high, v.high)}
                           : Range{std::min(best.low, v.low), std::min(best.high, v.high)};
    }
    return best;
  }

  // 3. Report the root.
  Result told() const {
    const Node& root = nodes_[0];
    const double near = 2 * kNear * (limits_.high - limits_.low);
    const auto kind = [&](const Range& v) {
      return v.high - v.low <= near ? Bound::exact : Bound::estimate;
    };
    const auto middle = [](const Range& v) { return (v.low + v.high) / 2 + 0.0; };
    Result r;
    r.has_value = true;
    r.value = middle(values_[0]);
    r.error = (values_[0].high - values_[0].low) / 2;
    r.bound = kind(values_[0]);
    r.depth = sweeps_;
    r.nodes = nodes_.size();
    r.leaves = ends_;
    r.stopped = request_.budget.stopped();
    if (r.bound != Bound::exact && r.stopped == Stop::none) {
      r.note = "the game does not have to end, so the bounds of the value do not meet";
    }
    double best = 0;
    for (std::uint32_t i = 0; i < root.count; ++i) {
      const Range& v = values_[to_[root.first + i]];
      r.moves.push_back({root_[i], middle(v), kind(v), 0, {root_[i]}});
      const double mine = root.player == 0 ? middle(v) : 0 - middle(v);
      if (root.player == kChance || (i > 0 && mine <= best)) continue;
      best = mine;
      r.line = {root_[i]};
    }
    return r;
  }

  const Request& request_;
  const Game& game_;
  Judge<Game> judge_;
  Range limits_;
  std::size_t size_;  // of a state, in whole words
  int sweeps_ = 0;
  std::uint64_t ends_ = 0;  // terminal positions
  std::vector<Node> nodes_;
  std::vector<std::byte> states_;
  std::vector<std::uint32_t> to_;
  std::vector<double> odds_;
  std::vector<Action> root_;  // the root's actions
  std::vector<Range> values_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

Result run_value_iteration(const Request& request) { return ValueIteration(request).run(); }

}  // namespace

const Algorithm kValueIteration{
    .name = "value-iteration",
    .doc = kDoc,
    .can = {.chance = true, .cycles = true},
    .traits = {.expected = true},
    .run = run_value_iteration,
};

}  // namespace zermelo
