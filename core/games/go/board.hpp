// A Go board with chains: placing stones, captures, liberties and the history of positions.
//
// Points lie in a padded array with one border column that neighbouring rows share, so that the
// eight neighbours of a point are always in the array:
//
//      # # # # #         N = 3: rows of N + 1 points, row 0 and row N + 1 are border,
//      # . . .           the border column closes both sides of a row.
//      # . . .
//      # . . .
//      # # # # #
//
// Chains keep pseudo-liberties (Lew, "Library of effective Go routines", 2004): an empty point
// counts once for each stone of the chain beside it. Their number, sum and sum of squares are
// updated in constant time. A chain is in atari exactly if all its pseudo-liberties are the same
// point, which holds exactly if number * squares == sum^2 (Cauchy-Schwarz).
//
// Each point also knows the colours of its eight neighbours as 16 bits (its pattern). Eyes,
// suicide and 3x3 patterns are looked up there.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "../../parts/hash.hpp"

namespace zermelo::go {

using Point = std::uint16_t;  // 0: none; always on the border

enum Colour : std::uint8_t { kBlack, kWhite, kEmpty, kBorder };

inline Colour other(int colour) { return static_cast<Colour>(1 - colour); }

// A chain, stored at the point of its head.
struct Chain {
  std::uint16_t liberties;  // pseudo-liberties
  std::uint16_t size;       // stones
  std::uint32_t sum;        // of the pseudo-liberties' points
  std::uint32_t squares;    // of the same, squared

  bool in_atari() const {
    return std::uint64_t{sum} * sum == std::uint64_t{squares} * liberties && liberties != 0;
  }
  Point only_liberty() const { return static_cast<Point>(sum / liberties); }  // of one in atari
};

static_assert(std::endian::native == std::endian::little);  // see Board::paint

// N: the largest side of a board in this layout.
template <int N>
struct Board {
  static constexpr int kRow = N + 1;                  // from a point to the one below it
  static constexpr int kPoints = (N + 2) * kRow + 1;  // with the border
  static constexpr int kFilter = N <= 9 ? 64 : 256;   // words of the filter of seen positions
  static constexpr int kMostPlays = N <= 5 ? 400 : 4 * N * N;  // stones placed in a game
  static constexpr int kDirect[4] = {-kRow, 1, kRow, -1};      // N E S W
  static constexpr int kDiagonal[4] = {-kRow + 1, kRow + 1, kRow - 1, -kRow - 1};  // NE SE SW NW
  // Bit of a neighbour's colour in a pattern: direct neighbours first.
  static constexpr int kBits[8] = {0, 2, 4, 6, 8, 10, 12, 14};

  std::uint64_t hash;          // of the stones
  std::uint64_t history_hash;  // of the set of positions so far
  std::uint16_t length;        // of the history; one more than the stones placed
  Point ko;                    // where one stone was captured that may not be retaken at once; 0
  Point last, before_last;     // the last two moves; 0: pass or none
  std::uint8_t mover;          // Colour
  std::uint8_t passes;         // in a row
  std::uint8_t repeated;       // a position came back (without superko)
  std::uint8_t captured;       // some stone was captured in this game
  std::uint16_t empty_count;
  std::uint16_t stones[2];             // on the board
  std::uint16_t placed[2];             // in the game, with those set up at its start
  std::uint16_t lost[2];               // captured in the game
  Chain chain_at[kPoints];             // by head
  Point head[kPoints];                 // of the chain; 0 where there is no stone
  Point next[kPoints];                 // in its chain (a circular list)
  std::uint16_t pattern[kPoints + 1];  // colours of the eight neighbours
  Point empty[N * N];                  // the empty points, in any order
  std::uint16_t empty_at[kPoints];     // the place of a point in `empty`
  std::uint8_t colour[kPoints];
  std::uint64_t filter[kFilter];          // bits of the positions so far (Bloom filter)
  std::uint64_t history[kMostPlays + 1];  // hashes of the positions so far; last: see used()

  static constexpr Point at(int row, int column) {
    return static_cast<Point>((row + 1) * kRow + column + 1);
  }

  std::uint32_t used() const {
    return static_cast<std::uint32_t>(reinterpret_cast<const char*>(history + length) -
                                      reinterpret_cast<const char*>(this));
  }

  // -- keys --------------------------------------------------------------------------------------

  static std::uint64_t zobrist(Point p, int colour) { return kZobrist[2 * p + colour]; }

  // -- set-up ------------------------------------------------------------------------------------

