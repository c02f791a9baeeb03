// A node of the engine's tree: principal variation search. value() is the pipeline, one named step
// after another; the steps stand below it in the same order.
#pragma once

#include "transpositions.hpp"

namespace zermelo {

template <class G>
class EngineNode : public EngineTranspositions<G> {
 protected:
  using Base = EngineTranspositions<G>;
  using Node = EngineNodeState;
  using Base::above, Base::below, Base::bound_of, Base::evaluation, Base::static_evaluation;
  using Base::Base, Base::enter, Base::terminal, Base::leaf, Base::root_move;
  using Base::busy_, Base::deferred_ranks_, Base::in_probcut_, Base::learns_, Base::settled_;
  using Base::game, Base::options, Base::walk, Base::judge, Base::budget;
  using Base::generate, Base::has_noisy_moves, Base::prune_move, Base::reduction, Base::state;
  using Base::horizon, Base::root_player, Base::moves;
  using Base::null_move_ply_, Base::ordering_, Base::params_, Base::path_, Base::probcut_;
  using Base::plain_moves_max_depth_, Base::repetition_draws_, Base::root_depth_, Base::selective_;
  using Base::prepare_table, Base::table_first, Base::table_cutoff, Base::store_narrow;
  using Base::skipped, Base::slow_narrow_, Base::solving_, Base::stack_, Base::static_evals_;
  using Base::store, Base::table_key, Base::tablebase_hits_, Base::transposition_of_child;
  using Base::update_history, Base::value_only_;

  // The value of the state at `ply`, searched `depth` plies deep with the window (alpha, beta).
  //   value <= alpha: the true value is at most this (fail-low)
  //   value >= beta:  the true value is at least this (fail-high)
  //   else:           exact for this depth
  double value(int ply, int depth, double alpha, double beta) {
    EngineWindow window{{alpha, beta}};
    Node n(ply, depth, window);

    // 1. End of the game, endgame tablebase, repetition
    if (finished(n) || tablebase_probe(n) || repetition(n)) return n.value;
    // 2. Check extension
    extend_check(n);
    // 3. Static evaluation at the depth limit, unless quiescence search continues
    if (depth_limit(n)) return n.value;
    // 4. Transposition table
    Table::Entry known;
    prepare_table(n);
    if (table_first(n) && table_cutoff(n, known)) return n.value;
    // 5. Reverse futility pruning, 6. Null-move pruning
    evaluate_statically(n);
    if (n.prunes && (reverse_futility(n) || null_move(n))) return n.value;
    // 7. Internal iterative reduction
    if (selective_ && !n.table_hit && ply > 0 && n.depth >= params_.iir_min_depth) --n.depth;
    // 8. Move generation, which may settle the node by the game's own bounds
    if (!generate(n)) {
      store_narrow(n);
      return n.value;
    }
    // 9. Transposition table, if the game's bounds are cheaper than a probe
    if (n.use_table && !table_first(n) && table_cutoff(n, known)) return discard_moves(n);
    // 10. Enhanced transposition cutoff, 11. ProbCut
    if (transposition_of_child(n) || probcut(n)) return discard_moves(n);
    // 12. Stand pat
    stand_pat(n);
    // 13. Moves: ordering, pruning, reductions, principal variation search
    order_moves(n, known);
    search_moves(n);
    // 14. History, and the transposition table again
    if (n.learns && n.searched > 0 && n.fails_high(n.best)) update_history(n);
    discard_moves(n);
    store(n, alpha, beta);
    horizon |= n.outer_horizon;
    return n.best;
  }

 private:
  // -- 1. End of the game, endgame tablebase, repetition --------------------------------------
  ZERMELO_ALWAYS_INLINE bool finished(Node& n) {
    const int player = enter(n.ply, 0, n.alpha(), n.beta());
    if (player != kTerminal) {
      if (n.ply == 0) root_player = player;
      n.player = player != 0;
      n.sign = n.player == 0 ? 1 : -1;
      n.cutoff = n.window.bound[1 - n.player];
      return false;
    }
    const double v = terminal(n.ply);
    // A draw may depend on how the position arose, which the table key does not contain.
    if (repetition_draws_ && v == 0) horizon = true;
    n.value = judge.later(v, n.ply);
    return true;
  }

