// One board and all hands on it: the value of the end of the betting for each hand against the
// opponent's distribution of hands. A vector has one number per hand, in the order of `Standing`.
#pragma once

#include <array>
#include <vector>

#include "abstraction.hpp"
#include "public_tree.hpp"

namespace zermelo::holdem {

inline constexpr int kMostDepth = 24;
inline constexpr double kHandPairs = 1081.0 * 990.0;  // both players' hands on one board

using Vector = std::array<float, kLive>;

class Board {
 public:
  explicit Board(const int* cards) : standing(cards) {
    std::copy(cards, cards + kBoard, open);
    for (int i = 0; i < kLive; ++i) {
      if (i == 0 || standing.rank[i] != standing.rank[i - 1]) first_.push_back(i);
    }
    first_.push_back(kLive);
  }

  int open[kBoard];
  Standing standing;

  // The opponent folds, or (`stake` below 0) the player: weighted by the opponent's reach
  // probability.
  void fold(const Vector& reach, float stake, Vector& out) const {
    float all = 0, with[kCards] = {};
    for (int h = 0; h < kLive; ++h) {
      all += reach[h];
      with[standing.high[h]] += reach[h];
      with[standing.low[h]] += reach[h];
    }
    for (int h = 0; h < kLive; ++h) {
      out[h] = stake * (all - with[standing.high[h]] - with[standing.low[h]] + reach[h]);
    }
  }

  // Wins less losses are what is below a hand, and with those as good, less all: each without the
  // hands that share a card with it.
  void showdown(const Vector& reach, float stake, Vector& out) const {
    float below = 0, with[kCards] = {};
    const auto at = [&](int h) { return below - with[standing.high[h]] - with[standing.low[h]]; };
    for (std::size_t g = 0; g + 1 < first_.size(); ++g) {
      for (int h = first_[g]; h < first_[g + 1]; ++h) out[h] = at(h);
      for (int h = first_[g]; h < first_[g + 1]; ++h) {
        below += reach[h];
        with[standing.high[h]] += reach[h];
        with[standing.low[h]] += reach[h];
      }
      for (int h = first_[g]; h < first_[g + 1]; ++h) out[h] += at(h);
    }
    for (int h = 0; h < kLive; ++h) out[h] = stake * (out[h] - at(h));
  }

  // The end of the betting, to `player`.
  void end(const PublicNode& node, int player, const Vector& reach, Vector& out) const {
    const auto stake = static_cast<float>(node.loses);
    if (node.betting.over == Betting::kShowdown) {
      showdown(reach, stake, out);
    } else {
      fold(reach, node.betting.over == Betting::kFolded + player ? -stake : stake, out);
    }
  }

 private:
  std::vector<int> first_;  // hand of each rank, and the end
};

// Odds of every action for every group, by the layout of their abstraction.
struct Policy {
  Abstraction* abstraction;
  const Layout* layout;
  std::vector<float> odds;
};

// What player 0's side wins of the other on one board, a hand, over all their cards and from both
// seats, in small blinds.
class Meeting {
 public:
  Meeting(const Policy& one, const Policy& other) : side_{&one, &other} {}

  double play(const int* cards) {
    const Board board(cards);
    board_ = &board;
    for (int i = 0; i < 2; ++i) side_[i]->abstraction->group(cards, board.standing, groups_[i]);
    double sum = 0;
    Vector reach, out;
    reach.fill(1);
    for (seat_ = 0; seat_ < 2; ++seat_) {
      walk(0, reach, out, 0);
      for (const float v : out) sum += v;
    }
    return sum / (2 * kHandPairs);
  }

 private:
  void walk(int at, const Vector& reach, Vector& out, int depth) {
    const PublicNode& node = PublicTree::table()[at];
    if (!node.count) return board_->end(node, seat_, reach, out);
    const bool mine = node.betting.actor() == seat_;
    const int who = mine ? 0 : 1;
    const auto& group = groups_[who][node.betting.round];
    const float* odds = side_[who]->odds.data() + side_[who]->layout->first(at);
    Vector &next = space_[depth][0], &value = space_[depth][1];
    out.fill(0);
    for (int a = 0; a < node.count; ++a) {
      const int child = node.child[node.moves[a]];
      if (mine) {
        walk(child, reach, value, depth + 1);
        for (int h = 0; h < kLive; ++h) out[h] += odds[group[h] * node.count + a] * value[h];
        continue;
      }
      float all = 0;
      for (int h = 0; h < kLive; ++h) {
        next[h] = reach[h] * odds[group[h] * node.count + a];
        all += next[h];
      }
      if (all == 0) continue;
      walk(child, next, value, depth + 1);
      for (int h = 0; h < kLive; ++h) out[h] += value[h];
    }
  }

  const Policy* side_[2];
  const Board* board_ = nullptr;
  int seat_ = 0;  // of side 0
  Groups groups_[2];
  std::array<std::array<Vector, 2>, kMostDepth> space_;
};

}  // namespace zermelo::holdem
