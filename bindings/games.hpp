// How a game's native functions reach the Python module. Every file of bindings/games ends with
//
//   ZERMELO_GAME(hex, m) {
//     m.def("hex", &make_hex, nb::arg("size"), nb::arg("swap"));
//   }
//
// CMake compiles every file in that folder, and the macro registers its functions, so no list has
// to be edited.
#pragma once

#include "handle.hpp"

namespace zermelo::bindings {

using Binder = void (*)(nb::module_& m);

// Registers `binder`, which bind_games will call; returns true.
bool register_game(const char* name, Binder binder);

// Calls every registered binder, in the order of their names.
void bind_games(nb::module_& m);

}  // namespace zermelo::bindings

#define ZERMELO_GAME(name, m)                                                                \
  static void bind_##name(nb::module_& m);                                                   \
  [[maybe_unused]] static const bool registered_##name = register_game(#name, &bind_##name); \
  static void bind_##name([[maybe_unused]] nb::module_& m)
