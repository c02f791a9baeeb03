// Go, on an n x n board (n from 2 to 25), with area or territory scoring.
//
// An action is row * n + column from the top left; n * n is a pass. The game ends after two passes
// in a row, after `limit` stones, or, without superko, when a position comes back ("no result",
// worth 0 to both). Dead stones are not removed: players who disagree play on.
//
//   - Superko: no position may come back (positional superko). The state carries the hashes of all
//     positions so far; a Bloom filter answers most questions. Without superko only the immediate
//     recapture of a single stone is illegal.
//   - Suicide: allowed or not. A suicide of one stone repeats the position, so superko forbids it.
//   - Score: stones plus empty regions that reach one colour only (Tromp and Taylor). Territory
//     plus prisoners equals this area less the difference in stones played, so that is how
//     territory scoring is computed.
//
// The state's history lies at its end: `used` returns the length in use, and `advance` plays
// in place, so that long games do not make copies slow.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "../../game.hpp"
#include "../../parts/random.hpp"
#include "board.hpp"
#include "life.hpp"
#include "policy.hpp"
#include "positions.hpp"
#include "score.hpp"

namespace zermelo {

struct GoOptions {
  int size = 9;
  double komi = 7;  // points that White gets
  bool superko = true;
  bool suicide = false;
  bool territory = false;          // territory and prisoners in place of area
  bool wins = true;                // utility: winning in place of points
  std::vector<int> handicap = {};  // points with black stones at the start; White moves first
  go::Weights weights = {};        // of the features of moves; empty: by rule of thumb
};

// N: the largest side of a board in this layout.
template <int N>
class Go {
 public:
  using State = go::Board<N>;
  using Point = go::Point;

  explicit Go(const GoOptions& options)
      : o_(options), n_(options.size), pass_(n_ * n_), policy_(n_, options.weights) {
    for (int action = 0; action < pass_; ++action) {
      points_[action] = State::at(action / n_, action % n_);
      actions_[points_[action]] = static_cast<std::uint16_t>(action);
      if constexpr (N <= 5) board_ |= go::Mask{1} << points_[action];
    }
    start_.clear(n_);
    if (!options.handicap.empty()) start_ = with(options.handicap, {}, go::kWhite);
  }

  Facts facts() const {
    const auto multiple_of = [&](double step) {
      return o_.komi == step * std::floor(o_.komi / step);
    };
    const double points = multiple_of(1) ? 1 : multiple_of(0.5) ? 0.5 : 0;
    const bool draws = multiple_of(1) || !o_.superko;
    const double most = o_.territory ? 5.0 * pass_ : pass_;
    return {.utility_min = o_.wins ? -1 : -most - o_.komi,
            .utility_max = o_.wins ? 1 : most - o_.komi,
            .step = o_.wins ? (draws ? 1.0 : 2.0) : points,
            .max_actions = pass_ + 1,
            .amaf_size = pass_ + 1,
            .planes = kPlanes,
            .rows = size(),
            .columns = size(),
            .policy_size = pass_ + 1};
  }

  // -- rules -------------------------------------------------------------------------------------

  State initial() const { return start_; }

  int to_move(const State& s) const {
    const bool over = s.passes >= 2 || s.repeated || s.length > limit();
    return over ? kTerminal : s.mover;
  }

  int actions(const State& s, Action* out, int capacity) const {
    int count = 0;
    for (int action = 0; action < pass_; ++action) {
      if (s.colour[points_[action]] == go::kEmpty && legal(s, points_[action])) {
        if (count < capacity) out[count] = static_cast<Action>(action);
        ++count;
      }
    }
    if (count < capacity) out[count] = static_cast<Action>(pass_);
    return count + 1;
  }

  Action sample(const State& s, std::uint64_t random) const {
    Random more(random);
    for (int attempt = 0; attempt < 64; ++attempt, random = more.next()) {
      const std::uint32_t k = Random::scaled(random, s.empty_count + 1u);
      if (k == s.empty_count) return static_cast<Action>(pass_);
      if (legal(s, s.empty[k])) return actions_[s.empty[k]];
    }
    std::vector<Action> all(pass_ + 1);  // nearly nothing is legal
    return all[more.below(static_cast<std::uint32_t>(actions(s, all.data(), pass_ + 1)))];
  }

  void play_into(const State& s, Action action, State& next) const {
    std::memcpy(static_cast<void*>(&next), &s, s.used());
    advance(next, action);
  }

  void advance(State& s, Action action) const {
    if (static_cast<int>(action) == pass_) return s.pass();
    s.play(points_[action]);
    if (!o_.superko && s.captured && s.seen(s.hash)) {
      s.repeated = 1;
      return;
    }
    s.remember();
  }

