// The engine's root: iterative deepening with aspiration windows, multi-PV, and exact solving.
// node.hpp searches the tree below, run.hpp starts the threads.
#pragma once

#include "node.hpp"

namespace zermelo {

template <class G>
class Engine : public EngineNode<G> {
  using Base = EngineNode<G>;
  using Base::budget, Base::settled, Base::selective_, Base::probcut_, Base::repetition_draws_;
  using Base::game, Base::options, Base::walk, Base::judge, Base::horizon, Base::root_player;
  using Base::moves, Base::params_, Base::solving_, Base::slow_narrow_, Base::step_, Base::skip_;
  using Base::root_depth_, Base::tablebase_hits_, Base::later_line;
  using Base::value, Base::result, Base::surface, Base::at_least, Base::proved_by, Base::settle;
  using Base::value_only_, Base::lowest_, Base::highest_, Base::scratch_, Base::promise_;

 public:
  Engine(const Request& request, NoTrace& tracer, Table& table, Busy* busy)
      : Base(request, tracer, table, busy), rules_(request.game) {}

  std::uint64_t tabled() const { return tablebase_hits_; }

  // A new root; killers and history are kept.
  void restart(const void* state) {
    Base::restart(state);
    guess_ = internal_ = lowest_ = highest_ = 0;
    tablebase_hits_ = 0;
  }

  // Only the root's value is needed, not the value of every root move.
  void be_brief() { value_only_ = game.narrow && options.move_hints; }

  Result run() {
    if (!solving_) {
      return Base::run([this](int depth) { return iterate(depth); },
                       [this](Result& best) { rescue(best); });
    }
    return Base::run([this](int) {
      // Iterative deepening first: it finds quick wins, orders the moves and guesses the value.
      // (A game whose `narrow` is quick and orders well does not need it.)
      const int warmup = game.narrow && !slow_narrow_ ? 0 : warmup_depth();
      for (int depth = 1; depth <= warmup; ++depth) {
        const Result r = iterate(depth);
        if (r.bound == Bound::exact || !r.horizon) return r;
      }
      return solve();
    });
  }

 private:
  Result iterate(int depth) {
    root_depth_ = depth;
    done_ = options.without;  // later also the best moves of earlier lines
    skip_ = &done_;
    Result best = aspire(depth, true);
    guess_ = internal_;
    const int lines = std::min<int>(options.lines, static_cast<int>(best.moves.size()));
    Action last = best.line.empty() ? 0 : best.line.front();
    for (int line = 1; line < lines; ++line) {
      done_.push_back(last);
      const Result next = aspire(depth, false);
      last = next.line.front();
      merge(best, next);
    }
    skip_ = nullptr;
    horizon = best.horizon;
    if (best.distance > kNearest && settled(best)) shorten(best);
    return best;
  }

  // A selective search may miss the shortest win. A small full-width search looks for shorter ones.
  // A win too far away for it keeps its distance, which the winner can force but perhaps improve.
  void shorten(Result& best) {
    Limits few = this->limits;
    few.nodes = game.hints.slow_rules ? kShortenSlowly : kShorten;
    const std::uint64_t used = budget.nodes();
    few.nodes = std::min(few.nodes, this->limits.nodes - std::min(used + 1, this->limits.nodes));
    Options plain = options;
    plain.lines = 1;
    plain.extensions = plain.quiescence = false;
    Budget own(few);
    const Request request{rules_, walk.state(0), few, plain, own, nullptr, nullptr};
    NoTrace none;
    Table table(1);
    Engine full(request, none, table, nullptr);
    try {
      full.be_full_width();
      for (int plies = best.distance % 2 ? 1 : 2; plies < best.distance; plies += 2) {
        if (budget.stopped() != Stop::none || full.find_shorter(best, plies)) break;
      }
    } catch (const Stopped&) {
    }
    try {  // count its nodes, too
      for (std::uint64_t i = own.nodes(); i > 0; --i) budget.enter();
    } catch (const Stopped&) {
    }
  }

