// Checkers: endgames by material, numbered without a gap.
//
// A class is how many men and kings each side has. Classes with fewer pieces come first, then those
// with fewer men: a capture and a crowning both lead down. Within a class a position is numbered by
// its men, then Black's kings on the squares left, then White's on those left by them, then whose
// turn it is:
//
//      men: how many of Black's stand on its first row (White's men never do) and of White's on
//      theirs; the four on each; Black's others on the 24 squares between, White's on those left
//
// so that every number is a position and every position has one.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "board.hpp"

namespace zermelo::checkers {

class Numbering {
 public:
  static constexpr int kMost = 8;  // pieces

  explicit Numbering(int pieces) : most_(pieces) {
    for (int n = 0; n <= 32; ++n) {
      choose_[n][0] = 1;
      for (int k = 1; k <= kMost && n > 0; ++k) {
        choose_[n][k] = choose_[n - 1][k - 1] + choose_[n - 1][k];
      }
    }
    std::fill(std::begin(number_), std::end(number_), -1);
    for (int total = 1; total <= pieces; ++total) {
      for (int men = 0; men <= total; ++men) add_classes(total, men);
    }
  }

  int classes() const { return static_cast<int>(classes_.size()); }
  const char* name(int number) const { return classes_[number].name.c_str(); }
  std::uint64_t size(int number) const { return classes_[number].size; }
  int pieces(int number) const {
    const Class& c = classes_[number];
    return c.men[0] + c.men[1] + c.kings[0] + c.kings[1];
  }

  int class_of(const State& s) const {
    const Set all = s.side[0] | s.side[1];
    // A table does not count quiet plies, so it is not probed near the draw.
    if (std::popcount(all) > most_ || s.quiet > kTabledQuiet) return -1;
    return number_[slot(std::popcount(s.side[0] & ~s.kings), std::popcount(s.side[1] & ~s.kings),
                        std::popcount(s.side[0] & s.kings), std::popcount(s.side[1] & s.kings))];
  }

  std::uint64_t index(const State& s) const {
    const std::uint32_t kings = packed(s.kings), black = packed(s.side[0]) & ~kings;
    const std::uint32_t white = packed(s.side[1]) & ~kings;
    const std::uint32_t black_kings = packed(s.side[0]) & kings;
    const std::uint32_t white_kings = packed(s.side[1]) & kings;
    const Class& c = classes_[class_of(s)];
    const int a = std::popcount(black & kFirst), b = std::popcount(white & kLast);
    const std::uint32_t inner = black & ~kFirst;
    std::uint64_t i = rank(black & kFirst, 0);
    i = i * choose_[24][c.men[0] - a] + rank(inner, kFirst);
    i = i * choose_[4][b] + rank(white & kLast, ~kLast);
    i = i * choose_[24 - (c.men[0] - a)][c.men[1] - b] + rank(white & ~kLast, kFirst | inner);
    i += c.first[a][b];
    const std::uint32_t men = black | white;
    i = i * c.ways[0] + rank(black_kings, men);
    i = i * c.ways[1] + rank(white_kings, men | black_kings);
    return i << 1 | s.mover;
  }

  // Every index is a position.
  State position(int number, std::uint64_t index) const {
    const Class& c = classes_[number];
    const auto take = [&](std::uint64_t ways) {
      const std::uint64_t part = index % ways;
      index /= ways;
      return part;
    };
    const auto mover = static_cast<std::uint32_t>(take(2));
    const std::uint64_t second = take(c.ways[1]), first = take(c.ways[0]);
    int a = c.slices[0][0], b = c.slices[0][1];
    for (const auto& [x, y] : c.slices) {
      if (c.first[x][y] <= index) a = x, b = y;
    }
    index -= c.first[a][b];
    const int inner_black = c.men[0] - a, inner_white = c.men[1] - b;
    const std::uint64_t white_in = take(choose_[24 - inner_black][inner_white]);
    const std::uint64_t white_out = take(choose_[4][b]);
    const std::uint64_t black_in = take(choose_[24][inner_black]);
    const std::uint32_t inner = unrank(black_in, inner_black, kFirst);
    const std::uint32_t black = inner | unrank(index, a, 0);
    const std::uint32_t white =
        unrank(white_out, b, ~kLast) | unrank(white_in, inner_white, kFirst | inner);
    const std::uint32_t black_kings = unrank(first, c.kings[0], black | white);
    const std::uint32_t white_kings = unrank(second, c.kings[1], black | white | black_kings);
    return {{unpacked(black | black_kings), unpacked(white | white_kings)},
            unpacked(black_kings | white_kings),
            0,
            mover};
  }

  // Steps undone: those of kings, and of men that were not crowned by them.
  int before(const State& s, State* out, int capacity) const {
    return s.mover == 0 ? before<1>(s, out, capacity) : before<0>(s, out, capacity);
  }

 private:
  static constexpr std::uint32_t kTabledQuiet = 20;
  static constexpr std::uint32_t kFirst = 0xF, kLast = 0xFu << 28;

  struct Class {
    int men[2], kings[2];
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t ways[2] = {};      // to place the kings of each
    std::uint64_t first[5][5] = {};  // where the men's numbers begin, by those on the outer rows
    std::vector<std::array<int, 2>> slices;  // the pairs of `first` that exist, in order
  };

