// One thread of Monte Carlo tree search: simulations, each in four phases.
#pragma once

#include "../../trace.hpp"
#include "values.hpp"

namespace zermelo {

// Shared: other threads grow the same tree.
template <class G, bool Shared, class Tracer>
class MctsWorker : public MctsValues<G, Shared> {
  using Base = MctsValues<G, Shared>;
  using Node = MctsNode;
  using Lock = typename Base::Lock;
  using Base::average, Base::breadth, Base::mean_of, Base::prove, Base::settle;
  using Base::explore_, Base::fixed_;
  using Base::game_, Base::list_, Base::promise_, Base::random;
  using Base::params_, Base::tree_, Base::path_, Base::puct_, Base::urgency_, Base::scale_;
  using Base::take_values, Base::worst, Base::worth;

 public:
  static constexpr bool kShared = Shared;

  MctsWorker(const G& game, const MctsParams& params, MctsTree& tree, const Budget& budget,
             const void* root, std::uint64_t seed, Tracer& tracer)
      : Base(game, params, tree, budget, seed), root_(root), tracer_(tracer), x_(this->width()) {
    const Facts& f = game.facts;
    // Where one value says it all, nothing is lost by a random order; ties of others go by order.
    shuffled_ = this->width() == 1 && f.tree_nodes == 0 && !puct_;
    if constexpr (Tracer::kOn) {
      ids_.resize(MctsTree::kRoot + 1);
      tracer_.add_node(0, 0, game.to_move(game.self, root), 0, game.key(game.self, root));
    }
  }

  // One simulation. Throws Stopped when the budget is spent in its middle.
  void simulate() {
    try {
      select();
      expand();
      const int plies = judge();
      if constexpr (Tracer::kOn) note_judged(plies);
      back_up();
    } catch (...) {
      if constexpr (Shared) this->retract();
      throw;
    }
  }

  int deepest = 0;             // plies below the root
  std::vector<Spread> spread;  // by root move

 private:
  // 1. Down the tree by the greatest upper bound, as far as it goes.
  void select() {
    path_.clear();
    asked_ = credited_ = false;
    if constexpr (Base::kSmall) {  // the state stays in registers
      StateOf<G> s;
      std::memcpy(&s, root_, sizeof s);
      descend([&](Action a) {
        StateOf<G> next;
        game_.play(game_.self, &s, a, &next);
        s = next;
      });
      this->set(&s);
    } else {
      this->set(root_);
      descend([&](Action a) { this->play(a); });
    }
  }

  template <class Play>
  void descend(Play play) {
    const Node* const nodes = &tree_[0];
    const MctsStep* const steps = &tree_.step(0);
    std::uint32_t at = MctsTree::kRoot;
    come_to(at, kChance);
    for (;;) {
      std::uint32_t child = steps[at].next.load(std::memory_order_relaxed);
      const int player = nodes[at].player.load(std::memory_order_relaxed);
      if (!child) [[unlikely]] {
        if (nodes[at].proven() || !tree_.first(at)) return;
        child = player == kChance ? draw(at) : best(at);
      }
      if constexpr (Tracer::kOn) note_selected(at, child);
      play(nodes[child].action);
      come_to(at = child, player);
    }
  }

  void come_to(std::uint32_t at, int chooser) {
    if constexpr (Shared) {
      // As if it were lost, until it is known: the other threads look elsewhere.
      const auto loss = static_cast<float>(worst(chooser));
      path_.push_back({at, 0, chooser, loss});
      const Lock lock(tree_[at]);
      before_ = tree_[at].visits;
      average(at, chooser, [&](int) { return loss; }, true);
    } else {
      path_.push_back({at, 0, chooser, 0});
    }
  }
  // Visits of the node that was come to last, without this one.
  std::uint32_t before() const {
    if constexpr (Shared) return before_;
    return tree_[path_.back().node].visits.load(std::memory_order_relaxed);
  }

  // 2. A leaf that was judged before gets its children; one of them is gone to. A guide judges a
  // node when it gets its children, at once; nature needs no judge.
  void expand() {
    for (;;) {
      const std::uint32_t at = path_.back().node;
      if (tree_[at].proven()) return;
      const int player = arrive(at);
      if (player == kTerminal || tree_.full() || (before() == 0 && !params_.guide)) return;
      if (!grow(at, player) || tree_[at].proven() || (params_.guide && player != kChance)) return;
      const std::uint32_t child = player == kChance ? draw(at) : best(at);
      if constexpr (Tracer::kOn) note_selected(at, child);
      this->play(tree_[child].action);
      come_to(child, player);
      if (!params_.guide) {
        arrive(child);
        return;
      }
    }
  }

