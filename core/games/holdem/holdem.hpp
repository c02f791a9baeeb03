// Heads-up limit Texas hold'em (betting.hpp): two private cards each, then three, one and one
// community cards; the best five of seven cards win (rank.hpp). Utilities are in small blinds.
//
// Cards are dealt one by one. Cards dealt together are kept sorted, the highest first, because
// their order does not matter.
//
// Design: training (solver.hpp) handles one board at a time. All 1081 hands that a board allows
// play against each other as vectors sorted by rank, so a showdown is one sweep. Hands share
// regrets by group (abstraction.hpp). Rarely reached betting sequences are visited less often and
// weighted accordingly.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>

#include "../../game.hpp"
#include "../../parts/hash.hpp"
#include "betting.hpp"
#include "rank.hpp"

namespace zermelo {

class Holdem {
 public:
  static constexpr int kDealt = 9, kHole = 2;
  static constexpr Action kDeal = 16;  // and the number of the card, from 1

  struct State {
    std::uint64_t made;         // 1, then two bits a move, the last one lowest
    std::uint8_t card[kDealt];  // of player 0, of player 1, face up; from 1; 0: not dealt
    std::uint8_t dealt;         // how many
    holdem::Betting betting;    // what `made` comes to
  };

  Facts facts() const {
    return {.chance = true,
            .hidden = true,
            .utility_min = -holdem::kMostPaid,
            .utility_max = holdem::kMostPaid,
            .step = 1,
            .max_actions = holdem::kCards};
  }

  State initial() const {
    State s;
    std::memset(static_cast<void*>(&s), 0, sizeof s);
    s.made = 1;
    s.betting = {};
    return s;
  }

  int to_move(const State& s) const {
    if (s.betting.over) return kTerminal;
    return s.dealt < cards_in(s.betting.round) ? kChance : s.betting.actor();
  }

  int actions(const State& s, Action* out, int capacity) const {
    int n = 0;
    for (int move = 0; move < holdem::kMoves; ++move) {
      if (!s.betting.legal(move)) continue;
      if (n < capacity) out[n] = move;
      ++n;
    }
    return n;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    int n = 0;
    for (int card = 1; card <= holdem::kCards; ++card) {
      if (std::find(s.card, s.card + s.dealt, card) != s.card + s.dealt) continue;
      if (n < capacity) out[n] = kDeal + card, odds[n] = 1.0 / (holdem::kCards - s.dealt);
      ++n;
    }
    return n;
  }

  State play(const State& s, Action a) const {
    State next = s;
    if (a >= kDeal) {
      next.card[next.dealt++] = static_cast<std::uint8_t>(a - kDeal);
      sort_last(next);
    } else {
      next.made = s.made << 2 | a;
      next.betting.play(static_cast<int>(a));
    }
    return next;
  }

  double utility(const State& s, int player) const {
    const auto& b = s.betting;
    if (b.over >= b.kFolded) {
      const int loser = b.over - b.kFolded;
      return player == loser ? -b.paid[loser] : b.paid[loser];
    }
    const int mine = strength(s, player), other = strength(s, 1 - player);
    return mine == other ? 0 : mine > other ? b.paid[1 - player] : -b.paid[player];
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  // All but the other's cards, of which a player sees only how many there are.
  std::uint64_t observation(const State& s, int player) const {
    State seen = s;
    for (int i = 0; i < kHole; ++i) {
      auto& card = seen.card[kHole * (1 - player) + i];
      card = card != 0;
    }
    return hash_bytes(&seen, sizeof seen);
  }

  // The other's cards are any that are not seen, each pair as likely.
  bool deal(const State& s, int player, std::uint64_t random, State& out) const {
    out = s;
    std::uint8_t* theirs = out.card + kHole * (1 - player);
    const int count = (theirs[0] != 0) + (theirs[1] != 0);
    std::uint8_t left[holdem::kCards];
    int n = 0;
    for (int card = 1; card <= holdem::kCards; ++card) {
      bool seen = false;
      for (int i = 0; i < s.dealt; ++i) seen |= s.card[i] == card && !is_of(i, 1 - player);
      if (!seen) left[n++] = static_cast<std::uint8_t>(card);
    }
    for (int i = 0; i < count; ++i) {
      const int at = static_cast<int>((mix(random + i) >> 32) * n >> 32);
      theirs[i] = left[at];
      left[at] = left[--n];
    }
    if (theirs[0] < theirs[1]) std::swap(theirs[0], theirs[1]);
    return true;
  }

  // Accepts only reachable states.
  bool valid(const State& s) const {
    if (s.dealt > kDealt || s.made == 0) return false;
    State built = initial();
    int left = (std::bit_width(s.made) - 1) & ~1;
    for (;;) {
      const int player = to_move(built);
      if (player == kTerminal) break;
      if (player == kChance) {
        if (built.dealt == s.dealt) break;
        const int card = s.card[built.dealt];
        if (card < 1 || card > holdem::kCards) return false;
        if (std::find(s.card, s.card + built.dealt, card) != s.card + built.dealt) return false;
        built.card[built.dealt++] = static_cast<std::uint8_t>(card);
      } else {
        if (left == 0) break;
        left -= 2;
        const int move = s.made >> left & 3;
        if (move == holdem::kMoves || !built.betting.legal(move)) return false;
        built = play(built, move);
      }
    }
    State sorted = built;
    for (sorted.dealt = 1; sorted.dealt <= built.dealt; ++sorted.dealt) sort_last(sorted);
    sorted.dealt = built.dealt;
    return std::memcmp(&sorted, &s, sizeof s) == 0;
  }

  static int cards_in(int round) { return round == 0 ? 2 * kHole : 2 * kHole + 2 + round; }

  static int strength(const State& s, int player) {
    const auto& ranks = holdem::Ranks::table();
    holdem::Hand hand;
    for (int i = 0; i < kDealt; ++i) {
      if (!is_of(i, 1 - player)) hand = hand + ranks.card(s.card[i] - 1);
    }
    return ranks.rank(hand);
  }

 private:
  static bool is_of(int place, int player) { return place / kHole == player; }

  // Puts the card that came last into its place among those that came with it.
  static void sort_last(State& s) {
    const int last = s.dealt - 1;
    const int first = last < 4 ? last & ~1 : last < 7 ? 4 : last;
    std::sort(s.card + first, s.card + s.dealt, std::greater<>());
  }
};

static_assert(sizeof(Holdem::State) == 24, "no byte of a state is left to chance");

}  // namespace zermelo
