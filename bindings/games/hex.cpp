// Hex for Python: a state with as many words as the board needs, and states from stones.
#include "games/hex.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

// Calls `make` with the rules for a board of this size.
template <class F>
auto with_rules(int size, bool swap, const F& make) {
  if (size < 2 || size > Hex<1>::kLargest) {
    raise("UsageError", "invalid size " + std::to_string(size), "expected 2 to 19");
  }
  switch (Hex<1>::words(size)) {
    case 1:
      return make(std::make_shared<Hex<1>>(size, swap));
    case 2:
      return make(std::make_shared<Hex<2>>(size, swap));
    case 3:
    case 4:
      return make(std::make_shared<Hex<4>>(size, swap));
    default:
      return make(std::make_shared<Hex<6>>(size, swap));
  }
}

Handle make_hex(int size, bool swap) {
  return with_rules(size, swap, [](auto rules) { return own(std::move(rules)); });
}

// The state with these stones: "R", "B" or "." for each cell, row by row.
nb::bytes state_of(int size, const std::string& cells, int mover) {
  return with_rules(size, true, [&](const auto& rules) {
    const auto s = rules->with_stones(cells, mover);
    return nb::bytes(reinterpret_cast<const char*>(&s), sizeof s);
  });
}

}  // namespace

ZERMELO_GAME(hex, m) {
  m.def("hex", &make_hex, nb::arg("size"), nb::arg("swap"));
  m.def("hex_state", &state_of, nb::arg("size"), nb::arg("cells"), nb::arg("mover"));
}

}  // namespace zermelo::bindings
