// Tuned parameters of the engine, named after the technique they belong to.
//
// "min_depth" / "max_depth": the technique applies from / up to this remaining depth. Margins count
// standard deviations of the game's `doubt`, the spread between deep and shallow searches.
#pragma once

namespace zermelo {

struct EngineParams {
  // Aspiration window at the root.
  int aspiration_min_depth = 4;
  double aspiration_width = 0.1;  // half width, as a fraction of the evaluations' spread

  // Iterative deepening before an exact solve: finds quick wins, orders moves, guesses the value.
  int solve_warmup_depth = 8;
  int solve_warmup_max_depth = 12;       // for games whose `narrow` is slow…
  int solve_warmup_plies_from_end = 13;  // …where it also stops this far before the game's end
  double solve_window_shrink = 0.6;      // each score tested is this fraction of the one before

  // Plain move generation instead of a slow `narrow` close to the depth limit.
  int plain_moves_max_depth = 12;
  int plain_moves_max_depth_solving = 3;
  int plain_moves_plies_past_limit = 4;  // only if the game lasts longer than this beyond the limit

  // Transposition table: positions with fewer plies left to play are not stored.
  int table_min_plies_left = 6;
  int table_min_plies_left_slow = 4;  // for games whose `narrow` is slow

  // Enhanced transposition cutoff (ETC).
  int etc_min_plies_left = 20;
  int etc_min_depth = 4;

  // ProbCut.
  int probcut_min_depth = 4;
  double probcut_margin = 1.2;

  // The rest applies only to games that allow a selective search.

  // Late move reductions (LMR): factor * log(depth) * log(move number).
  int lmr_min_depth = 3;
  int lmr_first_move = 3;
  int lmr_first_move_unrated = 5;  // where the game does not rate its moves
  double lmr_factor = 0.45;

  // Reverse futility pruning (static null move).
  int reverse_futility_max_depth = 7;
  double reverse_futility_margin = 1.0;

  // Null-move pruning.
  int null_move_min_depth = 3;
  int null_move_reduction = 3;  // plus depth / 4

  // Late move pruning: quiet moves beyond number base + depth^2.
  int late_move_max_depth = 6;
  int late_move_base = 3;

  // Futility pruning of quiet moves.
  int futility_max_depth = 7;
  double futility_margin = 1.5;

  // SEE pruning: captures that lose material.
  int see_max_depth = 3;

  // Internal iterative reduction: positions without a table entry.
  int iir_min_depth = 4;
};

}  // namespace zermelo
