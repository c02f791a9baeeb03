// Whose turn it is among siblings: each once before any has a second, then the one with the
// greatest bound. They are compared four at a time.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "../../platform.hpp"
#include "tree.hpp"

namespace zermelo {

// Where nobody else is about, plain loads and stores: compilers make more of them.
template <bool Shared, class T>
ZERMELO_ALWAYS_INLINE inline T read(const std::atomic<T>& from) {
  if constexpr (Shared) return from.load(std::memory_order_relaxed);
  T value;
  std::memcpy(&value, &from, sizeof value);
  return value;
}
template <bool Shared, class T>
ZERMELO_ALWAYS_INLINE inline void write(std::atomic<T>& to, T value) {
  if constexpr (Shared) return to.store(value, std::memory_order_relaxed);
  std::memcpy(static_cast<void*>(&to), &value, sizeof value);
}
template <bool Shared>
ZERMELO_ALWAYS_INLINE inline float read(float& from) {
  if constexpr (Shared) return platform::RelaxedRef(from).load();
  return from;
}
template <bool Shared>
ZERMELO_ALWAYS_INLINE inline void write(float& to, float value) {
  if constexpr (Shared) return platform::RelaxedRef(to).store(value);
  to = value;
}

// How a sibling looks by now. It is written after its family was read: who reads four would wait
// for a store of one.
struct Fresh {
  std::uint32_t at;
  float mean, breadth;

  template <bool Shared>
  ZERMELO_ALWAYS_INLINE void store(MctsLooks looks) const {
    write<Shared>(looks.mean(at), mean);
    write<Shared>(looks.breadth(at), breadth);
  }
};
struct AllStored {};

template <bool Shared>
class Turn {
 public:
  // The children of a node. doubt: what their breadth counts.
  Turn(MctsLooks looks, std::uint32_t first, std::uint32_t count, float doubt)
      : looks_(looks), first_(first), count_(count), doubt_(doubt) {}

  // After so many visits. Writes the sibling that was not written yet.
  template <class Late>
  ZERMELO_ALWAYS_INLINE std::uint32_t next(std::uint32_t visits, bool each_first,
                                           const Late& late) const {
    if (const std::uint32_t i = visits - 1; i < count_ && each_first) {
      if (read<Shared>(looks_.breadth(first_ + i)) == MctsTree::kUntried) {
        put(late);
        return first_ + i;
      }
    }
    if (count_ <= 2 * kFour) {
      return first_ + (count_ <= kFour ? greatest<1>(late) : greatest<2>(late));
    }
    if (count_ <= 3 * kFour) return first_ + greatest<3>(late);
    put(late);
    return first_ + greatest_of_many(looks_, first_, count_, doubt_);
  }

 private:
  using Which = platform::Ints4;

  void put(const Fresh& late) const { late.store<Shared>(looks_); }
  void put(const AllStored&) const {}

  // The first with the greatest bound, of so many fours.
  template <int kFours, class Late>
  ZERMELO_ALWAYS_INLINE std::uint32_t greatest(const Late& late) const {
    Four bounds[kFours];
    for (int i = 0; i < kFours; ++i) bounds[i] = bounds_of(looks_, first_ + kFour * i, doubt_);
    if constexpr (std::is_same_v<Late, Fresh>) {
      const float bound = late.mean + doubt_ * late.breadth;
      const auto lane = static_cast<std::int32_t>(late.at - first_);
      for (int i = 0; i < kFours; ++i) {
        const int from = static_cast<int>(kFour) * i;
        const Which here = {from, from + 1, from + 2, from + 3};
        bounds[i] = here == lane ? Four{bound, bound, bound, bound} : bounds[i];
      }
    }
    put(late);
    Four most = bounds[0];
    for (int i = 1; i < kFours; ++i) most = platform::max(bounds[i], most);
    most = platform::max(most, platform::permute<2, 3, 0, 1>(most));
    most = platform::max(most, platform::permute<1, 0, 3, 2>(most));
    std::uint32_t less = 0;  // what is not a number is not less either
    for (int i = 0; i < kFours; ++i) less |= platform::mask_of(bounds[i] < most) << kFour * i;
    return platform::lowest_bit(~less);
  }

  // The numbers by value: so they stay in registers where this is not asked.
  ZERMELO_NOINLINE static std::uint32_t greatest_of_many(MctsLooks looks, std::uint32_t first,
                                                         std::uint32_t count, float doubt) {
    Four most = bounds_of(looks, first, doubt);
    Which top = {0, 1, 2, 3}, here = top;
    for (std::uint32_t i = kFour; i < count; i += kFour) {
      here += static_cast<int>(kFour);
      const Four bounds = bounds_of(looks, first + i, doubt);
      const Which better = bounds > most;
      most = better ? bounds : most;
      top = better ? here : top;
    }
    int best = 0;
    for (int lane = 1; lane < static_cast<int>(kFour); ++lane) {
      const bool earlier = top[lane] < top[best];
      if (most[lane] > most[best] || (most[lane] == most[best] && earlier)) best = lane;
    }
    return top[best];
  }

  ZERMELO_ALWAYS_INLINE static Four bounds_of(MctsLooks looks, std::uint32_t from, float doubt) {
    if constexpr (Shared) {
      const auto one = [&](std::uint32_t at) {
        return read<true>(looks.mean(at)) + doubt * read<true>(looks.breadth(at));
      };
      return Four{one(from), one(from + 1), one(from + 2), one(from + 3)};
    }
    return looks.means(from) + doubt * looks.breadths(from);
  }

  MctsLooks looks_;
  std::uint32_t first_, count_;
  float doubt_;
};

}  // namespace zermelo
