// One thread of Monte Carlo tree search. A simulation has four phases: selection, expansion,
// simulation (the playout) and backpropagation.
#pragma once

#include "../../platform.hpp"
#include "../../trace.hpp"
#include "priors.hpp"

namespace zermelo {

// Shared: several threads use the tree.
template <class G, bool Shared, class Tracer>
class MctsWorker : public MctsPriors<G, Shared> {
  using Base = MctsPriors<G, Shared>;
  using Node = MctsNode;
  using Lock = typename Base::Lock;
  using PathNode = typename Base::PathNode;
  using Base::add_value, Base::copy_values, Base::exploration_term, Base::mean_of, Base::prove;
  using Base::credits_, Base::virtual_losses_, Base::fixed_scale_, Base::guide_asked_;
  using Base::game_, Base::list_, Base::scores_, Base::random, Base::params_, Base::priors_;
  using Base::kNoScore, Base::prove_from_children, Base::set_priors, Base::shuffle;
  using Base::tree_, Base::path_, Base::puct_, Base::urgency_, Base::scale_, Base::visit_all_first_;
  using Base::value_for, Base::values_from_guide, Base::virtual_loss;

 public:
  static constexpr bool kShared = Shared;

  MctsWorker(const G& game, const MctsParams& params, MctsTree& tree, const Budget& budget,
             const void* root, std::uint64_t seed, Tracer& tracer)
      : Base(game, params, tree, budget, seed),
        root_(root),
        tracer_(tracer),
        value_(this->width()) {
    path_.make_room(tree.max_depth());
    const Facts& f = game.facts;
    // With one value per node the order of the children does not matter. Otherwise ties are broken
    // by it, and in explicit trees users expect the order they wrote.
    shuffled_ = this->width() == 1 && f.tree_nodes == 0 && !puct_;
    if constexpr (Tracer::kOn) {
      ids_.resize(MctsTree::kRoot + 1);
      tracer_.add_node(0, 0, game.to_move(game.self, root), 0, game.key(game.self, root));
    }
  }

  // One simulation. Throws Stopped if the budget ends during it.
  ZERMELO_ALWAYS_INLINE void simulate() {
    try {
      const Node& leaf = expand(select());
      const int plies = evaluate_leaf(leaf);
      if constexpr (Tracer::kOn) trace_evaluated(plies);
      backpropagate(leaf);
    } catch (...) {
      if constexpr (Shared) this->undo_virtual_losses();
      throw;
    }
  }

  int max_depth = 0;             // plies below the root
  std::vector<Moments> moments;  // by root move

 private:
  // 1. Selection: descends by the greatest upper confidence bound to a leaf of the tree.
  ZERMELO_ALWAYS_INLINE Node& select() {
    virtual_losses_.clear();
    credits_.clear();
    guide_asked_ = false;
    if constexpr (Base::kSmall) {  // the state stays in registers
      const auto& rules = G::rules(game_.self);
      StateOf<G> s = G::at(root_);
      Node& leaf = descend([&](Action a) { s = rules.play(s, a); });
      this->set(&s);
      return leaf;
    } else {
      this->set(root_);
      return descend([&](Action a) { this->play(a); });
    }
  }

  template <class Play>
  ZERMELO_ALWAYS_INLINE Node& descend(Play play) {
    Node* const nodes = &tree_[0];
    Node* n = nodes + MctsTree::kRoot;
    path_.set_end(path_.begin());
    visit(MctsTree::kRoot, kChance);
    for (;;) {
      // Along precomputed selections. They are no deeper than earlier simulations, so the path has
      // room.
      if constexpr (!Shared && !Tracer::kOn) {
        PathNode* end = path_.end();
        Node* next;
        for (std::uint32_t child; (child = this->read(n->selected)) != 0; n = next) {
          next = nodes + child;
          if (next->proven()) [[unlikely]]
            break;
          *end++ = {child, this->read(n->player)};
          play(next->action);
        }
        path_.set_end(end);
      }
      if (!n->first.load(std::memory_order_acquire) || n->proven()) return *n;
      const std::uint32_t at = path_.back().node;
      const int player = n->player;
      const std::uint32_t child = player == kChance ? sample_child(at) : select_child(at);
      if constexpr (Tracer::kOn) trace_selected(at, child);
      visit(child, player);
      n = nodes + child;
      play(n->action);
    }
  }

