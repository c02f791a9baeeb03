// Regret minimization for Python: solvers that run for some iterations, report, and continue.
#include "search/regret/regret.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <chrono>
#include <optional>

#include "search/regret/imperfect_recall.hpp"
#include "search/regret/sampling.hpp"
#include "search/regret/size.hpp"
#include "search/regret/variants.hpp"
#include "watched.hpp"

namespace zermelo::bindings {

namespace {

RegretParams params_of(const std::string& algorithm) {
  const RegretVariant* variant = find_regret_variant(algorithm);
  if (!variant || !variant->stores_tree) {
    std::string names;
    for (const RegretVariant& v : kRegretVariants) {
      if (v.stores_tree) names += (names.empty() ? "" : ", ") + std::string(v.name);
    }
    raise("UsageError", "unknown algorithm '" + algorithm + "'", "expected one of: " + names);
  }
  return variant->params;
}

// One dictionary per variant, for zermelo.equilibrium.
nb::list regret_variants() {
  nb::list out;
  for (const RegretVariant& v : kRegretVariants) {
    nb::dict row;
    row["name"] = v.name;
    row["summary"] = v.summary;
    row["stores_tree"] = v.stores_tree;
    row["imperfect_recall"] = v.imperfect_recall;
    row["sampled"] = v.params.sampled;
    out.append(row);
  }
  return out;
}

nb::list listed(const InformationSets& all, const std::vector<double>& average, std::size_t size) {
  nb::list out;
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    const InformationSets::Set& set = all.sets[s];
    const auto first = all.actions.begin() + set.at;
    const auto odds = average.begin() + set.at;
    out.append(nb::make_tuple(
        set.player, nb::bytes(reinterpret_cast<const char*>(all.states.data() + s * size), size),
        std::vector<Action>(first, first + set.count),
        std::vector<double>(odds, odds + set.count)));
  }
  return out;
}

const void* check_seen(const Handle& game, const nb::bytes& state) {
  const void* s = game.check_open(state);
  if (!game.table.observation) {
    raise("NotSupported",
          "the game has no hidden information: it does not define observation(s, p)",
          "use zermelo.solve; define observation(s, p) if players do not see everything");
  }
  return s;
}

// Histories of the tree, and nodes that sampling visits for one player, as powers of ten.
std::pair<double, double> tree_size(const Handle& game, const nb::bytes& state) {
  const void* s = check_seen(game, state);
  TreeSize found;
  const Limits limits;
  Budget budget(limits);
  run(limits, budget, [&] {
    try {
      found = judge_size(game.table, s, budget);
    } catch (const Stopped&) {
    }
  });
  game.check_failed();
  unless_interrupted(budget);
  return {found.histories, found.sampled};
}

template <class R>
class Solver {
 public:
  Solver(const Handle& game, const nb::bytes& state, const std::string& algorithm,
         std::uint64_t seed, std::uint64_t most)
      : game_(game), params_(params_of(algorithm)), random_(seed) {
    const void* s = check_seen(game, state);
    const Limits limits;
    Budget budget(limits);
    run(limits, budget, [&] {
      try {
        regret_.emplace(game_.table, s, most, budget);
      } catch (const Stopped&) {
      }
    });
    game_.check_failed();
    unless_interrupted(budget);
    if (!regret_) throw nb::python_error();
  }

  // Runs `count` more iterations, or until the time limit. Returns why it stopped.
  const char* iterate(std::uint64_t count, double seconds) {
    return repeat(count, seconds, [&](Budget& budget) {
      budget.enter();
      regret_->iterate(params_, random_);
    });
  }

  // The values of the average strategy, and of each player's best response to it.
  std::pair<std::vector<double>, std::vector<double>> measure() {
    return judged(regret_->average());
  }

  // The same for another strategy: probabilities by action, in the order of strategy().
  std::pair<std::vector<double>, std::vector<double>> measure_of(
      const std::vector<double>& strategy) {
    if (strategy.size() != regret_->tree().actions.size()) {
      raise("UsageError", "the strategy belongs to another game");
    }
    return judged(strategy);
  }

  // For each information set: its player, one of its states, its actions and their probabilities.
  nb::list strategy() const {
    return listed(regret_->tree(), regret_->average(), game_.table.facts.state_size);
  }

  std::vector<double> learned() const { return regret_->learned(); }
  bool resume(const std::vector<double>& all, std::uint64_t iterations) {
    random_.seed(random_() + iterations);
    return regret_->resume(all, iterations);
  }

