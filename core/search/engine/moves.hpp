// The engine's moves: generating them, and deciding which ones to skip or to search less deeply.
#pragma once

#include "state.hpp"

namespace zermelo {

template <class G>
class EngineMoves : public EngineState<G> {
 protected:
  using Base = EngineState<G>;
  using Node = EngineNodeState;
  using Base::Base;
  using Base::game, Base::options, Base::walk, Base::judge, Base::leaf, Base::no_actions;
  using Base::logs_, Base::state, Base::value_only_, Base::evaluation;
  using Base::params_, Base::ordering_, Base::stack_, Base::scratch_, Base::promise_;

  // Puts the node's moves on the stack. False: there is nothing to search and n.value is the value
  // or, as `narrow_bound_` says, a bound outside the window.
  ZERMELO_ALWAYS_INLINE bool generate(Node& n) {
    n.first = stack_.size();
    const bool found = list_moves(n.ply, n.quiescence && !n.in_check, n.plain_moves, n.window);
    n.count = static_cast<int>(stack_.size() - n.first);
    n.value = settled_;
    return found;
  }

  // Whether the position is too tactical for late move reductions.
  ZERMELO_ALWAYS_INLINE bool has_noisy_moves(const Node& n) {
    return game.noisy &&
           game.noisy(game.self, state(n), scratch_.data(), static_cast<int>(scratch_.size())) > 0;
  }

  // May this move be skipped? `rank`: its place in the order.
  ZERMELO_ALWAYS_INLINE bool prune_move(const Node& n, const Move& move, int rank) {
    if (!options.pruning || !game.hints.scores_noisy_only) return false;
    if (!Ordering::quiet(move)) return loses_material(n, move) && !gives_check(n, move);
    if (too_late(n, rank)) return !gives_check(n, move);
    return futile(n) && !gives_check(n, move);
  }

  // Late move reductions: how many plies less deeply a late move is searched at first. The position
  // after the move is at ply + 1.
  ZERMELO_ALWAYS_INLINE int reduction(const Node& n, int rank, const Move& move) {
    const bool rated = game.hints.scores_noisy_only;
    if (rank < (rated ? params_.lmr_first_move : params_.lmr_first_move_unrated) - !n.pv) return 0;
    if (rated && Ordering::promised(move) >= Ordering::kPromise) return 0;
    double less =
        0.5 + params_.lmr_factor * logs_[std::min(n.depth, 63)] * logs_[std::min(rank, 63)] - n.pv;
    if (rated && Ordering::quiet(move)) less -= Ordering::promised(move) / Ordering::kMostHistory;
    if (less < 1 || (game.urgent && game.urgent(game.self, walk.state(n.ply + 1)))) return 0;
    return std::min(static_cast<int>(less), n.depth - 2);
  }

  // The best move caused a cutoff: it becomes a killer and gains history; the quiet moves searched
  // before it lose some.
  ZERMELO_ALWAYS_INLINE void update_history(const Node& n) {
    const Move* moves = stack_.data() + n.first;
    if (game.hints.scores_noisy_only) {
      if (!Ordering::quiet(moves[n.best_index])) return;
      for (int i = 0; i < n.best_index; ++i) {
        if (Ordering::quiet(moves[i])) ordering_.punish(moves[i].action, n.player, n.depth);
      }
    }
    ordering_.reward(moves[n.best_index].action, n.ply, n.player, n.depth);
  }

  Bound narrow_bound_ = Bound::exact;
  double settled_ = 0;

 private:
  // -- generating ---------------------------------------------------------------------------
  // Not inlined, and given only what it needs: its locals and those of the game's generator stay
  // out of the recursion's stack frame, and the node's variables stay in registers.
  ZERMELO_NOINLINE bool list_moves(int ply, bool noisy, bool plain, EngineWindow& window) {
    if (noisy) return list_noisy(ply);
    if ((ply == 0 && !value_only_) || plain || !options.move_hints || !game.narrow) {
      return list_all(ply);
    }
    return list_narrow(ply, window);
  }

