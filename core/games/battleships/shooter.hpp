// Chooses the next shot from the answers so far.
#pragma once

#include <optional>

#include "../../parts/hash.hpp"
#include "plan.hpp"
#include "worth.hpp"

namespace zermelo::battleships {

// Parameters, tuned in thousands of games (benchmarks/battleships.py).
struct Params {
  int listed = 2000;  // up to this many fleets are listed; more are sampled
  int drawn = 5000;   // number of samples
  int first = 40000;  // the same for the first shots, where all games are alike
  int early = 8;      // shots
  double near_best =
      0.6;  // a hunt considers cells of at least this probability relative to the likeliest
  int planned = 2000;  // up to this many fleets, shots are compared to the end of the game
  int tried = 8;       // number of shots compared then
  int chased = 4;      // else, with an open hit: number of shots compared, until the ship is sunk
  const Worth* worth =
      nullptr;  // weights of a hunt; without them it shoots at the cells of a smallest net
};

// Boards with known weights.
inline const Worth* worth_of(const Sea& sea) {
  if (sea.size() != 10 || sea.ships() != 5) return nullptr;
  for (int ship = 0; ship < 5; ++ship) {
    if (sea.length(ship) != kWorthFleet[ship]) return nullptr;
  }
  return &kWorth;
}
inline Params params_of(const Sea& sea) {
  Params params;
  params.worth = worth_of(sea);
  return params;
}

// The shooter's probabilities.
struct Aim {
  double odds[kMostCells];  // a ship is there
  int best = -1;
  bool exact = false;        // all fleets that fit were listed
  std::uint64_t fleets = 0;  // listed or drawn
};

class Shooter {
 public:
  explicit Shooter(const Sea& sea) : Shooter(sea, params_of(sea)) {}
  Shooter(const Sea& sea, const Params& params) : sea_(sea), params_(params) {
    if (params.worth) hunt_.emplace(sea, *params.worth);
  }

  Aim look(const Told& told) {
    Aim aim{};
    gather(Fleets(sea_, told), told, aim);
    Cells open;
    const double each = 1.0 / static_cast<double>(std::max<std::size_t>(1, found_.size()));
    for (const Fleet& fleet : found_) {
      const Cells there = fleet.all & ~told.shot;
      there.each([&](int i) { aim.odds[i] += each; });
      open = open | there;
    }
    aim.best = likeliest(open, aim);
    if (aim.best < 0 || aim.odds[aim.best] > kSure) return aim;  // free information
    const bool few = aim.exact && static_cast<int>(found_.size()) <= params_.planned;
    const bool hunting = !told.open(sea_);
    if (hunt_ && hunting) {
      hunt(told, open, aim);
    } else if (hunt_ && !few && params_.chased) {
      hunt_->begin(told.afloat(sea_), told.shot);
      compare(told, near_hits(told, aim), params_.chased, &*hunt_, aim);
    } else {
      if (hunting) aim.best = likeliest(net(told, open, aim), aim);
      if (few) compare(told, open, params_.tried, nullptr, aim);
    }
    return aim;
  }

 private:
  static constexpr std::size_t kPatience = 200;  // samples per accepted one
  static constexpr std::size_t kMostListed = 100'000;
  static constexpr double kSure = 1 - 1e-9;

  // The fleets that fit, or some of them; the same for the same answers.
  void gather(const Fleets& fleets, const Told& told, Aim& aim) {
    found_.clear();
    bool list = fleets.bound() <= params_.listed;
    if (!list) {
      std::uint64_t seed = 0;
      for (const Cells& cells : {told.shot, told.hits}) {
        for (const std::uint64_t word : cells.word) seed = mix(seed ^ word) + 1;
      }
      Random random(seed);
      const std::size_t wanted = told.shot.count() < params_.early ? params_.first : params_.drawn;
      Fleet fleet;
      for (std::size_t tries = 0; tries < kPatience * wanted && found_.size() < wanted; ++tries) {
        if (fleets.draw(random, fleet)) found_.push_back(fleet);
      }
      list = found_.size() < wanted;  // nearly all samples are rejected: they can be listed
    }
    if (list) {
      found_.clear();
      aim.exact = true;
      fleets.each([&](const Fleet& fleet) {
        found_.push_back(fleet);
        return aim.exact = found_.size() < kMostListed;
      });
    }
    aim.fleets = found_.size();
  }

