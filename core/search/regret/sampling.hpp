// External sampling without the tree: information sets are made when they are first met, and only
// those are kept. Each iteration follows all actions of one player and one line of chance and the
// others. For games that do not fit in memory; how good the answer is, only their tree would tell.
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

  // One more iteration: each player in turn.
  void iterate(Budget& budget, std::mt19937_64& random);
  std::uint64_t iterations() const { return iterations_; }
  const InformationSets& tree() const { return all_; }

  // The odds of all actions, set by set.
  std::vector<double> average() const;

  // What has been learned so far, to go on from later: how each set was met first (the number of
  // moves from the beginning, and of each of them which it was), then regrets, then sums, by
  // action.
  std::vector<double> learned() const;
  // False: it is of another game.
  bool go_on(const std::vector<double>& all, std::uint64_t iterations, Budget& budget);

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
  std::vector<std::vector<std::byte>> states_;  // of the line that is followed
  std::vector<std::vector<double>> odds_,
      below_;  // by depth: the strategy, what each action brings
  std::vector<Listing> lists_;
  std::vector<std::uint32_t> way_;   // the line that is followed: which move, by depth
  std::vector<std::uint32_t> ways_;  // of all sets, one behind the other, as `learned` says
  std::uint64_t iterations_ = 0;
};

}  // namespace zermelo