  ZERMELO_ALWAYS_INLINE bool list_noisy(int ply) {
    const void* state = walk.state(ply);
    const int count =
        fill([&](int room) { return game.noisy(game.self, state, scratch_.data(), room); }, false);
    if (count > 0) return true;
    settled_ = evaluation(ply);
    return false;
  }

  ZERMELO_ALWAYS_INLINE bool list_all(int ply) {
    const void* state = walk.state(ply);
    const int count = fill(
        [&](int room) { return game.actions(game.self, state, scratch_.data(), room); }, false);
    if (count == 0) no_actions();
    if (ply == 0 && options.move_hints && game.narrow) rate_root_moves(state, count);
    return true;
  }

  // The game's own selection, with bounds of the value that narrow the window or settle the node.
  ZERMELO_ALWAYS_INLINE bool list_narrow(int ply, EngineWindow& window) {
    const void* state = walk.state(ply);
    const auto [alpha, beta] = window.bound;
    double low = judge.lifted() ? -kInfinity : alpha, high = judge.lifted() ? kInfinity : beta;
    const int count = fill(
        [&](int room) {
          return game.narrow(game.self, state, scratch_.data(), promise_.data(), room, &low, &high);
        },
        true);
    low = judge.lift(low), high = judge.lift(high);
    if (count > 0 && low < beta && high > alpha) {
      window.bound[0] = std::max(alpha, low);
      window.bound[1] = std::min(beta, high);
      return true;
    }
    stack_.resize(stack_.size() - count);
    settled_ = leaf(ply, Leaf::terminal, low >= beta ? low : high);
    narrow_bound_ = low == high ? Bound::exact : low >= beta ? Bound::lower : Bound::upper;
    return false;
  }

  // The root keeps every move, but those that `narrow` selects come first.
  void rate_root_moves(const void* state, int listed) {
    double low = -kInfinity, high = kInfinity;
    const int count = game.narrow(game.self, state, scratch_.data(), promise_.data(),
                                  static_cast<int>(scratch_.size()), &low, &high);
    for (int i = 0; i < count; ++i) {
      for (Move* m = stack_.end() - listed; m != stack_.end(); ++m) {
        // Equally rated moves keep the game's order.
        if (m->action == scratch_[i]) m->promise = promise_[i] + 1 + (count - i) * 1e-3f;
      }
    }
  }

  template <class List>
  ZERMELO_ALWAYS_INLINE int fill(const List& list, bool rated) {
    int count = list(static_cast<int>(scratch_.size()));
    if (count > static_cast<int>(scratch_.size())) {
      scratch_.resize(count);
      promise_.resize(count);
      count = list(count);
    }
    if (count < 0) throw RulesError("actions(s) failed");
    const std::size_t first = stack_.size();
    stack_.resize(first + count);
    for (int i = 0; i < count; ++i) stack_[first + i] = {scratch_[i], rated ? promise_[i] : 0};
    return count;
  }

  // -- skipping -----------------------------------------------------------------------------
  // SEE pruning: the game rates the capture as losing material (static exchange evaluation).
  ZERMELO_ALWAYS_INLINE bool loses_material(const Node& n, const Move& move) const {
    return n.depth <= params_.see_max_depth && Ordering::promised(move) < 0;
  }

  // Late move pruning, earlier where the mover's position gets worse.
  ZERMELO_ALWAYS_INLINE bool too_late(const Node& n, int rank) const {
    const int most = params_.late_move_base + n.depth * n.depth;
    return n.depth <= params_.late_move_max_depth && rank >= (n.improving ? most : most / 2);
  }

  // Futility pruning: the evaluation is too far below the window for a quiet move to help.
  ZERMELO_ALWAYS_INLINE bool futile(const Node& n) {
    const double behind = n.sign * (n.own() - n.static_eval);
    return game.doubt && n.depth <= params_.futility_max_depth &&
           behind >= params_.futility_margin * game.doubt(game.self, state(n), n.depth, 0);
  }

  ZERMELO_ALWAYS_INLINE bool gives_check(const Node& n, const Move& move) {
    if (!game.urgent) return false;
    walk.play(n.ply, move.action);
    return game.urgent(game.self, walk.state(n.ply + 1));
  }
};

}  // namespace zermelo
