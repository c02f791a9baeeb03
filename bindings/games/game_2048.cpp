// 2048: checks the options and builds the game.
#include "games/game_2048.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle game_2048(double fours) {
  if (!(fours >= 0 && fours <= 1)) {
    raise("UsageError", "invalid fours", "expected a probability, e.g. 2048:fours=0.1");
  }
  return own(std::make_shared<Game2048>(fours));
}

}  // namespace

ZERMELO_GAME(game_2048, m) { m.def("game_2048", &game_2048, nb::arg("fours")); }

}  // namespace zermelo::bindings
