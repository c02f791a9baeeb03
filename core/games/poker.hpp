// What the small poker games share.
#pragma once

#include <cstdint>

#include "../parts/hash.hpp"

namespace zermelo {

// A player observes everything except the opponent's card, of which it only sees that it was dealt.
// State has `card[2]`, with 0 for a card that was not dealt, and no padding.
template <class State>
std::uint64_t poker_observation(const State& s, int player) {
  State seen = s;
  seen.card[1 - player] = s.card[1 - player] != 0;
  return hash_bytes(&seen, sizeof seen);
}

}  // namespace zermelo
