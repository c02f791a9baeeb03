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

#include <algorithm>

#include "../game.hpp"
#include "../parts/bits.hpp"
#include "../parts/hash.hpp"
#include "../parts/random.hpp"

namespace zermelo {

// W: words of a board. kColumns, kRows, kLength: of a board known when this is compiled, whose
// shifts are then constants; else 0.
template <int W, int kColumns, int kRows, int kLength>
class TicTacToeOn {
 public:
  using Set = Bits<W>;
  struct State {
    Set x, o;
  };

  TicTacToeOn(int columns, int rows, int length)
      : columns_(columns), rows_(rows), length_(length) {}

  // Words of 64 cells that such a board needs.
  static int words(int columns, int rows) { return ((columns + 1) * rows + 63) / 64; }

  Facts facts() const {
    return {.utility_min = -1,
            .utility_max = 1,
            .max_actions = columns() * rows(),
            .planes = 2,
            .rows = rows(),
            .columns = columns(),
            .policy_size = columns() * rows()};
  }

  State initial() const { return {}; }

  int to_move(const State& s) const {
    const int turn = mover(s);
    if constexpr (kTabled) {  // added up: of two branches nobody could foretell either
      return (has_line(s.x) + has_line(s.o) + full(s)) ? kTerminal : turn;
    }
    return has_line(turn ? s.x : s.o) || full(s) ? kTerminal : turn;
  }

  int actions(const State& s, Action* out, int) const {
    const Set taken = s.x | s.o;
    int n = 0;
    (board() ^ taken).each([&](int square) { out[n++] = square; });
    return n;
  }

  Action sample(const State& s, std::uint64_t random) const {
    const Set open = board() ^ (s.x | s.o);
    auto n = static_cast<int>(Random::scaled(random, open.count()));
    if constexpr (kTabled) return static_cast<Action>(kTables.open[open.word[0]] >> 4 * n & 15);
    int i = 0;
    for (; n >= std::popcount(open.word[i]); ++i) n -= std::popcount(open.word[i]);
    return 64 * i + nth_bit(open.word[i], n);
  }

  // The marks of the player and of the other one.
  void encode(const State& s, int player, float* out) const {
    std::fill_n(out, 2 * columns() * rows(), 0.0F);
    const auto mark = [&](const Set& marks, float* plane) {
      marks.each([&](int square) { plane[policy_index(square)] = 1; });
    };
    mark(player ? s.o : s.x, out);
    mark(player ? s.x : s.o, out + columns() * rows());
  }
  int policy_index(Action square) const {
    return static_cast<int>(square) / (columns() + 1) * columns() +
           static_cast<int>(square) % (columns() + 1);
  }

  State play(const State& s, Action square) const {
    const bool second = mover(s);  // no branch: in random games nobody can foretell it
    return {s.x | Set::one(square, !second), s.o | Set::one(square, second)};
  }

  // Only who moved last can have a line.
  double utility(const State& s, int player) const {
    if constexpr (kTabled) {
      const int x = has_line(s.x) - has_line(s.o);
      return player == 0 ? x : -x;
    }
    const int last = 1 - mover(s);
    if (full(s) && !has_line(last ? s.o : s.x)) return 0;
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
    return !(s.x & s.o).any() && (both & board()) == both && (lead == 0 || lead == 1) &&
           !has_line(lead ? s.o : s.x);
  }

  // The textbook's e(n): lines open for X less lines open for O.
  double evaluate(const State& s, int player) const {
    const int e = open_lines(board() & ~s.o) - open_lines(board() & ~s.x);
    return player == 0 ? e : -e;
  }

 private:
  static constexpr Set board_of(int columns, int rows) {
    Set all;
    for (int i = 0; i < columns * rows; ++i) all = all | Set::one(i + i / columns);
    return all;
  }
  // Of a small board what random games ask most is listed, by its squares as a number.
  static constexpr bool kTabled = kColumns == 3 && kRows == 3 && kLength == 3;
  struct Tables {
    std::array<std::uint64_t, 1 << 11> open{};  // the squares, four bits each
    std::array<bool, 1 << 11> line{};
  };
  static constexpr Tables tables_of() {
    Tables t;
    for (std::uint64_t set = 0; set < t.open.size(); ++set) {
      int n = 0;
      for (std::uint64_t i = 0; i < 11; ++i) {
        if (set >> i & 1 && n < 16) t.open[set] |= i << 4 * n++;
      }
      for (const int step : directions(4))
        t.line[set] |= (set & set >> step & set >> 2 * step) != 0;
    }
    return t;
  }
  static constexpr Tables kTables = kTabled ? tables_of() : Tables{};

  int columns() const { return kColumns ? kColumns : columns_; }
  int rows() const { return kRows ? kRows : rows_; }
  int length() const { return kLength ? kLength : length_; }
  int stride() const { return columns() + 1; }
  Set board() const {
    if constexpr (kColumns && kRows) {
      constexpr Set kBoard = board_of(kColumns, kRows);
      return kBoard;
    }
    return board_;
  }
  bool full(const State& s) const { return (s.x | s.o) == board(); }

  template <int length>
  bool any_run(const Set& stones) const {
    Set found;
    for (int step : directions(stride())) found = found | run_starts(stones, step, length);
    return found.any();
  }
  static int mover(const State& s) { return (s.x | s.o).count() & 1; }

  bool has_line(const Set& stones) const {
    if constexpr (kTabled) return kTables.line[stones.word[0]];
    if (stones.count() < length()) return false;
    if (length() == 3) return any_run<3>(stones);
    if (length() == 5) return any_run<5>(stones);
    Set found;
    for (int step : directions(stride())) found = found | run_starts(stones, step, length());
    return found.any();
  }
  int open_lines(const Set& squares) const {
    int n = 0;
    for (int step : directions(stride())) n += run_starts(squares, step, length()).count();
    return n;
  }

  int columns_, rows_, length_;
  Set board_ = board_of(columns_, rows_);
};

template <int W>
using TicTacToe = TicTacToeOn<W, 0, 0, 0>;
using StandardTicTacToe = TicTacToeOn<1, 3, 3, 3>;

}  // namespace zermelo
