// What a position is worth with a cube, guessed from its chances without one (Janowski, "Take
// Points in Money Games", 1993).
//
// A dead cube is never turned again: the points without it. A live one is turned at the very moment
// at which the other side may as well drop. Between those moments chances go up and down evenly, so
// that the worth is a straight line from each to the next:
//
//      chance to win   0        take point     cash point      1
//      worth           -loss    -1             +1              +win
//
// The take point counts where the other side may double, the cash point where one may oneself. The
// truth is between dead and live.
#pragma once

#include "network.hpp"

namespace zermelo::backgammon {

inline constexpr int kMostDoubles = 6;  // the cube goes up to 64

// Whose cube, as the side to roll sees it.
enum class Holder { nobody, own, other };

struct Cube {
  Holder holder;
  int doubles;          // so far: the cube stands at 2^doubles
  bool jacoby = false;  // gammons count once the cube was turned

  bool once() const { return jacoby && !doubles; }  // does every win count 1 as it stands?
};

// How live a cube is, from 0 to 1. Equities of GNU Backgammon's at 2 plies are met best by 0.6 to
// 0.75, in races as elsewhere.
inline constexpr float kLive = 0.68F;

// Points to be expected, in units of the cube as it stands, by the side that is to roll and does
// not double now.
inline float cubeful(const Chances& c, const Cube& cube) {
  const float p = c.of[kWin], q = 1 - p;
  const float dead = cube.once() ? p - q : c.equity();
  if (cube.doubles >= kMostDoubles) return dead;

  // What a win and a loss are worth on average.
  const float win = p > 0 ? 1 + (c.of[kWinGammon] + c.of[kWinBackgammon]) / p : 1;
  const float loss = q > 0 ? 1 + (c.of[kLoseGammon] + c.of[kLoseBackgammon]) / q : 1;

  // Who takes may double in turn, which is worth something, but for the last double.
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
