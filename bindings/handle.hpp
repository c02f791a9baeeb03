// A game as Python holds it: the table, and whatever keeps the table's `self` alive. States are
// passed as bytes and checked here, so that no input can make native code read out of bounds.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <vector>

#include "game.hpp"

namespace zermelo {
struct Algorithm;
}

namespace zermelo::bindings {

namespace nb = nanobind;

struct Handle {
  Game table;
  std::shared_ptr<void> owner;
  bool indexed = false;         // actions are numbered 0, 1, 2, … in every state
  std::shared_ptr<int> failed;  // compiled rules: set to nonzero by a rule that raised

  const void* check(const nb::bytes& state) const;              // a valid state
  const void* check_open(const nb::bytes& state) const;         // not terminal either
  Action check_action(const void* state, Action action) const;  // legal there
  void check_failed() const;

  nb::bytes initial() const;
  int to_move(const nb::bytes& state) const;
  std::vector<Action> actions(const nb::bytes& state) const;
  nb::bytes play(const nb::bytes& state, Action action) const;
  double utility(const nb::bytes& state, int player) const;
  double evaluate(const nb::bytes& state, int player) const;
  nb::list outcomes(const nb::bytes& state) const;
  std::uint64_t key(const nb::bytes& state) const;
  // For every state of a line in which an action is played.
  std::vector<std::uint64_t> keys(const nb::bytes& state, const std::vector<Action>& line) const;
  nb::bytes timeless(
      const nb::bytes& state) const;  // the state itself if the game does not define it
  bool idle(const nb::bytes& before, const nb::bytes& after) const;  // whether nothing has changed
  std::uint64_t observation(const nb::bytes& state, int player) const;
  nb::object deal(const nb::bytes& state, int player, std::uint64_t random) const;  // or None
  nb::object values(const nb::bytes& state) const;  // (action, value) pairs, or None: no solver
  bool valid(const nb::bytes& state) const;
  nb::object sample(const nb::bytes& state, std::uint64_t random) const;  // None: no such hint
  // For learning: the numbers of a state for a network, and the policy index of an action.
  nb::object encode(const nb::bytes& state, int player) const;
  int policy_index(Action action) const;
  // Hints for Monte Carlo tree search, for tests: by name; actions, or one entry per action.
  nb::dict mcts_hints(const nb::bytes& state, std::uint64_t random) const;

  // Endgames: (class, index) of a state or None; the state of an index or None; the predecessors of
  // a state.
  nb::object endgame_index(const nb::bytes& state) const;
  nb::object endgame_position(int number, std::uint64_t index) const;
  nb::list endgame_before(const nb::bytes& state) const;
};

// Raises zermelo.errors.<kind>(message, hint).
[[noreturn]] void raise(const char* kind, const std::string& message, const std::string& hint = "");

// Raises an error if the game has no such player.
void check_player(const Game& game, int player);

// All results of `list` (actions, noisy, or outcomes with their probabilities).
std::vector<Action> list_actions(const Game& game, const void* state);

// The algorithm of that name, or an error.
const Algorithm& algorithm_named(const std::string& name);

// A handle for C++ rules.
template <class Rules>
Handle own(std::shared_ptr<Rules> rules) {
  Handle h;
  h.table = table_of(*rules);
  h.owner = std::move(rules);
  return h;
}

void bind_algorithms(nb::module_& m);
void bind_belief(nb::module_& m);
void bind_counting(nb::module_& m);
void bind_handle(nb::module_& m);
void bind_memory(nb::module_& m);
void bind_network(nb::module_& m);
void bind_modelled(nb::module_& m);
void bind_python_game(nb::module_& m);
void bind_regret(nb::module_& m);
void bind_search(nb::module_& m);
void bind_tablebase(nb::module_& m);

}  // namespace zermelo::bindings
