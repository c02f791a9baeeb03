#include "all.hpp"
#include "expectiminimax/frame.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(the expected value of a game with chance moves, both sides optimal.

MAX (player 0) chooses the child with the greatest value, MIN the child with the least. The value
of a chance node is the average of its children, weighted by their probabilities. The size of
utilities matters, not only their order, so an evaluation must use the same unit as the utilities.
zermelo checks a sample of positions near the root (at depth 1: all leaves). If their evaluations
are within the utility bounds, a later evaluation beyond a bound is clipped to just below it. If
not, win/loss games use e / (1 + |e|), and other games use evaluations as they are, without pruning
at chance nodes.

A player's move costs one ply of depth, a chance outcome costs none. Depth 1 is a move, evaluated
before the dice are rolled. Depth 2 is a move, the roll and the reply.

Star1 cuts a chance node if the remaining outcomes cannot bring the average back into the window,
even at the utility bounds. Star2 first tries one move of every outcome. Neither changes the value.

When:  dice, cards drawn from a deck, opponents with a known policy.
Needs: one or two players, zero-sum, perfect information. Pruning at chance nodes needs utility
       bounds.
Cost:  b^d n^d (b actions, n outcomes); memory d.
From:  Michie 1966; Star1 and Star2: Ballard 1983, Hauk, Buro and Schaeffer 2006; sampling: Kearns,
       Mansour and Ng 2002 (the error is the half width of Hoeffding's 95 % interval).
)";

constexpr std::string_view kExpectimaxDoc =
    R"(the best move against players who move randomly.

Expectiminimax without an adversary: the player to move chooses the best child, and all other
players are chance. All their legal moves are equally likely, unless opponents= gives other models.
Against a real adversary the value is too optimistic, just as minimax is too pessimistic against
chance.

When:  one player and chance; opponents who do not play their best.
Needs: one or two players, zero-sum, perfect information.
Cost:  b^d n^d; memory d. Moves of modelled players are chance outcomes, which cost no depth.
From:  Michie 1966.
)";

template <class Tracer>
class Expectiminimax : public ExpectiminimaxFrame<Tracer> {
 public:
  using Frame = ExpectiminimaxFrame<Tracer>;
  using Frame::Frame;

  Result run() {
    check_scale();
    return Frame::run([this](int depth) {
      sampler_.reset();
      const Range v = value(0, depth, 0, -kInfinity, kInfinity, nullptr);
      as_listed();
      Result r = this->result(v.low, Bound::exact, depth);
      if (layers_ > 0) {
        r.error = sampler_.error(limits_, layers_);
        r.bound = Bound::estimate;
      }
      return r;
    });
  }

 private:
  using Frame::as_bound, Frame::as_listed, Frame::averages_, Frame::best_, Frame::check_scale;
  using Frame::enough, Frame::exactly, Frame::judged, Frame::lasting_key, Frame::layers_;
  using Frame::limits_, Frame::listed_, Frame::order, Frame::orders, Frame::place;
  using Frame::prunes, Frame::range_of, Frame::recall, Frame::sampler_, Frame::stored;
  using Frame::table_, Frame::tell_average, Frame::tell_choice, Frame::tell_cut, Frame::unsure;
  using typename Frame::List, typename Frame::RootWatch;

  // The first move of an outcome's node, searched before any outcome is searched in full (Star2).
  struct Probe {
    bool done = false;
    bool estimate = false;
    int layers = 0;
    Action action = 0;
    Range range = {};
  };

