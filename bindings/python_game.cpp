#include "python_game.hpp"

#include <algorithm>
#include <cmath>

#include "parts/forward.hpp"

namespace zermelo::bindings {

namespace {

// Does the game define this optional method? (None says that it does not.)
bool has(const nb::object& rules, const char* name) {
  return nb::hasattr(rules, name) && PyCallable_Check(nb::object(rules.attr(name)).ptr());
}

nb::object method(const nb::object& rules, const char* name) {
  if (!has(rules, name)) return nb::object();
  return rules.attr(name);
}

// How a message shows a Python value: its repr, cut short.
std::string shown(nb::handle value) {
  const nb::object text = nb::repr(value);
  if (nb::len(text) <= 120) return nb::cast<std::string>(text);
  return nb::cast<std::string>(nb::steal(PyUnicode_Substring(text.ptr(), 0, 117))) + "...";
}

// Are these probabilities?
void check_odds(const std::vector<nb::object>& outcomes, const std::vector<double>& odds,
                nb::handle s) {
  double total = 0;
  for (std::size_t i = 0; i < odds.size(); ++i) {
    if (odds[i] < 0) {
      raise("RulesError",
            "outcomes(s) gives " + shown(outcomes[i]) + " the probability " +
                shown(nb::float_(odds[i])) + " in " + shown(s),
            "a probability is 0 or more");
    }
    total += odds[i];
  }
  if (!(std::abs(total - 1) < 1e-9)) {
    raise("RulesError",
          "the probabilities in " + shown(s) + " add up to " + shown(nb::float_(total)) + ", not 1",
          "outcomes(s) gives (action, probability) pairs");
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
  if (Py_TYPE(state.ptr()) != last_type_) {  // states are mostly of one type
    last_type_ = Py_TYPE(state.ptr());
    by_bytes_ = nb::hasattr(state, "tobytes") && nb::hasattr(state, "dtype");
  }
  // NumPy arrays and records are equal where their bytes are.
  const nb::object key = by_bytes_ ? nb::object(state.attr("tobytes")()) : nb::borrow(state);
  if (PyObject_Hash(key.ptr()) == -1) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    raise("RulesError", "a state cannot be hashed: " + shown(state),
          "make states of tuples, strings, frozensets or numbers instead of lists, dicts and sets");
  }
  PyObject* known = PyDict_GetItemWithError(ids_.ptr(), key.ptr());
  if (known) return static_cast<std::uint32_t>(PyLong_AsUnsignedLong(known));
  if (PyErr_Occurred()) throw nb::python_error();
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  if (id == kNoState) raise("RulesError", "the game has too many states to be searched");
  const nb::int_ number(id);
  if (PyDict_SetItem(ids_.ptr(), key.ptr(), number.ptr()) < 0) throw nb::python_error();
  Node node;
  node.state = state.inc_ref().ptr();
  nodes_.push_back(node);
  return id;
}

nb::object PythonGame::action(std::uint32_t id, Action action) {
  if (id >= nodes_.size()) raise("UsageError", "there is no state " + std::to_string(id));
  return nb::borrow(action_[edge_of(id, action)]);
}

// The number of an action in a game with hidden information: equal actions, equal numbers.
Action PythonGame::code_of(nb::handle action, nb::handle state) {
  nb::object key = nb::borrow(action);
  if (PyObject_Hash(key.ptr()) == -1) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    if (!nb::hasattr(action, "tobytes") || !nb::hasattr(action, "dtype")) {
      raise("RulesError", "an action cannot be hashed: " + shown(action) + " in " + shown(state),
            "make actions of tuples, strings or numbers instead of lists, dicts and sets");
    }
    key = action.attr("tobytes")();
  }
  const nb::int_ next(nb::len(action_codes_));
  PyObject* code = PyDict_SetDefault(action_codes_.ptr(), key.ptr(), next.ptr());  // borrowed
  if (!code) throw nb::python_error();
  return static_cast<Action>(PyLong_AsUnsignedLong(code));
}

// Where an action of a state lies in action_ and results_. Throws if it is not legal there.
std::size_t PythonGame::edge_of(std::uint32_t id, Action action) {
  Node& n = nodes_[id];
  if (n.count == kUnasked) [[unlikely]] {
    if (to_move(id) == kTerminal) illegal(id, action);
    expand(id, n);
  }
  const auto count = static_cast<std::size_t>(n.count);
  std::size_t i = action;
  if (hidden_) {
    const auto first = codes_.begin() + static_cast<std::ptrdiff_t>(n.first);
    i = static_cast<std::size_t>(std::find(first, first + n.count, action) - first);
  }
  if (i >= count) [[unlikely]]
    illegal(id, action);
  return n.first + i;
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
        "states that look alike to a player must have the same set of actions");
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
    raise("RulesError", "player(s) gave " + shown(player) + " in " + shown(s),
          p == kChance ? "a game with chance needs outcomes(s)"
                       : "players are numbered from 0 to " + std::to_string(players_ - 1) +
                             "; where chance moves it is zermelo.CHANCE, and outcomes(s) is asked");
  }
  return n.to_move = static_cast<int>(p);
}

