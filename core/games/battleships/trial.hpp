// Shooters to compare, each against random fleets: the number of shots until all ships are sunk.
#pragma once

#include <string_view>
#include <unordered_map>

#include "shooter.hpp"

namespace zermelo::battleships {

// A shooting policy: the next cell, from the answers so far only.
using Way = int (*)(const Sea&, const Told&, Random&);

struct Manner {
  std::string_view name;
  Way way;
  bool kept;  // its first shots of a game are reused in the next game
};

inline int any_of(const Cells& cells, Random& random) {
  int n = static_cast<int>(random.below(cells.count())), found = -1;
  cells.each([&](int i) {
    if (n-- == 0) found = i;
  });
  return found;
}

inline Cells open_cells(const Sea& sea, const Told& told) {
  Cells open;
  for (int i = 0; i < sea.cells(); ++i) {
    if (!told.shot.has(i)) open = open | Cells::one(i);
  }
  return open;
}

inline int shoot_random(const Sea& sea, const Told& told, Random& random) {
  return any_of(open_cells(sea, told), random);
}

// Random until a hit; then the neighbours of hits. Does not infer anything from sunk ships, like a
// person with pencil and paper.
inline int shoot_hunt(const Sea& sea, const Told& told, Random& random, bool parity) {
  const Cells open = open_cells(sea, told);
  Cells near, even;
  for (int i = 0; i < sea.cells(); ++i) {
    const int x = i % sea.size(), y = i / sea.size();
    if ((x + y) % 2 == 0) even = even | Cells::one(i);
    if (!told.hits.has(i)) continue;
    if (x > 0) near = near | Cells::one(i - 1);
    if (x + 1 < sea.size()) near = near | Cells::one(i + 1);
    if (y > 0) near = near | Cells::one(i - sea.size());
    if (y + 1 < sea.size()) near = near | Cells::one(i + sea.size());
  }
  if (told.open(sea) && (near & open).any()) return any_of(near & open, random);
  if (parity && (even & open).any()) return any_of(even & open, random);
  return any_of(open, random);
}

// The number of placements over each cell, ship by ship as if the others were not there; those
// through hits count for much more. A sunk ship is crossed out where it may lie first.
inline int shoot_density(const Sea& sea, const Told& told, Random&) {
  constexpr double kOnHit = 50;
  Cells missed = told.shot & ~told.hits, hits = told.hits;
  for (int ship = 0; ship < sea.ships(); ++ship) {
    if (told.last[ship] < 0) continue;
    for (const Cells& p : sea.placements(ship)) {
      if (!p.has(told.last[ship]) || !within(p, told.before[ship] & hits)) continue;
      missed = missed | p, hits = hits & ~p;
      break;
    }
  }
  double sum[kMostCells] = {};
  for (int ship = 0; ship < sea.ships(); ++ship) {
    if (told.last[ship] >= 0) continue;
    for (const Cells& p : sea.placements(ship)) {
      if (meets(p, missed) || within(p, hits)) continue;
      const double weight = std::pow(kOnHit, (p & hits).count());
      (p & ~told.shot).each([&](int i) { sum[i] += weight; });
    }
  }
  int best = -1;
  for (int i = 0; i < sea.cells(); ++i) {
    if (!told.shot.has(i) && (best < 0 || sum[i] > sum[best])) best = i;
  }
  return best;
}

inline int shoot_best(const Sea& sea, const Told& told, Random&) {
  return Shooter(sea).look(told).best;
}

inline constexpr Manner kManners[] = {
    {"random", shoot_random, false},
    {"hunt", [](const Sea& s, const Told& t, Random& r) { return shoot_hunt(s, t, r, false); },
     false},
    {"parity", [](const Sea& s, const Told& t, Random& r) { return shoot_hunt(s, t, r, true); },
     false},
    {"density", shoot_density, false},
    {"fleets", shoot_best, true},
};

inline const Manner* manner_named(std::string_view name) {
  for (const Manner& m : kManners) {
    if (m.name == name) return &m;
  }
  return nullptr;
}

// The number of shots in each of these games. Game i has the same fleet for every shooter.
inline std::vector<int> trials(const Sea& sea, const Manner& manner, int games,
                               std::uint64_t seed) {
  constexpr int kKept = 14;  // shots
  const Fleets prior(sea, {});
  std::unordered_map<std::uint64_t, int> kept;
  std::vector<int> shots;
  for (int game = 0; game < games; ++game) {
    Random lay(mix(seed) + game), random(mix(seed + 1) + game);
    Fleet fleet;
    prior.draw_one(lay, fleet);
    Told told;
    int n = 0;
    std::uint64_t path = 0;
    for (; told.hits.count() < sea.total(); ++n) {
      const auto found = manner.kept && n < kKept ? kept.find(path) : kept.end();
      const int cell = found != kept.end() ? found->second : manner.way(sea, told, random);
      if (manner.kept && n < kKept) kept.emplace(path, cell);
      path = mix(path + (told.add(sea, fleet, cell) + 1) * std::uint64_t{1000003} + cell);
    }
    shots.push_back(n);
  }
  return shots;
}

}  // namespace zermelo::battleships
