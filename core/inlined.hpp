// The engine or Monte Carlo search with a game's rules compiled into it: the same code as for every
// other game, but the compiler sees the rules. For games where a profile shows that it pays;
// core/inlined.cpp and core/inlined_mcts.cpp list them.
#pragma once

#include <vector>

#include "algorithm.hpp"

namespace zermelo {

struct InlinedEngine {
  Result (*run)(const Request&);
  std::vector<Solved> (*solve_all)(const Game& game, const std::vector<const void*>& states,
                                   int depth, const Options& options, Budget& budget);
};

// What games by chance came to.
struct Playouts {
  std::uint64_t games = 0, plies = 0, shortest = 0, longest = 0;
  double plies_squared = 0;
  std::vector<double> sums = {}, squares = {};  // of the utilities, one a player
};

struct InlinedMcts {
  Result (*run)(const Request&);
  Playouts (*playouts)(const Game& game, const void* state, std::uint64_t games, std::uint64_t seed,
                       Budget& budget);
};

extern const InlinedMcts kConnectFourMcts[2];  // on any board, on the standard one
extern const InlinedMcts kTicTacToeMcts[2];    // on boards of one word, on the standard one

extern const InlinedEngine kConnectFourEngines[2];
extern const InlinedEngine kChessEngines[2];  // without and with PEXT

}  // namespace zermelo
