// Move ordering: the table move, then the game's move hints, then killer moves and history.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../game.hpp"
#include "../platform.hpp"

namespace zermelo {

struct Move {
  Action action;
  float promise;  // the greatest is searched first
};

// The moves of all plies, the deepest last. Unlike a vector's, its resize costs a comparison.
class MoveStack {
 public:
  std::size_t size() const { return size_; }
  void resize(std::size_t size) {
    if (size > moves_.size()) grow(size);
    size_ = size;
  }
  void push_back(Move m) {
    resize(size_ + 1);
    moves_[size_ - 1] = m;
  }
  Move* data() { return moves_.data(); }
  Move* end() { return moves_.data() + size_; }
  Move& operator[](std::size_t i) { return moves_[i]; }

 private:
  ZERMELO_NOINLINE void grow(std::size_t size) { moves_.resize(2 * size); }

  std::vector<Move> moves_ = std::vector<Move>(1024);
  std::size_t size_ = 0;
};

// Moves that caused cutoffs elsewhere, by ply (killers) and by action (history).
class Ordering {
 public:
  static constexpr float kTableMove = 1e9f;
  static constexpr float kPromise = 1e6f;  // a game's hint outweighs killers and history
  static constexpr float kKiller = 5e5f;
  static constexpr float kMostHistory = 4e5f;

  explicit Ordering(bool learns) {
    if (!learns) return;
    history_.resize(std::size_t{2} << kBits);
    killers_.resize(kPlies, {kNone, kNone});
  }

  // Sets the weight of each move. learned: killers and history count if the game has no hints;
  // known: `best` comes first.
  void weigh(Move* moves, int count, int ply, int player, bool learned, bool known,
             Action best) const {
    if (!learned && !known) return;
    for (int i = 0; i < count; ++i) {
      Move& m = moves[i];
      if (learned) m.promise = score(m, ply, player);
      if (known && m.action == best) m.promise = learned ? m.promise + kTableMove : kInfinite;
    }
  }

  // Moves the best of the moves from `at` on to `at`; ties keep their order. The first few are
  // selected one by one, since often no more are needed; then the rest is sorted.
  static Move pick(Move* moves, int count, int at) {
    if (at > kPicked) return moves[at];
    if (at == kPicked) {
      for (int i = at + 1; i < count; ++i) {
        const Move m = moves[i];
        int to = i;
        for (; to > at && moves[to - 1].promise < m.promise; --to) moves[to] = moves[to - 1];
        moves[to] = m;
      }
      return moves[at];
    }
    int best = at;
    for (int i = at + 1; i < count; ++i) {
      if (moves[i].promise > moves[best].promise) best = i;
    }
    const Move m = moves[best];
    for (; best > at; --best) moves[best] = moves[best - 1];
    moves[at] = m;
    return m;
  }

  // The parts of the weight of a move: the game's hint, and the history of a quiet move.
  static float promised(const Move& m) {
    return m.promise > kTableMove / 2 ? m.promise - kTableMove : m.promise;
  }
  static bool quiet(const Move& m) { return std::abs(promised(m)) < kPromise; }

  // `action` caused a cutoff at `ply`, with `depth` left.
  void reward(Action action, int ply, int player, int depth) {
    if (ply < kPlies && killers_[ply][0] != action) {
      killers_[ply][1] = killers_[ply][0];
      killers_[ply][0] = action;
    }
    learn(history(player, action), weight(depth));
  }
  // `action` was searched before and did not cause the cutoff.
  void punish(Action action, int player, int depth) {
    learn(history(player, action), -weight(depth));
  }

 private:
  static constexpr int kPlies = 128;
  static constexpr int kPicked = 3;
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
    depth = std::min(depth, 8);
    return kMostHistory / 256 * static_cast<float>(depth * depth);
  }
  // Updates shrink as the value approaches its limit.
  static void learn(float& h, float w) { h += w - h * std::abs(w) / kMostHistory; }
  static std::size_t slot(int player, Action action) {
    return (action * 0x9e3779b1u >> (32 - kBits)) | std::size_t(player & 1) << kBits;
  }
  float& history(int player, Action action) { return history_[slot(player, action)]; }

  std::vector<float> history_;
  std::vector<std::array<Action, 2>> killers_;
};

}  // namespace zermelo
