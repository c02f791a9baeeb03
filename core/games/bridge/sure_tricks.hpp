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

// What one suit holds, seen by the leader of the trick.
struct Suit {
  std::uint32_t l, p, a, b, o;  // leader, partner, left, right, both opponents

  Suit(const Hands& h, int leader, int suit)
      : l(h.suit(leader, suit)),
        p(h.suit(partner(leader), suit)),
        a(h.suit(next_seat(leader), suit)),
        b(h.suit(previous_seat(leader), suit)),
        o(a | b) {}

  // How many rounds the opponents with trumps left will follow.
  int follows(bool left_ruffs, bool right_ruffs) const {
    int n = kRanks;
    if (left_ruffs) n = std::popcount(a);
    if (right_ruffs) n = std::min(n, std::popcount(b));
    return n;
  }

  // The leader's cards that win and keep the lead.
  std::uint32_t winners() const {
    const auto top = l & above(o);
    const int n = std::popcount(top);
    // Whether the partner is forced to overtake.
    if (n && std::popcount(p & (least(top) - 1)) < std::min(n, std::popcount(p))) {
      return l & above(o | p);
    }
    return top;
  }
};

inline Cards in_suit(std::uint32_t ranks, int suit) { return Cards{ranks} << (kShift * suit); }

// Trumps higher than all of the other side's: each eventually wins a trick, unless two fall to one
// trick because no lower ones are left.
inline int high_trumps(std::uint32_t one, std::uint32_t two, std::uint32_t other, Cards& rel) {
  const auto top = (one | two) & above(other);
  const int n = std::min(std::popcount(top), std::max(std::popcount(one), std::popcount(two)));
  if (n && other) rel |= in_suit(least(top), 3);
  return n;
}

// Trumps that one hand wins whatever happens: each of its highest `c` is played to some trick, and
// only a higher one of the other side beats it, which beats no second.
inline int standing_trumps(std::uint32_t own, std::uint32_t other, Cards& rel) {
  int most = 0, c = 0;
  std::uint32_t last = 0;
  for (auto rest = own; rest;) {
    const auto r = std::bit_floor(rest);
    rest ^= r;
    const int n = ++c - std::popcount(other & ~(r - 1));
    if (n > most) most = n, last = r;
  }
  if (most && other) rel |= in_suit(last, 3);
  return most;
}

// The tricks that the trumps `one` and `two` of a side win whatever happens.
inline int sure_trumps(std::uint32_t one, std::uint32_t two, std::uint32_t other, Cards& rel) {
  Cards why = 0, best = 0;
  int most = high_trumps(one, two, other, best);
  if (const int n = standing_trumps(one, other, why); n > most) most = n, best = why;
  why = 0;
  if (const int n = standing_trumps(two, other, why); n > most) most = n, best = why;
  rel |= best;
  return most;
}

// Counts the tricks that the leader's side can take at once, each with a card that cannot be
// beaten: first the leader's winners, then its partner's if the leader can reach them.
class QuickTricks {
 public:
  QuickTricks(const Hands& h, int leader) : h_(h), leader_(leader), trumps_(h.trumps) {
    const int mate = partner(leader);
    left_trumps_ = trumps_ ? std::popcount(h.suit(next_seat(leader), 3)) : 0;
    right_trumps_ = trumps_ ? std::popcount(h.suit(previous_seat(leader), 3)) : 0;
    const int mate_trumps = trumps_ ? std::popcount(h.suit(mate, 3)) : 0;
    spare_ = std::popcount(h.seat[mate]) - mate_trumps;
  }

  // The number of tricks, counted no further than `wanted`.
  int count(int wanted, Cards& rel) {
    if (cash_leader(wanted)) {
      rel |= used_;
      return wanted;
    }
    if (reached_) used_ |= entry_;
    cash_partner(wanted);
    rel |= used_;
    return sure();
  }

