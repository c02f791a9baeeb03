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
  static constexpr std::uint32_t kSize = 2048;
  std::array<float, kSize> log{}, over{};  // sqrt(ln n), 1 / sqrt(n)
  Roots() {
    for (std::uint32_t n = 1; n < kSize; ++n) {
      log[n] = std::sqrt(std::log(static_cast<float>(n)));
      over[n] = 1 / std::sqrt(static_cast<float>(n));
    }
  }
};
inline const Roots kRoots;

inline float root_log(std::uint32_t n) {
  return n < Roots::kSize ? kRoots.log[n] : std::sqrt(std::log(static_cast<float>(n)));
}
inline float over_root(std::uint32_t n) {
  return n < Roots::kSize ? kRoots.over[n] : 1 / std::sqrt(static_cast<float>(n));
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
  }

  struct Place {
    std::uint32_t node;
    std::uint32_t credit;  // a proven child that counts in place of the one looked at; 0: none
    double loss;           // what the simulation counts as here until it is known
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
    tree_.bound(at).set(static_cast<float>(worth(at, chooser)), breadth(n, visits));
  }
  float breadth(const Node& n, std::uint32_t visits) const {
    if (puct_) return static_cast<float>(n.prior) / (1 + static_cast<float>(visits));
    if (visits) return over_root(visits);
    return urgency_ == kInfinity ? MctsBound::kUntried : 0;
  }
  // Who moves above the i-th node of the path.
  int chooser(std::size_t i) const {
    return i ? tree_[path_[i - 1].node].player.load(std::memory_order_relaxed) : kChance;
  }

  // Gives up a simulation that was stopped in its middle: as if it had never been.
  void retract() {
    for (std::size_t i = 0; i < path_.size(); ++i) {
      const Place& place = path_[i];
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
      tree_.bound(place.node)
          .set(static_cast<float>(worth(place.node, chooser(i))), breadth(n, visits));
    }
  }
  // The least that who has just chosen may come to.
  double worst() const {
    const int player = path_.empty() ? kChance : tree_[path_.back().node].player.load();
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
    const std::uint32_t first = tree_[at].first, end = first + tree_[at].count;
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
    const std::uint32_t first = tree_[at].first, end = first + tree_[at].count;
    std::fill(kept_.begin(), kept_.end(), 0.0);
    for (std::uint32_t c = first; c < end; ++c) {
      for (int p = 0; p < this->width(); ++p) kept_[p] += tree_[c].prior * mean_of(c, p);
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
    tree_.bound(at).set(static_cast<float>(worth(at, above)), 0);
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
  double urgency_ = 0;  // as in MctsParams
  double scale_ = 1;    // of the utilities: half their range, or twice their deviation
  float explore_ = 1;   // the same times the constant
  bool fixed_ = true;   // the scale is known from the beginning

 private:
  Spread seen_;
  std::vector<double> kept_;
};

}  // namespace zermelo
