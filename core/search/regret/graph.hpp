// All positions of a game, once each, where the tree of histories would be far larger: whatever led
// to a position, what can follow is the same. Nodes are ordered so that every move leads to a later
// one. What a player sees is what it sees now: an information set holds positions that look alike,
// however they came about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../game.hpp"
#include "../../limits.hpp"
#include "table.hpp"

namespace zermelo {

struct PositionGraph : InformationSets {
  std::vector<std::uint32_t> to;  // by move: the node it leads to. odds: of chance's moves; else 1
  // By set: the actions of its player that may have been its last before it. Those of set s are
  // came[came_at[s]] … came[came_at[s + 1] - 1]; none where the player begins.
  std::vector<std::uint32_t> came_at, came;
  std::vector<std::uint32_t> order;  // the sets, each after those that its player comes from

  std::uint32_t child(const Node& n, std::uint32_t k) const { return to[n.first + k]; }

  // All below `state`. Throws RulesError where the rules contradict themselves, where play can come
  // back to a position, or where there are more than `most` of them.
  PositionGraph(const Game& game, const void* state, std::uint64_t most, Budget& budget);
};

}  // namespace zermelo
