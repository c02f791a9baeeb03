#include "../parts/frame.hpp"
#include "../platform.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(the value of a game if both sides play optimally.

MAX (player 0) chooses the child with the greatest value, MIN (player 1) the child with the least.
A terminal state has the value of its utility. Every node of the tree is visited, so the values of
all root moves are exact.

When:  small games, and to see what alpha-beta saves.
Needs: two players, zero-sum, no chance, perfect information.
Cost:  time b^d, memory d (b actions per state, d plies to the end or to the depth limit).
From:  Zermelo 1913; von Neumann 1928; Shannon 1950 for the depth limit with an evaluation.
)";

template <class Tracer>
class Minimax : public Frame<Tracer> {
 public:
  using Base = Frame<Tracer>;
  using Base::Base;

  Result run() {
    return Base::run([this](int depth) {
      const double v = value(0, depth, 0);
      return this->result(v, Bound::exact, depth);
    });
  }

 private:
  // Not inlined and without a RootWatch: this loop is short enough for both to show.
  ZERMELO_NOINLINE void note_root(int player, Action action, double v, std::uint64_t before,
                                  bool outer) {
    this->root_player = player;
    this->moves.push_back(this->root_move(action, v, Bound::exact, this->horizon, before));
    this->horizon |= outer;
  }

  double value(int ply, int depth, Action by) {
    // 1. A leaf: the end of the game or the depth limit
    const int player = this->enter(ply, by, -kInfinity, kInfinity);
    if (player == kTerminal) return this->terminal(ply);
    if (depth == 0) return this->at_horizon(ply);

    // 2. The best child for the mover: MIN is MAX with the sign flipped
    const double sign = player == 0 ? 1 : -1;
    const auto list = this->walk.list(this->game.actions, ply);
    if (list.count == 0) this->no_actions();
    double best = 0;
    for (int i = 0; i < list.count; ++i) {
      const Action action = this->walk.action(list, i);
      const std::uint64_t before = this->budget.nodes();
      const bool outer = ply == 0 && std::exchange(this->horizon, false);
      this->walk.play(ply, action);
      const double v = value(ply + 1, depth - 1, action);

      const bool improved = i == 0 || sign * v > sign * best;
      if (improved) {
        best = v;
        this->walk.extend_line(ply, action);
      }
      if (ply == 0) note_root(player, action, v, before, outer);
      this->tracer.backup(ply, this->show(best), improved, -kInfinity, kInfinity);
    }
    this->walk.release(list);
    this->tracer.leave(ply, this->show(best), Bound::exact, -kInfinity, kInfinity);
    return best;
  }
};

}  // namespace

const Algorithm kMinimax{
    .name = "minimax",
    .doc = kDoc,
    .can = {.trace = true},
    .limits = {.depth = true},
    .options = {deepen_option()},
    .run = run_search<Minimax>,
};

}  // namespace zermelo
