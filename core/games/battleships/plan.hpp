// The expected misses after a first shot if the likeliest cell is shot at from then on.
//
// The answers partition the fleets, so this is a tree search. If all fleets are listed, it searches
// to the end of the game. With samples, single fleets would reveal too much: it ends when no hit is
// open any more and adds the value of the hunt.
#pragma once

#include <unordered_map>

#include "../../parts/hash.hpp"
#include "fleets.hpp"
#include "hunt.hpp"

namespace zermelo::battleships {

class Plan {
 public:
  // Without a hunt to the end of the game.
  Plan(const Sea& sea, const std::vector<Fleet>& fleets, const Hunt* hunt)
      : sea_(sea), fleets_(fleets), hunt_(hunt) {}

  // All misses to come, summed over the fleets, if `cell` is shot at first.
  double misses(const Told& told, unsigned afloat, int cell) {
    order_.resize(fleets_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
    return after({0, order_.size(), told.shot, afloat, told.open(sea_)}, cell);
  }

 private:
  static constexpr int kAnswers = 2 + kMostShips;

  struct Node {
    std::size_t from, to;  // the fleets order_[from … to) agree with all answers so far
    Cells shot;
    unsigned afloat;
    int open;  // hits on ships afloat
  };

  double best(const Node& node) {
    const std::size_t n = node.to - node.from;
    if (n == 1 && !hunt_) return 0;
    if (hunt_ && node.open == 0) {
      return static_cast<double>(n) * hunted(node);
    }
    int count[kMostCells] = {}, most = 0, cell = -1;
    for (std::size_t i = node.from; i < node.to; ++i) {
      (fleets_[order_[i]].all & ~node.shot).each([&](int c) { ++count[c]; });
    }
    for (int c = 0; c < sea_.cells(); ++c) {
      if (count[c] > most) most = count[c], cell = c;
    }
    return cell < 0 ? 0 : after(node, cell);
  }

  // Cached, because other orders of the same shots lead to it too.
  double hunted(const Node& node) {
    const std::uint64_t key = mix(node.shot.word[0] ^ mix(node.shot.word[1] ^ mix(node.afloat)));
    const auto [at, is_new] = hunted_.try_emplace(key, 0.0);
    if (is_new) at->second = hunt_->value(node.afloat, hunt_->known_after(node.shot));
    return at->second;
  }

  // A shot, followed by each of its answers.
  double after(const Node& node, int cell) {
    const auto [from, to, shot, afloat, open] = node;
    const Cells now = shot | Cells::one(cell);
    std::size_t many[kAnswers + 1] = {};
    for (std::size_t i = from; i < to; ++i) ++many[answer(fleets_[order_[i]], now, cell) + 1];
    if (many[1] == to - from) {
      return static_cast<double>(to - from) + best({from, to, now, afloat, open});
    }
    for (int a = 0; a < kAnswers; ++a) many[a + 1] += many[a];
    std::vector<std::uint32_t> sorted(to - from);  // by answer
    std::size_t at[kAnswers];
    std::copy_n(many, kAnswers, at);
    for (std::size_t i = from; i < to; ++i) {
      sorted[at[answer(fleets_[order_[i]], now, cell)]++] = order_[i];
    }
    std::copy(sorted.begin(), sorted.end(), order_.begin() + static_cast<std::ptrdiff_t>(from));
    double sum = static_cast<double>(many[1]);
    for (int a = 0; a < kAnswers; ++a) {
      if (many[a] == many[a + 1]) continue;
      Node next{from + many[a], from + many[a + 1], now, afloat, open + (a > 0)};
      if (a > 1) next.afloat &= ~(1u << (a - 2)), next.open -= sea_.length(a - 2);
      sum += best(next);
    }
    return sum;
  }

  // 0 miss, 1 hit, 2 + ship where it sinks.
  int answer(const Fleet& fleet, const Cells& shot, int cell) const {
    if (!fleet.all.has(cell)) return 0;
    int ship = 0;
    while (!fleet.ship[ship].has(cell)) ++ship;
    return within(fleet.ship[ship], shot) ? 2 + ship : 1;
  }

  const Sea& sea_;
  const std::vector<Fleet>& fleets_;
  const Hunt* hunt_;
  std::vector<std::uint32_t> order_;
  std::unordered_map<std::uint64_t, double> hunted_;
};

}  // namespace zermelo::battleships
