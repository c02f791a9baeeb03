// The engine's search, for a Game or for rules that are compiled into it. engine_run.hpp starts it,
// engine.cpp presents it.
#pragma once

#include <array>
#include <cmath>

#include "../inlined.hpp"
#include "../parts/busy.hpp"
#include "../parts/frame.hpp"
#include "../parts/ordering.hpp"
#include "../parts/table.hpp"
#include "../parts/tablebase.hpp"

namespace zermelo {

// Numbers that were tuned, or could be.
struct EngineParams {
  int aspiration_depth = 4;  // from this depth on the root's window is guessed
  double aspiration = 0.1;   // its half-width, as a part of the spread of evaluations seen
  int glance = 8;            // depths looked at before a game is solved
  int hasty = 12;            // depth left at which slow hints are not asked for…
  int near_end = 4;          // …unless the game lasts no more than this beyond the limit
  int hasty_solving = 3;     // …and when a glance is to order what is solved next
  int glance_left = 13;      // plies before the end that no glance goes to…
  int glance_most = 12;      // …nor deeper than this, where a game has slow hints
  int reduce_depth = 4;      // where late moves are looked at less deeply…
  int reduce_from = 5;       // …from this one on
  int probe_depth = 4;       // where a shallow search may settle it…
  double probe_sure = 1.2;   // …if it is so many times its doubt outside
  int large = 20;            // plies left from which the table's word on the children is asked
  int large_depth = 4;       // the same, of the depth limit
  int tabled = 4;            // fewer plies left are not worth an entry of the table
  double nearer = 0.6;       // scores asked about: each so much of the one before
};

template <class G>
class Engine : public Frame<NoTrace, G> {
  using Base = Frame<NoTrace, G>;
  using Base::enter, Base::terminal, Base::leaf, Base::settle, Base::result, Base::no_actions;
  using Base::game, Base::limits, Base::options, Base::walk, Base::judge, Base::budget;
  using Base::leaves, Base::deepest, Base::horizon, Base::root_player, Base::moves;

 public:
  Engine(const Request& request, NoTrace& tracer, Table& table, Busy* busy)
      : Base(request, tracer),
        table_(table),
        busy_(busy),
        exact_(request.options.bounded),
        // A game that says what is promising knows better than what happened to cut elsewhere.
        learns_(options.killers && !(game.narrow && options.narrow)),
        step_(judge.lifted() ? 0 : game.facts.step),
        slow_(options.narrow && game.narrow && game.facts.slow_narrow),
        selects_(game.facts.selective && !exact_),
        repeats_(game.quiet_plies && !exact_),
        probes_(game.doubt && options.probcut && !exact_),
        ahead_(options.ahead && !game.facts.slow_rules),
        mirror_(options.mirror && game.mirror_key) {
    scratch_.resize(std::max(256, game.facts.max_actions));
    promise_.resize(scratch_.size());
  }

  std::uint64_t tabled() const { return tabled_; }

  // Only the value and a best action are wanted, not what every root move is worth.
  void be_brief() { brief_ = game.narrow && options.narrow; }

  Result run() {
    if (!exact_) {
      return Base::run([this](int depth) { return iterate(depth); },
                       [this](Result& best) { rescue(best); });
    }
    return Base::run([this](int) {
      // A glance comes first: it finds what is near, orders the rest and guesses the value. (A
      // game whose own quick hints order well does without.)
      const int glances = game.narrow && !slow_ ? 0 : glance();
      for (int depth = 1; depth <= glances; ++depth) {
        const Result r = iterate(depth);
        if (r.bound == Bound::exact || !r.horizon) return r;
      }
      return solve();
    });
  }

 private:
  // -- the root ----------------------------------------------------------------------------
  Result iterate(int depth) {
    std::vector<Action> done;  // the moves of earlier lines
    skip_ = &done;
    Result best = aspire(depth, true);
    guess_ = internal_;
    const int lines = std::min<int>(options.lines, static_cast<int>(best.moves.size()));
    for (int line = 1; line < lines; ++line) {
      done.push_back(line == 1 ? best.line.front() : moves_best_);
      merge(best, aspire(depth, false));
    }
    skip_ = nullptr;
    horizon = best.horizon;
    return best;
  }

  // The root with a guessed window, widened until the value lies inside.
  Result aspire(int depth, bool guessed) {
    double alpha = -kInfinity, beta = kInfinity;
    double half = std::max((highest_ - lowest_) * params_.aspiration, 1e-6);
    if (guessed && options.aspiration && depth >= params_.aspiration_depth &&
        !judge.decisive(guess_)) {
      alpha = guess_ - half;
      beta = guess_ + half;
    }
    for (;;) {
      moves.clear();
      horizon = false;
      const double v = value(0, depth, alpha, beta);
      internal_ = v;
      half *= 4;
      if (v <= alpha && alpha != -kInfinity) {
        alpha = half < highest_ - lowest_ ? v - half : -kInfinity;
      } else if (v >= beta && beta != kInfinity) {
        beta = half < highest_ - lowest_ ? v + half : kInfinity;
      } else {
        return result(v, Bound::exact, depth);
      }
    }
  }

