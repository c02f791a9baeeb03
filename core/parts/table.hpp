// A transposition table: what is known of positions met before.
//
// Replacement: four entries share a cache-line pair; a new position takes the free one, else the
// one whose subtree was smallest. A position's own entry is always renewed.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>

#include "../game.hpp"
#include "../result.hpp"
#include "hash.hpp"

namespace zermelo {

class Table {
 public:
  struct Entry {
    std::uint64_t key = 0;
    double value = 0;
    std::int32_t depth = -1;    // searched this far below; -1: empty
    Action action = 0;          // the best found
    std::uint32_t work = 0;     // nodes below it, saturating
    Bound bound = Bound::exact; // exact, lower or upper
    bool estimate = false;      // an evaluation had its say
  };

  explicit Table(std::size_t megabytes) {
    std::size_t buckets = megabytes * (std::size_t{1} << 20) / sizeof(Bucket);
    buckets = std::bit_floor(std::max<std::size_t>(buckets, 1));
    mask_ = buckets - 1;
    buckets_ = std::make_unique<Bucket[]>(buckets);
  }

  const Entry* find(std::uint64_t key) const {
    for (const Entry& e : buckets_[mix(key) & mask_].entries) {
      if (e.key == key && e.depth >= 0) return &e;
    }
    return nullptr;
  }

  void store(const Entry& entry) {
    Entry* victim = nullptr;
    for (Entry& e : buckets_[mix(entry.key) & mask_].entries) {
      if (e.depth < 0 || e.key == entry.key) {
        victim = &e;
        break;
      }
      if (!victim || e.work < victim->work) victim = &e;
    }
    *victim = entry;
  }

 private:
  struct Bucket {
    Entry entries[4];
  };
  std::size_t mask_ = 0;
  std::unique_ptr<Bucket[]> buckets_;
};

}  // namespace zermelo
