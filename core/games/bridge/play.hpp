// Card play of one contract: the state, and what follows from it.
#pragma once

#include <cstring>

#include "double_dummy.hpp"

namespace zermelo::bridge {

// Suits are 0 spades, 1 hearts, 2 diamonds, 3 clubs; a card's code is the number of its bit.
struct PlayState {
  Cards hand[kSeats];       // what is left
  std::uint8_t played[52];  // codes, in order; the rest 0
  std::uint8_t count;       // how many were played
  std::uint8_t cards;       // in each hand at the beginning
  std::uint8_t trump;       // a suit, or kNoTrump
  std::uint8_t declarer;    // seats
  std::uint8_t first;       // who led to the first trick
  std::uint8_t leader;      // to the current trick
  std::uint8_t won;         // tricks of declarer's side
  std::uint8_t spare[5];    // 0
};

inline int turn(const PlayState& s) { return (s.leader + s.count) & 3; }
inline Cards bit(int code) { return Cards{1} << code; }

// Who has the winning card of `n` cards of a trick.
inline int winner_of(const PlayState& s, const std::uint8_t* table, int n) {
  const auto strength = [&](int code) {
    const int suit = code / kShift;
    if (suit == s.trump) return 2 * kShift + code % kShift;
    return suit == table[0] / kShift ? kShift + code % kShift : 0;
  };
  int best = 0;
  for (int i = 1; i < n; ++i) {
    if (strength(table[i]) > strength(table[best])) best = i;
  }
  return (s.leader + best) & 3;
}

// The cards that may be played.
inline Cards legal(const PlayState& s) {
  const Cards own = s.hand[turn(s)];
  if (!(s.count & 3)) return own;
  const Cards follow = own & lane(suit_of(bit(s.played[s.count & ~3])));
  return follow ? follow : own;
}

inline void play_card(PlayState& s, int code) {
  s.hand[turn(s)] &= ~bit(code);
  s.played[s.count] = static_cast<std::uint8_t>(code);
  ++s.count;
  if (s.count & 3) return;
  const int winner = winner_of(s, s.played + s.count - 4, 4);
  s.won += side(winner) == side(s.declarer);
  s.leader = static_cast<std::uint8_t>(winner);
}

// The same with nothing played yet.
inline PlayState beginning(const PlayState& s) {
  PlayState b = s;
  std::memset(b.played, 0, sizeof b.played);
  b.count = b.won = 0;
  b.leader = s.first;
  PlayState walk = b;
  for (int i = 0; i < s.count; ++i) {
    b.hand[turn(walk)] |= bit(s.played[i]);
    play_card(walk, s.played[i]);
  }
  return b;
}

// The suits in which a seat has shown that it has none, as lanes.
inline void voids(const PlayState& s, Cards out[kSeats]) {
  for (int seat = 0; seat < kSeats; ++seat) out[seat] = 0;
  PlayState walk = beginning(s);
  for (int i = 0; i < s.count; ++i) {
    if (i & 3) {
      const int led = suit_of(bit(s.played[i & ~3]));
      if (suit_of(bit(s.played[i])) != led) out[turn(walk)] |= lane(led);
    }
    play_card(walk, s.played[i]);
  }
}

// As the solver wants it.
inline Position position_of(const PlayState& s) {
  Position p;
  for (int seat = 0; seat < kSeats; ++seat) p.hand[seat] = s.hand[seat];
  p.trump = s.trump;
  p.leader = s.leader;
  p.played = s.count & 3;
  for (int i = 0; i < p.played; ++i) p.table[i] = bit(s.played[(s.count & ~3) + i]);
  return p;
}

}  // namespace zermelo::bridge
