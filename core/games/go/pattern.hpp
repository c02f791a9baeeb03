// 3x3 patterns: classes of equal patterns under the eight symmetries, seen by the player to move.
#pragma once

#include <cstdint>
#include <vector>

namespace zermelo::go {

// The same pattern with the colours of the stones exchanged: black (00) and white (01).
inline std::uint16_t exchanged(std::uint16_t pattern) {
  return static_cast<std::uint16_t>(pattern ^ (~(pattern >> 1) & 0x5555));
}
// The pattern as the player to move sees it: his own stones are black.
inline std::uint16_t seen_by(std::uint16_t pattern, int player) {
  return player ? exchanged(pattern) : pattern;
}

class PatternClasses {
 public:
  static const PatternClasses& all() {
    static const PatternClasses instance;
    return instance;
  }

  int count() const { return count_; }
  int of(std::uint16_t pattern) const { return number_[pattern]; }

 private:
  // Patterns are numbered by the least of their eight images, so that the numbers are the same in
  // every process.
  PatternClasses() : number_(1 << 16) {
    for (int pattern = 0; pattern < 1 << 16; ++pattern) {
      const std::uint16_t least = least_image(static_cast<std::uint16_t>(pattern));
      number_[pattern] = least == pattern ? count_++ : number_[least];
    }
  }

  static std::uint16_t least_image(std::uint16_t pattern) {
    std::uint16_t least = pattern;
    for (int mirror = 0; mirror < 2; ++mirror) {
      for (int turn = 0; turn < 4; ++turn) {
        least = pattern < least ? pattern : least;
        pattern = turned(pattern);
      }
      pattern = mirrored(pattern);
    }
    return least;
  }
  // Each half holds four neighbours in circular order: a quarter turn rotates both halves.
  static std::uint16_t turned(std::uint16_t pattern) {
    const int direct = pattern & 255, diagonal = pattern >> 8;
    const auto rotated = [](int half) { return (half << 2 | half >> 6) & 255; };
    return static_cast<std::uint16_t>(rotated(direct) | rotated(diagonal) << 8);
  }
  // East and west exchanged: N E S W becomes N W S E; NE SE SW NW becomes NW SW SE NE.
  static std::uint16_t mirrored(std::uint16_t pattern) {
    const auto field = [&](int i) { return pattern >> 2 * i & 3; };
    constexpr int kFrom[8] = {0, 3, 2, 1, 7, 6, 5, 4};
    int result = 0;
    for (int i = 0; i < 8; ++i) result |= field(kFrom[i]) << 2 * i;
    return static_cast<std::uint16_t>(result);
  }

  std::vector<std::uint16_t> number_;
  std::uint16_t count_ = 0;
};

}  // namespace zermelo::go
