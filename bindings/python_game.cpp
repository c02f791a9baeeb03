#include "python_game.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "parts/runner.hpp"

namespace zermelo::bindings {

bool has(const nb::object& rules, const char* name) {
  return nb::hasattr(rules, name) && PyCallable_Check(nb::object(rules.attr(name)).ptr());
}

namespace {

nb::object method(const nb::object& rules, const char* name) {
  if (!has(rules, name)) return nb::object();
  return rules.attr(name);
}

// A Python value in a message: its repr, truncated.
std::string shown(nb::handle value) {
  const nb::object text = nb::repr(value);
  if (nb::len(text) <= 120) return nb::cast<std::string>(text);
  return nb::cast<std::string>(nb::steal(PyUnicode_Substring(text.ptr(), 0, 117))) + "...";
}

// Limits the iteration over a generator of the rules. An endless generator stops at the limits of
// the search or raises an error, and lets other threads run.
class Watch {
 public:
  Watch(const char* rule, nb::handle state) : rule_(rule), state_(state) {
    const bool running = running_budget && running_budget->stopped() == Stop::none;
    budget_ = running ? running_budget : nullptr;
    late_ = running_budget && !running;
  }

  // Call for every item.
  void next() {
    if (budget_ && budget_->stopped() != Stop::none) throw Stopped{};
    if (late_ && std::chrono::steady_clock::now() > start_ + kGrace) {
      raise("RulesError",
            std::string(rule_) + "(s) was still yielding actions when the search had to stop, in " +
                shown(state_),
            "a generator must end: check the loop that yields, or allow more time");
    }
    if ((++count_ & 1023) != 0) return;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (count_ >= kMost) {
      raise("RulesError",
            std::string(rule_) + "(s) returned more than " + std::to_string(kMost) +
                " actions in " + shown(state_),
            "a generator must end: check the loop that yields");
    }
    nb::gil_scoped_release others;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 20;
  // For the root of a search that is stopped already: its answer needs a legal action.
  static constexpr std::chrono::milliseconds kGrace{500};
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool late_ = false;
  const char* rule_;
  nb::handle state_;
  Budget* budget_;
  std::size_t count_ = 0;
};

// Checks probabilities.
void check_odds(const std::vector<nb::object>& outcomes, const std::vector<double>& odds,
                nb::handle s) {
  double total = 0;
  for (std::size_t i = 0; i < odds.size(); ++i) {
    if (odds[i] < 0) {
      raise("RulesError",
            "outcomes(s) returned " + shown(outcomes[i]) + " with probability " +
                shown(nb::float_(odds[i])) + " in " + shown(s),
            "probabilities must not be negative");
    }
    total += odds[i];
  }
  if (!(std::abs(total - 1) < 1e-9)) {
    raise("RulesError",
          "the probabilities in " + shown(s) + " sum to " + shown(nb::float_(total)) + ", not 1",
          "outcomes(s) must return (action, probability) pairs that sum to 1");
  }
}

}  // namespace

PythonGame::PythonGame(nb::object rules, int players)
    : rules_(std::move(rules)), ids_(nb::dict()), players_(players), action_codes_(nb::dict()) {
  player_ = rules_.attr("player");
  actions_of_ = rules_.attr("actions");
  result_ = rules_.attr("result");
  is_terminal_ = rules_.attr("is_terminal");
  utility_ = rules_.attr("utility");
  evaluate_ = method(rules_, "evaluate");
  noisy_ = method(rules_, "noisy");
  outcomes_ = method(rules_, "outcomes");
  observation_ = method(rules_, "observation");
  hidden_ = observation_.is_valid();
}

PythonGame::~PythonGame() {
  nb::gil_scoped_acquire gil;
  for (Node& n : nodes_) Py_DECREF(n.state);
  for (PyObject* a : action_) Py_DECREF(a);
  for (nb::object* o :
       {&rules_, &player_, &actions_of_, &result_, &is_terminal_, &utility_, &evaluate_, &noisy_,
        &outcomes_, &observation_, &seen_, &ids_, &fingerprint_, &action_codes_}) {
    o->reset();
  }
}

std::uint32_t PythonGame::intern(nb::handle state) {
  if (state.is_none()) {
    raise("RulesError", "a state is None",
          "initial() and result(s, a) must return a state: is a return missing?");
  }
  if (Py_TYPE(state.ptr()) != last_type_) {  // states are mostly of one type
    last_type_ = Py_TYPE(state.ptr());
    by_bytes_ = nb::hasattr(state, "tobytes") && nb::hasattr(state, "dtype");
  }
  // NumPy arrays and records are equal if their bytes are.
  const nb::object key = by_bytes_ ? nb::object(state.attr("tobytes")()) : nb::borrow(state);
  if (PyObject_Hash(key.ptr()) == -1) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    raise("RulesError", "a state cannot be hashed: " + shown(state),
          "use tuples, strings, frozensets or numbers instead of lists, dicts and sets");
  }
  PyObject* known = PyDict_GetItemWithError(ids_.ptr(), key.ptr());
  if (known) return static_cast<std::uint32_t>(PyLong_AsUnsignedLong(known));
  if (PyErr_Occurred()) throw nb::python_error();
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  if (id == kNoState) raise("RulesError", "the game has too many states");
  const nb::int_ number(id);
  if (PyDict_SetItem(ids_.ptr(), key.ptr(), number.ptr()) < 0) throw nb::python_error();
  Node node;
  node.state = state.inc_ref().ptr();
  nodes_.push_back(node);
  return id;
}

nb::object PythonGame::action(std::uint32_t id, Action action) {
  const std::size_t edge = id < nodes_.size() ? find_edge(id, action) : kNoEdge;
  if (edge == kNoEdge) throw std::out_of_range("action");
  return nb::borrow(action_[edge]);
}

// The number of an action in a game with hidden information: equal actions, equal numbers.
Action PythonGame::code_of(nb::handle action, nb::handle state) {
  nb::object key = nb::borrow(action);
  if (PyObject_Hash(key.ptr()) == -1) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    if (!nb::hasattr(action, "tobytes") || !nb::hasattr(action, "dtype")) {
      raise("RulesError", "an action cannot be hashed: " + shown(action) + " in " + shown(state),
            "use tuples, strings or numbers instead of lists, dicts and sets");
    }
    key = action.attr("tobytes")();
  }
  const nb::int_ next(nb::len(action_codes_));
  PyObject* code = PyDict_SetDefault(action_codes_.ptr(), key.ptr(), next.ptr());  // borrowed
  if (!code) throw nb::python_error();
  return static_cast<Action>(PyLong_AsUnsignedLong(code));
}

