// Sets of squares for boards of up to 64 * W cells, and runs of stones in them.
//
// A board of `columns` keeps one empty column more (a row more, where columns are counted first),
// so that a run never wraps round an edge.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "../platform.hpp"

namespace zermelo {

template <int W>
struct Bits {
  std::array<std::uint64_t, W> word{};

  static constexpr Bits one(int i, bool there = true) {
    Bits b;
    b.word[i / 64] = std::uint64_t{there} << (i % 64);
    return b;
  }
  bool operator==(const Bits&) const = default;
  bool has(int i) const { return word[i / 64] >> (i % 64) & 1; }
  bool any() const {
    std::uint64_t all = 0;
    for (auto w : word) all |= w;
    return all != 0;
  }
  int count() const {
    int n = 0;
    for (auto w : word) n += std::popcount(w);
    return n;
  }
  friend constexpr Bits operator|(Bits a, const Bits& b) {
    for (int i = 0; i < W; ++i) a.word[i] |= b.word[i];
    return a;
  }
  friend Bits operator&(Bits a, const Bits& b) {
    for (int i = 0; i < W; ++i) a.word[i] &= b.word[i];
    return a;
  }
  friend Bits operator~(Bits a) {
    for (auto& w : a.word) w = ~w;
    return a;
  }
  friend Bits operator^(Bits a, const Bits& b) {
    for (int i = 0; i < W; ++i) a.word[i] ^= b.word[i];
    return a;
  }
  // Toward bit 0.
  friend Bits operator>>(const Bits& a, int n) {
    if constexpr (W == 1) return {{n < 64 ? a.word[0] >> n : 0}};
    Bits r;
    const int whole = n / 64, part = n % 64;
    for (int i = 0; i + whole < W; ++i) {
      r.word[i] = a.word[i + whole] >> part;
      if (part && i + whole + 1 < W) r.word[i] |= a.word[i + whole + 1] << (64 - part);
    }
    return r;
  }
  template <class F>
  void each(F f) const {
    for (int i = 0; i < W; ++i) {
      for (auto w = word[i]; w; w &= w - 1) f(i * 64 + std::countr_zero(w));
    }
  }
};

// The index of the n-th set bit of a word, counted from 0.
inline int nth_bit(std::uint64_t word, std::uint32_t n) {
  for (; n; --n) word &= word - 1;
  return std::countr_zero(word);
}

// The squares from which `length` squares in steps of `step` all lie in `set`.
template <class Set>
ZERMELO_ALWAYS_INLINE inline Set run_starts(Set set, int step, int length) {
  Set run = set;
  int have = 1;
  for (; 2 * have <= length; have *= 2) run = run & (run >> (have * step));
  if (have < length) run = run & (run >> ((length - have) * step));
  return run;
}

// The four directions on a board whose rows lie `stride` apart.
inline constexpr std::array<int, 4> directions(int stride) {
  return {1, stride, stride + 1, stride - 1};
}

}  // namespace zermelo
