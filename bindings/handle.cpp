#include "handle.hpp"

#include <algorithm>
#include <cstring>

#include "parts/hash.hpp"

namespace zermelo::bindings {

void raise(const char* kind, const std::string& message, const std::string& hint) {
  const nb::object type = nb::module_::import_("zermelo.errors").attr(kind);
  const nb::object error = type(message, hint);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

std::vector<Action> list_actions(const Game& game, const void* state) {
  std::vector<Action> list(std::max(64, game.facts.max_actions));
  int count = game.actions(game.self, state, list.data(), static_cast<int>(list.size()));
  if (count > static_cast<int>(list.size())) {
    list.resize(count);
    count = game.actions(game.self, state, list.data(), count);
  }
  list.resize(std::max(count, 0));
  return list;
}

// The outcomes of a chance node, with their probabilities.
static std::vector<std::pair<Action, double>> list_outcomes(const Game& game, const void* state) {
  const int count = game.outcomes(game.self, state, nullptr, nullptr, 0);
  std::vector<Action> list(count);
  std::vector<double> odds(count);
  game.outcomes(game.self, state, list.data(), odds.data(), count);
  std::vector<std::pair<Action, double>> pairs;
  for (int i = 0; i < count; ++i) pairs.emplace_back(list[i], odds[i]);
  return pairs;
}

bool Handle::valid(const nb::bytes& state) const {
  if (state.size() != table.facts.state_size) return false;
  return !table.valid || table.valid(table.self, state.data());
}

const void* Handle::check(const nb::bytes& state) const {
  if (!valid(state)) raise("BadPosition", "the data is not a valid state of this game");
  return state.data();
}

const void* Handle::check_open(const nb::bytes& state) const {
  const void* s = check(state);
  if (table.to_move(table.self, s) == kTerminal) {
    raise("IllegalAction", "the game is over: no action can be played");
  }
  return s;
}

Action Handle::check_action(const void* state, Action action) const {
  bool legal = false;
  const bool chance = table.to_move(table.self, state) == kChance;
  if (indexed) {
    const int count = chance ? table.outcomes(table.self, state, nullptr, nullptr, 0)
                             : table.actions(table.self, state, nullptr, 0);
    legal = action < static_cast<Action>(count);
  } else if (chance) {
    for (const auto& [outcome, odds] : list_outcomes(table, state)) legal |= outcome == action;
  } else {
    const auto list = list_actions(table, state);
    legal = std::find(list.begin(), list.end(), action) != list.end();
  }
  if (!legal) raise("IllegalAction", "this action is not legal here");
  return action;
}

void Handle::check_failed() const {
  if (failed && *failed) {
    *failed = 0;
    raise("RulesError", "the compiled rules raised an exception",
          "run the same rules without zermelo.compile to see it; a negative power of an int also "
          "raises in compiled rules: write 2.0 ** n");
  }
}

nb::bytes Handle::initial() const {
  std::vector<char> s(table.facts.state_size);
  table.initial(table.self, s.data());
  return nb::bytes(s.data(), s.size());
}

int Handle::to_move(const nb::bytes& state) const {
  const int player = table.to_move(table.self, check(state));
  check_failed();
  return player;
}

std::vector<Action> Handle::actions(const nb::bytes& state) const {
  auto list = list_actions(table, check_open(state));
  check_failed();
  return list;
}

nb::bytes Handle::play(const nb::bytes& state, Action action) const {
  const void* s = check_open(state);
  check_action(s, action);
  std::vector<char> next(table.facts.state_size);
  table.play(table.self, s, action, next.data());
  check_failed();
  return nb::bytes(next.data(), next.size());
}

void check_player(const Game& table, int player) {
  if (player < 0 || player >= table.facts.players) {
    raise("UsageError", "there is no player " + std::to_string(player),
          "expected 0 to " + std::to_string(table.facts.players - 1));
  }
}

double Handle::utility(const nb::bytes& state, int player) const {
  check_player(table, player);
  const void* s = check(state);
  if (table.to_move(table.self, s) != kTerminal) {
    raise("UsageError", "the state is not terminal, so it has no utility",
          "check is_terminal(s) first, or use zermelo.search(game, s)");
  }
  const double u = table.utility(table.self, s, player);
  check_failed();
  return u + 0.0;
}

double Handle::evaluate(const nb::bytes& state, int player) const {
  check_player(table, player);
  if (!table.evaluate) raise("UsageError", "this game has no evaluation");
  const double e = table.evaluate(table.self, check(state), player);
  check_failed();
  return e + 0.0;
}

nb::list Handle::outcomes(const nb::bytes& state) const {
  const void* s = check(state);
  if (!table.outcomes || table.to_move(table.self, s) != kChance) {
    raise("UsageError", "chance does not move in this state");
  }
  nb::list result;
  for (const auto& [outcome, odds] : list_outcomes(table, s)) {
    result.append(nb::make_tuple(outcome, odds));
  }
  return result;
}

nb::object Handle::sample(const nb::bytes& state, std::uint64_t random) const {
  const void* s = check_open(state);
  if (!table.sample) return nb::none();
  return nb::int_(table.sample(table.self, s, random));
}

nb::dict Handle::mcts_hints(const nb::bytes& state, std::uint64_t random) const {
  const void* s = check_open(state);
  const std::vector<Action> list = list_actions(table, s);
  nb::dict found;
  if (table.playout) found["playout"] = table.playout(table.self, s, random);
  if (table.prior) {
    std::vector<float> weights(list.size());
    table.prior(table.self, s, list.data(), static_cast<int>(list.size()), weights.data());
    found["prior"] = weights;
  }
  if (table.amaf) {
    std::vector<int> indices;
    for (const Action a : list) indices.push_back(table.amaf(table.self, s, a));
    found["amaf"] = indices;
    found["amaf_size"] = table.facts.amaf_size;
  }
  if (table.advance) {
    nb::list next;
    for (const Action a : list) {
      std::string copy(state.c_str(), state.size());
      table.advance(table.self, copy.data(), a);
      const std::size_t used = table.used ? table.used(table.self, copy.data()) : copy.size();
      std::fill(copy.begin() + static_cast<std::ptrdiff_t>(used), copy.end(), '\0');
      next.append(nb::bytes(copy.data(), copy.size()));
    }
    found["advance"] = next;
  }
  return found;
}

nb::object Handle::deal(const nb::bytes& state, int player, std::uint64_t random) const {
  check_player(table, player);
  const void* s = check(state);
  if (!table.deal) return nb::none();
  std::vector<std::byte> out(table.facts.state_size);
  if (!table.deal(table.self, s, player, random, out.data())) return nb::none();
  return nb::bytes(out.data(), out.size());
}

nb::object Handle::values(const nb::bytes& state) const {
  const void* s = check_open(state);
  if (!table.values) return nb::none();
  std::vector<Action> actions = list_actions(table, s);
  std::vector<double> value(actions.size());
  const int count =
      table.values(table.self, s, actions.data(), value.data(), static_cast<int>(actions.size()));
  nb::list list;
  for (int i = 0; i < count; ++i) list.append(nb::make_tuple(actions[i], value[i]));
  return list;
}

std::uint64_t Handle::key(const nb::bytes& state) const {
  return table.key(table.self, check(state));
}

std::vector<std::uint64_t> Handle::keys(const nb::bytes& state,
                                        const std::vector<Action>& line) const {
  std::vector<std::uint64_t> keys;
  std::vector<char> here(state.size()), next(state.size());
  if (!line.empty()) std::memcpy(here.data(), check_open(state), here.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i) {
      table.play(table.self, here.data(), check_action(here.data(), line[i - 1]), next.data());
      here.swap(next);
      if (table.to_move(table.self, here.data()) == kTerminal) {
        raise("IllegalAction", "the line continues after the end of the game");
      }
    }
    keys.push_back(table.key(table.self, here.data()));
  }
  check_failed();
  return keys;
}

nb::bytes Handle::timeless(const nb::bytes& state) const {
  const void* s = check(state);
  if (!table.timeless) return state;
  std::vector<char> out(table.facts.state_size);
  table.timeless(table.self, s, out.data());
  return nb::bytes(out.data(), out.size());
}

bool Handle::idle(const nb::bytes& before, const nb::bytes& after) const {
  const void *s = check(before), *t = check(after);
  return table.mirror_key && table.to_move(table.self, s) == table.to_move(table.self, t) &&
         table.mirror_key(table.self, s) == table.mirror_key(table.self, t);
}

std::uint64_t Handle::observation(const nb::bytes& state, int player) const {
  check_player(table, player);
  if (!table.observation) raise("UsageError", "this game has no hidden information");
  return table.observation(table.self, check(state), player);
}

nb::object Handle::endgame_index(const nb::bytes& state) const {
  const void* s = check(state);
  const Endgames* e = table.endgames;
  const int number = e ? e->class_of(table.self, s) : -1;
  if (number < 0) return nb::none();
  return nb::make_tuple(number, e->index(table.self, s));
}

nb::object Handle::endgame_position(int number, std::uint64_t index) const {
  const Endgames* e = table.endgames;
  if (!e || number < 0 || number >= e->classes || index >= e->size(table.self, number)) {
    raise("UsageError", "unknown endgame class or index");
  }
  std::vector<char> s(table.facts.state_size);
  if (!e->position(table.self, number, index, s.data())) return nb::none();
  return nb::bytes(s.data(), s.size());
}

nb::list Handle::endgame_before(const nb::bytes& state) const {
  if (endgame_index(state).is_none()) raise("UsageError", "the state is in no endgame class");
  const std::size_t size = table.facts.state_size;
  const int count = table.endgames->before(table.self, state.data(), nullptr, 0);
  std::vector<char> found(count * size);
  table.endgames->before(table.self, state.data(), found.data(), count);
  nb::list result;
  for (int i = 0; i < count; ++i) result.append(nb::bytes(found.data() + i * size, size));
  return result;
}

namespace {

// Rules compiled from Python: the functions are C, `self` is their error flag.
Handle compiled_game(nb::dict addresses, std::uint32_t state_size, nb::bytes initial, int players,
                     bool zero_sum, double utility_min, double utility_max, nb::object keep) {
  struct Rules {
    int failed = 0;
    std::string initial;
    Game table;  // the compiled functions, called with &failed
    nb::object keep;
    ~Rules() {
      nb::gil_scoped_acquire gil;
      keep.reset();
    }
  };
  auto rules = std::make_shared<Rules>();
  rules->initial = std::string(initial.c_str(), initial.size());
  rules->keep = std::move(keep);
  if (rules->initial.size() != state_size)
    raise("UsageError", "the initial state has the wrong size");
  Handle h;
  Game& t = h.table;
  const auto at = [&](const char* name, auto& pointer) {
    if (!addresses.contains(name)) return;
    pointer = reinterpret_cast<std::decay_t<decltype(pointer)>>(
        nb::cast<std::uintptr_t>(addresses[name]));
  };
#define ZERMELO_CONTRACT(kind, returns, name, ...) at(#name, t.name);
#include "contract.def"
  if (!t.to_move || !t.actions || !t.play || !t.utility) raise("UsageError", "rules are missing");
  t.facts.players = players;
  t.facts.zero_sum = zero_sum;
  t.facts.chance = t.outcomes != nullptr;
  t.facts.hidden = t.observation != nullptr;
  t.facts.utility_min = utility_min;
  t.facts.utility_max = utility_max;
  t.facts.state_size = state_size;
  t.self = &rules->failed;  // first member of Rules, so that the two functions below find the rest
  t.initial = [](const void* self, void* state) {
    const auto* r = reinterpret_cast<const Rules*>(self);
    std::memcpy(state, r->initial.data(), r->initial.size());
  };
  t.key = [](const void* self, const void* state) {
    return hash_bytes(state, reinterpret_cast<const Rules*>(self)->initial.size());
  };
  h.failed = std::shared_ptr<int>(rules, &rules->failed);
  h.owner = std::move(rules);
  return h;
}

}  // namespace

void bind_handle(nb::module_& m) {
  nb::class_<Facts>(m, "Facts")
      .def_ro("players", &Facts::players)
      .def_ro("chance", &Facts::chance)
      .def_ro("hidden", &Facts::hidden)
      .def_ro("zero_sum", &Facts::zero_sum)
      .def_ro("utility_min", &Facts::utility_min)
      .def_ro("utility_max", &Facts::utility_max)
      .def_ro("state_size", &Facts::state_size)
      .def_ro("tree_nodes", &Facts::tree_nodes)
      .def_ro("planes", &Facts::planes)
      .def_ro("rows", &Facts::rows)
      .def_ro("columns", &Facts::columns)
      .def_ro("policy_size", &Facts::policy_size);
  nb::class_<Handle> handle(m, "Handle", "A game behind the contract; states are bytes.");
  // has_NAME for every optional function of the contract.
#define ZERMELO_FLAG_NEW_STATE(name)
#define ZERMELO_FLAG_RULE(name)
#define ZERMELO_FLAG_OPTIONAL(name) \
  handle.def_prop_ro("has_" #name, [](const Handle& h) { return h.table.name != nullptr; });
#define ZERMELO_CONTRACT(kind, returns, name, ...) ZERMELO_FLAG_##kind(name)
#include "contract.def"
  handle.def_prop_ro("facts", [](const Handle& h) { return h.table.facts; })
      .def_prop_ro("superko", [](const Handle& h) { return h.table.superko != nullptr; })
      .def("initial", &Handle::initial)
      .def("to_move", &Handle::to_move, nb::arg("state"))
      .def("actions", &Handle::actions, nb::arg("state"))
      .def("play", &Handle::play, nb::arg("state"), nb::arg("action"))
      .def("utility", &Handle::utility, nb::arg("state"), nb::arg("player"))
      .def("evaluate", &Handle::evaluate, nb::arg("state"), nb::arg("player"))
      .def("outcomes", &Handle::outcomes, nb::arg("state"))
      .def("key", &Handle::key, nb::arg("state"))
      .def("keys", &Handle::keys, nb::arg("state"), nb::arg("line"))
      .def("timeless", &Handle::timeless, nb::arg("state"))
      .def("idle", &Handle::idle, nb::arg("before"), nb::arg("after"))
      .def("observation", &Handle::observation, nb::arg("state"), nb::arg("player"))
      .def("valid", &Handle::valid, nb::arg("state"))
      .def("sample", &Handle::sample, nb::arg("state"), nb::arg("random"))
      .def("encode", &Handle::encode, nb::arg("state"), nb::arg("player"))
      .def("policy_index", &Handle::policy_index, nb::arg("action"))
      .def("mcts_hints", &Handle::mcts_hints, nb::arg("state"), nb::arg("random"))
      .def("deal", &Handle::deal, nb::arg("state"), nb::arg("player"), nb::arg("random"))
      .def("values", &Handle::values, nb::arg("state"))
      .def("endgame_index", &Handle::endgame_index, nb::arg("state"))
      .def("endgame_position", &Handle::endgame_position, nb::arg("number"), nb::arg("index"))
      .def("endgame_before", &Handle::endgame_before, nb::arg("state"));
  m.def("compiled_game", &compiled_game, nb::arg("addresses"), nb::arg("state_size"),
        nb::arg("initial"), nb::arg("players"), nb::arg("zero_sum"), nb::arg("utility_min"),
        nb::arg("utility_max"), nb::arg("keep"));
}

}  // namespace zermelo::bindings