  // Stopped in mid-depth: a move that had already proved better than the last depth's choice, which
  // is always looked at first, is played.
  void rescue(Result& best) const {
    if (moves.empty() || !skip_ || !skip_->empty() || best.line.empty()) return;
    if (moves.front().action != best.line.front()) return;
    const double sign = root_player == 0 ? 1 : -1;
    const auto better = std::max_element(
        moves.begin(), moves.end(),
        [&](const RootMove& a, const RootMove& b) { return sign * a.value < sign * b.value; });
    const Bound useless = root_player == 0 ? Bound::upper : Bound::lower;
    if (better == moves.begin() || better->bound == useless) return;
    for (RootMove m : moves) {
      if (m.action == better->action && m.bound != Bound::exact) m.bound = Bound::estimate;
      m.value = judge.surface(m.value);
      replace(best, m);
      if (m.action == better->action) best.value = m.value, best.bound = m.bound;
    }
    best.line = better->line;
    best.decisive = judge.decisive(better->value);
    best.horizon |= horizon;
  }

  // A further line: its move's value replaces the mere bound that the first search left.
  void merge(Result& best, const Result& next) {
    moves_best_ = next.line.front();
    best.horizon |= next.horizon;
    for (const RootMove& m : next.moves) {
      if (m.action == moves_best_) replace(best, m);
    }
  }
  static void replace(Result& best, const RootMove& m) {
    std::replace_if(
        best.moves.begin(), best.moves.end(),
        [&](const RootMove& old) { return old.action == m.action; }, m);
  }

  // The exact value. Scores are found window by window, from a guess outward or from the ends
  // inward.
  Result solve() {
    double low = game.facts.utility_min, high = game.facts.utility_max;
    const int mover = game.to_move(game.self, walk.state(0));
    horizon = false;
    if (!(step_ > 0 && std::isfinite(low) && std::isfinite(high) && high - low > 2 * step_)) {
      const double v = value(0, kNoDepth, judge.lift(low), judge.lift(high));
      return result(v, Bound::exact, kNoDepth);
    }
    if (game.narrow && options.narrow) {
      game.narrow(game.self, walk.state(0), scratch_.data(), promise_.data(),
                  static_cast<int>(scratch_.size()), &low, &high);
    }
    if (low == high) brief_ = false;  // then the game names no move
    double guess = guess_;
    Result best;  // from the last window that the mover's best move was above
    while (low < high || !best.has_value) {
      // When all is known but a move, the window asks for one that reaches the value.
      double middle = mover == 0 ? low - step_ : low;
      if (low < high) middle = slow_ ? beside(guess, low, high) : halfway(low, high);
      moves.clear();
      const double v = value(0, kNoDepth, middle, middle + step_);
      if (v <= middle) {
        guess = high = std::min(high, std::floor(v / step_) * step_);
      } else {
        guess = low = std::max(low, std::ceil(v / step_) * step_);
      }
      if ((v > middle) == (mover == 0)) best = result(v, Bound::exact, kNoDepth);
    }
    best.value = low;
    for (RootMove& m : best.moves) {
      if (m.action == best.line.front()) m.value = low, m.bound = Bound::exact;
    }
    return best;
  }

  // How deep to glance: a part of the way where its length is known.
  int glance() {
    if (!slow_ || !game.plies_left) return params_.glance;
    const int left = game.plies_left(game.self, walk.state(0));
    return std::min(params_.glance_most, left - params_.glance_left);
  }

  // The score just below a guess.
  double beside(double guess, double low, double high) const {
    return std::clamp(std::floor(guess / step_) * step_, low, high - step_);
  }

  // Which score to ask about next, of those from low to high. While either side may win, a great
  // win of the one and of the other in turn, nearer to even each time: those are settled soonest.
  double halfway(double low, double high) const {
    const double least = std::round(low / step_), most = std::round(high / step_);
    double middle = least + std::floor((most - least) / 2);
    if (least < 0 && most > 0) {
      middle = most >= -least ? std::floor(most * params_.nearer)
                              : -std::floor(-least * params_.nearer) - 1;
    }
    return std::clamp(middle, least, most - 1) * step_;
  }

