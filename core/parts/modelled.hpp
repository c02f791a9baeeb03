// A wrapper in which some players follow a policy: their moves become chance nodes.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "forward.hpp"

namespace zermelo {

// The policy of a player.
class Policy {
 public:
  virtual ~Policy() = default;
  // The actions of `state`, in which the player is to move, and their probabilities; like
  // Game::outcomes.
  virtual int outcomes(const Game& game, const void* state, Action* out, double* odds,
                       int capacity) const = 0;
};

// Any legal action, equally likely.
class Uniform : public Policy {
 public:
  int outcomes(const Game& game, const void* state, Action* out, double* odds,
               int capacity) const override {
    const int count = game.actions(game.self, state, out, capacity);
    for (int i = 0; i < count && i < capacity; ++i) odds[i] = 1.0 / count;
    return count;
  }
};

class Modelled : public Forward {
 public:
  explicit Modelled(const Game& base) : Forward{base}, policies_(base.facts.players) {}

  void take(int player, std::shared_ptr<const Policy> policy) {
    policies_[player] = std::move(policy);
  }

  Game table() const {
    Game t = forwarded(*this);
    t.facts.chance = true;
    t.to_move = [](const void* self, const void* state) {
      const Modelled& m = of(self);
      const int player = m.base.to_move(m.base.self, state);
      return m.policy(player) ? kChance : player;
    };
    t.outcomes = [](const void* self, const void* state, Action* out, double* odds, int capacity) {
      const Modelled& m = of(self);
      const int player = m.base.to_move(m.base.self, state);
      if (const Policy* p = m.policy(player)) {
        return p->outcomes(m.base, state, out, odds, capacity);
      }
      return m.base.outcomes(m.base.self, state, out, odds, capacity);
    };
    // These hints assume that all players play optimally.
    t.narrow = nullptr;
    t.doubt = nullptr;
    t.quiet_plies = nullptr;
    // `advance`, `sample`, `playout`, `prior` and `amaf` stay: searches call them only where a
    // player without a model moves, and there the rules are those of the base.
    return t;
  }

 private:
  static const Modelled& of(const void* self) {
    return *static_cast<const Modelled*>(static_cast<const Forward*>(self));
  }
  const Policy* policy(int player) const {
    const bool someone = player >= 0 && player < static_cast<int>(policies_.size());
    return someone ? policies_[player].get() : nullptr;
  }

  std::vector<std::shared_ptr<const Policy>> policies_;  // by player; null: not modelled
};

}  // namespace zermelo
