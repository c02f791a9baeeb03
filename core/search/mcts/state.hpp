// The state of one simulation: playing moves, listing actions, evaluating.
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
class SimulatedState {
 public:
  static constexpr bool kSmall = kSmallStates<G>;

  SimulatedState(const G& game, const Budget& budget, std::uint64_t seed)
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
    if (game_.advance) return game_.advance(game_.self, state_, action);
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
  const Budget& budget_;
  std::byte *state_, *scratch_;

 private:
  void make_room(int count) {
    list_.resize(count);
    scores_.resize(count);
    probabilities_.resize(count);
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

  int width_;
  std::size_t stride_;
  std::vector<std::byte> states_;
  std::vector<double> probabilities_;
  double squares_ = 0;  // sum over the evaluations so far
  std::uint64_t evaluations_ = 0;
  bool large_ = false;  // some were outside [-1, 1]
};

}  // namespace zermelo
