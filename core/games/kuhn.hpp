// Kuhn poker: three cards, one each, one chip in the pot each; a bet is one chip.
//
// Players pass or bet; a bet is answered by bet (call) or pass (fold); after two passes, or a call,
// the higher card wins the pot.
#pragma once

#include "../game.hpp"
#include "../parts/hash.hpp"
#include "poker.hpp"

namespace zermelo {

class Kuhn {
 public:
  static constexpr int kCards = 3;
  static constexpr Action kPass = 0, kBet = 1, kDeal = 16;  // and the card

  struct State {
    std::uint8_t card[2];  // 1 to 3; 0: not dealt yet
    std::uint8_t moves;    // how many were made
    std::uint8_t bets;     // which of them were bets, by bit
  };

  Facts facts() const {
    return {.chance = true,
            .hidden = true,
            .utility_min = -2,
            .utility_max = 2,
            .step = 1,
            .max_actions = kCards};
  }

  State initial() const { return {}; }

  int to_move(const State& s) const {
    if (!s.card[1]) return kChance;
    return over(s) ? kTerminal : s.moves & 1;
  }

  int actions(const State&, Action* out, int capacity) const {
    for (int i = 0; i < 2 && i < capacity; ++i) out[i] = i;
    return 2;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    const int left = s.card[0] ? kCards - 1 : kCards;
    int n = 0;
    for (int card = 1; card <= kCards; ++card) {
      if (card == s.card[0]) continue;
      if (n < capacity) out[n] = kDeal + card, odds[n] = 1.0 / left;
      ++n;
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    if (!s.card[1]) {
      next.card[s.card[0] ? 1 : 0] = static_cast<std::uint8_t>(a - kDeal);
    } else {
      next.bets |= a << s.moves;
      ++next.moves;
    }
    return next;
  }

  double utility(const State& s, int player) const {
    const int called = s.moves == 3 ? (s.bets >> 1 & s.bets >> 2 & 1) : (s.bets & s.bets >> 1 & 1);
    const bool folded = s.bets && !called;
    // The player who folded moved last.
    const int winner = folded ? s.moves & 1 : s.card[1] > s.card[0];
    const double pot = called ? 2 : 1;
    return player == winner ? pot : -pot;
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  std::uint64_t observation(const State& s, int player) const {
    return poker_observation(s, player);
  }

  bool valid(const State& s) const {
    const bool cards = s.card[0] <= kCards && s.card[1] <= kCards &&
                       (s.card[0] ? s.card[0] != s.card[1] : !s.card[1]);
    if (!cards || s.moves > 3 || s.bets >> s.moves || (s.moves && !s.card[1])) return false;
    State before = s;
    while (before.moves) {  // no move after the end
      --before.moves;
      before.bets &= (1 << before.moves) - 1;
      if (over(before)) return false;
    }
    return true;
  }

 private:
  static bool over(const State& s) {
    if (s.moves < 2) return false;
    return s.moves == 3 || s.bets != 2;  // pass, bet continues
  }
};

}  // namespace zermelo