  // Appends a node to the path. With several threads it also gets a virtual loss: it counts as lost
  // until the simulation ends, so that the other threads explore elsewhere.
  void visit(std::uint32_t at, int parent_player) {
    path_.push(at, parent_player);
    if constexpr (Shared) {
      const auto loss = static_cast<float>(virtual_loss(parent_player));
      virtual_losses_.push_back(loss);
      const Lock lock(tree_[at]);
      visits_before_ = tree_[at].visits;
      add_value(at, parent_player, [&](int) { return loss; }, true);
    }
  }
  // The visits of the last node of the path, without this simulation.
  std::uint32_t visits_before() const {
    if constexpr (Shared) return visits_before_;
    return tree_[path_.back().node].visits.load(std::memory_order_relaxed);
  }

  // 2. Expansion: a leaf that was evaluated before gets its children, and the simulation continues
  // to one of them, which is returned. With a guide a leaf is expanded at once, because one call
  // gives both its value and the priors of its children. Chance nodes are not evaluated.
  ZERMELO_ALWAYS_INLINE Node& expand(Node& leaf) {
    for (Node* n = &leaf;;) {
      if (n->proven()) return *n;
      const int player = find_player(*n);
      if (player == kTerminal || (visits_before() == 0 && !params_.guide) || tree_.full()) {
        return *n;
      }
      const std::uint32_t at = path_.back().node;
      if (!add_children(at, player) || n->proven() || (params_.guide && player != kChance)) {
        return *n;
      }
      const std::uint32_t child = player == kChance ? sample_child(at) : select_child(at);
      if constexpr (Tracer::kOn) trace_selected(at, child);
      n = &tree_[child];
      this->play(n->action);
      visit(child, player);
      if (!params_.guide) return find_player(*n), *n;
    }
  }

  // The player to move at the last node of the path, computed at its first visit. A terminal state
  // proves the node.
  int find_player(Node& n) {
    int player = this->read(n.player);
    if (player != Node::kUnknown) return player;
    player = this->to_move();
    this->write(n.player, static_cast<std::int8_t>(player));
    const auto [at, parent_player] = path_.back();
    if (player == kTerminal && params_.solver) {
      this->terminal_values(value_.data());
      prove(at, value_.data(), parent_player);
    }
    if constexpr (Tracer::kOn) {
      tracer_.name_node(ids_[at], player, game_.key(game_.self, this->state()));
    }
    return player;
  }

  // False: the pool is full, or another thread is expanding this node.
  bool add_children(std::uint32_t at, int player) {
    Node& n = tree_[at];
    if constexpr (Shared) {
      if (n.flags.fetch_or(Node::kExpanding) & Node::kExpanding) return false;
    }
    const bool chance = player == kChance;
    const int count = list_children(at, chance);
    if (count == 0) return true;
    if (!chance) set_priors(count);
    const std::uint32_t first = tree_.allocate(count);
    if (!first) return n.flags &= static_cast<std::uint8_t>(~Node::kExpanding), false;
    if (shuffled_ && !chance) shuffle(count);
    const Action* const list = list_.data();
    tree_.reset(first, list, count);
    if (chance || puct_) {
      const auto prior = [&](int i) { return chance ? this->probabilities()[i] : priors_[i]; };
      for (int i = 0; i < count; ++i) tree_.prior(first + i) = prior(i);
    }
    if (!visit_all_first_) {
      for (int i = 0; i < count; ++i) set_first_play_urgency(at, player, first + i);
    }
    if constexpr (Tracer::kOn) {
      for (int i = 0; i < count; ++i) trace_child(at, list[i], first + i);
      tracer_.note(Step::expand, ids_[at], 0, count, 0, 0);
    }
    n.count = static_cast<std::uint16_t>(count);
    n.first.store(first, std::memory_order_release);
    return true;
  }

