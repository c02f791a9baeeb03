// Which move to try first: the table's, then what the game finds promising, then what cut before.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../game.hpp"

namespace zermelo {

struct Move {
  Action action;
  float promise;  // the greatest is tried first
};

// Where a move is tried: after `before`, the other side's, and `earlier`, the mover's own last.
struct Context {
  static constexpr Action kNone = UINT32_MAX;
  int ply, player;
  Action before = kNone, earlier = kNone;
};

// Moves that cut elsewhere, remembered by ply (killers), by their number (history), and, where a
// game says by which bits, as replies to the move before and as sequels to the mover's own last.
class Ordering {
 public:
  static constexpr float kTableMove = 1e9f;
  static constexpr float kPromise = 1e6f;  // a game's hint outweighs what was learned here
  static constexpr float kKiller = 5e5f;
  static constexpr float kMostHistory = 4e5f;

  Ordering(bool learns, Action gist) : gist_(gist) {
    if (!learns) return;
    history_.resize(std::size_t{2} << kBits);
    killers_.resize(kPlies, {Context::kNone, Context::kNone});
    if (gist_) replies_.resize(std::size_t{2} << 2 * kGistBits);
  }

  // Says how promising each move is. learned: killers and history count where the game says
  // nothing; known: `best` comes first.
  void weigh(Move* moves, int count, const Context& at, bool learned, bool known,
             Action best) const {
    if (!learned && !known) return;
    for (int i = 0; i < count; ++i) {
      Move& m = moves[i];
      if (learned) m.promise = score(m, at);
      if (known && m.action == best) m.promise = learned ? m.promise + kTableMove : kInfinite;
    }
  }

  // Puts the next best of the moves from `at` on there, ties as they came. The first few are picked
  // one by one, since often no more are needed; then the others are put in order.
  static void pick(Move* moves, int count, int at) {
    if (at > kPicked) return;
    if (at == kPicked) {
      for (int i = at + 1; i < count; ++i) {
        const Move m = moves[i];
        int to = i;
        for (; to > at && moves[to - 1].promise < m.promise; --to) moves[to] = moves[to - 1];
        moves[to] = m;
      }
      return;
    }
    int best = at;
    for (int i = at + 1; i < count; ++i) {
      if (moves[i].promise > moves[best].promise) best = i;
    }
    const Move m = moves[best];
    for (; best > at; --best) moves[best] = moves[best - 1];
    moves[at] = m;
  }

  // Of a move weighed as `learned`: what the game said of it, and what was learned of a quiet one.
  static float promised(const Move& m) {
    return m.promise > kTableMove / 2 ? m.promise - kTableMove : m.promise;
  }
  static bool quiet(const Move& m) { return std::abs(promised(m)) < kPromise; }

  // `action` cut, with `depth` left.
  void reward(Action action, const Context& at, int depth) {
    if (at.ply < kPlies && killers_[at.ply][0] != action) {
      killers_[at.ply][1] = killers_[at.ply][0];
      killers_[at.ply][0] = action;
    }
    learn(action, at, weight(depth));
  }
  // `action` was tried there before, in vain.
  void punish(Action action, const Context& at, int depth) { learn(action, at, -weight(depth)); }

 private:
  static constexpr int kPlies = 128;
  static constexpr int kPicked = 3;
  static constexpr int kBits = 14, kGistBits = 9;
  static constexpr float kMostReply = 16384;  // as kMostHistory, in 16 bits
  static constexpr float kInfinite = 1e30f;

  float score(const Move& m, const Context& at) const {
    if (m.promise != 0) return m.promise * kPromise;
    float s = history_[slot(m.action, kBits) | std::size_t(at.player & 1) << kBits];
    if (gist_) {
      constexpr float kScale = kMostHistory / kMostReply;
      if (at.before != Context::kNone) s += kScale * replies_[pair(at.before, m.action, 0)];
      if (at.earlier != Context::kNone) s += kScale * replies_[pair(at.earlier, m.action, 1)];
      s /= 2;
    }
    if (at.ply < kPlies && (killers_[at.ply][0] == m.action || killers_[at.ply][1] == m.action))
      s += kKiller;
    return std::min(s, kPromise - 1);
  }
  void learn(Action action, const Context& at, float w) {
    float& h = history_[slot(action, kBits) | std::size_t(at.player & 1) << kBits];
    h = nearer(h / kMostHistory, w) * kMostHistory;
    if (!gist_) return;
    for (const auto& [move, which] : {std::pair{at.before, 0}, std::pair{at.earlier, 1}}) {
      if (move == Context::kNone) continue;
      std::int16_t& r = replies_[pair(move, action, which)];
      r = static_cast<std::int16_t>(nearer(r / kMostReply, w) * kMostReply);
    }
  }
  // The nearer to the limit, which is 1, the less a further case tells.
  static float nearer(float h, float w) { return h + w - h * std::abs(w); }
  static float weight(int depth) {
    depth = std::min(depth, 8);
    return static_cast<float>(depth * depth) / 256;
  }
  static std::size_t slot(Action action, int bits) { return action * 0x9e3779b1u >> (32 - bits); }
  std::size_t pair(Action first, Action second, std::size_t which) const {
    return (which << kGistBits | slot(first & gist_, kGistBits)) << kGistBits |
           slot(second & gist_, kGistBits);
  }

  Action gist_;
  std::vector<float> history_;
  std::vector<std::int16_t> replies_;
  std::vector<std::array<Action, 2>> killers_;
};

}  // namespace zermelo
