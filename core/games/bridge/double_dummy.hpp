// A double-dummy solver: the number of tricks of each side when all cards are open.
//
// Alpha-beta with zero windows ("do north and south get at least this many?"), repeated until the
// value is exact. Every answer comes with the cards whose rank it depends on. All lower cards are
// equivalent, so a table entry holds for many positions (memory.hpp), and the search skips cards
// that cannot make a difference.
//
//   search(leader, target)   the trick begins: sure tricks, memory, then every lead
//   follow<1..3>             the other three cards
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include "memory.hpp"
#include "ordering.hpp"

namespace zermelo::bridge {

// Suits are 0 spades, 1 hearts, 2 diamonds, 3 clubs; the trick's cards in the order they fell.
struct Position {
  Cards hand[kSeats];  // what is left
  int trump;           // a suit, or kNoTrump
  int leader;          // of the current trick
  int played;          // how many cards of it lie on the table
  Cards table[3];
};

class DoubleDummy {
 public:
  explicit DoubleDummy(std::size_t megabytes = 64) : memory_(megabytes) {}

  std::uint64_t nodes = 0;

  // The tricks that north and south will win, that of the current trick included. `guess` is the
  // first window.
  int solve(const Position& p, int guess = -1) {
    enter(p);
    return value(guess);
  }

  // The value of every card of the player in turn: as many as it has legal cards.
  int solve_all(const Position& p, Cards* card_out, int* tricks, int guess = -1) {
    enter(p);
    const int best = value(guess);
    Move list[kRanks];
    const int seat = (leader_ + played_) & 3;
    const int n = Ordering::moves(h_, seat, played_, trick_, 0, list);
    int found = 0;
    for (int i = 0; i < n; ++i) {
      const int t = value_after(seat, list[i].card, best);
      for (Cards g = list[i].group; g; g &= g - 1) {
        card_out[found] = outside(lowest(g));
        tricks[found++] = t;
      }
    }
    return found;
  }

 private:
  // Puts the position's suits into lanes, trumps into lane 3.
  void enter(const Position& p) {
    int to[kSuits];
    for (int s = 0; s < kSuits; ++s) to[s] = s;
    if (p.trump != kNoTrump) std::swap(to[p.trump], to[3]);
    Hands h;
    h.trumps = p.trump != kNoTrump;
    for (int seat = 0; seat < kSeats; ++seat) {
      h.seat[seat] = 0;
      for (int s = 0; s < kSuits; ++s) {
        h.seat[seat] |= Cards{of_suit(p.hand[seat], s)} << (kShift * to[s]);
      }
    }
    for (int s = 0; s < kSuits; ++s) lane_of_[to[s]] = s;
    // Table entries of a deal hold for every later position of it.
    bool part = known_ && p.trump == trump_;
    for (int seat = 0; seat < kSeats; ++seat) part = part && !(h.seat[seat] & ~dealt_[seat]);
    h_ = h;
    trump_ = p.trump;
    leader_ = p.leader;
    played_ = p.played;
    trick_ = {leader_, 0, 0, leader_, 0};
    for (int i = 0; i < played_; ++i) {
      const Cards c = card(to[suit_of(p.table[i])], rank_of(p.table[i]));
      if (!i) trick_.led = suit_of(c);
      if (!i || beats(h_, c, trick_)) trick_.best = c, trick_.holder = (leader_ + i) & 3;
      trick_.played |= c;
    }
    left_ = std::popcount(h_.seat[(leader_ + 3) & 3]);
    if (!part) prepare();
    known_ = true;
    lengths_ = 0;
    for (int suit = 0; suit < kSuits; ++suit) {
      for (int seat = 0; seat < kSeats; ++seat) {
        lengths_ += std::uint64_t(std::popcount(h_.suit(seat, suit))) << (4 * (4 * suit + seat));
      }
    }
  }

  // The owners of the remaining cards of a suit, for every remaining set.
  void prepare() {
    memory_.clear();
    std::copy(h_.seat, h_.seat + kSeats, dealt_);
    for (int suit = 0; suit < kSuits; ++suit) {
      std::uint8_t owner[kRanks] = {};
      std::uint32_t all = 0;
      for (int seat = 0; seat < kSeats; ++seat) {
        const auto own = h_.suit(seat, suit);
        all |= own;
        for (auto s = own; s; s &= s - 1) owner[std::countr_zero(s)] = seat;
      }
      std::uint32_t* out = owners_[suit];
      out[0] = 0;
      for (std::uint32_t sub = least(all); sub; sub = (sub - all) & all) {
        const int top = 31 - std::countl_zero(sub);
        out[sub] = std::uint32_t(owner[top]) << 30 | out[sub ^ 1u << top] >> 2;
      }
    }
    std::memset(killer_, 0, sizeof killer_);
  }

