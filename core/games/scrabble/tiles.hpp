// The tiles and the board of Scrabble: how many there are, what they count, where they count more.
#pragma once

#include <cstdint>

#include "lexicon.hpp"

namespace zermelo::scrabble {

inline constexpr int kKinds = 27;  // 0: the blank, then A to Z
inline constexpr int kTiles = 100, kRack = 7, kBingo = 50, kFewest = 7;
inline constexpr std::uint8_t kBlank = 32;  // with a letter on the board: a blank stands for it

//                                      ?  A  B  C  D   E  F  G  H  I  J  K  L  M
inline constexpr int kCount[kKinds] = {2, 9, 2, 2, 4, 12, 2, 3, 2, 9, 1, 1, 4, 2,
                                       6, 8, 2, 1, 6, 4,  6, 4, 2, 2, 1, 2, 1};
inline constexpr int kPoints[kKinds] = {0, 1, 3, 3,  2, 1, 4, 2, 4, 1, 8, 5, 1, 3,
                                        1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10};

inline int letter_of(std::uint8_t tile) { return tile & 31; }
inline int kind_of(std::uint8_t tile) { return tile & kBlank ? 0 : tile; }
inline int points_of(std::uint8_t tile) { return kPoints[kind_of(tile)]; }

// Squares that count more: 2 and 3 for the letter, 4 (twice) and 5 (three times) for the word. The
// board is its own mirror image along and across.
inline int premium(int cell) {
  constexpr char kQuarter[8][9] = {"5..2...5", ".4...3..", "..4...2.", "2..4...2",
                                   "....4...", ".3...3..", "..2...2.", "5..2...4"};
  int y = cell / kSize, x = cell % kSize;
  if (y > 7) y = 14 - y;
  if (x > 7) x = 14 - x;
  return kQuarter[y][x] == '.' ? 0 : kQuarter[y][x] - '0';
}

// Premiums by cell.
struct Premiums {
  std::uint8_t letter[kCells], word[kCells];
  Premiums() {
    for (int i = 0; i < kCells; ++i) {
      const int p = premium(i);
      letter[i] = static_cast<std::uint8_t>(p == 2 || p == 3 ? p : 1);
      word[i] = static_cast<std::uint8_t>(p >= 4 ? p - 2 : 1);
    }
  }
};

inline const Premiums kPremiums;

}  // namespace zermelo::scrabble
