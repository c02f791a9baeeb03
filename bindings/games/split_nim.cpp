// Split nim: checks the options and builds the game.
#include "games/split_nim.hpp"

#include <algorithm>

#include "games.hpp"

namespace zermelo::bindings {
namespace {

Handle split_nim(const std::vector<int>& piles) {
  int stones = 0;
  for (int p : piles) {
    if (p < 1 || p > SplitNim::kStones) stones = SplitNim::kStones;
    stones += std::clamp(p, 1, SplitNim::kStones);
  }
  if (piles.empty() || stones > SplitNim::kStones) {
    raise("UsageError", "split-nim needs piles of at least 1 stone and at most 119 stones in total",
          "e.g. split-nim:piles=7");
  }
  return own(std::make_shared<SplitNim>(piles));
}

}  // namespace

ZERMELO_GAME(split_nim, m) { m.def("split_nim", &split_nim, nb::arg("piles")); }

}  // namespace zermelo::bindings