  double utility(const State& s, int player) const {
    if (s.repeated) return 0;
    const double black = worth(score(s));
    return player == go::kBlack ? black : 0 - black;
  }

  std::uint64_t key(const State& s) const {
    std::uint64_t rest = s.mover | s.passes << 1 | s.repeated << 3;
    if (!o_.superko) rest |= std::uint64_t{s.ko} << 16;
    if (o_.territory) {
      rest |= static_cast<std::uint64_t>(s.placed[0] - s.placed[1] + (1 << 15)) << 32;
    }
    return mix(s.hash ^ mix(s.history_hash + mix(rest + 1)));
  }

  bool valid(const State& s) const { return go::consistent(s, n_) && s.length <= limit() + 1; }

  std::uint32_t used(const State& s) const { return s.used(); }

  // -- hints -------------------------------------------------------------------------------------

  // The margin as the stones lie; in a game of wins, as a part of the board.
  double evaluate(const State& s, int player) const {
    const double margin = score(s) - o_.komi;
    const double black = o_.wins ? std::clamp(margin / (pass_ + 1), -1.0, 1.0) : margin;
    return player == go::kBlack ? black : 0 - black;
  }

  // On small boards: bounds by unconditional life, and by a pass that ends the game.
  int narrow(const State& s, Action* out, float* promise, int capacity, double* low,
             double* high) const
    requires(N <= 5)
  {
    const double alpha = *low, beta = *high;
    *low = -kInfinity, *high = kInfinity;
    // Without superko a repetition ends the game, and with territory prisoners count, too.
    if (o_.superko && !o_.territory) {
      *low = worth(2 * std::popcount(safe(s, go::kBlack)) - pass_);
      *high = worth(pass_ - 2 * std::popcount(safe(s, go::kWhite)));
    }
    if (s.passes == 1) {
      double& bound = s.mover == go::kBlack ? *low : *high;
      const double now = worth(score(s));
      bound = s.mover == go::kBlack ? std::max(bound, now) : std::min(bound, now);
    }
    if (*low == *high || *low >= beta || *high <= alpha) return 0;
    const int count = actions(s, out, capacity);
    for (int i = 0; i < std::min(count, capacity); ++i) promise[i] = rate(s, out[i]);
    return count;
  }

  int plies_left(const State& s) const { return std::max(4, s.empty_count * 3 / 4); }

  Action playout(const State& s, std::uint64_t random) const {
    const Point p = policy_.playout(s, random, [&](Point q) { return legal(s, q); });
    return p ? actions_[p] : static_cast<Action>(pass_);
  }

  void prior(const State& s, const Action* list, int count, float* weight) const {
    for (int i = 0; i < count; ++i) {
      const bool pass = static_cast<int>(list[i]) == pass_;
      weight[i] = policy_.prior(s, pass ? Point{0} : points_[list[i]]);
    }
  }

  // The features of a move, for learning.
  go::Features features(const State& s, Action action) const {
    return policy_.features(s, static_cast<int>(action) == pass_ ? Point{0} : points_[action]);
  }

  // The hashes of the larger patterns around a move; kNoShape for a pass.
  void shapes(const State& s, Action action, std::uint64_t* out) const {
    std::fill_n(out, go::kShapeLevels, go::kNoShape);
    if (static_cast<int>(action) != pass_) policy_.shapes(s, points_[action], out);
  }

  // The point, or the pass.
  int amaf(const State&, Action action) const { return static_cast<int>(action); }

  // -- for learning ------------------------------------------------------------------------------

  static constexpr int kPlanes = 9;

  // 0, 1: the stones of the player and of the other one; 2, 3: those in atari; 4, 5: those with two
  // liberties; 6: the last move; 7: where a ko forbids to play; 8: ones if the player is Black.
  void encode(const State& s, int player, float* out) const {
    std::fill_n(out, kPlanes * pass_, 0.0F);
    for (int a = 0; a < pass_; ++a) {
      const Point p = points_[a];
      const auto set = [&](int plane) { out[plane * pass_ + a] = 1; };
      if (s.stone(p)) {
        const int other = s.colour[p] != player;
        go::Point found[4];
        const int liberties = go::liberties_of(s, p, 3, found);
        set(other);
        if (liberties < 3) set(2 * liberties + other);
      }
      if (s.last == p) set(6);
      if (s.ko == p) set(7);
      if (player == 0) set(8);
    }
  }
  // The point, or the pass.
  int policy_index(Action action) const { return static_cast<int>(action); }

  // -- for notation and pictures -----------------------------------------------------------------

  enum class Fault { none, over, occupied, suicide, ko, superko };

