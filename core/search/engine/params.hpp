// The engine's numbers: tuned, or to be.
#pragma once

namespace zermelo {

struct EngineParams {
  int aspiration_depth = 4;  // from this depth on the root's window is guessed
  double aspiration = 0.1;   // its half-width, as a part of the spread of evaluations seen
  int glance = 8;            // depths looked at before a game is solved
  int hasty = 12;            // depth left at which slow hints are not asked for…
  int near_end = 4;          // …unless the game lasts no more than this beyond the limit
  int hasty_solving = 3;     // …and when a glance is to order what is solved next
  int glance_left = 13;      // plies before the end that no glance goes to…
  int glance_most = 12;      // …nor deeper than this, where a game has slow hints
  int probe_depth = 4;       // where a shallow search may settle it…
  double probe_sure = 1.2;   // …if it is so many times its doubt outside
  int large = 20;            // plies left from which the table's word on the children is asked
  int large_depth = 4;       // the same, of the depth limit
  int tabled = 6;            // fewer plies left are not worth an entry of the table…
  int tabled_slow = 4;       // …where the game's hint is slow
  double nearer = 0.6;       // scores asked about: each so much of the one before

  // Where a game allows a selective search.
  int reduce_depth = 3;            // late moves are looked at less deeply…
  int reduce_from = 3;             // …from this one on
  int reduce_from_unpromised = 5;  // …where the game does not say which moves are noisy
  double reduce_slope = 0.45;      // by so much of log depth times log number
  int stand_depth = 7;             // where the evaluation may settle it…
  double stand_sure = 1.0;         // …if it is so many times its doubt outside
  int pass_depth = 3;              // where passing may show that the mover is well enough off…
  int pass_less = 3;               // …looked at so much less deeply
  int late_depth = 6;              // where late quiet moves are left out…
  int late_from = 3;               // …from this one on, and the square of the depth
  int futile_depth = 7;            // where quiet moves cannot help any more…
  double futile_sure = 1.5;        // …at so many times the doubt below the window
  int losing_depth = 3;            // where moves that lose material are left out
  int unknown_depth = 4;           // where a position without a table move gets a ply less
};

}  // namespace zermelo
