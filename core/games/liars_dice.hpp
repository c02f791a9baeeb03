// Two-player liar's dice: each player rolls hidden dice. Players alternately bid how many dice of
// all show a face, each bid higher than the last, until one challenges.
//
// Bids are ordered by count, then by face: 1-1, 1-2, … 1-6, 2-1, …. The highest face is wild. If
// the last bid is true, the bidder wins, else the challenger.
#pragma once

#include <bit>
#include <vector>

#include "../game.hpp"
#include "../parts/hash.hpp"

namespace zermelo {

class LiarsDice {
 public:
  static constexpr int kMostDice = 5, kMostSides = 6, kBits = 3;  // of a face in a roll
  static constexpr Action kCall = 63, kRoll = 1 << 16;            // and the roll

  struct State {
    std::uint64_t bids;     // those that were made, by bit: each is higher than the one before
    std::uint16_t roll[2];  // faces from 1, in three bits each, from low to high; 0: not rolled yet
    std::uint32_t called;
  };

  LiarsDice(int dice, int sides) : dice_(dice), sides_(sides) {
    int face[kMostDice];
    list(0, 1, face);
  }

  Facts facts() const {
    return {.chance = true, .hidden = true, .utility_min = -1, .utility_max = 1, .step = 1};
  }

  State initial() const { return {}; }

  int to_move(const State& s) const {
    if (s.called) return kTerminal;
    return s.roll[1] ? std::popcount(s.bids) & 1 : kChance;
  }

  int actions(const State& s, Action* out, int capacity) const {
    int n = 0;
    const auto add = [&](Action a) {
      if (n++ < capacity) out[n - 1] = a;
    };
    for (int bid = 64 - std::countl_zero(s.bids); bid < bids(); ++bid) add(bid);
    if (s.bids) add(kCall);
    return n;
  }

  int outcomes(const State&, Action* out, double* odds, int capacity) const {
    const int n = static_cast<int>(rolls_.size());
    for (int i = 0; i < n && i < capacity; ++i) {
      out[i] = kRoll + rolls_[i].dice;
      odds[i] = rolls_[i].odds;
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    if (a >= kRoll) {
      next.roll[s.roll[0] ? 1 : 0] = static_cast<std::uint16_t>(a - kRoll);
    } else if (a == kCall) {
      next.called = 1;
    } else {
      next.bids |= std::uint64_t{1} << a;
    }
    return next;
  }

  double utility(const State& s, int player) const {
    const int bid = 63 - std::countl_zero(s.bids);
    const int face = bid % sides_ + 1;
    int there = 0;
    for (const std::uint16_t roll : s.roll) {
      for (int r = roll; r; r >>= kBits) there += (r & 7) == face || (r & 7) == sides_;
    }
    const int bidder = 1 - (std::popcount(s.bids) & 1);
    return (there > bid / sides_) == (bidder == player) ? 1 : -1;
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  // All but the other's dice, of which a player sees only that they were rolled.
  std::uint64_t observation(const State& s, int player) const {
    State seen = s;
    seen.roll[1 - player] = s.roll[1 - player] != 0;
    return hash_bytes(&seen, sizeof seen);
  }

  bool valid(const State& s) const {
    const auto rolled = [&](int p) {
      for (const Roll& r : rolls_) {
        if (r.dice == s.roll[p]) return true;
      }
      return s.roll[p] == 0;
    };
    return rolled(0) && rolled(1) && (s.roll[0] || !s.roll[1]) && s.bids >> bids() == 0 &&
           (!s.bids || s.roll[1]) && s.called <= 1 && (!s.called || s.bids);
  }

 private:
  struct Roll {
    std::uint16_t dice;
    double odds;
  };

  int bids() const { return 2 * dice_ * sides_; }

  // Every roll, faces from low to high, with its odds: orders of different dice are one roll.
  void list(int at, int low, int* face) {
    if (at == dice_) {
      Roll roll{0, 1};
      int same = 0;
      for (int i = 0; i < dice_; ++i) {
        same = i && face[i] == face[i - 1] ? same + 1 : 1;
        roll.dice = static_cast<std::uint16_t>(roll.dice | face[i] << kBits * i);
        roll.odds *= static_cast<double>(i + 1) / same / sides_;
      }
      rolls_.push_back(roll);
      return;
    }
    for (face[at] = low; face[at] <= sides_; ++face[at]) list(at + 1, face[at], face);
  }

  int dice_, sides_;
  std::vector<Roll> rolls_;
};

}  // namespace zermelo
