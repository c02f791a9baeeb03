#include "mixed.hpp"

#include "../parts/judge.hpp"
#include "../parts/runner.hpp"

namespace zermelo {

int Mixed::outcomes(const Game& game, const void* state, Action* out, double* odds,
                    int capacity) const {
  const int count = game.actions(game.self, state, out, capacity);
  if (count <= 0 || count > capacity) return count;
  const Action chosen = choice(game, state);
  for (int i = 0; i < count; ++i) {
    odds[i] = (1 - best_) / count + (out[i] == chosen ? best_ : 0);
  }
  return count;
}

Action Mixed::choice(const Game& game, const void* state) const {
  const std::uint64_t key = game.key(game.self, state);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  // Its nodes count for the calling search, and it stops with it.
  Budget own(limits_);
  Budget& budget = running_budget ? *running_budget : own;
  Options options = options_;
  const Request request{game, state, limits_, options, budget, nullptr, nullptr};
  Result r;
  try {
    r = algorithm_.run(request);
  } catch (const ScoreGame&) {
    options.scores = true;
    r = algorithm_.run(request);
  }
  if (budget.stopped() != Stop::none) throw Stopped{};
  const Action chosen = r.line.empty() ? 0 : r.line.front();
  const std::lock_guard lock(mutex_);
  if (known_.size() < kMostKnown) known_.emplace(key, chosen);
  return chosen;
}

}  // namespace zermelo
