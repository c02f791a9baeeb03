// One thread of Monte Carlo tree search. A simulation has four phases: selection, expansion,
// simulation (the playout) and backpropagation.
#pragma once

#include "../../algorithm.hpp"
#include "../../platform.hpp"
#include "../../trace.hpp"
#include "children.hpp"

namespace zermelo {

// Shared: several threads use the tree.
template <class G, bool Shared, class Tracer>
class MctsWorker : public MctsChildren<G, Shared> {
  using Base = MctsChildren<G, Shared>;
  using Node = MctsNode;
  using Lock = typename Base::Lock;
  using Base::add_value, Base::copy_values, Base::mark_played, Base::mean_of, Base::prove;
  using Base::credits_, Base::fixed_scale_, Base::guide_asked_, Base::virtual_losses_;
  using Base::game_, Base::list_, Base::params_, Base::path_, Base::priors_, Base::random;
  using Base::kNoScore, Base::prove_from_children, Base::scores_, Base::set_priors, Base::shuffle;
  using Base::plain_, Base::played_, Base::puct_, Base::rave_, Base::scale_, Base::tree_;
  using Base::sample_child, Base::select_child, Base::set_first_terms, Base::visit_all_first_;
  using Base::values_from_guide, Base::virtual_loss, Base::visits_before, Base::visits_before_;

 public:
  static constexpr bool kShared = Shared;

  MctsWorker(const G& game, const Request& request, MctsTree& tree, std::uint64_t seed,
             Tracer& tracer)
      : Base(game, request.options.mcts, tree, request.budget, seed),
        root_(request.state),
        without_(request.options.without),
        tracer_(tracer),
        value_(this->width()) {
    path_.make_room(tree.max_depth());
    const Facts& f = game.facts;
    // With one value per node the order of the children does not matter. Otherwise ties are broken
    // by it, and in explicit trees users expect the order they wrote.
    expand_after_ = static_cast<std::uint32_t>(params_.expand_after);
    shuffled_ = this->width() == 1 && f.tree_nodes == 0 && !puct_;
    if constexpr (Tracer::kOn) {
      ids_.resize(MctsTree::kRoot + 1);
      tracer_.add_node(0, 0, game.to_move(game.self, root_), 0, game.key(game.self, root_));
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
  // 2. Expansion: a leaf that was evaluated before (`expand_after` times) gets its children, and
  // the simulation continues to one of them, which is returned. With a guide a leaf is expanded at
  // once, because one call gives both its value and the priors of its children. Chance nodes are
  // not evaluated.
  ZERMELO_ALWAYS_INLINE Node& expand(Node& leaf) {
    for (Node* n = &leaf;;) {
      if (n->proven()) return *n;
      const int player = find_player(*n);
      if (player == kTerminal || (visits_before() < expand_after_ && !params_.guide) ||
          tree_.full()) {
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
    int count = list_children(at, chance);
    if (count == 0) return true;
    if (!chance) set_priors(count);
    if (at == MctsTree::kRoot && !without_.empty()) count = this->leave_out(without_, count);
    const std::uint32_t first = tree_.allocate(count);
    if (!first) return n.flags &= static_cast<std::uint8_t>(~Node::kExpanding), false;
    if (params_.widening && !chance) this->sort_by_prior(count);
    if (shuffled_ && !chance) shuffle(count);
    const Action* const list = list_.data();
    tree_.reset(first, list, count);
    if (chance || puct_) {
      const auto prior = [&](int i) { return chance ? this->probabilities()[i] : priors_[i]; };
      for (int i = 0; i < count; ++i) tree_.prior(first + i) = prior(i);
    }
    if (rave_ && !chance) this->set_amaf_indices(first, count);
    if (!visit_all_first_ || rave_) set_first_terms(at, player, first, count);
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
    const bool narrows = params_.priors && game_.narrow && !game_.prior;
    if (narrows && !chance && at != MctsTree::kRoot) {
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
      case Rollout::playout:
        return this->heavy_playout(player, x);
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
      if (!proof && credits_.empty() && plain_) {  // the common case
        this->backpropagate_path(x[0]);
        if (path_.size() > 1) record_moment(path_[1].node, x[0]);
        return;
      }
    }
    for (int i = path_.size(); i-- > 0;) {
      const auto [at, parent_player] = path_[i];
      if (rave_ && i + 1 < path_.size()) mark_played(path_[i + 1].node, path_[i + 1].parent_player);
      if (!credits_.empty() && credits_.back().place == i) [[unlikely]] {
        take_credit(x);
      }
      if (proof) [[unlikely]] {
        proof = i + 1 == path_.size() || prove_from_children(at, parent_player);
        if (proof) take_proof(at, x);
      }
      if constexpr (Shared) {  // replaces the virtual loss
        const Lock lock(tree_[at]);
        add_value(at, parent_player, [&](int p) { return x[p] - virtual_losses_[i]; }, false);
      } else {
        add_value(at, parent_player, [&](int p) { return x[p]; }, true);
      }
      if (rave_) {
        this->update_amaf(at, x[0]);
        if constexpr (Tracer::kOn) trace_amaf(at);
      }
      if (i == 1) record_moment(at, x[0]);
      if constexpr (Tracer::kOn) trace_updated(i, x[0]);
    }
    if (rave_) played_.clear();
  }
  // From here up the value of the credited child counts. AMAF continues with the line that earned
  // the value.
  void take_credit(double* x) {
    const auto [place, child] = credits_.back();
    credits_.pop_back();
    copy_values(child, x);
    if (!rave_) return;
    played_.clear();
    mark_played(child, tree_[path_[place].node].player);
  }
  // From here up the proven value counts. If it is not that of the line, AMAF starts a new one.
  void take_proof(std::uint32_t at, double* x) {
    const double before = x[0];
    copy_values(at, x);
    if (rave_ && x[0] != before) played_.clear();
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
  void trace_amaf(std::uint32_t at) {
    for (std::uint32_t c = tree_.first(at); c < tree_.end(at); ++c) {
      const AmafStats& amaf = tree_.amaf(c);
      const double mean = tree_[at].player == 1 ? -amaf.mean : amaf.mean;
      if (amaf.visits) tracer_.note(Step::amaf, ids_[c], 0, mean, amaf.visits, 0);
    }
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
  const std::vector<Action>& without_;  // root moves that are not searched
  Tracer& tracer_;
  std::uint32_t expand_after_ = 1;  // visits of a leaf
  bool shuffled_ = false;           // new children are in random order
  std::vector<double> value_;       // of the leaf, one per player or player 0's
  std::vector<std::uint32_t> ids_;  // a node's number in the trace
};

}  // namespace zermelo
