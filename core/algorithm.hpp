// The arguments of a search, and how an algorithm declares itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "game.hpp"
#include "limits.hpp"
#include "option.hpp"
#include "options.hpp"
#include "result.hpp"
#include "trace.hpp"

namespace zermelo {

struct Request {
  const Game& game;
  const void* state;  // not terminal
  const Limits& limits;
  const Options& options;
  Budget& budget;
  Recorder* recorder;                                  // null: no trace
  const std::function<void(const Result&)>* on_depth;  // called after every depth; may be null
};

struct Solved {
  double value;
  std::uint64_t nodes;
  double seconds;
  Action action;  // a best one; 0 if the game is over
};

// What an algorithm keeps in a zermelo.Memory from one search to the next.
enum class Keeps : std::uint8_t { nothing, table, tree };

// The games that an algorithm plays, and what a search by it can be given.
struct Capabilities {
  bool chance = false;
  bool hidden = false;  // hidden information; takes a belief
  bool general_sum = false;
  bool many_players = false;
  bool trace = false;      // records its steps
  bool tablebase = false;  // probes tables of solved positions
  bool guide = false;      // priors and values from a Python function
  bool among = false;      // can restrict the search to some root moves
  bool superko = false;    // solves games with superko, and plays no others
  bool cycles = false;     // solves games in which positions repeat
  bool scores = true;      // utilities beyond win, draw and loss
  bool proof = true;       // can prove values, so zermelo.solve takes it
  Keeps memory = Keeps::nothing;
};

// The limits that an algorithm obeys.
struct LimitSupport {
  bool depth = false;
  bool nodes = true;
  bool time = true;
  bool required = false;  // it never ends by itself
};

// How to read an algorithm's results and traces.
struct Traits {
  bool simulates = false;         // its nodes are simulations, its values their means
  bool expected = false;          // its values are expectations over chance
  bool coalition = false;         // treats all other players as one opponent
  bool maximin = false;           // … so that to the end of the game its value is guaranteed
  bool revisits = false;          // searches the same node several times
  bool random_opponents = false;  // players without a model are assumed to move randomly
};

// When "auto" chooses an algorithm: the first one in the table that supports the game.
struct Automatic {
  enum class For : std::uint8_t { nobody, lectures, play, everybody };
  For whom = For::nobody;
  int min_players = 1;
  int max_players = 1 << 30;
  std::string_view reason = "";
};

struct Algorithm {
  std::string_view name;
  std::vector<std::string_view> aliases = {};
  std::string_view doc;  // a title; what it does, when to use it, cost, reference
  Capabilities can = {};
  LimitSupport limits = {};
  Traits traits = {};
  Automatic automatic = {};
  int sampled_states =
      0;  // hidden information: the number of samples if the states are too many to list
  std::vector<Option> options = {};
  Result (*run)(const Request&);
  // Whether the search is so short that starting a thread would cost more.
  bool (*brief)(const Request&) = nullptr;
  // The values of many positions with one table; null: not supported.
  std::vector<Solved> (*solve_all)(const Game& game, const std::vector<const void*>& states,
                                   int depth, const Options& options, Budget& budget) = nullptr;
};

}  // namespace zermelo
