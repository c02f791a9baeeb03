// 2048: slide all tiles one way, equal neighbours merge; then chance puts a 2 (nine times in ten)
// or a 4 on an empty square. One player, whose utility is the score: the sum of all merged tiles.
//
// Four bits a square, from the top left: 0 empty, n a tile of 2^n.
//
//      0  1  2  3      row 0 is bits 0 to 15
//      4  5  6  7
//      8  9 10 11
//     12 13 14 15
//
// Actions are 0 up, 1 right, 2 down, 3 left; an outcome is 4 + 2 * square, one more for a 4. Two
// tiles of 32768, the largest that four bits hold, do not merge.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>

#include "../game.hpp"
#include "../parts/hash.hpp"

namespace zermelo {

class Game2048 {
 public:
  static constexpr int kSquares = 16;
  static constexpr int kLargest = 15;
  static constexpr Action kFirstOutcome = 4;

  struct State {
    std::uint64_t board;
    std::uint32_t score;
    std::uint32_t coming;  // tiles that chance is to place
  };

  // fours: the probability that a new tile is a 4.
  explicit Game2048(double fours) : fours_(fours), lines_(&all_lines()) {}

  Facts facts() const {
    return {.players = 1,
            .chance = true,
            .utility_min = 0,
            .utility_max = kSquares * worth(kLargest),
            .max_actions = 2 * kSquares};
  }

  State initial() const { return {0, 0, 2}; }

  int to_move(const State& s) const {
    if (s.coming) return kChance;
    for (int way = 0; way < 4; ++way) {
      if (slide(s.board, way).board != s.board) return 0;
    }
    return kTerminal;
  }

  int actions(const State& s, Action* out, int) const {
    int n = 0;
    for (int way = 0; way < 4; ++way) {
      if (slide(s.board, way).board != s.board) out[n++] = way;
    }
    return n;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    const int empty = count_empty(s.board);
    int n = 0;
    for (int square = 0; square < kSquares; ++square) {
      if (s.board >> 4 * square & 15) continue;
      for (int four = 0; four < 2; ++four) {
        const double p = four ? fours_ : 1 - fours_;
        if (p == 0) continue;
        if (n < capacity) out[n] = kFirstOutcome + 2 * square + four, odds[n] = p / empty;
        ++n;
      }
    }
    return n;
  }

  State play(const State& s, Action a) const {
    if (s.coming) {
      const std::uint64_t tile = 1 + (a & 1);
      return {s.board | tile << 4 * ((a - kFirstOutcome) / 2), s.score, s.coming - 1};
    }
    const Slid slid = slide(s.board, a);
    return {slid.board, s.score + slid.gain, 1};
  }

  double utility(const State& s, int) const { return s.score; }
  std::uint64_t key(const State& s) const {
    return mix(s.board + 0x9e3779b97f4a7c15u) ^ (std::uint64_t{s.coming} << 32 | s.score);
  }

  // No more can have been scored than by merging everything from 2s.
  bool valid(const State& s) const {
    double most = 0;
    for (int square = 0; square < kSquares; ++square) most += worth(s.board >> 4 * square & 15);
    return s.coming <= 2 && s.score <= most && count_empty(s.board) >= static_cast<int>(s.coming);
  }

  // The score plus an estimate from free squares, order and mergeable neighbours.
  double evaluate(const State& s, int) const {
    const std::uint64_t turned = transposed(s.board);
    double promise = 0;
    for (int i = 0; i < 4; ++i) {
      promise += lines_->promise[s.board >> 16 * i & 0xffff];
      promise += lines_->promise[turned >> 16 * i & 0xffff];
    }
    return std::clamp(s.score + promise, 0.0, kSquares * worth(kLargest));
  }

 private:
  // What a good line is made of, in points; a board has eight.
  static constexpr double kAlive = 6000;    // a legal move exists
  static constexpr double kEmpty = 27;      // an empty square
  static constexpr double kMerge = 60;      // neighbours that are equal
  static constexpr double kDisorder = 4.5;  // times the fourth powers' steps against the order
  static constexpr double kTiles = 1.1;     // many tiles of middling size are a burden