// The index of an action of a state in action_ and results_; kNoEdge: it is not legal there.
std::size_t PythonGame::find_edge(std::uint32_t id, Action action) {
  Node& n = nodes_[id];
  if (n.count == kUnasked) [[unlikely]] {
    if (to_move(id) == kTerminal) return kNoEdge;
    expand(id, n);
  }
  std::size_t i = action;
  if (hidden_) {
    const auto first = codes_.begin() + static_cast<std::ptrdiff_t>(n.first);
    i = static_cast<std::size_t>(std::find(first, first + n.count, action) - first);
  }
  return i < static_cast<std::size_t>(n.count) ? n.first + i : kNoEdge;
}

void PythonGame::illegal(std::uint32_t id, Action action) const {
  nb::gil_scoped_acquire gil;
  std::string name = "number " + std::to_string(action);
  if (hidden_) {
    for (auto [key, code] : nb::borrow<nb::dict>(action_codes_)) {
      if (nb::cast<Action>(code) == action) name = shown(key);
    }
  }
  raise("RulesError", "action " + name + " is not legal in " + shown(nodes_[id].state),
        "states with the same observation must have the same legal actions");
}

int PythonGame::to_move(std::uint32_t id) {
  Node& n = nodes_[id];
  if (n.to_move != kUnasked) return n.to_move;
  nb::gil_scoped_acquire gil;
  const nb::object s = nb::borrow(n.state);
  const int over = PyObject_IsTrue(is_terminal_(s).ptr());
  if (over < 0) throw nb::python_error();
  if (over) return n.to_move = kTerminal;
  const nb::object player = player_(s);
  long p = PyIndex_Check(player.ptr())
               ? PyLong_AsLong(nb::steal(PyNumber_Index(player.ptr())).ptr())
               : kUnasked;
  if (PyErr_Occurred()) {
    PyErr_Clear();
    p = kUnasked;
  }
  if (p < kChance || p >= players_ || (p == kChance && !outcomes_.is_valid())) {
    raise("RulesError", "player(s) returned " + shown(player) + " in " + shown(s),
          p == kChance ? "a game with chance needs outcomes(s)"
                       : "expected 0 to " + std::to_string(players_ - 1) +
                             ", or zermelo.CHANCE (with outcomes(s) defined)");
  }
  return n.to_move = static_cast<int>(p);
}

