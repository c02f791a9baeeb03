// Stratego.
#include "games/stratego.hpp"

#include "games.hpp"

namespace zermelo::bindings {

ZERMELO_GAME(stratego, m) {
  m.def(
      "stratego",
      [](bool barrage, bool chance) {
        return own(std::make_shared<Stratego>(barrage,
                                              chance ? Stratego::kByChance : Stratego::kByPlayers));
      },
      nb::arg("barrage"), nb::arg("chance"));
}

}  // namespace zermelo::bindings