  ZERMELO_ALWAYS_INLINE bool tablebase_probe(Node& n) {
    Verdict v;
    if (!options.tablebase || n.ply == 0 || !options.tablebase->probe(state(n), v)) return false;
    ++tablebase_hits_;
    n.value = leaf(n.ply, Leaf::table, judge.later(judge.lift(v.value), n.ply + v.distance));
    return true;
  }

  // A position that is on the path already counts as a draw.
  ZERMELO_ALWAYS_INLINE bool repetition(Node& n) {
    if (!repetition_draws_ || !on_path(n.ply)) return false;
    horizon = true;  // on another path the position may have another value
    n.value = leaf(n.ply, Leaf::terminal, 0);
    return true;
  }

  bool on_path(int ply) {
    const void* state = walk.state(ply);
    if (path_.size() <= static_cast<std::size_t>(ply)) path_.resize(2 * ply + 64);
    path_[ply] = table_key(state);
    const int back = std::min(ply, game.quiet_plies(game.self, state));
    for (int i = 2; i <= back; i += 2) {
      if (path_[ply - i] == path_[ply]) return true;
    }
    return false;
  }

  // -- 2. Check extension, 3. depth limit -----------------------------------------------------
  ZERMELO_ALWAYS_INLINE void extend_check(Node& n) {
    n.in_check = game.urgent && options.extensions && !solving_ && game.urgent(game.self, state(n));
    if (n.in_check && n.depth >= 0 && n.ply < 2 * root_depth_) ++n.depth;
  }

  ZERMELO_ALWAYS_INLINE bool depth_limit(Node& n) {
    n.quiescence = n.depth <= 0;
    if (!n.quiescence || n.in_check || (options.quiescence && game.noisy)) return false;
    n.value = evaluation(n.ply);
    return true;
  }

  // -- 5. Reverse futility pruning --------------------------------------------------------------
  ZERMELO_ALWAYS_INLINE void evaluate_statically(Node& n) {
    n.pv = n.beta() > above(n.alpha());
    n.prunes = n.improving = false;
    n.static_eval = 0;
    if (!selective_ || n.quiescence || n.in_check) return;
    n.static_eval = static_evaluation(n.ply);
    n.improving = improving(n);
    n.prunes = n.ply > 0 && !n.pv && !judge.decisive(n.cutoff);
  }

  ZERMELO_ALWAYS_INLINE bool improving(const Node& n) {
    const auto ply = static_cast<std::size_t>(n.ply);
    if (static_evals_.size() <= ply) static_evals_.resize(2 * ply + 64);
    static_evals_[ply] = n.static_eval;
    return ply >= 2 && n.better(n.static_eval, static_evals_[ply - 2]);
  }

  // The evaluation is so far beyond the window that a few plies will hardly bring it back.
  ZERMELO_ALWAYS_INLINE bool reverse_futility(Node& n) {
    if (!options.pruning || !game.doubt || n.depth > params_.reverse_futility_max_depth)
      return false;
    const double doubt = game.doubt(game.self, state(n), n.depth, 0);
    if (n.sign * (n.static_eval - n.cutoff) < params_.reverse_futility_margin * doubt) return false;
    horizon = true;
    n.value = leaf(n.ply, Leaf::horizon, n.static_eval);
    return true;
  }

