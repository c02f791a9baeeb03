// What a search returns. All values are player 0's, whoever is to move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game.hpp"
#include "limits.hpp"

namespace zermelo {

// What is proved of a value. exact: it is the value of the game. lower: the true value is at least
// this; upper: at most. estimate: nothing is proved. Judge::settle is the function that decides.
enum class Bound : std::uint8_t { exact, lower, upper, estimate };

struct RootMove {
  Action action = 0;
  double value = 0;
  Bound bound = Bound::exact;       // what is proved of `value`
  std::uint64_t nodes = 0;          // spent below it; 0: not searched
  std::vector<Action> line;         // best play from it on, itself first
  int distance = -1;                // plies to the end of a game that is decided; -1: not known
  std::vector<double> values = {};  // one a player, where they do not follow from `value`
  double error = -1;                // standard error of `value`, where it is a mean; -1: not known
  // How `value` relates to what this search would find at its depth with an open window: exact, or
  // one side where the window cut it short; estimate: the move was not searched.
  Bound found = Bound::exact;
};

// What a finished depth said.
struct DepthNote {
  int depth;
  Action action;
  double value;
};

// A step of a plan that holds whatever the others do: what to do where these states are possible.
struct Planned {
  std::vector<std::string> belief;  // flat states
  Action action = 0;
  int moves = 0;  // decisions to the end, at most
};

struct Result {
  bool has_value = false;  // false: stopped before anything was known
  double value = 0;
  Bound bound = Bound::exact;  // what is proved of `value`
  std::vector<Action> line;    // best play for both, the chosen move first
  std::vector<RootMove> moves;
  int depth = 0;          // how deep it looked: the limit, or the longest line where it had none
  int deepest = 0;        // plies of the longest line it looked at
  bool decisive = false;  // a win or a loss, found as such
  int distance = -1;      // as of a root move
  bool horizon = false;   // the depth limit was felt somewhere
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;  // terminal states and horizons among them
  std::uint64_t tabled = 0;  // positions that a tablebase answered
  Stop stopped = Stop::none;
  std::vector<DepthNote> story = {};  // of the depths, the last one last
  std::vector<double> values = {};    // one a player, where they do not follow from `value`
  double error = -1;                  // half the width of the 95 % interval; < 0: nothing is drawn
  std::uint64_t ties = 0;  // choices between actions equal for the mover but not for the others
  std::string note = {};   // what else the user should know
  std::vector<Planned> plan = {};  // of a win that is sure, the root first; empty: none
};

}  // namespace zermelo
