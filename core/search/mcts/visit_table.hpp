// Numbers that means and confidence bounds need: functions of visits, and moments of values.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace zermelo {

// Moments of the values of a root move, for its standard error.
struct alignas(32) Moments {
  double count = 0, sum = 0, squares = 0;
  void add(double x) { count += 1, sum += x, squares += x * x; }
  void add(const Moments& o) { count += o.count, sum += o.sum, squares += o.squares; }
  // The standard error of the mean; negative: not known.
  double standard_error() const {
    if (count < 2) return -1;
    const double mean = sum / count;
    return std::sqrt(std::max(0.0, squares / count - mean * mean) / (count - 1));
  }
};

// Functions of a number of visits n that means and bounds need. Small n are tabulated.
struct VisitTable {
  static constexpr std::uint32_t kSize = 1 << 14;
  struct Entry {
    double inverse;                // 1 / n
    float sqrt_log, inverse_sqrt;  // sqrt(ln n), 1 / sqrt(n)
  };
  std::array<Entry, kSize> of{};
  VisitTable() {
    for (std::uint32_t n = 1; n < kSize; ++n) of[n] = compute(n);
  }
  static Entry compute(std::uint32_t n) {
    const auto x = static_cast<float>(n);
    // The logarithm in double precision: rounded to a float, every system's library agrees.
    const auto log = static_cast<float>(std::log(static_cast<double>(x)));
    return {1 / static_cast<double>(n), std::sqrt(log), 1 / std::sqrt(x)};
  }
};
inline const VisitTable kVisitTable;

inline VisitTable::Entry visit_entry(std::uint32_t n) {
  return n < VisitTable::kSize ? kVisitTable.of[n] : VisitTable::compute(n);
}

}  // namespace zermelo
