// Nim: take stones from one pile. The player who takes the last stone wins (misère: loses); with
// more than two players the others share the loss (misère: the win).
//
// Piles are kept sorted, largest first, so that equal positions are equal bytes. An action says
// "from a pile of `size` take `count`": size << 16 | count.
#pragma once

#include <algorithm>
#include <vector>

#include "../game.hpp"
#include "../parts/hash.hpp"

namespace zermelo {

class Nim {
 public:
  static constexpr int kPiles = 16;
  static constexpr int kPlayers = 8;  // at most
  struct State {
    std::uint16_t pile[kPiles];
    std::uint16_t turn;
  };

  // most: how many stones may be taken at once; 0: any number.
  Nim(const std::vector<int>& piles, int most, bool misere, int players)
      : most_(most), misere_(misere), players_(players) {
    for (std::size_t i = 0; i < piles.size() && i < kPiles; ++i) start_.pile[i] = piles[i];
    std::sort(start_.pile, start_.pile + kPiles, std::greater<>());
  }

  Facts facts() const { return {.players = players_, .utility_min = -1, .utility_max = 1}; }

  State initial() const { return start_; }
  int to_move(const State& s) const { return s.pile[0] == 0 ? kTerminal : s.turn; }

  int actions(const State& s, Action* out, int capacity) const {
    int n = 0;
    for (int i = 0; i < kPiles && s.pile[i]; ++i) {
      if (i && s.pile[i] == s.pile[i - 1]) continue;  // the same move from an equal pile
      const int most = most_ ? std::min<int>(most_, s.pile[i]) : s.pile[i];
      for (int take = 1; take <= most; ++take, ++n) {
        if (n < capacity) out[n] = Action(s.pile[i]) << 16 | take;
      }
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    const std::uint16_t size = a >> 16, left = size - (a & 0xffff);
    int i = 0;
    while (i < kPiles - 1 && next.pile[i] != size) ++i;
    for (; i + 1 < kPiles && next.pile[i + 1] > left; ++i) next.pile[i] = next.pile[i + 1];
    next.pile[i] = left;
    next.turn = next.turn + 1 == players_ ? 0 : next.turn + 1;
    return next;
  }

  // At the end it is the turn of the one after the one who took the last stone.
  double utility(const State& s, int player) const {
    const bool last = s.turn == (player + 1) % players_;
    const double won = last ? 1 : -1.0 / (players_ - 1);
    return misere_ ? -won : won;
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }
  bool valid(const State& s) const {
    return s.turn < players_ && std::is_sorted(s.pile, s.pile + kPiles, std::greater<>());
  }

 private:
  State start_{};
  int most_;
  bool misere_;
  int players_;
};

}  // namespace zermelo