  // Lists the actions that become children. 0: `narrow` has proved the node.
  int list_children(std::uint32_t at, bool chance) {
    int count = 0;
    if (params_.priors && !chance && game_.narrow && at != MctsTree::kRoot) {
      double low, high;
      count = this->narrowed(&low, &high);
      if (low == high && params_.solver && this->width() == 1) {
        prove(at, &low, path_.back().parent_player);
        return 0;
      }
    }
    if (count == 0) count = this->actions(chance), scores_[0] = kNoScore;
    if (count > UINT16_MAX) throw RulesError("a state has more than 65,535 actions");
    return count;
  }

  // The value of an unvisited child: the mean of its parent plus the first-play urgency.
  void set_first_play_urgency(std::uint32_t at, int player, std::uint32_t child) {
    constexpr auto relaxed = std::memory_order_relaxed;
    for (int p = 0; p < this->width(); ++p) {
      double sign = p == player;
      if (this->width() == 1) sign = player == 1 ? -1 : 1;
      const double v = mean_of(at, p) + sign * urgency_ * scale_;
      if (p == 0) tree_[child].mean.store(v, relaxed);
      if (this->width() > 1) tree_.values(child)[p].store(v, relaxed);
    }
    this->set_terms(child, static_cast<float>(value_for(child, player)),
                    exploration_term(child, 0));
  }

  // 3. Simulation: writes the value of the leaf to value_. Returns the plies of the playout.
  int evaluate_leaf(const Node& n) {
    double* x = value_.data();
    if (n.proven()) return copy_values(path_.back().node, x), 0;
    const int player = n.player;
    if (player == kTerminal) return this->terminal_values(x), 0;
    if (params_.guide) return values_from_guide(player, x), 0;
    if (params_.plays) return this->policy_playout(*params_.plays, player, x);
    switch (params_.rollout) {
      case Rollout::random:
        return this->random_playout(player, x);
      case Rollout::greedy:
        return this->greedy_playout(player, x);
      case Rollout::evaluate:
        return this->short_playout(player, params_.rollout_depth, x);
      case Rollout::none:
        return this->evaluate(x), 0;
    }
    return 0;
  }

  // 4. Backpropagation: adds the value to every node of the path, and backs up a proof as far as
  // it holds.
  ZERMELO_ALWAYS_INLINE void backpropagate(const Node& leaf) {
    if (path_.size() - 1 > max_depth) [[unlikely]]
      tree_.record_depth(max_depth = path_.size() - 1);
    double* x = value_.data();
    if (!fixed_scale_) this->learn_scale(x);
    bool proof = leaf.proven();
    if constexpr (!Shared && !Tracer::kOn) {
      // The common case.
      if (!proof && credits_.empty() && !puct_ && fixed_scale_ && this->width() == 1) {
        this->backpropagate_path(x[0]);
        if (path_.size() > 1) record_moment(path_[1].node, x[0]);
        return;
      }
    }
    for (int i = path_.size(); i-- > 0;) {
      const auto [at, parent_player] = path_[i];
      if (!credits_.empty() && credits_.back().place == i) [[unlikely]] {
        copy_values(credits_.back().child, x);
        credits_.pop_back();
      }
      if (proof) [[unlikely]] {
        proof = i + 1 == path_.size() || prove_from_children(at, parent_player);
        if (proof) copy_values(at, x);
      }
      if constexpr (Shared) {  // replaces the virtual loss
        const Lock lock(tree_[at]);
        add_value(at, parent_player, [&](int p) { return x[p] - virtual_losses_[i]; }, false);
      } else {
        add_value(at, parent_player, [&](int p) { return x[p]; }, true);
      }
      if (i == 1) record_moment(at, x[0]);
      if constexpr (Tracer::kOn) trace_updated(i, x[0]);
    }
  }