// Calls actions (or outcomes) for a state, once.
void PythonGame::expand(std::uint32_t id, Node& n) {
  nb::gil_scoped_acquire gil;
  const bool chance = to_move(id) == kChance;
  const nb::object s = nb::borrow(n.state);
  const nb::object all = (chance ? outcomes_ : actions_of_)(s);
  if (!nb::hasattr(all, "__iter__")) {
    raise("RulesError",
          std::string(chance ? "outcomes" : "actions") + "(s) returned " + shown(all) + " in " +
              shown(s),
          "it must return a list or be a generator");
  }
  if (chance && PyDict_Check(all.ptr())) {
    raise("RulesError", "outcomes(s) returned the dict " + shown(all) + " in " + shown(s),
          "return (action, probability) pairs, e.g. the dict's .items()");
  }
  std::vector<nb::object> found;
  std::vector<double> odds;
  Watch watch(chance ? "outcomes" : "actions", s);
  for (nb::handle item : all) {
    watch.next();
    if (!chance) {
      found.push_back(nb::borrow(item));
      continue;
    }
    if (!nb::isinstance<nb::sequence>(item) || nb::len(item) != 2) {
      raise("RulesError", "outcomes(s) returned " + shown(item) + " in " + shown(s),
            "it must return (action, probability) pairs");
    }
    found.push_back(nb::object(item[0]));
    odds.push_back(number(item[1], "a probability", s));
  }
  if (found.empty()) {
    raise("RulesError",
          std::string(chance ? "outcomes" : "actions") + "(s) is empty in " + shown(s) +
              ", which is not terminal",
          chance ? "is_terminal(s) must be True there, or outcomes(s) must return all outcomes"
                 : "is_terminal(s) must be True there, or actions(s) must contain a pass");
  }
  if (chance) check_odds(found, odds, s);
  odds.resize(found.size());
  std::vector<Action> codes;
  for (std::size_t i = 0; hidden_ && i < found.size(); ++i) codes.push_back(code_of(found[i], s));
  n.first = action_.size();
  codes_.insert(codes_.end(), codes.begin(), codes.end());
  for (nb::object& a : found) action_.push_back(a.release().ptr());
  results_.resize(action_.size(), kNoState);
  odds_.insert(odds_.end(), odds.begin(), odds.end());
  n.count = static_cast<int>(action_.size() - n.first);
}

int PythonGame::actions(std::uint32_t id, Action* out, int capacity) {
  Node& n = nodes_[id];
  if (n.count == kUnasked) expand(id, n);
  const int count = std::min(n.count, capacity);
  for (int i = 0; i < count; ++i) out[i] = hidden_ ? codes_[n.first + i] : i;
  return n.count;
}

int PythonGame::outcomes(std::uint32_t id, Action* out, double* odds, int capacity) {
  const int count = actions(id, out, capacity);
  const Node& n = nodes_[id];
  for (int i = 0; i < count && i < capacity; ++i) odds[i] = odds_[n.first + i];
  return count;
}

int PythonGame::noisy(std::uint32_t id, Action* out, int capacity) {
  Node& n = nodes_[id];
  if (n.count == kUnasked) expand(id, n);
  nb::gil_scoped_acquire gil;
  const nb::object s = nb::borrow(n.state);
  int count = 0;
  Watch watch("noisy", s);
  for (nb::handle a : noisy_(s)) {
    watch.next();
    int i = 0;
    while (i < n.count && !nb::borrow(action_[n.first + i]).equal(a)) ++i;
    if (i == n.count) raise("RulesError", "noisy(s) returned " + shown(a) + ", which is not legal");
    if (count < capacity) out[count] = hidden_ ? codes_[n.first + i] : i;
    ++count;
  }
  return count;
}

