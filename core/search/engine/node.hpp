// A node of the engine's tree. What it does and in which order reads from top to bottom in value().
#pragma once

#include <array>
#include <cmath>

#include "../../inlined.hpp"
#include "../../parts/busy.hpp"
#include "../../parts/frame.hpp"
#include "../../parts/ordering.hpp"
#include "../../parts/table.hpp"
#include "../../parts/tablebase.hpp"
#include "../../platform.hpp"
#include "params.hpp"

namespace zermelo {

template <class G>
class EngineNode : public Frame<NoTrace, G> {
 protected:
  using Base = Frame<NoTrace, G>;
  using Base::enter, Base::terminal, Base::leaf, Base::root_move, Base::no_actions;
  using Base::game, Base::options, Base::walk, Base::judge, Base::budget;
  using Base::horizon, Base::root_player, Base::moves;

  EngineNode(const Request& request, NoTrace& tracer, Table& table, Busy* busy)
      : Base(request, tracer),
        table_(table),
        busy_(busy),
        exact_(request.options.bounded),
        // A game that says what is promising knows better than what happened to cut elsewhere.
        learns_(options.killers &&
                (game.hints.scores_noisy_only || !(game.narrow && options.move_hints))),
        step_(judge.lifted() ? 0 : game.facts.step),
        slow_(options.move_hints && game.narrow && game.hints.slow_narrow),
        selects_(game.hints.selective && !exact_),
        repeats_(game.quiet_plies && !exact_),
        probes_(game.doubt && options.probcut && !exact_ && !selects_),
        ahead_(options.etc && !game.hints.slow_rules),
        mirror_(options.symmetry && game.mirror_key) {
    scratch_.resize(std::max(256, game.facts.max_actions));
    promise_.resize(scratch_.size());
    if (!exact_ && (game.hints.scores_noisy_only || !game.narrow)) judge.be_prompt();
  }

