// What the solver remembers (partition search, M. Ginsberg 1996).
//
// A proof rests on how many cards of each suit every hand has, and on who holds the highest few of
// each suit; all lower cards are alike. So an entry keeps the owners of those few, and its bounds
// hold wherever lengths, leader and these owners are the same.
#pragma once

#include <vector>

#include "cards.hpp"

namespace zermelo::bridge {

// Who owns the remaining cards, two bits each, the highest first, from the top of 32 bits; two
// suits a word.
struct Owners {
  std::uint64_t low, high;
};

class Memory {
 public:
  struct Entry {
    Owners owners, mask;
    std::uint32_t next;         // of the same lengths and leader; 0: none
    std::uint8_t least, most;   // tricks that north and south get from here on
    std::uint8_t best;          // the move that proved it: 16 * suit + rank
    std::uint8_t count[kSuits]; // how many of the highest cards matter
  };

  explicit Memory(std::size_t megabytes) {
    const std::size_t bytes = megabytes << 20;
    int bits = 10;
    while ((std::size_t{2} << bits) * sizeof(Slot) <= bytes / 8) ++bits;
    shift_ = 64 - bits;
    slots_.resize(std::size_t{1} << bits);
    entries_.resize((bytes - slots_.size() * sizeof(Slot)) / sizeof(Entry));
  }

  // Everything known is forgotten, in no time.
  void clear() {
    used_ = 1;
    filled_ = 0;
    if (++age_ == 0) {
      for (Slot& s : slots_) s.age = 0;
      age_ = 1;
    }
  }

  // The first entry of these lengths and this leader (both in `key`), or null.
  const Entry* first(std::uint64_t key) const {
    const Slot& s = slots_[find(key)];
    return s.age == age_ ? &entries_[s.head] : nullptr;
  }
  const Entry* next(const Entry* e) const { return e->next ? &entries_[e->next] : nullptr; }

  static bool fits(const Entry& e, const Owners& o) {
    return (((o.low & e.mask.low) ^ e.owners.low) | ((o.high & e.mask.high) ^ e.owners.high)) == 0;
  }

  // Keeps `e`, whose owners and mask are set, or sharpens the bounds of its like.
  void keep(std::uint64_t key, Entry e) {
    if (used_ == entries_.size() || filled_ > slots_.size() / 4 * 3) clear();
    e.owners.low &= e.mask.low;
    e.owners.high &= e.mask.high;
    Slot& s = slots_[find(key)];
    if (s.age != age_) {
      s = {key, 0, age_};
      ++filled_;
    }
    for (std::uint32_t i = s.head; i; i = entries_[i].next) {
      Entry& old = entries_[i];
      if (old.owners.low == e.owners.low && old.owners.high == e.owners.high &&
          old.mask.low == e.mask.low && old.mask.high == e.mask.high) {
        if (e.least > old.least) old.least = e.least;
        if (e.most < old.most) old.most = e.most;
        old.best = e.best;
        return;
      }
    }
    e.next = s.head;
    s.head = used_;
    entries_[used_++] = e;
  }

  std::size_t size() const { return used_ - 1; }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint32_t head;
    std::uint32_t age;  // another than the memory's: empty
  };

  std::size_t find(std::uint64_t key) const {
    std::size_t i = key * 0x9e3779b97f4a7c15ULL >> shift_;
    while (slots_[i].age == age_ && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
    return i;
  }

  std::vector<Slot> slots_;
  std::vector<Entry> entries_;
  std::uint32_t used_ = 1, age_ = 1;
  std::size_t filled_ = 0;
  int shift_;
};

}  // namespace zermelo::bridge
