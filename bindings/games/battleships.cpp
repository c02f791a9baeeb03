// Battleships for Python: the rules, the shooter's probabilities, and shooters to compare.
#include "games/battleships/battleships.hpp"

#include "games.hpp"
#include "games/battleships/lessons.hpp"

namespace zermelo::bindings {
namespace {

using namespace battleships;

void check_options(int size, const std::vector<int>& fleet, int players) {
  const int ships = static_cast<int>(fleet.size());
  int total = 0;
  bool good = size >= 2 && size <= kMostSize && ships >= 1 && ships <= kMostShips &&
              (players == 1 || players == 2);
  for (const int length : fleet) {
    good = good && length >= 1 && length <= std::min(size, kMostLength);
    total += length;
  }
  if (!good || 2 * total > size * size) {
    raise("UsageError", "invalid options of battleships",
          "expected size 2 to 11, 1 to 5 ships of 1 to 5 cells that fill at most half of the grid, "
          "and 1 or 2 players, e.g. battleships:size=10,fleet=5,4,3,3,2");
  }
  const Sea sea(size, fleet);
  Random random(0);
  Fleet drawn;
  if (!Fleets(sea, {}).draw_one(random, drawn)) {
    raise("UsageError", "the fleet does not fit on the grid", "use fewer ships or a larger grid");
  }
}

Handle make_battleships(int size, const std::vector<int>& fleet, int players) {
  check_options(size, fleet, players);
  return own(std::make_shared<Battleships>(size, fleet, players));
}

// The probability of a ship on each cell of the opponent's grid, given the answers to `player`; the
// cell that the shooter chooses; the number of fleets that were counted, and whether these are all.
nb::tuple aim(const Handle& h, const nb::bytes& state, int player) {
  const void* s = h.check(state);
  if (h.table.play != Inlined<Battleships>::play || player < 0 || player >= h.table.facts.players) {
    raise("UsageError", "invalid player: expected 0 or 1");
  }
  const auto& rules = *static_cast<const Battleships*>(h.table.self);
  const Aim found =
      Shooter(rules.sea()).look(rules.told(*static_cast<const Battleships::State*>(s), player));
  const int cells = rules.sea().cells();
  return nb::make_tuple(std::vector<double>(found.odds, found.odds + cells), found.best,
                        found.fleets, found.exact);
}

std::vector<int> trial(int size, const std::vector<int>& fleet, const std::string& shooter,
                       int games, std::uint64_t seed) {
  check_options(size, fleet, 1);
  const Manner* manner = manner_named(shooter);
  if (!manner) raise("UsageError", "unknown shooter '" + shooter + "'");
  nb::gil_scoped_release free;
  return trials(Sea(size, fleet), *manner, games, seed);
}

// Training examples as raw memory, all numbers of 32 bits; `worth` is empty or has all weights.
nb::bytes teach(int size, const std::vector<int>& fleet, const std::vector<float>& worth, int games,
                std::uint64_t seed) {
  check_options(size, fleet, 1);
  Worth weights;
  constexpr std::size_t kAll = sizeof weights.of / sizeof(float);
  if (!worth.empty() && worth.size() != kAll) {
    raise("UsageError", "invalid weights of battleships",
          "expected none, or " + std::to_string(kAll) + " numbers");
  }
  std::copy(worth.begin(), worth.end(), &weights.of[0][0]);
  std::vector<Lesson> found;
  {
    nb::gil_scoped_release free;
    const Sea sea(size, fleet);
    found = lessons(sea, worth.empty() ? nullptr : &weights, games, seed);
  }
  return nb::bytes(reinterpret_cast<const char*>(found.data()), found.size() * sizeof(Lesson));
}

}  // namespace

ZERMELO_GAME(battleships, m) {
  m.def("battleships", &make_battleships, nb::arg("size"), nb::arg("fleet"), nb::arg("players"));
  m.def("battleships_aim", &aim, nb::arg("handle"), nb::arg("state"), nb::arg("player"));
  m.def("battleships_trial", &trial, nb::arg("size"), nb::arg("fleet"), nb::arg("shooter"),
        nb::arg("games"), nb::arg("seed"));
  m.def("battleships_lessons", &teach, nb::arg("size"), nb::arg("fleet"), nb::arg("worth"),
        nb::arg("games"), nb::arg("seed"));
}

}  // namespace zermelo::bindings