  // value <= alpha: the true value is at most value; value >= beta: at least; between: exact.
  double value(int ply, int depth, double alpha, double beta) {
    // 1. The end of the game.
    const int player = enter(ply, 0, alpha, beta);
    if (player == kTerminal) {
      const double v = terminal(ply);
      // A draw may come from how the position arose, which the table's key leaves out.
      if (repeats_ && v == 0) horizon = true;
      return judge.later(v, ply);
    }
    if (ply == 0) root_player = player;
    if (Verdict v; options.tablebase && ply > 0 && options.tablebase->probe(walk.state(ply), v)) {
      ++tabled_;
      return leaf(ply, Leaf::table, judge.later(judge.lift(v.value), ply + v.distance));
    }
    const void* state = walk.state(ply);
    if (repeats_ && repeated(ply)) {
      horizon = true;  // on another path the position may be worth something
      return leaf(ply, Leaf::terminal, 0);
    }
    const bool urgent =
        game.urgent && options.extensions && !exact_ && game.urgent(game.self, state);
    if (urgent && depth >= 0 && ply < 2 * root_depth_) ++depth;
    const bool quiet = depth <= 0;
    if (quiet && !urgent && !(options.quiescence && game.noisy)) return evaluation(ply);

    // 2. What the table knows, and what the game itself is sure of, with the moves worth looking
    //    at. Before a small subtree the game comes first: the table's memory is slow.
    const std::uint64_t plain = game.key(game.self, state);
    const std::uint64_t key = mirror_ ? game.mirror_key(game.self, state) : plain;
    const int left = game.plies_left ? game.plies_left(game.self, state) : kNoDepth;
    const bool large = left >= params_.large && depth >= params_.large_depth;
    const bool tabled = left >= (slow_ ? params_.tabled_slow : params_.tabled) && !quiet;
    if (tabled) table_.prefetch(key);
    const bool mirrored = key != plain && !game.hints.mirror_keeps_actions;
    const double sign = player == 0 ? 1 : -1;
    const double limit = player == 0 ? beta : alpha;
    const std::size_t first = stack_.size();
    Table::Entry known;
    // Near the depth limit a long thought about the order costs more than it saves.
    const bool hasty = slow_ && depth <= hasty_ && left > depth + params_.near_end;
    const bool wide = large || (slow_ && tabled);  // worth a look at the children's entries too
    const bool early = wide || (selects_ && tabled);
    bool met = early && table_.find(key, known);
    if (met && ply > 0 && enough(known, ply, depth, alpha, beta))
      return remembered(ply, known, mirrored);

    // 3. Where a game allows it: what looks settled beyond doubt is not looked into.
    const bool main = forked(alpha, beta);
    const bool judges = selects_ && !quiet && !urgent;
    const bool prunes = judges && ply > 0 && !main && !judge.decisive(limit);
    const double now = judges ? look(ply) : 0;
    const bool rising = judges && improves(ply, sign, now);
    if (prunes && (stands(ply, depth, sign, limit, now) || passes(ply, depth, player, limit, now)))
      return sure_;
    if (selects_ && !met && ply > 0 && depth >= params_.unknown_depth) --depth;

    if (!list(ply, quiet && !urgent, hasty, alpha, beta)) {
      if (slow_ && tabled) {
        table_.store(key, {sure_, Table::kNoAction, Table::kDeepest, sure_bound_, false},
                     kSureWork);
      }
      return sure_;
    }
    if (tabled && !early) {
      met = table_.find(key, known);
      if (met && ply > 0 && enough(known, ply, depth, alpha, beta)) {
        stack_.resize(first);
        return remembered(ply, known, mirrored);
      }
    }

    // 4. A move to a position known to be good enough settles this one.
    const int count = static_cast<int>(stack_.size() - first);
    if (wide && !hasty && ply > 0 && ahead_ &&
        look_ahead(ply, depth, player, limit, first, count)) {
      stack_.resize(first);
      return sure_;
    }

    // 5. A shallow search that is far outside the window: the deep one will hardly be inside.
    if (probes_ && !probing_ && ply > 0 && depth >= params_.probe_depth && depth < left && !main &&
        probe(ply, depth, alpha, beta)) {
      stack_.resize(first);
      return sure_;
    }

    // 6. Past the depth limit the mover may decline all noisy moves, unless they are forced.
    const double entry_alpha = alpha, entry_beta = beta;
    const bool declines = quiet && !urgent && !game.hints.noisy_is_forced;
    const bool felt = std::exchange(horizon, declines);
    double& own = player == 0 ? alpha : beta;
    double best = -sign * kInfinity;
    Action best_action = 0;
    if (declines) {
      best = evaluation(ply);
      if (sign * best > sign * own) own = best;
    }

    // 7. The moves, the most promising first.
    const bool reduces = selects_ && options.lmr && ply > 0 && !urgent &&
                         depth >= params_.reduce_depth &&
                         (game.hints.scores_noisy_only || !noisy_here(ply));
    // A game that is rough lists noisy moves in order itself.
    const bool learns = (learns_ && !(quiet && !urgent && game.hints.scores_noisy_only)) ||
                        (hasty && options.killers);
    // A move that only failed to reach the window is no better than the others, and one found in
    // haste no better than what the game promises.
    const bool hint = met && !mirrored &&
                      known.bound != (player == 0 ? Bound::upper : Bound::lower) &&
                      (hasty || !slow_ || !known.estimate || known.depth > hasty_);
    ordering_.weigh(stack_.data() + first, count, ply, player, learns, hint, known.action);
    const std::uint64_t start = budget.nodes();
    const bool shared = busy_ && depth >= Busy::kLeastDepth;
    const std::size_t first_late = ranks_.size();
    int tried = 0, passed = 0, total = count, last = 0;
    for (int i = 0; i < total && sign * best < sign * limit; ++i) {
      const Move move =
          i < count ? Ordering::pick(stack_.data() + first, count, i) : stack_[first + i];
      const Action action = move.action;
      if (ply == 0 && skipped(action)) continue;
      // A move that was put off is looked at as deeply as if it came in its turn.
      const int rank = i < count ? passed : ranks_[first_late + i - count];
      if (prunes && tried > 0 && i < count && !judge.decisive(best) &&
          left_out(ply, move, depth, rank, rising, sign * (own - now))) {
        horizon = true;
        continue;
      }
      const std::uint64_t mark = shared ? Busy::mark(key, action) : 0;
      if (shared && tried > 0 && i < count && busy_->has(mark)) {
        stack_.push_back(move);  // another thread is at it: later
        ranks_.push_back(passed++);
        ++total;
        continue;
      }
      if (i < count) ++passed;
      if (shared) busy_->begin(mark);
      const std::uint64_t before = budget.nodes();
      const bool outside = ply == 0 && std::exchange(horizon, false);
      walk.play(ply, action);
      const int less = reduces ? reduction(ply, depth, rank, move, main) : 0;
      const double v = child(ply, depth - 1, less, player, alpha, beta, tried++);
      if (shared) busy_->end(mark);
      if (ply == 0 && !brief_) {
        moves.push_back(root_move(action, v, bound_of(v, alpha, beta), horizon, before));
      }
      horizon |= outside;
      if (sign * v > sign * best || (tried == 1 && !declines)) {
        best = v;
        best_action = action;
        last = i;
        if (ply == 0 || sign * v > sign * own) walk.extend_line(ply, action);
        if (sign * v > sign * own) own = v;
      }
    }
    if (learns && tried > 0 && sign * best >= sign * limit) learn(first, last, ply, player, depth);
    stack_.resize(first);
    ranks_.resize(first_late);

    // 8. Remember, and back up.
    if (tabled && !(ply == 0 && skip_ && !skip_->empty())) {
      table_.store(key,
                   {judge.later(best, -ply), best_action, std::min(depth, Table::kDeepest),
                    bound_of(best, entry_alpha, entry_beta), horizon},
                   budget.nodes() - start);
    }
    horizon |= felt;
    return best;
  }

