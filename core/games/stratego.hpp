// Stratego: capture the opponent's flag with pieces of hidden rank. Classic: 40 pieces per side;
// Barrage: 8.
//
// Setup: the pieces are placed in a fixed order, each on any free square of the player's four rows,
// so that random placement makes all setups equally likely. Then pieces move one square forward,
// back or sideways. A scout moves any distance along free squares and may attack at the end. A
// piece that enters an occupied square attacks: both ranks are revealed and the lower one is
// removed, equal ranks both. A spy that attacks the marshal wins, and so does a miner that attacks
// a bomb; all others lose against bombs, which stay. Bombs and flags never move.
//
// Capturing the flag wins. A player who cannot move loses; if neither could move, the game is a
// draw. A piece may not move back and forth between the same two squares for more than three turns
// in a row. After 200 moves without an attack the game is a draw.
//
//   square[x + 10 * y]   rank | side << 4 | moved << 5 | shown << 6; 0: nobody
//   last[p]              the squares of player p's last move, plus 1; 0: none yet
//   turns[p]             number of turns for which the same piece has moved back and forth between
//   them
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../game.hpp"
#include "../parts/hash.hpp"
#include "../parts/random.hpp"

namespace zermelo {

class Stratego {
 public:
  // Spy to marshal are numbered as their ranks.
  enum Rank : std::uint8_t {
    kSpy = 1,
    kScout = 2,
    kMiner = 3,
    kMarshal = 10,
    kBomb,
    kFlag,
    kRanks
  };
  enum Setup { kByPlayers, kByChance };
  static constexpr int kSide = 10, kSquares = 100, kMostMen = 40, kHome = 40, kQuiet = 200;
  static constexpr int kMostTurns = 3;
  static constexpr std::uint8_t kRank = 15, kBlue = 16, kMoved = 32, kShown = 64;
  static constexpr Action kLay = 1 << 14;  // this and a square

  struct State {
    std::uint8_t square[kSquares];
    std::uint8_t mover;
    std::uint8_t laid[2];  // how many men
    std::uint8_t quiet;    // moves since the last attack
    std::uint8_t last[2][2];
    std::uint8_t turns[2];
  };

