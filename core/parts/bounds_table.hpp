// A transposition table for values that are averages: both bounds of a value, as doubles (a Table
// stores floats, which cannot represent most averages). For a single thread.
//
// Two entries of 32 bytes share a cache line: the first is depth-preferred, the second
// is always replaced.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "../game.hpp"
#include "hash.hpp"

namespace zermelo {

class BoundsTable {
 public:
  static constexpr int kDeepest = 65535;

  struct Entry {
    std::uint64_t key;
    double low, high;     // the value lies between them
    Action action;        // the best found
    std::uint16_t depth;  // search depth below, kDeepest at most
    std::uint8_t layers;  // of sampled chance nodes below
    bool final : 1;       // no depth limit was reached: valid for deeper searches too
    bool used : 1;
    bool holds(int at) const { return depth == at || (final && depth < at); }
  };

  explicit BoundsTable(std::size_t megabytes) {
    const std::size_t count = std::max<std::size_t>((megabytes << 20) / sizeof(Cluster), 1);
    mask_ = std::bit_floor(count) - 1;
    // Zeroed pages come from the system as they are touched.
    clusters_.reset(static_cast<Cluster*>(std::calloc(mask_ + 1, sizeof(Cluster))));
    if (!clusters_) throw std::bad_alloc();
  }

  const Entry* find(std::uint64_t key) const {
    for (const Entry& e : clusters_[mix(key) & mask_].entries) {
      if (e.used && e.key == key) return &e;
    }
    return nullptr;
  }

  void store(const Entry& e) {
    Entry* const two = clusters_[mix(e.key) & mask_].entries;
    for (int i = 0; i < 2; ++i) {
      if (!two[i].used || two[i].key != e.key) continue;
      Entry merged = e;
      if (two[i].holds(e.depth)) {  // both bounds do
        merged.low = std::max(e.low, two[i].low);
        merged.high = std::min(e.high, two[i].high);
      }
      two[i] = merged;
      return;
    }
    const bool deeper = !two[0].used || e.depth >= two[0].depth;
    if (deeper && two[0].used) two[1] = two[0];
    two[deeper ? 0 : 1] = e;
  }

 private:
  struct Cluster {
    Entry entries[2];
  };
  struct Free {
    void operator()(Cluster* p) const { std::free(p); }
  };
  static_assert(sizeof(Cluster) == 64);

  std::size_t mask_ = 0;
  std::unique_ptr<Cluster[], Free> clusters_;
};

}  // namespace zermelo
