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

#include <algorithm>
#include <array>
#include <bit>

#include "../game.hpp"
#include "../parts/bits.hpp"
#include "../parts/hash.hpp"
#include "../parts/random.hpp"

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
      column_[c * stride_ + height - 1] = static_cast<std::uint8_t>(c);
    }
  }

  Facts facts() const {
    Facts f;
    const double most = distance_ ? (width_ * height_ + 2) / 2 - 4 : 1;
    f.utility_min = -most;
    f.utility_max = most;
    f.step = 1;
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

  Action sample(const State& s, std::uint64_t random) const {
    const std::uint64_t open = top_ & ~s.all;
    return column_[nth_bit(open, Random::scaled(random, std::popcount(open)))];
  }

  State play(const State& s, Action c) const {
    // Adding the bottom bit carries up to the first free square of the column.
    return {s.own ^ s.all, s.all | (s.all + bit(c * stride_))};
  }

  double utility(const State& s, int player) const {
    if (!has_four(s.own ^ s.all)) return 0;
    const int stones = std::popcount(s.all);
    const int winner = (stones & 1) ^ 1;
    return player == winner ? score(stones) : -score(stones);
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

  // A four at once; else the moves that do not let the other side have one at once.
  int narrow(const State& s, Action* out, float* promise, int, double* low, double* high) const {
    const int stones = std::popcount(s.all);
    const auto settle = [&](double worst, double best) {  // the mover's bounds
      *low = stones & 1 ? -best : worst;
      *high = stones & 1 ? -worst : best;
    };
    std::uint64_t moves = (s.all + bottom_) & board_;
    if (moves & fours(s.own, s.all)) return settle(score(stones + 1), score(stones + 1)), 0;
    const std::uint64_t theirs = fours(s.own ^ s.all, s.all);
    const std::uint64_t forced = moves & theirs;
    if (forced) moves = forced & (forced - 1) ? 0 : forced;
    moves &= ~(theirs >> 1);  // nor the square below one of theirs
    if (!moves) return settle(-score(stones + 2), -score(stones + 2)), 0;
    settle(-score(stones + 4), score(stones + 3));
    int n = 0;
    for (int i = 0; i < width_; ++i) {  // from the middle outward
      const int c = width_ / 2 + (i & 1 ? -(i + 1) / 2 : i / 2);
      if (c < 0 || c >= width_) continue;
      const std::uint64_t move = moves & column(c);
      if (!move) continue;
      out[n] = c;
      promise[n++] = std::popcount(fours(s.own | move, s.all | move));
    }
    return n;
  }

  int plies_left(const State& s) const { return width_ * height_ - std::popcount(s.all); }

  // Mirror images meet near the start; later the search for them costs more than it saves.
  std::uint64_t mirror_key(const State& s) const {
    if (std::popcount(s.all) > kMirrorStones) return key(s);
    State m{0, 0};
    for (int c = 0; c < width_; ++c) {
      const int from = c * stride_, to = (width_ - 1 - c) * stride_;
      m.own |= (s.own & column(c)) >> from << to;
      m.all |= (s.all & column(c)) >> from << to;
    }
    return std::min(key(s), key(m));
  }

 private:
  static constexpr int kMirrorStones = 16;

  // The usual solvers' score of a win with so many stones on the board: one more than half the
  // board less the winner's stones. Past the end of the board nobody wins.
  double score(int stones) const {
    if (stones > width_ * height_) return 0;
    return distance_ ? (width_ * height_ + 2) / 2 - (stones + 1) / 2 : 1;
  }

  // The empty squares that make a four of `stones`: three of four squares in a row are there.
  std::uint64_t fours(std::uint64_t stones, std::uint64_t all) const {
    std::uint64_t found = stones << 1 & stones << 2 & stones << 3;
    if (directions_ == 1) return found & board_ & ~all;
    for (int d : {stride_ - 1, stride_, stride_ + 1}) {
      const std::uint64_t up = stones << d & stones << 2 * d, down = stones >> d & stones >> 2 * d;
      found |= up & (stones << 3 * d | stones >> d);
      found |= down & (stones >> 3 * d | stones << d);
    }
    return found & board_ & ~all;
  }

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
  std::array<std::uint8_t, 64> column_{};  // by its top square
};

}  // namespace zermelo
