// The nodes that one simulation visits.
#pragma once

#include <cstdint>
#include <vector>

#include "../../platform.hpp"

namespace zermelo {

struct PathNode {
  std::uint32_t node;
  std::int32_t parent_player;  // who chose this node: the player to move at its parent
};

// The nodes of the current simulation, from the root to the leaf. Fast loops write behind end()
// themselves and then call set_end().
class MctsPath {
 public:
  PathNode* begin() { return room_.data(); }
  PathNode* end() const { return end_; }
  void set_end(PathNode* end) { end_ = end; }
  int size() { return static_cast<int>(end_ - begin()); }
  PathNode& back() const { return end_[-1]; }
  PathNode& operator[](std::size_t i) { return room_[i]; }
  void push(std::uint32_t node, int parent_player) {
    make_room(size());
    *end_++ = {node, parent_player};
  }
  // For a node at this depth, and one more.
  void make_room(int depth) {
    if (room_.size() < static_cast<std::size_t>(depth) + 2) [[unlikely]]
      enlarge(depth + 2);
  }

 private:
  ZERMELO_NOINLINE void enlarge(int nodes) {
    const int size = this->size();
    room_.resize(2 * nodes);
    end_ = begin() + size;
  }
  std::vector<PathNode> room_ = std::vector<PathNode>(64);
  PathNode* end_ = begin();
};

// Selection chose a proven child of path[place]. The simulation explores a sibling, but the value
// that is backed up from there is the proven one.
struct Credit {
  int place;
  std::uint32_t child;
};

}  // namespace zermelo