 private:
  // -- a selective search ------------------------------------------------------------------
  // Does the position look better to the mover than at its last turn?
  bool improves(int ply, double sign, double now) {
    if (seen_.size() <= static_cast<std::size_t>(ply)) seen_.resize(2 * ply + 64);
    seen_[ply] = now;
    return ply >= 2 && sign * now > sign * seen_[ply - 2];
  }

  // The evaluation is so far beyond the window that a few plies will hardly bring it back.
  bool stands(int ply, int depth, double sign, double limit, double now) {
    if (!options.pruning || !game.doubt || depth > params_.stand_depth) return false;
    const double doubt = game.doubt(game.self, walk.state(ply), depth, 0);
    if (sign * (now - limit) < params_.stand_sure * doubt) return false;
    horizon = true;
    sure_ = leaf(ply, Leaf::horizon, now);
    return true;
  }

  // Even without moving the mover is well enough off.
  bool passes(int ply, int depth, int player, double limit, double now) {
    const double sign = player == 0 ? 1 : -1;
    if (!options.null_move || !game.pass || depth < params_.pass_depth || passed_ == ply - 1 ||
        sign * now < sign * limit || !walk.pass(ply))
      return false;
    const int outer = std::exchange(passed_, ply);
    const int rest = depth - 1 - params_.pass_less - depth / 4;
    const double v = player == 0 ? value(ply + 1, rest, below(limit), limit)
                                 : value(ply + 1, rest, limit, above(limit));
    passed_ = outer;
    if (sign * v < sign * limit) return false;
    horizon = true;
    sure_ = judge.decisive(v) ? limit : v;
    return true;
  }

  // Is this late move not worth a look? `behind`: how far the evaluation is below the window.
  bool left_out(int ply, const Move& move, int depth, int rank, bool rising, double behind) {
    if (!options.pruning || !game.hints.scores_noisy_only) return false;
    if (!Ordering::quiet(move)) {
      return depth <= params_.losing_depth && Ordering::promised(move) < 0 && !checks(ply, move);
    }
    const int most = params_.late_from + depth * depth;
    if (depth <= params_.late_depth && rank >= (rising ? most : most / 2))
      return !checks(ply, move);
    return game.doubt && depth <= params_.futile_depth &&
           behind >= params_.futile_sure * game.doubt(game.self, walk.state(ply), depth, 0) &&
           !checks(ply, move);
  }

