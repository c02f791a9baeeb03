// Starting a search from Python: the GIL is released, a thread with a deep stack does the work, and
// this thread listens for Ctrl-C.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

#include "handle.hpp"
#include "parts/belief.hpp"
#include "parts/complete.hpp"
#include "parts/judge.hpp"
#include "parts/table.hpp"
#include "policies.hpp"
#include "search/all.hpp"
#include "search/mcts/tree.hpp"
#include "tables.hpp"
#include "watched.hpp"

namespace zermelo::bindings {

namespace {

using bindings::name_of;

const char* name_of(Bound b) {
  static constexpr const char* kNames[] = {"exact", "lower", "upper", "estimate"};
  return kNames[static_cast<int>(b)];
}

// One of the options of Monte Carlo tree search? Then it is set.
bool set_mcts(MctsParams& o, const std::string& name, nb::handle value) {
  static constexpr const char* kRollouts[] = {"random", "greedy", "evaluate", "none"};
  static constexpr const char* kFinals[] = {"visits", "value", "secure"};
  const auto number_in = [&](auto& names) {
    const auto text = nb::cast<std::string>(value);
    const auto found = std::find(std::begin(names), std::end(names), text);
    if (found == std::end(names)) raise("UsageError", name + "=" + text + " is not known");
    return static_cast<int>(found - std::begin(names));
  };
  if (name == "explore") return o.exploration = nb::cast<double>(value), true;
  if (name == "urgency") return o.first_play_urgency = nb::cast<double>(value), true;
  if (name == "cutoff") return o.rollout_depth = nb::cast<int>(value), true;
  if (name == "priors") return o.priors = nb::cast<bool>(value), true;
  if (name == "solver") return o.solver = nb::cast<bool>(value), true;
  if (name == "rollout") return o.rollout = static_cast<Rollout>(number_in(kRollouts)), true;
  if (name == "final") return o.final = static_cast<FinalChoice>(number_in(kFinals)), true;
  return false;
}

Options options_of(const nb::dict& given) {
  static constexpr std::pair<const char*, bool Options::*> kFlags[] = {
      {"deepen", &Options::deepen},
      {"cut_on_equality", &Options::cut_on_equality},
      {"fail_soft", &Options::fail_soft},
      {"ties", &Options::ties},
      {"bounded", &Options::bounded},
      {"quiescence", &Options::quiescence},
      {"pvs", &Options::pvs},
      {"aspiration", &Options::aspiration},
      {"killers", &Options::killers},
      {"mirror", &Options::symmetry},
      {"narrow", &Options::move_hints},
      {"ahead", &Options::etc},
      {"reductions", &Options::lmr},
      {"probcut", &Options::probcut},
      {"passing", &Options::null_move},
      {"pruning", &Options::pruning},
      {"extensions", &Options::extensions},
  };
  static constexpr std::pair<const char*, int Options::*> kNumbers[] = {
      {"table", &Options::table_mb},
      {"lines", &Options::lines},
      {"threads", &Options::threads},
      {"prune", &Options::prune},
      {"samples", &Options::samples}};
  Options o;
  for (auto [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    bool known = false;
    for (const auto& [flag, member] : kFlags) {
      if (name == flag) o.*member = nb::cast<bool>(value), known = true;
    }
    for (const auto& [number, member] : kNumbers) {
      if (name == number) o.*member = nb::cast<int>(value), known = true;
    }
    if (name == "tie") o.tie_break = static_cast<Tie>(nb::cast<int>(value)), known = true;
    if (name == "seed") o.seed = nb::cast<std::uint64_t>(value), known = true;
    if (name == "inner") o.inner = nb::cast<std::string>(value), known = true;
    if (name == "hostile") o.hostile = nb::cast<bool>(value), known = true;
    if (name == "drawn") o.drawn = nb::cast<bool>(value), known = true;
    known = known || set_mcts(o.mcts, name, value);
    if (!known) raise("UsageError", "there is no option " + name);
  }
  return o;
}

// Steps cross as they lie in memory, unpacked one by one (tracing.py): there may be a million.
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

// Where steps have a value for each player: those, by the number of the step.
nb::dict tuples_of(const Recorder& recorder) {
  nb::dict out;
  for (const auto& [step, values] : recorder.tuples) out[nb::int_(step)] = nb::cast(values);
  return out;
}

nb::dict dict_of(const Result& r, double elapsed) {
  nb::list moves;
  for (const RootMove& m : r.moves) {
    yield_gil(moves.size());
    moves.append(nb::make_tuple(m.action, m.value, name_of(m.bound), m.nodes, m.line, m.distance,
                                m.values, m.error, name_of(m.found)));
  }
  nb::list story;
  for (const DepthNote& n : r.story) story.append(nb::make_tuple(n.depth, n.action, n.value));
  nb::dict out;
  out["story"] = story;
  out["has_value"] = r.has_value;
  out["value"] = r.value;
  out["values"] = r.values;
  out["kind"] = name_of(r.bound);
  out["line"] = r.line;
  out["moves"] = moves;
  out["depth"] = r.depth;
  out["deepest"] = r.deepest;
  out["distance"] = r.distance;
  out["nodes"] = r.nodes;
  out["leaves"] = r.leaves;
  out["tabled"] = r.tabled;
  out["error"] = r.error;
  nb::list plan;
  for (const Planned& p : r.plan) {
    nb::list belief;
    for (const std::string& s : p.belief) belief.append(nb::bytes(s.data(), s.size()));
    plan.append(nb::make_tuple(belief, p.action, p.moves));
  }
  out["plan"] = plan;
  out["note"] = r.note;
  out["stopped"] = name_of(r.stopped);
  out["ties"] = r.ties;
  out["horizon"] = r.horizon;
  out["elapsed"] = elapsed;
  out["trace"] = nb::none();
  out["tuples"] = nb::dict();
  return out;
}

// A transposition table or a tree that is kept from search to search.
struct Memory {
  explicit Memory(int megabytes) : megabytes(megabytes) {}
  int megabytes;
  std::unique_ptr<Table> table;
  std::unique_ptr<MctsTree> tree;
  std::atomic<int> users = 0;

  void clear() {
    if (users) raise("UsageError", "a search is using this memory", "stop it first");
    table.reset();
    tree.reset();
  }
  // What the algorithm keeps; the other's is given up.
  void serve(Options& o, bool grows, const Facts& facts) {
    if (users && (grows || tree)) clear();
    if (grows) {
      table.reset();
      const int width = facts.players <= 2 && facts.zero_sum ? 1 : facts.players;
      if (!tree || tree->width() != width) tree = std::make_unique<MctsTree>(megabytes, width);
      o.mcts.tree = tree.get();
    } else {
      tree.reset();
      if (!table) table = std::make_unique<Table>(megabytes, true);
      o.memory = table.get();
    }
  }
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
      raise("UsageError", "the guide gave another number of priors or values than there are");
    }
    std::copy(p.begin(), p.end(), priors);
    std::copy(v.begin(), v.end(), values);
  }
};

struct InUse {
  explicit InUse(Memory* m) : memory(m) {
    if (memory) ++memory->users;
  }
  ~InUse() {
    if (memory) --memory->users;
  }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;
  Memory* memory;
};

// A game that turns out to end in scores is searched again as such.
template <class Search>
void noticing_scores(Options& options, Search search) {
  try {
    search();
  } catch (const ScoreGame&) {
    options.scores = true;
    search();
  }
}

// Over in some hundredths of a second, whatever happens: nobody has to watch over it, and to wake
// another thread would cost more than the search.
bool brief(const Algorithm& a, const Handle& game, const Limits& limits) {
  constexpr std::uint64_t kBrief = 20'000;  // simulations with rules that are compiled in
  return a.name == kMcts.name && game.table.mcts && limits.nodes && limits.nodes <= kBrief &&
         limits.seconds == 0;
}

nb::dict search(const Handle& game, nb::bytes state, const std::string& algorithm, int depth,
                std::uint64_t nodes, double seconds, nb::dict options, std::size_t trace,
                nb::object on_depth, const Tables* tables, const Handle* base, nb::object stop,
                Memory* memory, std::vector<Action> without, nb::object guide,
                const std::vector<std::pair<nb::bytes, double>>& belief, nb::object plays,
                nb::object prior) {
  const void* s = game.check_open(state);
  const Limits limits = limits_of(depth, nodes, seconds);
  Options chosen = options_of(options);
  const Algorithm& a = algorithm_named(algorithm);
  if (game.table.facts.chance && !a.chance) {
    raise("RulesError", algorithm + " cannot play a game with chance", "expectiminimax can");
  }
  if (a.hidden && game.table.to_move(game.table.self, s) < 0) {
    raise("UsageError", "chance moves here: there is no decision to search",
          "search a state in which a player moves; zermelo.equilibrium solves the whole game");
  }
  // Tables are asked with the game's own rules, whatever evaluation it is searched with.
  std::unique_ptr<Tablebase> tablebase;
  if (tables) tablebase = std::make_unique<Tablebase>((base ? *base : game).table, tables->files);
  chosen.tablebase = tablebase.get();
  chosen.without = std::move(without);
  if (memory) memory->serve(chosen, a.name == kMcts.name, game.table.facts);
  const InUse in_use(memory);
  Belief states(game.table);
  for (const auto& [flat, weight] : belief) states.add(game.check_open(flat), weight);
  if (states.count()) chosen.belief = &states;
  PythonGuide asked{guide, game.table};
  const Guide guided{&asked, &PythonGuide::ask};
  if (!guide.is_none()) chosen.mcts.guide = &guided;
  const auto playing = policy_of(plays), promising = policy_of(prior);
  chosen.mcts.plays = playing.get(), chosen.mcts.prior = promising.get();
  Budget budget(limits);
  std::unique_ptr<Recorder> recorder;
  if (trace) recorder = std::make_unique<Recorder>(trace);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::function<void(const Result&)> tell = [&](const Result& r) {
    nb::gil_scoped_acquire gil;
    on_depth(dict_of(r, elapsed()));
  };
  const Request request{
      game.table, s, limits, chosen, budget, recorder.get(), on_depth.is_none() ? nullptr : &tell};
  Result r;
  const auto work = [&] {
    noticing_scores(chosen, [&] { r = a.run(request); });
    complete(request, r);
  };
  const bool alone = !recorder && on_depth.is_none() && stop.is_none() && guide.is_none() &&
                     !playing && !promising;
  if (alone && brief(a, game, limits)) {
    nb::gil_scoped_release unlocked;
    work();
  } else {
    run(limits, budget, work, stop);
  }
  const double seconds_used = elapsed();
  game.check_failed();
  nb::dict out = dict_of(r, seconds_used);
  if (recorder) out["trace"] = trace_of(*recorder), out["tuples"] = tuples_of(*recorder);
  return out;
}

// A count with its time, or why it was stopped.
template <class Count>
nb::tuple counted(const Handle& game, const nb::bytes& state, double seconds, Count count) {
  const void* s = game.check(state);
  const Limits limits = limits_of(-1, 0, seconds);
  Budget budget(limits);
  std::uint64_t total = 0;
  bool finished = true;
  const auto start = std::chrono::steady_clock::now();
  run(limits, budget, [&] {
    try {
      total = count(s, budget);
    } catch (const Stopped&) {
      finished = false;
    }
  });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  game.check_failed();
  return nb::make_tuple(total, elapsed.count(), finished ? "" : name_of(budget.stopped()));
}

// Random games: how many, their plies (all, squared, shortest, longest), the utilities' sums and
// squares, the seconds, and why it ended early.
nb::tuple count_playouts(const Handle& game, const nb::bytes& state, std::uint64_t games,
                         std::uint64_t seed, double seconds) {
  const void* s = game.check_open(state);
  const Limits limits = limits_of(-1, 0, seconds);
  Budget budget(limits);
  Playouts p;
  const auto start = std::chrono::steady_clock::now();
  run(limits, budget, [&] { p = playouts(game.table, s, games, seed, budget); });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  game.check_failed();
  return nb::make_tuple(p.games, p.plies, p.plies_squared, p.shortest, p.longest, p.sums, p.squares,
                        elapsed.count(), name_of(budget.stopped()));
}

// The states that a player cannot tell from this one, with their weights; empty: too many
// histories.
nb::list listed(const Handle& game, const Belief& found) {
  nb::list out;
  const std::size_t size = game.table.facts.state_size;
  for (std::size_t i = 0; i < found.count(); ++i) {
    out.append(nb::make_tuple(nb::bytes(static_cast<const char*>(found.state(i)), size),
                              found.weights[i]));
  }
  return out;
}

// None: the time was up before all were listed.
nb::object consistent_states(const Handle& game, const nb::bytes& begin, const nb::bytes& state,
                             int player, std::uint64_t most, double seconds) {
  const void *from = game.check(begin), *s = game.check_open(state);
  if (!game.table.observation) raise("UsageError", "nothing is hidden in this game");
  const Limits limits = limits_of(-1, 0, seconds);
  Budget budget(limits);
  Belief found(game.table);
  bool finished = true;
  run(limits, budget, [&] {
    try {
      found = consistent(game.table, from, s, player, most, budget);
    } catch (const Stopped&) {
      finished = false;
    }
  });
  game.check_failed();
  unless_interrupted(budget);
  if (!finished) return nb::none();
  return listed(game, found);
}

nb::list followed_states(const Handle& game, const std::vector<nb::bytes>& pool,
                         const nb::bytes& state, int player, std::size_t most, std::uint64_t tries,
                         std::uint64_t seed) {
  if (!game.table.observation) raise("UsageError", "nothing is hidden in this game");
  const std::uint64_t seen = game.table.observation(game.table.self, game.check(state), player);
  Belief open(game.table), found(game.table);
  for (const nb::bytes& s : pool) open.add(game.check(s), 1);
  const Limits limits;
  Budget budget(limits);
  run(limits, budget, [&] {
    try {
      found = follow(game.table, open, seen, player, most, tries, seed, budget);
    } catch (const Stopped&) {
    }
  });
  game.check_failed();
  unless_interrupted(budget);
  return listed(game, found);
}

nb::list solve_many(const Handle& game, const std::vector<nb::bytes>& states, double seconds,
                    nb::dict options, int depth) {
  std::vector<const void*> flat;
  for (const nb::bytes& s : states) flat.push_back(game.check(s));
  const Limits limits = limits_of(depth, 0, seconds);
  Options chosen = options_of(options);
  chosen.bounded = depth < 0;
  Budget budget(limits);
  std::vector<Solved> solved;
  run(limits, budget, [&] {
    noticing_scores(chosen,
                    [&] { solved = solve_all(game.table, flat, limits.depth, chosen, budget); });
  });
  game.check_failed();
  nb::list out;
  for (const Solved& s : solved) {
    out.append(nb::make_tuple(s.value, s.nodes, s.seconds, s.action));
  }
  return out;
}

}  // namespace

