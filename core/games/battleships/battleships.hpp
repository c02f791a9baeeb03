// Battleships: two fleets, each in its own sea and hidden from the opponent. Players take turns to
// shoot at one cell and learn "miss", "hit", or "sunk" with the name of the ship. Whoever sinks the
// whole fleet first wins. With one player there is one fleet, and the utility is minus the number
// of shots.
//
// Design: chance places the fleets ship by ship with probabilities from exact layout counts
// (sea.hpp), so every layout without overlaps is equally likely; ships may touch. Beliefs are
// sampled exactly (fleets.hpp): ships on hits are enumerated, untouched ships are sampled
// independently and all again if two overlap, so every consistent fleet is equally likely. The
// value of a position without open hits is a weighted sum of features per ship (hunt.hpp). The
// weights are fitted to games whose luck has been subtracted (lessons.hpp): same mean, far less
// variance, so ten thousand games are enough.
//
//   fleet[p]   of player p: the number of each ship's placement, from 1; 0: not placed yet
//   shot[p]    the cells that player p shot at, in order; then 0
#pragma once

#include <cstring>
#include <mutex>

#include "../../game.hpp"
#include "../../parts/hash.hpp"
#include "shooter.hpp"

namespace zermelo {

class Battleships {
 public:
  static constexpr Action kLay = 256;  // chance's: this times the ship from 1, and the placement

  struct State {
    std::uint8_t fleet[2][battleships::kMostShips];
    std::uint8_t shots[2];  // how many
    std::uint8_t shot[2][battleships::kMostCells];
  };

  Battleships(int size, std::vector<int> lengths, int players)
      : sea_(size, std::move(lengths)), players_(players) {}

  const battleships::Sea& sea() const { return sea_; }

  Facts facts() const {
    return {.players = players_,
            .chance = true,
            .hidden = true,
            .utility_min = players_ == 2 ? -1.0 : -sea_.cells(),
            .utility_max = players_ == 2 ? 1.0 : -sea_.total(),
            .step = players_ == 2 ? 2.0 : 1.0,
            .max_actions = sea_.cells()};
  }

  State initial() const { return {}; }

  int to_move(const State& s) const {
    if (!laid(s, 1)) return kChance;
    if (sunk_all(s, 0) || (players_ == 2 && sunk_all(s, 1))) return kTerminal;
    return players_ == 2 && s.shots[0] > s.shots[1];
  }

  int actions(const State& s, Action* out, int capacity) const {
    battleships::Cells shot = cells_shot(s, to_move(s));
    int n = 0;
    for (int cell = 0; cell < sea_.cells(); ++cell) {
      if (shot.has(cell)) continue;
      if (n < capacity) out[n] = cell;
      ++n;
    }
    return n;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    const auto [side, ship] = next_to_lay(s);
    std::vector<double> counted;
    if (ship == 0) {  // the same for every game
      std::call_once(once_, [&] { first_ = sea_.completions(0, {}); });
    } else {
      counted = sea_.completions(ship, cells_of(s, side));
    }
    const std::vector<double>& ways = ship == 0 ? first_ : counted;
    double sum = 0;
    for (const double w : ways) sum += w;
    int n = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (ways[i] <= 0) continue;
      if (n < capacity)
        out[n] = kLay * (ship + 1) + static_cast<Action>(i), odds[n] = ways[i] / sum;
      ++n;
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    if (a >= kLay) {
      const auto [side, ship] = next_to_lay(s);
      next.fleet[side][ship] = static_cast<std::uint8_t>(a % kLay + 1);
    } else {
      const int player = to_move(s);
      next.shot[player][next.shots[player]++] = static_cast<std::uint8_t>(a);
    }
    return next;
  }

