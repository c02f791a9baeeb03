// What expectiminimax needs around its three main functions (../expectiminimax.cpp): evaluations
// that keep to the utilities' bounds, move ordering, the root's moves, the table and the trace.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "../../parts/average.hpp"
#include "../../parts/bounds_table.hpp"
#include "../../parts/evaluation_scale.hpp"
#include "../../parts/frame.hpp"

namespace zermelo {

template <class Tracer>
class ExpectiminimaxFrame : public Frame<Tracer> {
 public:
  using Base = Frame<Tracer>;
  using List = Walk::List;

  ExpectiminimaxFrame(const Request& request, Tracer& tracer)
      : Base(request, tracer),
        limits_(limits_of()),
        averages_(this->walk, limits_),
        sampler_(request.options.samples, request.options.seed) {
    if constexpr (Tracer::kOn) tracer.returns = true;  // probed nodes are searched later
    if (this->options.table_mb > 0) table_ = std::make_unique<BoundsTable>(this->options.table_mb);
  }

 protected:
  double judged(int ply) {
    this->horizon = true;
    return this->leaf(ply, Leaf::horizon, evaluation(this->walk.state(ply)));
  }

  // Never outside the bounds that Star1 and Star2 cut by: children that a cutoff skips must not
  // change how the others are read.
  double evaluation(const void* state) {
    double e;
    try {
      e = this->judge.horizon(state);
    } catch (const ScoreGame&) {
      if (leaves_tell()) throw;
      e = this->game.evaluate(this->game.self, state, 0);
    }
    if (!outside(e)) return e;
    if (leaves_tell()) throw ScoreGame{};
    return e > limits_.high ? std::nextafter(limits_.high, limits_.low)
                            : std::nextafter(limits_.low, limits_.high);
  }
  bool outside(double e) const {
    return averages_.bounded() && (e < limits_.low || e > limits_.high);
  }
  // At depth 1 nothing is cut, so all leaves are seen: they show whether evaluations are in bounds.
  bool leaves_tell() const { return this->limits.depth == 1; }

  // If evaluations leave the utilities' bounds, the search starts again and rescales them.
  void check_scale() {
    const bool limited = this->limits.depth != kNoDepth || this->options.deepen;
    if (!averages_.bounded() || this->options.scores || !limited || leaves_tell()) return;
    if (!evaluations_fit(this->game, this->walk, this->budget, limits_, this->limits.depth)) {
      throw ScoreGame{};
    }
  }

  // A key that does not depend on which states the search visited before (the key of a Python state
  // does).
  std::uint64_t lasting_key(int ply) {
    const auto name = this->game.lasting_key ? this->game.lasting_key : this->game.key;
    return name(this->game.self, this->walk.state(ply));
  }

  Range recall(int ply, int player, const BoundsTable::Entry& e, double alpha) {
    const Range r = range_of(e);
    this->horizon |= !e.final;
    layers_ = e.layers;
    this->walk.start_line(ply + 1);  // the table does not store the line
    if (r.exact() && player != kChance) this->walk.extend_line(ply, e.action);
    this->leaf(ply, Leaf::table, as_bound(r, alpha).first);
    return r;
  }

  // Whether moves are ordered by their evaluation. (Not in a trace.)
  bool orders(int depth) const {
    return !Tracer::kOn && prunes() && depth > 1 && this->game.evaluate;
  }