  // Does the move leave the other side in an urgent position?
  bool checks(int ply, const Move& move) {
    if (!game.urgent) return false;
    walk.play(ply, move.action);
    return game.urgent(game.self, walk.state(ply + 1));
  }

  // The move at `last` cut: what was tried before it did not.
  void learn(std::size_t first, int last, int ply, int player, int depth) {
    if (game.hints.scores_noisy_only) {
      if (!Ordering::quiet(stack_[first + last])) return;
      for (int i = 0; i < last; ++i) {
        if (Ordering::quiet(stack_[first + i]))
          ordering_.punish(stack_[first + i].action, player, depth);
      }
    }
    ordering_.reward(stack_[first + last].action, ply, player, depth);
  }

  // The table's entry settles the node. A value that the game itself was sure of has no move.
  double remembered(int ply, const Table::Entry& known, bool mirrored) {
    horizon |= known.estimate;
    walk.start_line(ply + 1);  // what follows the remembered move is not known
    if (known.bound == Bound::exact && known.action != Table::kNoAction && !mirrored)
      walk.extend_line(ply, known.action);
    return leaf(ply, Leaf::table, judge.later(known.value, ply));
  }

  // Does the table know a child that is good enough? Then sure_ is its value. (The children will
  // be asked for anyhow: their memory is on the way.)
  bool look_ahead(int ply, int depth, int player, double limit, std::size_t first, int count) {
    std::array<std::uint64_t, kAhead> keys;
    count = std::min(count, kAhead);
    for (int i = 0; i < count; ++i) {
      walk.play(ply, stack_[first + i].action);
      const void* next = walk.state(ply + 1);
      keys[i] = mirror_ ? game.mirror_key(game.self, next) : game.key(game.self, next);
      table_.prefetch(keys[i]);
    }
    const double sign = player == 0 ? 1 : -1;
    const Bound useless = player == 0 ? Bound::upper : Bound::lower;
    for (int i = 0; i < count; ++i) {
      Table::Entry known;
      if (!table_.find(keys[i], known) || known.bound == useless) continue;
      known.value = judge.later(known.value, ply + 1);
      if ((known.estimate && known.depth < depth - 1) || sign * known.value < sign * limit)
        continue;
      horizon |= known.estimate;
      walk.start_line(ply + 1);
      walk.extend_line(ply, stack_[first + i].action);
      sure_ = leaf(ply, Leaf::table, known.value);
      return true;
    }
    return false;
  }

  // Is there room between the bounds for another value? (On the principal line all is looked at.)
  bool forked(double alpha, double beta) const { return beta > above(alpha); }

  // ProbCut: does a shallow search say, beyond doubt, that the value lies outside? Then sure_ is a
  // bound, an estimate as the evaluations are.
  bool probe(int ply, int depth, double alpha, double beta) {
    const int shallow = depth / 4 * 2 + depth % 2;
    const double doubt =
        params_.probe_sure * game.doubt(game.self, walk.state(ply), depth, shallow);
    const double now = judge.horizon(walk.state(ply));
    const auto settles = [&](double low, double high) {
      const bool felt = std::exchange(horizon, false);
      probing_ = true;
      const double v = value(ply, shallow, low, high);
      probing_ = false;
      horizon |= felt;
      return v;
    };
    if (now >= beta) {
      const double bar = beta + doubt;
      if (settles(below(bar), bar) < bar) return false;
      sure_ = beta;
    } else if (now <= alpha) {
      const double bar = alpha - doubt;
      if (settles(bar, above(bar)) > bar) return false;
      sure_ = alpha;
    } else {
      return false;
    }
    horizon = true;
    return true;
  }

  // A child: the first in full, the others with a window that can only say "no better", at first
  // `less` deep. What proves better is looked at again.
  double child(int ply, int depth, int less, int player, double alpha, double beta, int tried) {
    if (tried == 0 || depth < 0 || !options.pvs) return value(ply + 1, depth, alpha, beta);
    const double low = player == 0 ? alpha : below(beta);
    const double high = player == 0 ? above(alpha) : beta;
    const double bar = player == 0 ? alpha : beta, sign = player == 0 ? 1 : -1;
    double v = 0;
    if (less > 0) {
      v = value(ply + 1, depth - less, low, high);
      if (sign * v <= sign * bar) return v;
    }
    v = value(ply + 1, depth, low, high);
    const bool inside = v > alpha && v < beta;
    return inside ? value(ply + 1, depth, alpha, beta) : v;
  }

