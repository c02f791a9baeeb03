#include <cmath>

#include "../parts/many.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(max^n, every player maximizes its own value.

Every leaf has a tuple with one value per player. The player to move chooses the child with the
greatest value for itself. At a chance node the tuples are averaged. With two players this is
backward induction, and minimax if the game is zero-sum. All root moves get exact tuples.

When:  more than two players, or a general-sum game.
Needs: perfect information. Supports chance; a chance node costs no depth.
Cost:  b^d, less with a table. Deep alpha-beta cutoffs are not sound here; shallow ones are.
From:  Luckhardt and Irani 1986; shallow pruning: Korf 1991.
)";

template <class Tracer>
class MaxN : public ManyFrame<Tracer> {
 public:
  using Base = ManyFrame<Tracer>;

  MaxN(const Request& request, Tracer& tracer) : Base(request, tracer) {
    const Facts& f = this->game.facts;
    least_ = f.utility_min;
    sum_ = f.zero_sum ? 0 : f.sum_max;
    // An evaluation may leave the bounds of the utilities.
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

  // Leaves at values(ply) the tuple of the state at `ply`. This is the layer around `choose`:
  // leaves, table, chance, trace.
  //
  // Shallow pruning: the player `above`, if any, is guaranteed `enough`. Once it cannot get more
  // here, the remaining children are skipped, and any tuple that gives it no more may be returned.
  void value(int ply, int depth, Action by, int above, double enough) {
    // 1. A leaf: the end of the game or the depth limit
    const int player = this->enter(ply, by, -kInfinity, kInfinity);
    if (player == kTerminal) return this->terminal(ply);
    if (depth == 0) return this->at_horizon(ply);

    // 2. Transposition table
    const std::uint64_t key = this->key(ply), start = this->budget.nodes();
    if (this->table && ply > 0 && player != kChance) {
      const auto* known = this->table->find(key);
      if (this->serves(known, depth)) return this->recall(ply, *known);
    }

    // 3. Chance is averaged, a player chooses
    const bool outer = std::exchange(this->horizon, false);
    const int last = std::exchange(this->mover, player == kChance ? this->mover : ply);
    bool exact = true;
    if (player == kChance) {
      const int below = this->below_chance(ply, depth);
      this->expect(ply, [&](Action a) { value(ply + 1, below, a, kNobody, 0); });
    } else {
      const Choice choice = choose(ply, depth, player, above, enough);
      exact = choice.exact;
      if (exact) this->remember(key, ply, depth, choice.action, Bound::exact, start);
    }

    // 4. Back up
    this->mover = last;
    this->tell_leave(ply, exact ? settled(ply) : Bound::lower);
    this->horizon |= outer;
  }

  struct Choice {
    Action action = 0;
    bool exact = true;  // the tuple is the node's, not only a bound
  };

  // The textbook's max^n: the child whose tuple is best for the mover.
  Choice choose(int ply, int depth, int player, int above, double enough) {
    Choice best;
    const auto list = this->walk.list(this->game.actions, ply);
    if (list.count == 0) this->no_actions();
    bool pruned = false;
    for (int i = 0; i < list.count && !pruned; ++i) {
      const Action action = this->walk.action(list, i);
      const std::uint64_t before = this->budget.nodes();
      const bool earlier = ply == 0 && std::exchange(this->horizon, false);
      this->walk.play(ply, action);
      const bool ask = i > 0 && ply > 0;  // every root move gets its exact tuple
      value(ply + 1, depth - 1, action, ask ? player : kNobody, ask ? own(ply, player) : 0);
      if (ply == 0) {
        this->note_root(action, Bound::exact, settled(ply + 1), before);
        this->horizon |= earlier;
      }
      const bool improved = i == 0 || better(ply, player);
      if (improved) {
        best.action = action;
        this->take(ply);
        this->walk.extend_line(ply, action);
      }
      this->tracer.backup(ply, this->show(this->values(ply)[0]), improved, -kInfinity, kInfinity);
      this->tell(ply);
      pruned = i + 1 < list.count && cut(ply, player, above, enough, list, i + 1);
    }
    this->walk.release(list);
    best.exact = !pruned || !bounded_;
    return best;
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

  // Shallow pruning (Korf 1991): may the rest of the children be skipped? bounded_: then the tuple
  // is only a bound.
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

const Algorithm kMaxN{
    .name = "maxn",
    .aliases = {"max^n", "max-n"},
    .doc = kDoc,
    .can = {.chance = true, .general_sum = true, .many_players = true, .trace = true},
    .limits = {.depth = true},
    .automatic = {.whom = Automatic::For::everybody,
                  .reason = "every player maximizes its own value"},
    .options = {deepen_option(),
                choice<&Options::tie_break>(
                    "tie_break",
                    {{"first", static_cast<double>(Tie::first), "ties: the first"},
                     {"hostile", static_cast<double>(Tie::hostile),
                      "ties: the worst for the player at the root"},
                     {"friendly", static_cast<double>(Tie::friendly),
                      "ties: the best for the player at the root"}},
                    "choice between actions that are equally good for the player to move",
                    {.aliases = {"prefer"}, .announced = true}),
                flag<&Options::pruning>(
                    "pruning", "shallow pruning, if the sum of the utilities has a known maximum",
                    {.automatic_lecture = false}),
                table_option(kTableDoc, 0, {.automatic = 16})},
    .run = run_search<MaxN>,
};

}  // namespace zermelo
