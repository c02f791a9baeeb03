// The search tree: a pool of nodes of fixed size. The children of a node lie side by side and
// always behind their parent. Memory is freed only when another node becomes the root.
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

// A node. Threads read it without a lock; they write its mean under its lock.
//
//   | mean 8 | visits 4 | action 4 | selected 4 | first 4 | count 2 | player 1 | flags 1 | free 4 |
struct alignas(32) MctsNode {
  static constexpr int kUnknown = -3;  // player: to_move was not called yet
  static constexpr std::uint8_t kProven = 1, kLocked = 2, kExpanding = 4;  // flags

  std::atomic<double> mean;             // of player 0's values; the exact value if proven
  std::atomic<std::uint32_t> visits;    // simulations through this node
  Action action;                        // leads from the parent to this node
  std::atomic<std::uint32_t> selected;  // the child that selection takes next; 0: not computed
  std::atomic<std::uint32_t> first;     // index of the first child; 0: not expanded
  std::uint16_t count;                  // of children
  std::atomic<std::int8_t> player;      // to move
  std::atomic<std::uint8_t> flags;

  bool proven() const { return flags.load() & kProven; }

  // Before other threads can see the node.
  void reset(Action by) { new (this) MctsNode{0, 0, by, 0, 0, 0, kUnknown, 0}; }
};
static_assert(sizeof(MctsNode) == 32);

// Selection compares four siblings at once. A family starts at a multiple of four; the padding
// behind it has the bound -infinity.
using Lanes = platform::Floats4;
inline constexpr std::uint32_t kLanes = 4;

// The terms of the upper confidence bound of each node, in an array of their own:
//   bound = exploitation + (a factor of the parent) * exploration
// UCB1: mean + c sqrt(ln N) * 1 / sqrt(n). PUCT: mean + c sqrt(N) * P / (1 + n).
// The mean is the value for the player to move at the parent.
//
//   | exploitation 4 x 4 | exploration 4 x 4 |     for every four nodes
class UcbTerms {
 public:
  UcbTerms() = default;
  explicit UcbTerms(void* memory) : numbers_(static_cast<float*>(memory)) {}
  static constexpr std::size_t kBytes = 2 * sizeof(float);  // per node

  float& exploitation(std::uint32_t at) const {
    return numbers_[2 * std::size_t{at} - at % kLanes];
  }
  float& exploration(std::uint32_t at) const { return (&exploitation(at))[kLanes]; }

  // Of four nodes from a multiple of four. Only for searches with one thread.
  Lanes& exploitation_lanes(std::uint32_t from) const {
    return *reinterpret_cast<Lanes*>(numbers_ + 2 * std::size_t{from});
  }
  Lanes& exploration_lanes(std::uint32_t from) const { return (&exploitation_lanes(from))[1]; }

 private:
  float* numbers_ = nullptr;
};

// All-moves-as-first statistics of a node, for RAVE: of the simulations through its parent in which
// the same move was played then or later by the same player.
struct AmafStats {
  std::uint32_t index = 0;   // of the move, see Game::amaf
  std::uint32_t visits = 0;  // such simulations
  float mean = 0;            // of their values for the player to move at the parent
};

class MctsTree {
 public:
  static constexpr std::uint32_t kRoot = kLanes;
  static constexpr float kUnvisited = 1e30F;  // exploration term: visit before the others

  // width: values per node, one per player; 1 if player 0's value determines the others.
  // amaf: with AMAF statistics.
  MctsTree(int megabytes, int width, bool amaf) : width_(width) {
    const std::size_t bytes = static_cast<std::size_t>(std::max(1, megabytes)) << 20;
    const std::size_t each = sizeof(MctsNode) + UcbTerms::kBytes +
                             (1 + (width > 1 ? width : 0)) * sizeof(double) +
                             (amaf ? sizeof(AmafStats) : 0);
    capacity_ = static_cast<std::uint32_t>(std::min<std::size_t>(bytes / each, UINT32_MAX));
    capacity_ -= capacity_ % kLanes;
    size_ = capacity_ * each;
    if (!take_spare()) {
      // The system provides pages as they are touched.
      memory_ = platform::Pages(size_, platform::Pages::kNoReserve);
    }
    nodes_ = static_cast<MctsNode*>(memory_.data());
    terms_ = UcbTerms(nodes_ + capacity_);
    priors_ = reinterpret_cast<double*>(&terms_.exploitation(capacity_));
    values_ = reinterpret_cast<std::atomic<double>*>(priors_ + capacity_);
    if (amaf) amaf_ = reinterpret_cast<AmafStats*>(values(width > 1 ? capacity_ : 0));
    clear();
  }
  ~MctsTree() { leave_spare(); }
  MctsTree(const MctsTree&) = delete;
  MctsTree& operator=(const MctsTree&) = delete;

