// Explicit game trees, which Python builds from text or files.
#include "games/tree.hpp"

#include <cstring>

#include "games.hpp"

namespace zermelo::bindings {
namespace {

// `parts` as little-endian arrays of the C types named in core/games/tree.hpp.
template <class T>
std::vector<T> array_of(const nb::bytes& data) {
  std::vector<T> v(data.size() / sizeof(T));
  if (!v.empty()) std::memcpy(v.data(), data.c_str(), v.size() * sizeof(T));
  return v;
}

Handle tree(int players, int width, bool zero_sum, nb::bytes to_move, nb::bytes first,
            nb::bytes children, nb::bytes odds, nb::bytes label, nb::bytes payoff_at,
            nb::bytes payoff) {
  Tree::Parts p;
  p.players = players;
  p.width = width;
  p.zero_sum = zero_sum;
  p.to_move = array_of<std::int8_t>(to_move);
  p.first = array_of<std::uint32_t>(first);
  p.children = array_of<std::uint32_t>(children);
  p.odds = array_of<double>(odds);
  p.label = array_of<std::uint32_t>(label);
  p.payoff_at = array_of<std::uint32_t>(payoff_at);
  p.payoff = array_of<double>(payoff);
  Handle h = own(std::make_shared<Tree>(std::move(p)));
  h.indexed = true;
  return h;
}

}  // namespace

ZERMELO_GAME(tree, m) {
  m.def("tree", &tree, nb::arg("players"), nb::arg("width"), nb::arg("zero_sum"),
        nb::arg("to_move"), nb::arg("first"), nb::arg("children"), nb::arg("odds"),
        nb::arg("label"), nb::arg("payoff_at"), nb::arg("payoff"));
}

}  // namespace zermelo::bindings
