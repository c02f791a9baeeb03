// The kernel compiled for every processor and for AVX2; the choice is made once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "../../platform.hpp"
#include "board.hpp"

namespace zermelo::othello {

inline constexpr int kNothing = -100;  // below every score

// What orders moves near the end: by trial, on positions with 14 and 16 empty squares.
inline constexpr int kMobility = 16, kFrontier = 4, kCorner = 24, kOdd = 8;

// By number of empty squares: the alpha from which the opponent's stable discs are counted.
inline constexpr std::int8_t kSafeFrom[61] = {
    99, 99, 99, 99, 99, 8,  10, 12, 14, 16, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40,
    42, 44, 46, 48, 48, 50, 50, 52, 52, 54, 54, 56, 56, 58, 58, 58, 58, 58, 58, 58, 58,
    58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58, 58};

// A hash table for positions near the end, one board size at a time.
class Memory {
 public:
  struct Entry {
    Board own = 0, opp = 0;
    std::int8_t low = -64, high = 64;
    std::uint8_t square = kPass;
  };
  Entry& at(Board own, Board opp) {
    const std::uint64_t h = (own * 0x9e3779b97f4a7c15 ^ opp) * 0xbf58476d1ce4e5b9;
    return entries_[h >> (64 - kBits)];
  }
  // The same discs on another board are another position.
  void serve(Board squares) {
    if (squares_ == squares) return;
    if (squares_) *this = Memory();
    squares_ = squares;
  }

 private:
  static constexpr int kBits = 14;
  Board squares_ = 0;
  std::array<Entry, 1 << kBits> entries_{};
};

// Each thread has its own.
inline Memory& memory_of(Board squares) {
  thread_local const auto memory = std::make_unique<Memory>();
  memory->serve(squares);
  return *memory;
}

#define OTHELLO_KERNEL Portable
#define OTHELLO_TARGET
#include "kernel.hpp"
#undef OTHELLO_KERNEL
#undef OTHELLO_TARGET

#if defined(ZERMELO_X86)
#define OTHELLO_KERNEL Avx2
#define OTHELLO_TARGET ZERMELO_TARGET("avx2,bmi,bmi2,lzcnt")
#define OTHELLO_AVX2
#include "kernel.hpp"
#undef OTHELLO_KERNEL
#undef OTHELLO_TARGET
#undef OTHELLO_AVX2

inline bool has_avx2() { return platform::has_avx2_and_bmi2(); }
#else
using Avx2 = Portable;
inline bool has_avx2() { return false; }
#endif

}  // namespace zermelo::othello
