// External sampling without a stored tree: an information set is created when it is first visited.
// Each iteration explores all actions of one player and samples one action of chance and of every
// other player. For games whose tree does not fit in memory; NashConv cannot be computed.
//
// From: Lanctot et al. 2009.
#pragma once

#include <random>
#include <vector>

#include "../../game.hpp"
#include "../../limits.hpp"
#include "listing.hpp"

namespace zermelo {

class SamplingRegret {
 public:
  SamplingRegret(const Game& game, const void* state, std::uint64_t most);

  // Runs one iteration for each player in turn.
  void iterate(Budget& budget, std::mt19937_64& random);
  std::uint64_t iterations() const { return iterations_; }
  const InformationSets& tree() const { return all_; }

  // The average strategy: probabilities of all actions, set by set.
  std::vector<double> average() const;

  // A checkpoint: the path to each information set (its length, then the index of each move), then
  // the regrets, then the strategy sums, by action.
  std::vector<double> learned() const;
  // Returns false if `all` belongs to another game.
  bool resume(const std::vector<double>& all, std::uint64_t iterations, Budget& budget);

 private:
  void make_room(std::size_t depth);
  void remember(std::size_t depth);
  double sample(std::size_t depth, int player, Budget& budget, std::mt19937_64& random);
  void odds_of(const InformationSets::Set& set, std::vector<double>& odds) const;

  const Game& game_;
  const std::uint64_t most_;
  InformationSets all_;
  SetsByKey sets_;
  std::vector<double> regret_, sum_;            // by action
  std::vector<std::vector<std::byte>> states_;  // of the sampled line
  std::vector<std::vector<double>> odds_,
      below_;  // by depth: the strategy and the value of each action
  std::vector<Listing> lists_;
  std::vector<std::uint32_t> way_;   // the sampled line: the move by depth
  std::vector<std::uint32_t> ways_;  // of all sets, concatenated, indexed by `learned`
  std::uint64_t iterations_ = 0;
};

}  // namespace zermelo
