// The statistics of the tree: means, bounds, proofs, and how a simulation that goes on counts.
#pragma once

#include <array>
#include <cmath>

#include "../../platform.hpp"
#include "playout.hpp"
#include "tree.hpp"
#include "turn.hpp"

namespace zermelo {

// What simulations through a root move were worth, for its standard error.
struct alignas(32) Spread {
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

// What a mean and a bound need of a number of visits; of small numbers, which are asked for most,
// it is listed.
struct Roots {
  static constexpr std::uint32_t kSize = 1 << 14;
  struct Of {
    double part;      // 1 / n
    float log, over;  // sqrt(ln n), 1 / sqrt(n)
  };
  std::array<Of, kSize> of{};
  Roots() {
    for (std::uint32_t n = 1; n < kSize; ++n) of[n] = found(n);
  }
  static Of found(std::uint32_t n) {
    const auto x = static_cast<float>(n);
    // The logarithm in double precision: rounded to a float, every system's library agrees.
    const auto log = static_cast<float>(std::log(static_cast<double>(x)));
    return {1 / static_cast<double>(n), std::sqrt(log), 1 / std::sqrt(x)};
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
        puct_(params.priors || params.guide || params.prior),
        kept_(this->width()) {
    const Facts& f = game.facts;
    const double range = f.utility_max - f.utility_min;
    // Scores seldom use all of their range: there the spread of what was seen counts.
    fixed_ = std::isfinite(range) && (range <= 2 || f.tree_nodes > 0);
    set_scale(fixed_ ? range / 2 : 1);
    urgency_ = puct_ && params.first_play_urgency == kInfinity ? MctsParams::kPriorUrgency
                                                               : params.first_play_urgency;
    each_first_ = urgency_ == kInfinity;
  }

  struct Place {
    std::uint32_t node;
    std::int32_t chooser;  // who moves above
  };
  // The way of the simulation that goes on, from the root on. Who walks fast keeps its end himself,
  // and tells it.
  class Path {
   public:
    Place* begin() { return room_.data(); }
    Place* end() const { return end_; }
    void end_at(Place* end) { end_ = end; }
    int size() { return static_cast<int>(end_ - begin()); }
    Place& back() const { return end_[-1]; }
    Place& operator[](std::size_t i) { return room_[i]; }
    void push(std::uint32_t node, int chooser) {
      make_room(size());
      *end_++ = {node, chooser};
    }
    // For a node so many plies below the root, and one more.
    void make_room(int plies) {
      if (room_.size() < static_cast<std::size_t>(plies) + 2) [[unlikely]]
        enlarge(plies + 2);
    }

   private:
    ZERMELO_NOINLINE void enlarge(int places) {
      const int size = this->size();
      room_.resize(2 * places);
      end_ = begin() + size;
    }
    std::vector<Place> room_ = std::vector<Place>(64);
    Place* end_ = begin();
  };
  // A proven child that counts in place of the one looked at, below a place of the path.
  struct Credit {
    int place;
    std::uint32_t child;
  };

  // A node's mean is written by one thread at a time.
  class Lock {
   public:
    explicit Lock(Node& n) : node_(n) {
      if constexpr (Shared) {
        while (node_.marks.fetch_or(Node::kLocked, std::memory_order_acquire) & Node::kLocked) {
          platform::pause();
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
    const double part = roots(visits).part;
    const auto join = [&](std::atomic<double>& mean, int p) {
      const double old = mean.load(relaxed);
      mean.store(old + (comes ? value(p) - old : value(p)) * part, relaxed);
    };
    join(n.mean, 0);
    for (int p = 0; p < this->width() && this->width() > 1; ++p) join(tree_.values(at)[p], p);
    see(at, chooser, visits);
  }

  // The same for all of the path, where one value says it all and nobody else is about. Whose turn
  // it is next at each node is found here already: so the nodes of a path do not wait for each
  // other, as they would on the way down.
  ZERMELO_NOINLINE void average_path(double x) {
    MctsNode* const nodes = &tree_[0];  // kept in registers: stores could not change them
    const MctsLooks looks = tree_.looks();
    const bool each_first = each_first_;
    const float explore = explore_;
    Roots::Of many;
    // Counts at a node, where nothing is proven.
    const auto join = [&](Node& n) {
      const std::uint32_t visits = read(n.visits) + 1;
      write(n.visits, visits);
      const bool few = visits < Roots::kSize;
      const Roots::Of* const of = few ? &kRoots.of[visits] : &(many = Roots::found(visits));
      const double mean = read(n.mean) + (x - read(n.mean)) * of->part;
      write(n.mean, mean);
      return Joined{of->log, of->over, static_cast<float>(mean)};
    };
    const Place* const end = path_.end();
    const Place* place = path_.begin();
    Node* n = nodes + place->node;
    // From the root on: the next simulation begins there.
    float log = join(*n).log;
    while (++place != end) {
      Node* const child = nodes + place->node;
      const Joined joined = join(*child);
      const Fresh fresh{place->node, joined.mean * kSigns[place->chooser + 1], joined.over};
      if (Playing<G>::kSmall || read(n->player) >= 0) {
        const Turn<Shared> turn(looks, read(n->first), n->count, explore * log);
        write(n->next, turn.next(read(n->visits), each_first, fresh));
      } else {
        fresh.template store<Shared>(looks);
      }
      n = child, log = joined.log;
    }
  }
  struct Joined {
    float log, over, mean;
  };

  // How much the breadth of children counts.
  float doubt_at(std::uint32_t visits) const {
    return explore_ * (puct_ ? std::sqrt(static_cast<float>(visits)) : roots(visits).log);
  }
  static float bound_of(const MctsLooks& looks, std::uint32_t at, float doubt) {
    return zermelo::read<Shared>(looks.mean(at)) + doubt * zermelo::read<Shared>(looks.breadth(at));
  }
  template <class T>
  static T read(const std::atomic<T>& from) {
    return zermelo::read<Shared>(from);
  }
  template <class T>
  static void write(std::atomic<T>& to, T value) {
    zermelo::write<Shared>(to, value);
  }
  // How its parent's mover sees a node.
  void look(std::uint32_t at, float mean, float breadth) {
    Fresh{at, mean, breadth}.template store<Shared>(tree_.looks());
  }
  // How the way down sees a node after so many visits.
  void see(std::uint32_t at, int chooser, std::uint32_t visits) {
    look(at, static_cast<float>(worth(at, chooser)), breadth(at, visits));
    tree_[at].next.store(0, std::memory_order_relaxed);
  }
  float breadth(std::uint32_t at, std::uint32_t visits) const {
    if (puct_) return static_cast<float>(tree_.prior(at)) / (1 + static_cast<float>(visits));
    if (visits) return roots(visits).over;
    return each_first_ ? MctsTree::kUntried : 0;
  }
  // Gives up a simulation that was stopped in its middle: as if it had never been.
  void retract() {
    for (int i = 0; i < path_.size(); ++i) {
      const std::uint32_t at = path_[i].node;
      Node& n = tree_[at];
      const Lock lock(n);
      const std::uint32_t visits = n.visits - 1;
      n.visits = visits;
      if (n.proven()) continue;
      const auto leave = [&](std::atomic<double>& mean) {
        mean = visits ? (mean * (visits + 1) - losses_[i]) / visits : 0.0;
      };
      leave(n.mean);
      for (int p = 0; p < this->width() && this->width() > 1; ++p) {
        leave(tree_.values(at)[p]);
      }
      see(at, path_[i].chooser, visits);
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
    look(at, static_cast<float>(worth(at, above)), 0);
    n.next.store(0, relaxed);
    n.marks.fetch_or(Node::kProven);
  }

  void set_scale(double scale) {
    scale_ = scale;
    explore_ = static_cast<float>(params_.exploration * scale);
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
  // The sign of a value for chance (-1), player 0 and player 1, at the player's number + 1.
  static constexpr float kSigns[] = {1, 1, -1};

  Path path_;
  std::vector<Credit> credits_;  // of this simulation, from the root on
  std::vector<float> losses_;    // of several threads: what counts at each place until it is known
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
