// Nim: checks the options and builds the game.
#include "games/nim.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle nim(const std::vector<int>& piles, int most, bool misere, int players) {
  if (piles.empty() || piles.size() > Nim::kPiles || most < 0) {
    raise("UsageError", "nim needs 1 to 16 piles", "e.g. nim:piles=3,4,5");
  }
  for (int p : piles) {
    if (p < 0 || p > 65535)
      raise("UsageError", "a pile has 0 to 65535 stones", "e.g. nim:piles=3,4,5");
  }
  if (players < 2 || players > Nim::kPlayers) {
    raise("UsageError", "nim supports 2 to 8 players", "e.g. nim:players=3");
  }
  return own(std::make_shared<Nim>(piles, most, misere, players));
}

}  // namespace

ZERMELO_GAME(nim, m) {
  m.def("nim", &nim, nb::arg("piles"), nb::arg("most"), nb::arg("misere"), nb::arg("players") = 2);
}

}  // namespace zermelo::bindings
