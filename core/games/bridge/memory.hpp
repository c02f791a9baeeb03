// The transposition table of the solver (partition search, M. Ginsberg 1996).
//
// A proof rests on how many cards of each suit every hand has, and on who holds the highest few of
// each suit; all lower cards are alike. So an entry keeps the owners of those few, and its bounds
// hold wherever lengths, leader and these owners are the same. Entries of the same lengths and
// leader lie side by side, with most of the owners in one word each, and are scanned in order.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "cards.hpp"

namespace zermelo::bridge {

// Who owns the remaining cards, two bits each, the highest first: 16 bits a suit for its eight
// highest, as much again for the others.
struct Owners {
  std::uint64_t high, low;
};

class Memory {
 public:
  struct Entry {
    std::uint64_t low;           // as Owners, zero where it does not matter
    std::uint8_t count[kSuits];  // how many of the highest cards matter
    std::uint8_t least, most;    // tricks that north and south get from here on
    std::uint8_t best;           // the move that proved it: 16 * suit + rank
    std::uint8_t deep;           // does any of `low` matter?
  };
  struct Pattern {
    std::uint64_t owners, mask;  // of the eight highest
  };

  explicit Memory(std::size_t megabytes) {
    const std::size_t bytes = megabytes << 20;
    int bits = 10;
    while ((std::size_t{2} << bits) * sizeof(Slot) <= bytes / 8) ++bits;
    most_ = std::size_t{1} << bits;
    room_ = static_cast<std::uint32_t>((bytes - most_ * sizeof(Slot)) / sizeof(Unit));
    // Fresh memory costs nothing until it is used, and most questions need little.
    slots_.reset(static_cast<Slot*>(std::calloc(most_, sizeof(Slot))));
    units_.reset(static_cast<Unit*>(std::malloc(room_ * sizeof(Unit))));
    if (!slots_ || !units_) throw std::bad_alloc();
  }

  // Clears the table in constant time.
  void clear() {
    used_ = 1;
    filled_ = 0;
    resize(kFewSlots);
    next_age();
  }

  // An entry of these lengths and this leader (both in `key`) that fits the owners and says whether
  // `target` can be reached; else null, and `hint` may have the best move of one that fits.
  const Entry* find(std::uint64_t key, const Owners& o, int target, Cards& hint) {
    const Slot& s = slots_[slot(key)];
    if (s.age != age_) return nullptr;
    for (std::uint32_t at = s.head; at; at = units_[at].block.next) {
      const Block& b = units_[at].block;
      Pattern* p = &units_[at + 1].pattern;
      Entry* e = &units_[at + 1 + b.size].entry;
      for (int i = 0; i < b.used; ++i) {
        if ((o.high ^ p[i].owners) & p[i].mask) continue;
        if (e[i].deep && (o.low ^ e[i].low) & low_mask(e[i])) continue;
        if (e[i].least < target && e[i].most >= target) {
          hint = Cards{1} << e[i].best;
          continue;
        }
        if (!i) return e;
        // Entries that matched move to the front.
        std::swap(p[i], p[i / 2]);
        std::swap(e[i], e[i / 2]);
        return e + i / 2;
      }
    }
    return nullptr;
  }

