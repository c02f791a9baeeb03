// Liberties of chains, now and after a play.
#pragma once

#include <algorithm>

#include "board.hpp"

namespace zermelo::go {

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

// The liberties of the chain at q, up to `most` of them (at most 4).
template <int N>
int liberties_of(const Board<N>& s, Point q, int most, Point* found) {
  using B = Board<N>;
  int count = 0;
  Point r = q;
  do {
    if (B::open(s.pattern[r])) {
      for (const int d : B::kDirect) {
        const Point t = static_cast<Point>(r + d);
        if (s.colour[t] != kEmpty || std::find(found, found + count, t) != found + count) continue;
        found[count++] = t;
        if (count >= most) return count;
      }
    }
    r = s.next[r];
  } while (r != q);
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

}  // namespace zermelo::go
