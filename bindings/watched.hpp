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

// Half of some work says nothing: Ctrl-C is Python's then.
void unless_interrupted(const Budget& budget);

// Does `step` so often, or until the time is up; why it stopped.
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
