// Pig: checks the options and builds the game.
#include "games/pig.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle pig(int target) {
  if (target < 1 || target > Pig::kMostTarget) {
    raise("UsageError", "invalid target=" + std::to_string(target),
          "expected 1 to 10000, e.g. pig:target=100");
  }
  return own(std::make_shared<Pig>(target));
}

}  // namespace

ZERMELO_GAME(pig, m) { m.def("pig", &pig, nb::arg("target")); }

}  // namespace zermelo::bindings
