// A position of Monopoly, and what everybody owns in it: lots, houses, mortgages, money.
#pragma once

#include <algorithm>
#include <cstdint>

#include "board.hpp"

namespace zermelo::monopoly {

inline constexpr int kPlayers = 6;  // at most
inline constexpr int kKept = 9;     // cards that open the jail, at most

// A lot: owner + 1 in 3 bits (0: the bank's), mortgaged in bit 3, houses in bits 4 to 6.
struct State {
  std::int32_t cash[kPlayers];  // -1: out of the game, or never in it
  std::uint8_t lot[kLots];
  std::uint8_t place[kPlayers];  // a square, or kJail
  std::uint8_t tries[kPlayers];  // to roll doubles in jail, so far
  std::uint8_t kept[kPlayers];   // cards that open the jail
  std::uint8_t mover, phase, doubles, subject, asked, traded;
  std::uint16_t round;
  std::uint8_t rolled, none;
};
static_assert(sizeof(State) == 80, "no padding: equal positions are equal bytes");

inline int owner(const State& s, int l) { return (s.lot[l] & 7) - 1; }
inline bool mortgaged(const State& s, int l) { return s.lot[l] & 8; }
inline int houses(const State& s, int l) { return s.lot[l] >> 4; }
inline bool in_game(const State& s, int p) { return s.cash[p] >= 0; }
inline int redemption(int l) { return (kLot[l].price * 11 + 19) / 20; }

inline int owned(const State& s, int group, int player) {
  int n = 0;
  for (int l = 0; l < kLots; ++l) {
    n += kLot[l].group == group && owner(s, l) == player;
  }
  return n;
}
// What all of a colour say: whole and unmortgaged in one hand, the least houses, any house.
struct Colour {
  bool whole = true, built = false;
  int least = kHotel;
};
inline Colour colour(const State& s, int group, int player) {
  Colour c;
  for (int l = 0; l < kLots; ++l) {
    if (kLot[l].group != group) continue;
    c.whole &= owner(s, l) == player && !mortgaged(s, l);
    c.built |= houses(s, l) > 0;
    c.least = std::min(c.least, houses(s, l));
  }
  return c;
}

// What a player has: cash, lots at their price (half where mortgaged), houses at cost.
inline int wealth(const State& s, int player) {
  if (!in_game(s, player)) return 0;
  int sum = s.cash[player];
  for (int l = 0; l < kLots; ++l) {
    if (owner(s, l) != player) continue;
    const Lot& lot = kLot[l];
    sum += mortgaged(s, l) ? lot.price / 2 : lot.price + houses(s, l) * lot.house;
  }
  return sum;
}

// Sells the tallest house at half its cost, else mortgages the cheapest lot; false: nothing left.
inline bool raise(State& s, int who) {
  int best = -1;
  for (int l = 0; l < kLots; ++l) {
    if (owner(s, l) == who && houses(s, l) && (best < 0 || houses(s, l) > houses(s, best)))
      best = l;
  }
  if (best >= 0) {
    s.lot[best] -= 16;
    s.cash[who] += kLot[best].house / 2;
    return true;
  }
  for (int l = 0; l < kLots; ++l) {
    if (owner(s, l) != who || mortgaged(s, l)) continue;
    if (best < 0 || kLot[l].price < kLot[best].price) best = l;
  }
  if (best < 0) return false;
  s.lot[best] |= 8;
  s.cash[who] += kLot[best].price / 2;
  return true;
}

// Pays what is owed, to a player or to the bank (-1); false: broke, and out of the game.
inline bool pay(State& s, int who, int amount, int to) {
  while (s.cash[who] < amount && raise(s, who)) {
  }
  const int paid = std::min<int>(s.cash[who], amount);
  if (to >= 0) s.cash[to] += paid;
  s.cash[who] -= paid;
  if (paid == amount) return true;
  for (int l = 0; l < kLots; ++l) {
    if (owner(s, l) != who) continue;
    s.lot[l] = to >= 0 ? (s.lot[l] & 8) | (to + 1) : 0;
  }
  if (to >= 0) s.kept[to] = std::min(kKept, s.kept[to] + s.kept[who]);
  s.cash[who] = -1;
  s.place[who] = s.tries[who] = s.kept[who] = 0;
  return false;
}

}  // namespace zermelo::monopoly
