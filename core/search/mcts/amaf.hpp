// All-moves-as-first statistics (AMAF) for RAVE: the moves of a simulation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace zermelo {

// A set of moves, each a player and an index of Game::amaf, that is cleared in constant time: an
// entry is in the set if it has the current stamp.
class PlayedMoves {
 public:
  // For `size` indices per player.
  void enable(int players, int size) {
    size_ = static_cast<std::size_t>(size);
    stamps_.assign(players * size_, 0);
  }
  bool enabled() const { return size_ != 0; }

  void clear() {
    if (++stamp_ != 0) return;
    std::fill(stamps_.begin(), stamps_.end(), 0);
    stamp_ = 1;
  }
  void add(int player, std::uint32_t index) { stamps_[player * size_ + index] = stamp_; }
  bool contains(int player, std::uint32_t index) const {
    return stamps_[player * size_ + index] == stamp_;
  }

 private:
  std::size_t size_ = 0;
  std::uint32_t stamp_ = 1;
  std::vector<std::uint32_t> stamps_;
};

}  // namespace zermelo
