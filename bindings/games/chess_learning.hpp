// What chess's training asks of the native half.
#pragma once

#include "games/chess/terms.hpp"
#include "handle.hpp"

namespace zermelo::bindings {

// kTerms pairs of 16-bit numbers, middlegame and endgame; no bytes: those by rule of thumb.
chess::Weights weights_of(const nb::bytes& pairs);

}  // namespace zermelo::bindings
