// Chess: endgames of three and four pieces, by material, numbered for tablebases.
//
// A class has the usual name, KRK or KBNK, with the stronger side first. White is that side; where
// Black is, the board and the value are turned. Classes with fewer pieces come first, then those
// with fewer pawns, because a capture and a promotion both lead to a lower class. Material that
// cannot mate (KNK, KBK) ends the game, so it has no class.
//
//      side to move | the kings | the first piece | the second
//
// By symmetry the kings stand in one of 462 ways, or in one of 1806 with a pawn, where only left
// and right are symmetric. Two pieces of the same kind and side are an unordered pair. KPKP also
// has positions with an en passant capture, numbered after the others: side to move, the pawn that
// moved two steps and its neighbour, the kings. Positions with castling rights are in no class; the
// move count and the history are not part of it.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unmoves.hpp"

namespace zermelo::chess {

class Numbering {
 public:
  static constexpr int kMost = 4;  // men

  Numbering() {
    prepare();
    number_kings();
    for (int hi = 0, n = 0; hi < 64; ++hi) {
      for (int lo = 0; lo < hi; ++lo) pairs_[n++] = {lo, hi};
    }
    for (const int men : {3, 4}) {
      for (int pawns = 0; pawns <= 2; ++pawns) add_classes(men, pawns);
    }
    for (Class& c : classes_) find_lower(c);
  }

  int classes() const { return static_cast<int>(classes_.size()); }
  const char* name(int number) const { return classes_[number].name.c_str(); }
  std::uint64_t size(int number) const { return classes_[number].size; }
  int pieces(int number) const { return classes_[number].count + 2; }
  bool leads(int from, int to) const { return classes_[from].lower >> to & 1; }

  int class_of(const Position& s) const {
    const Board all = s.side[0] | s.side[1];
    if (std::popcount(all) > kMost || s.castle) return -1;
    const Board others = all & ~s.by[kKing];
    return others ? material(s, others).number : -1;
  }

  bool turned(const Position& s) const {
    return material(s, (s.side[0] | s.side[1]) & ~s.by[kKing]).turned;
  }

  // The same for all images of a position.
  std::uint64_t index(const Position& s) const {
    const Board others = (s.side[0] | s.side[1]) & ~s.by[kKing];
    const Material& kind = material(s, others);
    const Class& c = classes_[kind.number];
    const int turn = kind.turned ? 56 : 0, white = kind.turned;
    Men m{};
    m.mover = s.mover ^ white;
    m.king[0] = lowest(s.by[kKing] & s.side[white]) ^ turn;
    m.king[1] = lowest(s.by[kKing] & s.side[1 - white]) ^ turn;
    m.man[kind.swapped] = lowest(others) ^ turn;
    if (c.count == 2) m.man[!kind.swapped] = lowest(others & (others - 1)) ^ turn;
    if (c.pawns) {
      if (m.king[0] & 4) m.flip(7);
      return s.ep ? passing(c, m) : number(c, m);
    }
    m.flip((m.king[0] & 4 ? 7 : 0) ^ (m.king[0] & 32 ? 56 : 0));
    const int first = over(m.king[0]), second = over(m.king[1]);
    if (first > 0 || (first == 0 && second > 0)) m.transpose();
    const std::uint64_t i = number(c, m);
    if (first || second) return i;
    m.transpose();  // both kings on the long diagonal: the men decide
    return std::min(i, number(c, m));
  }

  bool position(int number, std::uint64_t index, State& s) const {
    const Class& c = classes_[number];
    const bool ep = index >= 2 * c.half;
    Men m{};
    if (!(ep ? passed(c, index, m) : men_of(c, index, m))) return false;
    Board all = 0;
    s.hash = 0;
    std::fill_n(s.by, 6, 0);
    s.side[0] = s.side[1] = 0;
    const auto put = [&](int side, int piece, int square) {
      const Board at = bit(square);
      const bool free = !(all & at);
      all |= at;
      s.by[piece] |= at;
      s.side[side] |= at;
      s.hash ^= kKeys.man[side][piece][square];
      return free;
    };
    put(0, kKing, m.king[0]);
    put(1, kKing, m.king[1]);
    for (int i = 0; i < c.count; ++i) {
      if (!put(c.code[i] / 5, c.code[i] % 5, m.man[i])) return false;
    }
    s.castle = 0;
    s.ep = 0;
    s.mover = static_cast<std::uint8_t>(m.mover);
    if (m.mover) s.hash ^= kKeys.mover;
    s.clock = s.repeats = 0;
    s.number = 1;
    s.count = 0;
    s.past = 0;
    if (retro::in_check(s, 1 - m.mover)) return false;
    if (ep) return retro::two_steps(s, m.man[1 - m.mover], s);
    return c.pawns || over(m.king[0]) || over(m.king[1]) || this->index(s) == index;
  }

