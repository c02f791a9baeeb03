// Starting a search from Python: the GIL is released, a thread with a deep stack does the work, and
// this thread listens for Ctrl-C.
#include "search.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <chrono>

#include "memory.hpp"
#include "nn/guide.hpp"
#include "parts/belief.hpp"
#include "parts/complete.hpp"
#include "parts/judge.hpp"
#include "policies.hpp"
#include "search/all.hpp"
#include "tables.hpp"
#include "watched.hpp"

namespace zermelo::bindings {

namespace {

// One search, as Python asks for it. Every field but the first three has a default that means "not
// given".
struct SearchRequest {
  nb::object game;  // a Handle
  nb::bytes state;
  std::string algorithm;
  int depth = -1;
  std::uint64_t nodes = 0;
  double seconds = 0;
  nb::dict options = {};   // {name: value}; what is missing has its default
  nb::dict policies = {};  // {option: policy}, see policy_of
  std::uint64_t seed = 0;
  bool bounded = false;              // only proofs are wanted
  std::size_t trace = 0;             // nodes to record
  nb::object on_depth = nb::none();  // called with the result of every finished depth
  nb::object stop = nb::none();      // called regularly; returns whether to stop
  nb::object guide = nb::none();     // function of (state, actions) that returns priors and values
  nb::object network = nb::none();   // a Network as the guide
  nb::object tables = nb::none();    // Tables of solved positions
  nb::object tables_game = nb::none();  // the Handle that they were built with; None: `game`
  nb::object memory = nb::none();       // a Memory
  std::vector<Action> without = {};     // root actions that are not searched
  std::vector<std::pair<nb::bytes, double>> belief = {};  // states with their weights
  bool sampled = false;                                   // the belief is a sample
};

// Priors and values from a Python function of (state, actions).
struct PythonGuide {
  nb::handle function;
  const Game& game;

  static void ask(void* self, const void* state, const Action* actions, int count, float* priors,
                  double* values) {
    nb::gil_scoped_acquire gil;
    const auto& g = *static_cast<PythonGuide*>(self);
    const std::size_t size = g.game.facts.state_size;
    std::string bytes(static_cast<const char*>(state),
                      g.game.used ? g.game.used(g.game.self, state) : size);
    bytes.resize(size);
    const nb::object said =
        g.function(nb::bytes(bytes.data(), size), std::vector<Action>(actions, actions + count));
    const auto [p, v] = nb::cast<std::pair<std::vector<float>, std::vector<double>>>(said);
    if (p.size() != static_cast<std::size_t>(count) ||
        v.size() != static_cast<std::size_t>(g.game.facts.players)) {
      raise("UsageError", "the guide returned a wrong number of priors or values");
    }
    std::copy(p.begin(), p.end(), priors);
    std::copy(v.begin(), v.end(), values);
  }
};

void check_playable(const Algorithm& a, const Handle& game, const void* state) {
  if (game.table.facts.chance && !a.can.chance) {
    raise("RulesError", std::string(a.name) + " does not support games with chance");
  }
  if (a.can.hidden && game.table.to_move(game.table.self, state) < 0) {
    raise(
        "UsageError", "chance moves in this state: there is no decision to search",
        "give a position in which a player is to move; zermelo equilibrium solves the whole game");
  }
}

// An optional argument: null for None.
template <class T>
T* optional(const nb::object& given) {
  return given.is_none() ? nullptr : &nb::cast<T&>(given);
}

// Objects that must live as long as the search, and the options that point to them.
class Resources {
 public:
  Resources(const SearchRequest& r, const Algorithm& a, const Handle& game)
      : options(options_of(a, r.options)),
        memory_(served(optional<Memory>(r.memory), options, a, game)),
        use_(memory_),
        belief_(game.table),
        python_guide_{r.guide, game.table},
        guide_{&python_guide_, &PythonGuide::ask} {
    options.seed = r.seed;
    options.bounded = r.bounded;
    options.without = r.without;
    options.drawn = r.sampled;
    if (const Tables* tables = optional<Tables>(r.tables)) {
      // Tablebases are probed with the game's own rules, independent of the evaluation of the
      // search.
      const Handle* own = optional<Handle>(r.tables_game);
      tablebase_ = std::make_unique<Tablebase>((own ? *own : game).table, tables->files);
      options.tablebase = tablebase_.get();
    }
    for (const auto& [flat, weight] : r.belief) belief_.add(game.check_open(flat), weight);
    if (belief_.count()) options.belief = &belief_;
    if (!r.guide.is_none()) options.mcts.guide = &guide_;
    if (const auto* network = optional<nn::Network>(r.network)) {
      if (!nn::NetworkGuide::fits(game.table, *network)) {
        raise("UsageError", "the network does not fit this game", "train one for this game");
      }
      network_guide_ = std::make_unique<nn::NetworkGuide>(game.table, *network);
      guide_ = network_guide_->guide();
      options.mcts.guide = &guide_;
    }
    for (auto [name, policy] : r.policies) take_policy(a, nb::cast<std::string>(name), policy);
  }

