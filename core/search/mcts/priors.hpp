// P of PUCT: the priors of a node's children, from a guide (a network), from a policy, from the
// game's priors or from its move scores.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include "rave.hpp"

namespace zermelo {

template <class G, bool Shared>
class MctsPriors : public MctsRave<G, Shared> {
 protected:
  using Base = MctsRave<G, Shared>;
  using Base::Base, Base::game_, Base::list_, Base::params_, Base::puct_, Base::random;
  using Base::scores_;

  // Sets priors_ for the `count` actions in list_; uniform where nothing is known.
  void set_priors(int count) {
    if (!puct_) return;
    priors_.resize(count);
    if (params_.guide) {
      guide_values_.resize(game_.facts.players);
      params_.guide->ask(params_.guide->self, this->state(), list_.data(), count, priors_.data(),
                         guide_values_.data());
      guide_asked_ = true;
    } else if (params_.prior) {
      priors_from_policy(count);
    } else if (game_.prior) {
      priors_from_game(count);
    } else if (scores_[0] == kNoScore && !(game_.narrow && score_all(count))) {
      std::fill(priors_.begin(), priors_.end(), 1.0F / static_cast<float>(count));
    } else {
      priors_from_scores(count);
    }
  }

  // A policy lists the actions it would play; the others have prior 0.
  void priors_from_policy(int count) {
    const std::vector<Action> all(list_.begin(), list_.begin() + count);
    std::fill(priors_.begin(), priors_.end(), 0.0F);
    const int listed = this->ask_policy(*params_.prior);
    for (int i = 0; i < listed; ++i) {
      const auto found = std::find(all.begin(), all.end(), list_[i]);
      if (found == all.end()) continue;
      priors_[found - all.begin()] += static_cast<float>(this->probabilities()[i]);
    }
    std::copy(all.begin(), all.end(), list_.begin());
  }

  // The game's weights, normalized.
  void priors_from_game(int count) {
    game_.prior(game_.self, this->state(), list_.data(), count, priors_.data());
    float sum = 0;
    for (const float weight : priors_) sum += weight;
    if (!(sum > 0 && std::isfinite(sum))) {
      throw RulesError("the priors of a state do not have a positive sum");
    }
    for (float& p : priors_) p /= sum;
  }

  // For progressive widening: the greatest prior first.
  void sort_by_prior(int count) {
    std::vector<std::pair<float, Action>> order(count);
    for (int i = 0; i < count; ++i) order[i] = {priors_[i], list_[i]};
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (int i = 0; i < count; ++i) std::tie(priors_[i], list_[i]) = order[i];
  }

  // At the root all actions are children. Those that `narrow` leaves out get the lowest score.
  bool score_all(int count) {
    const std::vector<Action> all(list_.begin(), list_.begin() + count);
    double low, high;
    const int listed = this->narrowed(&low, &high);
    std::vector<float> scores(count, 0);
    float least = 0;
    for (int i = 0; i < listed; ++i) least = std::min(least, scores_[i]);
    for (int i = 0; i < count; ++i) {
      const auto found = std::find(list_.begin(), list_.begin() + listed, all[i]);
      const bool there = found != list_.begin() + listed;
      scores[i] = there ? scores_[found - list_.begin()] : least - 1;
    }
    std::copy(all.begin(), all.end(), list_.begin());
    std::copy(scores.begin(), scores.end(), scores_.begin());
    return listed > 0;
  }

  // Softmax. Scores may have any unit, so their range sets the temperature.
  void priors_from_scores(int count) {
    const auto end = scores_.begin() + count;
    const auto [least, most] = std::minmax_element(scores_.begin(), end);
    const float temperature = (*most - *least) / static_cast<float>(MctsParams::kScoreSpan);
    const float top = *most;
    float sum = 0;
    for (int i = 0; i < count; ++i) {
      sum += priors_[i] = temperature > 0 ? std::exp((scores_[i] - top) / temperature) : 1.0F;
    }
    for (float& p : priors_) p /= sum;
  }

  // At the root: removes actions that are not searched from list_. The priors of the others add up
  // to 1 again. Returns how many are left.
  int leave_out(const std::vector<Action>& without, int count) {
    std::vector<Action> sorted(without);
    std::sort(sorted.begin(), sorted.end());
    int left = 0;
    float sum = 0;
    for (int i = 0; i < count; ++i) {
      if (std::binary_search(sorted.begin(), sorted.end(), list_[i])) continue;
      list_[left] = list_[i];
      if (puct_) sum += priors_[left] = priors_[i];
      ++left;
    }
    if (left == 0) throw RulesError("no action is left to search");
    for (int i = 0; i < left && puct_; ++i) {
      priors_[i] = sum > 0 ? priors_[i] / sum : 1.0F / static_cast<float>(left);
    }
    return left;
  }

  void shuffle(int count) {
    std::uint64_t bits = 0;  // 16 random bits per swap
    for (int i = count - 1; i > 0; --i, bits >>= 16) {
      if (((count - 1 - i) & 3) == 0) bits = random.next();
      std::swap(list_[i], list_[(bits & 0xffff) * (i + 1) >> 16]);
    }
  }

  // The guide's values of the leaf. The guide was asked already if the leaf was just expanded.
  void values_from_guide(int player, double* x) {
    for (; player == kChance; player = this->to_move()) this->play(this->sample_outcome());
    if (player == kTerminal) return this->terminal_values(x);
    if (!guide_asked_) set_priors(this->actions(false));
    for (int p = 0; p < this->width(); ++p) x[p] = guide_values_[p];
  }

  static constexpr float kNoScore = 1e38F;  // in scores_[0]: `narrow` was not called

  bool guide_asked_ = false;          // in this simulation
  std::vector<double> guide_values_;  // one per player
  std::vector<float> priors_;
};

}  // namespace zermelo
