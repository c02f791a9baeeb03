// The statistics of the tree: means, UCB terms, proofs and virtual losses.
#pragma once

#include <cmath>

#include "../../platform.hpp"
#include "path.hpp"
#include "playout.hpp"
#include "selection.hpp"
#include "tree.hpp"
#include "visit_table.hpp"

namespace zermelo {

// Shared: several threads use the tree.
template <class G, bool Shared>
class MctsStatistics : public Simulator<G> {
 protected:
  using Node = MctsNode;
  using Simulator<G>::game_;

  MctsStatistics(const G& game, const MctsParams& params, MctsTree& tree, const Budget& budget,
                 std::uint64_t seed)
      : Simulator<G>(game, budget, seed),
        params_(params),
        tree_(tree),
        puct_(params.priors || params.guide || params.prior),
        rave_(params.rave > 0),
        buffer_(this->width()) {
    const Facts& f = game.facts;
    const double range = f.utility_max - f.utility_min;
    // Scores rarely use their whole range, so their scale is learned from the simulations.
    fixed_scale_ = std::isfinite(range) && (range <= 2 || f.tree_nodes > 0);
    set_scale(fixed_scale_ ? range / 2 : 1);
    urgency_ = puct_ && params.first_play_urgency == kInfinity ? MctsParams::kPriorUrgency
                                                               : params.first_play_urgency;
    visit_all_first_ = urgency_ == kInfinity;
    in_order_ = visit_all_first_ && !rave_;
    plain_ = !puct_ && !rave_ && fixed_scale_ && this->width() == 1;
  }

