// Tricks that can be counted without search.
//
// Each function adds to `rel` the cards whose rank the count rests on.
#pragma once

#include <algorithm>

#include "cards.hpp"

namespace zermelo::bridge {

struct Hands {
  Cards seat[kSeats];
  bool trumps;  // suit 3

  std::uint32_t suit(int s, int suit) const { return of_suit(seat[s], suit); }
};

inline std::uint32_t above(std::uint32_t set) {  // the ranks higher than all of `set`
  return set ? ~((std::bit_floor(set) << 1) - 1) : ~0u;
}
inline std::uint32_t least(std::uint32_t set) { return set & (~set + 1); }

// How many tricks the leader's side can take at once, each with a card that nobody beats: the
// leader's winners, then, where it can reach them, its partner's. Counts no further than `wanted`.
inline int quick_tricks(const Hands& h, int leader, int wanted, Cards& rel) {
  const int mate = partner(leader), left = next_seat(leader), right = previous_seat(leader);
  int tricks = 0, drawn = 0, cashed[kSuits];
  bool reached = false;
  Cards used = 0, entry = 0;
  int limit[kSuits];
  const int ruffs_left = h.trumps ? std::popcount(h.suit(left, 3)) : 0;
  const int ruffs_right = h.trumps ? std::popcount(h.suit(right, 3)) : 0;
  for (int suit = kSuits - 1; suit >= 0; --suit) {
    const auto l = h.suit(leader, suit), p = h.suit(mate, suit);
    const auto a = h.suit(left, suit), b = h.suit(right, suit), o = a | b;
    const bool side_suit = h.trumps && suit != 3;
    limit[suit] = kRanks;
    if (side_suit && ruffs_left > drawn) limit[suit] = std::popcount(a);
    if (side_suit && ruffs_right > drawn) limit[suit] = std::min(limit[suit], std::popcount(b));
    cashed[suit] = 0;
    if (!l) continue;
    const int length = std::popcount(p);
    auto top = l & above(o);
    int n = std::popcount(top);
    // Is the partner made to overtake?
    if (n && std::popcount(p & (least(top) - 1)) < std::min(n, length)) {
      top = l & above(o | p);
      n = std::popcount(top);
    }
    if (n && n >= std::popcount(a) && n >= std::popcount(b) && n >= length) n = std::popcount(l);
    n = std::min(n, limit[suit]);
    cashed[suit] = n;
    if (n) {
      tricks += n;
      if (p | o) used |= Cards{least(top)} << (kShift * suit);
      if (tricks >= wanted) break;
    }
    if (suit == 3 && h.trumps) drawn = n;
    // A card is left to reach the partner with.
    if (!reached && std::popcount(l) > n && length > n && limit[suit] > n) {
      const auto win = p & above(o);
      if (win && least(l) < win) {
        reached = true;
        entry = Cards{std::bit_floor(win)} << (kShift * suit);
      }
    }
  }
  if (tricks >= wanted || !reached) {
    rel |= used;
    return tricks;
  }
  used |= entry;
  for (int suit = kSuits - 1; suit >= 0; --suit) {
    const auto l = h.suit(leader, suit), p = h.suit(mate, suit);
    const auto a = h.suit(left, suit), b = h.suit(right, suit), o = a | b;
    const int before = cashed[suit], length = std::popcount(p) - before;
    if (length <= 0) continue;
    const bool side_suit = h.trumps && suit != 3;
    int most = kRanks;
    if (side_suit && ruffs_left > drawn) most = std::popcount(a);
    if (side_suit && ruffs_right > drawn) most = std::min(most, std::popcount(b));
    // What the leader still has may not be made to overtake.
    auto rest = l;
    for (int i = 0; i < before; ++i) rest ^= std::bit_floor(rest);
    auto top = p & above(o | rest);
    int n = std::min(std::popcount(top), length);
    if (n && before + n >= std::popcount(o & a) && before + n >= std::popcount(b) &&
        n >= std::popcount(rest)) {
      n = length;
    }
    n = std::min(n, most - before);
    if (n <= 0) continue;
    tricks += n;
    while (std::popcount(top) > n) top ^= least(top);
    if (l | o) used |= Cards{least(top)} << (kShift * suit);
    if (suit == 3 && h.trumps) drawn += n;
    if (tricks >= wanted) break;
  }
  rel |= used;
  return tricks;
}

// How many tricks the side that does not lead is sure of, whatever is led.
inline int later_tricks(const Hands& h, int leader, Cards& rel) {
  const int mate = partner(leader), left = next_seat(leader), right = previous_seat(leader);
  if (h.trumps) {
    const auto l = h.suit(leader, 3), p = h.suit(mate, 3);
    const auto a = h.suit(left, 3), b = h.suit(right, 3);
    if (!(a | b)) return 0;
    const auto all = l | p | a | b;
    auto top_a = a & above(l | p), top_b = b & above(l | p);
    if (top_a | top_b) {
      if (std::popcount(top_a) < std::popcount(top_b)) top_a = top_b;
      if (all != (a | b) || true) rel |= Cards{least(top_a)} << (kShift * 3);
      return std::popcount(top_a);
    }
    // The second highest, guarded, behind the highest.
    const auto first = std::bit_floor(all), second = std::bit_floor(all ^ first);
    const int holder = second & a ? left : second & b ? right : -1;
    if (holder >= 0 && std::popcount(h.suit(holder, 3)) > 1 &&
        (h.suit(previous_seat(holder), 3) & first)) {
      rel |= Cards{second} << (kShift * 3);
      return 1;
    }
    return 0;
  }
  // No trumps: whichever suit is led, they have its highest card, and then cash what they have.
  int sure = kRanks;
  Cards used = 0;
  int counted[kSeats] = {-1, -1, -1, -1};
  for (int suit = 0; suit < kSuits; ++suit) {
    if (!h.suit(leader, suit)) continue;
    const auto o = h.suit(left, suit) | h.suit(right, suit);
    const auto top = o & above(h.suit(leader, suit) | h.suit(mate, suit));
    if (!top) return 0;
    const int winner = h.suit(left, suit) & std::bit_floor(o) ? left : right;
    used |= Cards{std::bit_floor(o)} << (kShift * suit);
    if (counted[winner] < 0) {
      int n = 0;
      for (int s = 0; s < kSuits; ++s) {
        const auto own = h.suit(winner, s);
        const auto tops = own & above(h.suit(leader, s) | h.suit(mate, s) |
                                      h.suit(partner(winner), s));
        if (!tops) continue;
        n += std::popcount(tops);
        used |= Cards{least(tops)} << (kShift * s);
      }
      counted[winner] = n;
    }
    sure = std::min(sure, counted[winner]);
  }
  rel |= used;
  return sure;
}

}  // namespace zermelo::bridge
