// Backgammon with the doubling cube, money play: the rules without it, and whose decision it is.
//
// Before every roll except the first, the mover may double if the cube is centred or its own and
// below 64. A player who drops loses the previous cube value. A player who takes owns the cube at
// twice the value.
#pragma once

#include <optional>

#include "backgammon.hpp"
#include "janowski.hpp"

namespace zermelo {

namespace backgammon {

// The pending decision.
enum Phase : std::uint8_t {
  kDice,     // no cube decision: the dice are rolled, the roll is played, or the game is over
  kDecide,   // the mover rolls or doubles
  kOffered,  // the other side takes or drops
  kSettled,  // the mover has decided, the dice are rolled
  kDropped,  // all is over
};

inline constexpr std::uint8_t kNobody = 2;  // owns the cube

struct CubeState {
  State board;           // the turn stays with the doubler while the opponent decides
  std::uint8_t doubles;  // the cube stands at 2^doubles
  std::uint8_t owner;    // 0 White, 1 Black, kNobody
  std::uint8_t phase;
};
static_assert(sizeof(CubeState) == 35);

// Actions of the cube; rolls and plays are those of board.hpp, which leave this bit free.
inline constexpr Action kCube = Action{1} << 30;
inline constexpr Action kRollNow = kCube, kDouble = kCube | 1, kTake = kCube | 2, kDrop = kCube | 3;

}  // namespace backgammon

template <class Kernel>
class BackgammonWithCube {
 public:
  using State = backgammon::CubeState;
  using Board = backgammon::State;

  struct Terms {
    bool both_roll = false, points = true;  // as without a cube
    bool jacoby = false;                    // gammons count once the cube was turned
  };

  BackgammonWithCube(Terms terms, std::shared_ptr<const backgammon::Networks> networks)
      : terms_(terms), rules_({terms.both_roll, terms.points}, std::move(networks)) {}

  Facts facts() const {
    Facts f = rules_.facts();
    f.utility_max *= 1 << backgammon::kMostDoubles;
    f.utility_min = -f.utility_max;
    return f;
  }
  EngineHints hints() const { return rules_.hints(); }

  State initial() const { return {rules_.initial(), 0, backgammon::kNobody, backgammon::kDice}; }

  int to_move(const State& s) const {
    switch (s.phase) {
      case backgammon::kDecide:
        return s.board.turn;
      case backgammon::kOffered:
        return 1 - s.board.turn;
      case backgammon::kDropped:
        return kTerminal;
      default:
        return rules_.to_move(s.board);
    }
  }

  int actions(const State& s, Action* out, int capacity) const {
    if (s.phase != backgammon::kDecide && s.phase != backgammon::kOffered) {
      return rules_.actions(s.board, out, capacity);
    }
    const bool offered = s.phase == backgammon::kOffered;
    if (capacity > 0) out[0] = offered ? backgammon::kTake : backgammon::kRollNow;
    if (capacity > 1) out[1] = offered ? backgammon::kDrop : backgammon::kDouble;
    return 2;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    return rules_.outcomes(s.board, out, odds, capacity);
  }

  State play(State s, Action a) const {
    if (a & backgammon::kRoll || !(a & backgammon::kCube)) {
      s.board = rules_.play(s.board, a);
      const bool decide = !(a & backgammon::kRoll) && !backgammon::over(s.board) && may_double(s);
      s.phase = decide ? backgammon::kDecide : backgammon::kDice;
    } else if (a == backgammon::kDouble) {
      s.phase = backgammon::kOffered;
    } else if (a == backgammon::kDrop) {
      s.phase = backgammon::kDropped;
    } else {
      if (a == backgammon::kTake) ++s.doubles, s.owner = s.board.turn ^ 1;
      s.phase = backgammon::kSettled;
    }
    return s;
  }

