// What a search is given, and how an algorithm presents itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "limits.hpp"
#include "result.hpp"
#include "search/mcts/params.hpp"
#include "trace.hpp"

namespace zermelo {

class Belief;     // parts/belief.hpp
class Table;      // parts/table.hpp
class Tablebase;  // parts/tablebase.hpp

// Of actions equally good for the mover: the first, or the one that leaves the player at the root
// the least, or the most.
enum class Tie : std::uint8_t { first, hostile, friendly };

// The named parameters of all algorithms; each algorithm says which it heeds.
struct Options {
  bool deepen = false;          // depth 1, 2, 3, … until the limits or a final answer
  bool cut_on_equality = true;  // value >= beta cuts (AIMA); false: only value > beta (CS188)
  bool fail_soft = true;        // bounds may lie outside the window; false: clamped to it
  bool ties = false;            // settle which of the other root moves are as good as the best
  bool bounded = false;         // the window starts as the bounds of the utility
  bool quiescence = false;      // at the depth limit go on with noisy moves
  bool scores = false;          // the game is known to end in scores, not in wins and losses
  int prune = 2;                // at chance nodes: 0 not at all, 1 Star1, 2 Star2
  int samples = 0;              // drawn where chance has more outcomes; 0: all are looked at
  int lines = 1;                // how many of the best root moves get exact values
  Tie tie_break = Tie::first;   // between actions that are equal for the mover
  int threads = 1;
  std::uint64_t seed = 0;  // of whatever is drawn at random
  bool pvs = true, aspiration = true, killers = true, symmetry = true, move_hints = true,
       etc = true, lmr = true, probcut = true, null_move = true, pruning = true,
       extensions = true;                // parts of the engine
  int table_mb = 0;                      // size of the transposition table; 0: none
  Table* memory = nullptr;               // a table from earlier searches; null: a new one
  const Tablebase* tablebase = nullptr;  // solved positions; null: none
  std::vector<Action> without = {};      // root moves that are not looked at
  MctsParams mcts = {};                  // of Monte Carlo tree search
  const Belief* belief = nullptr;        // what the mover may be in; null: it knows the state
  bool drawn = false;                    // the belief was drawn, not listed
  std::string inner = {};                // search over deals: how an open deal is searched
  bool hostile = false;                  // search over beliefs: nature and the others do the worst
};

struct Request {
  const Game& game;
  const void* state;  // not terminal
  const Limits& limits;
  const Options& options;
  Budget& budget;
  Recorder* recorder;                                  // null: no trace
  const std::function<void(const Result&)>* on_depth;  // told of every finished depth; may be null
};

struct Algorithm {
  std::string_view name;
  std::string_view doc;                            // what it does, when to use it, cost, reference
  std::string_view options;                        // names it heeds, blank between
  bool traces;                                     // it can tell what it did
  bool chance, hidden, general_sum, many_players;  // what it can deal with
  Result (*run)(const Request&);
};

}  // namespace zermelo
