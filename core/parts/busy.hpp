// The moves that the threads of a search are searching now. Another thread searches its other moves
// first and finds the results of these in the table later (simplified ABDADA, Kerrigan 2017).
//
// Marks are hints without locks: an overwritten mark only duplicates a little work.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "hash.hpp"

namespace zermelo {

class Busy {
 public:
  static constexpr int kLeastDepth = 3;  // at smaller depths marks cost more than they save

  // The key of a move in a position, never 0.
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
