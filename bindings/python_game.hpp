// Any Python object with the rules' methods, behind the contract.
//
// States are interned: the flat state is the number of a Python state, found again by hash and
// equality. The answers of the rules about a state (player, actions, results, utilities) are
// cached, so that no method is called twice and a known part of the game is searched without
// Python. A table belongs to one search and keeps all states until the search ends.
//
// An action's number is its index in the list of its state. With hidden information, a search plays
// one action in all states of an information set, and these states may list their actions in
// different orders. Equal actions then have equal numbers in all states, found by hash and
// equality.
#pragma once

#include <deque>
#include <limits>

#include "handle.hpp"

namespace zermelo::bindings {

// Whether the game defines this optional method. (A value of None counts as undefined.)
bool has(const nb::object& rules, const char* name);

class PythonGame {
 public:
  PythonGame(nb::object rules, int players);
  ~PythonGame();

  std::uint32_t intern(nb::handle state);
  nb::object state(std::uint32_t id) const { return nb::borrow(nodes_[id].state); }
  nb::object action(std::uint32_t id, Action action);
  std::size_t size() const { return nodes_.size(); }
  std::size_t transitions() const { return asked_; }

  // The contract.
  int to_move(std::uint32_t id);
  int actions(std::uint32_t id, Action* out, int capacity);
  int noisy(std::uint32_t id, Action* out, int capacity);
  int outcomes(std::uint32_t id, Action* out, double* odds, int capacity);
  std::uint32_t play(std::uint32_t id, Action action);
  double utility(std::uint32_t id, int player);
  double evaluate(std::uint32_t id, int player);
  std::uint64_t lasting_key(std::uint32_t id);
  std::uint64_t observation(std::uint32_t id, int player);

 private:
  static constexpr int kUnasked = -100;
  static constexpr std::uint32_t kNoState = UINT32_MAX;
  static constexpr std::size_t kNoEdge = SIZE_MAX;

  struct Node {
    PyObject* state;  // owned
    int to_move = kUnasked;
    int count = kUnasked;   // of its actions
    std::size_t first = 0;  // where they begin in actions_ and results_
  };
  using Numbers = std::vector<double>;  // by state and player
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  void expand(std::uint32_t id, Node& node);
  std::size_t find_edge(std::uint32_t id, Action action);
  Action code_of(nb::handle action, nb::handle state);
  [[noreturn]] void illegal(std::uint32_t id, Action action) const;
  double judged(std::uint32_t id, int player, Numbers& known, const nb::object& method,
                const char* what);
  double number(nb::handle value, const char* what, nb::handle state) const;

  nb::object rules_, player_, actions_of_, result_, is_terminal_, utility_, evaluate_, noisy_,
      outcomes_, observation_;
  nb::object fingerprint_;              // imported on first use
  std::vector<std::uint64_t> lasting_;  // by state; 0: not computed yet
  nb::object seen_;                     // dict: what a player sees -> its number
  nb::object ids_;  // dict: the state, or the bytes of a NumPy state -> its number
  int players_;
  std::size_t asked_ = 0;
  PyTypeObject* last_type_ = nullptr;
  bool by_bytes_ = false;          // states of last_type_ are known by their bytes
  std::deque<Node> nodes_;         // a deque: nodes stay where they are while the rules run
  std::vector<PyObject*> action_;  // owned; the actions of all states, concatenated
  std::vector<std::uint32_t> results_;
  bool hidden_;                // observation(s, p) is defined
  std::vector<Action> codes_;  // of the actions in action_; only where hidden_
  nb::object action_codes_;    // dict: action, or the bytes of a NumPy action -> its number
  std::vector<double> odds_;   // of nature's actions, else unused
  Numbers utilities_, evaluations_;
  static constexpr std::uint64_t kNotAsked = UINT64_MAX;
  std::vector<std::uint64_t> observations_;
};

}  // namespace zermelo::bindings
