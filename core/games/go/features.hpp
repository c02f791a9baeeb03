// The features of a move. A move has at most one feature of each group; its weight is the product
// of the weights of its features (generalized Bradley-Terry model; Coulom, "Computing Elo ratings
// of move patterns in the game of Go", 2007).
#pragma once

#include <algorithm>
#include <cstdlib>

#include "board.hpp"
#include "pattern.hpp"

namespace zermelo::go {

namespace feature {
// The first feature of each group. 3x3 patterns come last.
enum : int {
  kPass = 0,                    // 0: after a play, 1: after a pass
  kCapture = kPass + 2,         // 0: of one stone, 1: of more, 2: of a chain that has us in atari
  kEscape = kCapture + 3,       // from atari. 0: to 2 liberties, 1: to 3 or more
  kSelfAtari = kEscape + 2,     // 0: of one stone, 1: of more
  kAtari = kSelfAtari + 2,      // 0: on one stone, 1: on more
  kLine = kAtari + 2,           // distance to the border with no stone near: 0, 1, 2, 3, more
  kNearLine = kLine + 5,        // the same with stones near
  kDistance = kNearLine + 5,    // to the last move: 2 to 16, more
  kDistance2 = kDistance + 16,  // to the last but one
  kPattern = kDistance2 + 16,
};
inline int count() { return kPattern + PatternClasses::all().count(); }
}  // namespace feature

// The features of one move. 3x3 patterns count once, whatever the rest.
struct Features {
  static constexpr int kMost = 8;
  int count = 0;
  std::uint16_t list[kMost];
  void add(int f) { list[count++] = static_cast<std::uint16_t>(f); }
};

// How many liberties the mover's chain would have after a play, counted up to `most` (at most 4).
template <int N>
int liberties_after(const Board<N>& s, Point p, int player, int most) {
  using B = Board<N>;
  Point found[4];
  int count = 0;
  const auto add = [&](Point q) {
    for (int i = 0; i < count; ++i) {
      if (found[i] == q) return;
    }
    found[count++] = q;
  };
  for (const int d : B::kDirect) {
    const Point q = static_cast<Point>(p + d);
    if (s.colour[q] == kEmpty || (s.colour[q] == other(player) && s.chain(q).in_atari())) add(q);
    if (count >= most) return count;
  }
  for (const int d : B::kDirect) {
    const Point q = static_cast<Point>(p + d);
    if (s.colour[q] != player || s.chain(q).in_atari()) continue;
    Point r = q;
    do {
      if (B::open(s.pattern[r])) {
        for (const int e : B::kDirect) {
          const Point t = static_cast<Point>(r + e);
          if (s.colour[t] == kEmpty && t != p) add(t);
          if (count >= most) return count;
        }
      }
      r = s.next[r];
    } while (r != q);
  }
  return count;
}

// The stones of the chain that a play joins together, the new one included.
template <int N>
int size_after(const Board<N>& s, Point p, int player) {
  int size = 1;
  Point heads[4];
  int count = 0;
  for (const int d : Board<N>::kDirect) {
    const Point q = static_cast<Point>(p + d);
    if (s.colour[q] != player || std::find(heads, heads + count, s.head[q]) != heads + count) {
      continue;
    }
    heads[count++] = s.head[q];
    size += s.chain(q).size;
  }
  return size;
}

// Whether the chain at q, in atari or not, has exactly two liberties, of which p is one.
template <int N>
bool puts_in_atari(const Board<N>& s, Point q, Point p) {
  // Without the pseudo-liberties at p, all others are the same point.
  Chain c = s.chain(q);
  if (c.in_atari()) return false;
  Point r = q;
  std::uint32_t at_p = 0;
  for (const int d : Board<N>::kDirect) {
    const Point t = static_cast<Point>(p + d);
    at_p += s.stone(t) && s.head[t] == s.head[r];
  }
  c.liberties = static_cast<std::uint16_t>(c.liberties - at_p);
  c.sum -= at_p * p;
  c.squares -= at_p * p * p;
  return c.in_atari();
}

// Whether a chain next to the chain at q, of the other colour, is in atari.
template <int N>
bool beside_atari(const Board<N>& s, Point q, int player) {
  Point r = q;
  do {
    for (const int d : Board<N>::kDirect) {
      const Point t = static_cast<Point>(r + d);
      if (s.colour[t] == player && s.chain(t).in_atari()) return true;
    }
    r = s.next[r];
  } while (r != q);
  return false;
}

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
  void add_tactics(const B& s, Point p, int player, Features& f) const {
    int capture = -1, atari = -1;
    bool escapes = false;
    for (const int d : B::kDirect) {
      const Point q = static_cast<Point>(p + d);
      if (!s.stone(q)) continue;
      const Chain& c = s.chain(q);
      if (s.colour[q] == player) {
        escapes |= c.in_atari();
      } else if (c.in_atari()) {
        const int kind = beside_atari(s, q, player) ? 2 : c.size > 1;
        capture = std::max(capture, kind);
      } else if (puts_in_atari(s, q, p)) {
        atari = std::max(atari, static_cast<int>(c.size > 1));
      }
    }
    if (capture >= 0) f.add(feature::kCapture + capture);
    if (atari >= 0) f.add(feature::kAtari + atari);
    const int after = liberties_after(s, p, player, 3);
    if (after <= 1) {
      f.add(feature::kSelfAtari + (size_after(s, p, player) > 1));
    } else if (escapes) {
      f.add(feature::kEscape + (after > 2));
    }
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
