// Where to shoot, by what was told alone.
#pragma once

#include "../../parts/hash.hpp"
#include "fleets.hpp"

namespace zermelo::battleships {

// How a shot is chosen; found by playing thousands of games (benchmarks/battleships.py).
struct Params {
  int listed = 2000;   // fleets are listed up to so many, else drawn
  int drawn = 1000;    // how many are drawn
  int first = 5000;    // the same before so many shots, where all games are alike
  int early = 8;       // shots
  double hunt = 1.0;   // the power by which an untouched ship counts that has many places left
  double target = 1;   // what a ship counts that was hit
  double off = 0;      // what cells off the lattice count while no ship is hit
  double learn = 0;    // what a bit of information counts
};

// Pairs of neighbours in a set of cells, matched as far as they can be. As many cells as there are
// pairs in the matching, and no fewer, meet all pairs (König): a smallest net for ships of two.
class Pairs {
 public:
  Pairs(int size, const Cells& open) : size_(size), open_(open) {
    std::fill_n(mate_, kMostCells, -1);
    open.each([&](int i) {
      if ((i / size + i % size) % 2 || mate_[i] >= 0) return;
      seen_ = {};
      augment(i);
    });
  }

  // The cells that are in some smallest net: those without which fewer pairs can be matched.
  Cells essential() {
    Cells found;
    open_.each([&](int i) {
      if (mate_[i] < 0) return;
      const int other = mate_[i];
      // Without i: can its mate be matched anew?
      seen_ = Cells::one(i);
      if (!reaches(other)) found = found | Cells::one(i);
    });
    return found;
  }

 private:
  template <class F>
  bool any_near(int i, F f) const {
    const int x = i % size_;
    return (x > 0 && open_.has(i - 1) && f(i - 1)) ||
           (x + 1 < size_ && open_.has(i + 1) && f(i + 1)) ||
           (i >= size_ && open_.has(i - size_) && f(i - size_)) ||
           (i + size_ < size_ * size_ && open_.has(i + size_) && f(i + size_));
  }
  bool fresh(int i) {
    if (seen_.has(i)) return false;
    seen_ = seen_ | Cells::one(i);
    return true;
  }
  bool augment(int i) {
    return any_near(i, [&](int j) {
      if (!fresh(j) || (mate_[j] >= 0 && !augment(mate_[j]))) return false;
      mate_[i] = j, mate_[j] = i;
      return true;
    });
  }
  // Is there a path to a cell without a mate, by other pairs and pairs of the matching in turn?
  bool reaches(int i) {
    return any_near(i, [&](int j) {
      if (j == mate_[i] || !fresh(j)) return false;
      return mate_[j] < 0 || reaches(mate_[j]);
    });
  }

  int size_;
  Cells open_, seen_;
  int mate_[kMostCells];
};

// What a shooter thinks of every cell.
struct Aim {
  double odds[kMostCells];   // a ship is there
  double worth[kMostCells];  // what a shot at it counts, in hits
  int best = -1;
  bool exact = false;        // all fleets that fit were listed
  std::uint64_t fleets = 0;  // listed or drawn
};

class Shooter {
 public:
  explicit Shooter(const Sea& sea, const Params& params = {}) : sea_(sea), params_(params) {}

  Aim look(const Told& told) {
    Aim aim{};
    const Fleets fleets(sea_, told);
    gather(fleets, told, aim);
    count(fleets, told, aim);
    if (!told.open(sea_)) keep_to_net(told, aim);
    for (int i = 0; i < sea_.cells(); ++i) {
      if (told.shot.has(i)) continue;
      if (aim.best < 0 || aim.worth[i] > aim.worth[aim.best]) aim.best = i;
    }
    return aim;
  }

 private:
  void gather(const Fleets& fleets, const Told& told, Aim& aim) {
    found_.clear();
    aim.exact = fleets.bound() <= params_.listed;
    if (!aim.exact) {
      Random random(mix(told.shot.word[0] ^ mix(told.shot.word[1] ^ mix(told.hits.word[0]))) ^
                    told.hits.word[1]);
      const bool early = told.shot.count() < params_.early;
      const std::size_t wanted = early ? params_.first : params_.drawn;
      Fleet fleet;
      for (std::size_t tries = 0; tries < kPatience * wanted && found_.size() < wanted; ++tries) {
        if (fleets.draw(random, fleet)) found_.push_back(fleet);
      }
      aim.exact = found_.size() < wanted;  // hardly one comes out: so few that they can be listed
      if (aim.exact) found_.clear();
    }
    if (aim.exact) {
      fleets.each([&](const Fleet& fleet) {
        found_.push_back(fleet);
        return true;
      });
    }
    aim.fleets = found_.size();
  }

  void count(const Fleets& fleets, const Told& told, Aim& aim) const {
    const double each = 1.0 / static_cast<double>(std::max<std::size_t>(1, found_.size()));
    double weight[kMostShips], most = 0;
    for (int k = 0; k < sea_.ships(); ++k) {
      weight[k] = std::pow(std::max(0.01, double(fleets.free(k)) / sea_.length(k)), params_.hunt);
      if (told.last[k] < 0) most = std::max(most, weight[k]);
    }
    for (const Fleet& fleet : found_) {
      for (int k = 0; k < sea_.ships(); ++k) {
        const Cells open = fleet.ship[k] & ~told.shot;
        const double w = open == fleet.ship[k] ? each * weight[k] / most : each * params_.target;
        open.each([&](int i) { aim.odds[i] += each, aim.worth[i] += w; });
      }
    }
    for (int i = 0; i < sea_.cells(); ++i) {
      if (aim.odds[i] > 1 - 1e-9) aim.odds[i] = 1, aim.worth[i] = 9;  // costs nothing, tells something
    }
  }

  // Cells off a smallest net count less: a net is a set of cells that meets every place where the
  // smallest ship afloat may lie, so the sea is searched with the fewest misses.
  void keep_to_net(const Told& told, Aim& aim) const {
    int m = kMostSize;
    for (int k = 0; k < sea_.ships(); ++k) {
      if (told.last[k] < 0) m = std::min(m, sea_.length(k));
    }
    if (m < 2) return;
    Cells open;
    for (int i = 0; i < sea_.cells(); ++i) {
      if (aim.odds[i] > 0) open = open | Cells::one(i);
    }
    const Cells net = m == 2 ? Pairs(sea_.size(), open).essential() : lattice(m, open, aim);
    for (int i = 0; i < sea_.cells(); ++i) {
      if (!net.has(i)) aim.worth[i] *= params_.off;
    }
  }

  // Every m-th diagonal meets every ship of m cells or more; the set of them with the fewest cells.
  Cells lattice(int m, const Cells& open, const Aim& aim) const {
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
          cells = cells | Cells::one(i), sum += aim.worth[i];
        });
        const int n = cells.count();
        if (n < fewest || (n == fewest && sum > most)) best = cells, fewest = n, most = sum;
      }
    }
    return best;
  }

  static constexpr std::size_t kPatience = 200;  // draws for one that comes out

  const Sea& sea_;
  Params params_;
  std::vector<Fleet> found_;
};

}  // namespace zermelo::battleships
