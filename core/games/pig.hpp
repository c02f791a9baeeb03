// Pig: roll a die and add to the pot, or hold and bank it; a 1 loses the pot and the turn. The
// first player with `target` banked points wins. With a sufficient pot the only action is to hold.
//
// Actions are 0 (roll) and 1 (hold); chance outcomes are the faces 1 to 6.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "../game.hpp"

namespace zermelo {

class Pig {
 public:
  static constexpr int kMostTarget = 10000;
  static constexpr int kFaces = 6;
  enum : Action { kRoll = 0, kHold = 1 };

  struct State {
    std::uint16_t score[2];
    std::uint16_t pot;
    std::uint8_t turn;
    std::uint8_t rolling;  // the die is in the air
  };

  explicit Pig(int target) : target_(target) {}

  Facts facts() const {
    return {.chance = true, .utility_min = -1, .utility_max = 1, .max_actions = kFaces};
  }

  State initial() const { return {}; }

  int to_move(const State& s) const {
    if (s.score[0] >= target_ || s.score[1] >= target_) return kTerminal;
    return s.rolling ? kChance : s.turn;
  }

  int actions(const State& s, Action* out, int) const {
    int n = 0;
    if (s.score[s.turn] + s.pot < target_) out[n++] = kRoll;
    out[n++] = kHold;
    return n;
  }

  int outcomes(const State&, Action* out, double* odds, int capacity) const {
    for (int i = 0; i < kFaces && i < capacity; ++i) out[i] = i + 1, odds[i] = 1.0 / kFaces;
    return kFaces;
  }

  State play(const State& s, Action a) const {
    State next = s;
    next.rolling = 0;
    if (s.rolling && a > 1) {
      next.pot += a;
    } else if (!s.rolling && a == kRoll) {
      next.rolling = 1;
    } else {
      if (!s.rolling) next.score[s.turn] += s.pot;
      next.pot = 0;
      next.turn ^= 1;
    }
    return next;
  }

  double utility(const State& s, int player) const { return s.score[player] >= target_ ? 1 : -1; }
  std::uint64_t key(const State& s) const { return std::bit_cast<std::uint64_t>(s); }

  // A die can be rolling only while the pot is not sufficient.
  bool valid(const State& s) const {
    if (s.turn > 1 || s.rolling > 1) return false;
    const int mine = s.score[s.turn], theirs = s.score[s.turn ^ 1];
    if (mine >= target_) return false;  // the turn passes after the last hold
    if (theirs >= target_) return theirs < target_ + kFaces && !s.pot && !s.rolling;
    return s.rolling ? mine + s.pot < target_ : mine + s.pot < target_ + kFaces;
  }

  // Estimates the winning probability from the turns that both players still need.
  double evaluate(const State& s, int player) const {
    double e = 0;
    if (s.rolling) {
      for (int face = 1; face <= kFaces; ++face) e += lead(play(s, face)) / kFaces;
    } else {
      e = lead(s);
    }
    return player == 0 ? e : 0 - e;
  }

 private:
  static constexpr double kTurn = 8.1;    // points that a good player banks a turn
  static constexpr double kFirst = 0.65;  // what being on the move is worth, in turns
  static constexpr double kLuck = 0.8;    // how little a lead is worth in a long race

  double lead(const State& s) const {
    const double mine = std::max(0, target_ - s.score[s.turn] - s.pot) / kTurn;
    const double theirs = std::max(0, target_ - s.score[s.turn ^ 1]) / kTurn;
    const double ahead = theirs - mine + kFirst;
    const double e = ahead / std::sqrt(ahead * ahead + kLuck * (theirs + mine + 1));
    return s.turn == 0 ? e : 0 - e;
  }

  int target_;
};

}  // namespace zermelo
