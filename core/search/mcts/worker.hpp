// One thread of Monte Carlo tree search: simulations, each in four phases.
#pragma once

#include "../../platform.hpp"
#include "../../trace.hpp"
#include "priors.hpp"

namespace zermelo {

// Shared: other threads grow the same tree.
template <class G, bool Shared, class Tracer>
class MctsWorker : public MctsPriors<G, Shared> {
  using Base = MctsPriors<G, Shared>;
  using Node = MctsNode;
  using Lock = typename Base::Lock;
  using Place = typename Base::Place;
  using Base::ask_guide, Base::asked_, Base::kNoPromise, Base::priors_, Base::set_priors;
  using Base::average, Base::breadth, Base::mean_of, Base::prove, Base::settle;
  using Base::credits_, Base::losses_, Base::take_values, Base::worst, Base::worth;
  using Base::explore_, Base::fixed_, Base::shuffle;
  using Base::game_, Base::list_, Base::promise_, Base::random;
  using Base::params_, Base::tree_, Base::path_, Base::puct_, Base::urgency_, Base::scale_;

 public:
  static constexpr bool kShared = Shared;

  MctsWorker(const G& game, const MctsParams& params, MctsTree& tree, const Budget& budget,
             const void* root, std::uint64_t seed, Tracer& tracer)
      : Base(game, params, tree, budget, seed), root_(root), tracer_(tracer), x_(this->width()) {
    path_.make_room(tree.deepest());
    const Facts& f = game.facts;
    // Where one value says it all, nothing is lost by a random order; ties of others go by order.
    shuffled_ = this->width() == 1 && f.tree_nodes == 0 && !puct_;
    if constexpr (Tracer::kOn) {
      ids_.resize(MctsTree::kRoot + 1);
      tracer_.add_node(0, 0, game.to_move(game.self, root), 0, game.key(game.self, root));
    }
  }

  // One simulation. Throws Stopped when the budget is spent in its middle.
  ZERMELO_ALWAYS_INLINE void simulate() {
    try {
      const Node& leaf = expand(select());
      const int plies = judge(leaf);
      if constexpr (Tracer::kOn) note_judged(plies);
      back_up(leaf);
    } catch (...) {
      if constexpr (Shared) this->retract();
      throw;
    }
  }

  int deepest = 0;             // plies below the root
  std::vector<Spread> spread;  // by root move

 private:
  // 1. Down the tree by the greatest upper bound, as far as it goes.
  ZERMELO_ALWAYS_INLINE Node& select() {
    losses_.clear();
    credits_.clear();
    asked_ = false;
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
    path_.end_at(path_.begin());
    come_to(MctsTree::kRoot, kChance);
    for (;;) {
      // As long as it is known whose turn it is: no deeper than somebody was, so there is room.
      if constexpr (!Shared && !Tracer::kOn) {
        Place* end = path_.end();
        Node* next;
        for (std::uint32_t child; (child = this->read(n->next)) != 0; n = next) {
          next = nodes + child;
          if (next->proven()) [[unlikely]]
            break;
          *end++ = {child, this->read(n->player)};
          play(next->action);
        }
        path_.end_at(end);
      }
      if (!n->first.load(std::memory_order_acquire) || n->proven()) return *n;
      const std::uint32_t at = path_.back().node;
      const int player = n->player;
      const std::uint32_t child = player == kChance ? draw(at) : best(at);
      if constexpr (Tracer::kOn) note_selected(at, child);
      come_to(child, player);
      n = nodes + child;
      play(n->action);
    }
  }

  void come_to(std::uint32_t at, int chooser) {
    path_.push(at, chooser);
    if constexpr (Shared) {
      // As if it were lost, until it is known: the other threads look elsewhere.
      const auto loss = static_cast<float>(worst(chooser));
      losses_.push_back(loss);
      const Lock lock(tree_[at]);
      before_ = tree_[at].visits;
      average(at, chooser, [&](int) { return loss; }, true);
    }
  }
  // Visits of the node that was come to last, without this one.
  std::uint32_t before() const {
    if constexpr (Shared) return before_;
    return tree_[path_.back().node].visits.load(std::memory_order_relaxed);
  }

