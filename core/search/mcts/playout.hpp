// Games played on by chance or by hints: what a leaf of Monte Carlo search is judged by. Plain
// random play to the end is also what `playouts` counts.
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

// The state of rules that are compiled in; of others nothing is known.
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

// Rules that are compiled in, draw an action quickly, know no chance and have small states?
template <class G>
inline constexpr bool kSmallStates = false;
template <class Rules>
inline constexpr bool kSmallStates<Inlined<Rules>> = requires(const Rules& r) {
  &Rules::sample;
} && !requires(const Rules& r) { &Rules::outcomes; } && sizeof(typename Rules::State) <= 32;

// States, lists and chance for one thread that plays a game. G: Game, or rules that are compiled
// in.
template <class G>
class Playing {
 public:
  static constexpr int kMostPlies = 1 << 20;  // a playout that is longer has no end
  static constexpr bool kSmall = kSmallStates<G>;
  static constexpr int kLookUp = 63;  // plies between two looks at the stop flag, less one

  Playing(const G& game, const Budget& budget, std::uint64_t seed)
      : random(seed),
        game_(game),
        judge_(game, false, true),
        budget_(budget),
        width_(game.facts.players <= 2 && game.facts.zero_sum ? 1 : game.facts.players),
        stride_((game.facts.state_size + 63) / 64 * 64),
        states_(2 * stride_ + 64) {
    auto* base = states_.data();
    base += 63 & -reinterpret_cast<std::uintptr_t>(base);
    here_ = base, there_ = base + stride_;
    if (width_ != width()) throw RulesError("small states are for two players whose sum is zero");
    make_room(std::max(256, game.facts.max_actions));
  }

  // Values a state has: 1 where player 0's says it all, as in all games with small states.
  int width() const { return kSmall ? 1 : width_; }

  const void* state() const { return here_; }
  void set(const void* state) {
    if constexpr (kSmall) {
      std::memcpy(here_, state, sizeof(StateOf<G>));
    } else {
      std::memcpy(here_, state,
                  game_.used ? game_.used(game_.self, state) : game_.facts.state_size);
    }
  }
  void play(Action action) {
    game_.play(game_.self, here_, action, there_);
    std::swap(here_, there_);
  }

  // Who moves now.
  int to_move() {
    const int player = game_.to_move(game_.self, here_);
    if (player >= game_.facts.players || (player == kChance && !game_.outcomes)) {
      wrong_player(game_.facts, player);
    }
    return player;
  }

  const Action* list() const { return list_.data(); }
  const double* odds() const { return odds_.data(); }

  // The actions; of nature the outcomes with their odds.
  int actions(bool chance) {
    for (;;) {
      const int capacity = static_cast<int>(list_.size());
      const int count =
          chance ? game_.outcomes(game_.self, here_, list_.data(), odds_.data(), capacity)
                 : game_.actions(game_.self, here_, list_.data(), capacity);
      if (count <= 0) no_moves(count, chance);
      if (count > capacity) {
        make_room(count);
        continue;
      }
      if (chance) check_odds(count);
      return count;
    }
  }

  // What the end of a game is worth to each player.
  void payoffs(double* x) const {
    for (int p = 0; p < width_; ++p) {
      x[p] = p == 0 ? judge_.terminal(here_) : game_.utility(game_.self, here_, p);
      if (!std::isfinite(x[p])) endless_utility(x[p]);
    }
  }

  // On from here, where `player` moves, to the end: every action is as likely. Returns the plies.
  int random_playout(int player, double* x) {
    if constexpr (kSmall) return small_playout(player, x);
    int plies = 0;
    for (; player != kTerminal; player = to_move()) {
      if (player == kChance) [[unlikely]] {
        play(outcome());
      } else if (game_.sample) {
        play(game_.sample(game_.self, here_, random.next()));
      } else {
        const int count = actions(false);
        play(list_[random.below(count)]);
      }
      count_ply(++plies);
    }
    payoffs(x);
    return plies;
  }

