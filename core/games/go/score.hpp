// Area scoring, and the check of states that come from outside.
#pragma once

#include <vector>

#include "board.hpp"

namespace zermelo::go {

// Black's area less White's: stones, and empty regions that reach one colour only. `owner`, unless
// null, gets 1 (Black), -1 (White) or 0 for every point of the padded board.
template <int N>
int area(const Board<N>& s, std::int8_t* owner) {
  int total = s.stones[0] - s.stones[1];
  if (owner) {
    for (int p = 0; p < Board<N>::kPoints; ++p) {
      owner[p] = s.colour[p] == kBlack ? 1 : s.colour[p] == kWhite ? -1 : 0;
    }
  }
  std::uint8_t marked[Board<N>::kPoints] = {};
  Point region[N * N];
  for (int i = 0; i < s.empty_count; ++i) {
    if (marked[s.empty[i]]) continue;
    int count = 0, reached = 0;  // bits of the colours
    region[count++] = s.empty[i];
    marked[s.empty[i]] = 1;
    for (int j = 0; j < count; ++j) {
      for (const int d : Board<N>::kDirect) {
        const Point q = static_cast<Point>(region[j] + d);
        if (s.colour[q] != kEmpty) {
          reached |= 1 << s.colour[q];
        } else if (!marked[q]) {
          marked[q] = 1;
          region[count++] = q;
        }
      }
    }
    const int colours = reached & 3;
    const int sign = colours == 1 ? 1 : colours == 2 ? -1 : 0;
    total += sign * count;
    for (int j = 0; owner && j < count; ++j) owner[region[j]] = static_cast<std::int8_t>(sign);
  }
  return total;
}

// Whether the chains of two boards with the same stones are the same partition, each a circle with
// the same liberties. Only `fresh` is known to be a valid board.
template <int N>
bool same_chains(const Board<N>& s, const Board<N>& fresh) {
  using B = Board<N>;
  const auto on_board = [&](int p) { return p < B::kPoints && fresh.colour[p] != kBorder; };
  for (int p = 0; p < B::kPoints; ++p) {
    if (!s.stone(static_cast<Point>(p)) && s.head[p] != 0) return false;
    if (fresh.colour[p] == kBorder) continue;
    if (s.pattern[p] != fresh.pattern[p]) return false;
    if (s.colour[p] == kEmpty) continue;
    const Point head = s.head[p];
    if (!on_board(head) || s.head[head] != head || !on_board(s.next[p])) return false;
    if (fresh.head[head] != fresh.head[p] || fresh.head[s.next[p]] != fresh.head[p]) return false;
    if (s.head[s.next[p]] != head) return false;
    if (std::memcmp(&s.chain_at[head], &fresh.chain(static_cast<Point>(p)), sizeof(Chain)) != 0) {
      return false;
    }
    int steps = 0;
    Point q = static_cast<Point>(p);
    do {
      q = s.next[q];
      if (!on_board(q) || ++steps > s.chain_at[head].size) return false;
    } while (q != p);
    if (steps != s.chain_at[head].size) return false;
  }
  return true;
}

// Whether all parts of a state agree with each other, so that the rules can be asked about it. Its
// bytes may come from anywhere.
template <int N>
bool consistent(const Board<N>& s, int size) {
  using B = Board<N>;
  if (s.mover > 1 || s.passes > 2 || s.repeated > 1 || s.captured > 1) return false;
  if (s.length < 1 || s.length > B::kMostPlays + 1 || s.empty_count > size * size) return false;
  B fresh;
  fresh.clear(size);
  const auto on_board = [&](int p) { return p < B::kPoints && fresh.colour[p] != kBorder; };
  for (const Point p : {s.ko, s.last, s.before_last}) {
    if (p && !on_board(p)) return false;
  }
  if (s.ko && s.colour[s.ko] != kEmpty) return false;
  // The stones, put down again.
  for (int p = 0; p < B::kPoints; ++p) {
    if (!on_board(p)) {
      if (s.colour[p] != kBorder) return false;
    } else if (s.colour[p] > kEmpty) {
      return false;
    } else if (s.colour[p] != kEmpty) {
      fresh.put(static_cast<Point>(p), s.colour[p]);
    }
  }
  if (fresh.hash != s.hash || fresh.stones[0] != s.stones[0] || fresh.stones[1] != s.stones[1] ||
      fresh.empty_count != s.empty_count) {
    return false;  // also where a chain has no liberty
  }
  if (std::memcmp(fresh.colour, s.colour, sizeof s.colour) != 0) return false;
  for (int i = 0; i < s.empty_count; ++i) {
    const Point p = s.empty[i];
    if (!on_board(p) || s.colour[p] != kEmpty || s.empty_at[p] != i) return false;
  }
  if (!same_chains(s, fresh)) return false;
  // The history: hashes, their filter and their sum.
  std::uint64_t sum = 0, filter[B::kFilter] = {};
  for (int i = 0; i < s.length; ++i) {
    sum += mix(s.history[i]);
    filter[s.history[i] % B::kFilter] |= std::uint64_t{1} << (s.history[i] >> 58);
  }
  const bool known = s.repeated || s.history[s.length - 1] == s.hash;
  return known && sum == s.history_hash && std::memcmp(filter, s.filter, sizeof filter) == 0;
}

}  // namespace zermelo::go