  // The most promising moves first, for more cutoffs.
  void order(int ply, bool max, const List& list) {
    if (list.count < 3) return;
    scored_.clear();
    for (int i = 0; i < list.count; ++i) {
      const Action action = this->walk.action(list, i);
      this->budget.enter();
      this->walk.play(ply, action);
      const void* next = this->walk.state(ply + 1);
      const bool over = this->game.to_move(this->game.self, next) == kTerminal;
      const double v = over ? this->judge.terminal(next) : evaluation(next);
      scored_.push_back({max ? v : 0 - v, i, action});
    }
    std::sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) {
      return a.score > b.score || (a.score == b.score && a.at < b.at);
    });
    for (int i = 0; i < list.count; ++i) this->walk.set_action(list, i, scored_[i].action);
  }

  // The index of a root move in the rules' order.
  std::ptrdiff_t place(Action action) const {
    return std::find(listed_.begin(), listed_.end(), action) - listed_.begin();
  }

  // The root's moves in the rules' order, whichever was searched first.
  void as_listed() {
    if (this->root_player == kChance) return;
    std::sort(this->moves.begin(), this->moves.end(), [&](const RootMove& a, const RootMove& b) {
      return place(a.action) < place(b.action);
    });
  }

  // The mover's lower bound, which others must exceed. At the root equal moves count too, since the
  // first of them is played; with several lines the bound is that of the last line.
  double enough(int ply, bool max, double best) {
    if (ply > 0) return best;
    if (this->options.lines > 1) {
      seen_.clear();
      for (const RootMove& m : this->moves) seen_.push_back(max ? m.value : 0 - m.value);
      const auto last = static_cast<std::size_t>(this->options.lines) - 1;
      if (seen_.size() <= last) return -kInfinity;
      std::nth_element(seen_.begin(), seen_.begin() + last, seen_.end(), std::greater<>());
      best = seen_[last];
    }
    return std::nextafter(best, -kInfinity);
  }

  // -- trace ----------------------------------------------------------------------------------
  void tell_choice(int ply, bool max, const Range& best, bool improved, double own, double limit,
                   bool cut, const List& list, int i) {
    const double mine = best.low >= own ? best.low : best.high;
    const double v = this->show(max ? mine : 0 - mine);
    const double alpha = this->show(max ? own : 0 - limit);
    const double beta = this->show(max ? limit : 0 - own);
    this->tracer.backup(ply, v, improved, alpha, beta);
    const int rest = list.count - i - 1;
    if (cut) this->tracer.cut(ply, v, alpha, beta, this->walk.at(list, i + 1), rest);
  }
  void tell_average(int ply, const List& list, int i, double alpha, double beta) {
    double so_far = 0;
    for (int j = 0; j <= i; ++j) {
      so_far += this->walk.odds(list, j) * as_bound(averages_(list, j), alpha).first;
    }
    const Range r = averages_.whole(list);
    this->tracer.backup(ply, so_far + 0.0, false, alpha, beta);
    this->tracer.between(r.low, r.high);
  }
  void tell_cut(int ply, const List& list, int next, double alpha, double beta) {
    if constexpr (Tracer::kOn) {
      const Range r = averages_.whole(list);
      this->tracer.cut(ply, as_bound(r, alpha).first, alpha, beta, this->walk.at(list, next),
                       list.count - next, this->walk.odds_at(list, next));
      this->tracer.between(r.low, r.high);
    }
  }

  // A range that settles a window from alpha on, as one number with its kind.
  static std::pair<double, Bound> as_bound(const Range& r, double alpha) {
    if (r.exact()) return {r.low + 0.0, Bound::exact};
    if (r.high <= alpha) return {r.high + 0.0, Bound::upper};
    return {r.low + 0.0, Bound::lower};
  }

  static Range exactly(double v) { return {v, v}; }
  static Range range_of(const BoundsTable::Entry& e) { return {e.low, e.high}; }
  static int stored(int depth) { return std::min(depth, BoundsTable::kDeepest); }
  bool prunes() const { return this->options.prune > 0; }
  bool unsure() const { return this->horizon || layers_ > 0; }

  Range limits_;  // of every value, where they are known
  Averages averages_;
  Sampler sampler_;
  int layers_ = 0;   // of sampled chance nodes below the node returned last
  Action best_ = 0;  // in the node returned last
  struct Scored {
    double score;
    int at;
    Action action;
  };
  std::vector<Action> listed_;  // the root's moves, in the rules' order
  std::vector<Scored> scored_;
  std::vector<double> seen_;
  std::unique_ptr<BoundsTable> table_;

 private:
  // Bounds of every value. Unknown where won positions are lifted (games without chance), and once
  // an evaluation beyond the utilities' bounds was found.
  Range limits_of() const {
    const Facts& f = this->game.facts;
    if (this->judge.lifted() || (this->options.scores && !this->judge.squashes())) return {};
    return {f.utility_min, f.utility_max};
  }
};

}  // namespace zermelo
