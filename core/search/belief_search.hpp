// Search over belief states: the recursion, its table of settled beliefs, and the result.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "../parts/belief.hpp"
#include "../parts/belief_graph.hpp"
#include "../parts/runner.hpp"
#include "all.hpp"

namespace zermelo {

class BeliefSearch {
 public:
  explicit BeliefSearch(const Request& request)
      : request_(request),
        game_(request.game),
        lister_(game_),
        player_(lister_.to_move(request.state)),
        hostile_(request.options.hostile),
        stride_((game_.facts.state_size + 63) / 64 * 64) {
    const Limits& l = request.limits;
    unlimited_ = l.depth == kNoDepth && l.nodes == UINT64_MAX && l.seconds == 0;
    least_ = player_ == 0 ? game_.facts.utility_min : -game_.facts.utility_max;
    most_ = player_ == 0 ? game_.facts.utility_max : -game_.facts.utility_min;
    guards_ = hostile_ && std::isfinite(least_);
  }

  Result run() {
    Belief root(game_);
    if (request_.options.belief) {
      root = *request_.options.belief;
    } else {
      root.add(request_.state, 1);
    }
    const double total = root.total();
    for (double& w : root.weights) w /= total;
    Result best;
    const int last = request_.limits.depth;
    // First try to prove a guaranteed best value, which takes only one winning answer.
    const bool asks = guards_ && std::isfinite(most_);
    if (unlimited_ && guards_) graph_.number(support_of(root), root);
    try {
      // Averages are computed to the end of the game: doubling the depth gets there soonest and
      // still leaves an answer after an interruption. A guaranteed win is searched depth by depth.
      for (int depth = 1;; depth += unlimited_ && !guards_ ? depth : 1) {
        Result r = look(root, depth, asks ? std::nextafter(most_, least_) : -kInfinity);
        if (asks && worth_ < most_ && (depth == 1 || depth >= last || !r.horizon)) {
          r = look(root, depth, -kInfinity);
        }
        const bool over = depth >= last || !r.horizon || (hostile_ && worth_ >= most_);
        if (over || !asks || depth == 1) best = std::move(r);
        best.depth = unlimited_ && !best.horizon ? deepest_ : depth;
        if (request_.on_depth) (*request_.on_depth)(best);
        if (over) break;
        if (unlimited_ && guards_ && listed_all()) {
          best = settled(root);
          break;
        }
      }
    } catch (const Stopped&) {
    }
    best.stopped = request_.budget.stopped();
    best.nodes = request_.budget.nodes();
    return best;
  }

 private:
  // The result of an action: beliefs that the player can distinguish, and terminal states.
  struct Parts {
    std::vector<Belief> beliefs;
    std::unordered_map<std::uint64_t, std::size_t> seen;  // observation -> index of the belief
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> at;  // by belief: key -> state
    double sum = 0;            // weighted utility of terminal states
    double worst = kInfinity;  // least utility of terminal states
  };
  struct Entry {
    double value;  // of a belief whose weights add up to 1
    int depth;
    bool sure;           // no depth limit affected it
    bool low, high;      // the value is at least, at most this
    std::uint32_t best;  // action's number
  };

  // Every root action; actions worth at most `least` get only an upper bound.
  Result look(const Belief& root, int depth, double least) {
    const std::vector<Action> actions = lister_.common(root, player_);
    path_ = {support_of(root)};
    Result r;
    worth_ = -kInfinity;
    top_ = depth, deepest_ = 1;
    bool felt = false;
    for (const Action a : actions) {
      horizon_ = false;
      const double v = after(root, a, depth, least, kInfinity);
      felt |= horizon_;
      add_move(r, a, v, least);
    }
    r.horizon = felt;
    // Another action may be worth more beyond the horizon.
    if (felt && !(hostile_ && worth_ >= most_)) r.bound = Bound::estimate;
    return r;
  }

  void add_move(Result& r, Action a, double v, double least) {
    RootMove m;
    m.action = a, m.line = {a}, m.bound = horizon_ ? Bound::estimate : bound();
    m.value = player_ == 1 ? -v : v;
    if (hostile_ && v >= most_) m.bound = Bound::exact;
    if (v <= least) m.bound = player_ == 0 ? Bound::upper : Bound::lower;
    if (v > worth_) {
      worth_ = v, r.value = m.value, r.line = m.line, r.bound = m.bound;
    }
    r.moves.push_back(std::move(m));
    r.has_value = true;
    if (!others_) return;
    r.note = hostile_ ? "guaranteed in every consistent state, whatever the other players do"
                      : "the other players are assumed to move randomly";
  }

