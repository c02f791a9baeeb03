// The m,n,k-game: k in a row on m columns and n rows; tic-tac-toe is 3,3,3, gomoku 15,15,5.
//
// Row by row from the top left, with an empty column after each row, so that lines do not wrap:
//
//      0  1  2  .
//      4  5  6  .
//      8  9 10  .
//
// An action is a square of that numbering.
#pragma once

#include "../game.hpp"
#include "../parts/bits.hpp"
#include "../parts/hash.hpp"
#include "../parts/random.hpp"

namespace zermelo {

template <int W>
class TicTacToe {
 public:
  using Set = Bits<W>;
  struct State {
    Set x, o;
  };

  TicTacToe(int columns, int rows, int length)
      : columns_(columns), rows_(rows), length_(length), stride_(columns + 1) {
    for (int i = 0; i < columns * rows; ++i) board_ = board_ | Set::one(i + i / columns);
  }

  // Words of 64 cells that such a board needs.
  static int words(int columns, int rows) { return ((columns + 1) * rows + 63) / 64; }

  Facts facts() const {
    Facts f;
    f.utility_min = -1;
    f.utility_max = 1;
    f.max_actions = columns_ * rows_;
    return f;
  }

  State initial() const { return {}; }

  int to_move(const State& s) const {
    const int turn = mover(s);
    if (has_line(turn ? s.x : s.o) || (s.x | s.o) == board_) return kTerminal;
    return turn;
  }

  int actions(const State& s, Action* out, int) const {
    const Set taken = s.x | s.o;
    int n = 0;
    (board_ ^ taken).each([&](int square) { out[n++] = square; });
    return n;
  }

  Action sample(const State& s, std::uint64_t random) const {
    const Set open = board_ ^ (s.x | s.o);
    auto n = static_cast<int>(Random::scaled(random, open.count()));
    int i = 0;
    for (; n >= std::popcount(open.word[i]); ++i) n -= std::popcount(open.word[i]);
    return 64 * i + nth_bit(open.word[i], n);
  }

  State play(const State& s, Action square) const {
    const Set x = s.x, o = s.o, stone = Set::one(square);
    return mover(s) ? State{x, o | stone} : State{x | stone, o};
  }

  // Only who moved last can have a line.
  double utility(const State& s, int player) const {
    const int last = 1 - mover(s);
    if ((s.x | s.o) == board_ && !has_line(last ? s.o : s.x)) return 0;
    return player == last ? 1 : -1;
  }

  std::uint64_t key(const State& s) const {
    if constexpr (W == 1) return mix(s.x.word[0]) + 3 * mix(~s.o.word[0]);
    return hash_bytes(&s, sizeof s);
  }

  // Play stops at a line, so that the player to move can have none.
  bool valid(const State& s) const {
    const Set both = s.x | s.o;
    const int lead = s.x.count() - s.o.count();
    return !(s.x & s.o).any() && (both & board_) == both && (lead == 0 || lead == 1) &&
           !has_line(lead ? s.o : s.x);
  }

  // The lectures' e(n): lines open for X less lines open for O.
  double evaluate(const State& s, int player) const {
    const int e = open_lines(board_ & ~s.o) - open_lines(board_ & ~s.x);
    return player == 0 ? e : -e;
  }

 private:
  template <int length>
  bool any_run(const Set& stones) const {
    Set found;
    for (int step : directions(stride_)) found = found | run_starts(stones, step, length);
    return found.any();
  }
  static int mover(const State& s) { return s.x.count() - s.o.count(); }

  bool has_line(const Set& stones) const {
    if (stones.count() < length_) return false;
    if (length_ == 3) return any_run<3>(stones);
    if (length_ == 5) return any_run<5>(stones);
    Set found;
    for (int step : directions(stride_)) found = found | run_starts(stones, step, length_);
    return found.any();
  }
  int open_lines(const Set& squares) const {
    int n = 0;
    for (int step : directions(stride_)) n += run_starts(squares, step, length_).count();
    return n;
  }

  int columns_, rows_, length_, stride_;
  Set board_;
};

}  // namespace zermelo
