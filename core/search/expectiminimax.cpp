#include <cmath>
#include <functional>
#include <memory>

#include "../parts/average.hpp"
#include "../parts/bounds_table.hpp"
#include "../parts/evaluation_scale.hpp"
#include "../parts/frame.hpp"
#include "all.hpp"

namespace zermelo {
namespace {

constexpr std::string_view kDoc =
    R"(expectiminimax: the expected value of a game with chance moves, both sides optimal.

MAX (player 0) takes the child of the greatest value, MIN the one of the least, and a chance node is
worth the average of its children, weighted by their odds. Averages are of real utilities: their
sizes matter, not only their order, so an evaluation must be in the unit of the utilities. Whether it
keeps to their bounds is seen from a sample of positions near the root (at depth 1, from all leaves).
If it does, a later one beyond a bound counts as just short of it. If not, evaluations are squashed in
games of wins and losses, e / (1 + |e|); in other games they are taken as they are, and chance nodes
are not cut.

A move of a player costs one of depth, an outcome of chance costs none: depth 1 is a move, judged
before the dice are rolled; depth 2 a move, the roll and the reply.

When:  dice, cards that nobody holds, opponents that are given as policies.
Needs: one or two players, zero sum, nothing hidden. Cuts at chance nodes need utility bounds.
Cost:  b^d n^d (b actions, n outcomes); memory d.
From:  Michie 1966; Star1 and Star2: Ballard 1983, Hauk, Buro and Schaeffer 2006; sampling: Kearns,
       Mansour and Ng 2002.

prune=star2     a first move of every outcome is tried before any is searched in full; star1: an
                outcome is cut when the rest cannot bring the average back into the window, taking
                it at the utility's bounds; none: every leaf is seen, every root move exact. The
                value is the same. By default star2, for trees and traces none
samples=N       where chance has more than N outcomes draw N of them (by seed); `error` is the half
                width of a 95 % interval for the value (Hoeffding's bound)
lines=K         exact values for the K best root moves
table=MB        remember positions (a transposition table): fewer nodes, the same value
)";

constexpr std::string_view kExpectimaxDoc =
    R"(expectimax: the best move against players who move at random.

Expectiminimax in which nobody is an adversary: the player to move takes the best child, and all
others are chance. They are taken to play any legal move equally likely, unless opponents= gives
other models. Against a real adversary that is optimistic, as minimax is pessimistic against chance.

When:  one player and chance; opponents who are known not to play their best.
Needs: one or two players, zero sum, nothing hidden.
Cost:  b^d n^d; memory d.
From:  Michie 1966.

The options are expectiminimax's (prune, samples, lines, table), and so is the way depth is counted:
the moves of modelled players are outcomes, which cost no depth.
)";

template <class Tracer>
class Expectiminimax : public Frame<Tracer> {
 public:
  using Base = Frame<Tracer>;
  using List = Walk::List;

  Expectiminimax(const Request& request, Tracer& tracer)
      : Base(request, tracer),
        limits_(limits_of()),
        averages_(this->walk, limits_),
        sampler_(request.options.samples, request.options.seed) {
    if constexpr (Tracer::kOn) tracer.returns = true;  // what was probed is searched later
    if (this->options.table_mb > 0) table_ = std::make_unique<BoundsTable>(this->options.table_mb);
  }

