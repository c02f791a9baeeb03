// The grid of battleships: the placements of ships, and the number of fleets.
//
// Cell i is row i / size, column i % size. A ship of length n lies along a row or a column; it may
// touch others but not overlap them. A placement is its cells; ships of equal length are
// distinguished, because the usual rules name all five.
#pragma once

#include <algorithm>
#include <vector>

#include "../../parts/bits.hpp"
#include "../../parts/random.hpp"

namespace zermelo::battleships {

using Cells = Bits<2>;

inline constexpr int kMostSize = 11;  // 121 cells in two words
inline constexpr int kMostShips = 5;  // so that fleets can be counted exactly
inline constexpr int kMostLength = 5;
inline constexpr int kMostCells = kMostSize * kMostSize;

inline bool meets(const Cells& a, const Cells& b) {
  return ((a.word[0] & b.word[0]) | (a.word[1] & b.word[1])) != 0;
}
inline bool within(const Cells& a, const Cells& b) {
  return ((a.word[0] & ~b.word[0]) | (a.word[1] & ~b.word[1])) == 0;
}

class Sea {
 public:
  Sea(int size, std::vector<int> lengths) : size_(size), lengths_(std::move(lengths)) {
    for (const int length : lengths_) {
      std::vector<Cells> all;
      std::array<Cells, 2> fits{};
      for (int way = 0; way < (length == 1 ? 1 : 2); ++way) {
        for (int cell = 0; cell < size * size; ++cell) {
          const int step = way ? size : 1, at = way ? cell / size : cell % size;
          if (at + length > size) continue;
          Cells cells;
          for (int i = 0; i < length; ++i) cells = cells | Cells::one(cell + i * step);
          all.push_back(cells);
          fits[way] = fits[way] | Cells::one(cell);
        }
      }
      placements_.push_back(std::move(all));
      fits_.push_back(fits);
      total_ += length;
    }
  }

  int size() const { return size_; }
  int cells() const { return size_ * size_; }
  int ships() const { return static_cast<int>(lengths_.size()); }
  int length(int ship) const { return lengths_[ship]; }
  int total() const { return total_; }  // cells of all ships
  const std::vector<Cells>& placements(int ship) const { return placements_[ship]; }

  // The index of a placement.
  int number(int ship, const Cells& p) const {
    const auto& all = placements_[ship];
    return static_cast<int>(std::find(all.begin(), all.end(), p) - all.begin());
  }

  // How many ways there are to place this ship and all after it clear of `taken`. The last two are
  // counted without looking at each: all pairs less those that overlap.
  double ways(int ship, const Cells& taken) const {
    if (ship >= ships()) return 1;
    const Cells open = ~taken;
    if (ship + 1 == ships()) return starts(ship, 0, open).count() + starts(ship, 1, open).count();
    if (ship + 2 == ships()) return pairs(ship, open);
    double sum = 0;
    for (const Cells& p : placements_[ship]) {
      if (!meets(p, taken)) sum += ways(ship + 1, taken | p);
    }
    return sum;
  }

  // The same for each placement of a ship; 0 if it overlaps.
  std::vector<double> completions(int ship, const Cells& taken) const {
    const auto& all = placements_[ship];
    std::vector<double> found(all.size());
    std::vector<int> like(2 * kMostCells, -1);  // on an empty sea mirror images count alike
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (meets(all[i], taken)) continue;
      int& first = like[taken.any() ? 0 : image(ship, static_cast<int>(i))];
      if (!taken.any() && first >= 0) {
        found[i] = found[first];
      } else {
        found[i] = ways(ship + 1, taken | all[i]), first = static_cast<int>(i);
      }
    }
    return found;
  }

 private:
  int step(int way) const { return way ? size_ : 1; }
  int image(int ship, int number) const {
    const int row = size_ - lengths_[ship] + 1, way = number >= row * size_;
    const int rest = number - way * row * size_, wide = way ? size_ : row;
    const int along = way ? rest / wide : rest % wide, across = way ? rest % wide : rest / wide;
    return std::min(along, row - 1 - along) * size_ + std::min(across, size_ - 1 - across);
  }

  // The first cells of the placements that lie in `open`.
  Cells starts(int ship, int way, const Cells& open) const {
    if (way && lengths_[ship] == 1) return {};
    return run_starts(open, step(way), lengths_[ship]) & fits_[ship][way];
  }

  static int shifted(const Cells& a, const Cells& b, int by) {
    return (by >= 0 ? a & (b >> by) : (a >> -by) & b).count();
  }

  // How many ways this ship and the next, the last, lie clear of each other. Two along the same
  // line overlap by how far apart they start; two that cross do so in one cell of each.
  double pairs(int ship, const Cells& open) const {
    const int a = lengths_[ship], b = lengths_[ship + 1];
    const Cells first[2] = {starts(ship, 0, open), starts(ship, 1, open)};
    const Cells second[2] = {starts(ship + 1, 0, open), starts(ship + 1, 1, open)};
    double sum =
        double(first[0].count() + first[1].count()) * (second[0].count() + second[1].count());
    for (int way = 0; way < 2; ++way) {
      for (int d = 1 - b; d < a; ++d) sum -= shifted(first[way], second[way], d * step(way));
      for (int i = 0; i < a; ++i) {
        for (int k = 0; k < b; ++k) {
          sum -= shifted(first[way], second[!way], i * step(way) - k * step(!way));
        }
      }
    }
    return sum;
  }

  int size_, total_ = 0;
  std::vector<int> lengths_;
  std::vector<std::vector<Cells>> placements_;
  std::vector<std::array<Cells, 2>> fits_;  // the first cells from which a ship stays on the grid
};

}  // namespace zermelo::battleships