  // Who moves at a node, asked when it is first come to. The end of the game is a proof.
  int arrive(std::uint32_t at) {
    Node& n = tree_[at];
    int player = n.player.load(std::memory_order_relaxed);
    if (player != Node::kUnknown) return player;
    player = this->to_move();
    n.player.store(static_cast<std::int8_t>(player), std::memory_order_relaxed);
    if (player == kTerminal && params_.solver) {
      this->payoffs(x_.data());
      prove(at, x_.data(), path_.back().chooser);
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
    for (int i = 0; i < count; ++i) tree_.reset(first + i, list[i]);
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
    tree_.step(at).first.store(first, std::memory_order_release);
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
    tree_.step(child).set(static_cast<float>(worth(child, player)), breadth(child, 0));
  }

  // Priors from a guide or from the promises of the game (flat where it has none).
  void set_priors(int count) {
    if (!puct_) return;
    priors_.resize(count);
    if (params_.guide) {
      guided_.resize(game_.facts.players);
      params_.guide->ask(params_.guide->self, this->state(), list_.data(), count, priors_.data(),
                         guided_.data());
      asked_ = true;
    } else if (promise_[0] == kNoPromise && !(game_.narrow && ask_promises(count))) {
      std::fill(priors_.begin(), priors_.end(), 1.0F / static_cast<float>(count));
    } else {
      soften(count);
    }
  }

  // The root keeps all its actions; those that `narrow` leaves out promise least.
  bool ask_promises(int count) {
    const std::vector<Action> all(list_.begin(), list_.begin() + count);
    double low, high;
    const int named = this->narrowed(&low, &high);
    std::vector<float> promise(count, 0);
    float least = 0;
    for (int i = 0; i < named; ++i) least = std::min(least, promise_[i]);
    for (int i = 0; i < count; ++i) {
      const auto found = std::find(list_.begin(), list_.begin() + named, all[i]);
      const bool there = found != list_.begin() + named;
      promise[i] = there ? promise_[found - list_.begin()] : least - 1;
    }
    std::copy(all.begin(), all.end(), list_.begin());
    std::copy(promise.begin(), promise.end(), promise_.begin());
    return named > 0;
  }

  // Promises are in any unit: their spread tells how much a difference means.
  void soften(int count) {
    const auto end = promise_.begin() + count;
    const auto [least, most] = std::minmax_element(promise_.begin(), end);
    const float unit = (*most - *least) / static_cast<float>(MctsParams::kPromise);
    const float top = *most;
    float sum = 0;
    for (int i = 0; i < count; ++i) {
      sum += priors_[i] = unit > 0 ? std::exp((promise_[i] - top) / unit) : 1.0F;
    }
    for (float& p : priors_) p /= sum;
  }

  void shuffle(int count) {
    std::uint64_t bits = 0;  // sixteen at a time are enough for an order
    for (int i = count - 1; i > 0; --i, bits >>= 16) {
      if (((count - 1 - i) & 3) == 0) bits = random.next();
      std::swap(list_[i], list_[(bits & 0xffff) * (i + 1) >> 16]);
    }
  }

  // 3. What the leaf is worth, in x_: known, asked for, or found by playing on.
  int judge() {
    const std::uint32_t at = path_.back().node;
    const Node& n = tree_[at];
    double* x = x_.data();
    if (n.proven()) return take_values(at, x), 0;
    const int player = n.player;
    if (player == kTerminal) return this->payoffs(x), 0;
    if (params_.guide) return ask_guide(player, x), 0;
    switch (params_.rollout) {
      case Rollout::random:
        return this->random_playout(player, x);
      case Rollout::greedy:
        return this->greedy_playout(player, x);
      case Rollout::evaluate:
        return this->short_playout(player, params_.cutoff, x);
      case Rollout::none:
        return this->evaluate(x), 0;
    }
    return 0;
  }

  // What the guide thinks, if it was not asked when the node got its children.
  void ask_guide(int player, double* x) {
    for (; player == kChance; player = this->to_move()) this->play(this->outcome());
    if (player == kTerminal) return this->payoffs(x);
    if (!asked_) set_priors(this->actions(false));
    for (int p = 0; p < this->width(); ++p) x[p] = guided_[p];
  }

  // 4. Up again: every node on the way counts it. A proof goes up as far as it holds.
  void back_up() {
    deepest = std::max(deepest, static_cast<int>(path_.size()) - 1);
    double* x = x_.data();
    if (!fixed_) this->learn_scale(x);
    bool news = tree_[path_.back().node].proven();
    if constexpr (!Shared && !Tracer::kOn) {
      if (!news && !credited_ && !puct_ && this->width() == 1) {  // as a rule
        this->average_path(x[0]);
        if (path_.size() > 1) note_spread(path_[1].node, x[0]);
        return;
      }
    }
    for (std::size_t i = path_.size(); i-- > 0;) {
      const auto [at, credit, chooser, loss] = path_[i];
      if (credit) [[unlikely]]
        take_values(credit, x);
      if (news) [[unlikely]] {
        news = i + 1 == path_.size() || settle(at, chooser);
        if (news) take_values(at, x);
      }
      if constexpr (Shared) {
        const Lock lock(tree_[at]);
        average(at, chooser, [&](int p) { return x[p] - loss; }, false);
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
    const std::uint32_t top = first + this->in_turn(&tree_.step(first), tree_[at].count, visits,
                                                    this->doubt_at(visits), this->each_first_);
    return tree_[top].proven() ? open_beside(top, at) : top;
  }

  // The choice is known for what it is: so it counts, but the best of the others is looked at.
  std::uint32_t open_beside(std::uint32_t top, std::uint32_t at) {
    const float doubt = this->doubt_at(before());
    std::uint32_t open = 0;
    float most = 0;
    for (std::uint32_t c = tree_.first(at); c < tree_.end(at); ++c) {
      if (tree_[c].proven()) continue;
      const float bound = this->bound_of(tree_.step(c), doubt);
      if (!open || bound > most) open = c, most = bound;
    }
    if (!open) return top;
    path_.back().credit = top, credited_ = true;
    return open;
  }

  // A child of a chance node, by the odds; what is proved counts, but another is looked at.
  std::uint32_t draw(std::uint32_t at) {
    const std::uint32_t first = tree_.first(at), end = tree_.end(at);
    double r = random.part();
    std::uint32_t c = first;
    while (c + 1 < end && (r -= tree_.prior(c)) >= 0) ++c;
    if (!tree_[c].proven()) return c;
    double open = 0;
    for (std::uint32_t i = first; i < end; ++i) open += tree_[i].proven() ? 0 : tree_.prior(i);
    std::uint32_t other = 0;
    r = random.part() * open;
    for (std::uint32_t i = first; i < end && (!other || r >= 0); ++i) {
      if (!tree_[i].proven()) other = i, r -= tree_.prior(i);
    }
    if (!other) return c;
    path_.back().credit = c, credited_ = true;
    return other;
  }

  // -- what is told ----------------------------------------------------------------------------
  void note_child(std::uint32_t at, Action action, std::uint32_t child) {
    ids_.resize(std::max<std::size_t>(ids_.size(), child + 1));
    ids_[child] =
        tracer_.add_node(ids_[at], action, Node::kUnknown, static_cast<int>(path_.size()), 0);
  }
  void note_selected(std::uint32_t at, std::uint32_t child) {
    const std::uint32_t credit = path_.back().credit;
    tracer_.note(Step::select, ids_[at], ids_[child], params_.explore * scale_,
                 credit ? ids_[credit] : 0, 0);
  }
  void note_judged(int plies) {
    const std::uint32_t at = path_.back().node;
    tracer_.note(Step::simulate, ids_[at], 0, x_[0], plies, 0, known(at));
  }
  void note_updated(std::size_t i, double x) {
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

  static constexpr float kNoPromise = 1e38F;

  const void* root_;
  Tracer& tracer_;
  bool shuffled_ = false;
  bool asked_ = false;              // the guide, in this simulation
  bool credited_ = false;           // a proven child counted in it
  std::uint32_t before_ = 0;        // of several threads: see before()
  std::vector<double> x_, guided_;  // what the leaf is worth; what the guide thinks
  std::vector<float> priors_;
  std::vector<std::uint32_t> ids_;  // a node's number in the trace
};

}  // namespace zermelo
