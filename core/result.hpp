// What a search returns. All values are player 0's, whoever is to move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game.hpp"
#include "limits.hpp"

namespace zermelo {

// What is proved about a value. exact: it is the value of the game. lower: the true value is at
// least
// this; upper: at most. estimate: nothing is proved. Judge::settle is the function that decides.
enum class Bound : std::uint8_t { exact, lower, upper, estimate };

struct RootMove {
  Action action = 0;
  double value = 0;
  Bound bound = Bound::exact;       // what is proved about `value`
  std::uint64_t nodes = 0;          // spent below it; 0: not searched
  std::vector<Action> line;         // best play from it on, itself first
  int distance = -1;                // plies to the end of a game that is decided; -1: not known
  std::vector<double> values = {};  // one per player, if they do not follow from `value`
  double error = -1;                // standard error of `value`, where it is a mean; -1: not known
  // How `value` relates to what this search would find at its depth with an open window: exact, or
  // one side where the window cut it short; estimate: the move was not searched.
  Bound found = Bound::exact;
};

// The result of a finished depth.
struct DepthNote {
  int depth;
  Action action;
  double value;
};

// A step of a guaranteed plan: the action for a set of possible states.
struct Planned {
  std::vector<std::string> belief;  // flat states
  Action action = 0;
  int moves = 0;  // decisions to the end, at most
};

struct Result {
  bool has_value = false;  // false: stopped before the first result
  double value = 0;
  Bound bound = Bound::exact;  // what is proved about `value`
  std::vector<Action> line;    // best play for both, the chosen move first
  std::vector<RootMove> moves;
  int depth = 0;    // the searched depth: the limit, or the longest line if there was no limit
  int deepest = 0;  // plies of the longest line searched
  bool decisive = false;  // a win or a loss, found as such
  int distance = -1;      // as of a root move
  bool horizon = false;   // the depth limit was reached somewhere
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;  // terminal states and horizons among them
  std::uint64_t tabled = 0;  // positions that a tablebase answered
  Stop stopped = Stop::none;
  std::vector<DepthNote> story = {};  // one per depth, in order
  std::vector<double> values = {};    // one per player, if they do not follow from `value`
  double error = -1;       // half the width of the 95 % interval; < 0: nothing was sampled
  std::uint64_t ties = 0;  // choices between actions equal for the mover but not for the others
  std::string note = {};   // further remarks for the user
  std::vector<Planned> plan = {};  // of a guaranteed win, the root first; empty: none
};

}  // namespace zermelo
