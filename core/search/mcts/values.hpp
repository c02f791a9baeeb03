// The statistics of the tree: means, bounds, proofs, and how a simulation that goes on counts.
#pragma once

#include <array>
#include <cmath>

#include "playout.hpp"
#include "tree.hpp"

namespace zermelo {

// What simulations through a root move were worth, for its standard error.
struct Spread {
  double count = 0, sum = 0, squares = 0;
  void add(double x) { count += 1, sum += x, squares += x * x; }
  void add(const Spread& o) { count += o.count, sum += o.sum, squares += o.squares; }
  // The standard error of the mean; negative: not known.
  double error() const {
    if (count < 2) return -1;
    const double mean = sum / count;
    return std::sqrt(std::max(0.0, squares / count - mean * mean) / (count - 1));
  }
};

// Roots of small numbers, which are asked for most.
struct Roots {
  static constexpr std::uint32_t kSize = 1 << 14;
  struct Of {
    float log, over;  // sqrt(ln n), 1 / sqrt(n)
  };
  std::array<Of, kSize> of{};
  Roots() {
    for (std::uint32_t n = 1; n < kSize; ++n) of[n] = found(n);
  }
  static Of found(std::uint32_t n) {
    const auto x = static_cast<float>(n);
    return {std::sqrt(std::log(x)), 1 / std::sqrt(x)};
  }
};
inline const Roots kRoots;

inline Roots::Of roots(std::uint32_t n) {
  return n < Roots::kSize ? kRoots.of[n] : Roots::found(n);
}

// Shared: other threads grow the same tree.
template <class G, bool Shared>
class MctsValues : public Playing<G> {
 protected:
  using Node = MctsNode;
  using Playing<G>::game_;

  MctsValues(const G& game, const MctsParams& params, MctsTree& tree, const Budget& budget,
             std::uint64_t seed)
      : Playing<G>(game, budget, seed),
        params_(params),
        tree_(tree),
        puct_(params.priors || params.guide),
        kept_(this->width()) {
    const Facts& f = game.facts;
    const double range = f.utility_max - f.utility_min;
    // Scores seldom use all of their range: there the spread of what was seen counts.
    fixed_ = std::isfinite(range) && (range <= 2 || f.tree_nodes > 0);
    set_scale(fixed_ ? range / 2 : 1);
    urgency_ = puct_ && params.urgency == kInfinity ? MctsParams::kPriorUrgency : params.urgency;
    each_first_ = urgency_ == kInfinity;
  }

  struct Place {
    std::uint32_t node;
    std::uint32_t credit;  // a proven child that counts in place of the one looked at; 0: none
    int chooser;           // who moves above
    float loss;            // what the simulation counts as here until it is known
  };

  // A node's mean is written by one thread at a time.
  class Lock {
   public:
    explicit Lock(Node& n) : node_(n) {
      if constexpr (Shared) {
        while (node_.marks.fetch_or(Node::kLocked, std::memory_order_acquire) & Node::kLocked) {
          __builtin_ia32_pause();
        }
      }
    }
    ~Lock() {
      if constexpr (Shared) {
        node_.marks.fetch_and(static_cast<std::uint8_t>(~Node::kLocked), std::memory_order_release);
      }
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    Node& node_;
  };

  double mean_of(std::uint32_t at, int p) const {
    constexpr auto relaxed = std::memory_order_relaxed;
    return this->width() == 1 ? tree_[at].mean.load(relaxed) : tree_.values(at)[p].load(relaxed);
  }
  // As `player` sees it.
  double worth(std::uint32_t at, int player) const {
    if (this->width() > 1) return mean_of(at, std::max(0, player));
    return player == 1 ? -mean_of(at, 0) : mean_of(at, 0);
  }

