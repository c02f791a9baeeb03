// All positions reachable from a root, numbered in the order of discovery, with the moves between
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../game.hpp"
#include "../limits.hpp"

namespace zermelo {

struct BuildRequest;

class Reachable {
 public:
  using Number = std::uint32_t;

  Reachable(const Game& game, const void* root, const BuildRequest& request, Budget& budget);

  Number size() const { return static_cast<Number>(keys_.size()); }
  const void* state(Number n) const { return states_.data() + std::size_t{n} * bytes_; }
  int mover(Number n) const { return mover_[n]; }
  // The successors of a position, in the order of its actions.
  std::span<const Number> next(Number n) const {
    return {edges_.data() + first_[n], edges_.data() + first_[n + 1]};
  }
  const std::vector<Number>& edges() const { return edges_; }
  // The ends of the game, with player 0's utility.
  const std::vector<std::pair<Number, double>>& ends() const { return ends_; }
  std::vector<std::uint64_t> lasting_keys() const;

 private:
  static constexpr Number kNoPosition = UINT32_MAX;

  Number number(const void* state);
  void expand(std::vector<std::byte>& from, std::vector<Action>& actions);
  void grow();

  const Game& game_;
  std::size_t bytes_;
  std::uint64_t memory_;
  std::vector<std::byte> states_, child_;
  std::vector<std::uint64_t> keys_;
  std::vector<Number> slots_;  // open addressing
  std::vector<std::int8_t> mover_;
  std::vector<std::uint64_t> first_;
  std::vector<Number> edges_;
  std::vector<std::pair<Number, double>> ends_;
};

}  // namespace zermelo
