// Samples deals that a seat cannot distinguish from the real one.
#pragma once

#include "../../parts/random.hpp"
#include "play.hpp"

namespace zermelo::bridge {

// The constraints of the bidding on a dealt hand.
struct Range {
  int points[2] = {0, 40};  // ace 4, king 3, queen 2, jack 1
  int length[kSuits][2] = {{0, 13}, {0, 13}, {0, 13}, {0, 13}};

  bool fits(Cards hand) const {
    int p = 0;
    for (int suit = 0; suit < kSuits; ++suit) {
      const auto own = of_suit(hand, suit);
      const int n = std::popcount(own);
      if (n < length[suit][0] || n > length[suit][1]) return false;
      p += 4 * (own >> 12 & 1) + 3 * (own >> 11 & 1) + 2 * (own >> 10 & 1) + (own >> 9 & 1);
    }
    return p >= points[0] && p <= points[1];
  }
};

// The hands that `seat` sees: its own; dummy's after the first lead; and dummy sees declarer's.
inline bool sees(const PlayState& s, int seat, int other) {
  if (seat == other) return true;
  const int dummy = partner(s.declarer);
  return s.count && (other == dummy || (seat == dummy && other == s.declarer));
}

// Samples the cards that `seat` does not see, uniformly among the deals consistent with its
// knowledge (who showed out of which suit).
inline PlayState redeal(const PlayState& s, int seat, Random& rng) {
  PlayState out = s;
  Cards shown[kSeats], pool = 0;
  voids(s, shown);
  int hidden[kSeats], n = 0;
  for (int other = 0; other < kSeats; ++other) {
    if (sees(s, seat, other)) continue;
    hidden[n++] = other;
    pool |= s.hand[other];
    out.hand[other] = 0;
  }
  int room[kSeats];
  for (int i = 0; i < n; ++i) room[i] = std::popcount(s.hand[hidden[i]]);
  // Two hands are hidden, or nobody has shown out yet: cards that only one hand can hold are dealt
  // first.
  for (int i = 0; i < n; ++i) {
    Cards only = pool;
    for (int j = 0; j < n; ++j) {
      if (j != i) only &= shown[hidden[j]];
    }
    out.hand[hidden[i]] |= only;
    room[i] -= std::popcount(only);
    pool &= ~only;
  }
  // Deal the remaining cards randomly to the free places.
  for (; pool; pool &= pool - 1) {
    int left = 0;
    for (int i = 0; i < n; ++i) left += room[i];
    int place = static_cast<int>(rng.below(static_cast<std::uint32_t>(left)));
    int i = 0;
    while (place >= room[i]) place -= room[i++];
    out.hand[hidden[i]] |= lowest(pool);
    --room[i];
  }
  return out;
}

// The same within the constraints of the bidding, if a deal is found in `tries`; otherwise without
// them.
inline PlayState redeal_within(const PlayState& s, int seat, const Range* told, Random& rng,
                               int tries, bool& found) {
  PlayState out = s;
  const PlayState begin = beginning(s);
  for (found = false; !found && tries; --tries) {
    out = redeal(s, seat, rng);
    found = true;
    for (int other = 0; other < kSeats && found; ++other) {
      const Cards gone = begin.hand[other] & ~s.hand[other];
      found = sees(s, seat, other) || told[other].fits(out.hand[other] | gone);
    }
  }
  return out;
}

}  // namespace zermelo::bridge
