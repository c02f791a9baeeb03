// Regret minimization over groups of hands (abstraction.hpp). An iteration draws a board and walks
// the betting once for each player, with all hands at once: a vector has the reach probability of
// each of the opponent's hands. Rarely reached parts are visited with a lower probability and
// weighted accordingly.
//
// From: Johanson et al. 2012 (public chance sampling), Brown and Sandholm 2019 (iteration t counts
// t times, in regrets and in the average: linear CFR).
#pragma once

#include <algorithm>
#include <memory>

#include "board.hpp"

namespace zermelo::holdem {

struct SolverParams {
  double rare = 0.05;    // reached less: walked with odds in proportion
  double least = 0.001;  // but not less often than this
  bool floor = false;    // negative regrets are set to 0
};

class Solver {
 public:
  Solver(Abstraction& abstraction, SolverParams params)
      : abstraction_(abstraction),
        layout_(abstraction),
        params_(params),
        regret_(layout_.size()),
        sum_(layout_.size()),
        space_(std::make_unique<Space>()) {}

  void iterate(std::uint64_t seed) {
    random_ = Random(mix(seed) + ++iterations_);
    int cards[kBoard];
    Abstraction::draw(cards, kBoard, random_);
    const Board board(cards);
    board_ = &board;
    abstraction_.group(cards, board.standing, groups_);
    Vector reach, out;
    reach.fill(1);
    for (player_ = 0; player_ < 2; ++player_) {
      walk(0, reach, kLive, out, static_cast<float>(iterations_), 0);
    }
  }

  std::uint64_t iterations() const { return iterations_; }
  const Layout& layout() const { return layout_; }
  std::vector<float>& regrets() { return regret_; }
  std::vector<float>& sums() { return sum_; }
  void resume(std::uint64_t iterations) { iterations_ = iterations; }

  // The average so far; calls where nothing has ever been.
  std::vector<float> odds() const {
    const PublicTree& tree = PublicTree::table();
    std::vector<float> out(layout_.size());
    for (int n = 0; n < tree.size(); ++n) {
      const int count = tree[n].count;
      if (!count) continue;
      for (int g = 0; g < abstraction_.groups(tree[n].betting.round); ++g) {
        const std::size_t at = layout_.first(n) + static_cast<std::size_t>(g) * count;
        float all = 0;
        for (int a = 0; a < count; ++a) all += sum_[at + a];
        for (int a = 0; a < count; ++a) {
          out[at + a] = all > 0 ? sum_[at + a] / all : tree[n].moves[a] == kCall;
        }
      }
    }
    return out;
  }

 private:
  static constexpr int kMost = Abstraction::kMostGroups * kMoves;
  struct Level {
    Vector next, value[kMoves];
    float odds[kMost], change[kMost];
  };
  using Space = std::array<Level, kMostDepth>;

  void walk(int at, const Vector& reach, float all, Vector& out, float weight, int depth) {
    const PublicNode& node = PublicTree::table()[at];
    if (!node.count) return board_->end(node, player_, reach, out);
    const int n = node.count * abstraction_.groups(node.betting.round);
    match(regret_.data() + layout_.first(at), n, node.count, (*space_)[depth].odds);
    const bool mine = node.betting.actor() == player_;
    if (node.count == 3) {
      mine ? choose<3>(at, reach, all, out, weight, depth)
           : reply<3>(at, reach, out, weight, depth);
    } else {
      mine ? choose<2>(at, reach, all, out, weight, depth)
           : reply<2>(at, reach, out, weight, depth);
    }
  }

  // Actions in proportion to what they are regretted; each as likely where none is.
  static void match(const float* regret, int n, int count, float* odds) {
    for (int i = 0; i < n; i += count) {
      float all = 0;
      for (int a = 0; a < count; ++a) all += std::max(0.0f, regret[i + a]);
      for (int a = 0; a < count; ++a) {
        odds[i + a] = all > 0 ? std::max(0.0f, regret[i + a]) / all : 1.0f / count;
      }
    }
  }

  // The player whose regrets are learned: all actions, each hand takes what it would have got.
  template <int N>
  void choose(int at, const Vector& reach, float all, Vector& out, float weight, int depth) {
    const PublicNode& node = PublicTree::table()[at];
    Level& mine = (*space_)[depth];
    for (int a = 0; a < N; ++a) {
      descend(at, node.moves[a], reach, all, mine.value[a], weight, depth);
    }
    const auto& group = groups_[node.betting.round];
    const int n = N * abstraction_.groups(node.betting.round);
    std::fill_n(mine.change, n, 0.0f);
    for (int h = 0; h < kLive; ++h) {
      const int g = group[h] * N;
      float mean = 0;
      for (int a = 0; a < N; ++a) mean += mine.odds[g + a] * mine.value[a][h];
      for (int a = 0; a < N; ++a) mine.change[g + a] += mine.value[a][h] - mean;
      out[h] = mean;
    }
    float* regret = regret_.data() + layout_.first(at);
    for (int i = 0; i < n; ++i) {
      regret[i] += weight * mine.change[i];
      if (params_.floor) regret[i] = std::max(0.0f, regret[i]);
    }
  }

  // The other: its hands part, and what it does goes into its average.
  template <int N>
  void reply(int at, const Vector& reach, Vector& out, float weight, int depth) {
    const PublicNode& node = PublicTree::table()[at];
    Level& mine = (*space_)[depth];
    const auto& group = groups_[node.betting.round];
    const int groups = abstraction_.groups(node.betting.round);
    std::fill_n(mine.change, groups, 0.0f);
    for (int h = 0; h < kLive; ++h) mine.change[group[h]] += reach[h];
    float* sum = sum_.data() + layout_.first(at);
    out.fill(0);
    float parts[N] = {};
    for (int g = 0; g < groups; ++g) {
      for (int a = 0; a < N; ++a) {
        const float part = mine.change[g] * mine.odds[g * N + a];
        sum[g * N + a] += weight * part;
        parts[a] += part;
      }
    }
    for (int a = 0; a < N; ++a) {
      if (parts[a] == 0) continue;
      for (int h = 0; h < kLive; ++h) mine.next[h] = reach[h] * mine.odds[group[h] * N + a];
      descend(at, node.moves[a], mine.next, parts[a], mine.value[0], weight, depth);
      for (int h = 0; h < kLive; ++h) out[h] += mine.value[0][h];
    }
  }

  void descend(int at, int move, const Vector& reach, float all, Vector& out, float weight,
               int depth) {
    const PublicNode& node = PublicTree::table()[at];
    const int child = node.child[move];
    const PublicNode& next = PublicTree::table()[child];
    // Importance weights are already included.
    const double often = all * (weight / iterations_) / (kLive * params_.rare);
    if (often >= 1 || next.betting.over || next.betting.round == node.betting.round) {
      return walk(child, reach, all, out, weight, depth + 1);
    }
    const double odds = std::max(often, params_.least);
    if (random_.part() >= odds) return out.fill(0);
    const auto times = static_cast<float>(1 / odds);
    walk(child, reach, all, out, weight * times, depth + 1);
    for (float& v : out) v *= times;
  }

  Abstraction& abstraction_;
  Layout layout_;
  SolverParams params_;
  std::vector<float> regret_, sum_;
  std::uint64_t iterations_ = 0;
  Random random_{0};
  const Board* board_ = nullptr;
  int player_ = 0;
  Groups groups_;
  std::unique_ptr<Space> space_;
};

}  // namespace zermelo::holdem
