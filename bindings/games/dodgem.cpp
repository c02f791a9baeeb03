// Dodgem: checks the options and builds the game.
#include "games/dodgem.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle dodgem(int n) {
  if (n < Dodgem::kLeast || n > Dodgem::kMost) {
    raise("UsageError", "invalid n=" + std::to_string(n), "expected 2 to 5, e.g. dodgem:n=3");
  }
  return own(std::make_shared<Dodgem>(n));
}

}  // namespace

ZERMELO_GAME(dodgem, m) { m.def("dodgem", &dodgem, nb::arg("n")); }

}  // namespace zermelo::bindings