 private:
  // The partner must discard on these tricks: each trump it would have to play costs a trick.
  int sure() const { return tricks_ - (trumps_ && spare_ < 0 ? -spare_ : 0); }

  int rounds(const Suit& s, int suit) const {
    return trumps_ && suit != 3 ? s.follows(left_trumps_ > drawn_, right_trumps_ > drawn_)
                                : static_cast<int>(kRanks);
  }

  // The leader's winners, suit by suit; true once they are enough.
  bool cash_leader(int wanted) {
    for (int suit = kSuits - 1; suit >= 0; --suit) {
      const Suit s(h_, leader_, suit);
      cashed_[suit] = 0;
      if (!s.l) continue;
      const int most = rounds(s, suit), length = std::popcount(s.p);
      const auto top = s.winners();
      int n = std::popcount(top);
      if (n && n >= std::popcount(s.a) && n >= std::popcount(s.b) && n >= length) {
        n = std::popcount(s.l);
      }
      n = std::min(n, most);
      cashed_[suit] = n;
      if (n) {
        tricks_ += n;
        if (s.p | s.o) used_ |= in_suit(least(top), suit);
        spare_ -= trumps_ && suit != 3 ? n : std::max(0, n - length);
        if (suit == 3) drawn_ = n;
        if (sure() >= wanted) return true;
      }
      // A card that is left may reach the partner.
      if (!reached_ && std::popcount(s.l) > n && most > n) {
        const auto win = s.p & above(s.o);
        if (win && length > n && least(s.l) < win) {
          reached_ = true;
          entry_ = in_suit(std::bit_floor(win), suit);
        }
      }
    }
    return false;
  }

  // The partner's winners; without an entry only its high trumps, which eventually win a trick.
  void cash_partner(int wanted) {
    for (int suit = kSuits - 1; suit >= 0; --suit) {
      if (!reached_ && !(trumps_ && suit == 3)) break;
      const Suit s(h_, leader_, suit);
      const int before = cashed_[suit], length = std::popcount(s.p) - before;
      if (length <= 0) continue;
      const int most = rounds(s, suit);
      // The leader's remaining cards must not be forced to overtake.
      auto rest = s.l;
      for (int i = 0; i < before; ++i) rest ^= std::bit_floor(rest);
      auto top = s.p & above(s.o | rest);
      int n = std::min(std::popcount(top), length);
      if (n && reached_ && before + n >= std::popcount(s.a) && before + n >= std::popcount(s.b) &&
          n >= std::popcount(rest)) {
        n = length;
      }
      n = std::min(n, most - before);
      if (n <= 0) continue;
      tricks_ += n;
      if (trumps_ && suit != 3) spare_ -= n;
      while (std::popcount(top) > n) top ^= least(top);
      if (s.l | s.o) used_ |= in_suit(least(top), suit);
      if (suit == 3) drawn_ += n;
      if (sure() >= wanted) break;
    }
  }

  const Hands& h_;
  const int leader_;
  const bool trumps_;
  int left_trumps_, right_trumps_;
  int spare_;  // cards of the partner that are not trumps
  int tricks_ = 0, drawn_ = 0, cashed_[kSuits];
  Cards used_ = 0, entry_ = 0;
  bool reached_ = false;  // the leader has an entry to the partner's hand
};

inline int quick_tricks(const Hands& h, int leader, int wanted, Cards& rel) {
  return QuickTricks(h, leader).count(wanted, rel);
}