  // Iterative deepening does not end if beliefs repeat. Therefore all reachable beliefs are listed
  // in parallel, with as much work as deepening has done. True if the list is complete.
  bool listed_all() {
    const std::uint64_t start = request_.budget.nodes();
    const std::uint64_t most = start - listing_ + kFirstNodes;
    while (!graph_.complete() && !graph_.full(stride_) &&
           listing_ + request_.budget.nodes() - start < most) {
      const Belief b = graph_.take();
      for (const Action a : lister_.common(b, player_)) {
        request_.budget.enter();
        const Parts parts = advance(b, a);
        BeliefGraph::Step& s = graph_.add_step(parts.worst);
        if (s.worst <= least_) continue;  // nothing below can change that
        for (const Belief& next : parts.beliefs) {
          s.next.push_back(graph_.number(support_of(next), next));
        }
      }
    }
    listing_ += request_.budget.nodes() - start;
    return graph_.complete();
  }

  Result settled(const Belief& root) {
    const BeliefGraph::Solution found = graph_.solve(least_);
    const std::vector<Action> actions = lister_.common(root, player_);
    Result r;
    worth_ = -kInfinity, horizon_ = false;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      add_move(r, actions[i], found.values[i], -kInfinity);
    }
    r.line = r.moves[found.best].line;
    r.depth = top_;
    return r;
  }

  Bound bound() const {
    if (!others_) return Bound::exact;
    return !hostile_ ? Bound::estimate : player_ == 0 ? Bound::lower : Bound::upper;
  }

