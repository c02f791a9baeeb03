// The result of Monte Carlo tree search: the chosen move, its line, and all root moves.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../algorithm.hpp"
#include "../../parts/complete.hpp"
#include "statistics.hpp"
#include "tree.hpp"

namespace zermelo {

// Reads the result of a finished or running search from the tree.
template <class G>
class MctsReport {
 public:
  MctsReport(const Request& request, const MctsTree& tree)
      : request_(request), game_(request.game), tree_(tree) {}

  Result result(std::uint64_t simulations, int max_depth,
                const std::vector<Moments>& moments) const {
    Result r;
    const MctsNode& root = tree_[MctsTree::kRoot];
    r.nodes = r.leaves = simulations;
    r.depth = max_depth;
    r.stopped = request_.budget.stopped();
    if (!tree_.first(MctsTree::kRoot) || root.visits < 2) return r;
    r.has_value = true;
    r.bound = bound(MctsTree::kRoot);
    const std::uint32_t chosen = root.player == kChance ? 0 : choice(MctsTree::kRoot, moments);
    const std::uint32_t reported = chosen ? chosen : MctsTree::kRoot;
    r.value = mean(reported, 0);
    r.values = values(reported);
    if (chosen) r.line = line(chosen);
    r.decisive = r.bound == Bound::exact;
    r.moves = moves(moments);
    return r;
  }

 private:
  static constexpr std::size_t kMaxLine = 128;
  static constexpr double kRoundingError = 1e-14;
  static constexpr std::uint32_t kMinVisits = 2;  // of a node in the reported line

  double mean(std::uint32_t at, int p) const {
    const double m = tree_.width() == 1 ? tree_[at].mean.load() : tree_.values(at)[p].load();
    // Rounding may carry a mean of equal values beyond them.
    const Facts& f = request_.game.facts;
    const double within = tree_.width() == 1 ? std::clamp(m, f.utility_min, f.utility_max) : m;
    return std::abs(within) < kRoundingError ? 0 : within;
  }
  double value_for(std::uint32_t at, int player) const {
    if (tree_.width() > 1) return mean(at, player);
    return player == 1 ? 0 - mean(at, 0) : mean(at, 0);
  }
  std::vector<double> values(std::uint32_t at) const {
    std::vector<double> v;
    for (int p = 0; p < tree_.width() && tree_.width() > 1; ++p) v.push_back(mean(at, p));
    return v;
  }
  Bound bound(std::uint32_t at) const {
    return tree_[at].proven() ? Bound::exact : Bound::estimate;
  }

  // The child that would be played. A proven child is preferred to an unproven one whose value is
  // not greater.
  std::uint32_t choice(std::uint32_t at, const std::vector<Moments>& moments) const {
    const MctsNode& n = tree_[at];
    const FinalChoice how =
        at == MctsTree::kRoot ? request_.options.mcts.final : FinalChoice::visits;
    std::uint32_t proven = 0, unproven = 0;
    const bool settled = n.proven();
    const auto rank = [&](std::uint32_t c) {
      if (how == FinalChoice::visits) return static_cast<double>(tree_[c].visits);
      const std::size_t i = c - tree_.first(at);
      const double error = i < moments.size() ? moments[i].standard_error() : -1;
      const double margin = error < 0 ? kInfinity : error;
      return value_for(c, n.player) - (how == FinalChoice::secure ? margin : 0);
    };
    for (std::uint32_t c = tree_.first(at); c < tree_.end(at); ++c) {
      if (tree_[c].proven()) {
        if (!proven || value_for(c, n.player) > value_for(proven, n.player)) proven = c;
      } else if (tree_[c].visits > 0) {
        if (!unproven || rank(c) > rank(unproven)) unproven = c;
      }
    }
    if (proven &&
        (!unproven || settled || value_for(proven, n.player) >= value_for(unproven, n.player))) {
      return proven;
    }
    return unproven;
  }

  std::vector<Action> line(std::uint32_t at) const {
    std::vector<Action> line;
    for (; at && line.size() < kMaxLine;) {
      const MctsNode& n = tree_[at];
      line.push_back(n.action);
      if (!tree_.first(at) || n.player == kChance) break;
      at = choice(at, {});
      if (at && !tree_[at].proven() && tree_[at].visits < kMinVisits) break;
    }
    return line;
  }

  // All root moves that were searched, in the game's order.
  std::vector<RootMove> moves(const std::vector<Moments>& moments) const {
    const MctsNode& root = tree_[MctsTree::kRoot];
    const std::uint32_t first = tree_.first(MctsTree::kRoot), end = tree_.end(MctsTree::kRoot);
    std::vector<Action> order;
    if (root.player == kChance) {
      order.resize(root.count);
      std::vector<double> odds(root.count);
      game_.outcomes(game_.self, request_.state, order.data(), odds.data(), root.count);
    } else {
      order = root_actions(request_);
    }
    std::vector<RootMove> moves;
    for (const Action a : order) {
      for (std::uint32_t c = first; c < end; ++c) {
        if (tree_[c].action != a) continue;
        const std::uint32_t known = tree_[c].visits || tree_[c].proven() ? c : MctsTree::kRoot;
        RootMove m{a, mean(known, 0), bound(c), tree_[c].visits, line(c), -1, values(known)};
        if (known != c) m.found = Bound::estimate;
        const std::size_t i = c - first;
        if (i < moments.size() && !tree_[c].proven()) m.error = moments[i].standard_error();
        moves.push_back(std::move(m));
        break;
      }
    }
    return moves;
  }

  const Request& request_;
  const Game& game_;
  const MctsTree& tree_;
};

}  // namespace zermelo
