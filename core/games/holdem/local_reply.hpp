// A lower bound of the exploitability of a policy (local best response): a player who knows the
// policy, and therefore the distribution of the opponent's hands, takes the action that is best if
// all further actions are calls (before the flop it calls).
//
// From: Lisý and Bowling 2017 (local best response).
#pragma once

#include "board.hpp"

namespace zermelo::holdem {

class LocalReply {
 public:
  explicit LocalReply(const Policy& policy) : policy_(policy), space_(kMostDepth) {}

  // What it wins on one board, a hand, over all cards and from both seats, in small blinds. How
  // hands may end is judged by boards that are drawn: it must not know the one to come.
  double play(const int* cards, Random& random) {
    constexpr int kOpen[kRounds] = {0, 3, 4, 5}, kEnds[kRounds] = {0, 16, 12, 1};
    const Board board(cards);
    board_ = &board;
    for (int round = 0; round < kRounds; ++round) {
      group_[round] = policy_.abstraction->group(cards, kOpen[round]);
      ends_[round].clear();
      for (int i = 0; i < kEnds[round]; ++i) {
        int full[kBoard];
        std::copy(cards, cards + kBoard, full);
        for (int k = kOpen[round]; k < kBoard; ++k) {
          do {
            full[k] = static_cast<int>(random.below(kCards));
          } while (std::find(full, full + k, full[k]) != full + k);
        }
        ends_[round].emplace_back(full);
      }
    }
    double won = 0;
    Range reach, out;
    reach.fill(1);
    for (seat_ = 0; seat_ < 2; ++seat_) {
      walk(0, reach, out, 0);
      for (const float v : out) won += v;
    }
    return won / (2 * kHandPairs);
  }

 private:
  using Range = std::array<float, kPairs>;
  struct Level {
    Range here, next, value[kMoves], worth[kMoves], edge, all;
  };

  void walk(int at, const Range& given, Range& out, int depth) {
    const PublicNode& node = PublicTree::table()[at];
    if (!node.count) return end(node, given, out);
    Level& mine = space_[depth];
    const auto& group = group_[node.betting.round];
    for (int p = 0; p < kPairs; ++p) {
      mine.here[p] = group[p] == Abstraction::kNone ? 0 : given[p];
    }
    if (node.betting.actor() == seat_) {
      choose(node, out, depth);
    } else {
      out.fill(0);
      for (int a = 0; a < node.count; ++a) {
        part(at, a, mine.here, mine.next);
        walk(node.child[node.moves[a]], mine.next, mine.value[0], depth + 1);
        for (int p = 0; p < kPairs; ++p) out[p] += mine.value[0][p];
      }
    }
  }

  // The hands of the other that take its a-th action.
  void part(int at, int a, const Range& from, Range& to) const {
    const PublicNode& node = PublicTree::table()[at];
    const auto& group = group_[node.betting.round];
    const float* odds = policy_.odds.data() + policy_.layout->first(at);
    for (int p = 0; p < kPairs; ++p) {
      to[p] = from[p] > 0 ? from[p] * odds[group[p] * node.count + a] : 0;
    }
  }

  void choose(const PublicNode& node, Range& out, int depth) {
    Level& mine = space_[depth];
    if (node.betting.round == 0) {
      return walk(node.child[kCall], mine.here, out, depth + 1);
    }
    judge(node, mine);
    for (int a = 0; a < node.count; ++a) {
      walk(node.child[node.moves[a]], mine.here, mine.value[a], depth + 1);
    }
    for (int p = 0; p < kPairs; ++p) {
      int best = 0;
      for (int a = 1; a < node.count; ++a) {
        if (mine.worth[a][p] > mine.worth[best][p]) best = a;
      }
      out[p] = mine.value[best][p];
    }
  }

  // The estimated value of each action for each hand, times the opponent's reach probability.
  void judge(const PublicNode& node, Level& mine) const {
    const Betting& b = node.betting;
    const auto own = static_cast<float>(b.paid[seat_]);
    const auto other = static_cast<float>(b.paid[1 - seat_]);
    for (int a = 0; a < node.count; ++a) {
      Range& worth = mine.worth[a];
      const int child = node.child[node.moves[a]];
      if (node.moves[a] == kFold) {
        weigh(mine.here, worth);
        for (float& w : worth) w *= -own;
      } else if (node.moves[a] == kCall) {
        expect(b.round, mine.here, other, mine, worth);
      } else {
        // It folds some hands, and calls with the others.
        const PublicNode& next = PublicTree::table()[child];
        part(child, 0, mine.here, mine.next);
        weigh(mine.next, worth);
        for (float& w : worth) w *= other;
        for (int p = 0; p < kPairs; ++p) mine.next[p] = mine.here[p] - mine.next[p];
        expect(b.round, mine.next, next.betting.paid[seat_], mine, mine.value[0]);
        for (int p = 0; p < kPairs; ++p) worth[p] += mine.value[0][p];
      }
    }
  }

  // For every hand: the probability that the opponent has one that shares no card with it.
  static void weigh(const Range& reach, Range& out) {
    const Pairs& pairs = Pairs::table();
    float all = 0, with[kCards] = {};
    for (int p = 0; p < kPairs; ++p) {
      all += reach[p];
      with[pairs.high[p]] += reach[p];
      with[pairs.low[p]] += reach[p];
    }
    for (int p = 0; p < kPairs; ++p) {
      out[p] = all - with[pairs.high[p]] - with[pairs.low[p]] + reach[p];
    }
  }

  // What every hand wins at a showdown for so much, over the boards that were drawn.
  void expect(int round, const Range& reach, float stake, Level& mine, Range& out) const {
    mine.edge.fill(0);
    mine.all.fill(0);
    Vector some, found;
    for (const Board& board : ends_[round]) {
      for (int h = 0; h < kLive; ++h) some[h] = reach[board.standing.pair[h]];
      board.showdown(some, 1, found);
      for (int h = 0; h < kLive; ++h) mine.edge[board.standing.pair[h]] += found[h];
      board.fold(some, 1, found);
      for (int h = 0; h < kLive; ++h) mine.all[board.standing.pair[h]] += found[h];
    }
    weigh(reach, out);
    for (int p = 0; p < kPairs; ++p) {
      out[p] *= mine.all[p] > 0 ? stake * mine.edge[p] / mine.all[p] : 0;
    }
  }

  void end(const PublicNode& node, const Range& reach, Range& out) const {
    Vector some, found;
    for (int h = 0; h < kLive; ++h) some[h] = reach[board_->standing.pair[h]];
    board_->end(node, seat_, some, found);
    out.fill(0);
    for (int h = 0; h < kLive; ++h) out[board_->standing.pair[h]] = found[h];
  }

  const Policy& policy_;
  const Board* board_ = nullptr;
  int seat_ = 0;
  std::vector<std::uint16_t> group_[kRounds];
  std::vector<Board> ends_[kRounds];
  std::vector<Level> space_;
};

}  // namespace zermelo::holdem
