// A transposition table: what is known of positions met before, shared by all threads of a search.
//
// Four entries of 16 bytes share a cache line. A new position replaces its own entry, else one from
// an earlier search, else the one whose subtree was smallest. There are no locks: an entry's first
// word is stored as the exclusive or of both, so that two halves of different entries do not match.
//
//      first  | key (40 high bits) | depth 10 | work 6 | bound 2 | estimate 1 | generation 5 |
//      second | value (float) 32   | action 32 |
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <new>

#include "../game.hpp"
#include "../result.hpp"
#include "hash.hpp"

namespace zermelo {

class Table {
 public:
  static constexpr int kDeepest = 1023;
  static constexpr std::size_t kLargePages = std::size_t{32} << 20;

  struct Entry {
    double value = 0;
    Action action = 0;           // the best found
    int depth = 0;               // searched this far below, kDeepest at most
    Bound bound = Bound::exact;  // exact, lower or upper
    bool estimate = false;       // an evaluation had its say
  };

  explicit Table(std::size_t megabytes) {
    const std::size_t bytes = std::max<std::size_t>(megabytes << 20, sizeof(Cluster));
    mask_ = std::bit_floor(bytes / sizeof(Cluster)) - 1;
    // Zeroed pages come from the system as they are touched: a large table costs a small search
    // little. Large pages save most of the misses of the processor's own tables.
    size_ = (mask_ + 1) * sizeof(Cluster);
    void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (size_ >= kLargePages) madvise(memory, size_, MADV_HUGEPAGE);
#endif
    clusters_ = static_cast<Cluster*>(memory);
  }

  ~Table() { munmap(clusters_, size_); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Forgets everything, without touching the memory.
  void clear() { generation_ = generation_ % 31 + 1; }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&clusters_[mix(key) & mask_]); }

  bool find(std::uint64_t key, Entry& found) const {
    const std::uint64_t h = mix(key);
    for (const Slot& slot : clusters_[h & mask_].slots) {
      const std::uint64_t second = slot.second.load(std::memory_order_relaxed);
      const std::uint64_t first = slot.first.load(std::memory_order_relaxed) ^ second;
      if ((first ^ h) >> 24 || (first & 31) != generation_) continue;
      found.value = std::bit_cast<float>(static_cast<std::uint32_t>(second >> 32));
      found.action = static_cast<Action>(second);
      found.depth = first >> 14 & 1023;
      found.bound = static_cast<Bound>(first >> 6 & 3);
      found.estimate = first >> 5 & 1;
      return true;
    }
    return false;
  }

  // `work`: nodes below. A value that a float cannot hold is not stored.
  void store(std::uint64_t key, const Entry& e, std::uint64_t work) {
    const auto value = static_cast<float>(e.value);
    if (value != e.value) return;
    const std::uint64_t h = mix(key);
    const std::uint64_t size = std::min<std::uint64_t>(63, std::bit_width(work));
    const std::uint64_t depth = std::clamp(e.depth, 0, kDeepest);
    const std::uint64_t first = (h >> 24 << 24) | depth << 14 | size << 8 |
                                static_cast<std::uint64_t>(e.bound) << 6 |
                                static_cast<std::uint64_t>(e.estimate) << 5 | generation_;
    const std::uint64_t second =
        std::uint64_t{std::bit_cast<std::uint32_t>(value)} << 32 | e.action;
    Slot* victim = nullptr;
    unsigned least = 1000;
    for (Slot& slot : clusters_[h & mask_].slots) {
      const std::uint64_t there =
          slot.first.load(std::memory_order_relaxed) ^ slot.second.load(std::memory_order_relaxed);
      const bool stale = (there & 31) != generation_;
      if (!stale && (there ^ h) >> 24 == 0) {
        victim = &slot;
        break;
      }
      const unsigned worth = stale ? 0 : 1 + (there >> 8 & 63);
      if (worth < least) least = worth, victim = &slot;
    }
    victim->first.store(first ^ second, std::memory_order_relaxed);
    victim->second.store(second, std::memory_order_relaxed);
  }

 private:
  struct Slot {
    std::atomic<std::uint64_t> first, second;
  };
  struct alignas(64) Cluster {
    Slot slots[4];
  };
  std::uint64_t generation_ = 1;  // 1 to 31; 0 is empty memory
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
  Cluster* clusters_ = nullptr;
};

}  // namespace zermelo
