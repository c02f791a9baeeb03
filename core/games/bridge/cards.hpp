// Cards of bridge as bits, and seats.
//
//   bits  63      48 47      32 31      16 15       0
//         | suit 3  | suit 2   | suit 1   | suit 0   |     in each lane bit 0 is the two, 12 the
//         ace
//
// Which suit lies in which lane is the user's affair; the solver puts trumps into lane 3, so that a
// trump is a greater number than any card of another suit.
#pragma once

#include <bit>
#include <cstdint>

namespace zermelo::bridge {

using Cards = std::uint64_t;

inline constexpr int kSeats = 4, kSuits = 4, kRanks = 13, kNoTrump = 4;
inline constexpr Cards kLane = 0x1fff;
inline constexpr int kShift = 16;  // from a suit to the next

inline Cards card(int suit, int rank) { return Cards{1} << (kShift * suit + rank); }
inline Cards lane(int suit) { return kLane << (kShift * suit); }
inline std::uint32_t of_suit(Cards cards, int suit) {
  return static_cast<std::uint32_t>(cards >> (kShift * suit)) & kLane;
}
inline int suit_of(Cards one) { return std::countr_zero(one) / kShift; }
inline int rank_of(Cards one) { return std::countr_zero(one) % kShift; }

// The greatest and the least of a set, as sets of one; nothing of nothing.
inline Cards highest(Cards cards) { return cards ? std::bit_floor(cards) : 0; }
inline Cards lowest(Cards cards) { return cards & (~cards + 1); }

// Seats go clockwise: north 0, east 1, south 2, west 3.
inline int next_seat(int seat) { return (seat + 1) & 3; }
inline int partner(int seat) { return seat ^ 2; }
inline int previous_seat(int seat) { return (seat + 3) & 3; }
inline int side(int seat) { return seat & 1; }  // 0: north and south

}  // namespace zermelo::bridge
