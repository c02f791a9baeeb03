#include "sampling.hpp"

#include <algorithm>
#include <string>

namespace zermelo {

SamplingRegret::SamplingRegret(const Game& game, const void* state, std::uint64_t most)
    : game_(game), most_(most), sets_(game, all_) {
  all_.players = game.facts.players;
  const auto* bytes = static_cast<const std::byte*>(state);
  states_.emplace_back(bytes, bytes + game.facts.state_size);
}

// Regret matching: odds in proportion to positive regret.
void SamplingRegret::odds_of(const InformationSets::Set& set, std::vector<double>& odds) const {
  odds.resize(set.count);
  double total = 0;
  for (std::uint32_t k = 0; k < set.count; ++k) {
    total += odds[k] = std::max(regret_[set.at + k], 0.0);
  }
  for (double& x : odds) x = total > 0 ? x / total : 1.0 / set.count;
}

// What the state at this depth is worth to `player`, along one line of the others and chance.
double SamplingRegret::sample(std::size_t depth, int player, Budget& budget,
                              std::mt19937_64& random) {
  budget.enter();
  if (states_.size() < depth + 2) {
    states_.resize(depth + 2);
    odds_.resize(depth + 1), below_.resize(depth + 1), lists_.resize(depth + 1);
    states_[depth + 1].resize(game_.facts.state_size);
  }
  const int mover = Listing::mover(game_, states_[depth].data());
  if (mover == kTerminal) return game_.utility(game_.self, states_[depth].data(), player);
  lists_[depth].list(game_, states_[depth].data(), mover);
  const auto go = [&](std::size_t k) {
    game_.play(game_.self, states_[depth].data(), lists_[depth].moves[k],
               states_[depth + 1].data());
    return sample(depth + 1, player, budget, random);
  };
  InformationSets::Set set{};
  if (mover >= 0) {
    if (all_.sets.size() >= most_) {
      throw RulesError("more than " + std::to_string(most_) + " information sets were met",
                       "use a smaller game");
    }
    set = all_.sets[sets_.find(states_[depth].data(), mover, lists_[depth].moves, 0).first];
    regret_.resize(all_.actions.size()), sum_.resize(all_.actions.size());
    odds_of(set, odds_[depth]);
  }
  if (mover == player) {
    double v = 0;
    below_[depth].resize(set.count);
    for (std::uint32_t k = 0; k < set.count; ++k) {
      const double u = go(k);
      below_[depth][k] = u;
      v += odds_[depth][k] * u;
    }
    for (std::uint32_t k = 0; k < set.count; ++k) regret_[set.at + k] += below_[depth][k] - v;
    return v;
  }
  const std::vector<double>& odds = mover == kChance ? lists_[depth].odds : odds_[depth];
  double left = std::uniform_real_distribution<double>()(random);
  std::size_t k = 0;
  while (k + 1 < odds.size() && left >= odds[k]) left -= odds[k++];
  if (mover >= 0) {
    for (std::uint32_t a = 0; a < set.count; ++a) sum_[set.at + a] += odds[a];
  }
  return go(k);
}

void SamplingRegret::iterate(Budget& budget, std::mt19937_64& random) {
  for (int p = 0; p < all_.players; ++p) sample(0, p, budget, random);
  ++iterations_;
}

std::vector<double> SamplingRegret::average() const { return average_of(all_, sum_); }

}  // namespace zermelo
