// The tree that Monte Carlo search grows: a pool of fixed size, the children of a node side by side
// and always behind their parent. Nothing is freed but by making another node the root.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "../../game.hpp"
#include "../../parts/spare_pages.hpp"
#include "../../platform.hpp"

namespace zermelo {

// One place in the tree. Threads read it as it comes; they write its mean under its lock.
//
//   | mean 8 | visits 4 | action 4 | next 4 | first 4 | count 2 | player 1 | marks 1 | free 4 |
struct alignas(32) MctsNode {
  static constexpr int kUnknown = -3;                                    // player: not asked yet
  static constexpr std::uint8_t kProven = 1, kLocked = 2, kGrowing = 4;  // marks

  std::atomic<double> mean;           // of its simulations, player 0's; once proven, the value
  std::atomic<std::uint32_t> visits;  // simulations that came through
  Action action;                      // by which its parent leads here
  std::atomic<std::uint32_t> next;    // the child whose turn it is, where that is known; else 0
  std::atomic<std::uint32_t> first;   // its children in the pool; 0: none yet
  std::uint16_t count;                // of its children
  std::atomic<std::int8_t> player;    // who moves here
  std::atomic<std::uint8_t> marks;

  bool proven() const { return marks.load() & kProven; }

  // Made new, before anybody else can see it.
  void reset(Action by) { new (this) MctsNode{0, 0, by, 0, 0, 0, kUnknown, 0}; }
};
static_assert(sizeof(MctsNode) == 32);

// What siblings are compared by, apart from the rest and four side by side: a family begins at a
// multiple of four, and what is free behind it is worse than anything.
using Four = platform::Floats4;
inline constexpr std::uint32_t kFour = 4;

//   | mean 4 | mean 4 | mean 4 | mean 4 | breadth 4 | breadth 4 | breadth 4 | breadth 4 |
class MctsLooks {
 public:
  MctsLooks() = default;
  explicit MctsLooks(void* memory) : numbers_(static_cast<float*>(memory)) {}
  static constexpr std::size_t kBytes = 2 * sizeof(float);  // of one node

  // As its parent's mover sees it; and what is added to it, times the parent's doubt.
  float& mean(std::uint32_t at) const { return numbers_[2 * std::size_t{at} - at % kFour]; }
  float& breadth(std::uint32_t at) const { return (&mean(at))[kFour]; }

  // Four at once, from a multiple of four on, while nobody else is about.
  Four& means(std::uint32_t from) const {
    return *reinterpret_cast<Four*>(numbers_ + 2 * std::size_t{from});
  }
  Four& breadths(std::uint32_t from) const { return (&means(from))[1]; }

 private:
  float* numbers_ = nullptr;
};

class MctsTree {
 public:
  static constexpr std::uint32_t kRoot = kFour;
  static constexpr float kUntried = 1e30F;  // breadth: to be tried first

  // width: values a node keeps, one a player; 1 where player 0's says it all.
  MctsTree(int megabytes, int width) : width_(width) {
    const std::size_t bytes = static_cast<std::size_t>(std::max(1, megabytes)) << 20;
    const std::size_t each =
        sizeof(MctsNode) + MctsLooks::kBytes + (1 + (width > 1 ? width : 0)) * sizeof(double);
    capacity_ = static_cast<std::uint32_t>(std::min<std::size_t>(bytes / each, UINT32_MAX));
    capacity_ -= capacity_ % kFour;
    size_ = capacity_ * each;
    if (!take_spare()) {
      // Pages come as they are touched.
      memory_ = platform::Pages(size_, platform::Pages::kNoReserve);
    }
    nodes_ = static_cast<MctsNode*>(memory_.data());
    looks_ = MctsLooks(nodes_ + capacity_);
    priors_ = reinterpret_cast<double*>(&looks_.mean(capacity_));
    values_ = reinterpret_cast<std::atomic<double>*>(priors_ + capacity_);
    clear();
  }
  ~MctsTree() { leave_spare(); }
  MctsTree(const MctsTree&) = delete;
  MctsTree& operator=(const MctsTree&) = delete;

  MctsNode& operator[](std::uint32_t i) { return nodes_[i]; }
  const MctsNode& operator[](std::uint32_t i) const { return nodes_[i]; }
  MctsLooks looks() const { return looks_; }
  // A node's children in the pool; 0: none yet.
  std::uint32_t first(std::uint32_t i) const {
    return nodes_[i].first.load(std::memory_order_acquire);
  }
  std::uint32_t end(std::uint32_t i) const { return first(i) + nodes_[i].count; }
  // Below a chance node the odds; touched by chance and by priors alone.
  double& prior(std::uint32_t i) { return priors_[i]; }
  double prior(std::uint32_t i) const { return priors_[i]; }
  // One a player, where width > 1.
  std::atomic<double>* values(std::uint32_t i) { return values_ + std::size_t{i} * width_; }
  const std::atomic<double>* values(std::uint32_t i) const {
    return values_ + std::size_t{i} * width_;
  }

