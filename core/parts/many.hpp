// Shared by multi-player searches: one value per player and ply, chance nodes, and the result.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "frame.hpp"
#include "tuple_table.hpp"

namespace zermelo {

template <class Tracer>
class ManyFrame : public Frame<Tracer> {
 public:
  using Base = Frame<Tracer>;

  ManyFrame(const Request& request, Tracer& tracer)
      : Base(request, tracer), players(this->game.facts.players) {
    // If chance moves first, the result is from the view of player 0.
    this->root_player = std::max(0, this->game.to_move(this->game.self, this->walk.state(0)));
    if (this->options.table_mb > 0) table.emplace(this->options.table_mb, players);
  }

 protected:
  // The tuple of the state at `ply`; a deeper ply may move it.
  double* values(int ply) {
    const std::size_t end = (static_cast<std::size_t>(ply) + 1) * players;
    if (values_.size() < end) values_.resize(2 * end);
    return values_.data() + end - players;
  }

  // The tuple at ply + 1 becomes that at `ply`.
  void take(int ply) {
    const double* child = values(ply + 1);
    std::copy_n(child, players, values(ply));
  }

  void terminal(int ply) {
    judge_all(ply, [&](int p) { return this->judge.terminal(this->walk.state(ply), p); });
    told_leaf(ply, Leaf::terminal);
  }

  void at_horizon(int ply) {
    this->horizon = true;
    judge_all(ply, [&](int p) { return this->judge.horizon(this->walk.state(ply), p); });
    told_leaf(ply, Leaf::horizon);
  }

  void told_leaf(int ply, Leaf why) {
    this->leaf(ply, why, values(ply)[0]);
    tell(ply);
  }

  // Adds a value per player to the last trace event.
  void tell(int ply) {
    if constexpr (Tracer::kOn) {
      double* v = values(ply);
      for (int p = 0; p < players; ++p) shown_[p] = this->show(v[p]);
      this->tracer.tuple(shown_, players);
    }
  }

  void tell_leave(int ply, Bound bound) {
    this->tracer.leave(ply, this->show(values(ply)[0]), bound, -kInfinity, kInfinity);
    tell(ply);
  }

  // A chance node at `ply`: the mean of the tuples that `child(action)` leaves one ply below. A
  // chance node
  // costs no depth.
  template <class Child>
  void expect(int ply, Child child) {
    const auto list = this->walk.outcomes(ply);
    std::fill_n(values(ply), players, 0.0);
    for (int i = 0; i < list.count; ++i) {
      const Action action = this->walk.action(list, i);
      const double odds = this->walk.odds(list, i);
      this->walk.play(ply, action);
      this->tracer.next_odds(odds);
      const std::uint64_t before = this->budget.nodes();
      child(action);
      if (ply == 0) {
        note_root(action, Bound::exact, this->horizon ? Bound::estimate : Bound::exact, before);
      }
      const double* below = values(ply + 1);
      double* here = values(ply);
      for (int p = 0; p < players; ++p) here[p] += odds * below[p];
      this->tracer.backup(ply, this->show(values(ply)[0]), true, -kInfinity, kInfinity);
      tell(ply);
    }
    this->walk.start_line(ply);  // the best reply depends on the roll
    this->walk.release(list);
  }

  void note_root(Action action, Bound found, Bound proved, std::uint64_t before) {
    const double* v = values(1);
    this->moves.push_back({action,
                           v[0],
                           proved,
                           this->budget.nodes() - before,
                           this->walk.line_after(action),
                           -1,
                           {v, v + players},
                           -1,
                           found});
  }

  Result answer(int depth, Bound bound) {
    const double* v = values(0);
    Result r = this->result(v[0], Bound::exact, depth);
    if (bound != Bound::exact) r.bound = bound;
    r.values.assign(v, v + players);
    this->surface(r.values);
    return r;
  }

  std::uint64_t key(int ply) {
    return table ? this->game.key(this->game.self, this->walk.state(ply)) : 0;
  }
  void remember(std::uint64_t key, int ply, int depth, Action action, Bound bound,
                std::uint64_t start) {
    if (!table) return;
    const std::uint64_t work = this->budget.nodes() - start + 1;
    table->store({key, work, action, depth, bound, this->horizon}, values(ply));
  }
  // Whether the entry equals the result of a search to `depth`. An entry without evaluations is
  // also valid at greater depths, but not at smaller ones.
  static bool serves(const TupleTable::Head* known, int depth) {
    return known && (known->depth == depth || (!known->estimate && known->depth < depth));
  }
  void recall(int ply, const TupleTable::Head& known) {
    this->horizon |= known.estimate;
    std::copy_n(known.values(), players, values(ply));
    this->walk.start_line(ply + 1);
    this->walk.extend_line(ply, known.action);
    told_leaf(ply, Leaf::table);
  }

  const int players;
  std::optional<TupleTable> table;

 private:
  template <class One>
  void judge_all(int ply, One one) {
    double* v = values(ply);
    v[0] = one(0);
    for (int p = 1; p < players; ++p) v[p] = this->duel() ? 0 - v[0] : one(p);
  }

  std::vector<double> values_;
  double shown_[64] = {};
};

}  // namespace zermelo
