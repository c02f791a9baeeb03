// All reachable beliefs, each expanded once, and their guaranteed values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "belief.hpp"
#include "hash.hpp"

namespace zermelo {

// The key of a set of states, independent of their order; with `odds`, of the belief.
inline std::uint64_t key_of(const Game& game, const Belief& b, bool odds) {
  std::uint64_t sum = b.count();
  for (std::size_t i = 0; i < b.count(); ++i) {
    std::uint64_t k = game.key(game.self, b.state(i));
    if (odds) k ^= mix(static_cast<std::uint64_t>(std::llround(b.weights[i] * 0x1p40)));
    sum += mix(k + 0x9e3779b97f4a7c15u);
  }
  return mix(sum);
}

class BeliefGraph {
 public:
  struct Step {
    double worst;                          // of terminal states
    std::vector<std::uint32_t> next = {};  // numbers of the beliefs it leads to
  };

  // The number of a belief; a new one waits to be expanded.
  std::uint32_t number(std::uint64_t support, const Belief& b) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    const auto [place, fresh] = numbers_.try_emplace(support, next);
    if (fresh) waiting_.push_back(b), waiting_states_ += b.count();
    return place->second;
  }

  bool complete() const { return waiting_.empty(); }
  bool full(std::size_t state_size) const {
    return waiting_states_ * state_size > kMostWaiting || numbers_.size() > kMostBeliefs;
  }

  // The belief to expand next; its steps are to be added, one for each action.
  Belief take() {
    Belief b = std::move(waiting_.front());
    waiting_.pop_front(), waiting_states_ -= b.count();
    steps_.emplace_back();
    return b;
  }
  Step& add_step(double worst) { return steps_.back().emplace_back(Step{worst}); }

  struct Solution {
    std::vector<double> values;  // what each action of the first belief guarantees
    std::size_t best = 0;        // the one that reaches it in the fewest decisions
  };
  // The least fixed point, since endless play counts as the least utility. Each round allows
  // one decision more.
  Solution solve(double least) const {
    const std::size_t count = steps_.size();
    std::vector<double> values(count, least);
    std::vector<std::vector<std::uint32_t>> above(count);
    std::vector<std::uint32_t> open(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      open[i] = i;
      for (const Step& s : steps_[i]) {
        for (const std::uint32_t k : s.next) above[k].push_back(i);
      }
    }
    Solution found;
    std::vector<std::pair<std::uint32_t, double>> risen;
    while (!open.empty()) {
      risen.clear();
      for (const std::uint32_t i : open) {
        double most = values[i];
        for (std::size_t a = 0; a < steps_[i].size(); ++a) {
          const double v = worth(steps_[i][a], values);
          if (v > most && i == 0) found.best = a;
          most = std::max(most, v);
        }
        if (most > values[i]) risen.emplace_back(i, most);
      }
      open.clear();
      for (const auto& [i, v] : risen) {
        values[i] = v;
        open.insert(open.end(), above[i].begin(), above[i].end());
      }
      std::sort(open.begin(), open.end());
      open.erase(std::unique(open.begin(), open.end()), open.end());
    }
    for (const Step& s : steps_[0]) found.values.push_back(worth(s, values));
    return found;
  }

 private:
  static double worth(const Step& s, const std::vector<double>& values) {
    double v = s.worst;
    for (const std::uint32_t i : s.next) v = std::min(v, values[i]);
    return v;
  }

  static constexpr std::size_t kMostWaiting = 1 << 28;  // bytes of states
  static constexpr std::size_t kMostBeliefs = 1 << 22;

  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // by support
  std::vector<std::vector<Step>> steps_;                      // by number and action
  std::deque<Belief> waiting_;  // their numbers come after those of `steps_`, in order
  std::size_t waiting_states_ = 0;
};

}  // namespace zermelo