  double utility(const State& s, int player) const {
    const double cube = value_of(s);
    if (s.phase == backgammon::kDropped) return player == s.board.turn ? cube : -cube;
    const double points = rules_.utility(s.board, player);
    return cube * (terms_.jacoby && !s.doubles ? std::clamp(points, -1.0, 1.0) : points);
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  bool valid(const State& s) const {
    if (s.phase > backgammon::kDropped || s.owner > backgammon::kNobody) return false;
    if (s.doubles > backgammon::kMostDoubles || !rules_.valid(s.board)) return false;
    if ((s.owner == backgammon::kNobody) != (s.doubles == 0)) return false;
    const bool begun = !s.board.opening, open = !backgammon::over(s.board) && !s.board.die[0];
    if (s.board.opening && s.doubles) return false;
    if (s.phase == backgammon::kDice) return !(begun && open && may_double(s));
    // Settled: the mover could double and did not, or did and the other side owns the cube.
    return begun && open &&
           (may_double(s) || (s.phase == backgammon::kSettled && s.owner != s.board.turn));
  }

  // The expected points. After a cube decision, one more roll is searched, as a search does for a
  // player without a decision. Otherwise doubling and rolling would be compared at different
  // depths.
  double evaluate(const State& s, int player) const {
    float mine = 0;
    if (s.board.die[0]) {
      mine = Plays(*this, s)(s);
    } else if (s.phase != backgammon::kSettled) {
      mine = still(s, nullptr);
    } else {
      const Plays best(*this, s);
      for (const backgammon::Roll& r : backgammon::kRolls) {
        mine += r.ways * best(play(s, backgammon::roll_of(r.larger, r.smaller))) / 36;
      }
    }
    return player == s.board.turn ? mine * value_of(s) : -mine * value_of(s);
  }

  // All actions, each with the evaluation of the resulting position, in units of the cube.
  int narrow(const State& s, Action* out, float* promise, int capacity, double*, double*) const {
    const int count = actions(s, out, capacity), player = to_move(s);
    const Plays plays(*this, s);
    for (int i = 0; i < std::min(count, capacity); ++i) {
      promise[i] = player == kChance ? 0 : plays.after(s, out[i]);
      if (player != kChance && player != s.board.turn) promise[i] = -promise[i];
    }
    return count;
  }

 private:
  using Judge = backgammon::Judge<Kernel>;
  using From = typename Judge::From;
  using Chances = backgammon::Chances;

  static double value_of(const State& s) { return 1 << s.doubles; }

  static bool may_double(const State& s) {
    return s.doubles < backgammon::kMostDoubles &&
           (s.owner == backgammon::kNobody || s.owner == s.board.turn);
  }

  // The evaluation for the side on roll, by the networks or by pips.
  Chances chances(const Board& b, const From* from) const {
    Chances c{};
    if (const backgammon::Networks* n = rules_.networks()) {
      c = from ? (*from)(b) : Judge(*n)(b);
    } else {
      c.of[backgammon::kWin] = static_cast<float>(1 + rules_.evaluate(b, b.turn)) / 2;
    }
    return terms_.points ? c : Chances{{c.of[backgammon::kWin], 0, 0, 0, 0}};
  }

  // A position without dice as it stands, in units of its cube, as the side to roll sees it.
  float still(const State& s, const From* from) const {
    if (to_move(s) == kTerminal) return static_cast<float>(utility(s, s.board.turn) / value_of(s));
    const Chances c = chances(s.board, from);
    const auto worth = [&](backgammon::Holder holder, int doubles) {
      return backgammon::cubeful(c, {holder, doubles, terms_.jacoby});
    };
    const auto holder = s.owner == backgammon::kNobody ? backgammon::Holder::nobody
                        : s.owner == s.board.turn      ? backgammon::Holder::own
                                                       : backgammon::Holder::other;
    if (s.phase != backgammon::kDecide && s.phase != backgammon::kOffered) {
      return worth(holder, s.doubles);
    }
    const float taken = 2 * worth(backgammon::Holder::other, s.doubles + 1);
    const float doubled = std::min(taken, 1.0F);  // else it is dropped
    return s.phase == backgammon::kOffered ? doubled : std::max(doubled, worth(holder, s.doubles));
  }

  // The plays from one board: the networks compute their common inputs once.
  class Plays {
   public:
    Plays(const BackgammonWithCube& game, const State& s) : game_(game) {
      if (const backgammon::Networks* n = game.rules_.networks()) {
        judge_.emplace(*n);
        from_.emplace(*judge_, s.board);
      }
    }

    // The value after an action, for the side that was to move before, in units of the previous
    // cube.
    float after(const State& s, Action a) const {
      const State t = game_.play(s, a);
      const bool played = t.board.turn != s.board.turn;  // only then is `from_` used
      const float worth = game_.still(t, played && from_ ? &*from_ : nullptr);
      return (played ? -worth : worth) * static_cast<float>(1 << (t.doubles - s.doubles));
    }

    // The best play of a roll.
    float operator()(const State& rolled) const {
      Action plays[backgammon::kMostPlays];
      const int count = game_.actions(rolled, plays, backgammon::kMostPlays);
      float best = after(rolled, plays[0]);
      for (int i = 1; i < count; ++i) best = std::max(best, after(rolled, plays[i]));
      return best;
    }

   private:
    const BackgammonWithCube& game_;
    std::optional<Judge> judge_;
    std::optional<From> from_;
  };

  Terms terms_;
  Backgammon<Kernel> rules_;
};

}  // namespace zermelo