  MctsNode& operator[](std::uint32_t i) { return nodes_[i]; }
  const MctsNode& operator[](std::uint32_t i) const { return nodes_[i]; }
  UcbTerms terms() const { return terms_; }
  // The index of a node's first child; 0: not expanded.
  std::uint32_t first(std::uint32_t i) const {
    return nodes_[i].first.load(std::memory_order_acquire);
  }
  std::uint32_t end(std::uint32_t i) const { return first(i) + nodes_[i].count; }
  // P of PUCT; for the child of a chance node its probability. Otherwise never touched.
  double& prior(std::uint32_t i) { return priors_[i]; }
  double prior(std::uint32_t i) const { return priors_[i]; }
  // The mean value of each player, where width > 1.
  std::atomic<double>* values(std::uint32_t i) { return values_ + std::size_t{i} * width_; }
  const std::atomic<double>* values(std::uint32_t i) const {
    return values_ + std::size_t{i} * width_;
  }
  // Only where has_amaf().
  AmafStats& amaf(std::uint32_t i) { return amaf_[i]; }
  const AmafStats& amaf(std::uint32_t i) const { return amaf_[i]; }

  int width() const { return width_; }
  bool has_amaf() const { return amaf_ != nullptr; }
  // How many nodes the tree has.
  std::uint32_t size() const {
    std::uint32_t n = 1;
    for (std::uint32_t i = kRoot; i < next_; ++i) n += nodes_[i].count;
    return n;
  }
  bool full() const { return full_.load(std::memory_order_relaxed); }

