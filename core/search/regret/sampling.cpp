#include "sampling.hpp"

#include <algorithm>
#include <string>

#include "../../parts/random.hpp"

namespace zermelo {

namespace {
constexpr std::size_t kMostPlies = 100'000;  // deeper, the recursion would run out of stack
}

SamplingRegret::SamplingRegret(const Game& game, const void* state, std::uint64_t most)
    : game_(game), most_(most), sets_(game, all_) {
  all_.players = game.facts.players;
  const auto* bytes = static_cast<const std::byte*>(state);
  states_.emplace_back(bytes, bytes + game.facts.state_size);
}

// Regret matching: probabilities in proportion to positive regret.
void SamplingRegret::odds_of(const InformationSets::Set& set, std::vector<double>& odds) const {
  odds.resize(set.count);
  double total = 0;
  for (std::uint32_t k = 0; k < set.count; ++k) {
    total += odds[k] = std::max(regret_[set.at + k], 0.0);
  }
  for (double& x : odds) x = total > 0 ? x / total : 1.0 / set.count;
}

void SamplingRegret::make_room(std::size_t depth) {
  if (states_.size() >= depth + 2) return;
  states_.resize(depth + 2);
  odds_.resize(depth + 1), below_.resize(depth + 1), lists_.resize(depth + 1);
  way_.resize(depth + 1);
  states_[depth + 1].resize(game_.facts.state_size);
}

// The value of the state at this depth to `player`, along one sampled line of the others and
// chance.
double SamplingRegret::sample(std::size_t depth, int player, Budget& budget,
                              std::mt19937_64& random) {
  budget.enter();
  if (depth > kMostPlies) {
    throw EndlessGame("a game did not end within " + std::to_string(kMostPlies) + " moves",
                      "count the moves in the state and end the game");
  }
  make_room(depth);
  const int mover = Listing::mover(game_, states_[depth].data());
  if (mover == kTerminal) return game_.utility(game_.self, states_[depth].data(), player);
  lists_[depth].list(game_, states_[depth].data(), mover);
  const auto go = [&](std::size_t k) {
    way_[depth] = static_cast<std::uint32_t>(k);
    game_.play(game_.self, states_[depth].data(), lists_[depth].moves[k],
               states_[depth + 1].data());
    return sample(depth + 1, player, budget, random);
  };
  InformationSets::Set set{};
  if (mover >= 0) {
    if (all_.sets.size() >= most_) {
      throw RulesError("more than " + std::to_string(most_) + " information sets were visited",
                       "use a smaller game");
    }
    const auto [number, fresh] = sets_.find(states_[depth].data(), mover, lists_[depth].moves, 0);
    if (fresh) remember(depth);
    set = all_.sets[number];
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
  const std::uint32_t k = pick_outcome(std::uniform_real_distribution<double>()(random),
                                       static_cast<std::uint32_t>(odds.size()), odds.data());
  if (mover >= 0) {
    for (std::uint32_t a = 0; a < set.count; ++a) sum_[set.at + a] += odds[a];
  }
  return go(k);
}

void SamplingRegret::iterate(Budget& budget, std::mt19937_64& random) {
  for (int p = 0; p < all_.players; ++p) sample(0, p, budget, random);
  ++iterations_;
}

// A new information set at the end of the path.
void SamplingRegret::remember(std::size_t depth) {
  ways_.push_back(static_cast<std::uint32_t>(depth));
  ways_.insert(ways_.end(), way_.begin(), way_.begin() + static_cast<std::ptrdiff_t>(depth));
  regret_.resize(all_.actions.size()), sum_.resize(all_.actions.size());
}

std::vector<double> SamplingRegret::learned() const {
  std::vector<double> all(ways_.begin(), ways_.end());
  all.insert(all.end(), regret_.begin(), regret_.end());
  all.insert(all.end(), sum_.begin(), sum_.end());
  return all;
}

bool SamplingRegret::resume(const std::vector<double>& all, std::uint64_t iterations,
                            Budget& budget) {
  std::size_t at = 0;
  while (all.size() - at > 2 * all_.actions.size()) {
    budget.enter();
    const double moves = all[at++];
    if (!(moves >= 0 && moves < static_cast<double>(all.size() - at))) return false;
    const auto depth = static_cast<std::size_t>(moves);
    int mover = kTerminal;
    for (std::size_t d = 0;; ++d) {
      make_room(d);
      mover = Listing::mover(game_, states_[d].data());
      if (mover == kTerminal) return false;
      lists_[d].list(game_, states_[d].data(), mover);
      if (d == depth) break;
      // Sets are created on the way down, so those above exist; `find` orders the moves.
      if (mover >= 0 && sets_.find(states_[d].data(), mover, lists_[d].moves, 0).second) {
        return false;
      }
      const double k = all[at++];
      if (!(k >= 0 && k < static_cast<double>(lists_[d].moves.size()))) return false;
      way_[d] = static_cast<std::uint32_t>(k);
      game_.play(game_.self, states_[d].data(), lists_[d].moves[way_[d]], states_[d + 1].data());
    }
    if (mover < 0 || !sets_.find(states_[depth].data(), mover, lists_[depth].moves, 0).second) {
      return false;
    }
    remember(depth);
  }
  if (all.size() - at != 2 * all_.actions.size()) return false;
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
  std::copy_n(first, regret_.size(), regret_.begin());
  std::copy_n(first + static_cast<std::ptrdiff_t>(regret_.size()), sum_.size(), sum_.begin());
  iterations_ = iterations;
  return true;
}

std::vector<double> SamplingRegret::average() const { return average_of(all_, sum_); }

}  // namespace zermelo
