// Shapes of up to six stones that leave room for only one eye when they are captured (nakade).
#pragma once

#include <algorithm>
#include <cstdlib>

#include "board.hpp"

namespace zermelo::go {

// Whether the points of such a shape, once empty, make a single eye: the opponent plays the point
// with the most neighbours and prevents two.
template <int N>
bool one_eye(const Point* points, int count) {
  int most = 0, pairs = 0;
  for (int i = 0; i < count; ++i) {
    int neighbours = 0;
    for (int j = 0; j < count; ++j) {
      const int apart = std::abs(points[i] - points[j]);
      neighbours += apart == 1 || apart == Board<N>::kRow;
    }
    most = std::max(most, neighbours);
    pairs += neighbours;
  }
  pairs /= 2;
  switch (count) {
    case 1:
    case 2:
    case 3:
      return true;
    case 4:  // pyramid, square
      return most == 3 || pairs == 4;
    case 5:  // cross, bulky five
      return most == 4 || (most == 3 && pairs == 5);
    case 6:  // rabbity six
      return most == 4 && pairs == 6;
    default:
      return false;
  }
}

// The same for the chain that a play at p would make.
template <int N>
bool one_eye_if_captured(const Board<N>& s, Point p, int player) {
  constexpr int kMost = 6;
  Point points[kMost] = {p};
  int count = 1;
  for (const int d : Board<N>::kDirect) {
    const Point q = static_cast<Point>(p + d);
    if (s.colour[q] != player || std::find(points, points + count, q) != points + count) continue;
    Point r = q;
    do {
      if (count == kMost) return false;
      points[count++] = r;
      r = s.next[r];
    } while (r != q);
  }
  return one_eye<N>(points, count);
}

}  // namespace zermelo::go