  Cards outside(Cards c) const { return card(lane_of_[suit_of(c)], rank_of(c)); }

  // Zero windows, one after the other, until the value is exact.
  template <class Ask>
  int pin(int low, int high, int guess, Ask ask) {
    if (low >= high) return low;
    int target = std::clamp(guess, low + 1, high);
    while (low < high) {
      if (ask(target)) {
        low = target;
        target = std::min(target + 1, high);
      } else {
        high = target - 1;
        target = std::max(high, low + 1);
      }
    }
    return low;
  }

  // The first guess: from the points of the four highest cards of each suit and the length of
  // trumps. On random deals it is one trick off on average.
  int estimate() const {
    int points = 0, trumps = 0;
    for (int suit = 0; suit < kSuits; ++suit) {
      const auto ours = h_.suit(0, suit) | h_.suit(2, suit);
      const auto theirs = h_.suit(1, suit) | h_.suit(3, suit);
      auto rest = ours | theirs;
      for (int p = 4; p && rest; --p, rest ^= std::bit_floor(rest)) {
        points += std::bit_floor(rest) & ours ? p : -p;
      }
      if (h_.trumps && suit == 3) trumps = std::popcount(ours) - std::popcount(theirs);
    }
    const double each = h_.trumps ? 0.18 : 0.23;
    return static_cast<int>(left_ / 2.0 + each * points + 0.53 * trumps + 0.5);
  }

  int value(int guess) {
    if (guess < 0) guess = estimate();
    return pin(0, left_, guess, [this](int target) {
      Cards rel = 0;
      return ask(target, rel);
    });
  }

  int value_after(int seat, Cards c, int best) {
    return pin(side(seat) ? best : 0, side(seat) ? left_ : best, side(seat) ? best + 1 : best,
               [&](int target) {
                 Cards rel = 0;
                 switch (played_) {
                   case 0:
                     return after<0>(seat, c, trick_, target, rel);
                   case 1:
                     return after<1>(seat, c, trick_, target, rel);
                   case 2:
                     return after<2>(seat, c, trick_, target, rel);
                   default:
                     return after<3>(seat, c, trick_, target, rel);
                 }
               });
  }

  bool ask(int target, Cards& rel) {
    switch (played_) {
      case 0:
        return search(leader_, target, rel);
      case 1:
        return follow<1>(trick_, target, rel, 0);
      case 2:
        return follow<2>(trick_, target, rel, 0);
      default:
        return follow<3>(trick_, target, rel, 0);
    }
  }

  // Whether north and south get at least `target` of the remaining tricks, at the start of a trick.
  bool search(int leader, int target, Cards& rel) {
    ++nodes;
    // 1. Trivial cases.
    if (target <= 0) return true;
    if (target > left_) return false;
    if (left_ == 1) return last_trick(leader, rel);
    // 2. Quick tricks.
    const bool leads = side(leader) == 0;                    // north or south
    const int needed = leads ? target : left_ - target + 1;  // by the leader's side, to decide it
    Cards sure = 0;
    if (quick_tricks(h_, leader, needed, sure) >= needed) {
      rel |= sure;
      return leads;
    }
    sure = 0;
    if (h_.trumps && ruffing_tricks(h_, leader, needed, sure) >= needed) {
      rel |= sure;
      return leads;
    }
    sure = 0;
    if (later_tricks(h_, leader, left_, sure) >= left_ + 1 - needed) {
      rel |= sure;
      return !leads;
    }
    // 3. Transposition table.
    const Cards all = h_.seat[0] | h_.seat[1] | h_.seat[2] | h_.seat[3];
    Owners owners = {0, 0};
    for (int s = 0; s < kSuits; ++s) {
      const std::uint64_t o = owners_[s][of_suit(all, s)];
      owners.high |= o >> 16 << (16 * s);
      owners.low |= (o & 0xffff) << (16 * s);
    }
    // The length that the others imply makes room for the leader.
    const std::uint64_t key = (lengths_ & ~std::uint64_t{15}) | leader;
    Cards hint = 0;
    if (const auto* e = memory_.find(key, owners, target, hint)) {
      for (int s = 0; s < kSuits; ++s) rel |= top_cards(all, s, e->count[s]);
      return e->least >= target;
    }
    // 4. The leads.
    Cards why = 0, best = 0;
    const bool yes = follow<0>({leader, 0, 0, leader, 0}, target, why,
                               hint ? hint : killer_[left_][leader], &best);
    if (best) killer_[left_][leader] = best;
    rel |= why;
    // 5. Store the result.
    Memory::Entry e;
    for (int s = 0; s < kSuits; ++s) {
      const auto matters = of_suit(why, s);
      e.count[s] = matters ? std::popcount(of_suit(all, s) & ~(least(matters) - 1)) : 0;
    }
    e.least = yes ? target : 0;
    e.most = yes ? left_ : target - 1;
    e.best = best ? std::countr_zero(best) : 0;
    memory_.keep(key, owners, e);
    return yes;
  }

