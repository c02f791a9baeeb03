// Chance nodes: bounds of the outcomes' values and of their average, and sampling of outcomes if
// there are too many.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "hash.hpp"
#include "walk.hpp"

namespace zermelo {

// Bounds of a value.
struct Range {
  double low = -kInfinity, high = kInfinity;

  bool exact() const { return low == high; }
  // Whether these bounds settle a search with this window.
  bool settles(double alpha, double beta) const { return exact() || high <= alpha || low >= beta; }
  Range with(const Range& other) const {
    return {std::max(low, other.low), std::min(high, other.high)};
  }
  Range turned() const { return {0 - high, 0 - low}; }  // as the other side sees it
};

// The ranges of the outcomes of all chance nodes on the path, beside the walk's lists.
class Averages {
 public:
  using List = Walk::List;

  // limits: of every value, where they are known.
  Averages(const Walk& walk, const Range& limits) : walk_(walk), limits_(limits) {
    bounded_ = std::isfinite(limits.low) && std::isfinite(limits.high);
    slack_ = bounded_ ? 1e-9 * std::max(std::abs(limits.low), std::abs(limits.high)) : 0;
  }

  bool bounded() const { return bounded_; }

  // Initializes the ranges. Returns the running bounds of the average.
  Range begin(const List& list) {
    if (ranges_.size() < list.begin + list.count) ranges_.resize(2 * (list.begin + list.count));
    for (int i = 0; i < list.count; ++i) ranges_[list.begin + i] = limits_;
    return bounded_ ? limits_ : Range{};
  }

  const Range& operator()(const List& list, int i) const { return ranges_[list.begin + i]; }

  // Narrows the range of outcome i.
  void narrow(const List& list, int i, const Range& r, Range& sum) {
    Range& mine = ranges_[list.begin + i];
    const Range now = mine.with(r);
    if (bounded_) {
      const double p = walk_.odds(list, i);
      sum.low += p * (now.low - mine.low);
      sum.high += p * (now.high - mine.high);
    }
    mine = now;
  }

  // The window of outcome i: a value outside of it puts the average outside (alpha, beta), whatever
  // the values of the remaining outcomes.
  Range window(const List& list, int i, const Range& sum, double alpha, double beta) const {
    const double p = walk_.odds(list, i);
    if (bounded_) {
      const Range& mine = ranges_[list.begin + i];
      return {(alpha - (sum.high - p * mine.high)) / p, (beta - (sum.low - p * mine.low)) / p};
    }
    if (i + 1 < list.count) return {};  // the remaining outcomes may have any value
    double others = 0;
    for (int j = 0; j < i; ++j) others += walk_.odds(list, j) * ranges_[list.begin + j].low;
    return {(alpha - others) / p, (beta - others) / p};
  }

  // Whether the running bounds settle the window. They are rounded, so confirm with `whole`.
  bool near(const Range& sum, double alpha, double beta) const {
    return sum.high <= alpha + slack_ || sum.low >= beta - slack_;
  }

  // The bounds of the average, from all ranges. Always added in the same order, so that rounding
  // cannot put
  // a bound on the wrong side of the average; and never outside the ranges of the outcomes.
  Range whole(const List& list) const {
    Range sum{0, 0}, least{kInfinity, kInfinity}, most{-kInfinity, -kInfinity};
    for (int i = 0; i < list.count; ++i) {
      const double p = walk_.odds(list, i);
      const Range& r = ranges_[list.begin + i];
      sum = {sum.low + p * r.low, sum.high + p * r.high};
      least = {std::min(least.low, r.low), std::min(least.high, r.high)};
      most = {std::max(most.low, r.low), std::max(most.high, r.high)};
    }
    if (std::isnan(sum.low) || std::isnan(sum.high)) {
      throw RulesError("infinite utilities cannot be averaged",
                       "utility(s, p) must return a finite number");
    }
    return {std::clamp(sum.low, least.low, most.low), std::clamp(sum.high, least.high, most.high)};
  }

 private:
  const Walk& walk_;
  Range limits_;
  bool bounded_;
  double slack_;  // for the rounding of running bounds
  std::vector<Range> ranges_;
};

// Samples `samples` outcomes of a chance node; equal states have equal samples.
class Sampler {
 public:
  static constexpr double kDoubt = 0.05;  // probability that the error exceeds the reported one

  Sampler(int samples, std::uint64_t seed) : samples_(samples), seed_(mix(seed + kStep)) {}

  void reset() { drawn_ = 0; }
  bool wanted(const Walk::List& list) const { return samples_ > 0 && list.count > samples_; }

  void draw(Walk& walk, Walk::List& list, std::uint64_t key) {
    sums_.resize(list.count);
    counts_.assign(list.count, 0);
    double total = 0;
    for (int i = 0; i < list.count; ++i) sums_[i] = total += walk.odds(list, i);
    std::uint64_t x = mix(key ^ seed_);
    for (int k = 0; k < samples_; ++k) {
      x += kStep;  // splitmix64
      const double u = static_cast<double>(mix(x) >> 11) * 0x1p-53 * total;
      const auto at = std::upper_bound(sums_.begin(), sums_.end(), u) - sums_.begin();
      ++counts_[std::min<std::ptrdiff_t>(at, list.count - 1)];
    }
    int kept = 0;
    for (int i = 0; i < list.count; ++i) {
      if (!counts_[i]) continue;
      walk.set_outcome(list, kept++, walk.action(list, i), double(counts_[i]) / samples_);
    }
    walk.shorten(list, kept);
    ++drawn_;
  }

  // The error bound of the value, with probability 1 - kDoubt: each sampled average is within e of
  // the true one (Hoeffding's bound for all of them at once); errors along a line add up.
  double error(const Range& limits, int layers) const {
    const double width = limits.high - limits.low;
    const double e = width * std::sqrt(std::log(2 * double(drawn_) / kDoubt) / (2.0 * samples_));
    return std::min(width, layers * e);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;

  int samples_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;  // chance nodes
  std::vector<double> sums_;
  std::vector<int> counts_;
};

}  // namespace zermelo
