// Which moves the threads of a search are looking at just now, so that another thread can look at
// its other moves first and find these in the table later (after Kerrigan's simplified ABDADA).
//
// A hint, no lock: a mark that another one overwrote only costs a little work done twice.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "hash.hpp"

namespace zermelo {

class Busy {
 public:
  static constexpr int kLeastDepth = 3;  // below that the marks cost more than they save

  // What names a move of a position, never 0.
  static std::uint64_t mark(std::uint64_t key, std::uint32_t action) {
    return mix(key ^ (std::uint64_t{action} + 1) * 0x9e3779b97f4a7c15u) | 1;
  }

  bool has(std::uint64_t mark) const {
    for (const auto& slot : (*slots_)[mark >> kShift]) {
      if (slot.load(std::memory_order_relaxed) == mark) return true;
    }
    return false;
  }

  void begin(std::uint64_t mark) {
    Cluster& cluster = (*slots_)[mark >> kShift];
    for (auto& slot : cluster) {
      if (slot.load(std::memory_order_relaxed) != 0) continue;
      slot.store(mark, std::memory_order_relaxed);
      return;
    }
    cluster[0].store(mark, std::memory_order_relaxed);
  }

  void end(std::uint64_t mark) {
    for (auto& slot : (*slots_)[mark >> kShift]) {
      if (slot.load(std::memory_order_relaxed) == mark) slot.store(0, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr int kShift = 64 - 12;
  using Cluster = std::array<std::atomic<std::uint64_t>, 8>;
  std::unique_ptr<std::array<Cluster, 4096>> slots_ = std::make_unique<std::array<Cluster, 4096>>();
};

}  // namespace zermelo
