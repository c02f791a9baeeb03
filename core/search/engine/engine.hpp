// The engine: the root, deepening or solving. node.hpp is the tree below, run.hpp starts it.
#pragma once

#include "node.hpp"

namespace zermelo {

template <class G>
class Engine : public EngineNode<G> {
  using Base = EngineNode<G>;
  using Base::brief_, Base::lowest_, Base::highest_, Base::scratch_, Base::promise_;
  using Base::game, Base::options, Base::walk, Base::judge, Base::horizon, Base::root_player;
  using Base::moves, Base::params_, Base::exact_, Base::slow_, Base::step_, Base::skip_;
  using Base::root_depth_, Base::tabled_, Base::later_line;
  using Base::value, Base::result;

 public:
  Engine(const Request& request, NoTrace& tracer, Table& table, Busy* busy)
      : Base(request, tracer, table, busy) {}

  std::uint64_t tabled() const { return tabled_; }

  // Another root; what was learned of moves stays.
  void restart(const void* state) {
    Base::restart(state);
    guess_ = internal_ = lowest_ = highest_ = 0;
    tabled_ = 0;
  }

  // Only the value is wanted, not what every root move is worth.
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
  Result iterate(int depth) {
    root_depth_ = depth;
    done_ = options.without;  // and the moves of earlier lines
    skip_ = &done_;
    Result best = aspire(depth, true);
    guess_ = internal_;
    const int lines = std::min<int>(options.lines, static_cast<int>(best.moves.size()));
    for (int line = 1; line < lines; ++line) {
      done_.push_back(line == 1 ? best.line.front() : moves_best_);
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
    if (moves.empty() || !skip_ || later_line() || best.line.empty()) return;
    if (moves.front().action != best.line.front()) return;
    const double sign = root_player == 0 ? 1 : -1;
    const auto better = std::max_element(
        moves.begin(), moves.end(),
        [&](const RootMove& a, const RootMove& b) { return sign * a.value < sign * b.value; });
    const Bound useless = root_player == 0 ? Bound::upper : Bound::lower;
    if (better == moves.begin() || better->bound == useless) return;
    for (RootMove m : moves) {
      if (m.action == better->action && m.bound != Bound::exact) m.bound = Bound::estimate;
      m.distance = judge.distance(m.value);
      m.value = judge.surface(m.value);
      replace(best, m);
      if (m.action != better->action) continue;
      best.value = m.value, best.bound = m.bound, best.distance = m.distance;
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
    while (low < high || !(best.has_value || brief_)) {
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
    if (!best.has_value) best = result(low, Bound::exact, kNoDepth);  // no move was asked for
    best.value = low;
    for (RootMove& m : best.moves) {
      if (!best.line.empty() && m.action == best.line.front())
        m.value = low, m.bound = Bound::exact;
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

  double guess_ = 0, internal_ = 0;  // the root's value, as the search sees it
  Action moves_best_ = 0;            // the move of the last line
  std::vector<Action> done_;         // what skip_ points to; outlives a search that is stopped
};

}  // namespace zermelo
