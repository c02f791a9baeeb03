// Training examples for the value of a hunt.
//
// One hunting shot of each game is random, for exploration; the rest of the game is a training
// example. The luck of an answer is the value of the hunt after it minus the value before, from
// separate samples. Subtracting it keeps the mean of the misses and reduces the variance (control
// variate).
#pragma once

#include "trial.hpp"

namespace zermelo::battleships {

struct Lesson {
  float game, afloat;
  float known[2 * kMostShips];  // by ship: its placements, then the misses to find it alone
  float misses;                 // to come, without luck
  float ship;                   // what the shot hit; -1: nothing
  float after[2 * kMostShips];  // what is known after the shot
  float luck;                   // of its answer
};

class Teacher {
 public:
  // Without weights: by the net, and luck stays in.
  Teacher(const Sea& sea, const Worth* worth) : sea_(sea), learns_(worth) {
    params_.worth = worth, params_.planned = 0, params_.chased = 0;
    params_.drawn = params_.first = 2 * kDraws;
    hunt_.emplace(sea, worth ? *worth : none_);
  }

  void game(int number, const Fleet& fleet, Random& random, std::vector<Lesson>& out) {
    const std::size_t first = out.size();
    const int when = static_cast<int>(random.below(kHunts));
    Told told;
    double misses = 0;  // so far, without luck
    for (int hunts = 0; told.hits.count() < sea_.total();) {
      const Aim aim = Shooter(sea_, params_).look(told);
      int cell = aim.best;
      double luck = 0;
      if (!told.open(sea_)) {
        if (hunts == when) out.resize(first);
        if (hunts == when) cell = any_of(likely(told, aim), random);
        Lesson lesson = look(told, fleet, cell, random);
        lesson.game = static_cast<float>(number);
        lesson.misses = static_cast<float>(-misses);
        luck = lesson.luck;
        if (hunts++ != when) out.push_back(lesson);
      }
      misses += (told.add(sea_, fleet, cell) == 0) - luck;
    }
    for (std::size_t i = first; i < out.size(); ++i) out[i].misses += static_cast<float>(misses);
  }

 private:
  static constexpr int kHunts = 26;       // the random shot is one of these
  static constexpr double kLikely = 0.5;  // and at least so likely, measured by the likeliest
  static constexpr int kDraws = 1000;     // for the luck
  static constexpr int kTries = 200 * kDraws;

  Cells likely(const Told& told, const Aim& aim) const {
    double most = 0;
    for (int i = 0; i < sea_.cells(); ++i) most = std::max(most, aim.odds[i]);
    Cells cells;
    open_cells(sea_, told).each([&](int i) {
      if (aim.odds[i] >= kLikely * most) cells = cells | Cells::one(i);
    });
    return cells;
  }

  Lesson look(const Told& told, const Fleet& fleet, int cell, Random& random) {
    const unsigned afloat = told.afloat(sea_);
    Lesson lesson{};
    hunt_->begin(afloat, told.shot);
    const Hunt::Known after = hunt_->known_after(told.shot | Cells::one(cell));
    const unsigned ships = hunt_->first_of_equals(afloat);
    write(afloat, hunt_->known(), lesson.known), write(afloat, after, lesson.after);
    lesson.afloat = static_cast<float>(ships), lesson.ship = -1;
    int hit = -1;
    for (int ship = 0; ship < sea_.ships(); ++ship) {
      if ((afloat >> ship & 1) && fleet.ship[ship].has(cell)) hit = ship;
    }
    if (hit >= 0) lesson.ship = static_cast<float>(hunt_->slot(ships, hit));
    if (!learns_) return lesson;
    double odds[kMostShips] = {};
    int n = 0;
    const Fleets fleets(sea_, told);
    Fleet drawn;
    for (int tries = 0; tries < kTries && n < kDraws; ++tries) {
      if (!fleets.draw(random, drawn)) continue;
      ++n;
      for (int ship = 0; ship < sea_.ships(); ++ship) {
        if (afloat >> ship & 1) odds[ship] += drawn.ship[ship].has(cell);
      }
    }
    if (!n) return lesson;
    for (double& odd : odds) odd /= n;
    const double now =
        hit >= 0 ? hunt_->value_hit(afloat, hit, after) : 1 + hunt_->value(afloat, after);
    lesson.luck = static_cast<float>(now - hunt_->value_shot(afloat, odds, after));
    return lesson;
  }

  void write(unsigned afloat, const Hunt::Known& known, float* out) const {
    for (int ship = 0; ship < sea_.ships(); ++ship) {
      if (!(hunt_->first_of_equals(afloat) >> ship & 1)) continue;
      const Hunt::Lone& lone = known[sea_.length(ship)];
      out[ship] = static_cast<float>(lone.placements), out[kMostShips + ship] = lone.misses;
    }
  }

  const Sea& sea_;
  bool learns_;
  Worth none_{};
  Params params_;
  std::optional<Hunt> hunt_;
};

inline std::vector<Lesson> lessons(const Sea& sea, const Worth* worth, int games,
                                   std::uint64_t seed) {
  const Fleets prior(sea, {});
  Teacher teacher(sea, worth);
  std::vector<Lesson> found;
  for (int game = 0; game < games; ++game) {
    Random lay(mix(seed) + game), random(mix(seed + 1) + game);
    Fleet fleet;
    prior.draw_one(lay, fleet);
    teacher.game(game, fleet, random, found);
  }
  return found;
}

}  // namespace zermelo::battleships
