// Records the steps of a search. The tracer is a template argument of the search: with NoTrace
// every call below is optimized away, so a search without a trace pays nothing.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "game.hpp"
#include "result.hpp"

namespace zermelo {

// From `select` on: Monte Carlo tree search, first its four phases.
enum class Step : std::uint8_t {
  enter,
  leaf,
  backup,
  cut,
  leave,
  select,
  expand,
  simulate,
  update,
  amaf  // all-moves-as-first statistics of a node, with RAVE
};
enum class Leaf : std::uint8_t { none, terminal, horizon, table };

struct TraceNode {
  std::uint32_t parent;
  Action action;  // by which the parent leads here
  std::int32_t player;
  std::uint32_t ply;
  std::uint64_t key;  // of its state; 0 if pruned
  bool pruned;
  double odds = 0;  // of getting here from a chance node; 0: another parent
};

struct TraceStep {
  Step step;
  Leaf leaf;
  bool improved;
  std::uint32_t node;
  std::uint32_t child;
  double value, alpha, beta;
  Bound bound = Bound::exact;                 // what `value` is, where a node is left
  double low = -kInfinity, high = kInfinity;  // what is known of a chance node's value
};

struct NoTrace {
  static constexpr bool kOn = false;
  void reset() {}
  void keep() {}
  void restore() {}
  void enter(int, Action, int, std::uint64_t, double, double) {}
  void leaf(int, Leaf, double) {}
  void backup(int, double, bool, double, double) {}
  void cut(int, double, double, double, const Action*, int, const double* = nullptr) {}
  void leave(int, double, Bound, double, double) {}
  void next_odds(double) {}
  void between(double, double) {}
  void again(int, Action) {}
  void probed() {}
  void tuple(const double*, int) {}
};

class Recorder {
 public:
  static constexpr bool kOn = true;

  explicit Recorder(std::size_t capacity) : capacity_(capacity) {}

  void reset() {
    nodes.clear();
    steps.clear();
    tuples.clear();
    open_.clear();
    known_.clear();
    full = false;
  }

  // Iterative deepening: only the steps of the last finished depth are kept.
  void keep() {
    kept_nodes_.swap(nodes);
    kept_steps_.swap(steps);
    kept_tuples_.swap(tuples);
    kept_full_ = full;
  }
  void restore() {
    nodes.swap(kept_nodes_);
    steps.swap(kept_steps_);
    tuples.swap(kept_tuples_);
    full = kept_full_;
  }

  // Of the child that is entered next.
  void next_odds(double odds) { odds_ = odds; }

  void enter(int ply, Action action, int player, std::uint64_t key, double alpha, double beta) {
    if (no_room(1)) return;
    const double odds = std::exchange(odds_, 0);
    auto id = static_cast<std::uint32_t>(nodes.size());
    const auto again = returns ? known_.try_emplace(place(ply, action), id).first : known_.end();
    if (again != known_.end()) id = again->second;
    if (id == nodes.size()) {
      const std::uint32_t parent = ply ? open_[ply - 1] : 0;
      nodes.push_back({parent, action, player, std::uint32_t(ply), key, false, odds});
    }
    open_.resize(ply + 1);
    open_[ply] = id;
    add(Step::enter, Leaf::none, ply, 0, 0, false, alpha, beta);
  }

  void leaf(int ply, Leaf why, double value) {
    if (!full) add(Step::leaf, why, ply, 0, value, false, 0, 0);
  }

  // The child searched last gave `value`; improved: it is the best so far.
  void backup(int ply, double value, bool improved, double alpha, double beta) {
    if (full) return;
    add(Step::backup, Leaf::none, ply, open_[ply + 1], value, improved, alpha, beta);
  }

  // The `count` actions at `rest` were not searched; `odds`: their probabilities at a chance node.
  void cut(int ply, double value, double alpha, double beta, const Action* rest, int count,
           const double* odds = nullptr) {
    if (no_room(count)) return;
    add(Step::cut, Leaf::none, ply, 0, value, false, alpha, beta);
    for (int i = 0; i < count; ++i) {
      if (returns && known_.contains(place(ply + 1, rest[i]))) continue;
      nodes.push_back(
          {open_[ply], rest[i], kTerminal, std::uint32_t(ply + 1), 0, true, odds ? odds[i] : 0});
    }
  }

  // The next step of the node at `ply` is about this child, which was visited before.
  void again(int ply, Action action) {
    if (full) return;
    const auto found = known_.find(std::uint64_t{open_[ply]} << 32 | action);
    if (found == known_.end()) return;
    open_.resize(ply + 2);
    open_[ply + 1] = found->second;
  }

  // The last step left a node of which only one move was searched.
  void probed() {
    if (!full && !steps.empty()) steps.back().improved = true;
  }

  // The bounds of a chance node's value after the last step.
  void between(double low, double high) {
    if (full || steps.empty()) return;
    steps.back().low = low;
    steps.back().high = high;
  }

  void leave(int ply, double value, Bound bound, double alpha, double beta) {
    if (full) return;
    add(Step::leave, Leaf::none, ply, 0, value, false, alpha, beta);
    steps.back().bound = bound;
  }

  // The step that was added last has a value for each of `count` players.
  void tuple(const double* values, int count) {
    if (full) return;
    tuples.push_back({static_cast<std::uint32_t>(steps.size() - 1), {values, values + count}});
  }

  struct Tuple {
    std::uint32_t step;
    std::vector<double> values;
  };

  // For a search that visits nodes repeatedly. Returns the node's index.
  std::uint32_t add_node(std::uint32_t parent, Action action, int player, int ply,
                         std::uint64_t key) {
    if (no_room(1)) return 0;
    nodes.push_back({parent, action, player, std::uint32_t(ply), key, false});
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }
  void name_node(std::uint32_t id, int player, std::uint64_t key) {
    if (!full) nodes[id].player = player, nodes[id].key = key;
  }
  void note(Step step, std::uint32_t node, std::uint32_t child, double value, double alpha,
            double beta, Bound bound = Bound::estimate) {
    if (!full) steps.push_back({step, Leaf::none, false, node, child, value, alpha, beta, bound});
  }

  std::vector<TraceNode> nodes;
  std::vector<TraceStep> steps;
  std::vector<Tuple> tuples;
  bool full = false;     // the recording limit was reached before the search ended
  bool returns = false;  // the search may visit a node more than once

 private:
  // Names the child of the path's node above `ply`.
  std::uint64_t place(int ply, Action action) const {
    return ply ? std::uint64_t{open_[ply - 1]} << 32 | action : UINT64_MAX;
  }
  bool no_room(int more) {
    full = full || nodes.size() + more > capacity_;
    return full;
  }
  void add(Step step, Leaf leaf, int ply, std::uint32_t child, double value, bool improved,
           double alpha, double beta) {
    steps.push_back({step, leaf, improved, open_[ply], child, value, alpha, beta, Bound::exact});
  }

  std::size_t capacity_;
  std::vector<TraceNode> kept_nodes_;
  std::vector<TraceStep> kept_steps_;
  std::vector<Tuple> kept_tuples_;
  bool kept_full_ = false;
  double odds_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // nodes by index
  std::vector<std::uint32_t> open_;  // the node of each ply on the current path
};

}  // namespace zermelo
