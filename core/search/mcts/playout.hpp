// The state of one simulation, and playouts from it: random, greedy, by a policy, or cut short by
// an evaluation. `zermelo.playouts` uses the random ones.
#pragma once

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "../../limits.hpp"
#include "../../parts/judge.hpp"
#include "../../parts/modelled.hpp"
#include "../../parts/random.hpp"
#include "../../parts/rules_errors.hpp"
#include "../../parts/runner.hpp"
#include "../../platform.hpp"
#include "params.hpp"

namespace zermelo {

// The State type of inlined rules; of other games it is not known.
template <class G>
struct StateOfRules {
  using Type = char;
};
template <class Rules>
struct StateOfRules<Inlined<Rules>> {
  using Type = typename Rules::State;
};
template <class G>
using StateOf = typename StateOfRules<G>::Type;

// Whether the rules are inlined, have `sample`, no chance nodes and states of at most 32 bytes.
// Such states stay in registers during a descent and a playout.
template <class G>
inline constexpr bool kSmallStates = false;
template <class Rules>
inline constexpr bool kSmallStates<Inlined<Rules>> = requires(const Rules& r) {
  &Rules::sample;
} && !requires(const Rules& r) { &Rules::outcomes; } && sizeof(typename Rules::State) <= 32;

// The current state of one thread's simulation, with buffers for actions and a random generator.
// G: Game, or Inlined rules.
template <class G>
class Simulator {
 public:
  static constexpr int kMaxPlies = 1 << 20;  // a longer playout is an error
  static constexpr bool kSmall = kSmallStates<G>;
  static constexpr int kCheckMask = 63;  // the budget is checked every 64 plies

  Simulator(const G& game, const Budget& budget, std::uint64_t seed)
      : random(seed),
        game_(game),
        judge_(game, false, true),
        budget_(budget),
        width_(game.facts.players <= 2 && game.facts.zero_sum ? 1 : game.facts.players),
        stride_((game.facts.state_size + 63) / 64 * 64),
        states_(2 * stride_ + 64) {
    auto* base = states_.data();
    base += 63 & -reinterpret_cast<std::uintptr_t>(base);
    state_ = base, scratch_ = base + stride_;
    if (width_ != width()) throw RulesError("small states are for two-player zero-sum games");
    make_room(std::max(256, game.facts.max_actions));
  }

  // Values per state: 1 if player 0's value determines the others, as in all games with small
  // states.
  int width() const { return kSmall ? 1 : width_; }

  const void* state() const { return state_; }
  void set(const void* state) {
    if constexpr (kSmall) {
      std::memcpy(state_, state, sizeof(StateOf<G>));
    } else {
      std::memcpy(state_, state,
                  game_.used ? game_.used(game_.self, state) : game_.facts.state_size);
    }
  }
  void play(Action action) {
    game_.play(game_.self, state_, action, scratch_);
    std::swap(state_, scratch_);
  }

  int to_move() {
    const int player = game_.to_move(game_.self, state_);
    if (player >= game_.facts.players || (player == kChance && !game_.outcomes)) {
      wrong_player(game_.facts, player);
    }
    return player;
  }

  const Action* list() const { return list_.data(); }
  const double* probabilities() const { return probabilities_.data(); }

  // Lists the actions, or the outcomes of a chance node with their probabilities.
  int actions(bool chance) {
    for (;;) {
      const int capacity = static_cast<int>(list_.size());
      const int count =
          chance ? game_.outcomes(game_.self, state_, list_.data(), probabilities_.data(), capacity)
                 : game_.actions(game_.self, state_, list_.data(), capacity);
      if (count <= 0) no_moves(count, chance);
      if (count > capacity) {
        make_room(count);
        continue;
      }
      if (chance) check_probabilities(count);
      return count;
    }
  }

  // The utilities of the current state, which is terminal.
  void terminal_values(double* x) const {
    for (int p = 0; p < width_; ++p) {
      x[p] = p == 0 ? judge_.terminal(state_) : game_.utility(game_.self, state_, p);
      if (!std::isfinite(x[p])) refuse_value(x[p]);
    }
  }

  // Uniformly random moves from the current state, where `player` moves, to the end. Writes the
  // utilities to x. Returns the number of plies, as all playouts do.
  int random_playout(int player, double* x) {
    if constexpr (kSmall) return small_playout(player, x);
    int plies = 0;
    for (; player != kTerminal; player = to_move()) {
      if (player == kChance) [[unlikely]] {
        play(sample_outcome());
      } else if (game_.sample) {
        play(game_.sample(game_.self, state_, random.next()));
      } else {
        const int count = actions(false);
        play(list_[random.below(count)]);
      }
      count_ply(++plies);
    }
    terminal_values(x);
    return plies;
  }

  // The same for states that the compiler can keep in registers.
  int small_playout(int player, double* x) {
    const auto& rules = G::rules(game_.self);
    StateOf<G> s = G::at(state_);
    Random own = random;
    int plies = 0;
    for (; player != kTerminal; player = rules.to_move(s)) {
      s = rules.play(s, rules.sample(s, own.next()));
      count_ply(++plies);
    }
    random = own;
    *x = judge_.terminal(&s);
    return plies;
  }