  Result run() {
    check_scale();
    return Base::run([this](int depth) {
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
  // The first move of an outcome's node, tried before any is searched in full (Star2).
  struct Probe {
    bool done = false;
    bool estimate = false;
    int layers = 0;
    Action action = 0;
    Range range = {};
  };

  // Of every value. Unknown where won positions are lifted (no chance in this game), and once an
  // evaluation beyond the utilities' bounds was met.
  Range limits_of() const {
    const Facts& f = this->game.facts;
    if (this->judge.lifted() || (this->options.scores && !this->judge.squashes())) return {};
    return {f.utility_min, f.utility_max};
  }

  // The value is in the range returned, which settles the window: it is exact, or on one side.
  Range value(int ply, int depth, Action by, double alpha, double beta, const Probe* probe) {
    // 1. A leaf: the end of the game, or of our sight.
    const int player = this->enter(ply, by, alpha, beta);
    layers_ = 0;
    if (player == kTerminal) return exactly(this->terminal(ply));
    if (depth == 0) return exactly(judged(ply));

    // 2. Met before, and what is known settles it.
    const std::uint64_t key = table_ ? this->game.key(this->game.self, this->walk.state(ply)) : 0;
    const BoundsTable::Entry* known = table_ ? table_->find(key) : nullptr;
    if (known && ply > 0 && known->holds(stored(depth)) && range_of(*known).settles(alpha, beta)) {
      return recall(ply, player, *known, alpha);
    }

    // 3. Chance is averaged, a player chooses.
    const bool felt = std::exchange(this->horizon, false);
    const int above = std::exchange(this->mover, player == kChance ? this->mover : ply);
    best_ = known ? known->action : 0;
    const Range r = player == kChance ? average(ply, depth, alpha, beta)
                                      : choice(ply, player, depth, alpha, beta, known, probe);

    // 4. Back up.
    this->mover = above;
    if (table_) {
      table_->store({key, r.low, r.high, best_, static_cast<std::uint16_t>(stored(depth)),
                     static_cast<std::uint8_t>(std::min(layers_, 255)), !this->horizon, true});
    }
    if constexpr (Tracer::kOn) {
      const auto [v, bound] = told(r, alpha);
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

    Range best{-kInfinity, -kInfinity};  // the mover's, as all that is compared below
    Action chosen = 0;
    int layers = 0;
    bool cut = false;
    for (int i = 0; i < list.count && !cut; ++i) {
      const Action action = this->walk.action(list, i);
      const RootWatch watch(*this, ply, player, action);
      const double a = max ? own : 0 - limit, b = max ? limit : 0 - own;
      const Range r = child(ply, depth, action, a, b, probe);
      watch.done(r, a);
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

  // A child of a player's node; what a probe found of it counts.
  Range child(int ply, int depth, Action action, double alpha, double beta, const Probe* probe) {
    Range known;
    if (probe && probe->done && probe->action == action) {
      known = probe->range;
      if (known.settles(alpha, beta)) {
        this->horizon |= probe->estimate;
        layers_ = probe->layers;
        this->tracer.again(ply, action);
        this->walk.start_line(ply + 1);  // other lines were looked at since
        return known;
      }
    }
    this->walk.play(ply, action);
    return known.with(value(ply + 1, depth - 1, action, alpha, beta, nullptr));
  }

  // The average over chance's outcomes, cut short as soon as it must lie outside the window.
  Range average(int ply, int depth, double alpha, double beta) {
    List list = this->walk.outcomes(ply);
    const bool sampled = sampler_.wanted(list);
    if (sampled) {
      sampler_.draw(this->walk, list, lasting_key(ply));
    }
    Range sum = averages_.begin(list);
    int layers = 0;
    bool cut = false;

    // Star2: the first move of every outcome bounds it on one side; perhaps that is enough.
    const bool probing = this->options.prune > 1 && averages_.bounded() && list.count > 1;
    if (probing) {
      if (probes_.size() < list.begin + list.count) probes_.resize(2 * (list.begin + list.count));
      for (int i = 0; i < list.count; ++i) probes_[list.begin + i].done = false;
      for (int i = 0; i < list.count && !cut; ++i) {
        if (!probe(ply, depth, list, i, alpha, beta, sum)) continue;
        layers = std::max(layers, layers_);
        cut = averages_.near(sum, alpha, beta) && averages_.whole(list).settles(alpha, beta);
        if (cut) tell_cut(ply, list, i + 1, alpha, beta);  // what was probed is cut, too
      }
    }
    // Star1: an outcome's window is what would still matter with the rest at its bounds.
    for (int i = 0; i < list.count && !cut; ++i) {
      const bool found = probing && ply > 0 && averages_(list, i).exact();
      if (!found) {
        const RootWatch watch(*this, ply, kChance, this->walk.action(list, i));
        const Range w = prunes() ? averages_.window(list, i, sum, alpha, beta) : Range{};
        averages_.narrow(list, i, outcome(ply, depth, list, i, w, probing), sum);
        cut = !averages_(list, i).exact() && averages_.whole(list).settles(alpha, beta);
        // Rounding put it just outside its window, though it matters: look again.
        if (!cut && !averages_(list, i).exact()) {
          averages_.narrow(list, i, outcome(ply, depth, list, i, Range{}, probing), sum);
        }
        watch.done(averages_(list, i), alpha);
        layers = std::max(layers, layers_);
      }
      cut = cut || (prunes() && averages_.near(sum, alpha, beta) &&
                    averages_.whole(list).settles(alpha, beta));
      if constexpr (Tracer::kOn) tell_average(ply, list, i, alpha, beta);
      if (cut && i + 1 < list.count) tell_cut(ply, list, i + 1, alpha, beta);
    }
    const Range r = averages_.whole(list);
    this->walk.release(list);
    best_ = 0;
    layers_ = layers + (sampled ? 1 : 0);
    return r;
  }

  Range outcome(int ply, int depth, const List& list, int i, Range w, bool probing) {
    const Action action = this->walk.action(list, i);
    Probe probe;
    if (probing) probe = probes_[list.begin + i];  // a copy: the vector may move
    const int below = this->below_chance(ply, depth);
    this->walk.play(ply, action);
    this->tracer.next_odds(this->walk.odds(list, i));
    return value(ply + 1, below, action, w.low, w.high, probing ? &probe : nullptr);
  }

  // Searches the first move of outcome i's node, where what that bounds can bring a cut.
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

  double judged(int ply) {
    this->horizon = true;
    return this->leaf(ply, Leaf::horizon, evaluation(this->walk.state(ply)));
  }

  // Never outside the bounds that chance nodes are cut by: what a cut leaves unseen must not change
  // how the rest is read.
  double evaluation(const void* state) {
    double e;
    try {
      e = this->judge.horizon(state);
    } catch (const ScoreGame&) {
      if (leaves_tell()) throw;
      e = this->game.evaluate(this->game.self, state, 0);
    }
    if (!outside(e)) return e;
    if (leaves_tell()) throw ScoreGame{};
    return e > limits_.high ? std::nextafter(limits_.high, limits_.low)
                            : std::nextafter(limits_.low, limits_.high);
  }
  bool outside(double e) const {
    return averages_.bounded() && (e < limits_.low || e > limits_.high);
  }
  // At depth 1 nothing is cut, so all leaves are seen: they tell whether evaluations are in bounds.
  bool leaves_tell() const { return this->limits.depth == 1; }

  // If evaluations leave the utilities' bounds, the search starts again and reads them another way.
  void check_scale() {
    const bool limited = this->limits.depth != kNoDepth || this->options.deepen;
    if (!averages_.bounded() || this->options.scores || !limited || leaves_tell()) return;
    if (!evaluations_fit(this->game, this->walk, this->budget, limits_, this->limits.depth)) {
      throw ScoreGame{};
    }
  }

  // A name of the state that does not depend on which states the search met before (the key of a
  // Python state does).
  std::uint64_t lasting_key(int ply) {
    const auto name = this->game.lasting_key ? this->game.lasting_key : this->game.key;
    return name(this->game.self, this->walk.state(ply));
  }

  Range recall(int ply, int player, const BoundsTable::Entry& e, double alpha) {
    const Range r = range_of(e);
    this->horizon |= !e.final;
    layers_ = e.layers;
    this->walk.start_line(ply + 1);  // what follows the remembered move is not known
    if (r.exact() && player != kChance) this->walk.extend_line(ply, e.action);
    this->leaf(ply, Leaf::table, told(r, alpha).first);
    return r;
  }

  // Around a child of the root: what it gave and what it cost. Elsewhere nothing.
  class RootWatch {
   public:
    RootWatch(Expectiminimax& s, int ply, int player, Action action)
        : s_(s), on_(ply == 0), player_(player), action_(action) {
      if (!on_) return;
      before_ = s_.budget.nodes();
      felt_ = std::exchange(s_.horizon, false);
    }
    void done(const Range& r, double alpha) const {
      if (!on_) return;
      const auto [v, bound] = told(r, alpha);
      s_.root_player = player_;
      s_.moves.push_back(s_.root_move(action_, v, bound, s_.unsure(), before_));
      s_.horizon |= felt_;
    }

   private:
    Expectiminimax& s_;
    bool on_, felt_ = false;
    int player_;
    Action action_;
    std::uint64_t before_ = 0;
  };

  // Is it worth while to judge the moves before they are searched? (Not in a lecture's trace.)
  bool orders(int depth) const {
    return !Tracer::kOn && prunes() && depth > 1 && this->game.evaluate;
  }

  // The most promising moves first: then more of the others is cut.
  void order(int ply, bool max, const List& list) {
    if (list.count < 3) return;
    scored_.clear();
    for (int i = 0; i < list.count; ++i) {
      const Action action = this->walk.action(list, i);
      this->budget.enter();
      this->walk.play(ply, action);
      const void* next = this->walk.state(ply + 1);
      const bool over = this->game.to_move(this->game.self, next) == kTerminal;
      const double v = over ? this->judge.terminal(next) : evaluation(next);
      scored_.push_back({max ? v : 0 - v, i, action});
    }
    std::sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) {
      return a.score > b.score || (a.score == b.score && a.at < b.at);
    });
    for (int i = 0; i < list.count; ++i) this->walk.set_action(list, i, scored_[i].action);
  }

  // Where the rules list a move of the root.
  std::ptrdiff_t place(Action action) const {
    return std::find(listed_.begin(), listed_.end(), action) - listed_.begin();
  }

  // The root's moves as the rules list them, whichever was looked at first.
  void as_listed() {
    if (this->root_player == kChance) return;
    std::sort(this->moves.begin(), this->moves.end(), [&](const RootMove& a, const RootMove& b) {
      return place(a.action) < place(b.action);
    });
  }

  // What the mover has for certain, so that others must be better. At the root equal ones count
  // too, for the first of them is played; and where several lines are wanted, the last of them.
  double enough(int ply, bool max, double best) {
    if (ply > 0) return best;
    if (this->options.lines > 1) {
      seen_.clear();
      for (const RootMove& m : this->moves) seen_.push_back(max ? m.value : 0 - m.value);
      const auto last = static_cast<std::size_t>(this->options.lines) - 1;
      if (seen_.size() <= last) return -kInfinity;
      std::nth_element(seen_.begin(), seen_.begin() + last, seen_.end(), std::greater<>());
      best = seen_[last];
    }
    return std::nextafter(best, -kInfinity);
  }

  // The trace.
  void tell_choice(int ply, bool max, const Range& best, bool improved, double own, double limit,
                   bool cut, const List& list, int i) {
    const double mine = best.low >= own ? best.low : best.high;
    const double v = this->show(max ? mine : 0 - mine);
    const double alpha = this->show(max ? own : 0 - limit);
    const double beta = this->show(max ? limit : 0 - own);
    this->tracer.backup(ply, v, improved, alpha, beta);
    const int rest = list.count - i - 1;
    if (cut) this->tracer.cut(ply, v, alpha, beta, this->walk.at(list, i + 1), rest);
  }
  void tell_average(int ply, const List& list, int i, double alpha, double beta) {
    double so_far = 0;
    for (int j = 0; j <= i; ++j) {
      so_far += this->walk.odds(list, j) * told(averages_(list, j), alpha).first;
    }
    const Range r = averages_.whole(list);
    this->tracer.backup(ply, so_far + 0.0, false, alpha, beta);
    this->tracer.between(r.low, r.high);
  }
  void tell_cut(int ply, const List& list, int next, double alpha, double beta) {
    if constexpr (Tracer::kOn) {
      const Range r = averages_.whole(list);
      this->tracer.cut(ply, told(r, alpha).first, alpha, beta, this->walk.at(list, next),
                       list.count - next, this->walk.odds_at(list, next));
      this->tracer.between(r.low, r.high);
    }
  }

  // A range that settles a window from alpha on, as one number; and what that number is.
  static std::pair<double, Bound> told(const Range& r, double alpha) {
    if (r.exact()) return {r.low + 0.0, Bound::exact};
    if (r.high <= alpha) return {r.high + 0.0, Bound::upper};
    return {r.low + 0.0, Bound::lower};
  }

  static Range exactly(double v) { return {v, v}; }
  static Range range_of(const BoundsTable::Entry& e) { return {e.low, e.high}; }
  static int stored(int depth) { return std::min(depth, BoundsTable::kDeepest); }
  bool prunes() const { return this->options.prune > 0; }
  bool unsure() const { return this->horizon || layers_ > 0; }

  Range limits_;  // of every value, where they are known
  Averages averages_;
  Sampler sampler_;
  int layers_ = 0;   // of sampled chance nodes below the node returned last
  Action best_ = 0;  // in the node returned last
  struct Scored {
    double score;
    int at;
    Action action;
  };
  std::vector<Probe> probes_;
  std::vector<Action> listed_;  // the root's moves, in the rules' order
  std::vector<Scored> scored_;
  std::vector<double> seen_;
  std::unique_ptr<BoundsTable> table_;
};

constexpr std::string_view kOptions = "deepen prune samples lines table bounded";

}  // namespace

const Algorithm kExpectiminimax = {
    "expectiminimax", kDoc, kOptions, true, true, false, false, false, run_search<Expectiminimax>};
// Its game comes with the other players' moves as chance's (parts/modelled.hpp).
const Algorithm kExpectimax = {"expectimax", kExpectimaxDoc, kOptions,
                               true,         true,           false,
                               false,        false,          run_search<Expectiminimax>};

}  // namespace zermelo
