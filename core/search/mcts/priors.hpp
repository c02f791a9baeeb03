// The priors of a node's children: from a guide (a network), from a policy, or from the game's
// ratings of its moves.
#pragma once

#include "values.hpp"

namespace zermelo {

template <class G, bool Shared>
class MctsPriors : public MctsValues<G, Shared> {
 protected:
  using Base = MctsValues<G, Shared>;
  using Base::Base, Base::game_, Base::list_, Base::params_, Base::promise_, Base::puct_;
  using Base::random;

  // Sets priors_ for the actions in list_; uniform where nothing is known.
  void set_priors(int count) {
    if (!puct_) return;
    priors_.resize(count);
    if (params_.guide) {
      guided_.resize(game_.facts.players);
      params_.guide->ask(params_.guide->self, this->state(), list_.data(), count, priors_.data(),
                         guided_.data());
      asked_ = true;
    } else if (params_.prior) {
      ask_prior(count);
    } else if (promise_[0] == kNoPromise && !(game_.narrow && ask_promises(count))) {
      std::fill(priors_.begin(), priors_.end(), 1.0F / static_cast<float>(count));
    } else {
      soften(count);
    }
  }

  // A policy lists the actions it would play; the others have prior 0.
  void ask_prior(int count) {
    const std::vector<Action> all(list_.begin(), list_.begin() + count);
    std::fill(priors_.begin(), priors_.end(), 0.0F);
    const int named = this->asked(*params_.prior);
    for (int i = 0; i < named; ++i) {
      const auto found = std::find(all.begin(), all.end(), list_[i]);
      if (found != all.end()) priors_[found - all.begin()] += static_cast<float>(this->odds()[i]);
    }
    std::copy(all.begin(), all.end(), list_.begin());
  }

  // The root keeps all its actions; those that `narrow` leaves out are rated lowest.
  bool ask_promises(int count) {
    const std::vector<Action> all(list_.begin(), list_.begin() + count);
    double low, high;
    const int named = this->narrowed(&low, &high);
    std::vector<float> promise(count, 0);
    float least = 0;
    for (int i = 0; i < named; ++i) least = std::min(least, promise_[i]);
    for (int i = 0; i < count; ++i) {
      const auto found = std::find(list_.begin(), list_.begin() + named, all[i]);
      const bool there = found != list_.begin() + named;
      promise[i] = there ? promise_[found - list_.begin()] : least - 1;
    }
    std::copy(all.begin(), all.end(), list_.begin());
    std::copy(promise.begin(), promise.end(), promise_.begin());
    return named > 0;
  }

  // Softmax over the ratings, which are in any unit: their spread sets the temperature.
  void soften(int count) {
    const auto end = promise_.begin() + count;
    const auto [least, most] = std::minmax_element(promise_.begin(), end);
    const float unit = (*most - *least) / static_cast<float>(MctsParams::kPromise);
    const float top = *most;
    float sum = 0;
    for (int i = 0; i < count; ++i) {
      sum += priors_[i] = unit > 0 ? std::exp((promise_[i] - top) / unit) : 1.0F;
    }
    for (float& p : priors_) p /= sum;
  }

  void shuffle(int count) {
    std::uint64_t bits = 0;  // sixteen at a time are enough for an order
    for (int i = count - 1; i > 0; --i, bits >>= 16) {
      if (((count - 1 - i) & 3) == 0) bits = random.next();
      std::swap(list_[i], list_[(bits & 0xffff) * (i + 1) >> 16]);
    }
  }

  // The guide's values; it is asked now unless it was when the node got its children.
  void ask_guide(int player, double* x) {
    for (; player == kChance; player = this->to_move()) this->play(this->outcome());
    if (player == kTerminal) return this->payoffs(x);
    if (!asked_) set_priors(this->actions(false));
    for (int p = 0; p < this->width(); ++p) x[p] = guided_[p];
  }

  static constexpr float kNoPromise = 1e38F;

  bool asked_ = false;          // the guide, in this simulation
  std::vector<double> guided_;  // the guide's values, one per player
  std::vector<float> priors_;
};

}  // namespace zermelo
