// Blind tic-tac-toe: the m,n,k-game in which you see your own stones only.
//
// A player tries a square. If it is free, the player's mark is placed. If the opponent's mark is
// there, the player learns it and tries another square (classical rule) or loses the turn (abrupt
// rule). Players do not observe the opponent's attempts. k in a row wins, a full board is a draw.
//
// A square is a bit, row by row from the top left. A state has what players know now, not the order
// in which they learned it.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "../game.hpp"
#include "../parts/bits.hpp"
#include "../parts/hash.hpp"
#include "../parts/random.hpp"

namespace zermelo {

class BlindTicTacToe {
 public:
  static constexpr int kMostSquares = 16;

  struct State {
    std::uint16_t stones[2];
    std::uint16_t met[2];  // the other's stones that a player has found
  };

  BlindTicTacToe(int columns, int rows, int length, bool abrupt)
      : squares_(columns * rows), board_((1u << squares_) - 1), abrupt_(abrupt) {
    constexpr int kSteps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < squares_; ++i) {
      for (const auto& [right, down] : kSteps) {
        const int last = i % columns + right * (length - 1),
                  bottom = i / columns + down * (length - 1);
        if (last < 0 || last >= columns || bottom >= rows) continue;
        unsigned line = 0;
        for (int k = 0; k < length; ++k) line |= 1u << (i + k * (right + down * columns));
        lines_.push_back(line);
      }
    }
  }

  Facts facts() const {
    return {
        .hidden = true, .utility_min = -1, .utility_max = 1, .step = 1, .max_actions = squares_};
  }

  State initial() const { return {}; }

  int to_move(const State& s) const { return over(s) ? kTerminal : turn(s); }

  int actions(const State& s, Action* out, int capacity) const {
    const int p = turn(s);
    int n = 0;
    for (unsigned open = board_ & ~(s.stones[p] | s.met[p]); open; open &= open - 1, ++n) {
      if (n < capacity) out[n] = std::countr_zero(open);
    }
    return n;
  }

  State play(const State& s, Action square) const {
    State next = s;
    const int p = turn(s);
    const auto stone = static_cast<std::uint16_t>(1u << square);
    (s.stones[1 - p] & stone ? next.met : next.stones)[p] |= stone;
    return next;
  }

  double utility(const State& s, int player) const {
    if (has_line(s.stones[player])) return 1;
    return has_line(s.stones[1 - player]) ? -1 : 0;
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  // Its own marks, the opponent's marks that it has found, whether it is to move, and whether the
  // game is over.
  std::uint64_t observation(const State& s, int player) const {
    const bool ended = over(s);
    const std::uint16_t seen[4] = {
        s.stones[player], s.met[player], static_cast<std::uint16_t>(ended ? 2 : turn(s) == player),
        static_cast<std::uint16_t>(ended ? static_cast<int>(utility(s, player)) + 1 : 0)};
    return hash_bytes(seen, sizeof seen);
  }

  // Samples the opponent's marks on consistent squares, as if it had chosen squares uniformly.
  bool deal(const State& s, int player, std::uint64_t random, State& out) const {
    if (over(s)) return out = s, true;
    Random draw(random);
    const int other = 1 - player;
    const unsigned own = s.stones[player], found = s.met[player];
    const int tries = std::popcount(static_cast<unsigned>(s.stones[other] | s.met[other]));
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      unsigned met = 0;
      int stones = abrupt_ ? 0 : std::popcount(s.stones[other]);
      for (int turns = 0; turns < (abrupt_ ? tries : stones + (turn(s) == other)); ++turns) {
        // The number of own marks on the board at that time.
        const int there = std::min(std::popcount(own), turns + (player == 0));
        const auto finds = [&] {
          const int hidden = there - std::popcount(met),
                    open = squares_ - turns - std::popcount(met);
          return hidden > 0 && open > 0 && draw.below(open) < static_cast<unsigned>(hidden);
        };
        if (abrupt_) {
          if (!finds())
            ++stones;
          else
            met |= one_of(own & ~met, draw);
        } else {
          while (finds()) met |= one_of(own & ~met, draw);
        }
      }
      unsigned theirs = found;
      if (std::popcount(theirs) > stones) continue;
      while (std::popcount(theirs) < stones && (board_ & ~(own | theirs))) {
        theirs |= one_of(board_ & ~(own | theirs), draw);
      }
      out = s;
      out.stones[other] = static_cast<std::uint16_t>(theirs);
      out.met[other] = static_cast<std::uint16_t>(met);
      if (valid(out) && to_move(out) == to_move(s)) return true;
    }
    return false;
  }

  bool valid(const State& s) const {
    for (int p = 0; p < 2; ++p) {
      if ((s.stones[p] & ~board_) || (s.met[p] & ~s.stones[1 - p])) return false;
    }
    const int lead = count(s, 0) - count(s, 1);
    return !(s.stones[0] & s.stones[1]) && (lead == 0 || lead == 1) && !has_line(s.stones[turn(s)]);
  }

 private:
  static constexpr int kAttempts = 400;

  static unsigned one_of(unsigned set, Random& draw) {
    return 1u << nth_bit(set, static_cast<int>(draw.below(std::popcount(set))));
  }
  bool has_line(unsigned stones) const {
    for (const unsigned line : lines_) {
      if ((stones & line) == line) return true;
    }
    return false;
  }
  bool over(const State& s) const {
    return (s.stones[0] | s.stones[1]) == board_ || has_line(s.stones[0]) || has_line(s.stones[1]);
  }
  // Counts a player's turns.
  int count(const State& s, int p) const {
    return std::popcount(static_cast<unsigned>(abrupt_ ? s.stones[p] | s.met[p] : s.stones[p]));
  }
  int turn(const State& s) const { return count(s, 0) > count(s, 1); }

  int squares_;
  unsigned board_;
  bool abrupt_;
  std::vector<unsigned> lines_;
};

}  // namespace zermelo
