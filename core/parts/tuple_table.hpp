// A transposition table for multi-player games: one value per player.
//
// Two slots share a bucket: a position replaces its own slot, else an empty one, else the one with
// less work below. A slot is a Head followed by one double per player.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "../game.hpp"
#include "../result.hpp"
#include "hash.hpp"

namespace zermelo {

class TupleTable {
 public:
  struct Head {
    std::uint64_t key;
    std::uint64_t work;  // nodes below; 0: an empty slot
    Action action;       // the best found
    std::int32_t depth;
    Bound bound;    // of the value of the player at the root
    bool estimate;  // based on a heuristic evaluation

    const double* values() const { return reinterpret_cast<const double*>(this + 1); }
    double* values() { return reinterpret_cast<double*>(this + 1); }
  };

  TupleTable(std::size_t megabytes, int players)
      : players_(players), stride_(sizeof(Head) + players * sizeof(double)) {
    const std::size_t slots = std::max<std::size_t>((megabytes << 20) / stride_, 2);
    mask_ = std::bit_floor(slots) - 1;
    memory_ = std::make_unique<std::byte[]>((mask_ + 1) * stride_);  // zeroed
  }

  const Head* find(std::uint64_t key) const {
    const std::uint64_t h = mix(key);
    for (const std::uint64_t i : {h & mask_, (h & mask_) ^ 1}) {
      const Head* head = at(i);
      if (head->work && head->key == key) return head;
    }
    return nullptr;
  }

  void store(const Head& what, const double* values) {
    const std::uint64_t h = mix(what.key);
    Head* one = at(h & mask_);
    Head* two = at((h & mask_) ^ 1);
    if (two->work && two->key == what.key) std::swap(one, two);
    if (!(one->work && one->key == what.key) && two->work < one->work) one = two;
    *one = what;
    std::copy_n(values, players_, one->values());
  }

 private:
  Head* at(std::uint64_t i) const { return reinterpret_cast<Head*>(memory_.get() + i * stride_); }

  int players_;
  std::size_t stride_;
  std::uint64_t mask_;
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace zermelo
