// The engine's transposition table: cutoffs at the node and at its children, storing results.
#pragma once

#include "moves.hpp"

namespace zermelo {

template <class G>
class EngineTranspositions : public EngineMoves<G> {
 protected:
  using Base = EngineMoves<G>;
  using Node = EngineNodeState;
  using Base::Base, Base::leaf;
  using Base::bound_of, Base::etc_, Base::kEtcChildren, Base::kNarrowWork, Base::mirror_;
  using Base::game, Base::walk, Base::judge, Base::budget, Base::horizon;
  using Base::narrow_bound_, Base::params_, Base::plain_moves_max_depth_, Base::selective_;
  using Base::settled_, Base::skip_, Base::slow_narrow_, Base::stack_, Base::state, Base::table_;
  using Base::table_key;

  ZERMELO_ALWAYS_INLINE void prepare_table(Node& n) {
    const std::uint64_t plain = game.key(game.self, state(n));
    n.key = mirror_ ? game.mirror_key(game.self, state(n)) : plain;
    n.mirrored = n.key != plain && !game.hints.mirror_keeps_actions;
    n.plies_left = game.plies_left ? game.plies_left(game.self, state(n)) : kNoDepth;
    n.table_hit = false;
    const int least =
        slow_narrow_ ? params_.table_min_plies_left_slow : params_.table_min_plies_left;
    n.use_table = n.plies_left >= least && !n.quiescence;
    if (n.use_table) table_.prefetch(n.key);
    n.plain_moves = slow_narrow_ && n.depth <= plain_moves_max_depth_ &&
                    n.plies_left > n.depth + params_.plain_moves_plies_past_limit;
    n.large = (n.plies_left >= params_.etc_min_plies_left && n.depth >= params_.etc_min_depth) ||
              (slow_narrow_ && n.use_table);
  }

  // Before a small subtree `narrow` is called first, because a table probe is slow.
  ZERMELO_ALWAYS_INLINE bool table_first(const Node& n) const {
    return n.large || (selective_ && n.use_table);
  }

  ZERMELO_ALWAYS_INLINE bool table_cutoff(Node& n, Table::Entry& known) {
    n.table_hit = table_.find(n.key, known);
    if (!n.table_hit || n.ply == 0 || !settles(known, n)) return false;
    n.value = recall(n.ply, known, n.mirrored);
    return true;
  }

  // Enhanced transposition cutoff (Schaeffer and Plaat 1996): the table knows a child that is good
  // enough. All children are prefetched: a search of them will need their entries anyway.
  ZERMELO_ALWAYS_INLINE bool transposition_of_child(Node& n) {
    if (!n.large || n.plain_moves || n.ply == 0 || !etc_) return false;
    const bool found = find_child(n.ply, n.depth, n.player, n.cutoff, n.first, n.count);
    n.value = settled_;
    return found;
  }

  // A slow `narrow` settled the node: its answer is worth keeping.
  ZERMELO_ALWAYS_INLINE void store_narrow(const Node& n) {
    if (!slow_narrow_ || !n.use_table) return;
    table_.store(n.key, {n.value, Table::kNoAction, Table::kDeepest, narrow_bound_, false},
                 kNarrowWork);
  }

  ZERMELO_ALWAYS_INLINE void store(const Node& n, double alpha, double beta) {
    // A root with excluded moves has another value.
    if (!n.use_table || (n.ply == 0 && skip_ && !skip_->empty())) return;
    table_.store(n.key,
                 {judge.later(n.best, -n.ply), n.best_action, std::min(n.depth, Table::kDeepest),
                  bound_of(n.best, alpha, beta), horizon},
                 budget.nodes() - n.start_nodes);
  }

 private:
  // A value that no depth limit affected is valid at any depth.
  ZERMELO_ALWAYS_INLINE bool settles(const Table::Entry& e, const Node& n) const {
    if (e.estimate && e.depth < n.depth) return false;
    if (e.bound == Bound::lower) return judge.later(e.value, n.ply) >= n.beta();
    if (e.bound == Bound::upper) return judge.later(e.value, n.ply) <= n.alpha();
    return true;
  }

  // A value that `narrow` proved has no action.
  double recall(int ply, const Table::Entry& known, bool mirrored) {
    horizon |= known.estimate;
    walk.start_line(ply + 1);  // the table does not store the line
    if (known.bound == Bound::exact && known.action != Table::kNoAction && !mirrored)
      walk.extend_line(ply, known.action);
    return leaf(ply, Leaf::table, judge.later(known.value, ply));
  }

  ZERMELO_NOINLINE bool find_child(int ply, int depth, int player, double cutoff, std::size_t first,
                                   int count) {
    std::array<std::uint64_t, kEtcChildren> keys;
    count = std::min(count, kEtcChildren);
    for (int i = 0; i < count; ++i) {
      walk.play(ply, stack_[first + i].action);
      keys[i] = table_key(walk.state(ply + 1));
      table_.prefetch(keys[i]);
    }
    const double sign = player == 0 ? 1 : -1;
    const Bound useless = player == 0 ? Bound::upper : Bound::lower;
    for (int i = 0; i < count; ++i) {
      Table::Entry child;
      if (!table_.find(keys[i], child) || child.bound == useless) continue;
      child.value = judge.later(child.value, ply + 1);
      if ((child.estimate && child.depth < depth - 1) || sign * child.value < sign * cutoff)
        continue;
      horizon |= child.estimate;
      walk.start_line(ply + 1);
      walk.extend_line(ply, stack_[first + i].action);
      settled_ = leaf(ply, Leaf::table, child.value);
      return true;
    }
    return false;
  }
};

}  // namespace zermelo
