// Errors in the rules that several searches detect, with one wording each.
#pragma once

#include <string>

#include "../game.hpp"
#include "../limits.hpp"
#include "../platform.hpp"

namespace zermelo {

// to_move returned an invalid player.
[[noreturn]] ZERMELO_NOINLINE inline void wrong_player(const Facts& facts, int player) {
  if (player == kChance) {
    throw RulesError("player(s) returned CHANCE, but this game has no chance moves",
                     "define outcomes(s) with (action, probability) pairs, or return a player");
  }
  const int last = facts.players - 1;
  std::string players = last == 0 ? "only player 0" : "players 0 and 1";
  if (last > 1) players = "players 0 to " + std::to_string(last);
  throw RulesError(
      "player(s) returned " + std::to_string(player) + ", but this game has " + players,
      "players are numbered from 0");
}

// The player to move; an error unless it is a player, chance (with outcomes) or terminal.
template <class G>
int checked_mover(const G& game, const void* state) {
  const int player = game.to_move(game.self, state);
  if (player >= game.facts.players || player < kTerminal || (player == kChance && !game.outcomes)) {
    wrong_player(game.facts, player);
  }
  return player;
}

// A listing of moves returned `count`, which is not positive.
[[noreturn]] ZERMELO_NOINLINE inline void no_moves(int count, bool chance = false) {
  if (count < 0) throw RulesError("actions(s) failed");
  throw RulesError(chance ? "outcomes(s) is empty in a chance state"
                          : "actions(s) is empty in a state that is not terminal");
}

}  // namespace zermelo