  // 2. A leaf that was judged before gets its children; one of them is gone to, and returned. A
  // guide judges a node when it gets its children, at once; nature needs no judge.
  ZERMELO_ALWAYS_INLINE Node& expand(Node& leaf) {
    for (Node* n = &leaf;;) {
      if (n->proven()) return *n;
      const int player = arrive(*n);
      if (player == kTerminal || (before() == 0 && !params_.guide) || tree_.full()) return *n;
      const std::uint32_t at = path_.back().node;
      if (!grow(at, player) || n->proven() || (params_.guide && player != kChance)) return *n;
      const std::uint32_t child = player == kChance ? draw(at) : best(at);
      if constexpr (Tracer::kOn) note_selected(at, child);
      n = &tree_[child];
      this->play(n->action);
      come_to(child, player);
      if (!params_.guide) return arrive(*n), *n;
    }
  }

  // Who moves at the end of the path, asked when it is first come to. The end of the game is a
  // proof.
  int arrive(Node& n) {
    int player = this->read(n.player);
    if (player != Node::kUnknown) return player;
    player = this->to_move();
    this->write(n.player, static_cast<std::int8_t>(player));
    const auto [at, chooser] = path_.back();
    if (player == kTerminal && params_.solver) {
      this->payoffs(x_.data());
      prove(at, x_.data(), chooser);
    }
    if constexpr (Tracer::kOn) {
      tracer_.name_node(ids_[at], player, game_.key(game_.self, this->state()));
    }
    return player;
  }

  // Makes the children of a node. False: there is no room, or another thread is at it.
  bool grow(std::uint32_t at, int player) {
    Node& n = tree_[at];
    if constexpr (Shared) {
      if (n.marks.fetch_or(Node::kGrowing) & Node::kGrowing) return false;
    }
    int count = 0;
    const bool chance = player == kChance;
    if (params_.priors && !chance && game_.narrow && at != MctsTree::kRoot) {
      double low, high;
      count = this->narrowed(&low, &high);
      if (low == high && params_.solver && this->width() == 1) {
        prove(at, &low, path_.back().chooser);
        return true;
      }
    }
    if (count == 0) count = this->actions(chance), promise_[0] = kNoPromise;
    if (count > UINT16_MAX) throw RulesError("a state has more than 65,535 actions");
    if (!chance) set_priors(count);
    const std::uint32_t first = tree_.take(count);
    if (!first) return n.marks &= static_cast<std::uint8_t>(~Node::kGrowing), false;
    if (shuffled_ && !chance) shuffle(count);
    const Action* const list = list_.data();
    tree_.reset(first, list, count);
    if (chance || puct_) {
      const auto odds = [&](int i) { return chance ? this->odds()[i] : priors_[i]; };
      for (int i = 0; i < count; ++i) tree_.prior(first + i) = odds(i);
    }
    if (!this->each_first_) {
      for (int i = 0; i < count; ++i) guess(at, player, first + i);
    }
    if constexpr (Tracer::kOn) {
      for (int i = 0; i < count; ++i) note_child(at, list[i], first + i);
    }
    if constexpr (Tracer::kOn) tracer_.note(Step::expand, ids_[at], 0, count, 0, 0);
    n.count = static_cast<std::uint16_t>(count);
    n.first.store(first, std::memory_order_release);
    return true;
  }

  // What is thought of a child before it is tried.
  void guess(std::uint32_t at, int player, std::uint32_t child) {
    constexpr auto relaxed = std::memory_order_relaxed;
    for (int p = 0; p < this->width(); ++p) {
      double sign = p == player;
      if (this->width() == 1) sign = player == 1 ? -1 : 1;
      const double v = mean_of(at, p) + sign * urgency_ * scale_;
      if (p == 0) tree_[child].mean.store(v, relaxed);
      if (this->width() > 1) tree_.values(child)[p].store(v, relaxed);
    }
    this->look(child, static_cast<float>(worth(child, player)), breadth(child, 0));
  }