  // The same of a game whose states the compiler can keep in registers.
  int small_playout(int player, double* x) {
    const auto& rules = G::rules(game_.self);
    StateOf<G> s = G::at(here_);
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

  // The same by somebody's policy.
  int policy_playout(const Policy& policy, int player, double* x) {
    int plies = 0;
    for (; player != kTerminal; player = to_move()) {
      play(player == kChance ? outcome() : drawn(asked(policy)));
      const Stop why = budget_.stopped();  // a policy may take its time
      if (why == Stop::time || why == Stop::interrupted) throw Stopped{};
      count_ply(++plies);
    }
    payoffs(x);
    return plies;
  }

  // As above with the game's hints: where its value becomes sure, that is it.
  int greedy_playout(int player, double* x) {
    int plies = 0;
    for (; player != kTerminal; player = to_move()) {
      if (player == kChance) {
        play(outcome());
      } else {
        const int choice = game_.narrow && width_ == 1 ? promised(x) : judged(player);
        if (choice < 0) return plies;
        play(list_[choice]);
      }
      count_ply(++plies);
    }
    payoffs(x);
    return plies;
  }

  // Some random moves, then the evaluation.
  int short_playout(int player, int most, double* x) {
    int plies = 0;
    for (; player != kTerminal && plies < most; player = to_move()) {
      const bool chance = player == kChance;
      play(chance ? outcome() : list_[random.below(actions(false))]);
      count_ply(++plies);
    }
    player == kTerminal ? payoffs(x) : evaluate(x);
    return plies;
  }

  // The evaluation of this state, as a utility.
  void evaluate(double* x) {
    for (int p = 0; p < width_; ++p) {
      double e = p == 0 ? judge_.horizon(here_)
                        : (game_.evaluate ? game_.evaluate(game_.self, here_, p) : 0.0);
      if (!std::isfinite(e)) endless_utility(e);
      x[p] = as_utility(e);
    }
  }

  Random random;

 protected:
  // The nodes of a policy that searches are no simulations.
  struct Unwatched {
    Budget* const watched = std::exchange(running_budget, nullptr);
    Unwatched() = default;
    ~Unwatched() { running_budget = watched; }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;
  };
  // What a policy would do here: how many actions, with their odds.
  int asked(const Policy& policy) {
    if constexpr (std::is_same_v<G, Game>) {  // rules that are compiled in know no policies
      const Unwatched free;
      for (;;) {
        const int capacity = static_cast<int>(list_.size());
        const int count = policy.outcomes(game_, here_, list_.data(), odds_.data(), capacity);
        if (count > 0 && count <= capacity) return check_odds(count), count;
        if (count <= 0) no_moves(count, true);
        make_room(count);
      }
    } else {
      throw RulesError("policies are asked by searches of any game");
    }
  }

  // One of nature's outcomes, by their odds.
  Action outcome() { return drawn(actions(true)); }
  // One of so many actions that are listed with their odds.
  Action drawn(int count) { return list_[pick_outcome(random.part(), count, odds_.data())]; }

  // The actions that are enough to know the value, with their promise; 0: *low == *high is it.
  int narrowed(double* low, double* high) {
    *low = game_.facts.utility_min, *high = game_.facts.utility_max;
    int count = game_.narrow(game_.self, here_, list_.data(), promise_.data(),
                             static_cast<int>(list_.size()), low, high);
    if (count > static_cast<int>(list_.size())) {
      make_room(count);
      return narrowed(low, high);
    }
    return count;
  }

  std::vector<Action> list_;
  std::vector<float> promise_;
  const G& game_;
  Judge<G> judge_;

 private:
  void make_room(int count) {
    list_.resize(count);
    promise_.resize(count);
    odds_.resize(count);
  }

  // The most promising action's number, now and then any; -1: the value is known, in x.
  int promised(double* x) {
    double low, high;
    const int count = narrowed(&low, &high);
    if (count == 0) return x[0] = low, -1;
    if (random.part() >= MctsParams::kGreedy) return static_cast<int>(random.below(count));
    int best = 0, ties = 1;
    for (int i = 1; i < count; ++i) {
      if (promise_[i] > promise_[best]) {
        best = i, ties = 1;
      } else if (promise_[i] == promise_[best] && random.below(++ties) == 0) {
        best = i;
      }
    }
    return best;
  }

  // The same by the evaluation of what each action leads to.
  int judged(int player) {
    const int count = actions(false);
    if (random.part() >= MctsParams::kGreedy) return static_cast<int>(random.below(count));
    int best = 0;
    double most = -kInfinity;
    for (int i = 0; i < count; ++i) {
      game_.play(game_.self, here_, list_[i], there_);
      const bool over = game_.to_move(game_.self, there_) == kTerminal;
      const double v = over ? 0x1p50 * game_.utility(game_.self, there_, player)
                            : game_.evaluate(game_.self, there_, player);
      if (v > most) most = v, best = i;
    }
    return best;
  }

  ZERMELO_ALWAYS_INLINE void count_ply(int plies) const {
    if ((plies & kLookUp) == 0) [[unlikely]]
      look_up(plies);
  }
  ZERMELO_NOINLINE void look_up(int plies) const {
    if (budget_.stopped() != Stop::none) throw Stopped{};
    if (plies >= kMostPlies) {
      throw EndlessGame("a playout has not come to an end within a million moves",
                        "judge leaves by an evaluation: rollout=\"none\"");
    }
  }

  // Evaluations of games of wins and losses keep to no scale: they are squeezed between the two, by
  // how large they usually are. Those of other games are guesses of the utility.
  double as_utility(double e) {
    const Facts& f = game_.facts;
    if (!Judge<G>::win_loss(f)) return std::clamp(e, f.utility_min, f.utility_max);
    ++judgements_;
    squares_ += e * e;
    large_ |= std::abs(e) > 1;
    return large_ ? std::tanh(e / (2 * std::sqrt(squares_ / judgements_))) : e;
  }

  void check_odds(int count) const {
    double sum = 0;
    bool wrong = false;
    for (int i = 0; i < count; ++i) sum += odds_[i], wrong |= !(odds_[i] >= 0);
    if (wrong || !(std::abs(sum - 1) < 1e-6)) {
      throw RulesError("the odds of a chance node do not add up to 1",
                       "outcomes(s) gives (action, probability) pairs");
    }
  }
  [[noreturn]] static void endless_utility(double u) {
    if (std::isnan(u)) throw RulesError("a utility is NaN", "let utility(s, p) be a number");
    throw RulesError("a utility is infinite, and infinities have no mean", "give finite ones");
  }

  const Budget& budget_;
  int width_;
  std::size_t stride_;
  std::vector<std::byte> states_;
  std::byte *here_, *there_;
  std::vector<double> odds_;
  double squares_ = 0;  // of the evaluations seen
  std::uint64_t judgements_ = 0;
  bool large_ = false;  // some were beyond 1
};

}  // namespace zermelo
