// Connect four: the standard board has its own compiled rules.
#include "games/connect_four.hpp"

#include "games.hpp"
#include "inlined.hpp"

namespace zermelo::bindings {
namespace {

Handle connect_four(int width, int height, bool distance) {
  if (width < 1 || height < 1 || width > 64 || height > 63 || width * (height + 1) > 64) {
    raise("UsageError",
          "a board of " + std::to_string(width) + " by " + std::to_string(height) + " is too large",
          "width * (height + 1) must be at most 64, e.g. 7 by 6 or 8 by 7");
  }
  const bool standard = width == 7 && height == 6;
  Handle h = standard ? own(std::make_shared<StandardConnectFour>(width, height, distance))
                      : own(std::make_shared<ConnectFour>(width, height, distance));
  h.table.engine = &kConnectFourEngines[standard];
  h.table.mcts = &kConnectFourMcts[standard];
  return h;
}

}  // namespace

ZERMELO_GAME(connect_four, m) {
  m.def("connect_four", &connect_four, nb::arg("width"), nb::arg("height"), nb::arg("distance"));
}

}  // namespace zermelo::bindings