  // The value lies in the range returned, which settles the window: it is exact, or on one side.
  // This is the layer around `choice` and `average`: leaves, table, trace.
  Range value(int ply, int depth, Action by, double alpha, double beta, const Probe* probe) {
    // 1. A leaf: the end of the game or the depth limit
    const int player = this->enter(ply, by, alpha, beta);
    layers_ = 0;
    if (player == kTerminal) return exactly(this->terminal(ply));
    if (depth == 0) return exactly(judged(ply));

    // 2. Transposition table
    const std::uint64_t key = table_ ? this->game.key(this->game.self, this->walk.state(ply)) : 0;
    const BoundsTable::Entry* known = table_ ? table_->find(key) : nullptr;
    if (known && ply > 0 && known->holds(stored(depth)) && range_of(*known).settles(alpha, beta)) {
      return recall(ply, player, *known, alpha);
    }

    // 3. Chance is averaged, a player chooses
    const bool felt = std::exchange(this->horizon, false);
    const int above = std::exchange(this->mover, player == kChance ? this->mover : ply);
    best_ = known ? known->action : 0;
    const Range r = player == kChance ? average(ply, depth, alpha, beta)
                                      : choice(ply, player, depth, alpha, beta, known, probe);

    // 4. Back up
    this->mover = above;
    if (table_) {
      table_->store({key, r.low, r.high, best_, static_cast<std::uint16_t>(stored(depth)),
                     static_cast<std::uint8_t>(std::min(layers_, 255)), !this->horizon, true});
    }
    if constexpr (Tracer::kOn) {
      const auto [v, bound] = as_bound(r, alpha);
      const Bound kind = this->trace_kind(v, bound, unsure());
      this->tracer.leave(ply, this->show(v), kind, this->show(alpha), this->show(beta));
    }
    this->horizon |= felt;
    return r;
  }

  // The mover's best child. MIN is MAX with the sign turned.
  Range choice(int ply, int player, int depth, double alpha, double beta, bool known,
               const Probe* probe) {
    const bool max = player == 0;
    double own = max ? alpha : 0 - beta;
    const double limit = max ? beta : 0 - alpha;
    const List list = this->walk.list(this->game.actions, ply);
    if (list.count == 0) this->no_actions();
    if (ply == 0) listed_.assign(this->walk.at(list, 0), this->walk.at(list, 0) + list.count);
    if (known) this->walk.lead(list, best_);
    if (!known && orders(depth)) order(ply, max, list);

    Range best{-kInfinity, -kInfinity};  // for the mover, as all values compared below
    Action chosen = 0;
    int layers = 0;
    bool cut = false;
    for (int i = 0; i < list.count && !cut; ++i) {
      const Action action = this->walk.action(list, i);
      const RootWatch watch(*this, ply, player, action);
      const double a = max ? own : 0 - limit, b = max ? limit : 0 - own;
      const Range r = child(ply, depth, action, a, b, probe);
      done(watch, r, a);
      layers = std::max(layers, layers_);

      const Range mine = max ? r : r.turned();
      const bool improved = i == 0 || mine.low > best.low ||
                            (ply == 0 && mine.low == best.low && place(action) < place(chosen));
      if (improved) {
        chosen = action;
        this->walk.extend_line(ply, action);
      }
      best = {std::max(best.low, mine.low), std::max(best.high, mine.high)};
      cut = prunes() && best.low >= limit && i + 1 < list.count;
      if (!cut && prunes()) own = std::max(own, enough(ply, max, best.low));
      if constexpr (Tracer::kOn) tell_choice(ply, max, best, improved, own, limit, cut, list, i);
      if (cut) best.high = std::max(best.high, max ? limits_.high : 0 - limits_.low);
    }
    this->walk.release(list);
    best_ = chosen;
    layers_ = layers;
    return max ? best : best.turned();
  }

  void done(const RootWatch& watch, const Range& r, double alpha) const {
    const auto [v, bound] = as_bound(r, alpha);
    watch.done(v, bound, unsure());
  }

  // A child of a player's node; what a probe found about it is used.
  Range child(int ply, int depth, Action action, double alpha, double beta, const Probe* probe) {
    Range known;
    if (probe && probe->done && probe->action == action) {
      known = probe->range;
      if (known.settles(alpha, beta)) {
        this->horizon |= probe->estimate;
        layers_ = probe->layers;
        this->tracer.again(ply, action);
        this->walk.start_line(ply + 1);  // other lines were searched since
        return known;
      }
    }
    this->walk.play(ply, action);
    return known.with(value(ply + 1, depth - 1, action, alpha, beta, nullptr));
  }