// Asks for the actions (or nature's outcomes) of a state, once.
void PythonGame::expand(std::uint32_t id, Node& n) {
  nb::gil_scoped_acquire gil;
  const bool chance = to_move(id) == kChance;
  const nb::object s = nb::borrow(n.state);
  const nb::object all = (chance ? outcomes_ : actions_of_)(s);
  if (!nb::hasattr(all, "__iter__")) {
    raise(
        "RulesError",
        std::string(chance ? "outcomes" : "actions") + "(s) gave " + shown(all) + " in " + shown(s),
        "it returns a list, or yields");
  }
  if (chance && PyDict_Check(all.ptr())) {
    raise("RulesError", "outcomes(s) gave the dict " + shown(all) + " in " + shown(s),
          "it gives (action, probability) pairs: return the dict's .items()");
  }
  std::vector<nb::object> found;
  std::vector<double> odds;
  for (nb::handle item : all) {
    if (!chance) {
      found.push_back(nb::borrow(item));
      continue;
    }
    if (!nb::isinstance<nb::sequence>(item) || nb::len(item) != 2) {
      raise("RulesError", "outcomes(s) gave " + shown(item) + " in " + shown(s),
            "it gives (action, probability) pairs");
    }
    found.push_back(nb::object(item[0]));
    odds.push_back(number(item[1], "a probability", s));
  }
  if (found.empty()) {
    raise("RulesError",
          std::string(chance ? "outcomes" : "actions") + "(s) is empty in " + shown(s) +
              ", which is not terminal",
          chance ? "let is_terminal(s) be true there, or give the outcomes with their probabilities"
                 : "let is_terminal(s) be true there, or add a pass");
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
  for (nb::handle a : noisy_(s)) {
    int i = 0;
    while (i < n.count && !nb::borrow(action_[n.first + i]).equal(a)) ++i;
    if (i == n.count) raise("RulesError", "noisy(s) gave " + shown(a) + ", which is not legal");
    if (count < capacity) out[count] = hidden_ ? codes_[n.first + i] : i;
    ++count;
  }
  return count;
}

std::uint32_t PythonGame::play(std::uint32_t id, Action action) {
  const std::size_t edge = edge_of(id, action);
  if (results_[edge] != kNoState) return results_[edge];
  nb::gil_scoped_acquire gil;
  ++asked_;
  const nb::object s = nb::borrow(nodes_[id].state), a = nb::borrow(action_[edge]);
  const std::uint32_t next = intern(result_(s, a));
  return results_[edge] = next;
}

double PythonGame::number(nb::handle value, const char* what, nb::handle state) const {
  const double x = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    raise("RulesError", std::string(what) + " is " + shown(value) + " in " + shown(state),
          "it must be one number");
  }
  if (std::isnan(x)) {
    raise("RulesError", std::string(what) + " is NaN (not a number) in " + shown(state),
          "it must be a number");
  }
  return x;
}

// Asks once for each player's number.
double PythonGame::judged(std::uint32_t id, int player, Numbers& known, const nb::object& method,
                          const char* what) {
  const std::size_t at = static_cast<std::size_t>(id) * players_ + player;
  if (at < known.size() && !std::isnan(known[at])) return known[at];
  nb::gil_scoped_acquire gil;
  const nb::object s = nb::borrow(nodes_[id].state);
  const double value = number(method(s, player), what, s);
  if (known.size() <= at) known.resize(nodes_.size() * players_, kUnknown);
  return known[at] = value;
}

