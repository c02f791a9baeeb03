// The cubeful value of a position, estimated from its cubeless probabilities (Janowski, "Take
// Points in Money Games", 1993).
//
// A dead cube is never turned again, so the value is the cubeless one. A live cube is turned
// exactly when the opponent is indifferent between take and drop. Between these points the value is
// linear in the winning probability:
//
//      chance to win   0        take point     cash point      1
//      worth           -loss    -1             +1              +win
//
// The take point applies if the opponent may double, the cash point if the player may. The true
// value lies between dead and live.
#pragma once

#include "network.hpp"

namespace zermelo::backgammon {

inline constexpr int kMostDoubles = 6;  // the cube goes up to 64

// The owner of the cube, for the side on roll.
enum class Holder { nobody, own, other };

struct Cube {
  Holder holder;
  int doubles;          // so far: the cube stands at 2^doubles
  bool jacoby = false;  // gammons count once the cube was turned

  bool once() const { return jacoby && !doubles; }  // whether every win counts 1 at present
};

// The cube efficiency, from 0 (dead) to 1 (live). 0.6 to 0.75 fit the 2-ply equities of GNU
// Backgammon best, in races and elsewhere.
inline constexpr float kLive = 0.68F;

// The expected points in units of the present cube, for the side on roll, which does not double
// now.
inline float cubeful(const Chances& c, const Cube& cube) {
  const float p = c.of[kWin], q = 1 - p;
  const float dead = cube.once() ? p - q : c.equity();
  if (cube.doubles >= kMostDoubles) return dead;

  // The average value of a win and of a loss.
  const float win = p > 0 ? 1 + (c.of[kWinGammon] + c.of[kWinBackgammon]) / p : 1;
  const float loss = q > 0 ? 1 + (c.of[kLoseGammon] + c.of[kLoseBackgammon]) / q : 1;

  // A player who takes may redouble, which has a value, except after the last double.
  const float again = cube.doubles + 1 < kMostDoubles ? 0.5F : 0;
  const float all = win + loss + again;

  struct Point {
    float chance, worth;
  };
  Point from{0, cube.once() ? -1 : -loss}, to{1, cube.once() ? 1 : win};
  const Point take{(loss - 0.5F) / all, -1}, cash{(loss + 0.5F + again) / all, 1};
  const bool takes = cube.holder != Holder::own, cashes = cube.holder != Holder::other;
  if (takes && p >= take.chance) from = take;
  if (cashes && p >= cash.chance) from = cash;
  if (cashes && p < cash.chance) to = cash;
  if (takes && p < take.chance) to = take;
  const float worth =
      from.worth + (to.worth - from.worth) * (p - from.chance) / (to.chance - from.chance);
  return kLive * worth + (1 - kLive) * dead;
}

}  // namespace zermelo::backgammon
