// Builds and probes tablebases for Python.
#include "parts/tablebase.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>

#include "handle.hpp"
#include "search/retrograde.hpp"
#include "tables.hpp"
#include "watched.hpp"

namespace zermelo::bindings {

namespace {

nb::dict dict_of(const TableInfo& i) {
  static constexpr const char* kLayouts[] = {"", "endgame", "reachable", "scores"};
  nb::dict d;
  d["layout"] = kLayouts[static_cast<int>(i.layout)];
  d["bytes"] = i.width;
  d["count"] = i.count;
  d["positions"] = i.positions;
  d["wins"] = i.wins;
  d["draws"] = i.draws;
  d["losses"] = i.losses;
  d["longest"] = i.longest;
  d["name"] = i.name;
  d["sample"] = i.sample;
  return d;
}

// Converts numbers and functions from Python.
struct Build {
  const Handle& game;
  nb::object describe, tell;
  BuildRequest request;

  Build(const Handle& game, nb::object describe, nb::object tell)
      : game(game), describe(std::move(describe)), tell(std::move(tell)) {
    const std::size_t bytes = game.table.facts.state_size;
    request.describe = [this, bytes](const void* state) {
      nb::gil_scoped_acquire gil;
      const nb::bytes flat(static_cast<const char*>(state), bytes);
      return nb::cast<std::string>(this->describe(flat));
    };
    if (this->tell.is_none()) return;
    request.tell = [this](const Progress& p) {
      nb::gil_scoped_acquire gil;
      this->tell(p.phase, p.done, p.total);
    };
  }

  // Runs `work(budget)`; returns its result, the seconds, and what stopped it.
  template <class Work>
  nb::tuple run(double seconds, Work work) {
    const Limits limits = limits_of(-1, 0, seconds);
    Budget budget(limits);
    const auto start = std::chrono::steady_clock::now();
    bool finished = true;
    bindings::run(limits, budget, [&] {
      try {
        work(budget);
      } catch (const Stopped&) {
        finished = false;
      }
    });
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    game.check_failed();
    return nb::make_tuple(elapsed.count(), finished ? "" : name_of(budget.stopped()));
  }
};

int check_class(const Handle& game, int number) {
  if (!game.table.endgames || number < 0 || number >= game.table.endgames->classes) {
    raise("UsageError", "unknown endgame class");
  }
  return number;
}

// All endgame classes: name, number of indices, number of pieces (-1: not counted).
nb::list classes(const Handle& game) {
  nb::list list;
  const Endgames* e = game.table.endgames;
  const void* self = game.table.self;
  for (int i = 0; e && i < e->classes; ++i) {
    list.append(nb::make_tuple(std::string(e->name(self, i)), e->size(self, i),
                               e->pieces ? e->pieces(self, i) : -1));
  }
  return list;
}

// The classes that moves of this class may lead to.
std::vector<int> lower_classes(const Handle& game, int number) {
  check_class(game, number);
  const Endgames* e = game.table.endgames;
  std::vector<int> found;
  for (int to = 0; to < number; ++to) {
    if (!e->leads || e->leads(game.table.self, number, to)) found.push_back(to);
  }
  return found;
}

nb::tuple build_class(const Handle& game, int number, const Tables& lower, const std::string& path,
                      const std::string& identity, int threads, double seconds, nb::object describe,
                      nb::object tell) {
  check_class(game, number);
  Build build(game, std::move(describe), std::move(tell));
  build.request.path = path;
  build.request.game = identity;
  build.request.threads = threads;
  const Tablebase tables(game.table, lower.files);
  return build.run(seconds, [&](Budget& budget) {
    table_class(game.table, number, tables, build.request, budget);
  });
}

nb::tuple build_reachable(const Handle& game, nb::bytes state, const std::string& name,
                          const std::string& path, const std::string& identity,
                          std::uint64_t memory, double seconds, nb::object describe,
                          nb::object tell) {
  const void* s = game.check(state);
  Build build(game, std::move(describe), std::move(tell));
  build.request.path = path;
  build.request.game = identity;
  build.request.memory = memory;
  return build.run(seconds, [&](Budget& budget) {
    table_reachable(game.table, s, name, build.request, budget);
  });
}

// The number of a class to verify, or the root state of a small game.
nb::tuple verify(const Handle& game, const Tables& tables, int number, nb::bytes state,
                 double seconds, nb::object describe, nb::object tell) {
  Build build(game, std::move(describe), std::move(tell));
  const Tablebase all(game.table, tables.files);
  const bool small = number < 0;
  if (small ? !all.reachable() : !all.of(check_class(game, number))) {
    raise("UsageError", "the table to verify does not exist");
  }
  const void* s = small ? game.check(state) : nullptr;
  return build.run(seconds, [&](Budget& budget) {
    if (small) {
      verify_reachable(game.table, s, all, build.request, budget);
    } else {
      verify_class(game.table, number, all, build.request, budget);
    }
  });
}

std::optional<std::pair<double, int>> probe(const Tables& tables, const Handle& game,
                                            nb::bytes state) {
  const Tablebase all(game.table, tables.files);
  Verdict v;
  if (!all.probe(game.check(state), v)) return std::nullopt;
  return std::pair{v.value, v.distance};
}

}  // namespace

void bind_tablebase(nb::module_& m) {
  nb::class_<Tables>(m, "Tables", "Open table files of one game.")
      .def(nb::init<>())
      .def(
          "open",
          [](Tables& t, const std::string& path, const std::string& game, const std::string& name) {
            t.files.push_back(std::make_shared<const TableFile>(path, game, name));
            return dict_of(t.files.back()->info());
          },
          nb::arg("path"), nb::arg("game"), nb::arg("name"))
      .def("probe", &probe, nb::arg("game"), nb::arg("state"));
  m.def("endgame_classes", &classes, nb::arg("game"));
  m.def("lower_classes", &lower_classes, nb::arg("game"), nb::arg("number"));
  m.def("class_memory", &class_memory, nb::arg("size"));
  m.def("build_class", &build_class, nb::arg("game"), nb::arg("number"), nb::arg("lower"),
        nb::arg("path"), nb::arg("identity"), nb::arg("threads"), nb::arg("seconds"),
        nb::arg("describe"), nb::arg("tell").none());
  m.def("build_reachable", &build_reachable, nb::arg("game"), nb::arg("state"), nb::arg("name"),
        nb::arg("path"), nb::arg("identity"), nb::arg("memory"), nb::arg("seconds"),
        nb::arg("describe"), nb::arg("tell").none());
  m.def("verify_table", &verify, nb::arg("game"), nb::arg("tables"), nb::arg("number"),
        nb::arg("state"), nb::arg("seconds"), nb::arg("describe"), nb::arg("tell").none());
}

}  // namespace zermelo::bindings
