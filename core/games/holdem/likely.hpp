// Queries of a policy: its actions with a hand, and the distribution of its hands given its
// actions.
#pragma once

#include "board.hpp"
#include "holdem.hpp"

namespace zermelo::holdem {

// The open cards of a state, from 0; how many.
inline int open_cards(const Holdem::State& s, int* board) {
  const int count = std::max(0, s.dealt - 2 * Holdem::kHole);
  for (int i = 0; i < count; ++i) board[i] = s.card[2 * Holdem::kHole + i] - 1;
  return count;
}

inline int moves_in(const Holdem::State& s) { return (std::bit_width(s.made) - 1) / 2; }

// The probabilities of the mover's actions, in the order of the rules.
inline std::vector<double> odds_of(const Policy& policy, const Holdem::State& s) {
  const int at = PublicTree::table().find(s.made, moves_in(s));
  const PublicNode& node = PublicTree::table()[at];
  const std::uint8_t* mine = s.card + Holdem::kHole * node.betting.actor();
  int board[kBoard];
  const int open = open_cards(s, board);
  const int group = policy.abstraction->group(board, open)[pair_of(mine[0] - 1, mine[1] - 1)];
  const float* odds = policy.odds.data() + policy.layout->first(at) + group * node.count;
  return {odds, odds + node.count};
}

// How likely `player` holds each pair if it plays by the policy, as all see it who do not see any
// hand but that of the other player.
inline std::vector<double> likely(const Policy& policy, const Holdem::State& s, int player) {
  const PublicTree& tree = PublicTree::table();
  int board[kBoard];
  const int open = open_cards(s, board);
  std::uint64_t seen = sum_of(board, open).mask;
  for (int i = 0; i < Holdem::kHole; ++i) {
    if (const int card = s.card[Holdem::kHole * (1 - player) + i]) {
      seen |= Ranks::table().card(card - 1).mask;
    }
  }
  std::vector<double> out(kPairs);
  for (int p = 0; p < kPairs; ++p) out[p] = !(Pairs::table().hand[p].mask & seen);
  std::vector<std::uint16_t> groups;
  int round = -1;
  for (int left = moves_in(s); left > 0; --left) {
    const int at = tree.find(s.made >> (2 * left), moves_in(s) - left);
    const PublicNode& node = tree[at];
    if (node.betting.actor() != player) continue;
    if (node.betting.round != round) {
      round = node.betting.round;
      groups = policy.abstraction->group(board, round == 0 ? 0 : round + 2);
    }
    const int move = s.made >> (2 * (left - 1)) & 3;
    int a = 0;
    while (node.moves[a] != move) ++a;
    const float* odds = policy.odds.data() + policy.layout->first(at);
    for (int p = 0; p < kPairs; ++p) {
      if (out[p] > 0) out[p] *= odds[groups[p] * node.count + a];
    }
  }
  double all = 0;
  for (const double x : out) all += x;
  // The policy never acts like this: assume any hand.
  for (int p = 0; p < kPairs; ++p) {
    out[p] = all > 0 ? out[p] / all : !(Pairs::table().hand[p].mask & seen);
  }
  return out;
}

// Two hands against each other over all boards that hold the cards already open: how often the
// first wins, shares and loses.
inline std::array<std::uint64_t, 3> equity(const int* one, const int* other, const int* board,
                                           int open) {
  const Ranks& ranks = Ranks::table();
  const Hand a = sum_of(one, 2), b = sum_of(other, 2), table = sum_of(board, open);
  std::array<std::uint64_t, 3> found{};
  const auto add = [&](auto&& self, Hand all, int below, int left) -> void {
    if (left == 0) {
      const int mine = ranks.rank(a + all), theirs = ranks.rank(b + all);
      ++found[mine > theirs ? 0 : mine == theirs ? 1 : 2];
      return;
    }
    for (int c = left - 1; c < below; ++c) {
      const Hand card = ranks.card(c);
      if (!(card.mask & (a.mask | b.mask | table.mask))) self(self, all + card, c, left - 1);
    }
  };
  add(add, table, kCards, kBoard - open);
  return found;
}

// The part of the pot that a hand gets against hands of these weights if nobody folds: over all
// boards, before the flop over some that are drawn.
inline double against(const int* mine, const int* board, int open,
                      const std::vector<double>& weights, int draws) {
  const Ranks& ranks = Ranks::table();
  const Pairs& pairs = Pairs::table();
  const Hand hand = sum_of(mine, 2), table = sum_of(board, open);
  double won = 0, all = 0;
  const auto count = [&](Hand full) {
    const int rank = ranks.rank(hand + full);
    for (int p = 0; p < kPairs; ++p) {
      if (weights[p] <= 0 || pairs.hand[p].mask & (hand.mask | full.mask)) continue;
      const int other = ranks.rank(pairs.hand[p] + full);
      won += weights[p] * (rank > other ? 1 : rank == other ? 0.5 : 0);
      all += weights[p];
    }
  };
  const auto add = [&](auto&& self, Hand full, int below, int left) -> void {
    if (left == 0) return count(full);
    for (int c = left - 1; c < below; ++c) {
      const Hand card = ranks.card(c);
      if (!(card.mask & (hand.mask | table.mask))) self(self, full + card, c, left - 1);
    }
  };
  if (open > 0) {
    add(add, table, kCards, kBoard - open);
  } else {
    Random random(1);
    while (draws > 0) {
      int cards[kBoard];
      Abstraction::draw(cards, kBoard, random);
      const Hand full = sum_of(cards, kBoard);
      if (full.mask & hand.mask) continue;
      count(full);
      --draws;
    }
  }
  return all > 0 ? won / all : 0.5;
}

}  // namespace zermelo::holdem
