// Which move to try first: the table's, then what the game finds promising, then what cut before.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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
  static constexpr float kTableMove = 1e9f;
  static constexpr float kPromise = 1e6f;  // a game's hint outweighs what was learned here
  static constexpr float kKiller = 5e5f;
  static constexpr float kMostHistory = 4e5f;

  explicit Ordering(bool learns) {
    if (!learns) return;
    history_.resize(std::size_t{2} << kBits);
    killers_.resize(kPlies, {kNone, kNone});
  }

  // Orders in place, best first, ties as they came: lists are short and often nearly in order.
  // learned: killers and history count where the game says nothing; known: `best` comes first.
  void sort(Move* moves, int count, int ply, int player, bool learned, bool known,
            Action best) const {
    for (int i = 0; i < count; ++i) {
      Move m = moves[i];
      if (learned) m.promise = score(m, ply, player);
      if (known && m.action == best) m.promise = learned ? m.promise + kTableMove : kInfinite;
      int at = i;
      for (; at > 0 && moves[at - 1].promise < m.promise; --at) moves[at] = moves[at - 1];
      moves[at] = m;
    }
  }

  // Of a move sorted as `learned`: what the game said of it, and what was learned of a quiet one.
  static float promised(const Move& m) {
    return m.promise > kTableMove / 2 ? m.promise - kTableMove : m.promise;
  }
  static bool quiet(const Move& m) { return std::abs(promised(m)) < kPromise; }

  // `action` cut at `ply`, with `depth` left.
  void reward(Action action, int ply, int player, int depth) {
    if (ply < kPlies && killers_[ply][0] != action) {
      killers_[ply][1] = killers_[ply][0];
      killers_[ply][0] = action;
    }
    learn(history(player, action), weight(depth));
  }
  // `action` was tried there before, in vain.
  void punish(Action action, int player, int depth) {
    learn(history(player, action), -weight(depth));
  }

 private:
  static constexpr int kPlies = 128;
  static constexpr int kBits = 14;
  static constexpr Action kNone = UINT32_MAX;
  static constexpr float kInfinite = 1e30f;

  float score(const Move& m, int ply, int player) const {
    if (m.promise != 0) return m.promise * kPromise;
    float s = history_[slot(player, m.action)];
    if (ply < kPlies && (killers_[ply][0] == m.action || killers_[ply][1] == m.action))
      s += kKiller;
    return s;
  }
  static float weight(int depth) {
    return kMostHistory / 256 * static_cast<float>(std::min(depth * depth, 64));
  }
  // The nearer to the limit, the less a further case tells.
  static void learn(float& h, float w) { h += w - h * std::abs(w) / kMostHistory; }
  static std::size_t slot(int player, Action action) {
    return (action * 0x9e3779b1u >> (32 - kBits)) | std::size_t(player & 1) << kBits;
  }
  float& history(int player, Action action) { return history_[slot(player, action)]; }

  std::vector<float> history_;
  std::vector<std::array<Action, 2>> killers_;
};

}  // namespace zermelo
