// A transposition table: what is known of positions met before.
//
// Replacement: four entries share a cache-line pair; a new position takes the free one, else the
// one whose subtree was smallest. A position's own entry is always renewed.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "../game.hpp"
#include "../result.hpp"
#include "hash.hpp"

namespace zermelo {

class Table {
 public:
  struct Entry {
    std::uint64_t key = 0;
    double value = 0;
    std::int32_t depth = 0;        // searched this far below
    Action action = 0;             // the best found
    std::uint32_t work = 0;        // nodes below it, saturating
    Bound bound = Bound::exact;    // exact, lower or upper
    bool estimate = false;         // an evaluation had its say
    std::uint16_t generation = 0;  // 0: empty
  };

  explicit Table(std::size_t megabytes) {
    std::size_t buckets = megabytes * (std::size_t{1} << 20) / sizeof(Bucket);
    buckets = std::bit_floor(std::max<std::size_t>(buckets, 1));
    mask_ = buckets - 1;
    // Zeroed pages come from the system as they are touched: a large table costs a small search
    // nothing.
    buckets_.reset(static_cast<Bucket*>(std::calloc(buckets, sizeof(Bucket))));
    if (!buckets_) throw std::bad_alloc();
  }

  // Forgets everything, without touching the memory.
  void clear() {
    if (++generation_ == 0) generation_ = 1;
  }

  const Entry* find(std::uint64_t key) const {
    for (const Entry& e : buckets_[mix(key) & mask_].entries) {
      if (e.key == key && e.generation == generation_) return &e;
    }
    return nullptr;
  }

  void store(const Entry& entry) {
    Entry* victim = nullptr;
    for (Entry& e : buckets_[mix(entry.key) & mask_].entries) {
      if (e.generation != generation_ || e.key == entry.key) {
        victim = &e;
        break;
      }
      if (!victim || e.work < victim->work) victim = &e;
    }
    *victim = entry;
    victim->generation = generation_;
  }

 private:
  struct Bucket {
    Entry entries[4];
  };
  std::size_t mask_ = 0;
  std::uint16_t generation_ = 1;
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  std::unique_ptr<Bucket[], Free> buckets_;
};

}  // namespace zermelo