std::uint64_t PythonGame::lasting_key(std::uint32_t id) {
  if (lasting_.size() <= id) lasting_.resize(nodes_.size());
  if (lasting_[id]) return lasting_[id];
  nb::gil_scoped_acquire gil;
  if (!fingerprint_.is_valid()) {
    fingerprint_ = nb::module_::import_("zermelo.fingerprint").attr("fingerprint");
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
    raise("RulesError", "observation(s, p) gave " + shown(sees) + ", which cannot be hashed",
          "make it of tuples, strings, frozensets or numbers");
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

namespace {

using Ids = std::uint32_t;

Ids id_of(const void* state) { return *static_cast<const Ids*>(state); }
PythonGame& game_of(const void* self) {
  return *static_cast<PythonGame*>(const_cast<void*>(self));  // the table learns as it is asked
}

struct PythonHandle : Handle {
  PythonGame& game() const { return game_of(table.self); }
};

PythonHandle python_game(nb::object rules, int players, bool zero_sum, double utility_min,
                         double utility_max) {
  auto game = std::make_shared<PythonGame>(rules, players);
  PythonHandle h;
  Game& t = h.table;
  t.facts.players = players;
  t.facts.zero_sum = zero_sum;
  t.facts.utility_min = utility_min;
  t.facts.utility_max = utility_max;
  t.facts.state_size = sizeof(Ids);
  t.facts.chance = has(rules, "outcomes");
  t.facts.slow_rules = true;
  if (nb::hasattr(rules, "utility_sum")) {
    t.facts.sum_max = nb::cast<double>(nb::float_(rules.attr("utility_sum")));
  }
  t.facts.hidden = has(rules, "observation");
  t.facts.selective =
      nb::hasattr(rules, "selective") && nb::cast<bool>(nb::bool_(rules.attr("selective")));
  t.self = game.get();
  t.initial = [](const void*, void* state) { *static_cast<Ids*>(state) = 0; };
  t.to_move = [](const void* self, const void* s) { return game_of(self).to_move(id_of(s)); };
  t.actions = [](const void* self, const void* s, Action* out, int capacity) {
    return game_of(self).actions(id_of(s), out, capacity);
  };
  t.play = [](const void* self, const void* s, Action a, void* next) {
    *static_cast<Ids*>(next) = game_of(self).play(id_of(s), a);
  };
  t.utility = [](const void* self, const void* s, int player) {
    return game_of(self).utility(id_of(s), player);
  };
  t.key = [](const void*, const void* s) { return std::uint64_t{id_of(s)}; };
  t.lasting_key = [](const void* self, const void* s) {
    return game_of(self).lasting_key(id_of(s));
  };
  t.valid = [](const void* self, const void* s) { return id_of(s) < game_of(self).size(); };
  if (t.facts.chance) {
    t.outcomes = [](const void* self, const void* s, Action* out, double* odds, int capacity) {
      return game_of(self).outcomes(id_of(s), out, odds, capacity);
    };
  }
  if (t.facts.hidden) {
    t.observation = [](const void* self, const void* s, int player) {
      return game_of(self).observation(id_of(s), player);
    };
  }
  if (has(rules, "evaluate")) {
    t.evaluate = [](const void* self, const void* s, int player) {
      return game_of(self).evaluate(id_of(s), player);
    };
  }
  if (has(rules, "noisy")) {
    t.noisy = [](const void* self, const void* s, Action* out, int capacity) {
      return game_of(self).noisy(id_of(s), out, capacity);
    };
  }
  h.indexed = !t.facts.hidden;
  h.owner = std::move(game);
  return h;
}

// Another game's rules with a Python function for its evaluation.
struct Overridden : Forward {
  std::shared_ptr<void> owner;
  nb::object function;  // (bytes, player) -> number
  ~Overridden() {
    nb::gil_scoped_acquire gil;
    function.reset();
  }
};

Handle with_evaluation(const Handle& base, nb::object function) {
  auto over = std::make_shared<Overridden>();
  over->base = base.table;
  over->owner = base.owner;
  over->function = std::move(function);
  Handle h;
  h.failed = base.failed;
  Game& t = h.table = forwarded(*over);
  t.doubt = nullptr;  // was measured with the rules' own evaluation
  t.evaluate = [](const void* self, const void* s, int player) {
    nb::gil_scoped_acquire gil;
    const auto* o = static_cast<const Overridden*>(static_cast<const Forward*>(self));
    const Game& base = o->base;
    std::string bytes(static_cast<const char*>(s),
                      base.used ? base.used(base.self, s) : base.facts.state_size);
    bytes.resize(base.facts.state_size);
    return nb::cast<double>(o->function(nb::bytes(bytes.data(), bytes.size()), player));
  };
  h.owner = std::move(over);
  return h;
}

}  // namespace

void bind_python_game(nb::module_& m) {
  nb::class_<PythonHandle, Handle>(m, "PythonHandle", "A Python object's rules; one search long.")
      .def(
          "intern",
          [](const PythonHandle& h, nb::handle state) {
            const Ids id = h.game().intern(state);
            return nb::bytes(reinterpret_cast<const char*>(&id), sizeof id);
          },
          nb::arg("state"))
      .def(
          "state",
          [](const PythonHandle& h, nb::bytes s) { return h.game().state(id_of(h.check(s))); },
          nb::arg("state"))
      .def(
          "action", [](const PythonHandle& h, Ids id, Action a) { return h.game().action(id, a); },
          nb::arg("id"), nb::arg("action"))
      .def_prop_ro("states", [](const PythonHandle& h) { return h.game().size(); })
      .def_prop_ro("transitions", [](const PythonHandle& h) { return h.game().transitions(); });
  m.def("python_game", &python_game, nb::arg("rules"), nb::arg("players"), nb::arg("zero_sum"),
        nb::arg("utility_min"), nb::arg("utility_max"));
  m.def("with_evaluation", &with_evaluation, nb::arg("game"), nb::arg("function"));
}

}  // namespace zermelo::bindings