  // Initializes `count` siblings without statistics.
  void reset(std::uint32_t first, const Action* by, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) nodes_[first + i].reset(by[i]);
    if (width_ > 1) std::fill_n(values(first), std::size_t{count} * width_, 0.0);
    if (amaf_) std::fill_n(amaf_ + first, count, AmafStats{});
    for (std::uint32_t i = 0; i < count; i += kLanes) {
      terms_.exploitation_lanes(first + i) = Lanes{};
      terms_.exploration_lanes(first + i) = Lanes{kUnvisited, kUnvisited, kUnvisited, kUnvisited};
    }
    for (std::uint32_t i = first + count; i % kLanes; ++i) {
      nodes_[i].reset(0);
      terms_.exploitation(i) = -INFINITY;
    }
  }

  // The depth of the deepest simulation so far, in plies below the root.
  int max_depth() const { return max_depth_; }
  void record_depth(int plies) {
    int known = max_depth_;
    while (known < plies && !max_depth_.compare_exchange_weak(known, plies)) {
    }
  }

  // Reserves `count` consecutive nodes; 0: the pool is full.
  std::uint32_t allocate(std::uint32_t count) {
    if (full()) return 0;
    count = padded(count);
    const std::uint32_t at = next_.fetch_add(count);
    if (at + std::uint64_t{count} <= capacity_) return at;
    next_.fetch_sub(count);
    full_.store(true);
    return 0;
  }

  // Removes everything but a root without statistics.
  void clear() {
    peak_ = std::max(peak_, next_.load());
    next_.store(kRoot + kLanes);
    full_.store(false);
    max_depth_ = 0;
    const Action none = 0;
    reset(kRoot, &none, 1);
    root_state.clear();
    root_restricted = false;
  }

  // Drops the precomputed selections, because a new search may select by other parameters.
  void clear_selected() {
    for (std::uint32_t i = kRoot; i < next_; ++i) {
      nodes_[i].selected.store(0, std::memory_order_relaxed);
    }
  }

  // Removes the children of a node for which `unwanted(child)` is true, but not all of them. Their
  // descendants are freed by the next keep(). Only while no search uses the tree.
  template <class Unwanted>
  void remove_children(std::uint32_t node, Unwanted unwanted) {
    const std::uint32_t from = first(node), end = from + padded(nodes_[node].count);
    std::uint32_t next = from;
    for (std::uint32_t c = from; c < this->end(node); ++c) {
      if (!unwanted(c)) copy_node(c, next++);
    }
    nodes_[node].count = static_cast<std::uint16_t>(next - from);
    for (; next < end; ++next) {
      nodes_[next].reset(0);
      terms_.exploitation(next) = -INFINITY;
    }
  }

  // Makes a node the root, frees all nodes outside its subtree and moves the rest together. Only
  // while no search uses the tree.
  void keep(std::uint32_t node) {
    struct Block {  // the children of one node
      std::uint32_t from, count, to;
    };
    std::vector<Block> blocks;
    const auto add = [&](std::uint32_t n) {
      if (first(n)) blocks.push_back({first(n), padded(nodes_[n].count), 0});
    };
    add(node);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto [from, count, to] = blocks[b];
      for (std::uint32_t i = 0; i < count; ++i) add(from + i);
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const Block& a, const Block& b) { return a.from < b.from; });
    std::uint32_t next = kRoot + kLanes;
    for (Block& b : blocks) b.to = next, next += b.count;
    const auto moved = [&](std::uint32_t from) {
      return std::lower_bound(blocks.begin(), blocks.end(), from,
                              [](const Block& b, std::uint32_t f) { return b.from < f; })
          ->to;
    };
    const auto move = [&](std::uint32_t from, std::uint32_t to) {
      copy_node(from, to);
      if (first(to)) nodes_[to].first = moved(first(to));
    };
    // A block never moves to a higher index, so in this order none is overwritten before its turn.
    move(node, kRoot);
    for (const Block& b : blocks) {
      for (std::uint32_t i = 0; i < b.count; ++i) move(b.from + i, b.to + i);
    }
    peak_ = std::max(peak_, next_.load());
    next_.store(next);
    full_.store(false);
  }

  std::vector<std::byte> root_state;  // empty: the tree was never used
  bool root_restricted = false;       // the root has only the children that its search allowed

 private:
  static std::uint32_t padded(std::uint32_t count) {
    return (count + kLanes - 1) / kLanes * kLanes;
  }

  void copy_node(std::uint32_t from, std::uint32_t to) {
    if (from == to) return;
    std::memcpy(static_cast<void*>(nodes_ + to), nodes_ + from, sizeof(MctsNode));
    terms_.exploitation(to) = terms_.exploitation(from);
    terms_.exploration(to) = terms_.exploration(from);
    priors_[to] = priors_[from];
    for (int p = 0; p < width_ && width_ > 1; ++p) values(to)[p] = values(from)[p].load();
    if (amaf_) amaf_[to] = amaf_[from];
  }

  using Spares = SparePages<MctsTree>;
  static constexpr std::uint32_t kLargestSpare = 1 << 17;  // nodes touched

  // The old contents of a spare are never read.
  bool take_spare() {
    memory_ = Spares::take(size_).memory;
    return static_cast<bool>(memory_);
  }
  void leave_spare() {
    if (std::max(peak_, next_.load()) <= kLargestSpare) Spares::leave({std::move(memory_)});
  }

  int width_;
  std::uint32_t capacity_;
  std::size_t size_;
  platform::Pages memory_;
  MctsNode* nodes_;
  UcbTerms terms_;
  double* priors_;
  std::atomic<double>* values_;
  AmafStats* amaf_ = nullptr;
  std::atomic<std::uint32_t> next_ = 0;  // the first free node
  std::atomic<int> max_depth_ = 0;
  std::uint32_t peak_ = 0;  // the greatest next_ of trees before the last clear() or keep()
  std::atomic<bool> full_ = false;
};

}  // namespace zermelo