  static int slot(int men0, int men1, int kings0, int kings1) {
    return ((men0 * (kMost + 1) + men1) * (kMost + 1) + kings0) * (kMost + 1) + kings1;
  }

  // The 32 squares without the gaps, and back.
  static std::uint32_t packed(Set s) {
    return static_cast<std::uint32_t>((s & 0xFF) | (s >> 1 & 0xFF00) | (s >> 2 & 0xFF0000) |
                                      (s >> 3 & 0xFF000000));
  }
  static Set unpacked(std::uint32_t p) {
    const Set s = p;
    return (s & 0xFF) | (s & 0xFF00) << 1 | (s & 0xFF0000) << 2 | (s & 0xFF000000) << 3;
  }

  void add_classes(int total, int men) {
    for (int men0 = 0; men0 <= men; ++men0) {
      for (int kings0 = 0; kings0 <= total - men; ++kings0) {
        const int men1 = men - men0, kings1 = total - men - kings0;
        number_[slot(men0, men1, kings0, kings1)] = classes();
        classes_.push_back(make(men0, men1, kings0, kings1));
      }
    }
  }

  Class make(int men0, int men1, int kings0, int kings1) const {
    Class c{{men0, men1}, {kings0, kings1}, {}, 0, {}, {}, {}};
    c.name.append(1, 'b').append(kings0, 'k').append(men0, 'm');
    c.name.append("-w").append(kings1, 'k').append(men1, 'm');
    std::uint64_t placings = 0;
    for (int a = 0; a <= std::min(4, men0); ++a) {
      for (int b = 0; b <= std::min(4, men1); ++b) {
        c.first[a][b] = placings;
        c.slices.push_back({a, b});
        placings += choose_[4][a] * choose_[24][men0 - a] * choose_[4][b] *
                    choose_[24 - (men0 - a)][men1 - b];
      }
    }
    const int left = 32 - men0 - men1;
    c.ways[0] = choose_[left][kings0];
    c.ways[1] = choose_[left - kings0][kings1];
    c.size = 2 * placings * c.ways[0] * c.ways[1];
    return c;
  }

  // The index of this placement of pieces on the squares that are not `taken`.
  std::uint64_t rank(std::uint32_t pieces, std::uint32_t taken) const {
    std::uint64_t r = 0;
    for (int k = 1; pieces; pieces &= pieces - 1, ++k) {
      const int square = std::countr_zero(pieces);
      r += choose_[square - std::popcount(taken & ((1u << square) - 1))][k];
    }
    return r;
  }

  std::uint32_t unrank(std::uint64_t r, int pieces, std::uint32_t taken) const {
    std::uint32_t found = 0;
    int place = 32 - std::popcount(taken) - 1;
    for (int k = pieces; k > 0; --k, --place) {
      while (choose_[place][k] > r) --place;
      r -= choose_[place][k];
      found |= 1u << nth_free(place, taken);
    }
    return found;
  }

  // The square that has `place` free ones below it.
  static int nth_free(int place, std::uint32_t taken) {
    for (; taken; taken &= taken - 1) {
      if (std::countr_zero(taken) > place) break;
      ++place;
    }
    return place;
  }

  template <int Side>
  int before(const State& s, State* out, int capacity) const {
    const Set empty = empty_of(s);
    int n = 0;
    for (int d = 0; d < 4; ++d) {
      for (Set to = movers(s, Side, d) & step(empty, d); to; to &= to - 1) {
        const Set at = to & -to, moved = at | unstep(at, d);
        State back = s;
        back.side[Side] ^= moved;
        if (s.kings & at) back.kings ^= moved;
        back.mover = Side;
        back.quiet = 0;
        if (all_jumpers<Side>(back, empty_of(back))) continue;  // it had to capture
        if (n < capacity) out[n] = back;
        ++n;
      }
    }
    return n;
  }

  int most_;
  std::uint64_t choose_[33][kMost + 1] = {};
  int number_[(kMost + 1) * (kMost + 1) * (kMost + 1) * (kMost + 1)];
  std::vector<Class> classes_;
};

// The contract's functions over a rules class that has its `numbering()`.
template <class Rules>
Endgames endgames_of(const Numbering& numbering) {
  Endgames e;
  e.classes = numbering.classes();
  e.class_of = [](const void* self, const void* state) {
    return static_cast<const Rules*>(self)->numbering().class_of(*static_cast<const State*>(state));
  };
  e.name = [](const void* self, int number) {
    return static_cast<const Rules*>(self)->numbering().name(number);
  };
  e.size = [](const void* self, int number) {
    return static_cast<const Rules*>(self)->numbering().size(number);
  };
  e.index = [](const void* self, const void* state) {
    return static_cast<const Rules*>(self)->numbering().index(*static_cast<const State*>(state));
  };
  e.position = [](const void* self, int number, std::uint64_t index, void* state) {
    const Numbering& n = static_cast<const Rules*>(self)->numbering();
    *static_cast<State*>(state) = n.position(number, index);
    return true;
  };
  e.before = [](const void* self, const void* state, void* out, int capacity) {
    const Numbering& n = static_cast<const Rules*>(self)->numbering();
    return n.before(*static_cast<const State*>(state), static_cast<State*>(out), capacity);
  };
  e.pieces = [](const void* self, int number) {
    return static_cast<const Rules*>(self)->numbering().pieces(number);
  };
  return e;
}

}  // namespace zermelo::checkers