 private:
  static constexpr int kPassing = 14;  // a pawn and a neighbour, by files

  // The men's squares in the class's colours.
  struct Men {
    int king[2], man[2], mover;

    void flip(int by) {
      for (int* square : {&king[0], &king[1], &man[0], &man[1]}) *square ^= by;
    }
    void transpose() {
      for (int* square : {&king[0], &king[1], &man[0], &man[1]}) {
        *square = *square >> 3 | (*square & 7) << 3;
      }
    }
  };

  struct Class {
    int count;    // of men without the kings
    int code[2];  // side * 5 + piece
    int pawns;
    bool twins;
    std::string name;
    int ways[2];               // to place each of the men, or the pair, the other having one
    std::uint64_t half, size;  // half: one side to move, nobody taken in passing
    std::uint64_t lower = 0;   // bits: classes to which a move may lead
  };

  struct Material {
    std::int8_t number = -1;
    bool turned = false;   // Black is the stronger side
    bool swapped = false;  // the man on the lower square is the class's second
  };

  static int over(int square) { return (square >> 3) - (square & 7); }  // the long diagonal
  static int code_of(const Position& s, int square) {
    const auto has = [&](Board b) { return static_cast<int>(b >> square & 1); };
    return has(s.by[kKnight]) + 2 * has(s.by[kBishop]) + 3 * has(s.by[kRook]) +
           4 * has(s.by[kQueen]) + 5 * has(s.side[1]);
  }

  const Material& material(const Position& s, Board others) const {
    const Board rest = others & (others - 1);
    return material_[code_of(s, lowest(others))][rest ? code_of(s, lowest(rest)) : 10];
  }

  // -- the number of a position and back ---------------------------------------------------------
  static int place(int code, int square) { return code % 5 == kPawn ? square - 8 : square; }
  static int square(int code, int place) { return code % 5 == kPawn ? place + 8 : place; }

  std::uint64_t number(const Class& c, const Men& m) const {
    std::uint64_t i = kings_[c.pawns > 0][m.king[0]][m.king[1]];
    const int a = place(c.code[0], m.man[0]);
    if (c.twins) {
      const int b = place(c.code[1], m.man[1]), hi = std::max(a, b), lo = std::min(a, b);
      i = i * c.ways[0] + hi * (hi - 1) / 2 + lo;
    } else {
      i = i * c.ways[0] + a;
      if (c.count == 2) i = i * c.ways[1] + place(c.code[1], m.man[1]);
    }
    return i + (m.mover ? c.half : 0);
  }

  // White's king goes where the number says; false: that is no position.
  bool men_of(const Class& c, std::uint64_t index, Men& m) const {
    m.mover = index >= c.half;
    if (m.mover) index -= c.half;
    const auto take = [&](int ways) {
      const auto part = static_cast<int>(index % ways);
      index /= ways;
      return part;
    };
    if (c.twins) {
      const auto [lo, hi] = pairs_[take(c.ways[0])];
      m.man[0] = square(c.code[0], lo);
      m.man[1] = square(c.code[1], hi);
    } else {
      if (c.count == 2) m.man[1] = square(c.code[1], take(c.ways[1]));
      m.man[0] = square(c.code[0], take(c.ways[0]));
    }
    std::tie(m.king[0], m.king[1]) = placings_[c.pawns > 0][index];
    return true;
  }

  // Positions in which a pawn can be taken in passing. A class of one pawn each: man[side].
  std::uint64_t passing(const Class& c, const Men& m) const {
    const int file = m.man[1 - m.mover] & 7, other = m.man[m.mover] & 7;
    const int pair = 2 * file + (other > file) - 1;
    return 2 * c.half + (m.mover * kPassing + pair) * placings_[1].size() +
           kings_[1][m.king[0]][m.king[1]];
  }
  bool passed(const Class& c, std::uint64_t index, Men& m) const {
    index -= 2 * c.half;
    std::tie(m.king[0], m.king[1]) = placings_[1][index % placings_[1].size()];
    index /= placings_[1].size();
    m.mover = index >= kPassing;
    const auto pair = static_cast<int>(index % kPassing) + 1;
    const int row = m.mover ? 24 : 32;  // White's pawn went to the fourth, Black's to the fifth
    m.man[1 - m.mover] = row + pair / 2;
    m.man[m.mover] = row + pair / 2 + (pair & 1 ? 1 : -1);
    return true;
  }

