// The engine and Monte Carlo tree search instantiated for the concrete type of a game's rules
// (Inlined<Rules>), so that the compiler can inline the rules. For games where a profile shows a
// gain; core/inlined.cpp and core/inlined_mcts.cpp list them.
#pragma once

#include <vector>

#include "algorithm.hpp"

namespace zermelo {

struct InlinedEngine {
  Result (*run)(const Request&);
  std::vector<Solved> (*solve_all)(const Game& game, const std::vector<const void*>& states,
                                   int depth, const Options& options, Budget& budget);
};

// Statistics of random games.
struct Playouts {
  std::uint64_t games = 0, plies = 0, shortest = 0, longest = 0;
  double plies_squared = 0;
  std::vector<double> sums = {}, squares = {};  // of the utilities, one per player
};

struct InlinedMcts {
  Result (*run)(const Request&);
  Playouts (*playouts)(const Game& game, const void* state, std::uint64_t games, std::uint64_t seed,
                       Budget& budget);
};

extern const InlinedMcts kConnectFourMcts[2];  // for any board, for the standard one
extern const InlinedMcts kTicTacToeMcts[2];    // for boards of one word, for the standard one

extern const InlinedMcts kGoMcts[3];  // for boards up to 9x9, 13x13 and 19x19

extern const InlinedEngine kConnectFourEngines[2];
extern const InlinedEngine kChessEngines[2];  // without and with PEXT

}  // namespace zermelo
