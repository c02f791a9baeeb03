// Counts leaves, to verify a move generator.
#include <unordered_set>

#include "../parts/walk.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

// Chance outcomes count as moves.
Walk::List children(const Game& game, Walk& walk, int ply, int player) {
  if (player != kChance) return walk.list(game.actions, ply);
  static thread_local std::vector<double> odds;
  return walk.list(
      [](const void* self, const void* state, Action* out, int capacity) {
        const auto* g = static_cast<const Game*>(self);
        odds.resize(capacity);
        return g->outcomes(g->self, state, out, odds.data(), capacity);
      },
      ply, &game);
}

// The leaves one ply below: they are counted without visiting them, and without listing them if the
// game respects the capacity.
std::uint64_t count_children(const Game& game, Walk& walk, int ply) {
  const int player = game.to_move(game.self, walk.state(ply));
  if (player == kTerminal) return 0;
  if (player != kChance && game.count) return game.count(game.self, walk.state(ply));
  if (player != kChance && game.facts.max_actions == 0) {
    const int count = game.actions(game.self, walk.state(ply), nullptr, 0);
    if (count < 0) throw RulesError("actions(s) failed");
    return count;
  }
  const auto list = children(game, walk, ply, player);
  walk.release(list);
  return list.count;
}

std::uint64_t count_leaves(const Game& game, Walk& walk, int ply, int depth, Budget& budget) {
  budget.enter();
  walk.check_depth(ply + 1);
  if (depth == 0) return 1;
  if (depth == 1) return count_children(game, walk, ply);
  const int player = game.to_move(game.self, walk.state(ply));
  if (player == kTerminal) return 0;
  const auto list = children(game, walk, ply, player);
  std::uint64_t total = 0;
  for (int i = 0; i < list.count; ++i) {
    walk.play(ply, walk.action(list, i));
    // Most nodes are just above the leaves: they need no call of their own.
    total += depth == 2 ? count_children(game, walk, ply + 1)
                        : count_leaves(game, walk, ply + 1, depth - 1, budget);
  }
  walk.release(list);
  return total;
}

void mark(const Game& game, Walk& walk, int ply, std::unordered_set<std::uint64_t>& seen,
          Budget& budget) {
  budget.enter();
  walk.check_depth(ply);
  if (!seen.insert(game.key(game.self, walk.state(ply))).second) return;
  const int player = game.to_move(game.self, walk.state(ply));
  if (player == kTerminal) return;
  const auto list = children(game, walk, ply, player);
  for (int i = 0; i < list.count; ++i) {
    walk.play(ply, walk.action(list, i));
    mark(game, walk, ply + 1, seen, budget);
  }
  walk.release(list);
}

}  // namespace

std::uint64_t perft(const Game& game, const void* state, int depth, Budget& budget) {
  if (game.leaves) {
    const Tick tick{[](void* with) { static_cast<Budget*>(with)->enter(); }, &budget};
    return game.leaves(game.self, state, depth, tick);
  }
  Walk walk(game, state);
  return count_leaves(game, walk, 0, depth, budget);
}

std::uint64_t count_positions(const Game& game, const void* state, Budget& budget) {
  Walk walk(game, state);
  std::unordered_set<std::uint64_t> seen;
  mark(game, walk, 0, seen, budget);
  return seen.size();
}

}  // namespace zermelo
