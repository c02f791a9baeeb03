// Proof-number search of the game with superko: is a state worth at least a utility to player 0?
//
// The tree is that of the real game: its rules decide which moves superko forbids. A node is
// settled without search if it is in an attractor and the history cannot disturb the attacker's
// strategy: the strategy never plays to a position of the history, and it ends before the maximum
// number of plays. Allis, "Searching for solutions in games and artificial intelligence" (1994).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "../../game.hpp"
#include "../../limits.hpp"
#include "../../parts/tablebase.hpp"
#include "attractor.hpp"

namespace zermelo::superko {

class Proof {
 public:
  using Attractors = std::array<const Attractor*, 2>;  // by attacker

  Proof(const Game& game, const SuperkoGraph& graph, Attractors attractors, double aim,
        std::uint64_t memory, Budget& budget)
      : game_(game),
        graph_(graph),
        attractors_(attractors),
        aim_(aim),
        most_(memory / sizeof(Node)),
        budget_(budget),
        actions_(std::max(256, game.facts.max_actions)) {}

  // Whether a state that is not terminal is worth at least the aim. *best gets a move that proves
  // the answer, if the answer is good for the player to move.
  bool search(const void* root, Action* best) {
    history_ = graph_.history(root);
    moves_left_ = graph_.moves_left(root);
    nodes_ = {Node{}};
    path_ = {0};
    positions_ = {graph_.position(root)};
    copy(root);
    while (!nodes_[0].settled()) {
      descend();
      expand();
      update();
    }
    for (std::size_t i = 0; i < nodes_[0].count; ++i) {
      const Node& child = nodes_[nodes_[0].first + i];
      if (child.settled() && child.proved() == nodes_[0].proved()) *best = child.action;
    }
    return nodes_[0].proved();
  }

  int deepest() const { return deepest_; }

 private:
  using Count = std::uint32_t;
  static constexpr Count kInfinite = 1U << 30;

  struct Node {
    Count proof = 1, disproof = 1;
    std::uint32_t parent = 0, first = 0;  // first 0: not expanded
    std::uint32_t count = 0;
    Action action = 0;
    bool proved() const { return proof == 0; }
    bool settled() const { return proof == 0 || disproof == 0; }
    void settle(bool yes) { proof = yes ? 0 : kInfinite, disproof = yes ? kInfinite : 0; }
  };

  const std::byte* state(std::size_t ply) const {
    return states_.data() + ply * game_.facts.state_size;
  }
  void copy(const void* root) {
    const auto* bytes = static_cast<const std::byte*>(root);
    states_.assign(bytes, bytes + game_.facts.state_size);
  }
  int mover(std::size_t ply) const { return game_.to_move(game_.self, state(ply)); }

  // The state after a move from the state at `ply`, at the next ply.
  void play(std::size_t ply, Action action) {
    const std::size_t size = game_.facts.state_size;
    if (states_.size() < (ply + 2) * size) states_.resize((ply + 2) * size);
    std::byte* const from = states_.data() + ply * size;
    game_.play(game_.self, from, action, from + size);
    positions_.resize(ply + 1);
    positions_.push_back(graph_.position(from + size));
  }

  // Follows the most promising children to a node that is not expanded.
  void descend() {
    std::size_t ply = 0;
    for (std::uint32_t node = 0; nodes_[node].first != 0; ++ply) {
      node = most_promising(node, mover(ply));
      if (ply + 1 < path_.size() && path_[ply + 1] == node) continue;
      path_.resize(ply + 1);
      path_.push_back(node);
      play(ply, nodes_[node].action);
    }
    path_.resize(ply + 1);
    deepest_ = std::max(deepest_, static_cast<int>(ply));
  }

  std::uint32_t most_promising(std::uint32_t node, int player) const {
    const auto work = [&](const Node& n) { return player == 0 ? n.proof : n.disproof; };
    std::uint32_t best = nodes_[node].first;
    for (std::uint32_t i = best; i < nodes_[node].first + nodes_[node].count; ++i) {
      if (work(nodes_[i]) < work(nodes_[best])) best = i;
    }
    return best;
  }

  void expand() {
    const std::size_t ply = path_.size() - 1;
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    const int count =
        game_.actions(game_.self, state(ply), actions_.data(), static_cast<int>(actions_.size()));
    if (nodes_.size() + static_cast<std::size_t>(count) > most_) {
      throw TableError("the proof needs more than " + std::to_string(nodes_.size()) + " nodes",
                       "allow more memory for the table");
    }
    for (int i = 0; i < count; ++i) {
      budget_.enter();
      play(ply, actions_[i]);
      Node child;
      child.parent = path_.back(), child.action = actions_[i];
      evaluate(child, ply + 1);
      nodes_.push_back(child);
    }
    nodes_[path_.back()].first = first;
    nodes_[path_.back()].count = static_cast<std::uint32_t>(count);
  }

  void evaluate(Node& node, std::size_t ply) const {
    const int player = mover(ply);
    if (player == kTerminal) return node.settle(game_.utility(game_.self, state(ply), 0) >= aim_);
    for (const int attacker : {0, 1}) {
      const Attractor& a = *attractors_[attacker];
      const Attractor::Rank rank = a.rank(positions_[ply], player, graph_.passes(state(ply)));
      if (rank && holds(a, rank, ply)) return node.settle(attacker == 0);
    }
  }

  // Whether the strategy from a node of this rank holds with the history.
  bool holds(const Attractor& a, Attractor::Rank rank, std::size_t ply) const {
    if (static_cast<int>(ply) + rank > moves_left_) return false;
    const auto avoids = [&](Number n) {
      const Attractor::Rank above = a.entered_above(n);
      return above == 0 || above >= rank;
    };
    return std::all_of(history_.begin(), history_.end(), avoids) &&
           std::all_of(positions_.begin(), positions_.begin() + static_cast<int>(ply) + 1, avoids);
  }

  // From the expanded node back to the root: the mover needs one child, the other all of them.
  void update() {
    for (std::size_t ply = path_.size(); ply-- > 0;) {
      Node& node = nodes_[path_[ply]];
      std::uint64_t proofs = 0, disproofs = 0;
      Count proof = kInfinite, disproof = kInfinite;
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        proofs += nodes_[i].proof, disproofs += nodes_[i].disproof;
        proof = std::min(proof, nodes_[i].proof);
        disproof = std::min(disproof, nodes_[i].disproof);
      }
      const bool first = mover(ply) == 0;
      node.proof = first ? proof : sum(proofs, disproof);
      node.disproof = first ? sum(disproofs, proof) : disproof;
    }
  }
  // A sum is infinite only if some child is settled against it.
  static Count sum(std::uint64_t total, Count other) {
    if (other == 0) return kInfinite;
    return static_cast<Count>(std::min<std::uint64_t>(total, kInfinite - 1));
  }

  const Game& game_;
  const SuperkoGraph& graph_;
  Attractors attractors_;
  double aim_;
  std::uint64_t most_;
  Budget& budget_;
  std::vector<Action> actions_;
  std::vector<Number> history_;    // of the root
  std::vector<Number> positions_;  // of the path, by ply
  std::vector<std::uint32_t> path_;
  std::vector<std::byte> states_;  // of the path
  std::vector<Node> nodes_;
  int moves_left_ = 0, deepest_ = 0;
};

}  // namespace zermelo::superko
