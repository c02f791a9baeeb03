// Backgammon without the doubling cube. Chance rolls the dice, then the mover makes one whole play.
// A win counts 1, a gammon 2, a backgammon 3. board.hpp describes the state and the actions.
//
// Design: a play with all its dice is one action, and plays that lead to the same position are one
// action. The state is the mover's view of the board, so passing the turn reverses the array and
// changes the signs. The cube (cube.hpp) is a second rules class around this one; these rules do
// not know about it. The network kernels use no fused multiply-add, so the AVX2 and the portable
// kernel give the same bits.
#pragma once

#include "../../parts/hash.hpp"
#include "learning.hpp"

namespace zermelo {

// `Kernel`: the arithmetic of the network.
template <class Kernel>
class Backgammon {
 public:
  using State = backgammon::State;

  // How a game begins: White moves first, or each side rolls a die and the larger moves first with
  // both. `points`: gammons count. No networks: pips are compared.
  struct Terms {
    bool both_roll = false, points = true;
  };

  Backgammon(Terms terms, std::shared_ptr<const backgammon::Networks> networks)
      : terms_(terms), networks_(std::move(networks)) {}

  Facts facts() const {
    const double most = terms_.points ? 3 : 1;
    return {.chance = true,
            .utility_min = -most,
            .utility_max = most,
            .max_actions = backgammon::kMostPlays};
  }
  EngineHints hints() const { return {.slow_narrow = true}; }

  State initial() const { return backgammon::start(); }

  int to_move(const State& s) const {
    if (backgammon::over(s)) return kTerminal;
    return s.die[0] ? s.turn : kChance;
  }

  int actions(const State& s, Action* out, int capacity) const {
    if (s.die[0]) return backgammon::Plays::list(s, out, capacity);
    int n = 0;
    rolls(s, [&](Action roll, double) {
      if (n < capacity) out[n] = roll;
      ++n;
    });
    return n;
  }

  int outcomes(const State& s, Action* out, double* odds, int capacity) const {
    int n = 0;
    rolls(s, [&](Action roll, double chance) {
      if (n < capacity) out[n] = roll, odds[n] = chance;
      ++n;
    });
    return n;
  }

  State play(const State& s, Action a) const {
    if (!(a & backgammon::kRoll)) return backgammon::played(s, a);
    State t = backgammon::rolled(s, a >> 3 & 7, a & 7);
    const int starter = a >> 6 & 3;
    if (starter)
      t.turn = static_cast<std::uint8_t>(starter - 1);  // the board does not depend on the player
    return t;
  }

  double utility(const State& s, int player) const {
    const bool won = s.off[0] == backgammon::kCheckers;  // for the side whose turn it would be
    const int points = terms_.points ? backgammon::worth(won ? backgammon::turned(s) : s) : 1;
    return won == (player == s.turn) ? points : -points;
  }

  std::uint64_t key(const State& s) const { return hash_bytes(&s, sizeof s); }

  bool valid(const State& s) const {
    int own = s.off[0], other = s.off[1];
    for (int i = 0; i <= backgammon::kBar; ++i) (s.at[i] > 0 ? own : other) += std::abs(s.at[i]);
    if (own != backgammon::kCheckers || other != backgammon::kCheckers) return false;
    if (s.at[0] > 0 || s.at[backgammon::kBar] < 0 || s.turn > 1 || s.opening > 1) return false;
    const bool dice = s.die[0] >= 1 && s.die[0] <= 6 && s.die[1] >= 1 && s.die[1] <= s.die[0];
    if (!dice && (s.die[0] || s.die[1])) return false;
    if (backgammon::over(s)) return !dice && !s.opening && s.off[0] != s.off[1];
    if (s.opening) return !dice && !s.turn && same_board(s, initial());
    return !stuck(s);
  }

  // The expected points by the networks; for rolled dice, after the best play.
  double evaluate(const State& s, int player) const {
    const double mine = networks_ ? learned(s) : ahead(s);
    return player == s.turn ? mine : -mine;
  }

  // All plays, each with the evaluation of the resulting position as move score.
  int narrow(const State& s, Action* out, float* promise, int capacity, double*, double*) const {
    const int count = actions(s, out, capacity);
    if (!networks_ || !s.die[0]) {
      for (int i = 0; i < std::min(count, capacity); ++i) promise[i] = 0;
      return count;
    }
    const backgammon::Judge<Kernel> judge(*networks_);
    const typename backgammon::Judge<Kernel>::From from(judge, s);
    for (int i = 0; i < std::min(count, capacity); ++i) {
      promise[i] = worth_of(from(backgammon::played(s, out[i])).turned());
    }
    return count;
  }

  const backgammon::Networks* networks() const { return networks_.get(); }

 private:
  static bool same_board(const State& a, const State& b) {
    return std::memcmp(a.at, b.at, sizeof a.at) == 0;
  }

  // Both sides on the bar against closed boards: unreachable, and would never end.
  static bool stuck(const State& s) {
    if (!s.at[0] || !s.at[backgammon::kBar]) return false;
    const backgammon::Masks m = backgammon::masks_of(s);
    const backgammon::Mask theirs = m.blocked >> (backgammon::kPoints - backgammon::kHome + 1);
    int closed = 0;
    for (int i = 1; i <= backgammon::kHome; ++i) closed += s.at[i] >= 2;
    return theirs == 0x3f && closed == backgammon::kHome;
  }

  template <class Tell>
  void rolls(const State& s, Tell tell) const {
    const bool both = s.opening && terms_.both_roll;
    for (int starter = both ? 1 : 0; starter <= (both ? 2 : 0); ++starter) {
      for (const backgammon::Roll& r : backgammon::kRolls) {
        if (s.opening && r.larger == r.smaller) continue;
        const double chance = s.opening ? (both ? 1.0 / 30 : 1.0 / 15) : r.ways / 36.0;
        tell(backgammon::roll_of(r.larger, r.smaller, starter), chance);
      }
    }
  }

  float worth_of(const backgammon::Chances& c) const {
    return terms_.points ? c.equity() : 2 * c.of[backgammon::kWin] - 1;
  }

  double learned(const State& s) const {
    const backgammon::Judge<Kernel> judge(*networks_);
    if (!s.die[0]) return worth_of(judge(s));
    const typename backgammon::Judge<Kernel>::From from(judge, s);
    Action plays[backgammon::kMostPlays];
    const int count = backgammon::Plays::list(s, plays, backgammon::kMostPlays);
    float best = -4;
    for (int i = 0; i < count; ++i) {
      best = std::max(best, worth_of(from(backgammon::played(s, plays[i])).turned()));
    }
    return best;
  }

  // Without networks: the lead in pips, scaled so that all pips are worth one game. Being on roll
  // is worth 8 pips.
  static double ahead(const State& s) {
    const int own = backgammon::pips_of(s), other = backgammon::pips_of(backgammon::turned(s));
    return std::clamp((other - own + 8) / 100.0, -1.0, 1.0);
  }

  Terms terms_;
  std::shared_ptr<const backgammon::Networks> networks_;
};

}  // namespace zermelo