  void be_full_width() {
    selective_ = probcut_ = repetition_draws_ = false;
    done_ = options.without;
    skip_ = &done_;
  }

  // Looks for a win within `plies`, shorter than the known one. If found, it becomes `best`.
  bool find_shorter(Result& best, int plies) {
    root_depth_ = plies;
    moves.clear();
    horizon = false;
    const double known = judge.later(judge.lift(best.value), best.distance);
    const double v =
        best.value > 0 ? value(0, plies, known, kInfinity) : value(0, plies, -kInfinity, known);
    if (std::abs(v) <= std::abs(known) || !judge.decisive(v) || v * best.value < 0) return false;
    const Result found = result(v, Bound::exact, plies);
    best.line = found.line;
    best.distance = found.distance;
    for (const RootMove& m : found.moves) {
      if (m.bound == Bound::exact && m.value == best.value) replace(best, m);
    }
    return true;
  }

  // Aspiration window: a guess, widened until the value lies inside.
  Result aspire(int depth, bool guessed) {
    double alpha = -kInfinity, beta = kInfinity;
    double half = std::max((highest_ - lowest_) * params_.aspiration_width, 1e-6);
    if (guessed && options.aspiration && depth >= params_.aspiration_min_depth &&
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

  // Stopped in the middle of an iteration: a move that already turned out better than the last
  // iteration's choice, which is always searched first, is played.
  void rescue(Result& best) const {
    if (moves.empty() || !skip_ || later_line() || best.line.empty()) return;
    if (moves.front().action != best.line.front()) return;
    const double sign = root_player == 0 ? 1 : -1;
    const auto better = std::max_element(
        moves.begin(), moves.end(),
        [&](const RootMove& a, const RootMove& b) { return sign * a.value < sign * b.value; });
    if (better == moves.begin() || better->found == at_least(1 - root_player)) return;
    for (RootMove m : moves) {
      surface(m);
      replace(best, m);
    }
    best.value = judge.surface(better->value);
    best.bound = proved_by(*better);
    best.distance = best.bound == Bound::exact ? judge.distance(better->value) : -1;
    best.line = better->line;
    best.decisive = judge.decisive(better->value);
    best.horizon |= horizon;
  }

  // Multi-PV: the values of a further line replace the bounds from the lines before. Since moves
  // are reduced differently, it may turn out better than the choice so far (guess_).
  void merge(Result& best, const Result& next) {
    best.horizon |= next.horizon;
    for (const RootMove& m : next.moves) replace(best, m);
    const double sign = root_player == 0 ? 1 : -1;
    if (best.bound == Bound::exact || sign * internal_ <= sign * guess_) return;
    guess_ = internal_;
    best.value = next.value;
    best.bound = settle(internal_, Bound::exact, true);
    best.distance = best.bound == Bound::exact ? next.distance : -1;
    best.line = next.line;
    best.decisive = next.decisive;
  }
  // A proved value is only replaced by a proved value.
  static void replace(Result& best, const RootMove& m) {
    for (RootMove& old : best.moves) {
      if (old.action == m.action && (old.bound != Bound::exact || m.bound == Bound::exact)) old = m;
    }
  }

  // The exact value. Scores are found by a series of zero windows, from a guess outward or from the
  // utility bounds inward.
  Result solve() {
    double low = game.facts.utility_min, high = game.facts.utility_max;
    const int mover = game.to_move(game.self, walk.state(0));
    horizon = false;
    moves.clear();
    if (!(step_ > 0 && std::isfinite(low) && std::isfinite(high) && high - low > 2 * step_)) {
      const double v = value(0, kNoDepth, judge.lift(low), judge.lift(high));
      return result(v, Bound::exact, kNoDepth);
    }
    if (game.narrow && options.move_hints) {
      game.narrow(game.self, walk.state(0), scratch_.data(), promise_.data(),
                  static_cast<int>(scratch_.size()), &low, &high);
    }
    if (low == high) value_only_ = false;  // then the game names no move
    double guess = guess_;
    Result best;  // from the last window in which a move failed high for the mover
    std::vector<RootMove> known;
    while (low < high || !(best.has_value || value_only_)) {
      // Once the value is known, the last window finds a move that reaches it.
      double middle = mover == 0 ? low - step_ : low;
      if (low < high) middle = slow_narrow_ ? beside(guess, low, high) : halfway(low, high);
      moves.clear();
      const double v = value(0, kNoDepth, middle, middle + step_);
      if (v <= middle) {
        guess = high = std::min(high, std::floor(v / step_) * step_);
      } else {
        guess = low = std::max(low, std::ceil(v / step_) * step_);
      }
      for (const RootMove& m : moves) tighten(known, m, mover);
      if ((v > middle) == (mover == 0)) best = result(v, Bound::exact, kNoDepth);
    }
    if (!best.has_value) best = result(low, Bound::exact, kNoDepth);  // no move was needed
    best.value = low;
    best.bound = Bound::exact;
    best.moves = std::move(known);
    for (RootMove& m : best.moves) {
      surface(m);
      if (!best.line.empty() && m.action == best.line.front())
        m.value = low, m.bound = m.found = Bound::exact, m.line = best.line;
    }
    return best;
  }

  // Each move once, with the strongest statement that any window proved: its value, else an upper
  // bound for the mover, else a lower one.
  static void tighten(std::vector<RootMove>& known, const RootMove& m, int mover) {
    const auto old = std::find_if(known.begin(), known.end(),
                                  [&](const RootMove& k) { return k.action == m.action; });
    if (old == known.end()) return known.push_back(m);
    const std::uint64_t nodes = old->nodes + m.nodes;
    const auto strength = [&](const RootMove& k) {
      return k.bound == Bound::exact ? 2 : k.bound == at_least(1 - mover) ? 1 : 0;
    };
    const double sign = m.bound == Bound::upper ? 1 : -1;
    const bool closer = m.bound == old->bound && sign * m.value < sign * old->value;
    if (strength(m) > strength(*old) || closer) *old = m;
    old->nodes = nodes;
  }

  // Stops well before the end of the game, where that is known.
  int warmup_depth() {
    if (!slow_narrow_ || !game.plies_left) return params_.solve_warmup_depth;
    const int left = game.plies_left(game.self, walk.state(0));
    return std::min(params_.solve_warmup_max_depth, left - params_.solve_warmup_plies_from_end);
  }

  // The score just below the guess.
  double beside(double guess, double low, double high) const {
    return std::clamp(std::floor(guess / step_) * step_, low, high - step_);
  }

  // The next score to test, between low and high. While either side may win, large wins of the one
  // and the other in turn, closer to a draw each time: those are refuted fastest.
  double halfway(double low, double high) const {
    const double least = std::round(low / step_), most = std::round(high / step_);
    double middle = least + std::floor((most - least) / 2);
    if (least < 0 && most > 0) {
      middle = most >= -least ? std::floor(most * params_.solve_window_shrink)
                              : -std::floor(-least * params_.solve_window_shrink) - 1;
    }
    return std::clamp(middle, least, most - 1) * step_;
  }

  static constexpr int kNearest = 2;                  // plies: a shorter win would have been found
  static constexpr std::uint64_t kShorten = 100'000;  // nodes spent on shorter wins
  static constexpr std::uint64_t kShortenSlowly = 2000;  // …where the rules are slow

  const Game& rules_;
  double guess_ = 0, internal_ = 0;  // the root's value, as the search counts it
  std::vector<Action> done_;         // what skip_ points to; valid even after the search is stopped
};

}  // namespace zermelo
