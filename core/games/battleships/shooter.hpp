// Where to shoot, by what was told alone.
#pragma once

#include "../../parts/hash.hpp"
#include "plan.hpp"

namespace zermelo::battleships {

// How a shot is chosen; found by playing thousands of games (benchmarks/battleships.py).
struct Params {
  int listed = 2000;   // fleets are listed up to so many, else drawn
  int drawn = 1000;    // how many are drawn
  int first = 5000;    // the same before so many shots, where all games are alike
  int early = 8;       // shots
  bool net = true;     // while no ship is hit, only the cells of a smallest net
  int planned = 2000;  // where no more fleets fit, shots are compared to the end of the game
  int tried = 8;       // so many of them
};

// What a shooter thinks of every cell.
struct Aim {
  double odds[kMostCells];  // a ship is there
  int best = -1;
  bool exact = false;        // all fleets that fit were listed
  std::uint64_t fleets = 0;  // listed or drawn
};

class Shooter {
 public:
  explicit Shooter(const Sea& sea, const Params& params = {}) : sea_(sea), params_(params) {}

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
    if (aim.best < 0 || aim.odds[aim.best] > kSure) return aim;  // costs nothing, tells something
    if (params_.net && !told.open(sea_)) aim.best = likeliest(net(told, open, aim), aim);
    if (aim.exact && static_cast<int>(found_.size()) <= params_.planned) plan(told, open, aim);
    return aim;
  }

 private:
  static constexpr std::size_t kPatience = 200;  // draws for one that comes out
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
      list = found_.size() < wanted;  // hardly one comes out: they can be listed
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

  // The likeliest cells and the one chosen so far, each played to the end.
  void plan(const Told& told, const Cells& open, Aim& aim) {
    std::vector<int> cells;
    open.each([&](int i) { cells.push_back(i); });
    std::stable_sort(cells.begin(), cells.end(),
                     [&](int a, int b) { return aim.odds[a] > aim.odds[b]; });
    if (static_cast<int>(cells.size()) > params_.tried) cells.resize(params_.tried);
    Plan plan(sea_, found_);
    long fewest = plan.misses(told.shot, aim.best);
    for (const int cell : cells) {
      const long misses = plan.misses(told.shot, cell);
      if (misses < fewest) aim.best = cell, fewest = misses;
    }
  }

  const Sea& sea_;
  Params params_;
  std::vector<Fleet> found_;
};

}  // namespace zermelo::battleships
