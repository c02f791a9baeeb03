// Random numbers: splitmix64. Fast, of sufficient quality for games, and the same on every machine.
#pragma once

#include "hash.hpp"

namespace zermelo {

// The index of the outcome that the random number u in [0, 1) selects: outcome i with probability
// odds(i). The last one takes what rounding leaves.
template <class Odds>
std::uint32_t pick_outcome_by(double u, std::uint32_t count, const Odds& odds) {
  std::uint32_t i = 0;
  while (i + 1 < count && (u -= odds(i)) >= 0) ++i;
  return i;
}
inline std::uint32_t pick_outcome(double u, std::uint32_t count, const double* odds) {
  return pick_outcome_by(u, count, [odds](std::uint32_t i) { return odds[i]; });
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mix(seed + kStep)) {}

  std::uint64_t next() { return mix(state_ += kStep); }
  // 0 … n - 1, uniform up to a bias of n / 2^32.
  std::uint32_t below(std::uint32_t n) { return scaled(next(), n); }
  // Uniform in [0, 1).
  double part() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // 64 random bits as a number below n.
  static std::uint32_t scaled(std::uint64_t random, std::uint32_t n) {
    return static_cast<std::uint32_t>((random >> 32) * n >> 32);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
  std::uint64_t state_;
};

}  // namespace zermelo
