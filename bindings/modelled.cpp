// Players as policies: uniform and searching ones are native, any other is a Python function.
#include <nanobind/stl/tuple.h>

#include "policies.hpp"
#include "search/all.hpp"
#include "search/mixed.hpp"

namespace zermelo::bindings {

namespace {

// A Python function: the bytes of a state -> a list of (action, probability).
class Asked : public Policy {
 public:
  explicit Asked(nb::object function) : function_(std::move(function)) {}
  ~Asked() override {
    nb::gil_scoped_acquire gil;
    function_.reset();
  }

  int outcomes(const Game& game, const void* state, Action* out, double* odds,
               int capacity) const override {
    nb::gil_scoped_acquire gil;
    std::string bytes(static_cast<const char*>(state),
                      game.used ? game.used(game.self, state) : game.facts.state_size);
    bytes.resize(game.facts.state_size);
    const nb::object answer = function_(nb::bytes(bytes.data(), bytes.size()));
    int count = 0;
    for (nb::handle pair : answer) {
      if (count < capacity) {
        out[count] = nb::cast<Action>(pair[0]);
        odds[count] = nb::cast<double>(pair[1]);
      }
      ++count;
    }
    return count;
  }

 private:
  nb::object function_;
};

struct Owned : Modelled {
  Owned(const Game& base, std::shared_ptr<void> owner) : Modelled(base), owner(std::move(owner)) {}
  std::shared_ptr<void> owner;  // of the base's `self`
};

// policies: by player, as policy_of takes them.
Handle modelled(const Handle& base, const nb::dict& policies) {
  auto game = std::make_shared<Owned>(base.table, base.owner);
  for (auto [player, policy] : policies) {
    const int who = nb::cast<int>(player);
    if (who < 0 || who >= base.table.facts.players) {
      raise("UsageError", "there is no player " + std::to_string(who));
    }
    game->take(who, policy_of(policy));
  }
  Handle h;
  h.table = game->table();
  h.indexed = base.indexed;
  h.failed = base.failed;
  h.owner = std::move(game);
  return h;
}

}  // namespace

std::shared_ptr<const Policy> policy_of(nb::handle policy) {
  if (policy.is_none()) return nullptr;
  if (nb::isinstance<nb::str>(policy)) return std::make_shared<Uniform>();
  if (nb::isinstance<nb::tuple>(policy)) {
    const auto [name, depth, best] =
        nb::cast<std::tuple<std::string, int, double>>(nb::borrow(policy));
    return std::make_shared<Mixed>(algorithm_named(name), depth, best, Options{});
  }
  return std::make_shared<Asked>(nb::borrow(policy));
}

void bind_modelled(nb::module_& m) {
  m.def("modelled", &modelled, nb::arg("game"), nb::arg("policies"));
}

}  // namespace zermelo::bindings
