#include "watched.hpp"

#include <memory>

#include "parts/runner.hpp"

namespace zermelo::bindings {

namespace {

// Listens for signals while a search runs. A KeyboardInterrupt ends the search; any other exception
// of a signal handler is raised again after the search.
class Signals {
 public:
  explicit Signals(nb::handle stop) : stop_(stop) {}

  bool poll() {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() == 0) return asked_to_stop();
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
      PyErr_Clear();
      ++interrupts_;
    } else {
      other_ = std::make_unique<nb::python_error>();
    }
    return true;
  }
  void rethrow() {
    if (other_) throw nb::python_error(std::move(*other_));
    if (interrupts_ > 1) {  // the first was for the search, the others for its caller
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw nb::python_error();
    }
  }

 private:
  bool asked_to_stop() {
    if (stop_.is_none()) return false;
    const nb::object answer = nb::steal(PyObject_CallNoArgs(stop_.ptr()));
    const int yes = answer ? PyObject_IsTrue(answer.ptr()) : -1;
    if (yes < 0) other_ = std::make_unique<nb::python_error>();
    return yes != 0;
  }

  nb::handle stop_;  // a function, or None
  std::unique_ptr<nb::python_error> other_;
  int interrupts_ = 0;
};

}  // namespace

void run(const Limits& limits, Budget& budget, const std::function<void()>& work, nb::handle stop) {
  Signals signals(stop);
  {
    nb::gil_scoped_release unlocked;
    run_watched(
        limits, budget,
        [&] {
          const PyGILState_STATE gil = PyGILState_Ensure();
          PyThreadState* thread = PyEval_SaveThread();
          std::exception_ptr error;
          try {
            work();
          } catch (...) {
            error = std::current_exception();
          }
          PyEval_RestoreThread(thread);
          PyGILState_Release(gil);
          if (error) std::rethrow_exception(error);
        },
        [&] { return signals.poll(); });
  }
  signals.rethrow();
}

Limits limits_of(int depth, std::uint64_t nodes, double seconds) {
  Limits limits;
  if (depth >= 0) limits.depth = depth;
  if (nodes > 0) limits.nodes = nodes;
  limits.seconds = seconds;
  return limits;
}

void unless_interrupted(const Budget& budget) {
  if (budget.stopped() != Stop::interrupted) return;
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

const char* name_of(Stop s) {
  static constexpr const char* kNames[] = {"", "nodes", "time", "interrupted"};
  return kNames[static_cast<int>(s)];
}

}  // namespace zermelo::bindings
