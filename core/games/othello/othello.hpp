// Othello on 8x8, 6x6 and 4x4 boards. Black is player 0 and moves first.
//
// An action is the number of a square (board.hpp), or kPass where there is no other action. The
// utility is the final difference in discs; empty squares go to the winner.
//
// Design: the kernel (kernel.hpp) is compiled with and without AVX2 and chosen once at run time.
//
//      own | opp | moves | turn     four words: the mover's discs, the opponent's, where the mover
//                                   can play, and who moves (0, 1; plus kOver at the end)
#pragma once

#include <algorithm>
#include <cmath>

#include "../../game.hpp"
#include "../../parts/bits.hpp"
#include "../../parts/hash.hpp"
#include "../../parts/random.hpp"
#include "evaluation.hpp"
#include "kernels.hpp"

namespace zermelo {

template <class Kernel>
class Othello {
 public:
  struct State {
    othello::Board own, opp, moves;
    std::uint64_t turn;
  };

  // `learned` is for 8 by 8.
  Othello(int size, othello::Evaluation learned)
      : size_(size),
        squares_(othello::squares_of(size)),
        corners_(othello::bit(first()) | othello::bit(first() + size - 1) |
                 othello::bit(63 - first()) | othello::bit(63 - first() - size + 1)),
        evaluation_(std::move(learned)) {}

  Facts facts() const {
    const double discs = size_ * size_;
    return {.utility_min = -discs,
            .utility_max = discs,
            .step = 2,
            .max_actions = size_ * size_,
            .amaf_size = 2 * (othello::kPass + 1),
            .planes = 3,
            .rows = size_,
            .columns = size_,
            .policy_size = size_ * size_ + 1};
  }
  EngineHints hints() const { return {.slow_narrow = true}; }

  // Black on e4 and d5, White on d4 and e5.
  State initial() const { return with_discs(0x0000000810000000, 0x0000001008000000, 0); }

  int to_move(const State& s) const {
    return s.turn >= kOver ? kTerminal : static_cast<int>(s.turn);
  }

  int actions(const State& s, Action* out, int) const {
    if (!s.moves) return out[0] = othello::kPass, 1;
    int n = 0;
    for (othello::Board rest = s.moves; rest; rest &= rest - 1) out[n++] = std::countr_zero(rest);
    return n;
  }

  Action sample(const State& s, std::uint64_t random) const {
    return s.moves ? nth_square(s.moves, random) : othello::kPass;
  }

  State play(const State& s, Action a) const {
    if (a == othello::kPass) return with_discs(s.opp, s.own, s.turn ^ 1);
    const int square = static_cast<int>(a);
    const othello::Board f = Kernel::flips(s.own, s.opp, square);
    return with_discs(s.opp ^ f, s.own ^ f ^ othello::bit(square), s.turn ^ 1);
  }

  double utility(const State& s, int player) const {
    const int score = othello::final_score(s.own, s.opp, empty(s));
    return player == static_cast<int>(s.turn & 1) ? score : -score;
  }

  std::uint64_t key(const State& s) const { return key_of(s.own, s.opp, s.turn & 1); }

  // Discs in place, the middle taken as it always is, and the two words that follow from them.
  bool valid(const State& s) const {
    constexpr othello::Board middle = 0x0000001818000000;
    if ((s.own & s.opp) || ((s.own | s.opp) & ~squares_) || (~(s.own | s.opp) & middle)) {
      return false;
    }
    const State c = with_discs(s.own, s.opp, s.turn & 1);
    return c.moves == s.moves && c.turn == s.turn;
  }

  // Discs, as a guess.
  double evaluate(const State& s, int player) const {
    const double e = guess(s) / double{othello::kUnit};
    return player == static_cast<int>(s.turn & 1) ? e : -e;
  }

  // Near the end the position is solved, as far as the window asks. Before, the moves that promise
  // much: by the evaluation of what they lead to while many squares are empty, then by how little
  // they leave the other side.
  int narrow(const State& s, Action* out, float* promise, int, double* low, double* high) const {
    const int n = std::popcount(empty(s));
    const bool black = (s.turn & 1) == 0;
    const double alpha = black ? *low : -*high, beta = black ? *high : -*low;
    int least = -size_ * size_, most = -least;
    if (n <= kSolved) {
      solve(s, alpha, beta, least, most);
    } else if (alpha >= othello::kSafeFrom[n]) {
      most -= 2 * std::popcount(othello::safe_discs(s.opp, s.own, empty(s)));
    }
    *low = black ? least : -most;
    *high = black ? most : -least;
    if (n <= kSolved || most <= alpha) return 0;
    if (!s.moves) return out[0] = othello::kPass, promise[0] = 0, 1;
    return ordered(s, n, out, promise);
  }

  // Fitted to searches of 400 positions; benchmarks/othello_doubt.py prints such a table.
  double doubt(const State& s, int depth, int shallow) const {
    const double quiet = 1.65 + (50 - std::popcount(empty(s))) * 0.095;
    return std::clamp(quiet, 1.5, 3.7) * (0.8 + 0.1 * (depth - shallow));
  }

