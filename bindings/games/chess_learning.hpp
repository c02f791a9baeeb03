// Native functions for the training of chess.
#pragma once

#include "games/chess/terms.hpp"
#include "handle.hpp"

namespace zermelo::bindings {

// kTerms pairs of 16-bit numbers, middlegame and endgame; empty: the hand-set weights.
chess::Weights weights_of(const nb::bytes& pairs);

}  // namespace zermelo::bindings