  // -- 6. Null-move pruning (Donninger 1993) ------------------------------------------------------
  // The mover fails high even if it gives up its turn. Never twice in a row.
  ZERMELO_ALWAYS_INLINE bool null_move(Node& n) {
    if (!options.null_move || !game.pass || n.depth < params_.null_move_min_depth ||
        null_move_ply_ == n.ply - 1 || n.sign * n.static_eval < n.sign * n.cutoff ||
        !walk.pass(n.ply))
      return false;
    const int outer = std::exchange(null_move_ply_, n.ply);
    const int depth = n.depth - 1 - params_.null_move_reduction - n.depth / 4;
    const double v = n.player == 0 ? value(n.ply + 1, depth, below(n.cutoff), n.cutoff)
                                   : value(n.ply + 1, depth, n.cutoff, above(n.cutoff));
    null_move_ply_ = outer;
    if (!n.fails_high(v)) return false;
    horizon = true;
    n.value = judge.decisive(v) ? n.cutoff : v;
    return true;
  }

  // -- 8. Move generation -------------------------------------------------------------------------
  ZERMELO_ALWAYS_INLINE double discard_moves(const Node& n) {
    stack_.resize(n.first);
    return n.value;
  }

  // -- 11. ProbCut (Buro 1995) --------------------------------------------------------------------
  // A shallow search lies so far outside the window that the deep one will hardly be inside.
  ZERMELO_ALWAYS_INLINE bool probcut(Node& n) {
    if (!probcut_ || in_probcut_ || n.ply == 0 || n.depth < params_.probcut_min_depth ||
        n.depth >= n.plies_left || n.pv)
      return false;
    const bool outside = search_outside(n.ply, n.depth, n.alpha(), n.beta());
    n.value = settled_;
    return outside;
  }

  ZERMELO_NOINLINE bool search_outside(int ply, int depth, double alpha, double beta) {
    const int shallow = depth / 4 * 2 + depth % 2;
    const double margin =
        params_.probcut_margin * game.doubt(game.self, walk.state(ply), depth, shallow);
    const double now = judge.horizon(walk.state(ply));
    if (now >= beta) {
      const double bar = beta + margin;
      if (shallow_search(ply, shallow, below(bar), bar) < bar) return false;
      settled_ = beta;
    } else if (now <= alpha) {
      const double bar = alpha - margin;
      if (shallow_search(ply, shallow, bar, above(bar)) > bar) return false;
      settled_ = alpha;
    } else {
      return false;
    }
    horizon = true;
    return true;
  }

  double shallow_search(int ply, int depth, double low, double high) {
    const bool outer = std::exchange(horizon, false);
    in_probcut_ = true;
    const double v = value(ply, depth, low, high);
    in_probcut_ = false;
    horizon |= outer;
    return v;
  }

  // -- 12. Stand pat
  // ---------------------------------------------------------------------------------- In
  // quiescence search the mover may decline all noisy moves, unless the rules force them.
  ZERMELO_ALWAYS_INLINE void stand_pat(Node& n) {
    n.stand_pat = n.quiescence && !n.in_check && !game.hints.noisy_is_forced;
    n.outer_horizon = std::exchange(horizon, n.stand_pat);
    n.best = -n.sign * kInfinity;
    n.best_action = 0;
    n.best_index = 0;
    if (!n.stand_pat) return;
    n.best = evaluation(n.ply);
    if (n.better(n.best, n.own())) n.own() = n.best;
  }

  // -- 13. Moves
  // --------------------------------------------------------------------------------------
  ZERMELO_ALWAYS_INLINE void order_moves(Node& n, const Table::Entry& known) {
    n.reduces = selective_ && options.lmr && n.ply > 0 && !n.in_check &&
                n.depth >= params_.lmr_min_depth &&
                (game.hints.scores_noisy_only || !has_noisy_moves(n));
    // A game that rates its moves lists noisy moves in order itself.
    n.learns = (learns_ && !(n.quiescence && !n.in_check && game.hints.scores_noisy_only)) ||
               (n.plain_moves && options.killers);
    // A table move that failed low is no better than the others, nor is one from a search without
    // the game's ratings better than these.
    const bool table_move =
        n.table_hit && !n.mirrored &&
        known.bound != (n.player == 0 ? Bound::upper : Bound::lower) &&
        (n.plain_moves || !slow_narrow_ || !known.estimate || known.depth > plain_moves_max_depth_);
    ordering_.weigh(stack_.data() + n.first, n.count, n.ply, n.player, n.learns, table_move,
                    known.action);
    n.start_nodes = budget.nodes();
    n.shared = busy_ && n.depth >= Busy::kLeastDepth;
    n.first_deferred = deferred_ranks_.size();
    n.searched = n.ranked = n.deferred = 0;
  }

