// Belief states: the states that a player cannot distinguish, with their probabilities.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "../game.hpp"
#include "../limits.hpp"
#include "random.hpp"
#include "rules_errors.hpp"

namespace zermelo {

// What `player` observes of a state; the whole state in a game with perfect information.
inline std::uint64_t seen_by(const Game& game, const void* state, int player) {
  return game.observation ? game.observation(game.self, state, player) : game.key(game.self, state);
}

// Concatenated flat states, each with a weight.
class Belief {
 public:
  explicit Belief(const Game& game)
      : size_(game.facts.state_size), stride_((size_ + 15) / 16 * 16) {}

  std::size_t count() const { return weights.size(); }
  const void* state(std::size_t i) const { return bytes_.data() + i * stride_; }
  void add(const void* state, double weight) {
    bytes_.resize(bytes_.size() + stride_);
    std::memcpy(bytes_.data() + bytes_.size() - stride_, state, size_);
    weights.push_back(weight);
  }
  void clear() { bytes_.clear(), weights.clear(); }
  double total() const {
    double sum = 0;
    for (const double w : weights) sum += w;
    return sum;
  }

  std::vector<double> weights;

 private:
  std::size_t size_, stride_;
  std::vector<std::byte> bytes_;
};

// Throws: two states of an information set have different actions. `other` may be null.
[[noreturn]] inline void differing_actions(const Game& game, const void* state, const void* other) {
  RulesError error("two states with the same observation have different legal actions",
                   "observation(s, p) must differ where actions(s) differ");
  const auto bytes = [&](const void* s) {
    return std::string(static_cast<const char*>(s),
                       game.used ? game.used(game.self, s) : game.facts.state_size);
  };
  error.state = bytes(state);
  error.state.resize(game.facts.state_size);
  if (other) {
    error.other = bytes(other);
    error.other.resize(game.facts.state_size);
  }
  throw error;
}

// Whether these are the same actions. The states of an information set may list them in different
// orders.
inline bool same_actions(const Action* a, std::size_t a_count, const Action* b,
                         std::size_t b_count) {
  if (a_count != b_count) return false;
  return std::equal(a, a + a_count, b) || std::is_permutation(a, a + a_count, b);
}

// Lists the actions of a state, or its chance outcomes with their probabilities, and checks them.
// Outcomes of probability 0 are left out.
class Lister {
 public:
  // Rules may write up to max_actions without checking the capacity.
  explicit Lister(const Game& game)
      : game_(game), actions(std::max(64, game.facts.max_actions)), odds(actions.size()) {}

  int to_move(const void* state) const { return checked_mover(game_, state); }

  // The number of entries of `actions`; `odds` has their probabilities, uniform for players.
  int list(const void* state, int player) {
    const bool chance = player == kChance;
    for (;;) {
      const int room = static_cast<int>(actions.size());
      const int count = chance
                            ? game_.outcomes(game_.self, state, actions.data(), odds.data(), room)
                            : game_.actions(game_.self, state, actions.data(), room);
      if (count <= 0) no_moves(count, chance);
      if (count > room) {
        actions.resize(count), odds.resize(count);
        continue;
      }
      if (chance) return possible(count);
      std::fill_n(odds.begin(), count, 1.0 / count);
      return count;
    }
  }

  // The actions of the player to move in a belief, in the order of the first state. An action keeps
  // its number in all of them.
  std::vector<Action> common(const Belief& belief, int player) {
    const int count = list(belief.state(0), player);
    const std::vector<Action> first(actions.begin(), actions.begin() + count);
    for (std::size_t i = 1; i < belief.count(); ++i) {
      const int here = list(belief.state(i), player);
      if (!same_actions(first.data(), first.size(), actions.data(), here)) {
        differing_actions(game_, belief.state(0), belief.state(i));
      }
    }
    return first;
  }

 private:
  const Game& game_;