  // A chance node while its outcomes come in.
  struct ChanceNode {
    int ply, depth;
    int below;  // the depth left for an outcome
    double alpha, beta;
    List list;           // the outcomes
    Range sum = {};      // running bounds of the average
    int layers = 0;      // of sampled chance nodes below
    bool star2 = false;  // outcomes are probed
  };

  // The average over the outcomes of chance, cut off as soon as it must lie outside the window.
  Range average(int ply, int depth, double alpha, double beta) {
    ChanceNode n{ply, depth, this->below_chance(ply, depth), alpha, beta, this->walk.outcomes(ply)};
    const bool sampled = sampler_.wanted(n.list);
    if (sampled) sampler_.draw(this->walk, n.list, lasting_key(ply));
    n.sum = averages_.begin(n.list);
    n.star2 = this->options.prune > 1 && averages_.bounded() && n.list.count > 1;
    bool cut = n.star2 && probe_all(n);
    for (int i = 0; i < n.list.count && !cut; ++i) {
      // (A probe may have found the exact value.)
      const bool known = n.star2 && ply > 0 && averages_(n.list, i).exact();
      if (!known) cut = search_outcome(n, i);
      cut = cut || (prunes() && settles(n));
      if constexpr (Tracer::kOn) tell_average(ply, n.list, i, alpha, beta);
      if (cut && i + 1 < n.list.count) tell_cut(ply, n.list, i + 1, alpha, beta);
    }
    const Range r = averages_.whole(n.list);
    this->walk.release(n.list);
    best_ = 0;
    layers_ = n.layers + (sampled ? 1 : 0);
    return r;
  }

  // Whether the outcomes known so far settle the node's window. (The running sum is rounded, so it
  // only triggers the exact sum.)
  bool settles(const ChanceNode& n) const {
    return averages_.near(n.sum, n.alpha, n.beta) &&
           averages_.whole(n.list).settles(n.alpha, n.beta);
  }

  // Star2 (Ballard 1983): the first move of every outcome bounds it on one side. True: that settles
  // the node.
  bool probe_all(ChanceNode& n) {
    const std::size_t end = n.list.begin + n.list.count;
    if (probes_.size() < end) probes_.resize(2 * end);
    for (int i = 0; i < n.list.count; ++i) probes_[n.list.begin + i].done = false;
    for (int i = 0; i < n.list.count; ++i) {
      if (!probe(n.ply, n.depth, n.list, i, n.alpha, n.beta, n.sum)) continue;
      n.layers = std::max(n.layers, layers_);
      if (!settles(n)) continue;
      tell_cut(n.ply, n.list, i + 1, n.alpha, n.beta);  // probed outcomes are cut, too
      return true;
    }
    return false;
  }

  // Star1 (Ballard 1983): outcome i with the window that still matters if all others are at their
  // bounds. True: its value settles the node.
  bool search_outcome(ChanceNode& n, int i) {
    const RootWatch watch(*this, n.ply, kChance, this->walk.action(n.list, i));
    const Range window = prunes() ? averages_.window(n.list, i, n.sum, n.alpha, n.beta) : Range{};
    averages_.narrow(n.list, i, outcome(n, i, window), n.sum);
    const bool outside = !averages_(n.list, i).exact();
    const bool cut = outside && averages_.whole(n.list).settles(n.alpha, n.beta);
    // Rounding may put it just outside its window: search it again.
    if (outside && !cut) averages_.narrow(n.list, i, outcome(n, i, Range{}), n.sum);
    done(watch, averages_(n.list, i), n.alpha);
    n.layers = std::max(n.layers, layers_);
    return cut;
  }

  Range outcome(const ChanceNode& n, int i, Range window) {
    const Action action = this->walk.action(n.list, i);
    Probe probe;
    if (n.star2) probe = probes_[n.list.begin + i];  // a copy: the vector may move
    this->walk.play(n.ply, action);
    this->tracer.next_odds(this->walk.odds(n.list, i));
    return value(n.ply + 1, n.below, action, window.low, window.high, n.star2 ? &probe : nullptr);
  }

