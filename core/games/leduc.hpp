// Leduc poker: jack, queen and king, two of each. One card each, an ante of 1; a round of betting
// in twos, then a card face up and a round in fours; at most two raises a round. A pair with the
// open card wins, else the higher card; equal cards share.
//
// Suits never matter: cards are ranks, and chance counts how many are left. (With `suits` all six
// are distinguished, as in other programs, and the tree is the larger for it.)
#pragma once

#include <algorithm>

#include "../game.hpp"
#include "../parts/hash.hpp"
#include "poker.hpp"

namespace zermelo {

class Leduc {
 public:
  static constexpr int kRanks = 3, kOfEach = 2, kRaises = 2, kMoves = 4;  // in a round
  static constexpr Action kFold = 0, kCall = 1, kRaise = 2, kDeal = 16;   // and the card

  struct State {
    std::uint8_t card[3];          // of the players, and the open one; from 1; 0: not dealt
    std::uint8_t round;            // 0 or 1
    std::uint8_t moves[2];         // how many were made in each round
    std::uint8_t made[2][kMoves];  // which
    std::uint8_t over;
  };

  explicit Leduc(bool suits) : suits_(suits) {}

  Facts facts() const {
    return {.chance = true,
            .hidden = true,
            .utility_min = -13,
            .utility_max = 13,
            .step = 1,
            .max_actions = kRanks * kOfEach};
  }

  State initial() const { return {}; }

  int to_move(const State& s) const {
    if (s.over) return kTerminal;
    if (!s.card[1] || (s.round == 1 && !s.card[2])) return kChance;
    return s.moves[s.round] & 1;
  }

  int actions(const State& s, Action* out, int capacity) const {
    Action list[3];
    int n = 0;
    if (to_pay(s)) list[n++] = kFold;
    list[n++] = kCall;
    if (raises(s, s.round) < kRaises) list[n++] = kRaise;
    for (int i = 0; i < n && i < capacity; ++i) out[i] = list[i];
    return n;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    const int kinds = suits_ ? kRanks * kOfEach : kRanks, of_each = suits_ ? 1 : kOfEach;
    const int left = kRanks * kOfEach - (s.card[0] != 0) - (s.card[1] != 0);
    int n = 0;
    for (int card = 1; card <= kinds; ++card) {
      const int there = of_each - (s.card[0] == card) - (s.card[1] == card);
      if (there <= 0) continue;
      if (n < capacity) out[n] = kDeal + card, odds[n] = static_cast<double>(there) / left;
      ++n;
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    if (to_move(s) == kChance) {
      next.card[!s.card[0] ? 0 : !s.card[1] ? 1 : 2] = static_cast<std::uint8_t>(a - kDeal);
      return next;
    }
    const bool closes = a == kCall && (to_pay(s) || s.moves[s.round] > 0);
    next.made[s.round][next.moves[s.round]++] = static_cast<std::uint8_t>(a);
    if (a == kFold || (closes && s.round == 1)) next.over = 1;
    if (closes && s.round == 0) next.round = 1;
    return next;
  }

  double utility(const State& s, int player) const {
    const int paid[2] = {pays(s, 0), pays(s, 1)};
    const int last = s.moves[s.round] - 1;
    if (last >= 0 && s.made[s.round][last] == kFold) {
      const int loser = last & 1;
      return player == loser ? -paid[loser] : paid[loser];
    }
    const int mine = strength(s, player), other = strength(s, 1 - player);
    return mine == other ? 0 : mine > other ? paid[1 - player] : -paid[player];
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  std::uint64_t observation(const State& s, int player) const {
    return poker_observation(s, player);
  }

  // Accepts only reachable states.
  bool valid(const State& s) const {
    State built{};
    Action list[kRanks * kOfEach];
    double odds[kRanks * kOfEach];
    int dealt = 0, made[2] = {0, 0};
    for (;;) {
      const int player = to_move(built);
      if (player == kTerminal) break;
      if (player == kChance) {
        if (dealt == 3 || !s.card[dealt]) break;
        const int n = outcomes(built, list, odds, kRanks * kOfEach);
        const Action card = kDeal + s.card[dealt++];
        if (std::find(list, list + n, card) == list + n) return false;
        built = play(built, card);
      } else {
        const int round = built.round;
        if (s.moves[round] > kMoves) return false;
        if (made[round] == s.moves[round]) break;
        const int n = actions(built, list, 3);
        const Action a = s.made[round][made[round]++];
        if (std::find(list, list + n, a) == list + n) return false;
        built = play(built, a);
      }
    }
    return hash_bytes(&built, sizeof built) == hash_bytes(&s, sizeof s);
  }

  int rank(int card) const { return suits_ ? (card + 1) / 2 : card; }

  // What a player has put into the pot.
  static int pays(const State& s, int player) {
    int all[2] = {1, 1};
    for (int round = 0; round <= s.round; ++round) {
      for (int i = 0; i < s.moves[round]; ++i) {
        const int who = i & 1;
        if (s.made[round][i] == kFold) continue;
        all[who] = std::max(all[0], all[1]);
        if (s.made[round][i] == kRaise) all[who] += round ? 4 : 2;
      }
    }
    return all[player];
  }

 private:
  static bool to_pay(const State& s) { return pays(s, 0) != pays(s, 1); }
  static int raises(const State& s, int round) {
    return static_cast<int>(std::count(s.made[round], s.made[round] + s.moves[round], kRaise));
  }
  int strength(const State& s, int player) const {
    const int mine = rank(s.card[player]);
    return mine == rank(s.card[2]) ? kRanks + mine : mine;
  }

  bool suits_;
};

}  // namespace zermelo
