// Unconditional life on small boards: bounds of the score that hold whatever is played.
//
// Benson, "Life in the game of Go" (1976): a chain is unconditionally alive if the opponent cannot
// capture it even if its owner always passes. Regions are the connected sets of points without
// stones of the owner. A region is vital to a chain if all its empty points are liberties of the
// chain. Chains with fewer than two vital regions are dropped, then regions that touch a dropped
// chain, until nothing changes.
//
// Benson's rules forbid suicide. Where it is legal, the opponent can empty points by suicide, so a
// region is vital only if all its points, with the opponent's stones, are next to the chain.
#pragma once

#include <bit>
#include <cstdint>

#include "board.hpp"

namespace zermelo::go {

using Mask = std::uint64_t;  // one bit for each point of a padded board of at most 64 points

// The points of `within` that are connected to `seed`, with `seed`.
template <int N>
Mask connected(Mask seed, Mask within) {
  constexpr int row = Board<N>::kRow;
  for (Mask before = 0; before != seed;) {
    before = seed;
    seed |= (seed << 1 | seed >> 1 | seed << row | seed >> row) & within;
  }
  return seed;
}

template <int N>
Mask beside(Mask points) {
  constexpr int row = Board<N>::kRow;
  return points << 1 | points >> 1 | points << row | points >> row;
}

// Splits a set of points into connected parts. Returns how many there are.
template <int N>
int split(Mask points, Mask* parts) {
  int count = 0;
  for (; points != 0; points &= ~parts[count++]) {
    parts[count] = connected<N>(points & -points, points);
  }
  return count;
}

// The stones of the unconditionally alive chains of `player`.
template <int N>
Mask alive(Mask own, Mask empty, Mask board, bool suicide) {
  static_assert(Board<N>::kPoints <= 64);
  Mask chains[N * N], regions[N * N];
  int chain_count = split<N>(own, chains), region_count = split<N>(board & ~own, regions);
  for (bool changed = true; changed;) {
    changed = false;
    Mask dropped = 0;
    for (int i = 0; i < chain_count;) {
      const Mask liberties = beside<N>(chains[i]);
      int vital = 0;
      for (int j = 0; j < region_count; ++j) {
        const Mask open = regions[j] & empty;
        const Mask beside_chain = suicide ? regions[j] : open;
        vital += open != 0 && (beside_chain & ~liberties) == 0;
      }
      if (vital >= 2) {
        ++i;
        continue;
      }
      dropped |= chains[i];
      chains[i] = chains[--chain_count];
      changed = true;
    }
    for (int j = 0; j < region_count;) {
      if ((beside<N>(regions[j]) & dropped) != 0) {
        regions[j] = regions[--region_count];
      } else {
        ++j;
      }
    }
  }
  Mask stones = 0;
  for (int i = 0; i < chain_count; ++i) stones |= chains[i];
  return stones;
}

// The points that count for the owner of `own` at the end of the game even if that player always
// passes: stones that are unconditionally alive, and single points between them, where the opponent
// cannot play. `suicide`: whether the rules allow suicide of several stones.
template <int N>
Mask safe(Mask own, Mask empty, Mask board, bool suicide) {
  const Mask stones = alive<N>(own, empty, board, suicide);
  Mask eyes = 0;
  for (Mask left = stones == 0 ? 0 : empty; left != 0; left &= left - 1) {
    const Mask point = left & -left;
    if ((beside<N>(point) & board & ~stones) == 0) eyes |= point;
  }
  return stones | eyes;
}

template <int N>
Mask safe(const Board<N>& s, int player, bool suicide) {
  Mask own = 0, empty = 0, board = 0;
  for (int p = 0; p < Board<N>::kPoints; ++p) {
    const Mask bit = Mask{1} << p;
    if (s.colour[p] != kBorder) board |= bit;
    if (s.colour[p] == kEmpty) empty |= bit;
    if (s.colour[p] == player) own |= bit;
  }
  return safe<N>(own, empty, board, suicide);
}

}  // namespace zermelo::go
