// Estimates the size of a tree by random games before it is built. The mean over games of the
// product of the numbers of moves is unbiased (D. E. Knuth, Estimating the efficiency of backtrack
// programs, 1975), so it rarely is many times too large.
#pragma once

#include "../../game.hpp"
#include "../../limits.hpp"

namespace zermelo {

// Logarithms to the base 10.
struct TreeSize {
  double histories = 0;  // of the whole tree
  double sampled = 0;  // of the nodes that external sampling visits in an iteration, for one player
};

TreeSize judge_size(const Game& game, const void* state, Budget& budget);

}  // namespace zermelo
