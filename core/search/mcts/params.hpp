// The numbers of Monte Carlo tree search.
#pragma once

#include <cstdint>

#include "../../game.hpp"

namespace zermelo {

class MctsTree;  // mcts/tree.hpp
class Policy;    // parts/modelled.hpp

// How a new leaf is judged.
enum class Rollout : std::uint8_t {
  random,    // any legal move, to the end of the game
  greedy,    // the most promising move by the game's hints, now and then any
  evaluate,  // some random moves, then the evaluation
  none,      // the evaluation at once
};

// Which root move is played.
enum class FinalChoice : std::uint8_t {
  visits,  // the most visited: its value is the surest
  value,   // the greatest mean
  secure,  // the greatest mean less its standard error
};

// Priors of a state's actions and its value, from outside: a policy and value network.
struct Guide {
  void* self = nullptr;
  // Fills `priors` (at least 0, adding up to 1) and `values`, a utility of each player.
  void (*ask)(void* self, const void* state, const Action* actions, int count, float* priors,
              double* values) = nullptr;
};

struct MctsParams {
  double exploration = 1.0;               // exploration constant of UCB1 and PUCT
  double first_play_urgency = kInfinity;  // unvisited child: parent's mean + this; infinite: first
  bool priors = false;                    // the game's promises as priors: PUCT in place of UCB1
  bool solver = true;                     // what is proved is backed up as such
  Rollout rollout = Rollout::random;
  FinalChoice final = FinalChoice::visits;
  int rollout_depth = 8;          // moves of a playout before the evaluation (Rollout::evaluate)
  MctsTree* tree = nullptr;       // kept from earlier searches; null: a new one
  const Guide* guide = nullptr;   // asked at every new leaf, in place of playouts
  const Policy* plays = nullptr;  // playouts go by it, in place of `rollout`
  const Policy* prior = nullptr;  // its odds are the priors, in place of the game's promises

  static constexpr double kGreedy = 0.9;         // how often a greedy playout is greedy
  static constexpr double kPriorUrgency = -0.2;  // with priors: of a child not tried yet
  static constexpr double kPromise = 2.0;        // spreads of promise that a prior falls e-fold by
};

}  // namespace zermelo
