#include <functional>
#include <optional>

#include "../parts/frame.hpp"
#include "../parts/table.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(minimax with alpha-beta pruning.

Every node is searched with a window. Alpha is the value that MAX can already guarantee, beta the
value that MIN can guarantee. If a value leaves the window, the opponent avoids this node, and the
remaining children are cut. The value and the move at the root are those of minimax. The values of
the other root moves may be bounds.

When:  instead of minimax, unless you need the exact value of every root move.
Needs: two players, zero-sum, no chance, perfect information.
Cost:  between b^(d/2) (best move first) and b^d (worst first) leaves; memory d.
From:  McCarthy 1956; Knuth and Moore 1975; fail-soft: Fishburn 1983.
)";

template <class Tracer>
class AlphaBeta : public Frame<Tracer> {
 public:
  using Base = Frame<Tracer>;

  AlphaBeta(const Request& request, Tracer& tracer) : Base(request, tracer) {
    if (this->options.bounded) {
      alpha_ = this->judge.lift(this->game.facts.utility_min);
      beta_ = this->judge.lift(this->game.facts.utility_max);
    }
    if (this->options.table_mb > 0) table_.emplace(this->options.table_mb);
  }

  Result run() {
    return Base::run([this](int depth) {
      if (table_) table_->clear();  // values at different depths do not mix
      const double v = value(0, depth, 0, alpha_, beta_);
      if (this->options.ties) settle_ties(v, depth);
      return this->result(v, Bound::exact, depth);
    });
  }

  // Whether the child's value equals its bound `v`: a search with the window [v, v].
  bool equals(Action action, double v, int depth) {
    this->horizon = false;
    this->walk.play(0, action);
    return value(1, depth - 1, action, v, v) == v;
  }
  bool estimated() const { return this->horizon; }

 private:
  // The best child so far, and what all of them together prove about the node.
  struct Best {
    bool max;  // player 0 moves
    double value = 0;
    Action action = 0;
    bool some = false;    // there is a value
    bool unseen = false;  // a cutoff left children out

    void stand_pat(double v) {
      some = true;
      value = least = most = v;
      if (!max) least = most = 0 - v;
    }

    // Updates with a child's value, or a bound of it. True: it is the best so far.
    bool add(Action by, double v, Bound bound) {
      const double mine = max ? v : -v;
      const bool at_least = bound == (max ? Bound::lower : Bound::upper);
      const bool at_most = bound == (max ? Bound::upper : Bound::lower);
      if (!at_most) least = std::max(least, mine);
      most = std::max(most, at_least ? kInfinity : mine);
      const bool improved = !some || mine > (max ? value : -value);
      if (!improved && v == value && doubtful && !at_most) {
        action = by;  // proved to be equally good
        doubtful = false;
      }
      if (improved) {
        some = true;
        value = v;
        action = by;
        doubtful = at_most;
      }
      return improved;
    }

    // What is proved of `value`.
    Bound bound() const {
      const double mine = max ? value : -value;
      const double top = unseen ? kInfinity : most;
      if (least >= mine && top <= mine) return Bound::exact;
      return (least >= mine) == max ? Bound::lower : Bound::upper;
    }

    // Bounds of the true value for the mover.
    double least = -kInfinity, most = -kInfinity;
    bool doubtful = false;  // only an upper bound (for the mover) of `action` is known
  };