  // -- choosing a child ------------------------------------------------------------------------

  std::uint32_t select_child(std::uint32_t at) {
    const std::uint32_t first = tree_.first(at), visits = visits_before();
    const Selection<Shared> children(tree_.terms(), first, tree_[at].count,
                                     this->exploration_factor(visits));
    const std::uint32_t top = children.best(visits, visit_all_first_, NothingPending{});
    return tree_[top].proven() ? credit_and_explore(top, at) : top;
  }

  // The selected child is proven: its value is backed up, and the best unproven sibling is
  // explored.
  std::uint32_t credit_and_explore(std::uint32_t top, std::uint32_t at) {
    const float factor = this->exploration_factor(visits_before());
    std::uint32_t unproven = 0;
    float most = 0;
    for (std::uint32_t c = tree_.first(at); c < tree_.end(at); ++c) {
      if (tree_[c].proven()) continue;
      const float bound = this->upper_bound(tree_.terms(), c, factor);
      if (!unproven || bound > most) unproven = c, most = bound;
    }
    if (!unproven) return top;
    credits_.push_back({path_.size() - 1, top});
    return unproven;
  }

  // A random child of a chance node. If it is proven, its value is backed up and an unproven one is
  // explored.
  std::uint32_t sample_child(std::uint32_t at) {
    const std::uint32_t first = tree_.first(at), end = tree_.end(at);
    const auto probability = [&](std::uint32_t i) { return tree_.prior(first + i); };
    const std::uint32_t c = first + pick_outcome_by(random.part(), end - first, probability);
    if (!tree_[c].proven()) return c;
    double total = 0;  // of the unproven
    for (std::uint32_t i = first; i < end; ++i) total += tree_[i].proven() ? 0 : tree_.prior(i);
    std::uint32_t unproven = 0;
    double r = random.part() * total;
    for (std::uint32_t i = first; i < end && (!unproven || r >= 0); ++i) {
      if (!tree_[i].proven()) unproven = i, r -= tree_.prior(i);
    }
    if (!unproven) return c;
    credits_.push_back({path_.size() - 1, c});
    return unproven;
  }

  // -- trace and statistics of the root moves --------------------------------------------------

  void trace_child(std::uint32_t at, Action action, std::uint32_t child) {
    ids_.resize(std::max<std::size_t>(ids_.size(), child + 1));
    ids_[child] = tracer_.add_node(ids_[at], action, Node::kUnknown, path_.size(), 0);
  }
  void trace_selected(std::uint32_t at, std::uint32_t child) {
    const bool credited = !credits_.empty() && credits_.back().place == path_.size() - 1;
    tracer_.note(Step::select, ids_[at], ids_[child], params_.exploration * scale_,
                 credited ? ids_[credits_.back().child] : 0, 0);
  }
  void trace_evaluated(int plies) {
    const std::uint32_t at = path_.back().node;
    tracer_.note(Step::simulate, ids_[at], 0, value_[0], plies, 0, bound_of(at));
  }
  void trace_updated(int i, double x) {
    const std::uint32_t at = path_[i].node;
    tracer_.note(Step::update, ids_[at], 0, mean_of(at, std::max(0, path_[i].parent_player)), x,
                 tree_[at].visits, bound_of(at));
  }
  Bound bound_of(std::uint32_t at) const {
    return tree_[at].proven() ? Bound::exact : Bound::estimate;
  }
  void record_moment(std::uint32_t child, double x) {
    const std::uint32_t i = child - tree_.first(MctsTree::kRoot);
    if (i >= moments.size()) moments.resize(tree_[MctsTree::kRoot].count);
    moments[i].add(x);
  }

  const void* root_;
  Tracer& tracer_;
  bool shuffled_ = false;            // new children are in random order
  std::uint32_t visits_before_ = 0;  // several threads: see visits_before()
  std::vector<double> value_;        // of the leaf, one per player or player 0's
  std::vector<std::uint32_t> ids_;   // a node's number in the trace
};

}  // namespace zermelo
