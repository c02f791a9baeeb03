// Which squares a man attacks; lines and what lies between.
#pragma once

#include <mutex>

#include "magics.hpp"
#include "position.hpp"

namespace zermelo::chess {

struct Step {
  int dx, dy;
};
inline constexpr Step kStraight[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
inline constexpr Step kSlanting[4] = {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

// The squares seen from one square in one direction, up to and with the first that is taken.
inline constexpr Board ray(int square, Step step, Board taken) {
  Board seen = 0;
  int x = square & 7, y = square >> 3;
  while (true) {
    x += step.dx, y += step.dy;
    if (x < 0 || x > 7 || y < 0 || y > 7) return seen;
    seen |= bit(8 * y + x);
    if (taken & bit(8 * y + x)) return seen;
  }
}
inline constexpr Board rays(int square, const Step (&steps)[4], Board taken) {
  Board seen = 0;
  for (const Step step : steps) seen |= ray(square, step, taken);
  return seen;
}

struct Leaps {
  Board pawn[2][64], knight[64], king[64], rook[64], bishop[64];  // sliders: on an empty board
};
inline constexpr Leaps kLeaps = [] {
  Leaps t{};
  for (int s = 0; s < 64; ++s) {
    for (int dx = -2; dx <= 2; ++dx) {
      for (int dy = -2; dy <= 2; ++dy) {
        const int x = (s & 7) + dx, y = (s >> 3) + dy, far = dx * dx + dy * dy;
        if (x < 0 || x > 7 || y < 0 || y > 7) continue;
        const Board to = bit(8 * y + x);
        if (far == 5) t.knight[s] |= to;
        if (far == 1 || far == 2) t.king[s] |= to;
        if (far == 2) t.pawn[dy > 0 ? kWhite : kBlack][s] |= to;
      }
    }
    t.rook[s] = rays(s, kStraight, 0);
    t.bishop[s] = rays(s, kSlanting, 0);
  }
  return t;
}();

struct Lines {
  Board between[64][64];  // without both ends; none where they are not in line
  Board line[64][64];     // from edge to edge
};
inline constexpr Lines kLines = [] {
  Lines t{};
  for (int a = 0; a < 64; ++a) {
    for (int i = 0; i < 8; ++i) {
      const Step step = i < 4 ? kStraight[i] : kSlanting[i - 4];
      const Board whole = ray(a, step, 0) | ray(a, {-step.dx, -step.dy}, 0) | bit(a);
      Board passed = 0;
      int x = a & 7, y = a >> 3;
      while (true) {
        x += step.dx, y += step.dy;
        if (x < 0 || x > 7 || y < 0 || y > 7) break;
        const int b = 8 * y + x;
        t.line[a][b] = whole;
        t.between[a][b] = passed;
        passed |= bit(b);
      }
    }
  }
  return t;
}();

// For each square the place of its attacks in a table, indexed by which squares of `mask` are
// taken: by PEXT, or by a multiplication that does the same with gaps.
struct Slider {
  Board mask;
  Board magic;
  std::uint32_t first;
  std::uint32_t shift;
};
struct Sliders {
  Slider rook[64], bishop[64];
};
inline constexpr int kAttacks = 107648;  // of all squares, all blockers
inline constexpr Sliders kSliders = [] {
  Sliders t{};
  std::uint32_t first = 0;
  for (int s = 0; s < 64; ++s) {
    const Board file = kFileA << (s & 7), rank = kRank1 << (s & 56);
    const Board edges = ((kFileA | kFileH) & ~file) | ((kRank1 | kRank1 << 56) & ~rank);
    for (const bool straight : {true, false}) {
      const Board mask = (straight ? kLeaps.rook[s] : kLeaps.bishop[s]) & ~edges;
      const int size = std::popcount(mask);
      (straight ? t.rook : t.bishop)[s] = {mask, (straight ? kRookMagics : kBishopMagics)[s], first,
                                           static_cast<std::uint32_t>(64 - size)};
      first += 1u << size;
    }
  }
  return t;
}();

inline Board pext_attacks[kAttacks], magic_attacks[kAttacks];

// Fills both tables. Games ask for it before anything else.
inline void prepare() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (int s = 0; s < 64; ++s) {
      for (const bool straight : {true, false}) {
        const Slider& t = (straight ? kSliders.rook : kSliders.bishop)[s];
        Board taken = 0;
        std::uint32_t i = t.first;  // subsets come in the order in which PEXT numbers them
        do {
          const Board seen = straight ? rays(s, kStraight, taken) : rays(s, kSlanting, taken);
          pext_attacks[i++] = seen;
          magic_attacks[t.first + (taken * t.magic >> t.shift)] = seen;
          taken = (taken - t.mask) & t.mask;
        } while (taken);
      }
    }
  });
}

}  // namespace zermelo::chess