const Algorithm& algorithm_named(const std::string& name) {
  for (const Algorithm& a : algorithms()) {
    if (a.name == name) return a;
  }
  raise("UsageError", "there is no algorithm " + name);
}

void bind_search(nb::module_& m) {
  nb::class_<Memory>(m, "Memory")
      .def(nb::init<int>(), nb::arg("megabytes"))
      .def("clear", &Memory::clear)
      .def("fullness", [](const Memory& m) { return m.table ? m.table->fullness() : 0; })
      .def_ro("megabytes", &Memory::megabytes);
  m.def("search", &search, nb::arg("game"), nb::arg("state"), nb::arg("algorithm"),
        nb::arg("depth"), nb::arg("nodes"), nb::arg("seconds"), nb::arg("options"),
        nb::arg("trace"), nb::arg("on_depth") = nb::none(), nb::arg("tables") = nb::none(),
        nb::arg("base") = nb::none(), nb::arg("stop") = nb::none(), nb::arg("memory") = nb::none(),
        nb::arg("without") = std::vector<Action>{}, nb::arg("guide") = nb::none(),
        nb::arg("belief") = std::vector<std::pair<nb::bytes, double>>{},
        nb::arg("plays") = nb::none(), nb::arg("prior") = nb::none());
  m.def("consistent", &consistent_states, nb::arg("game"), nb::arg("begin"), nb::arg("state"),
        nb::arg("player"), nb::arg("most"), nb::arg("seconds") = 0.0);
  m.def("follow", &followed_states, nb::arg("game"), nb::arg("pool"), nb::arg("state"),
        nb::arg("player"), nb::arg("most"), nb::arg("tries"), nb::arg("seed"));
  m.def("playouts", &count_playouts, nb::arg("game"), nb::arg("state"), nb::arg("games"),
        nb::arg("seed"), nb::arg("seconds"));
  m.def("solve_all", &solve_many, nb::arg("game"), nb::arg("states"), nb::arg("seconds"),
        nb::arg("options"), nb::arg("depth") = -1);
  m.def(
      "perft",
      [](const Handle& g, nb::bytes s, int depth, double seconds) {
        return counted(g, s, seconds, [&](const void* state, Budget& budget) {
          return perft(g.table, state, depth, budget);
        });
      },
      nb::arg("game"), nb::arg("state"), nb::arg("depth"), nb::arg("seconds"));
  m.def(
      "grundy",
      [](const Handle& g, nb::bytes s, double seconds) {
        return counted(g, s, seconds, [&](const void* state, Budget& budget) {
          return std::uint64_t{grundy(g.table, state, budget)};
        });
      },
      nb::arg("game"), nb::arg("state"), nb::arg("seconds"));
  m.def(
      "count_positions",
      [](const Handle& g, nb::bytes s, double seconds) {
        return counted(g, s, seconds, [&](const void* state, Budget& budget) {
          return count_positions(g.table, state, budget);
        });
      },
      nb::arg("game"), nb::arg("state"), nb::arg("seconds"));
  m.def("algorithms", [] {
    nb::list list;
    for (const Algorithm& a : algorithms()) {
      nb::dict d;
      d["name"] = std::string(a.name);
      d["doc"] = std::string(a.doc);
      d["options"] = std::string(a.options);
      d["traces"] = a.traces;
      d["chance"] = a.chance;
      d["hidden"] = a.hidden;
      d["general_sum"] = a.general_sum;
      d["many_players"] = a.many_players;
      list.append(d);
    }
    return list;
  });
}

}  // namespace zermelo::bindings