  double utility(const State& s, int player) const {
    if (players_ == 1) return -s.shots[0];
    return sunk_all(s, player) ? 1 : -1;
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  // The own fleet, all shots, the answers to the own shots, and the number of ships that the
  // opponent has placed.
  std::uint64_t observation(const State& s, int player) const {
    struct {
      State seen;
      std::uint8_t last[battleships::kMostShips], zero;
      std::uint64_t hits[2];
    } all;
    std::memset(&all, 0, sizeof all);
    all.seen = s;
    for (auto& ship : all.seen.fleet[1 - player]) ship = ship != 0;
    const battleships::Told told = this->told(s, player);
    for (int i = 0; i < sea_.ships(); ++i) {
      all.last[i] = static_cast<std::uint8_t>(told.last[i] + 1);
    }
    all.hits[0] = told.hits.word[0], all.hits[1] = told.hits.word[1];
    return hash_bytes(&all, sizeof all);
  }

  // Samples the opponent's fleet uniformly among those consistent with all answers.
  bool deal(const State& s, int player, std::uint64_t random, State& out) const {
    out = s;
    std::uint8_t* fleet = out.fleet[1 - player];
    if (!fleet[0]) return true;
    Random draws(random);
    battleships::Fleet drawn;
    if (!battleships::Fleets(sea_, told(s, player)).draw_one(draws, drawn)) return false;
    for (int ship = 0; ship < sea_.ships() && fleet[ship]; ++ship) {
      fleet[ship] = static_cast<std::uint8_t>(sea_.number(ship, drawn.ship[ship]) + 1);
    }
    return true;
  }

  // The player with more cells still to find is behind. One player: as if all further shots hit.
  double evaluate(const State& s, int player) const {
    if (players_ == 1) return -(s.shots[0] + left(s, 0));
    return (left(s, 1 - player) - left(s, player)) / sea_.total();
  }

  // The answers to this player's shots.
  battleships::Told told(const State& s, int player) const {
    battleships::Told told;
    const battleships::Fleet fleet = fleet_of(s, 1 - player);
    for (int i = 0; i < s.shots[player]; ++i) told.add(sea_, fleet, s.shot[player][i]);
    return told;
  }

  battleships::Fleet fleet_of(const State& s, int side) const {
    battleships::Fleet fleet{};
    for (int ship = 0; ship < sea_.ships() && s.fleet[side][ship]; ++ship) {
      fleet.ship[ship] = sea_.placements(ship)[s.fleet[side][ship] - 1];
      fleet.all = fleet.all | fleet.ship[ship];
    }
    return fleet;
  }

  // Accepts only reachable states.
  bool valid(const State& s) const {
    using namespace battleships;
    bool open = false;  // an earlier ship is not placed
    for (int side = 0; side < 2; ++side) {
      Cells taken;
      for (int ship = 0; ship < kMostShips; ++ship) {
        const int number = s.fleet[side][ship];
        const bool plays = ship < sea_.ships() && (side == 1 || players_ == 2);
        if (!plays || !number) {
          if (number) return false;
          open |= plays;
          continue;
        }
        if (open || number > static_cast<int>(sea_.placements(ship).size())) return false;
        const Cells& p = sea_.placements(ship)[number - 1];
        if (meets(p, taken)) return false;
        taken = taken | p;
      }
    }
    const int a = s.shots[0], b = s.shots[1];
    if (a > sea_.cells() || b > sea_.cells() || (open && a)) return false;
    if (players_ == 2 ? a != b && a != b + 1 : b != 0) return false;
    for (int p = 0; p < 2; ++p) {
      Cells shot;
      for (int i = 0; i < kMostCells; ++i) {
        const int cell = s.shot[p][i];
        if (i >= s.shots[p]) {
          if (cell) return false;
        } else {
          if (cell >= sea_.cells() || shot.has(cell)) return false;
          shot = shot | Cells::one(cell);
        }
      }
    }
    if (!a) return true;
    State before = s;  // the game was not over before the last shot
    const int last = players_ == 2 && a == b;
    before.shot[last][--before.shots[last]] = 0;
    return to_move(before) == last;
  }

 private:
  bool laid(const State& s, int side) const { return s.fleet[side][sea_.ships() - 1] != 0; }

  std::pair<int, int> next_to_lay(const State& s) const {
    const int side = players_ == 1 || laid(s, 0);
    int ship = 0;
    while (s.fleet[side][ship]) ++ship;
    return {side, ship};
  }

  battleships::Cells cells_of(const State& s, int side) const { return fleet_of(s, side).all; }
  battleships::Cells cells_shot(const State& s, int player) const {
    battleships::Cells shot;
    for (int i = 0; i < s.shots[player]; ++i) {
      shot = shot | battleships::Cells::one(s.shot[player][i]);
    }
    return shot;
  }

  // Cells of the other's ships that this player has still to hit.
  double left(const State& s, int player) const {
    return sea_.total() - (cells_of(s, 1 - player) & cells_shot(s, player)).count();
  }
  bool sunk_all(const State& s, int player) const {
    return s.shots[player] >= sea_.total() && left(s, player) == 0;
  }

  battleships::Sea sea_;
  int players_;
  mutable std::once_flag once_;
  mutable std::vector<double> first_;
};

}  // namespace zermelo
