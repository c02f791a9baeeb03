// All-moves-as-first statistics (AMAF) for RAVE: the moves of a simulation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace zermelo {

// Who played first at each index of Game::amaf in a simulation. Cleared in constant time: an entry
// counts if it has the current stamp.
class FirstPlays {
 public:
  void enable(int size) { first_.assign(static_cast<std::size_t>(size), 0); }
  bool enabled() const { return !first_.empty(); }

  void clear() {
    if (++stamp_ < kMaxStamp) return;
    std::fill(first_.begin(), first_.end(), 0);
    stamp_ = 1;
  }
  // A move later than all before.
  void append(int player, std::uint32_t index) {
    if (first_[index] / 2 != stamp_) prepend(player, index);
  }
  // A move earlier than all before.
  void prepend(int player, std::uint32_t index) {
    first_[index] = 2 * stamp_ + static_cast<std::uint32_t>(player);
  }
  bool contains(int player, std::uint32_t index) const {
    return first_[index] == 2 * stamp_ + static_cast<std::uint32_t>(player);
  }

 private:
  static constexpr std::uint32_t kMaxStamp = 1U << 31;
  std::uint32_t stamp_ = 1;
  std::vector<std::uint32_t> first_;  // 2 * stamp + player
};

}  // namespace zermelo
