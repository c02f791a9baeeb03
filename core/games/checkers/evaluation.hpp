// Checkers: the evaluation in hundredths of a man, Black's minus White's.
#pragma once

#include <initializer_list>

#include "board.hpp"

namespace zermelo::checkers {

struct Weights {
  int man = 100;
  int king = 135;
  int lead = 240;  // for each piece more, shared out over the pieces on the board: trade when ahead
  int advance = 2;    // a man, for each row from its own
  int back = 8;       // a man at home on the back row while the other side has men
  int bridge = 12;    // men on both squares of it that guard all four
  int centre = 4;     // a man on the middle eight squares
  int king_home = 6;  // a king on them
  int edge = -5;      // a man at the side
  int step = 2;       // a move that can be made
  int trapped = -30;  // a king that cannot step
  int runaway = 30;   // a man that nobody can stop
  int move = 6;       // the opposition, with equal and few men
  int turn = 4;       // to be on the move
};
inline constexpr Weights kWeights;

// The board turned round: what is Black's becomes White's.
inline constexpr Set turned(Set s) {
  Set r = 0;
  for (int i = 0; i < 35; ++i) r |= (s >> i & 1) << (34 - i);
  return r;
}

// Squares as players number them.
inline constexpr Set squares(std::initializer_list<int> numbers) {
  Set s = 0;
  for (const int n : numbers) s |= Set{1} << bit_of(n - 1);
  return s;
}

// For a side that plays as Black does; turned for White.
template <int Side>
inline constexpr Set seen(Set s) {
  return Side == 0 ? s : turned(s);
}

inline constexpr Set kRow = 0xF;
inline constexpr Set kBridge = squares({1, 3});
inline constexpr Set kCentre = squares({10, 11, 14, 15, 18, 19, 22, 23});
inline constexpr Set kEdge = squares({5, 12, 13, 20, 21, 28});
// The columns that have a square on Black's first row: the opposition is counted there.
inline constexpr Set kSystem = kRow | kRow << 9 | kRow << 18 | kRow << 27;

// Rows from the side's own, 0 to 7.
template <int Side>
inline constexpr Set row(int r) {
  return seen<Side>(kRow << (4 * r + r / 2));
}

// Men that nothing stands before: no enemy in the widening cone of squares they can reach.
template <int Side>
int runaways(Set men, Set enemies) {
  // The squares from which an enemy can be met, spread toward the men's own side.
  Set met = enemies;
  for (int i = 0; i < 7; ++i) {
    met |= (unstep(met, 2 * Side) | unstep(met, 2 * Side + 1)) & kBoard;
  }
  return std::popcount(men & ~met);
}

template <int Side>
int side_score(const State& s, Set empty) {
  constexpr Weights w = kWeights;
  const Set own = s.side[Side], men = own & ~s.kings, kings = own & s.kings;
  const Set enemies = s.side[1 - Side];
  int score = w.man * std::popcount(men) + w.king * std::popcount(kings);
  for (int r = 1; r < 7; ++r) score += w.advance * r * std::popcount(men & row<Side>(r));
  if (enemies & ~s.kings) {
    score += w.back * std::popcount(men & row<Side>(0));
    if ((men & seen<Side>(kBridge)) == seen<Side>(kBridge)) score += w.bridge;
  }
  score += w.centre * std::popcount(men & kCentre) + w.king_home * std::popcount(kings & kCentre);
  score += w.edge * std::popcount(men & kEdge);
  Set free = 0;
  for (int d = 0; d < 4; ++d) {
    const Set from = steppers(s, Side, d, empty);
    score += w.step * std::popcount(from);
    free |= from;
  }
  score += w.trapped * std::popcount(kings & ~free);
  score += w.runaway * runaways<Side>(men, enemies);
  return score;
}

inline int score_of(const State& s) {
  constexpr Weights w = kWeights;
  const Set empty = empty_of(s), all = s.side[0] | s.side[1];
  const int black = std::popcount(s.side[0]), white = std::popcount(s.side[1]);
  int score = side_score<0>(s, empty) - side_score<1>(s, empty);
  score += w.lead * (black - white) / (black + white);
  const int sign = s.mover == 0 ? 1 : -1;
  score += sign * w.turn;
  if (black == white && black <= 6) {
    // The mover has the opposition if the number of pieces in its columns is odd.
    const Set system = s.mover == 0 ? kSystem : kBoard & ~kSystem;
    score += (std::popcount(all & system) & 1 ? sign : -sign) * w.move;
  }
  return score;
}

}  // namespace zermelo::checkers
