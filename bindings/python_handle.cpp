// The table of functions of a Python game, and its binding.
#include "parts/forward.hpp"
#include "python_game.hpp"

namespace zermelo::bindings {

namespace {

using Ids = std::uint32_t;

Ids id_of(const void* state) { return *static_cast<const Ids*>(state); }
PythonGame& game_of(const void* self) {
  return *static_cast<PythonGame*>(const_cast<void*>(self));  // the table grows with each query
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
  t.hints.slow_rules = true;
  if (nb::hasattr(rules, "utility_sum")) {
    t.facts.sum_max = nb::cast<double>(nb::float_(rules.attr("utility_sum")));
  }
  t.facts.hidden = has(rules, "observation");
  t.hints.selective =
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
          nb::arg("state").none())  // None raises an error with a hint
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
