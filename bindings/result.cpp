// The result of a search for Python.
#include <cstddef>

#include "search.hpp"
#include "watched.hpp"

namespace zermelo::bindings {

namespace {

using bindings::name_of;

const char* name_of(Bound b) {
  static constexpr const char* kNames[] = {"exact", "lower", "upper", "estimate"};
  return kNames[static_cast<int>(b)];
}

// Steps cross as they lie in memory and are unpacked one by one in Python: there may be a million.
static_assert(sizeof(TraceStep) == 64 && offsetof(TraceStep, value) == 16 &&
              offsetof(TraceStep, bound) == 40 && offsetof(TraceStep, high) == 56);

// Lets other Python threads run now and then while a long list is made.
void yield_gil(std::size_t made) {
  if (made % 4096 == 4095) nb::gil_scoped_release others;
}

nb::object trace_of(const Recorder& recorder) {
  nb::list nodes;
  for (const TraceNode& n : recorder.nodes) {
    yield_gil(nodes.size());
    nodes.append(nb::make_tuple(n.parent, n.action, n.player, n.ply, n.key, n.pruned, n.odds));
  }
  nb::bytes steps(reinterpret_cast<const char*>(recorder.steps.data()),
                  recorder.steps.size() * sizeof(TraceStep));
  return nb::make_tuple(nodes, steps, recorder.full);
}

// Steps that have a value for each player, by the number of the step.
nb::dict tuples_of(const Recorder& recorder) {
  nb::dict out;
  for (const auto& [step, values] : recorder.tuples) out[nb::int_(step)] = nb::cast(values);
  return out;
}

nb::list moves_of(const Result& r) {
  nb::list moves;
  for (const RootMove& m : r.moves) {
    yield_gil(moves.size());
    moves.append(nb::make_tuple(m.action, m.value, name_of(m.bound), m.nodes, m.line, m.distance,
                                m.values, m.error, name_of(m.found)));
  }
  return moves;
}

nb::list plan_of(const Result& r) {
  nb::list plan;
  for (const Planned& p : r.plan) {
    nb::list belief;
    for (const std::string& s : p.belief) belief.append(nb::bytes(s.data(), s.size()));
    plan.append(nb::make_tuple(belief, p.action, p.moves));
  }
  return plan;
}

}  // namespace

nb::dict result_dict(const Result& r, double elapsed, const Recorder* recorder) {
  nb::list story;
  for (const DepthNote& n : r.story) story.append(nb::make_tuple(n.depth, n.action, n.value));
  nb::dict out;
  out["story"] = story;
  out["has_value"] = r.has_value;
  out["value"] = r.value;
  out["values"] = r.values;
  out["kind"] = name_of(r.bound);
  out["line"] = r.line;
  out["moves"] = moves_of(r);
  out["depth"] = r.depth;
  out["deepest"] = r.deepest;
  out["distance"] = r.distance;
  out["nodes"] = r.nodes;
  out["leaves"] = r.leaves;
  out["tabled"] = r.tabled;
  out["error"] = r.error;
  out["plan"] = plan_of(r);
  out["note"] = r.note;
  out["stopped"] = name_of(r.stopped);
  out["ties"] = r.ties;
  out["horizon"] = r.horizon;
  out["elapsed"] = elapsed;
  out["trace"] = recorder ? trace_of(*recorder) : nb::none();
  out["tuples"] = recorder ? tuples_of(*recorder) : nb::dict();
  return out;
}

}  // namespace zermelo::bindings
