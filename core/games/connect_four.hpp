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

// kWidth, kHeight: of a board known when this is compiled, whose shifts are then constants; else 0.
template <int kWidth, int kHeight>
class ConnectFourOn {
 public:
  struct State {
    std::uint64_t own, all;
  };

  ConnectFourOn(int width, int height, bool distance)
      : width_(width), height_(height), distance_(distance) {
    for (int c = 0; c < width; ++c) {
      bottom_ |= bit(c * stride());
      board_ |= column(c);
      top_ |= bit(c * stride() + height - 1);
      column_[c * stride() + height - 1] = static_cast<std::uint8_t>(c);
    }
    for (int i = 0, n = 0; n < width; ++i) {
      const int c = width / 2 + (i & 1 ? -(i + 1) / 2 : i / 2);
      if (c >= 0 && c < width) outward_[n++] = {column(c), static_cast<Action>(c)};
    }
  }

  Facts facts() const {
    const double most = distance_ ? (width() * height() + 2) / 2 - 4 : 1;
    return {.utility_min = -most,
            .utility_max = most,
            .step = 1,
            .max_actions = width(),
            .amaf_size = 2 * 64,
            .planes = 2,
            .rows = height(),
            .columns = width(),
            .policy_size = width()};
  }

  State initial() const { return {0, 0}; }

  int to_move(const State& s) const {
    if (has_four(s.own ^ s.all) || s.all == board_) return kTerminal;
    return std::popcount(s.all) & 1;
  }

