// Leduc poker.
#include "games/leduc.hpp"

#include "games.hpp"

namespace zermelo::bindings {

ZERMELO_GAME(leduc, m) {
  m.def("leduc", [](bool suits) { return own(std::make_shared<Leduc>(suits)); }, nb::arg("suits"));
}

}  // namespace zermelo::bindings
