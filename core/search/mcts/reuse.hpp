// Tree reuse: the node of the new root state becomes the root of the kept tree.
#pragma once

#include <algorithm>
#include <vector>

#include "../../parts/complete.hpp"
#include "tree.hpp"

namespace zermelo {

class MctsReuse {
 public:
  MctsReuse(const Request& request, MctsTree& tree) : request_(request), tree_(tree) {}

  // Looks for the root state in the kept tree and makes its node the root, with the children that
  // the request allows. Without such a node the tree is cleared. Returns how many simulations the
  // root already has.
  std::uint64_t run() {
    const auto* state = static_cast<const std::byte*>(request_.state);
    std::vector<std::byte> wanted(state, state + request_.game.facts.state_size);
    // A trace shows how the tree grows from the root, so it starts with an empty tree.
    const bool fresh = tree_.root_state.empty() || request_.recorder;
    const std::uint32_t found = fresh ? 0 : find(wanted);
    if (found == 0 || !keep(found)) tree_.clear();
    tree_.clear_selected();
    tree_.root_state = std::move(wanted);
    tree_.root_restricted = !request_.options.without.empty();
    return tree_[MctsTree::kRoot].visits;
  }

 private:
  static constexpr int kDepth = 4;                  // plies below the old root to look for the new
  static constexpr std::uint32_t kNodes = 1 << 13;  // nodes to compare with it

  // The node of the kept tree with this state, in breadth-first order; 0: there is none.
  std::uint32_t find(const std::vector<std::byte>& wanted) const {
    const Game& g = request_.game;
    const std::uint64_t key = g.key(g.self, wanted.data());
    struct Candidate {
      std::uint32_t node;
      int depth;
      std::vector<std::byte> state;
    };
    std::vector<Candidate> queue{{MctsTree::kRoot, 0, tree_.root_state}};
    for (std::size_t i = 0; i < queue.size() && i < kNodes; ++i) {
      const Candidate at = std::move(queue[i]);
      const std::size_t used = g.used ? g.used(g.self, at.state.data()) : g.facts.state_size;
      if (g.key(g.self, at.state.data()) == key &&
          std::equal(at.state.begin(), at.state.begin() + used, wanted.begin())) {
        return at.node;
      }
      const std::uint32_t end = at.depth < kDepth ? tree_.end(at.node) : 0;
      for (std::uint32_t c = tree_.first(at.node); c < end; ++c) {
        if (tree_[c].visits == 0) continue;
        std::vector<std::byte> next(at.state.size());
        g.play(g.self, at.state.data(), tree_[c].action, next.data());
        queue.push_back({c, at.depth + 1, std::move(next)});
      }
    }
    return 0;
  }

  // Makes a node the root. False: it lacks children that the request allows.
  bool keep(std::uint32_t node) {
    const bool restricts = !request_.options.without.empty();
    const bool restricted = node == MctsTree::kRoot && tree_.root_restricted;
    bool removes = false;
    if (!tree_.first(node) && tree_[node].proven()) return false;  // proved without children
    if ((restricts || restricted) && !allows_all(node, &removes)) return false;
    if (removes) remove_children(node);
    if (removes || node != MctsTree::kRoot) tree_.keep(node);
    return true;
  }

  // Whether all allowed actions are children of the node, or it has no children yet. removes: it
  // also has children that are not allowed.
  bool allows_all(std::uint32_t node, bool* removes) {
    if (!tree_.first(node)) return true;
    allowed_ = root_actions(request_);
    std::sort(allowed_.begin(), allowed_.end());
    std::size_t shared = 0;
    for (std::uint32_t c = tree_.first(node); c < tree_.end(node); ++c) shared += allowed(c);
    *removes = shared < tree_[node].count;
    return shared == allowed_.size();
  }
  bool allowed(std::uint32_t child) const {
    return std::binary_search(allowed_.begin(), allowed_.end(), tree_[child].action);
  }

  // Removes the children that are not allowed. The statistics of the node become those of the
  // others. It stays proved only if one of the others has its value; if all others are proved, the
  // next simulation proves it again.
  void remove_children(std::uint32_t node) {
    MctsNode& n = tree_[node];
    tree_.remove_children(node, [&](std::uint32_t c) { return !allowed(c); });
    const std::uint32_t first = tree_.first(node), end = tree_.end(node);
    bool proven = false;
    std::uint32_t visits = 0;
    for (std::uint32_t c = first; c < end; ++c) {
      visits += tree_[c].visits;
      proven |= n.proven() && tree_[c].proven() && equal_values(node, c);
    }
    const MctsParams& params = request_.options.mcts;
    if (params.priors || params.guide || params.prior) normalize_priors(first, end);
    n.visits = visits + 1;
    if (proven) return;
    n.flags &= static_cast<std::uint8_t>(~MctsNode::kProven);
    if (visits == 0) return;
    const auto average = [&](auto mean_of) {
      double sum = 0;
      for (std::uint32_t c = first; c < end; ++c) sum += tree_[c].visits * mean_of(c).load();
      mean_of(node) = sum / visits;
    };
    average([&](std::uint32_t i) -> std::atomic<double>& { return tree_[i].mean; });
    for (int p = 0; p < tree_.width() && tree_.width() > 1; ++p) {
      average([&](std::uint32_t i) -> std::atomic<double>& { return tree_.values(i)[p]; });
    }
  }
  // PUCT: the priors of the remaining children add up to 1 again.
  void normalize_priors(std::uint32_t first, std::uint32_t end) {
    const UcbTerms terms = tree_.terms();
    double sum = 0;
    for (std::uint32_t c = first; c < end; ++c) sum += tree_.prior(c);
    for (std::uint32_t c = first; c < end; ++c) {
      tree_.prior(c) = sum > 0 ? tree_.prior(c) / sum : 1.0 / (end - first);
      const bool considered = terms.exploitation(c) != -INFINITY;  // by progressive widening
      if (tree_[c].proven() || !considered) continue;
      terms.exploration(c) = static_cast<float>(tree_.prior(c) / (1.0 + tree_[c].visits));
    }
  }
  bool equal_values(std::uint32_t a, std::uint32_t b) const {
    if (tree_.width() == 1) return tree_[a].mean == tree_[b].mean;
    return std::equal(tree_.values(a), tree_.values(a) + tree_.width(), tree_.values(b));
  }

  const Request& request_;
  MctsTree& tree_;
  std::vector<Action> allowed_;  // at the root, sorted
};

}  // namespace zermelo
