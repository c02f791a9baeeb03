// Native work started from Python: the GIL is released, a thread with a deep stack does the work,
// and this thread listens for Ctrl-C.
#pragma once

#include <functional>

#include "handle.hpp"
#include "limits.hpp"

namespace zermelo::bindings {

// Runs `work` on the deep stack. The thread keeps one Python thread state for all its callbacks.
// `stop` is a Python function that is asked now and then whether to end, or None.
void run(const Limits& limits, Budget& budget, const std::function<void()>& work,
         nb::handle stop = nb::none());

// depth < 0, nodes and seconds 0: no such limit.
Limits limits_of(int depth, std::uint64_t nodes, double seconds);

const char* name_of(Stop s);

}  // namespace zermelo::bindings
