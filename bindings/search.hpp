// Shared by the files that start searches from Python.
#pragma once

#include "algorithm.hpp"
#include "handle.hpp"
#include "parts/judge.hpp"

namespace zermelo::bindings {

// The options of an algorithm as Python gives them, {name: value}, over its defaults.
Options options_of(const Algorithm& algorithm, const nb::dict& given);

// A result for Python; the trace and its tuples are those of the recorder, if there is one.
nb::dict result_dict(const Result& result, double elapsed, const Recorder* recorder = nullptr);

// Restarts the search if the game turns out to have scores instead of wins and losses.
template <class Search>
void noticing_scores(Options& options, Search search) {
  try {
    search();
  } catch (const ScoreGame&) {
    options.scores = true;
    search();
  }
}

}  // namespace zermelo::bindings
