// Where few fleets fit: how many misses a first shot costs if the likeliest cell follows each time.
//
// The answers divide the fleets, so this is a walk through a tree whose leaves are single fleets;
// no chance is left in it. Taking the first shot with the fewest misses is never worse than the
// likeliest cell, and looks as far ahead as the game lasts.
#pragma once

#include "fleets.hpp"

namespace zermelo::battleships {

class Plan {
 public:
  Plan(const Sea& sea, const std::vector<Fleet>& fleets) : sea_(sea), fleets_(fleets) {}

  // All misses to come, summed over the fleets, if `cell` is shot at first.
  long misses(const Cells& shot, int cell) {
    order_.resize(fleets_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
    return after(0, order_.size(), shot, cell);
  }

 private:
  static constexpr int kAnswers = 2 + kMostShips;

  // The fleets order_[from … to) agree with all answers so far.
  long best(std::size_t from, std::size_t to, const Cells& shot) {
    if (to - from < 2) return 0;
    int count[kMostCells] = {}, most = 0, cell = -1;
    for (std::size_t i = from; i < to; ++i) {
      (fleets_[order_[i]].all & ~shot).each([&](int c) { ++count[c]; });
    }
    for (int c = 0; c < sea_.cells(); ++c) {
      if (count[c] > most) most = count[c], cell = c;
    }
    return cell < 0 ? 0 : after(from, to, shot, cell);
  }

  // A shot, and on with each of its answers by itself.
  long after(std::size_t from, std::size_t to, const Cells& shot, int cell) {
    const Cells now = shot | Cells::one(cell);
    std::size_t many[kAnswers + 1] = {};
    for (std::size_t i = from; i < to; ++i) ++many[answer(fleets_[order_[i]], now, cell) + 1];
    if (many[1] == to - from) return static_cast<long>(to - from) + best(from, to, now);
    for (int a = 0; a < kAnswers; ++a) many[a + 1] += many[a];
    std::vector<std::uint32_t> sorted(to - from);  // by answer
    std::size_t at[kAnswers];
    std::copy_n(many, kAnswers, at);
    for (std::size_t i = from; i < to; ++i) {
      sorted[at[answer(fleets_[order_[i]], now, cell)]++] = order_[i];
    }
    std::copy(sorted.begin(), sorted.end(), order_.begin() + static_cast<std::ptrdiff_t>(from));
    long sum = static_cast<long>(many[1]);
    for (int a = 0; a < kAnswers; ++a) sum += best(from + many[a], from + many[a + 1], now);
    return sum;
  }

  // 0 miss, 1 hit, 2 + ship where it sinks.
  int answer(const Fleet& fleet, const Cells& shot, int cell) const {
    if (!fleet.all.has(cell)) return 0;
    int ship = 0;
    while (!fleet.ship[ship].has(cell)) ++ship;
    return within(fleet.ship[ship], shot) ? 2 + ship : 1;
  }

  const Sea& sea_;
  const std::vector<Fleet>& fleets_;
  std::vector<std::uint32_t> order_;
};

}  // namespace zermelo::battleships
