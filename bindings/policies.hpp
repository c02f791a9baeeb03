// Conversion of a player's policy from Python.
#pragma once

#include <memory>

#include "handle.hpp"
#include "parts/modelled.hpp"

namespace zermelo::bindings {

// "uniform", (algorithm, depth, best), or a function: the bytes of a state -> a list of (action,
// probability). None: null.
std::shared_ptr<const Policy> policy_of(nb::handle policy);

}  // namespace zermelo::bindings