  // An empty board of this size, Black to move.
  void clear(int size) {
    std::memset(static_cast<void*>(this), 0, sizeof *this);
    std::memset(colour, kBorder, sizeof colour);
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        const Point p = at(row, column);
        colour[p] = kEmpty;
        empty_at[p] = empty_count;
        empty[empty_count++] = p;
      }
    }
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        pattern[at(row, column)] = pattern_of(at(row, column));
      }
    }
    remember();
  }

  // The pattern of a point, from the colours around it.
  std::uint16_t pattern_of(Point p) const {
    int bits = 0;
    for (int i = 0; i < 4; ++i) {
      bits |= colour[p + kDirect[i]] << kBits[i];
      bits |= colour[p + kDiagonal[i]] << kBits[4 + i];
    }
    return static_cast<std::uint16_t>(bits);
  }

  // Takes over the stones and chains, without the history, for reading ahead with `put`.
  void copy_stones(const Board& from) {
    const auto length =
        reinterpret_cast<const char*>(from.filter) - reinterpret_cast<const char*>(&from);
    std::memcpy(static_cast<void*>(this), &from, static_cast<std::size_t>(length));
  }

  // Forgets the game that led to this position.
  void restart() {
    std::memset(filter, 0, sizeof filter);
    length = 0;
    history_hash = 0;
    remember();
  }

  // Adds the present position to the history.
  void remember() {
    history[length++] = hash;
    history_hash += mix(hash);
    filter[hash % kFilter] |= std::uint64_t{1} << (hash >> 58);
  }
  bool seen(std::uint64_t position) const {
    if (!(filter[position % kFilter] >> (position >> 58) & 1)) return false;
    for (int i = length; i-- > 0;) {
      if (history[i] == position) return true;
    }
    return false;
  }

  // -- looking -----------------------------------------------------------------------------------

  const Chain& chain(Point p) const { return chain_at[head[p]]; }
  Chain& chain(Point p) { return chain_at[head[p]]; }

  // Whether a pattern has an empty direct neighbour. Empty is binary 10.
  static bool open(std::uint16_t pattern) { return pattern >> 1 & ~pattern & 0x55; }
  bool stone(Point p) const { return colour[p] < kEmpty; }

  // Whether a stone of this colour at an empty point would capture something.
  bool captures(Point p, int player) const {
    for (const int d : kDirect) {
      const Point q = static_cast<Point>(p + d);
      if (colour[q] == other(player) && chain(q).in_atari()) return true;
    }
    return false;
  }

  // Whether a stone at an empty point would have no liberty and capture nothing.
  bool suicide(Point p, int player) const {
    if (open(pattern[p])) return false;
    for (const int d : kDirect) {
      const Point q = static_cast<Point>(p + d);
      if (stone(q) && (colour[q] == player) != chain(q).in_atari()) return false;
    }
    return true;
  }

  // An empty point whose direct neighbours all have this colour and that the opponent cannot make
  // false: fewer than two diagonal neighbours of the opponent, or none at the border.
  bool eye(Point p, int player) const { return is_eye(pattern[p], player); }
  static bool is_eye(std::uint16_t around, int player) {
    for (int i = 0; i < 4; ++i) {
      const int c = around >> kBits[i] & 3;
      if (c != player && c != kBorder) return false;
    }
    int opposed = 0, border = 0;
    for (int i = 4; i < 8; ++i) {
      const int c = around >> kBits[i] & 3;
      opposed += c == other(player);
      border += c == kBorder;
    }
    return opposed + (border > 0) < 2;
  }

  // The hash of the stones after a play.
  std::uint64_t hash_after(Point p, int player) const {
    std::uint64_t result = hash ^ zobrist(p, player);
    Point removed[4];
    int count = 0;
    const auto remove = [&](Point q) {
      for (int i = 0; i < count; ++i) {
        if (removed[i] == head[q]) return;
      }
      removed[count++] = head[q];
      Point r = q;
      do {
        result ^= zobrist(r, colour[q]);
        r = next[r];
      } while (r != q);
    };
    for (const int d : kDirect) {
      const Point q = static_cast<Point>(p + d);
      if (colour[q] == other(player) && chain(q).in_atari()) remove(q);
    }
    if (count == 0 && suicide(p, player)) {
      result ^= zobrist(p, player);
      for (const int d : kDirect) {
        const Point q = static_cast<Point>(p + d);
        if (colour[q] == player) remove(q);
      }
    }
    return result;
  }

  // -- playing -----------------------------------------------------------------------------------

  void pass() {
    ++passes;
    ko = 0;
    before_last = last;
    last = 0;
    mover = other(mover);
  }

  // The mover plays at an empty point. The position does not join the history yet.
  void play(Point p) {
    const int player = mover;
    const int taken = put(p, player);
    ++placed[player];
    ko = 0;
    if (taken == 1 && chain(p).size == 1 && chain(p).liberties == 1) ko = chain(p).only_liberty();
    passes = 0;
    before_last = last;
    last = p;
    mover = other(player);
  }

  // Puts a stone on an empty point and removes what has no liberty left. Returns how many stones
  // were captured. The neighbours are random, so this avoids branches on their colours.
  int put(Point p, int player) {
    take_empty(p);
    paint(p, player);
    Chain own{0, 1, 0, 0};
    bool full = false;    // a neighbouring chain has no liberty left
    unsigned joined = 0;  // directions in which the neighbour has the same colour
    for (int i = 0; i < 4; ++i) {
      const Point q = static_cast<Point>(p + kDirect[i]);
      const std::uint32_t empty_q = colour[q] == kEmpty ? q : 0;
      own.liberties = static_cast<std::uint16_t>(own.liberties + (empty_q != 0));
      own.sum += empty_q;
      own.squares += empty_q * empty_q;
      Chain& beside = chain(q);  // that of point 0, which nobody reads, if there is no stone
      drop_liberty(beside, p);
      full |= beside.liberties == 0;
      joined |= static_cast<unsigned>(colour[q] == player) << i;
    }
    chain_at[0] = {};
    chain_at[p] = own;
    head[p] = next[p] = p;
    for (; joined; joined &= joined - 1) {
      const Point q = static_cast<Point>(p + kDirect[std::countr_zero(joined)]);
      if (head[q] != head[p]) join(head[q], head[p]);
    }
    if (!full) {
      if (chain(p).liberties == 0) remove(p);  // suicide
      return 0;
    }
    int taken = 0;
    for (const int d : kDirect) {
      const Point q = static_cast<Point>(p + d);
      if (colour[q] == other(player) && chain(q).liberties == 0) taken += remove(q);
    }
    if (chain(p).liberties == 0) remove(p);
    return taken;
  }

 private:
  static constexpr auto kZobrist = [] {
    std::array<std::uint64_t, 2 * kPoints> keys{};
    for (std::uint64_t i = 0; i < keys.size(); ++i) {
      // Point numbers differ between layouts; rows and columns do not.
      const std::uint64_t p = i / 2, place = (p / kRow << 5 | p % kRow) << 1 | i % 2;
      keys[i] = mix(0x5a45524d454c4fULL + place * 0x9e3779b97f4a7c15ULL);
    }
    return keys;
  }();

  static void add_liberty(Chain& c, std::uint32_t p) {
    ++c.liberties;
    c.sum += p;
    c.squares += p * p;
  }
  static void drop_liberty(Chain& c, std::uint32_t p) {
    --c.liberties;
    c.sum -= p;
    c.squares -= p * p;
  }

  // Sets the colour of an empty point, or empties it.
  void paint(Point p, int now) {
    const int change = colour[p] ^ now;
    colour[p] = static_cast<std::uint8_t>(now);
    const int stone_colour = now == kEmpty ? change ^ kEmpty : now;
    hash ^= zobrist(p, stone_colour);
    stones[stone_colour] += now == kEmpty ? -1 : 1;
    // Each neighbour sees this point in the opposite direction. Three points of a row are updated
    // at once, as 64 bits.
    const auto see = [&](int first, std::uint64_t shifts) {
      std::uint64_t bits;
      std::memcpy(&bits, pattern + p + first, sizeof bits);
      bits ^= static_cast<std::uint64_t>(change) * shifts;
      std::memcpy(pattern + p + first, &bits, sizeof bits);
    };
    constexpr auto bit = [](int place, int shift) {
      return std::uint64_t{1} << (16 * place + shift);
    };
    see(-kRow - 1, bit(0, kBits[5]) | bit(1, kBits[2]) | bit(2, kBits[6]));
    see(-1, bit(0, kBits[1]) | bit(2, kBits[3]));
    see(kRow - 1, bit(0, kBits[4]) | bit(1, kBits[0]) | bit(2, kBits[7]));
  }

  void take_empty(Point p) {
    const Point moved = empty[--empty_count];
    empty[empty_at[p]] = moved;
    empty_at[moved] = empty_at[p];
  }

  // Joins two chains of one colour; the smaller gets the head of the larger.
  void join(Point a, Point b) {
    if (chain_at[a].size < chain_at[b].size) std::swap(a, b);
    Chain &large = chain_at[a], &small = chain_at[b];
    large.liberties += small.liberties;
    large.size += small.size;
    large.sum += small.sum;
    large.squares += small.squares;
    Point p = b;
    do {
      head[p] = a;
      p = next[p];
    } while (p != b);
    std::swap(next[a], next[b]);
  }

  // Removes the chain at a point. Returns its size.
  int remove(Point p) {
    const int size = chain(p).size;
    captured = 1;
    lost[colour[p]] = static_cast<std::uint16_t>(lost[colour[p]] + size);
    Point q = p;
    do {
      paint(q, kEmpty);
      head[q] = 0;
      empty_at[q] = empty_count;
      empty[empty_count++] = q;
      for (const int d : kDirect) {
        const Point r = static_cast<Point>(q + d);
        if (stone(r)) add_liberty(chain(r), q);
      }
      q = next[q];
    } while (q != p);
    return size;
  }
};

}  // namespace zermelo::go
