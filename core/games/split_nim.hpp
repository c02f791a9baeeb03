// Nim by splitting (Grundy's game): split one pile into two unequal piles; a player who cannot move
// loses.
//
// A state counts the piles of each size, so that equal positions are equal bytes. An action is the
// two parts: larger << 8 | smaller.
#pragma once

#include <vector>

#include "../game.hpp"
#include "../parts/hash.hpp"

namespace zermelo {

class SplitNim {
 public:
  static constexpr int kStones = 119;  // in all
  struct State {
    std::uint8_t count[kStones + 1];  // count[n]: piles of n stones; count[0]: whose turn
  };

  explicit SplitNim(const std::vector<int>& piles) {
    for (int pile : piles) ++start_.count[pile];
  }

  Facts facts() const {
    return {.utility_min = -1,
            .utility_max = 1,
            .max_actions = kStones * kStones / 4};  // splits of every size at once
  }

  State initial() const { return start_; }

  int to_move(const State& s) const {
    for (int size = 3; size <= kStones; ++size) {
      if (s.count[size]) return s.count[0];
    }
    return kTerminal;
  }

  int actions(const State& s, Action* out, int) const {
    int n = 0;
    for (int size = kStones; size >= 3; --size) {
      if (!s.count[size]) continue;
      for (int small = 1; 2 * small < size; ++small) out[n++] = (size - small) << 8 | small;
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    const int large = a >> 8 & 0xff, small = a & 0xff;
    --next.count[large + small];
    ++next.count[large];
    ++next.count[small];
    next.count[0] ^= 1;
    return next;
  }

  double utility(const State& s, int player) const { return player == s.count[0] ? -1 : 1; }
  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  bool valid(const State& s) const {
    int stones = 0;
    for (int size = 1; size <= kStones; ++size) stones += size * s.count[size];
    return s.count[0] <= 1 && stones <= kStones;
  }

 private:
  State start_{};
};

}  // namespace zermelo
