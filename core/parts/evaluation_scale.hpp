// Checks on a few positions near the root whether a game's evaluations lie within its utility
// bounds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "average.hpp"
#include "hash.hpp"
#include "walk.hpp"

namespace zermelo {

// Plays a random action or outcome at `ply` and returns the player who moved.
inline int random_move(const Game& game, Walk& walk, int ply, std::uint64_t& random) {
  walk.check_depth(ply);
  const int player = game.to_move(game.self, walk.state(ply));
  if (player == kTerminal || player >= game.facts.players) return kTerminal;
  if (player == kChance && !game.outcomes) return kTerminal;
  const auto list = player == kChance ? walk.outcomes(ply) : walk.list(game.actions, ply);
  if (list.count == 0) return kTerminal;  // the search will report the error
  random = mix(random + 0x9e3779b97f4a7c15u);
  const int chosen = static_cast<int>(random % static_cast<std::uint64_t>(list.count));
  const Action action = walk.action(list, chosen);
  walk.release(list);
  walk.play(ply, action);
  return player;
}

// Whether all evaluations along a few random lines of at most `depth` moves are within the limits.
// The lines depend only on the root, so the answer does not depend on pruning.
inline bool evaluations_fit(const Game& game, Walk& walk, const Budget& budget, const Range& limits,
                            int depth) {
  constexpr int kLines = 16, kMoves = 8, kPlies = 64;
  if (!game.evaluate) return true;
  std::uint64_t random = 0;
  for (int line = 0; line < kLines && budget.stopped() == Stop::none; ++line) {
    int moves = std::min(kMoves, depth);
    for (int ply = 0; ply < kPlies && moves > 0; ++ply) {
      const int player = random_move(game, walk, ply, random);
      if (player == kTerminal) break;
      if (player == kChance) continue;
      --moves;
      const void* next = walk.state(ply + 1);
      if (game.to_move(game.self, next) == kTerminal) break;
      const double e = game.evaluate(game.self, next, 0);
      if (e < limits.low || e > limits.high) return false;
    }
  }
  return true;
}

}  // namespace zermelo
