// One thread of Monte Carlo tree search: simulations, each in four phases.
#pragma once

#include <array>
#include <cmath>

#include "../../trace.hpp"
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
template <class G, bool Shared, class Tracer>
class MctsWorker : public Playing<G> {
  using Base = Playing<G>;
  using Node = MctsNode;
  using Base::game_, Base::list_, Base::promise_, Base::random;

 public:
  static constexpr bool kShared = Shared;

  MctsWorker(const G& game, const MctsParams& params, MctsTree& tree, const Budget& budget,
             const void* root, std::uint64_t seed, Tracer& tracer)
      : Base(game, budget, seed),
        params_(params),
        tree_(tree),
        root_(root),
        tracer_(tracer),
        puct_(params.priors || params.guide),
        x_(this->width()),
        kept_(this->width()) {
    const Facts& f = game.facts;
    const double range = f.utility_max - f.utility_min;
    // Scores seldom use all of their range: there the spread of what was seen counts.
    fixed_ = std::isfinite(range) && (range <= 2 || f.tree_nodes > 0);
    set_scale(fixed_ ? range / 2 : 1);
    urgency_ = puct_ && params.urgency == kInfinity ? MctsParams::kPriorUrgency : params.urgency;
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
      if constexpr (Shared) retract();
      throw;
    }
  }

  int deepest = 0;             // plies below the root
  std::vector<Spread> spread;  // by root move

 private:
  struct Place {
    std::uint32_t node;
    std::uint32_t credit;  // a proven child that counts in place of the one looked at; 0: none
    double loss;           // what the simulation counts as here until it is known
  };

  // 1. Down the tree by the greatest upper bound, as far as it goes.
  void select() {
    this->set(root_);
    path_.clear();
    asked_ = false;
    come_to(MctsTree::kRoot);
    for (;;) {
      const std::uint32_t at = path_.back().node;
      const Node& n = tree_[at];
      if (n.proven() || !n.first.load(std::memory_order_acquire)) return;
      const std::uint32_t child = n.player == kChance ? draw(at) : best(at);
      if constexpr (Tracer::kOn) note_selected(at, child);
      go(child);
    }
  }

  void go(std::uint32_t child) {
    this->play(tree_[child].action);
    come_to(child);
  }

  void come_to(std::uint32_t at) {
    if constexpr (Shared) {
      // As if it were lost, until it is known: the other threads look elsewhere.
      const double loss = worst();
      path_.push_back({at, 0, loss});
      const Lock lock(tree_[at]);
      before_ = tree_[at].visits;
      average(at, chooser(path_.size() - 1), [&](int) { return loss; }, true);
    } else {
      path_.push_back({at, 0, 0});
      before_ = tree_[at].visits.load(std::memory_order_relaxed);
    }
  }

  // 2. A leaf that was judged before gets its children; one of them is gone to. A guide judges a
  // node when it gets its children, at once; nature needs no judge.
  void expand() {
    for (;;) {
      const std::uint32_t at = path_.back().node;
      if (tree_[at].proven()) return;
      const int player = arrive(at);
      if (player == kTerminal || tree_.full() || (before_ == 0 && !params_.guide)) return;
      if (!grow(at, player) || tree_[at].proven() || (params_.guide && player != kChance)) return;
      const std::uint32_t child = player == kChance ? draw(at) : best(at);
      if constexpr (Tracer::kOn) note_selected(at, child);
      go(child);
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
      prove(at, x_.data(), chooser(path_.size() - 1));
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
        prove(at, &low, chooser(path_.size() - 1));
        return true;
      }
    }
    if (count == 0) count = this->actions(chance), promise_[0] = kNoPromise;
    if (count > UINT16_MAX) throw RulesError("a state has more than 65,535 actions");
    if (!chance) set_priors(count);
    const std::uint32_t first = tree_.take(count);
    if (!first) return n.marks &= static_cast<std::uint8_t>(~Node::kGrowing), false;
    if (shuffled_ && !chance) shuffle(count);
    for (int i = 0; i < count; ++i) {
      tree_[first + i].reset(list_[i], chance ? this->odds()[i] : puct_ ? priors_[i] : 1.0);
      guess(at, player, first + i);
      if constexpr (Tracer::kOn) note_child(at, list_[i], first + i);
    }
    if constexpr (Tracer::kOn) tracer_.note(Step::expand, ids_[at], 0, count, 0, 0);
    n.count = static_cast<std::uint16_t>(count);
    n.first.store(first, std::memory_order_release);
    return true;
  }

  // What is thought of a child before it is tried.
  void guess(std::uint32_t at, int player, std::uint32_t child) {
    constexpr auto relaxed = std::memory_order_relaxed;
    if (urgency_ == kInfinity) {
      for (int p = 0; p < this->width() && this->width() > 1; ++p) tree_.values(child)[p] = 0;
      return tree_.bound(child).set(0, MctsBound::kUntried);
    }
    for (int p = 0; p < this->width(); ++p) {
      double sign = p == player;
      if (this->width() == 1) sign = player == 1 ? -1 : 1;
      const double v = mean_of(at, p) + sign * urgency_ * scale_;
      if (p == 0) tree_[child].mean.store(v, relaxed);
      if (this->width() > 1) tree_.values(child)[p].store(v, relaxed);
    }
    tree_.bound(child).set(static_cast<float>(worth(child, player)), breadth(tree_[child], 0));
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

  void take_values(std::uint32_t at, double* x) const {
    for (int p = 0; p < this->width(); ++p) x[p] = mean_of(at, p);
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
    if (!fixed_) learn_scale(x);
    bool news = tree_[path_.back().node].proven();
    for (std::size_t i = path_.size(); i-- > 0;) {
      const auto [at, credit, loss] = path_[i];
      if (credit) take_values(credit, x);
      news = news && (i + 1 == path_.size() || settle(at, chooser(i)));
      if (news) take_values(at, x);
      if constexpr (Shared) {
        const Lock lock(tree_[at]);
        average(at, chooser(i), [&](int p) { return x[p] - loss; }, false);
      } else {
        average(at, chooser(i), [&](int p) { return x[p]; }, true);
      }
      if (i == 1) note_spread(at, x[0]);
      if constexpr (Tracer::kOn) note_updated(i, x[0]);
    }
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

  // -- choosing a child ------------------------------------------------------------------------
  double mean_of(std::uint32_t at, int p) const {
    constexpr auto relaxed = std::memory_order_relaxed;
    return this->width() == 1 ? tree_[at].mean.load(relaxed) : tree_.values(at)[p].load(relaxed);
  }
  // As `player` sees it.
  double worth(std::uint32_t at, int player) const {
    if (this->width() > 1) return mean_of(at, std::max(0, player));
    return player == 1 ? -mean_of(at, 0) : mean_of(at, 0);
  }

  // How much doubt counts at a node with so many visits.
  float factor(std::uint32_t visits) const {
    const float n = puct_ ? std::sqrt(static_cast<float>(visits)) : root_log(visits);
    return explore_ * n;
  }

  std::uint32_t best(std::uint32_t at) {
    const Node& n = tree_[at];
    const std::uint32_t first = n.first, end = first + n.count, visits = std::max(1U, before_);
    // Each child has its turn before any has a second.
    if (const std::uint32_t next = first + visits - 1; urgency_ == kInfinity && next < end) {
      if (tree_.bound(next).breadth.load(std::memory_order_relaxed) == MctsBound::kUntried) {
        return next;
      }
    }
    const float doubt = factor(visits);
    std::uint32_t top = first;
    float most = bound_of(first, doubt);
    for (std::uint32_t c = first + 1; c < end; ++c) {  // no branches: nobody can foretell them
      const float bound = bound_of(c, doubt);
      top = bound > most ? c : top;
      most = bound > most ? bound : most;
    }
    return tree_[top].proven() ? open_beside(top, first, end, doubt) : top;
  }

  // The choice is known for what it is: so it counts, but the best of the others is looked at.
  std::uint32_t open_beside(std::uint32_t top, std::uint32_t first, std::uint32_t end,
                            float doubt) {
    std::uint32_t open = 0;
    for (std::uint32_t c = first; c < end; ++c) {
      if (tree_[c].proven()) continue;
      if (!open || bound_of(c, doubt) > bound_of(open, doubt)) open = c;
    }
    if (!open) return top;
    path_.back().credit = top;
    return open;
  }

  float bound_of(std::uint32_t c, float doubt) const {
    const MctsBound& b = tree_.bound(c);
    constexpr auto relaxed = std::memory_order_relaxed;
    return b.mean.load(relaxed) + doubt * b.breadth.load(relaxed);
  }

  // A child of a chance node, by the odds; what is proved counts, but another is looked at.
  std::uint32_t draw(std::uint32_t at) {
    const std::uint32_t first = tree_[at].first, end = first + tree_[at].count;
    double r = random.part();
    std::uint32_t c = first;
    while (c + 1 < end && (r -= tree_[c].prior) >= 0) ++c;
    if (!tree_[c].proven()) return c;
    double open = 0;
    for (std::uint32_t i = first; i < end; ++i) open += tree_[i].proven() ? 0 : tree_[i].prior;
    std::uint32_t other = 0;
    r = random.part() * open;
    for (std::uint32_t i = first; i < end && (!other || r >= 0); ++i) {
      if (!tree_[i].proven()) other = i, r -= tree_[i].prior;
    }
    if (!other) return c;
    path_.back().credit = c;
    return other;
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
    tracer_.note(Step::update, ids_[at], 0, mean_of(at, std::max(0, chooser(i))), x,
                 tree_[at].visits, known(at));
  }
  Bound known(std::uint32_t at) const {
    return tree_[at].proven() ? Bound::exact : Bound::estimate;
  }
  void note_spread(std::uint32_t child, double x) {
    const std::uint32_t i = child - tree_[MctsTree::kRoot].first;
    if (i >= spread.size()) spread.resize(tree_[MctsTree::kRoot].count);
    spread[i].add(x);
  }

  static constexpr float kNoPromise = 1e38F;

  const MctsParams& params_;
  MctsTree& tree_;
  const void* root_;
  Tracer& tracer_;
  bool puct_, shuffled_ = false, fixed_ = true;
  double scale_ = 1;    // of the utilities: half their range, or twice their deviation
  float explore_ = 1;   // the same times the constant
  double urgency_ = 0;  // as in MctsParams
  Spread seen_;
  bool asked_ = false;        // the guide, in this simulation
  std::uint32_t before_ = 0;  // visits of the node that was come to last, without this one
  std::vector<Place> path_;
  std::vector<double> x_, kept_, guided_;
  std::vector<float> priors_;
  std::vector<std::uint32_t> ids_;  // a node's number in the trace
};

}  // namespace zermelo
