// Selection: the child with the greatest upper confidence bound. Siblings are compared four at a
// time.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "../../platform.hpp"
#include "tree.hpp"

namespace zermelo {

// Relaxed atomic access in a tree shared by several threads. With one thread, plain loads and
// stores, which compilers optimize better.
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
template <bool Shared, class T>
ZERMELO_ALWAYS_INLINE inline T read(T& from) {
  if constexpr (Shared) return platform::RelaxedRef(from).load();
  return from;
}
template <bool Shared, class T>
ZERMELO_ALWAYS_INLINE inline void write(T& to, T value) {
  if constexpr (Shared) return platform::RelaxedRef(to).store(value);
  to = value;
}

// New terms of one sibling. Selection stores them after it has loaded the family: a load of four
// floats would have to wait for a preceding store of one of them.
struct PendingTerms {
  std::uint32_t at;
  float exploitation, exploration;

  template <bool Shared>
  ZERMELO_ALWAYS_INLINE void store(UcbTerms terms) const {
    write<Shared>(terms.exploitation(at), exploitation);
    write<Shared>(terms.exploration(at), exploration);
  }
};
struct NothingPending {};

template <bool Shared>
class Selection {
 public:
  // Among the children of a node. `factor` is the parent's part of the exploration term: the bound
  // of a child is exploitation + factor * exploration.
  Selection(UcbTerms terms, std::uint32_t first, std::uint32_t count, float factor)
      : terms_(terms), first_(first), count_(count), factor_(factor) {}

  // The child to visit next, after `visits` visits of the parent. `visit_all_first`: every child
  // once before any child twice. Stores the pending terms.
  template <class Pending>
  ZERMELO_ALWAYS_INLINE std::uint32_t best(std::uint32_t visits, bool visit_all_first,
                                           const Pending& pending) const {
    if (const std::uint32_t i = visits - 1; i < count_ && visit_all_first) {
      if (read<Shared>(terms_.exploration(first_ + i)) == MctsTree::kUnvisited) {
        store(pending);
        return first_ + i;
      }
    }
    if (count_ <= 2 * kLanes) {
      return first_ + (count_ <= kLanes ? argmax<1>(pending) : argmax<2>(pending));
    }
    if (count_ <= 3 * kLanes) return first_ + argmax<3>(pending);
    store(pending);
    return first_ + argmax_of_many(terms_, first_, count_, factor_);
  }

 private:
  using Indices = platform::Ints4;

  void store(const PendingTerms& pending) const { pending.store<Shared>(terms_); }
  void store(const NothingPending&) const {}

  // The first child with the greatest bound, of `kBlocks` blocks of four.
  template <int kBlocks, class Pending>
  ZERMELO_ALWAYS_INLINE std::uint32_t argmax(const Pending& pending) const {
    Lanes bounds[kBlocks];
    for (int i = 0; i < kBlocks; ++i) bounds[i] = bounds_of(terms_, first_ + kLanes * i, factor_);
    if constexpr (std::is_same_v<Pending, PendingTerms>) {
      const float bound = pending.exploitation + factor_ * pending.exploration;
      const auto lane = static_cast<std::int32_t>(pending.at - first_);
      for (int i = 0; i < kBlocks; ++i) {
        const int from = static_cast<int>(kLanes) * i;
        const Indices here = {from, from + 1, from + 2, from + 3};
        bounds[i] = here == lane ? Lanes{bound, bound, bound, bound} : bounds[i];
      }
    }
    store(pending);
    Lanes most = bounds[0];
    for (int i = 1; i < kBlocks; ++i) most = platform::max(bounds[i], most);
    most = platform::max(most, platform::permute<2, 3, 0, 1>(most));
    most = platform::max(most, platform::permute<1, 0, 3, 2>(most));
    std::uint32_t less = 0;  // "less", not "equal": a NaN must not leave the set empty
    for (int i = 0; i < kBlocks; ++i) less |= platform::mask_of(bounds[i] < most) << kLanes * i;
    return platform::lowest_bit(~less);
  }

  // Static, with all arguments by value, so that the caller keeps its members in registers.
  ZERMELO_NOINLINE static std::uint32_t argmax_of_many(UcbTerms terms, std::uint32_t first,
                                                       std::uint32_t count, float factor) {
    Lanes most = bounds_of(terms, first, factor);
    Indices top = {0, 1, 2, 3}, here = top;
    for (std::uint32_t i = kLanes; i < count; i += kLanes) {
      here += static_cast<int>(kLanes);
      const Lanes bounds = bounds_of(terms, first + i, factor);
      const Indices better = bounds > most;
      most = better ? bounds : most;
      top = better ? here : top;
    }
    int best = 0;
    for (int lane = 1; lane < static_cast<int>(kLanes); ++lane) {
      const bool earlier = top[lane] < top[best];
      if (most[lane] > most[best] || (most[lane] == most[best] && earlier)) best = lane;
    }
    return top[best];
  }

  ZERMELO_ALWAYS_INLINE static Lanes bounds_of(UcbTerms terms, std::uint32_t from, float factor) {
    if constexpr (Shared) {
      const auto one = [&](std::uint32_t at) {
        return read<true>(terms.exploitation(at)) + factor * read<true>(terms.exploration(at));
      };
      return Lanes{one(from), one(from + 1), one(from + 2), one(from + 3)};
    }
    return terms.exploitation_lanes(from) + factor * terms.exploration_lanes(from);
  }

  UcbTerms terms_;
  std::uint32_t first_, count_;
  float factor_;
};

}  // namespace zermelo