  ZERMELO_ALWAYS_INLINE void search_moves(Node& n) {
    for (int i = 0; i < n.count + n.deferred && !n.fails_high(n.best); ++i) {
      const bool fresh = i < n.count;
      const Move move =
          fresh ? Ordering::pick(stack_.data() + n.first, n.count, i) : stack_[n.first + i];
      if (n.ply == 0 && skipped(move.action)) continue;
      // A deferred move keeps its rank, so that it is searched as deeply as in its turn.
      const int rank = fresh ? n.ranked : deferred_ranks_[n.first_deferred + i - n.count];
      if (n.prunes && n.searched > 0 && fresh && !judge.decisive(n.best) &&
          prune_move(n, move, rank)) {
        horizon = true;
        continue;
      }
      const std::uint64_t mark = n.shared ? Busy::mark(n.key, move.action) : 0;
      if (n.shared && n.searched > 0 && fresh && busy_->has(mark)) {
        defer(n, move);
        continue;
      }
      if (fresh) ++n.ranked;
      if (n.shared) busy_->begin(mark);
      const double v = search_move(n, move, rank);
      if (n.shared) busy_->end(mark);
      back_up(n, move.action, v, i);
    }
    deferred_ranks_.resize(n.first_deferred);
  }

  // Another thread is searching the move: its value may soon be in the table (ABDADA: Weill 1996,
  // simplified by Kerrigan 2017).
  ZERMELO_ALWAYS_INLINE void defer(Node& n, const Move& move) {
    stack_.push_back(move);
    deferred_ranks_.push_back(n.ranked++);
    ++n.deferred;
  }

  ZERMELO_ALWAYS_INLINE double search_move(Node& n, const Move& move, int rank) {
    const std::uint64_t before = budget.nodes();
    const bool outer = n.ply == 0 && std::exchange(horizon, false);
    walk.play(n.ply, move.action);
    const int less = n.reduces ? reduction(n, rank, move) : 0;
    const double v = child(n, less);
    if (n.ply == 0 && !value_only_) {
      moves.push_back(root_move(move.action, v, bound_of(v, n.alpha(), n.beta()), horizon, before));
    }
    horizon |= outer;
    ++n.searched;
    return v;
  }

  // Principal variation search: the first move gets the full window, the others a zero window that
  // can only say "no better", at first reduced by `less` plies. A move that turns out better is
  // searched again.
  ZERMELO_ALWAYS_INLINE double child(const Node& n, int less) {
    const int ply = n.ply + 1, depth = n.depth - 1;
    if (n.searched == 0 || depth < 0 || !options.pvs) return value(ply, depth, n.alpha(), n.beta());
    const double low = n.player == 0 ? n.alpha() : below(n.beta());
    const double high = n.player == 0 ? above(n.alpha()) : n.beta();
    if (less > 0) {
      const double v = value(ply, depth - less, low, high);
      if (!n.better(v, n.own())) return v;
    }
    const double v = value(ply, depth, low, high);
    const bool inside = v > n.alpha() && v < n.beta();
    return inside ? value(ply, depth, n.alpha(), n.beta()) : v;
  }

  ZERMELO_ALWAYS_INLINE void back_up(Node& n, Action action, double v, int index) {
    if (!n.better(v, n.best) && !(n.searched == 1 && !n.stand_pat)) return;
    n.best = v;
    n.best_action = action;
    n.best_index = index;
    if (n.ply == 0 || n.better(v, n.own())) walk.extend_line(n.ply, action);
    if (n.better(v, n.own())) n.own() = v;
  }
};

}  // namespace zermelo