  // -- the classes -------------------------------------------------------------------------------
  void number_kings() {
    for (const bool pawns : {false, true}) {
      for (int a = 0; a < 64; ++a) {
        if (a & 4 || (!pawns && (a & 32 || over(a) > 0))) continue;
        for (int b = 0; b < 64; ++b) {
          if (a == b || kLeaps.king[a] & bit(b)) continue;
          if (!pawns && over(a) == 0 && over(b) > 0) continue;
          kings_[pawns][a][b] = static_cast<std::uint16_t>(placings_[pawns].size());
          placings_[pawns].push_back({a, b});
        }
      }
    }
  }

  void add_classes(int men, int pawns) {
    for (int a = kQueen; a >= kPawn; --a) {
      if (men == 3) {
        if (a == kQueen || a == kRook || a == kPawn) add(pawns, a, 10);
        continue;
      }
      for (int b = a; b >= kPawn; --b) add(pawns, a, b);
    }
    for (int a = kQueen; men == 4 && a >= kPawn; --a) {
      for (int b = a; b >= kPawn; --b) add(pawns, a, b + 5);
    }
  }

  // Codes; the second may be 10: none.
  void add(int pawns, int a, int b) {
    Class c{};
    c.count = b == 10 ? 1 : 2;
    c.code[0] = a, c.code[1] = b;
    c.pawns = (a == kPawn) + (b == kPawn || b == kPawn + 5);
    if (c.pawns != pawns) return;
    c.twins = a == b;
    static const std::string kLetters = "PNBRQ";
    c.name = std::string("K") + kLetters[a] + (b < 5 ? std::string(1, kLetters[b]) : "") + "K" +
             (b >= 5 && b < 10 ? std::string(1, kLetters[b - 5]) : "");
    const int ways[2] = {a == kPawn ? 48 : 64, b % 5 == kPawn ? 48 : 64};
    c.ways[0] = c.twins ? ways[0] * (ways[0] - 1) / 2 : ways[0];
    c.ways[1] = c.twins || b == 10 ? 1 : ways[1];
    c.half = placings_[pawns > 0].size() * c.ways[0] * c.ways[1];
    c.size = 2 * c.half;
    if (a == kPawn && b == kPawn + 5) c.size += 2 * kPassing * placings_[1].size();
    const auto number = static_cast<std::int8_t>(classes());
    for (const bool turned : {true, false}) {
      const auto side = [&](int code) {
        return !turned || code == 10 ? code : code < 5 ? code + 5 : code - 5;
      };
      if (b < 10) material_[side(b)][side(a)] = {number, turned, true};
      material_[side(a)][side(b)] = {number, turned, false};
    }
    classes_.push_back(std::move(c));
  }

  void find_lower(Class& c) const {
    const auto to = [&](int a, int b) {  // 10: gone
      if (a == 10) std::swap(a, b);
      const int number = a == 10 ? -1 : material_[a][b].number;
      if (number >= 0) c.lower |= std::uint64_t{1} << number;
    };
    for (int i = 0; i < c.count; ++i) {
      const int man = c.code[i], other = c.count == 2 ? c.code[1 - i] : 10;
      to(other, 10);
      for (int piece = kKnight; man % 5 == kPawn && piece <= kQueen; ++piece) {
        to(man + piece, other);
        if (other != 10 && other / 5 != man / 5) to(man + piece, 10);
      }
    }
  }

  std::uint16_t kings_[2][64][64] = {};  // [with pawns]
  std::vector<std::pair<int, int>> placings_[2];
  std::pair<int, int> pairs_[64 * 63 / 2];
  Material material_[11][11];
  std::vector<Class> classes_;
};

// One for all games of chess, created on first use.
inline const Numbering& numbering() {
  static const Numbering instance;
  return instance;
}

inline const Endgames& endgames() {
  static const Endgames instance = [] {
    Endgames e;
    e.classes = numbering().classes();
    e.class_of = [](const void*, const void* state) {
      return numbering().class_of(*static_cast<const State*>(state));
    };
    e.name = [](const void*, int number) { return numbering().name(number); };
    e.size = [](const void*, int number) { return numbering().size(number); };
    e.index = [](const void*, const void* state) {
      return numbering().index(*static_cast<const State*>(state));
    };
    e.position = [](const void*, int number, std::uint64_t index, void* state) {
      return numbering().position(number, index, *static_cast<State*>(state));
    };
    e.before = [](const void*, const void* state, void* out, int capacity) {
      return retro::predecessors(*static_cast<const State*>(state), static_cast<State*>(out),
                                 capacity);
    };
    e.pieces = [](const void*, int number) { return numbering().pieces(number); };
    e.turned = [](const void*, const void* state) {
      return numbering().turned(*static_cast<const State*>(state));
    };
    e.leads = [](const void*, int from, int to) { return numbering().leads(from, to); };
    return e;
  }();
  return instance;
}

}  // namespace zermelo::chess
