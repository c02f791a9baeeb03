// A network as the guide of Monte Carlo tree search: the priors of the actions and the values of a
// state, for games with `encode` and `policy_index`.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../game.hpp"
#include "../search/mcts/params.hpp"
#include "network.hpp"

namespace zermelo::nn {

class NetworkGuide {
 public:
  // The results of the network are the policy's logits, then either the value for the player to
  // move (two-player zero-sum games) or one value per player, from the player to move on. 1 and -1
  // stand for the bounds of the utility.
  NetworkGuide(const Game& game, const Network& network) : game_(game), network_(network) {
    const Facts& f = game.facts;
    middle_ = (f.utility_max + f.utility_min) / 2;
    half_ = (f.utility_max - f.utility_min) / 2;
    relative_ = f.players == 2 && f.zero_sum;
  }

  // Whether the network fits the game.
  static bool fits(const Game& game, const Network& network) {
    const Facts& f = game.facts;
    const int values = f.players == 2 && f.zero_sum ? 1 : f.players;
    return game.encode && game.policy_index && std::isfinite(f.utility_max - f.utility_min) &&
           network.input_size() == f.planes * f.rows * f.columns &&
           network.result_size() == f.policy_size + values;
  }

  Guide guide() { return {this, &ask}; }

 private:
  // What one thread needs.
  struct Workspace {
    explicit Workspace(const Network& network)
        : memory(network), input(network.input_size()), results(network.result_size()) {}
    Network::Memory memory;
    std::vector<float> input, results;
  };

  static void ask(void* self, const void* state, const Action* actions, int count, float* priors,
                  double* values) {
    auto& guide = *static_cast<NetworkGuide*>(self);
    std::unique_ptr<Workspace> workspace = guide.take();
    guide.evaluate(state, actions, count, priors, values, *workspace);
    guide.give_back(std::move(workspace));
  }

  void evaluate(const void* state, const Action* actions, int count, float* priors, double* values,
                Workspace& w) const {
    const Facts& f = game_.facts;
    const int mover = game_.to_move(game_.self, state);
    game_.encode(game_.self, state, mover, w.input.data());
    network_.evaluate(w.input.data(), 1, w.results.data(), w.memory);
    softmax(w.results.data(), actions, count, priors);
    const float* const found = w.results.data() + f.policy_size;
    if (relative_) {
      values[0] = middle_ + half_ * static_cast<double>(mover == 0 ? found[0] : -found[0]);
      values[1] = -values[0];
      return;
    }
    for (int k = 0; k < f.players; ++k) {
      values[(mover + k) % f.players] = middle_ + half_ * static_cast<double>(found[k]);
    }
  }

  void softmax(const float* logits, const Action* actions, int count, float* priors) const {
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < count; ++i) {
      priors[i] = logits[game_.policy_index(game_.self, actions[i])];
      most = std::max(most, priors[i]);
    }
    for (int i = 0; i < count; ++i) sum += priors[i] = std::exp(priors[i] - most);
    for (int i = 0; i < count; ++i) priors[i] /= sum;
  }

  std::unique_ptr<Workspace> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Workspace>(network_);
    auto workspace = std::move(free_.back());
    free_.pop_back();
    return workspace;
  }
  void give_back(std::unique_ptr<Workspace> workspace) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

  const Game& game_;
  const Network& network_;
  double middle_, half_;
  bool relative_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace zermelo::nn