  // Only one thread at a time updates a node's mean.
  class Lock {
   public:
    explicit Lock(Node& n) : node_(n) {
      if constexpr (Shared) {
        while (node_.flags.fetch_or(Node::kLocked, std::memory_order_acquire) & Node::kLocked) {
          platform::pause();
        }
      }
    }
    ~Lock() {
      if constexpr (Shared) {
        node_.flags.fetch_and(static_cast<std::uint8_t>(~Node::kLocked), std::memory_order_release);
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
  // The mean value for `player`.
  double value_for(std::uint32_t at, int player) const {
    if (this->width() > 1) return mean_of(at, std::max(0, player));
    return player == 1 ? -mean_of(at, 0) : mean_of(at, 0);
  }

  void copy_values(std::uint32_t at, double* x) const {
    for (int p = 0; p < this->width(); ++p) x[p] = mean_of(at, p);
  }
  // Adds a value to the mean of a node. new_visit: also counts a visit; otherwise the visit was
  // counted before, and `value` is the change of the sum.
  template <class Values>
  void add_value(std::uint32_t at, int parent_player, Values value, bool new_visit) {
    Node& n = tree_[at];
    constexpr auto relaxed = std::memory_order_relaxed;
    const std::uint32_t visits = n.visits.load(relaxed) + new_visit;
    n.visits.store(visits, relaxed);
    if (n.proven()) return;
    const double part = visit_entry(visits).inverse;
    const auto join = [&](std::atomic<double>& mean, int p) {
      const double old = mean.load(relaxed);
      mean.store(old + (new_visit ? value(p) - old : value(p)) * part, relaxed);
    };
    join(n.mean, 0);
    for (int p = 0; p < this->width() && this->width() > 1; ++p) join(tree_.values(at)[p], p);
    update_terms(at, parent_player, visits);
  }

  // Backpropagation along the whole path, for one thread, plain_ and no proofs.
  // It also computes the next selection at each node: these computations are independent of each
  // other, while on the way down each would have to wait for the one before.
  ZERMELO_NOINLINE void backpropagate_path(double x) {
    MctsNode* const nodes = &tree_[0];  // local, so that stores cannot change them
    const UcbTerms terms = tree_.terms();
    const bool visit_all_first = visit_all_first_;
    const float exploration = exploration_;
    VisitTable::Entry large;
    const auto add = [&](Node& n) {
      const std::uint32_t visits = read(n.visits) + 1;
      write(n.visits, visits);
      const bool tabulated = visits < VisitTable::kSize;
      const VisitTable::Entry* const entry =
          tabulated ? &kVisitTable.of[visits] : &(large = VisitTable::compute(visits));
      const double mean = read(n.mean) + (x - read(n.mean)) * entry->inverse;
      write(n.mean, mean);
      return Added{entry->sqrt_log, entry->inverse_sqrt, static_cast<float>(mean)};
    };
    const PathNode* const end = path_.end();
    const PathNode* place = path_.begin();
    Node* n = nodes + place->node;
    // From the root down, because the next simulation starts there.
    float sqrt_log = add(*n).sqrt_log;
    while (++place != end) {
      Node* const child = nodes + place->node;
      const Added added = add(*child);
      const PendingTerms pending{place->node, added.mean * kSigns[place->parent_player + 1],
                                 added.inverse_sqrt};
      if (Simulator<G>::kSmall || read(n->player) >= 0) {
        const Selection<Shared> children(terms, read(n->first), n->count, exploration * sqrt_log);
        write(n->selected, children.best(read(n->visits), visit_all_first, pending));
      } else {
        pending.template store<Shared>(terms);
      }
      n = child, sqrt_log = added.sqrt_log;
    }
  }
  struct Added {
    float sqrt_log, inverse_sqrt, mean;
  };

  // The parent's part of the exploration term: c sqrt(ln N) for UCB1, c sqrt(N) for PUCT.
  float exploration_factor(std::uint32_t visits) const {
    return exploration_ *
           (puct_ ? std::sqrt(static_cast<float>(visits)) : visit_entry(visits).sqrt_log);
  }
  static float upper_bound(const UcbTerms& terms, std::uint32_t at, float factor) {
    return zermelo::read<Shared>(terms.exploitation(at)) +
           factor * zermelo::read<Shared>(terms.exploration(at));
  }
  template <class T>
  static T read(const std::atomic<T>& from) {
    return zermelo::read<Shared>(from);
  }
  template <class T>
  static void write(std::atomic<T>& to, T value) {
    zermelo::write<Shared>(to, value);
  }
  // Sets the terms of an unproven node from its statistics.
  void set_terms(std::uint32_t at, int parent_player, std::uint32_t visits) {
    const auto mean = static_cast<float>(value_for(at, parent_player));
    if (rave_) {
      const std::uint32_t amaf_visits = zermelo::read<Shared>(tree_.amaf(at).visits);
      store_terms(at, blended(at, mean, visits, amaf_visits),
                  rave_exploration_term(at, visits, amaf_visits));
    } else {
      store_terms(at, mean, exploration_term(at, visits));
    }
  }
  void store_terms(std::uint32_t at, float exploitation, float exploration) {
    PendingTerms{at, exploitation, exploration}.template store<Shared>(tree_.terms());
  }
  // After the mean or the visits of a node have changed.
  void update_terms(std::uint32_t at, int parent_player, std::uint32_t visits) {
    set_terms(at, parent_player, visits);
    tree_[at].selected.store(0, std::memory_order_relaxed);
  }
  // The child's part of the exploration term: 1 / sqrt(n) for UCB1, P / (1 + n) for PUCT.
  float exploration_term(std::uint32_t at, std::uint32_t visits) const {
    if (puct_) return static_cast<float>(tree_.prior(at)) / (1 + static_cast<float>(visits));
    if (visits) return visit_entry(visits).inverse_sqrt;
    return visit_all_first_ ? MctsTree::kUnvisited : 0;
  }

  // RAVE: (1 - beta) Q + beta AMAF. Without visits, the AMAF mean alone; without both, `mean` is
  // the first-play urgency.
  float blended(std::uint32_t at, float mean, std::uint32_t visits, std::uint32_t amaf_visits) {
    if (visits == 0 && amaf_visits == 0) return visit_all_first_ ? MctsTree::kUnvisited : mean;
    if (amaf_visits == 0) return mean;
    const float amaf = zermelo::read<Shared>(tree_.amaf(at).mean);
    if (visits == 0) return amaf;
    const auto n = static_cast<float>(visits), m = static_cast<float>(amaf_visits);
    // Gelly and Silver's schedule of minimum mean squared error, with 1 / k for 4 b^2 of the bias
    // b.
    const float beta = m / (n + m + n * m / static_cast<float>(params_.rave));
    return mean + beta * (amaf - mean);
  }
  // An unvisited child with an AMAF mean is explored like one with a single visit. One without is
  // visited first, by its exploitation term.
  float rave_exploration_term(std::uint32_t at, std::uint32_t visits,
                              std::uint32_t amaf_visits) const {
    if (puct_ || visits) return exploration_term(at, visits);
    return amaf_visits ? 1 : 0;
  }

  // Progressive widening: a child that is not considered yet has the bound -infinity.
  bool considered(std::uint32_t at) const {
    return zermelo::read<Shared>(tree_.terms().exploitation(at)) != -INFINITY;
  }

  // Takes the virtual losses of an unfinished simulation back, as if it had never started.
  void undo_virtual_losses() {
    for (int i = 0; i < path_.size(); ++i) {
      const std::uint32_t at = path_[i].node;
      Node& n = tree_[at];
      const Lock lock(n);
      const std::uint32_t visits = n.visits - 1;
      n.visits = visits;
      if (n.proven()) continue;
      const auto leave = [&](std::atomic<double>& mean) {
        mean = visits ? (mean * (visits + 1) - virtual_losses_[i]) / visits : 0.0;
      };
      leave(n.mean);
      for (int p = 0; p < this->width() && this->width() > 1; ++p) {
        leave(tree_.values(at)[p]);
      }
      update_terms(at, path_[i].parent_player, visits);
    }
  }
  // The value that counts as a loss for the player who chose a node.
  double virtual_loss(int parent_player) const {
    const double middle = fixed_scale_ ? (game_.facts.utility_min + game_.facts.utility_max) / 2
                                       : observed_.sum / std::max(1.0, observed_.count);
    if (parent_player == kChance) return middle;
    return this->width() == 1 && parent_player == 1 ? middle + scale_ : middle - scale_;
  }

  // MCTS-Solver: proves a node from its children, if possible. A node is proved if one child has
  // the best possible value or if all children are proved.
  bool prove_from_children(std::uint32_t at, int parent_player) {
    if (!params_.solver) return false;
    if (tree_[at].proven()) return true;
    const int player = tree_[at].player;
    const std::uint32_t first = tree_.first(at), end = tree_.end(at);
    bool all = true;
    std::uint32_t best = 0;
    for (std::uint32_t c = first; c < end; ++c) {
      if (!tree_[c].proven()) {
        all = false;
      } else if (!best || value_for(c, player) > value_for(best, player)) {
        best = c;
      }
    }
    if (player == kChance) return all && prove_chance_node(at, parent_player);
    if (!best) return false;
    if (!all && !(this->width() == 1 && value_for(best, player) >= max_utility(player))) {
      return false;
    }
    copy_values(best, buffer_.data());
    prove(at, buffer_.data(), parent_player);
    return true;
  }

  bool prove_chance_node(std::uint32_t at, int parent_player) {
    const std::uint32_t first = tree_.first(at), end = tree_.end(at);
    std::fill(buffer_.begin(), buffer_.end(), 0.0);
    for (std::uint32_t c = first; c < end; ++c) {
      for (int p = 0; p < this->width(); ++p) buffer_[p] += tree_.prior(c) * mean_of(c, p);
    }
    prove(at, buffer_.data(), parent_player);
    return true;
  }

  double max_utility(int player) const {
    return player == 0 ? game_.facts.utility_max : -game_.facts.utility_min;
  }

  void prove(std::uint32_t at, const double* x, int parent_player) {
    Node& n = tree_[at];
    const Lock lock(n);
    constexpr auto relaxed = std::memory_order_relaxed;
    n.mean.store(x[0], relaxed);
    for (int p = 0; p < this->width() && this->width() > 1; ++p) {
      tree_.values(at)[p].store(x[p], relaxed);
    }
    set_proven_terms(at, parent_player);
    n.selected.store(0, relaxed);
    n.flags.fetch_or(Node::kProven);
  }

  void set_proven_terms(std::uint32_t at, int parent_player) {
    store_terms(at, static_cast<float>(value_for(at, parent_player)), 0);
  }

  void set_scale(double scale) {
    scale_ = scale;
    exploration_ = static_cast<float>(params_.exploration * scale);
  }

  // For utilities without known bounds, or which rarely come near them.
  void learn_scale(const double* x) {
    for (int p = 0; p < this->width(); ++p) observed_.add(x[p]);
    if (observed_.count < 64 || std::fmod(observed_.count, 64) < this->width()) {
      const double mean = observed_.sum / observed_.count;
      const double variance = observed_.squares / observed_.count - mean * mean;
      set_scale(std::max(2 * std::sqrt(std::max(0.0, variance)), 1e-9));
    }
  }

  const MctsParams& params_;
  MctsTree& tree_;
  // The sign of a value for chance (-1), player 0 and player 1, at the player's number + 1.
  static constexpr float kSigns[] = {1, 1, -1};

  MctsPath path_;
  std::vector<Credit> credits_;        // of this simulation, from the root down
  std::vector<float> virtual_losses_;  // several threads: of each node of the path
  bool puct_;                          // not UCB1
  bool rave_;                          // blend means with AMAF
  bool plain_;  // UCB1 on means of one value with a fixed scale: has a faster backpropagation
  double urgency_ = 0;  // first-play urgency
  bool visit_all_first_ = true;
  bool in_order_ = true;   // the same, in the order of the children
  double scale_ = 1;       // of the utilities: half their range, or twice their deviation
  float exploration_ = 1;  // exploration constant times scale
  bool fixed_scale_ = true;

 private:
  Moments observed_;  // values of all simulations, where the scale is learned
  std::vector<double> buffer_;
};

}  // namespace zermelo
