// All positions of a small board, numbered by class of symmetric positions, for exact solving.
//
// A set of points is a mask with bit row * n + column. A position has a code in base 3; the least
// code of its eight images stands for the class.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <unordered_map>
#include <vector>

#include "../../superko.hpp"
#include "board.hpp"

namespace zermelo::go {

inline constexpr int kMostNumbered = 4;  // the largest side of a board that is numbered

// Points, chains and captures of a small board.
class SmallBoard {
 public:
  using Points = std::uint32_t;
  struct Stones {
    Points of[2];
  };

  SmallBoard(int size, bool suicide)
      : n_(size), all_((Points{1} << size * size) - 1), suicide_(suicide) {
    for (int p = 0; p < n_ * n_; ++p) {
      const int row = p / n_, column = p % n_;
      near_[p] = (row > 0 ? bit(p - n_) : 0) | (row + 1 < n_ ? bit(p + n_) : 0) |
                 (column > 0 ? bit(p - 1) : 0) | (column + 1 < n_ ? bit(p + 1) : 0);
    }
  }

  static Points bit(int p) { return Points{1} << p; }
  int size() const { return n_; }
  Points all() const { return all_; }
  Points empty(const Stones& s) const { return all_ & ~(s.of[0] | s.of[1]); }

  Points beside(Points points) const {
    Points found = 0;
    for (; points; points &= points - 1) found |= near_[std::countr_zero(points)];
    return found;
  }
  Points connected(Points seed, Points within) const {
    for (Points before = 0; before != seed;) {
      before = seed;
      seed |= beside(seed) & within;
    }
    return seed;
  }
  // The stones of the chains of `stones` that touch `touched` and have no liberty in `empty`.
  Points dead(Points stones, Points touched, Points empty) const {
    Points found = 0;
    for (Points left = stones & touched; left;) {
      const Points chain = connected(left & -left, stones);
      if (!(beside(chain) & empty)) found |= chain;
      left &= ~chain;
    }
    return found;
  }
  bool legal(const Stones& s) const {
    return !dead(s.of[0], all_, empty(s)) && !dead(s.of[1], all_, empty(s));
  }

  // The stones after a play at an empty point. False: illegal whatever the history.
  bool play(Stones& s, int player, int p) const {
    Points &own = s.of[player], &other = s.of[1 - player];
    own |= bit(p);
    other &= ~dead(other, near_[p], empty(s));
    const Points lost = dead(own, bit(p), empty(s));
    own &= ~lost;
    return !lost || (suicide_ && lost != bit(p));
  }

  // Black's stones and empty regions less White's.
  int area(const Stones& s) const {
    int total = std::popcount(s.of[0]) - std::popcount(s.of[1]);
    const Points open = empty(s);
    for (Points left = open; left;) {
      const Points region = connected(left & -left, open), border = beside(region);
      const bool black = border & s.of[0], white = border & s.of[1];
      total += (black - white) * std::popcount(region);
      left &= ~region;
    }
    return total;
  }

  // The point that one of the eight symmetries maps p to.
  int image(int symmetry, int p) const {
    int row = p / n_, column = p % n_;
    if (symmetry & 1) row = n_ - 1 - row;
    if (symmetry & 2) column = n_ - 1 - column;
    if (symmetry & 4) std::swap(row, column);
    return row * n_ + column;
  }

 private:
  int n_;
  Points all_;
  bool suicide_;
  Points near_[kMostNumbered * kMostNumbered];
};

// The legal positions of a board and their numbers.
class Numbering {
 public:
  using Number = SuperkoGraph::Number;
  using Stones = SmallBoard::Stones;
  using Points = SmallBoard::Points;

  Numbering(const SmallBoard& board, const std::function<void()>& tick) : board_(board) {
    make_codes();
    numbers_.assign(code_[board.all()] * 2 + 1, 0);
    for (Points black = 0; black <= board.all(); ++black) {
      if (black % 256 == 0) tick();
      const Points rest = board.all() & ~black;
      for (Points white = rest;; white = (white - 1) & rest) {
        add({{black, white}});
        if (!white) break;
      }
    }
  }

  Number size() const { return static_cast<Number>(stones_.size()); }
  Stones stones(Number n) const { return {{stones_[n].of[0], stones_[n].of[1]}}; }
  Number of(const Stones& s) const { return numbers_[code(s)]; }

 private:
  void make_codes() {
    const int points = board_.size() * board_.size();
    code_.resize(std::size_t{1} << points);
    images_.resize(code_.size());
    std::uint32_t power = 1;
    for (int p = 0; p < points; ++p, power *= 3) {
      for (Points low = 0; low < SmallBoard::bit(p); ++low) {
        const Points mask = low | SmallBoard::bit(p);
        code_[mask] = code_[low] + power;
        for (int i = 0; i < 8; ++i) {
          const int to = board_.image(i, p);
          images_[mask][i] = static_cast<std::uint16_t>(images_[low][i] | SmallBoard::bit(to));
        }
      }
    }
  }