  int actions(const State& s, Action* out, int) const {
    int n = 0;
    for (int c = 0; c < width(); ++c) {
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
    return {s.own ^ s.all, s.all | (s.all + bit(c * stride()))};
  }

  double utility(const State& s, int player) const {
    if (!has_four(s.own ^ s.all)) return 0;
    const int stones = std::popcount(s.all);
    const int winner = (stones & 1) ^ 1;
    return player == winner ? score(stones) : -score(stones);
  }

  // The stones of the player and of the other one, from the top row.
  void encode(const State& s, int player, float* out) const {
    const bool moves = player == (std::popcount(s.all) & 1);
    const std::uint64_t own = moves ? s.own : s.own ^ s.all;
    for (const std::uint64_t stones : {own, own ^ s.all}) {
      for (int row = height() - 1; row >= 0; --row) {
        for (int c = 0; c < width(); ++c) {
          *out++ = static_cast<float>(stones >> (c * stride() + row) & 1);
        }
      }
    }
  }
  int policy_index(Action column) const { return static_cast<int>(column); }

  std::uint64_t key(const State& s) const { return s.own + s.all + bottom_; }

  // Columns without holes, equal counts of stones. The game ends at a four, so the mover cannot
  // have one.
  bool valid(const State& s) const {
    if (s.all & ~board_ || s.own & ~s.all) return false;
    for (int c = 0; c < width(); ++c) {
      const std::uint64_t stones = (s.all & column(c)) >> (c * stride());
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

  // A four at once, or one that nothing stops; else the moves that do not let the other side have
  // one at once.
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
    double worst = -score(stones + 4), best = score(stones + 3);
    if (stones >= kLate) {  // whether a line is left that a side can still fill
      if (!has_four(board_ & (s.own | ~s.all))) best = 0;
      if (!has_four(board_ & ~s.own)) worst = 0;
      if (worst == best) return settle(0, 0), 0;
    }
    settle(worst, best);
    int n = 0;
    for (int i = 0; i < width(); ++i) {
      const std::uint64_t move = moves & outward_[i].squares;
      if (!move) continue;
      const std::uint64_t threats = fours(s.own | move, s.all | move);
      const std::uint64_t open = threats & ((s.all | move) + bottom_);
      // Two fours at once, or one above the other: the other side can stop only one of them.
      if (open & (open - 1) || open << 1 & threats)
        return settle(score(stones + 3), score(stones + 3)), 0;
      out[n] = outward_[i].column;
      promise[n++] = std::popcount(threats);
    }
    return n;
  }

  int plies_left(const State& s) const { return width() * height() - std::popcount(s.all); }

  // Wins at once, else stops a four, else any column.
  Action playout(const State& s, std::uint64_t random) const {
    const std::uint64_t moves = (s.all + bottom_) & board_;
    for (const std::uint64_t side : {s.own, s.own ^ s.all}) {
      const std::uint64_t four = moves & fours(side, s.all);
      if (four) return std::countr_zero(four) / stride();
    }
    return sample(s, random);
  }

  // The square that the stone falls to, and the player.
  int amaf(const State& s, Action c) const {
    const int square = std::countr_zero(column(static_cast<int>(c)) & ~s.all);
    return 64 * (std::popcount(s.all) & 1) + square;
  }

  // Mirror images meet near the start; later the search for them costs more than it saves.
  std::uint64_t mirror_key(const State& s) const {
    if (std::popcount(s.all) > kMirrorStones) return key(s);
    State m{0, 0};
    for (int c = 0; c < width(); ++c) {
      const int from = c * stride(), to = (width() - 1 - c) * stride();
      m.own |= (s.own & column(c)) >> from << to;
      m.all |= (s.all & column(c)) >> from << to;
    }
    return std::min(key(s), key(m));
  }

 private:
  static constexpr int kMirrorStones = 16;
  static constexpr int kLate = 30;  // stones from which lines that are still open are counted

  int width() const { return kWidth ? kWidth : width_; }
  int height() const { return kHeight ? kHeight : height_; }
  int stride() const { return height() + 1; }
  bool upright() const { return width() < 4; }  // a four can only be vertical

  // The usual solvers' score of a win with this many stones on the board: half the board plus one
  // minus the winner's stones.
  double score(int stones) const {
    if (stones > width() * height()) return 0;
    return distance_ ? (width() * height() + 2) / 2 - (stones + 1) / 2 : 1;
  }

  // The empty squares that make a four of `stones`: three of four squares in a row are there.
  std::uint64_t fours(std::uint64_t stones, std::uint64_t all) const {
    std::uint64_t found = stones << 1 & stones << 2 & stones << 3;
    if (upright()) return found & board_ & ~all;
    for (int d : {stride() - 1, stride(), stride() + 1}) {
      const std::uint64_t up = stones << d & stones << 2 * d, down = stones >> d & stones >> 2 * d;
      found |= up & (stones << 3 * d | stones >> d);
      found |= down & (stones >> 3 * d | stones << d);
    }
    return found & board_ & ~all;
  }

  static std::uint64_t bit(int i) { return std::uint64_t{1} << i; }
  std::uint64_t column(int c) const { return (bit(height()) - 1) << (c * stride()); }

  bool has_four(std::uint64_t stones) const {
    std::uint64_t found = run_starts(stones, 1, 4);
    if (upright()) return found;
    for (int d : {stride() - 1, stride(), stride() + 1}) found |= run_starts(stones, d, 4);
    return found;
  }
  int open_lines(std::uint64_t squares) const {
    squares &= board_;
    int n = std::popcount(run_starts(squares, 1, 4));
    if (upright()) return n;
    for (int d : {stride() - 1, stride(), stride() + 1}) {
      n += std::popcount(run_starts(squares, d, 4));
    }
    return n;
  }

  int width_, height_;
  bool distance_;
  std::uint64_t bottom_ = 0, board_ = 0, top_ = 0;
  std::array<std::uint8_t, 64> column_{};  // by its top square
  struct Column {
    std::uint64_t squares;
    Action column;
  };
  std::array<Column, 64> outward_{};  // from the middle on
};

using ConnectFour = ConnectFourOn<0, 0>;
using StandardConnectFour = ConnectFourOn<7, 6>;

}  // namespace zermelo
