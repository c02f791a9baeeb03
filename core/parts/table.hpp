// The transposition table, shared by all threads of a search.
//
// Four entries of 16 bytes share a cache line. A new position replaces its own entry, else one from
// an earlier search, else the one with the smallest subtree (in a table that is reused, older
// entries count half). There are no locks: an entry's first
// word is stored as the exclusive or of both, so that two halves of different entries do not match.
//
//      first  | key (40 high bits) | depth 10 | work 6 | bound 2 | estimate 1 | generation 5 |
//      second | value (float) 32   | action 32 |
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "../game.hpp"
#include "../platform.hpp"
#include "../result.hpp"
#include "hash.hpp"
#include "spare_pages.hpp"

namespace zermelo {

class Table {
 public:
  static constexpr int kDeepest = 1023;
  static constexpr Action kNoAction = UINT32_MAX;  // the value is known, a move is not
  static constexpr std::size_t kLargePages = std::size_t{32} << 20;

  struct Entry {
    double value = 0;
    Action action = kNoAction;   // the best found
    int depth = 0;               // search depth below, kDeepest at most
    Bound bound = Bound::exact;  // exact, lower or upper
    bool estimate = false;       // based on a heuristic evaluation
  };

  // keeps: entries of earlier searches stay valid; else each search starts with an empty table.
  explicit Table(std::size_t megabytes, bool keeps = false) : keeps_(keeps) {
    const std::size_t bytes = std::max<std::size_t>(megabytes << 20, sizeof(Cluster));
    mask_ = std::bit_floor(bytes / sizeof(Cluster)) - 1;
    size_ = (mask_ + 1) * sizeof(Cluster);
    if (!keeps_ && take_spare()) return;
    // Zeroed pages come from the system as they are touched: a large table costs a small search
    // little. Large pages save most of the misses of the processor's own tables.
    using platform::Pages;
    memory_ = Pages(size_, size_ >= kLargePages ? Pages::kLargePages : Pages::kPlain);
    clusters_ = static_cast<Cluster*>(memory_.data());
  }

  ~Table() { leave_spare(); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Starts another search.
  void age() { generation_ = generation_ % kLastGeneration + 1; }

  // Clears the table, usually without touching the memory.
  void clear() {
    if (!keeps_ && ++generation_ <= kLastGeneration) return;
    std::memset(static_cast<void*>(clusters_), 0, size_);
    generation_ = 1;
  }

  // Entries of this search per thousand.
  int fullness() const {
    constexpr int kLooked = 250;  // clusters of 4
    int full = 0;
    for (std::size_t i = 0; i < kLooked; ++i) {
      for (const Slot& slot : clusters_[i & mask_].slots) {
        const std::uint64_t first = slot.first.load(std::memory_order_relaxed) ^
                                    slot.second.load(std::memory_order_relaxed);
        full += (first & 31) == generation_;
      }
    }
    return full;
  }

  ZERMELO_ALWAYS_INLINE void prefetch(std::uint64_t key) const {
    platform::prefetch(&clusters_[mix(key) & mask_]);
  }

  bool find(std::uint64_t key, Entry& found) const {
    const std::uint64_t h = mix(key);
    for (const Slot& slot : clusters_[h & mask_].slots) {
      const std::uint64_t second = slot.second.load(std::memory_order_relaxed);
      const std::uint64_t first = slot.first.load(std::memory_order_relaxed) ^ second;
      if ((first ^ h) >> 24 || !known(first & 31)) continue;
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
      const bool stale = (there & 31) != generation_, empty = !known(there & 31);
      if (!empty && (there ^ h) >> 24 == 0) {
        victim = &slot;
        break;
      }
      const unsigned size_there = there >> 8 & 63;
      const unsigned worth = empty ? 0 : 1 + (stale ? size_there / 2 : size_there);
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
  using Spares = SparePages<Table>;

  // Entries left in a spare are of an older generation.
  bool take_spare() {
    auto spare = Spares::take(size_, kLastGeneration);
    if (!spare.memory) return false;
    memory_ = std::move(spare.memory);
    clusters_ = static_cast<Cluster*>(memory_.data());
    generation_ = spare.generation + 1;
    return true;
  }
  void leave_spare() {
    if (keeps_ || size_ > kLargestSpare) return;
    Spares::leave({std::move(memory_), generation_});
  }

  bool known(std::uint64_t generation) const {
    return keeps_ ? generation != 0 : generation == generation_;
  }

  static constexpr std::uint64_t kLastGeneration = 31;
  static constexpr std::size_t kLargestSpare = std::size_t{64} << 20;

  bool keeps_;
  std::uint64_t generation_ = 1;  // to kLastGeneration; 0 is empty memory
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
  platform::Pages memory_;
  Cluster* clusters_ = nullptr;
};

}  // namespace zermelo
