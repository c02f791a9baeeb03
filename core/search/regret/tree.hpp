// The whole tree of a game with hidden information, flat: nodes breadth first, so that parents come
// before children and the children of a node are neighbours. A forward sweep computes reach
// probabilities, a backward sweep computes values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../game.hpp"
#include "../../limits.hpp"
#include "table.hpp"

namespace zermelo {

// Later sets of a player have greater numbers.
struct InformationTree : InformationSets {
  // odds: by node, the probability of the chance outcome that leads to it; else 1.

  std::uint32_t child(const Node& n, std::uint32_t k) const { return n.first + k; }

  // The tree below `state`. Throws RulesError if the rules are inconsistent, a player has imperfect
  // recall, or there are more than `most` nodes.
  InformationTree(const Game& game, const void* state, std::uint64_t most, Budget& budget);
};

}  // namespace zermelo
