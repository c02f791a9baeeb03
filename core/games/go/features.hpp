// The features of a move. A move has at most one feature of each group; its weight is the product
// of the weights of its features (generalized Bradley-Terry model; Coulom, "Computing Elo ratings
// of move patterns in the game of Go", 2007).
#pragma once

#include <algorithm>
#include <cstdlib>

#include "ladder.hpp"
#include "pattern.hpp"

namespace zermelo::go {

namespace feature {
// The first feature of each group. 3x3 patterns come last.
enum : int {
  kPass = 0,                  // 0: after a play, 1: after a pass
  kCapture = kPass + 2,       // 0: of one stone, 1: of more, 2: of a chain that has us in atari
  kEscape = kCapture + 3,     // from atari. 0: to 2 liberties, 1: to 3 or more, 2: into a ladder
  kSelfAtari = kEscape + 3,   // 0: of one stone, 1: of two or three, 2: of more
  kAtari = kSelfAtari + 3,    // 0: on one stone, 1: on more; 2, 3: the same as a ladder
  kSqueeze = kAtari + 4,      // leaves a chain two liberties: 0: one stone, 1: two, three, 2: more
  kExtend = kSqueeze + 3,     // a chain with two liberties gets 0: three, 1: more
  kConnect = kExtend + 2,     // 0: joins chains, 1: one of which has at most two liberties
  kLine = kConnect + 2,       // distance to the border with no stone near: 0, 1, 2, 3, more
  kNearLine = kLine + 5,      // the same with stones near
  kDistance = kNearLine + 5,  // to the last move: 2 to 16, more
  kDistance2 = kDistance + 16,  // to the last but one
  kPattern = kDistance2 + 16,
};
inline int count() { return kPattern + PatternClasses::all().count(); }
}  // namespace feature

// The features of one move. 3x3 patterns count once, whatever the rest.
struct Features {
  static constexpr int kMost = 12;
  int count = 0;
  std::uint16_t list[kMost];
  void add(int f) { list[count++] = static_cast<std::uint16_t>(f); }
};

template <int N>
class FeatureFinder {
  using B = Board<N>;

 public:
  explicit FeatureFinder(int size) {
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        const Point p = B::at(row, column);
        row_[p] = static_cast<std::int8_t>(row);
        column_[p] = static_cast<std::int8_t>(column);
        const int line = std::min({row, column, size - 1 - row, size - 1 - column});
        line_[p] = static_cast<std::int8_t>(std::min(line, 4));
      }
    }
    size_ = size;
  }

  // dx + dy + max(dx, dy), from 2 on.
  int distance(Point p, Point q) const {
    const int dx = std::abs(column_[p] - column_[q]), dy = std::abs(row_[p] - row_[q]);
    return dx + dy + std::max(dx, dy);
  }

  int line(Point p) const { return line_[p]; }

  // The features of a play of the mover at p; p = 0 is a pass.
  Features of(const B& s, Point p) const {
    Features f;
    if (p == 0) {
      f.add(feature::kPass + (s.passes > 0));
      return f;
    }
    const int player = s.mover;
    add_tactics(s, p, player, f);
    f.add((near(s, p) ? feature::kNearLine : feature::kLine) + line_[p]);
    if (s.last) f.add(feature::kDistance + std::min(15, distance(p, s.last) - 2));
    if (s.before_last && s.before_last != p) {
      f.add(feature::kDistance2 + std::min(15, distance(p, s.before_last) - 2));
    }
    f.add(feature::kPattern + PatternClasses::all().of(seen_by(s.pattern[p], player)));
    return f;
  }

 private:
  static int size_class(int stones) { return (stones > 1) + (stones > 3); }

  void add_tactics(const B& s, Point p, int player, Features& f) const {
    int capture = -1, atari = -1, squeeze = -1;
    bool escapes = false, extends = false;
    Point own = 0, heads[4];
    int joined = 0;
    for (const int d : B::kDirect) {
      const Point q = static_cast<Point>(p + d);
      if (!s.stone(q)) continue;
      const Chain& c = s.chain(q);
      if (s.colour[q] == player) {
        if (std::find(heads, heads + joined, s.head[q]) != heads + joined) continue;
        heads[joined++] = s.head[q];
        escapes |= c.in_atari();
        if (c.in_atari()) own = q;
        Point at[3];
        extends |= !c.in_atari() && liberties_of(s, q, 3, at) == 2;
      } else if (c.in_atari()) {
        const int kind = beside_atari(s, q, player) ? 2 : c.size > 1;
        capture = std::max(capture, kind);
      } else {
        Point at[4];
        const int liberties = liberties_of(s, q, 4, at);
        if (liberties == 2) {
          atari = std::max(atari, (c.size > 1) + 2 * ladder(s, p, q));
        } else if (liberties == 3) {
          squeeze = std::max(squeeze, size_class(c.size));
        }
      }
    }
    if (capture >= 0) f.add(feature::kCapture + capture);
    if (atari >= 0) f.add(feature::kAtari + atari);
    if (squeeze >= 0) f.add(feature::kSqueeze + squeeze);
    if (joined > 1) f.add(feature::kConnect + (escapes || extends));
    const int after = liberties_after(s, p, player, 4);
    if (after <= 1) {
      f.add(feature::kSelfAtari + size_class(size_after(s, p, player)));
    } else if (escapes) {
      f.add(feature::kEscape + (after > 2 ? 1 : runs_into_ladder(s, p, own) ? 2 : 0));
    } else if (extends && after > 2) {
      f.add(feature::kExtend + (after > 3));
    }
  }

  // Whether the chain at q is captured in a ladder if the mover plays at p.
  static bool ladder(const B& s, Point p, Point q) {
    if (s.suicide(p, s.mover)) return false;
    B next;
    next.copy_stones(s);
    next.put(p, s.mover);
    return next.chain(q).in_atari() && Ladder<N>::caught(next, q);
  }
  // Whether the mover's chain at q, after a play at p, is still captured in a ladder.
  static bool runs_into_ladder(const B& s, Point p, Point q) {
    if (s.suicide(p, s.mover)) return true;
    B next;
    next.copy_stones(s);
    next.put(p, s.mover);
    return Ladder<N>::catches(next, q);
  }

  // Whether a stone lies within three rows and columns.
  bool near(const B& s, Point p) const {
    const int top = std::max(0, row_[p] - 3), bottom = std::min(size_ - 1, row_[p] + 3);
    const int left = std::max(0, column_[p] - 3), right = std::min(size_ - 1, column_[p] + 3);
    for (int row = top; row <= bottom; ++row) {
      for (int column = left; column <= right; ++column) {
        if (s.stone(B::at(row, column))) return true;
      }
    }
    return false;
  }

  int size_;
  std::int8_t row_[B::kPoints] = {}, column_[B::kPoints] = {}, line_[B::kPoints] = {};
};

}  // namespace zermelo::go