  int likeliest(const Cells& cells, const Aim& aim) const {
    int best = -1;
    cells.each([&](int i) {
      if (best < 0 || aim.odds[i] > aim.odds[best]) best = i;
    });
    return best;
  }

  // Every m-th diagonal meets every ship of m cells or more. Of these nets one with the fewest
  // cells where a ship may be: so the sea is searched with the fewest misses.
  Cells net(const Told& told, const Cells& open, const Aim& aim) const {
    int m = kMostLength;
    for (int k = 0; k < sea_.ships(); ++k) {
      if (told.last[k] < 0) m = std::min(m, sea_.length(k));
    }
    Cells best;
    int fewest = kMostCells + 1;
    double most = 0;
    for (int way = 0; way < 2; ++way) {
      for (int at = 0; at < m; ++at) {
        double sum = 0;
        Cells cells;
        open.each([&](int i) {
          const int x = i % sea_.size(), y = i / sea_.size();
          if ((way ? x + y : x + (m - 1) * y) % m != at) return;
          cells = cells | Cells::one(i), sum += aim.odds[i];
        });
        const int n = cells.count();
        if (n < fewest || (n == fewest && sum > most)) best = cells, fewest = n, most = sum;
      }
    }
    return best;
  }

  // The shot after which the fewest misses are to come, by what the hunt is worth after each
  // answer.
  void hunt(const Told& told, const Cells& open, Aim& aim) {
    const unsigned afloat = told.afloat(sea_);
    std::vector<std::array<double, kMostShips>> odds(kMostCells);
    const double each = 1.0 / static_cast<double>(found_.size());
    for (const Fleet& fleet : found_) {
      for (int ship = 0; ship < sea_.ships(); ++ship) {
        if (afloat >> ship & 1) fleet.ship[ship].each([&](int i) { odds[i][ship] += each; });
      }
    }
    hunt_->begin(afloat, told.shot);
    const double enough = params_.near_best * aim.odds[aim.best];
    double fewest = kMostCells;
    open.each([&](int i) {
      if (aim.odds[i] < enough) return;
      const Hunt::Known after = hunt_->known_after(told.shot | Cells::one(i));
      const double misses = hunt_->value_shot(afloat, odds[i].data(), after);
      if (misses < fewest) fewest = misses, aim.best = i;
    });
  }

  // Likely cells where it is nearly always a ship that has been hit that lies there. Others belong
  // to the hunt, and draws would make them look better than they are.
  Cells near_hits(const Told& told, const Aim& aim) const {
    constexpr double kShare = 0.8, kLikely = 0.4;
    const unsigned afloat = told.afloat(sea_);
    double odds[kMostCells] = {};
    for (const Fleet& fleet : found_) {
      for (int ship = 0; ship < sea_.ships(); ++ship) {
        if (!(afloat >> ship & 1) || !meets(fleet.ship[ship], told.hits)) continue;
        (fleet.ship[ship] & ~told.shot).each([&](int i) { ++odds[i]; });
      }
    }
    Cells near;
    for (int i = 0; i < sea_.cells(); ++i) {
      const double share = odds[i] / static_cast<double>(found_.size());
      const bool likely = aim.odds[i] > kLikely * aim.odds[aim.best];
      if (likely && share > kShare * aim.odds[i]) near = near | Cells::one(i);
    }
    return near;
  }

  // The likeliest of these cells and the one chosen so far, each played on.
  void compare(const Told& told, const Cells& among, int most, const Hunt* hunt, Aim& aim) {
    constexpr double kLess = 1e-9;
    std::vector<int> cells;
    among.each([&](int i) { cells.push_back(i); });
    std::stable_sort(cells.begin(), cells.end(),
                     [&](int a, int b) { return aim.odds[a] > aim.odds[b]; });
    if (static_cast<int>(cells.size()) > most) cells.resize(most);
    if (cells.empty() || (cells.size() == 1 && cells[0] == aim.best)) return;
    const unsigned afloat = told.afloat(sea_);
    Plan plan(sea_, found_, hunt);
    const int first = aim.best;
    double fewest = plan.misses(told, afloat, first);
    for (const int cell : cells) {
      if (cell == first) continue;
      const double misses = plan.misses(told, afloat, cell);
      if (misses < fewest - kLess) aim.best = cell, fewest = misses;
    }
  }

  const Sea& sea_;
  Params params_;
  std::optional<Hunt> hunt_;
  std::vector<Fleet> found_;
};

}  // namespace zermelo::battleships