  // The value of an action in a belief whose weights add up to 1.
  double after(const Belief& b, Action a, int depth, double alpha, double beta) {
    Parts parts = advance(b, a);
    if (hostile_) {
      double v = parts.worst;
      std::vector<std::size_t> order(parts.beliefs.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
        return parts.beliefs[x].count() > parts.beliefs[y].count();  // the hardest first
      });
      for (const std::size_t i : order) {
        if (v <= alpha) break;
        v = std::min(v, value(parts.beliefs[i], depth - 1, alpha, std::min(beta, v)));
      }
      return v;
    }
    double v = parts.sum;
    for (Belief& next : parts.beliefs) {
      const double w = next.total();
      if (w <= 0) continue;
      for (double& x : next.weights) x /= w;
      v += w * value(next, depth - 1, -kInfinity, kInfinity);
    }
    return v;
  }

  double value(const Belief& b, int depth, double alpha, double beta) {
    request_.budget.enter();
    // Check for repetition first: a horizon or a table entry would hide it.
    const bool watched = unlimited_ && !guards_;
    const std::uint64_t support = watched ? support_of(b) : 0;
    if (watched && path_.contains(support)) {
      throw EndlessGame("the game never ends: the same belief state can repeat endlessly",
                        "give a depth, node or time limit");
    }
    if (depth == 0) return horizon_ = true, judged(b);
    const std::uint64_t key = key_of(game_, b, !hostile_);
    std::uint32_t first = 0;
    if (const auto found = table_.find(key); found != table_.end()) {
      const Entry& e = found->second;
      first = e.best;
      if (e.sure || e.depth == depth) {
        const bool fits =
            (e.low && e.high) || (e.low && e.value >= beta) || (e.high && e.value <= alpha);
        if (fits) return horizon_ |= !e.sure, e.value;
      }
      // What is guaranteed within fewer moves is so within more.
      if (guards_ && e.low && e.value >= beta && e.depth <= depth) return e.value;
    }
    check_stack();
    const bool outer = horizon_;
    horizon_ = false;
    std::uint32_t best = 0;
    if (watched) path_.insert(support);
    const double v = best_of(b, depth, alpha, beta, first, best);
    if (watched) path_.erase(support);
    // A horizon counts as the least value, so a lower bound above it holds at every depth.
    const bool cut = hostile_ && v >= beta, low = v > alpha || !hostile_;
    const bool sure = !horizon_ || (guards_ && (cut || v >= most_));
    if (sure) horizon_ = false;
    if (table_.size() >= kMostEntries) table_.clear();
    table_[key] = {v, depth, sure, low || cut, !cut || v >= most_, best};
    horizon_ |= outer;
    return v;
  }

  double best_of(const Belief& b, int depth, double alpha, double beta, std::uint32_t first,
                 std::uint32_t& best) {
    const std::vector<Action> actions = lister_.common(b, player_);
    const int count = static_cast<int>(actions.size());
    deepest_ = std::max(deepest_, top_ - depth + 1);
    double v = -kInfinity;
    for (int k = 0; k < count && v < beta; ++k) {
      const std::uint32_t i = turn(k, first, count);
      const double x = after(b, actions[i], depth, std::max(alpha, v), beta);
      if (x > v) v = x, best = i;
      if (hostile_ && v >= most_) break;
    }
    return v;
  }

  void check_stack() const {
    char here;
    if (&here >= floor_) return;
    throw RulesError("a game has too many moves", "give a depth limit");
  }

  // The previous best action is searched first.
  static std::uint32_t turn(int k, std::uint32_t first, int count) {
    if (first >= static_cast<std::uint32_t>(count)) first = 0;
    return k == 0 ? first : static_cast<std::uint32_t>(k) <= first ? k - 1 : k;
  }

  // A belief at the depth limit; its guaranteed value is the least possible one.
  double judged(const Belief& b) const {
    if (guards_) return least_;
    double sum = 0, worst = kInfinity;
    for (std::size_t i = 0; i < b.count(); ++i) {
      const double e = game_.evaluate ? game_.evaluate(game_.self, b.state(i), player_) : 0;
      sum += b.weights[i] * e, worst = std::min(worst, e);
    }
    return hostile_ ? worst : sum;
  }

  // All results of an action up to the player's next decision, by its observation there.
  Parts advance(const Belief& b, Action a) {
    Parts parts;
    const std::size_t base = room_top_;
    for (std::size_t i = 0; i < b.count(); ++i) {
      std::byte* next = room(base);
      game_.play(game_.self, b.state(i), a, next);
      room_top_ = base + 1;
      on(next, b.weights[i], parts);
      room_top_ = base;
    }
    return parts;
  }

  void on(const std::byte* state, double weight, Parts& parts) {
    const int mover = lister_.to_move(state);
    if (mover == kTerminal) {
      const double u = game_.utility(game_.self, state, player_);
      parts.sum += weight * u, parts.worst = std::min(parts.worst, u);
      return;
    }
    if (mover == player_) return put(state, weight, parts);
    request_.budget.enter();  // the others may have many turns
    const std::uint64_t key = game_.key(game_.self, state);
    if (others_path_.contains(key) || others_path_.size() > kMostPlies) {
      if (guards_)
        return void(parts.worst = least_);  // the others can prevent another move of the player
      throw EndlessGame("the other players can move endlessly",
                        "check that every player gets a turn again");
    }
    if (mover != kChance) others_ = true;
    const int count = lister_.list(state, mover);
    const std::vector<Action> actions(lister_.actions.begin(), lister_.actions.begin() + count);
    std::vector<double> odds(lister_.odds.begin(), lister_.odds.begin() + count);
    const std::size_t base = room_top_;
    room_top_ += count;
    for (int i = 0; i < count; ++i) game_.play(game_.self, state, actions[i], room(base + i));
    if (mover != kChance && game_.mirror_key) leave_out_idle(state, mover, odds, base);
    others_path_.insert(key);
    for (int i = 0; i < count; ++i) {
      if (odds[i] != 0) on(room(base + i), weight * odds[i], parts);
    }
    others_path_.erase(key);
    room_top_ = base;
  }

  // Drop actions of another player that change nothing, such as an attempt that the umpire rejects.
  // The player then moves again, so the other actions keep their relative probabilities.
  void leave_out_idle(const std::byte* state, int mover, std::vector<double>& odds,
                      std::size_t base) {
    const std::uint64_t here = game_.mirror_key(game_.self, state);
    double left = 0;
    for (std::size_t i = 0; i < odds.size(); ++i) {
      const std::byte* next = room(base + i);
      if (game_.mirror_key(game_.self, next) == here && lister_.to_move(next) == mover) odds[i] = 0;
      left += odds[i];
    }
    for (double& p : odds) p = left > 0 ? p / left : 0;
  }

  void put(const std::byte* state, double weight, Parts& parts) {
    const std::uint64_t seen = seen_by(game_, state, player_);
    const auto [part, fresh] = parts.seen.try_emplace(seen, parts.beliefs.size());
    if (fresh) parts.beliefs.emplace_back(game_), parts.at.emplace_back();
    Belief& b = parts.beliefs[part->second];
    const auto [place, unknown] =
        parts.at[part->second].try_emplace(game_.key(game_.self, state), b.count());
    if (unknown) {
      b.add(state, weight);
    } else {
      b.weights[place->second] += weight;
    }
  }

  // Equal supports have equal moves, whatever the probabilities.
  std::uint64_t support_of(const Belief& b) const { return key_of(game_, b, false); }

  std::byte* room(std::size_t i) {
    while (rooms_.size() <= i) rooms_.emplace_back(stride_ + 64);
    std::byte* p = rooms_[i].data();
    return p + (64 - reinterpret_cast<std::uintptr_t>(p) % 64) % 64;
  }

  static constexpr std::size_t kMostEntries = 1 << 22;
  static constexpr std::size_t kMostPlies = 1 << 14;  // of others, between decisions of the player
  static constexpr std::uint64_t kFirstNodes = 256;   // least number of nodes for listing

  const Request& request_;
  const Game& game_;
  Lister lister_;
  int player_;
  bool hostile_, others_ = false;
  bool guards_;  // values are guaranteed, and there is a least one
  std::size_t stride_;
  double least_, most_, worth_ = -kInfinity;
  bool unlimited_;        // nothing ends the search but the end of the game
  bool horizon_ = false;  // a depth limit affected the value
  int top_ = 0;           // the depth of this iteration
  int deepest_ = 0;       // most decisions on a path
  const char* floor_ = stack_floor;
  std::unordered_set<std::uint64_t> path_;         // supports of the beliefs on the path
  std::unordered_set<std::uint64_t> others_path_;  // since the player's last decision
  BeliefGraph graph_;
  std::uint64_t listing_ = 0;  // nodes spent on the graph
  std::vector<std::vector<std::byte>> rooms_;
  std::size_t room_top_ = 0;
  std::unordered_map<std::uint64_t, Entry> table_;
};

}  // namespace zermelo
