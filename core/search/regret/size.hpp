// How large a tree is, judged by random plays before it is built. The mean over plays of the
// products of the numbers of moves on the way is right on average (D. E. Knuth, Estimating the
// efficiency of backtrack programs, 1975), so it is seldom many times too large.
#pragma once

#include "../../game.hpp"
#include "../../limits.hpp"

namespace zermelo {

// Logarithms to the base 10.
struct TreeSize {
  double histories = 0;  // of the whole tree
  double sampled = 0;    // of what external sampling walks in an iteration, for one player
};

TreeSize judge_size(const Game& game, const void* state, Budget& budget);

}  // namespace zermelo
