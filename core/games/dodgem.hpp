// Dodgem: cars on an n by n board. Player 0's start in the left column and leave over the right
// edge, player 1's start in the bottom row and leave over the top. A car moves one square forward
// or to its sides, never back. A player with no car left wins. A player who leaves the opponent
// without a move loses.
//
//      A . .  →   a square's bit: row * n + column, rows from the top
//      A . .      an action: from << 5 | to; to 31: off the board
//      . B B
//        ↑
#pragma once

#include <bit>
#include <vector>

#include "../game.hpp"
#include "../parts/hash.hpp"

namespace zermelo {

class Dodgem {
 public:
  static constexpr int kLeast = 2, kMost = 5;
  struct State {
    std::uint32_t cars[2];
    std::uint32_t turn;
  };

  explicit Dodgem(int n) : n_(n), squares_(n * n), all_((std::uint32_t{1} << squares_) - 1) {
    for (int i = 0; i < n; ++i) {
      left_ |= bit(i * n);
      right_ |= bit(i * n + n - 1);
      top_ |= bit(i);
    }
    for (int k = 0; k <= squares_; ++k) {
      for (int m = 0; m <= n; ++m) {
        choose_[k][m] = m == 0 ? 1 : k == 0 ? 0 : choose_[k - 1][m] + choose_[k - 1][m - 1];
      }
    }
    for (int total = 1; total <= 2 * (n - 1); ++total) {
      for (int a = 0; a < n; ++a) {
        const int b = total - a;
        if (b < 0 || b >= n) continue;
        number_[a][b] = static_cast<int>(classes_.size());
        const auto digit = [](int count) { return static_cast<char>('0' + count); };
        classes_.push_back({{a, b}, {digit(a), 'v', digit(b), '\0'}});
      }
    }
    endgames_ = make_endgames(static_cast<int>(classes_.size()));
  }

  Facts facts() const {
    return {.utility_min = -1, .utility_max = 1, .step = 1, .max_actions = 3 * kMost};
  }

  State initial() const {
    State s{};
    for (int i = 0; i + 1 < n_; ++i) {
      s.cars[0] |= bit(i * n_);
      s.cars[1] |= bit((n_ - 1) * n_ + i + 1);
    }
    return s;
  }

  int to_move(const State& s) const {
    const bool over = !s.cars[0] || !s.cars[1] || !can_move(s);
    return over ? kTerminal : static_cast<int>(s.turn);
  }

