// The whole tree of a game with hidden information, flat: nodes breadth first, so that parents come
// before children and the children of a node are neighbours. One sweep forwards gives what comes
// down the tree (odds of being there), one backwards what comes up (values).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../game.hpp"
#include "../../limits.hpp"
#include "table.hpp"

namespace zermelo {

// Of the sets of a player those that it comes to later have greater numbers.
struct InformationTree : InformationSets {
  // odds: by node, of coming to it from a chance node above; else 1.

  std::uint32_t child(const Node& n, std::uint32_t k) const { return n.first + k; }

  // All below `state`. Throws RulesError where the rules contradict themselves, where a player
  // forgets what it knew, or where there are more than `most` nodes.
  InformationTree(const Game& game, const void* state, std::uint64_t most, Budget& budget);
};

}  // namespace zermelo
