// What a player can force in a game with superko, by retrograde analysis without history.
//
// The attacker aims at a utility. In the game without history every repetition counts as a failure
// of the attacker, and the opponent may play to any position. The nodes of this game are a
// position, the player to move and the number of passes just played. The attractor is the set of
// nodes in which the attacker still forces the aim. Each has a rank; every move of the attacker's
// strategy and every move of the opponent lead to a lower rank.
//
// The strategy must not break superko in the real game. So the attacker plays to a position only if
// both its nodes, with either player to move, have a lower rank than the present node. Had the
// position occurred before, one of its nodes would have had a higher rank. This condition costs
// nothing: if the node with the opponent to move is in the attractor, so is the one with the
// attacker to move. If the score reaches the aim, the attacker may pass. If not, the opponent may
// pass, so the attacker's node came first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "../../superko.hpp"

namespace zermelo::superko {

using Number = SuperkoGraph::Number;
using Tick = std::function<void()>;  // may throw

// All positions with their plays and their scores.
class Positions {
 public:
  Positions(const SuperkoGraph& graph, const Tick& tick) {
    const Number size = graph.size();
    std::vector<double> scores(size);
    for (Number n = 0; n < size; ++n) scores[n] = graph.score(n);
    utilities_ = scores;
    std::sort(utilities_.begin(), utilities_.end());
    utilities_.erase(std::unique(utilities_.begin(), utilities_.end()), utilities_.end());
    score_.resize(size);
    for (Number n = 0; n < size; ++n) score_[n] = level(scores[n]);
    for (int player = 0; player < 2; ++player) {
      assured_[player].resize(size);
      first_[player].reserve(size + std::size_t{1});
      for (Number n = 0; n < size; ++n) {
        if (n % 4096 == 0) tick();
        assured_[player][n] = level(graph.assured(n, player));
        first_[player].push_back(plays_[player].size());
        graph.plays(n, player, plays_[player]);
      }
      first_[player].push_back(plays_[player].size());
    }
  }

  Number size() const { return static_cast<Number>(score_.size()); }
  // All utilities that a game may end with, the least first.
  const std::vector<double>& utilities() const { return utilities_; }
  std::span<const Number> plays(Number n, int player) const {
    const Number* list = plays_[player].data();
    return {list + first_[player][n], list + first_[player][n + 1]};
  }
  // Whether a game that ends here is worth at least utilities()[aim].
  bool reaches(Number n, int aim) const { return score_[n] > aim; }
  // Whether `player`, by always passing, settles that the game is worth at least that (player 0) or
  // less (player 1).
  bool assured(Number n, int player, int aim) const {
    return (assured_[player][n] > aim) == (player == 0);
  }

 private:
  // How many utilities are not greater.
  std::uint16_t level(double utility) const {
    const auto end = std::upper_bound(utilities_.begin(), utilities_.end(), utility);
    return static_cast<std::uint16_t>(end - utilities_.begin());
  }

  std::vector<double> utilities_;
  std::vector<std::uint16_t> score_, assured_[2];  // as levels
  std::vector<std::size_t> first_[2];
  std::vector<Number> plays_[2];
};

class Attractor {
 public:
  using Rank = std::uint16_t;  // 0: not in the attractor

  // Player 0 aims at utilities()[aim] or more, player 1 at less.
  Attractor(const Positions& positions, int attacker, int aim, const Tick& tick)
      : positions_(positions), attacker_(attacker), aim_(aim) {
    move_.resize(positions.size());
    reply_.resize(positions.size());
    for (Number n = 0; n < positions.size(); ++n) {
      if (positions.assured(n, attacker, aim)) move_[n] = reply_[n] = 1;
    }
    while (sweep(tick)) {
    }
  }

  // Of a position with the player to move and the passes just played, 0 or 1. The aim is reached
  // after at most this many moves, or by always passing.
  Rank rank(Number n, int mover, int passes) const {
    if (passes == 0) return mover == attacker_ ? move_[n] : reply_[n];
    if (mover == attacker_) return good(n) ? 1 : move_[n];
    return good(n) ? reply_[n] : 0;
  }

  // The attacker's strategy plays to this position only from higher ranks. 0: never.
  Rank entered_above(Number n) const {
    return move_[n] && reply_[n] ? std::max(move_[n], reply_[n]) : 0;
  }

 private:
  static constexpr int kMost = UINT16_MAX - 1;

  // Whether the game may end here.
  bool good(Number n) const { return positions_.reaches(n, aim_) == (attacker_ == 0); }

  bool sweep(const Tick& tick) {
    bool changed = false;
    for (Number n = 0; n < positions_.size(); ++n) {
      if (n % 4096 == 0) tick();
      if (!reply_[n]) changed |= (reply_[n] = reply_rank(n)) != 0;
      if (!move_[n]) changed |= (move_[n] = move_rank(n)) != 0;
    }
    return changed;
  }

  static Rank above(int rank) { return static_cast<Rank>(rank < kMost ? rank + 1 : 0); }

  // The opponent's moves must all lead into the attractor. After a pass the attacker may pass, too,
  // or has to play.
  Rank reply_rank(Number n) const {
    int worst = good(n) ? 1 : move_[n];
    if (worst == 0) return 0;
    for (const Number to : positions_.plays(n, 1 - attacker_)) {
      if (!move_[to]) return 0;
      worst = std::max<int>(worst, move_[to]);
    }
    return above(worst);
  }

  // One of the attacker's moves must: a play, or a pass, after which the opponent may pass, too.
  Rank move_rank(Number n) const {
    int best = good(n) && reply_[n] ? reply_[n] : kMost;
    for (const Number to : positions_.plays(n, attacker_)) {
      if (const Rank r = entered_above(to)) best = std::min<int>(best, r);
    }
    return above(best);
  }

  const Positions& positions_;
  int attacker_, aim_;
  std::vector<Rank> move_, reply_;  // the rank if the attacker, the opponent is to move, no passes
};

}  // namespace zermelo::superko
