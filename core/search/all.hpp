// The table of algorithms. To add one: a file beside this one, and a line in ZERMELO_ALGORITHMS.
#pragma once

#include <span>
#include <vector>

#include "../algorithm.hpp"
#include "../inlined.hpp"

namespace zermelo {

std::span<const Algorithm> algorithms();

// The algorithm of that name; null: unknown name.
const Algorithm* find_algorithm(std::string_view name);

// The values of many positions, one after the other, with one table: exact ones (kNoDepth,
// bounded), or by a search of that depth, then with a best action in each.
std::vector<Solved> solve_all(const Game& game, const std::vector<const void*>& states, int depth,
                              const Options& options, Budget& budget);

// Leaves of the move tree at exactly `depth`, to verify a move generator.
std::uint64_t perft(const Game& game, const void* state, int depth, Budget& budget);

// Sprague-Grundy value of an impartial position in which the last to move wins.
std::uint32_t grundy(const Game& game, const void* state, Budget& budget);

// The positions that can be reached from `state`, including itself.
std::uint64_t count_positions(const Game& game, const void* state, Budget& budget);

// Random games from `state`, until `count` games or the budget is used up.
Playouts playouts(const Game& game, const void* state, std::uint64_t games, std::uint64_t seed,
                  Budget& budget);

// The result for a position that is in the request's tablebase. False: it is not in it.
bool from_tables(const Request& request, Result& result);

// One line per algorithm, in the order in which they are listed; "auto" takes the first that fits.
#define ZERMELO_ALGORITHMS(X) \
  X(kMinimax)                 \
  X(kAlphaBeta)               \
  X(kEngine)                  \
  X(kProofNumber)             \
  X(kSuperko)                 \
  X(kExpectiminimax)          \
  X(kExpectimax)              \
  X(kValueIteration)          \
  X(kMaxN)                    \
  X(kParanoid)                \
  X(kBestReply)               \
  X(kMcts)                    \
  X(kPimc)                    \
  X(kIsMcts)                  \
  X(kBelief)                  \
  X(kGuaranteed)

#define ZERMELO_DECLARE(name) extern const Algorithm name;
ZERMELO_ALGORITHMS(ZERMELO_DECLARE)
#undef ZERMELO_DECLARE

}  // namespace zermelo