  // Star2: searches the first move of outcome i's node, where its bound can bring a cutoff.
  bool probe(int above, int depth, const List& outcomes, int i, double alpha, double beta,
             Range& sum) {
    const int ply = above + 1;
    const Action by = this->walk.action(outcomes, i);
    this->walk.play(above, by);
    const int player = this->game.to_move(this->game.self, this->walk.state(ply));
    const bool max = player == 0;
    if (player < 0 || !(max ? beta < limits_.high : alpha > limits_.low)) return false;
    const Range w = averages_.window(outcomes, i, sum, alpha, beta);
    this->tracer.next_odds(this->walk.odds(outcomes, i));
    this->enter(ply, by, w.low, w.high);
    const BoundsTable::Entry* known = nullptr;
    if (table_) known = table_->find(this->game.key(this->game.self, this->walk.state(ply)));
    if (known && known->holds(stored(depth))) {
      averages_.narrow(outcomes, i, recall(ply, player, *known, w.low), sum);
      return true;
    }
    const List list = this->walk.list(this->game.actions, ply);
    if (list.count == 0) this->no_actions();
    if (known) this->walk.lead(list, known->action);
    if (!known && orders(depth)) order(ply, max, list);
    const Action action = this->walk.action(list, 0);
    const bool felt = std::exchange(this->horizon, false);
    this->walk.play(ply, action);
    const int last = std::exchange(this->mover, ply);
    Range r = value(ply + 1, depth - 1, action, w.low, w.high, nullptr);
    this->mover = last;
    this->walk.release(list);
    probes_[outcomes.begin + i] = {true, this->horizon, layers_, action, r};
    if (list.count > 1) (max ? r.high : r.low) = max ? limits_.high : limits_.low;
    averages_.narrow(outcomes, i, r, sum);
    if constexpr (Tracer::kOn) {
      const double v = max ? r.low : r.high;
      this->tracer.backup(ply, v, true, w.low, w.high);
      const Bound bound = r.exact() ? Bound::exact : max ? Bound::lower : Bound::upper;
      this->tracer.leave(ply, v, this->trace_kind(v, bound, unsure()), w.low, w.high);
      this->tracer.probed();
      const Range whole = averages_.whole(outcomes);
      this->tracer.between(whole.low, whole.high);
    }
    this->horizon |= felt;
    return true;
  }

  std::vector<Probe> probes_;  // beside the walk's lists
};

std::vector<Option> chance_options() {
  return {
      deepen_option(),
      choice<&Options::prune>(
          "prune",
          {{"auto", 2}, {"none", 0, "no pruning"}, {"star1", 1, "Star1"}, {"star2", 2, "Star2"}},
          "pruning at chance nodes; auto: star2, star1 without utility bounds", {.lecture = 0}),
      number<&Options::samples>(
          "samples", {0, 1'000'000},
          "maximum number of outcomes per chance node; more are sampled; 0: all"),
      lines_option(), table_option(kTableDoc, 16, {.lecture = 0})};
}

}  // namespace

const Algorithm kExpectiminimax{
    .name = "expectiminimax",
    .doc = kDoc,
    .can = {.chance = true, .trace = true},
    .limits = {.depth = true},
    .traits = {.expected = true},
    .automatic = {.whom = Automatic::For::everybody, .reason = "computes expected values"},
    .options = chance_options(),
    .run = run_search<Expectiminimax>,
};
// The moves of the other players reach it as chance moves (parts/modelled.hpp).
const Algorithm kExpectimax{
    .name = "expectimax",
    .doc = kExpectimaxDoc,
    .can = {.chance = true, .trace = true},
    .limits = {.depth = true},
    .traits = {.expected = true, .random_opponents = true},
    .options = chance_options(),
    .run = run_search<Expectiminimax>,
};

}  // namespace zermelo
