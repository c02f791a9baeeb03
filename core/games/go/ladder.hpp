// Ladders: whether a chain with at most two liberties is captured by a series of ataris.
#pragma once

#include "liberties.hpp"

namespace zermelo::go {

template <int N>
class Ladder {
  using B = Board<N>;

 public:
  // Whether the attacker, to move, captures the chain at `prey` by ataris.
  static bool catches(const B& s, Point prey) {
    Ladder ladder;
    return ladder.attack(s, prey, 0);
  }
  // Whether the chain at `prey` is in atari and cannot be saved by its owner, to move.
  static bool caught(const B& s, Point prey) {
    Ladder ladder;
    return !ladder.escape(s, prey, 0);
  }

 private:
  static constexpr int kMostPlies = 60, kMostPositions = 200;

  bool attack(const B& s, Point prey, int plies) {
    Point at[3];
    const int count = liberties_of(s, prey, 3, at);
    if (count > 2) return false;
    if (count < 2) return true;
    const int attacker = other(s.colour[prey]);
    for (const Point p : {at[0], at[1]}) {
      if (s.suicide(p, attacker)) continue;
      B next;
      next.copy_stones(s);
      next.put(p, attacker);
      if (!escape(next, prey, plies + 1)) return true;
    }
    return false;
  }

  // What takes too long to read counts as an escape.
  bool escape(const B& s, Point prey, int plies) {
    if (plies > kMostPlies || ++positions_ > kMostPositions) return true;
    if (saves(s, prey, s.chain(prey).only_liberty(), plies)) return true;
    Point p = prey;
    do {  // capture an attacking chain
      for (const int d : B::kDirect) {
        const Point q = static_cast<Point>(p + d);
        if (s.colour[q] == other(s.colour[prey]) && s.chain(q).in_atari() &&
            saves(s, prey, s.chain(q).only_liberty(), plies)) {
          return true;
        }
      }
      p = s.next[p];
    } while (p != prey);
    return false;
  }
  bool saves(const B& s, Point prey, Point play, int plies) {
    const int owner = s.colour[prey];
    if (s.suicide(play, owner)) return false;
    B next;
    next.copy_stones(s);
    next.put(play, owner);
    return !next.chain(prey).in_atari() && !attack(next, prey, plies + 1);
  }

  int positions_ = 0;
};

}  // namespace zermelo::go