  int width() const { return width_; }
  // Nodes in the tree.
  std::uint32_t size() const {
    std::uint32_t n = 1;
    for (std::uint32_t i = kRoot; i < next_; ++i) n += nodes_[i].count;
    return n;
  }
  bool full() const { return full_.load(std::memory_order_relaxed); }

  // New siblings, of which nothing is known.
  void reset(std::uint32_t first, const Action* by, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) nodes_[first + i].reset(by[i]);
    if (width_ > 1) std::fill_n(values(first), std::size_t{count} * width_, 0.0);
    for (std::uint32_t i = 0; i < count; i += kFour) {
      looks_.means(first + i) = Four{};
      looks_.breadths(first + i) = Four{kUntried, kUntried, kUntried, kUntried};
    }
    for (std::uint32_t i = first + count; i % kFour; ++i) {
      nodes_[i].reset(0);
      looks_.mean(i) = -INFINITY;
    }
  }

  // No simulation came further below the root than this.
  int deepest() const { return deepest_; }
  void note_depth(int plies) {
    int known = deepest_;
    while (known < plies && !deepest_.compare_exchange_weak(known, plies)) {
    }
  }

  // Room for `count` nodes in a row; 0: there is none.
  std::uint32_t take(std::uint32_t count) {
    if (full()) return 0;
    count = in_fours(count);
    const std::uint32_t at = next_.fetch_add(count);
    if (at + std::uint64_t{count} <= capacity_) return at;
    next_.fetch_sub(count);
    full_.store(true);
    return 0;
  }

  // Only the root is left, and nothing is known of it.
  void clear() {
    most_ = std::max(most_, next_.load());
    next_.store(kRoot + kFour);
    full_.store(false);
    deepest_ = 0;
    const Action none = 0;
    reset(kRoot, &none, 1);
    root_state.clear();
  }

  // Whose turn it is must be found anew: something else counts from now on.
  void forget_turns() {
    for (std::uint32_t i = kRoot; i < next_; ++i) {
      nodes_[i].next.store(0, std::memory_order_relaxed);
    }
  }

  // Makes a node the root; what is not below it is given up and the rest moved together.
  void keep(std::uint32_t node) {
    struct Block {
      std::uint32_t from, count, to;
    };
    std::vector<Block> blocks;
    const auto add = [&](std::uint32_t n) {
      if (first(n)) blocks.push_back({first(n), in_fours(nodes_[n].count), 0});
    };
    add(node);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto [from, count, to] = blocks[b];
      for (std::uint32_t i = 0; i < count; ++i) add(from + i);
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const Block& a, const Block& b) { return a.from < b.from; });
    std::uint32_t next = kRoot + kFour;
    for (Block& b : blocks) b.to = next, next += b.count;
    const auto moved = [&](std::uint32_t from) {
      return std::lower_bound(blocks.begin(), blocks.end(), from,
                              [](const Block& b, std::uint32_t f) { return b.from < f; })
          ->to;
    };
    const auto move = [&](std::uint32_t from, std::uint32_t to) {
      // No other thread is about.
      std::memcpy(static_cast<void*>(nodes_ + to), nodes_ + from, sizeof(MctsNode));
      looks_.mean(to) = looks_.mean(from);
      looks_.breadth(to) = looks_.breadth(from);
      priors_[to] = priors_[from];
      for (int p = 0; p < width_ && width_ > 1; ++p) values(to)[p] = values(from)[p].load();
      if (first(to)) nodes_[to].first = moved(first(to));
    };
    // Blocks only move forward, so that nothing is overwritten before it was moved.
    move(node, kRoot);
    for (const Block& b : blocks) {
      for (std::uint32_t i = 0; i < b.count; ++i) move(b.from + i, b.to + i);
    }
    most_ = std::max(most_, next_.load());
    next_.store(next);
    full_.store(false);
  }

  std::vector<std::byte> root_state;  // of the root; empty: of a tree that was not begun

 private:
  static std::uint32_t in_fours(std::uint32_t count) { return (count + kFour - 1) / kFour * kFour; }

  using Spares = SparePages<MctsTree>;
  static constexpr std::uint32_t kLargestSpare = 1 << 17;  // nodes touched

  // What is left in a spare is never read.
  bool take_spare() {
    memory_ = Spares::take(size_).memory;
    return static_cast<bool>(memory_);
  }
  void leave_spare() {
    if (std::max(most_, next_.load()) <= kLargestSpare) Spares::leave({std::move(memory_)});
  }

  int width_;
  std::uint32_t capacity_;
  std::size_t size_;
  platform::Pages memory_;
  MctsNode* nodes_;
  MctsLooks looks_;
  double* priors_;
  std::atomic<double>* values_;
  std::atomic<std::uint32_t> next_ = 0;  // where the free room begins
  std::atomic<int> deepest_ = 0;
  std::uint32_t most_ = 0;  // nodes that a tree had that was given up since
  std::atomic<bool> full_ = false;
};

}  // namespace zermelo
