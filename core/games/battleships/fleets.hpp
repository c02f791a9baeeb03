// All fleets that are consistent with the answers to the shooter, all equally likely.
//
// A fleet has two parts: ships on a hit (or announced sunk), and untouched ships. The first part is
// enumerated: every hit belongs to one ship, so backtracking over the hits finds each combination
// once. The second part is sampled: each untouched ship independently, and all of them again if two
// overlap (rejection sampling). A sample costs well under a microsecond and is exactly uniform. If
// there are few fleets, they are enumerated instead.
#pragma once

#include <cmath>
#include <cstdint>

#include "sea.hpp"

namespace zermelo::battleships {

struct Fleet {
  Cells ship[kMostShips];
  Cells all;
};

// The answers to the shots.
struct Told {
  Cells shot, hits;
  std::int16_t last[kMostShips];  // the cell whose hit sank the ship; -1: it is afloat
  Cells before[kMostShips];       // the hits when it sank, that one included

  Told() { std::fill_n(last, kMostShips, -1); }

  // The answer to one more shot: 0 miss, 1 hit, 2 + ship where it sinks.
  int add(const Sea& sea, const Fleet& fleet, int cell) {
    shot = shot | Cells::one(cell);
    if (!fleet.all.has(cell)) return 0;
    hits = hits | Cells::one(cell);
    for (int i = 0; i < sea.ships(); ++i) {
      if (!fleet.ship[i].has(cell) || !within(fleet.ship[i], hits)) continue;
      last[i] = static_cast<std::int16_t>(cell), before[i] = hits;
      return 2 + i;
    }
    return 1;
  }

  // The ships that are not sunk, a bit each.
  unsigned afloat(const Sea& sea) const {
    unsigned ships = 0;
    for (int i = 0; i < sea.ships(); ++i) ships |= (last[i] < 0 ? 1u : 0u) << i;
    return ships;
  }

  // Hits on ships that are not sunk.
  int open(const Sea& sea) const {
    int n = hits.count();
    for (int i = 0; i < sea.ships(); ++i) {
      if (last[i] >= 0) n -= sea.length(i);
    }
    return n;
  }
};

class Fleets {
 public:
  Fleets(const Sea& sea, const Told& told) : sea_(sea) {
    const Cells missed = told.shot & ~told.hits;
    for (int ship = 0; ship < sea.ships(); ++ship) {
      const bool sunk = told.last[ship] >= 0;
      for (const Cells& p : sea.placements(ship)) {
        if (sunk) {
          if (p.has(told.last[ship]) && within(p, told.before[ship])) touched_[ship].push_back(p);
        } else if (!meets(p, told.shot)) {
          clear_[ship].push_back(p);
        } else if (!meets(p, missed) && !within(p, told.hits)) {
          touched_[ship].push_back(p);
        }
      }
      if (sunk) sunk_ |= 1u << ship;
    }
    Fleet empty{};
    cover(told.hits, 0, empty);
    double sum = 0;
    for (const Part& part : parts_) upto_.push_back(sum += part.weight);
  }

  // The number of placements of an untouched ship.
  std::size_t free(int ship) const { return clear_[ship].size(); }
  // An upper bound of the number of fleets.
  double bound() const { return upto_.empty() ? 0 : upto_.back(); }

  // Samples a fleet; false: rejected, try again.
  bool draw(Random& random, Fleet& out) const {
    const double r = random.part() * upto_.back();
    const auto at = std::upper_bound(upto_.begin(), upto_.end() - 1, r) - upto_.begin();
    const Part& part = parts_[at];
    out = part.fleet;
    for (int ship = 0; ship < sea_.ships(); ++ship) {
      if (part.placed >> ship & 1) continue;
      const auto& clear = clear_[ship];
      const Cells& p = clear[random.below(static_cast<std::uint32_t>(clear.size()))];
      if (meets(p, out.all)) return false;
      out.ship[ship] = p, out.all = out.all | p;
    }
    return true;
  }

  // Samples a fleet; false: there is none. If nearly all samples are rejected, the fleets are
  // enumerated and one is chosen.
  bool draw_one(Random& random, Fleet& out) const {
    if (parts_.empty()) return false;
    for (int tries = 0; tries < kTries; ++tries) {
      if (draw(random, out)) return true;
    }
    std::uint64_t seen = 0;
    each([&](const Fleet& fleet) {
      if (random.next() % ++seen == 0) out = fleet;
      return true;
    });
    return seen > 0;
  }

  // Every fleet. Stops when `f` says false.
  template <class F>
  void each(F f) const {
    for (const Part& part : parts_) {
      Fleet fleet = part.fleet;
      if (!rest(0, part.placed, fleet, f)) return;
    }
  }

 private:
  static constexpr int kTries = 100000;

  // The ships that explain all hits, and the number of placements of the other ships without
  // overlap checks.
  struct Part {
    Fleet fleet;
    unsigned placed;
    double weight;
  };

  // All ways to explain the remaining hits by unplaced ships.
  void cover(const Cells& hits, unsigned placed, Fleet& fleet) {
    const unsigned due = sunk_ & ~placed;
    if (due) {
      place(std::countr_zero(due), hits, placed, fleet, Cells{});
    } else if (hits.any()) {
      const Cells first = Cells::one(hits.word[0] ? std::countr_zero(hits.word[0])
                                                  : 64 + std::countr_zero(hits.word[1]));
      for (int ship = 0; ship < sea_.ships(); ++ship) {
        if (!(placed >> ship & 1)) place(ship, hits, placed, fleet, first);
      }
    } else {
      double weight = 1;
      for (int ship = 0; ship < sea_.ships(); ++ship) {
        if (!(placed >> ship & 1)) weight *= static_cast<double>(clear_[ship].size());
      }
      if (weight > 0) parts_.push_back({fleet, placed, weight});
    }
  }

  void place(int ship, const Cells& hits, unsigned placed, Fleet& fleet, const Cells& on) {
    const Cells taken = fleet.all;
    for (const Cells& p : touched_[ship]) {
      if (!within(on, p) || meets(p, taken)) continue;
      fleet.ship[ship] = p, fleet.all = taken | p;
      cover(hits & ~p, placed | 1u << ship, fleet);
    }
    fleet.ship[ship] = {}, fleet.all = taken;
  }

  template <class F>
  bool rest(int ship, unsigned placed, Fleet& fleet, F& f) const {
    while (ship < sea_.ships() && placed >> ship & 1) ++ship;
    if (ship == sea_.ships()) return f(fleet);
    const Cells taken = fleet.all;
    for (const Cells& p : clear_[ship]) {
      if (meets(p, taken)) continue;
      fleet.ship[ship] = p, fleet.all = taken | p;
      if (!rest(ship + 1, placed, fleet, f)) return false;
    }
    fleet.ship[ship] = {}, fleet.all = taken;
    return true;
  }

  const Sea& sea_;
  unsigned sunk_ = 0;
  std::vector<Cells> touched_[kMostShips], clear_[kMostShips];
  std::vector<Part> parts_;
  std::vector<double> upto_;
};

}  // namespace zermelo::battleships
