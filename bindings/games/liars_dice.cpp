// Liar's dice: checks the options and builds the game.
#include "games/liars_dice.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle liars_dice(int dice, int sides) {
  if (dice < 1 || dice > LiarsDice::kMostDice || sides < 2 || sides > LiarsDice::kMostSides) {
    raise("UsageError", "invalid options of liar's dice",
          "expected 1 to 5 dice with 2 to 6 sides, e.g. liars-dice:dice=1,sides=6");
  }
  return own(std::make_shared<LiarsDice>(dice, sides));
}

}  // namespace

ZERMELO_GAME(liars_dice, m) { m.def("liars_dice", &liars_dice, nb::arg("dice"), nb::arg("sides")); }

}  // namespace zermelo::bindings