  void take_values(std::uint32_t at, double* x) const {
    for (int p = 0; p < this->width(); ++p) x[p] = mean_of(at, p);
  }
  // A value joins the mean. comes: its visit was not counted yet. chooser: who moves above.
  template <class Values>
  void average(std::uint32_t at, int chooser, Values value, bool comes) {
    Node& n = tree_[at];
    constexpr auto relaxed = std::memory_order_relaxed;
    const std::uint32_t visits = n.visits.load(relaxed) + comes;
    n.visits.store(visits, relaxed);
    if (n.proven()) return;
    const auto part = 1 / static_cast<double>(visits);
    const auto join = [&](std::atomic<double>& mean, int p) {
      const double old = mean.load(relaxed);
      mean.store(old + (comes ? value(p) - old : value(p)) * part, relaxed);
    };
    join(n.mean, 0);
    for (int p = 0; p < this->width() && this->width() > 1; ++p) join(tree_.values(at)[p], p);
    see(at, chooser, visits);
  }
  static constexpr float kSign[] = {1, -1};  // of a value as a player sees it

  // The same for all of the path, where one value says it all and nobody else is about. Whose turn
  // it is next at each node is found here already: so the nodes of a path do not wait for each
  // other, as they would on the way down.
  void average_path(double x) {
    constexpr auto relaxed = std::memory_order_relaxed;
    MctsNode* const nodes = &tree_[0];  // kept in registers: stores could not change them
    MctsStep* const steps = &tree_.step(0);
    const bool fixed = fixed_, each_first = each_first_;
    const Place* const begin = path_.data();
    for (const Place* place = begin + path_.size(); place-- != begin;) {
      const std::uint32_t at = place->node;
      MctsNode& n = nodes[at];
      MctsStep& s = steps[at];
      const std::uint32_t visits = read(n.visits) + 1;
      n.visits.store(visits, relaxed);
      if (n.proven()) continue;
      const double old = read(n.mean);
      const double mean = old + (x - old) * (1 / static_cast<double>(visits));
      n.mean.store(mean, relaxed);
      const auto [log, over] = roots(visits);
      s.set(static_cast<float>(mean) * kSign[place->chooser == 1], over);
      const std::uint32_t first = read(s.first);
      if (!first || read(n.player) < 0 || !fixed) continue;
      const std::uint32_t next =
          first + in_turn(steps + first, n.count, visits, explore_ * log, each_first);
      s.next.store(nodes[next].proven() ? 0 : next, relaxed);
    }
  }
  // The child whose turn it is after so many visits: each once before any has a second, then the
  // one with the greatest bound.
  [[gnu::always_inline]] static std::uint32_t in_turn(const MctsStep* kids, std::uint32_t count,
                                                      std::uint32_t visits, float doubt,
                                                      bool each_first) {
    if (const std::uint32_t next = visits - 1; next < count && each_first) {
      if (read(kids[next].breadth) == MctsStep::kUntried) return next;
    }
    std::uint32_t top = 0;
    float most = bound_of(kids[0], doubt);
#pragma GCC unroll 2
    for (std::uint32_t c = 1; c < count; ++c) {  // no branches: nobody can foretell them
      const float bound = bound_of(kids[c], doubt);
      top = bound > most ? c : top;
      most = bound > most ? bound : most;
    }
    return top;
  }
  // How much the breadth of children counts.
  float doubt_at(std::uint32_t visits) const {
    return explore_ * (puct_ ? std::sqrt(static_cast<float>(visits)) : roots(visits).log);
  }
  static float bound_of(const MctsStep& s, float doubt) {
    return read(s.mean) + doubt * read(s.breadth);
  }
  // Where nobody else is about, a plain load: compilers make more of it.
  template <class T>
  static T read(const std::atomic<T>& from) {
    if constexpr (Shared) return from.load(std::memory_order_relaxed);
    T value;
    std::memcpy(&value, &from, sizeof value);
    return value;
  }
  // How the way down sees a node after so many visits.
  void see(std::uint32_t at, int chooser, std::uint32_t visits) {
    MctsStep& s = tree_.step(at);
    s.set(static_cast<float>(worth(at, chooser)), breadth(at, visits));
    s.next.store(0, std::memory_order_relaxed);
  }
  float breadth(std::uint32_t at, std::uint32_t visits) const {
    if (puct_) return static_cast<float>(tree_.prior(at)) / (1 + static_cast<float>(visits));
    if (visits) return roots(visits).over;
    return each_first_ ? MctsStep::kUntried : 0;
  }
  // Gives up a simulation that was stopped in its middle: as if it had never been.
  void retract() {
    for (const Place& place : path_) {
      Node& n = tree_[place.node];
      const Lock lock(n);
      const std::uint32_t visits = n.visits - 1;
      n.visits = visits;
      if (n.proven()) continue;
      const auto leave = [&](std::atomic<double>& mean) {
        mean = visits ? (mean * (visits + 1) - place.loss) / visits : 0.0;
      };
      leave(n.mean);
      for (int p = 0; p < this->width() && this->width() > 1; ++p) {
        leave(tree_.values(place.node)[p]);
      }
      see(place.node, place.chooser, visits);
    }
  }
  // The least that who has just chosen may come to.
  double worst(int player) const {
    const double middle = fixed_ ? (game_.facts.utility_min + game_.facts.utility_max) / 2
                                 : seen_.sum / std::max(1.0, seen_.count);
    if (player == kChance) return middle;
    return this->width() == 1 && player == 1 ? middle + scale_ : middle - scale_;
  }

