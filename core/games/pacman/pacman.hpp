// Pac-Man, the grid world of AI courses. Player 0 is Pac-Man. Player 1 moves the ghosts, or they
// are chance, with the probabilities of their behaviour.
//
// A step of Pac-Man costs 1, a dot brings 10, the last dot 500 more, being caught costs 500. A
// capsule scares all ghosts for 40 of their moves: a scared ghost moves half a cell at a time, and
// meeting it brings 200 and sends it home. Ghosts never stop, and turn back only in a dead end. The
// utility is the score. The game also ends when Pac-Man has used up its steps.
//
// Design: all ghosts are one player. They move one after the other for the same utility, so minimax
// coordinates them and every two-player search applies. The state has the same bytes for every
// behaviour of the ghosts, so Pac-Man can search with the ghosts it expects and play any others.
//
//      a ghost half way:   ghost = the cell it left, heading = its direction, its bit of `half` set
#pragma once

#include <utility>

#include "../../game.hpp"
#include "../../parts/bits.hpp"
#include "../../parts/hash.hpp"
#include "maze.hpp"

namespace zermelo::pacman {

enum class Manner { minimax, random, directional };  // of the ghosts
enum class Judging { careful, food, score, seek };   // what an unfinished game is worth

inline constexpr int kDot = 10, kStep = 1, kWon = 500, kCaught = 500, kGhost = 200, kScared = 40;
inline constexpr double kBestMove = 0.8;  // probability that a directional ghost approaches

// What `careful` is made of. The way to the nearest dot weighs less than a dot does, however long.
struct Weights {
  double trouble = 60;  // of a ghost in his cell; half as much next to him…
  int near = 2;         // a ghost further away is no trouble
  double hunt = 60;     // of a scared ghost that he can still reach
};
inline constexpr Weights kWeights;

// W: words of 64 dots and capsules.
template <int W>
class Pacman {
 public:
  enum Status : std::uint8_t { kOpen, kWin, kLoss };

  struct State {
    Bits<W> things;  // dots and capsules that are left
    std::int32_t score;
    std::uint16_t steps;  // of Pac-Man
    std::uint16_t pacman;
    std::uint16_t ghost[kMostGhosts];
    std::uint8_t heading[kMostGhosts];  // a Direction; kStop: it has not moved
    std::uint8_t scared[kMostGhosts];   // moves it still is
    std::uint8_t half;                  // a bit a ghost
    std::uint8_t turn;                  // 0 Pac-Man, then the ghosts
    std::uint8_t status;
    std::uint8_t none[5];  // so that no byte is left to chance
  };
  static_assert(sizeof(State) == 8 * W + 32);

  Pacman(Maze maze, Manner manner, bool stops, int limit, Judging judging)
      : maze_(std::move(maze)),
        manner_(manner),
        stops_(stops),
        limit_(limit),
        judging_(judging),
        pull_(static_cast<double>(kDot) / (maze_.longest + 1)) {
    for (int k = 0; k < static_cast<int>(maze_.things.size()); ++k) {
      all_ = all_ | Bits<W>::one(k);
      if (k < maze_.dots) dots_ = dots_ | Bits<W>::one(k);
    }
  }

  Facts facts() const {
    return {
        .chance = manner_ != Manner::minimax && maze_.ghosts > 0,
        .utility_min = -1.0 * kCaught - kStep * limit_,
        .utility_max = 1.0 * kDot * maze_.dots + kWon + kGhost * maze_.ghosts * maze_.capsules(),
        .max_actions = kDirections};
  }

  State initial() const {
    State s{};
    s.things = all_;
    s.pacman = static_cast<std::uint16_t>(maze_.pacman);
    for (int g = 0; g < maze_.ghosts; ++g) s.ghost[g] = static_cast<std::uint16_t>(maze_.home[g]);
    return s;
  }

  int to_move(const State& s) const {
    if (s.status != kOpen) return kTerminal;
    if (s.turn == 0) return s.steps >= limit_ ? kTerminal : 0;
    return manner_ == Manner::minimax ? 1 : kChance;
  }