std::uint32_t PythonGame::play(std::uint32_t id, Action action) {
  const std::size_t edge = find_edge(id, action);
  if (edge == kNoEdge) [[unlikely]]
    illegal(id, action);
  if (results_[edge] != kNoState) return results_[edge];
  nb::gil_scoped_acquire gil;
  ++asked_;
  const nb::object s = nb::borrow(nodes_[id].state), a = nb::borrow(action_[edge]);
  const nb::object after = result_(s, a);
  if (after.is_none()) {
    raise("RulesError", "result(s, a) returned None for " + shown(a) + " in " + shown(s),
          "it must return the next state: is a return missing?");
  }
  const std::uint32_t next = intern(after);
  return results_[edge] = next;
}

double PythonGame::number(nb::handle value, const char* what, nb::handle state) const {
  const double x = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    raise("RulesError", std::string(what) + " is " + shown(value) + " in " + shown(state),
          "it must be a single number");
  }
  if (std::isnan(x)) {
    raise("RulesError", std::string(what) + " is NaN (not a number) in " + shown(state),
          "it must be a number");
  }
  return x;
}

// Reads each player's number once.
double PythonGame::judged(std::uint32_t id, int player, Numbers& known, const nb::object& method,
                          const char* what) {
  const std::size_t at = static_cast<std::size_t>(id) * players_ + player;
  if (at < known.size() && !std::isnan(known[at])) return known[at];
  nb::gil_scoped_acquire gil;
  const nb::object s = nb::borrow(nodes_[id].state);
  const double value = number(method(s, player), what, s);
  if (std::isinf(value) && &known == &evaluations_) {
    raise("RulesError", std::string(what) + " is " + shown(nb::float_(value)) + " in " + shown(s),
          "evaluate(s, p) must return a finite number; a win found by search outranks it anyway");
  }
  if (known.size() <= at) known.resize(nodes_.size() * players_, kUnknown);
  return known[at] = value;
}

std::uint64_t PythonGame::lasting_key(std::uint32_t id) {
  if (lasting_.size() <= id) lasting_.resize(nodes_.size());
  if (lasting_[id]) return lasting_[id];
  nb::gil_scoped_acquire gil;
  if (!fingerprint_.is_valid()) {
    fingerprint_ = nb::module_::import_("zermelo.tablebase.fingerprint").attr("fingerprint");
  }
  const nb::object key = fingerprint_(state(id));
  return lasting_[id] = nb::cast<std::uint64_t>(key);
}

// Equal observations get equal numbers.
std::uint64_t PythonGame::observation(std::uint32_t id, int player) {
  const std::size_t at = static_cast<std::size_t>(id) * players_ + player;
  if (at < observations_.size() && observations_[at] != kNotAsked) return observations_[at];
  nb::gil_scoped_acquire gil;
  if (!seen_.is_valid()) seen_ = nb::dict();
  const nb::object s = state(id);
  const nb::object sees = observation_(s, player);
  const nb::tuple key = nb::make_tuple(player, sees);
  if (PyObject_Hash(key.ptr()) == -1) {
    PyErr_Clear();
    raise("RulesError", "observation(s, p) returned " + shown(sees) + ", which cannot be hashed",
          "use tuples, strings, frozensets or numbers");
  }
  const nb::int_ next(nb::len(seen_));
  PyObject* known = PyDict_SetDefault(seen_.ptr(), key.ptr(), next.ptr());  // borrowed
  if (!known) throw nb::python_error();
  if (observations_.size() <= at) observations_.resize(nodes_.size() * players_, kNotAsked);
  return observations_[at] = PyLong_AsUnsignedLongLong(known);
}

double PythonGame::utility(std::uint32_t id, int player) {
  return judged(id, player, utilities_, utility_, "the utility");
}

double PythonGame::evaluate(std::uint32_t id, int player) {
  return judged(id, player, evaluations_, evaluate_, "the evaluation");
}

}  // namespace zermelo::bindings