  std::uint64_t iterations() const { return regret_->iterations(); }
  std::size_t sets() const { return regret_->tree().sets.size(); }
  std::size_t histories() const { return regret_->tree().nodes.size(); }

 private:
  std::pair<std::vector<double>, std::vector<double>> judged(const std::vector<double>& strategy) {
    std::pair<std::vector<double>, std::vector<double>> found;
    const Limits limits;
    Budget budget(limits);
    run(limits, budget, [&] {
      try {
        found.first = regret_->values(strategy);
        for (int p = 0; p < regret_->tree().players; ++p) {
          found.second.push_back(reply(strategy, p, budget));
        }
      } catch (const Stopped&) {
      }
    });
    unless_interrupted(budget);
    return found;
  }

  double reply(const std::vector<double>& average, int player, Budget& budget) {
    if constexpr (requires { regret_->best_response(average, player); }) {
      return regret_->best_response(average, player);
    } else {
      return regret_->best_response(average, player, budget);
    }
  }

  Handle game_;
  RegretParams params_;
  std::mt19937_64 random_;
  std::optional<R> regret_;
};

// Like Solver, but stores no tree, so values and NashConv cannot be computed.
class Sampler {
 public:
  Sampler(const Handle& game, const nb::bytes& state, std::uint64_t seed, std::uint64_t most)
      : game_(game), random_(seed), regret_(game_.table, check_seen(game, state), most) {}

  const char* iterate(std::uint64_t count, double seconds) {
    const char* why =
        repeat(count, seconds, [&](Budget& budget) { regret_.iterate(budget, random_); });
    game_.check_failed();
    return why;
  }

  nb::list strategy() const {
    return listed(regret_.tree(), regret_.average(), game_.table.facts.state_size);
  }
  std::vector<double> learned() const { return regret_.learned(); }
  bool resume(const std::vector<double>& all, std::uint64_t iterations) {
    const Limits limits;
    Budget budget(limits);
    bool fits = false;
    random_.seed(random_() + iterations);
    run(limits, budget, [&] {
      try {
        fits = regret_.resume(all, iterations, budget);
      } catch (const Stopped&) {
      }
    });
    game_.check_failed();
    unless_interrupted(budget);
    return fits;
  }

  std::uint64_t iterations() const { return regret_.iterations(); }
  std::size_t sets() const { return regret_.tree().sets.size(); }

 private:
  Handle game_;
  std::mt19937_64 random_;
  SamplingRegret regret_;
};

template <class R>
void bind_solver(nb::module_& m, const char* name) {
  using S = Solver<R>;
  nb::class_<S>(m, name)
      .def(nb::init<const Handle&, const nb::bytes&, const std::string&, std::uint64_t,
                    std::uint64_t>(),
           nb::arg("game"), nb::arg("state"), nb::arg("algorithm"), nb::arg("seed"),
           nb::arg("most"))
      .def("iterate", &S::iterate, nb::arg("count"), nb::arg("seconds"))
      .def("measure", &S::measure)
      .def("measure_of", &S::measure_of, nb::arg("strategy"))
      .def("strategy", &S::strategy)
      .def("learned", &S::learned)
      .def("resume", &S::resume, nb::arg("learned"), nb::arg("iterations"))
      .def_prop_ro("iterations", &S::iterations)
      .def_prop_ro("sets", &S::sets)
      .def_prop_ro("histories", &S::histories);
}

}  // namespace

void bind_regret(nb::module_& m) {
  bind_solver<Regret>(m, "Regret");
  bind_solver<ImperfectRecallRegret>(m, "ImperfectRecallRegret");
  m.def("regret_variants", &regret_variants);
  m.def("tree_size", &tree_size, nb::arg("game"), nb::arg("state"));
  nb::class_<Sampler>(m, "SamplingRegret")
      .def(nb::init<const Handle&, const nb::bytes&, std::uint64_t, std::uint64_t>(),
           nb::arg("game"), nb::arg("state"), nb::arg("seed"), nb::arg("most"))
      .def("iterate", &Sampler::iterate, nb::arg("count"), nb::arg("seconds"))
      .def("strategy", &Sampler::strategy)
      .def("learned", &Sampler::learned)
      .def("resume", &Sampler::resume, nb::arg("learned"), nb::arg("iterations"))
      .def_prop_ro("iterations", &Sampler::iterations)
      .def_prop_ro("sets", &Sampler::sets);
}

}  // namespace zermelo::bindings
