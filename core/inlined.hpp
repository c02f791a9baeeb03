// The engine with a game's rules compiled into it: the same code as for every other game, but the
// compiler sees the rules. For games where a profile shows that it pays; core/inlined.cpp lists
// them.
#pragma once

#include <vector>

#include "algorithm.hpp"

namespace zermelo {

struct Solved {
  double value;
  std::uint64_t nodes;
  double seconds;
  Action action;  // a best one; 0 where the game is over
};

struct InlinedEngine {
  Result (*run)(const Request&);
  std::vector<Solved> (*solve_all)(const Game& game, const std::vector<const void*>& states,
                                   int depth, const Options& options, Budget& budget);
};

extern const InlinedEngine kConnectFourEngine;
extern const InlinedEngine kChessEngines[2];  // without and with PEXT

}  // namespace zermelo
