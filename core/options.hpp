// The values of every search option. core/option.hpp declares how a user sets them.
#pragma once

#include <cstdint>
#include <vector>

#include "game.hpp"
#include "search/mcts/params.hpp"

namespace zermelo {

struct Algorithm;  // algorithm.hpp
class Belief;      // parts/belief.hpp
class Table;       // parts/table.hpp
class Tablebase;   // parts/tablebase.hpp

// Which of the actions that are equally good for the mover is chosen: the first, or the one that is
// the worst, or the best, for the player at the root.
enum class Tie : std::uint8_t { first, hostile, friendly };

// The initial values are the defaults; an algorithm's option table says where its own differ.
struct Options {
  bool deepen = false;          // iterative deepening: depth 1, 2, 3, … until a limit or a proof
  bool cut_on_equality = true;  // value >= beta cuts (AIMA); false: only value > beta (CS188)
  bool fail_soft = true;        // bounds may lie outside the window; false: clamped to it
  bool ties = false;            // decide which other root moves are as good as the best
  bool bounded = false;         // the root window is the utility bounds: only proofs are wanted
  bool quiescence = false;      // search noisy moves beyond the depth limit
  bool scores = false;          // the game is known to end in scores, not in wins and losses
  int prune = 2;                // at chance nodes: 0 nothing, 1 Star1, 2 Star2
  int samples = 0;              // sampled at chance nodes with more outcomes; 0: all are searched
  int lines = 1;                // how many of the best root moves get exact values (MultiPV)
  Tie tie_break = Tie::first;
  int threads = 1;
  std::uint64_t seed = 0;
  // Parts of the engine, see core/search/engine.cpp.
  bool pvs = true, aspiration = true, killers = true, symmetry = true, move_hints = true,
       etc = true, lmr = true, probcut = true, null_move = true, pruning = true, extensions = true;
  int table_mb = 0;                      // size of the transposition table; 0: none
  Table* memory = nullptr;               // a table from earlier searches; null: a new one
  const Tablebase* tablebase = nullptr;  // solved positions; null: none
  std::vector<Action> without = {};      // root moves that are not searched
  MctsParams mcts = {};                  // of Monte Carlo tree search
  const Belief* belief = nullptr;        // states the mover considers possible; null: the root only
  bool drawn = false;                    // the belief was sampled, not listed
  const Algorithm* inner = nullptr;      // pimc: searches a determinization; null: chosen for it
  bool hostile = false;                  // belief: chance and the other players do the worst
};

}  // namespace zermelo
