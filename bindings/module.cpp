#include <algorithm>
#include <string_view>
#include <utility>

#include "games.hpp"
#include "limits.hpp"
#include "parts/tablebase.hpp"

namespace nb = nanobind;
using namespace zermelo::bindings;

namespace zermelo::bindings {

namespace {
std::vector<std::pair<std::string_view, Binder>>& registered() {
  static std::vector<std::pair<std::string_view, Binder>> games;  // filled before NB_MODULE runs
  return games;
}
}  // namespace

bool register_game(const char* name, Binder binder) {
  registered().emplace_back(name, binder);
  return true;
}

void bind_games(nb::module_& m) {
  auto& games = registered();
  std::sort(games.begin(), games.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [name, binder] : games) binder(m);
}

}  // namespace zermelo::bindings

NB_MODULE(_core, m) {
  m.doc() = "Native core of zermelo. Use the package zermelo; names in this module may change.";
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const zermelo::RulesError& e) {
      const bool endless = dynamic_cast<const zermelo::EndlessGame*>(&e) != nullptr;
      const nb::object type =
          nb::module_::import_("zermelo.errors").attr(endless ? "EndlessGame" : "RulesError");
      const nb::object raised =
          type(e.what(), e.hint.empty() ? "check the rules: zermelo doctor FILE.py:CLASS" : e.hint);
      if (!e.state.empty()) raised.attr("flat") = nb::bytes(e.state.data(), e.state.size());
      if (!e.other.empty()) raised.attr("other") = nb::bytes(e.other.data(), e.other.size());
      PyErr_SetObject(type.ptr(), raised.ptr());
    } catch (const zermelo::TableError& e) {
      const nb::object type = nb::module_::import_("zermelo.errors").attr("TableError");
      const nb::object raised = type(e.what(), e.hint);
      PyErr_SetObject(type.ptr(), raised.ptr());
    }
  });
  bind_handle(m);
  bind_algorithms(m);
  bind_belief(m);
  bind_counting(m);
  bind_memory(m);
  bind_network(m);
  bind_modelled(m);
  bind_python_game(m);
  bind_regret(m);
  bind_search(m);
  bind_tablebase(m);
  bind_games(m);
}