  // (Passes are few.)
  int plies_left(const State& s) const { return std::popcount(empty(s)); }

  // A corner, if there is one to take; else any action.
  Action playout(const State& s, std::uint64_t random) const {
    const othello::Board corners = s.moves & corners_;
    return corners ? nth_square(corners, random) : sample(s, random);
  }

  // The discs of the player and of the other one, and where the player to move can play.
  void encode(const State& s, int player, float* out) const {
    const bool moves = player == static_cast<int>(s.turn);
    for (const othello::Board squares : {moves ? s.own : s.opp, moves ? s.opp : s.own, s.moves}) {
      for (othello::Board rest = squares_; rest; rest &= rest - 1) {
        *out++ = static_cast<float>(squares >> std::countr_zero(rest) & 1);
      }
    }
  }
  // Row by row, then the pass.
  int policy_index(Action action) const {
    if (action >= othello::kPass) return size_ * size_;
    return std::popcount(squares_ & (othello::bit(static_cast<int>(action)) - 1));
  }

  // The square, or the pass, and the player.
  int amaf(const State& s, Action action) const {
    return static_cast<int>(action + s.turn * (othello::kPass + 1));
  }

  // The state with these discs: where its mover can play, and whether anybody can.
  State with_discs(othello::Board own, othello::Board opp, std::uint64_t turn) const {
    const othello::Board free = squares_ & ~(own | opp);
    const othello::Board moves = Kernel::moves(own, opp, free);
    if (!moves && !Kernel::moves(opp, own, free)) turn += kOver;
    return {own, opp, moves, turn};
  }

  // For training: the numbers of the weights that make up a position's value.
  void features(const State& s, std::uint32_t* out) const {
    othello::features(s.own, s.opp, std::popcount(s.moves),
                      std::popcount(Kernel::moves(s.opp, s.own, empty(s))), out);
  }

 private:
  static constexpr std::uint64_t kOver = 2;
  static constexpr int kSolved = 12;   // empty squares from which on `narrow` solves
  static constexpr int kGuessed = 15;  // empty squares above which it asks the evaluation
  static constexpr int kReplied = 17;  // above which it asks what the best reply makes of it

  int first() const { return 9 * ((8 - size_) / 2); }
  // One of these squares, from 64 random bits.
  static Action nth_square(othello::Board squares, std::uint64_t random) {
    return nth_bit(squares, Random::scaled(random, std::popcount(squares)));
  }
  othello::Board empty(const State& s) const { return squares_ & ~(s.own | s.opp); }

  static std::uint64_t key_of(othello::Board own, othello::Board opp, std::uint64_t turn) {
    return mix(own + turn * 0x9e3779b97f4a7c15) + opp * 0xd6e8feb86659fd93;
  }

  // The mover's value, in 1/kUnit of a disc.
  int guess(const State& s) const {
    const int mine = std::popcount(s.moves);
    const int theirs = std::popcount(Kernel::moves(s.opp, s.own, empty(s)));
    return evaluation_.learned()
               ? evaluation_(s.own, s.opp, mine, theirs)
               : othello::Evaluation::simple(s.own, s.opp, corners_, mine, theirs);
  }

  // Narrows [least, most] until the window has its answer.
  void solve(const State& s, double alpha, double beta, int& least, int& most) const {
    othello::Memory& memory = othello::memory_of(squares_);
    const othello::Board free = empty(s);
    // Ask next to what the position looks like, then next to the answer.
    int test = guess(s) / othello::kUnit;
    while (least < most && least < beta && most > alpha) {
      const double from = std::max<double>(least, alpha), to = std::min<double>(most - 1, beta - 1);
      test = static_cast<int>(std::floor(std::clamp<double>(test, from, std::max(from, to))));
      const int v = Kernel::beats(memory, s.own, s.opp, free, test);
      if (v > test) {
        least = test = v;
      } else {
        most = v;
        test = v - 1;
      }
    }
  }

  // What the mover's best reply makes of a position.
  int reply(const State& s) const {
    if (!s.moves) return guess(s);
    int best = -64 * othello::kUnit;
    for (othello::Board rest = s.moves; rest; rest &= rest - 1) {
      best = std::max(best, -guess(play(s, std::countr_zero(rest))));
    }
    return best;
  }

  int ordered(const State& s, int n, Action* out, float* promise) const {
    const bool asks = n > kGuessed;
    const int odd = othello::odd_quarters(empty(s));
    int count = 0;
    for (othello::Board rest = s.moves; rest; rest &= rest - 1, ++count) {
      const int square = std::countr_zero(rest);
      const State next = play(s, square);
      int worth = Kernel::worth_of(next.own, next.opp, empty(next), square, odd);
      if (asks) worth = worth / 4 - (n > kReplied ? reply(next) : guess(next));
      out[count] = square;
      promise[count] = worth;
    }
    return count;
  }

  int size_;
  othello::Board squares_, corners_;
  othello::Evaluation evaluation_;
};

}  // namespace zermelo
