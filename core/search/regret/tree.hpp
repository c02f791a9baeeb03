// The whole tree of a game with hidden information, flat: nodes breadth first, so that parents come
// before children and the children of a node are neighbours. One sweep forwards gives what comes
// down the tree (odds of being there), one backwards what comes up (values).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../game.hpp"
#include "../../limits.hpp"

namespace zermelo {

struct InformationTree {
  struct Node {
    std::int32_t player;      // who moves, kChance, kTerminal
    std::uint32_t count = 0;  // of children
    std::uint32_t first = 0;  // the first of them
    std::uint32_t at = 0;     // of a player's node: its set. Terminal: where its utilities begin
  };
  // The nodes that a player cannot tell apart.
  struct Set {
    std::int32_t player;
    std::uint32_t count;   // of actions
    std::uint32_t at;      // where its actions begin among all
    std::uint32_t node;    // the first of its nodes
    std::int64_t came_by;  // the player's own last action before it, among all; -1: none
  };

  int players = 0;
  std::vector<Node> nodes;
  std::vector<double> odds;  // by node: of coming to it from a chance node above; else 1
  std::vector<double> utilities;
  std::vector<Set> sets;        // those of a player that it comes to later have greater numbers
  std::vector<Action> actions;  // of all sets
  std::vector<std::uint32_t> owner;  // of an action: its set
  std::vector<std::byte> states;     // of the first node of each set

  // All below `state`. Throws RulesError where the rules contradict themselves, where a player
  // forgets what it knew, or where there are more than `most` nodes.
  InformationTree(const Game& game, const void* state, std::uint64_t most, Budget& budget);
};

}  // namespace zermelo