  Stratego(bool barrage, Setup setup) : setup_(setup) {
    // From spy to marshal, then bombs and the flag.
    constexpr int kClassic[kRanks] = {0, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1};
    constexpr int kBarrage[kRanks] = {0, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    std::copy_n(barrage ? kBarrage : kClassic, int{kRanks}, army_);
    for (int rank = kRanks - 1; rank > 0; --rank) {
      for (int i = 0; i < army_[rank]; ++i) order_[men_++] = static_cast<std::uint8_t>(rank);
    }
  }

  int men() const { return men_; }
  int next_to_lay(const State& s) const { return order_[s.laid[s.mover]]; }

  Facts facts() const {
    return {.chance = setup_ == kByChance,
            .hidden = true,
            .utility_min = -1,
            .utility_max = 1,
            .step = 1,
            .max_actions = 8 * 18 + 32 * 4};
  }

  State initial() const { return {}; }

  int to_move(const State& s) const {
    if (laying(s)) return setup_ == kByChance ? kChance : s.mover;
    if (s.quiet >= kQuiet || flag(s, 0) < 0 || flag(s, 1) < 0) return kTerminal;
    return each_move(s, s.mover, [](Action) { return true; }) ? s.mover : kTerminal;
  }

  int actions(const State& s, Action* out, int capacity) const {
    int n = 0;
    const auto add = [&](Action a) {
      if (n < capacity) out[n] = a;
      ++n;
      return false;
    };
    if (!laying(s)) {
      each_move(s, s.mover, add);
      return n;
    }
    for (int i = 0; i < kHome; ++i) {
      const int square = home(s.mover) + i;
      if (!s.square[square]) add(kLay + square);
    }
    return n;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    const int n = actions(s, out, capacity);
    std::fill_n(odds, std::min(n, capacity), 1.0 / n);
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    const int us = s.mover;
    if (a >= kLay) {
      next.square[a - kLay] = static_cast<std::uint8_t>(next_to_lay(s) | us * kBlue);
      if (++next.laid[us] == men_) next.mover = 1 - us;
      return next;
    }
    const int from = from_of(a), to = to_of(a);
    const std::uint8_t met = s.square[to];
    std::uint8_t man = s.square[from] | kMoved;
    next.square[from] = 0;
    if (met) {
      const int won = fight(man & kRank, met & kRank);
      next.square[to] = won > 0 ? man | kShown : won < 0 ? met | kShown : 0;
    } else {
      if (std::abs(to - from) != 1 && std::abs(to - from) != kSide) man |= kShown;  // a scout
      next.square[to] = man;
    }
    next.quiet = met ? 0 : s.quiet + 1;
    next.turns[us] = returns(s, us, from, to) ? s.turns[us] + 1 : 1;
    next.last[us][0] = static_cast<std::uint8_t>(from + 1);
    next.last[us][1] = static_cast<std::uint8_t>(to + 1);
    next.mover = 1 - us;
    return next;
  }

  double utility(const State& s, int player) const {
    for (const int side : {0, 1}) {
      if (flag(s, side) < 0) return player == side ? -1 : 1;
    }
    const auto any = [](Action) { return true; };
    if (each_move(s, s.mover, any) || !each_move(s, 1 - s.mover, any)) return 0;
    return player == s.mover ? -1 : 1;
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  // The own pieces; the opponent's squares, which pieces have moved, which were revealed, and which
  // ranks are left. During the opponent's setup only the number of pieces.
  std::uint64_t observation(const State& s, int player) const {
    State seen = s;
    std::uint8_t left[kRanks] = {};
    const bool lying = laying(s);
    for (std::uint8_t& man : seen.square) {
      if (!man || side_of(man) == player) continue;
      ++left[man & kRank];
      if (lying) {
        man = 0;
      } else if (!(man & kShown)) {
        man &= ~kRank;
      }
    }
    if (lying) std::fill_n(left, int{kRanks}, std::uint8_t{0});
    return mix(hash_bytes(&seen, sizeof seen) ^ hash_bytes(left, sizeof left)) + to_move(s);
  }

  // Samples the opponent's hidden ranks uniformly among the consistent assignments: pieces that
  // have moved are neither bombs nor the flag.
  bool deal(const State& s, int player, std::uint64_t random, State& out) const {
    Random rng(random);
    const int over = to_move(s);
    for (int tries = 0; tries < 1000; ++tries) {
      out = s;
      laying(s) ? lay_anew(out, 1 - player, rng) : shuffle(out, 1 - player, rng);
      if (to_move(out) == over) return true;  // players see whether the game is over
    }
    return false;
  }

  // The value of the pieces, less if they are revealed, and their distance to the flag.
  double evaluate(const State& s, int player) const {
    const int flags[2] = {flag(s, 0), flag(s, 1)};
    double sum = 0;
    for (int i = 0; i < kSquares; ++i) {
      const std::uint8_t man = s.square[i];
      if (!man) continue;
      const int side = side_of(man), rank = man & kRank;
      double worth = kWorth[rank];
      if (man & kShown) worth *= kKnown;
      if (rank < kBomb && flags[1 - side] >= 0) worth -= kAway * distance(i, flags[1 - side]);
      sum += side == player ? worth : -worth;
    }
    return sum / (kScale + std::abs(sum));
  }

  bool valid(const State& s) const {
    if (s.mover > 1 || s.quiet > kQuiet) return false;
    int count[2][kRanks] = {};
    for (int i = 0; i < kSquares; ++i) {
      const std::uint8_t man = s.square[i];
      if (!man) continue;
      const int rank = man & kRank, side = side_of(man);
      if (man & 128 || rank == 0 || rank >= kRanks || lake(i)) return false;
      if (rank == kFlag && man & kShown) return false;
      if (man & kMoved ? rank >= kBomb : i < home(side) || i >= home(side) + kHome) return false;
      if (++count[side][rank] > army_[rank]) return false;
    }
    for (const int side : {0, 1}) {
      if (s.laid[side] > men_ || s.turns[side] > kMostTurns) return false;
      const int from = s.last[side][0] - 1, to = s.last[side][1] - 1;
      if ((from < 0) != (to < 0) || (from < 0) != (s.turns[side] == 0)) return false;
      if (from >= kSquares || to >= kSquares || (from >= 0 && !straight(from, to))) return false;
    }
    if (!laying(s)) return s.laid[0] == men_ && count[0][kFlag] + count[1][kFlag] > 0;
    if (s.quiet || s.turns[0] || s.turns[1]) return false;
    if (s.mover != (s.laid[0] == men_) || (s.mover == 0 && s.laid[1])) return false;
    for (const std::uint8_t man : s.square) {
      if (man & (kMoved | kShown)) return false;
    }
    for (const int side : {0, 1}) {
      int wanted[kRanks] = {};
      for (int i = 0; i < s.laid[side]; ++i) ++wanted[order_[i]];
      if (!std::equal(wanted, wanted + kRanks, count[side])) return false;
    }
    return true;
  }

  static bool lake(int square) {
    constexpr std::uint64_t kLakes = 0b11'0011'00 | std::uint64_t{0b11'0011'00} << kSide;
    return square >= 4 * kSide && square < 6 * kSide && kLakes >> (square - 4 * kSide) & 1;
  }

 private:
  // The value of a piece by rank. Losing the flag loses the game.
  static constexpr double kWorth[kRanks] = {0, 20, 6, 12, 8, 12, 20, 32, 48, 70, 100, 12, 0};
  static constexpr double kKnown = 0.8;  // factor if the opponent has seen it
  static constexpr double kAway = 0.15;  // penalty per step away from the flag
  static constexpr double kScale = 200;

  static int from_of(Action a) { return static_cast<int>(a & 127); }
  static int to_of(Action a) { return static_cast<int>(a >> 7 & 127); }
  static int side_of(std::uint8_t man) { return man & kBlue ? 1 : 0; }
  static int home(int side) { return side ? kSquares - kHome : 0; }
  static int distance(int a, int b) {
    return std::abs(a % kSide - b % kSide) + std::abs(a / kSide - b / kSide);
  }
  static bool straight(int a, int b) {
    return a != b && (a % kSide == b % kSide || a / kSide == b / kSide);
  }

  bool laying(const State& s) const { return s.laid[1] < men_; }

  static int flag(const State& s, int side) {
    const void* at = std::memchr(s.square, kFlag | side * kBlue, kSquares);  // it has no marks
    return at ? static_cast<int>(static_cast<const std::uint8_t*>(at) - s.square) : -1;
  }

  // Above 0: the attacker wins; below: it is removed; 0: both are removed.
  static int fight(int striker, int struck) {
    if (struck == kFlag) return 1;
    if (struck == kBomb) return striker == kMiner ? 1 : -1;
    if (striker == kSpy && struck == kMarshal) return 1;
    return striker - struck;
  }

  static bool returns(const State& s, int us, int from, int to) {
    return s.last[us][0] == to + 1 && s.last[us][1] == from + 1;
  }

  // Calls `take` with every move of a side until it says true; true: it did.
  template <class Take>
  bool each_move(const State& s, int us, Take take) const {
    constexpr int kSteps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (int from = 0; from < kSquares; ++from) {
      if (from % 4 == 0) {  // most squares are free: four at a time
        std::uint32_t four;
        std::memcpy(&four, s.square + from, 4);
        if (!four) {
          from += 3;
          continue;
        }
      }
      const std::uint8_t man = s.square[from];
      if (!man || side_of(man) != us || (man & kRank) >= kBomb) continue;
      const int far = (man & kRank) == kScout ? kSide : 1;
      for (const auto& step : kSteps) {
        int x = from % kSide, y = from / kSide;
        for (int i = 0; i < far; ++i) {
          x += step[0], y += step[1];
          if (x < 0 || y < 0 || x >= kSide || y >= kSide) break;
          const int to = x + kSide * y;
          const std::uint8_t met = s.square[to];
          if (lake(to) || (met && side_of(met) == us)) break;
          const bool too_often = s.turns[us] >= kMostTurns && returns(s, us, from, to);
          if (!too_often && take(static_cast<Action>(from | to << 7))) return true;
          if (met) break;
        }
      }
    }
    return false;
  }

  // Samples other squares for the pieces that a side has placed so far.
  void lay_anew(State& s, int side, Random& rng) const {
    std::uint8_t* own = s.square + home(side);
    std::fill_n(own, kHome, std::uint8_t{0});
    for (int i = 0; i < s.laid[side]; ++i) {
      own[i] = static_cast<std::uint8_t>(order_[i] | side * kBlue);
    }
    mix_up(own, kHome, rng);
  }

  // Samples other ranks for the unrevealed pieces of a side.
  static void shuffle(State& s, int side, Random& rng) {
    std::uint8_t still[kMostMen], places[kMostMen], stay[kMostMen], go[kMostMen];
    int stills = 0, stays = 0, goes = 0, count = 0;
    for (int i = 0; i < kSquares; ++i) {
      const std::uint8_t man = s.square[i];
      if (!man || side_of(man) != side || man & kShown) continue;
      (man & kMoved ? places[count++] : still[stills++]) = static_cast<std::uint8_t>(i);
      ((man & kRank) >= kBomb ? stay[stays++] : go[goes++]) = man & kRank;
    }
    std::sort(stay, stay + stays), std::sort(go, go + goes);  // their positions do not matter
    mix_up(still, stills, rng);
    mix_up(go, goes, rng);
    const auto put = [&](int square, int rank) {
      s.square[square] = static_cast<std::uint8_t>((s.square[square] & ~kRank) | rank);
    };
    for (int i = 0; i < stays; ++i) put(still[i], stay[i]);
    for (int i = stays; i < stills; ++i) places[count++] = still[i];
    for (int i = 0; i < goes; ++i) put(places[i], go[i]);
  }

  static void mix_up(std::uint8_t* items, int count, Random& rng) {
    for (int i = count; i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
  }

  Setup setup_;
  int men_ = 0;
  int army_[kRanks];              // number of pieces by rank
  std::uint8_t order_[kMostMen];  // of placement
};

}  // namespace zermelo
