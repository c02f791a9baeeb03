// Native work started from Python: the GIL is released, a thread with a deep stack does the work,
// and this thread listens for Ctrl-C.
#pragma once

#include <functional>

#include "handle.hpp"
#include "limits.hpp"

namespace zermelo::bindings {

// Runs `work` on the deep stack. The thread keeps one Python thread state for all its callbacks.
// `stop` is None or a Python function that is called regularly and returns whether to stop.
void run(const Limits& limits, Budget& budget, const std::function<void()>& work,
         nb::handle stop = nb::none());

// depth < 0, nodes and seconds 0: no such limit.
Limits limits_of(int depth, std::uint64_t nodes, double seconds);

const char* name_of(Stop s);

// For work whose partial result has no meaning: Ctrl-C raises KeyboardInterrupt.
void unless_interrupted(const Budget& budget);

// Runs `step` this many times, or until the time limit; returns why it stopped.
template <class F>
const char* repeat(std::uint64_t count, double seconds, const F& step) {
  const Limits limits = limits_of(-1, 0, seconds);
  Budget budget(limits);
  run(limits, budget, [&] {
    try {
      for (std::uint64_t i = 0; i < count; ++i) step(budget);
    } catch (const Stopped&) {
    }
  });
  return name_of(budget.stopped());
}

}  // namespace zermelo::bindings
