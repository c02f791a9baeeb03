// Playouts: random, by the game's own policy (heavy), greedy, by a user's policy, or truncated by
// an evaluation. `zermelo.playouts` uses the random ones.
#pragma once

#include "amaf.hpp"
#include "params.hpp"
#include "state.hpp"

namespace zermelo {

// Whether a game may have `playout` and `amaf`. It is known at compile time for inlined rules only.
template <class G>
inline constexpr bool kHasPlayout = true;
template <class Rules>
inline constexpr bool kHasPlayout<Inlined<Rules>> = requires { &Rules::playout; };
template <class G>
inline constexpr bool kHasAmaf = true;
template <class Rules>
inline constexpr bool kHasAmaf<Inlined<Rules>> = requires { &Rules::amaf; };

// One thread's simulations of a game. G: Game, or Inlined rules.
template <class G>
class Simulator : public SimulatedState<G> {
 public:
  using Base = SimulatedState<G>;
  using Base::Base, Base::actions, Base::evaluate, Base::play, Base::random, Base::terminal_values;
  using Base::to_move;
  static constexpr bool kSmall = Base::kSmall;
  static constexpr int kMaxPlies = 1 << 20;  // a longer playout is an error
  static constexpr int kCheckMask = 63;      // the budget is checked every 64 plies

  // Uniformly random moves from the current state, where `player` moves, to the end. Writes the
  // utilities to x. Returns the number of plies, as all playouts do.
  int random_playout(int player, double* x) {
    if constexpr (kSmall) {
      return small_playout<false>(player, x);
    } else if (game_.sample) {
      return playout(player, x, [&] { return game_.sample(game_.self, state_, random.next()); });
    } else {
      return playout(player, x, [&] {
        const int count = actions(false);
        return list_[random.below(count)];
      });
    }
  }

  // Heavy playout: moves of the game's own policy.
  int heavy_playout(int player, double* x) {
    if constexpr (!kHasPlayout<G>) {
      throw RulesError("the game has no playout policy");
    } else if constexpr (kSmall) {
      return small_playout<true>(player, x);
    } else {
      return playout(player, x, [&] { return game_.playout(game_.self, state_, random.next()); });
    }
  }

  // Moves of the user's policy.
  int policy_playout(const Policy& policy, int player, double* x) {
    return playout(player, x, [&] {
      const Stop why = budget_.stopped();  // a policy may be slow
      if (why == Stop::time || why == Stop::interrupted) throw Stopped{};
      return sample_listed(ask_policy(policy));
    });
  }

  // Moves by the game's hints. Ends early where a hint proves the value.
  int greedy_playout(int player, double* x) {
    int plies = 0;
    for (; player != kTerminal; player = to_move()) {
      if (player == kChance) {
        play(sample_outcome());
      } else {
        const bool scored = game_.narrow && this->width() == 1;
        const int choice = scored ? best_by_score(x) : best_by_evaluation(player);
        if (choice < 0) return plies;
        play_move(player, list_[choice]);
      }
      count_ply(++plies);
    }
    terminal_values(x);
    return plies;
  }

  // At most `limit` random moves, then the evaluation.
  int short_playout(int player, int limit, double* x) {
    int plies = 0;
    for (; player != kTerminal && plies < limit; player = to_move()) {
      if (player == kChance) {
        play(sample_outcome());
      } else {
        const int count = actions(false);
        play_move(player, list_[random.below(count)]);
      }
      count_ply(++plies);
    }
    player == kTerminal ? terminal_values(x) : evaluate(x);
    return plies;
  }

 protected:
  using Base::ask_policy, Base::budget_, Base::game_, Base::judge_, Base::list_, Base::narrowed;
  using Base::sample_listed, Base::sample_outcome, Base::scores_, Base::scratch_, Base::state_;

  FirstPlays played_;  // of this simulation; enabled by RAVE

 private:
  // Plays moves of `choose` to the end.
  template <class Choose>
  int playout(int player, double* x, Choose choose) {
    int plies = 0;
    for (; player != kTerminal; player = to_move()) {
      if (player == kChance) [[unlikely]] {
        play(sample_outcome());
      } else {
        play_move(player, choose());
      }
      count_ply(++plies);
    }
    terminal_values(x);
    return plies;
  }
  void play_move(int player, Action action) {
    if (kHasAmaf<G> && played_.enabled()) {
      played_.append(player, game_.amaf(game_.self, state_, action));
    }
    play(action);
  }

  // The same for states that the compiler can keep in registers. kHeavy: by the game's policy.
  template <bool kHeavy>
  ZERMELO_ALWAYS_INLINE int small_playout(int player, double* x) {
    if constexpr (kHasAmaf<G>) {
      if (played_.enabled()) return small_playout<kHeavy, true>(player, x);
    }
    return small_playout<kHeavy, false>(player, x);
  }
  // Not inlined: the variants would compete for registers.
  template <bool kHeavy, bool kRecord>
  ZERMELO_NOINLINE int small_playout(int player, double* x) {
    const auto& rules = G::rules(game_.self);
    StateOf<G> s = G::at(state_);
    Random own = random;
    int plies = 0;
    for (; player != kTerminal; player = rules.to_move(s)) {
      Action action;
      if constexpr (kHeavy) {
        action = rules.playout(s, own.next());
      } else {
        action = rules.sample(s, own.next());
      }
      if constexpr (kRecord) played_.append(player, rules.amaf(s, action));
      s = rules.play(s, action);
      count_ply(++plies);
    }
    random = own;
    const StateOf<G> last = s;  // a copy: a state whose address is taken is kept in memory
    *x = judge_.terminal(&last);
    return plies;
  }

  // The index of the action with the best move score, or sometimes of a random one. -1: the value
  // is proved and written to x.
  int best_by_score(double* x) {
    double low, high;
    const int count = narrowed(&low, &high);
    if (count == 0) return x[0] = low, -1;
    if (random.part() >= MctsParams::kGreedy) return static_cast<int>(random.below(count));
    int best = 0, ties = 1;
    for (int i = 1; i < count; ++i) {
      if (scores_[i] > scores_[best]) {
        best = i, ties = 1;
      } else if (scores_[i] == scores_[best] && random.below(++ties) == 0) {
        best = i;
      }
    }
    return best;
  }

  // The same by the evaluation of each successor.
  int best_by_evaluation(int player) {
    const int count = actions(false);
    if (random.part() >= MctsParams::kGreedy) return static_cast<int>(random.below(count));
    int best = 0;
    double most = -kInfinity;
    for (int i = 0; i < count; ++i) {
      game_.play(game_.self, state_, list_[i], scratch_);
      const bool over = game_.to_move(game_.self, scratch_) == kTerminal;
      const double v = over ? 0x1p50 * game_.utility(game_.self, scratch_, player)
                            : game_.evaluate(game_.self, scratch_, player);
      if (v > most) most = v, best = i;
    }
    return best;
  }

  ZERMELO_ALWAYS_INLINE void count_ply(int plies) const {
    if ((plies & kCheckMask) == 0) [[unlikely]]
      check_budget(plies);
  }
  ZERMELO_NOINLINE void check_budget(int plies) const {
    if (budget_.stopped() != Stop::none) throw Stopped{};
    if (plies >= kMaxPlies) {
      throw EndlessGame("a playout did not end within a million moves",
                        "evaluate leaves without a playout: rollout=\"none\"");
    }
  }
};

}  // namespace zermelo
