// Games in which no position may come back (positional superko), as the exact solver sees them.
//
// A position is what lies on the board, without the player to move and without history. A game that
// offers this view promises:
//
//   1. Two players take turns. A move is a play, which leads to another position, or a pass.
//   2. A pass is always legal. The second pass in a row ends the game.
//   3. A play is legal unless its position has occurred before. Nothing else in the history
//   matters.
//   4. The utility depends only on the position in which the game ends.
//   5. The game may also end after a maximum number of plays.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace zermelo {

// All positions, numbered. Symmetric positions share a number.
class SuperkoGraph {
 public:
  using Number = std::uint32_t;

  virtual ~SuperkoGraph() = default;
  virtual Number size() const = 0;
  // Appends the positions that plays of `player` lead to, whatever the history forbids.
  virtual void plays(Number position, int player, std::vector<Number>& out) const = 0;
  // Player 0's utility if the game ends here.
  virtual double score(Number position) const = 0;
  // A bound of player 0's utility that `player` enforces by always passing: a lower bound for
  // player 0, an upper bound for player 1. It also holds if the game ends here.
  virtual double assured(Number position, int player) const = 0;

  virtual Number position(const void* state) const = 0;
  virtual int passes(const void* state) const = 0;  // in a row
  // The positions that may not come back, the present one included.
  virtual std::vector<Number> history(const void* state) const = 0;
  // After this many moves the game may end by the maximum number of plays.
  virtual int moves_left(const void* state) const = 0;
};

struct SuperkoRules {
  // Calls `tick` now and then; it may throw.
  std::unique_ptr<SuperkoGraph> (*graph)(const void* self, const std::function<void()>& tick);
};

}  // namespace zermelo
