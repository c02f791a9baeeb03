#include "size.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../../parts/random.hpp"
#include "listing.hpp"

namespace zermelo {
namespace {

constexpr int kPlays = 100;
constexpr int kMostPlies = 10'000;  // limits endless random games

// The logarithm of a sum of numbers given as logarithms.
void add(double& sum, double term) {
  const double most = std::max(sum, term);
  sum = most + std::log10(std::pow(10, sum - most) + std::pow(10, term - most));
}

}  // namespace

TreeSize judge_size(const Game& game, const void* state, Budget& budget) {
  const std::size_t size = game.facts.state_size;
  const auto* begin = static_cast<const std::byte*>(state);
  std::vector<std::byte> here(begin, begin + size), next(size);
  std::vector<double> sums(game.facts.players + 1, -1.0), ways;  // by player; the last: all of them
  Random random(1);
  Listing listing;
  for (int play = 0; play < kPlays; ++play) {
    here.assign(begin, begin + size);
    ways.assign(sums.size(), 0.0);
    for (int ply = 0; ply < kMostPlies; ++ply) {
      budget.enter();
      const int player = Listing::mover(game, here.data());
      if (player == kTerminal) break;
      listing.list(game, here.data(), player);
      const auto count = static_cast<std::uint32_t>(listing.moves.size());
      for (std::size_t p = 0; p < sums.size(); ++p) {
        if (static_cast<int>(p) == player || p + 1 == sums.size()) ways[p] += std::log10(count);
        add(sums[p], ways[p]);
      }
      game.play(game.self, here.data(), listing.moves[random.below(count)], next.data());
      here.swap(next);
    }
  }
  for (double& s : sums) s = std::max(0.0, s - std::log10(kPlays));
  return {sums.back(), *std::max_element(sums.begin(), sums.end() - 1)};
}

}  // namespace zermelo