  struct Slid {
    std::uint64_t board;
    std::uint32_t gain;
  };
  struct Lines {
    std::array<std::uint16_t, 1 << 16> left, right;  // a line after a slide
    std::array<std::uint32_t, 1 << 16> gain;
    std::array<float, 1 << 16> promise;
  };

  // The score of making a tile of 2^n from 2s.
  static double worth(int n) { return n < 2 ? 0 : (n - 1) * std::ldexp(1.0, n); }

  static int count_empty(std::uint64_t board) {
    board |= board >> 2;
    board |= board >> 1;
    return kSquares - std::popcount(board & 0x1111111111111111u);
  }

  static std::uint64_t transposed(std::uint64_t x) {
    const std::uint64_t a = (x & 0xf0f00f0ff0f00f0fu) | (x & 0x0000f0f00000f0f0u) << 12 |
                            (x & 0x0f0f00000f0f0000u) >> 12;
    return (a & 0xff00ff0000ff00ffu) | (a & 0x00ff00ff00000000u) >> 24 |
           (a & 0x00000000ff00ff00u) << 24;
  }

  Slid slide(std::uint64_t board, int way) const {
    const bool upright = way == 0 || way == 2;
    const auto& to = way == 0 || way == 3 ? lines_->left : lines_->right;
    const std::uint64_t from = upright ? transposed(board) : board;
    std::uint64_t next = 0;
    std::uint32_t gain = 0;
    for (int i = 0; i < 4; ++i) {
      const auto line = static_cast<std::uint16_t>(from >> 16 * i);
      next |= std::uint64_t{to[line]} << 16 * i;
      gain += lines_->gain[line];
    }
    return {upright ? transposed(next) : next, gain};
  }

  // The same for every game, so made once.
  static const Lines& all_lines() {
    static const std::unique_ptr<const Lines> all = [] {
      auto lines = std::make_unique<Lines>();
      for (int line = 0; line < 1 << 16; ++line) fill(*lines, line);
      return lines;
    }();
    return *all;
  }

  static void fill(Lines& lines, int line) {
    int tile[4];
    for (int i = 0; i < 4; ++i) tile[i] = line >> 4 * i & 15;
    std::uint32_t gain = 0;
    lines.left[line] = slid(tile, &gain);
    lines.gain[line] = gain;
    std::reverse(tile, tile + 4);
    std::uint32_t again = 0;
    int back[4];
    const int right = slid(tile, &again);
    for (int i = 0; i < 4; ++i) back[3 - i] = right >> 4 * i & 15;
    lines.right[line] = back[0] | back[1] << 4 | back[2] << 8 | back[3] << 12;
    lines.promise[line] = static_cast<float>(promise(tile));
  }

  // A line pushed toward its first square.
  static int slid(const int (&tile)[4], std::uint32_t* gain) {
    int out[5] = {}, n = 0;
    bool merged = true;  // the tile written last may not merge again
    for (int t : tile) {
      if (!t) continue;
      if (!merged && n > 0 && out[n - 1] == t && t < kLargest) {
        *gain += std::uint32_t{2} << t;
        ++out[n - 1];
        merged = true;
      } else {
        out[n++] = t;
        merged = false;
      }
    }
    return out[0] | out[1] << 4 | out[2] << 8 | out[3] << 12;
  }

  static double promise(const int (&tile)[4]) {
    double empty = 0, merges = 0, tiles = 0, up = 0, down = 0;
    for (int i = 0; i < 4; ++i) {
      empty += tile[i] == 0;
      tiles += std::pow(tile[i], 3.5);
      if (i == 0) continue;
      merges += tile[i] && tile[i] == tile[i - 1];
      const double step = std::pow(tile[i], 4) - std::pow(tile[i - 1], 4);
      (step > 0 ? up : down) += std::abs(step);
    }
    return kAlive + kEmpty * empty + kMerge * merges - kDisorder * std::min(up, down) -
           kTiles * tiles;
  }

  double fours_;
  const Lines* lines_;
};

}  // namespace zermelo