  // The highest `count` cards of a suit.
  static Cards top_cards(Cards all, int suit, int count) {
    if (!count) return 0;
    auto s = of_suit(all, suit);
    for (int drop = std::popcount(s) - count; drop > 0; --drop) s &= s - 1;
    return Cards{s} << (kShift * suit);
  }

  // Everybody's last card.
  bool last_trick(int leader, Cards& rel) {
    Trick t = {leader, suit_of(h_.seat[leader]), h_.seat[leader], leader, h_.seat[leader]};
    for (int i = 1; i < 4; ++i) {
      const int seat = (leader + i) & 3;
      if (beats(h_, h_.seat[seat], t)) t.best = h_.seat[seat], t.holder = seat;
      t.played |= h_.seat[seat];
    }
    rel |= by_rank(t);
    return side(t.holder) == 0;
  }

  // The winner, where its rank decided: another card of its suit was played.
  static Cards by_rank(const Trick& t) {
    return (t.played & lane(suit_of(t.best))) != t.best ? t.best : 0;
  }

  // The card number kIndex of a trick, counted from 0.
  template <int kIndex>
  bool follow(const Trick& t, int target, Cards& rel, Cards hint, Cards* chosen = nullptr) {
    const int seat = (t.leader + kIndex) & 3;
    const bool wanted = side(seat) == 0;  // the answer that the player wants
    if (kIndex == 1 && target == (wanted ? 1 : left_) && wins_second(h_, seat, t, rel)) {
      return wanted;  // one trick is enough, and this one is won
    }
    Move list[kRanks];
    const int n = Ordering::moves(h_, seat, kIndex, t, hint, list);
    Cards together = 0, done = 0;
    for (int i = 0; i < n; ++i) {
      int pick = i;
      for (int j = i + 1; j < n; ++j) {
        if (list[j].score > list[pick].score) pick = j;
      }
      std::swap(list[i], list[pick]);
      const Move& m = list[i];
      if (m.card & done) continue;
      Cards why = 0;
      if (after<kIndex>(seat, m.card, t, target, why) == wanted) {
        rel |= why;
        if (chosen) *chosen = m.card;
        return wanted;
      }
      // Its equals fail for the like reason, which may rest on one rank lower.
      const Cards touched = why & m.group;
      if (touched && lowest(touched) != m.card) {
        why |= highest(m.group & (lowest(touched) - 1));
      }
      together |= why;
      // A card below all that mattered: every other such card of the suit fails as well.
      const Cards suit = lane(suit_of(m.card)), matters = why & suit;
      const Cards alike = matters ? suit & (lowest(matters) - 1) : suit;
      if (m.card & alike) done |= alike;
    }
    rel |= together;
    return !wanted;
  }

  // The same once the card has been played.
  template <int kIndex>
  bool after(int seat, Cards c, const Trick& before, int target, Cards& rel) {
    Trick t = before;
    if (kIndex == 0) t.led = suit_of(c);
    if (kIndex == 0 || beats(h_, c, t)) t.best = c, t.holder = seat;
    t.played |= c;
    h_.seat[seat] ^= c;
    const int place = 4 * (4 * suit_of(c) + seat);
    lengths_ -= std::uint64_t{1} << place;
    bool yes;
    if constexpr (kIndex == 3) {
      --left_;
      yes = search(t.holder, target - (side(t.holder) == 0), rel);
      ++left_;
      rel |= by_rank(t);
    } else {
      ++nodes;
      yes = follow<kIndex + 1>(t, target, rel, 0);
    }
    lengths_ += std::uint64_t{1} << place;
    h_.seat[seat] ^= c;
    return yes;
  }

  Hands h_{};
  Cards dealt_[kSeats] = {};  // what the memory knows of
  int trump_ = kNoTrump, leader_ = 0, played_ = 0, left_ = 0;
  Trick trick_{};
  std::uint64_t lengths_ = 0;
  int lane_of_[kSuits];
  bool known_ = false;
  Cards killer_[kRanks + 1][kSeats];  // the lead that last decided, by cards left and seat
  Memory memory_;
  std::uint32_t owners_[kSuits][kLane + 1];
};

}  // namespace zermelo::bridge