  // Standing still comes first, so that of equal moves the laziest is chosen.
  int actions(const State& s, Action* out, int) const {
    if (s.turn > 0) return ghost_actions(s, s.turn - 1, out);
    int n = 0;
    for (Action a = stops_ ? kStop : kNorth; a < kDirections; ++a) {
      if (maze_.next[s.pacman][a] >= 0) out[n++] = a;
    }
    if (n == 0) out[n++] = kStop;
    return n;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    Action list[kDirections];
    const int g = s.turn - 1, n = ghost_actions(s, g, list);
    if (capacity < n) return n;
    int best = -1, many = 0;  // how near (far, when scared) the best moves lead, how many they are
    int worth[kDirections];
    for (int i = 0; i < n; ++i) {
      const int far = maze_.distance(maze_.next[s.ghost[g]][list[i]], s.pacman);
      worth[i] = s.scared[g] ? far : Maze::kFar - far;
      if (worth[i] > best) best = worth[i], many = 0;
      many += worth[i] == best;
    }
    const double meant = manner_ == Manner::directional ? kBestMove : 0;
    for (int i = 0; i < n; ++i) {
      out[i] = list[i];
      odds[i] = (1 - meant) / n + (worth[i] == best ? meant / many : 0);
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State n = s;
    if (s.turn == 0) {
      move_pacman(n, a);
    } else {
      move_ghost(n, s.turn - 1, a);
    }
    n.turn = s.turn == maze_.ghosts ? 0 : s.turn + 1;
    return n;
  }

  double utility(const State& s, int player) const { return player == 0 ? s.score : -s.score; }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  bool valid(const State& s) const {
    if (s.pacman >= maze_.cells || s.steps > limit_ || s.turn > maze_.ghosts) return false;
    for (const std::uint8_t byte : s.none) {
      if (byte) return false;
    }
    if ((s.things & ~all_).any() || s.status > kLoss) return false;
    if ((s.status == kWin) != !(s.things & dots_).any()) return false;
    bool caught = false, free = true;
    int afraid = 0;
    for (int g = 0; g < kMostGhosts; ++g) {
      if (!valid_ghost(s, g)) return false;
      if (g >= maze_.ghosts) continue;
      afraid += s.scared[g] > 0;
      if (s.scared[g] || !touches(s, g)) continue;
      caught = true;
      free &= s.ghost[g] == maze_.home[g] && s.heading[g] == kStop;  // it was just sent home
    }
    if ((s.status == kLoss && !caught) || (s.status == kOpen && !free)) return false;
    return valid_score(s, afraid);
  }

  double evaluate(const State& s, int player) const {
    const double v = s.status == kOpen ? worth(s) : s.score;
    return player == 0 ? v : -v;
  }

 private:
  int ghost_actions(const State& s, int g, Action* out) const {
    if (s.half >> g & 1) return out[0] = s.heading[g], 1;  // half way: straight on
    const auto& ways = maze_.next[s.ghost[g]];
    const Direction back = kReverse[s.heading[g]];
    int n = 0;
    for (Action a = kNorth; a < kDirections; ++a) {
      if (ways[a] >= 0 && a != back) out[n++] = a;
    }
    if (n == 0) out[n++] = ways[back] >= 0 ? back : kStop;  // a dead end; walled in
    return n;
  }

  void move_pacman(State& s, Action a) const {
    s.pacman = static_cast<std::uint16_t>(maze_.next[s.pacman][a]);
    ++s.steps;
    s.score -= kStep;
    const int thing = maze_.thing_at[s.pacman];
    if (thing >= 0 && s.things.has(thing)) eat(s, thing);
    for (int g = 0; g < maze_.ghosts; ++g) {
      if (touches(s, g)) meet(s, g);
    }
  }

  void eat(State& s, int thing) const {
    s.things.word[thing / 64] ^= std::uint64_t{1} << thing % 64;
    if (thing >= maze_.dots) {
      for (int g = 0; g < maze_.ghosts; ++g) s.scared[g] = kScared;
      return;
    }
    s.score += kDot;
    if ((s.things & dots_).any()) return;
    s.score += kWon;
    s.status = kWin;
  }

  void move_ghost(State& s, int g, Action a) const {
    const auto to = static_cast<std::uint16_t>(maze_.next[s.ghost[g]][a]);
    const std::uint8_t bit = static_cast<std::uint8_t>(1 << g);
    s.heading[g] = static_cast<std::uint8_t>(a);
    if (!s.scared[g] || s.half & bit || a == kStop) {
      s.ghost[g] = to;
      s.half &= ~bit;
    } else {
      s.half |= bit;
    }
    if (s.scared[g] && --s.scared[g] == 0 && s.half & bit) {  // no longer afraid: it arrives
      s.ghost[g] = to;
      s.half &= ~bit;
    }
    if (touches(s, g)) meet(s, g);
  }

  // In the same cell, or the ghost is half out of it or half in.
  bool touches(const State& s, int g) const {
    if (s.ghost[g] == s.pacman) return true;
    return s.half >> g & 1 && maze_.next[s.ghost[g]][s.heading[g]] == s.pacman;
  }

  void meet(State& s, int g) const {
    if (s.scared[g]) {
      s.score += kGhost;
      s.ghost[g] = static_cast<std::uint16_t>(maze_.home[g]);
      s.heading[g] = kStop;
      s.scared[g] = 0;
      s.half &= ~(1 << g);
    } else if (s.status == kOpen) {  // the last dot counts before the ghost does
      s.score -= kCaught;
      s.status = kLoss;
    }
  }

  bool valid_ghost(const State& s, int g) const {
    if (g >= maze_.ghosts) {
      return !s.ghost[g] && !s.heading[g] && !s.scared[g] && !(s.half >> g & 1) && s.half < 16;
    }
    if (s.ghost[g] >= maze_.cells || s.heading[g] >= kDirections || s.scared[g] > kScared) {
      return false;
    }
    if (!(s.half >> g & 1)) return s.half < 16;
    return s.half < 16 && s.scared[g] && s.heading[g] != kStop &&
           maze_.next[s.ghost[g]][s.heading[g]] >= 0;
  }

  // The score is made of what was eaten: no more ghosts than the capsules have scared.
  bool valid_score(const State& s, int afraid) const {
    const int dots = maze_.dots - (s.things & dots_).count();
    const int capsules = maze_.capsules() - (s.things & ~dots_).count();
    std::int64_t rest = std::int64_t{s.score} - kDot * dots + kStep * s.steps;
    if (s.status == kWin) rest -= kWon;
    if (s.status == kLoss) rest += kCaught;
    if (rest < 0 || rest % kGhost) return false;
    return rest / kGhost + afraid <= capsules * maze_.ghosts;
  }

  // -- evaluations --------------------------------------------------------------------------
  double worth(const State& s) const {
    switch (judging_) {
      case Judging::score:
        return s.score;
      case Judging::seek:
        return s.score + ways_to_ghosts(s);
      case Judging::food:
        return s.score - pull_ * way_to_food(s);
      case Judging::careful:
        break;
    }
    double v = s.score - pull_ * way_to_food(s);
    for (int g = 0; g < maze_.ghosts; ++g) {
      const int way = maze_.distance(s.ghost[g], s.pacman);
      if (s.scared[g] > 2 * way) {
        v += kWeights.hunt / (way + 1);
      } else if (!s.scared[g] && way <= kWeights.near) {
        v -= kWeights.trouble / (way + 1);
      }
    }
    return v;
  }

  int way_to_food(const State& s) const {
    int least = maze_.longest;
    (s.things & dots_).each([&](int k) {
      const int way = maze_.distance(s.pacman, maze_.things[k]);
      if (way < least) least = way;
    });
    return least;
  }

  // What ghosts that seek Pac-Man make small: the ways of all, the nearest most of all.
  double ways_to_ghosts(const State& s) const {
    int sum = 0, least = maze_.ghosts ? maze_.longest : 0;
    for (int g = 0; g < maze_.ghosts; ++g) {
      const int way = maze_.distance(s.ghost[g], s.pacman);
      if (way == Maze::kFar) continue;
      sum += s.scared[g] ? -way : way;
      if (!s.scared[g] && way < least) least = way;
    }
    return sum + least;
  }

  Maze maze_;
  Manner manner_;
  bool stops_;
  int limit_;
  Judging judging_;
  double pull_;  // of the nearest dot, a cell
  Bits<W> all_, dots_;
};

}  // namespace zermelo::pacman
