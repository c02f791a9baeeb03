// Parameters of Monte Carlo tree search.
#pragma once

#include <cstdint>

#include "../../game.hpp"

namespace zermelo {

class MctsTree;  // mcts/tree.hpp
class Policy;    // parts/modelled.hpp

// How a new leaf is evaluated.
enum class Rollout : std::uint8_t {
  random,    // uniformly random moves to the end of the game
  playout,   // moves of the game's own playout policy (heavy playout)
  greedy,    // the best move by the game's hints, sometimes a random one
  evaluate,  // some random moves, then the evaluation
  none,      // the evaluation at once
};

// Which root move is played.
enum class FinalChoice : std::uint8_t {
  visits,  // the most visited ("robust child")
  value,   // the greatest mean ("max child")
  secure,  // the greatest lower confidence bound: mean minus standard error ("secure child")
};

// Priors and values from outside, for example from a policy and value network.
struct Guide {
  void* self = nullptr;
  // Fills `priors` (at least 0, sum 1) and `values`, one utility per player.
  void (*ask)(void* self, const void* state, const Action* actions, int count, float* priors,
              double* values) = nullptr;
};

struct MctsParams {
  double exploration = 1.0;               // exploration constant of UCB1 and PUCT
  double first_play_urgency = kInfinity;  // unvisited child: parent's mean + this; infinite: first
  bool priors = false;                    // the game's priors or move scores: PUCT, not UCB1
  double rave = 0;                        // equivalence parameter k of RAVE; 0: off
  int widening = 0;                       // children considered at first; 0: all, always
  int expand_after = 1;                   // visits after which a leaf gets its children
  bool solver = true;                     // back up proven values (MCTS-Solver)
  Rollout rollout = Rollout::random;
  FinalChoice final = FinalChoice::visits;
  int rollout_depth = 8;          // moves of a playout before the evaluation (Rollout::evaluate)
  MctsTree* tree = nullptr;       // kept from earlier searches; null: a new one
  const Guide* guide = nullptr;   // evaluates every new leaf instead of a playout
  const Policy* plays = nullptr;  // the playout policy, instead of `rollout`
  const Policy* prior = nullptr;  // its probabilities are the priors, instead of the move scores

  static constexpr double kGreedy = 0.9;         // probability of the best move in greedy playouts
  static constexpr double kPriorUrgency = -0.2;  // default first-play urgency with priors
  static constexpr double kScoreSpan = 2.0;  // softmax: the worst score has weight e^-kScoreSpan
};

}  // namespace zermelo
