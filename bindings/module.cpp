#include "handle.hpp"
#include "limits.hpp"

namespace nb = nanobind;
using namespace zermelo::bindings;

NB_MODULE(_core, m) {
  m.doc() = "zermelo's native half. Use the zermelo package; this module's names may change.";
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const zermelo::RulesError& e) {
      const nb::object type = nb::module_::import_("zermelo.errors").attr("RulesError");
      const nb::object raised =
          type(e.what(), e.hint.empty() ? "check the rules: zermelo doctor FILE.py:CLASS" : e.hint);
      PyErr_SetObject(type.ptr(), raised.ptr());
    }
  });
  bind_handle(m);
  bind_othello(m);
  bind_python_game(m);
  bind_search(m);
}