  Options options;

 private:
  static Memory* served(Memory* memory, Options& options, const Algorithm& a, const Handle& game) {
    if (memory) memory->serve(options, a.can.memory, game.table.facts);
    return memory;
  }

  void take_policy(const Algorithm& a, const std::string& name, nb::handle policy) {
    for (const Option& o : a.options) {
      if (o.name != name || !o.extra.set_policy) continue;
      policies_.push_back(policy_of(policy));
      return o.extra.set_policy(options, policies_.back().get());
    }
    raise("UsageError", std::string(a.name) + " does not support a policy as " + name);
  }

  Memory* memory_;
  const Memory::Use use_;
  Belief belief_;
  PythonGuide python_guide_;
  std::unique_ptr<nn::NetworkGuide> network_guide_;
  Guide guide_;
  std::unique_ptr<Tablebase> tablebase_;
  std::vector<std::shared_ptr<const Policy>> policies_;
};

nb::dict search(const SearchRequest& r) {
  const Handle& game = nb::cast<const Handle&>(r.game);
  const void* s = game.check_open(r.state);
  const Algorithm& a = algorithm_named(r.algorithm);
  check_playable(a, game, s);
  const Limits limits = limits_of(r.depth, r.nodes, r.seconds);
  Resources with(r, a, game);
  Budget budget(limits);
  std::unique_ptr<Recorder> recorder;
  if (r.trace) recorder = std::make_unique<Recorder>(r.trace);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::function<void(const Result&)> on_depth = [&](const Result& result) {
    nb::gil_scoped_acquire gil;
    r.on_depth(result_dict(result, elapsed()));
  };
  const bool called = !r.on_depth.is_none();
  const Request request{
      game.table, s, limits, with.options, budget, recorder.get(), called ? &on_depth : nullptr};
  Result result;
  const auto work = [&] {
    noticing_scores(with.options, [&] { result = a.run(request); });
    complete(request, result);
  };
  if (a.brief && !called && r.stop.is_none() && a.brief(request)) {
    nb::gil_scoped_release unlocked;
    work();
  } else {
    run(limits, budget, work, r.stop);
  }
  const double seconds = elapsed();
  game.check_failed();
  return result_dict(result, seconds, recorder.get());
}

nb::list solve_many(const Handle& game, const std::vector<nb::bytes>& states, double seconds,
                    const nb::dict& options, int depth, const std::string& algorithm) {
  const Algorithm& a = algorithm_named(algorithm);
  if (!a.solve_all) raise("UsageError", algorithm + " does not solve several positions at once");
  std::vector<const void*> flat;
  for (const nb::bytes& s : states) flat.push_back(game.check(s));
  const Limits limits = limits_of(depth, 0, seconds);
  Options chosen = options_of(a, options);
  chosen.bounded = depth < 0;
  Budget budget(limits);
  std::vector<Solved> solved;
  run(limits, budget, [&] {
    noticing_scores(chosen,
                    [&] { solved = a.solve_all(game.table, flat, limits.depth, chosen, budget); });
  });
  game.check_failed();
  nb::list out;
  for (const Solved& s : solved) {
    out.append(nb::make_tuple(s.value, s.nodes, s.seconds, s.action));
  }
  return out;
}

}  // namespace

void bind_search(nb::module_& m) {
  nb::class_<SearchRequest>(m, "SearchRequest")
      .def(
          "__init__",
          [](SearchRequest* r, nb::typed<nb::object, Handle> game, nb::bytes state,
             std::string algorithm) {
            new (r) SearchRequest{.game = game, .state = state, .algorithm = std::move(algorithm)};
          },
          nb::arg("game"), nb::arg("state"), nb::arg("algorithm"))
      .def_rw("depth", &SearchRequest::depth)
      .def_rw("nodes", &SearchRequest::nodes)
      .def_rw("seconds", &SearchRequest::seconds)
      .def_rw("options", &SearchRequest::options)
      .def_rw("policies", &SearchRequest::policies)
      .def_rw("seed", &SearchRequest::seed)
      .def_rw("bounded", &SearchRequest::bounded)
      .def_rw("trace", &SearchRequest::trace)
      .def_rw("on_depth", &SearchRequest::on_depth)
      .def_rw("stop", &SearchRequest::stop)
      .def_rw("guide", &SearchRequest::guide)
      .def_rw("network", &SearchRequest::network)
      .def_rw("tables", &SearchRequest::tables)
      .def_rw("tables_game", &SearchRequest::tables_game)
      .def_rw("memory", &SearchRequest::memory)
      .def_rw("without", &SearchRequest::without)
      .def_rw("belief", &SearchRequest::belief)
      .def_rw("sampled", &SearchRequest::sampled);
  m.def("search", &search, nb::arg("request"));
  m.def("solve_all", &solve_many, nb::arg("game"), nb::arg("states"), nb::arg("seconds"),
        nb::arg("options"), nb::arg("depth") = -1, nb::arg("algorithm") = "engine");
}

}  // namespace zermelo::bindings