  // Why an action is illegal.
  Fault fault(const State& s, Action action) const {
    if (to_move(s) == kTerminal) return Fault::over;
    if (static_cast<int>(action) >= pass_) return Fault::none;
    const Point p = points_[action];
    if (s.colour[p] != go::kEmpty) return Fault::occupied;
    if (s.suicide(p, s.mover) && !may_suicide(s, p)) return Fault::suicide;
    if (legal(s, p)) return Fault::none;
    return !o_.superko || s.ko == p ? Fault::ko : Fault::superko;
  }

  // Black's points less White's, without komi.
  int score(const State& s) const {
    const int area = go::area(s, static_cast<std::int8_t*>(nullptr));
    return o_.territory ? area - (s.placed[0] - s.placed[1]) : area;
  }

  // The state with these stones, or an error: a chain without liberties (false).
  bool set_up(const std::vector<int>& black, const std::vector<int>& white, int mover,
              State& out) const {
    out = with(black, white, mover);
    return out.stones[0] == black.size() && out.stones[1] == white.size();
  }

  // Gives the turn to a player, as if no pass had been played. The board and its history stay; a
  // game that has reached its limit starts a new history.
  void give_turn(State& s, int mover) const {
    if (s.mover != mover) s.ko = 0;
    s.mover = static_cast<std::uint8_t>(mover);
    s.passes = s.repeated = 0;
    if (s.length <= limit()) return;
    s.restart();
    std::memset(s.history + s.length, 0, sizeof s.history - s.length * sizeof s.history[0]);
  }

  // The points that count for `player` whatever is played, by unconditional life.
  go::Mask safe(const State& s, int player) const
    requires(N <= 5)
  {
    return go::safe(s, player, o_.suicide);
  }
  go::Mask safe(go::Mask own, go::Mask empty) const
    requires(N <= 5)
  {
    return go::safe<N>(own, empty, board_, o_.suicide);
  }

  // Black's utility for a score without komi.
  double worth(int score) const {
    const double margin = score - o_.komi;
    return o_.wins ? (margin > 0) - (margin < 0) : margin;
  }

  // For exact solving: superko with area scoring on boards whose positions can be numbered.
  const SuperkoRules* superko() const
    requires(N <= 5)
  {
    static constexpr SuperkoRules kRules{
        [](const void* self, const std::function<void()>& tick) -> std::unique_ptr<SuperkoGraph> {
          const Go& rules = *static_cast<const Go*>(self);
          return std::make_unique<go::Positions<Go>>(rules, rules.o_.suicide, tick);
        }};
    return o_.superko && !o_.territory && n_ <= go::kMostNumbered ? &kRules : nullptr;
  }

  Point point(Action action) const { return points_[action]; }
  int size() const { return n_; }
  // Stones after which the game ends; small boards have room for long fights.
  int limit() const { return n_ <= 5 ? State::kMostPlays : 4 * n_ * n_; }

 private:
  // For move ordering on small boards: captures, then the centre; a pass and own eyes last.
  float rate(const State& s, Action action) const {
    if (static_cast<int>(action) == pass_) return 0;
    const Point p = points_[action];
    int own = 0;
    for (const int d : State::kDirect)
      own += s.colour[p + d] == s.mover || s.colour[p + d] == go::kBorder;
    if (own == 4) return -1;
    const int row = static_cast<int>(action) / n_, column = static_cast<int>(action) % n_;
    const int off = std::abs(2 * row + 1 - n_) + std::abs(2 * column + 1 - n_);
    return static_cast<float>(2 * n_ - off + (s.captures(p, s.mover) ? 100 : 0));
  }

  bool may_suicide(const State& s, Point p) const {
    if (!o_.suicide) return false;
    for (const int d : State::kDirect) {
      if (s.colour[p + d] == s.mover) return true;
    }
    return false;
  }

  // Whether the mover may play at this empty point.
  bool legal(const State& s, Point p) const {
    if (!State::open(s.pattern[p]) && s.suicide(p, s.mover) && !may_suicide(s, p)) return false;
    if (!o_.superko) return p != s.ko;
    // Before the first capture every play adds a stone, so no position can come back.
    if (!s.captured && !s.captures(p, s.mover) && !o_.suicide) return true;
    return !s.seen(s.hash_after(p, s.mover));
  }

  State with(const std::vector<int>& black, const std::vector<int>& white, int mover) const {
    State s;
    s.clear(n_);
    for (const int action : black) s.put(points_[action], go::kBlack);
    for (const int action : white) s.put(points_[action], go::kWhite);
    for (const int player : {0, 1}) s.placed[player] = s.stones[player];
    s.mover = static_cast<std::uint8_t>(mover);
    s.captured = 0;
    s.restart();
    return s;
  }

  GoOptions o_;
  int n_, pass_;
  go::Mask board_ = 0;  // all points, on boards up to 5x5
  Point points_[N * N];
  std::uint16_t actions_[State::kPoints];
  State start_;
  go::Policy<N> policy_;
};

}  // namespace zermelo
