// Regret minimization for games with imperfect recall: a player knows what it observes now, not how
// play got there. Every position is stored once, so that games whose histories do not fit in memory
// are within reach.
//
// CFR has no guarantee of convergence here (Waugh et al. 2009). The measure is still valid: best
// responses are those of a player with perfect recall, so NashConv is that of the game with perfect
// recall, and a small NashConv proves an approximate equilibrium of it.
#pragma once

#include <random>
#include <vector>

#include "graph.hpp"
#include "over.hpp"

namespace zermelo {

class ImperfectRecallRegret : public RegretOver<PositionGraph> {
 public:
  using RegretOver::RegretOver;

  // Runs one iteration for each player in turn.
  void iterate(const RegretParams& params, std::mt19937_64& random);
  // The value of a player's best response, with perfect recall, to `strategy`.
  double best_response(const std::vector<double>& strategy, int player, Budget& budget);

 private:
  void weigh(int player);
  void sweep(int player, const RegretParams& params);
};

}  // namespace zermelo
