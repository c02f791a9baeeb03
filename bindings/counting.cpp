// Counts from Python: leaves of the move tree, Grundy values, positions, random games.
#include <chrono>

#include "handle.hpp"
#include "search/all.hpp"
#include "watched.hpp"

namespace zermelo::bindings {

namespace {

// A count with its time, or why it was stopped.
template <class Count>
nb::tuple counted(const Handle& game, const nb::bytes& state, double seconds, Count count) {
  const void* s = game.check(state);
  const Limits limits = limits_of(-1, 0, seconds);
  Budget budget(limits);
  std::uint64_t total = 0;
  bool finished = true;
  const auto start = std::chrono::steady_clock::now();
  run(limits, budget, [&] {
    try {
      total = count(s, budget);
    } catch (const Stopped&) {
      finished = false;
    }
  });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  game.check_failed();
  return nb::make_tuple(total, elapsed.count(), finished ? "" : name_of(budget.stopped()));
}

// Random games: how many, their plies (all, squared, shortest, longest), the utilities' sums and
// squares, the seconds, and why it ended early.
nb::tuple count_playouts(const Handle& game, const nb::bytes& state, std::uint64_t games,
                         std::uint64_t seed, double seconds) {
  const void* s = game.check_open(state);
  const Limits limits = limits_of(-1, 0, seconds);
  Budget budget(limits);
  Playouts p;
  const auto start = std::chrono::steady_clock::now();
  run(limits, budget, [&] { p = playouts(game.table, s, games, seed, budget); });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  game.check_failed();
  return nb::make_tuple(p.games, p.plies, p.plies_squared, p.shortest, p.longest, p.sums, p.squares,
                        elapsed.count(), name_of(budget.stopped()));
}

}  // namespace

void bind_counting(nb::module_& m) {
  m.def("playouts", &count_playouts, nb::arg("game"), nb::arg("state"), nb::arg("games"),
        nb::arg("seed"), nb::arg("seconds"));
  m.def(
      "perft",
      [](const Handle& g, nb::bytes s, int depth, double seconds) {
        return counted(g, s, seconds, [&](const void* state, Budget& budget) {
          return perft(g.table, state, depth, budget);
        });
      },
      nb::arg("game"), nb::arg("state"), nb::arg("depth"), nb::arg("seconds"));
  m.def(
      "grundy",
      [](const Handle& g, nb::bytes s, double seconds) {
        return counted(g, s, seconds, [&](const void* state, Budget& budget) {
          return std::uint64_t{grundy(g.table, state, budget)};
        });
      },
      nb::arg("game"), nb::arg("state"), nb::arg("seconds"));
  m.def(
      "count_positions",
      [](const Handle& g, nb::bytes s, double seconds) {
        return counted(g, s, seconds, [&](const void* state, Budget& budget) {
          return count_positions(g.table, state, budget);
        });
      },
      nb::arg("game"), nb::arg("state"), nb::arg("seconds"));
}

}  // namespace zermelo::bindings
