// What the solver remembers (partition search, M. Ginsberg 1996).
//
// A proof rests on how many cards of each suit every hand has, and on who holds the highest few of
// each suit; all lower cards are alike. So an entry keeps the owners of those few, and its bounds
// hold wherever lengths, leader and these owners are the same.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

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
    std::uint32_t next, child;   // in the tree; 0: none
    std::uint8_t least, most;    // tricks that north and south get from here on
    std::uint8_t best;           // the move that proved it: 16 * suit + rank
    std::uint8_t count[kSuits];  // how many of the highest cards matter
  };

  explicit Memory(std::size_t megabytes) {
    const std::size_t bytes = megabytes << 20;
    int bits = 10;
    while ((std::size_t{2} << bits) * sizeof(Slot) <= bytes / 8) ++bits;
    shift_ = 64 - bits;
    mask_ = (std::size_t{1} << bits) - 1;
    room_ = static_cast<std::uint32_t>((bytes - (mask_ + 1) * sizeof(Slot)) / sizeof(Entry));
    // Fresh memory costs nothing until it is used, and most questions need little.
    slots_.reset(static_cast<Slot*>(std::calloc(mask_ + 1, sizeof(Slot))));
    entries_.reset(static_cast<Entry*>(std::malloc(room_ * sizeof(Entry))));
    if (!slots_ || !entries_) throw std::bad_alloc();
  }

  // Everything known is forgotten, in no time.
  void clear() {
    used_ = 1;
    filled_ = 0;
    if (++age_ == 0) {
      for (std::size_t i = 0; i <= mask_; ++i) slots_[i].age = 0;
      age_ = 1;
    }
  }

  // An entry of these lengths and this leader (both in `key`) that fits the owners and says whether
  // `target` can be reached; else null, and `hint` may have the best move of one that fits.
  const Entry* find(std::uint64_t key, const Owners& o, int target, Cards& hint) {
    Slot& s = slots_[slot(key)];
    return s.age == age_ ? find(s.head, o, target, hint) : nullptr;
  }

  // Keeps `e`, whose owners and mask are set, or sharpens the bounds of its like.
  void keep(std::uint64_t key, Entry e) {
    if (used_ == room_ || filled_ > mask_ / 4 * 3) clear();
    e.owners.low &= e.mask.low;
    e.owners.high &= e.mask.high;
    Slot& s = slots_[slot(key)];
    if (s.age != age_) {
      s = {key, 0, age_};
      ++filled_;
    }
    std::uint32_t* list = &s.head;
    for (std::uint32_t i = *list; i;) {
      Entry& old = entries_[i];
      if (!covers(old, e)) {
        i = old.next;
      } else if (old.mask.low == e.mask.low && old.mask.high == e.mask.high) {
        old.least = std::max(old.least, e.least);
        old.most = std::min(old.most, e.most);
        old.best = e.best;
        return;
      } else {  // what is known of all is known of this
        e.least = std::max(old.least, e.least);
        e.most = std::min(old.most, e.most);
        list = &old.child;
        i = *list;
      }
    }
    e.child = 0;
    // Those that it covers go below it, or, if they say no more, away.
    for (std::uint32_t* at = list; *at;) {
      Entry& old = entries_[*at];
      if (!covers(e, old)) {
        at = &old.next;
        continue;
      }
      const std::uint32_t i = *at;
      *at = old.next;
      if (old.least > e.least || old.most < e.most) {
        old.next = e.child;
        e.child = i;
      }
    }
    e.next = *list;
    *list = used_;
    entries_[used_++] = e;
  }

  std::size_t size() const { return used_ - 1; }

 private:
  static bool fits(const Entry& e, const Owners& o) {
    return (((o.low & e.mask.low) ^ e.owners.low) | ((o.high & e.mask.high) ^ e.owners.high)) == 0;
  }

  // Does `a` hold wherever `b` does?
  static bool covers(const Entry& a, const Entry& b) {
    return !(a.mask.low & ~b.mask.low) && !(a.mask.high & ~b.mask.high) && fits(a, b.owners);
  }

  // Entries lie in a tree: below each those that hold only where it holds. What helped comes first
  // the next time.
  const Entry* find(std::uint32_t& list, const Owners& o, int target, Cards& hint) {
    std::uint32_t before = 0;
    for (std::uint32_t i = list; i; before = i, i = entries_[i].next) {
      Entry& e = entries_[i];
      if (!fits(e, o)) continue;
      const Entry* found = &e;
      if (e.least < target && e.most >= target) {
        hint = Cards{1} << e.best;
        found = e.child ? find(e.child, o, target, hint) : nullptr;
        if (!found) continue;
      }
      if (before) {
        entries_[before].next = e.next;
        e.next = list;
        list = i;
      }
      return found;
    }
    return nullptr;
  }

  struct Slot {
    std::uint64_t key;
    std::uint32_t head;
    std::uint32_t age;  // another than the memory's: empty
  };

  std::size_t slot(std::uint64_t key) const {
    std::size_t i = key * 0x9e3779b97f4a7c15ULL >> shift_;
    while (slots_[i].age == age_ && slots_[i].key != key) i = (i + 1) & mask_;
    return i;
  }

  struct Free {
    void operator()(void* p) const { std::free(p); }
  };

  std::unique_ptr<Slot[], Free> slots_;
  std::unique_ptr<Entry[], Free> entries_;
  std::uint32_t used_ = 1, room_, age_ = 1;
  std::size_t filled_ = 0, mask_;
  int shift_;
};

}  // namespace zermelo::bridge
