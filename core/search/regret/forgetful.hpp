// Regret minimisation for players who go by what they see now and forget how it came about. Every
// position is held once, so games are within reach whose histories are not.
//
// A player's information set is then met by several ways of its own, and CFR's guarantee is gone
// (Waugh et al. 2009, imperfect recall); what stays is the measure. The best replies are those of
// a player who remembers everything it saw and did, so NashConv is that of the game in which nobody
// forgets, and a small one is an equilibrium of it.
#pragma once

#include <random>
#include <vector>

#include "graph.hpp"
#include "over.hpp"

namespace zermelo {

class ForgetfulRegret : public RegretOver<PositionGraph> {
 public:
  using RegretOver::RegretOver;

  // One more iteration: each player in turn.
  void iterate(const RegretParams& params, std::mt19937_64& random);
  // What a player gets when it alone plays its best against that and remembers everything.
  double best_response(const std::vector<double>& strategy, int player, Budget& budget);

 private:
  void weigh(int player);
  void sweep(int player, const RegretParams& params);
};

}  // namespace zermelo