  std::uint32_t code(const Stones& s) const { return code_[s.of[0]] + 2 * code_[s.of[1]]; }

  // Numbers the class of a position, unless it is illegal or another image has the least code.
  void add(const Stones& s) {
    std::uint32_t codes[8];
    for (int i = 0; i < 8; ++i) {
      codes[i] = code({{images_[s.of[0]][i], images_[s.of[1]][i]}});
      if (codes[i] < codes[0]) return;
    }
    if (!board_.legal(s)) return;
    for (const std::uint32_t c : codes) numbers_[c] = size();
    stones_.push_back({{static_cast<std::uint16_t>(s.of[0]), static_cast<std::uint16_t>(s.of[1])}});
  }

  struct Packed {
    std::uint16_t of[2];
  };
  const SmallBoard& board_;
  std::vector<std::uint32_t> code_;                   // of a mask: the sum of powers of 3
  std::vector<std::array<std::uint16_t, 8>> images_;  // of a mask
  std::vector<Number> numbers_;                       // by code; meaningless for illegal positions
  std::vector<Packed> stones_;                        // by number
};

// The view of Go that the exact solver takes.
template <class Rules>
class Positions final : public SuperkoGraph {
  using State = typename Rules::State;
  using Stones = SmallBoard::Stones;

 public:
  Positions(const Rules& rules, bool suicide, const std::function<void()>& tick)
      : rules_(rules), board_(rules.size(), suicide), numbering_(board_, tick) {}

  Number size() const override { return numbering_.size(); }

  void plays(Number position, int player, std::vector<Number>& out) const override {
    const Stones from = numbering_.stones(position);
    for (auto left = board_.empty(from); left; left &= left - 1) {
      Stones to = from;
      if (board_.play(to, player, std::countr_zero(left))) out.push_back(numbering_.of(to));
    }
  }

  double score(Number position) const override {
    return rules_.worth(board_.area(numbering_.stones(position)));
  }

  double assured(Number position, int player) const override {
    const Stones s = numbering_.stones(position);
    const int safe = std::popcount(rules_.safe(padded(s.of[player]), padded(board_.empty(s))));
    const int least = 2 * safe - std::popcount(board_.all());
    return rules_.worth(player == kBlack ? least : -least);
  }

  Number position(const void* state) const override {
    const State& s = *static_cast<const State*>(state);
    Stones stones{};
    for (int p = 0; p < points(); ++p) {
      const int colour = s.colour[rules_.point(static_cast<Action>(p))];
      if (colour != kEmpty) stones.of[colour] |= SmallBoard::bit(p);
    }
    return numbering_.of(stones);
  }

  int passes(const void* state) const override { return static_cast<const State*>(state)->passes; }

  // The state has hashes of the earlier positions. A hash is the sum (xor) of the hashes of the two
  // halves of the board, so a list of one half's hashes is enough to find the stones.
  std::vector<Number> history(const void* state) const override {
    const State& s = *static_cast<const State*>(state);
    const int middle = points() / 2;
    const auto low = half(0, middle), high = half(middle, points());
    std::vector<Number> found;
    for (int i = 0; i < s.length; ++i) {
      for (const auto& [hash, stones] : high) {
        const auto other = low.find(s.history[i] ^ hash);
        if (other == low.end()) continue;
        const Stones& rest = other->second;
        const Stones all{{stones.of[0] | rest.of[0], stones.of[1] | rest.of[1]}};
        if (board_.legal(all)) found.push_back(numbering_.of(all));
      }
    }
    return found;
  }

  // A move places at most one stone.
  int moves_left(const void* state) const override {
    return rules_.limit() - static_cast<const State*>(state)->length;
  }

 private:
  int points() const { return board_.size() * board_.size(); }

  // The points in the layout of the padded board.
  Mask padded(SmallBoard::Points points) const {
    Mask mask = 0;
    for (; points; points &= points - 1) {
      mask |= Mask{1} << rules_.point(static_cast<Action>(std::countr_zero(points)));
    }
    return mask;
  }

  // All colourings of the points from `first` to before `last`, by hash.
  std::unordered_map<std::uint64_t, Stones> half(int first, int last) const {
    std::unordered_map<std::uint64_t, Stones> all{{0, Stones{}}};
    for (int p = first; p < last; ++p) {
      const std::vector<std::pair<std::uint64_t, Stones>> before(all.begin(), all.end());
      for (const auto& [hash, stones] : before) {
        for (int colour = 0; colour < 2; ++colour) {
          Stones more = stones;
          more.of[colour] |= SmallBoard::bit(p);
          all[hash ^ State::zobrist(rules_.point(static_cast<Action>(p)), colour)] = more;
        }
      }
    }
    return all;
  }

  const Rules& rules_;
  SmallBoard board_;
  Numbering numbering_;
};

}  // namespace zermelo::go
