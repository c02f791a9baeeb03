// Patterns larger than 3x3: the stones within a distance of a point, up to rotation, reflection and
// exchange of colours. A learned table maps the hash of a pattern to its weight.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "../../parts/hash.hpp"
#include "board.hpp"

namespace zermelo::go {

// Weights by hash, with open addressing.
class ShapeTable {
 public:
  struct Entry {
    std::uint64_t hash;
    float weight;
  };
  static constexpr std::size_t kMost = 1 << 22;

  void fill(const std::vector<Entry>& entries) {
    std::size_t size = 16;
    while (size < 2 * entries.size()) size *= 2;
    slots_.assign(size, {0, 0});
    for (const Entry& e : entries) {
      std::size_t i = e.hash & (size - 1);
      while (slots_[i].weight != 0 && slots_[i].hash != e.hash) i = (i + 1) & (size - 1);
      slots_[i] = e;
    }
  }
  bool empty() const { return slots_.empty(); }
  // 0: not in the table.
  float find(std::uint64_t hash) const {
    for (std::size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].weight == 0 || slots_[i].hash == hash) return slots_[i].weight;
    }
  }

 private:
  std::vector<Entry> slots_;  // weight 0: free
};

// The distance dx + dy + max(dx, dy) of the patterns of each level. 3x3 would be 3.
inline constexpr int kShapeLevels = 3;
inline constexpr std::uint64_t kNoShape = ~std::uint64_t{0};  // in place of a hash
inline constexpr int kShapeRadius[kShapeLevels] = {4, 6, 8};

namespace shape {

struct Offset {
  int row, column;
  bool operator==(const Offset&) const = default;
};
constexpr int distance(Offset o) {
  const int dx = o.column < 0 ? -o.column : o.column, dy = o.row < 0 ? -o.row : o.row;
  return dx + dy + std::max(dx, dy);
}
inline constexpr int kReach = 4;  // rows and columns of the largest radius
constexpr int count_within(int radius) {
  int count = 0;
  for (int r = -kReach; r <= kReach; ++r) {
    for (int c = -kReach; c <= kReach; ++c) count += (r || c) && distance({r, c}) <= radius;
  }
  return count;
}
inline constexpr int kPoints = count_within(kShapeRadius[kShapeLevels - 1]);

// By distance.
inline constexpr std::array<Offset, kPoints> kOffsets = [] {
  std::array<Offset, kPoints> list{};
  int count = 0;
  for (int d = 2; d <= kShapeRadius[kShapeLevels - 1]; ++d) {
    for (int r = -kReach; r <= kReach; ++r) {
      for (int c = -kReach; c <= kReach; ++c) {
        if (distance({r, c}) == d) list[count++] = {r, c};
      }
    }
  }
  return list;
}();

constexpr Offset image(Offset o, int symmetry) {
  if (symmetry & 1) o.row = -o.row;
  if (symmetry & 2) o.column = -o.column;
  if (symmetry & 4) std::swap(o.row, o.column);
  return o;
}

// The key of a colour at an offset, under each symmetry.
struct Keys {
  std::uint64_t of[kPoints][4][8];
};
inline const Keys& keys() {
  static const Keys instance = [] {
    Keys k{};
    for (int i = 0; i < kPoints; ++i) {
      for (int symmetry = 0; symmetry < 8; ++symmetry) {
        const Offset o = image(kOffsets[i], symmetry);
        const auto place = static_cast<std::uint64_t>((o.row + kReach) * 16 + o.column + kReach);
        for (std::uint64_t colour = 0; colour < 4; ++colour) {
          // An empty point counts as nothing.
          k.of[i][colour][symmetry] =
              colour == kEmpty ? 0 : mix(0x53484150455359ULL + place * 4 + colour);
        }
      }
    }
    return k;
  }();
  return instance;
}

}  // namespace shape

template <int N>
class Shapes {
  using B = Board<N>;

 public:
  explicit Shapes(int size) : keys_(&shape::keys()), near_(B::kPoints) {
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) {
        auto& near = near_[B::at(row, column)];
        for (int i = 0; i < shape::kPoints; ++i) {
          const int r = row + shape::kOffsets[i].row, c = column + shape::kOffsets[i].column;
          const bool inside = r >= 0 && r < size && c >= 0 && c < size;
          near[i] = inside ? B::at(r, c) : Point{0};  // point 0 is on the border
        }
      }
    }
  }

  // Calls visit(level, hash) for the pattern of each level around a point, as the mover sees it,
  // until it returns false.
  template <class Visit>
  void each(const B& s, Point p, const Visit& visit) const {
    std::uint64_t hash[8] = {};
    const auto& near = near_[p];
    int i = 0;
    for (int level = 0; level < kShapeLevels; ++level) {
      for (; i < kCount[level]; ++i) {
        const int seen = s.colour[near[i]];
        if (seen == kEmpty) continue;
        const int colour = seen == kBorder ? kBorder : seen ^ s.mover;
        const std::uint64_t* const key = keys_->of[i][colour];
        for (int k = 0; k < 8; ++k) hash[k] ^= key[k];
      }
      const std::uint64_t least = *std::min_element(hash, hash + 8);
      if (!visit(level, mix(least + static_cast<std::uint64_t>(level)))) return;
    }
  }

 private:
  static constexpr int kCount[kShapeLevels] = {shape::count_within(kShapeRadius[0]),
                                               shape::count_within(kShapeRadius[1]),
                                               shape::count_within(kShapeRadius[2])};
  const shape::Keys* keys_;
  std::vector<std::array<Point, shape::kPoints>> near_;
};

}  // namespace zermelo::go
