// Pac-Man for Python: the layout, the ghosts' behaviour, the evaluation.
#include "games/pacman/pacman.hpp"

#include "games.hpp"

namespace zermelo::bindings {
namespace {

using namespace pacman;

// A state with as many words as the layout's dots need.
template <int W>
Handle pacman_of(Maze maze, Manner manner, bool stops, int limit, Judging judging) {
  if (static_cast<int>(maze.things.size()) <= 64 * W) {
    return own(std::make_shared<Pacman<W>>(std::move(maze), manner, stops, limit, judging));
  }
  if constexpr (W < 16) return pacman_of<4 * W>(std::move(maze), manner, stops, limit, judging);
  raise("UsageError", "the layout has too many dots");
}

template <class T, std::size_t N>
T named(const char* what, const std::string& name, const char* const (&names)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    if (name == names[i]) return static_cast<T>(i);
  }
  raise("UsageError", std::string("unknown ") + what + " '" + name + "' of pacman");
}

Handle make_pacman(int width, int height, const std::string& cells, const std::string& ghosts,
                   bool stops, int steps, const std::string& evaluation) {
  const auto manner = named<Manner>("ghosts", ghosts, {"minimax", "random", "directional"});
  const auto judging =
      named<Judging>("evaluation", evaluation, {"careful", "food", "score", "seek"});
  Maze maze(width, height, cells);
  if (!maze.ok() || steps < 1 || steps > 60000) {
    raise("UsageError", "invalid Pac-Man layout", "e.g. pacman:layout=small");
  }
  return pacman_of<1>(std::move(maze), manner, stops, steps, judging);
}

}  // namespace

ZERMELO_GAME(pacman, m) {
  m.def("pacman", &make_pacman, nb::arg("width"), nb::arg("height"), nb::arg("cells"),
        nb::arg("ghosts"), nb::arg("stops"), nb::arg("steps"), nb::arg("evaluation"));
}

}  // namespace zermelo::bindings
