// All plays of a roll, each resulting position once.
//
// Two different dice: plays with the larger die first, then with the smaller die first, without
// duplicates (6/3/1 and 4/1 6/4 are the same). A double: steps from the rear forward. All steps
// have the same length, so the resulting position determines them and there are no duplicates.
#pragma once

#include "board.hpp"

namespace zermelo::backgammon {

// The checkers that can be moved by `die`.
inline Mask movable(Mask own, Mask blocked, int die) {
  if (own & kOnBar) own = kOnBar;
  Mask may = own & ~(blocked << die) & (~Mask{0} << (die + 1));
  if (!(own & kOutside) && own) {  // bearing off: from the die's point, or the rearmost if less
    if (own & bit(die)) {
      may |= bit(die);
    } else if (!(own >> die)) {
      may |= bit(std::bit_width(own) - 1);
    }
  }
  return may;
}

class Plays {
 public:
  // Writes at most `capacity` and returns how many there are; one at least, which may be no move.
  static int list(const State& s, Action* out, int capacity) {
    Plays p(s, out, capacity);
    if (s.die[0] == s.die[1]) {
      p.doubles(0, p.m_.own, kBar, static_cast<Action>(s.die[0]) << kDieShift);
    } else {
      p.pairs();
    }
    return p.count_;
  }

 private:
  static constexpr int kMostPairs = 2 * kCheckers * kCheckers;
  static constexpr auto kFives = [] {  // powers of 5: of each point at most 2 come or go
    std::array<std::int64_t, 26> five{};
    std::int64_t power = 1;
    for (int i = 1; i < 26; ++i, power *= 5) five[i] = power;
    return five;
  }();

  Plays(const State& s, Action* out, int capacity)
      : s_(s), m_(masks_of(s)), out_(out), capacity_(capacity) {
    for (int i = 0; i < 26; ++i) counts_[i] = s.at[i];
  }

  void add(Action play) {
    if (count_ < capacity_) out_[count_] = play;
    ++count_;
  }

  // -- two different dice ------------------------------------------------------------------------
  struct Seen {  // the effect of a play: own checkers that came and went, blots hit
    std::int64_t change;
    Mask hits;
  };

  static std::int64_t change_of(int from, int to) {
    return (to > 0 ? kFives[to] : 0) - kFives[from];
  }
  Mask hit_at(int to) const { return to > 0 ? m_.blots & bit(to) : 0; }
  Mask after(int from, int to) const {
    Mask own = counts_[from] == 1 ? m_.own & ~bit(from) : m_.own;
    return to > 0 ? own | bit(to) : own;
  }

  void pairs() {
    const int a = s_.die[0], b = s_.die[1];
    both(a, b);
    both(b, a);
    if (count_) return;
    if (!single(a) && !single(b)) add(0);
  }

  // Plays of both dice in this order.
  void both(int first, int second) {
    const Action dice = static_cast<Action>(first | second << 3) << kDieShift;
    for (Mask f = movable(m_.own, m_.blocked, first); f; f &= f - 1) {
      const int from = std::countr_zero(f), to = from - first;
      const Mask hit = hit_at(to);
      const Mask own = after(from, to);
      for (Mask g = movable(own, m_.blocked, second); g; g &= g - 1) {
        const int from2 = std::countr_zero(g), to2 = from2 - second;
        const Mask hit2 = hit_at(to2) & ~hit;
        const Seen seen{change_of(from, to) + change_of(from2, to2), hit | hit2};
        if (known(seen)) continue;
        seen_[count_] = seen;
        const Action hits = (hit ? 1 : 0) | (hit2 ? 2 : 0);
        add(dice | static_cast<Action>(from | from2 << 5) | hits << kHitShift);
      }
    }
  }

  bool known(const Seen& seen) const {
    for (int i = 0; i < count_; ++i) {
      if (seen_[i].change == seen.change && seen_[i].hits == seen.hits) return true;
    }
    return false;
  }

  bool single(int die) {
    for (Mask f = movable(m_.own, m_.blocked, die); f; f &= f - 1) {
      const int from = std::countr_zero(f);
      const Action hit = hit_at(from - die) ? 1 : 0;
      add(static_cast<Action>(die) << kDieShift | static_cast<Action>(from) | hit << kHitShift);
    }
    return count_ > 0;
  }

  // -- a double
  // ------------------------------------------------------------------------------------
  void doubles(int step, Mask own, int last, Action play) {
    const Mask may =
        step < kMostSteps ? movable(own, m_.blocked, s_.die[0]) & ((bit(last) << 1) - 1) : 0;
    if (!may) return finish(step, play);
    for (Mask f = may; f;) {
      const int from = std::bit_width(f) - 1, to = from - s_.die[0];
      f &= ~bit(from);
      Mask next = own;
      if (--counts_[from] == 0) next &= ~bit(from);
      Action longer = play | static_cast<Action>(from) << (5 * step);
      if (to > 0) {
        next |= bit(to);
        if (counts_[to] == -1) longer |= Action{1} << (kHitShift + step);
        counts_[to] = static_cast<std::int8_t>(counts_[to] < 0 ? 1 : counts_[to] + 1);
      }
      doubles(step + 1, next, from, longer);
      if (to > 0) {
        --counts_[to];
        if (longer >> (kHitShift + step) & 1) counts_[to] = -1;
      }
      ++counts_[from];
    }
  }

  // As many steps as possible must be played.
  void finish(int steps, Action play) {
    if (steps < longest_) return;
    if (steps > longest_) count_ = 0;
    longest_ = steps;
    add(steps ? play : 0);
  }

  const State& s_;
  const Masks m_;
  Action* out_;
  const int capacity_;
  int count_ = 0, longest_ = 0;
  std::int8_t counts_[26];
  Seen seen_[kMostPairs];
};

}  // namespace zermelo::backgammon