  // Is the value of this node proved by its children's?
  bool settle(std::uint32_t at, int above) {
    if (!params_.solver) return false;
    if (tree_[at].proven()) return true;
    const int player = tree_[at].player;
    const std::uint32_t first = tree_.first(at), end = tree_.end(at);
    bool all = true;
    std::uint32_t best = 0;
    for (std::uint32_t c = first; c < end; ++c) {
      if (!tree_[c].proven()) {
        all = false;
      } else if (!best || worth(c, player) > worth(best, player)) {
        best = c;
      }
    }
    if (player == kChance) return all && settle_chance(at, above);
    if (!best) return false;
    if (!all && !(this->width() == 1 && worth(best, player) >= most_for(player))) return false;
    std::vector<double>& x = kept_;
    take_values(best, x.data());
    prove(at, x.data(), above);
    return true;
  }

  bool settle_chance(std::uint32_t at, int above) {
    const std::uint32_t first = tree_.first(at), end = tree_.end(at);
    std::fill(kept_.begin(), kept_.end(), 0.0);
    for (std::uint32_t c = first; c < end; ++c) {
      for (int p = 0; p < this->width(); ++p) kept_[p] += tree_.prior(c) * mean_of(c, p);
    }
    prove(at, kept_.data(), above);
    return true;
  }

  // Nothing is better for a player than this.
  double most_for(int player) const {
    return player == 0 ? game_.facts.utility_max : -game_.facts.utility_min;
  }

  void prove(std::uint32_t at, const double* x, int above) {
    Node& n = tree_[at];
    const Lock lock(n);
    constexpr auto relaxed = std::memory_order_relaxed;
    n.mean.store(x[0], relaxed);
    for (int p = 0; p < this->width() && this->width() > 1; ++p) {
      tree_.values(at)[p].store(x[p], relaxed);
    }
    tree_.step(at).set(static_cast<float>(worth(at, above)), 0);
    tree_.step(at).next.store(0, relaxed);
    n.marks.fetch_or(Node::kProven);
  }

  void set_scale(double scale) {
    scale_ = scale;
    explore_ = static_cast<float>(params_.explore * scale);
  }

  // Where utilities have no known bounds, or seldom come near them.
  void learn_scale(const double* x) {
    for (int p = 0; p < this->width(); ++p) seen_.add(x[p]);
    if (seen_.count < 64 || std::fmod(seen_.count, 64) < this->width()) {
      const double mean = seen_.sum / seen_.count;
      const double variance = seen_.squares / seen_.count - mean * mean;
      set_scale(std::max(2 * std::sqrt(std::max(0.0, variance)), 1e-9));
    }
  }

  const MctsParams& params_;
  MctsTree& tree_;
  std::vector<Place> path_;  // of the simulation that goes on
  bool puct_;
  double urgency_ = 0;      // as in MctsParams
  bool each_first_ = true;  // of the children of a node, before any has a second turn
  double scale_ = 1;        // of the utilities: half their range, or twice their deviation
  float explore_ = 1;       // the same times the constant
  bool fixed_ = true;       // the scale is known from the beginning

 private:
  Spread seen_;
  std::vector<double> kept_;
};

}  // namespace zermelo