  // The value, or a bound of it: bound_ says which. Outside the window it may be a bound (value <=
  // alpha: the true value is at most that; value >= beta: at least), inside it is exact.
  // This is the layer around `choose`: leaves, transposition table, quiescence, trace.
  double value(int ply, int depth, Action by, double alpha, double beta) {
    // 1. A leaf: the end of the game or the depth limit
    const int player = this->enter(ply, by, alpha, beta);
    bound_ = Bound::exact;
    if (player == kTerminal) return this->terminal(ply);
    const bool quiet = depth <= 0;
    if (quiet && !(this->options.quiescence && this->game.noisy)) return this->at_horizon(ply);

    // 2. Transposition table
    const std::uint64_t key = table_ ? this->game.key(this->game.self, this->walk.state(ply)) : 0;
    Table::Entry known;
    if (table_settles(ply, depth, key, alpha, beta, known)) return recall(ply, known);

    // 3. The children; in quiescence search only the noisy ones
    const auto list = this->walk.list(quiet ? this->game.noisy : this->game.actions, ply);
    if (list.count == 0) {
      if (!quiet) this->no_actions();
      return this->at_horizon(ply);
    }
    const bool outer = std::exchange(this->horizon, quiet);
    const std::uint64_t start = this->budget.nodes();
    Best best{player == 0};
    choose(ply, depth, player, list, alpha, beta, best);
    this->walk.release(list);

    // 4. Back up
    bound_ = best.bound();
    if (table_ && !quiet) remember(key, depth, best.value, best.action, start);
    const Bound kind = this->trace_kind(best.value, bound_, this->horizon);
    this->horizon |= outer;
    this->tracer.leave(ply, this->show(best.value), kind, this->show(alpha), this->show(beta));
    return best.value;
  }

  // Alpha-beta as in the textbook, for both sides at once: MIN is MAX with the sign flipped. `own`
  // is the mover's side of the window (alpha for MAX), `limit` the opponent's (beta for MAX).
  void choose(int ply, int depth, int player, const Walk::List& list, double& alpha, double& beta,
              Best& best) {
    const double sign = player == 0 ? 1 : -1;
    const double entry_alpha = alpha, entry_beta = beta;
    const double limit = player == 0 ? beta : alpha;
    double& own = player == 0 ? alpha : beta;
    bool cut = false;
    if (depth <= 0) {  // quiescence search: the mover may decline all noisy moves (stand pat)
      best.stand_pat(this->judge.horizon(this->walk.state(ply)));
      cut = cuts(sign * best.value, sign * limit);
      narrow(ply, sign, best.value, own);
      best.unseen = cut && note_cut(ply, best.value, alpha, beta, list, 0);
    }
    for (int i = 0; i < list.count && !cut; ++i) {
      const Action action = this->walk.action(list, i);
      const typename Base::RootWatch watch(*this, ply, player, action);
      this->walk.play(ply, action);
      const double v = value(ply + 1, depth - 1, action, alpha, beta);
      watch.done(v, bound_, this->horizon);
      const bool improved = best.add(action, v, bound_);
      if (improved && (ply == 0 || sign * v > sign * own)) this->walk.extend_line(ply, action);
      cut = cuts(sign * best.value, sign * limit);
      if (!cut) narrow(ply, sign, best.value, own);
      this->tracer.backup(ply, this->show(best.value), improved, this->show(alpha),
                          this->show(beta));
      best.unseen = cut && note_cut(ply, best.value, alpha, beta, list, i + 1);
    }
    if (!this->options.fail_soft) best.value = std::clamp(best.value, entry_alpha, entry_beta);
  }

  // The mover's lower bound rises to `best`. At a root with several lines, it is the value of the
  // last line.
  void narrow(int ply, double sign, double best, double& own) {
    if (ply == 0 && this->options.lines > 1) {
      std::vector<double> seen;
      for (const RootMove& m : this->moves) seen.push_back(sign * m.value);
      const auto last = static_cast<std::size_t>(this->options.lines) - 1;
      if (seen.size() <= last) return;
      std::nth_element(seen.begin(), seen.begin() + last, seen.end(), std::greater<>());
      best = sign * seen[last];
    }
    if (sign * best > sign * own) own = best;
  }

  // Both are for the mover.
  bool cuts(double best, double limit) const { return strict() ? best > limit : best >= limit; }
  bool strict() const { return !this->options.cut_on_equality; }

