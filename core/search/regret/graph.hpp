// The graph of all positions of a game, for games whose tree of histories would be far larger.
// Nodes are in topological order: every move leads to a later one. Information sets depend only on
// the current observation, not on the history (imperfect recall).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../game.hpp"
#include "../../limits.hpp"
#include "table.hpp"

namespace zermelo {

struct PositionGraph : InformationSets {
  std::vector<std::uint32_t>
      to;  // by move: the node it leads to. odds: the probability of a chance move; else 1
  // By set: the actions of its player that may have been its last before it. Those of set s are
  // came[came_at[s]] … came[came_at[s + 1] - 1]; none for the player's first sets.
  std::vector<std::uint32_t> came_at, came;
  std::vector<std::uint32_t> order;  // the sets, each after the earlier sets of its player

  std::uint32_t child(const Node& n, std::uint32_t k) const { return to[n.first + k]; }

  // All positions below `state`. Throws RulesError if the rules are inconsistent, positions can
  // repeat, or there are more than `most` positions.
  PositionGraph(const Game& game, const void* state, std::uint64_t most, Budget& budget);
};

}  // namespace zermelo