  // Moves by the user's policy.
  int policy_playout(const Policy& policy, int player, double* x) {
    int plies = 0;
    for (; player != kTerminal; player = to_move()) {
      play(player == kChance ? sample_outcome() : sample_listed(ask_policy(policy)));
      const Stop why = budget_.stopped();  // a policy may be slow
      if (why == Stop::time || why == Stop::interrupted) throw Stopped{};
      count_ply(++plies);
    }
    terminal_values(x);
    return plies;
  }

  // Moves by the game's hints. Ends early where a hint proves the value.
  int greedy_playout(int player, double* x) {
    int plies = 0;
    for (; player != kTerminal; player = to_move()) {
      if (player == kChance) {
        play(sample_outcome());
      } else {
        const int choice =
            game_.narrow && width_ == 1 ? best_by_score(x) : best_by_evaluation(player);
        if (choice < 0) return plies;
        play(list_[choice]);
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
      const bool chance = player == kChance;
      play(chance ? sample_outcome() : list_[random.below(actions(false))]);
      count_ply(++plies);
    }
    player == kTerminal ? terminal_values(x) : evaluate(x);
    return plies;
  }

  // The heuristic evaluation of the current state, in units of the utility.
  void evaluate(double* x) {
    for (int p = 0; p < width_; ++p) {
      double e = p == 0 ? judge_.horizon(state_)
                        : (game_.evaluate ? game_.evaluate(game_.self, state_, p) : 0.0);
      if (!std::isfinite(e)) refuse_value(e);
      x[p] = as_utility(e);
    }
  }

  Random random;

 protected:
  // Nodes that a policy searches must not count as simulations of this search.
  struct Uncounted {
    Budget* const counting = std::exchange(running_budget, nullptr);
    Uncounted() = default;
    ~Uncounted() { running_budget = counting; }
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;
  };
  // Lists the actions of a policy with their probabilities.
  int ask_policy(const Policy& policy) {
    if constexpr (std::is_same_v<G, Game>) {
      const Uncounted uncounted;
      for (;;) {
        const int capacity = static_cast<int>(list_.size());
        const int count =
            policy.outcomes(game_, state_, list_.data(), probabilities_.data(), capacity);
        if (count > 0 && count <= capacity) return check_probabilities(count), count;
        if (count <= 0) no_moves(count, true);
        make_room(count);
      }
    } else {
      throw RulesError("inlined rules do not support policies");
    }
  }

  // A random outcome of a chance node.
  Action sample_outcome() { return sample_listed(actions(true)); }
  // One of the `count` listed actions, by their probabilities.
  Action sample_listed(int count) {
    return list_[pick_outcome(random.part(), count, probabilities_.data())];
  }

  // Lists the actions that `narrow` leaves, with their scores. 0: *low == *high is the value.
  int narrowed(double* low, double* high) {
    *low = game_.facts.utility_min, *high = game_.facts.utility_max;
    int count = game_.narrow(game_.self, state_, list_.data(), scores_.data(),
                             static_cast<int>(list_.size()), low, high);
    if (count > static_cast<int>(list_.size())) {
      make_room(count);
      return narrowed(low, high);
    }
    return count;
  }

  std::vector<Action> list_;
  std::vector<float> scores_;  // move scores of `narrow`
  const G& game_;
  Judge<G> judge_;

 private:
  void make_room(int count) {
    list_.resize(count);
    scores_.resize(count);
    probabilities_.resize(count);
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
      throw EndlessGame("a playout has not come to an end within a million moves",
                        "evaluate leaves without a playout: rollout=\"none\"");
    }
  }

  // In win/loss games an evaluation may have any scale. It is mapped into the range of the
  // utilities by tanh, relative to the root mean square of the evaluations so far. In other games
  // it is an estimate of the utility.
  double as_utility(double e) {
    const Facts& f = game_.facts;
    if (!Judge<G>::win_loss(f)) return std::clamp(e, f.utility_min, f.utility_max);
    ++evaluations_;
    squares_ += e * e;
    large_ |= std::abs(e) > 1;
    return large_ ? std::tanh(e / (2 * std::sqrt(squares_ / evaluations_))) : e;
  }

  void check_probabilities(int count) const {
    double sum = 0;
    bool wrong = false;
    for (int i = 0; i < count; ++i) sum += probabilities_[i], wrong |= !(probabilities_[i] >= 0);
    if (wrong || !(std::abs(sum - 1) < 1e-6)) {
      throw RulesError("the probabilities of a chance node do not add up to 1",
                       "outcomes(s) gives (action, probability) pairs");
    }
  }
  [[noreturn]] static void refuse_value(double u) {
    if (std::isnan(u)) throw RulesError("a utility is NaN", "let utility(s, p) be a number");
    throw RulesError("a utility is infinite, and infinities have no mean", "give finite ones");
  }

  const Budget& budget_;
  int width_;
  std::size_t stride_;
  std::vector<std::byte> states_;
  std::byte *state_, *scratch_;
  std::vector<double> probabilities_;
  double squares_ = 0;  // sum over the evaluations so far
  std::uint64_t evaluations_ = 0;
  bool large_ = false;  // some were outside [-1, 1]
};

}  // namespace zermelo