  // Whether the cutoff skips any child.
  bool note_cut(int ply, double best, double alpha, double beta, const Walk::List& list, int next) {
    const int rest = list.count - next;
    if (rest == 0) return false;
    if constexpr (Tracer::kOn) {
      this->tracer.cut(ply, this->show(best), this->show(alpha), this->show(beta),
                       this->walk.at(list, next), rest);
    }
    if (ply > 0) return true;
    // At the root only the greatest possible utility causes a cutoff: no other move can be better.
    for (int i = next; i < list.count; ++i) {
      const Action action = this->walk.action(list, i);
      RootMove m{action, best, this->at_least(1 - this->root_player), 0, {action}};
      m.found = m.bound;
      this->moves.push_back(std::move(m));
    }
    return true;
  }

  // Whether the table entry of this position settles the node.
  bool table_settles(int ply, int depth, std::uint64_t key, double alpha, double beta,
                     Table::Entry& e) {
    if (!table_ || ply == 0 || !table_->find(key, e) || e.depth != stored(depth)) return false;
    if (e.bound == Bound::lower) return strict() ? e.value > beta : e.value >= beta;
    if (e.bound == Bound::upper) return strict() ? e.value < alpha : e.value <= alpha;
    return true;
  }

  double recall(int ply, const Table::Entry& known) {
    this->horizon |= known.estimate;
    this->walk.start_line(ply + 1);  // the table does not store the line
    if (known.bound == Bound::exact) this->walk.extend_line(ply, known.action);
    bound_ = known.bound;
    return this->leaf(ply, Leaf::table, known.value);
  }

  void remember(std::uint64_t key, int depth, double v, Action action, std::uint64_t start) {
    if (stored(depth) > Table::kDeepest) return;
    table_->store(key, {v, action, stored(depth), bound_, this->horizon},
                  this->budget.nodes() - start);
  }

  // All depths beyond the end of the game are equal.
  int stored(int depth) const {
    return this->limits.depth == kNoDepth && !this->options.deepen ? 0 : depth;
  }

  // Other root moves whose bound equals the best value may be ties; test each of them.
  void settle_ties(double best, int depth) {
    Options options = this->options;
    options.cut_on_equality = false;
    options.fail_soft = true;
    const Request request{
        this->game, this->walk.state(0), this->limits, options, this->budget, nullptr, nullptr};
    NoTrace none;
    std::optional<AlphaBeta<NoTrace>> probe;
    for (RootMove& m : this->moves) {
      if (m.found == Bound::exact || m.bound == Bound::exact || m.value != best) continue;
      if (!probe) probe.emplace(request, none);
      if (!probe->equals(m.action, best, depth)) continue;
      const bool estimated = m.bound == Bound::estimate || probe->estimated();
      this->tie_horizon |= estimated;
      m.found = Bound::exact;
      m.bound = this->settle(best, Bound::exact, estimated);
    }
  }

  double alpha_ = -kInfinity, beta_ = kInfinity;
  Bound bound_ = Bound::exact;  // the kind of the value returned last
  std::optional<Table> table_;
};

}  // namespace

const Algorithm kAlphaBeta{
    .name = "alphabeta",
    .aliases = {"alpha-beta"},
    .doc = kDoc,
    .can = {.trace = true},
    .limits = {.depth = true},
    .automatic = {.whom = Automatic::For::lectures, .reason = "alpha-beta finds the minimax value"},
    .options = {deepen_option(),
                choice<&Options::cut_on_equality>(
                    "cut",
                    {{"equal", true, "cuts when value >= beta or value <= alpha", ">="},
                     {"strict", false, "cuts only when value > beta or value < alpha", ">"}},
                    "cut when the value equals the bound (AIMA), or only beyond it (CS188)",
                    {.announced = true}),
                choice<&Options::fail_soft>("fail", {{"soft", true}, {"hard", false}},
                                            "returned bounds may lie outside the window (fail-soft)"
                                            " or are clamped to it (fail-hard)"),
                ties_option(), lines_option(), quiescence_option(false),
                table_option(kTableDoc, 0, {.automatic = 16})},
    .run = run_search<AlphaBeta>,
};

}  // namespace zermelo
