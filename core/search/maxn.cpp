#include <cmath>

#include "../parts/many.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(maxn: max^n, every player maximises its own value.

Every leaf has a value for each player, a tuple. Whoever moves takes the child whose tuple has the
greatest value in its own place; at a chance node tuples are averaged. With two players it is
backward induction for any sums, with zero sum it is minimax. All root moves get exact tuples.

When:  more than two players, or utilities that do not add up to zero; nothing hidden.
Needs: nothing else. Chance is welcome; a chance node costs no depth.
Cost:  b^d, less what the table saves. Alpha-beta's deep cuts are not sound here; shallow ones are.
From:  Luckhardt and Irani 1986; shallow pruning: Korf 1991.

prefer=first    of actions equal for the mover the first is taken, which decides what the others
                get; prefer=hostile: what leaves the player at the root the least; friendly: the most
pruning=on      to the end of games whose utilities have a known greatest sum: a child is left when
                its mover already has so much that too little remains for the mover above
table=MB        remember positions: fewer nodes, the same tuples
)";

template <class Tracer>
class MaxN : public ManyFrame<Tracer> {
 public:
  using Base = ManyFrame<Tracer>;

  MaxN(const Request& request, Tracer& tracer) : Base(request, tracer) {
    const Facts& f = this->game.facts;
    least_ = f.utility_min;
    sum_ = f.zero_sum ? 0 : f.sum_max;
    // An evaluation need not keep to the bounds of the utilities.
    const bool to_the_end = this->limits.depth == kNoDepth && !this->options.deepen;
    prunes_ = this->options.pruning && to_the_end && this->players > 1 && std::isfinite(least_) &&
              std::isfinite(sum_);
    most_ = prunes_ ? std::min(f.utility_max, sum_ - (this->players - 1) * least_) : kInfinity;
    if (this->duel()) prunes_ = false, most_ = kInfinity;  // lifted values have no such bounds
  }

  Result run() {
    return Base::run([this](int depth) {
      ties_ = 0;
      value(0, depth, 0, kNobody, 0);
      Result r = this->answer(depth, Bound::exact);
      r.ties = ties_;
      return r;
    });
  }

 private:
  static constexpr int kNobody = -1;

  // Leaves at values(ply) what everybody gets. The mover above, if somebody, has `enough` for sure:
  // once it cannot get more here, the rest does not matter and any tuple may be left that gives it
  // no more.
  void value(int ply, int depth, Action by, int above, double enough) {
    // 1. A leaf: the end of the game, or of our sight.
    const int player = this->enter(ply, by, -kInfinity, kInfinity);
    if (player == kTerminal) return this->terminal(ply);
    if (depth == 0) return this->at_horizon(ply);

    // 2. Met before.
    const std::uint64_t key = this->key(ply), start = this->budget.nodes();
    if (this->table && ply > 0 && player != kChance) {
      const auto* known = this->table->find(key);
      if (this->serves(known, depth)) return this->recall(ply, *known);
    }
    const bool felt = std::exchange(this->horizon, false);
    const int last = std::exchange(this->mover, player == kChance ? this->mover : ply);

    // 3. Nature.
    Action best = 0;
    bool whole = true;
    if (player == kChance) {
      const int below = this->below_chance(ply, depth);
      this->expect(ply, [&](Action a) { value(ply + 1, below, a, kNobody, 0); });
    } else {
      // 4. The child that is best for the mover.
      const auto list = this->walk.list(this->game.actions, ply);
      if (list.count == 0) this->no_actions();
      for (int i = 0; i < list.count && whole; ++i) {
        const Action action = this->walk.action(list, i);
        const std::uint64_t before = this->budget.nodes();
        const bool earlier = ply == 0 && std::exchange(this->horizon, false);
        this->walk.play(ply, action);
        const bool ask = i > 0 && ply > 0;  // the root's moves are wanted exactly
        value(ply + 1, depth - 1, action, ask ? player : kNobody, ask ? own(ply, player) : 0);
        if (ply == 0) {
          this->note_root(action, Bound::exact, settled(ply + 1), before);
          this->horizon |= earlier;
        }
        const bool improved = i == 0 || better(ply, player);
        if (improved) {
          best = action;
          this->take(ply);
          this->walk.extend_line(ply, action);
        }
        this->tracer.backup(ply, this->show(this->values(ply)[0]), improved, -kInfinity, kInfinity);
        this->tell(ply);
        whole = i + 1 == list.count || !cut(ply, player, above, enough, list, i + 1);
      }
      this->walk.release(list);
    }

    // 5. Back up.
    this->mover = last;
    const bool sure = whole || !bounded_;
    if (sure && player != kChance) this->remember(key, ply, depth, best, Bound::exact, start);
    this->tell_leave(ply, sure ? settled(ply) : Bound::lower);
    this->horizon |= felt;
  }

  Bound settled(int ply) { return this->settle(this->values(ply)[0], Bound::exact, this->horizon); }

  double own(int ply, int player) { return this->values(ply)[player]; }

  // Is the child's tuple better for the mover, or as good and preferred by the rule of ties?
  bool better(int ply, int player) {
    const double* child = this->values(ply + 1);
    const double* best = this->values(ply);
    if (child[player] != best[player]) return child[player] > best[player];
    if (std::equal(child, child + this->players, best)) return false;
    ++ties_;
    const int root = this->root_player;
    if (this->options.tie_break == Tie::first) return false;
    return this->options.tie_break == Tie::hostile ? child[root] < best[root]
                                                   : child[root] > best[root];
  }

  // Need the rest of the children not be looked at? bounded_: then what is left is but a bound.
  bool cut(int ply, int player, int above, double enough, const Walk::List& list, int next) {
    if (!prunes_ || ply == 0) return false;
    const bool first = this->options.tie_break == Tie::first;
    const double mine = own(ply, player);
    const double rest = above == kNobody || above == player
                            ? kInfinity
                            : sum_ - mine - (this->players - 2) * least_;
    bounded_ = first ? rest <= enough : rest < enough;
    if (!bounded_ && !(first && mine >= most_)) return false;
    if constexpr (Tracer::kOn) {
      this->tracer.cut(ply, mine, bounded_ ? enough : kInfinity, bounded_ ? rest : kInfinity,
                       this->walk.at(list, next), list.count - next);
    }
    return true;
  }

  bool prunes_;
  double least_, sum_, most_;
  bool bounded_ = false;
  std::uint64_t ties_ = 0;
};

}  // namespace

const Algorithm kMaxN = {
    "maxn", kDoc, "deepen prefer pruning table", true, true, false, true, true, run_search<MaxN>};

}  // namespace zermelo