  // -- a node ------------------------------------------------------------------------------
  // value <= alpha: the true value is at most value; value >= beta: at least; between: exact.
  double value(int ply, int depth, double alpha, double beta) {
    // 1. The end of the game.
    const int player = enter(ply, 0, alpha, beta);
    if (player == kTerminal) return terminal(ply);
    if (ply == 0) root_player = player;
    if (Verdict v; options.tablebase && ply > 0 && options.tablebase->probe(walk.state(ply), v)) {
      ++tabled_;
      return leaf(ply, Leaf::table, judge.lift(v.value));
    }
    const void* state = walk.state(ply);
    if (repeats_ && repeated(ply)) {
      horizon = true;  // on another path the position may be worth something
      return leaf(ply, Leaf::terminal, 0);
    }
    const bool quiet = depth <= 0;
    if (quiet && !(options.quiescence && game.noisy)) return evaluation(ply);

    // 2. What the table knows, and what the game itself is sure of, with the moves worth looking
    //    at. Before a small subtree the game comes first: the table's memory is slow.
    const std::uint64_t plain = game.key(game.self, state);
    const std::uint64_t key = mirror_ ? game.mirror_key(game.self, state) : plain;
    const int left = game.plies_left ? game.plies_left(game.self, state) : kNoDepth;
    const bool large = left >= params_.large && depth >= params_.large_depth;
    const bool tabled = left >= params_.tabled && !quiet;
    if (tabled) table_.prefetch(key);
    const bool mirrored = key != plain && !game.facts.same_actions;
    const double sign = player == 0 ? 1 : -1;
    const std::size_t first = stack_.size();
    Table::Entry known;
    // Near the depth limit a long thought about the order costs more than it saves.
    const bool hasty = slow_ && depth <= hasty_ && left > depth + params_.near_end;
    const bool early = large || (slow_ && tabled);
    bool met = early && table_.find(key, known);
    if (met && ply > 0 && enough(known, depth, alpha, beta))
      return remembered(ply, known, mirrored);
    if (!list(ply, quiet, hasty, alpha, beta)) {
      if (slow_ && tabled) {
        table_.store(key, {sure_, 0, Table::kDeepest, sure_bound_, false}, kSureWork);
      }
      return sure_;
    }
    if (tabled && !early) {
      met = table_.find(key, known);
      if (met && ply > 0 && enough(known, depth, alpha, beta)) {
        stack_.resize(first);
        return remembered(ply, known, mirrored);
      }
    }

    // 3. A move to a position known to be good enough settles this one.
    const int count = static_cast<int>(stack_.size() - first);
    const double limit = player == 0 ? beta : alpha;
    if (early && !hasty && ply > 0 && ahead_ &&
        look_ahead(ply, depth, player, limit, first, count)) {
      stack_.resize(first);
      return sure_;
    }

    // 4. A shallow search that is far outside the window: the deep one will hardly be inside.
    if (probes_ && !probing_ && ply > 0 && depth >= params_.probe_depth && depth < left &&
        !forked(alpha, beta) && probe(ply, depth, alpha, beta)) {
      stack_.resize(first);
      return sure_;
    }

    // 5. Past the depth limit the mover may decline all noisy moves, unless they are forced.
    const double entry_alpha = alpha, entry_beta = beta;
    const bool declines = quiet && !game.facts.forced;
    const bool felt = std::exchange(horizon, declines);
    double& own = player == 0 ? alpha : beta;
    double best = -sign * kInfinity;
    Action best_action = 0;
    if (declines) {
      best = evaluation(ply);
      if (sign * best > sign * own) own = best;
    }

    // 6. The moves, the most promising first.
    const bool reduces = selects_ && options.reductions && ply > 0 &&
                         depth >= params_.reduce_depth && !noisy_here(ply);
    const bool learns = learns_ || (hasty && options.killers);
    // A move that only failed to reach the window is no better than the others, and one found in
    // haste no better than what the game promises.
    const bool hint = met && !mirrored &&
                      known.bound != (player == 0 ? Bound::upper : Bound::lower) &&
                      (hasty || !slow_ || !known.estimate || known.depth > hasty_);
    ordering_.sort(stack_.data() + first, count, ply, player, learns, hint, known.action);
    const std::uint64_t start = budget.nodes();
    const bool shared = busy_ && depth >= Busy::kLeastDepth;
    int tried = 0, total = count;
    for (int i = 0; i < total && sign * best < sign * limit; ++i) {
      const Action action = stack_[first + i].action;
      if (ply == 0 && skipped(action)) continue;
      const std::uint64_t mark = shared ? Busy::mark(key, action) : 0;
      if (shared && tried > 0 && i < count && busy_->has(mark)) {
        stack_.push_back(Move(stack_[first + i]));  // another thread is at it: later
        ++total;
        continue;
      }
      if (shared) busy_->begin(mark);
      const std::uint64_t before = budget.nodes();
      const bool outside = ply == 0 && std::exchange(horizon, false);
      walk.play(ply, action);
      const int less = reduces ? reduction(depth, tried) : 0;
      const double v = child(ply, depth - 1, less, player, alpha, beta, tried++);
      if (shared) busy_->end(mark);
      if (ply == 0 && !brief_) {
        moves.push_back({action, v, settle(v, bound_of(v, alpha, beta), horizon),
                         budget.nodes() - before, walk.line_after(action)});
      }
      horizon |= outside;
      if (sign * v > sign * best || (tried == 1 && !declines)) {
        best = v;
        best_action = action;
        if (ply == 0 || sign * v > sign * own) walk.extend_line(ply, action);
        if (sign * v > sign * own) own = v;
      }
    }
    stack_.resize(first);
    if (learns && tried > 0 && sign * best >= sign * limit) {
      ordering_.reward(best_action, ply, player, depth);
    }

    // 7. Remember, and back up.
    if (tabled && !(ply == 0 && skip_ && !skip_->empty())) {
      table_.store(key,
                   {best, best_action, std::min(depth, Table::kDeepest),
                    bound_of(best, entry_alpha, entry_beta), horizon},
                   budget.nodes() - start);
    }
    horizon |= felt;
    return best;
  }