  // How much less deeply a late move is looked at first. `main`: on the principal line.
  int reduction(int ply, int depth, int rank, const Move& move, bool main) {
    const bool rough = game.hints.scores_noisy_only;
    if (rank < (rough ? params_.reduce_from : params_.reduce_from_unpromised) - !main) return 0;
    if (rough && Ordering::promised(move) >= Ordering::kPromise) return 0;
    double less =
        0.5 + params_.reduce_slope * logs_[std::min(depth, 63)] * logs_[std::min(rank, 63)] - main;
    if (rough && Ordering::quiet(move)) less -= Ordering::promised(move) / Ordering::kMostHistory;
    if (less < 1 || (game.urgent && game.urgent(game.self, walk.state(ply + 1)))) return 0;
    return std::min(static_cast<int>(less), depth - 2);
  }

  // Is this no quiet position? (There nothing is looked at less.)
  bool noisy_here(int ply) {
    return game.noisy && game.noisy(game.self, walk.state(ply), scratch_.data(),
                                    static_cast<int>(scratch_.size())) > 0;
  }

  // Was this position on the path before?
  bool repeated(int ply) {
    const void* state = walk.state(ply);
    if (path_.size() <= static_cast<std::size_t>(ply)) path_.resize(2 * ply + 64);
    path_[ply] = mirror_ ? game.mirror_key(game.self, state) : game.key(game.self, state);
    const int back = std::min(ply, game.quiet_plies(game.self, state));
    for (int i = 2; i <= back; i += 2) {
      if (path_[ply - i] == path_[ply]) return true;
    }
    return false;
  }

  // The next value there can be.
  double above(double x) const { return step_ > 0 ? x + step_ : std::nextafter(x, kInfinity); }
  double below(double x) const { return step_ > 0 ? x - step_ : std::nextafter(x, -kInfinity); }

  // Puts the moves worth looking at on the stack. False: there is nothing to look at, the value
  // (or a bound outside the window) is sure_.
  bool list(int ply, bool quiet, bool hasty, double& alpha, double& beta) {
    const void* state = walk.state(ply);
    if (quiet) {
      fill([&](int room) { return game.noisy(game.self, state, scratch_.data(), room); }, false);
      if (moves_found_ > 0) return true;
      sure_ = evaluation(ply);
      return false;
    }
    double low = judge.lifted() ? -kInfinity : alpha, high = judge.lifted() ? kInfinity : beta;
    if ((ply == 0 && !brief_) || hasty || !options.move_hints || !game.narrow) {
      fill([&](int room) { return game.actions(game.self, state, scratch_.data(), room); }, false);
      if (moves_found_ == 0) no_actions();
      if (ply == 0 && options.move_hints && game.narrow) promise_root(state);
      return true;
    }
    fill(
        [&](int room) {
          return game.narrow(game.self, state, scratch_.data(), promise_.data(), room, &low, &high);
        },
        true);
    low = judge.lift(low), high = judge.lift(high);
    if (moves_found_ > 0 && low < beta && high > alpha) {
      alpha = std::max(alpha, low);
      beta = std::min(beta, high);
      return true;
    }
    stack_.resize(stack_.size() - moves_found_);
    sure_ = leaf(ply, Leaf::terminal, low >= beta ? low : high);
    sure_bound_ = low == high ? Bound::exact : low >= beta ? Bound::lower : Bound::upper;
    return false;
  }

  // At the root every move stays, but those that the game would look at come first.
  void promise_root(const void* state) {
    double low = -kInfinity, high = kInfinity;
    const int count = game.narrow(game.self, state, scratch_.data(), promise_.data(),
                                  static_cast<int>(scratch_.size()), &low, &high);
    const auto first = stack_.end() - moves_found_;
    for (int i = 0; i < count; ++i) {
      for (auto m = first; m != stack_.end(); ++m) {
        // The game's own order counts among equals.
        if (m->action == scratch_[i]) m->promise = promise_[i] + 1 + (count - i) * 1e-3f;
      }
    }
  }

