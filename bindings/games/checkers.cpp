// Checkers: checks the options and builds the game.
#include "games/checkers/checkers.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle checkers(int pieces) {
  if (pieces < 1 || pieces > 8) {
    raise("UsageError", "endgames of " + std::to_string(pieces) + " pieces are not supported",
          "expected 1 to 8 pieces, e.g. checkers:pieces=4");
  }
  return own(std::make_shared<Checkers>(pieces));
}

}  // namespace

ZERMELO_GAME(checkers, m) { m.def("checkers", &checkers, nb::arg("pieces")); }

}  // namespace zermelo::bindings
