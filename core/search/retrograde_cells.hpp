// The memory of retrograde analysis: one cell per position, and marks that say which parts of it
// have cells decided at a distance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../platform.hpp"

namespace zermelo::retrograde {

using Index = std::uint64_t;

// value 16 | open successors 16. Decided: no successor is open, and the value is not 0.
using Cell = std::uint32_t;
inline constexpr std::uint32_t kNever = 0xffff;  // never closes: a draw is available
inline constexpr int kNone = INT16_MIN;          // the value where there is no position
inline constexpr Index kStrip = 1 << 10;         // cells that share a mark

inline Cell cell(int value, std::uint32_t open) {
  return static_cast<std::uint32_t>(static_cast<std::uint16_t>(value)) << 16 | open;
}
inline int value_of(Cell c) { return static_cast<std::int16_t>(c >> 16); }
inline std::uint32_t open_of(Cell c) { return c & 0xffff; }

// In large pages, because the cells are accessed in random order.
class Cells {
 public:
  explicit Cells(Index count)
      : memory_(std::max<std::size_t>(count, 1) * sizeof(Cell), platform::Pages::kLargePages),
        cells_(static_cast<Cell*>(memory_.data())) {}
  Cell& operator[](Index i) { return cells_[i]; }

 private:
  platform::Pages memory_;
  Cell* cells_;
};

// A strip's mark has a bit for each of the next 63 distances at which one of its cells is decided;
// the lowest bit stands for distances beyond these.
class StripMarks {
 public:
  explicit StripMarks(Index cells) : marks_(cells / kStrip + 1) {}

  // Cell i is decided at `plies`; the analysis is at `distance`.
  void set(Index i, int plies, int distance) {
    const platform::RelaxedRef m(marks_[i / kStrip]);
    const std::uint64_t bit = bit_of(plies, distance);
    if (!(m.load() & bit)) m.fetch_or(bit);
  }
  // May cells in the strip of cell i be decided at `distance`? Clears the mark.
  bool due(Index i, int distance) {
    const platform::RelaxedRef m(marks_[i / kStrip]);
    const std::uint64_t bit = bit_of(distance + 1, distance);
    const std::uint64_t there = m.load();
    if (there & bit) m.fetch_and(~bit);
    return there & (bit | 1);
  }

 private:
  static std::uint64_t bit_of(int plies, int distance) {
    return plies - distance < 63 ? std::uint64_t{1} << (plies % 63 + 1) : 1;
  }

  std::vector<std::uint64_t> marks_;
};

}  // namespace zermelo::retrograde
