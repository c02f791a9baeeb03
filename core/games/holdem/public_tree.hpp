// What everybody sees of the betting, as a flat tree, the same for all cards; and where each of its
// decisions keeps its numbers, one for every group of hands and action.
#pragma once

#include <cstdint>
#include <vector>

#include "betting.hpp"

namespace zermelo::holdem {

struct PublicNode {
  Betting betting;
  int child[kMoves] = {-1, -1, -1};  // -1: not legal
  int moves[kMoves];                 // those that are
  int count = 0;                     // how many; 0: the betting is over
  int loses = 0;                     // at the end: what the loser pays
};

class PublicTree {
 public:
  static const PublicTree& table() {
    static const PublicTree tree;
    return tree;
  }

  const PublicNode& operator[](int n) const { return nodes_[n]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  // `made`: a leading 1, then two bits a move, as in the rules' states.
  int find(std::uint64_t made, int moves) const {
    int at = 0;
    for (int i = moves - 1; i >= 0; --i) at = nodes_[at].child[made >> (2 * i) & 3];
    return at;
  }

 private:
  PublicTree() { add({}); }

  int add(const Betting& betting) {
    const int at = size();
    nodes_.emplace_back();
    nodes_[at].betting = betting;
    nodes_[at].loses = betting.over > Betting::kFolded ? betting.paid[1] : betting.paid[0];
    if (betting.over) return at;
    for (int move = 0; move < kMoves; ++move) {
      if (!betting.legal(move)) continue;
      Betting next = betting;
      next.play(move);
      const int child = add(next);
      nodes_[at].child[move] = child;
      nodes_[at].moves[nodes_[at].count++] = move;
    }
    return at;
  }

  std::vector<PublicNode> nodes_;
};

// Where the numbers of a decision begin: by group, then by action.
class Layout {
 public:
  template <class A>
  explicit Layout(const A& abstraction) {
    const PublicTree& tree = PublicTree::table();
    first_.resize(tree.size());
    for (int n = 0; n < tree.size(); ++n) {
      first_[n] = size_;
      if (tree[n].count) size_ += tree[n].count * abstraction.groups(tree[n].betting.round);
    }
  }
  std::size_t first(int node) const { return first_[node]; }
  std::size_t size() const { return size_; }

 private:
  std::vector<std::size_t> first_;
  std::size_t size_ = 0;
};

}  // namespace zermelo::holdem