  // Keeps `e`, whose counts, bounds and move are set.
  void keep(std::uint64_t key, const Owners& o, Entry e) {
    if (used_ + 1 + 2 * kLargest > room_ || filled_ >= most_ / 4 * 3) clear();
    if (filled_ > mask_ / 4 * 3) grow();
    Pattern p;
    p.mask = 0;
    e.deep = 0;
    for (int s = 0; s < kSuits; ++s) {
      p.mask |= top_bits(e.count[s]) << (16 * s);
      if (e.count[s] > 8) e.deep = 1;
    }
    p.owners = o.high & p.mask;
    e.low = e.deep ? o.low & low_mask(e) : 0;
    Slot& s = slots_[slot(key)];
    if (s.age != age_) {
      s = {key, 0, age_};
      ++filled_;
    }
    for (std::uint32_t at = s.head; at; at = units_[at].block.next) {
      const Block& b = units_[at].block;
      Pattern* q = &units_[at + 1].pattern;
      Entry* old = &units_[at + 1 + b.size].entry;
      for (int i = 0; i < b.used; ++i) {
        // An entry that is less general and has no better bounds is replaced.
        if ((q[i].owners ^ p.owners) & p.mask || p.mask & ~q[i].mask) continue;
        if (p.mask == q[i].mask && !e.deep && !old[i].deep) {
          old[i].least = std::max(old[i].least, e.least);
          old[i].most = std::min(old[i].most, e.most);
          old[i].best = e.best;
          return;
        }
        if (!e.deep && old[i].least <= e.least && old[i].most >= e.most) {
          q[i] = p;
          old[i] = e;
          return;
        }
      }
    }
    if (!s.head || units_[s.head].block.used == units_[s.head].block.size) {
      const int size = s.head ? std::min(2 * units_[s.head].block.size, kLargest) : kSmallest;
      units_[used_].block = {s.head, static_cast<std::uint16_t>(size), 0};
      s.head = used_;
      used_ += 1 + 2 * size;
    }
    Block& b = units_[s.head].block;
    units_[s.head + 1 + b.used].pattern = p;
    units_[s.head + 1 + b.size + b.used].entry = e;
    ++b.used;
  }

 private:
  static constexpr int kSmallest = 3, kLargest = 48;  // entries of a block
  static constexpr std::size_t kFewSlots = 1 << 12;   // to begin with: few are soon at hand

  // Entries of a key: blocks, each a header, its patterns, and what belongs to them.
  struct Block {
    std::uint32_t next;  // 0: none
    std::uint16_t size, used;
  };
  union Unit {
    Block block;
    Pattern pattern;
    Entry entry;
  };
  static_assert(sizeof(Unit) == sizeof(Pattern) && sizeof(Unit) == sizeof(Entry));
  struct Slot {
    std::uint64_t key;
    std::uint32_t head;
    std::uint32_t age;  // another than the memory's: empty
  };

  // The highest `n` of eight pairs of bits.
  static std::uint64_t top_bits(int n) { return n >= 8 ? 0xffff : 0xffff & ~(0xffffu >> (2 * n)); }
  static std::uint64_t low_mask(const Entry& e) {
    std::uint64_t m = 0;
    for (int s = 0; s < kSuits; ++s) {
      if (e.count[s] > 8) m |= top_bits(e.count[s] - 8) << (16 * s);
    }
    return m;
  }

  std::size_t slot(std::uint64_t key) const {
    std::size_t i = key * 0x9e3779b97f4a7c15ULL >> shift_;
    while (slots_[i].age == age_ && slots_[i].key != key) i = (i + 1) & mask_;
    return i;
  }

  void resize(std::size_t slots) {
    mask_ = slots - 1;
    shift_ = 64 - std::countr_zero(slots);
  }

  void next_age() {
    if (++age_ == 0) {
      for (std::size_t i = 0; i < most_; ++i) slots_[i].age = 0;
      age_ = 1;
    }
  }

  // Four times as many slots, as far as there is room.
  void grow() {
    if (mask_ + 1 == most_) return;
    std::vector<Slot> kept;
    for (std::size_t i = 0; i <= mask_; ++i) {
      if (slots_[i].age == age_) kept.push_back(slots_[i]);
    }
    resize(std::min(4 * (mask_ + 1), most_));
    next_age();
    for (Slot& s : kept) {
      s.age = age_;
      slots_[slot(s.key)] = s;
    }
  }

  struct Free {
    void operator()(void* p) const { std::free(p); }
  };

  std::unique_ptr<Slot[], Free> slots_;
  std::unique_ptr<Unit[], Free> units_;
  std::uint32_t used_ = 1, room_, age_ = 1;
  std::size_t filled_ = 0, most_, mask_ = kFewSlots - 1;
  int shift_ = 64 - std::countr_zero(kFewSlots);
};

}  // namespace zermelo::bridge