// The same by ruffing: side winners first, then leads that the partner ruffs and leads back that
// the leader ruffs, as long as the opponents must follow; high trumps are left over.
inline int ruffing_tricks(const Hands& h, int leader, int wanted, Cards& rel) {
  const int mate = partner(leader);
  const Suit t(h, leader, 3);
  int mine = std::popcount(t.l), mates = std::popcount(t.p);
  int tricks = 0, leads = 0, returns = 0;
  Cards used = 0;
  for (int suit = 0; suit < 3; ++suit) {
    const Suit s(h, leader, suit);
    const int most = s.follows(t.a, t.b);
    const auto top = s.winners();
    const int n = std::min(std::popcount(top), most);
    const int own = std::popcount(s.l) - n, his = std::popcount(s.p) - n;
    if (n) {
      tricks += n;
      if (s.p | s.o) used |= in_suit(least(top), suit);
    }
    if (his <= 0) leads += std::min(own, most - n);
    if (own <= 0) returns += std::max(0, std::min(his, most - n));
  }
  if (tricks > std::popcount(h.seat[mate]) - mates) return 0;
  Cards why = used;
  const int plain = tricks + sure_trumps(t.l, t.p, t.o, why);
  if (!leads || !mates || plain >= wanted) {
    rel |= why;
    return plain;
  }
  while (leads && mates) {
    ++tricks, --leads, --mates;
    if (!returns || !mine) break;
    ++tricks, --returns, --mine;
  }
  const auto top = t.l & above(t.o), his_top = t.p & above(t.o);
  const int high = std::min(std::popcount(top), mine) + std::min(std::popcount(his_top), mates);
  const int late = std::min(high, std::max(mine, mates));
  if (late && t.o) used |= in_suit(least(top | his_top), 3);
  rel |= used;
  return tricks + late;
}

// How many tricks the side that does not lead is sure of, whatever is led. `left` tricks
// are to come.
inline int later_tricks(const Hands& h, int leader, int left, Cards& rel) {
  const int mate = partner(leader), seat[2] = {next_seat(leader), previous_seat(leader)};
  if (h.trumps) {
    const auto a = h.suit(seat[0], 3), b = h.suit(seat[1], 3);
    const auto other = h.suit(leader, 3) | h.suit(mate, 3), all = other | a | b;
    if (all) {
      if (!(a | b)) return 0;
      if (const int n = sure_trumps(a, b, other, rel)) return n;
      // The second highest, guarded, behind the highest.
      const auto first = std::bit_floor(all), second = std::bit_floor(all ^ first);
      const int holder = second & a ? seat[0] : second & b ? seat[1] : -1;
      if (holder >= 0 && std::popcount(h.suit(holder, 3)) > 1 &&
          (h.suit(previous_seat(holder), 3) & first)) {
        rel |= in_suit(second, 3);
        return 1;
      }
      return 0;
    }
  }
  // No trumps. The leader's side can lead this many rounds of the suits in which it has the highest
  // card. The holder of the highest card of another suit keeps it as long as it can, and then
  // cashes the suit.
  int rounds = 0, tops[2] = {}, suits[2] = {}, led[2] = {};
  bool at_once = true;
  Cards used[2] = {};
  for (int suit = 0; suit < kSuits; ++suit) {
    const auto l = h.suit(leader, suit), p = h.suit(mate, suit);
    for (int i = 0; i < 2; ++i) {
      const auto top = h.suit(seat[i], suit) & above(l | p | h.suit(seat[i ^ 1], suit));
      if (!top) continue;
      tops[i] += std::popcount(top);
      used[i] |= in_suit(least(top), suit);
      if (l | p) ++suits[i];
      if (l) ++led[i];
    }
    const auto o = h.suit(seat[0], suit) | h.suit(seat[1], suit);
    if ((l | p) > o) {
      rounds += std::max(std::popcount(l), std::popcount(p));
      if (l) at_once = false;
    }
  }
  if (!(at_once ? led[0] | led[1] : suits[0] | suits[1])) return 0;
  const int room = at_once ? left : left - rounds;
  int sure = kRanks;
  Cards why = 0;
  for (int i = 0; i < 2; ++i) {
    if (!(at_once ? led : suits)[i]) continue;
    if (suits[i] > room) return 0;
    sure = std::min(sure, std::min(tops[i], room));
    why |= used[i];
  }
  rel |= why;
  return sure;
}

}  // namespace zermelo::bridge
