// Which move to try first: the table's, then what the game finds promising, then what cut before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "../game.hpp"

namespace zermelo {

struct Move {
  Action action;
  float promise;  // the greatest is tried first
};

// Moves that cut elsewhere, remembered by ply (killers) and by their number (history).
class Ordering {
 public:
  static constexpr float kTableMove = 1e30f;
  static constexpr float kPromise = 1e6f;  // a game's hint outweighs what was learned here
  static constexpr float kKiller = 5e5f;
  static constexpr float kMostHistory = 4e5f;

  explicit Ordering(bool learns) {
    if (!learns) return;
    history_.resize(std::size_t{2} << 12);
    killers_.resize(kPlies, {kNone, kNone});
  }

  // Orders in place, best first, ties as they came: lists are short and often nearly in order.
  // learned: killers and history count; known: `best` comes first.
  void sort(Move* moves, int count, int ply, int player, bool learned, bool known,
            Action best) const {
    for (int i = 0; i < count; ++i) {
      Move m = moves[i];
      m.promise = known && m.action == best ? kTableMove
                  : learned                 ? score(m, ply, player)
                                            : m.promise;
      int at = i;
      for (; at > 0 && moves[at - 1].promise < m.promise; --at) moves[at] = moves[at - 1];
      moves[at] = m;
    }
  }

  // `action` cut at `ply`, with `depth` left.
  void reward(Action action, int ply, int player, int depth) {
    if (ply < kPlies && killers_[ply][0] != action) {
      killers_[ply][1] = killers_[ply][0];
      killers_[ply][0] = action;
    }
    float& h = history(player, action);
    h += std::min(depth, 64) * std::min(depth, 64) + 1;
    if (h > kMostHistory) {
      for (float& x : history_) x /= 2;
    }
  }

 private:
  static constexpr int kPlies = 128;
  static constexpr Action kNone = UINT32_MAX;

  float score(const Move& m, int ply, int player) const {
    float s = m.promise * kPromise + history_[slot(player, m.action)];
    if (ply < kPlies && (killers_[ply][0] == m.action || killers_[ply][1] == m.action))
      s += kKiller;
    return s;
  }
  static std::size_t slot(int player, Action action) {
    return (action * 0x9e3779b1u >> 20) | std::size_t(player & 1) << 12;
  }
  float& history(int player, Action action) { return history_[slot(player, action)]; }

  std::vector<float> history_;
  std::vector<std::array<Action, 2>> killers_;
};

}  // namespace zermelo