  int actions(const State& s, Action* out, int) const {
    std::uint32_t to[3];
    targets(s, to);
    int n = 0;
    for (std::uint32_t cars = s.cars[s.turn]; cars; cars &= cars - 1) {
      const int square = std::countr_zero(cars);
      for (int where = 0; where < 3; ++where) {
        if (!(to[where] >> square & 1)) continue;
        const bool leaves = where == 0 && edge(s.turn) >> square & 1;
        out[n++] = square << 5 | (leaves ? kOff : square + step(s.turn, where));
      }
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    std::uint32_t& cars = next.cars[s.turn];
    cars &= ~bit(a >> 5 & 31);
    if ((a & 31) != kOff) cars |= bit(a & 31);
    next.turn ^= 1;
    return next;
  }

  // The player with no car left has won; otherwise the player to move is blocked and has won, too.
  double utility(const State& s, int player) const {
    const int winner = !s.cars[0] ? 0 : !s.cars[1] ? 1 : static_cast<int>(s.turn);
    return player == winner ? 1 : -1;
  }

  std::uint64_t key(const State& s) const {
    return mix(std::uint64_t{s.cars[0]} << 32 | std::uint64_t{s.cars[1]} << 1 | s.turn);
  }

  bool valid(const State& s) const {
    const auto fits = [&](std::uint32_t cars) { return cars <= all_ && std::popcount(cars) < n_; };
    if (s.turn > 1 || !fits(s.cars[0]) || !fits(s.cars[1]) || s.cars[0] & s.cars[1]) return false;
    return s.cars[s.turn] != 0;  // the last car leaves by a move of its own side
  }

  // Fewer remaining squares are better.
  double evaluate(const State& s, int player) const {
    int left[2] = {0, 0};
    for (int p = 0; p < 2; ++p) {
      for (std::uint32_t cars = s.cars[p]; cars; cars &= cars - 1) {
        const int square = std::countr_zero(cars);
        left[p] += p == 0 ? n_ - square % n_ : square / n_ + 1;
      }
    }
    return player == 0 ? left[1] - left[0] : left[0] - left[1];
  }

  const Endgames* endgames() const { return &endgames_; }

 private:
  struct Class {
    int cars[2];
    char name[4];
  };

  static constexpr int kOff = 31;

  // The edge where a player's cars leave.
  std::uint32_t edge(std::uint32_t player) const { return player == 0 ? right_ : top_; }
  static std::uint32_t bit(int square) { return std::uint32_t{1} << square; }

  int step(int player, int where) const {
    if (player == 0) return where == 0 ? 1 : where == 1 ? -n_ : n_;
    return where == 0 ? -n_ : where == 1 ? -1 : 1;
  }

  // By direction: the squares of the mover from which a car may go there.
  void targets(const State& s, std::uint32_t to[3]) const {
    const std::uint32_t own = s.cars[s.turn], free = all_ & ~(s.cars[0] | s.cars[1]);
    const std::uint32_t up = own & free << n_, down = own & free >> n_;
    const std::uint32_t right = own & (free & ~left_) >> 1, left = own & (free & ~right_) << 1;
    to[0] = (s.turn == 0 ? right : up) | (own & edge(s.turn));
    to[1] = s.turn == 0 ? up : left;
    to[2] = s.turn == 0 ? down : right;
  }

  bool can_move(const State& s) const {
    std::uint32_t to[3];
    targets(s, to);
    return (to[0] | to[1] | to[2]) != 0;
  }

  // -- endgames: how many cars each has left -------------------------------------------------
  int class_of(const State& s) const {
    return number_[std::popcount(s.cars[0])][std::popcount(s.cars[1])];
  }

  std::uint64_t size(int number) const {
    const auto [a, b] = classes_[number].cars;
    return 2 * choose_[squares_][a] * choose_[squares_ - a][b];
  }

  // The cars of player 0 among all squares, those of player 1 among the squares left, whose turn.
  std::uint64_t index(const State& s) const {
    std::uint64_t first = 0, second = 0;
    int k = 0;
    for (std::uint32_t cars = s.cars[0]; cars; cars &= cars - 1) {
      first += choose_[std::countr_zero(cars)][++k];
    }
    const int a = k;
    k = 0;
    for (std::uint32_t cars = s.cars[1]; cars; cars &= cars - 1) {
      const int square = std::countr_zero(cars);
      second += choose_[square - std::popcount(s.cars[0] & (bit(square) - 1))][++k];
    }
    return (first * choose_[squares_ - a][k] + second) << 1 | s.turn;
  }

  bool position(int number, std::uint64_t index, State& s) const {
    const auto [a, b] = classes_[number].cars;
    s.turn = index & 1;
    index >>= 1;
    std::uint64_t first = index / choose_[squares_ - a][b],
                  second = index % choose_[squares_ - a][b];
    s.cars[0] = s.cars[1] = 0;
    for (int square = squares_ - 1, k = a; k > 0; --square) {
      if (choose_[square][k] > first) continue;
      first -= choose_[square][k--];
      s.cars[0] |= bit(square);
    }
    int place = squares_ - a - 1;  // among the squares that player 0 leaves
    for (int square = squares_ - 1, k = b; k > 0; --square) {
      if (s.cars[0] >> square & 1) continue;
      if (choose_[place][k] <= second) {
        second -= choose_[place][k--];
        s.cars[1] |= bit(square);
      }
      --place;
    }
    return valid(s);
  }

  // A car of the one who moved last goes back: forward and side moves, undone.
  int before(const State& s, State* out, int capacity) const {
    if (!s.cars[1 - s.turn]) return 0;  // it left the board: that was another class
    State back = s;
    back.turn ^= 1;
    const std::uint32_t own = s.cars[back.turn], free = all_ & ~(s.cars[0] | s.cars[1]);
    int n = 0;
    for (std::uint32_t cars = own; cars; cars &= cars - 1) {
      const int square = std::countr_zero(cars);
      for (int where = 0; where < 3; ++where) {
        const int from = square - step(back.turn, where);
        const bool wraps = (step(back.turn, where) == 1 && left_ >> square & 1) ||
                           (step(back.turn, where) == -1 && right_ >> square & 1);
        if (from < 0 || from >= squares_ || wraps || !(free >> from & 1)) continue;
        if (n < capacity) {
          out[n] = back;
          out[n].cars[back.turn] = (own & ~bit(square)) | bit(from);
        }
        ++n;
      }
    }
    return n;
  }

  static Endgames make_endgames(int classes) {
#define ZERMELO_SELF static_cast<const Dodgem*>(self)
#define ZERMELO_STATE (*static_cast<const State*>(state))
    Endgames e;
    e.classes = classes;
    e.class_of = [](const void* self, const void* state) {
      return ZERMELO_SELF->class_of(ZERMELO_STATE);
    };
    e.name = [](const void* self, int number) -> const char* {
      return ZERMELO_SELF->classes_[number].name;
    };
    e.size = [](const void* self, int number) { return ZERMELO_SELF->size(number); };
    e.index = [](const void* self, const void* state) {
      return ZERMELO_SELF->index(ZERMELO_STATE);
    };
    e.position = [](const void* self, int number, std::uint64_t index, void* state) {
      return ZERMELO_SELF->position(number, index, *static_cast<State*>(state));
    };
    e.before = [](const void* self, const void* state, void* out, int capacity) {
      return ZERMELO_SELF->before(ZERMELO_STATE, static_cast<State*>(out), capacity);
    };
    e.pieces = [](const void* self, int number) {
      return ZERMELO_SELF->classes_[number].cars[0] + ZERMELO_SELF->classes_[number].cars[1];
    };
#undef ZERMELO_SELF
#undef ZERMELO_STATE
    return e;
  }

  int n_, squares_;
  std::uint32_t all_, left_ = 0, right_ = 0, top_ = 0;
  std::uint64_t choose_[kMost * kMost + 1][kMost + 1] = {};
  int number_[kMost][kMost] = {};
  std::vector<Class> classes_;
  Endgames endgames_;
};

}  // namespace zermelo