  // Checks the probabilities of the outcomes and keeps the positive ones; returns how many.
  int possible(int count) {
    double sum = 0;
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      if (!(odds[i] >= 0))
        throw RulesError("outcomes(s) returned a probability that is negative or NaN");
      sum += odds[i];
      actions[kept] = actions[i], odds[kept] = odds[i];
      kept += odds[i] > 0;
    }
    if (!(std::abs(sum - 1) < 1e-6)) {
      throw RulesError("the probabilities of outcomes(s) do not add up to 1");
    }
    return kept;
  }

 public:
  std::vector<Action> actions;
  std::vector<double> odds;
};

// All states after `begin` that `player` cannot distinguish from `state`. Chance outcomes have
// their probabilities, moves of the others are uniformly random, and the player's own moves are
// known. Empty if there are more than `most` histories.
inline Belief consistent(const Game& game, const void* begin, const void* state, int player,
                         std::uint64_t most, Budget& budget) {
  Belief found(game), open(game);
  std::unordered_map<std::uint64_t, std::size_t> places;
  Lister lister(game);
  const std::uint64_t seen = seen_by(game, state, player);
  std::vector<std::byte> bytes(game.facts.state_size + 64);
  auto* room = bytes.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64);
  open.add(begin, 1);
  for (std::size_t at = 0; at < open.count(); ++at) {
    budget.enter();
    if (open.count() > most) return Belief(game);
    const int mover = lister.to_move(open.state(at));
    if (mover == kTerminal) continue;
    if (mover == player && seen_by(game, open.state(at), player) == seen) {
      const auto [place, fresh] =
          places.try_emplace(game.key(game.self, open.state(at)), found.count());
      if (fresh) {
        found.add(open.state(at), open.weights[at]);
      } else {
        found.weights[place->second] += open.weights[at];
      }
    }
    const int count = lister.list(open.state(at), mover);
    for (int i = 0; i < count; ++i) {
      game.play(game.self, open.state(at), lister.actions[i], room);
      open.add(room, open.weights[at] * (mover == player ? 1 : lister.odds[i]));
    }
  }
  return found;
}

// Samples the moves of the others from states of `pool` to the next turn of `player`. Returns up to
// `most` states with the observation `seen`, found in `tries` samples.
inline Belief follow(const Game& game, const Belief& pool, std::uint64_t seen, int player,
                     std::size_t most, std::uint64_t tries, std::uint64_t seed, Budget& budget) {
  constexpr int kMostSteps = 1000;  // of the others between two turns; an umpire may refuse some
  Belief found(game), open(game);
  Lister lister(game);
  Random random(seed);
  const std::size_t stride = (game.facts.state_size + 63) / 64 * 64;
  std::vector<std::byte> bytes(2 * stride + 64);
  auto* here = bytes.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64);
  auto* there = here + stride;
  const auto look = [&](const void* state) {
    if (found.count() < most && seen_by(game, state, player) == seen) found.add(state, 1);
  };
  for (std::size_t i = 0; i < pool.count(); ++i) {
    const int mover = lister.to_move(pool.state(i));
    if (mover == player) look(pool.state(i));  // unchanged: the attempt was rejected
    if (mover != player && mover != kTerminal) open.add(pool.state(i), 1);
  }
  for (std::uint64_t i = 0; i < tries && open.count() && found.count() < most; ++i) {
    std::memcpy(here, open.state(random.below(static_cast<std::uint32_t>(open.count()))),
                game.facts.state_size);
    int mover = lister.to_move(here);
    for (int step = 0; step < kMostSteps && mover != player && mover != kTerminal; ++step) {
      budget.enter();
      const int count = lister.list(here, mover);
      const std::uint32_t k = pick_outcome(random.part(), count, lister.odds.data());
      game.play(game.self, here, lister.actions[k], there);
      std::swap(here, there);
      mover = lister.to_move(here);
    }
    if (mover == player) look(here);
  }
  return found;
}

}  // namespace zermelo