  // 3. What the leaf is worth, in x_: known, asked for, or found by playing on.
  int judge(const Node& n) {
    double* x = x_.data();
    if (n.proven()) return take_values(path_.back().node, x), 0;
    const int player = n.player;
    if (player == kTerminal) return this->payoffs(x), 0;
    if (params_.guide) return ask_guide(player, x), 0;
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

  // 4. Up again: every node on the way counts it. A proof goes up as far as it holds.
  ZERMELO_ALWAYS_INLINE void back_up(const Node& leaf) {
    if (path_.size() - 1 > deepest) [[unlikely]]
      tree_.note_depth(deepest = path_.size() - 1);
    double* x = x_.data();
    if (!fixed_) this->learn_scale(x);
    bool news = leaf.proven();
    if constexpr (!Shared && !Tracer::kOn) {
      if (!news && credits_.empty() && !puct_ && fixed_ && this->width() == 1) {  // as a rule
        this->average_path(x[0]);
        if (path_.size() > 1) note_spread(path_[1].node, x[0]);
        return;
      }
    }
    for (int i = path_.size(); i-- > 0;) {
      const auto [at, chooser] = path_[i];
      if (!credits_.empty() && credits_.back().place == i) [[unlikely]] {
        take_values(credits_.back().child, x);
        credits_.pop_back();
      }
      if (news) [[unlikely]] {
        news = i + 1 == path_.size() || settle(at, chooser);
        if (news) take_values(at, x);
      }
      if constexpr (Shared) {
        const Lock lock(tree_[at]);
        average(at, chooser, [&](int p) { return x[p] - losses_[i]; }, false);
      } else {
        average(at, chooser, [&](int p) { return x[p]; }, true);
      }
      if (i == 1) note_spread(at, x[0]);
      if constexpr (Tracer::kOn) note_updated(i, x[0]);
    }
  }

  // -- choosing a child ------------------------------------------------------------------------
  std::uint32_t best(std::uint32_t at) {
    const std::uint32_t first = tree_.first(at), visits = before();
    const MctsLooks looks = tree_.looks();
    const Turn<Shared> turn(looks, first, tree_[at].count, this->doubt_at(visits));
    const std::uint32_t top = turn.next(visits, this->each_first_, AllStored{});
    return tree_[top].proven() ? open_beside(top, at) : top;
  }

  // The choice is known for what it is: so it counts, but the best of the others is looked at.
  std::uint32_t open_beside(std::uint32_t top, std::uint32_t at) {
    const float doubt = this->doubt_at(before());
    std::uint32_t open = 0;
    float most = 0;
    for (std::uint32_t c = tree_.first(at); c < tree_.end(at); ++c) {
      if (tree_[c].proven()) continue;
      const float bound = this->bound_of(tree_.looks(), c, doubt);
      if (!open || bound > most) open = c, most = bound;
    }
    if (!open) return top;
    credits_.push_back({path_.size() - 1, top});
    return open;
  }

  // A child of a chance node, by the odds; what is proved counts, but another is looked at.
  std::uint32_t draw(std::uint32_t at) {
    const std::uint32_t first = tree_.first(at), end = tree_.end(at);
    const auto odds = [&](std::uint32_t i) { return tree_.prior(first + i); };
    const std::uint32_t c = first + pick_outcome_by(random.part(), end - first, odds);
    if (!tree_[c].proven()) return c;
    double open = 0;
    for (std::uint32_t i = first; i < end; ++i) open += tree_[i].proven() ? 0 : tree_.prior(i);
    std::uint32_t other = 0;
    double r = random.part() * open;
    for (std::uint32_t i = first; i < end && (!other || r >= 0); ++i) {
      if (!tree_[i].proven()) other = i, r -= tree_.prior(i);
    }
    if (!other) return c;
    credits_.push_back({path_.size() - 1, c});
    return other;
  }

  // -- what is told ----------------------------------------------------------------------------
  void note_child(std::uint32_t at, Action action, std::uint32_t child) {
    ids_.resize(std::max<std::size_t>(ids_.size(), child + 1));
    ids_[child] = tracer_.add_node(ids_[at], action, Node::kUnknown, path_.size(), 0);
  }
  void note_selected(std::uint32_t at, std::uint32_t child) {
    const bool credited = !credits_.empty() && credits_.back().place == path_.size() - 1;
    tracer_.note(Step::select, ids_[at], ids_[child], params_.exploration * scale_,
                 credited ? ids_[credits_.back().child] : 0, 0);
  }
  void note_judged(int plies) {
    const std::uint32_t at = path_.back().node;
    tracer_.note(Step::simulate, ids_[at], 0, x_[0], plies, 0, known(at));
  }
  void note_updated(int i, double x) {
    const std::uint32_t at = path_[i].node;
    tracer_.note(Step::update, ids_[at], 0, mean_of(at, std::max(0, path_[i].chooser)), x,
                 tree_[at].visits, known(at));
  }
  Bound known(std::uint32_t at) const {
    return tree_[at].proven() ? Bound::exact : Bound::estimate;
  }
  void note_spread(std::uint32_t child, double x) {
    const std::uint32_t i = child - tree_.first(MctsTree::kRoot);
    if (i >= spread.size()) spread.resize(tree_[MctsTree::kRoot].count);
    spread[i].add(x);
  }

  const void* root_;
  Tracer& tracer_;
  bool shuffled_ = false;
  std::uint32_t before_ = 0;        // of several threads: see before()
  std::vector<double> x_;           // what the leaf is worth
  std::vector<std::uint32_t> ids_;  // a node's number in the trace
};

}  // namespace zermelo
