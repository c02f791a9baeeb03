// The moves of a state with their odds, checked, and its information set: shared by tree, graph and
// sampling.
#pragma once

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../game.hpp"
#include "../../limits.hpp"
#include "../../parts/belief.hpp"
#include "../../parts/hash.hpp"
#include "../../parts/rules_errors.hpp"
#include "table.hpp"

namespace zermelo {

struct Listing {
  std::vector<Action> moves;
  std::vector<double> odds;  // of chance outcomes

  // The actions of `player`, or the outcomes of chance.
  void list(const Game& game, const void* state, int player) {
    const bool chance = player == kChance;
    const auto ask = [&](int capacity) {
      return chance ? game.outcomes(game.self, state, moves.data(), odds.data(), capacity)
                    : game.actions(game.self, state, moves.data(), capacity);
    };
    const int room = std::max(64, game.facts.max_actions);
    moves.resize(room), odds.resize(room);
    int count = ask(room);
    if (count > room) {
      moves.resize(count), odds.resize(count);
      count = ask(count);
    }
    if (count <= 0) no_moves(count, chance);
    moves.resize(count), odds.resize(count);
    if (!chance) return;
    double sum = 0;
    for (const double p : odds) {
      if (!(p >= 0)) throw RulesError("outcomes(s) returned a probability that is negative or NaN");
      sum += p;
    }
    if (std::abs(sum - 1) > kOddsError * count) {
      throw RulesError("the probabilities of outcomes(s) do not add up to 1");
    }
  }

  // The player to move.
  static int mover(const Game& game, const void* state) { return checked_mover(game, state); }

  // Appends the utility of each player to `out`.
  static void utilities(const Game& game, const void* state, std::vector<double>& out) {
    for (int p = 0; p < game.facts.players; ++p) {
      const double u = game.utility(game.self, state, p);
      if (!std::isfinite(u)) {
        throw RulesError("a utility is not a finite number",
                         "utility(s, p) must return a finite number");
      }
      out.push_back(u);
    }
  }

 private:
  static constexpr double kOddsError = 1e-9;
};

// Finds the information set of a state by its player's observation, or creates it.
class SetsByKey {
 public:
  SetsByKey(const Game& game, InformationSets& all) : game_(game), all_(all) {}

  // (its number, whether it is new). Puts `moves`, the state's actions, into the order of the set:
  // the states of a set may list them in different orders.
  std::pair<std::uint32_t, bool> find(const void* state, int player, std::vector<Action>& moves,
                                      std::uint32_t node, std::int64_t came_by = -1) {
    const std::uint64_t seen = game_.observation(game_.self, state, player);
    const std::uint64_t key = mix(seen + static_cast<std::uint64_t>(player) * 0x9e3779b97f4a7c15u);
    const auto number = static_cast<std::uint32_t>(all_.sets.size());
    const auto [place, fresh] = by_key_.try_emplace(key, number);
    if (fresh) {
      all_.sets.push_back({player, static_cast<std::uint32_t>(moves.size()),
                           static_cast<std::uint32_t>(all_.actions.size()), node, came_by});
      all_.actions.insert(all_.actions.end(), moves.begin(), moves.end());
      all_.owner.insert(all_.owner.end(), moves.size(), number);
      const auto* bytes = static_cast<const std::byte*>(state);
      all_.states.insert(all_.states.end(), bytes, bytes + game_.facts.state_size);
      return {number, true};
    }
    const InformationSets::Set& set = all_.sets[place->second];
    const auto known = all_.actions.begin() + set.at;
    if (set.player != player || !same_actions(moves.data(), moves.size(), &*known, set.count)) {
      differing_actions(game_, state, all_.states.data() + place->second * game_.facts.state_size);
    }
    std::copy_n(known, set.count, moves.begin());
    return {place->second, false};
  }

 private:
  const Game& game_;
  InformationSets& all_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_key_;
};

}  // namespace zermelo
