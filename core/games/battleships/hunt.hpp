// The expected cost of the rest of the game while no ship is hit.
//
// A hunt is the set of free cells and the ships afloat. It has two features per ship: the number of
// its remaining placements, and the expected misses to find it alone by shooting at the cell with
// the most placements. The misses to come are a weighted sum of these, with weights by the set of
// ships afloat, fitted by `zermelo.learn.battleships`.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "sea.hpp"

namespace zermelo::battleships {

// By the ships afloat, a bit each: a constant, for every ship what a placement and what a miss of
// the lone search count, and what chasing it costs once it is hit.
struct Worth {
  static constexpr int kRow = 1 + 3 * kMostShips;
  float of[1 << kMostShips][kRow];
};

class Hunt {
 public:
  // The features of a ship of some length.
  struct Lone {
    int placements = 0;
    float misses = 0;
  };
  using Known = std::array<Lone, kMostLength + 1>;  // by length

  Hunt(const Sea& sea, const Worth& worth) : sea_(sea), worth_(worth) {
    for (int ship = 0; ship < sea.ships(); ++ship) {
      Ways& ways = ways_[sea.length(ship)];
      if (!ways.cells.empty()) continue;
      ways.cells.reserve(sea.placements(ship).size());
      for (const Cells& p : sea.placements(ship)) {
        int n = 0;
        std::array<std::uint8_t, kMostLength> cells{};
        p.each([&](int cell) {
          cells[n++] = static_cast<std::uint8_t>(cell);
          ways.over[cell][ways.many[cell]++] = static_cast<std::uint8_t>(ways.cells.size());
        });
        ways.cells.push_back(cells);
      }
    }
  }

  // The ships afloat and the cells that were shot at, from which the rest is computed.
  void begin(unsigned afloat, const Cells& shot) {
    shot_ = shot, lengths_ = 0;
    for (int ship = 0; ship < sea_.ships(); ++ship) {
      if (afloat >> ship & 1) lengths_ |= 1u << sea_.length(ship);
    }
    each_length([&](int length) {
      Left& left = left_[length];
      const Ways& ways = ways_[length];
      left = {};
      for (std::size_t p = 0; p < ways.cells.size(); ++p) {
        bool clear = true;
        for (int i = 0; i < length; ++i) clear &= !shot.has(ways.cells[p][i]);
        left.lies[p] = clear, left.n += clear;
        for (int i = 0; clear && i < length; ++i) ++left.over[ways.cells[p][i]];
      }
      known_[length] = lone(length, left);
    });
  }

  const Known& known() const { return known_; }
  // The same when these were shot at too, and no ship of the hunt was there.
  Known known_after(const Cells& shot) const {
    Known known = known_;
    const Cells more = shot & ~shot_;
    each_length([&](int length) {
      bool less = false;
      more.each([&](int cell) { less |= left_[length].over[cell] > 0; });
      if (!less) return;
      Left left = left_[length];
      more.each([&](int cell) { strike(length, left, cell); });
      known[length] = lone(length, left);
    });
    return known;
  }

  // The misses to come.
  double value(unsigned afloat, const Known& known) const {
    if (!afloat) return 0;
    const unsigned ships = first_of_equals(afloat);
    const float* weight = worth_.of[ships];
    double sum = weight[0];
    for (int ship = 0; ship < sea_.ships(); ++ship) {
      if (!(ships >> ship & 1)) continue;
      const Lone& lone = known[sea_.length(ship)];
      sum += weight[1 + ship] * lone.placements + weight[1 + kMostShips + ship] * lone.misses;
    }
    return sum;
  }
  // The same when one of the ships has just been hit.
  double value_hit(unsigned afloat, int ship, const Known& known) const {
    const unsigned ships = first_of_equals(afloat);
    return worth_.of[ships][1 + 2 * kMostShips + slot(ships, ship)] +
           value(afloat & ~(1u << ship), known);
  }
  // The same before a shot, weighted by the probability of each ship at the cell.
  double value_shot(unsigned afloat, const double* odds, const Known& after) const {
    double sum = 0, miss = 1;
    for (int ship = 0; ship < sea_.ships(); ++ship) {
      if (!(afloat >> ship & 1) || odds[ship] <= 0) continue;
      miss -= odds[ship];
      sum += odds[ship] * value_hit(afloat, ship, after);
    }
    return miss > 1e-9 ? sum + miss * (1 + value(afloat, after)) : sum;
  }

  // Ships of one length are alike: of some of them afloat the first are meant.
  unsigned first_of_equals(unsigned afloat) const {
    for (int again = 1; again < sea_.ships(); ++again) {
      for (int ship = 1; ship < sea_.ships(); ++ship) {
        const bool moves = sea_.length(ship) == sea_.length(ship - 1) && (afloat >> ship & 1) &&
                           !(afloat >> (ship - 1) & 1);
        if (moves) afloat ^= 3u << (ship - 1);
      }
    }
    return afloat;
  }
  // The index of a ship's weights.
  int slot(unsigned ships, int ship) const {
    while (!(ships >> ship & 1) && ship > 0 && sea_.length(ship - 1) == sea_.length(ship)) --ship;
    return ship;
  }

 private:
  static constexpr int kWide = 128;  // cells, so that counts are compared many at once
  static constexpr int kMostWays = 256;

  struct Ways {
    std::vector<std::array<std::uint8_t, kMostLength>> cells;
    std::uint8_t over[kMostCells][2 * kMostLength], many[kMostCells];  // those over each cell
  };
  struct Left {
    std::uint8_t over[kWide];  // placements over each cell
    bool lies[kMostWays];
    int n;
  };

  template <class F>
  void each_length(F f) const {
    for (unsigned rest = lengths_; rest; rest &= rest - 1) f(std::countr_zero(rest));
  }

  void strike(int length, Left& left, int cell) const {
    const Ways& ways = ways_[length];
    for (int i = 0; i < ways.many[cell]; ++i) {
      const int p = ways.over[cell][i];
      if (!left.lies[p]) continue;
      left.lies[p] = false, --left.n;
      for (int k = 0; k < length; ++k) --left.over[ways.cells[p][k]];
    }
  }

  Lone lone(int length, Left left) const {
    Lone found{left.n, 0};
    long sum = 0;
    while (left.n) {
      std::uint8_t most = 0;
      for (const std::uint8_t n : left.over) most = n > most ? n : most;
      const void* at = std::memchr(left.over, most, kWide);
      strike(length, left, static_cast<int>(static_cast<const std::uint8_t*>(at) - left.over));
      sum += left.n;
    }
    if (found.placements) found.misses = static_cast<float>(sum) / found.placements;
    return found;
  }

  const Sea& sea_;
  const Worth& worth_;
  Ways ways_[kMostLength + 1] = {};
  Cells shot_;
  unsigned lengths_ = 0;
  Left left_[kMostLength + 1];
  Known known_;
};

}  // namespace zermelo::battleships
