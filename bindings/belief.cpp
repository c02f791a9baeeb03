// The states consistent with what a player has observed, for Python.
#include "parts/belief.hpp"

#include "handle.hpp"
#include "watched.hpp"

namespace zermelo::bindings {

namespace {

// The states that a player cannot distinguish from this one, with their weights; empty: there are
// too many histories.
nb::list listed(const Handle& game, const Belief& found) {
  nb::list out;
  const std::size_t size = game.table.facts.state_size;
  for (std::size_t i = 0; i < found.count(); ++i) {
    out.append(nb::make_tuple(nb::bytes(static_cast<const char*>(found.state(i)), size),
                              found.weights[i]));
  }
  return out;
}

// None: the time limit was reached before all were listed.
nb::object consistent_states(const Handle& game, const nb::bytes& begin, const nb::bytes& state,
                             int player, std::uint64_t most, double seconds) {
  const void *from = game.check(begin), *s = game.check_open(state);
  if (!game.table.observation) raise("UsageError", "this game has no hidden information");
  const Limits limits = limits_of(-1, 0, seconds);
  Budget budget(limits);
  Belief found(game.table);
  bool finished = true;
  run(limits, budget, [&] {
    try {
      found = consistent(game.table, from, s, player, most, budget);
    } catch (const Stopped&) {
      finished = false;
    }
  });
  game.check_failed();
  unless_interrupted(budget);
  if (!finished) return nb::none();
  return listed(game, found);
}

nb::list followed_states(const Handle& game, const std::vector<nb::bytes>& pool,
                         const nb::bytes& state, int player, std::size_t most, std::uint64_t tries,
                         std::uint64_t seed) {
  if (!game.table.observation) raise("UsageError", "this game has no hidden information");
  const std::uint64_t seen = game.table.observation(game.table.self, game.check(state), player);
  Belief open(game.table), found(game.table);
  for (const nb::bytes& s : pool) open.add(game.check(s), 1);
  const Limits limits;
  Budget budget(limits);
  run(limits, budget, [&] {
    try {
      found = follow(game.table, open, seen, player, most, tries, seed, budget);
    } catch (const Stopped&) {
    }
  });
  game.check_failed();
  unless_interrupted(budget);
  return listed(game, found);
}

}  // namespace

void bind_belief(nb::module_& m) {
  m.def("consistent", &consistent_states, nb::arg("game"), nb::arg("begin"), nb::arg("state"),
        nb::arg("player"), nb::arg("most"), nb::arg("seconds") = 0.0);
  m.def("follow", &followed_states, nb::arg("game"), nb::arg("pool"), nb::arg("state"),
        nb::arg("player"), nb::arg("most"), nb::arg("tries"), nb::arg("seed"));
}

}  // namespace zermelo::bindings
