// Squares of an Othello board as bits, and tables about them.
//
//      a1 is bit 0, b1 bit 1, … h1 bit 7, a2 bit 8, … h8 bit 63 (row 1 on top)
//
// Smaller boards lie in the middle of the 64 squares: nothing is ever put outside, so lines end
// there by themselves, and the eight symmetries are the same.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "../../platform.hpp"

namespace zermelo::othello {

using Board = std::uint64_t;

inline constexpr int kPass = 64;  // the action of a player who has no square to play to

inline constexpr Board kColumnA = 0x0101010101010101, kColumnH = kColumnA << 7;
inline constexpr Board kRow1 = 0xff, kRow8 = kRow1 << 56;
inline constexpr Board kCorners = 0x8100000000000081;
inline constexpr int kSteps[4] = {1, 8, 9, 7};  // along a row, a column, both diagonals

constexpr Board bit(int square) { return Board{1} << square; }

// The squares of a board of `size` by `size`.
constexpr Board squares_of(int size) {
  const int edge = (8 - size) / 2;
  Board all = 0;
  for (int r = edge; r < 8 - edge; ++r) {
    for (int c = edge; c < 8 - edge; ++c) all |= bit(8 * r + c);
  }
  return all;
}

// From each square to the edge: `up` with growing bits (kSteps), `down` with falling ones.
struct alignas(32) Rays {
  Board up[4], down[4];
};

constexpr std::array<Rays, 64> make_rays() {
  constexpr int across[4] = {1, 0, 1, -1}, along[4] = {0, 1, 1, 1};
  std::array<Rays, 64> rays{};
  for (int s = 0; s < 64; ++s) {
    for (int d = 0; d < 4; ++d) {
      for (int sign : {1, -1}) {
        int c = s % 8 + sign * across[d], r = s / 8 + sign * along[d];
        for (; c >= 0 && c < 8 && r >= 0 && r < 8; c += sign * across[d], r += sign * along[d]) {
          (sign > 0 ? rays[s].up : rays[s].down)[d] |= bit(8 * r + c);
        }
      }
    }
  }
  return rays;
}
inline constexpr std::array<Rays, 64> kRays = make_rays();

constexpr std::array<Board, 64> make_neighbours() {
  std::array<Board, 64> near{};
  for (int s = 0; s < 64; ++s) {
    for (int d = 0; d < 4; ++d) {
      const Board up = kRays[s].up[d], down = kRays[s].down[d];
      near[s] |= up & -up;
      if (down) near[s] |= bit(63 - std::countl_zero(down));
    }
  }
  return near;
}
inline constexpr std::array<Board, 64> kNeighbours = make_neighbours();

// Discs flipped on a full line of eight, by the square of the last move and the mover's discs.
constexpr std::array<std::array<std::uint8_t, 256>, 8> make_turned() {
  std::array<std::array<std::uint8_t, 256>, 8> turned{};
  for (int at = 0; at < 8; ++at) {
    for (int own = 0; own < 256; ++own) {
      for (int sign : {1, -1}) {
        int end = at + sign;
        while (end >= 0 && end < 8 && !(own >> end & 1)) end += sign;
        if (end >= 0 && end < 8) turned[at][own] += sign * (end - at) - 1;
      }
    }
  }
  return turned;
}
inline constexpr auto kTurned = make_turned();

// Quarters of the board: a player wants to move last in each.
constexpr int quarter_of(int square) { return 1 << ((square >> 2 & 1) | (square >> 4 & 2)); }

constexpr std::array<Board, 16> make_quarters() {
  std::array<Board, 16> masks{};
  for (int set = 0; set < 16; ++set) {
    for (int s = 0; s < 64; ++s) {
      if (set & quarter_of(s)) masks[set] |= bit(s);
    }
  }
  return masks;
}
inline constexpr std::array<Board, 16> kQuarters = make_quarters();

// Which quarters have an odd number of empty squares.
inline int odd_quarters(Board empty) {
  int odd = 0;
  for (int q = 0; q < 4; ++q) odd |= (std::popcount(empty & kQuarters[1 << q]) & 1) << q;
  return odd;
}

// The final score: empty squares count for the winner.
inline int final_score(Board own, Board opp, Board empty) {
  const int lead = std::popcount(own) - std::popcount(opp);
  const int rest = std::popcount(empty);
  return lead > 0 ? lead + rest : lead < 0 ? lead - rest : 0;
}

// -- symmetries --------------------------------------------------------------------------------
inline Board upside_down(Board b) { return platform::byteswap(b); }

inline Board mirrored(Board b) {
  b = (b >> 1 & 0x5555555555555555) | (b & 0x5555555555555555) << 1;
  b = (b >> 2 & 0x3333333333333333) | (b & 0x3333333333333333) << 2;
  return (b >> 4 & 0x0f0f0f0f0f0f0f0f) | (b & 0x0f0f0f0f0f0f0f0f) << 4;
}

inline Board transposed(Board b) {
  Board t = (b ^ b >> 7) & 0x00aa00aa00aa00aa;
  b ^= t ^ t << 7;
  t = (b ^ b >> 14) & 0x0000cccc0000cccc;
  b ^= t ^ t << 14;
  t = (b ^ b >> 28) & 0x00000000f0f0f0f0;
  return b ^ t ^ t << 28;
}

// -- discs that nothing can turn any more --------------------------------------------------------
// The squares in whose row, column or diagonal (step) an empty square lies.
inline Board touched(Board empty, int step, Board left1, Board left2, Board left4, Board right1,
                     Board right2, Board right4) {
  Board up = empty, down = empty;
  up |= up << step & left1;
  up |= up << 2 * step & left2;
  up |= up << 4 * step & left4;
  down |= down >> step & right1;
  down |= down >> 2 * step & right2;
  down |= down >> 4 * step & right4;
  return up | down;
}

// Those of `discs` that are safe for good: in each of the four lines the line is full, or a
// neighbour is the edge or safe. (Some safe discs are not found.)
inline Board safe_discs(Board discs, Board other, Board empty) {
  constexpr Board a1 = ~kColumnA, a2 = a1 & a1 << 1, a4 = a2 & a2 << 2;
  constexpr Board h1 = ~kColumnH, h2 = h1 & h1 >> 1, h4 = h2 & h2 >> 2, all = ~Board{0};
  const Board row = ~touched(empty, 1, a1, a2, a4, h1, h2, h4);
  const Board column = ~touched(empty, 8, all, all, all, all, all, all);
  const Board falling = ~touched(empty, 9, a1, a2, a4, h1, h2, h4);
  const Board rising = ~touched(empty, 7, h1, h2, h4, a1, a2, a4);
  const Board outside = ~(discs | other | empty);
  Board safe = 0;
  for (;;) {
    const Board s = safe | outside;
    const Board next = discs & (row | s << 1 | s >> 1 | kColumnA | kColumnH) &
                       (column | s << 8 | s >> 8 | kRow1 | kRow8) &
                       (falling | s << 9 | s >> 9 | kColumnA | kColumnH | kRow1 | kRow8) &
                       (rising | s << 7 | s >> 7 | kColumnA | kColumnH | kRow1 | kRow8);
    if (next == safe) return safe;
    safe = next;
  }
}

}  // namespace zermelo::othello