  template <class Fill>
  ZERMELO_ALWAYS_INLINE void fill(const Fill& ask, bool promises) {
    int count = ask(static_cast<int>(scratch_.size()));
    if (count > static_cast<int>(scratch_.size())) {
      scratch_.resize(count);
      promise_.resize(count);
      count = ask(count);
    }
    if (count < 0) throw RulesError("the rules failed to list the actions");
    const std::size_t first = stack_.size();
    stack_.resize(first + count);
    for (int i = 0; i < count; ++i) stack_[first + i] = {scratch_[i], promises ? promise_[i] : 0};
    moves_found_ = count;
  }

  double look(int ply) {
    const double e = judge.horizon(walk.state(ply));
    if (!judge.decisive(e)) lowest_ = std::min(lowest_, e), highest_ = std::max(highest_, e);
    return e;
  }
  double evaluation(int ply) {
    horizon = true;
    return leaf(ply, Leaf::horizon, look(ply));
  }

  // Does what the table knows settle this node? What rests on no horizon holds at any depth.
  bool enough(const Table::Entry& e, int ply, int depth, double alpha, double beta) const {
    if (e.estimate && e.depth < depth) return false;
    if (e.bound == Bound::lower) return judge.later(e.value, ply) >= beta;
    if (e.bound == Bound::upper) return judge.later(e.value, ply) <= alpha;
    return true;
  }

  static Bound bound_of(double v, double alpha, double beta) {
    return v <= alpha ? Bound::upper : v >= beta ? Bound::lower : Bound::exact;
  }

  bool skipped(Action action) const {
    return skip_ && std::find(skip_->begin(), skip_->end(), action) != skip_->end();
  }

 protected:
  // Are the moves of better lines left out just now?
  bool later_line() const { return skip_ && skip_->size() > options.without.size(); }

  static constexpr std::uint64_t kSureWork = 1 << 8;  // a slow answer, in nodes
  static constexpr int kAhead = 32;                   // children asked about

  EngineParams params_;
  Table& table_;
  Busy* busy_;   // what the threads are at; null: there is one
  bool exact_;   // nothing that is not sure
  bool learns_;  // killers and history are kept
  Ordering ordering_{learns_ || (options.killers && game.hints.slow_narrow)};
  double step_;  // values are multiples of this; 0: any
  bool slow_;    // the game's hint costs more than a look into the table
  int hasty_ = exact_ ? params_.hasty_solving : params_.hasty;
  bool selects_;              // some moves are looked at less deeply
  bool repeats_;              // a position on the path again is a draw
  bool probes_;               // shallow searches may settle deep ones
  bool probing_ = false;      // such a one is under way
  bool ahead_;                // the table is asked about the children
  bool mirror_;               // mirror images share an entry of the table
  int root_depth_ = 0;        // of this iteration
  int passed_ = -2;           // the ply of the last pass on the path
  std::vector<double> seen_;  // evaluations on the path
  static inline const std::array<double, 64> logs_ = [] {
    std::array<double, 64> logs{};
    for (int i = 1; i < 64; ++i) logs[i] = std::log(i);
    return logs;
  }();
  bool brief_ = false;                         // the root's moves are not told one by one
  const std::vector<Action>* skip_ = nullptr;  // root moves of earlier lines
  double lowest_ = 0, highest_ = 0;            // evaluations seen
  double sure_ = 0;                            // what the game or the table is sure of
  Bound sure_bound_ = Bound::exact;
  int moves_found_ = 0;
  std::uint64_t tabled_ = 0;  // positions that the tablebase knew
  MoveStack stack_;
  std::vector<int> ranks_;  // of the moves that were put off: when their turn was
  std::vector<Action> scratch_;
  std::vector<float> promise_;
  std::vector<std::uint64_t> path_;  // keys of the positions on the way here
};

}  // namespace zermelo
