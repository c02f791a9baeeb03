// Statistics of random games: their length and their outcomes.
#pragma once

#include <algorithm>

#include "../all.hpp"
#include "playout.hpp"

namespace zermelo {

template <class G>
Playouts run_playouts(const Game& table, const void* state, std::uint64_t games, std::uint64_t seed,
                      Budget& budget) {
  const std::conditional_t<std::is_same_v<G, Game>, const Game&, G> game(table);
  Simulator<G> simulator(game, budget, seed);
  simulator.set(state);
  const int first = simulator.to_move();
  Playouts all;
  std::vector<double> x(simulator.width());
  all.sums.resize(x.size());
  all.squares.resize(x.size());
  try {
    while (all.games < games && budget.stopped() == Stop::none) {
      simulator.set(state);
      const auto plies = static_cast<std::uint64_t>(simulator.random_playout(first, x.data()));
      all.shortest = all.games ? std::min(all.shortest, plies) : plies;
      all.longest = std::max(all.longest, plies);
      all.plies += plies;
      all.plies_squared += static_cast<double>(plies) * static_cast<double>(plies);
      for (std::size_t p = 0; p < x.size(); ++p) {
        all.sums[p] += x[p], all.squares[p] += x[p] * x[p];
      }
      ++all.games;
    }
  } catch (const Stopped&) {  // the unfinished game does not count
  }
  return all;
}

}  // namespace zermelo
