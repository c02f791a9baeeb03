// Connect four on any board of up to 64 bits.
//
// Column by column from the bottom, each column one bit higher than the board:
//
//      5 12 19 26 33 40 47   <- always empty: the sentinel row is 6 13 20 …
//      4 11 18 25 32 39 46
//      …
//      0  7 14 21 28 35 42
//
// An action is a column from 0. `own` holds the stones of the player to move.
#pragma once

#include <array>
#include <bit>

#include "../game.hpp"
#include "../parts/bits.hpp"
#include "../parts/hash.hpp"

namespace zermelo {

class ConnectFour {
 public:
  struct State {
    std::uint64_t own, all;
  };

  ConnectFour(int width, int height, bool distance)
      : width_(width), height_(height), stride_(height + 1), distance_(distance) {
    for (int c = 0; c < width; ++c) {
      bottom_ |= bit(c * stride_);
      board_ |= ((bit(height) - 1) << (c * stride_));
      top_ |= bit(c * stride_ + height - 1);
    }
  }

  Facts facts() const {
    Facts f;
    const double most = distance_ ? (width_ * height_ + 2) / 2 - 4 : 1;
    f.utility_min = -most;
    f.utility_max = most;
    f.max_actions = width_;
    return f;
  }

  State initial() const { return {0, 0}; }

  int to_move(const State& s) const {
    if (has_four(s.own ^ s.all) || s.all == board_) return kTerminal;
    return std::popcount(s.all) & 1;
  }

  int actions(const State& s, Action* out, int) const {
    int n = 0;
    for (int c = 0; c < width_; ++c) {
      if (!(s.all & top_ & column(c))) out[n++] = c;
    }
    return n;
  }

  State play(const State& s, Action c) const {
    // Adding the bottom bit carries up to the first free square of the column.
    return {s.own ^ s.all, s.all | (s.all + bit(c * stride_))};
  }

  double utility(const State& s, int player) const {
    if (!has_four(s.own ^ s.all)) return 0;
    const int stones = std::popcount(s.all);
    const int winner = (stones & 1) ^ 1;
    // The usual solvers' score: one more than half the board less the stones of the winner.
    const double score = distance_ ? (width_ * height_ + 2) / 2 - (stones + 1) / 2 : 1;
    return player == winner ? score : -score;
  }

  std::uint64_t key(const State& s) const { return s.own + s.all + bottom_; }

  // Columns without holes, stones in turn. Play stops at a four, so the mover can have none.
  bool valid(const State& s) const {
    if (s.all & ~board_ || s.own & ~s.all) return false;
    for (int c = 0; c < width_; ++c) {
      const std::uint64_t stones = (s.all & column(c)) >> (c * stride_);
      if (stones & (stones + 1)) return false;
    }
    return std::popcount(s.own) == std::popcount(s.all) / 2 && !has_four(s.own);
  }

  // Lines of four that can still be filled, the player's less the other's.
  double evaluate(const State& s, int player) const {
    const int mine = open_lines(s.own | ~s.all), theirs = open_lines(~s.own);
    const int mover = std::popcount(s.all) & 1;
    return player == mover ? mine - theirs : theirs - mine;
  }

 private:
  static std::uint64_t bit(int i) { return std::uint64_t{1} << i; }
  std::uint64_t column(int c) const { return (bit(height_) - 1) << (c * stride_); }

  bool has_four(std::uint64_t stones) const {
    std::uint64_t found = 0;
    for (int i = 0; i < directions_; ++i) found |= run_starts(stones, steps_[i], 4);
    return found;
  }
  int open_lines(std::uint64_t squares) const {
    int n = 0;
    for (int i = 0; i < directions_; ++i) {
      n += std::popcount(run_starts(squares & board_, steps_[i], 4));
    }
    return n;
  }

  int width_, height_, stride_;
  bool distance_;
  std::array<int, 4> steps_ = directions(stride_);
  int directions_ = width_ < 4 ? 1 : 4;  // in a narrow board a four can only be upright
  std::uint64_t bottom_ = 0, board_ = 0, top_ = 0;
};

}  // namespace zermelo
