// The tree that Monte Carlo search grows: a pool of fixed size, the children of a node side by side
// and always behind their parent. Nothing is freed but by making another node the root.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#include "../../game.hpp"

namespace zermelo {

// One place in the tree. Threads read it as it comes; they write its mean under its lock.
//
//   | mean 8 | prior 8 | visits 4 | action 4 | first 4 | count 2 | player 1 | marks 1 |
struct alignas(32) MctsNode {
  static constexpr int kUnknown = -3;                                    // player: not asked yet
  static constexpr std::uint8_t kProven = 1, kLocked = 2, kGrowing = 4;  // marks

  std::atomic<double> mean;           // of its simulations, player 0's; once proven, the value
  double prior;                       // below a chance node the odds
  std::atomic<std::uint32_t> visits;  // simulations that came through
  Action action;                      // by which its parent leads here
  std::atomic<std::uint32_t> first;   // its children in the pool; 0: none yet
  std::uint16_t count;                // of its children
  std::atomic<std::int8_t> player;    // who moves here
  std::atomic<std::uint8_t> marks;

  bool proven() const { return marks.load() & kProven; }

  void reset(Action by, double odds) {
    mean.store(0, std::memory_order_relaxed);
    prior = odds;
    visits.store(0, std::memory_order_relaxed);
    action = by;
    first.store(0, std::memory_order_relaxed);
    count = 0;
    player.store(kUnknown, std::memory_order_relaxed);
    marks.store(0, std::memory_order_relaxed);
  }
};
static_assert(sizeof(MctsNode) == 32);

// What its parent's mover chooses by, apart from the rest: siblings fit into one cache line or two.
struct MctsBound {
  static constexpr float kUntried = 1e30F;  // breadth: to be tried first

  std::atomic<float> mean;     // as that mover sees it
  std::atomic<float> breadth;  // times the parent's doubt: what is added to it

  void set(float m, float b) {
    mean.store(m, std::memory_order_relaxed);
    breadth.store(b, std::memory_order_relaxed);
  }
};
static_assert(sizeof(MctsBound) == 8);

class MctsTree {
 public:
  static constexpr std::uint32_t kRoot = 1;

  // width: values a node keeps, one a player; 1 where player 0's says it all.
  MctsTree(int megabytes, int width) : width_(width) {
    const std::size_t bytes = static_cast<std::size_t>(std::max(1, megabytes)) << 20;
    const std::size_t each =
        sizeof(MctsNode) + sizeof(MctsBound) + (width > 1 ? width * sizeof(double) : 0);
    capacity_ = static_cast<std::uint32_t>(std::min<std::size_t>(bytes / each, UINT32_MAX));
    size_ = capacity_ * each;
    // Pages come as they are touched.
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    nodes_ = static_cast<MctsNode*>(memory_);
    bounds_ = reinterpret_cast<MctsBound*>(nodes_ + capacity_);
    values_ = reinterpret_cast<std::atomic<double>*>(bounds_ + capacity_);
    clear();
  }
  ~MctsTree() { munmap(memory_, size_); }
  MctsTree(const MctsTree&) = delete;
  MctsTree& operator=(const MctsTree&) = delete;

  MctsNode& operator[](std::uint32_t i) { return nodes_[i]; }
  const MctsNode& operator[](std::uint32_t i) const { return nodes_[i]; }
  MctsBound& bound(std::uint32_t i) { return bounds_[i]; }
  const MctsBound& bound(std::uint32_t i) const { return bounds_[i]; }
  // One a player, where width > 1.
  std::atomic<double>* values(std::uint32_t i) { return values_ + std::size_t{i} * width_; }
  const std::atomic<double>* values(std::uint32_t i) const {
    return values_ + std::size_t{i} * width_;
  }

  int width() const { return width_; }
  std::uint32_t size() const { return std::min(next_.load(), capacity_) - 1; }
  bool full() const { return full_.load(std::memory_order_relaxed); }

  // Room for `count` nodes in a row; 0: there is none.
  std::uint32_t take(std::uint32_t count) {
    if (full()) return 0;
    const std::uint32_t at = next_.fetch_add(count);
    if (at + std::uint64_t{count} <= capacity_) return at;
    next_.fetch_sub(count);
    full_.store(true);
    return 0;
  }

  // Only the root is left, and nothing is known of it.
  void clear() {
    next_.store(kRoot + 1);
    full_.store(false);
    nodes_[kRoot].reset(0, 1);
    std::fill_n(values(kRoot), width_ > 1 ? width_ : 0, 0.0);
    root_state.clear();
  }

  // Makes a node the root; what is not below it is given up and the rest moved together.
  void keep(std::uint32_t node) {
    struct Block {
      std::uint32_t from, count, to;
    };
    std::vector<Block> blocks;
    const auto add = [&](const MctsNode& n) {
      if (n.first) blocks.push_back({n.first, n.count, 0});
    };
    add(nodes_[node]);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto [from, count, to] = blocks[b];
      for (std::uint32_t i = 0; i < count; ++i) add(nodes_[from + i]);
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const Block& a, const Block& b) { return a.from < b.from; });
    std::uint32_t next = kRoot + 1;
    for (Block& b : blocks) b.to = next, next += b.count;
    const auto moved = [&](std::uint32_t first) {
      return std::lower_bound(blocks.begin(), blocks.end(), first,
                              [](const Block& b, std::uint32_t f) { return b.from < f; })
          ->to;
    };
    const auto move = [&](std::uint32_t from, std::uint32_t to) {
      // No other thread is about.
      std::memcpy(static_cast<void*>(nodes_ + to), nodes_ + from, sizeof(MctsNode));
      std::memcpy(static_cast<void*>(bounds_ + to), bounds_ + from, sizeof(MctsBound));
      for (int p = 0; p < width_ && width_ > 1; ++p) values(to)[p] = values(from)[p].load();
      if (nodes_[to].first) nodes_[to].first = moved(nodes_[to].first);
    };
    // Blocks only move forward, so that nothing is overwritten before it was moved.
    move(node, kRoot);
    for (const Block& b : blocks) {
      for (std::uint32_t i = 0; i < b.count; ++i) move(b.from + i, b.to + i);
    }
    next_.store(next);
    full_.store(false);
  }

  std::vector<std::byte> root_state;  // of the root; empty: of a tree that was not begun

 private:
  int width_;
  std::uint32_t capacity_;
  std::size_t size_;
  void* memory_;
  MctsNode* nodes_;
  MctsBound* bounds_;
  std::atomic<double>* values_;
  std::atomic<std::uint32_t> next_;  // where the free room begins
  std::atomic<bool> full_ = false;
};

}  // namespace zermelo
