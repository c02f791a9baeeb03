// Kuhn poker.
#include "games/kuhn.hpp"

#include "games.hpp"

namespace zermelo::bindings {

ZERMELO_GAME(kuhn, m) {
  m.def("kuhn", [] { return own(std::make_shared<Kuhn>()); });
}

}  // namespace zermelo::bindings
