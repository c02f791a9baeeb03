// A player that searches a few plies deep and sometimes plays a random move.
#pragma once

#include <mutex>
#include <unordered_map>

#include "../algorithm.hpp"
#include "../parts/modelled.hpp"

namespace zermelo {

class Mixed : public Policy {
 public:
  // best: the probability of the search's choice; otherwise any legal action, including that one.
  Mixed(const Algorithm& algorithm, int depth, double best, const Options& options)
      : algorithm_(algorithm), options_(options), best_(best) {
    limits_.depth = depth;
  }

  int outcomes(const Game& game, const void* state, Action* out, double* odds,
               int capacity) const override;

 private:
  static constexpr std::size_t kMostKnown = 1 << 22;

  Action choice(const Game& game, const void* state) const;

  const Algorithm& algorithm_;
  Options options_;
  Limits limits_;
  double best_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::uint64_t, Action> known_;  // choices by the state's key
};

}  // namespace zermelo