  // The table's word stands for the node.
  double remembered(int ply, const Table::Entry& known, bool mirrored) {
    horizon |= known.estimate;
    walk.start_line(ply + 1);  // what follows the remembered move is not known
    if (known.bound == Bound::exact && !mirrored) walk.extend_line(ply, known.action);
    return leaf(ply, Leaf::table, known.value);
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

  // How much less deeply the move number `tried` is looked at first.
  int reduction(int depth, int tried) const {
    if (tried < params_.reduce_from) return 0;
    return tried >= 2 * params_.reduce_from && depth >= 2 * params_.reduce_depth ? 2 : 1;
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
    if ((ply == 0 && !brief_) || hasty || !options.narrow || !game.narrow) {
      fill([&](int room) { return game.actions(game.self, state, scratch_.data(), room); }, false);
      if (moves_found_ == 0) no_actions();
      if (ply == 0 && options.narrow && game.narrow) promise_root(state);
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
  [[gnu::always_inline]] void fill(const Fill& ask, bool promises) {
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
  static bool enough(const Table::Entry& e, int depth, double alpha, double beta) {
    if (e.estimate && e.depth < depth) return false;
    if (e.bound == Bound::lower) return e.value >= beta;
    if (e.bound == Bound::upper) return e.value <= alpha;
    return true;
  }

  static Bound bound_of(double v, double alpha, double beta) {
    return v <= alpha ? Bound::upper : v >= beta ? Bound::lower : Bound::exact;
  }

  bool skipped(Action action) const {
    return skip_ && std::find(skip_->begin(), skip_->end(), action) != skip_->end();
  }

  static constexpr std::uint64_t kSureWork = 1 << 8;  // a slow answer, in nodes
  static constexpr int kAhead = 32;                   // children asked about

  EngineParams params_;
  Table& table_;
  Busy* busy_;   // what the threads are at; null: there is one
  bool exact_;   // nothing that is not sure
  bool learns_;  // killers and history are kept
  Ordering ordering_{learns_ || (options.killers && game.facts.slow_narrow)};
  double step_;  // values are multiples of this; 0: any
  bool slow_;    // the game's hint costs more than a look into the table
  int hasty_ = exact_ ? params_.hasty_solving : params_.hasty;
  bool selects_;                               // some moves are looked at less deeply
  bool repeats_;                               // a position on the path again is a draw
  bool probes_;                                // shallow searches may settle deep ones
  bool probing_ = false;                       // such a one is under way
  bool ahead_;                                 // the table is asked about the children
  bool mirror_;                                // mirror images share an entry of the table
  bool brief_ = false;                         // the root's moves are not told one by one
  const std::vector<Action>* skip_ = nullptr;  // root moves of earlier lines
  double guess_ = 0, internal_ = 0;            // the root's value, as the search sees it
  double lowest_ = 0, highest_ = 0;            // evaluations seen
  double sure_ = 0;                            // what the game or the table is sure of
  Bound sure_bound_ = Bound::exact;
  Action moves_best_ = 0;  // the move of the last line
  int moves_found_ = 0;
  std::uint64_t tabled_ = 0;  // positions that the tablebase knew
  std::vector<Move> stack_;   // the moves of all plies, the deepest last
  std::vector<Action> scratch_;
  std::vector<float> promise_;
  std::vector<std::uint64_t> path_;  // keys of the positions on the way here
};

}  // namespace zermelo
