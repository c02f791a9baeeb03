// The value of a leaf for player 0.
//
// With chance, values are averaged, so utilities are not lifted. A win or a loss still counts more
// than any evaluation: evaluations outside [-1, 1] are squashed.
//
// Where utilities lie between -1 and 1, evaluations need not keep to that scale: a depth-limited
// search ranks a win above every evaluation ("a won position counts as infinite"). Inside the
// search a utility of 1 or -1 is lifted by kLift; surface() takes that off. Utilities between them
// (a draw, half a point) are compared with evaluations as they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>

#include "../game.hpp"
#include "../limits.hpp"
#include "../result.hpp"

namespace zermelo {

// Thrown if a game with unknown bounds has a utility beyond 1: its evaluations are assumed to be in
// the same unit, and the search restarts without the lift. Also thrown if evaluations of a game
// with chance are outside the utility bounds: the search restarts and squashes them.
struct ScoreGame {};

template <class G = Game>
class Judge {
 public:
  static constexpr double kLift = 0x1p100;  // a power of two, so lifting loses no precision
  static constexpr double kTop = 0x1p50;    // evaluations are clamped below this
  static constexpr double kPly = 0x1p80;    // a win one ply later (distinguishable in a float)

  // limited: evaluations may be compared with utilities. scores: the game is known to end in
  // scores.
  Judge(const G& game, bool limited, bool scores)
      : game_(game),
        lifted_(limited && !scores && win_loss(game.facts)),
        averaged_(limited && averaged_wins(game.facts)),
        squashes_(averaged_ && scores) {
    const Facts& f = game.facts;
    neutral_ = std::clamp(0.0, f.utility_min, f.utility_max);
  }

  double terminal(const void* state, int player = 0) const {
    const double u = game_.utility(game_.self, state, player);
    // (NaN is outside too.)
    if (!(u >= game_.facts.utility_min && u <= game_.facts.utility_max)) wrong_utility(u);
    if (lifted_ && std::abs(u) > 1) throw ScoreGame{};
    return lift(u);
  }

  // No evaluation: an unfinished game counts as even.
  double horizon(const void* state, int player = 0) const {
    if (!game_.evaluate) return neutral_;
    const double e = game_.evaluate(game_.self, state, player);
    if (std::isnan(e)) {
      throw RulesError("an evaluation is NaN", "evaluate(s, p) must return a number");
    }
    if (averaged_) return short_of_a_win(e);
    return lifted_ ? std::clamp(e, -kTop, kTop) : e;
  }
  bool squashes() const { return squashes_; }

  // Whether this is the greatest or least utility and comes from terminal states. No evaluation
  // beyond the depth limit can change it.
  bool decided(double value) const {
    return decisive(value) && std::isfinite(game_.facts.utility_max);
  }

  // Decides what is proved about a value; no other function does. `found` is how `value` relates to
  // what this search would find with an open window (exact, lower, upper). `estimated`: the value
  // depends on an evaluation, a depth limit, a pruned move or an unfinished child. `bounded`:
  // the search uses that no value lies outside the utility bounds (plain alpha-beta does not).
  Bound settle(double value, Bound found, bool estimated, bool bounded) const {
    const double v = surface(value);
    const bool extreme = (found != Bound::upper && v >= game_.facts.utility_max) ||
                         (found != Bound::lower && v <= game_.facts.utility_min);
    if (found != Bound::estimate && extreme && (decided(value) || (bounded && !estimated))) {
      return Bound::exact;
    }
    return estimated ? Bound::estimate : found;
  }

  // Whether it is a win or a loss, though perhaps not the greatest.
  bool decisive(double value) const { return lifted_ && std::abs(value) > kTop; }

  // From now on earlier wins and later losses are preferred.
  void be_prompt() { prompt_ = lifted_ && game_.facts.step == 1; }
  // The value of a win or a loss after this many more plies.
  double later(double value, int plies) const {
    return prompt_ && decisive(value) ? value - plies * std::copysign(kPly, value) : value;
  }
  // The distance of a win or a loss in plies; -1: not known.
  int distance(double value) const {
    if (!prompt_ || !decisive(value)) return -1;
    return static_cast<int>(std::lround((kLift - std::abs(value)) / kPly));
  }

  bool lifted() const { return lifted_; }
  // A utility as the search sees it.
  double lift(double utility) const {
    return lifted_ && std::abs(utility) >= 1 ? utility * kLift : utility;
  }

  double surface(double value) const {
    if (decisive(value)) value = prompt_ ? std::copysign(1.0, value) : value / kLift;
    return value + 0.0;  // -0.0 never appears
  }

  static bool win_loss(const Facts& f) {
    return f.players == 2 && f.zero_sum && !f.chance &&
           ((f.utility_min == -1 && f.utility_max == 1) ||
            (f.utility_min == -kInfinity && f.utility_max == kInfinity));
  }

 private:
  static constexpr double kAlmost = 1 - 0x1p-30;  // as good as won, and not won

  static bool averaged_wins(const Facts& f) {
    return f.chance && f.players == 2 && f.zero_sum && f.utility_min == -1 && f.utility_max == 1;
  }
  double short_of_a_win(double e) const {
    if (squashes_) {
      e = std::isinf(e) ? e : e / (1 + std::abs(e));
    } else if (std::abs(e) > 1) {
      throw ScoreGame{};
    }
    return std::clamp(e, -kAlmost, kAlmost);
  }

  [[noreturn]] static void wrong_utility(double u) {
    if (std::isnan(u)) {
      throw RulesError("a utility is NaN", "utility(s, p) must return a number");
    }
    std::ostringstream text;
    text << "a utility is " << u << ", outside the game's utility_bounds";
    throw RulesError(text.str(),
                     "declare utility_bounds = (least, greatest), or correct utility()");
  }

  const G& game_;
  bool lifted_;
  bool averaged_;  // wins and losses averaged over chance
  bool squashes_;
  bool prompt_ = false;
  double neutral_ = 0;
};

}  // namespace zermelo
